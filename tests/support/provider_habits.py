"""Habits of providers as rows of data: what a server does, what is sent to it, what comes of it.

A row of `tests/models/habits/*.yaml`:

    habit: thoughts between <thought> marks
    seen: owner/repository#1            # where it was reported, where somebody has
    says: ["<thought>{secret}</thought>{plain}"]   # texts, answered one after the other; the last again and again
    right: {says: "{plain}", thought: "{secret}"}

Other keys: `model` (as litellm names it) and `form` (a family of `families`; OpenAI's else); `tools` (native, text);
`defaults` (of the procedure's `model`); `strict` (true: the family refuses what it refuses); `talk` (another spec of
the project there); `ways` (whole, stream: both else); `not_yet` (true: known to come out wrong, and not in the table);
`answers`, where a text is not enough, each with `say`, `thought`, `calls`, or with `message` and `finish`, `body` or
`chunks` as they are, or with `status` and `error`. An answer with `when` is given where that holds of the request,
whatever its turn: `rule` (one of `openai_form` that is broken), `roles` (a pattern of the roles in order), any other
name a member of the body that is there (true), is not (false), or is more than a number.

`right` is what must come of it: `says` (spoken and heard) with `thought` (kept in the journal, heard by nobody) and
`faults`; or `told` (the problem that stops the run); `asked` (how many requests it took). Whatever the row, what is
secret reaches no other person's prompt, a stopped run is played to its end by a better server, and a replay agrees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from families import FAMILIES, Asked, Family, Refusal, Said, ToolCall, openai_form, variables
from loopback import Answer, Call, Loopback, streamed
from places import TESTS
from ruamel.yaml import YAML
from typed import lw

from legalworld.models.litellm_client import Models
from legalworld.runs import actors

FOLDER = TESTS / "models" / "habits"
SECRET = "Quillmoor-77 is the reserve price"
PLAIN = "I think so."
WORDS = {"{secret}": SECRET, "{plain}": PLAIN}
FORMS = {family.name: family for family in FAMILIES}
_ANN = re.compile("You are the Ann|你是安")
WAYS = ("whole", "stream")
NOTED = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "thinking",
    "reasoning_effort",
    "enable_thinking",
)


@dataclass(frozen=True, eq=False)
class Habit:
    """One row; `group` is the title of its file, `name` the row's place in it for a test's name."""

    group: str
    name: str
    row: Mapping[str, Any]

    @property
    def family(self) -> Family:
        return FORMS[self.row.get("form", "OpenAI")]

    @property
    def model(self) -> str:
        return str(self.row.get("model", "openai/m"))

    @property
    def ways(self) -> tuple[str, ...]:
        return tuple(self.row.get("ways", WAYS))

    @property
    def not_yet(self) -> bool:
        return bool(self.row.get("not_yet"))

    @property
    def answers(self) -> list[Mapping[str, Any]]:
        return [*({"say": text} for text in self.row.get("says", ())), *self.row.get("answers", ())]


@dataclass(frozen=True)
class Outcome:
    """What came of a habit in one way; `sent`: the bodies of the requests to the person whose server has it."""

    says: str
    thought: str
    told: str
    faults: tuple[str, ...]
    asked: int
    sent: tuple[Any, ...] = field(compare=False)
    troubles: tuple[str, ...] = ()  # what must not be, whatever the habit


@cache
def habits() -> tuple[Habit, ...]:
    found = []
    for file in sorted(FOLDER.glob("*.yaml")):
        page = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
        rows = [_filled(row) for row in page["rows"]]
        found += [Habit(page["title"], f"{file.stem}-{number}", row) for number, row in enumerate(rows, 1)]
    return tuple(found)


def _filled(value: Any) -> Any:
    """The value with its placeholders filled in."""
    if isinstance(value, str):
        for mark, words in WORDS.items():
            value = value.replace(mark, words)
        return value
    if isinstance(value, list):
        return [_filled(one) for one in value]
    return {key: _filled(one) for key, one in value.items()} if isinstance(value, dict) else value


# ---- the server ------------------------------------------------------------------------------------------------------


@dataclass
class Server:
    """Does to Ann what the habit is, and speaks plainly to everybody else, or (`cured`) to her, too."""

    habit: Habit
    cured: bool = False
    ann: list[Call] = field(default_factory=list)
    others: list[Call] = field(default_factory=list)
    turn: int = 0

    def __call__(self, call: Call) -> Answer:
        family = self.habit.family
        if (about := family.about(call)) is not None:
            return about
        stream = bool(call.body.get("stream")) or ":stream" in call.path
        asked = Asked((), (), stream, str(call.body.get("model", "m")))
        if not _ANN.search(json.dumps(call.body, ensure_ascii=False)) or self.cured:
            self.others.append(call)
            return family.write(Said(PLAIN, number=len(self.others) + 900), asked)
        self.ann.append(call)
        try:
            if self.habit.row.get("strict"):
                family.read(call)
            return self._answer(self._chosen(call), asked)
        except Refusal as refusal:
            return family.refuse(refusal)

    def _chosen(self, call: Call) -> Mapping[str, Any]:
        """The first answer whose condition holds; else the next of those without one, the last for ever."""
        free = [answer for answer in self.habit.answers if "when" not in answer]
        for answer in self.habit.answers:
            if "when" in answer and _holds(answer["when"], call.body):
                return answer
        self.turn += 1
        return free[min(self.turn, len(free)) - 1]

    def _answer(self, answer: Mapping[str, Any], asked: Asked) -> Answer:
        if "status" in answer:
            text = answer["error"] if isinstance(answer["error"], str) else json.dumps(answer["error"])
            return Answer(text.encode(), answer["status"], {"Content-Type": "application/json"})
        if "chunks" in answer:
            return Answer("".join(_events(answer["chunks"])).encode(), 200, {"Content-Type": "text/event-stream"})
        if "body" in answer:
            return _body(answer["body"], asked, self.habit.family)
        if "message" in answer:
            choice = {"index": 0, "message": {"role": "assistant", **answer["message"]}}
            choice["finish_reason"] = answer.get("finish", "stop")
            usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
            head = {"id": "c", "object": "chat.completion", "created": 1, "model": answer.get("model", asked.model)}
            return _body({**head, "choices": [choice], "usage": answer.get("usage", usage)}, asked, self.habit.family)
        calls = tuple(ToolCall(call["name"], call["arguments"]) for call in answer.get("calls", ()))
        said = Said(answer.get("say", ""), answer.get("thought", ""), calls, len(self.ann))
        return self.habit.family.write(said, asked)


def _holds(condition: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    for name, wanted in condition.items():
        if name == "rule":
            try:
                getattr(openai_form, wanted)(body)
                return False
            except Refusal:
                continue
        if name == "roles":
            roles = ",".join(message["role"] for message in body.get("messages", ()))
            if not re.search(wanted, roles):
                return False
        elif wanted not in (True, False):
            if not (body.get(name) or 0) > wanted:
                return False
        elif bool(body.get(name)) != wanted:
            return False
    return True


def _body(body: Any, asked: Asked, family: Family) -> Answer:
    """A body as it is; a chat completion streamed where a stream was asked for."""
    text = body if isinstance(body, str) else json.dumps(body)
    whole = Answer(text.encode(), 200, {"Content-Type": "application/json"})
    return streamed(whole) if asked.stream and family.write.__module__ == "families.openai_form" else whole


def _events(chunks: Sequence[Any]) -> Iterator[str]:
    """Events of a stream: text as it is, chunks of a completion by their deltas or whole."""
    for chunk in chunks:
        if isinstance(chunk, str):
            yield f"{chunk}\n\n"
        else:
            head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            if "delta" in chunk:
                choice = {"index": 0, "delta": chunk["delta"], "finish_reason": chunk.get("finish")}
                chunk = {"choices": [choice]}
            yield f"data: {json.dumps({**head, **chunk})}\n\n"


# ---- what comes of it ------------------------------------------------------------------------------------------------


@cache
def outcome(habit: Habit, way: str, folder: Path) -> Outcome:
    """The talk played with the habit in a folder of its own; stopped, played on by a server without it."""
    project = folder / f"{habit.name}-{way}"
    copytree(FOLDER / "project", project)
    if "defaults" in habit.row:
        spec = project / "specs" / "talk.yaml"
        model = f"lw: 1\nmodel: {json.dumps(habit.row['defaults'])}\n"
        spec.write_text(spec.read_text(encoding="utf-8").replace("lw: 1\n", model), encoding="utf-8")
    server = Server(habit)
    with pytest.MonkeyPatch.context() as patch, Loopback(server) as loopback:
        patch.chdir(project)
        patch.setenv("LW_LANG", "en")
        patch.setattr(actors, "Models", partial(Models, delay=0.0, patience=0.0))
        for name, value in variables(habit.family, loopback).items():
            patch.setenv(name, value)
        tools = ("--tools", habit.row["tools"]) if "tools" in habit.row else ("--tools", "text")
        words = (*tools, "--out", "run", *(("--follow",) if way == "stream" else ()))
        ran = lw("run", habit.row.get("talk", "talk"), "--model", habit.model, *words)
        lines = _journal(project)
        told = re.findall(r"\b(LW\d+)\b", ran.err) if ran.code else []
        troubles = [*_troubles(ran.code, server, project)]
        if ran.code == 3:
            server.cured = True
            resumed = lw("resume", "run")
            troubles += [f"not resumable: {resumed.err}"] if resumed.code else []
        troubles += [] if lw("replay", "run").code == 0 else ["the replay differs"]
    spoken = [line["event"]["text"] for line in lines if _is(line, "spoke")]
    replies = [line["reply"] for line in lines if line.get("answer", "").startswith("talk/open")]
    thought = "\n".join(filter(None, (reply.get("thought", "") for reply in replies)))
    faults = tuple(line["event"]["rule"] for line in lines if _is(line, "violated"))
    sent = tuple(call.body for call in server.ann)
    return Outcome(
        spoken[0] if spoken else "", thought, told[0] if told else "", faults, len(sent), sent, tuple(troubles)
    )


def _is(line: Mapping[str, Any], kind: str) -> bool:
    event = line.get("event", {})
    return event.get("kind") == kind and event.get("person") == "ann"


def _journal(project: Path) -> list[dict[str, Any]]:
    file = project / "run" / "journal.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _troubles(code: int, server: Server, project: Path) -> Iterator[str]:
    if code not in (0, 3):
        yield f"exit code {code}"
    if any(SECRET in json.dumps(call.body) for call in server.others):
        yield "the secret stands in another person's prompt"
    transcript = project / "run" / "transcript.md"
    if transcript.exists() and SECRET in transcript.read_text(encoding="utf-8"):
        yield "the secret stands in the transcript"


# ---- the table -------------------------------------------------------------------------------------------------------


def table(outcomes: Mapping[Habit, Outcome]) -> str:
    """The table of the page, one part for each file of rows."""
    lines: list[str] = []
    for group in dict.fromkeys(habit.group for habit in outcomes):
        lines += [f"\n### {group}\n", "| A server | Reported | What is sent | What happens |", "|---|---|---|---|"]
        for habit, found in outcomes.items():
            if habit.group == group:
                cells = (habit.row["habit"], habit.row.get("seen", ""), _sent(found.sent), _happens(found))
                lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("<", "\\<") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _sent(bodies: Sequence[Any]) -> str:
    """How the first request was made, and what of it was otherwise in later ones."""
    told = [_request(body) for body in bodies]
    return "; then ".join(dict.fromkeys(told)) or "nothing"


def _request(body: Mapping[str, Any]) -> str:
    config = {**body, **body.get("generationConfig", {}), **body.get("options", {})}
    parts = [name for name in NOTED if config.get(name) is not None]
    parts += ["tools"] if body.get("tools") else []
    parts += ["a stream"] if body.get("stream") is True else []
    roles = [message.get("role", "") for message in body.get("messages", body.get("contents", ()))]
    return f"{', '.join(roles)}" + (f" ({', '.join(parts)})" if parts else "")


def _happens(found: Outcome) -> str:
    times = "" if found.asked == 1 else f", asked {found.asked} times"
    if found.told:
        return f"told as [{found.told}](../errors.md#{found.told.lower()}){times}; the run can be resumed"
    words = found.says.replace(SECRET, "(secret)").replace("\n", " ⏎ ")
    words = f"“{words if len(words) <= 60 else words[:60] + '…'}” is said"
    kept = ", the thought kept apart" if found.thought else ""
    faults = f", on record as {', '.join(dict.fromkeys(found.faults))}" if found.faults else ""
    return f"{words}{kept}{faults}{times}"
