"""The claims, and the accused, that decisions leave undecided, as the events of a run tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .decision_parts import PartDecided, Superseded

_OPEN = {"results": ("reliefs", "undecided"), "verdicts": ("verdicts", "open"), "also": ("reliefs", "undecided")}
"""Part of a decision -> where what it fills stands, and the result that says that nothing was decided."""


def undecided_by_decision(events: Iterable[object], *, as_drafted: bool = False) -> Mapping[str, tuple[int, int]]:
    """Return decision -> the claims and accused that it leaves undecided, and all that it names, as they were last.

    What was put in the place of a document counts instead of it; with `as_drafted` the document itself does.
    """
    found: dict[str, dict[str, bool]] = {}
    closed: set[str] = set()
    for event in events:
        if isinstance(event, Superseded):
            if as_drafted:
                closed.add(event.decision)
            else:
                found.pop(event.decision, None)
        elif isinstance(event, PartDecided) and event.decision not in closed and _tells(event):
            found.setdefault(event.decision, {})[event.about or event.name] = _undecided(event)
    return {name: (sum(results.values()), len(results)) for name, results in found.items()}


def _tells(event: PartDecided) -> bool:
    """Whether it tells what becomes of a claim or of somebody accused: other parts do where they leave it undecided."""
    return event.part in _OPEN and (event.part != "also" or _undecided(event))


def _undecided(event: PartDecided) -> bool:
    where, result = _OPEN[event.part]
    return any(one.get("result") == result for one in event.filled.get(where, ()))
