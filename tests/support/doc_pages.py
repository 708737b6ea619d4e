"""Examples in the documents: fenced blocks, the specs they stand for, scenes played with written replies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from typed import lw

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.language.link.linker import Linked, link
from legalworld.model import events as e
from legalworld.model.amendments import Amended
from legalworld.model.decision_parts import PartDecided
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.schedule import Dated
from legalworld.model.source import MemorySources, Span
from legalworld.model.votes import Voted
from legalworld.runs.read_parts import part_reader
from legalworld.templates.template_set import TemplateSet
from legalworld.wording.diagnostics import message

SPEC, PARENT = "specs/spec.yaml", "specs/loan.yaml"

FENCE = re.compile(r"^(?P<mark>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=mark)[ ]*$", re.MULTILINE | re.DOTALL)
READS = re.compile("程序读自|The procedure is read from ")  # told once by every command, and not shown on the pages
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_COLON = re.compile("：|: ")  # behind who speaks


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: `info` are the words behind the fence, `line` that of its first line of text."""

    file: str
    line: int
    info: tuple[str, ...]
    body: str
    heading: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def blocks(path: Path) -> tuple[Block, ...]:
    """All fenced blocks of a Markdown file, in order."""
    text = path.read_text("utf-8")
    headings = [(found.start(), found[0]) for found in _HEADING.finditer(text)]
    made = []
    for found in FENCE.finditer(text):
        heading = next((words for at, words in reversed(headings) if at < found.start()), "")
        line = text.count("\n", 0, found.start("body")) + 1
        made.append(Block("/".join(path.parts[-2:]), line, tuple(found["info"].split()), found["body"], heading))
    return tuple(made)


# ---- specs and fragments ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shelf:
    """The named blocks that others are put into: the frame, its case, its document form."""

    named: Mapping[tuple[str, ...], str]

    @classmethod
    def of(cls, found: tuple[Block, ...]) -> Shelf:
        return cls({block.info: block.body for block in found})

    def spec(self, *name: str) -> str:
        return self.named[("yaml", "spec", *name)]

    @property
    def frame(self) -> str:
        """The declarations of the first example with one stage for the fragments to be put into."""
        return merged(self.spec("english"), self.named[("yaml", "piece", "frame")])

    @property
    def case(self) -> str:
        return self.named[("yaml", "case")]

    def framed(self, block: Block) -> str:
        """The whole spec that a block stands for: itself, or the frame with its steps or its sections in it."""
        match block.info[1]:
            case "spec" | "child":
                return block.body
            case "steps":
                return self._with_steps(block.body)
            case "piece" | "broken" if block.body.lstrip().startswith("- "):
                return self._with_steps(block.body)
            case "piece" | "broken":
                return merged(self.frame, block.body)
        raise ValueError(f"{block.place}: {' '.join(block.info)}")

    def linked(self, block: Block) -> Linked:
        """The spec that a block stands for, beside the first example, which it may extend."""
        return linked(self.framed(block), others=self.parents)

    @property
    def parents(self) -> Mapping[str, str]:
        """What children extend: the first example."""
        return {PARENT: self.spec("english")}

    def _with_steps(self, steps: str) -> str:
        frame = self.frame
        start = re.search(r"^( *)steps:\n", frame, re.MULTILINE)
        assert start is not None, "the frame has no steps"
        indented = "".join(f"{start[1]}  {line}" if line.strip() else line for line in steps.splitlines(True))
        return frame[: start.end()] + indented


def sections(text: str) -> dict[str, str]:
    """Top-level key -> its lines."""
    found: dict[str, str] = {}
    key = ""
    for line in text.splitlines(True):
        if re.match(r"[^\s#-][^:]*:(\s|$)", line):
            key = line.partition(":")[0]
        found[key] = found.get(key, "") + line
    return found


def merged(frame: str, piece: str) -> str:
    """The frame with the sections of a piece in the place of its own."""
    return "".join({**sections(frame), **sections(piece)}.values())


def linked(text: str, path: str = SPEC, others: Mapping[str, str] | None = None) -> Linked:
    return link(MemorySources({path: text, **(others or {})}), path)


def complaint(problem: Diagnostic) -> str:
    return f"{problem.span.line}:{problem.span.column} {problem.code} {message(problem, 'zh')}"


def shape(node: Any, names: Mapping[str, str]) -> Any:
    """A frozen value without its places and spellings, with every text that is a name said in the names' language."""
    match node:
        case Span():
            return ""
        case str():
            return names.get(node, node)
        case tuple() | list():
            return tuple(shape(each, names) for each in node)
        case Mapping():
            return {names.get(key, key): shape(value, names) for key, value in node.items()}
    if is_dataclass(node):
        said = (field.name for field in fields(node) if field.compare or field.type == "Span")
        return (type(node).__name__, *(shape(getattr(node, name), names) for name in said))
    return node


# ---- pages whose commands are run ------------------------------------------------------------------------------------


def told(expected: str) -> re.Pattern[str]:
    """A text in which `…` alone on a line stands for any lines, and within a line for any words."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in expected.splitlines()
    ]
    return re.compile("".join(lines))


def commands(block: Block) -> list[tuple[str, str]]:
    """`$ COMMAND` with what it is to say; a last line `[2]` is the code by which it ends, which is 0 otherwise."""
    parts = re.split(r"^\$ (.*)\n", block.body, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def differences(block: Block, folder: Path) -> Iterator[str]:
    """Run, write or compare what a block shows: ```console, ```text FILE for an excerpt, ```yaml FILE to be written."""
    if block.info == ("console",):
        for command, expected in commands(block):
            program, *words = shlex.split(command)
            assert program == "lw", block.place
            ran = lw(*words)
            code = f"[{ran.code}]\n" if ran.code else ""
            lines = (ran.err + ran.out).splitlines()
            said = "".join(line.rstrip() + "\n" for line in lines if not READS.match(line)) + code
            if not told(expected).fullmatch(said) or bool(code) != bool(
                re.search(r"^\[\d+\]$", expected, re.MULTILINE)
            ):
                yield f"{block.place}: $ {command}\n{said}"
    elif block.info[0] == "text":
        text = (folder / block.info[1]).read_text("utf-8")
        if not told(block.body).match(text):
            yield f"{block.place}: not so in {block.info[1]}"
    elif len(block.info) == 2:
        file = folder / block.info[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.body, encoding="utf-8")
    elif block.info != ("shell",):
        yield f"{block.place}: what is ```{' '.join(block.info)}?"


# ---- scenes: steps played with written replies -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scene:
    """A spec, who says what in it, and what is to be recorded (the block to be made anew)."""

    spec: str
    place: str
    replies: tuple[tuple[str, str], ...]
    record: Block
    options: Mapping[str, str]
    parents: Mapping[str, str]


def scenes(path: Path) -> Iterator[Scene]:
    """Every ```text record block, with the spec block and the ```replies block before it."""
    found = blocks(path)
    shelf = Shelf.of(found)
    spec: Block | None = None
    replies: Block | None = None
    for block in found:
        if block.info[:1] == ("yaml",) and block.info[1] in ("spec", "steps", "piece", "child"):
            spec, replies = block, None
        elif block.info[:1] == ("replies",):
            replies = block
        elif block.info == ("text", "record"):
            assert spec is not None, f"{block.place}: no spec before this record"
            given = dict(word.split("=", 1) for word in (replies.info[1:] if replies else ()))
            said = spoken(replies.body) if replies else ()
            yield Scene(shelf.framed(spec), spec.place, said, block, given, shelf.parents)


def spoken(text: str) -> tuple[tuple[str, str], ...]:
    """`审判长：是否申请回避？` as (speaker, words); an indented line goes on with the words before it."""
    said: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith(" ") and said:
            said[-1] = (said[-1][0], f"{said[-1][1]}\n{line.strip()}")
        elif line.strip():
            who, words = _COLON.split(line, maxsplit=1)
            said.append((who, words))
    return tuple(said)


def played(scene: Scene, case: str, forms: Mapping[str, str]) -> str:
    """What is recorded when a scene is played; a line each."""
    found = linked(scene.spec, others=scene.parents)
    assert found.procedure is not None, f"{scene.place}: " + "; ".join(map(complaint, found.problems))
    procedure = found.procedure
    data, problems = parse_data("cases/case.yaml", case)
    bound, more = bind(procedure, data, record=None, binding=None, settings={})
    assert bound is not None, "; ".join(map(complaint, (*problems, *more)))
    options = {name: option.default for name, option in procedure.options.items()} | scene.options
    templates = TemplateSet(MemorySources(forms))
    target = procedure.targets[0] if procedure.targets else ""
    reader = part_reader(procedure, bound)
    game = interpret(procedure, bound, Settings(target, 0, options), templates, reader=reader)
    replies = list(scene.replies)
    lines: list[str] = []
    try:
        turn = next(game)
        while True:
            lines += _lines(turn.events)
            turn = game.send(tuple(_next(replies, request, scene.record.place) for request in turn.requests))
    except StopIteration as done:
        assert not replies, f"{scene.record.place}: nobody asks for {replies}"
        return "\n".join([*lines, *_lines(done.value.events)]) + "\n"


def _next(replies: list[tuple[str, str]], request: e.Request, place: str) -> e.Reply:
    """The next written reply, which must be that of the person who is asked."""
    assert replies, f"{place}: {request.speaker} is asked ({request.act}), and no reply is written"
    who, words = replies.pop(0)
    assert who == request.speaker, f"{place}: {request.speaker} is asked, not {who}"
    return e.Reply(text=words)


def _lines(told: tuple[e.Event, ...]) -> list[str]:
    return [line for event in told if (line := _line(event))]


def _line(event: e.Event) -> str:
    """An event in one line; "" for those that only say where one is."""
    match event:
        case e.Spoke():
            to = f" → {'、'.join(event.to)}" if event.to else ""
            heard = f"（heard by {', '.join(event.heard_by)}）" if event.confined else ""
            return f"spoke     {event.speaker}{to}{heard}：{_short(event.text)}"
        case Dated():
            return f"dated     {event.name} = {event.day or '-'}" + (f"（{event.reason}）" if event.reason else "")
        case Amended(amends=amends, title=title):
            return f"amended   {amends} = {title}"
        case e.Captured():
            value = "；".join(event.value) if isinstance(event.value, tuple) else event.value
            about = f"，就 {event.about}" if event.about else ""
            if event.source == "sample":
                return f"drawn     {event.name} = {value}"
            if event.source == "record" and not event.person:
                return f"recorded  {event.name} = {value}" + (f"（{about[1:]}）" if about else "")
            return f"captured  {event.speaker}：{event.name} = {value}（{event.source}{about}）"
        case Voted():
            counts = "，".join(f"{value} {count}" for value, count in event.counts.items())
            return f"voted     {event.name} = {event.result}（{event.by}：{counts}）"
        case PartDecided():
            about = f"，就 {event.about}" if event.about else ""
            return f"decided   {event.decision}：{event.part}（{event.by}{about}）"
        case e.Drafted():
            missing = f"，缺少：{'、'.join(event.missing)}" if event.missing else ""
            return f"drafted   {event.document}（{event.speaker}，{event.source}{missing}）：{_short(event.text)}"
        case e.Called():
            how = f"（{event.refused}）" if event.refused else ""
            return f"called    {event.person}：{event.tool}{how}"
        case e.Remembered():
            return f"remembered {event.field}（{event.how}）：{_short(str(event.value))}"
        case e.Violated():
            return f"violated  {event.person}：{event.rule}" + (f"（{event.detail}）" if event.detail else "")
        case e.Reviewed():
            heard = "，听到的是这一稿" if event.heard else ""
            scores = "".join(f"，{name} {number:g}" for name, number in event.scores.items())
            draft = f"{event.speaker} 第 {event.number} 稿（{event.verdict}{scores}{heard}）"
            return f"reviewed  {draft}：{_short(event.text)}"
        case e.Objected():
            return f"objected  {event.by} → {event.speaker}：{'sustained' if event.sustained else 'overruled'}"
        case e.Raised():
            return f"raised    {event.speaker}：{event.n}，{event.value}"
        case e.Performed():
            return f"performed {event.speaker}：{event.checklist} {'、'.join(map(str, event.items))}"
        case e.Reopened():
            return f"reopened  {event.place}：第 {event.number} 次"
        case e.Interrupted():
            by = f"{event.speaker}，" if event.speaker else ""
            return f"interrupted {event.place}：{by}第 {event.number} 次"
        case e.Resumed():
            return f"resumed   {event.place}"
        case e.Closed():
            by = f"，{event.by}" if event.by else ""
            return f"closed    {event.place}：{event.reason}{by}，{event.turns} 次发言"
        case e.Withheld():
            return f"withheld  {event.phase}：{'、'.join(event.persons)}"
        case e.Attended():
            return f"attended  {event.how}：{'、'.join(event.speakers)}"
        case e.ReadOut():
            lines = "；".join(f"{who}：{words}" for who, words in event.lines)
            return f"read_out  {event.speaker} → {'、'.join(event.to)}：{event.phase}：{lines}"
        case e.Assigned():
            return f"assigned  {event.role}：{'、'.join(event.persons) or '（无人）'}"
        case e.Skipped():
            return f"skipped   {event.place}：{event.reason}"
        case e.Ended(outcome=outcome, document=document) if outcome or document:
            return f"ended     {outcome}" + (f"，{document}" if document else "")
        case e.Entered(level="phase"):
            return f"entered   {event.place}"
        case _:
            return ""


_ENGLISH = {
    **{" 次发言": " turns", "，缺少": ", missing", "，就 ": ", on ", "，听到的是这一稿": ", heard"},
    **{"：第 ": "：time ", "，第 ": "，time ", " 次": "", " 第 ": ", draft ", " 稿（": "（"},
    **{"（": " (", "）": ")", "：": ": ", "，": ", ", "、": ", ", "；": "; "},
}


def in_english(record: str) -> str:
    """The record of a scene with the words and marks of `_line` in English."""
    for chinese, english in _ENGLISH.items():
        record = record.replace(chinese, english)
    return record


def _short(text: str) -> str:
    return " ⏎ ".join(text.splitlines())
