"""What the abstract walk says of a procedure is what plays of it do: whatever it calls impossible happens in none.

Procedures are made up: conditions in conditions, loops, endings, ways onward, phases gone through again, events, roles
given away. Each is played with every row of answers it can have, and held against the visits of the walk: where a play
comes, a visit came, with the same people holding roles, the same answers there, no phase over that was not. Where
nothing is guessed (no loop, each answer in one condition, who holds a role the same all along) the walk is exact, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product

import pytest
from neighbours import SPEC, neutral

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.checking.abstract_walk import Visit, walk_procedure
from legalworld.engine.interpreter import interpret
from legalworld.engine.reach import place_of
from legalworld.engine.settings import Settings
from legalworld.language.link.linker import link
from legalworld.model import plan
from legalworld.model.actors import RoleHolders
from legalworld.model.events import Assigned, Captured, Drafted, Entered, Event, Left, Reply, Request
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

HEAD = """\
lw: 1
procedure: made
title: Made up
locale: en
case: {title: {path: $.title}}
kinds: {J: judge, L: lawyer}
roles:
  judge: {title: Judge, kind: judge}
  left: {title: Counsel A, kind: lawyer, side: a}
  right: {title: Counsel B, kind: lawyer, side: b}
  chief: {title: Chief, assigned: yes}
  deputy: {title: Deputy, assigned: yes}
documents: {paper: {title: Paper}, note: {title: Note}}
"""
CASE = "lw: 1\ncase: c\ntitle: t\n"
ROLES = ("chief", "deputy")
PHASES = ("first", "second", "third")
GIVEN = (
    "- judge asks left: x",
    "  answer: wanted is yes or no",
    "  when: deputy is not assigned",
    "- assign chief: those who answered yes to wanted",
)
Names = tuple[str, ...]
MOST_ANSWERS = 4


@dataclass
class Maker:
    """Makes up the steps of a procedure. `loops`: with all that makes the walk guess.

    `chief`: whether the role that an answer gives to somebody or to nobody is known to be held where the maker is;
    `told`: a condition has asked for it, so that elsewhere none may ask any more.
    """

    chance: random.Random
    loops: bool
    chief: bool = False
    told: bool = False
    asked: int = 0
    steps: int = 0

    def block(self, depth: int, earlier: Names, later: Names) -> list[str]:
        lines: list[str] = []
        for _ in range(self.chance.randint(1, 2 if depth else 3)):
            lines += self.step(depth, earlier, later)
        return lines

    def step(self, depth: int, earlier: Names, later: Names) -> list[str]:
        kinds = ["say", "chief", "draft", "if", "if", "if", "if", *(["end", "onward"] if depth else [])]
        kinds += ["repeat", "each", "again", "assign", "assign"] if self.loops else []
        match kind := self.chance.choice(kinds):
            case "if" if depth < 3:
                return self.branches(depth, earlier, later)
            case "repeat" | "each" if depth < 2:
                head = "- repeat 2 rounds:" if kind == "repeat" else "- for each one in left, right:"
                return [head, *_deeper(self.block(depth + 1, earlier, later))]
            case "end":
                return self.named(f"{self.chance.choice(('end stage', 'end case'))}: over")
            case "onward" if later:
                return self.named(f"continue with {self.chance.choice(later)}:")
            case "again" if earlier:
                return self.named(f"reopen {self.chance.choice(earlier)}:")
            case "assign":
                role, whom = self.chance.choice(ROLES), self.chance.choice(("left", "right", "left, right"))
                return self.named(f"assign {role}: {whom}")
            case "chief":
                return self.named(f"{self.chance.choice(ROLES)} states: x")
            case "draft":
                return self.named(f"judge drafts {self.chance.choice(('paper', 'note'))}: x")
        return self.named("left states: x")

    def named(self, sentence: str) -> list[str]:
        self.steps += 1
        return [f"- {sentence}", f"  id: s{self.steps}"]

    def branches(self, depth: int, earlier: Names, later: Names) -> list[str]:
        """What a condition goes by, if it was not asked before, and the condition with what it leads to."""
        before = self.chief
        asked, condition, held = self.condition()
        self.chief = held
        lines = [*asked, f"- if {condition}:", *_deeper(self.block(depth + 1, earlier, later))]
        self.chief = before
        if self.chance.random() < 0.6:
            lines += ["- else:", *_deeper(self.block(depth + 1, earlier, later))]
        return lines

    def condition(self) -> tuple[list[str], str, bool]:
        """The question that it rests on, the condition, and whether the chief is known where it holds."""
        role, held = f"deputy is {self.chance.choice(('', 'not '))}assigned", self.chief
        if self.loops:
            role = f"{self.chance.choice(ROLES)} is {self.chance.choice(('', 'not '))}assigned"
        elif (self.chief or not self.told) and self.chance.random() < 0.5:
            role, held, self.told = "chief is assigned", True, True
        if self.asked >= MOST_ANSWERS:
            return [], role, held
        number, self.asked = self.asked, self.asked + 1
        asked = [*self.named("judge notes: x"), f"  answer: answer{number} is yes or no"]
        answer = self.chance.choice((f"answer{number}", f"not answer{number}"))
        choice = self.chance.choice((answer, role, f"{answer} and {role}", f"{answer} or {role}"))
        return asked, choice, held if role in choice and " or " not in choice else self.chief


def _deeper(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def made_up(seed: int, loops: bool) -> str:
    """The text of a procedure of two stages, one of them in phases."""
    maker = Maker(random.Random(seed), loops)
    lines = ["stages:", "  - stage: one", "    title: One", "    phases:"]
    for number, phase in enumerate(PHASES):
        lines += [f"      - phase: {phase}", f"        title: {phase}"]
        lines += [f"        when: deputy is {maker.chance.choice(('', 'not '))}assigned"] * (
            maker.chance.random() < 0.3
        )
        earlier, later = PHASES[:number], (*PHASES[number + 1 :], "two")
        steps = [*(GIVEN if not number and not loops else ()), *maker.block(0, earlier, later)]
        lines += ["        steps:", *(f"          {line}" for line in steps)]
    lines += ["  - stage: two", "    title: Two", "    steps:", *(f"      {line}" for line in maker.block(0, (), ()))]
    return HEAD + "\n".join(lines) + "\n"


@dataclass
class Coming:
    """One coming of a play to a step: who held which role, what there was, which phases were over."""

    step: plan.Step
    holders: dict[str, frozenset[str]]
    made: frozenset[str]
    over: frozenset[str]


def events_of(procedure: Procedure, templates: TemplateSet, answers: tuple[bool, ...]) -> list[Event]:
    """A play in which the first answers asked for are these, and those after them the same once more."""
    data, _ = parse_data("case.yaml", CASE)
    assert data is not None
    case, _ = bind(procedure, data, record=None, binding=None, settings={})
    assert case is not None
    walk, told, number = interpret(procedure, case, Settings("", 7, {}), templates), list[Event](), count()

    def say(request: Request) -> Reply:
        asked = request.form.answer
        if asked is None:
            return Reply(text="word")
        return Reply(text=f"【{asked.name}: {'yes' if answers[next(number) % len(answers)] else 'no'}】")

    try:
        turn = next(walk)
        while True:
            told += turn.events
            turn = walk.send(tuple(say(request) for request in turn.requests if isinstance(request, Request)))
    except StopIteration as done:
        return [*told, *done.value.events]


def comings(procedure: Procedure, events: list[Event]) -> Iterator[Coming]:
    holders: dict[str, frozenset[str]] = {}
    made, over = frozenset[str](), frozenset[str]()
    for event in events:
        match event:
            case Assigned(role=role, persons=persons):
                holders = {**holders, role: frozenset(persons)}
            case Captured(name=name):
                made |= {name}
            case Drafted(document=name):
                made |= {name}
            case Left(level="phase", place=place):
                over |= {place.rpartition("/")[2]}
            case Entered(level="stage"):
                over = frozenset()
            case Entered(level="step", place=place):
                found = place_of(procedure, place)
                assert found is not None and found.step is not None, place
                yield Coming(found.step, holders, made, over)


def fits(visit: Visit, coming: Coming) -> bool:
    """Whether a visit of the abstract walk allows for what a play found at a step."""
    held = {role: coming.holders.get(role, frozenset()) for role in ROLES}
    return (
        visit.stopped is None
        and all(persons <= visit.cast.of(RoleHolders(role)) for role, persons in held.items())
        and all(held[role] for role in visit.cast.surely_held)
        and coming.made <= visit.made
        and visit.over <= coming.over
    )


def linked(text: str) -> tuple[Procedure, TemplateSet]:
    sources = MemorySources({**neutral(), SPEC: text})
    found = link(sources, SPEC)
    assert found.procedure is not None, found.problems
    return found.procedure, TemplateSet.of(sources, found.procedure)


def plays(text: str) -> tuple[list[Visit], list[Coming]]:
    """What the abstract walk finds, and what all plays come to."""
    procedure, templates = linked(text)
    rows = product((True, False), repeat=max(1, len(procedure.answers)))
    found = [coming for row in rows for coming in comings(procedure, events_of(procedure, templates, row))]
    return list(walk_procedure(procedure)), found


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("loops", [False, True], ids=["exact", "loops"])
def test_what_the_walk_calls_impossible_happens_in_no_play(seed: int, loops: bool) -> None:
    text = made_up(seed, loops)
    visits, found = plays(text)
    by_step: dict[int, list[Visit]] = {}
    for visit in visits:
        by_step.setdefault(id(visit.what), []).append(visit)
    for coming in found:
        assert any(fits(visit, coming) for visit in by_step[id(coming.step)]), (coming, by_step[id(coming.step)], text)
    if not loops:
        come = {id(coming.step) for coming in found}
        open_ = {id(visit.what) for visit in visits if isinstance(visit.what, plan.Step) and visit.stopped is None}
        assert [visit.what for visit in visits if id(visit.what) in come ^ open_] == [], text
