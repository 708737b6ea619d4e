"""Verdicts and sentences as checks see them: the range of the charge, what the reasons say, what was decided below."""

from __future__ import annotations

import datetime
from decimal import Decimal

from ...law.text.lexicon import endings, pattern, words
from ...model.decision import ChargeVerdict, Decision, PartOrigin, ServedSentence
from .audited import Audited
from .definition import Offence, Tier
from .schema import Held, Node, NotRead
from .view_decided import indicted
from .view_reasons import reasons_of_guilt

SECOND = 2
SLACK = 3  # days: months are of different lengths
MONTHS_OF_LIFE = 1_200


def verdicts_view(audited: Audited) -> tuple[Node, ...]:
    return tuple(_verdict(one, audited) for one in audited.decision.verdicts)


def _verdict(verdict: ChargeVerdict, audited: Audited) -> Node:
    at = verdict.origin
    offence = next((one for one in audited.offences if one.charge == verdict.charge), None)
    tier = _tier(offence, audited.before) if offence is not None else None
    place = _tier_place(tier, audited)
    least, most = _range(offence, tier, place)
    fine = verdict.punishment.fine if verdict.punishment is not None else None
    values: dict[str, Held | NotRead] = {
        "person": Held((verdict.person,), at) if verdict.person else NotRead("person"),
        "charge": Held(verdict.charge, at) if verdict.charge else NotRead("charge"),
        "result": Held(verdict.result, at),
        "months": _months(verdict),
        "least": least,
        "most": most,
        "fine": Held(fine, at) if verdict.punishment is not None else NotRead("fine"),
        **reasons_of_guilt(verdict, audited),
        **_circumstances(verdict, audited),
        "takes": Held(offence.takes, at) if offence is not None else NotRead("offence"),
        "value_told": _place_of("worth", audited),
        "loss_told": _place_of("made_good", audited),
        "indicted": indicted(verdict, audited),
        "charge_told": _charge_told(verdict, audited),
        "article_cited": _cited(offence, audited.decision),
        "mitigated": Held(pattern("decision", "lessened").search(audited.before) is not None),
        "fine_required": _fine_required(offence, tier, place),
        "fine_known": _fine_known(offence, place),
        "fined": _fined(verdict, place),
        **_below(verdict, audited),
    }
    return Node("verdict", f"{verdict.person} {verdict.charge}", values, {}, at)


def _tier_place(tier: Tier | None, audited: Audited) -> PartOrigin | None:
    """Where the text says which range applies; else where it says which articles do."""
    words_told = (audited.found(word, 0, len(audited.before)) for word in (tier.words if tier is not None else ()))
    return next((place for place in words_told if place is not None), audited.basis_at or audited.reasons_at)


def _fine_known(offence: Offence | None, place: PartOrigin | None) -> Held | NotRead:
    if offence is None:
        return NotRead("offence")
    return Held(any(one.fine != "none" for one in offence.tiers), place)


def _fine_required(offence: Offence | None, tier: Tier | None, place: PartOrigin | None) -> Held | NotRead:
    """Whether every range that can apply comes with a fine."""
    if offence is None:
        return NotRead("offence")
    tiers = (tier,) if tier is not None else offence.tiers
    return Held(all(one.fine == "required" for one in tiers), place)


def _fined(verdict: ChargeVerdict, place: PartOrigin | None) -> Held | NotRead:
    """Whether there is a fine, or property is confiscated in its place."""
    imposed = verdict.punishment
    if imposed is None:
        return NotRead("fine")
    return Held(imposed.fine is not None or imposed.confiscation is not None, place)


def _place_of(name: str, audited: Audited) -> Held | NotRead:
    """Whether the text says something anywhere, and where first."""
    found = audited.found(pattern("decision", name))
    return Held(found is not None, found)


def _circumstances(verdict: ChargeVerdict, audited: Audited) -> dict[str, Held | NotRead]:
    """Whether what must make a sentence lighter, or heavier, is found, and whether the reasons say that it does."""
    heavier = endings("verdict", "hardening")
    must = [one for one in verdict.circumstances if one.duty == "must"]
    lighten = [one for one in must if one.name not in heavier]
    harden = [one for one in must if one.name in heavier]
    values: dict[str, Held | NotRead] = {
        "must_lighten": Held(bool(lighten), lighten[0].origin if lighten else None),
        "must_harden": Held(bool(harden), harden[0].origin if harden else None),
    }
    values["lightened"] = _place_of("lightens", audited)
    values["hardened"] = _place_of("hardens", audited)
    return values


def _months(verdict: ChargeVerdict) -> Held | NotRead:
    """The length of the main penalty in months; life and death are longer than any."""
    term = verdict.punishment.term if verdict.punishment is not None else None
    if term is None or term.kind == "none":
        return NotRead("term")
    if term.kind != "months":
        return Held(Decimal(MONTHS_OF_LIFE), verdict.origin)
    if term.months is None and term.days is None:
        return NotRead("term")
    return Held(Decimal(term.months or 0) + Decimal(term.days or 0) / 30, verdict.origin)


def _tier(offence: Offence, told: str) -> Tier | None:
    """The range whose words the text uses; None where it uses those of none, or of several."""
    if len(offence.tiers) == 1:
        return offence.tiers[0]
    found = [tier for tier in offence.tiers if any(word in told for word in tier.words)]
    return found[0] if len(found) == 1 else None


def _range(
    offence: Offence | None, tier: Tier | None, place: PartOrigin | None
) -> tuple[Held | NotRead, Held | NotRead]:
    """From and to, in months: of the range that applies, or of all that the charge has."""
    if offence is None:
        return NotRead("offence"), NotRead("offence")
    tiers = (tier,) if tier is not None else offence.tiers
    ends = [one.most if one.most is not None else MONTHS_OF_LIFE for one in tiers]
    return Held(Decimal(min(one.least for one in tiers)), place), Held(Decimal(max(ends)), place)


def _charge_told(verdict: ChargeVerdict, audited: Audited) -> Held | NotRead:
    """Whether the reasons name the charge; open where they need not, since it was that of the judgment below."""
    said = audited.regions.reasons
    if said is None or not verdict.charge or verdict.prior:
        return NotRead("reasons")
    place = audited.found(pattern("decision", "convicts"), said.start, said.end) or audited.reasons_at
    if verdict.charge not in audited.reasons and audited.decision.instance == SECOND:
        below = audited.below
        if below is None or any(one.charge == verdict.charge for one in below.verdicts):
            return NotRead("below")
    return Held(verdict.charge in audited.reasons, place)


def _cited(offence: Offence | None, decision: Decision) -> Held | NotRead:
    basis = [one for one in decision.cites if one.where == "basis"]
    if offence is None or not basis:
        return NotRead("cites")
    return Held(any(one.law == offence.law and one.article == offence.article for one in basis), basis[0].origin)


def _below(verdict: ChargeVerdict, audited: Audited) -> dict[str, Held | NotRead]:
    """The same charge as it was decided below; open where the prosecutor appealed, too: then it may be heavier."""
    below = audited.below
    if pattern("decision", "prosecutor_appeals").search(audited.before):
        return {"months_below": NotRead("appeal"), "fine_below": NotRead("appeal")}
    before = [one for one in below.verdicts if one.person == verdict.person] if below is not None else []
    one = before[0] if len(before) == 1 else None
    fine = one.punishment.fine if one is not None and one.punishment is not None else None
    return {
        "months_below": _months(one) if one is not None else NotRead("below"),
        "fine_below": Held(fine, one.origin) if one is not None and fine is not None else NotRead("below"),
    }


# ---- sentences -------------------------------------------------------------------------------------------------------


def sentences_view(audited: Audited) -> tuple[Node, ...]:
    return tuple(_sentence(one, audited) for one in audited.decision.sentences)


def _sentence(served: ServedSentence, audited: Audited) -> Node:
    at, decision = served.origin, audited.decision
    assert at is not None
    low, high = at.start or 0, at.end or 0
    suspended = audited.found(pattern("decision", "suspended_words"), low, high)
    days = audited.found(pattern("decision", "term_days"), low, high)
    term, probation = served.punishment.term, served.punishment.probation
    counts = [one for one in decision.verdicts if one.person == served.person and not one.prior]
    lengths = [one.value for one in map(_months, counts) if isinstance(one, Held) and isinstance(one.value, Decimal)]
    several = len(lengths) == len(counts) > 1
    alone = len(decision.sentences) == 1
    recidivist = pattern("decision", "recidivist").search(audited.reasons)
    months: Held | NotRead = NotRead("term")
    if term is not None and term.kind == "months" and (term.months is not None or term.days is not None):
        months = Held(Decimal(term.months or 0) + Decimal(term.days or 0) / 30, at)
    values: dict[str, Held | NotRead] = {
        "person": Held((served.person,), at) if served.person else NotRead("person"),
        "months": months,
        "probation": Held(Decimal(probation.months or 0), suspended) if probation is not None else Held(None, at),
        "highest": Held(max(lengths), at) if several else NotRead("counts"),
        "together": Held(sum(lengths, Decimal(0)), at) if several else NotRead("counts"),
        "counts": Held(Decimal(len(counts)), at),
        "on_probation": Held(probation is not None, suspended),
        "detention": Held(term is not None and term.name == words("verdict", "penalty")["detention"], at),
        "recidivist": Held(recidivist is not None, audited.reasons_at) if alone else NotRead("person"),
        "dates_fit": _dates_fit(served, days),
    }
    return Node("sentence", served.person, values, {}, at)


def _dates_fit(served: ServedSentence, place: PartOrigin | None) -> Held | NotRead:
    """Whether the days of a term are no further apart than the term is long."""
    term = served.punishment.term
    try:
        since, until = (datetime.date.fromisoformat(day) for day in (served.since, served.until))
    except ValueError:
        return NotRead("dates")
    if term is None or term.kind != "months" or term.months is None:
        return NotRead("term")
    months = since.year * 12 + since.month - 1 + term.months
    end = datetime.date(months // 12, months % 12 + 1, 1) + datetime.timedelta(days=since.day - 2 + (term.days or 0))
    return Held(until <= end + datetime.timedelta(days=SLACK), place)
