"""What happened in a run, whatever was said: items done, topics raised, reviews, searches, violations, the end."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...law.text.law_names import lookup
from ...model import events as e
from ...model.json_text import read_json
from ...model.remarks import breaches
from ..metrics.compliance import procedure
from ..metrics.matching import recall_at
from ..metrics.values import MissingScore, Reason
from .rule import RuleInput, RuleResult
from .sets import articles


def performed(case: RuleInput) -> RuleResult | MissingScore:
    """A checklist that the driver of a hearing worked through (J1-Eval, PFS; `compliance.procedure`).

    Parts: act, sta, uni, and merged, the number of turns in which several items were done. `without`: stages that do
    not count. Of several checklists, the one that this run was driven by.
    """
    names, without = case.arguments.get("checklist", ("",)), case.arguments.get("without", ())
    driven = {event.checklist for event, _ in case.stored.timed(e.Performed)}
    name = next((name for name in names if name in driven), names[0])
    tasks = [task for task in case.stored.procedure.checklists.get(name, ()) if task.stage not in without]
    if not tasks:
        return MissingScore(Reason.NO_REFERENCE, name)
    turns = [(event, turn) for event, turn in case.stored.timed(e.Performed) if event.checklist == name]
    stages: dict[str, tuple[int, ...]] = {}
    for task in tasks:
        stages[task.stage] = (*stages.get(task.stage, ()), task.n)
    score = procedure(stages, [event.items for event, _ in turns])
    if isinstance(score, MissingScore):
        return score
    done = {item for event, _ in turns for item in event.items}
    lacking = "; ".join(task.text for task in tasks if task.n not in done)
    parts = {"act": score.actions, "sta": score.stages, "uni": score.several_turns, "merged": float(len(score.merged))}
    return RuleResult(score.score, lacking[:400], parts, tuple(dict.fromkeys(turn for _, turn in turns)))


def covered(case: RuleInput) -> RuleResult | MissingScore:
    """The share of topics that were raised, of as many as the reference has."""
    raised = {event.n: turn for event, turn in case.stored.timed(e.Raised)}
    count = sum(len(value) if isinstance(value, tuple) else 1 for value in case.reference)
    if not count:
        return MissingScore(Reason.NO_REFERENCE)
    return RuleResult(min(len(raised) / count, 1.0), f"{len(raised)} / {count}", turns=tuple(raised.values()))


def reviewed(case: RuleInput) -> RuleResult | MissingScore:
    """The mean of what reviewers scored the heard drafts of the target in all (ASP2LJ, argument score)."""
    who = case.stored.who(("target",)) if case.argument("of") == "target" else None
    wanted = case.argument("score")
    reviews = [
        (event.scores.get(wanted, 0.0) if wanted else math.fsum(event.scores.values()), turn)
        for event, turn in case.stored.timed(e.Reviewed)
        if event.heard and event.scores and (who is None or event.person in who)
    ]
    if not reviews:
        return MissingScore(Reason.MISSING)
    if (most := case.argument("most")) and any(score > float(most) for score, _ in reviews):
        return MissingScore(Reason.OUT_OF_RANGE, most)
    value = math.fsum(score for score, _ in reviews) / len(reviews)
    return RuleResult(value, f"n={len(reviews)}", turns=tuple(turn for _, turn in reviews))


def retrieved(case: RuleInput) -> RuleResult | MissingScore:
    """Of the reference's articles, those among the first `k` that the searches of a run brought, in the order in which
    they were brought. It is what the people of the run searched for, a few hits at a time, and no Recall@k of a
    retriever, whose queries, corpus and depth are given."""
    expected = articles(case.expected_text, True)
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    calls = (event for event, _ in case.stored.timed(e.Called) if not event.refused)
    ranking = list(dict.fromkeys(article for event in calls for article in _brought(event.result)))
    share = recall_at(ranking, expected, int(case.argument("k", "100")))
    if isinstance(share, MissingScore):
        return share
    return RuleResult(share, f"{len(expected.intersection(ranking))} / {len(expected)}")


def _brought(result: str) -> Iterator[tuple[str, str]]:
    """The articles that a tool brought, in its order: what a search lists as (law, article), else those cited."""
    try:
        told = read_json(result)
    except ValueError:
        told = None
    rows = told.get("found") if isinstance(told, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("law"), str) and isinstance(row.get("article"), str):
            yield lookup(row["law"]).short, row["article"]
    if not isinstance(rows, list):
        yield from sorted(articles(result, True))


def clean(case: RuleInput) -> RuleResult | MissingScore:
    """The share of the target's turns in which no rule of conduct or of form was broken."""
    stored = case.stored
    who = stored.who(("target",))
    asked = {event.id for event in stored.events if isinstance(event, e.Asked) and event.person in who}
    broken = {event.request: event.rule for event in breaches(stored.events)}
    wrong = asked & broken.keys()
    if not asked:
        return MissingScore(Reason.MISSING)
    turns = tuple(sorted(stored.numbers[request] for request in wrong))
    return RuleResult(1 - len(wrong) / len(asked), "; ".join(sorted({broken[each] for each in wrong})), turns=turns)


def happened(case: RuleInput) -> RuleResult | MissingScore:
    """1 when the run ended with one of the `outcomes`, or came to one of the `places`; else 0."""
    outcomes, places = case.arguments.get("outcomes", ()), case.arguments.get("places", ())
    hit = case.stored.outcome in outcomes or bool(case.stored.entered.intersection(places))
    return RuleResult(float(hit), case.stored.outcome)
