"""What the text of a decision is read against: the persons, claims, exhibits and accused of a case, as its spec says.

One frame for all who read decisions: forks, audits, `lw show --checks`, rubrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from ...engine.casting import cast
from ...model.case import Case, Person, Record, Sided, texts
from ...model.decision import Amount, Claim, PartOrigin, Party
from ...model.decision_frame import ClaimRecord, claim_records, exhibit_ids, field_records
from ...model.decision_parts import DecisionParts
from ...model.procedure import Procedure
from .decision_claims import claim_sum, costs_alone
from .decision_people import CaseFrame
from .lexicon import pattern
from .money import Money, sums
from .numerals import fold

SIDES: Final = ("claimant", "respondent")


def case_frame(
    procedure: Procedure, case: Case, parts: DecisionParts, persons: Iterable[Person] | None = None
) -> CaseFrame:
    """The frame of a case for one decision. `persons`: those who take part in a run of it."""
    present = tuple(cast(procedure, case) if persons is None else persons)
    people = tuple(_party(procedure, person) for person in present if person.name)
    people = (*_named_in(case, parts), *people)
    claims = tuple(map(_claim, claim_records(procedure, case, parts)))
    accused = dict(_accused(case, parts, people))
    said = (text for value in (*case.fields.values(), *case.sealed.values()) for text in texts(value))
    numbers = (found for text in said for found in pattern("decision", "document_number").findall(text))
    charges, admitted = _charges(case, parts, people), _admitted(case, parts)
    exhibits = exhibit_ids(procedure, case, parts)
    return CaseFrame(people, claims, exhibits, accused, numbers, charges=charges, admitted=admitted)


def _party(procedure: Procedure, person: Person) -> Party:
    role = procedure.roles[person.role]
    titles = (role.title,) if role.title else ()
    return Party(id=person.id, name=person.name, side=person.side if role.party else "", titles=titles)


def _named_in(case: Case, parts: DecisionParts) -> Iterator[Party]:
    """The parties whom a field of the case names, where they are no persons of the procedure: who claims, who is
    claimed against."""
    for side in SIDES:
        field, key = parts.material.get(side, ("", ""))
        record = case.fields.get(field, case.sealed.get(field)) if field else None
        name = record.get(key) if isinstance(record, Record) and key in record else record if not key else None
        if isinstance(name, str) and name:
            yield Party(id=side, name=str(name), side=side)


def _claim(record: ClaimRecord) -> Claim:
    """A claim with the sum of its typed key, else the one that its words state."""
    amount = claim_sum(record.words)
    if record.value is not None and record.unit:
        amount = Amount(value=record.value, currency=record.unit)
    return Claim(
        id=record.id,
        text=record.words,
        by=record.side,
        amount=amount,
        costs=amount is None and costs_alone(record.words),
        origin=PartOrigin(hand="field", source=record.field, detail=record.id),
    )


def _accused(case: Case, parts: DecisionParts, people: tuple[Party, ...]) -> Iterator[tuple[str, str]]:
    """Each record of the accused with the one party who is named in it; who is not known, or shares it, is left out."""
    for about, _, record in field_records(case, parts.accused):
        said = set(texts(record))
        named = [party.id for party in people if party.side and party.name in said]
        if len(named) == 1:
            yield about, named[0]


def _charges(case: Case, parts: DecisionParts, people: tuple[Party, ...]) -> Iterator[tuple[str, str]]:
    """What the case charges, with the one party who is named beside it."""
    field, key = parts.material.get("offences", ("", ""))
    for _, _, record in field_records(case, field) if key else ():
        charge = record.get(key) if isinstance(record, Record) and key in record else None
        if isinstance(charge, str):
            said = set(texts(record))
            named = [party.id for party in people if party.side and party.name in said]
            yield (named[0] if len(named) == 1 else ""), str(charge)


def _admitted(case: Case, parts: DecisionParts) -> Iterator[tuple[str, Decimal]]:
    """The sums in what each side admits."""
    field, key = parts.material.get("admits", ("", ""))
    value = case.fields.get(field, case.sealed.get(field)) if field else None
    for side, said in value.values.items() if isinstance(value, Sided) else ():
        inner = said.get(key) if isinstance(said, Record) and key in said else None
        yield from ((side, number) for number in _numbers(inner))


def _numbers(value: Any) -> Iterator[Decimal]:
    """The numbers in a value that stand under a key."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, str):
        yield from (one.amount for one in sums(fold(f"{value}")) if isinstance(one, Money))
        with suppress(InvalidOperation):
            yield Decimal(value)
