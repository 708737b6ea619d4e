"""What a run remarks on when it is over: documents that lack, names of no party, days and sums not reckoned."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.calendar import unknown_years
from ..language import diagnose
from ..model.case import Case
from ..model.events import Assigned, Event
from ..model.outcome import Ended
from ..model.procedure import Procedure
from .mixed_sums import mixed_sums
from .project import Problems

SHOWN = 60  # characters of a name that are shown


def told_of_play(procedure: Procedure, case: Case, events: Sequence[Event]) -> Problems:
    """Return a warning for the document that a run ended without, for each name that was to be a party's and is none,
    for each date of an unknown year, and for each sum in two currencies."""
    unmatched = {(one.role, word) for one in events if isinstance(one, Assigned) for word in one.unmatched}
    lacking = [event.lacking for event in events if isinstance(event, Ended) and event.lacking]
    return (
        *(
            diagnose.ended_without_document(procedure.documents[name].span, title=procedure.documents[name].title)
            for name in lacking
        ),
        *(
            diagnose.unmatched_party(
                procedure.roles[role].span, title=procedure.roles[role].title or role, name=word[:SHOWN]
            )
            for role, word in sorted(unmatched)
        ),
        *(
            diagnose.unknown_working_days(
                procedure.dates[name].span, title=procedure.dates[name].title or name, year=str(year)
            )
            for name, year in unknown_years(procedure, case)
        ),
        *mixed_sums(procedure, case, events),
    )
