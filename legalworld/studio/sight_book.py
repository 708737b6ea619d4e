"""What was seen in every call of a run, collected in one playing of its record.

A field reads the same in most calls, so its entries are kept once; a call holds which of them it saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..engine.view import Shown
from ..model.events import Offer, Reply, Request
from ..model.immutable import immutable
from ..runs.open_run import OpenRun
from ..runs.show.sights import entries_data
from ..templates.template_set import TemplateError
from .responses_run import FieldState


@immutable
class SeenInCall:
    """`states`: what was seen, in the order of the matrix; `opened`: (field, whose) of all cells that were open as a
    whole, with a value or not; `offered`: the tools that a model was offered natively."""

    stage: str
    today: str
    states: tuple[FieldState, ...]
    opened: frozenset[tuple[str, str]]
    offered: tuple[Offer, ...]

    @property
    def by_key(self) -> Mapping[tuple[str, str], FieldState]:
        return {(state.name, state.whose): state for state in self.states}


SightBook = Mapping[str, SeenInCall]
"""Request -> what was seen in it."""


def collected(opened: OpenRun) -> SightBook:
    """Play a run again and keep the view of every request; those behind a damaged place are left out."""
    answers, pool = opened.answers, _Pool()
    book: dict[str, SeenInCall] = {}
    game = opened.game()
    try:
        turn = next(game)
        while True:
            replies: list[Reply] = []
            for request in turn.requests:
                if isinstance(request, Request):
                    book[request.id] = pool.seen(request)
                if request.id in answers:
                    replies.append(answers[request.id])
            if len(replies) < len(turn.requests):
                game.close()
                return book
            turn = game.send(tuple(replies))
    except (StopIteration, TemplateError):
        return book


class _Pool:
    """Keeps each state of a field once, however often it is seen."""

    def __init__(self) -> None:
        self._by_shown: dict[int, tuple[Shown, FieldState]] = {}  # holds what it names, so that no id comes twice
        self._by_entry: dict[int, tuple[Any, str, Any]] = {}
        self._by_words: dict[str, FieldState] = {}
        self._by_knowledge: dict[int, tuple[Any, tuple[FieldState, ...], frozenset[tuple[str, str]]]] = {}

    def seen(self, request: Request) -> SeenInCall:
        view = request.view
        known = view.knowledge
        if id(known) not in self._by_knowledge:
            states = tuple(map(self._state, known.shown))
            self._by_knowledge[id(known)] = (known, states, frozenset(known.opened))
        _, states, opened = self._by_knowledge[id(known)]
        today = str(view.variables["scene"]["today"] or "")
        return SeenInCall(view.stage, today, states, opened, tuple(request.tools))

    def _state(self, shown: Shown) -> FieldState:
        kept = self._by_shown.get(id(shown))
        if kept is None:
            entries = [self._entry(one) for one in shown.entries]
            title = "" if shown.title == shown.name else shown.title
            words = json.dumps([shown.name, shown.whose, title, [text for text, _ in entries]])
            state = self._by_words.get(words)
            if state is None:
                values = tuple(value for _, value in entries)
                state = FieldState(name=shown.name, whose=shown.whose, title=title, entries=values)
                self._by_words[words] = state
            kept = self._by_shown[id(shown)] = (shown, state)
        return kept[1]

    def _entry(self, entry: Any) -> tuple[str, Any]:
        """An entry as JSON, and as a value; most are the same object in call after call."""
        kept = self._by_entry.get(id(entry))
        if kept is None:
            (value,) = entries_data((entry,))
            kept = self._by_entry[id(entry)] = (entry, json.dumps(value), value)
        return kept[1:]
