"""The argument of a decision as templates read it: facts by the exhibits that show them, defences, what is missing.

Texts alone: who words a judgment puts them into sentences, and has nothing to find or to weigh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from ..figures.ledger import repeated
from ..figures.sums import write_money, write_sum
from ..language.dates import read_day
from ..model.decision import Argument, CourtFinding, Decision, Relief, SaidValue
from .definition import Fact, Need, Norm
from .formulas import names_in
from .sentences import read_event
from .told_words import Told, Wording

_FOUND: Final = ("proved", "in_part", "admitted", "uncontested", "noticed")
_SHOWN: Final = ("proved", "in_part")
_ADMITTED: Final = ("admitted", "uncontested")
_NOTHING: Final[Told] = {"refused": ()}
_CLAIM: Final = "claim"
_SPACES: Final = (_CLAIM, "case")
"""Names in formulas that are no facts: what is known of the claim, and of the case."""


def sentence(text: Iterable[str | SaidValue], wording: Wording) -> str:
    """A sentence with the values in it as they are written."""
    return "".join(one if isinstance(one, str) else _written(one, wording) for one in text)


def _written(value: SaidValue, wording: Wording) -> str:
    text = next(iter(value.values), "")
    match value.kind:
        case "persons":
            return wording.named(value.values)
        case "money":
            return write_money(Decimal(text))
        case "number" | "percent":
            return write_sum(Decimal(text))
        case "day":
            return wording.day(text)
        case "text":
            return text
    return ""


def _payments(value: SaidValue | None, wording: Wording) -> Iterator[Told]:
    """Each payment: its day, its sum, who paid whom; of those that recur how many there were, and what they come to."""
    for text in value.values if value is not None and value.kind == "events" else ():
        day, amount, payer, payee, until = read_event(text)
        first, last = read_day(day), read_day(until) if until else None
        times = len(repeated(first, last)) if first is not None and last is not None else 1
        yield {
            "day": wording.day(day),
            "until": wording.day(until) if until else "",
            "amount": write_money(Decimal(amount)),
            "times": str(times) if times > 1 else "",
            "total": write_money(Decimal(amount) * times),
            "payer": wording.named((payer,)),
            "payee": wording.named((payee,)),
        }


@dataclass
class ArguedParts:
    """The arguments of the reliefs of one decision, told in order: what one has told, the next only recalls."""

    decision: Decision
    wording: Wording
    told: set[tuple[object, ...]] = field(default_factory=set)

    def finding(self, finding: CourtFinding, need: Need | None) -> dict[str, Any]:
        """What a finding says beside its bare result."""
        wording, name = self.wording, finding.id.rpartition("/")[2]
        fact = wording.norms.words.facts.get(name)
        value = finding.value
        rests = names_in(need.otherwise) if need is not None and _by_norm(finding) else ()
        return {
            "said": self._said(fact, finding),
            "value": _written(value, wording) if value is not None else "",
            "payments": tuple(_payments(value, wording)),
            "refused": wording.tendered(finding.against),
            "admitted_by": wording.people(_admitting(finding)),
            "follows": tuple(wording.norms.words.title(one) for one in self._followed(rests, finding)),
            "claimed": _CLAIM in rests,
        }

    def _followed(self, rests: Iterable[str], finding: CourtFinding) -> list[str]:
        """The names that a fact follows from, without those facts that were not found for the same claims."""
        facts = self.wording.norms.words.facts
        found = {
            one.id.rpartition("/")[2]
            for one in self.decision.findings
            if one.result in _FOUND and {*one.about} & {*finding.about}
        }
        return [one for one in dict.fromkeys(rests) if one not in _SPACES and (one in found or one not in facts)]

    def _said(self, fact: Fact | None, finding: CourtFinding) -> str:
        """The words in which a fact is said to be so, with its value in their place."""
        if fact is None or not fact.said or finding.result not in _FOUND:
            return ""
        before, *behind = fact.said
        value = _written(finding.value, self.wording) if finding.value is not None else ""
        return "".join((before, value, *behind)) if value or not behind else ""

    def missing(self, name: str, norm: Norm | None, sides: Mapping[str, Sequence[str]]) -> Told:
        """A fact that nobody showed and that no finding is about."""
        need = norm.needs.get(name) if norm is not None else None
        burden = sides.get(need.burden, ()) if need is not None else ()
        return {"fact": self.wording.norms.words.title(name), "burden": self.wording.people(burden)}

    def argument(self, relief: Relief, norm: Norm | None, findings: Mapping[str, Told]) -> Told:
        """The argument of one relief. `findings`: those of its claim by the names of their facts, as they are told."""
        steps = {one.step: one for one in relief.argued if not one.about}
        rests = steps["rests"].facts if "rests" in steps else tuple(findings)
        ours = [(name, findings[name]) for name in rests if name in findings]
        recalled = [one for name, one in ours if self._is_told(name, one)]
        new = [one for name, one in ours if not self._is_told(name, one) and one["result"] in _FOUND]
        self.told |= {_key(name, one) for name, one in ours}
        lacking = steps["lacking"] if "lacking" in steps else Argument(step="lacking")
        sides = self.sides(relief)
        return {
            "relation": self._once(steps.get("relation")),
            "rule": self._text(steps.get("rule")),
            "rule_cites": self.wording.cited(steps["rule"].cites if "rule" in steps else ()),
            "shown": tuple(self._by_exhibits(new)),
            "rests": tuple(one for _, one in ours if one["result"] in _FOUND),
            "recalled": tuple(one for one in recalled if one["result"] in _FOUND),
            "admitted": tuple(_by_persons(one for one in new if one["result"] in _ADMITTED)),
            "inferred": tuple(one for one in new if one["result"] in _SHOWN and not one["by"]),
            "unproved": tuple(one for _, one in ours if one["result"] == "not_proved" and _tendered(one)),
            "open": tuple(one for _, one in ours if one["result"] == "open"),
            "lacking": tuple(self._lacking(lacking, norm, findings, sides)),
            "payer": self._once(steps.get("payer")),
            "reckoned": self._text(steps.get("reckoned")),
            "spared": self.wording.people(self._spared(relief)),
            "payer_cites": self.wording.cited(steps["payer"].cites if "payer" in steps else ()),
        }

    def _by_exhibits(self, findings: Sequence[Told]) -> Iterator[Told]:
        """Facts that exhibits show, those together that the same ones do; the first of these `opens`, the last
        `closes`."""
        grouped: dict[tuple[str, ...], list[Told]] = {}
        for one in findings:
            if one["by"] and one["result"] in _SHOWN:
                grouped.setdefault(one["by"], []).append(one)
        for by, found in grouped.items():
            exhibits = tuple({**one, "known": self._again(one["id"])} for one in self.wording.tendered(by))
            for place, one in enumerate(found, 1):
                yield {**one, "exhibits": exhibits, "opens": place == 1, "closes": place == len(found)}

    def _lacking(
        self, step: Argument, norm: Norm | None, findings: Mapping[str, Told], sides: Mapping[str, Sequence[str]]
    ) -> Iterator[Told]:
        """Each fact that would have to be shown and is not, with what was tendered for it."""
        for name in step.facts:
            if name not in step.found:
                known = findings.get(name, _NOTHING)
                yield {**self.missing(name, norm, sides), "refused": known["refused"]}

    def sides(self, relief: Relief) -> Mapping[str, Sequence[str]]:
        """Who makes the claims of a relief, and against whom they are."""
        by = {claim.by for claim in self.decision.claims if claim.id in relief.claims}
        parties = [party for party in self.decision.parties if party.side]
        return {
            "claimant": [party.id for party in parties if party.side in by],
            "respondent": [party.id for party in parties if party.side not in by],
        }

    def _text(self, step: Argument | None) -> str:
        return sentence(step.text, self.wording) if step is not None else ""

    def _once(self, step: Argument | None) -> str:
        """A sentence, "" where it was told before."""
        text = self._text(step)
        return "" if self._again(text) else text

    def _again(self, *what: object) -> bool:
        """Whether something was told before; from now on it was."""
        before = what in self.told
        self.told.add(what)
        return before

    def _spared(self, relief: Relief) -> Iterator[str]:
        """Those who are claimed against and need not pay what others must."""
        if relief.payers:
            yield from (person for person in self.sides(relief)["respondent"] if person not in relief.payers)

    def _is_told(self, name: str, finding: Told) -> bool:
        return _key(name, finding) in self.told

    def plea(self, plea: str, norms: Mapping[str, Norm], findings: Mapping[str, Mapping[str, Told]]) -> dict[str, Any]:
        """What a defence needed and why it held or not, by the first claim for which it was weighed.

        `findings`: those of each claim, by the names of their facts.
        """
        weighed = [(_steps_of(relief, plea), relief) for relief in self.decision.reliefs]
        known = [(steps, relief) for steps, relief in weighed if _end(steps) is not None]
        if not known:
            return {"shows": "", "because": "", "tried": (), "lacking": (), "cites": ()}
        steps, relief = max(known, key=lambda one: len(one[0]["shows"].found) if "shows" in one[0] else 0)
        end = _end(steps)
        assert end is not None
        norm, mine = norms.get(relief.norm), findings.get(relief.id, {})
        asked = [name for name in (steps["shows"].facts if "shows" in steps else ()) if norm and name in norm.needs]
        theirs = end.model_copy(update={"facts": tuple(name for name in end.facts if _is_theirs(name, norm))})
        return {
            "shows": self._text(steps.get("shows")),
            "because": self._text(end),
            "tried": tuple(mine[name] for name in asked if name in mine and mine[name]["result"] in _FOUND),
            "lacking": tuple(self._lacking(theirs, norm, mine, self.sides(relief))) if end.step == "failed" else (),
            "cites": self.wording.cited(end.cites),
        }


def _steps_of(relief: Relief, plea: str) -> Mapping[str, Argument]:
    return {one.step: one for one in relief.argued if one.about == plea}


def _end(steps: Mapping[str, Argument]) -> Argument | None:
    """How a defence ended."""
    return steps.get("sustained") or steps.get("failed")


def _is_theirs(name: str, norm: Norm | None) -> bool:
    """Whether those who defend themselves have to show a fact."""
    return norm is None or name not in norm.needs or norm.needs[name].burden != "claimant"


def _by_persons(findings: Iterable[Told]) -> Iterator[Told]:
    """Facts that are admitted, those together that the same persons admit; the first of these `opens`, the last
    `closes`."""
    grouped: dict[str, list[Told]] = {}
    for one in findings:
        grouped.setdefault(repr((one["admitted_by"], one["result"])), []).append(one)
    for found in grouped.values():
        for place, one in enumerate(found, 1):
            yield {**one, "opens": place == 1, "closes": place == len(found)}


def _tendered(finding: Told) -> bool:
    """Whether anything was tendered for a fact, taken or not."""
    return bool(finding["by"] or finding["against"])


def _admitting(finding: CourtFinding) -> tuple[str, ...]:
    """Who admitted a fact."""
    origin = finding.origin
    return (origin.source,) if origin is not None and origin.hand == "admission" else ()


def _by_norm(finding: CourtFinding) -> bool:
    return finding.origin is not None and finding.origin.hand == "norm"


def _key(name: str, finding: Told) -> tuple[object, ...]:
    """What makes two findings of a fact the same."""
    return name, finding["result"], finding["by"], finding["value"], repr(finding["payments"])
