"""What a run remarks on when it is over: a document with which it was to end, days that nobody can reckon yet."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.calendar import unknown_years
from ..language import diagnose
from ..model.case import Case
from ..model.events import Event
from ..model.outcome import Ended
from ..model.procedure import Procedure
from .project import Problems


def told_of_play(procedure: Procedure, case: Case, events: Sequence[Event]) -> Problems:
    """Return a warning for the document that a run ended without, and for each date of an unknown year."""
    lacking = [event.lacking for event in events if isinstance(event, Ended) and event.lacking]
    return (
        *(
            diagnose.ended_without_document(procedure.documents[name].span, title=procedure.documents[name].title)
            for name in lacking
        ),
        *(
            diagnose.unknown_working_days(
                procedure.dates[name].span, title=procedure.dates[name].title or name, year=str(year)
            )
            for name, year in unknown_years(procedure, case)
        ),
    )
