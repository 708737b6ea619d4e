"""Values of a case that a command gives in place of the file's: `--set FIELD=VALUE`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..language import diagnose
from ..language.spelling import nearest
from ..model.amendments import amending
from ..model.case import MISSING, Case, Record, Sided, Value
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Field, Procedure
from ..model.source import Span
from .casefile import clean

Fields = dict[str, Value | Sided]

GIVEN: Final = Span("--set", 0, 0)
"""The place of what a command gives."""
# A list is cut at line ends; of a single line, at semicolons; where there is none, at commas.
_CUTS: Final = (re.compile(r"\n"), re.compile("[;\uff1b]"), re.compile("[,\uff0c\u3001]"))


@immutable
class _Named:
    """What the words of a setting name: a field, of one side if it has sides, and a key of its record."""

    field: Field
    side: str
    key: str


def apply(procedure: Procedure, fields: Fields, settings: Mapping[str, str]) -> tuple[Fields, tuple[Diagnostic, ...]]:
    """The fields with every setting in place, and a problem for each that names nothing or must not be given."""
    changed, problems = dict(fields), []
    for words, text in settings.items():
        named = _named(procedure, words.strip())
        if isinstance(named, Diagnostic):
            problems.append(named)
            continue
        now = changed.get(named.field.name, MISSING)
        for field in amending(procedure):  # what a command gives holds for the whole run
            if field.amends == named.field.name:
                amended = changed.get(field.name, MISSING)
                of_others = isinstance(amended, Sided) and Sided({**amended.values, named.side: MISSING})
                changed[field.name] = of_others or MISSING
        if isinstance(now, Sided):
            value = _changed(named, now.values.get(named.side, MISSING), text)
            changed[named.field.name] = Sided({**now.values, named.side: value})
        else:
            changed[named.field.name] = _changed(named, now, text)
    return changed, tuple(problems)


def profiled(procedure: Procedure, case: Case, name: str) -> Case | Diagnostic:
    """The case with everybody who has a persona as a profile of it describes; its id says so: `jiedai@hard`."""
    known = tuple(dict.fromkeys(key for one in procedure.personas.values() for key in one.profiles))
    if name not in known:
        return diagnose.unknown_profile("--profile", name=name, known=known)
    fields = dict(case.fields)
    for role in procedure.roles.values():
        levels = procedure.personas[role.persona].profiles.get(name) if role.persona else None
        value = fields.get(role.each)
        if levels is None or value is None:
            continue
        if isinstance(value, Sided):
            mine = value.values.get(role.side, MISSING)
            fields[role.each] = Sided({**value.values, role.side: _as(mine, levels)})
        else:
            fields[role.each] = _as(value, levels)
    return replace(case, id=f"{case.id}@{name}", fields=fields)


def _as(value: Value, levels: Mapping[str, str]) -> Value:
    """Persons with other levels of their persona."""
    match value:
        case tuple():
            return tuple(_as(one, levels) for one in value)
        case Record():
            return Record({**{key: value[key] for key in value}, "persona": Record(levels)}, tuple(value))
        case _:
            return value


def _named(procedure: Procedure, words: str) -> _Named | Diagnostic:
    name, *rest = words.split(".")
    field = procedure.case_fields.get(name)
    if field is None:
        known = [one.name for one in procedure.case_fields.values() if not one.evaluation_only]
        return diagnose.unknown_case_field(GIVEN, name=name, procedure=procedure.name, among=known)
    if field.evaluation_only:
        return diagnose.sealed_override(GIVEN, name=name)
    side = ""
    if field.sided:
        side = rest.pop(0) if rest else ""
        if side not in procedure.sides:
            near = nearest(side, procedure.sides) if side else None
            return diagnose.unspecified_side(GIVEN, name=side or name, field=name, known=procedure.sides, nearest=near)
    if field.keys and not field.each:
        key = ".".join(rest)
        if key not in field.keys:
            return diagnose.unknown_record_key(
                GIVEN, name=key or name, known=field.keys, nearest=nearest(key, field.keys)
            )
        return _Named(field, side, key)
    if rest or field.keys:
        return diagnose.unsettable_field(GIVEN, name=words)
    return _Named(field, side, "")


def _changed(named: _Named, now: Value, text: str) -> Value:
    """The value with the text in its place; an empty one takes away what is there."""
    text = clean(text)
    if named.key:
        values = dict(now) if isinstance(now, Record) else {}
        values[named.key] = text
        given = {key: value for key, value in values.items() if value}
        return Record(given, named.field.keys) if given else MISSING
    if not named.field.each:
        return text or MISSING
    cut = next((cut for cut in _CUTS if cut.search(text)), _CUTS[0])
    return tuple(word for part in cut.split(text) if (word := part.strip()))
