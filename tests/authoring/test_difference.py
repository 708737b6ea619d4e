"""The difference of two procedures: each edit is told once, as what it is, and nothing else; the same both ways."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from places import ROOT
from playing import project

from legalworld.authoring.difference import Delta, difference
from legalworld.authoring.difference_steps import content, kept_in_order
from legalworld.authoring.protocol_words import Phrases
from legalworld.model.actors import RoleHolders
from legalworld.model.conditions import Given
from legalworld.model.immutable import replace
from legalworld.model.plan import Step
from legalworld.model.procedure import Grant, Procedure, steps_of
from legalworld.model.steps.speak import Speak
from legalworld.wording import sentences

SPECS = sorted(
    str(path.relative_to(ROOT / "specs").with_suffix(""))
    for path in (ROOT / "specs").rglob("*.yaml")
    if "procedure:" in path.read_text("utf-8") and path.parent.name != "parts"
)
Mutant = tuple[Procedure, str, str]
WHOSE = ("all", "own", "other")
MIRRORED = {"added": "removed", "removed": "added"}


@cache
def procedure_of(spec: str) -> Procedure:
    procedure = project(spec).procedure
    assert procedure is not None
    return procedure


def told(old: Procedure, new: Procedure) -> tuple[Delta, ...]:
    word = sentences("protocol", "en")
    return difference(*(Phrases(one, "en", word, {}) for one in (old, new)))


# ---- edits -----------------------------------------------------------------------------------------------------------


def edited(procedure: Procedure, wanted: Step, become: Callable[[Step], tuple[Step, ...]]) -> Procedure:
    """The procedure with one step replaced by others, wherever it stands."""

    def block(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(one for step in steps for one in (become(step) if step is wanted else (inside(step),)))

    def inside(step: Step) -> Step:
        held = {one.name: getattr(step, one.name) for one in fields(step)}
        blocks = {name: value for name, value in held.items() if any(value is one for one in step.blocks) and value}
        return replace(step, **{name: block(value) for name, value in blocks.items()}) if blocks else step

    stages = tuple(
        replace(
            stage,
            phases=tuple(
                replace(phase, steps=block(phase.steps), closing=block(phase.closing)) for phase in stage.phases
            ),
            closing=block(stage.closing),
        )
        for stage in procedure.stages
    )
    return replace(procedure, stages=stages)


def pick(draw: random.Random, procedure: Procedure, fits: Callable[[Step], bool]) -> Step | None:
    found = [step for stage in procedure.stages for step in steps_of(stage) if fits(step)]
    return draw.choice(found) if found else None


def told_of_step(draw: random.Random, procedure: Procedure, change: Callable[[Step], Step | None]) -> Procedure | None:
    """One step of those of which a change makes another."""
    steps = [step for stage in procedure.stages for step in steps_of(stage) if change(step) is not None]
    if not steps:
        return None
    chosen = draw.choice(steps)
    new = change(chosen)
    assert new is not None
    return edited(procedure, chosen, lambda _: (new,))


def info(step: Step, **changes: Any) -> Step:
    return replace(step, info=replace(step.info, **changes))


def moved(draw: random.Random, procedure: Procedure) -> Mutant | None:
    places = [
        (s, p)
        for s, stage in enumerate(procedure.stages)
        for p, phase in enumerate(stage.phases)
        if len(phase.steps) > 1
    ]
    if not places:
        return None
    s, p = draw.choice(places)
    steps = list(procedure.stages[s].phases[p].steps)
    at, to = draw.sample(range(len(steps)), 2)
    steps.insert(to, steps.pop(at))
    return in_phase(procedure, s, p, steps=tuple(steps)), "order", "moved"


def swapped(draw: random.Random, procedure: Procedure) -> Mutant | None:
    places = [
        (s, p)
        for s, stage in enumerate(procedure.stages)
        for p, phase in enumerate(stage.phases)
        if len(phase.steps) > 1
    ]
    if not places:
        return None
    s, p = draw.choice(places)
    steps = list(procedure.stages[s].phases[p].steps)
    at = draw.randrange(len(steps) - 1)
    steps[at], steps[at + 1] = steps[at + 1], steps[at]
    return in_phase(procedure, s, p, steps=tuple(steps)), "order", "moved"


def in_phase(procedure: Procedure, s: int, p: int, **changes: Any) -> Procedure:
    stage = procedure.stages[s]
    phases = (*stage.phases[:p], replace(stage.phases[p], **changes), *stage.phases[p + 1 :])
    return in_stage(procedure, s, phases=phases)


def in_stage(procedure: Procedure, s: int, **changes: Any) -> Procedure:
    stages = procedure.stages
    return replace(procedure, stages=(*stages[:s], replace(stages[s], **changes), *stages[s + 1 :]))


def removed(draw: random.Random, procedure: Procedure) -> Mutant | None:
    step = pick(draw, procedure, lambda step: True)
    return (edited(procedure, step, lambda _: ()), "order", "removed") if step is not None else None


def added(draw: random.Random, procedure: Procedure) -> Mutant | None:
    step = pick(draw, procedure, lambda step: isinstance(step, Speak))
    if step is None:
        return None
    new = info(step, id="wholly_new", cue="something that nobody has said before")
    return edited(procedure, step, lambda one: (one, new)), "order", "added"


def renamed(draw: random.Random, procedure: Procedure) -> Mutant | None:
    named = [
        step
        for stage in procedure.stages
        for step in steps_of(stage)
        if not step.info.id.rpartition(".")[2].isdecimal()
    ]
    same = Counter(content(info(step, id="")) for step in named)
    step = pick(draw, procedure, lambda step: step in named and same[content(info(step, id=""))] == 1)
    if step is None:
        return None
    base = step.info.id.rpartition(".")[0]
    new = info(step, id=f"{base}.new_name" if base else "new_name")
    if step.blocks and any(step.blocks):
        return None  # the places of what is inside change with it
    return edited(procedure, step, lambda _: (new,)), "order", "renamed"


def cell_opened(draw: random.Random, procedure: Procedure) -> Mutant | None:
    held = {(one.what, one.whose, one.stage, one.kind) for one in procedure.grants}
    free = [
        (what, stage.id, kind)
        for what in (*procedure.documents, *procedure.answers)
        for stage in procedure.stages
        for kind in procedure.kinds
        if not any((what, whose, stage.id, kind) in held for whose in ("all", "own", "other"))
    ]
    if not free:
        return None
    what, stage_, kind = draw.choice(free)
    grant = Grant(what, "all", stage_, kind, "", None, procedure.span)
    return replace(procedure, grants=(*procedure.grants, grant)), "sight", "added"


def cell_closed(draw: random.Random, procedure: Procedure) -> Mutant | None:
    if not procedure.grants:
        return None
    gone = draw.choice(procedure.grants)
    key = (gone.what, gone.whose, gone.stage, gone.kind)
    kept = tuple(one for one in procedure.grants if (one.what, one.whose, one.stage, one.kind) != key)
    return replace(procedure, grants=kept), "sight", "removed"


def cell_delayed(draw: random.Random, procedure: Procedure) -> Mutant | None:
    free = [one for one in procedure.grants if one.condition is None]
    if not free:
        return None
    chosen = draw.choice(free)
    late = tuple(replace(one, condition=Given(True)) if one is chosen else one for one in procedure.grants)
    return replace(procedure, grants=late), "sight", "changed"


def of_step(group: str, change: Callable[[Step], Step | None]) -> Callable[..., Mutant | None]:
    def mutate(draw: random.Random, procedure: Procedure) -> Mutant | None:
        new = told_of_step(draw, procedure, change)
        return (new, group, "changed") if new is not None else None

    return mutate


def limit(step: Step) -> Step | None:
    return replace(step, limit=step.most_turns + 3) if hasattr(step, "limit") else None


def silence(step: Step) -> Step | None:
    answer = getattr(step, "answer", None)
    return replace(step, answer=replace(answer, default="else")) if answer is not None and step.answerers else None


def speaker(step: Step) -> Step | None:
    return replace(step, actors=(RoleHolders("somebody_else"),)) if isinstance(step, Speak) else None


def declared(name: str, group: str) -> Callable[..., Mutant | None]:
    """One entry of a declaration goes."""

    def mutate(draw: random.Random, procedure: Procedure) -> Mutant | None:
        held = getattr(procedure, name)
        if not held:
            return None
        gone = draw.choice(list(held))
        rest = {key: one for key, one in held.items() if key != gone} if isinstance(held, dict) else None
        kept = rest if rest is not None else tuple(one for one in held if one is not gone)
        return replace(procedure, **{name: kept}), group, "removed"

    return mutate


def stage_gone(draw: random.Random, procedure: Procedure) -> Mutant | None:
    at = draw.randrange(len(procedure.stages))
    stages = (*procedure.stages[:at], *procedure.stages[at + 1 :])
    return replace(procedure, stages=stages), "order", "removed"


def budget(draw: random.Random, procedure: Procedure) -> Mutant | None:
    at = draw.randrange(len(procedure.stages))
    return in_stage(procedure, at, budget=procedure.stages[at].budget + 7), "limits", "changed"


def stage_renamed(draw: random.Random, procedure: Procedure) -> Mutant | None:
    at = draw.randrange(len(procedure.stages))
    old = procedure.stages[at].id
    grants = tuple(replace(one, stage="renamed") if one.stage == old else one for one in procedure.grants)
    return in_stage(replace(procedure, grants=grants), at, id="renamed"), "order", "renamed"


def choice(draw: random.Random, procedure: Procedure) -> Mutant | None:
    if not procedure.options:
        return None
    name = draw.choice(list(procedure.options))
    option = replace(procedure.options[name], default="else")
    return replace(procedure, options={**procedure.options, name: option}), "choosing", "changed"


MUTATORS: dict[str, Callable[..., Mutant | None]] = {
    "moved": moved,
    "swapped": swapped,
    "removed": removed,
    "added": added,
    "renamed": renamed,
    "cell opened": cell_opened,
    "cell closed": cell_closed,
    "cell delayed": cell_delayed,
    "limit": of_step("limits", limit),
    "silence": of_step("silence", silence),
    "speaker": of_step("speaking", speaker),
    "cue": of_step("wording", lambda step: info(step, cue="other words") if step.info.cue else None),
    "basis": of_step("basis", lambda step: info(step, basis=("§ 1",))),
    "condition": of_step("order", lambda step: info(step, when=Given(False))),
    "day": of_step("dating", lambda step: info(step, on="some_day")),
    "role": declared("roles", "people"),
    "field": declared("fields", "held"),
    "document": declared("documents", "papers"),
    "rule": declared("conduct", "behaviour"),
    "option": declared("options", "choosing"),
    "tool": declared("tools", "aids"),
    "date": declared("dates", "dating"),
    "decision": declared("decisions", "deciding"),
    "event": declared("interruptions", "order"),
    "stage": stage_gone,
    "stage renamed": stage_renamed,
    "budget": budget,
    "choice": choice,
}


# ---- what is told ----------------------------------------------------------------------------------------------------


def mutants(spec: str, name: str, times: int) -> Iterator[Mutant]:
    for seed in range(times):
        mutant = MUTATORS[name](random.Random(f"{spec} {name} {seed}"), procedure_of(spec))
        if mutant is not None and content(mutant[0]) != content(procedure_of(spec)):
            yield mutant


@pytest.mark.parametrize("spec", SPECS)
def test_a_procedure_does_not_differ_from_itself(spec: str) -> None:
    assert told(procedure_of(spec), procedure_of(spec)) == ()


@pytest.mark.parametrize("name", MUTATORS)
@pytest.mark.parametrize("spec", SPECS)
def test_an_edit_is_told_once_as_what_it_is_and_the_other_way_round_as_its_mirror(spec: str, name: str) -> None:
    for mutant, group, kind in mutants(spec, name, 2):
        found = told(procedure_of(spec), mutant)
        assert [(change.group, change.kind) for change in found] == [(group, kind)], found
        back = told(mutant, procedure_of(spec))
        assert [(change.group, MIRRORED.get(change.kind, change.kind)) for change in back] == [(group, kind)]
        assert (back[0].old, back[0].new, back[0].field) == (found[0].new, found[0].old, found[0].field)


@pytest.mark.parametrize("spec", ["civil", "criminal", "labour-arbitration", "bargain"])
def test_several_edits_are_told_together(spec: str) -> None:
    single = ("cell closed", "limit", "silence", "basis", "role", "budget", "choice", "rule")
    for seed in range(3):
        draw, mutant, groups = random.Random(f"{spec} {seed}"), procedure_of(spec), set()
        for name in draw.sample(single, 4):
            after = MUTATORS[name](draw, mutant)
            if after is not None and content(after[0]) != content(mutant):
                mutant = after[0]
                groups.add(after[1])
        assert {change.group for change in told(procedure_of(spec), mutant)} == groups


def test_the_least_is_moved_and_the_same_both_ways() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        size = draw.randrange(2, 9)
        order = draw.sample(range(size), size)
        keys = [f"step {number}" for number in order]
        stayed = {keys[at] for at in kept_in_order(order, keys)}
        inverse = [order.index(number) for number in range(size)]
        back = {f"step {at}" for at in kept_in_order(inverse, [f"step {number}" for number in range(size)])}
        assert stayed == back
        assert len(stayed) == longest(order)


def longest(order: list[int]) -> int:
    """The length of the longest rising part, the slow way."""
    best = [1] * len(order)
    for at, number in enumerate(order):
        best[at] = max([best[one] + 1 for one in range(at) if order[one] < number], default=1)
    return max(best)


def test_two_procedures_that_differ_in_everything_mirror_each_other() -> None:
    for first, second in (("civil", "criminal"), ("civil", "quexi"), ("bargain", "maser"), ("j1/kq", "j1/lc")):
        there, back = told(procedure_of(first), procedure_of(second)), told(procedure_of(second), procedure_of(first))
        assert there
        count = Counter((one.group, one.kind) for one in there)
        assert count == Counter((one.group, MIRRORED.get(one.kind, one.kind)) for one in back)
