"""What came of a session and of a comparison, for people and as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ..evaluation.metrics.statistics import SIGNIFICANT, least_p
from ..evaluation.metrics.values import number, shown
from ..files.regular import write_whole
from ..wording import say, sentences
from ..wording.columns import table
from .cards import ListedCard
from .compare import CardTrial, GroupEffect
from .grow import Grown, RefusedCard
from .reflector import OFFLINE

RESULT: Final = "comparison.json"
_HEADS: Final = ("cases", "n", "base", "with", "delta", "interval", "p")
_LIST_HEADS: Final = ("card", "version", "parents", "runs", "before", "after", "date", "title")
Word = Callable[..., str]


def grown_text(found: Grown, locale: str) -> str:
    """What came of a session."""
    word = sentences("skills", locale)
    lines = [refusal_text(one, locale) for one in found.refused]
    if found.card is None:
        return "\n".join([*lines, word("nothing_kept")])
    card = found.card
    figures = {"before": shown(card.before), "after": shown(card.after)}
    lines.append(word("grown", card=card.id, file=found.file, runs=len(card.runs), **figures))
    if card.by == OFFLINE:
        lines.append(word("offline_reflection"))
    return "\n".join(lines)


def refusal_text(one: RefusedCard, locale: str) -> str:
    """Why nothing was kept of a reflection: each reason once."""
    word = sentences("skills", locale)
    kinds = dict.fromkeys(fault.kind for fault in one.faults)
    return word("refused", case=one.case, why=word("listed").join(word(f"fault_{kind}") for kind in kinds))


def list_text(cards: Sequence[ListedCard], locale: str) -> str:
    """A line for each card."""
    word = sentences("skills", locale)
    if not cards:
        return word("no_cards")
    rows = [[word(f"list_{name}") for name in _LIST_HEADS]]
    for one in cards:
        counted = [one.version or "-", ", ".join(one.parents) or "-", str(len(one.runs) or "-")]
        rows.append([one.name, *counted, one.before or "-", one.after or "-", one.date or "-", one.title])
    return "\n".join(table(rows, frozenset({3, 4, 5})))


def trial_text(found: CardTrial, locale: str) -> str:
    """The table, the cases behind it, and what can be said of so many cases."""
    word = sentences("skills", locale)
    heading = word("heading", card=found.card.id, title=found.card.said.title, figure=found.formula.title)
    rows = [[word(f"head_{name}") for name in _HEADS], *(_row(row, word) for row in found.effects)]
    cases = [[word("head_case"), *(word(f"head_{name}") for name in ("base", "with", "delta"))]]
    for one in found.cases:
        name = f"{one.case} ({word(one.group)})"
        cases.append([name, shown(one.base), shown(one.card), shown(one.delta, "+.2f")])
    numbers = (frozenset(range(1, len(_HEADS))), frozenset({1, 2, 3}))
    parts = [heading, "\n".join(table(rows, numbers[0])), "\n".join(table(cases, numbers[1]))]
    return "\n\n".join([*parts, "\n".join(_notes(found, word, locale))])


def _row(row: GroupEffect, word: Word) -> list[str]:
    low, high = row.delta.interval.low, row.delta.interval.high
    return [
        word(row.group),
        str(row.delta.n),
        shown(row.base.value),
        shown(row.card.value),
        shown(row.delta.value, "+.2f"),
        "-" if low is None or high is None else f"[{low:+.2f}, {high:+.2f}]",
        shown(row.adjusted, ".3f"),
    ]


def _notes(found: CardTrial, word: Word, locale: str) -> Iterator[str]:
    if found.share is not None:
        reflected, held_out = (row.delta.value for row in found.effects[:2])
        told = {"reflected": shown(reflected, "+.2f"), "held_out": shown(held_out, "+.2f")}
        share, rest = f"{found.share:.2f}", f"{1 - found.share:.2f}"
        yield word("gain", gain=shown(found.gain, "+.2f"), share=share, rest=rest, **told)
    yield word("means")
    for row in found.effects[:2]:
        if least_p(row.delta.n) > SIGNIFICANT:
            yield word("too_few", cases=word(row.group), n=row.delta.n, least=f"{least_p(row.delta.n):g}")
        elif row.delta.needed is not None and not (row.adjusted is not None and row.adjusted < SIGNIFICANT):
            yield word("needed", cases=word(row.group), n=row.delta.n, needed=row.delta.needed)
    if left := sum(row.left_out for row in found.effects[:2]):
        yield word("left_out", count=left)
    if found.offline:
        yield word("offline_actors")
    if found.card.by == OFFLINE:
        yield word("offline_reflection")
    if found.grader == OFFLINE:
        yield say("score.offline_grader", locale)


# ---- as data ---------------------------------------------------------------------------------------------------------


def grown_json(found: Grown) -> dict[str, Any]:
    """A session as JSON."""
    card = found.card
    return {
        "card": card.id if card is not None else None,
        "file": str(found.file) if found.file is not None else None,
        "versions": found.versions,
        "before": card.before if card is not None else None,
        "after": card.after if card is not None else None,
        "refused": [{"case": one.case, "why": [fault.kind for fault in one.faults]} for one in found.refused],
        "interrupted": found.interrupted,
    }


def trial_json(found: CardTrial) -> dict[str, Any]:
    """A comparison as JSON."""
    return {
        "card": found.card.id,
        "figure": found.formula.name,
        "grader": found.grader,
        "share": found.share,
        "gain": number(found.gain),
        "effects": [_effect_row(row) for row in found.effects],
        "cases": [
            {"cases": one.group, "case": one.case, "base": one.base, "with": one.card, "delta": one.delta}
            for one in found.cases
        ],
    }


def _effect_row(row: GroupEffect) -> dict[str, Any]:
    delta = row.delta
    return {
        "cases": row.group,
        "n": delta.n,
        "base": number(row.base.value),
        "with": number(row.card.value),
        "delta": number(delta.value),
        "low": delta.interval.low,
        "high": delta.interval.high,
        "p": delta.p,
        "adjusted": row.adjusted,
        "needed": delta.needed,
        "left_out": row.left_out,
    }


def write(found: CardTrial, out: Path) -> Path:
    """`comparison.json` in the session. Raises OSError."""
    file = out / RESULT
    write_whole(file, (json.dumps(trial_json(found), ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    return file
