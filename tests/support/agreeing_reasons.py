"""Whether the reasons of a civil judgment agree with what the court did: with its rulings on exhibits, what the parties
held of these, who tendered them, the defences, what became of each claim, the sums, and the articles it decides by.

    disagreements(game, case)    # one line for each, () for none

Read from the text and the events of a run alone; it shares nothing with the templates or with `norms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from playing import Game

from legalworld.model.case import Case
from legalworld.model.decision_parts import PartDecided
from legalworld.model.events import Captured, Drafted

SIDES = {"plaintiff": "原告", "defendant": "被告"}
RULINGS = {"采信": "已予采信", "部分采信": "已部分采信"}
OPINIONS = {"认可": "没有异议", "部分认可": "部分认可", "不认可": "不予认可"}
OUTCOMES = {
    "granted": ("应予支持",),
    "in_part": ("超出部分",),
    "dismissed": ("不予支持",),
    "undecided": ("不作处理",),
}
_ISSUE = re.compile(r"关于争议焦点[一二三四五六七八九十]+，")
_OPENED = re.compile(r"(原告|被告)提交的((?:原|被)证\d+)([^；。]*)")
_REFUSED = re.compile(r"((?:原|被)证\d+)(没有采信|只部分采信)")
_CLAIM = re.compile(r"原告的第(\d+)项诉讼请求")
_LINE = re.compile(r"(减|乘以|除以|以|加)?([^\d，；]*?)(\d+(?:\.\d+)?)(元)?(为限)?(?=[，；])")
_CITED = re.compile(
    r"《[^》]+》(?:第[一二三四五六七八九十百千]+条(?:第[一二三四五六七八九十]+款)?(?:第[一二三四五六七八九十]+项)?、?)+"
)
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Judgment:
    """A first judgment with what was done before it was written."""

    game: Game
    case: Case

    @cached_property
    def text(self) -> str:
        return next(one.text for one in self.game.of(Drafted) if one.document == "first_judgment")

    @cached_property
    def reasons(self) -> str:
        return self.text.partition("本院认为，")[2].partition("判决如下")[0]

    @cached_property
    def issues(self) -> tuple[str, ...]:
        """What is said of each issue; of the last without the articles by which the court decides."""
        return tuple(_ISSUE.split(self.reasons.partition("\n依照")[0])[1:])

    @cached_property
    def orders(self) -> str:
        return self.text.partition("判决如下")[2]

    def answers(self, name: str) -> Mapping[str, str]:
        """The answers of a name about exhibits, by their ids."""
        found = {}
        for one in self.game.of(Captured):
            if one.name == name and one.about.startswith("evidence/"):
                _, side, place = one.about.split("/")
                found[str(self.case.fields["evidence"].values[side][int(place)]["id"])] = str(one.value)  # type: ignore[union-attr]
        return found

    @cached_property
    def decided(self) -> Mapping[str, str]:
        """Claim -> what became of it, but for the costs."""
        parts = [one for one in self.game.of(PartDecided) if one.part == "results" and one.decision == "first_decision"]
        return {relief["claims"][0]: relief["result"] for one in parts for relief in one.filled["reliefs"]}

    @cached_property
    def ordered(self) -> Mapping[str, Any]:
        parts = [one for one in self.game.of(PartDecided) if one.part == "orders" and one.decision == "first_decision"]
        return {claim: one for part in parts for one in part.filled["reliefs"] for claim in one.get("claims", ())}


def disagreements(game: Game, case: Case) -> tuple[str, ...]:
    judgment = Judgment(game, case)
    return tuple(f"{check.__name__}: {found}" for check in CHECKS for found in check(judgment))


def _exhibits(judgment: Judgment) -> Iterator[str]:
    """An exhibit is its side's, the other side held of it what it said, and it was ruled on as is told."""
    rulings, opinions = judgment.answers("ruling"), judgment.answers("opinion")
    sides = {str(one["id"]): side for side, all_ in judgment.case.fields["evidence"].values.items() for one in all_}  # type: ignore[union-attr]
    opened = list(_OPENED.finditer(judgment.reasons))
    for side, exhibit, told in (one.groups() for one in opened):
        if SIDES[sides.get(exhibit, "")] != side:
            yield f"{exhibit} is not of the side {side}"
        if RULINGS.get(rulings.get(exhibit, ""), "?") not in told:
            yield f"{exhibit} was {rulings.get(exhibit)}: {told}"
        if (exhibit in opinions and "对方" not in told) or OPINIONS.get(opinions.get(exhibit, ""), "") not in told:
            yield f"{exhibit} was {opinions.get(exhibit)}: {told}"
    granted = any(one in ("granted", "in_part") for one in judgment.decided.values())
    if granted and not opened and "承认：" not in judgment.reasons and "没有争议：" not in judgment.reasons:
        yield "facts are found by no exhibit"


def _refused(judgment: Judgment) -> Iterator[str]:
    rulings = judgment.answers("ruling")
    for exhibit, told in _REFUSED.findall(judgment.reasons):
        if {"没有采信": "不予采信", "只部分采信": "部分采信"}[told] != rulings.get(exhibit):
            yield f"{exhibit} was {rulings.get(exhibit)}, told: {told}"


def _defences(judgment: Judgment) -> Iterator[str]:
    """Each defence that was noted as an issue is answered with an end, and what the defendant wrote is answered."""
    noted = [one for one in judgment.game.of(Captured) if one.name == "disputes"]
    for title in noted[-1].value if noted else ():
        if "抗辩" in title:
            told = next((one for one in judgment.issues if one.startswith(str(title))), "")
            if not re.search(r"因此，这一抗辩[^。]*成立|不作认定|不必再作认定", told):
                yield f"no answer to: {title}"
    positions = judgment.case.fields.get("defence")
    written = positions is not None and positions.values.get("defendant")  # type: ignore[union-attr]
    if written and not re.search("没有列为抗辩的其他意见|关于这些意见", judgment.reasons):
        yield "what is written in defence has no answer"


def _claims(judgment: Judgment) -> Iterator[str]:
    """Each claim is argued once, to the end that it has."""
    argued = {found[1]: one for one in judgment.issues if (found := _CLAIM.match(one))}
    for claim, result in judgment.decided.items():
        if claim in argued and not any(word in argued[claim] for word in OUTCOMES[result]):
            yield f"claim {claim} is {result}: {argued[claim][-60:]}"
    for claim in judgment.ordered:
        if claim not in argued:
            yield f"claim {claim} is ordered and not argued"


def _sums(judgment: Judgment) -> Iterator[str]:
    """What the reasons come to for a claim is what is ordered for it."""
    for one in judgment.issues:
        found = _CLAIM.match(one)
        order = judgment.ordered.get(found[1]) if found else None
        amount = (order or {}).get("amount")
        if amount is None:
            continue
        said = re.findall(r"应付(\d+(?:\.\d+)?)元", one) + re.findall(r"，支持(\d+(?:\.\d+)?)元", one)
        if not said or Decimal(said[-1]) != Decimal(amount["value"]):
            yield f"claim {found[1]} comes to {said}, ordered {amount['value']}"  # type: ignore[index]


def _reckonings(judgment: Judgment) -> Iterator[str]:
    """A reckoning that is written out comes to what is due behind it."""
    for told, due in re.findall(r"数额的计算：(.*?；)应付(\d+(?:\.\d+)?)元", judgment.reasons):
        total = Decimal(0)
        for operation, _, number, _, _ in _LINE.findall(told):
            value = Decimal(number)
            total = {
                "减": total - value,
                "乘以": total * value,
                "除以": total / value if value else total,
                "以": min(total, value),
            }.get(operation, total + value)
        if abs(total - Decimal(due)) > CENT:
            yield f"{told} comes to {total}, not {due}"


def _articles(judgment: Judgment) -> Iterator[str]:
    """What a court decides by, but for the articles on procedure, it has named in its reasons."""
    last = judgment.text.partition("本院认为，")[2].partition("\n依照")[2].partition("判决如下")[0]
    argued = set(_each_cited(judgment.reasons.partition("\n依照")[0]))
    decided = [one for one in _each_cited(last) if "民事诉讼法" not in one[0]]
    yield from (f"decided by {one}, not argued" for one in decided if one not in argued)
    if any(result in ("granted", "in_part") for result in judgment.decided.values()) and not decided:
        yield "decided by no article"


def _each_cited(text: str) -> Iterator[tuple[str, str]]:
    for found in _CITED.findall(text):
        law, _, articles = found.partition("》")
        yield from ((law, one) for one in articles.split("、") if one)


CHECKS = (_exhibits, _refused, _defences, _claims, _sums, _reckonings, _articles)
