"""Pairs of drafts for preference learning: of each speech the draft with the best score and that with the worst."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.events import Asked, Reviewed
from ..lifecycle import OpenRun
from ..project import Problems
from .prompts import messages_of
from .views import RunView, ShowRequest, calls_of, events_of


def _read(opened: OpenRun, _: ShowRequest) -> tuple[list[dict[str, Any]], Problems]:
    return list(_pairs(opened)), ()


def _pairs(opened: OpenRun) -> Iterator[dict[str, Any]]:
    """One for each speech that was drafted several times with scores (ASP2LJ, section 2.1).

    `prompt`: the messages that asked for the first draft. Drafts without scores, or all with the same, make no pair.
    """
    calls = {call.id: call for call in calls_of(opened)}
    for request, drafts in _drafts(opened).items():
        scored = [draft for draft in drafts if draft.scores]
        best, worst = max(scored, key=_total, default=None), min(scored, key=_total, default=None)
        if best is not None and worst is not None and _total(best) > _total(worst):
            sent = messages_of(opened, calls[request])
            yield {
                "request": request,
                "speaker": best.speaker,
                "prompt": [message.model_dump(mode="json", include={"role", "content"}) for message in sent],
                "chosen": {"text": best.text, "scores": best.scores},
                "rejected": {"text": worst.text, "scores": worst.scores},
            }


def _drafts(opened: OpenRun) -> dict[str, list[Reviewed]]:
    """Request -> the reviewed drafts of the speech that it asked for."""
    asked: dict[str, str] = {}
    drafts: dict[str, list[Reviewed]] = {}
    for event in events_of(opened):
        if isinstance(event, Asked) and event.act not in ("review", "revise"):
            asked[event.person] = event.id
        elif isinstance(event, Reviewed) and event.person in asked:
            request = asked[event.person]
            drafts[request] = [event] if event.number == 1 else [*drafts.get(request, ()), event]
    return drafts


def _total(draft: Reviewed) -> float:
    return sum(draft.scores.values())


PAIRS = RunView(("pairs",), _read, lambda pairs: pairs, None)
