"""Sentences by norms, for scripted actors: each of the accused, and what is asked against him, held against the range.

Facts are read from the words of what the court may see; where one that matters was not read, nothing is settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from ..law.text.decision_people import CaseFrame
from ..law.text.penalties import FINE, TERM, MentionedPenalty, penalties
from ..model.case import MISSING, texts
from ..model.decision import Party
from ..model.immutable import immutable
from ..norms.definition import NormSet, Saying
from ..norms.material import CaseMaterial, Charge, Recommended, Tendered
from ..norms.penal import JudgedCharge, decide_charge
from ..norms.prose import told_in

ASKED: Final = ("recommended", "defended")
"""Who asks for a sentence, as `material` of a spec names it."""
YEAR: Final = 12


@immutable
class SeenTrial:
    """What a court sees of a trial. `texts`: what it goes by, the most reliable first; `asked`: who asks -> his records
    of a penalty, its probation and its fine."""

    charges: tuple[tuple[str, Any], ...]
    texts: tuple[Any, ...]
    asked: Mapping[str, tuple[tuple[Any, str, str, str], ...]]
    here: str = ""


def sentences(norms: NormSet, frame: CaseFrame, seen: SeenTrial) -> Iterator[Mapping[str, Any]]:
    """What becomes of each of the accused, as the templates of one request read it."""
    accused = [party for party in frame.people if party.id in frame.accused.values()]
    names = {party.name for party in accused}
    for party in accused:
        others = names - {party.name}
        charged = [offence for offence, record in seen.charges if _of(record, party.name, others)]
        material = _material(norms, party, frame, [one for one in seen.texts if _of(one, party.name, others)])
        plain = {"name": party.name, "here": frame.accused.get(seen.here) == party.id}
        found = {
            who: _judged(norms, material, charged, [one[1:] for one in asked if _of(one[0], party.name, others)])
            for who, asked in seen.asked.items()
        }
        yield {
            **plain,
            **{
                who: _told(*each, wanted=any(one for one in seen.asked[who] if _of(one[0], party.name, others)))
                for who, each in found.items()
            },
        }


def _of(record: Any, name: str, others: set[str]) -> bool:
    """Whether a record is about a person: it names him as a whole value, or none of the others."""
    said = set(texts(record)) if not isinstance(record, str) else set()
    return name in said or not said & others


def _material(norms: NormSet, party: Party, frame: CaseFrame, records: Sequence[Any]) -> CaseMaterial:
    accuser = next((one for one in frame.people if one.side and one.side != party.side), None)
    sides = {"claimant": (accuser.id,) if accuser is not None else (), "respondent": (party.id,)}
    says: dict[str, Saying] = {}
    for record in records:
        for fact, said in told_in(norms, "\n".join(texts(record)), sides).items():
            says.setdefault(fact, said[0])
    papers = (Tendered("1", accuser.side if accuser is not None else "", says),) if says else ()
    parties = (accuser, party) if accuser is not None else (party,)
    return CaseMaterial(norms.words.currency, "", parties, exhibits=papers, partial=True)


def _judged(
    norms: NormSet, material: CaseMaterial, offences: Sequence[str], asked: Sequence[tuple[str, str, str]]
) -> tuple[JudgedCharge | None, Recommended | None]:
    """The verdict, and what was asked; no verdict where there is not just one charge."""
    wanted = _recommended(norms, *asked[0]) if len(asked) == 1 else None
    if len(offences) != 1:
        return None, wanted
    return decide_charge(norms, material, Charge(material.parties[-1].id, offences[0], wanted)), wanted


def _recommended(norms: NormSet, main: str, probation: str, fine: str) -> Recommended | None:
    """What is asked for, as values; None where its term is not read."""
    names = norms.sentencing.penalties if norms.sentencing is not None else {}
    named = next((name for name in names if name in main), "")
    term = next((one for one in penalties(main) if one.kind not in (FINE, TERM)), None)
    if not named or term is None or term.low is None or term.high is None:
        return None
    until = int(term.high) if term.high != term.low else None
    suspended, money = _measure(probation, TERM), _measure(fine, FINE)
    length = int(suspended.low) if suspended is not None and suspended.low is not None else None
    return Recommended(named, int(term.low), length, money.low if money is not None else None, until)


def _measure(text: str, kind: str) -> MentionedPenalty | None:
    return next((one for one in penalties(text) if one.kind == kind), None)


def _told(judged: JudgedCharge | None, asked: Recommended | None, *, wanted: bool) -> Mapping[str, Any]:
    """A punishment in numbers; `settled`: the norm gives one; `followed`: its term is the one that was asked for,
    `adopted`: so are probation and fine."""
    found = judged.verdict.punishment if judged is not None else None
    if judged is None or found is None or found.term is None or found.term.months is None or judged.range is None:
        return NOT_SETTLED
    term, months = found.term, found.term.months
    suspended = found.probation.months if found.probation is not None else None
    most, fine = judged.range.most, getattr(found.fine, "value", None)
    followed = asked is not None and asked.main == term.name and asked.months <= months <= (asked.until or asked.months)
    beside = asked is not None and asked.probation in (None, suspended) and asked.fine in (None, fine)
    return {
        "settled": True,
        "asked": wanted,
        "followed": followed,
        "adopted": followed and beside,
        "main": term.name,
        **_length("term", months),
        **_length("probation", suspended or 0),
        "fine": write_number(fine),
        **_length("least", judged.range.least),
        **_length("most", most or 0),
        "mains": judged.range.main,
        "circumstances": tuple(
            {"article": one.article, "mitigates": one.applied == "mitigate"} for one in judged.verdict.circumstances
        ),
    }


def _length(name: str, months: int) -> Mapping[str, str]:
    """Years and months of a length; "" where there are none."""
    return {f"{name}_years": write_number(months // YEAR), f"{name}_months": write_number(months % YEAR)}


def write_number(number: Any) -> str:
    """A number without an exponent or a tail of noughts; "" for none."""
    return f"{Decimal(number).normalize():f}" if number else ""


def given(value: Any) -> str:
    """A value of a record as text; "" where it has none."""
    return str(value) if value is not MISSING and value is not None else ""


NOT_SETTLED: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("settled", "asked", "followed", "adopted"), False),
    **{"main": "", "fine": "", "mains": (), "circumstances": ()},
    **{key: "" for name in ("term", "probation", "least", "most") for key in _length(name, 0)},
}
