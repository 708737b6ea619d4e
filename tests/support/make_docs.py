"""What in the documents is worked out: docs/errors.md whole, tables of words and recorded scenes in docs/language.md.

    python tests/support/make_docs.py      writes what has changed (`make bless` does the same)

`test_docs.py` compares, and holds every other example of the documents against the language.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from doc_errors import ROOT, errors
from doc_pages import FENCE, SPEC, Shelf, blocks, linked, played, scenes

from legalworld.language import schema
from legalworld.language.sentences import keywords
from legalworld.wording.diagnostics import render

__all__ = ["DOCS", "ROOT", "blocks"]

DOCS = ROOT / "docs"
LANGUAGE, ERRORS = DOCS / "language.md", DOCS / "errors.md"
BLESS = bool(os.environ.get("LW_BLESS"))

_MADE = re.compile(r"(<!-- made: (?P<what>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def language(path: Path = LANGUAGE) -> str:
    """docs/language.md with its records and tables worked out anew."""
    text = path.read_text("utf-8")
    found = blocks(path)
    shelf = Shelf.of(found)
    forms = {f"documents/{name[2]}.j2": body for name, body in shelf.named.items() if name[:2] == ("jinja", "form")}
    records = {scene.record.line: played(scene, shelf.case, forms) for scene in scenes(path)}
    for before, block in itertools.pairwise(found):
        if block.info == ("text", "said"):
            spec = shelf.framed(before)
            records[block.line] = render(linked(spec).problems, {SPEC: spec}.get, "zh")

    def anew(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start("body")) + 1
        if line not in records:
            return match[0]
        return f"{match['mark']}{match['info']}\n{records[line]}{match['mark']}"

    text = FENCE.sub(anew, text)
    return _MADE.sub(lambda match: f"{match[1]}{_table(match['what'])}{match[3]}", text)


def _table(what: str) -> str:
    match what:
        case "keys":
            return _keys()
        case "words":
            return _words()
    raise ValueError(what)


LEVELS = (
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
    ("清单的一段", schema.TasksSurface),
    ("记忆", schema.MemorySurface),
    ("记忆的一栏", schema.MemoryFieldSurface),
    ("工具", schema.ToolSurface),
    ("技能卡", schema.SkillSurface),
    ("人物画像文件", schema.PersonaSurface),
    ("人物画像的维度", schema.DimensionSurface),
)


def _keys() -> str:
    """Every key an author may write, by where it stands, with its Chinese spellings."""
    aliases: dict[str, list[str]] = {}
    for zh, en in keywords.YAML_KEYS.items():
        aliases.setdefault(schema.canonical(en), []).append(zh)
    rows = ["", "| 写在 | 英文 | 中文 |", "|---|---|---|"]
    for where, model in LEVELS:
        for key in written(model):
            zh = "、".join(f"`{word}`" for word in aliases.get(key, ()))
            rows.append(f"| {where} | `{key if key in _KEPT else key.replace('_', ' ')}` | {zh} |")
            where = ""
    return "\n".join(rows) + "\n\n"


def written(model: type[schema.Surface]) -> tuple[str, ...]:
    """The keys an author writes, in the order of the model: those of a step without the parts of its first line."""
    inside = {"span", "given", "head", "cue", "body", "arguments"}
    return tuple(field.name.rstrip("_") for field in fields(model) if field.name not in inside)


_KEPT = frozenset({"top_p", "max_tokens"})


def _words() -> str:
    """Every keyword of the sentences."""
    rows = ["", "| 英文 | 中文 |", "|---|---|"]
    for spellings in keywords.KEYWORDS.values():
        en = "、".join(f"`{word}`" for word in spellings.en)
        zh = "、".join(dict.fromkeys(f"`{word.replace(' ', '')}`" for word in spellings.zh))
        rows.append(f"| {en} | {zh} |")
    return "\n".join(rows) + "\n\n"


# ---- writing ---------------------------------------------------------------------------------------------------------

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
