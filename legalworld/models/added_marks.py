"""The marks of thoughts and notations of calls: those that ship, those that other packages add (`legalworld.marks`)."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ..engine.call_forms import readable_form
from ..language.plugins import Plugged, plugged
from ..model.dialect import CallForm, Dialect, ThoughtMark, known_dialect
from ..model.immutable import replace

GROUP: Final = "legalworld.marks"


@cache
def added_marks() -> Plugged[ThoughtMark | CallForm]:
    """The marks of other packages by their names."""
    return plugged(GROUP, {}, _marks)


@cache
def every_mark() -> Dialect:
    """The marks that ship with those of other packages before them."""
    added = added_marks().parts.values()
    thoughts = tuple(one for one in added if isinstance(one, ThoughtMark))
    calls = tuple(one for one in added if isinstance(one, CallForm))
    known = known_dialect()
    if not thoughts and not calls:
        return known
    return replace(known, thoughts=(*thoughts, *known.thoughts), calls=(*calls, *known.calls))


def adds_calls() -> bool:
    """Whether a package adds a notation of calls."""
    return any(isinstance(one, CallForm) for one in added_marks().parts.values())


def _marks(part: Any) -> bool:
    """Whether a part has an opening and a closing of its own, or is a call whose name and arguments can be told."""
    match part:
        case ThoughtMark():
            return bool(part.opening.strip() and part.closings and all(one.strip() for one in part.closings))
        case CallForm():
            return readable_form(part.form, part.parameter)
        case _:
            return False
