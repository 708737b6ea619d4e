"""Entries of a native case that no field takes or comes by: misspelt keys, notes, and texts where a table should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..language import diagnose
from ..language.spelling import nearest
from ..language.yaml_keys import GIVEN_ANSWERS
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Field, Procedure
from . import paths
from .casefile import Data
from .paths import Items, Keys, Location, Match, Segment
from .rules import declared

FEW: Final = 3  # keys without any use that are told of one by one
LISTED: Final = 6  # of more, those that are named
HEAD: Final = ("lw", "case", "title")  # what a native case says about itself
Way = tuple[Segment, ...]


@immutable
class Strange:
    """One such entry; `meant`: where it would stand if it were spelt as was probably meant, () where nobody knows."""

    problem: Diagnostic
    meant: Location = ()


def strange_entries(procedure: Procedure, source: Data, found: Match) -> tuple[Strange, ...]:
    """All of them; of many that are like no other, as a case of several procedures has them, one message."""
    ways: list[Way] = [(Keys((key,)),) for key in (*HEAD, *GIVEN_ANSWERS)]
    for field in procedure.case_fields.values():
        for side in procedure.sides if field.sided else ("",):
            rule = declared(field, side)
            places = rule.places if rule is not None else ()
            ways += [(*path.segments, *kept) for _, path in places for kept in _below(field)]
    titled = {(title, key) for field in procedure.case_fields.values() for key, title in field.titles.items()}
    strange = list(_Search(source, titled).within(found, ways))
    unlike = [one for one in strange if one.problem.nearest is None and one.problem.code == _UNUSED]
    if len(unlike) <= FEW:
        return tuple(strange)
    names = tuple(str(one.problem.values["where"]) for one in unlike)[:LISTED]
    summed = diagnose.unused_case_entries(unlike[0].problem.span, count=len(unlike), names=names)
    return (*(one for one in strange if one not in unlike), Strange(summed))


_UNUSED: Final = diagnose.code_of(diagnose.unused_case_key)


def _below(field: Field) -> Iterator[Way]:
    """The ways to all that a record of a field may hold: its keys, and below them those whose types are declared."""
    deeper = {name.partition(".")[0] for name in field.types if "." in name}
    if set(field.keys) - deeper or not field.keys:
        yield (Items(), Keys(tuple(key for key in field.keys if key not in deeper))) if field.keys else ()
    for name in field.types:
        if name.partition(".")[0] in deeper:
            yield tuple(segment for key in name.split(".") for segment in (Items(), Keys((key,))))


@immutable
class _Search:
    """`titled`: what a key of some field is called, and the key."""

    source: Data
    titled: set[tuple[str, str]]

    def within(self, found: Match, ways: Sequence[Way]) -> Iterator[Strange]:
        """What none of the ways leads by. A way that is at its end takes all that is there."""
        if any(not way for way in ways):
            return
        if not isinstance(found.value, (dict, list)):
            yield from self._text(found, ways)
            return
        for key, value in found.value.items() if isinstance(found.value, dict) else enumerate(found.value):
            where, left = (*found.where, key), [rest for way in ways for rest in paths.advance(way, key)]
            if left:
                yield from self.within(Match(where, value), left)
            elif isinstance(key, str):  # an item of what should be no list is reported for its shape
                known = {name for way in ways for name in _next(way)}
                near = next((name for name in sorted(known) if (key, name) in self.titled), None) or nearest(key, known)
                place, spelled = self.source.place(where), paths.spelled(where)
                problem = diagnose.unused_case_key(place, key=key, where=spelled, nearest=near)
                yield Strange(problem, (*found.where, near) if near is not None else ())

    def _text(self, found: Match, ways: Sequence[Way]) -> Iterator[Strange]:
        """A text in which keys are looked for: that it is an entry but for its colon, or that it is no table."""
        if (
            not isinstance(found.value, str)
            or not found.value.strip()
            or not found.where
            or any(set(way) <= {Items()} for way in ways)
        ):
            return
        known = tuple(dict.fromkeys(name for way in ways for name in _next(way)))
        place, spelled = self.source.place(found.where), paths.spelled(found.where)
        lost = self.source.lost_entry(found.where)
        yield Strange(lost or diagnose.expected_record(place, title=str(found.where[-1]), where=spelled, known=known))


def _next(way: Way) -> tuple[str, ...]:
    """The names by which a way goes on, past a list that may be there."""
    ahead = way[1:] if way[:1] == (Items(),) else way
    return ahead[0].names if ahead and isinstance(ahead[0], Keys) else ()
