"""The rules by which a binding finds the value of each field in a source, and how far each of them reaches.

A rule is a path, a table of operators, or a table of keys with a rule each. The operators, in the order they act:

    constant            a text that the data does not say; alone in its table
    path                where the value stands
    first of, all of    the first of several rules that finds something; what all of them find
    numbered: 1-11      `path` with each number in place of `{n}`
    between             the stretch of a text between one of some words and the nearest of others
    split               a text cut at separators, or at the numbers of its own list: `{n}`, or between names: `{names}`
    common              what stands from a mark on in a piece and belongs to the pieces before it as well
    starts, further     a piece that begins otherwise, or so, belongs to the piece before
    only, unless        a piece without any, or with one, of these words is left out
    match               what stands in a text at the `{holes}` of a pattern; no regular expression
    drop sentence with  a sentence with one of these words goes as a whole
    drop                from one of these words to the end of its sentence nothing is kept
    strip               what is taken off the ends; `{n}` the number that a text begins with
    shape               what the text must look like; a pattern goes on to where it fits, another text is nothing
    named               the labels of those whom a text names, by words or by names that stand elsewhere in the record
    sum                 the sum of money of a currency that a text comes to: the only one, or the one behind "in all"
    map                 a text replaced by another, or by what is found at the place given for it; `{}` any other, and
                        in what replaces it the text itself
    each                the rules for the keys of one record, `$` being the item; `{n}` in a text is its number
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field as field_of
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.procedure import Field, Procedure
from ..model.source import Span
from . import paths
from .joins import Join
from .merges import Merge, SecondValue, merged
from .named import NameLabels
from .paths import Indices, Items, Keys, Leaf, Match, Path, Segment, Unreadable
from .pieces import NOTHING, TextRule
from .refusals import RecordNote
from .shapes import TextShape

SIDE_HOLE: Final = "{side}"
ROOT: Final = Path("$", ())
EACH_RECORD: Final = Path("$[*]", (Items(),))


@immutable
class RecordRule:
    """A record of keys, each with its rule."""

    keys: Mapping[str, Rule]
    span: Span


@immutable
class Numbered:
    """A text in which `{n}` is the number of the item."""

    text: str
    span: Span


@immutable
class ValueRule:
    """A value that is looked for. `places`: number (0: none) and path; or other rules: the first that finds something,
    with `all_of` every one."""

    places: tuple[tuple[int, Path], ...]
    others: tuple[Rule, ...]
    all_of: bool
    text: TextRule
    table: Mapping[str, tuple[str, ...] | Rule]
    each: RecordRule | None
    span: Span
    named: NameLabels | None = None

    @property
    def many(self) -> bool:
        """Whether this asks for a list, however many values a record has."""
        inner = any(isinstance(rule, ValueRule) and rule.many for rule in self.others)
        if self.text.split or self.all_of or len(self.places) > 1 or inner:
            return True
        return any(not isinstance(segment, Keys | Indices) for _, path in self.places for segment in path.segments)


Rule = ValueRule | RecordRule | Numbered
Rules = Mapping[str, Mapping[str, Rule | None]]
"""Field -> side ("" for an unsided one) -> rule, None for a value that is not taken from anywhere."""


@immutable
class Binding:
    """`records` leads to the records of a file, every other path starts at one record.

    `may_lack`: what such data often has nothing of: FIELD, FIELD.SIDE, FIELD.KEY or a path, each with all below.
    `shapes`: what the texts of a place should look like, where that is another than the table says; `begun_at`: stage
    -> this binding for a run that begins there, with what the record gives of the stages before.
    """

    name: str
    title: str
    file: str
    records: Path
    id: Path | None
    called: Path | None
    detect: tuple[Path, ...]
    missing: frozenset[str]
    fields: Rules
    span: Span
    may_lack: tuple[str, ...] = ()
    shapes: Mapping[str, TextShape] = field_of(default_factory=dict)
    begun_at: Mapping[str, Binding] = field_of(default_factory=dict)
    joins: tuple[Join, ...] = ()
    refusals: tuple[RecordNote, ...] = ()
    notes: tuple[RecordNote, ...] = ()
    merges: tuple[Merge, ...] = ()

    def whole(self, record: Match) -> tuple[Match, tuple[SecondValue, ...]]:
        """Return a record with its lists of tables put together where `merge` says so, and what it said twice."""
        return merged(record, self.merges)

    def begun(self, stages: Sequence[str], start: str) -> Binding:
        """The binding for a run that begins at a stage, "" for the first; `stages`: all of them, in order."""
        before = stages[: stages.index(start) + 1] if start in stages else ()
        return next((self.begun_at[stage] for stage in reversed(before) if stage in self.begun_at), self)

    def lacks(self, name: str) -> bool:
        """Whether nobody need be told that nothing was found for a rule of this name."""
        return any(f"{name}.".startswith(f"{one}.") for one in self.may_lack)

    def lacks_path(self, path: str) -> bool:
        """Whether nobody need be told that no record has an entry at a path."""
        return any(path == one or path.startswith((f"{one}.", f"{one}[")) for one in self.may_lack)


def declared(field: Field, side: str) -> ValueRule | None:
    """The rule of a native case: the field's own path. None where that is no path."""
    path = paths.read(field.path.replace(SIDE_HOLE, side) if side else field.path)
    if isinstance(path, Unreadable):
        return None
    if field.each and path.segments[-1:] == (Items(),):  # a list that is there but empty is told from none
        path = Path(path.text, path.segments[:-1])
    return taken(path, field.span)


def taken(path: Path, span: Span) -> ValueRule:
    return ValueRule(((0, path),), (), False, NOTHING, {}, None, span)


# ---- what is only for evaluation -------------------------------------------------------------------------------------


def reach(rule: Rule, base: Path, keys: tuple[str, ...]) -> Iterator[tuple[Path, Span]]:
    """Every path whose value a rule may take, from the record's root. `keys`: all that is kept of a record."""
    match rule:
        case Numbered():
            return
        case RecordRule():
            for inner in rule.keys.values():
                yield from reach(inner, base, ())
        case ValueRule(each=None):
            yield from _ends(rule, base, keys)
            yield from _names(rule, base)
        case ValueRule(each=RecordRule() as form):
            for path, _ in _ends(rule, base, ()):
                yield from reach(form, replace(path.then(Items()), leaf=path.leaf), ())
            yield from _names(rule, base)


def _names(rule: ValueRule, base: Path) -> Iterator[tuple[Path, Span]]:
    """The paths at which those stand whom a rule knows by their names."""
    for places in rule.named.places.values() if rule.named is not None else ():
        for path in places:
            yield Path(base.text + path.text.removeprefix("$"), (*base.segments, *path.segments)), rule.span


def _ends(rule: ValueRule, base: Path, keys: tuple[str, ...]) -> Iterator[tuple[Path, Span]]:
    works_on_text = not rule.text.idle or rule.table or rule.named is not None
    kept = (Items(), Keys(keys)) if keys and not works_on_text else ()
    for _, path in rule.places:
        whole = (*base.segments, *path.segments, *kept)
        yield Path(base.text + path.text.removeprefix("$"), whole, bool(works_on_text) or base.leaf), rule.span
    for inner in (*rule.others, *(value for value in rule.table.values() if not isinstance(value, tuple))):
        yield from reach(inner, base, keys)


def exposed(procedure: Procedure, binding: Binding) -> Iterator[Diagnostic]:
    """A problem for each rule of a value that somebody may see which reaches into what is only for evaluation.

    Pairs that the binding leaves as the procedure declares them are the checker's.
    """
    sealed: list[tuple[Path, Span, bool]] = []
    granted = [(path, binding.span, True) for path in (binding.id, binding.called) if path is not None]
    for field in procedure.case_fields.values():
        for side in procedure.sides if field.sided else ("",):
            of_field = binding.fields.get(field.name, {})
            rule = of_field[side] if side in of_field else declared(field, side)
            found = [(path, span, side in of_field) for path, span in _reach_of(rule, field)]
            (sealed if field.evaluation_only else granted).extend(found)
    seen: set[Span] = set()
    for path, span, ours in granted:
        for hidden, place, theirs in sealed:
            if (ours or theirs) and span not in seen and paths.meet(_taken_at(path), hidden.segments):
                seen.add(span)  # once for a rule: what else it overlaps has the same repair
                first, second = (span, place) if ours else (place, span)
                yield diagnose.binding_overlaps_sealed(first, path=path.text, sealed=hidden.text, also=(second,))


def _taken_at(path: Path) -> tuple[Segment, ...]:
    """The segments of a path, with its end where a text alone is taken."""
    return (*path.segments, Leaf()) if path.leaf else path.segments


def _reach_of(rule: Rule | None, field: Field) -> Iterator[tuple[Path, Span]]:
    return reach(rule, ROOT, field.keys) if rule is not None else iter(())
