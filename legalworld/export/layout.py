"""How a document looks on paper: which line has which style, and what the styles are, as `documents/layout.yaml` says.

paragraphs = styled(text, Form(title, sections, "court"), layout)       # [(style, text), ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..language import diagnose
from ..language.schema import Surface, Text, Texts, load
from ..language.sentences.keywords import truth
from ..language.yaml.nodes import Scalar
from ..language.yaml.reader import read
from ..law.text.lexicon import pattern
from ..model.diagnostics import Diagnostic
from ..model.source import Sources

HOME = "documents/layout.yaml"
TAIL = 10  # lines before the end in which signatures stand
_MARKDOWN = re.compile(r"^#{1,6}\s+|\*\*|__|^>\s+")
PLACES = ("title", "above title", "below title", "section", "tail")


@dataclass(frozen=True, kw_only=True, eq=False)
class PageSurface(Surface):
    width: Text
    height: Text
    top: Text
    bottom: Text
    left: Text
    right: Text


@dataclass(frozen=True, kw_only=True, eq=False)
class StyleSurface(Surface):
    name: Text
    font: Text
    size: Text
    align: Text | None = None
    indent: Text | None = None
    margin: Text | None = None
    before: Text | None = None
    after: Text | None = None
    line: Text | None = None
    bold: Text | None = None
    color: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class AddedSurface(Surface):
    style: Text
    text: Text


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleSurface(Surface):
    style: Text
    is_: Text | None = None
    equals: Texts = ()
    begins: Texts = ()
    ends: Texts = ()
    holds: Texts = ()
    after: Text | None = None
    whose: Text | None = None
    numbered: Text | None = None
    adds: tuple[AddedSurface, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class LayoutSurface(Surface):
    lw: Text
    layout: Text
    footer: Text | None = None
    speech: Text | None = None
    page: PageSurface
    styles: dict[str, StyleSurface]
    rules: tuple[RuleSurface, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes in points; `indent` (first line) and `margin` (right) in characters; `line` is the height of a line."""

    name: str
    font: str
    size: float
    align: str
    indent: float
    margin: float
    before: float
    after: float
    line: float
    bold: bool
    color: str


@dataclass(frozen=True, slots=True)
class StyleRule:
    """When a line has a style. What is left empty does not matter; `adds`: paragraphs that follow it."""

    style: str
    place: str
    equals: tuple[str, ...]
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    holds: tuple[str, ...]
    after: str
    whose: str
    numbered: bool
    adds: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """`page`: width, height and margins in centimetres; `speech`: the line that stands for what was said."""

    page: Mapping[str, float]
    footer: str
    speech: str
    styles: Mapping[str, Style]
    rules: tuple[StyleRule, ...]


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """What a document is: its title, the headings of its sections, and whose it is."""

    title: str
    sections: tuple[str, ...] = ()
    whose: Literal["party", "court", "minutes"] = "party"


Paragraph = tuple[str, str]
"""Style and text; a table is one paragraph of the style `table`, its rows in Markdown."""


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_layout(sources: Sources) -> Layout | tuple[Diagnostic, ...]:
    """The layout of a project, or what is wrong with it."""
    text = sources.read(HOME)
    if text is None:
        return (diagnose.missing_file(HOME, path=HOME),)
    node, problems = read(HOME, text)
    surface, more = load(LayoutSurface, node) if node is not None else (None, ())
    found = [*problems, *more]
    if surface is None:
        return tuple(found)
    layout = _LayoutReader(found).layout(surface)
    return tuple(found) if found else layout


@dataclass(slots=True)
class _LayoutReader:
    problems: list[Diagnostic] = field(default_factory=list)

    def layout(self, surface: LayoutSurface) -> Layout:
        styles = {name: self._style(found) for name, found in surface.styles.items()}
        page = surface.page
        sizes = {
            name: self._number(getattr(page, name)) for name in ("width", "height", "top", "bottom", "left", "right")
        }
        return Layout(
            sizes,
            surface.footer.text if surface.footer else "",
            surface.speech.text if surface.speech else "",
            styles,
            tuple(self._rule(rule, styles) for rule in surface.rules),
        )

    def _number(self, word: Scalar | None, default: float = 0.0) -> float:
        if word is None:
            return default
        try:
            return float(word.text)
        except ValueError:
            self.problems.append(diagnose.expected_number(word.span, found=word.text))
            return default

    def _style(self, found: StyleSurface) -> Style:
        return Style(
            found.name.text,
            found.font.text,
            self._number(found.size),
            found.align.text if found.align else "left",
            self._number(found.indent),
            self._number(found.margin),
            self._number(found.before),
            self._number(found.after),
            self._number(found.line),
            bool(truth(found.bold.text)) if found.bold else False,
            found.color.text if found.color else "",
        )

    def _known(self, word: Scalar | None, known: Sequence[str]) -> str:
        if word is None:
            return ""
        if word.text not in known:
            self.problems.append(diagnose.unknown_layout_name(word.span, name=word.text, known=tuple(known)))
        return word.text

    def _rule(self, rule: RuleSurface, styles: Mapping[str, Style]) -> StyleRule:
        names = tuple(styles)
        return StyleRule(
            self._known(rule.style, names),
            self._known(rule.is_, PLACES),
            tuple(word.text for word in rule.equals),
            tuple(word.text for word in rule.begins),
            tuple(word.text for word in rule.ends),
            tuple(word.text for word in rule.holds),
            self._known(rule.after, names),
            self._known(rule.whose, ("court", "party", "minutes")),
            bool(truth(rule.numbered.text)) if rule.numbered else False,
            tuple((self._known(one.style, names), one.text.text) for one in rule.adds),
        )


# ---- lines -----------------------------------------------------------------------------------------------------------


def styled(text: str, form: DocumentForm, layout: Layout) -> list[Paragraph]:
    """A document as paragraphs with their styles; blank lines are left out, rows of a table stay together."""
    lines = list(_lines(text))
    bare = [line.strip(" ：:") for line in lines]
    title = bare.index(form.title) if form.title in bare else -1
    found: list[Paragraph] = []
    for number, line in enumerate(lines):
        if line.startswith("|"):
            if found and found[-1][0] == "table" and lines[number - 1].startswith("|"):
                found[-1] = ("table", f"{found[-1][1]}\n{line}")
            else:
                found.append(("table", line))
            continue
        places = _places(number, len(lines), title, bare[number] in form.sections)
        rule = next((rule for rule in layout.rules if _fits(rule, line, places, form, found)), None)
        found.append((rule.style if rule is not None else "body", line))
        found += rule.adds if rule is not None else ()
    return found


def _lines(text: str) -> Iterator[str]:
    """The lines that are not blank, without marks of Markdown."""
    for line in text.splitlines():
        stripped = _MARKDOWN.sub("", line.strip()).strip()
        if stripped:
            yield stripped


def _places(number: int, count: int, title: int, section: bool) -> frozenset[str]:
    found = {"title"} if number == title else set()
    if number < title:
        found.add("above title")
    if title >= 0 and number == title + 1:
        found.add("below title")
    if section and number != title:
        found.add("section")
    if count - number <= TAIL:
        found.add("tail")
    return frozenset(found)


def _fits(rule: StyleRule, line: str, places: frozenset[str], form: DocumentForm, before: Sequence[Paragraph]) -> bool:
    return (
        (not rule.place or rule.place in places)
        and rule.whose in ("", form.whose)
        and (not rule.equals or line.strip(" ：:") in rule.equals)
        and (not rule.begins or line.startswith(rule.begins))
        and (not rule.ends or line.endswith(rule.ends))
        and (not rule.holds or any(words in line for words in rule.holds))
        and (not rule.after or (bool(before) and before[-1][0] == rule.after))
        and (not rule.numbered or bool(pattern("parts", "numbered").match(line)))
    )
