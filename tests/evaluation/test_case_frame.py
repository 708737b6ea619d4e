"""One frame of a case for all who read decisions, told by the spec: names of fields and keys mean nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
from places import ROOT

from legalworld.evaluation.soundness.audit import audit_run
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.stored_run import Stored
from legalworld.files.project_files import Disk
from legalworld.law.text.case_frame import case_frame
from legalworld.model.case import Case, Record, Sided, Value
from legalworld.model.decision_frame import decision_stated
from legalworld.model.decision_parts import DecisionParts
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.immutable import replace
from legalworld.model.procedure import Field, Procedure
from legalworld.runs.case_file import open_case
from legalworld.runs.project import open_project
from legalworld.runs.read_decisions import read_answers

JUDGMENTS = {file.stem: file.read_text("utf-8") for file in (Path(__file__).parent / "judgments").glob("*.*")}
NAMES = sorted(name for name in JUDGMENTS if "." in name)
WORDS = ("名目", "数", "ref", "no", "内容", "款", "which", "甲", "sum claimed", "text", "id", "n", "amount", "claims")


@cache
def opened(spec: str) -> tuple[Procedure, Case]:
    project = open_project(spec, ROOT)
    assert not isinstance(project, Diagnostic) and project.procedure is not None
    case = open_case(project, project.procedure.example, "", {}, ROOT)
    assert not isinstance(case, tuple)
    return project.procedure, case.case


def stated(procedure: Procedure, document: str) -> DecisionParts:
    parts = decision_stated(procedure, document)
    assert parts is not None
    return parts


# ---- renamed ---------------------------------------------------------------------------------------------------------


class Renaming:
    """Other names for the fields that a decision is about, and for the keys of their records."""

    def __init__(self, procedure: Procedure, parts: DecisionParts, random: Random) -> None:
        parties = {role.each for role in procedure.roles.values() if role.each}
        touched = {*filter(None, (parts.claims, parts.accused, *parts.exhibits)), *parties}
        self.fields = {name: f"{random.choice(WORDS)} {number}" for number, name in enumerate(sorted(touched))}
        self.keys: dict[str, dict[str, str]] = {}
        for name in touched - parties - {parts.accused}:  # the name of a person is one of the language's
            keys = procedure.fields[name].keys
            self.keys[name] = dict(zip(keys, random.sample(WORDS, len(keys)), strict=True))

    def name(self, field: str) -> str:
        return self.fields.get(field, field)

    def field(self, field: Field) -> Field:
        keys = self.keys.get(field.name, {})
        types = {keys.get(key, key): kind for key, kind in field.types.items()}
        named = tuple(keys.get(key, key) for key in field.keys)
        return replace(field, name=self.name(field.name), keys=named, types=types)

    def values(self, values: Mapping[str, Value | Sided]) -> dict[str, Value | Sided]:
        return {self.name(name): self._value(value, self.keys.get(name, {})) for name, value in values.items()}

    def _value(self, value: Value | Sided, keys: Mapping[str, str]) -> Value | Sided:
        if isinstance(value, Sided):
            return Sided({side: self._value(one, keys) for side, one in value.values.items()})  # type: ignore[misc]
        if isinstance(value, tuple):
            return tuple(self._value(one, keys) for one in value)  # type: ignore[misc]
        if isinstance(value, Record) and keys:
            named = {keys[key]: value[key] for key in value if key in keys}
            return Record({key: one for key, one in named.items() if one}, tuple(keys.values()))
        return value

    def procedure(self, procedure: Procedure) -> Procedure:
        fields = {self.name(name): self.field(one) for name, one in procedure.fields.items()}
        roles = {name: replace(role, each=self.name(role.each)) for name, role in procedure.roles.items()}
        decisions = {
            name: replace(
                one,
                claims=self.name(one.claims),
                accused=self.name(one.accused),
                exhibits=tuple(map(self.name, one.exhibits)),
            )
            for name, one in procedure.decisions.items()
        }
        return replace(procedure, fields=fields, roles=roles, decisions=decisions)

    def case(self, case: Case) -> Case:
        return replace(case, fields=self.values(case.fields), sealed=self.values(case.sealed))


def results(procedure: Procedure, case: Case, document: str, text: str) -> Iterator[tuple[object, ...]]:
    stored = Stored("x", procedure, case, "", ())
    for audit in audit_run(stored, check_files(Disk(ROOT)).files, {document: text}):
        for one in audit.results:
            places = tuple((place.start, place.end) for place in one.places)
            yield one.check.id, one.part, one.held, one.missing, places


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_other_names_of_fields_and_keys_change_nothing(name: str, seed: int) -> None:
    spec, document = name.split(".")
    procedure, case = opened(spec)
    renaming = Renaming(procedure, stated(procedure, document), Random(f"{name}{seed}"))
    other, same = renaming.procedure(procedure), renaming.case(case)
    wanted = list(results(procedure, case, document, JUDGMENTS[name]))
    assert wanted and list(results(other, same, document, JUDGMENTS[name])) == wanted
    read = read_answers(procedure, case, document, JUDGMENTS[name])
    again = read_answers(other, same, document, JUDGMENTS[name])
    assert [(one.name, one.value) for one in again] == [(one.name, one.value) for one in read]


# ---- less is told ----------------------------------------------------------------------------------------------------


def untyped(procedure: Procedure, field: str) -> Procedure:
    bare = replace(procedure.fields[field], types={})
    return replace(procedure, fields={**procedure.fields, field: bare})


CLAIMING = [name for name in NAMES if stated(opened(name.split(".")[0])[0], name.split(".")[1]).claims]


@pytest.mark.parametrize("name", CLAIMING)
def test_without_types_nothing_else_is_claimed(name: str) -> None:
    spec, document = name.split(".")
    procedure, case = opened(spec)
    parts = stated(procedure, document)
    typed = case_frame(procedure, case, parts).claims
    bare = case_frame(untyped(procedure, parts.claims), case, parts).claims
    assert typed and len(bare) == len(typed)
    assert len({claim.id for claim in bare}) == len(bare)
    for one, other in zip(typed, bare, strict=True):
        assert other.amount in (None, one.amount)


@pytest.mark.parametrize("copies", [2, 3])
def test_two_claims_of_one_number_are_two(copies: int) -> None:
    procedure, case = opened("quexi")
    claims = case.fields["claims"]
    assert isinstance(claims, tuple)
    many = replace(case, fields={**case.fields, "claims": claims * copies})
    frame = case_frame(procedure, many, procedure.decisions["first_decision"])
    assert len({claim.id for claim in frame.claims}) == len(claims) * copies
