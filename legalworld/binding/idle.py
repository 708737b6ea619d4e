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
from .paths import Keys, Match, Path
from .rules import ROOT, Binding, RecordRule, Rule, reach

SHORTEST: Final = 5  # letters of a name that can be known for another one's misspelling
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
        told = {one.name: _absent(binding, one, record) for one in lost}
        absent |= {name for name, gone in told.items() if gone}
        lost = tuple(one for one in lost if told[one.name] is not False)
    return Searched(idle, tuple(one for one in lost if one.name in absent))


def idle_rules(binding: Binding, source: Data, record: int, total: Total) -> IdleRules:
    """What finds nothing in one record; what it may lack left out."""
    found, _ = binding.whole(paths.records_at(binding.records, source.value)[record - 1])
    taker = Extractor(source, binding.missing, False, total)
    rules = [
        (name, rule.span) for name, rule in parts(binding) if not binding.lacks(name) and not taker.results(rule, found)
    ]
    told = [(one, _absent(binding, one, found)) for one in paths_of(binding)]
    rules += [(one.name, one.span) for one, absent in told if absent is not False]
    return IdleRules(dict(rules), frozenset(one.name for one, absent in told if absent is None))


def _absent(binding: Binding, one: RulePath, record: Match) -> bool | None:
    """Whether a record has no entry at a path; None where that says nothing.

    It says nothing where the path goes on below a plain text, and of a rule that may find nothing where no entry there
    is called nearly so.
    """
    there = leads(one.path, record)
    if there or there is None:
        return False if there else None
    return True if not binding.lacks(one.rule) or _nearly_there(one.path, record) else None


def _nearly_there(path: Path, record: Match) -> bool:
    """Whether the first name of a path that a record does not have is nearly one that it has at that place."""
    for end in range(1, len(path.segments) + 1):
        if paths.find(Path(path.text, path.segments[:end]), record.value):
            continue
        names, above = path.segments[end - 1], paths.find(Path(path.text, path.segments[: end - 1]), record.value)
        known = [str(key) for one in above if isinstance(one.value, dict) for key in one.value]
        return isinstance(names, Keys) and any(nearly_alike(name, one) for name in names.names for one in known)
    return False


def nearly_alike(name: str, other: str) -> bool:
    """Whether two names differ in one letter, and in no number: one of them is most likely misspelt."""
    if min(len(name), len(other)) < SHORTEST or abs(len(name) - len(other)) > 1:
        return False
    start = next((at for at, (one, two) in enumerate(zip(name, other, strict=False)) if one != two), None)
    start = min(len(name), len(other)) if start is None else start
    left, right = name[start:], other[start:]
    same_behind = {left[1:] == right[1:], left[1:] == right, left == right[1:]}
    return name != other and True in same_behind and not (left[:1] + right[:1]).isdigit()


def paths_of(binding: Binding) -> tuple[RulePath, ...]:
    """Return every path of the rules, once for each rule, but for those that are named among what may be lacking."""
    found: dict[str, RulePath] = {}
    for rule, inner in parts(binding):
        for path, span in reach(inner, ROOT, ()):
            if path.segments and not binding.lacks_path(path.text):
                one = RulePath(rule, path, span)
                found.setdefault(one.name, one)
    return tuple(found.values())
