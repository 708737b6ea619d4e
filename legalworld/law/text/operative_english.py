"""A decision as the numbered items of an order in English, which `decision_english` reads back as the same decision.

    operative_english(decision, frame)     # "IT IS ORDERED that\n\n1. The Defendant must pay the Claimant £220.00 ..."

What has no sentence is refused: Unwritable names the part. Nothing is left out of what is written.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from ...model.decision import Amount, Decision, InterestOrder, Relief
from .decision_english import COSTS
from .decision_people import CaseFrame
from .lexicon import table, words
from .operative import Unwritable

TABLE: Final = "operative_english"
READ_BY: Final = "decision_english"
CENT: Final = Decimal("0.01")
MOST_LABEL: Final = 160  # code points of what a sum is for
BREAKS: Final = re.compile(r"[.,;£€$\n]")  # what ends the words for what a sum is for


def operative_english(decision: Decision, frame: CaseFrame) -> str:
    """Return the operative part of a decision in English. Raises Unwritable."""
    for part in ("verdicts", "sentences", "fates", "costs"):
        if getattr(decision, part):
            raise Unwritable(part)
    if not decision.reliefs or decision.remanded:
        raise Unwritable("reliefs")
    writer = _OrderWriter(frame)
    items = [writer.relief(one) for one in decision.reliefs]
    numbered = [_says("number", n=str(at)) + one for at, one in enumerate(items, 1)]
    return "\n\n".join([_says("opens"), *numbered]) + "\n"


def _says(key: str, /, **holes: str) -> str:
    return words(TABLE, "words")[key].format(**holes)


class _OrderWriter:
    """Writes the items of one decision."""

    def __init__(self, frame: CaseFrame) -> None:
        self.frame = frame

    def relief(self, relief: Relief) -> str:
        if relief.result == "dismissed":
            return self.dismissed(relief)
        joint = {"one": "", "jointly": _says("joint")}.get(relief.liability or "")
        if relief.result != "granted" or relief.order != "pay" or joint is None:
            raise Unwritable(f"reliefs/{relief.id}/order")
        payers, payees = self.people(relief.payers), self.people(relief.payees)
        who = {"payers": payers[0].upper() + payers[1:], "payees": payees, "joint": joint}
        deadline = self.deadline(relief)
        if relief.ground == "law":
            if relief.object != COSTS or relief.amount is None or relief.parts or relief.interest:
                raise Unwritable(f"reliefs/{relief.id}/object")
            return _says("costs", sum=self.sum(relief.amount), deadline=deadline, **who)
        return _says(
            "order",
            sums=self.sums(relief),
            interest="".join(map(self.interest, relief.interest)),
            total=_says("total", sum=self.sum(relief.amount)) if relief.parts and relief.amount is not None else "",
            deadline=deadline,
            **who,
        )

    def people(self, ids: Sequence[str]) -> str:
        """Those of the ids: by a title that one of them bears alone, else by title and name."""
        known = {party.id: party for party in self.frame.people}
        if not ids or not set(ids) <= known.keys():
            raise Unwritable("people")
        said = []
        for party in (known[one] for one in ids):
            title = next(iter(party.titles), "")
            alone = [one for one in self.frame.people if title in one.titles]
            if not title or (len(alone) > 1 and len(self.frame.by_name[party.name]) > 1):
                raise Unwritable("people")
            said.append(_says("people" if len(alone) == 1 else "named", title=title, name=party.name))
        return _says("last").join([*([_says("names").join(said[:-1])] if said[1:] else []), said[-1]])

    def sum(self, amount: Amount) -> str:
        sign = words(TABLE, "currency").get(amount.currency)
        if sign is None or amount.value < 0 or amount.value != amount.value.quantize(CENT):
            raise Unwritable("amount")
        return f"{sign}{amount.value:,.2f}"

    def sums(self, relief: Relief) -> str:
        if relief.parts:
            parts = [self.labelled(one.label, one.amount) for one in relief.parts]
        elif relief.amount is not None:
            parts = [self.labelled(relief.object, relief.amount)]
        else:
            raise Unwritable(f"reliefs/{relief.id}/amount")
        return _says("last").join(parts)

    def labelled(self, label: str, amount: Amount) -> str:
        if not label:
            return _says("alone", sum=self.sum(amount))
        if BREAKS.search(label) or not 1 < len(label) <= MOST_LABEL or label != label.strip():
            raise Unwritable("label")
        return _says("part", sum=self.sum(amount), label=label)

    def interest(self, said: InterestOrder) -> str:
        if said.base is not None or said.rate is None or said.per != "year" or said.until or said.formula:
            raise Unwritable("interest")
        since = _says("since", day=self.day(said.since)) if said.since else ""
        so_far = _says("so_far", sum=self.sum(said.so_far)) if said.so_far is not None else ""
        return _says("rate", rate=f"{said.rate:f}") + since + so_far

    def deadline(self, relief: Relief) -> str:
        within = relief.within
        if within is None:
            return ""
        if within.by:
            return _says("by", day=self.day(within.by))
        since = words(TABLE, "since").get(within.since)
        if within.days is None or within.business or since is None:
            raise Unwritable(f"reliefs/{relief.id}/within")
        return _says("within", days=str(within.days), since=since)

    def day(self, iso: str) -> str:
        try:
            on = datetime.date.fromisoformat(iso)
        except ValueError:
            raise Unwritable("day") from None
        months = table(READ_BY)["words"]["months"]
        return _says("day", day=str(on.day), month=months[on.month - 1], year=str(on.year))

    def dismissed(self, relief: Relief) -> str:
        """Claims that are dismissed: one by its words, all of them, or whatever no other item answers."""
        asked = {claim.id: claim.text for claim in self.frame.claims if not claim.costs}
        if relief.rest:
            if relief.claims and set(relief.claims) != asked.keys():
                raise Unwritable(f"reliefs/{relief.id}/claims")
            return _says("dismissed_all" if relief.claims else "dismissed_rest")
        if len(relief.claims) != 1 or relief.claims[0] not in asked:
            raise Unwritable(f"reliefs/{relief.id}/claims")
        about = asked[relief.claims[0]]
        if re.search(r"[.;\n]", about):
            raise Unwritable(f"reliefs/{relief.id}/claims")
        return _says("dismissed", about=about)
