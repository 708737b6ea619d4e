"""Charges by norms, for scripted actors: what becomes of each of the accused, by what the court has seen of his case.

Facts are those that exhibits which were taken state, and what is admitted; where nobody says what an exhibit states,
they are read from its words. What is alleged proves nothing against somebody who has not admitted it in court, but it
binds whoever alleges it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from typing import Any, Final

from ..language.dates import read_day
from ..law.text.decision_people import CaseFrame
from ..law.text.penalties import FINE, TERM, MentionedPenalty, penalties
from ..model.case import MISSING, Record, texts
from ..model.decision import Party
from ..model.immutable import immutable
from ..norms.assemble import Assembly, SeenExhibit
from ..norms.definition import NormSet, Saying, SentencingRules
from ..norms.formulas import names_in
from ..norms.material import AdmittedFacts, CaseMaterial, Charge, Recommended, Tendered
from ..norms.penal import offence_texts
from ..norms.penal_combined import JudgedCharges, decide_charges
from ..norms.prose import told_in

ASKED: Final = ("recommended", "defended")
"""Who asks for a sentence, as `material` of a spec names it."""
NOBODY: Final = "?"
"""Who accuses where the case names nobody."""


@immutable
class SeenTrial:
    """What a court sees of a trial.

    `charges`: each with its offence; `alleged`, `listed`: what whoever accuses says of the deed, and of circumstances;
    `found`: what a court has found already; `asked`: who asks -> his records of a penalty, its probation and its fine.
    `pleas`: name -> whether he admits what he is charged with, `lenient`: name -> whether he pleads guilty as the law
    on lenient treatment has it; of whom nobody asked there is no entry. `born`: name -> his day of birth as written;
    `kind`, `content`: the keys of exhibits for their kind and for what they say, `here`: the record in hand.
    """

    charges: tuple[tuple[str, Any], ...]
    alleged: tuple[Any, ...]
    listed: tuple[Any, ...]
    exhibits: tuple[SeenExhibit, ...]
    asked: Mapping[str, tuple[tuple[Any, str, str, str], ...]]
    found: tuple[Any, ...] = ()
    pleas: Mapping[str, bool] = field(default_factory=dict)
    lenient: Mapping[str, bool] = field(default_factory=dict)
    born: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    content: str = ""
    here: str = ""


@immutable
class JudgedPerson:
    """What becomes of one of the accused. `judged`: by who asks for a sentence; `asked`: what each asks for, () for
    nothing that is asked, None in it for what cannot be read."""

    party: Party
    judged: Mapping[str, JudgedCharges]
    asked: Mapping[str, tuple[Recommended | None, ...]]


def judged_persons(norms: NormSet, frame: CaseFrame, seen: SeenTrial) -> Iterator[JudgedPerson]:
    """What becomes of each of the accused."""
    accused = [party for party in frame.people if party.id in frame.accused.values()]
    names = {party.name for party in accused}
    for party in accused:
        trial = _Trial(norms, frame, seen, (party, names - {party.name}))
        yield trial.judged()


class _Trial:
    """The trial of one person. `person`: he, and the names of the others accused."""

    def __init__(self, norms: NormSet, frame: CaseFrame, seen: SeenTrial, person: tuple[Party, set[str]]) -> None:
        self.norms, self.frame, self.seen = norms, frame, seen
        self.party, self.others = person
        named = next((one for one in frame.people if one.side and one.side != self.party.side), None)
        side = next((one.side for one in seen.exhibits if one.side != self.party.side), NOBODY)
        self.accuser = named or Party(id=NOBODY, name="", side=side)
        self.ids: Mapping[str, tuple[str, ...]] = {"claimant": (self.accuser.id,), "respondent": (self.party.id,)}

    def judged(self) -> JudgedPerson:
        offences = tuple(dict.fromkeys(offence for offence, record in self.seen.charges if self._his(record)))
        material = self._material()
        asked = {who: tuple(self._asked(who, offences)) for who in ASKED}
        judged = {who: self._decided(material, offences, asked[who]) for who in ASKED}
        return JudgedPerson(self.party, judged, {who: tuple(one for _, one in found) for who, found in asked.items()})

    def _his(self, record: Any) -> bool:
        """Whether a record is about him: it names him as a whole value, or none of the others."""
        said = set(texts(record)) if not isinstance(record, str) else set()
        return self.party.name in said or not said & self.others

    # ---- what is asked for -------------------------------------------------------------------------------------------
    def _asked(self, who: str, offences: Sequence[str]) -> Iterator[tuple[str, Recommended | None]]:
        """What is asked for, by the offence for which it is; "" for all of them together."""
        for record, *words in self.seen.asked[who]:
            if self._his(record):
                of = next((one for one in offences if one in set(texts(record))), "")
                yield of or (offences[0] if len(offences) == 1 else ""), _recommended(self.norms, *words)

    def _decided(
        self, material: CaseMaterial, offences: Sequence[str], asked: Sequence[tuple[str, Recommended | None]]
    ) -> JudgedCharges:
        """The verdicts and the sentence, with what is asked for where it is asked for once."""
        wanted = {of: found for of, found in asked if found is not None and [one for one, _ in asked].count(of) == 1}
        charges = tuple(Charge(self.party.id, one, wanted.get(one)) for one in offences)
        together = {self.party.id: wanted[""]} if "" in wanted else {}
        found = decide_charges(self.norms, replace(material, charges=charges, combined=together))
        if self._corroborated():
            return found
        return _uncorroborated(found, seen=any(one.side == self.accuser.side for one in self._exhibits()))

    def _exhibits(self) -> tuple[SeenExhibit, ...]:
        """The exhibits about him; of whom one states something, it says itself."""
        return tuple(
            one
            for one in self.seen.exhibits
            if self._his(tuple(value for value in one.record.values() if value is not one.says))
        )

    def _corroborated(self) -> bool:
        """Whether anything beside what he has said himself speaks against him."""
        rules = self.norms.sentencing
        taken = [
            one for one in self._exhibits() if one.side == self.accuser.side and one.ruling in ("admitted", "in_part")
        ]
        kinds = (given(one.record.get(self.seen.kind, MISSING)) for one in taken)
        alone = rules.alone if rules is not None else ()
        return bool(self.seen.found) or any(not any(word in kind for word in alone) for kind in kinds)

    # ---- facts -------------------------------------------------------------------------------------------------------
    def _material(self) -> CaseMaterial:
        rules = self.norms.sentencing
        parties = (self.accuser, self.party)
        assembly = Assembly(self.norms, parties, {})
        tendered = tuple(map(_as_stated, assembly.exhibits(self._exhibits())))
        papers = (*tendered, *self._read(tendered), *self._of_others(assembly))
        shown = {fact for one in papers if one.ruling == "admitted" for fact in one.says}
        admitted = tuple(self._admitted(rules, shown)) if rules is not None else ()
        against = [one for one in tendered if one.side == self.accuser.side]  # what others tender shows no offence
        untold = any(one.unread for one in against if one.ruling == "admitted")
        partly = any(one.ruling == "in_part" for one in against)
        return CaseMaterial(
            *(self.norms.words.currency, "", parties),
            exhibits=papers,
            admissions=admitted,
            days=assembly.days(self.seen.days),
            partial=untold or partly or not against,
        )

    def _read(self, tendered: Sequence[Tendered]) -> Iterator[Tendered]:
        """What is read from the words of what a court has found, and of exhibits of which nobody says what they state:
        each fact where it is told first, none that is stated anywhere."""
        told = {fact for one in tendered for fact in one.says}
        unread = {one.id for one in tendered if one.unread and one.ruling == "admitted"}
        papers = [("", self.accuser.side, record) for record in self.seen.found]
        papers += [(one.id, one.side, self._content(one.record)) for one in self._exhibits() if one.id in unread]
        for name, whose, record in papers:
            says = {fact: said for fact, said in self._told((record,)).items() if fact not in told}
            told |= says.keys()
            if says:
                yield Tendered(name, whose, says)

    def _of_others(self, assembly: Assembly) -> Iterator[Tendered]:
        """Of exhibits about others who are accused what concerns all: what was given back or paid already."""
        rules, ours = self.norms.sentencing, {one.id for one in self._exhibits()}
        orders = rules.orders if rules is not None else ()
        names = {name for one in orders if one.amount is not None for name in names_in(one.amount)}
        shared = {name for name in names if rules is not None and rules.needs[name].burden == "both"}
        others = assembly.exhibits(one for one in self.seen.exhibits if one.id not in ours)
        for one in map(_as_stated, others):
            says = {fact: said for fact, said in one.says.items() if fact in shared}
            if says:
                yield replace(one, says=says)

    def _content(self, record: Mapping[str, Any]) -> Any:
        """What an exhibit says, where the case has a key for it, and not what whoever tenders it says that it shows."""
        said = given(record.get(self.seen.content, MISSING)) if self.seen.content else ""
        return said or record

    def _told(self, records: Sequence[Any]) -> dict[str, Saying]:
        text = "\n".join(one for record in records for one in texts(record))
        return {fact: said[0] for fact, said in told_in(self.norms, text, self.ids).items()}

    def _admitted(self, rules: SentencingRules, shown: Collection[str]) -> Iterator[AdmittedFacts]:
        """What each side admits: whoever accuses what he alleges, the accused the same where he admits it in court, as
        far as no exhibit shows it (`shown`); when it was and when he was born nobody disputes."""
        charges = tuple(record for _, record in self.seen.charges if self._his(record))
        alleged = self._told((*self.seen.alleged, *charges, *(one for one in self.seen.listed if self._his(one))))
        pleads = rules.pleads.name if rules.pleads is not None else ""
        name = self.party.name
        if self.seen.pleas.get(name) is False or name in self.seen.lenient:
            alleged.pop(pleads, None)
        days = {one.name for one in (rules.born, rules.deed) if one is not None}
        born = read_day(self.seen.born.get(name, ""))
        if rules.born is not None and born is not None:
            alleged[rules.born.name] = Saying(born)
        if alleged:
            yield AdmittedFacts(self.accuser.id, self.accuser.side, alleged)
        admits = self.seen.pleas.get(name, False)
        facts = self.norms.words.facts
        owned = {fact for fact in alleged if admits and fact not in shown and not facts[fact].measured}
        his = {fact: said for fact, said in alleged.items() if fact in owned or fact in days}
        if admits and self.seen.lenient.get(name) and pleads:
            his[pleads] = Saying(True)
        if his:
            yield AdmittedFacts(self.party.id, self.party.side, his, uncontested=not admits)


def _as_stated(one: Tendered) -> Tendered:
    """An exhibit with what its author says that it states: what its words tell is read of all exhibits together, for a
    sum that several of them tell is one sum."""
    return replace(one, says={fact: said for fact, said in one.says.items() if fact not in one.prose}, prose=())


def _uncorroborated(found: JudgedCharges, *, seen: bool) -> JudgedCharges:
    """Nobody is convicted by what he has said himself; where no exhibits are known at all, nothing is decided."""

    def without(one: Any) -> Any:
        if one.verdict.punishment is None and one.verdict.result != "exempt":
            return one
        verdict = one.verdict.model_copy(
            update={"result": "not_proved" if seen else "open", "punishment": None, "circumstances": (), "tier": ""}
        )
        thin = () if seen else (("read_not_given", ""),)
        return replace(one, verdict=verdict, range=None, thin=thin, reckoning=(), orders=())

    return replace(found, charges=tuple(map(without, found.charges)), sentences=(), orders=(), thin=())


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


def known_offence(norms: NormSet, name: str) -> bool:
    """Whether there is a norm for an offence."""
    return bool(offence_texts(norms, name))


def given(value: Any) -> str:
    """A value of a record as text; "" where it has none."""
    return str(value) if value is not MISSING and value is not None and not isinstance(value, (tuple, Record)) else ""


def write_number(number: Any) -> str:
    """A number without an exponent or a tail of noughts; "" for none."""
    return f"{Decimal(number).normalize():f}" if number else ""
