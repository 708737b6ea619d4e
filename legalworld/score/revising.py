"""A document's sections found, taken out, written anew, put in each other's place. Text in, text out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from .interventions import Change
from .stored import label_at


@dataclass(frozen=True, slots=True)
class Section:
    """`start`: where its label begins; `body`: where what stands under it begins; `end`: where the next label does."""

    label: str
    start: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class Absent:
    """The sections that a change needs and that the text does not have."""

    sections: tuple[str, ...]


def sections(text: str, labels: Sequence[str]) -> dict[str, Section]:
    """The declared sections that a text has, in the declared order: each is looked for behind the one before it."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for label in labels:
        here = _heading(text, label, at)
        if here is not None:
            found.append((label, *here))
            at = here[1]
    ends = [*(start for _, start, _ in found[1:]), len(text)]
    return {label: Section(label, start, body, end) for (label, start, body), end in zip(found, ends, strict=False)}


def _heading(text: str, label: str, at: int) -> tuple[int, int] | None:
    """A label that has a line to itself; else one that a line begins with, or that a colon follows."""
    alone = re.compile(rf"(?m)^[^\w\n]*(?:\w{{1,3}}[^\w\n])?[^\w\n]*{re.escape(label)}[^\w\n]*$")
    line = alone.search(text, at)
    if line is not None:
        return line.start(), line.end()
    near = label_at(text[at:], label)
    return None if near is None else (at + near[0], at + near[1])


def body(text: str, label: str, labels: Sequence[str]) -> str:
    """What stands in a section; "" where there is none."""
    found = sections(text, labels).get(label)
    return "" if found is None else text[found.body : found.end].strip()


def revised(text: str, change: Change, labels: Sequence[str], written: str = "") -> str | Absent:
    """The text after a change; `written` is what a section is to hold. Deleting what is not there changes nothing."""
    found = sections(text, labels)
    here = [found[name] for name in change.sections if name in found]
    if change.kind != "delete" and len(here) < len(change.sections):
        return Absent(tuple(name for name in change.sections if name not in found))
    match change.kind:
        case "delete":
            pieces = [(one.start, one.end, "") for one in here]
        case "write":
            pieces = [(one.body, one.end, _set(written)) for one in here]
        case "swap":
            first, second = here
            bodies = [text[one.body : one.end] for one in here]
            pieces = [(first.body, first.end, bodies[1]), (second.body, second.end, bodies[0])]
        case _:
            assert_never(change.kind)
    for start, end, instead in sorted(pieces, reverse=True):
        text = text[:start] + instead + text[end:]
    return tidy(text)


def tidy(text: str) -> str:
    """No more than one empty line at a place, none at the ends."""
    return re.sub(r"\n{3,}", "\n\n", text.strip()) + "\n"


def _set(written: str) -> str:
    return f"\n\n{written.strip()}\n\n"
