"""What becomes of each of the accused, as templates of scripted actors read it: verdicts, punishments, orders, gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..figures.sums import write_money, write_sum
from ..model.decision import ChargeVerdict, Penalty, Relief
from ..norms.definition import NormSet
from ..norms.material import Recommended
from ..norms.penal import JudgedCharge
from ..norms.penal_combined import JudgedCharges
from .norm_charges import ASKED, JudgedPerson, write_number

YEAR: Final = 12
OUTCOMES: Final = ("undecided", "convicted", "exempt", "not_responsible", "acquitted")
"""What can become of somebody, by what counts first where he is charged with several offences."""


def told_person(norms: NormSet, one: JudgedPerson, words: Mapping[str, str], *, here: bool) -> Mapping[str, Any]:
    """What becomes of one of the accused. `words`: the choice that says each outcome."""
    found = one.judged[ASKED[0]]
    results = {_result(charge.verdict) for charge in found.charges} or {"undecided"}
    result = next(name for name in OUTCOMES if name in results)
    return {
        "name": one.party.name,
        "here": here,
        "result": result,
        "word": words.get(result, words.get("acquitted", "") if result == "not_responsible" else ""),
        "offences": tuple(_charge(norms, charge) for charge in found.charges),
        "orders": tuple(map(_order, found.orders)) if result in ("convicted", "exempt") else (),
        "unchecked": any(kind == "unchecked_norm" for charge in found.charges for kind, _ in charge.thin),
        **{who: _told(one.judged[who], one.asked[who]) for who in ASKED},
    }


def _result(verdict: ChargeVerdict) -> str:
    """What becomes of one charge, in the words for what becomes of a person."""
    return {"open": "undecided", "not_proved": "acquitted"}.get(verdict.result, verdict.result)


def _charge(norms: NormSet, one: JudgedCharge) -> Mapping[str, Any]:
    shown = tuple(dict.fromkeys(exhibit for finding in one.findings for exhibit in finding.by))
    return {
        "charge": one.verdict.charge,
        "result": _result(one.verdict),
        "by": shown,
        "gaps": tuple({"kind": kind, "missing": missing} for kind, missing in one.thin if kind != "discretion"),
        "articles": tuple(f"{cite.law}{cite.article}" for cite in norms.offences[one.norm].cites) if one.norm else (),
    }


def _order(relief: Relief) -> Mapping[str, Any]:
    """What is given back or taken by law beside a punishment."""
    return {
        "order": relief.order or "",
        "amount": write_money(relief.amount.value) if relief.amount is not None else "",
        "object": relief.object,
    }


def borne(persons: Sequence[JudgedPerson]) -> Mapping[str, str]:
    """How much of the loss the convicted bear, per cent, and why; nothing where their shares differ."""
    shares = {
        charge.borne
        for one in persons
        for charge in one.judged[ASKED[0]].charges
        if charge.verdict.result in ("convicted", "exempt")
    }
    share = shares.pop() if len(shares) == 1 else None
    return {"percent": write_sum(share[0]), "why": share[1]} if share is not None else {"percent": "", "why": ""}


def restored(persons: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """What those who are convicted are to give back, or what is taken from them: the same sum or thing once, by all of
    them. Where sums of one kind differ, nobody here can tell how far they are the same loss, and there are none."""
    whose: dict[tuple[str, str, str], list[str]] = {}
    for one in persons:
        for order in one["orders"]:
            whose.setdefault((order["order"], order["amount"], order["object"]), []).append(one["name"])
    sums = [order for order, amount, _ in whose if amount]
    known = ((key, names) for key, names in whose.items() if not key[1] or sums.count(key[0]) == 1)
    return tuple(
        {"order": order, "amount": amount, "object": what, "names": tuple(names)}
        for (order, amount, what), names in known
    )


# ---- punishments -----------------------------------------------------------------------------------------------------
def _told(found: JudgedCharges, asked: Sequence[Recommended | None]) -> Mapping[str, Any]:
    """A punishment in numbers; `settled`: the norms give one; `followed`: its terms are those that were asked for,
    `adopted`: so are probation and fines. `each`: of several offences what each is punished with."""
    punished = [one for one in found.charges if one.verdict.punishment is not None]
    settled = bool(punished) and bool(found.sentences) and all(one.range is not None for one in punished)
    if not settled or any(one.verdict.result == "open" for one in found.charges):
        return {**NOT_SETTLED, "asked": bool(asked)}
    served = found.sentences[0].punishment
    several = len(punished) > 1
    each = [(one.verdict.charge, one.verdict.punishment) for one in punished if one.verdict.punishment is not None]
    wanted = [one for one in asked if one is not None]
    punishments = [*(one for _, one in each), *((served,) if several else ())]
    whole = len(wanted) == len(asked) == len(punishments)
    first = punished[0]
    assert first.range is not None
    return {
        "settled": True,
        "asked": bool(asked),
        "followed": whole and all(any(_follows(one, given) for given in wanted) for one in punishments),
        "adopted": whole and all(any(_adopts(one, given) for given in wanted) for one in punishments),
        **_punishment(served),
        "each": tuple({"charge": charge, **_punishment(one)} for charge, one in each) if several else (),
        **_length("least", first.range.least),
        **_length("most", first.range.most or 0),
        "mains": first.range.main,
        "circumstances": tuple(_circumstances(punished)),
    }


def _circumstances(punished: Sequence[JudgedCharge]) -> Iterator[Mapping[str, Any]]:
    for one in punished:
        for found in one.verdict.circumstances:
            yield {"name": found.name, "article": found.article, "mitigates": found.applied == "mitigate"}


def _follows(found: Penalty, asked: Recommended) -> bool:
    term = found.term
    if term is None or term.months is None:
        return False
    return asked.main == term.name and asked.months <= term.months <= (asked.until or asked.months)


def _adopts(found: Penalty, asked: Recommended) -> bool:
    suspended = found.probation.months if found.probation is not None else None
    fine = found.fine.value if found.fine is not None else None
    return _follows(found, asked) and asked.probation in (None, suspended) and asked.fine in (None, fine)


def _punishment(found: Penalty) -> Mapping[str, Any]:
    term = found.term
    return {
        "main": term.name if term is not None else "",
        **_length("term", (term.months if term is not None else None) or 0),
        **_length("probation", (found.probation.months if found.probation is not None else None) or 0),
        "fine": write_number(getattr(found.fine, "value", None)),
        "confiscated": found.confiscation is not None,
    }


def _length(name: str, months: int) -> Mapping[str, str]:
    """Years and months of a length; "" where there are none."""
    return {f"{name}_years": write_number(months // YEAR), f"{name}_months": write_number(months % YEAR)}


NOT_SETTLED: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("settled", "asked", "followed", "adopted", "confiscated"), False),
    **{"main": "", "fine": "", "mains": (), "circumstances": (), "each": ()},
    **{key: "" for name in ("term", "probation", "least", "most") for key in _length(name, 0)},
}
