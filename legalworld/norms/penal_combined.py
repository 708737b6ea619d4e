"""All charges of a case: one verdict each, what each person serves for all of his, what is given back or taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..model.decision import Amount, ChargeVerdict, Length, Penalty, PersonId, Relief, ServedSentence, Term, ThinKind
from ..model.immutable import immutable
from .definition import NormSet, SentencingRules
from .material import CaseMaterial, Recommended
from .penal import JudgedCharge, decide_charge
from .penal_parts import Combination
from .penal_point import WHOLE


@immutable
class JudgedCharges:
    """The verdicts of a case, what each convicted person serves, and what is ordered by law beside it.

    `thin`: for each person whose sentences were combined what is a matter of discretion, or why they could not be.
    """

    charges: tuple[JudgedCharge, ...]
    sentences: tuple[ServedSentence, ...]
    orders: tuple[Relief, ...]
    thin: tuple[tuple[PersonId, ThinKind, str], ...] = ()


def decide_charges(norms: NormSet, material: CaseMaterial) -> JudgedCharges:
    """What becomes of every charge, and of everybody charged."""
    charges = tuple(decide_charge(norms, material, charge) for charge in material.charges)
    sentences: list[ServedSentence] = []
    thin: list[tuple[PersonId, ThinKind, str]] = []
    for person in dict.fromkeys(one.person for one in material.charges):
        convicted = [
            one.verdict for one in charges if one.verdict.person == person and one.verdict.punishment is not None
        ]
        if not convicted or norms.sentencing is None:
            continue
        served, told = _served(norms.sentencing, person, convicted, material.combined.get(person))
        sentences += served
        thin += [(person, kind, missing) for kind, missing in told]
    orders = tuple(_together(tuple(order for one in charges for order in one.orders)))
    return JudgedCharges(charges, tuple(sentences), orders, tuple(thin))


def _served(
    rules: SentencingRules, person: PersonId, verdicts: Sequence[ChargeVerdict], asked: Recommended | None
) -> tuple[list[ServedSentence], list[tuple[ThinKind, str]]]:
    punishments = [one.punishment for one in verdicts if one.punishment is not None]
    if len(punishments) == 1:
        return [ServedSentence(person=person, punishment=punishments[0])], []
    combination = rules.combination
    if combination is None:
        return [], [("no_norm", rules.titles.get("combination", "combination"))]
    terms = [one.term for one in punishments if one.term is not None]
    life = next((one for one in terms if one.kind != "months"), None)
    fine = _fines(punishments)
    if life is not None:
        return [ServedSentence(person=person, punishment=Penalty(term=life, fine=fine))], []
    served, chosen = [], False
    for name, months in _by_kind(combination, terms).items():
        low, high = combined_range(combination, name, months)
        told = asked is not None and asked.main == name and low <= asked.months <= high
        point = asked.months if told and asked is not None else low + int((high - low) * combination.share / WHOLE)
        chosen = chosen or (low < high and not told)
        served.append(Penalty(term=Term(kind="months", name=name, months=point)))
    first = served[0].model_copy(update={"fine": fine, "probation": _probation(rules, punishments, served, asked)})
    rest = [ServedSentence(person=person, punishment=one) for one in served[1:]]
    return [ServedSentence(person=person, punishment=first), *rest], [("discretion", "")] if chosen else []


def _by_kind(combination: Combination, terms: Sequence[Term]) -> dict[str, list[int]]:
    """The months of each kind of penalty; a kind that another replaces is left out beside it."""
    months: dict[str, list[int]] = {}
    for term in terms:
        months.setdefault(term.name, []).append(term.months or 0)
    gone = {name for kind, names in combination.instead.items() if kind in months for name in names}
    return {name: found for name, found in months.items() if name not in gone}


def combined_range(combination: Combination, name: str, months: Sequence[int]) -> tuple[int, int]:
    """From the longest to the sum, up to the most of the kind; one alone is itself."""
    if len(months) == 1:
        return months[0], months[0]
    total, longest = sum(months), max(months)
    over = combination.total and total >= combination.total
    most = (combination.over if over else combination.most).get(name, combination.most.get(name, longest))
    return longest, max(min(total, most), longest)


def _probation(
    rules: SentencingRules, all_of: Sequence[Penalty], served: Sequence[Penalty], asked: Recommended | None
) -> Length | None:
    """Probation of the whole, where each offence has it and the whole is short enough: as recommended, or the longest
    of theirs."""
    term = served[0].term
    months = term.months or 0 if term is not None else 0
    each = [one.probation.months or 0 for one in all_of if one.probation is not None]
    if term is None or len(each) < len(all_of) or len(served) > 1 or months > rules.probation_most:
        return None
    least, most = rules.lengths.get(term.name, (months, max(each)))
    wanted = asked.probation if asked is not None and asked.probation is not None else max(each)
    return Length(months=min(max(wanted, months, least), most)) if most >= months else None


def _fines(punishments: Sequence[Penalty]) -> Amount | None:
    """All fines together."""
    fines = [one.fine for one in punishments if one.fine is not None]
    total = sum((one.value for one in fines), Decimal(0))
    return Amount(value=total, currency=fines[0].currency) if fines else None


def _together(orders: Sequence[Relief]) -> Iterator[Relief]:
    """Orders on the same sum or thing against several persons as one that binds them jointly."""
    groups: dict[tuple[object, ...], list[Relief]] = {}
    for one in orders:
        groups.setdefault((one.order, one.amount, one.object, one.norm, one.cites), []).append(one)
    for place, group in enumerate(groups.values(), 1):
        payers = tuple(dict.fromkeys(person for one in group for person in one.payers))
        jointly = "jointly" if len(payers) > 1 else "one"
        yield group[0].model_copy(update={"id": str(place), "item": str(place), "payers": payers, "liability": jointly})
