"""How a document looks on paper: margins, styles, and which line has which, as `layout.yaml` among the forms says.

paragraphs = styled(text, Form(title, sections, "court"), layout)       # [(style, text), ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal

from ..language import diagnose
from ..language.sentences.keywords import truth
from ..language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ..language.surfaces import Surface, Text, Texts
from ..language.yaml.nodes import Scalar
from ..law.text.lexicon import pattern
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources, Span

FILE = "layout.yaml"
TAIL = 10  # lines before the end in which signatures stand
_MARKDOWN = re.compile(r"^#{1,6}\s+|\*\*|__|^>\s+")
PLACES = ("title", "above title", "below title", "section", "tail")


class PageSurface(Surface):
    width: Text
    height: Text
    top: Text
    bottom: Text
    left: Text
    right: Text


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


class AddedSurface(Surface):
    style: Text
    text: Text


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


class LayoutSurface(Surface):
    lw: Text
    layout: Text
    footer: Text | None = None
    speech: Text | None = None
    page: PageSurface | None = None
    styles: dict[str, StyleSurface] = field(default_factory=dict)
    rules: tuple[RuleSurface, ...] = ()


@immutable
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


@immutable
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


@immutable
class Layout:
    """`page`: width, height and margins in centimetres; `speech`: the line that stands for what was said."""

    page: Mapping[str, float]
    footer: str
    speech: str
    styles: Mapping[str, Style]
    rules: tuple[StyleRule, ...]


@immutable
class DocumentForm:
    """What a document is: its title, the headings of its sections, and whose it is."""

    title: str
    sections: tuple[str, ...] = ()
    whose: Literal["party", "court", "minutes"] = "party"


Paragraph = tuple[str, str]
"""Style and text; a table is one paragraph of the style `table`, its rows in Markdown."""


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_layout(sources: Sources, homes: Sequence[str]) -> Layout | tuple[Diagnostic, ...]:
    """The layout that the files at `homes` give together, from special to general, or what is wrong with them.

    A special one holds what is different: its page and footer count, its styles go before those of the same names, its
    rules before all rules of the others. At least one must be there.
    """
    found = [home for home in homes if sources.read(home) is not None] or homes[-1:]
    surfaces: list[LayoutSurface] = []
    reader = SurfaceReader()
    for home in found:
        surface, problems, _ = read_surface(LayoutSurface, sources, home, Span(home, 0, 0))
        reader.problems += problems
        surfaces += [surface] if surface is not None else []
    if reader.problems:
        return tuple(reader.problems)
    layout = _layout(surfaces, reader)
    return tuple(reader.problems) if layout is None or reader.problems else layout


def _layout(surfaces: Sequence[LayoutSurface], reader: SurfaceReader) -> Layout | None:
    page = next((surface.page for surface in surfaces if surface.page is not None), None)
    if page is None:
        reader.report(diagnose.missing_key(surfaces[-1].span, key="page"))
        return None
    sizes = ("width", "height", "top", "bottom", "left", "right")
    styles = {name: _style(style, reader) for one in reversed(surfaces) for name, style in one.styles.items()}
    return Layout(
        {name: reader.number(getattr(page, name)) for name in sizes},
        text_of(next((surface.footer for surface in surfaces if surface.footer is not None), None)),
        text_of(next((surface.speech for surface in surfaces if surface.speech is not None), None)),
        styles,
        tuple(_rule(rule, tuple(styles), reader) for surface in surfaces for rule in surface.rules),
    )


def _style(style: StyleSurface, reader: SurfaceReader) -> Style:
    return Style(
        style.name.text,
        style.font.text,
        reader.number(style.size),
        style.align.text if style.align else "left",
        reader.number(style.indent),
        reader.number(style.margin),
        reader.number(style.before),
        reader.number(style.after),
        reader.number(style.line),
        _yes(style.bold),
        text_of(style.color),
    )


def _rule(rule: RuleSurface, styles: tuple[str, ...], reader: SurfaceReader) -> StyleRule:
    def known(word: Scalar | None, names: tuple[str, ...]) -> str:
        return reader.known(word, names, diagnose.unknown_layout_name, known=names)

    return StyleRule(
        known(rule.style, styles),
        known(rule.is_, PLACES),
        texts_of(rule.equals),
        texts_of(rule.begins),
        texts_of(rule.ends),
        texts_of(rule.holds),
        known(rule.after, styles),
        known(rule.whose, ("court", "party", "minutes")),
        _yes(rule.numbered),
        tuple((known(added.style, styles), added.text.text) for added in rule.adds),
    )


def _yes(word: Scalar | None) -> bool:
    return word is not None and bool(truth(word.text))


# ---- lines -----------------------------------------------------------------------------------------------------------


def styled(text: str, form: DocumentForm, layout: Layout) -> list[Paragraph]:
    """A document as paragraphs with their styles; blank lines are left out, rows of a table stay together."""
    lines = list(_lines(text))
    bare = [line.strip(" ：:") for line in lines]
    title = bare.index(form.title) if form.title in bare else -1
    paragraphs: list[Paragraph] = []
    for number, line in enumerate(lines):
        if line.startswith("|"):
            if paragraphs and paragraphs[-1][0] == "table" and lines[number - 1].startswith("|"):
                paragraphs[-1] = ("table", f"{paragraphs[-1][1]}\n{line}")
            else:
                paragraphs.append(("table", line))
            continue
        places = _places(number, len(lines), title, bare[number] in form.sections)
        rule = next((rule for rule in layout.rules if _fits(rule, line, places, form, paragraphs)), None)
        paragraphs.append((rule.style if rule is not None else "body", line))
        paragraphs += rule.adds if rule is not None else ()
    return paragraphs


def _lines(text: str) -> Iterator[str]:
    """The lines that are not blank, without marks of Markdown."""
    for line in text.splitlines():
        stripped = _MARKDOWN.sub("", line.strip()).strip()
        if stripped:
            yield stripped


def _places(number: int, count: int, title: int, section: bool) -> frozenset[str]:
    places = {"title"} if number == title else set()
    if number < title:
        places.add("above title")
    if title >= 0 and number == title + 1:
        places.add("below title")
    if section and number != title:
        places.add("section")
    if count - number <= TAIL:
        places.add("tail")
    return frozenset(places)


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
