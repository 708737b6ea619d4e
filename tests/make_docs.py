"""What in the documents is worked out: docs/errors.md whole, tables of words and recorded scenes in docs/language.md.

    python -m tests.make_docs      writes what has changed (`make bless` does the same)

`tests/test_docs.py` compares, and holds every other example of the documents against the language.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from legalworld import events as e
from legalworld import keywords, schema
from legalworld.binding import bind, parse_data
from legalworld.diagnostics import message, repair
from legalworld.floor import Settings
from legalworld.interpreter import run
from legalworld.linker import Linked, link
from legalworld.parser import Parser
from legalworld.procedure import Procedure
from legalworld.reader import read
from legalworld.source import MemorySources, Problem, Span
from legalworld.templates import TemplateSet

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LANGUAGE, ERRORS = DOCS / "language.md", DOCS / "errors.md"
SPEC = "specs/spec.yaml"
BLESS = bool(os.environ.get("LW_BLESS"))

_FENCE = re.compile(r"^(?P<mark>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=mark)[ ]*$", re.MULTILINE | re.DOTALL)
_MADE = re.compile(r"(<!-- made: (?P<what>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)


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
    for found in _FENCE.finditer(text):
        heading = next((words for at, words in reversed(headings) if at < found.start()), "")
        line = text.count("\n", 0, found.start("body")) + 1
        made.append(Block(path.name, line, tuple(found["info"].split()), found["body"], heading))
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
            case "spec":
                return block.body
            case "steps":
                return self._with_steps(block.body)
            case "piece" | "broken" if block.body.lstrip().startswith("- "):
                return self._with_steps(block.body)
            case "piece" | "broken":
                return merged(self.frame, block.body)
        raise ValueError(f"{block.place}: {' '.join(block.info)}")

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


def complaint(problem: Problem) -> str:
    return f"{problem.span.line}:{problem.span.column} {problem.code} {message(problem, 'zh')}"


def shape(node: Any, names: Mapping[str, str]) -> Any:
    """A frozen value without its places, with every text that is a name said in the names' language."""
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
        return (type(node).__name__, *(shape(getattr(node, field.name), names) for field in fields(node)))
    return node


# ---- scenes: steps played with written replies -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scene:
    """A spec, who says what in it, and what is to be recorded (the block to be made anew)."""

    spec: str
    place: str
    replies: tuple[tuple[str, str], ...]
    record: Block
    options: Mapping[str, str]


def scenes(path: Path) -> Iterator[Scene]:
    """Every ```text record block, with the spec block and the ```replies block before it."""
    found = blocks(path)
    shelf = Shelf.of(found)
    spec: Block | None = None
    replies: Block | None = None
    for block in found:
        if block.info[:2] in (("yaml", "spec"), ("yaml", "steps"), ("yaml", "piece")):
            spec, replies = block, None
        elif block.info[:1] == ("replies",):
            replies = block
        elif block.info == ("text", "record"):
            assert spec is not None, f"{block.place}: no spec before this record"
            given = dict(word.split("=", 1) for word in (replies.info[1:] if replies else ()))
            said = spoken(replies.body) if replies else ()
            yield Scene(shelf.framed(spec), spec.place, said, block, given)


def spoken(text: str) -> tuple[tuple[str, str], ...]:
    """`审判长：是否申请回避？` as (speaker, words); an indented line goes on with the words before it."""
    said: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith(" ") and said:
            said[-1] = (said[-1][0], f"{said[-1][1]}\n{line.strip()}")
        elif line.strip():
            who, _, words = line.partition("：")
            said.append((who, words))
    return tuple(said)


def played(scene: Scene, case: str, forms: Mapping[str, str]) -> str:
    """What is recorded when a scene is played; a line each."""
    found = linked(scene.spec)
    assert found.procedure is not None, f"{scene.place}: " + "; ".join(map(complaint, found.problems))
    procedure = found.procedure
    data, problems = parse_data("cases/case.yaml", case)
    bound, more = bind(procedure, data, record=None, binding=None, settings={})
    assert bound is not None, "; ".join(map(complaint, (*problems, *more)))
    options = {name: option.default for name, option in procedure.options.items()} | scene.options
    templates = TemplateSet(MemorySources(forms))
    target = procedure.targets[0] if procedure.targets else ""
    game = run(procedure, bound, Settings(target, 0, options), templates)
    replies = list(scene.replies)
    lines: list[str] = []
    turn = next(game)
    while True:
        lines += _lines(turn.events, procedure)
        (request,) = turn.requests
        assert replies, f"{scene.record.place}: {request.speaker} is asked ({request.act}), and no reply is written"
        who, words = replies.pop(0)
        assert who == request.speaker, f"{scene.record.place}: {request.speaker} is asked, not {who}"
        try:
            turn = game.send((e.Reply(text=words),))
        except StopIteration as done:
            assert not replies, f"{scene.record.place}: nobody asks for {replies}"
            return "\n".join([*lines, *_lines(done.value.events, procedure)]) + "\n"


def _lines(told: tuple[e.Event, ...], procedure: Procedure) -> list[str]:
    return [line for event in told if (line := _line(event, procedure))]


def _line(event: e.Event, procedure: Procedure) -> str:
    """An event in one line; "" for those that only say where one is."""
    match event:
        case e.Spoke():
            to = f" → {'、'.join(event.to)}" if event.to else ""
            words = _short(event.text)
            return f"spoke     {event.speaker}{to}：{words}"
        case e.Captured():
            value = "；".join(event.value) if isinstance(event.value, tuple) else event.value
            about = f"，就 {event.about}" if event.about else ""
            return f"captured  {event.speaker}：{event.name} = {value}（{event.source}{about}）"
        case e.Drafted():
            missing = f"，缺少：{'、'.join(event.missing)}" if event.missing else ""
            return f"drafted   {event.document}（{event.speaker}，{event.source}{missing}）：{_short(event.text)}"
        case e.Violated():
            return f"violated  {event.person}：{event.rule}" + (f"（{event.detail}）" if event.detail else "")
        case e.Closed():
            by = f"，{event.by}" if event.by else ""
            return f"closed    {event.place}：{event.reason}{by}，{event.turns} 次发言"
        case e.Withheld():
            return f"withheld  {event.phase}：{'、'.join(event.persons)}"
        case e.Assigned():
            return f"assigned  {event.role}：{'、'.join(event.persons) or '（无人）'}"
        case e.Skipped():
            return f"skipped   {event.place}：{event.reason}"
        case e.Ended():
            document = f"，{event.document}" if event.document else ""
            return f"ended     {event.outcome or '（没有写结果）'}{document}"
        case e.Entered(level="phase"):
            return f"entered   {event.place}"
        case _:
            return ""


def _short(text: str) -> str:
    return " ⏎ ".join(text.splitlines())


# ---- what is worked out in docs/language.md --------------------------------------------------------------------------


def language(path: Path = LANGUAGE) -> str:
    """docs/language.md with its records and tables worked out anew."""
    text = path.read_text("utf-8")
    found = blocks(path)
    shelf = Shelf.of(found)
    forms = {f"documents/{name[2]}.j2": body for name, body in shelf.named.items() if name[:2] == ("jinja", "form")}
    records = {scene.record.line: played(scene, shelf.case, forms) for scene in scenes(path)}

    def anew(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start("body")) + 1
        if line not in records:
            return match[0]
        return f"{match['mark']}{match['info']}\n{records[line]}{match['mark']}"

    text = _FENCE.sub(anew, text)
    return _MADE.sub(lambda match: f"{match[1]}{_table(match['what'])}{match[3]}", text)


def _table(what: str) -> str:
    match what:
        case "keys":
            return _keys()
        case "words":
            return _words()
    raise ValueError(what)


_LEVELS = (
    ("程序文件", schema.SpecSurface),
    ("案件字段", schema.CaseField),
    ("角色", schema.RoleSurface),
    ("选项", schema.OptionSurface),
    ("文书", schema.DocumentSurface),
    ("言行规则", schema.ConductSurface),
    ("模型", schema.ModelSurface),
    ("阶段", schema.StageSurface),
    ("环节", schema.PhaseSurface),
    ("部件", schema.PartSurface),
    ("步骤", schema.StepSurface),
    ("人物画像文件", schema.PersonaSurface),
    ("人物画像的维度", schema.DimensionSurface),
)


def _keys() -> str:
    """Every key an author may write, by where it stands, with its Chinese spellings."""
    aliases: dict[str, list[str]] = {}
    for zh, en in keywords.YAML_KEYS.items():
        aliases.setdefault(schema.canonical(en), []).append(zh)
    rows = ["", "| 写在 | 英文 | 中文 |", "|---|---|---|"]
    for where, model in _LEVELS:
        order = [field.alias or name for name, field in model.model_fields.items()]
        known = schema.attributes(model) - schema._STEP_WORDS if model is schema.StepSurface else schema.attributes(model)
        for key in [name for name in order if name in known]:
            zh = "、".join(f"`{word}`" for word in aliases.get(key, ()))
            rows.append(f"| {where} | `{key if key in _KEPT else key.replace('_', ' ')}` | {zh} |")
            where = ""
    return "\n".join(rows) + "\n\n"


_KEPT = frozenset({"top_p", "max_tokens"})


def _words() -> str:
    """Every keyword of the sentences."""
    rows = ["", "| 英文 | 中文 |", "|---|---|"]
    for spellings in keywords.KEYWORDS.values():
        en = "、".join(f"`{word}`" for word in spellings.en)
        zh = "、".join(f"`{word.replace(' ', '')}`" for word in spellings.zh)
        rows.append(f"| {en} | {zh} |")
    return "\n".join(rows) + "\n\n"


# ---- docs/errors.md --------------------------------------------------------------------------------------------------


@cache
def _messages() -> tuple[tuple[str, Mapping[str, Mapping[str, str]]], ...]:
    """(heading of the file, code -> its entry) for every file of messages, in the order of their first codes."""
    found = []
    for file in sorted((ROOT / "legalworld" / "messages").glob("*.toml")):
        text = file.read_text("utf-8")
        codes = {code: entry for code, entry in tomllib.loads(text).items() if re.fullmatch(r"LW\d{3}", code)}
        if codes:
            found.append((file.stem, codes))
    return tuple(sorted(found, key=lambda each: min(each[1])))


_PARTS = {
    "reader": ("读文件（YAML）", "Reading a file (YAML)"),
    "language": ("一句话的写法", "Sentences"),
    "link": ("整个程序：名称、各项、步骤", "The whole procedure: names, keys, steps"),
    "linker": ("整个程序：名称、各项、步骤", "The whole procedure: names, keys, steps"),
    "checker": ("运行前的核对", "What is checked before a run"),
    "templates": ("提示词和文书样式", "Prompt and document templates"),
    "case": ("案件文件和对照", "Case files and bindings"),
    "run": ("文件和运行文件夹", "Files and run folders"),
    "models": ("调用模型", "Calling models"),
    "command": ("命令", "Commands"),
}

_INTRO = """\
# 错误代码 · Error codes

本页由 `python -m tests.make_docs` 从 `legalworld/messages/*.toml` 生成，不要手改。
This page is generated by `python -m tests.make_docs` from `legalworld/messages/*.toml`; do not edit it.

每条提示都有：位置（文件:行:列）、代码、一句话、原文和插入符、改法。代码不会改变含义。
〔〕里是运行时填入的内容。标有“警告”的不妨碍运行。
Every message has its place (file:line:column), its code, a sentence, the source line with a caret, and the repair.
What stands in 〔〕 is filled in.

"""


def errors() -> str:
    """docs/errors.md."""
    parts = [_INTRO]
    for name, codes in _messages():
        zh, en = _PARTS.get(name, (name, name))
        parts.append(f"## {zh} · {en}\n")
        parts += [_entry(code, codes[code]) for code in sorted(codes)]
    return "\n".join(parts).rstrip() + "\n"


def _entry(code: str, entry: Mapping[str, str]) -> str:
    """One code: what it says in both languages, the repair, the example with what is said about it."""
    lines = [f"### {code}\n", f"{_holes(entry['zh'])}。".replace("。。", "。")]
    if entry.get("help_zh"):
        lines.append(f"**改法**　{_holes(entry['help_zh'])}")
    lines.append("")
    lines.append(f"{_holes(entry['en'])[:1].upper()}{_holes(entry['en'])[1:]}.".replace("..", "."))
    if entry.get("help_en"):
        lines.append(f"**Repair**  {_holes(entry['help_en'])}")
    lines.append("")
    if entry.get("example"):
        lines += _example(code, entry["example"])
    return "\n".join(lines)


def _holes(text: str) -> str:
    """A sentence with its holes shown as such, safe in Markdown."""
    text = re.sub(r"\{\{|\}\}|\{(\w+)\}", lambda hole: f"〔{hole[1]}〕" if hole[1] else hole[0][0], text)
    return re.sub(r"([*_<>#|])", r"\\\1", text)


def _example(code: str, example: str) -> list[str]:
    fence = "````" if "```" in example else "```"
    shown = "".join(c if c.isprintable() or c in "\n\u3000" else f"\\x{ord(c):02x}" for c in example.rstrip("\n"))
    said = _said(code, example)
    lines = ["例 · Example", f"{fence}text", shown, fence]
    if said is not None:
        lines += [f"> {_quoted(message(said, 'zh'))}  ", f"> {_quoted(message(said, 'en'))}"]
    return [*lines, ""]


def _quoted(text: str) -> str:
    return re.sub(r"([*_<>#|])", r"\\\1", text)


def _said(code: str, example: str) -> Problem | None:
    """The problem that the example really gives, where reading it as YAML or as a sentence gives it."""
    _, problems = read("example.yaml", example)
    found = next((problem for problem in problems if problem.code == code), None)
    if found is not None:
        return found
    parser = Parser(_EXAMPLE_NAMES)
    for start in ("head", "condition", "answer", "cell", "row_label", "assignees", "limit", "check", "token"):
        _, problems = getattr(parser, start)(example.rstrip("\n"), Span("example.yaml", 1, 1))
        found = next((problem for problem in problems if problem.code == code), None)
        if found is not None:
            return found
    return None


_EXAMPLE_NAMES = ("审判长", "原告", "被告", "代理律师", "上诉人", "同意", "已缴费", "撤回", "证据", "judge", "plaintiff")

FILES = ((LANGUAGE, language), (ERRORS, errors))


def outdated() -> Iterator[tuple[Path, str]]:
    """The files that are not as they should be, with the text they should have."""
    for path, make in FILES:
        text = make()
        if not path.exists() or path.read_text("utf-8") != text:
            yield path, text


def main() -> None:
    for path, text in outdated():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
