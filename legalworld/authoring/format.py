"""A spec file laid out anew, proved to say the same; else refused, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..language import diagnose
from ..language.surfaces import canonical
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..language.yaml.reader import read
from ..language.yaml.tables import table
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .edits import Edit, Edits, Region
from .layout import laid_out
from .picture import Picture

_RULES: Final = re.compile(r"\|[-|: ]*\|")


def formatted(path: str, text: str) -> str | Diagnostic:
    """The text laid out, or why it is not: it has errors, or would say something else."""
    node, problems = read(path, text)
    wrong = next((problem for problem in problems if problem.severity == "error"), None)
    if wrong is not None or node is None:
        span = wrong.span if wrong is not None else Span(path, 1, 1)
        return diagnose.unformatted_file(span, code=wrong.code if wrong is not None else "")
    made = laid_out(text)
    if made == text:
        return text
    again, _ = read(path, made)
    if again is None or _characters(text) != _characters(made) or laid_out(made) != made:
        return diagnose.layout_changes_meaning(Span(path, 1, 1))
    said, says = tuple(_said(node)), tuple(_said(again))
    if said != says:
        at = next((i for i, (a, b) in enumerate(zip(said, says, strict=False)) if a != b), 0)
        return diagnose.layout_changes_meaning(_scalars(node)[min(at, len(_scalars(node)) - 1)].span)
    return made


def edits_of(picture: Picture, path: str) -> Edits:
    """The layout of a file of a picture, as edits."""
    text = picture.read(path)
    if text is None:
        return Edits(why=diagnose.missing_file(Span(path, 1, 1), path=path))
    made = formatted(path, text)
    if isinstance(made, Diagnostic):
        return Edits(why=made)
    if made == text:
        return Edits()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    whole = Region(path, (1, 1), (len(lines), len(lines[-1]) + 1))
    return Edits((Edit(whole, made.removeprefix("\ufeff")),))


def _characters(text: str) -> str:
    """All that is no blank; of the line below the header of a table only that it is there."""
    return "".join("".join(_RULES.sub("|-|", line).split()) for line in text.splitlines())


def _said(node: Node, key: str = "") -> Iterator[object]:
    """What a file says, without places: of each collection its kind and size, of each text its words, of a matrix its
    cells."""
    match node:
        case Scalar() if node.style == "block" and key == "visibility":
            rows, problems = table(node)
            yield tuple(tuple(cell.text for cell in row) for row in rows), len(problems)
        case Scalar():
            yield node.text, node.style
        case MapNode():
            for entry in node.entries:
                yield entry.key.text, len(node.entries)
                yield from _said(entry.value, canonical(entry.key.text))
        case ListNode():
            yield len(node.items)
            for item in node.items:
                yield from _said(item)


def _scalars(node: Node) -> list[Scalar]:
    """The texts of a file, one for each thing that it says, so that a difference has a place."""
    match node:
        case Scalar():
            return [node]
        case MapNode():
            return [one for entry in node.entries for one in (entry.key, *_scalars(entry.value))]
        case ListNode():
            return [Scalar("", node.span), *(one for item in node.items for one in _scalars(item))]
