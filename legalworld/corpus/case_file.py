"""A pair of judgments as a case file: what the parties say open, what the courts found and decided sealed.

Every value is a stretch of one of the two texts, and its place is kept: `places` tells for each path of the case which
judgment it stands in, and from where to where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..law.text.judgment_head import JudgmentParty, Quote, kind_of
from ..law.text.judgments import Exhibit, Judgment
from .own_words import layout, own_words, value_at
from .records import Row

FIRST, SECOND = 1, 2


@dataclass(slots=True)
class CaseMaker:
    """A case in the making."""

    id: str
    case: Row = field(default_factory=dict)
    places: list[Row] = field(default_factory=list)

    def put(self, path: str, quote: Quote | None, of: int, by: str = "rule") -> None:
        """A value at `a.b.c`; nothing where there is none."""
        if quote is None:
            return
        *above, last = path.split(".")
        self._table(above)[last] = quote.text
        self.note(path, quote, of, by)

    def add(self, path: str, quotes: Iterable[Quote], of: int, by: str = "rule") -> None:
        """Values at the end of a list."""
        *above, last = path.split(".")
        for quote in quotes:
            values = self._table(above).setdefault(last, [])
            values.append(quote.text)
            self.note(f"{path}.{len(values) - 1}", quote, of, by)

    def join(self, path: str, quotes: Sequence[Quote], of: int, by: str = "rule") -> None:
        """Several stretches as one text, line by line."""
        if not quotes:
            return
        *above, last = path.split(".")
        self._table(above)[last] = "\n".join(quote.text for quote in quotes)
        for quote in quotes:
            self.note(path, quote, of, by)

    def records(self, path: str, key: str, quotes: Iterable[tuple[Quote, Row]], of: int, by: str = "rule") -> None:
        """Records at the end of a list, each with what else is known of it."""
        *above, last = path.split(".")
        for quote, more in quotes:
            values = self._table(above).setdefault(last, [])
            values.append({**more, key: quote.text})
            self.note(f"{path}.{len(values) - 1}.{key}", quote, of, by)

    def set(self, path: str, value: Any) -> None:
        """A value that the head of a judgment says, or the data; "" is none."""
        *above, last = path.split(".")
        if value:
            self._table(above)[last] = value

    def has(self, path: str) -> bool:
        return bool(value_at(self.case, path))

    def _table(self, above: Sequence[str]) -> Row:
        table = self.case
        for key in above:
            table = table.setdefault(key, {})
        return table

    def note(self, path: str, quote: Quote, of: int, by: str = "rule") -> None:
        """Where a value stands."""
        self.places.append({"path": path, "of": of, "at": [quote.start, quote.end], "by": by})


def case_of(row: Row, first: Judgment, second: Judgment) -> CaseMaker:
    """The case of a pair, as far as rules read it."""
    made = CaseMaker(row["id"])
    made.case |= {"lw": 1, "case": row["id"]}
    _parties(made, first)
    _first(made, row["first"], first)
    _appeal(made, row["second"], second)
    for name, one, of in (("first", first, FIRST), ("second", second, SECOND)):
        to = layout().sealed
        made.set(to.date.format(instance=name), row[name]["date"])
        made.put(to.findings.format(instance=name), one.findings, of)
        made.put(to.opinion.format(instance=name), one.opinion, of)
        made.add(to.disposition.format(instance=name), one.disposition, of)
        made.add(to.articles.format(instance=name), one.articles, of)
        made.put(to.fees.format(instance=name), one.fees, of)
    return made


def title_of(case: Row) -> str:
    """What a case is called: who against whom, about what."""
    words = own_words("case")
    names = []
    for side in layout().sides:
        parties = value_at(case, layout().parties.format(side=side)) or [{}]
        name = parties[0].get("name", "")
        names.append(words["several"].format(name=name) if len(parties) > 1 else name)
    return str(words["title"].format(*names, cause=value_at(case, layout().first.cause) or ""))


def shorts_of(*judgments: Judgment) -> dict[str, list[str]]:
    """What the parties are called for short, by their names."""
    found: dict[str, list[str]] = {}
    for one in judgments:
        for party in one.head.parties:
            if party.short:
                found.setdefault(party.name.text, []).append(party.short)
    return found


def _parties(made: CaseMaker, first: Judgment) -> None:
    words = own_words("mask")
    for side in layout().sides:
        path, letter = layout().parties.format(side=side), layout().letters[side]
        for number, party in enumerate((one for one in first.head.parties if one.side == side), 1):
            known = {"id": f"{letter}{number}", "type": words["kinds"][kind_of(party.name.text)]}
            made.records(path, "name", [(party.name, known)], FIRST)
            record = value_at(made.case, path)[number - 1]
            for key in layout().told:
                if (quote := party.more.get(key)) is not None:
                    record[key] = quote.text
                    made.note(f"{path}.{number - 1}.{key}", quote, FIRST)
            _counsel(made, layout().counsel.format(side=side), party)


def _counsel(made: CaseMaker, path: str, party: JudgmentParty) -> None:
    """Who speaks for a side: of several the first that is named."""
    if party.agent is not None and not made.has(path):
        made.put(f"{path}.name", party.agent, FIRST)
        made.put(f"{path}.firm", party.firm, FIRST)


def _first(made: CaseMaker, row: Row, one: Judgment) -> None:
    to = layout().first
    made.set(to.court, row["court"])
    made.set(to.number, row["number"])
    made.set(to.cause, row["cause"])
    for key, quote in one.docket.items():
        made.put(to.docket.format(key=key), quote, FIRST)
    claims = ((said, {"n": str(n), **_kind(said.text)}) for n, said in enumerate(one.claims, 1))
    made.records(to.claims, "text", claims, FIRST)
    made.put(to.facts, one.facts, FIRST)
    answering = layout().answering
    made.join(to.defence, [said for side, said in one.defences if side == answering], FIRST)
    for side in layout().sides:
        label = layout().labels[side]
        made.records(to.evidence.format(side=side), "name", _exhibits(label, side, one.evidence), FIRST)


def _kind(claim: str) -> Row:
    """What kind of claim it is, where it is for the costs and for no sum."""
    told = own_words("fee_claims")
    costs = any(word in claim for word in told["words"]) and told["sum"] not in claim
    return {"kind": told["kind"]} if costs else {}


def _appeal(made: CaseMaker, row: Row, two: Judgment) -> None:
    to = layout().second
    made.set(to.by, [party.name.text for party in two.head.parties if party.appeals and party.side in layout().sides])
    made.set(to.court, row["court"])
    made.set(to.number, row["number"])
    made.put(to.filed, two.docket.get("filed"), SECOND)
    number = 0
    for side in layout().sides:
        asked = [one for one in two.appeals if one.side == side]
        made.add(to.requests.format(side=side), (request for one in asked for request in one.requests), SECOND)
        reasons = [one.reasons for one in asked if one.reasons is not None]
        made.join(to.reasons.format(side=side), reasons, SECOND)
        answers = [said for whose, said in two.defences if whose == side]
        made.join(to.response.format(side=side), answers, SECOND)
        listed = list(_exhibits(layout().late_label, side, two.evidence, number))
        made.records(to.evidence.format(side=side), "name", listed, SECOND)
        number += len(listed)


def _exhibits(label: str, side: str, evidence: Sequence[Exhibit], after: int = 0) -> Iterator[tuple[Quote, Row]]:
    mine = [one for one in evidence if one.side == side]
    for number, one in enumerate(mine, after + 1):
        yield one.name, {"id": label.format(n=number)} | ({"by": one.by} if one.by else {})
