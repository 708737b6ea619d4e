"""What of a binding finds nothing: rules in any of the records of a set, and paths that lead nowhere in all of them.

A rule with alternatives goes on finding something when one of its entries is renamed, so its paths are looked at one by
one: an entry that no record has, even empty, is most likely called otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field as field_of
from typing import Final

from ..model.immutable import immutable
from ..model.source import Span
from . import paths
from .casefile import Data
from .extraction import Extractor, Total
from .paths import Match, Path
from .rules import ROOT, Binding, RecordRule, Rule, reach

SEARCHED: Final = 200  # records in which a rule that found nothing is tried before it is called useless


@immutable
class RulePath:
    """A path that a rule, by its name, reads."""

    rule: str
    path: Path
    span: Span

    @property
    def name(self) -> str:
        return f"{self.rule}: {self.path.text}"


@immutable
class Searched:
    """`idle`: rules that find nothing, by their names; `lost`: paths that lead nowhere in any of the records."""

    idle: Mapping[str, Rule]
    lost: tuple[RulePath, ...]


@immutable
class IdleRules:
    """Of one record: the rules and paths that find nothing in it, by name, each with its place; and `unclear`, paths
    that would go on below what is a plain text here: they are told where another record lacks them outright."""

    nothing: Mapping[str, Span] = field_of(default_factory=dict)
    unclear: frozenset[str] = frozenset()


def parts(binding: Binding) -> Iterator[tuple[str, Rule]]:
    """Every rule of a binding that can be missed by itself, with its name: FIELD, FIELD.SIDE or FIELD.SIDE.KEY."""
    for field, sides in binding.fields.items():
        for side, rule in sides.items():
            name = f"{field}.{side}" if side else field
            if isinstance(rule, RecordRule):
                yield from ((f"{name}.{key}", inner) for key, inner in rule.keys.items())
            elif rule is not None:
                yield name, rule


def leads(path: Path, record: Match) -> bool | None:
    """Whether a record has an entry at a path, even an empty one; None where the path goes on below a plain text."""
    for end in range(len(path.segments), 0, -1):
        found = paths.find(Path(path.text, path.segments[:end]), record.value)
        if found and end < len(path.segments):
            return False if any(isinstance(one.value, (dict, list)) for one in found) else None
        if found:
            return True
    return False


def searched(binding: Binding, taker: Extractor, records: Sequence[Match]) -> Searched:
    """What finds nothing in any of the records; `taker` reads them."""
    idle, lost, absent = dict(parts(binding)), paths_of(binding), set[str]()
    for record in records:
        idle = {name: rule for name, rule in idle.items() if not taker.results(rule, record)}
        told = {one.name: leads(one.path, record) for one in lost}
        absent |= {name for name, there in told.items() if there is False}
        lost = tuple(one for one in lost if not told[one.name])
    return Searched(idle, tuple(one for one in lost if one.name in absent))


def idle_rules(binding: Binding, source: Data, record: int, total: Total) -> IdleRules:
    """What finds nothing in one record; what it may lack left out."""
    found, _ = binding.whole(paths.records_at(binding.records, source.value)[record - 1])
    taker = Extractor(source, binding.missing, False, total)
    rules = [
        (name, rule.span) for name, rule in parts(binding) if not binding.lacks(name) and not taker.results(rule, found)
    ]
    told = [(one, leads(one.path, found)) for one in paths_of(binding)]
    rules += [(one.name, one.span) for one, there in told if not there]
    return IdleRules(dict(rules), frozenset(one.name for one, there in told if there is None))


def paths_of(binding: Binding) -> tuple[RulePath, ...]:
    """Every path of the rules, once for each rule, but for those that the data may lack."""
    found: dict[str, RulePath] = {}
    for rule, inner in parts(binding):
        for path, span in reach(inner, ROOT, ()):
            if path.segments and not (binding.lacks(rule) or binding.lacks_path(path.text)):
                one = RulePath(rule, path, span)
                found.setdefault(one.name, one)
    return tuple(found.values())
