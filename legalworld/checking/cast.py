"""Who may hold which role at a point of a procedure, in some case; and who does in every case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, assert_never

from ..model import plan
from ..model import procedure as p
from ..model.actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Target, VotersOf
from ..model.steps.assign import Assign, Assignee, GaveAnswer, NamedIn, Opposing, Remaining
from ..model.steps.for_each import ForEach
from ..model.steps.vote import Vote

NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Cast:
    """Who may hold which role at one point: `held` names the assigned roles that a step before may have given somebody.

    `surely_held`: those that somebody holds in every case that comes here.

    Persons are told apart by the role they have from the beginning; `target` is that of the person under test.
    """

    procedure: p.Procedure
    target: str
    holders_by_role: Mapping[str, frozenset[str]]
    held: frozenset[str]
    surely_held: frozenset[str] = NOBODY
    _kept: dict[Actor, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, actor: Actor) -> frozenset[str]:
        """First roles of the persons that an actor may mean; empty where it can mean nobody."""
        roles = self._kept.get(actor)
        if roles is None:
            self._kept[actor] = NOBODY  # two choices may each rest on the other
            roles = self._kept[actor] = self._find(actor)
        return roles

    def all(self, actors: Iterable[Actor]) -> frozenset[str]:
        return frozenset(role for actor in actors for role in self.of(actor))

    def _find(self, actor: Actor) -> frozenset[str]:
        roles = self.procedure.roles
        match actor:
            case RoleHolders(name):
                return self._holders(name)
            case Target():
                return self._holders(self.target)
            case Related(kind, of):
                those = self.of(of)
                spoken_for = {roles[role].represents for role in those}
                return frozenset(
                    role.id
                    for role in self._first()
                    if role.kind == kind and (role.id in spoken_for or role.represents in those)
                )
            case VotersOf("minority", name) if name in self._unanimous:
                return NOBODY
            case VotersOf(name=name):
                voters = self._voters.get(name, ())
                return self.all(voter for voter in voters if not isinstance(voter, VotersOf))
            case ChosenIn(name=name, among=among):
                return self.all(one for one in among or self._asked_about.get(name, ()) if not rests_on(one, name))
            case Fellows(LoopPerson(among=among)) | LoopPerson(among=among):
                return self.all(among)
            case Fellows(of):
                return frozenset(role for role in self.of(of) if roles[role].each or roles[role].persons > 1)
            case Opponents(of):
                return frozenset(
                    other.id
                    for role in self.of(of)
                    for other in self._first()
                    if other.kind == roles[role].kind and other.side and other.side != roles[role].side
                )
            case _:
                assert_never(actor)

    @cached_property
    def _voters(self) -> Mapping[str, tuple[Actor, ...]]:
        """Answer -> those who vote on it."""
        votes = [step for step in p.all_steps(self.procedure) if isinstance(step, Vote)]
        return {
            name: tuple(voter for vote in votes if vote.answer.name == name for voter in vote.voters)
            for name in {vote.answer.name for vote in votes}
        }

    @cached_property
    def _asked_about(self) -> Mapping[str, tuple[Actor, ...]]:
        """Answer -> those whom the loops go over in which it is asked for."""
        return asked_about(self.procedure)

    @cached_property
    def _unanimous(self) -> frozenset[str]:
        """The answers on which nothing is carried but by all: whoever votes otherwise keeps it from a result."""
        votes = [step for step in p.all_steps(self.procedure) if isinstance(step, Vote)]
        others = {vote.answer.name for vote in votes if vote.carried_by != "all" or vote.tie}
        return frozenset(vote.answer.name for vote in votes) - others

    def _holders(self, name: str) -> frozenset[str]:
        role = self.procedure.roles.get(name)
        if role is None:
            return NOBODY
        if role.assigned:
            return self.holders_by_role.get(name, NOBODY) if name in self.held else NOBODY
        return frozenset({name})

    def _first(self) -> Iterator[p.Role]:
        return (role for role in self.procedure.roles.values() if not role.assigned)

    def given(self, step: Assign) -> frozenset[str]:
        """Those to whom an `assign` may give its roles."""
        return frozenset(role for one in step.who for role in self._given(one))

    def _given(self, who: Assignee) -> frozenset[str]:
        parties = frozenset(role.id for role in self._first() if role.party)
        match who:
            case NamedIn() | Remaining():
                return parties
            case GaveAnswer(name):
                steps = (step for stage in self.procedure.stages for step in p.steps_of(stage))
                return self.all(actor for step in steps if name in step.answer_names for actor in step.answerers)
            case Opposing(of):
                sides = {self.procedure.roles[role].side for role in self.of(of)}
                return frozenset(
                    party for party in parties if any(side != self.procedure.roles[party].side for side in sides)
                )
            case actor:
                return self.of(actor)

    def unknown(self, actor: Actor) -> bool:
        """Whether an actor rests on `nobody`, or on a name that the linker has reported."""
        match actor:
            case RoleHolders(role):
                return role not in self.procedure.roles
            case Target():
                return False
            case Related(kind, of):
                return kind not in self.procedure.kinds or self.unknown(of)
            case Opponents(of) | Fellows(of):
                return self.unknown(of)
            case VotersOf(name=name):
                return name not in self._voters
            case ChosenIn(name=name, among=among):
                return any(map(self.unknown, among)) if among else name not in self._asked_about
            case LoopPerson(among=among):
                return any(map(self.unknown, among))
            case _:
                assert_never(actor)

    def certain(self, actor: Actor) -> str:
        """The one role of an actor who is there in every case; "" when there may be none, or another."""
        if not isinstance(actor, RoleHolders | Target):
            return ""
        name = self.target if isinstance(actor, Target) else actor.role
        role = self.procedure.roles.get(name)
        alone = role is not None and not role.assigned and not role.each and role.persons < 2 and role.when is None
        return name if alone else ""


def asked_about(procedure: p.Procedure) -> Mapping[str, tuple[Actor, ...]]:
    """Answer -> those whom the loops over persons go over in which it is asked for."""
    found: dict[str, tuple[Actor, ...]] = {}
    for loop in p.all_steps(procedure):
        if isinstance(loop, ForEach) and loop.persons:
            for name in {name for step in plan.walk(loop.body) for name in step.answer_names}:
                found[name] = (*found.get(name, ()), *loop.persons)
    return found


def rests_on(actor: Actor, name: str) -> bool:
    """Whether those whom an actor means are chosen by this answer, or found by way of whom it has chosen."""
    match actor:
        case ChosenIn(name=other, among=among):
            return other == name or any(rests_on(one, name) for one in among)
        case Related(of=of) | Opponents(of=of) | Fellows(of=of):
            return rests_on(of, name)
        case LoopPerson(among=several):
            return any(rests_on(one, name) for one in several)
        case RoleHolders() | Target() | VotersOf():
            return False
        case _:
            assert_never(actor)


def reachable_holders(procedure: p.Procedure, target: str) -> Mapping[str, frozenset[str]]:
    """Assigned role -> the first roles of those to whom some `assign` may give it."""
    steps = [step for step in p.all_steps(procedure) if isinstance(step, Assign)]
    holders: dict[str, frozenset[str]] = {}
    while True:
        cast = Cast(procedure, target, holders, frozenset(role for step in steps for role in step.roles))
        grown = dict(holders)
        for step in steps:
            for role in step.roles:
                grown[role] = grown.get(role, NOBODY) | cast.given(step)
        if grown == holders:
            return holders
        holders = grown
