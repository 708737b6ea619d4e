"""What was checked in a run: broken rules of conduct, and whether what was cited is good law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...model.events import Violated
from ...model.remarks import breaches
from ...wording import say
from ...wording.columns import table
from .. import citation_check
from ..open_run import OpenRun
from .views import RunView, calls_of, event_data


def _violated(violations: list[Violated], opened: OpenRun) -> str:
    """One line each: where, by whom, which rule, and what was found."""
    speakers = {call.id: call.speaker for call in calls_of(opened)}
    titles = {rule.id: rule.title for rule in opened.procedure.conduct}
    rows = [
        (event.place, speakers[event.request], titles.get(event.rule) or say(f"violation.{event.rule}"), event.detail)
        for event in violations
    ]
    return "\n".join(table(rows)) if rows else say("run.no_violations")


VIOLATIONS = RunView(
    ("violations",),
    lambda opened, _: (list(breaches(opened.events)), ()),
    lambda violations: {"violations": [event_data(event) for event in violations]},
    _violated,
)


def citations_of(opened: OpenRun) -> dict[str, Any]:
    """Return the citations as they were checked when the run stopped; checked now where no such file can be read."""
    kept = citation_check.kept(opened.folder.path)
    if kept is not None:
        return kept
    checked = citation_check.check(opened.procedure, opened.case, opened.events, Path.cwd())
    return citation_check.as_json(checked)


def _cited(data: dict[str, Any], opened: OpenRun) -> str:
    """One line each, headed by the day and the library by which they were checked; with the day where it is its own."""
    day, digest = data["law_at"], data["library"]["digest"]
    of_acts = any(row["at"] != day["date"] for row in data["citations"])
    by_day = say("citation.by_day", date=day["date"], field=day["field"]) if day["date"] else say("citation.by_newest")
    lines = [
        say("citation.by_acts") if of_acts else by_day,
        say("citation.by_library", digest=digest[:12]) if digest else say("citation.by_list"),
        "",
    ]
    if not data["citations"]:
        return "\n".join([*lines, say("citation.none")])
    titles = {name: document.title for name, document in opened.procedure.documents.items()}
    rows = []
    for row in data["citations"]:
        where = titles.get(row["document"], row["document"]) or say(f"act.{row['act']}")
        outcome = say(f"citation.{row['outcome']}")
        outcome = say("citation.since", outcome=outcome, since=row["since"]) if row["since"] else outcome
        mark = say("citation.mark") if row["wrong"] else ""
        own = (row["at"] or "",) if of_acts else ()
        rows.append((mark, *own, row["place"], row["speaker"], where, row["normal"] or row["written"], outcome))
    return "\n".join([*lines, *table(rows)])


CITATIONS = RunView(("citations",), lambda opened, _: (citations_of(opened), ()), lambda data: data, _cited)
