"""A court's decision from norms and the material of a case: each claim by the norm that is for it, or why it cannot be.

What no norm is for, or what turns on a fact that nobody shows and nobody need prove, stays undecided and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from ..figures import ledger
from ..figures.sums import cents
from ..language.sentences.norm_words import ANY_CAUSE
from ..model import formulas as f
from ..model.decision import (
    Act,
    Amount,
    Cite,
    CourtFinding,
    Deadline,
    Decision,
    InterestOrder,
    OrderKind,
    Outcome,
    PartOrigin,
    Relief,
    Thin,
    ThinKind,
)
from ..model.formulas import Expression, InterestClause, Ruling
from ..model.immutable import immutable
from .argue import arguments
from .claims import LETTERS, in_record
from .costs import ACT, AMOUNT, court_costs
from .definition import Gives, Need, Norm, NormSet, Plea
from .findings import AboutClaim, found_facts, found_plea
from .formula_values import JUDGED, Scope, holds, in_force, reckon
from .formulas import names_in
from .liability import liable
from .material import AskedClaim, CaseMaterial
from .proof import FactSources, HeldFact, hold, indexed
from .reckoned import FormulaValue, ReckoningLine, capped
from .review import review, reviews_of
from .spans import interest_in_spans

PAYMENT = "payment"
UNTIL = "until"
WITHIN = "within"
OF_CLAIM = "claim."
"""Before the names of what a claim itself says."""


Spent = dict[tuple[str, str, tuple[str, ...]], Decimal]
"""What a norm has given a side by some facts so far: what is shown once carries no second claim."""


@immutable
class Decided:
    """What became of one claim: its relief, what was found for it, what stayed thin (kind, what is missing)."""

    relief: Relief
    findings: tuple[CourtFinding, ...] = ()
    thin: tuple[tuple[ThinKind, str], ...] = ()


def decide_claims(norms: NormSet, material: CaseMaterial) -> Decision:
    """The decision about every claim that is not of costs alone; parts that could not be decided are named."""
    sources = indexed(material)
    costs = {name for name, head in norms.words.heads.items() if head.costs}
    asked = [one for one in material.claims if one.head not in costs]
    reviewed = {
        one.id: review(norms, norm, material, one) for one in asked for norm in reviews_of(norms, material, one)
    }
    found: dict[str, Decided] = {}
    spent: Spent = {}
    for one in sorted(asked, key=lambda claim: not material.tendered(claim.id.rstrip(LETTERS))):
        act = reviewed.get(one.id)
        reviews = Decided(act.relief, act.findings, act.thin) if act is not None else None
        found[one.id] = reviews or _Claim(norms, (material, sources), one, spent).decided()
    decided = [found[one.id] for one in asked]
    reliefs = tuple(replace_item(one.relief, place) for place, one in enumerate(decided, 1))
    thin = (
        Thin(part=f"reliefs/{place}", kind=kind, missing=missing)
        for place, one in enumerate(decided, 1)
        for kind, missing in one.thin
    )
    return Decision(
        day=str(material.days.get(JUDGED, "")),
        parties=material.parties,
        claims=tuple(in_record(claim, material.currency) for claim in material.claims),
        findings=tuple(finding for one in decided for finding in one.findings),
        reliefs=reliefs,
        act=next((Act(name=act.relief.norm, grounds=act.grounds) for act in reviewed.values()), None),
        costs=court_costs(norms, material, reliefs),
        cites=tuple(dict.fromkeys(cite for relief in reliefs for cite in relief.cites)),
        thin=tuple(thin),
        whole=True,
    )


def replace_item(relief: Relief, place: int) -> Relief:
    return relief.model_copy(update={"id": str(place), "item": str(place)})


class _Claim:
    """One claim on its way to a relief."""

    def __init__(
        self, norms: NormSet, of: tuple[CaseMaterial, Mapping[str, FactSources]], claim: AskedClaim, spent: Spent
    ) -> None:
        self.norms, self.claim, self.spent = norms, claim, spent
        material, self.sources = of
        self.material = material
        self.others = material.others(claim.by)
        self.sides = {"claimant": material.persons(claim.by), "respondent": self.others}
        self.thin: list[tuple[ThinKind, str]] = []

    # ---- which norm --------------------------------------------------------------------------------------------------
    def decided(self) -> Decided:
        if self.material.empty:
            return self._of_nothing()
        found = list(self._applicable())
        if len(found) > 1:
            return self._undecided("no_norm", ", ".join(norm.id for norm, _ in found))
        if found:
            return self._argued(*found[0])
        money = isinstance(self.claim.values.get(AMOUNT), Decimal)
        for norm in self.norms.norms.values():
            if norm.residual and money:  # bills say nothing of a claim for something else
                self.thin.append(("no_norm", self.claim.head))
                return self._argued(norm, self._scope(norm))
        return self._undecided("no_norm", self.claim.head)

    def _argued(self, norm: Norm, scope: Scope) -> Decided:
        """What becomes of the claim by one norm, and the steps to it."""
        decided = self._by(norm, scope)
        steps = arguments(norm, scope, self.claim.head)
        return replace(decided, relief=decided.relief.model_copy(update={"argued": steps}))

    def _of_nothing(self) -> Decided:
        """Undecided as nobody says or admits anything: what the one norm for the claim asks for is missing."""
        norms = [norm for norm in self.norms.norms.values() if self._fits(norm)]
        if len(norms) != 1:
            return self._undecided("read_not_given", "")
        lacking = (name for name in names_in(norms[0].stands) if name in norms[0].needs)
        return self._undecided("open_fact", self._titles(lacking), norms[0])

    def _fits(self, norm: Norm) -> bool:
        return not norm.residual and norm.applies(self.claim.head, self.material.cause, ANY_CAUSE)

    def _applicable(self) -> Iterator[tuple[Norm, Scope]]:
        """The norms for this claim that are in force on their day."""
        for norm in self.norms.norms.values():
            if self._fits(norm):
                scope = self._scope(norm)
                if in_force(norm, scope):
                    yield norm, scope

    # ---- the facts ---------------------------------------------------------------------------------------------------
    def _scope(self, norm: Norm) -> Scope:
        facts = self.norms.words.facts
        sides = (self.claim.by, tuple({party.side for party in self.material.parties} - {self.claim.by, ""}))
        nobody = FactSources(partial=self.material.partial)
        held = {
            name: hold(need, facts[name], self.sources.get(name, nobody), sides) for name, need in norm.needs.items()
        }
        pleaded = frozenset(one.plea for one in self.material.pleas if one.side != self.claim.by)
        scope = Scope(
            *(self.norms, held, norm.reckon, self.claim.values, self.material.days, self.sides, pleaded, norm.id)
        )
        for _ in range(2):  # what holds otherwise may rest on what holds otherwise
            for name, need in norm.needs.items():
                if held[name].value is None:
                    held[name] = self._otherwise(need, held[name], scope)
        scope.known.clear()
        return scope

    def _otherwise(self, need: Need, held: HeldFact, scope: Scope) -> HeldFact:
        """What holds where nobody shows a fact: it is known not to be, or it follows from another."""
        origin = PartOrigin(hand="norm", source=scope.norm, detail=need.fact)
        if need.empty and self.norms.words.facts[need.fact].kind in ("events", "persons"):
            return replace(held, value=(), origin=origin)
        if need.otherwise is None:
            return held
        value = reckon(need.otherwise, scope).value
        if value is None or value is False:
            return held
        follows = not isinstance(need.otherwise, f.BareNumber)
        return replace(held, state="proved" if follows else held.state, value=value, origin=origin)

    def _about(self) -> AboutClaim:
        return AboutClaim(self.claim.id, self.sides, self.norms.words.facts, self.material.currency)

    # ---- one norm ----------------------------------------------------------------------------------------------------
    def _by(self, norm: Norm, scope: Scope) -> Decided:
        findings = found_facts(self._about(), norm, scope)
        if norm.unchecked:
            self.thin.append(("unchecked_norm", norm.id))
        stands = holds(norm.stands, scope)
        if stands.value is None:
            return self._undecided("open_fact", self._titles(stands.missing), norm, findings)
        if stands.value is False:
            if unread := self._unread():
                return self._undecided("read_not_given", ", ".join(unread), norm, findings)
            if norm.residual:
                return self._undecided("open_fact", self._titles(norm.needs), norm, findings)
            return self._not_shown(norm, scope, findings, ())
        if unread := self._unanswered(findings):
            return self._undecided("read_not_given", ", ".join(unread), norm, findings)
        deductions: list[tuple[Plea, FormulaValue]] = []
        for plea in norm.pleas:
            holds_true = plea.id in scope.pleas and self._whether(plea.when, scope)
            if plea.id in scope.pleas:
                findings = (*findings, found_plea(self._about(), plea, holds_true))
            if holds_true and plea.declines:
                return self._undecided("discretion", plea.declines, norm, findings)
            if holds_true and plea.ruling is not None and plea.ruling.order == "dismiss":
                return self._dismissed(norm, findings, plea.cites)
            if holds_true and plea.ruling is not None and plea.ruling.amount is not None:
                deductions.append((plea, reckon(plea.ruling.amount, scope)))
        rows = [row for row in norm.gives if not row.heads or self.claim.head in row.heads]
        for row in rows:
            if self._whether(row.when, scope):
                return self._given(norm, row, scope, (findings, tuple(deductions)))
        unsettled = [holds(row.when, scope) for row in rows]
        missing = tuple(name for one in unsettled if one.value is None for name in one.missing)
        if missing:  # whether any row holds turns on what nobody shows
            return self._undecided("open_fact", self._titles(dict.fromkeys(missing)), norm, findings)
        return self._not_shown(norm, scope, findings, ())

    def _not_shown(
        self, norm: Norm, scope: Scope, findings: tuple[CourtFinding, ...], cites: tuple[Cite, ...]
    ) -> Decided:
        """Dismissed as nothing shows what would carry it; undecided where it may only not have been read."""
        if not self.material.partial and not self._unread():
            return self._dismissed(norm, findings, cites)
        lacking = (name for name in norm.needs if not scope.held[name].proved)
        return self._undecided("open_fact", self._titles(lacking), norm, findings)

    def _unread(self) -> tuple[str, ...]:
        """Exhibits for this claim of which nobody said what they state: one of them may show what is missing."""
        return tuple(one.id for one in self.material.unread(self.claim.id.rstrip(LETTERS), (self.claim.by,)))

    def _unanswered(self, findings: tuple[CourtFinding, ...]) -> tuple[str, ...]:
        """Exhibits of the others that were not read, where this rests on words that were: they may answer it."""
        if not any(one.origin is not None and one.origin.hand == "text" for one in findings):
            return ()
        others = tuple(party.side for party in self.material.parties if party.side != self.claim.by)
        found = self.material.unread(self.claim.id.rstrip(LETTERS), others)
        return tuple(one.id for one in found if not one.says)

    def _whether(self, when: Expression | None, scope: Scope) -> bool:
        """Whether a condition holds; one that is open is passed over and told."""
        found = holds(when, scope)
        if found.value is None:
            self.thin.append(("open_fact", self._titles(found.missing)))
        return found.value is True

    def _titles(self, names: Iterable[str]) -> str:
        return ", ".join(dict.fromkeys(map(self.norms.words.title, names)))

    def _given(
        self,
        norm: Norm,
        row: Gives,
        scope: Scope,
        found: tuple[tuple[CourtFinding, ...], tuple[tuple[Plea, FormulaValue], ...]],
    ) -> Decided:
        findings, deductions = found
        ruling = row.ruling
        if row.declines or (ruling is None and row.form is None):
            return self._undecided("discretion", row.declines, norm, findings)
        if row.discretion:
            self.thin.append(("discretion", row.discretion))
        if ruling is None:
            if not self.claim.values.get(ACT):
                return self._undecided("open_fact", self.norms.words.title(f"claim.{ACT}"), norm, findings)
            return self._granted(norm, scope, (None, None, None), (findings, row.cites, row.form))
        if ruling.order == "dismiss":
            return self._dismissed(norm, findings, row.cites)
        clause = self._interest(ruling.interest, scope, row) if ruling.interest is not None else None
        if isinstance(clause, FormulaValue):
            return self._undecided(*self._gap(clause), norm, findings)
        amount = self._amount(ruling, scope, deductions)
        if amount is not None and amount.number is None:
            return self._undecided(*self._gap(amount), norm, findings)
        bounded = row.form is not None or clause is not None or isinstance(self.claim.values.get(AMOUNT), Decimal)
        if amount is not None and amount.number and not bounded:  # nobody knows what it must not go beyond
            return self._undecided("open_fact", self.norms.words.title(f"claim.{AMOUNT}"), norm, findings)
        cites = (*row.cites, *(cite for plea, _ in deductions for cite in plea.cites))
        return self._granted(norm, scope, (ruling, amount, clause), (findings, cites, row.form))

    def _by_facts(self, norm: str, ruling: Ruling | None) -> tuple[str, str, tuple[str, ...]]:
        """What is reckoned with what: the norm, who claims, the facts that a sum is made of."""
        return norm, self.claim.by, names_in(ruling.amount) if ruling is not None else ()

    def _gap(self, found: FormulaValue) -> tuple[ThinKind, str]:
        return ("discretion", found.declined) if found.declined else ("open_fact", self._titles(found.missing))

    # ---- how much ----------------------------------------------------------------------------------------------------
    def _amount(
        self, ruling: Ruling, scope: Scope, deductions: Sequence[tuple[Plea, FormulaValue]]
    ) -> FormulaValue | None:
        """The sum that is ordered: by the formula, less what was pleaded with reason, never more than is claimed."""
        if ruling.amount is None:
            return None
        found = reckon(ruling.amount, scope)
        self._beside(found)
        if found.number is None:
            return found
        for plea, less in deductions:
            if less.number is None:
                return less
            origin = PartOrigin(hand="norm", source=scope.norm, detail=plea.id)
            line = ReckoningLine(plea.title, "minus", less.number, True, origin)
            found = replace(found, value=found.number - less.number, lines=(*found.lines, line))
        assert found.number is not None
        asked = self.claim.values.get(AMOUNT)
        if spent := self.spent.get(self._by_facts(scope.norm, ruling), Decimal(0)):  # it is owed but once
            origin = PartOrigin(hand="norm", source=scope.norm, detail=self.claim.head)
            line = ReckoningLine(self.norms.words.head(self.claim.head), "minus", spent, True, origin)
            found = replace(found, value=max(found.number - spent, Decimal(0)), lines=(*found.lines, line))
        assert found.number is not None
        if isinstance(asked, Decimal) and cents(found.number) > asked:
            title = self.norms.words.of_claim[AMOUNT].title
            found = capped(found, asked, title, PartOrigin(hand="field", source="claim", detail=self.claim.id))
        assert found.number is not None
        return replace(found, value=max(cents(found.number), Decimal(0)))

    def _beside(self, *found: FormulaValue) -> None:
        """Tell what bounds a value, and what was passed over; what a claim does not ask for bounds nothing."""
        self.thin += [("discretion", told) for one in found for told in one.told if told]
        passed = [name for one in found for name in one.passed if not name.startswith(OF_CLAIM)]
        self.thin += [("open_fact", self._titles([name])) for name in dict.fromkeys(passed)]

    def _interest(self, clause: InterestClause, scope: Scope, row: Gives) -> InterestOrder | FormulaValue:
        """The interest that is ordered; what is missing for it where it cannot be told."""
        base, rate, since = scope.named(clause.base), reckon(clause.rate, scope), reckon(clause.since, scope)
        until = reckon(clause.until, scope) if clause.until is not None else None
        parts: list[FormulaValue] = [base, rate, since, *((until,) if until is not None else ())]
        for gap in parts:
            if gap.value is None:
                return gap
        self._beside(*parts)
        assert base.number is not None and rate.number is not None and isinstance(since.value, date)
        asked_from = self.claim.values.get("from")  # nobody is given interest of days before that
        first = max(since.value, asked_from) if isinstance(asked_from, date) else since.value
        end = until.value if until is not None and isinstance(until.value, date) else None
        asked = self.claim.values.get(UNTIL)
        judged = end or (asked if isinstance(asked, date) else None) or self.material.days.get(JUDGED)
        before = first - timedelta(1)  # the first day bears interest, and so does the last
        so_far = ledger.interest(base.number, rate.number, before, judged) if judged is not None else None
        currency = self.material.currency
        table = self.norms.tables[row.spans] if row.spans else None
        if table is not None and judged is not None:
            so_far = interest_in_spans(base.number, table, row.factor, (before, judged))
        return InterestOrder(
            base=Amount(value=cents(base.number), currency=currency),
            rate=rate.number if table is None else None,
            formula=f"{table.name}*{row.factor}" if table is not None else "",
            per="year",
            since=str(first),
            until=str(end) if end is not None else PAYMENT,
            so_far=Amount(value=so_far, currency=currency) if so_far is not None else None,
            so_far_until=str(judged) if so_far is not None else "",
        )

    # ---- what comes of it --------------------------------------------------------------------------------------------
    def _granted(
        self,
        norm: Norm,
        scope: Scope,
        order: tuple[Ruling | None, FormulaValue | None, InterestOrder | None],
        why: tuple[tuple[CourtFinding, ...], tuple[Cite, ...], OrderKind | None],
    ) -> Decided:
        ruling, amount, clause = order
        findings, cites, form = why
        value = amount.number if amount is not None else None
        if value == 0 and clause is None:
            found = self._not_shown(norm, scope, findings, cites)
            come_to = amount.lines if amount is not None else ()
            written = tuple(line.written(self.material.currency) for line in come_to)
            return replace(found, relief=found.relief.model_copy(update={"reckoning": written}))
        value = value or None  # nothing but interest
        payers, liability, more, why_liable = liable(norm, scope, self.others)
        if form == "declare":  # nobody need pay for what is declared
            payers, liability = (), "open"
        elif not payers:
            return self._undecided("no_payer", self._titles(more), norm, findings)
        currency = self.material.currency
        lines = amount.lines if amount is not None and value is not None else ()
        key = self._by_facts(norm.id, ruling)
        self.spent[key] = self.spent.get(key, Decimal(0)) + (value or Decimal(0))
        relief = Relief(
            id="",
            claims=(self.claim.id,),
            result=self._result(value, clause),
            order=form or ("return" if ruling is not None and ruling.order == "return" else "pay"),
            payers=payers,
            payees=self.sides["claimant"],
            liability=liability,
            object=str(self.claim.values.get(ACT, "")) if form == "do" else "",
            within=self._within(),
            amount=Amount(value=value, currency=currency) if value is not None else None,
            reckoning=tuple(line.written(currency) for line in lines),
            interest=(clause,) if clause is not None else (),
            why=tuple(one.id for one in findings if one.result not in ("not_proved", "open")),
            norm=norm.id,
            cites=tuple(dict.fromkeys((*cites, *why_liable))),
            origin=PartOrigin(hand="norm", source=norm.id),
        )
        return Decided(relief, findings, tuple(dict.fromkeys(self.thin)))

    def _within(self) -> Deadline | None:
        """How long they have who are ordered to do something, where the claim itself says it."""
        days = self.claim.values.get(WITHIN)
        return Deadline(days=int(days)) if isinstance(days, Decimal) else None

    def _result(self, value: Decimal | None, clause: InterestOrder | None) -> Outcome:
        """Granted where it is all that is asked for: the sum, and of interest the rate."""
        asked, rate = self.claim.values.get(AMOUNT), self.claim.values.get("rate")
        if value is None and isinstance(asked, Decimal) and clause is not None and clause.so_far is not None:
            known = isinstance(self.claim.values.get(UNTIL), date)  # else what is asked is up to another day
            value = clause.so_far.value if known else None
        if value is not None and isinstance(asked, Decimal) and value < asked:
            return "in_part"
        if clause is not None and isinstance(rate, Decimal) and clause.rate is not None and clause.rate < rate:
            return "in_part"
        return "granted"

    def _dismissed(self, norm: Norm, findings: tuple[CourtFinding, ...], cites: tuple[Cite, ...]) -> Decided:
        relief = Relief(
            id="",
            claims=(self.claim.id,),
            result="dismissed",
            why=tuple(one.id for one in findings),
            norm=norm.id,
            cites=cites,
            origin=PartOrigin(hand="norm", source=norm.id),
        )
        return Decided(relief, findings, tuple(dict.fromkeys(self.thin)))

    def _undecided(
        self, kind: ThinKind, missing: str, norm: Norm | None = None, findings: tuple[CourtFinding, ...] = ()
    ) -> Decided:
        name = norm.id if norm is not None else ""
        relief = Relief(id="", claims=(self.claim.id,), result="undecided", norm=name)
        return Decided(relief, findings, tuple(dict.fromkeys((*self.thin, (kind, missing)))))
