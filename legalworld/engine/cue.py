"""One person's turn to speak: what is expected of him, and how his templates read it (`step`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..model.case import MISSING, Person, Record, Value
from ..model.procedure import Answer, Document, StepInfo
from .calling import Result
from .conditions import Hand
from .view import Knowledge

if TYPE_CHECKING:
    from .floor import Floor


@dataclass(frozen=True, slots=True)
class Cue:
    """One person's turn to speak: as what, to whom, with which tokens, and what is expected of the words.

    `calls`: token -> the one person spoken to when it is said; `wordless`: tool calls alone will do; `results`: of the
    tools that he called just before.
    """

    act: str
    info: StepInfo
    to: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    calls: Mapping[str, str] = field(default_factory=dict)
    close: str = ""
    ending: tuple[str, ...] = ()
    passing: str = ""
    answer: Answer | None = None
    document: Document | None = None
    hand: Hand | None = None
    turn: int = 1
    left: int = 0
    aloud: bool = True
    needs: frozenset[str] = frozenset()
    wordless: bool = False
    results: tuple[Result, ...] = ()


def as_read(cue: Cue, reader: Person, knowledge: Knowledge, floor: Floor) -> Mapping[str, Any]:
    """`step`, as the templates of one reader read it: what he may not see is not there."""
    hand = cue.hand
    seen = hand if hand is not None and knowledge.shows(hand.about, reader.side) else None
    owner = hand.about.partition("/")[2].partition("/")[0] if hand else ""
    answer, document = cue.answer, cue.document
    return {
        "act": cue.act,
        "id": cue.info.prompt,
        "cue": cue.info.cue,
        "basis": cue.info.basis,
        "to": tuple(floor.label(other) for other in cue.to),
        "item": seen.record if seen else MISSING,
        "item_owner": floor.looking.side_title(floor.state, owner) if owner else "",
        "item_label": _called(seen.record) if seen else "",
        "item_mine": bool(owner) and owner == reader.side,
        "about": hand.about if hand else "",
        "calls": tuple(mark(token) for token in cue.leading if token not in (cue.close, cue.passing)),
        "close": mark(cue.close),
        "end": mark(cue.ending[0]) if cue.ending else "",
        "pass": mark(cue.passing),
        "answer": _asked_for(answer) if answer else MISSING,
        "document": {"name": document.name, "title": document.title, "sections": document.sections}
        if document
        else MISSING,
        "turn": cue.turn,
        "left": cue.left,
        "round": floor.round,
    }


def _called(record: Value) -> str:
    """What a record is called: its `id` and `name` where it has them, else the first thing it says."""
    if not isinstance(record, Record):
        return str(record)
    words = [str(record.get(key, "")) for key in ("id", "name")]
    return " ".join(filter(None, words)) or next((str(record[key]) for key in record if record[key]), "")


def mark(token: str) -> str:
    return f"【{token}】" if token else ""


def _asked_for(answer: Answer) -> Mapping[str, Any]:
    return {
        "name": answer.name,
        "form": answer.form,
        "choices": answer.choices,
        "default": answer.default,
        "token": mark(f"{answer.name}：…"),
    }
