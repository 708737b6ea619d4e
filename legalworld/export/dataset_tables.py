"""The rows of a data set that are flat, for statistics: each form has its columns, as JSON lines and as Parquet.

turns    each speech                    calls   each request: who, where, which model, how many tokens
spending each role of a run, by model   scores  each figure and each item that a run was scored
decisions each part of a decision, as it was decided
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from ..model.decision_parts import PartDecided
from ..model.events import Spoke
from ..model.immutable import immutable
from ..model.struck import struck
from ..models.prices import Price
from ..runs.call_costs import calls_of_run, together
from ..runs.open_run import OpenRun
from ..runs.show.views import calls_of

Row = dict[str, Any]
Kind = Literal["text", "texts", "whole", "number"]
Columns = tuple[tuple[str, Kind], ...]

SOURCE: Final[Columns] = (
    *((name, "text") for name in ("run", "procedure", "case")),
    ("seed", "whole"),
    ("target", "text"),
    ("models", "text"),
)
_TOKENS: Final[Columns] = (("prompt_tokens", "whole"), ("cached_tokens", "whole"), ("completion_tokens", "whole"))
TURNS: Final[Columns] = (
    *SOURCE,
    *((name, "text") for name in ("turn", "place", "act", "role", "speaker")),
    ("to", "texts"),
    ("text", "text"),
    ("struck", "whole"),
    ("model", "text"),
    ("prompt_tokens", "whole"),
    ("completion_tokens", "whole"),
)
CALLS: Final[Columns] = (
    *SOURCE,
    ("number", "whole"),
    *((name, "text") for name in ("request", "stage", "place", "act", "role", "speaker", "model", "answered")),
    *_TOKENS,
)
SPENDING: Final[Columns] = (
    *SOURCE,
    *((name, "text") for name in ("role", "model")),
    ("calls", "whole"),
    *_TOKENS,
    ("dollars", "number"),
    ("silent", "whole"),
)
SCORES: Final[Columns] = (
    *SOURCE,
    *((name, "text") for name in ("rubric", "grader", "given", "kind", "name", "key")),
    ("value", "number"),
    ("gap", "text"),
)
DECISIONS: Final[Columns] = (
    *SOURCE,
    ("number", "whole"),
    *((name, "text") for name in ("place", "decision", "part", "name", "about", "by", "person", "request", "filled")),
)
FLAT: Final[Mapping[str, Columns]] = {
    "turns": TURNS,
    "calls": CALLS,
    "spending": SPENDING,
    "decisions": DECISIONS,
    "scores": SCORES,
}


@immutable
class DatasetRequest:
    """What is asked of every form: `roles`, all where empty; `prices` beside those of the list."""

    roles: frozenset[str] = frozenset()
    prices: Mapping[str, Price] | None = None

    def takes(self, role: str) -> bool:
        return not self.roles or role in self.roles


def source_of(opened: OpenRun) -> Row:
    """What every row says of the run that it is from: its key, and the model of every role as a JSON object."""
    info, models = opened.folder.info, json.dumps(opened.played, ensure_ascii=False, sort_keys=True)
    named = {"run": opened.run_id, "procedure": info.procedure, "case": info.case}
    return named | {"seed": info.seed, "target": info.target, "models": models}


def turn_rows(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    """Each speech: where, who, to whom, what, by which model."""
    spoken_by = {call.id: call.role for call in calls_of(opened)}
    replies, events, models = opened.answers, opened.events, opened.model_by_call
    gone = struck(events)
    for number, event in enumerate(events):
        role = spoken_by.get(event.request, "") if isinstance(event, Spoke) else ""
        if isinstance(event, Spoke) and wanted.takes(role):
            reply = replies.get(event.request)
            yield source_of(opened) | {
                **{"turn": event.request, "place": event.place, "act": event.act, "role": role},
                **{"speaker": event.speaker, "to": list(event.to), "text": event.text, "struck": int(number in gone)},
                "model": models.get(event.request, ""),
                "prompt_tokens": reply.prompt_tokens if reply else None,
                "completion_tokens": reply.completion_tokens if reply else None,
            }


def call_rows(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    """Each request that was answered; tokens are null where the provider did not say, and for offline actors."""
    replies, models = opened.answers, opened.model_by_call
    for number, call in enumerate(calls_of(opened), 1):
        if (reply := replies.get(call.id)) is None or not wanted.takes(call.role):
            continue
        told = reply.prompt_tokens is not None
        yield source_of(opened) | {
            **{"number": number, "request": call.id, "stage": call.place.partition("/")[0], "place": call.place},
            **{"act": call.act, "role": call.role, "speaker": call.speaker},
            **{"model": models[call.id], "answered": reply.model},
            "prompt_tokens": reply.prompt_tokens,
            "cached_tokens": reply.cached_tokens if told else None,
            "completion_tokens": reply.completion_tokens,
        }


def cost_rows(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    """What each role took, by model; dollars are null where nobody knows the price. Offline actors have no row."""
    calls = [call for call in calls_of_run(opened)[0] if wanted.takes(call.role)]
    for (role, model), one in together(calls, lambda call: (call.role, call.model), wanted.prices).items():
        yield source_of(opened) | {
            **{"role": role, "model": model, "calls": int(one.calls), "prompt_tokens": int(one.prompt)},
            **{"cached_tokens": int(one.cached), "completion_tokens": int(one.completion)},
            **{"dollars": None if one.unpriced else one.dollars, "silent": int(one.silent)},
        }


def decision_rows(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    """Each part of a decision, in the order in which they were decided; `filled`: what it says, as a JSON object.

    A part that nobody was asked for, as one that is read in a document put in place of another, is of no role.
    """
    asked_of = {call.id: call.role for call in calls_of(opened)}
    parts = (event for event in opened.events if isinstance(event, PartDecided))
    for number, event in enumerate(parts, 1):
        if wanted.takes(asked_of.get(event.request, "")):
            yield source_of(opened) | {
                **{"number": number, "place": event.place, "decision": event.decision, "part": event.part},
                **{"name": event.name, "about": event.about, "by": event.by, "person": event.person},
                "request": event.request,
                "filled": json.dumps(event.filled, ensure_ascii=False, sort_keys=True),
            }
