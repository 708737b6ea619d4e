"""The calendar of a run: its dates, how each is known, and where the procedure came to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...language.dates import read_day
from ...model.case import texts
from ...model.schedule import Dated, Scheduled
from ...wording import say
from ...wording.columns import table
from ..open_run import OpenRun


def calendar_data(opened: OpenRun) -> list[dict[str, Any]]:
    """Each date: its day (None: none), how it is known, the places that are on it; in the order of days."""
    scheduled = next((event for event in opened.events if isinstance(event, Scheduled)), None)
    rows = []
    for name, day in scheduled.dates.items() if scheduled is not None else ():
        rule = opened.procedure.dates[name]
        said = texts(opened.case.fields.get(rule.field), rule.key)
        known = "case" if any(read_day(text) for text in said) else "reckoned" if day else "missing"
        rows.append(
            {
                **{"name": name, "title": rule.title, "day": day or None, "known": known},
                "places": [e.place for e in opened.events if isinstance(e, Dated) and e.name == name and not e.reason],
            }
        )
    return sorted(rows, key=lambda row: row["day"] or "~")


def calendar_text(rows: Iterable[dict[str, Any]]) -> list[str]:
    """One line per date below a heading; nothing for a procedure without a calendar."""
    cells = [
        (row["day"] or "-", row["title"], say(f"run.date_{row['known']}"), say("run.between").join(row["places"]))
        for row in rows
    ]
    return [say("run.calendar"), *(f"  {line}".rstrip() for line in table(cells)), ""] if cells else []
