"""Decisions audited: those of a stored run, or of a judgment, held against the checks that serve them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from ...language import diagnose
from ...law.text.decision_claims import claim_amount, costs_alone
from ...law.text.decision_people import CaseFrame
from ...law.text.decisions import is_english
from ...model.case import Person, Record, Sided, Value
from ...model.decision import Amount, Claim, Decision, PartOrigin, Party
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.procedure import Role
from ...model.source import Span
from ..stored_run import Stored
from .audited import Audited
from .definition import CheckFile, CheckResult, Reading
from .hold import hold
from .view import view


@immutable
class DocumentAudit:
    """What came of the checks of one document. `name`: the document, or the file. `text`: what was read."""

    name: str
    title: str
    text: str
    decision: Decision
    results: tuple[CheckResult, ...]

    @property
    def alarms(self) -> tuple[CheckResult, ...]:
        return tuple(one for one in self.results if one.held is False)

    @property
    def not_held(self) -> tuple[CheckResult, ...]:
        return tuple(one for one in self.results if one.held is None)

    @property
    def passed(self) -> int:
        return sum(1 for one in self.results if one.held)


def audit_run(
    stored: Stored, files: Sequence[CheckFile], texts: Mapping[str, str] | None = None
) -> Iterator[DocumentAudit]:
    """The decisions of a run, each held against the checks that list its document; `texts`: its documents, if known."""
    if texts is None:
        texts = {event.document: piece.text for event, piece in stored.documents}
    read: dict[str, Decision] = {}
    for file in files:
        if file.locale != stored.procedure.locale:
            continue
        for reading in file.reads:
            here = [document for document in reading.documents if document in texts]
            frame = run_frame(stored, reading, file.currency) if here else CaseFrame()
            for document in here:
                below = read.get(reading.below)
                text = texts[document]
                audited = Audited(
                    text, frame, document=document, instance=reading.instance, below=below, offences=file.offences
                )
                read[document] = audited.decision
                title = stored.procedure.documents[document].title
                yield _held(audited, file, document, title)


def audit_text(
    text: str, name: str, files: Sequence[CheckFile], frame: CaseFrame | None = None
) -> DocumentAudit | Diagnostic:
    """A judgment that comes from elsewhere, against the checks of the language it is written in."""
    locale = locale_of(text)
    file = next((one for one in files if one.locale == locale), None)
    if file is None:
        return diagnose.no_checks_for(Span(name, 0, 0), name=name)
    return _held(Audited(text, frame, document=name, offences=file.offences), file, name, name)


def locale_of(text: str) -> str:
    """The language of a text, by its signs."""
    return "en" if is_english(text) else "zh"


def _held(audited: Audited, file: CheckFile, name: str, title: str) -> DocumentAudit:
    decision = view(audited)
    results = tuple(result for check in file.checks for result in hold(check, decision))
    return DocumentAudit(name, title, audited.text, audited.decision, results)


# ---- the case --------------------------------------------------------------------------------------------------------


def run_frame(stored: Stored, reading: Reading, currency: str) -> CaseFrame:
    """Who takes part in a case, what is claimed, and how its exhibits are called, as a run has them."""
    roles = stored.procedure.roles
    people = tuple(
        Party(
            id=person.id,
            name=person.name,
            side=person.side if _is_party(person, roles[person.role]) else "",
            titles=(roles[person.role].title,) if roles[person.role].title else (),
        )
        for person in stored.persons.values()
        if person.name
    )
    fields = {**stored.case.fields, **stored.case.sealed}
    claims = tuple(_claims(fields, reading.claims, currency))
    return CaseFrame(people, claims, tuple(_ids(fields, reading.exhibits)))


def _is_party(person: Person, role: Role) -> bool:
    return bool(person.side or role.party) and not person.represents and not role.represents


def _records(fields: Mapping[str, Value | Sided], names: Sequence[str]) -> Iterator[Record]:
    for name in names:
        value = fields.get(name)
        groups = value.values.values() if isinstance(value, Sided) else (value,)
        for group in groups:
            if isinstance(group, tuple):
                yield from (one for one in group if isinstance(one, Record))


def _ids(fields: Mapping[str, Value | Sided], names: Sequence[str]) -> Iterator[str]:
    for record in _records(fields, names):
        if record.get("id"):
            yield str(record["id"])


def _claims(fields: Mapping[str, Value | Sided], names: Sequence[str], currency: str) -> Iterator[Claim]:
    """The claims of a case: number, words, and the sum that it gives or that the words state."""
    for at, record in enumerate(_records(fields, names)):
        text = str(record["text"]) if "text" in record else ""
        stated = _figure(str(record["amount"])) if record.get("amount") else None
        amount = Amount(value=stated, currency=currency) if stated is not None else claim_amount(text, currency)
        costs = costs_alone(text) and amount is None
        number = str(record["n"]) if record.get("n") else str(at + 1)
        yield Claim(
            id=number,
            text=text,
            amount=amount,
            costs=costs,
            origin=PartOrigin(hand="field", source=names[0], detail=number),
        )


def _figure(written: str) -> Decimal | None:
    """A sum in figures; None where it is none."""
    try:
        value = Decimal(written.replace(",", "").strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
