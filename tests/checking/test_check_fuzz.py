"""Whatever a spec has become by careless editing: linking and checking it never fails, and every place exists."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from test_check import shipped

from legalworld.checking.check import check
from legalworld.language.link.linker import link
from legalworld.model.source import MemorySources, Span
from legalworld.templates.template_set import TemplateSet
from legalworld.wording import diagnostics

TEXTS = shipped()
FILES = ("specs/bargain.yaml", "specs/civil.yaml", "specs/parts/civil-case.yaml", "specs/parts/civil-trial.yaml")
STRANGE = (
    "",
    ":",
    " - ",
    "|",
    "【",
    "{role}",
    "and",
    "the",
    "if ",
    "not ",
    "，",
    "own",
    "after",
    "each",
    "\t",
    "0",
    "evaluation only: yes",
)


@cache
def templates(locale: str, name: str) -> TemplateSet:
    """Templates do not change here, and are read once."""
    return TemplateSet(MemorySources(TEXTS), locale=locale, procedure=name)


@st.composite
def careless(draw: st.DrawFn) -> tuple[str, str]:
    """(path, text) of a spec file after some slips: lines lost, moved or doubled, words changed for others."""
    path = draw(st.sampled_from(FILES))
    lines = TEXTS[path].split("\n")
    words = sorted({word for line in lines for word in line.replace(",", " ").split()})
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(("lose", "double", "move", "word", "insert", "indent", "cut"))):
            case "lose" if len(lines) > 1:
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "move":
                lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(at))
            case "word":
                parts = lines[at].split(" ")
                parts[draw(st.integers(0, len(parts) - 1))] = draw(st.sampled_from(words))
                lines[at] = " ".join(parts)
            case "insert":
                place = draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:place] + draw(st.sampled_from(STRANGE)) + lines[at][place:]
            case "indent":
                lines[at] = "  " + lines[at] if draw(st.booleans()) else lines[at].removeprefix("  ")
            case _:
                lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
    return path, "\n".join(lines)


def exists(span: Span, sources: MemorySources) -> bool:
    text = sources.read(span.file)
    if text is None:
        return False
    lines = text.split("\n")
    return 1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 2


@given(edited=careless())
@settings(max_examples=80)
def test_never_fails_and_every_place_exists(edited: tuple[str, str]) -> None:
    path, text = edited
    sources = MemorySources({**TEXTS, path: text})
    linked = link(sources, path if path == "specs/bargain.yaml" else "specs/civil.yaml")
    problems = linked.problems
    if linked.procedure is not None:
        locale, name = linked.procedure.locale, linked.procedure.name
        problems = (*problems, *check(linked.procedure, templates(locale, name)))
    for problem in problems:
        assert problem.code in diagnostics.catalogue()
        for span in (problem.span, *problem.also):
            assert exists(span, sources), problem
    for locale in ("zh", "en"):
        assert bool(diagnostics.render(problems, sources.read, locale)) == bool(problems)
