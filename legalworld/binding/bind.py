"""From the data of a case file to a frozen `Case`: each declared field found and shaped; what is missing stays missing.

A native case is read by the paths that the procedure declares; a binding puts rules of its own in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final

from ..language import diagnose
from ..language.dates import LONGEST, read_day
from ..model.case import MISSING, Case, Sided, Value, texts
from ..model.diagnostics import Diagnostic
from ..model.procedure import Field, Procedure
from ..model.source import Span
from . import paths
from .casefile import MAX_RECORD, Data, clean, is_deep, is_heavy, is_native, too_deep
from .dead_ends import stopped
from .extraction import Extractor, Total, no_sums
from .idle import SEARCHED, Searched, leads, parts, searched
from .merges import said_twice
from .oddities import Oddity, oddities, outcome_of
from .outcome import NO_READER, OutcomeReader, SealedOutcome, changed
from .overrides import GIVEN, Fields, apply
from .paths import Keys, Location, Match, Path, keys_of, named_keys
from .refusals import refusals_of, told_of_record
from .rules import EACH_RECORD, SIDE_HOLE, Binding, Rule, ValueRule, declared
from .strange_entries import Strange, strange_entries
from .typed_fields import At, as_warning, typed
from .unread_values import impossible_dates, unread_values

VERSION: Final = "1"
_SHOWN: Final = 40  # characters of a text that is told
_OF_SHAPES: Final = diagnose.codes_of(diagnose.expected_record, diagnose.expected_text, diagnose.expected_single_value)


def detect(bindings: Sequence[Binding], data: object) -> tuple[Binding, ...]:
    """Those whose `detect` paths all lead to something in the first record; none for a case in our own format."""
    value = data.value if isinstance(data, Data) else data
    sought = () if is_native(data) else bindings
    return tuple(binding for binding in sought if binding.detect and knows(binding.records, binding.detect, value))


def knows(records: Path, detect: Sequence[Path], value: Any, record: int = 1) -> bool:
    """Whether every path leads to something in a record of some data, by its number from 1."""
    found = paths.records_at(records, value)
    return len(found) >= record and all(paths.find(path, found[record - 1].value) for path in detect)


def records_of(source: Data, binding: Binding | None) -> int:
    """How many records the data holds."""
    return len(paths.records_at(binding.records if binding is not None else EACH_RECORD, source.value))


def bind(
    procedure: Procedure,
    data: object,
    *,
    record: int | None,
    binding: Binding | None,
    settings: Mapping[str, str],
    total: Total = no_sums,
    outcome: OutcomeReader = NO_READER,
) -> tuple[Case | None, tuple[Diagnostic, ...]]:
    """The case that `data` (from `parse_data`, or plain) holds for this procedure; with any error there is none.

    `record`: which one of several, from 1. `settings`: FIELD, FIELD.SIDE or FIELD.SIDE.KEY -> the text in its place.
    `total` reads the sum that a text comes to, for the operator `sum`; `outcome` the punishments that a text names.
    """
    source = data if isinstance(data, Data) else Data("", data)
    records = paths.records_at(binding.records if binding is not None else EACH_RECORD, source.value)
    problems = _unusable(source, records, record, binding)
    if any(problem.severity == "error" for problem in problems):
        return None, problems
    reading = _RecordReader(procedure, source, records, record, binding, total=total)
    reading.problems += problems
    return reading.case(settings, outcome), tuple(reading.problems)


def _unusable(
    source: Data, records: list[Match], number: int | None, binding: Binding | None
) -> tuple[Diagnostic, ...]:
    """What keeps the record that was asked for from being read at all; a warning where it was not said which."""
    count, place = len(records), source.place(())
    wanted = 1 if number is None else number
    if not records:
        return (diagnose.missing_case_records(place),)
    if not 1 <= wanted <= count:
        return (diagnose.unknown_record(place, n=wanted, count=count),)
    chosen = records[wanted - 1]
    if is_deep(chosen.value):
        return (too_deep(source.place(chosen.where)),)
    if is_heavy(chosen.value):
        return (diagnose.oversized_record(source.place(chosen.where), cap=MAX_RECORD >> 20),)
    if not isinstance(chosen.value, dict) and (count > 1 or binding is not None):
        return (diagnose.record_not_an_object(source.place(chosen.where), n=source.line or wanted),)
    refused = refusals_of(binding.refusals if binding is not None else (), chosen, source.place(chosen.where))
    unsaid = (diagnose.unspecified_record(place, count=count),) if number is None and count > 1 else ()
    return (*unsaid, *refused)


class _RecordReader:
    """One record on its way to a case."""

    def __init__(
        self,
        procedure: Procedure,
        source: Data,
        records: list[Match],
        number: int | None,
        binding: Binding | None,
        *,
        total: Total,
    ) -> None:
        self.total = total
        self.procedure = procedure
        self.source = source
        self.records = records
        chosen = records[(number or 1) - 1]
        self.found, twice = binding.whole(chosen) if binding is not None else (chosen, ())
        self.binding = binding
        self.problems: list[Diagnostic] = [said_twice(source.place(one.where), one) for one in twice]
        self.named = number
        self.fields: Fields = {}
        self.strange: tuple[Strange, ...] = ()
        self.misspelt: dict[tuple[str, str], Location] = {}
        self.kept: dict[tuple[str, str], tuple[Location, ...]] = {}
        self.misshapen: set[tuple[str, str]] = set()
        self.unlisted: list[Diagnostic] = []

    def case(self, settings: Mapping[str, str], reader: OutcomeReader) -> Case | None:
        granted = self._take(False)
        sealed = self._take(True)
        if self.binding is not None:
            self.unlisted += stopped(self.binding, self.taker(), self.found, granted | sealed)
        if self._foreign():
            self.problems = [diagnose.unrecognized_case_format(self.source.place(()), procedure=self.procedure.name)]
            return None
        if self.binding is None:
            self._check_head()
            self._check_keys()
            found_something = True
        else:
            found_something = self._check_use(self.binding)
        self._check_apart(granted, sealed)
        outcome = self._hide_outcome(reader)
        self.fields, problems = apply(self.procedure, self.fields, settings)
        self.problems += problems
        self._read_types(settings)
        self._told_keys()
        if found_something:
            self._check_required()
            self._check_dates()
        if any(problem.severity == "error" for problem in self.problems):
            return None
        self.problems += self.unlisted  # of a record that fits; of another kind nothing is taken anyway
        case = self._made()
        if self.binding is not None:
            found = oddities(self.procedure, case, self.binding.shapes, outcome)
            self.problems += (self._odd(one, self.binding) for one in found)
            place = self.source.place(self.found.where)
            self.problems += told_of_record(self.binding.notes, self.found, place, self.binding.missing)
        return case

    # ---- taking ------------------------------------------------------------------------------------------------------

    def taker(self) -> Extractor:
        missing = self.binding.missing if self.binding is not None else frozenset[str]()
        return Extractor(self.source, missing, self.binding is None, self.total)

    def rule(self, field: Field, side: str) -> Rule | None:
        """The binding's rule where it has one, even an empty one; else what the procedure declares."""
        rules = self.binding.fields.get(field.name, {}) if self.binding is not None else {}
        return rules[side] if side in rules else declared(field, side)

    def sides(self, field: Field) -> tuple[str, ...]:
        return self.procedure.sides if field.sided else ("",)

    def _take(self, sealed: bool) -> set[Location]:
        """Fill in the fields of one kind; where their values were taken from."""
        taker = self.taker()
        for field in self.procedure.case_fields.values():
            if field.evaluation_only == sealed:
                values = {side: self._value(taker, field, side) for side in self.sides(field)}
                self.fields[field.name] = Sided(values) if field.sided else values[""]
        self.problems += taker.problems
        return taker.used

    def _value(self, taker: Extractor, field: Field, side: str) -> Value:
        rule = self.rule(field, side)
        if rule is not None:
            before = len(taker.problems)
            taker.fallbacks.clear()
            taker.unlisted.clear()
            value = taker.value(field, rule, self.found)
            self.kept[field.name, side] = taker.kept
            self._tell_texts(field.name, side, taker)
            if any(problem.severity == "error" for problem in taker.problems[before:]):
                self.misshapen.add((field.name, side))
            return value
        if isinstance(paths.read(field.path), paths.Unreadable):
            self.problems.append(diagnose.invalid_path(field.span, path=field.path))
        return MISSING

    def _tell_texts(self, field: str, side: str, taker: Extractor) -> None:
        """A warning where a text of the binding stands for what the data was thought to say, and where a text that says
        from where a value is read is in no table."""
        place = self.source.place(self.found.where)
        for one in taker.fallbacks:
            name = ".".join(filter(None, (field, side, one.key)))
            if self.binding is not None:
                self.problems.append(diagnose.fallback_taken(place, field=name, text=one.text, also=(one.span,)))
        name = ".".join(filter(None, (field, side)))
        for one in taker.unlisted if self.binding is not None else ():
            problem = diagnose.unlisted_text(place, field=name, text=one.text[:_SHOWN], also=(one.span,))
            self.unlisted.append(problem)

    def _made(self) -> Case:
        stem = self.source.name or PurePosixPath(self.source.file).stem or self.procedure.name
        number = self.source.line or (self.named or 1 if len(self.records) > 1 else 0)
        fallback = f"{stem}-{number}" if number else stem
        if self.binding is not None:
            name, title = self._word(self.binding.id), self._word(self.binding.called)
        else:
            name, title = (self._word(Path("", (Keys((key,)),))) for key in ("case", "title"))
        kinds = {name: field.evaluation_only for name, field in self.procedure.case_fields.items()}
        return Case(
            name or fallback,
            title or name or fallback,
            {name: value for name, value in self.fields.items() if not kinds[name]},
            {name: value for name, value in self.fields.items() if kinds[name]},
        )

    def _word(self, path: Path | None) -> str:
        """The text at a path on one line, "" where there is none."""
        taker = self.taker()
        for one in paths.find(path, self.found.value) if path is not None else ():
            value = taker.frozen(one.value)
            if isinstance(value, str):
                return " ".join(value.split())
        return ""

    def _hide_outcome(self, reader: OutcomeReader) -> SealedOutcome:
        """Leave out of what somebody may see every sentence that names a punishment of the sealed outcome."""
        kinds = {name: field.evaluation_only for name, field in self.procedure.case_fields.items()}
        sealed = {name: value for name, value in self.fields.items() if kinds[name]}
        shown = {name: value for name, value in self.fields.items() if not kinds[name]}
        outcome = outcome_of(sealed if self.binding is not None else {}, reader, shown)
        left: dict[str, str] = {}
        for name, value in self.fields.items():

            def without(text: str, name: str = name) -> str:
                kept, gone = outcome.without(text)
                if gone:
                    left.setdefault(name, gone[0])
                return kept

            if not kinds[name] and self.binding is not None:
                self.fields[name] = changed(value, without)
        place = self.source.place(self.found.where)
        self.problems += (diagnose.outcome_shown(place, field=name, text=text[:80]) for name, text in left.items())
        return outcome

    def _read_types(self, settings: Mapping[str, str]) -> None:
        """Read the values whose types are declared. What a binding finds and nobody can read stays a text."""
        lacking = frozenset(name for name, _ in self.misspelt)
        own = self.binding
        self.fields, problems = typed(self.procedure, self.fields, partial(self._place, settings), lacking)
        readers = (unread_values, impossible_dates) if own is None else (unread_values,)
        place = partial(self._place, settings)
        known = {at for _, at in problems}
        found = (one for reader in readers for one in reader(self.procedure, self.fields, place))
        problems += tuple((one, at) for one, at in found if at not in known)
        self.problems += [as_warning(one, at, own.span) if own is not None else one for one, at in problems]

    def _place(self, settings: Mapping[str, str], at: At) -> Span:
        """Where a value of a field stands in the file; what a command gave stands there."""
        words = (at.field, *filter(None, (at.side,)), *(key for key in at.path if isinstance(key, str)))
        if any(".".join(words[: end + 1]) in settings for end in range(len(words))):
            return GIVEN
        records = self.kept.get((at.field, at.side), ())
        number, path = 0, at.path
        if self.procedure.fields[at.field].each and path and isinstance(path[0], int):
            number, path = path[0], path[1:]
        where = records[number] if number < len(records) else self.found.where
        return self.source.value_place((*where, *path))

    # ---- checks ------------------------------------------------------------------------------------------------------

    def _foreign(self) -> bool:
        """Whether nothing of a case in our own format is there, and no binding was given."""
        if self.binding is not None or is_native(self.found.value):
            return False
        return not any(map(_given, self.fields.values()))

    def _check_head(self) -> None:
        version = self.found.value.get("lw") if isinstance(self.found.value, dict) else None
        if version is not None and version != VERSION:
            span = self.source.place((*self.found.where, "lw"))
            self.problems.append(diagnose.unsupported_version(span, found=clean(str(version)), known=VERSION))

    def _check_keys(self) -> None:
        """A problem for every entry that no field takes or comes by."""
        self.strange = strange_entries(self.procedure, self.source, self.found)
        meant = [one.meant for one in self.strange if one.meant]
        for field in self.procedure.case_fields.values():
            for side in self.sides(field):
                keys = (*self.found.where, *named_keys(field.path.replace(SIDE_HOLE, side)))
                if hides := [where for where in meant if where == keys[: len(where)]]:
                    self.misspelt[field.name, side] = hides[0]

    def _told_keys(self) -> None:
        """A misspelt key is an error where a required field lacks for it."""
        lacking = {
            where
            for (name, side), where in self.misspelt.items()
            if self.procedure.fields[name].required and not self._one(name, side)
        }
        told = {problem.span.line for problem in self.problems if problem.code in _OF_SHAPES}
        for one in self.strange:
            if one.problem.code in _OF_SHAPES and one.problem.span.line in told:
                continue
            wrong = one.meant in lacking if one.meant else False
            self.problems.append(replace(one.problem, severity="error") if wrong else one.problem)

    def _one(self, name: str, side: str) -> Value:
        value = self.fields[name]
        return value.values.get(side, MISSING) if isinstance(value, Sided) else value

    def _check_use(self, binding: Binding) -> bool:
        """Whether the binding found anything; a rule that finds nothing in any of the records is reported, and a path
        that leads nowhere in all of them."""
        searched = self._searched(binding)
        useless = {name: rule for name, rule in searched.idle.items() if not self.taker().results(rule, self.found)}
        count, rules = min(len(self.records), SEARCHED), len(list(parts(binding)))
        if len(useless) == rules:
            self.problems.append(diagnose.unmatched_binding_rule(binding.span, name=binding.name, count=count))
        elif len(self.records) > 1:
            told = [(name, rule.span) for name, rule in useless.items() if not binding.lacks(name)]
            lost = [one for one in searched.lost if leads(one.path, self.found) is False]
            told += [(one.name, one.span) for one in lost if one.rule not in useless]
            for name, span in told:
                problem = diagnose.unmatched_binding_rule(span, name=name, count=count, severity="warning")
                self.problems.append(problem)
        return len(useless) < rules

    def _searched(self, binding: Binding) -> Searched:
        """What finds nothing in the first records: looked for once in a file, whichever record is read."""
        known = self.source.remembered.get(id(binding))
        if known is None:
            light = [one for one in self.records[:SEARCHED] if not (is_deep(one.value) or is_heavy(one.value))]
            some = [binding.whole(one)[0] for one in light]
            known = self.source.remembered[id(binding)] = (binding, searched(binding, self.taker(), some))
        return known[1]

    def _odd(self, found: Oddity, binding: Binding) -> Diagnostic:
        """A warning that names the record and the rule."""
        field, _, side = found.field.partition(".")
        rule = binding.fields.get(field, {}).get(side)
        place, also = self.source.place(self.found.where), (rule.span if rule is not None else binding.span,)
        match found.kind:
            case "misshapen":
                return diagnose.odd_shape(
                    place, field=found.field, shape=found.shape, word=found.word, text=found.text, also=also
                )
            case "tells_end":
                return diagnose.decision_shown(place, field=found.field, text=found.text, also=also)
            case "no_name":
                return diagnose.odd_name(place, field=found.field, text=found.text, also=also)
            case "too_long":
                return diagnose.long_claim(place, field=found.field, length=found.word, text=found.text, also=also)
            case "not_his":
                return diagnose.court_words(place, field=found.field, word=found.word, text=found.text, also=also)

    def _check_apart(self, granted: set[Location], sealed: set[Location]) -> None:
        """No value that somebody may see was taken from where an evaluation-only one stands, or the other way round."""
        below = {where[:end]: where for where in sealed for end in range(len(where))}
        for where in sorted(granted, key=paths.spelled):
            above = (where[:end] for end in range(len(where) + 1) if where[:end] in sealed)
            hidden = next(above, below.get(where))
            if hidden is not None:
                self.problems.append(
                    diagnose.binding_overlaps_sealed(
                        self.source.place(where), path=paths.spelled(where), sealed=paths.spelled(hidden)
                    )
                )

    def _check_required(self) -> None:
        for field in self.procedure.case_fields.values():
            for side in self.sides(field):
                known = self.misspelt.keys() | self.misshapen
                if field.required and not self._one(field.name, side) and (field.name, side) not in known:
                    self.problems.append(self._lacking(field, side))

    def _check_dates(self) -> None:
        """What a date is taken from must be one: a full day that the calendar has."""
        told: set[tuple[str, str]] = set()
        for date in (date for date in self.procedure.dates.values() if date.field):
            kind = self.procedure.fields[date.field].types.get(date.key)
            if kind is not None and kind.kind == "date" and not kind.partial:
                continue  # it has been read
            for text in texts(self.fields[date.field], date.key):
                if text and read_day(text) is None and (date.field, date.key) not in told:
                    told.add((date.field, date.key))
                    name = f"{date.field}.{date.key}" if date.key else date.field
                    rule = self.rule(self.procedure.fields[date.field], "")
                    path = rule.places[0][1] if isinstance(rule, ValueRule) and rule.places else None
                    where = (*self.found.where, *keys_of(path), *filter(None, (date.key,)))
                    self.problems.append(
                        diagnose.invalid_case_date(
                            self.source.place(where), title=date.title, field=name, found=text[:LONGEST]
                        )
                    )

    def _lacking(self, field: Field, side: str) -> Diagnostic:
        """Said of the case file; with a binding, its rule (or the binding, where it has none) is named too."""
        rule = self.rule(field, side)
        text = field.path.replace(SIDE_HOLE, side) if side else field.path
        also: tuple[Span, ...] = ()
        if self.binding is not None:
            bound = side in self.binding.fields.get(field.name, {})
            also = (rule.span if bound and rule is not None else self.binding.span,)
            text = next((path.text for _, path in rule.places), text) if isinstance(rule, ValueRule) else text
        path = paths.read(text)
        span = self.source.place((*self.found.where, *keys_of(path if isinstance(path, Path) else None)))
        return diagnose.missing_required_field(span, title=field.title, field=field.name, path=text, also=also)


def _given(value: Value | Sided) -> bool:
    return any(value.values.values()) if isinstance(value, Sided) else bool(value)
