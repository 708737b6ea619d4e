"""A decision as people read it: what is ordered, what becomes of each claim and charge, findings, costs, gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...law.text.decision_outcomes import outcome_of
from ...model.decision import (
    Amount,
    ChargeVerdict,
    Circumstance,
    CostItem,
    CourtFinding,
    Fate,
    Ground,
    LawfulRange,
    PartOrigin,
    ReckonedLine,
    Relief,
    ServedSentence,
    Thin,
)
from ...norms.read import FOLDER
from ...wording.columns import table
from ..norm_bench import norm_set
from ..open_run import OpenRun
from ..project import Problems
from .decided import ShownDecision, Why, decisions_of, places_of, record_data, why_data, why_of, words_at
from .decided_words import deadline_words, interest_words, money, number, punishment_words, say
from .views import RunView, ShowRequest

LINES: Final = frozenset({"lent", "deducted", "offset", "arrears", "principal"})
"""The lines of an account, which knows no language."""
MARK: Final = re.compile(r"【[^【】：:]*[：:]([^【】]*)】")
QUOTED: Final = 40  # code points of the words of a part that a row shows


def decision_text(shown: ShownDecision) -> str:
    """A decision as tables, one below the other; a part that has nothing in it is left out."""
    record = shown.record
    head = say("head", title=shown.parts.title or shown.parts.name, name=shown.parts.name)
    said = (record.court, record.number, record.day)
    lines = [
        head,
        "  ".join(filter(None, said)),
        say("read_in", document=shown.document) if shown.document else say("so_far"),
    ]
    blocks = (
        ("claims", _claims(shown)),
        ("reliefs", (_relief(shown, one) for one in record.reliefs)),
        ("verdicts", (_verdict(shown, one) for one in record.verdicts)),
        ("sentences", (_sentence(shown, one) for one in record.sentences)),
        ("fates", (_fate(shown, one) for one in record.fates)),
        ("findings", (_finding(shown, one) for one in record.findings)),
        ("costs", (_cost(shown, one) for one in record.costs)),
        ("thin", (_thin(shown, one) for one in record.thin)),
    )
    body = [line for name, rows in blocks for line in _block(name, rows)]
    return "\n".join([*filter(None, lines), *body])


def _block(name: str, rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A heading and its rows; nothing without rows. A column in which nothing stands is left out."""
    listed = list(rows)
    if not listed:
        return []
    kept = [at for at in range(len(listed[0])) if any(row[at] for row in listed)]
    return ["", say(name), *(f"  {line}" for line in table([[row[at] for at in kept] for row in listed]))]


# ---- rows ------------------------------------------------------------------------------------------------------------


def _claims(shown: ShownDecision) -> Iterator[tuple[str, ...]]:
    """Every claim, and what becomes of it: as it was decided, else as the items that answer it say."""
    record = shown.record
    turns = {(shown.claims.get(one.about), one.part): one for one in shown.decided}
    for claim in shown.frame.claims:
        decided = turns.get((claim.id, "results"))
        named = [one for one in record.reliefs if claim.id in one.claims] or [one for one in record.reliefs if one.rest]
        outcome = decided.filled.reliefs[0].result if decided is not None and decided.filled.reliefs else None
        outcome = outcome or outcome_of(claim, record) or "open"
        items = say("comma").join(dict.fromkeys(one.item for one in named if one.item))
        by = say("by_item", items=items) if items else ""
        yield (
            claim.id,
            _cut(claim.text),
            say(outcome),
            by,
            say("turn", turn=decided.turn) if decided is not None else "",
        )


def _relief(shown: ShownDecision, relief: Relief) -> tuple[str, ...]:
    who = _names(shown, relief.payers)
    who = say("together", names=who) if relief.liability == "jointly" and len(relief.payers) > 1 else who
    whose = "to" if relief.order is not None else "of"
    whom = say(whose, names=_names(shown, relief.payees)) if relief.payees else ""
    answers = say("answers", claims=say("comma").join(relief.claims)) if relief.claims else ""
    answers = say("answers_rest") if relief.rest and not relief.claims else answers
    return (
        relief.item or relief.id,
        say(relief.result) if relief.order is None else say(relief.order),
        who,
        whom,
        say("semicolon").join(filter(None, (_what(relief), *map(interest_words, relief.interest)))),
        deadline_words(relief.within),
        answers,
        origin_words(shown, relief.origin),
    )


def _what(relief: Relief) -> str:
    """What is ordered: the sum with what it is for, the sums of several parts, or the thing."""
    sums = say("comma").join(f"{part.label} {money(part.amount)}".strip() for part in relief.parts)
    whole = money(relief.amount) if relief.amount is not None else ""
    if sums and whole:
        return say("in_all", parts=sums, whole=whole)
    named = "" if relief.interest and not whole else relief.object
    named = say(named) if named.isascii() and named.isidentifier() else _cut(named)  # a key, or words of the text
    return sums or " ".join(filter(None, (named, whole)))


def _verdict(shown: ShownDecision, verdict: ChargeVerdict) -> tuple[str, ...]:
    found = say("comma").join(
        say("circumstance", name=one.name, applied=say(one.applied)) if one.applied else one.name
        for one in verdict.circumstances
    )
    punished = punishment_words(verdict.punishment) if verdict.punishment is not None else ""
    where = origin_words(shown, verdict.origin)
    return _person(shown, verdict.person), verdict.charge, say(verdict.result), punished, found, where


def _sentence(shown: ShownDecision, served: ServedSentence) -> tuple[str, ...]:
    days = say("days_of", since=served.since, until=served.until) if served.since and served.until else ""
    return _person(shown, served.person), punishment_words(served.punishment), days, origin_words(shown, served.origin)


def _fate(shown: ShownDecision, fate: Fate) -> tuple[str, ...]:
    item = say("item_below", item=fate.item) if fate.item else say("all_below")
    by = say("by_item", items=fate.by) if fate.by else ""
    return item, say(fate.result), by, origin_words(shown, fate.origin)


def _finding(shown: ShownDecision, finding: CourtFinding) -> tuple[str, ...]:
    by = say("shown_by", exhibits=say("comma").join(finding.by)) if finding.by else ""
    against = say("against", exhibits=say("comma").join(finding.against)) if finding.against else ""
    burden = say("burden", name=shown.name_of(finding.burden)) if finding.burden else ""
    evidence = " ".join(filter(None, (by, against, burden)))
    return finding.id, say(finding.result), _cut(finding.fact), evidence, origin_words(shown, finding.origin)


def _cost(shown: ShownDecision, cost: CostItem) -> tuple[str, ...]:
    shares = say("semicolon").join(
        " ".join(filter(None, (_names(shown, share.persons), money(share.amount) if share.amount is not None else "")))
        for share in cost.shares
    )
    amount = money(cost.amount) if cost.amount is not None else ""
    return cost.item, amount, say("borne", shares=shares) if shares else "", origin_words(shown, cost.origin)


def _thin(shown: ShownDecision, gap: Thin) -> tuple[str, ...]:
    return gap.part, say(gap.kind), say(gap.missing) if gap.missing else "", origin_words(shown, gap.origin)


# ---- words -----------------------------------------------------------------------------------------------------------


def _names(shown: ShownDecision, people: Iterable[str]) -> str:
    return say("comma").join(shown.name_of(one) for one in people)


def _person(shown: ShownDecision, person: str) -> str:
    return shown.name_of(person) if person else say("nobody_named")


def _cut(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= QUOTED else words[:QUOTED] + "…"


def origin_words(shown: ShownDecision, origin: PartOrigin | None) -> str:
    """Where a part comes from: a line of the document, an answer, a norm, an exhibit, a table, an admission."""
    if origin is None:
        return ""
    if origin.hand == "text" and shown.text is not None and origin.start is not None:
        return say("line", line=shown.text.count("\n", 0, origin.start) + 1)
    return say(f"from_{origin.hand}", source=origin.source, detail=origin.detail).rstrip()


# ---- why -------------------------------------------------------------------------------------------------------------


def why_text(why: Why, titles: Mapping[str, str]) -> str:
    """A part and what it rests on: how it was decided, by which norm, the terms of its reckoning, findings, the words
    of the text. `titles`: the norms that are known by their titles."""
    shown, record = why.shown, why.record
    lines = [say("why_head", path=why.path, title=shown.parts.title or shown.parts.name, name=shown.parts.name)]
    for claim in record.claims:
        asked = money(claim.amount) if claim.amount is not None else ""
        lines.append("  " + " ".join(filter(None, (claim.text, asked))))
    blocks = (
        ("reliefs", (_relief(shown, one) for one in record.reliefs)),
        ("verdicts", (_verdict(shown, one) for one in record.verdicts)),
        ("sentences", (_sentence(shown, one) for one in record.sentences)),
        ("costs", (_cost(shown, one) for one in record.costs)),
        ("reckoning", (row for one in _reliefs(why) for row in map(_reckoned, one.reckoning))),
        ("norms", (_norm(one, titles) for one in _reliefs(why) if one.norm)),
        ("below", (_relief(shown, one)[:-1] for one in why.below if isinstance(one, Relief))),
        ("below_verdicts", (_verdict(shown, one)[:-1] for one in why.below if isinstance(one, ChargeVerdict))),
        ("fates", (_fate(shown, one) for one in record.fates)),
        ("attacked", ((say("turn", turn=one.turn), _cut(ground), _answer(one.said)) for ground, one in why.attacked)),
        *_penal(why, titles),
        ("grounds", (_ground(one, titles) for one in (why.reckoned.act.grounds if why.reckoned.act else ()))),
        ("elements", (_element(shown, one) for one in why.reckoned.findings)),
        ("findings", (_finding(shown, one) for one in _findings(why))),
        (
            "exhibits",
            ((one.id, say(one.ruling), one.reason, origin_words(shown, one.origin)) for one in record.exhibits),
        ),
        ("cites", _cites(why)),
        ("decided", _decided(why)),
        ("thin", (_thin(shown, one) for one in _gaps(why))),
        ("by_norms_open", ((say(one.kind), one.missing) for one in why.reckoned.thin)),
        ("words", ((origin_words(shown, place), words_at(shown, place)) for place in places_of(why))),
    )
    return "\n".join([*lines, *(line for name, rows in blocks for line in _block(name, dict.fromkeys(rows)))])


def _penal(why: Why, titles: Mapping[str, str]) -> Iterator[tuple[str, Iterable[tuple[str, ...]]]]:
    """What norms decided of a charge: the offence with its tier, the range, circumstances, steps, probation, orders."""
    verdicts = why.reckoned.verdicts
    held = [one for verdict in verdicts for one in verdict.circumstances]
    yield "offences", ((one.norm, titles.get(one.norm, one.charge), one.tier, say(one.result)) for one in verdicts)
    yield "ranges", (_range(one, one.range) for one in verdicts if one.range is not None)
    yield "circumstances", ((one.name, one.article, say(one.duty or "open"), _applied(one)) for one in held)
    yield "point", (row for one in verdicts for row in _point(one))
    imposed = {(one.person, one.punishment) for one in why.record.sentences}
    other = (one for one in why.reckoned.sentences if imposed and (one.person, one.punishment) not in imposed)
    yield "by_norms_otherwise", ((_person(why.shown, one.person), punishment_words(one.punishment)) for one in other)
    yield "suspended", ((one.charge, say(f"suspended_{one.suspended}")) for one in verdicts if one.suspended)
    yield "ordered_by_law", (_by_law(why.shown, one) for one in why.reckoned.reliefs if why.reckoned.verdicts)


def _ground(ground: Ground, titles: Mapping[str, str]) -> tuple[str, ...]:
    """A ground on which an act is reviewed: what it is, whether it was found; of an open one what nobody showed."""
    title = titles.get(f"{ground.origin.source}/{ground.ground}", "") if ground.origin is not None else ""
    missing = ground.why if ground.result == "open" and ground.why != title else ""
    return ground.ground, title, say(f"ground_{ground.result}"), missing


def _answer(said: str) -> str:
    """What was decided in an answer: the mark at its end, else its words."""
    marks = MARK.findall(said)
    return marks[-1] if marks else _cut(said)


def _applied(circumstance: Circumstance) -> str:
    return say(circumstance.applied) if circumstance.applied else ""


def _range(verdict: ChargeVerdict, found: LawfulRange) -> tuple[str, ...]:
    """A range: kinds of penalty, months, fine."""
    most = say("months", count=found.most) if found.most is not None else say("life")
    months = say("span", least=say("months", count=found.least), most=most)
    least, high = ((money(one) if one is not None else "") for one in (found.fine_least, found.fine_most))
    fine = say("fine_span", least=least, most=high or say("no_end")) if least else ""
    return verdict.charge, say("comma").join(found.main), months, fine


def _point(verdict: ChargeVerdict) -> Iterator[tuple[str, ...]]:
    """How the point in a range was found: step by step, or as it was asked for."""
    if verdict.punishment is not None and not verdict.reckoning:
        yield say("as_asked"), punishment_words(verdict.punishment), "", ""
    yield from map(_step, verdict.reckoning)


def _step(line: ReckonedLine) -> tuple[str, ...]:
    value = money(line.value) if isinstance(line.value, Amount) else number(line.value)
    return say(line.operation), value, line.label, origin_source(line.origin)


def origin_source(origin: PartOrigin | None) -> str:
    """Where a figure comes from, as its origin says it."""
    return say(f"from_{origin.hand}", source=origin.source, detail=origin.detail).rstrip() if origin is not None else ""


def _by_law(shown: ShownDecision, relief: Relief) -> tuple[str, ...]:
    """What is given back or taken beside a punishment, and by which article."""
    cites = say("comma").join(say("cite", law=one.law, article=one.article) for one in relief.cites)
    amount = money(relief.amount) if relief.amount is not None else relief.object
    return say(relief.order or "open"), amount, say("of", names=_names(shown, relief.payers)), cites


def _reliefs(why: Why) -> list[Relief]:
    told = [*why.record.reliefs, *(relief for one in why.decided for relief in one.filled.reliefs)]
    return [*told, *why.reckoned.reliefs]


def _norm(relief: Relief, titles: Mapping[str, str]) -> tuple[str, ...]:
    """The norm by which a claim was decided, and what it came to."""
    amount = money(relief.amount) if relief.amount is not None else ""
    return relief.norm, titles.get(relief.norm, ""), say(relief.result), amount


def _element(shown: ShownDecision, element: CourtFinding) -> tuple[str, ...]:
    """What a norm wants found, how it was found, the sum it came to, who had to prove it, what showed it."""
    by = say("shown_by", exhibits=say("comma").join(element.by)) if element.by else ""
    against = say("against", exhibits=say("comma").join(element.against)) if element.against else ""
    burden = say("burden", name=shown.name_of(element.burden)) if element.burden else ""
    amount = money(element.amount) if element.amount is not None else ""
    source = origin_words(shown, element.origin) if not element.by else ""
    return element.fact, say(element.result), amount, burden, " ".join(filter(None, (by, against, source)))


def _findings(why: Why) -> Iterator[CourtFinding]:
    """Those of the document, then those of the parts that were decided."""
    yield from why.record.findings
    yield from (finding for one in why.decided for finding in one.filled.findings)


def _gaps(why: Why) -> Iterator[Thin]:
    yield from why.record.thin
    yield from (gap for one in why.decided for gap in one.filled.thin)


def _reckoned(line: ReckonedLine) -> tuple[str, ...]:
    value = money(line.value) if isinstance(line.value, Amount) else number(line.value)
    origin = line.origin
    return say(line.operation), value, say(line.label) if line.label in LINES else line.label, origin_source(origin)


def _cites(why: Why) -> Iterator[tuple[str, ...]]:
    cited = [*why.record.cites, *(cite for one in _reliefs(why) for cite in one.cites)]
    for cite in cited:
        yield say("cite", law=cite.law, article=cite.article), cite.paragraph, cite.item


def _decided(why: Why) -> Iterator[tuple[str, ...]]:
    """How the part was decided: in which call, and what it said."""
    for one in why.decided:
        results = [relief.result for relief in one.filled.reliefs] + [each.result for each in one.filled.verdicts]
        when = say("turn", turn=one.turn) if one.turn else say("by_vote")
        yield when, say(one.part), say("comma").join(dict.fromkeys(map(say, results)))


# ---- views -----------------------------------------------------------------------------------------------------------


def _read(opened: OpenRun, _: ShowRequest) -> tuple[tuple[ShownDecision, ...], Problems]:
    return decisions_of(opened), ()


def _text(decisions: tuple[ShownDecision, ...], _: OpenRun) -> str:
    return "\n\n".join(map(decision_text, decisions)) or say("nothing")


def _read_why(opened: OpenRun, asked: ShowRequest) -> tuple[tuple[Why, ...] | None, Problems]:
    return why_of(decisions_of(opened), asked.why)


def _why_text(found: tuple[Why, ...], opened: OpenRun) -> str:
    return "\n\n".join(why_text(one, _titles(one, opened)) for one in found) or say("nothing")


def _titles(why: Why, opened: OpenRun) -> Mapping[str, str]:
    """The titles of the norms that a decision goes by; none where the run's copies have no norms."""
    folder = why.shown.parts.norms
    norms = norm_set(opened.project.templates.sources, f"{FOLDER}/{folder}") if folder else None
    if norms is None:
        return {}
    offences = {one.id: one.title for one in norms.offences.values()}
    grounds = {f"{one.id}/{each.name}": each.title for one in norms.reviews.values() for each in one.grounds}
    offences |= {one.id: one.title for one in norms.reviews.values()} | grounds
    return {**offences, **{one.id: one.title for one in norms.norms.values()}}


DECISION = RunView(("record",), _read, lambda shown: [record_data(one) for one in shown], _text)
WHY = RunView(("why",), _read_why, lambda found: [why_data(one) for one in found], _why_text)
