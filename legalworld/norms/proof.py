"""Which facts hold, for one claim: from exhibits that were taken as evidence and from what is admitted.

An admission binds whoever made it. Papers that differ prove as much as they agree on, for whoever bears the burden.
One event in two papers is one, and so is a sum that two papers state alike, of one day or of none. Facts are indexed by
their name once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date
from decimal import Decimal

from ..model.decision import PartOrigin, Proof
from ..model.immutable import immutable
from ..model.numbers import SIGNS
from .definition import Event, Fact, Need, Saying, Value
from .material import AdmittedFacts, CaseMaterial, Tendered

DATE_KEY = "date"


@immutable
class HeldFact:
    """What was found of a fact. `value` None: nothing; `void`: and that is known, so that no comparison with it holds.

    `unclear`: papers state it that differ, or in a currency that cannot be compared, so that no test of it can tell.
    `by`, `against`: exhibits that count, and that do not.
    """

    fact: str
    state: Proof
    value: Value | None = None
    keys: Mapping[str, Value] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    origin: PartOrigin | None = None
    void: bool = False
    unclear: bool = False

    @property
    def proved(self) -> bool:
        """Whether it counts as found."""
        return self.state not in ("not_proved", "open") and self.value not in (None, False)


@immutable
class FactSources:
    """Who states a fact: exhibits and admissions; `foreign`: exhibits that were taken and state a sum in a currency
    that is not the case's."""

    exhibits: tuple[tuple[Tendered, Saying], ...] = ()
    admissions: tuple[tuple[AdmittedFacts, Saying], ...] = ()
    foreign: tuple[str, ...] = ()
    partial: bool = False
    """Whether what nobody states may still be shown by what could not be read."""


def indexed(material: CaseMaterial) -> dict[str, FactSources]:
    """Fact -> who states it, exhibits in order of their ids."""
    exhibits: dict[str, list[tuple[Tendered, Saying]]] = {}
    admissions: dict[str, list[tuple[AdmittedFacts, Saying]]] = {}
    foreign: dict[str, list[str]] = {}
    for exhibit in sorted(material.exhibits, key=lambda one: one.id):
        for fact, said in exhibit.says.items():
            if _is_foreign(said, material.currency):
                foreign.setdefault(fact, []).extend((exhibit.id,) if _counts(exhibit, fact) else ())
            else:
                exhibits.setdefault(fact, []).append((exhibit, said))
    for admission in sorted(material.admissions, key=lambda one: (one.person, one.where)):
        for fact, said in admission.says.items():
            admissions.setdefault(fact, []).append((admission, said))
    return {
        fact: FactSources(
            tuple(exhibits.get(fact, ())),
            tuple(admissions.get(fact, ())),
            tuple(foreign.get(fact, ())),
            material.partial,
        )
        for fact in {**exhibits, **admissions, **foreign}
    }


def _is_foreign(said: Saying, currency: str) -> bool:
    """Whether a sum is said in another currency than the case's: no table of rates makes the two one. What is unclear
    is like it: it is there, and cannot be counted with the rest."""
    if said.unclear:
        return True
    return bool(said.currency) and said.currency != currency and currency not in SIGNS.get(said.currency, ())


def hold(need: Need, fact: Fact, sources: FactSources, sides: tuple[str, Sequence[str]]) -> HeldFact:
    """What holds of a fact. `sides`: who claims, and who are claimed against."""
    counted = [(one, said) for one, said in sources.exhibits if _counts(one, need.fact)]
    shut_out = tuple(one.id for one, _ in sources.exhibits if not _counts(one, need.fact))
    binding = [(one, said) for one, said in sources.admissions if _binds(one, need, sides)]
    shown = _together([said for _, said in counted], need, fact)
    admitted = _together([said for _, said in binding], need, fact)
    by = tuple(one.id for one, _ in counted)
    if sources.foreign and (fact.kind in ("events", "persons") or (shown is None and admitted is None)):
        return HeldFact(need.fact, "open", None, {}, (), (*shut_out, *sources.foreign), unclear=True)
    if shown is None and admitted is None:
        if counted or binding:  # they differ, and neither can be preferred
            return HeldFact(need.fact, _unheld(need, differ=True), None, {}, by, shut_out, unclear=need.takes != "any")
        unread = sources.partial and not need.empty
        shown_by_none: Proof = "open" if unread else _unheld(need)
        return HeldFact(need.fact, shown_by_none, None, {}, (), shut_out, void=need.empty, unclear=unread)
    if admitted is not None and _prevails(admitted, shown, fact):
        first = binding[0][0]
        value = _joined(admitted, shown, fact)
        origin = PartOrigin(hand="admission", source=first.person, detail=first.where or need.fact)
        state: Proof = "uncontested" if all(one.uncontested for one, _ in binding) else "admitted"
        return HeldFact(need.fact, state, value.value, value.keys, by, shut_out, origin)
    assert shown is not None
    source = next((one.id for one, said in counted if said.value == shown.value), by[0])
    in_words = any(one.id == source and need.fact in one.prose for one, _ in counted)
    origin = PartOrigin(hand="text" if in_words else "figure", source=source, detail=need.fact)
    return HeldFact(need.fact, "proved", shown.value, shown.keys, by, shut_out, origin)


def _unheld(need: Need, *, differ: bool = False) -> Proof:
    """A fact that nobody need prove is open where nothing shows it, one that somebody must is not proved."""
    nobody = need.burden in ("noticed", "both")
    return "open" if nobody or (differ and need.takes != "any") else "not_proved"


def _counts(exhibit: Tendered, fact: str) -> bool:
    return exhibit.ruling == "admitted" or (exhibit.ruling == "in_part" and fact in exhibit.taken)


def _binds(admission: AdmittedFacts, need: Need, sides: tuple[str, Sequence[str]]) -> bool:
    """Whether an admission is against whoever made it: what one must prove oneself is only asserted."""
    claimant, others = sides
    match need.burden:
        case "claimant":
            return admission.side in others
        case "respondent":
            return admission.side == claimant
        case "both" | "noticed":
            return admission.side in (claimant, *others)


def _prevails(admitted: Saying, shown: Saying | None, fact: Fact) -> bool:
    """An admission counts as far as it goes; exhibits can show that a sum is higher."""
    if shown is None or fact.kind in ("events", "persons"):
        return True
    if isinstance(admitted.value, Decimal) and isinstance(shown.value, Decimal):
        return admitted.value >= shown.value
    return True


def _joined(admitted: Saying, shown: Saying | None, fact: Fact) -> Saying:
    """Events and persons of both; else what is admitted."""
    if shown is None or fact.kind not in ("events", "persons"):
        return admitted
    return Saying(_union((admitted.value, shown.value)), {**shown.keys, **admitted.keys})


# ---- several sayings -------------------------------------------------------------------------------------------------


def _together(sayings: Sequence[Saying], need: Need, fact: Fact) -> Saying | None:
    """What several sayings come to; None where there are none, or where they differ and nothing is agreed on."""
    if not sayings:
        return None
    if fact.kind in ("events", "persons"):
        return Saying(_union(one.value for one in sayings), sayings[-1].keys)
    match need.takes:
        case "any" | "list":
            agreed = {one.value for one in sayings}
            return sayings[0] if len(agreed) == 1 else None
        case "sum":
            distinct = {(one.value, tuple(sorted(one.keys.items()))): one for one in sayings}  # else it is said twice
            values = [one.value for one in distinct.values() if isinstance(one.value, Decimal)]
            return Saying(sum(values, Decimal(0)), sayings[-1].keys) if len(values) == len(distinct) else None
        case "latest" | "first":
            return _by_day(sayings, last=need.takes == "latest")


def _by_day(sayings: Sequence[Saying], *, last: bool) -> Saying | None:
    """The saying of the latest or the first day; of several of that day the least sum, else the one they agree on."""
    days = [day for one in sayings if isinstance(day := one.keys.get(DATE_KEY), date)]
    if len(days) == len(sayings):
        edge = max(days) if last else min(days)
        sayings = [one for one in sayings if one.keys[DATE_KEY] == edge]
    values = {one.value for one in sayings}
    if len(values) == 1:
        return sayings[0]
    sums = [one for one in sayings if isinstance(one.value, Decimal)]
    dated = [one for one in sayings if isinstance(one.value, date)]
    if len(sums) == len(sayings):
        return min(sums, key=lambda one: one.value)
    if len(dated) == len(sayings) and not days:
        return (max if last else min)(dated, key=lambda one: one.value)
    return None


def _union(values: Iterable[Value]) -> Value:
    """Events or persons of several sayings, each once, in an order of their own."""
    items = [one for value in values if isinstance(value, tuple) for one in value]
    events = [one for one in items if isinstance(one, Event)]
    if events:
        return tuple(sorted(dict.fromkeys(events), key=lambda one: (one.day, one.amount, one.payer, one.payee)))
    return tuple(sorted({one for one in items if isinstance(one, str)}))
