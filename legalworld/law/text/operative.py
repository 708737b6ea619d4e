"""A decision as the sentences of its operative part, which `decisions` reads back as the same decision.

    operative(decision, frame)             # "一、被告……；\n二、驳回……。", and the costs on a line of their own

What has no sentence is refused: Unwritable names the part. Nothing is left out of what is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...model.decision import (
    Amount,
    ChargeVerdict,
    CostItem,
    Decision,
    Fate,
    InterestOrder,
    Length,
    Penalty,
    Relief,
    ServedSentence,
)
from .decision_items import APPEAL
from .decision_people import CaseFrame
from .lexicon import words
from .numerals import spelled

TABLE: Final = "operative"
JUDGMENT: Final = "judgment"
MONTHS: Final = 12


class Unwritable(ValueError):
    """A part of a decision that no sentence says; `part` is its path."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


def operative(decision: Decision, frame: CaseFrame, wording: str = JUDGMENT) -> str:
    """The operative part of a decision, and its costs. Raises Unwritable."""
    writer = _Writer(decision, frame, wording)
    items = list(writer.items())
    if not items:
        raise Unwritable("reliefs")
    said = writer.says
    numbered = [f"{said('number', n=spelled(at))}{one}" for at, one in enumerate(items, 1)] if len(items) > 1 else items
    ordered = f"{words(TABLE, JUDGMENT)['items']}\n".join(numbered) + words(TABLE, JUDGMENT)["end"]
    costs = "".join(writer.cost(one) for one in decision.costs)
    return f"{ordered}\n\n{costs}\n" if costs else f"{ordered}\n"


class _Writer:
    """Writes the parts of one decision."""

    def __init__(self, decision: Decision, frame: CaseFrame, wording: str) -> None:
        self.decision, self.frame, self.wording = decision, frame, wording

    def says(self, name: str, **holes: str) -> str:
        """A sentence of the table with its holes filled."""
        return words(TABLE, JUDGMENT)[name].format(**holes)

    def items(self) -> Iterator[str]:
        """The items in order: those about people accused, then what becomes of items below, then the reliefs."""
        for person in dict.fromkeys(one.person for one in self.decision.verdicts):
            yield self.judged(person)
        changed = {fate.by for fate in self.decision.fates if fate.result == "changed"}
        for fate in self.decision.fates:
            yield self.fate(fate)
        if self.decision.remanded:
            yield self.says("remanded")
        for relief in self.decision.reliefs:
            if relief.item not in changed:
                yield self.relief(relief)

    # ---- people and sums

    def people(self, ids: Sequence[str]) -> str:
        known = {party.id: party for party in self.frame.people}
        if not ids or not set(ids) <= known.keys():
            raise Unwritable("people")
        parties = [known[one] for one in ids]
        titles = {party.titles[:1] for party in parties}
        joint = words(TABLE, JUDGMENT)["names"]
        if len(titles) == 1:
            return "".join(titles.pop()) + joint.join(party.name for party in parties)
        return joint.join("".join(party.titles[:1]) + party.name for party in parties)

    def sum(self, amount: Amount) -> str:
        unit = words(TABLE, "currency").get(amount.currency)
        if unit is None or amount.value < 0:
            raise Unwritable("amount")
        return f"{amount.value:f}{unit}"

    # ---- reliefs

    def relief(self, relief: Relief) -> str:
        if relief.result == "dismissed":
            return self.dismissed(relief)
        if relief.result != "granted":
            raise Unwritable(f"reliefs/{relief.id}/result")
        if relief.order in ("annul", "redo", "declare", "change", "confirm"):
            return relief.object
        verb = words(TABLE, "verb").get(relief.order or "")
        if verb is None or relief.liability not in ("one", "jointly"):
            raise Unwritable(f"reliefs/{relief.id}/order")
        return self.says(
            "order",
            payers=self.people(relief.payers),
            deadline=self.deadline(relief),
            joint=self.says("joint") if relief.liability == "jointly" else "",
            verb=verb,
            payees=self.people(relief.payees),
            object="" if relief.parts else relief.object,
            sums=self.sums(relief),
            interest="".join(map(self.interest, relief.interest)),
        )

    def deadline(self, relief: Relief) -> str:
        within = relief.within
        if within is None:
            return ""
        if within.days is None or within.business or within.since not in words(TABLE, "since"):
            raise Unwritable(f"reliefs/{relief.id}/within")
        paper, since = words(TABLE, "paper")[self.wording], words(TABLE, "since")[within.since]
        return self.says("deadline", paper=paper, since=since, days=spelled(within.days))

    def sums(self, relief: Relief) -> str:
        if not relief.parts:
            return self.sum(relief.amount) if relief.amount is not None else ""
        joint = words(TABLE, JUDGMENT)["names"]
        parts = joint.join(self.says("part", label=one.label, sum=self.sum(one.amount)) for one in relief.parts)
        return parts + (self.says("total", sum=self.sum(relief.amount)) if relief.amount is not None else "")

    def interest(self, said: InterestOrder) -> str:
        until = words(TABLE, "until").get(said.until) or (self.day(said.until) if said.until[:1].isdigit() else "")
        if said.base is None or said.rate is None or said.per != "year" or not said.since or not until:
            raise Unwritable("interest")
        rate = self.says("year_rate", rate=f"{said.rate:f}")
        return self.says("interest", base=self.sum(said.base), since=self.day(said.since), until=until, rate=rate)

    def day(self, iso: str) -> str:
        year, month, day = (str(int(part)) for part in iso.split("-"))
        return self.says("day", year=year, month=month, day=day)

    def dismissed(self, relief: Relief) -> str:
        if relief.object == APPEAL:
            raise Unwritable(f"reliefs/{relief.id}/object")
        kind = words(TABLE, "kind")[self.wording]
        name = "dismissed" if relief.claims else "dismissed_rest"
        return self.says(name, people=self.people(relief.payees), kind=kind)

    def fate(self, fate: Fate) -> str:
        if fate.result == "kept" and not fate.item:
            return self.says("kept_all")
        number = self.decision.below_number
        if fate.result == "annulled" and not fate.item:
            return self.says("annulled_all", number=number)
        if fate.result == "open" or not fate.item.isdecimal():
            raise Unwritable("fates")
        said = self.says(fate.result, number=number, item=spelled(int(fate.item)))
        if fate.result != "changed":
            return said
        relief = next((one for one in self.decision.reliefs if one.item == fate.by), None)
        if relief is None:
            raise Unwritable("fates")
        return said + self.relief(relief)

    # ---- verdicts

    def judged(self, person: str) -> str:
        """All that is decided of one who is accused."""
        counts = [one for one in self.decision.verdicts if one.person == person]
        first = counts[0]
        named = self.people((person,))
        if first.result == "acquitted":
            return self.says("acquitted", person=named)
        if first.result == "exempt" and len(counts) == 1:
            return self.says("exempt", person=named, charge=first.charge)
        if any(one.result != "convicted" or one.prior for one in counts):
            raise Unwritable(f"verdicts/{person}")
        said = self.says("verdict", person=named, charge=first.charge, penalty=self.own(first))
        said += "".join(self.says("more", charge=one.charge, penalty=self.own(one)) for one in counts[1:])
        return said + (self.says("combined", penalty=self.served(person)) if len(counts) > 1 else "")

    def own(self, verdict: ChargeVerdict) -> str:
        if verdict.punishment is None:
            raise Unwritable(f"verdicts/{verdict.person}/punishment")
        return self.says("sentenced", term=self.term(verdict.punishment)) + self.further(verdict.punishment)

    def served(self, person: str) -> str:
        found: list[ServedSentence] = [one for one in self.decision.sentences if one.person == person]
        if len(found) != 1:
            raise Unwritable(f"sentences/{person}")
        return self.term(found[0].punishment) + self.further(found[0].punishment)

    def term(self, penalty: Penalty) -> str:
        term = penalty.term
        if term is None or term.kind == "none" or term.days:
            raise Unwritable("term")
        return term.name + (self.length(Length(months=term.months)) if term.kind == "months" else "")

    def further(self, penalty: Penalty) -> str:
        """What is imposed beside the main penalty."""
        if penalty.confiscation is not None:
            raise Unwritable("confiscation")
        said = self.says("probation", length=self.length(penalty.probation)) if penalty.probation is not None else ""
        if penalty.rights is not None:
            rights = self.says("for_life") if penalty.rights.life else self.length(penalty.rights)
            said += self.says("rights", length=rights)
        return said + (self.says("fine", sum=self.sum(penalty.fine)) if penalty.fine is not None else "")

    def length(self, length: Length) -> str:
        if not length.months or length.days:
            raise Unwritable("length")
        years, months = divmod(length.months, MONTHS)
        said = self.says("years", n=spelled(years)) if years else ""
        return said + (self.says("months", n=spelled(months)) if months else "")

    # ---- costs

    def cost(self, cost: CostItem) -> str:
        """A fee with its shares, as a sentence."""
        if cost.amount is None or cost.halved or any(share.amount is None for share in cost.shares) or not cost.shares:
            raise Unwritable(f"costs/{cost.item}")
        shares = self.says("each").join(
            self.says("borne", people=self.people(share.persons), sum=self.sum(share.amount))
            for share in cost.shares
            if share.amount is not None
        )
        return self.says("cost", item=cost.item, sum=self.sum(cost.amount), shares=shares) + self.says("end")
