"""A court that decides by norms, for scripted actors: what its view shows, made into material, decided, told.

Whoever asks is given a decision of nothing but what he may see; where the spec names no norms for what he decides,
there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from ..engine.casting import cast
from ..language.sentences.keywords import truth
from ..law.text.case_frame import case_frame
from ..law.text.decision_claims import claim_sum
from ..law.text.decision_people import CaseFrame
from ..law.text.decisions import read_decision
from ..model.amendments import in_force
from ..model.case import MISSING, Case, Record, texts
from ..model.decision import Admission, Claim, Decision, Party
from ..model.decision_frame import claim_records, within_claim
from ..model.decision_parts import DecisionParts
from ..model.events import Request
from ..model.procedure import Procedure, steps_of
from ..model.source import Sources
from ..model.steps import decide as decides
from ..models.scripted import Decide, DecidedByNorms
from ..norms.appeal import ReviewedDecision, reviewed
from ..norms.assemble import Assembly, SeenClaim, SeenExhibit, pleas
from ..norms.decide import decide_claims
from ..norms.definition import NormSet
from ..norms.material import CaseMaterial
from ..norms.read import FOLDER
from ..norms.told import told
from ..norms.told_words import Wording
from ..templates.decided_words import NOTHING_DECIDED
from ..templates.template_set import TemplateSet
from .norm_charges import ASKED, SeenTrial, given, judged_persons
from .norm_sentences import borne, restored, told_person
from .norm_sets import open_norms
from .norm_verdicts import verdict_record

Names = Mapping[str, Any]
OR = "|"
"""Between words of the material any of which will do."""
_NOTHING: Final = DecidedByNorms(NOTHING_DECIDED, {})
FORMULATED: Final = "note"
"""The act by which a part of a decision is formulated."""
DECIDING: Final = (FORMULATED, "vote")
"""The acts by which it is decided what becomes of somebody accused."""


def norm_bench(procedure: Procedure | None, case: Case, templates: TemplateSet) -> Decide | None:
    """Who decides the matters of a case by the norms that its procedure names; None where it names none."""
    if procedure is None or not any(one.norms for one in procedure.decisions.values()):
        return None
    return NormBench(procedure, case, templates.sources).decided


class NormBench:
    """Decides the matters of one run by the norms that its spec names, from the view of whoever is asked."""

    def __init__(self, procedure: Procedure, case: Case, sources: Sources) -> None:
        self.procedure, self.case, self.sources = procedure, case, sources
        self._given = case
        self._amended: tuple[str, ...] = ()
        self._frames: dict[str, CaseFrame] = {}
        self._assemblies: dict[str, Assembly] = {}
        self._last: tuple[CaseMaterial, Decision] | None = None

    def decided(self, request: Request) -> DecidedByNorms:
        """`decided`, as the template of one request reads it, with its record where a part is formulated."""
        parts = self._parts(request.view.stage)
        if parts is None:
            return _NOTHING
        view = _View(request.view.variables, parts, self.procedure)
        if request.view.amended != self._amended:
            self._amended, self._frames, self._assemblies = request.view.amended, {}, {}
            self.case = in_force(self.procedure, self._given, request.view.amended)
        norms = norm_set(self.sources, f"{FOLDER}/{parts.norms}", None if parts.accused else view.text("cause"))
        if norms is None:
            return _NOTHING
        if parts.accused:
            return self._accused(parts, norms, view, request)
        if not view.items(parts.claims):
            return _NOTHING
        names, record = self._told(parts, norms, view)
        return DecidedByNorms(names, record if request.act == FORMULATED else {})

    def _accused(self, parts: DecisionParts, norms: NormSet, view: _View, request: Request) -> DecidedByNorms:
        """What becomes of each of the accused; the record is of him whom a part is about."""
        frame, seen = self._frame(parts), view.trial()
        judged = tuple(judged_persons(norms, frame, seen))
        here = frame.accused.get(seen.here, judged[0].party.id if len(judged) == 1 else "")
        told_of = tuple(told_person(norms, one, parts.outcomes, here=here == one.party.id) for one in judged)
        now = next((one for one in judged if one.party.id == here and request.act in DECIDING), None)
        names = {**NOTHING_DECIDED, "sentences": told_of, "restored": restored(told_of), "borne": borne(judged)}
        return DecidedByNorms(names, verdict_record(norms, now) if now is not None else {})

    def _parts(self, stage: str) -> DecisionParts | None:
        """The decision that is made in a stage: the last that is declared for it."""
        made = [one for one in self.procedure.decisions.values() if one.norms and stage in self._stages(one)]
        return made[-1] if made else None

    def _stages(self, parts: DecisionParts) -> frozenset[str]:
        return stages_of(self.procedure, parts.name)

    def _frame(self, parts: DecisionParts) -> CaseFrame:
        if parts.name not in self._frames:
            self._frames[parts.name] = case_frame(self.procedure, self.case, parts)
        return self._frames[parts.name]

    def _ids(self) -> dict[str, str]:
        """What the case calls each person by -> his id here."""
        found = {}
        for person in cast(self.procedure, self.case):
            each = self.procedure.fields.get(self.procedure.roles[person.role].each)
            for key, kind in each.types.items() if each is not None else ():
                if kind.unique and isinstance(known := person.record.get(key), str):
                    found[known] = person.id
        return found

    def _called(self, parties: tuple[Party, ...], view: _View) -> Iterator[Party]:
        """Parties by the titles that they bear in a review: those under which their records are shown."""
        ids, titles = self._ids(), dict[str, str]()
        for field in {role.each for role in self.procedure.roles.values() if role.each}:
            for title, record in view.titled(field):
                titles |= {ids[text]: title for text in texts(record) if text in ids and title}
        for party in parties:
            yield party.model_copy(update={"titles": (titles[party.id],)}) if party.id in titles else party

    def _told(self, parts: DecisionParts, norms: NormSet, view: _View) -> tuple[Names, Names]:
        frame = self._frame(parts)
        parties = tuple(party for party in frame.people if party.side)
        if parts.name not in self._assemblies:
            self._assemblies[parts.name] = Assembly(norms, parties, self._ids(), sum_of=_sum_of)
        assembly = self._assemblies[parts.name]
        seen = tuple(self._claims(parts, frame, view))
        below = self._below(parts, view)
        view.ruled = {one.id: one.ruling for one in below.exhibits} if below is not None else {}
        material = view.material(norms, assembly, parties, tuple(assembly.claims(seen)))
        decision = self._decided(norms, material)
        costs = {name for name, head in norms.words.heads.items() if head.costs}
        items = {
            one.id: tuple(
                claim.id for claim in material.claims if within_claim(claim.id, one.id) and claim.head not in costs
            )
            for one in seen
        }
        called = tuple(self._called(parties, view)) if parts.below else parties
        wording = Wording(norms, called, self.procedure.locale, parts.outcomes, items, view.told_exhibits(called))
        here = view.variables["step"]["about"] if view.variables["step"] else ""
        now = next((one.id for one in seen if one.about == here), "")
        review = self._review(parts, norms, view, (material, decision))
        names = {**NOTHING_DECIDED, **told(decision, wording, material.pleas, here=now, review=review)}
        return names, _record(decision, items[now] if now else tuple(one for each in items.values() for one in each))

    def _decided(self, norms: NormSet, material: CaseMaterial) -> Decision:
        """The decision on a material; each part of it is asked for, mostly on the same material."""
        if self._last is None or self._last[0] != material:
            self._last = (material, decide_claims(norms, material))
        return self._last[1]

    def _review(
        self, parts: DecisionParts, norms: NormSet, view: _View, anew: tuple[CaseMaterial, Decision]
    ) -> ReviewedDecision | None:
        """What becomes of the decision below, as its document says it; None where this reviews none."""
        below = self._below(parts, view)
        sides = tuple(dict.fromkeys(side for side, _ in view.sided(view.parts.material.get("appeals", ("", ""))[0])))
        return reviewed(norms, anew[0], sides, (below, anew[1])) if below is not None else None

    def _below(self, parts: DecisionParts, view: _View) -> Decision | None:
        """The decision below, read from the document in force that the view shows."""
        stated = self.procedure.decisions.get(parts.below)
        if stated is None:
            return None
        texts = (value for name in stated.documents for _, value in view.sided(name) if isinstance(value, str))
        text = next(texts, "")
        return read_below(text, self._frame(stated)) if text else Decision()

    def _claims(self, parts: DecisionParts, frame: CaseFrame, view: _View) -> Iterator[SeenClaim]:
        """The claims that the view shows: of each its words, its sum, who makes it and against whom."""
        sides = tuple(dict.fromkeys(party.side for party in frame.people if party.side))
        by_id = {claim.id: claim for claim in frame.claims}
        records = claim_records(self.procedure, self.case, parts)
        shown = view.items(parts.claims)
        for record in records if len(shown) == len(records) else ():
            claim = by_id[record.id]
            plain = view.record_at(parts.claims, record.about)
            by = claim.by or sides[0]
            values = plain if isinstance(plain, Record) else {}
            head = str(values.get(view.word("asks")) or "") if view.word("asks") in values else ""
            against = tuple(side for side in sides if side != by)
            yield SeenClaim(record.id, record.words, (by, *against), values, _known(claim), head, record.about)


class _View:
    """What a request shows of a case, by the fields that a decision names."""

    def __init__(self, variables: Names, parts: DecisionParts, procedure: Procedure) -> None:
        self.variables, self.parts = variables, parts
        self.ruled: Mapping[str, Admission] = {}
        self.types = {name: procedure.fields[name].types for name in parts.exhibits if name in procedure.fields}

    def word(self, name: str) -> str:
        """What the spec says of the material that is no field: a key, a choice, an answer."""
        return self.parts.material.get(name, ("", ""))[1]

    def sided(self, field: str) -> Iterator[tuple[str, Any]]:
        """The values of a field by side; "" for what has none."""
        for space in ("own", "other"):
            for entry in self.variables[space].get(field, ()):
                yield entry["side"], entry["value"]
        plain = self.variables["known"].get(field, MISSING)
        if plain is not MISSING:
            yield "", plain

    def titled(self, field: str) -> Iterator[tuple[str, Record]]:
        """Each record of a field with the title of those whom it is of."""
        for space in ("own", "other"):
            for entry in self.variables[space].get(field, ()):
                value = entry["value"] if isinstance(entry["value"], tuple) else (entry["value"],)
                yield from ((entry["title"], one) for one in value if isinstance(one, Record))

    def items(self, field: str) -> tuple[Any, ...]:
        return tuple(one for _, value in self.sided(field) if isinstance(value, tuple) for one in value)

    def record_at(self, field: str, about: str) -> Any:
        """The record FIELD/SIDE/INDEX."""
        _, side, index = about.split("/")
        return next((value[int(index)] for whose, value in self.sided(field) if whose == side), MISSING)

    def given(self, name: str) -> Mapping[str, Any]:
        """What the case gives under a name of the material, by side."""
        field, key = self.parts.material.get(name, ("", ""))
        found = {}
        for side, value in self.sided(field) if field else ():
            inner = value.get(key, MISSING) if key and isinstance(value, Record) and key in value else value
            if inner is not MISSING and (not key or inner is not value):
                found[side] = inner
        return found

    def text(self, name: str) -> str:
        plain = next(iter(self.given(name).values()), "")
        return plain if isinstance(plain, str) else ""

    def trial(self) -> SeenTrial:
        """What is seen of a trial: charges, what is alleged and shown, what each side asks for."""
        field, key = self.parts.material.get("offences", ("", ""))
        charges = tuple((given(one.get(key, MISSING)), one) for one in self.items(field) if isinstance(one, Record))
        exhibits = tuple(self._exhibits())
        if not self._rulings():  # nobody has ruled on any of them: they are taken as they lie in the file
            exhibits = tuple(replace(one, ruling="admitted") for one in exhibits)
        return SeenTrial(
            charges=charges,
            alleged=tuple(self.given("alleged").values()),
            listed=tuple(self._records("circumstances")),
            exhibits=exhibits,
            asked={who: tuple(self._asked(who)) for who in ASKED},
            found=tuple(self.given("found").values()),
            pleas={name: value == self.word("guilty") for name, value in self._answers("plea")},
            lenient={name: truth(value) is True for name, value in self._answers("lenient")},
            born=dict(self._born()),
            days={name: self.text(name) for name in self.parts.material if self.text(name)},
            kind=self.word("kind"),
            content=self.word("states"),
            here=self.variables["step"]["about"] if self.variables["step"] else "",
        )

    def _answers(self, name: str) -> Iterator[tuple[str, str]]:
        """What persons answered to a question, by their names, in the order in which they did."""
        for entry in self.variables["known"].get(self.word(name), ()) if self.word(name) else ():
            yield entry["name"], entry["value"]

    def _born(self) -> Iterator[tuple[str, str]]:
        """The name of each person whose day of birth the case gives, and that day."""
        key = self.parts.material.get("born", ("", ""))[1]
        for one in self._records("born"):
            if isinstance(one, Record) and given(one.get(key, MISSING)):
                yield from ((text, given(one[key])) for text in texts(one))

    def _records(self, name: str) -> tuple[Any, ...]:
        return self.items(self.parts.material.get(name, ("", ""))[0])

    def _asked(self, who: str) -> Iterator[tuple[Any, str, str, str]]:
        """Each record that asks for a penalty, with its words: the penalty, how long it is suspended, the fine."""
        keys = [self.parts.material.get(name, ("", ""))[1] for name in (who, "probation", "fine")]
        for one in self._records(who):
            words = [given(one.get(key, MISSING)) for key in keys] if isinstance(one, Record) else [""]
            if words[0]:
                yield one, words[0], words[1], words[2]

    def material(
        self, norms: NormSet, assembly: Assembly, parties: tuple[Party, ...], claims: tuple[Any, ...]
    ) -> CaseMaterial:
        days = {name: self.text(name) for name in self.parts.material if self.text(name)}
        halved = filter(None, self.word("halved").split(OR))
        return CaseMaterial(
            currency=norms.words.currency,
            cause=self.text("cause"),
            parties=parties,
            claims=claims,
            exhibits=tuple(assembly.exhibits(self._exhibits())),
            admissions=tuple(assembly.admissions(self.given("admits"), parties)),
            pleas=tuple(pleas(self.given("pleads"))),
            days=assembly.days(days),
            halved=any(word in self.text("procedure") for word in halved),
        )

    def _exhibits(self) -> Iterator[SeenExhibit]:
        rulings, opinions = self._rulings(), self._opinions()
        for field in self.parts.exhibits:
            for side, value in self.sided(field):
                for index, record in enumerate(value if isinstance(value, tuple) else ()):
                    if isinstance(record, Record):
                        says = record.get(self.word("says"), MISSING) if self.word("says") in record else MISSING
                        name = str(next((record[key] for key in record if record[key] is not MISSING), index))
                        before = self.ruled.get(name, "open" if self.word("ruling") else "admitted")
                        ruling = rulings.get(f"{field}/{side}/{index}", before)
                        words = record.get(self.word("states"), "")
                        yield SeenExhibit(
                            *(name, side, ruling, record, says, _text(words), self._tendered_for(field, record)),
                            name=_text(record.get(self.word("called"), "")),
                            opinion=opinions.get(f"{field}/{side}/{index}", ""),
                        )

    def told_exhibits(self, parties: tuple[Party, ...]) -> Mapping[str, Names]:
        """What there is to say of each exhibit: its name, whose it is, what the other side holds of it, the ruling."""
        titles = {party.side: next(iter(party.titles), "") for party in reversed(parties)}
        return {
            one.id: {
                **{"name": one.name, "opinion": one.opinion, "ruling": one.ruling},
                "by": titles.get(one.side, ""),
            }
            for one in self._exhibits()
        }

    def _tendered_for(self, field: str, record: Record) -> tuple[str, ...]:
        """The claims for which an exhibit is tendered: what its key says that refers to them."""
        kinds = self.types.get(field, {})
        keys = [key for key, kind in kinds.items() if any(where == self.parts.claims for where, _ in kind.targets)]
        found = (record[key] for key in keys if key in record)
        return tuple(str(one) for value in found for one in (value if isinstance(value, tuple) else (value,)) if one)

    def _opinions(self) -> Mapping[str, str]:
        """What was said of each exhibit by those who did not tender it, by where it stands in the case: `accepted`,
        `contested` or `in_part`."""
        given = self.variables["known"].get(self.word("opinion"), ()) if self.word("opinion") else ()
        known = {self.word("accepted"): "accepted", self.word("contested"): "contested"}
        return {entry["about"]: known.get(entry["value"], "in_part") for entry in given or ()}

    def _rulings(self) -> dict[str, Admission]:
        """What was ruled about each exhibit, by where it stands in the case."""
        given = self.variables["known"].get(self.word("ruling"), ()) if self.word("ruling") else ()
        known: dict[str, Admission] = {self.word("admitted"): "admitted", self.word("partly"): "in_part"}
        return {entry["about"]: known.get(entry["value"], "rejected") for entry in given or ()}


def _record(decision: Decision, claims: tuple[str, ...]) -> Names:
    """What was decided of some claims, as JSON: elements, reliefs with their reckoning, gaps; nobody is told twice."""
    kept = [(place, one) for place, one in enumerate(decision.reliefs, 1) if {*one.claims} & {*claims}]
    places = {f"reliefs/{place}" for place, _ in kept}
    part = Decision(
        claims=tuple(one for one in decision.claims if one.id in claims),
        findings=tuple(one for one in decision.findings if {*one.about} & {*claims}),
        reliefs=tuple(one for _, one in kept),
        act=decision.act,
        thin=tuple(one for one in decision.thin if one.part in places),
    )
    return part.model_dump(mode="json", exclude_defaults=True)


def _text(plain: Any) -> str:
    return plain if isinstance(plain, str) else ""


def _sum_of(words: str) -> Decimal | None:
    found = claim_sum(words)
    return found.value if found is not None else None


def _known(claim: Claim) -> Mapping[str, Any]:
    return {"amount": claim.amount.value} if claim.amount is not None else {}


def stages_of(procedure: Procedure, decision: str) -> frozenset[str]:
    """The stages in which a decision is decided."""
    return frozenset(
        stage.id
        for stage in procedure.stages
        for step in steps_of(stage)
        if isinstance(step, decides.Decide) and step.decision == decision
    )


@lru_cache(maxsize=8)
def read_below(text: str, frame: CaseFrame) -> Decision:
    """The decision that a document states; it is asked for with each part of the one that reviews it."""
    return read_decision(text, frame)


_OPENED: dict[tuple[int, str, str | None], tuple[Sources, NormSet | None]] = {}
_MOST_OPEN = 32


def norm_set(sources: Sources, folder: str, cause: str | None = None) -> NormSet | None:
    """The norms in a folder of a project, kept for the next runs of it; None where they cannot be used.

    `cause`: those alone by which claims of this cause are decided.
    """
    key = (id(sources), folder, cause)
    kept = _OPENED.get(key)
    if kept is None or kept[0] is not sources:
        while len(_OPENED) >= _MOST_OPEN:
            _OPENED.pop(next(iter(_OPENED)))
        _OPENED[key] = kept = (sources, open_norms(sources, folder, cause=cause).norms)
    return kept[1]
