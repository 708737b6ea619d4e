"""The sentence of one defendant: charges with their punishments, and the punishment to be executed."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from ...model.immutable import immutable
from .lexicon import words
from .times import Date

LIFE, ALL, PART, UNSAID = "life", "all", "part", "unsaid"
# Keys of penalties in the table; the tokens of the patterns bear the same names.
DEATH, DEATH_SUSPENDED, SURVEILLANCE = "death", "death_suspended", "surveillance"
EXEMPT, ADDITIONAL = "exempt", "additional_only"
Term = tuple[int | None, int | None]  # months, days
SLACK: Final = 3  # days: months are of different lengths
UNDECIDED: Final = "several punishments, none decided to be executed"
LONGER_DATES: Final = "the dates of the term are further apart than the term"
UPHELD_UNSAID: Final = "an additional penalty of the earlier judgment is upheld that is not stated here"
UNCLEAR_SHARES: Final = "as many punishments as neither defendants nor charges"


@immutable
class Sentence:
    """One punishment. None is not imposed.

    `penalty` is the main one, by the names of the table. `months` and `days` add up; life and death have neither.
    `fine` is in yuan. `political_rights` is "life" where they are lost for good. `confiscation` of property is "all",
    "part", a sum, or "unsaid". `surveillance_months`: to be served after a term of imprisonment. Dates are ISO.
    """

    penalty: str | None = None
    months: int | None = None
    days: int | None = None
    probation_months: int | None = None
    probation_days: int | None = None
    fine: Decimal | None = None
    political_rights: str | None = None
    political_rights_months: int | None = None
    confiscation: Decimal | str | None = None
    surveillance_months: int | None = None
    commutation_limited: bool = False
    imprisoned_for_good: bool = False
    prohibition_order: bool = False
    deportation: bool = False
    term_from: str | None = None
    term_to: str | None = None

    @property
    def life(self) -> bool:
        return self.penalty == words("verdict", "penalty")[LIFE]

    @property
    def death(self) -> bool:
        """Death, suspended or not."""
        names = words("verdict", "penalty")
        return self.penalty in (names[DEATH], names[DEATH_SUSPENDED])


@immutable
class ChargeCount:
    """One charge; `sentence` None where it has none of its own because it is the final one.

    `prior`: the punishment of an earlier judgment that is combined with the new ones.
    """

    charge: str | None
    sentence: Sentence | None = None
    prior: bool = False


@immutable
class Defendant:
    """`who` None where the text names nobody. `start`, `end`: from the first to the last word about the punishment.

    `carried`: fields of `final` that the decision does not repeat and that come from the counts. `warnings` are for
    people to look at: what the text leaves open is None.
    """

    who: str | None
    start: int
    end: int
    counts: tuple[ChargeCount, ...]
    final: Sentence
    unit: bool = False
    revoke_probation: bool = False
    revoke_parole: bool = False
    carried: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


_OF_MAIN: Final = ("months", "days", "probation_months", "probation_days")

# ---- while reading ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PunishmentDraft:
    """A punishment in the making. `kind` is the key of its main penalty in the table; `sentence` has all but that.

    `alone`: the text says that there is no main penalty. `restated`: what is in it is upheld, and may be said again;
    `kept`: its main penalty was, and has not been said again.
    """

    kind: str | None = None
    alone: bool = False
    sentence: Sentence = field(default_factory=Sentence)
    restated: bool = False
    kept: bool = False

    def impose(self, **parts: Any) -> None:
        """Sets fields of the sentence."""
        self.sentence = replace(self.sentence, **parts)

    @property
    def additional(self) -> bool:
        said = self.sentence
        penalties = (said.fine, said.political_rights, said.political_rights_months, said.confiscation)
        return any(penalty is not None for penalty in penalties) or said.deportation

    @property
    def empty(self) -> bool:
        return self.kind is None and self.sentence.months is None and not self.additional

    def finished(self) -> Sentence:
        kind = self.kind or (ADDITIONAL if self.additional and self.alone else None)
        if kind is None:
            return self.sentence
        months = 0 if kind == EXEMPT else self.sentence.months
        return replace(self.sentence, penalty=words("verdict", "penalty")[kind], months=months)


@dataclass(slots=True)
class _Charge:
    """A charge; `upheld`: it was only said to stay as the earlier judgment has it."""

    name: str | None
    prior: bool = False
    draft: PunishmentDraft = field(default_factory=PunishmentDraft)
    upheld: bool = False


@dataclass(slots=True)
class ConvictedPerson:
    """One defendant while the verdict is read."""

    who: str | None
    start: int
    end: int
    unit: bool = False
    charges: list[_Charge] = field(default_factory=list)
    group: list[_Charge] = field(default_factory=list)  # charges that were named together and are punished together
    named: dict[str | None, _Charge] = field(default_factory=dict)  # the last charge of each name
    waiting: deque[_Charge] = field(default_factory=deque)  # charges that may have no main penalty yet
    decided: PunishmentDraft | None = None
    deciding: bool = False
    prior: bool = False
    outcome: str | None = None  # acquitted, or not responsible
    orders: set[str] = field(default_factory=set)  # fields of a sentence: orders that stand apart from the punishment
    revoke_probation: bool = False
    revoke_parole: bool = False
    dates: tuple[Date, Date] | None = None  # of the term
    upheld_unsaid: bool = False  # a fine or another additional penalty stays that the text does not state
    warnings: list[str] = field(default_factory=list)

    @property
    def sentenced_to_death(self) -> bool:
        return self.target().kind in (DEATH, DEATH_SUSPENDED)

    def suspend_death(self) -> None:
        """A death sentence has no probation: what looks like one is its suspension."""
        self.target().kind = DEATH_SUSPENDED

    @property
    def decided_about(self) -> bool:
        """Whether anything was decided about the person at all."""
        convicted = any(charge.name is not None or not charge.draft.empty for charge in self.charges)
        return convicted or self.outcome is not None or self.decided is not None

    def charge(self, names: Sequence[str], *, upheld: bool = False) -> None:
        """Convicted of these, together."""
        self.deciding = self.prior = False
        self.group = []
        for name in names:
            known = self.named.get(name)
            if known is not None and known.upheld and not upheld:
                said = known.draft
                known.draft = PunishmentDraft(said.kind, False, said.sentence, True, said.kind is not None)
                known.upheld = False
            elif known is None or not known.draft.empty:
                known = self._new(name)
            known.upheld = known.upheld or upheld
            self.group.append(known)
        self.waiting.extend(self.group)

    def earlier(self, charge: str | None) -> None:
        """What follows is the punishment of an earlier judgment."""
        if not self.deciding:
            self.prior = True
            if charge is not None or not self.charges or not self.charges[-1].prior or not self.charges[-1].draft.empty:
                self.group = [_Charge(charge, True)]
                self.charges += self.group

    def decide(self) -> None:
        """What follows is the punishment that is to be executed."""
        self.decided, self.deciding, self.prior = PunishmentDraft(), True, False

    def target(self, index: int = 0) -> PunishmentDraft:
        """The punishment that the next words belong to; `index`: that of which charge of those named together."""
        if self.deciding and self.decided is not None:
            return self.decided
        if not self.group:
            self.group = [self._new(None)]
        return self.group[index].draft

    def main(self, kind: str, term: Term | None = None, index: int = 0) -> None:
        """A main penalty; `term` is None for those that have none."""
        draft = self.target(index)
        if draft.kind is None or draft.kept:
            if draft.kept:
                draft.impose(**dict.fromkeys(_OF_MAIN))
            draft.kind, draft.kept = kind, False
            if term is not None or draft.sentence.months is not None:
                months, days = term or (None, None)
                draft.impose(months=months, days=days)
        elif self.deciding and kind == SURVEILLANCE:
            draft.impose(surveillance_months=term[0] if term is not None else None)
        elif not self.deciding:
            while self.waiting and self.waiting[0].draft.kind is not None:
                self.waiting.popleft()
            self.group = [self.waiting.popleft() if self.waiting else self._new(None)]
            self.main(kind, term)

    def _new(self, name: str | None) -> _Charge:
        charge = _Charge(name)
        self.charges.append(charge)
        self.named[name] = charge
        return charge

    def defendant(self) -> Defendant:
        """All of it, with the final punishment worked out."""
        self.charges = [charge for charge in self.charges if charge.name is not None or not charge.draft.empty]
        final, carried = self._final()
        final.impose(**dict.fromkeys(self.orders, True))
        if self.dates is not None:
            since, until = self.dates
            final.impose(term_from=since.iso, term_to=until.iso)
            if _longer(since, until, final.sentence):
                self.warnings.append(LONGER_DATES)
        said = final.sentence
        if self.upheld_unsaid and None is said.fine is said.confiscation:
            self.warnings.append(UPHELD_UNSAID)
        own = self.decided is not None or sum(not charge.draft.empty for charge in self.charges) > 1
        counts = tuple(
            ChargeCount(charge.name, charge.draft.finished() if own and not charge.draft.empty else None, charge.prior)
            for charge in self.charges
            if charge.name is not None or own
        )
        outcome = counts, final.finished(), self.unit, self.revoke_probation, self.revoke_parole
        return Defendant(self.who, self.start, self.end, *outcome, carried, tuple(dict.fromkeys(self.warnings)))

    def _final(self) -> tuple[PunishmentDraft, tuple[str, ...]]:
        if self.decided is not None:
            return self.decided, self._carry(self.decided)
        drafts = [charge.draft for charge in self.charges if not charge.draft.empty]
        if not drafts:
            return PunishmentDraft(self.outcome), ()
        if len(drafts) > 1:
            self.warnings.append(UNDECIDED)
            return PunishmentDraft(), ()
        return drafts[0], ()

    def _carry(self, decided: PunishmentDraft) -> tuple[str, ...]:
        """Additional penalties of the counts that the decision leaves out: they are executed too (刑法 69)."""
        carried: dict[str, Any] = {}
        sentences = [charge.draft.sentence for charge in self.charges]
        fines = [sentence.fine for sentence in sentences if sentence.fine is not None]
        if decided.sentence.fine is None and fines:
            carried["fine"] = sum(fines, Decimal(0))
        for name in ("political_rights", "political_rights_months", "confiscation"):
            imposed = [value for sentence in sentences if (value := getattr(sentence, name)) is not None]
            rights = carried.get("political_rights", decided.sentence.political_rights)
            if len(imposed) == 1 and rights is None and getattr(decided.sentence, name) is None:
                carried[name] = imposed[0]
        decided.impose(**carried)
        return tuple(carried)


def _longer(since: Date, until: Date, sentence: Sentence) -> bool:
    """Whether more than the term lies between two days; less may: days in custody count."""
    if None in (since.year, since.month, since.day, until.year, until.month, until.day) or sentence.months is None:
        return False
    between = ((until.year or 0) - (since.year or 0)) * 12 + (until.month or 0) - (since.month or 0)
    days = (until.day or 0) - (since.day or 0) + 1
    return between * 31 + days > sentence.months * 31 + (sentence.days or 0) + SLACK
