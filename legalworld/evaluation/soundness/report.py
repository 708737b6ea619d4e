"""What an audit says: a table with both places of every alarm, JSON lines, rows of a sheet, and `lw show --checks`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from ...files import regular
from ...files.project_files import Disk
from ...model.amendments import amended_in, amending, in_force, is_given
from ...model.case import Case
from ...model.decision import PartOrigin
from ...model.immutable import immutable
from ...model.procedure import Procedure
from ...runs.folder import RunFolder
from ...runs.journal import events_in, load
from ...runs.open_run import OpenRun
from ...runs.project import Problems
from ...runs.show.views import RunView, ShowRequest
from ...wording import say
from ...wording.columns import table
from ..stored_run import Stored
from .audit import DocumentAudit, audit_run
from .check_files import check_files, checks_of
from .definition import SEVERITIES, CheckResult

QUOTED: Final = 48  # code points of a place that are shown
ALARM, HELD, OPEN = "alarm", "held", "not_held"
NOTE: Final = "note"
OFFLINE: Final = "offline"


@immutable
class AuditTotals:
    """Counts over many documents: alarms by check and severity; of each check how often it was not held, and asked."""

    documents: int
    passed: int
    alarms: Mapping[tuple[str, str, str], int]
    not_held: Mapping[tuple[str, str], int]
    asked: Mapping[tuple[str, str], int]


class AuditCount:
    """Adds up audits as they come, so that none is kept."""

    def __init__(self) -> None:
        self._documents = self._passed = 0
        self._alarms: Counter[tuple[str, str, str]] = Counter()
        self._open: Counter[tuple[str, str]] = Counter()
        self._asked: Counter[tuple[str, str]] = Counter()

    def add(self, audit: DocumentAudit) -> None:
        self._documents += 1
        self._passed += audit.passed
        self._alarms.update((one.check.severity, one.check.id, one.check.title) for one in audit.alarms)
        self._open.update((one.check.id, one.check.title) for one in audit.not_held)
        self._asked.update((one.check.id, one.check.title) for one in audit.results)

    def totals(self) -> AuditTotals:
        return AuditTotals(self._documents, self._passed, dict(self._alarms), dict(self._open), dict(self._asked))


def line_of(text: str, place: PartOrigin) -> int:
    """The line of a text, from 1, in which a place begins."""
    return text.count("\n", 0, place.start or 0) + 1


def quoted(text: str, place: PartOrigin) -> str:
    """The words at a place, cut to what a line holds."""
    words = " ".join(text[place.start or 0 : place.end or 0].split())
    return words if len(words) <= QUOTED else words[:QUOTED] + "…"


def json_rows(audit: DocumentAudit, source: str) -> Iterator[dict[str, Any]]:
    """One object for each result: what was checked, what came of it, and the places."""
    for one in audit.results:
        yield {
            "source": source,
            "document": audit.name,
            "check": one.check.id,
            "severity": one.check.severity,
            "part": one.part,
            "result": result_of(one),
            "missing": one.missing,
            "places": [_place(audit, place) for place in one.places],
        }


def result_of(one: CheckResult) -> str:
    """`alarm`, `held` or `not_held`."""
    return ALARM if one.held is False else HELD if one.held else OPEN


def _place(audit: DocumentAudit, place: PartOrigin) -> dict[str, Any]:
    if not _here(audit, place):
        return {"document": place.source, "start": place.start, "end": place.end}
    words = audit.text[place.start or 0 : place.end or 0]
    return {
        "document": place.source,
        "line": line_of(audit.text, place),
        "start": place.start,
        "end": place.end,
        "text": words,
    }


def _here(audit: DocumentAudit, place: PartOrigin) -> bool:
    return place.source in ("", audit.name) and place.start is not None


def sheet_rows(audit: DocumentAudit, source: str) -> Iterator[dict[str, Any]]:
    """The rows of a sheet: one for each alarm and each check that was not held."""
    for one in (*audit.alarms, *audit.not_held):
        yield {
            "source": source,
            "document": audit.name,
            "check": one.check.id,
            "title": one.check.title,
            "severity": one.check.severity,
            "result": result_of(one),
            "missing": one.missing,
            "part": one.part,
            "places": " | ".join(shown(audit, place) for place in one.places),
        }


def text_of(audit: DocumentAudit) -> str:
    """The alarms of a document, each with its places; then how much passed and how much could not be checked."""
    lines = [say("audit.document", title=audit.title, alarms=len(audit.alarms), passed=audit.passed)]
    for severity in SEVERITIES:
        for one in audit.alarms:
            if one.check.severity == severity:
                lines.append(_alarm(one))
                lines += [f"      {shown(audit, place)}" for place in one.places]
    if audit.not_held:
        lines.append(say("audit.not_held", count=len(audit.not_held), checks=_listed(audit.not_held)))
    lines += [_unread(audit, one.origin, one.part) for one in audit.decision.thin]
    return "\n".join(lines)


def shown(audit: DocumentAudit, place: PartOrigin) -> str:
    """A place for people: line and words; of the case, its field; of another document, its name."""
    if _here(audit, place):
        return f"{say('audit.place', line=line_of(audit.text, place))}  {quoted(audit.text, place)}"
    if place.hand == "field":
        return say("audit.field", field=place.source, part=place.detail)
    return say("audit.other", document=place.source)


def _alarm(one: CheckResult) -> str:
    basis = say("audit.basis", basis=one.check.basis) if one.check.basis else ""
    return f"  {say('audit.' + one.check.severity)}  {one.check.title} ({one.check.id}){basis}"


def _listed(results: Sequence[CheckResult]) -> str:
    return say("audit.comma").join(dict.fromkeys(one.check.title for one in results))


def _unread(audit: DocumentAudit, origin: PartOrigin | None, part: str) -> str:
    if origin is None or not _here(audit, origin):
        return say("audit.unread", part=part, line="-", text="")
    return say("audit.unread", part=part, line=line_of(audit.text, origin), text=quoted(audit.text, origin))


def totals_text(totals: AuditTotals) -> str:
    """The end of an audit of many: alarms by check, then of each check the share in which it could not be held."""
    alarms = sum(totals.alarms.values())
    opened = sum(totals.not_held.values())
    lines = [say("audit.totals", documents=totals.documents, alarms=alarms, passed=totals.passed, open=opened)]
    ranked = sorted(totals.alarms.items(), key=lambda one: (SEVERITIES.index(one[0][0]), -one[1], one[0]))
    rows = [(say(f"audit.{severity}"), title, f"({name})", str(count)) for (severity, name, title), count in ranked]
    lines += table(rows, frozenset({3})) if rows else ()
    shares = sorted(totals.not_held.items(), key=lambda one: (-one[1] / totals.asked[one[0]], one[0]))
    if shares:
        lines.append(say("audit.shares"))
        lines += table([_share(*key, count, totals.asked[key]) for key, count in shares], frozenset({2, 3}))
    return "\n".join(lines)


def _share(name: str, title: str, count: int, asked: int) -> tuple[str, str, str, str]:
    return f"  {title}", f"({name})", f"{count}/{asked}", f"{Decimal(100 * count) / asked:.0f}%"


# ---- lw show ---------------------------------------------------------------------------------------------------------


def audits_of(opened: OpenRun, disk: Disk) -> tuple[tuple[DocumentAudit, ...], Problems]:
    """The decisions of a run that is open, audited by the checks of a project."""
    files = check_files(disk)
    stored = Stored(opened.folder.path.as_posix(), opened.procedure, opened.last_case, "", opened.events)
    return tuple(audit_run(stored, files.files)), files.problems


def alarms_after(path: Path, procedure: Procedure) -> int:
    """How many alarms, notes apart, the decisions of a run that just ended raise; 0 where they cannot be looked at.

    A run that no model had a part in is passed over: `lw audit` looks at it, and its end would come later by a tenth.
    """
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder) or all(name.startswith(OFFLINE) for name in folder.info.models.values()):
        return 0
    case = folder.case(procedure)
    files = checks_of(Path.cwd())
    decided = {document for parts in procedure.decisions.values() for document in parts.documents}
    written = {name: path / "documents" / f"{name}.md" for name in decided if name in procedure.documents}
    texts = {name: regular.text(file) for name, file in written.items() if file.is_file()}
    if not texts or not isinstance(case, Case):
        return 0
    if any(is_given(case, field) for field in amending(procedure)):
        case = in_force(procedure, case, amended_in(events_in(load(folder.journal, brief=True).lines)))
    stored = Stored(path.as_posix(), procedure, case, "", ())
    audits = audit_run(stored, files, texts)
    return sum(1 for audit in audits for alarm in audit.alarms if alarm.check.severity != NOTE)


def _read(opened: OpenRun, _: ShowRequest) -> tuple[tuple[DocumentAudit, ...] | None, Problems]:
    return audits_of(opened, Disk(Path.cwd()))


def _data(audits: tuple[DocumentAudit, ...]) -> list[dict[str, Any]]:
    return [row for audit in audits for row in json_rows(audit, "")]


def _text(audits: tuple[DocumentAudit, ...], _: OpenRun) -> str:
    return "\n\n".join(map(text_of, audits)) or say("audit.nothing")


CHECKS = RunView(("checks",), _read, _data, _text)
