"""The sections of a document, found by the labels of its form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from ..model.immutable import immutable

MOST_LABELS: Final = 64  # of a document, among which one that was found too far down is looked for


@immutable
class Section:
    """`start`: where its label begins; `body`: where what stands under it begins; `end`: where the next label does."""

    label: str
    start: int
    body: int
    end: int


def label_at(text: str, label: str) -> tuple[int, int] | None:
    """Where a label of a section stands: at the first line that it begins; else before a colon, comma or line's end.

    In that order: a judgment that names its panel says "担任审判长，" long before the presiding judge signs it.
    """
    if label not in text:  # what most texts are told by, twenty times as fast
        return None
    word = re.escape(label)
    found = re.search(rf"(?m)^[#*\s]*{word}", text) or re.search(rf"(?m){word}(?=\s*[:\uff1a,\uff0c]|\s*$)", text)
    return None if found is None else (found.start(), found.end())


def sections(text: str, labels: Sequence[str]) -> Mapping[str, Section]:
    """The declared sections that a text has, in the declared order: each is looked for behind the one before it.

    One that could only be found behind those that should follow it is passed over: a judgment without the heading
    "诉讼请求" that ends with the line "驳回原告的诉讼请求" has its reasons and its disposition all the same.
    """
    return _found(text, tuple(labels))


@lru_cache(maxsize=64)  # several items look at the sections of one document
def _found(text: str, labels: tuple[str, ...]) -> Mapping[str, Section]:
    found = _in_order(text, labels)
    if len(found) < len(labels) <= MOST_LABELS:
        for one, _, _ in found:
            without = _in_order(text, [label for label in labels if label != one])
            found = without if len(without) > len(found) else found
    ends = [*(start for _, start, _ in found[1:]), len(text)]
    return {label: Section(label, start, body, end) for (label, start, body), end in zip(found, ends, strict=False)}


def _in_order(text: str, labels: Iterable[str]) -> list[tuple[str, int, int]]:
    """The headings of the labels, each behind the one before it; those that have none there are left out."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for label in labels:
        here = _heading(text, label, at)
        if here is not None:
            found.append((label, *here))
            at = here[1]
    return found


def _heading(text: str, label: str, at: int) -> tuple[int, int] | None:
    """A label that has a line to itself; else one that a line begins with, or that a colon follows."""
    first = text.find(label, at)
    if first < 0:
        return None
    alone = re.compile(rf"(?m)^[^\w\n]*(?:\w{{1,3}}[^\w\n])?[^\w\n]*{re.escape(label)}[^\w\n]*$")
    line = alone.search(text, max(at, text.rfind("\n", 0, first) + 1))  # no line above can match
    if line is not None:
        return line.start(), line.end()
    near = label_at(text[at:], label)
    return None if near is None else (at + near[0], at + near[1])


def body(text: str, label: str, labels: Sequence[str]) -> str:
    """What stands in a section; "" where there is none."""
    found = sections(text, labels).get(label)
    return "" if found is None else text[found.body : found.end].strip(" \t\n:\uff1a,\uff0c\u3000")
