"""What the text of a decision is read against: the persons, claims, exhibits and accused of a case, as its spec says.

One frame for all who read decisions: forks, audits, `lw show --checks`, rubrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...engine.casting import cast
from ...model.case import Case, Person, texts
from ...model.decision import Amount, Claim, PartOrigin, Party
from ...model.decision_frame import ClaimRecord, claim_records, exhibit_ids, field_records
from ...model.decision_parts import DecisionParts
from ...model.procedure import Procedure
from .decision_claims import claim_sum, costs_alone
from .decision_people import CaseFrame
from .lexicon import pattern


def case_frame(
    procedure: Procedure, case: Case, parts: DecisionParts, persons: Iterable[Person] | None = None
) -> CaseFrame:
    """The frame of a case for one decision. `persons`: those who take part in a run of it."""
    present = tuple(cast(procedure, case) if persons is None else persons)
    people = tuple(_party(procedure, person) for person in present if person.name)
    claims = tuple(map(_claim, claim_records(procedure, case, parts)))
    accused = dict(_accused(case, parts, people))
    said = (text for value in (*case.fields.values(), *case.sealed.values()) for text in texts(value))
    numbers = (found for text in said for found in pattern("decision", "document_number").findall(text))
    return CaseFrame(people, claims, exhibit_ids(procedure, case, parts), accused, numbers)


def _party(procedure: Procedure, person: Person) -> Party:
    role = procedure.roles[person.role]
    titles = (role.title,) if role.title else ()
    return Party(id=person.id, name=person.name, side=person.side if role.party else "", titles=titles)


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
