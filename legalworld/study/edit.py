"""A document's sections taken out, written anew, put in each other's place. Text in, text out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from ..evaluation.sections import sections
from ..model.immutable import immutable
from .interventions import SectionChange


@immutable
class Absent:
    """The sections that a change needs and that the text does not have."""

    sections: tuple[str, ...]


def revised(text: str, change: SectionChange, labels: Sequence[str], written: str = "") -> str | Absent:
    """The text after a change; `written` is what a section is to hold. Deleting what is not there changes nothing."""
    there = sections(text, labels)
    here = [there[name] for name in change.sections if name in there]
    if change.kind != "delete" and len(here) < len(change.sections):
        return Absent(tuple(name for name in change.sections if name not in there))
    match change.kind:
        case "delete":
            pieces = [(section.start, section.end, "") for section in here]
        case "write":
            pieces = [(section.body, section.end, f"\n\n{written.strip()}\n\n") for section in here]
        case "swap":
            first, second = here
            bodies = [text[section.body : section.end] for section in here]
            pieces = [(first.body, first.end, bodies[1]), (second.body, second.end, bodies[0])]
        case _:
            assert_never(change.kind)
    for start, end, instead in sorted(pieces, reverse=True):
        text = text[:start] + instead + text[end:]
    return tidy(text)


def tidy(text: str) -> str:
    """No more than one empty line at a place, none at the ends."""
    return re.sub(r"\n{3,}", "\n\n", text.strip()) + "\n"
