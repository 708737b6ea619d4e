"""Runs as a data set for training and for statistics: lines of JSON in a folder with a card.

    chat         each conversation of a person with his model: {"messages": [{"role", "content"}...]} (OpenAI)
    sharegpt     the same: {"conversations": [{"from": "system" | "human" | "gpt" | "tool", "value"}...]}
    preference   each speech that was drafted several times with scores: {"prompt", "chosen", "rejected"} (DPO)
    turns        each speech: where, who, to whom, what, by which model

All of it is what a person was sent, or said: sealed fields are in none of these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from ..files.project_files import write_whole
from ..model.diagnostics import Diagnostic
from ..model.events import Message, Spoke
from ..runs.open_run import OpenRun, open_run
from ..runs.show.prompts import messages_of, pairs_of
from ..runs.show.views import calls_of
from ..wording import say

Row = dict[str, Any]
_SPEAKERS: Final = {"system": "system", "user": "human", "assistant": "gpt", "tool": "tool"}


@dataclass(slots=True)
class DatasetResult:
    """What was written: form -> lines; the runs they are of, and what was wrong with those that are left out."""

    lines: dict[str, int]
    runs: int = 0
    problems: list[Diagnostic] = field(default_factory=list)


def write_dataset(runs: Iterable[Path], forms: Iterable[str], roles: frozenset[str], out: Path) -> DatasetResult:
    """Write the forms to `out`, one run after another, and a card beside them; `roles`: all where empty.

    Each file appears when it is complete. Raises OSError where it cannot be written.
    """
    chosen = tuple(dict.fromkeys(forms))
    result = DatasetResult(dict.fromkeys(chosen, 0))
    out.mkdir(parents=True, exist_ok=True)
    parts = {form: out / f".{form}.part" for form in chosen}
    made_of: dict[str, set[str]] = {"procedures": set(), "models": set(), "versions": set()}
    try:
        with ExitStack() as stack:
            files = {form: stack.enter_context(open(part, "w", encoding="utf-8")) for form, part in parts.items()}
            for path in runs:
                opened = open_run(path)
                if isinstance(opened, tuple):
                    result.problems += opened
                    continue
                result.runs += 1
                info = opened.folder.info
                made_of["procedures"].add(info.procedure)
                made_of["models"].update(info.models.values())
                made_of["versions"].add(info.version)
                for form, file in files.items():
                    result.lines[form] += _append(file, FORMS[form](opened, roles))
        for form, part in parts.items():
            part.replace(out / f"{form}.jsonl")
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    write_whole(out / "README.md", _card(result, made_of).encode("utf-8"))
    return result


def _append(file: TextIO, rows: Iterable[Row]) -> int:
    count = 0
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        count += 1
    return count


# ---- forms -----------------------------------------------------------------------------------------------------------


def _source(opened: OpenRun) -> Row:
    info = opened.folder.info
    return {"run": opened.folder.path.name, "procedure": info.procedure, "case": info.case, "seed": info.seed}


def _conversations(opened: OpenRun, roles: frozenset[str]) -> Iterator[tuple[Row, list[Message]]]:
    """Every thread that was answered, whole: what was sent in it and what came back, in order."""
    last = {call.thread: call for call in calls_of(opened) if call.id in opened.answers}
    for thread, call in last.items():
        if roles and call.role not in roles:
            continue
        reply = opened.answers[call.id]
        answer = Message(role="assistant", content=reply.text, calls=reply.calls)
        model = opened.folder.info.models.get(call.role, "")
        yield (
            _source(opened) | {"role": call.role, "thread": thread, "model": model},
            [
                *messages_of(opened, call),
                answer,
            ],
        )


def _chat(opened: OpenRun, roles: frozenset[str]) -> Iterator[Row]:
    for source, messages in _conversations(opened, roles):
        yield {"messages": [_message(one) for one in messages], "metadata": source}


def _message(one: Message) -> Row:
    called = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in one.calls
    ]
    calls = {"tool_calls": called} if called else {}
    return {"role": one.role, "content": one.content, **calls, **({"tool_call_id": one.call} if one.call else {})}


def _sharegpt(opened: OpenRun, roles: frozenset[str]) -> Iterator[Row]:
    for source, messages in _conversations(opened, roles):
        said = [{"from": _SPEAKERS[one.role], "value": one.content} for one in messages if one.content]
        yield {"conversations": said, "metadata": source}


def _preference(opened: OpenRun, roles: frozenset[str]) -> Iterator[Row]:
    spoken_by = {call.id: call.role for call in calls_of(opened)}
    for pair in pairs_of(opened):
        role = spoken_by[pair["request"]]
        if not roles or role in roles:
            better, worse = ([{"role": "assistant", "content": pair[side]["text"]}] for side in ("chosen", "rejected"))
            scores = {side: sum(pair[side]["scores"].values()) for side in ("chosen", "rejected")}
            source = _source(opened) | {"role": role, "request": pair["request"], "scores": scores}
            yield {"prompt": pair["prompt"], "chosen": better, "rejected": worse, "metadata": source}


def _turns(opened: OpenRun, roles: frozenset[str]) -> Iterator[Row]:
    spoken_by = {call.id: call.role for call in calls_of(opened)}
    replies = opened.answers
    for event in opened.events:
        role = spoken_by.get(event.request, "") if isinstance(event, Spoke) else ""
        if isinstance(event, Spoke) and (not roles or role in roles):
            reply = replies.get(event.request)
            yield _source(opened) | {
                **{"turn": event.request, "place": event.place, "act": event.act, "role": role},
                **{"speaker": event.speaker, "to": list(event.to), "text": event.text},
                "model": opened.folder.info.models.get(role, ""),
                "prompt_tokens": reply.prompt_tokens if reply else None,
                "completion_tokens": reply.completion_tokens if reply else None,
            }


FORMS: Final[Mapping[str, Callable[[OpenRun, frozenset[str]], Iterator[Row]]]] = {
    "chat": _chat,
    "sharegpt": _sharegpt,
    "preference": _preference,
    "turns": _turns,
}


# ---- the card --------------------------------------------------------------------------------------------------------


def _card(result: DatasetResult, made_of: Mapping[str, set[str]]) -> str:
    """A README as data sets on Hugging Face have it: which file is which, and of what it was made."""
    configs = "".join(f"- config_name: {form}\n  data_files: {form}.jsonl\n" for form in result.lines)
    rows = "\n".join(f"| `{form}.jsonl` | {say(f'dataset.{form}')} | {n} |" for form, n in result.lines.items())
    named = {name: ", ".join(f"`{one}`" for one in sorted(found)) or "-" for name, found in made_of.items()}
    return f"---\nconfigs:\n{configs}---\n\n" + say("dataset.card", rows=rows, runs=result.runs, **named) + "\n"
