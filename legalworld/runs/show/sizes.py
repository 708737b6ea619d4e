"""How much was sent in a run, by role and stage: characters, schemas of native tools, tokens; what can be cached."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.events import Asked, Message, Request
from ...models import tokenizer, tool_calls
from ...wording import say
from ...wording.columns import table
from ..open_run import OpenRun
from ..project import Problems
from ..run_info import NATIVE
from .views import RunView, ShowRequest, calls_of

TOOLS = "tools"
Pieces = tuple[tuple[str, str], ...]
"""What a request consists of, in order: (role, text); the schemas of native tools come first, as `TOOLS`."""


@dataclass(slots=True)
class _Sent:
    """Of the calls of a thread: how many, the characters sent, those among them that the call before began with, those
    of schemas; the tokens sent, None where no tokenizer is known."""

    calls: int = 0
    sent: int = 0
    shared: int = 0
    schemas: int = 0
    tokens: int | None = 0

    def add(self, other: _Sent) -> None:
        self.calls += other.calls
        self.sent += other.sent
        self.shared += other.shared
        self.schemas += other.schemas
        self.tokens = None if self.tokens is None or other.tokens is None else self.tokens + other.tokens

    def told(self) -> dict[str, int]:
        row = {"calls": self.calls, "sent": self.sent, "shared": self.shared}
        schemas = {"schemas": self.schemas} if self.schemas else {}
        return row | schemas | ({"tokens": self.tokens} if self.tokens is not None else {})


def sent_with(opened: OpenRun) -> Iterator[tuple[Asked, Pieces]]:
    """Every call with all that was sent with it."""
    kept, schemas = opened.kept, _schemas(opened)
    threads: dict[str, list[tuple[str, str]]] = {}
    for call in calls_of(opened):
        thread = threads.setdefault(call.thread, [])
        thread += map(_piece, call.added)
        offered = schemas.get(call.id, "")
        yield call, (*(((TOOLS, offered),) if offered else ()), *thread)
        if call.id in kept:
            thread.append(_piece(kept[call.id]))


def _piece(message: Message) -> tuple[str, str]:
    return message.role, message.content + "".join(call.name + call.arguments for call in message.calls)


def _schemas(opened: OpenRun) -> Mapping[str, str]:
    """Call -> the tools that it offered natively, as they are sent; found by playing the run again."""
    if NATIVE not in opened.protocols.values():
        return {}
    game, replies, offered = opened.game(), opened.answers, dict[str, str]()
    try:
        turn = next(game)
        while all(request.id in replies for request in turn.requests):
            offered |= {request.id: _offered(request) for request in turn.requests if isinstance(request, Request)}
            turn = game.send(tuple(replies[request.id] for request in turn.requests))
        offered |= {request.id: _offered(request) for request in turn.requests if isinstance(request, Request)}
    except StopIteration:
        pass
    return offered


def _offered(request: Request) -> str:
    return json.dumps([*map(tool_calls.offered, request.tools)], ensure_ascii=False) if request.tools else ""


# ---- the view --------------------------------------------------------------------------------------------------------
def _counted(opened: OpenRun, _: ShowRequest) -> tuple[dict[str, Any], Problems]:
    """Per thread and in all: calls, characters sent, and those with which the same person's call before began, too."""
    info = opened.folder.info
    models = opened.model_by_call
    counts = {name: tokenizer.counter(info.model_of(name)) for name in set(models.values())}
    threads: dict[str, _Sent] = {}
    before: dict[str, Pieces] = {}
    for call, pieces in sent_with(opened):
        count = counts.get(models[call.id])
        row = _Sent(
            1,
            sum(len(text) for _, text in pieces),
            _shared(before.get(call.person, ()), pieces),
            sum(len(text) for role, text in pieces if role == TOOLS),
            sum(count(text) for _, text in pieces) if count is not None else None,
        )
        threads.setdefault(call.thread, _Sent()).add(row)
        before[call.person] = pieces
    total = _Sent()
    for row in threads.values():
        total.add(row)
    return {"threads": {name: row.told() for name, row in threads.items()}, "total": total.told()}, ()


def _shared(before: Pieces, now: Pieces) -> int:
    """With how many characters both requests begin."""
    same = 0
    for (role, text), (other, now_text) in zip(before, now, strict=False):
        if role != other:
            break
        shorter = min(len(text), len(now_text))
        if text != now_text:
            return same + next(
                (n for n, (one, two) in enumerate(zip(text, now_text, strict=False)) if one != two), shorter
            )
        same += len(text)
    return same


def _table(counted: dict[str, Any], _: OpenRun) -> str:
    total = counted["total"]
    more = [column for column in ("schemas", "tokens") if any(column in row for row in counted["threads"].values())]
    heads = [say(f"run.tokens_{column}") for column in ("thread", "calls", "sent", "share", *more)]
    named = [*counted["threads"].items(), (say("run.tokens_total"), total)]
    rows = [
        (
            name,
            str(row["calls"]),
            f"{row['sent']:,}",
            f"{row['shared'] / max(1, row['sent']):.1%}",
            *(f"{row[column]:,}" if column in row else "" for column in more),
        )
        for name, row in named
    ]
    return "\n".join([*table([heads, *rows], frozenset(range(1, len(heads)))), say("run.tokens_note")])


TOKENS = RunView(("tokens",), _counted, lambda counted: counted, _table)
