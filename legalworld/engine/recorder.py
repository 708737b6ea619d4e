"""Events as they happen: each changes the state and waits to be handed out with the next turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..model import events
from ..model.amendments import Amended
from ..model.events import Event, Reply, Request
from ..model.procedure import Document
from .conduct import lacking
from .state import CaseState, apply, in_hand

Source = Literal["reply", "case", "replaced"]


class Recorder:
    """The state of the case, and the events since the last turn. The only place where either changes."""

    def __init__(self, state: CaseState) -> None:
        self.state = state
        self._pending: list[Event] = []

    def tell(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self._pending.append(event)

    def flush(self) -> tuple[Event, ...]:
        """The events not handed out yet."""
        events_ = tuple(self._pending)
        self._pending.clear()
        return events_

    def replied(self, request: Request, text: str, reply: Reply, most_calls: int) -> None:
        """A reply reaches its thread. It is no event: the journal keeps replies by themselves."""
        calls = reply.calls[:most_calls]
        self.state = apply(
            self.state, events.Replied(request.thread, text, calls, reply.provider_data if calls else "")
        )

    def cleaned(self, request: Request, text: str) -> None:
        """Record what the thread keeps of the reply that just came, where that is not word for word what came."""
        if self.state.threads[request.thread].messages[-1].content != text:
            self.tell(events.Cleaned(request=request.id, thread=request.thread, text=text))

    def enter_silently(self, event: events.Entered | Amended) -> None:
        """Come to a place without a record of it, to look at what can be seen there."""
        self.state = apply(self.state, event)

    def take_in_hand(self, held: Mapping[str, str]) -> None:
        """Loops over persons come to these (variable -> person). It is no event: the steps inside tell."""
        if held != self.state.in_hand:
            self.state = in_hand(self.state, held)

    def skipped(self, reason: events.SkipReason) -> None:
        """The step that is being played is passed over."""
        self.tell(events.Skipped(place=self.state.place, reason=reason))

    def closed(self, reason: events.Reason, by: str, turns: int, place: str = "") -> None:
        """A loop is over, by default that of the step that is being played; `by` is who ended it, "" for nobody."""
        self.tell(events.Closed(place=place or self.state.place, reason=reason, by=by, turns=turns))

    def violated(self, request: Request, rule: str, detail: str) -> None:
        """A reply broke a rule."""
        place, person = self.state.place, request.person
        self.tell(events.Violated(request=request.id, place=place, person=person, rule=rule, detail=detail[:80]))

    def drafted(
        self,
        person_id: str,
        speaker: str,
        document: Document,
        text: str,
        *,
        source: Source,
        cut: bool = False,
        unlisted: tuple[str, ...] = (),
    ) -> None:
        """A document came to be; what its official form lacks is recorded with it, and exhibits that are not listed."""
        person = self.state.persons[person_id]
        self.tell(
            events.Drafted(
                place=self.state.place,
                document=document.name,
                side=person.side if document.sided else "",
                person=person.id,
                speaker=speaker,
                text=text,
                source=source,
                missing=lacking(document, text),
                cut=cut,
                day=self.state.today,
                unlisted=unlisted,
            )
        )
