"""Evaluations of one condition, put together; what differs in anything else stands apart, unless it is averaged over.

The facts of a condition are those of `model.condition` and of how a run was graded. Nothing here knows their names but
those of the model under test: a fact that is new sets apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from ..model.condition import OWN
from ..model.immutable import immutable
from .results import Evaluation

CASE_TEXT = "case_text"


@immutable
class ConditionGroup:
    """Evaluations that differ in model, case and seed alone, or in what is averaged `over`.

    `facts`: what they all have in common; `over`: fact -> text -> runs, of what was averaged; `rows`: fact -> model ->
    text, of what differs from row to row beside the model.
    """

    label: str
    facts: Mapping[str, str]
    members: tuple[Evaluation, ...]
    over: Mapping[str, Mapping[str, int]]
    rows: Mapping[str, Mapping[str, str]]


def facts_of(evaluation: Evaluation) -> dict[str, str]:
    """Return every fact of a condition, those of the model under test among them."""
    return evaluation.condition | {name: evaluation.own.get(name, "") for name in OWN}


def groups_of(evaluations: Sequence[Evaluation], over: Set[str] = frozenset()) -> list[ConditionGroup]:
    """Return the evaluations by condition, in the order in which conditions first appear. A fact of the model under
    test sets apart only where one model has it in several ways: else it goes with the row. `over`: facts that may
    differ within a group."""
    texts = _texts_of_cases(evaluations)
    told = [(one, facts_of(one) | {CASE_TEXT: texts[id(one)]}) for one in evaluations]
    apart = [name for name in (told[0][1] if told else ()) if name not in over and _sets_apart(name, told)]
    groups: dict[tuple[str, ...], list[tuple[Evaluation, dict[str, str]]]] = {}
    for one, facts in told:
        groups.setdefault(tuple(facts[name] for name in apart), []).append((one, facts))
    labels = ["; ".join(f"{name}: {text or '-'}" for name, text in zip(apart, key, strict=True)) for key in groups]
    return [_group(label, members, over) for label, members in zip(labels, groups.values(), strict=True)]


def _sets_apart(name: str, told: Sequence[tuple[Evaluation, Mapping[str, str]]]) -> bool:
    if name not in OWN:
        return len({facts[name] for _, facts in told}) > 1
    by_model: dict[str, set[str]] = {}
    for one, facts in told:
        by_model.setdefault(one.model, set()).add(facts[name])
    return any(len(texts) > 1 for texts in by_model.values())


def _group(label: str, told: Sequence[tuple[Evaluation, Mapping[str, str]]], over: Set[str]) -> ConditionGroup:
    values: dict[str, dict[str, int]] = {}
    rows: dict[str, dict[str, str]] = {}
    for one, facts in told:
        for name, text in facts.items():
            values.setdefault(name, {}).setdefault(text, 0)
            values[name][text] += 1
            if name in OWN:
                rows.setdefault(name, {})[one.model] = text
    common = {name: next(iter(texts)) for name, texts in values.items() if len(texts) == 1}
    averaged = {name: texts for name, texts in values.items() if len(texts) > 1 and name in over}
    differing = {name: rows[name] for name in rows if name not in common and name not in over}
    return ConditionGroup(label, common, tuple(one for one, _ in told), averaged, differing)


def _texts_of_cases(evaluations: Sequence[Evaluation]) -> dict[int, str]:
    """Which of the texts of its case each evaluation is of: "1", "2" by the paths of the runs, so that two folders of
    runs stay together; "" where a case has one text in all of them."""
    texts: dict[str, dict[str, str]] = {}
    for one in sorted(evaluations, key=lambda one: one.run.split("/")):
        known = texts.setdefault(one.case, {})
        known.setdefault(one.case_text, str(len(known) + 1))
    several = any(len(known) > 1 for known in texts.values())
    return {id(one): texts[one.case][one.case_text] if several else "" for one in evaluations}


def fact_names(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield the facts that may be averaged over."""
    yield from dict.fromkeys(name for one in evaluations for name in (*facts_of(one), CASE_TEXT))
