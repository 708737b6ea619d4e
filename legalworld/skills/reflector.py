"""Who reflects: a model, or rules that make lines of the weakest scores; and what becomes of its reply.

A reply is read and checked, and asked for once more, with the reasons, where something is wrong with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..model.events import Message
from ..model.immutable import immutable
from ..model.procedure import ModelDefaults
from ..models.failures import ModelFailed
from ..models.litellm_client import complete
from ..models.named.catalogue import called_models
from ..templates.template_set import TemplateSet
from ..wording import sentences
from .card import CardText
from .reflection import LookedBack, faults_shown, shown
from .reply import SECTIONS, CardFault, orders, read_reply
from .session import ReflectionFile
from .traces import CaseTraces, identifiers, overlapping

OFFLINE: Final = "offline"
PROMPTS: Final = "reflect"
TEMPLATES: Final = ("who", "ask", "again", "offline", "below")
ATTEMPTS: Final = 2
TOKENS: Final = 2048
ECHO: Final = 4_000  # characters of a reply that its writer is shown when asked again
CLOSE: Final = 0.8  # of a line's shingles, from which another card has it already


@immutable
class Reflector:
    """`model`: `offline`, or what litellm knows. `others`: title and checklist of the cards that the role has already;
    `cases`: the traces of every case of the session, which no card may carry."""

    model: str
    templates: TemplateSet
    locale: str
    others: tuple[tuple[str, tuple[str, ...]], ...]
    cases: tuple[CaseTraces, ...]
    deadline: float

    @property
    def labels(self) -> Mapping[str, str]:
        """The label of each section of a reply, and the word for a card that is to stay as it is."""
        word = sentences("reflect", self.locale)
        return {name: word(f"label_{name}") for name in (*SECTIONS, "unchanged")}

    @property
    def body(self) -> str:
        """What stands below every card."""
        return self._rendered("below", {}).strip()

    def reflect(
        self, looked: LookedBack, card: CardText | None, file: ReflectionFile
    ) -> tuple[CardText | None, tuple[CardFault, ...]]:
        """The card as it is after a run; None where it stays as it was, with the faults where that is why. Raises
        ModelFailed, OSError."""
        told = shown(looked, self.labels, card, self.others)
        messages = self._messages(told)
        faults: tuple[CardFault, ...] = ()
        for number in range(ATTEMPTS):
            reply = file.replied(number, messages)
            if reply is None:
                reply = file.note(number, messages, self._reply(told, messages))
            read = read_reply(reply, self.labels, looked.stages)
            faults = read if isinstance(read, tuple) else self._wrong(read)
            if not faults:
                assert not isinstance(read, tuple)
                return read, ()
            again = self._rendered("again", told | {"faults": faults_shown(faults, self.labels)})
            said = Message(role="assistant", content=reply[:ECHO] or "-"), Message(role="user", content=again)
            messages = (*messages, *said)
        return None, faults

    def _wrong(self, read: CardText | None) -> tuple[CardFault, ...]:
        """Why a card that could be read is not kept."""
        if read is None:
            return ()
        word = sentences("reflect", self.locale)
        faults = [*orders(read, word("order_verbs").split("|"), word("order_things").split("|")), *identifiers(read)]
        faults += [fault for case in self.cases for fault in case.found(read)]
        repeated = overlapping(read, [lines for _, lines in self.others], CLOSE)
        if len(repeated) == len(read.checklist):
            faults += [CardFault("overlap", "checklist", line[:80]) for line in repeated]
        told = {fault.words for fault in faults}
        return tuple(one for one in dict.fromkeys(faults) if not any(one.words in more for more in told - {one.words}))

    def _messages(self, told: Mapping[str, Any]) -> tuple[Message, ...]:
        who, ask = (self._rendered(name, told).strip() for name in ("who", "ask"))
        return (Message(role="system", content=who), Message(role="user", content=ask))

    def _reply(self, told: Mapping[str, Any], messages: Sequence[Message]) -> str:
        if self.model == OFFLINE:
            return self._rendered("offline", told).strip() if told["weakest"] else str(told["labels"]["unchanged"])
        once = ModelDefaults(temperature=0.0, max_tokens=TOKENS)
        called = called_models((self.model,), Path.cwd(), "--reflect")
        if isinstance(called, tuple):
            raise ModelFailed("config", called[0])
        endpoint = called.endpoint(self.model, self.deadline)
        try:
            return asyncio.run(complete(endpoint, tuple(messages), once, seed=0)).text
        except ModelFailed as failed:
            if failed.kind != "silent":
                raise
            return ""  # nothing to be read: asked for again, as anything else that is no card

    def _rendered(self, name: str, told: Mapping[str, Any]) -> str:
        home = self.templates.find((name,))
        assert home is not None  # checked before
        return self.templates.render(home, {"reflection": told})
