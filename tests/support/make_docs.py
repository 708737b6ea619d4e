"""What in the documents is worked out: docs/errors.md, the table of modules in ARCHITECTURE.md, tables of words and
recorded scenes in the language pages.

    python tests/support/make_docs.py      writes what has changed (`make bless` does the same)

`test_docs.py` compares, and holds every other example of the documents against the language.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path

from doc_errors import errors
from doc_pages import FENCE, SPEC, Shelf, blocks, in_english, linked, played, scenes
from places import ROOMS, ROOT

from legalworld.language import schema, surfaces, yaml_keys
from legalworld.language.sentences import keywords
from legalworld.language.sentences.references import CHOSEN
from legalworld.wording import Locale
from legalworld.wording.diagnostics import render

__all__ = ["DOCS", "ROOT", "blocks"]

DOCS = ROOT / "docs"
LANGUAGE, ENGLISH, ERRORS = DOCS / "language.md", DOCS / "en" / "language.md", DOCS / "errors.md"
PLAYS = (DOCS / "plays.md", DOCS / "en" / "plays.md")
ARCHITECTURE = ROOT / "ARCHITECTURE.md"

_MADE = re.compile(r"(<!-- made: (?P<what>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def language(path: Path = LANGUAGE) -> str:
    """A language page with its records and tables worked out anew."""
    locale: Locale = "en" if path.parent.name == "en" else "zh"
    text = path.read_text("utf-8")
    found = blocks(path)
    shelf = Shelf.of(found)
    forms = {f"documents/{name[2]}.j2": body for name, body in shelf.named.items() if name[:2] == ("jinja", "form")}
    records = {scene.record.line: played(scene, shelf.case, forms) for scene in scenes(path)}
    if locale == "en":
        records = {line: in_english(record) for line, record in records.items()}
    for before, block in itertools.pairwise(found):
        if block.info == ("text", "said"):
            spec = shelf.framed(before)
            records[block.line] = render(linked(spec).problems, {SPEC: spec}.get, locale)

    def anew(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start("body")) + 1
        if line not in records:
            return match[0]
        return f"{match['mark']}{match['info']}\n{records[line]}{match['mark']}"

    text = FENCE.sub(anew, text)
    return _MADE.sub(lambda match: f"{match[1]}{_table(match['what'], locale)}{match[3]}", text)


def _table(what: str, locale: Locale) -> str:
    made = {"keys": _keys, "words": _words}[what](locale)
    return made if locale == "zh" else made.replace("、", ", ")


LEVELS = (
    ("程序文件", "spec", schema.SpecSurface),
    ("案件字段", "field of the case", schema.CaseField),
    ("值的类型", "type of a value", schema.TypeSurface),
    ("角色", "role", schema.RoleSurface),
    ("选项", "option", schema.OptionSurface),
    ("文书", "document", schema.DocumentSurface),
    ("裁判", "decision", schema.DecisionSurface),
    ("日期", "date", schema.DateSurface),
    ("回答的标题", "title of an answer", schema.AnswerSurface),
    ("言行规则", "rule of conduct", schema.ConductSurface),
    ("模型", "model", schema.ModelSurface),
    ("阶段", "stage", schema.StageSurface),
    ("环节", "phase", schema.PhaseSurface),
    ("部件", "part", schema.PartSurface),
    ("步骤", "step", schema.StepSurface),
    ("事件", "event", schema.EventSurface),
    ("清单的一段", "part of a checklist", schema.TasksSurface),
    ("记忆", "memory", schema.MemorySurface),
    ("记忆的一栏", "field of a memory", schema.MemoryFieldSurface),
    ("工具", "tool", schema.ToolSurface),
    ("技能卡", "skill card", schema.SkillSurface),
    ("技能卡的来历", "where a card comes from", schema.GrownSurface),
    ("人物画像文件", "persona file", schema.PersonaSurface),
    ("人物画像的维度", "dimension of a persona", schema.DimensionSurface),
)


def _keys(locale: Locale) -> str:
    """Every key an author may write, by where it stands, with its Chinese spellings."""
    aliases: dict[str, list[str]] = {}
    for zh, en in yaml_keys.YAML_KEYS.items():
        aliases.setdefault(surfaces.canonical(en), []).append(zh)
    rows = ["", "| 写在 | 英文 | 中文 |" if locale == "zh" else "| In | English | Chinese |", "|---|---|---|"]
    for zh, en, model in LEVELS:
        where = zh if locale == "zh" else en
        for key in written(model):
            words = "、".join(f"`{word}`" for word in aliases.get(key, ()))
            rows.append(f"| {where} | `{key if key in _KEPT else key.replace('_', ' ')}` | {words} |")
            where = ""
    return "\n".join(rows) + "\n\n"


def written(model: type[surfaces.Surface]) -> tuple[str, ...]:
    """The keys an author writes, in the order of the model: those of a step without the parts of its first line."""
    inside = {"span", "given", "head", "body", "arguments", *(["cue"] if model is schema.StepSurface else [])}
    return tuple(field.name.rstrip("_") for field in fields(model) if field.name not in inside)


_KEPT = frozenset({"top_p"})


def _words(locale: Locale) -> str:
    """Every keyword of the sentences."""
    rows = ["", "| 英文 | 中文 |" if locale == "zh" else "| English | Chinese |", "|---|---|"]
    for spellings in keywords.KEYWORDS.values():
        en = "、".join(f"`{word}`" for word in spellings.en)
        zh = "、".join(dict.fromkeys(f"`{word.replace(' ', '')}`" for word in spellings.zh))
        rows.append(f"| {en} | {zh} |")
    kin = dict.fromkeys(sorted(keywords.FELLOWS), "fellows") | dict(keywords.FACTIONS) | dict(CHOSEN)
    for meaning in dict.fromkeys(kin.values()):  # relations, which stand before `of`: of others of a role, of a vote
        words = [word for word, meant in kin.items() if meant == meaning]
        en = "、".join(f"`{word} of`" for word in words if word.isascii())
        rows.append(f"| {en} | {'、'.join(f'`{word}`' for word in words if not word.isascii())} |")
    return "\n".join(rows) + "\n\n"


# ---- ARCHITECTURE.md -------------------------------------------------------------------------------------------------


def architecture() -> str:
    """ARCHITECTURE.md with its table of modules worked out anew."""
    return _MADE.sub(lambda match: f"{match[1]}{_modules()}{match[3]}", ARCHITECTURE.read_text("utf-8"))


def _modules() -> str:
    """Every module with the first line of its docstring, room by room from the top down."""
    rows = ["", "| Module | |", "|---|---|"]
    for room in ROOMS:
        folder = ROOT / "legalworld" / room
        rows.append(f"| **`{room}/`** | {_first_line(folder / '__init__.py')} |")
        for file in sorted(folder.rglob("*.py"), key=lambda file: (file.parent, file.stem != "__init__", file)):
            if file.parent != folder or file.stem != "__init__":
                name = file.relative_to(folder).as_posix().removesuffix(".py").removesuffix("__init__")
                rows.append(f"| `{name}` | {_first_line(file)} |")
    return "\n".join(rows) + "\n\n"


def _first_line(file: Path) -> str:
    """Of the docstring that every module begins with; what stands below it is not parsed."""
    before, docstring, *_ = file.read_text("utf-8").split(_MARKS)
    docstring = ast.get_docstring(ast.parse(f"{before}{_MARKS}{docstring}{_MARKS}")) or ""
    return docstring.partition("\n")[0].replace("|", "\\|")


_MARKS = '"""'


# ---- writing ---------------------------------------------------------------------------------------------------------

FILES = (
    *((page, partial(language, page)) for page in (LANGUAGE, ENGLISH, *PLAYS)),
    (ERRORS, errors),
    (ARCHITECTURE, architecture),
)


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
