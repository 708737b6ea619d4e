"""Decisions audited: those of a stored run, or of a judgment, held against the checks that serve them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...language import diagnose
from ...law.text.case_frame import case_frame
from ...law.text.decision_people import CaseFrame
from ...law.text.decisions import is_english
from ...model.decision import Decision
from ...model.decision_frame import instance_of
from ...model.decision_parts import DecisionParts, PartDecided, Superseded
from ...model.diagnostics import Diagnostic
from ...model.events import Drafted, Event
from ...model.immutable import immutable
from ...model.source import Span
from ..stored_run import Stored
from .audited import Audited
from .definition import CheckFile, CheckResult
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
    """The decisions of a run, each held against the checks of its language; `texts`: its documents, if known."""
    if texts is None:
        texts = {event.document: piece.text for event, piece in stored.documents}
    procedure = stored.procedure
    for file in files:
        if file.locale != procedure.locale:
            continue
        read: dict[str, Decision] = {}
        for parts in procedure.decisions.values():
            here = [document for document in parts.documents if document in texts]
            frame = run_frame(stored, parts) if here else CaseFrame()
            for document in here:
                audited = Audited(
                    texts[document],
                    frame,
                    document=document,
                    instance=instance_of(procedure, parts),
                    below=read.get(parts.below),
                    checks=file,
                    decided=tuple(decided_parts(stored.events, parts, document)),
                )
                read[parts.name] = audited.decision
                yield _held(audited, file, document, procedure.documents[document].title)


def decided_parts(events: Iterable[Event], parts: DecisionParts, document: str) -> Iterator[tuple[str, Decision]]:
    """What was decided of a decision before a document stated it, the last of each part about each matter; nothing
    where the document was put in the place of what was decided."""
    found: dict[tuple[str, str], Decision] = {}
    drafted: dict[tuple[str, str], Decision] = {}
    for event in events:
        if isinstance(event, Superseded) and event.decision == parts.name:
            found.clear()
        elif isinstance(event, PartDecided) and event.decision == parts.name:
            found[event.part, event.about] = Decision.model_validate(event.filled)
        if isinstance(event, Drafted | Superseded) and event.document == document:
            drafted = dict(found)
    yield from ((part, decision) for (part, _), decision in drafted.items())


def run_frame(stored: Stored, parts: DecisionParts) -> CaseFrame:
    """Who takes part in a run, what is claimed, and how its exhibits are called, for one decision."""
    return case_frame(stored.procedure, stored.case, parts, stored.persons.values())


def audit_text(
    text: str, name: str, files: Sequence[CheckFile], frame: CaseFrame | None = None
) -> DocumentAudit | Diagnostic:
    """A judgment that comes from elsewhere, against the checks of the language it is written in."""
    locale = locale_of(text)
    file = next((one for one in files if one.locale == locale), None)
    if file is None:
        return diagnose.no_checks_for(Span(name, 0, 0), name=name)
    return _held(Audited(text, frame, document=name, checks=file), file, name, name)


def locale_of(text: str) -> str:
    """The language of a text, by its signs."""
    return "en" if is_english(text) else "zh"


def _held(audited: Audited, file: CheckFile, name: str, title: str) -> DocumentAudit:
    decision = view(audited)
    results = tuple(result for check in file.checks for result in hold(check, decision))
    return DocumentAudit(name, title, audited.text, audited.decision, results)
