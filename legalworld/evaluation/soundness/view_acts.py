"""Acts that the reasons grant - a contract ends, something is handed over - and whether the orders have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...law.text.decision_reasons import sums_told
from ...law.text.lexicon import alternation, endings, pattern, words
from ...model.decision import PartOrigin
from .audited import Audited
from .schema import Held, Node, NotRead
from .view_reasons import own, sentences, veiled

LIKE: Final = {"deliver": "do", "return": "do"}
"""Kinds of orders that one word or another says: to hand over is to do something."""
ACTS: Final = ("do", "deliver", "rescind", "declare", "refrain")


def granted_acts_view(audited: Audited) -> Iterator[Node]:
    """Yield each act that was asked for and that a sentence of the reasons grants, by its verb, once."""
    if audited.act_reviewed or audited.decision.instance > 1 or audited.decision.verdicts:
        return
    told: dict[str, PartOrigin] = {}
    for sentence, at in sentences(audited):
        if (verb := _granted(sentence, audited)) is not None:
            told.setdefault(verb, audited.at(at, at + len(sentence)))
    for verb, origin in told.items():
        yield Node("granted_act", verb, {"ordered": _ordered(verb, audited)}, {}, origin)


def _granted(sentence: str, audited: Audited) -> str | None:
    """The one act that a sentence says is asked for and granted; None for sums, and where it denies anything."""
    asks = pattern("decision", "asks").search(sentence)
    if asks is None or not own(sentence, audited) or sums_told(sentence):
        return None
    bare = veiled(sentence, audited)
    granted = [at for word in endings("decision", "granted") if (at := bare.find(word, asks.end())) >= 0]
    refused = any(word in bare for name in ("denied", "in_part", "negation") for word in endings("decision", name))
    if not granted or refused:
        return None
    orders = words("decision", "order")
    asked = bare[asks.end() : min(granted)]
    found = {one.group() for one in re.finditer(alternation(orders), asked)}
    verb = found.pop() if len(found) == 1 else ""
    return verb if verb and orders[verb] in ACTS else None


def _ordered(verb: str, audited: Audited) -> Held | NotRead:
    """Whether an order says the act by its verb, or by another of its kind; open where an item was not read."""
    ordered, orders = audited.regions.ordered, words("decision", "order")
    if ordered is None or not audited.decision.whole:
        return NotRead("reliefs")
    place = audited.at(ordered.start, ordered.end)
    kind = LIKE.get(orders[verb], orders[verb])
    granted = [one for one in audited.decision.reliefs if one.result != "dismissed"]
    like = next((one for one in granted if one.order and LIKE.get(one.order, one.order) == kind), None)
    if like is not None or verb in ordered.text:
        return Held(True, like.origin if like is not None else place)
    return Held(False, granted[0].origin if granted else place)
