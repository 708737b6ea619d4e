"""How much of the prompts of a run repeats the call before, which a provider can cache: estimated by characters."""

from __future__ import annotations

from typing import Any

from ...wording import say
from ...wording.columns import table
from ..lifecycle import OpenRun
from ..project import Problems
from .views import RunView, ShowRequest, calls_of, replies_of


def _read(opened: OpenRun, _: ShowRequest) -> tuple[dict[str, Any], Problems]:
    """Per thread and in all: calls, characters sent, and those of them that are a prefix of the call before."""
    replies = replies_of(opened)
    threads: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for call in calls_of(opened):
        shared = lengths.get(call.thread, 0)
        sent = shared + sum(len(message.content) for message in call.added)
        row = threads.setdefault(call.thread, {"calls": 0, "sent": 0, "shared": 0})
        for key, count in (("calls", 1), ("sent", sent), ("shared", shared)):
            row[key] += count
        lengths[call.thread] = sent + (len(replies[call.id].text) if call.id in replies else 0)
    total = {key: sum(row[key] for row in threads.values()) for key in ("calls", "sent", "shared")}
    return {"threads": threads, "total": total}, ()


def _text(shares: dict[str, Any]) -> str:
    heads = [say(f"run.tokens_{column}") for column in ("thread", "calls", "sent", "share")]
    named = [*shares["threads"].items(), (say("run.tokens_total"), shares["total"])]
    rows = [
        (name, str(row["calls"]), f"{row['sent']:,}", f"{row['shared'] / max(1, row['sent']):.1%}")
        for name, row in named
    ]
    return "\n".join([*table([heads, *rows], frozenset({1, 2, 3})), say("run.tokens_note")])


TOKENS = RunView(("tokens",), _read, lambda shares: shares, _text)
