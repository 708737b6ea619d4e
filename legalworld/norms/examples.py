"""The examples of norms, reckoned and compared with what they say must come of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Final

from ..figures.sums import read_sum, write_money, write_sum
from ..language import diagnose
from ..language.sentences.norm_words import CLAIM_SIDES, RESULTS
from ..model.decision import Amount, ChargeVerdict, Party, Relief
from ..model.diagnostics import Diagnostic
from .decide import decide_claims
from .definition import Event, Norm, NormExample, NormSet, OffenceNorm, ReviewNorm, Saying
from .material import AdmittedFacts, AskedClaim, CaseMaterial, Charge, Pleaded, Recommended, Tendered
from .penal import decide_charge

CURRENCY: Final = "CNY"
_MADE: Final = "made"
_CLAIMANT, _RESPONDENT = "claimant", "respondent"
_FIRST: Final = ("P1", "D1")
"""Who claims, and who is claimed against, in an example that names nobody."""


def wrong_examples(norms: NormSet) -> Iterator[Diagnostic]:
    """A problem for each example whose norm gives something else."""
    for norm in norms.norms.values():
        for example in norm.examples:
            yield from _compared(norms, example, _of_claims(norms, norm, example))
    for reviewed in norms.reviews.values():
        for example in reviewed.examples:
            yield from _compared(norms, example, _of_claims(norms, reviewed, example))
    for offence in norms.offences.values():
        for example in offence.examples:
            yield from _compared(norms, example, (_of_charge(norms, offence, example),))


def _compared(norms: NormSet, example: NormExample, found: tuple[str, ...]) -> Iterator[Diagnostic]:
    words = {**norms.results, **RESULTS}
    expected = tuple(_plain(said, words) for said in example.gives)
    if expected != tuple(_plain(one, {}) for one in found):
        wanted, shown = "; ".join(expected), "; ".join(found)
        yield diagnose.example_differs(example.span, name=example.name, expected=wanted, found=shown)


def _plain(said: str, words: Mapping[str, str]) -> str:
    """What an example says, or what came of it, in one spelling."""
    told = []
    for word in said.split():
        number = read_sum(word) if word[0].isdigit() and "-" not in word else None
        told.append(write_sum(number) if number is not None else words.get(word, word))
    return " ".join(told)


def example_material(norms: NormSet, example: NormExample, cause: str) -> CaseMaterial:
    """The case of an example: who claims is P1, against D1 and whoever else it names."""
    currency = norms.words.currency or CURRENCY
    persons = sorted({*_FIRST, *(name for name in _named(example) if name[:1] in ("P", "D") and name[1:].isdigit())})
    sides = {"P": _CLAIMANT, "D": _RESPONDENT}
    return CaseMaterial(
        currency=currency,
        cause=example.cause or cause,
        parties=tuple(Party(id=name, name=name, side=sides[name[0]]) for name in persons),
        claims=tuple(AskedClaim(head, head, _CLAIMANT, values) for head, values in example.claims.items()),
        exhibits=tuple(_tendered(name, says) for name, says in example.says.items()),
        admissions=tuple(_admitted(who, says) for who, says in example.admits.items()),
        pleas=tuple(Pleaded(plea, _RESPONDENT) for plea in example.pleads),
        days=example.days,
    )


def _tendered(name: str, says: Mapping[str, Saying]) -> Tendered:
    """An exhibit of who claims; what is said to have been made on a day is the other side's."""
    made = says.get(_MADE)
    day = made.value if made is not None and isinstance(made.value, date) else None
    rest = {fact: said for fact, said in says.items() if fact != _MADE}
    return Tendered(name, _RESPONDENT if day is not None else _CLAIMANT, rest, made=day)


def _admitted(who: str, says: Mapping[str, Saying]) -> AdmittedFacts:
    side = CLAIM_SIDES.get(who, who)
    return AdmittedFacts(_FIRST[side == _RESPONDENT], side, says)


def _named(example: NormExample) -> Iterator[str]:
    """Every person that the values of an example name."""
    for says in (*example.says.values(), *example.admits.values()):
        for said in says.values():
            for value in (said.value, said.about, *said.keys.values()):
                for one in value if isinstance(value, tuple) else ():
                    yield from (one.payer, one.payee) if isinstance(one, Event) else (one,)


def _of_claims(norms: NormSet, norm: Norm | ReviewNorm, example: NormExample) -> tuple[str, ...]:
    material = example_material(norms, example, norm.causes[0] if norm.causes else "")
    return tuple(shown(relief) for relief in decide_claims(norms, material).reliefs)


def shown(relief: Relief) -> str:
    """A relief as examples write it: `36800`, `36800 at 4.03 from 2025-01-01`, `dismissed`."""
    if relief.result in ("dismissed", "undecided"):
        return relief.result
    if relief.order in ("annul", "redo", "do", "confirm"):
        return relief.object or relief.order
    words = [write_money(relief.amount.value)] if relief.amount is not None else []
    for clause in relief.interest:
        if clause.rate is not None or clause.formula:
            rate = write_sum(clause.rate) if clause.rate is not None else clause.formula
            words += ["at", rate, "from", clause.since]
    if relief.liability == "jointly":
        words.append("jointly")
    return " ".join(words)


# ---- offences --------------------------------------------------------------------------------------------------------


def _of_charge(norms: NormSet, offence: OffenceNorm, example: NormExample) -> str:
    material = example_material(norms, example, "")
    charge = Charge("D1", offence.id, recommended(example.recommended, norms.results))
    return shown_verdict(decide_charge(norms, material, charge).verdict)


def recommended(words: str, results: Mapping[str, str]) -> Recommended | None:
    """`imprisonment 8 probation 12 fine 5000`; None where nothing is recommended."""
    told = words.split()
    if len(told) < 2:
        return None
    named = {results.get(name, name): read_sum(value) for name, value in zip(told[2::2], told[3::2], strict=False)}
    probation, fine = named.get("probation"), named.get("fine")
    return Recommended(told[0], int(read_sum(told[1]) or 0), int(probation) if probation is not None else None, fine)


def shown_verdict(verdict: ChargeVerdict) -> str:
    """A verdict as examples write it: `imprisonment 8 probation 12 fine 5000`, `acquitted`, `open`."""
    if verdict.result in ("not_proved", "acquitted"):
        return "acquitted"
    if verdict.result == "not_responsible":
        return verdict.result
    punishment = verdict.punishment
    if punishment is None or punishment.term is None:
        return "open"
    words = [punishment.term.name, str(punishment.term.months)]
    if punishment.probation is not None:
        words += ["probation", str(punishment.probation.months)]
    if isinstance(punishment.fine, Amount):
        words += ["fine", write_money(Decimal(punishment.fine.value))]
    return " ".join(words)
