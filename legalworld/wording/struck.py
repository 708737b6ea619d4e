"""Words that were struck, marked as such in what is written of a run: transcripts, minutes, dialogues."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.events import Event, Spoke
from ..model.struck import struck
from . import sentences


def marked(events: Iterable[Event], locale: str) -> list[Event]:
    """The events with a mark behind the words that were struck, in the language of the procedure."""
    kept, words = list(events), sentences("transcript", locale)
    for number in struck(kept):
        event = kept[number]
        if isinstance(event, Spoke) and event.text:
            kept[number] = event.model_copy(update={"text": words("struck", text=event.text)})
    return kept
