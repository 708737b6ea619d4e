"""How a head becomes a step of the plan: one function for each verb of the grammar, and the table of them.

A function is given the step as written and the parts that the verb's rules name in `grammar.lark`. It returns the step
of the plan, or None after it has reported why there is none. A new verb is a rule there, its words in `keywords.py`,
and a function with an entry in `VERBS` here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, assert_never

from ...model import ast as s
from ...model import plan
from ...model.actors import Actor, FieldRef, LoopPerson, RoleHolders
from ...model.conditions import AnyOf, TokenSaid
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ...model.steps.assign import Assign, Assignee, GaveAnswer, NamedIn, Opposing, Remaining
from ...model.steps.converse import Converse
from ...model.steps.decide import Decide
from ...model.steps.draft import Draft
from ...model.steps.drive import Drive
from ...model.steps.end import End
from ...model.steps.for_each import ForEach
from ...model.steps.go_on import Continue
from ...model.steps.if_else import If
from ...model.steps.moderate import Moderate
from ...model.steps.move import Move
from ...model.steps.perform import Perform
from ...model.steps.read_out import ReadMinutes
from ...model.steps.record import RecordAnswer
from ...model.steps.remember import Remember
from ...model.steps.reopen import Reopen
from ...model.steps.repeat import Repeat
from ...model.steps.sample import Sample
from ...model.steps.speak import Speak
from ...model.steps.take import Take
from ...model.steps.vote import Vote
from .. import diagnose
from ..schema import DecisionSurface, StepSurface
from ..sentences.keywords import KEYWORDS
from ..surface_reader import text_of
from . import decisions, names, parts, properties
from .context import Context


@immutable
class WrittenStep:
    """A step with what is common to all steps resolved. `link_block` links the steps of a block."""

    surface: StepSurface
    head: s.Head
    info: plan.StepInfo
    context: Context
    link_block: Callable[[Context, tuple[StepSurface, ...]], tuple[plan.Step, ...]]

    def body(self, *variables: str, persons: tuple[Actor, ...] = (), of: str = "") -> tuple[plan.Step, ...]:
        """The steps inside, under the id of this one; `variables`: what a loop calls each item of `persons`, if so, or
        of the field `of`."""
        variables_, loop_persons = (*self.context.variables, *variables), dict(self.context.loop_persons)
        loop_fields = {**self.context.loop_fields, **dict.fromkeys(variables, of)}
        for variable in variables:
            loop_persons.pop(variable, None)
            if persons:
                loop_persons[variable] = persons
        inner = replace(self.context, prefix=self.info.id + ".", variables=variables_, loop_persons=loop_persons)
        inner = replace(inner, loop_fields=loop_fields)
        return self.link_block(inner, self.surface.body or ())

    def actor(self, node: s.Actor) -> Actor:
        return names.actor(self.context, node)

    def actors(self, nodes: tuple[s.Actor, ...]) -> tuple[Actor, ...]:
        return tuple(names.actor(self.context, node) for node in nodes)

    def document(self, name: s.Name | None) -> str:
        return names.document(self.context, name) if name is not None else ""

    def token(self, key: str) -> str:
        return properties.token(self.context, getattr(self.surface, key))

    def report(self, problem: Diagnostic) -> None:
        self.context.reader.report(problem)

    def needs(self, kind: diagnose.OfKey, *keys: str) -> None:
        """Report the properties without which a step of this kind cannot be."""
        for key in keys:
            if getattr(self.surface, key + "_" if key in ("as", "pass") else key) is None:
                self.report(kind(self.head.span, key=key))

    def bound(self) -> int:
        """The turns of a loop: one without a bound is refused."""
        limit = properties.limit(self.context, self.surface.at_most)
        if not limit:
            self.report(diagnose.missing_turn_limit(self.head.span))
        return limit


# ---- speech ----------------------------------------------------------------------------------------------------------
def speak(
    step: WrittenStep, subject: s.Subject, act: s.Act, to: tuple[s.Actor, ...] = (), item: s.Name | None = None
) -> Speak:
    if item is not None and item.text not in step.context.variables:
        step.report(diagnose.unknown_field(item.span, name=item.text, among=step.context.variables))
    if subject.may:
        step.needs(diagnose.missing_step_key, "pass")
    return Speak(
        step.info,
        act,
        step.actors(subject.actors),
        step.actors(to),
        item.text if item is not None else "",
        step.token("pass_"),
        properties.answer(step.context, step.surface),
    )


def moderate(step: WrittenStep, by: s.Actor, speakers: tuple[s.Actor, ...]) -> Moderate:
    step.needs(diagnose.missing_step_key, "call", "close")
    chair, called = step.actor(by), step.actors(speakers)
    return Moderate(step.info, chair, called, step.token("call"), step.token("close"), step.bound())


def drive(step: WrittenStep, by: s.Actor, participants: tuple[s.Actor, ...]) -> Drive:
    step.needs(diagnose.missing_construct_key, "checklist", "call", "done", "close")
    checklist = step.context.reader.known(
        step.surface.checklist, step.context.names.checklists, diagnose.unknown_checklist
    )
    return Drive(
        step.info,
        step.actor(by),
        step.actors(participants),
        checklist,
        step.token("call"),
        step.token("done"),
        step.token("close"),
        step.bound(),
        properties.produces(step.context, step.surface),
    )


def converse(step: WrittenStep, both: tuple[s.Actor, ...]) -> Converse:
    surface = step.surface
    until = names.when(step.context, surface.until)
    topics = properties.topics(step.context, surface)
    if not surface.given & {"until", "topics", "topic"}:
        step.report(diagnose.missing_step_key(step.head.span, key="until"))
    tokens = until.parts if isinstance(until, AnyOf) else (until,)
    said = tuple(token for token in tokens if isinstance(token, TokenSaid))
    if surface.until is not None and until is not None and len(said) != len(tokens):
        step.report(diagnose.missing_step_key(surface.until.span, key="until"))
    opener, *others = step.actors(both)
    bound, produces = step.bound(), properties.produces(step.context, surface)
    return Converse(step.info, opener, tuple(others), said, bound, produces, topics)


def draft(step: WrittenStep, by: s.Actor, document: s.Name) -> Draft:
    return Draft(step.info, step.actor(by), step.document(document))


def take(step: WrittenStep, document: s.Name, author: s.Actor) -> Take:
    return Take(step.info, step.document(document), step.actor(author))


# ---- who is in the room ----------------------------------------------------------------------------------------------
def leave(step: WrittenStep, subject: s.Subject) -> Move:
    return Move(step.info, step.actors(subject.actors), False)


def enter(step: WrittenStep, subject: s.Subject) -> Move:
    return Move(step.info, step.actors(subject.actors), True)


def read_out(step: WrittenStep, subject: s.Subject, phase: s.Name, to: tuple[s.Actor, ...]) -> ReadMinutes:
    if len(subject.actors) > 1:
        words = (*KEYWORDS["READS"].en, *KEYWORDS["READS"].zh)
        verb = next((word for word in words if word in step.surface.head.text), words[0])
        step.report(diagnose.wrong_actor_count(subject.span, verb=verb, count=1, found=len(subject.actors)))
    return ReadMinutes(step.info, step.actor(subject.actors[0]), phase.text, step.actors(to), phase.span)


# ---- roles, blocks, chance, ends -------------------------------------------------------------------------------------
def assign(step: WrittenStep, roles: tuple[s.Name, ...]) -> Assign | None:
    """Roles named as everywhere: by id, by title, or by the parameter of a part that stands for one."""
    declared, surface, known = step.context.names.roles, step.surface, True
    assignable = tuple(name for name, role in declared.items() if role.assigned)
    first: dict[str, Span] = {}
    for word in roles:
        meant = names.as_actor(step.context, word)
        role = meant.role if isinstance(meant, RoleHolders) else ""
        if role not in assignable:
            step.report(diagnose.unknown_role(word.span, name=word.text, among=assignable))
            known = False
        elif role in first:
            step.report(diagnose.duplicate_name(word.span, name=word.text, also=(first[role],)))
        first.setdefault(role, word.span)
    if surface.cue is None:
        step.report(diagnose.mismatched_step_content(surface.head.span))
    if surface.cue is None or not known:
        return None
    who = step.context.reader.kept(step.context.parser.assignees(surface.cue.text, surface.cue.span))
    if who is None:
        return None
    most = properties.limit(step.context, surface.at_most)
    return Assign(step.info, tuple(first), tuple(_assignee(step, one) for one in who), most)


def _assignee(step: WrittenStep, who: s.Assignee) -> Assignee:
    match who:
        case s.NamedInPhrase(where):
            return NamedIn(names.reference(step.context, where))
        case s.OpposingPhrase(of):
            return Opposing(step.actor(of))
        case s.RemainingPhrase():
            return Remaining()
        case s.AnsweredPhrase(value, answer):
            said = names.answered(step.context, answer, value)
            return GaveAnswer(said.name, said.value, who.span)
        case s.Name() | s.ActorOf():
            return step.actor(who)
        case _:
            assert_never(who)


def perform(step: WrittenStep, part: s.Name) -> Perform | None:
    """A part that consists of steps; one of phases is performed by stages, not inside of blocks and phases."""
    context, declared = step.context, step.context.names.parts.get(part.text)
    if declared is None:
        step.report(diagnose.unknown_part(part.span, name=part.text, among=context.names.parts))
        return None
    if not declared.steps:
        step.report(diagnose.misplaced_perform(step.head.span))
        return None
    for key, word in (("prompt", step.surface.prompt), ("basis", next(iter(step.surface.basis), None))):
        if word is not None:
            step.report(diagnose.unexpected_step_key(word.span, key=key))
    inner = parts.entered(context, step.surface, part, declared)
    if inner is None:
        return None
    return Perform(step.info, step.link_block(replace(inner, prefix=step.info.id + "."), declared.steps))


def for_each(step: WrittenStep, variable: s.Name, within: tuple[s.FieldOf, ...]) -> ForEach:
    first = within[0]
    if len(within) == 1 and not names.persons_meant(step.context, first):
        where = names.reference(step.context, first)
        return ForEach(step.info, variable.text, where, (), step.body(variable.text, of=where.name))
    persons = tuple(names.actor(step.context, _as_actor(one)) for one in within)
    return ForEach(step.info, variable.text, None, persons, step.body(variable.text, persons=persons))


def _as_actor(field: s.FieldOf) -> s.Actor:
    """One of several that a loop goes through: persons, by the name of a role or by whom they stand for."""
    return s.ActorOf(field.field, field.of, field.span) if field.of is not None else field.field


def repeat(step: WrittenStep, rounds: int | s.Name) -> Repeat:
    return Repeat(
        step.info, parts.count(step.context, rounds), names.when(step.context, step.surface.until), step.body()
    )


def sample(step: WrittenStep, size: int | s.Name, source: s.FieldOf) -> Sample:
    step.needs(diagnose.missing_construct_key, "as")
    name = properties.sampled(step.context, step.surface.as_)
    return Sample(step.info, parts.count(step.context, size), names.reference(step.context, source), name)


def vote(step: WrittenStep, voters: tuple[s.Actor, ...]) -> Vote | None:
    step.needs(diagnose.missing_construct_key, "answer")
    answer, surface = properties.answer(step.context, step.surface), step.surface
    if answer is None:
        return None
    return Vote(
        step.info,
        step.actors(voters),
        answer,
        properties.reveals(step.context, surface.reveals),
        properties.share(step.context, surface.carried_by),
        properties.tie(step.context, surface.tie, answer),
    )


def decide(step: WrittenStep, subject: s.Subject, deciding: s.Name, kept_in: s.Name) -> Decide | Perform | None:
    """One person decides; several vote, and what they come to is put down."""
    context, surface = step.context, step.surface
    bound = context.parameters.get(kept_in.text)
    name = bound.name if bound is not None else kept_in.text
    declared = context.names.decisions.get(name)
    if declared is None:
        known = tuple(context.names.decisions)
        step.report(diagnose.unknown_decision(kept_in.span, name=kept_in.text, among=known))
        return None
    part = decisions.meant(context, declared, deciding)
    if part is None or part.asked is None:
        known = tuple(one.name.text for one in decisions.parts_of(context, declared) if one.asked is not None)
        place, said = deciding.span, deciding.text
        step.report(diagnose.undeclared_part(place, name=said, decision=name, known=known, among=known))
        return None
    asked = properties.decided(context, surface, part.asked)
    actors, item = step.actors(subject.actors), deciding.text if deciding.text in context.variables else ""
    kept = Decide(step.info, name, part.key, asked, actors, item)
    if len(actors) == 1 and not surface.given & _BALLOT - {"default"}:
        return kept
    return _by_panel(step, kept, declared)


def _by_panel(step: WrittenStep, kept: Decide, declared: DecisionSurface) -> Perform | None:
    """The vote of a panel, and what it comes to."""
    if declared.ballots is None:
        step.report(diagnose.votes_without_place(step.head.span, name=kept.decision))
        return None
    inner = replace(step.info, when=None, on="", room=None)
    ballot = properties.ballot(step.context, declared.ballots, kept.answer)
    vote_ = Vote(
        replace(inner, id=f"{step.info.id}.vote"),
        kept.actors,
        ballot,
        properties.reveals(step.context, step.surface.reveals),
        properties.share(step.context, step.surface.carried_by),
        properties.tie(step.context, step.surface.tie, ballot),
    )
    result = replace(kept, info=replace(inner, id=f"{step.info.id}.result", cue=""), ballots=ballot.name)
    return Perform(replace(step.info, prompt=""), (vote_, result))


def record(step: WrittenStep, kept: s.FieldOf) -> RecordAnswer | None:
    word = step.surface.cue
    if kept.path or (word is None and step.surface.body is None):
        step.report(diagnose.mismatched_step_content(step.head.span))
        return None
    answer = step.context.answers.get(kept.field.text)
    if answer is None or word is None:
        return None
    value = properties.recorded(step.context, answer, word)
    where = names.reference(step.context, kept)
    return RecordAnswer(step.info, where, answer, value, _in_hand(step.context, where))


def _in_hand(context: Context, where: FieldRef) -> LoopPerson | None:
    """The person whose answer is put down, where the loop named (else the innermost) goes over persons."""
    variable = where.about or next(reversed(context.variables), "")
    if where.of is not None or variable not in context.loop_persons:
        return None
    return LoopPerson(variable, context.loop_persons[variable])


def reopen(step: WrittenStep, phase: s.Name) -> Reopen:
    return Reopen(step.info, phase.text, properties.limit(step.context, step.surface.at_most) or 1)


def continue_(step: WrittenStep, destination: s.Name) -> Continue:
    return Continue(step.info, destination.text)


def if_(step: WrittenStep, test: s.Condition) -> If:
    return If(step.info, names.condition(step.context, test), step.body(), ())


def else_(step: WrittenStep) -> None:
    """Joined to the `if` before it where steps are put in order."""
    del step


def end_stage(step: WrittenStep) -> End:
    return End(step.info, "stage", "", text_of(step.surface.outcome))


def end_case(step: WrittenStep, document: s.Name | None = None) -> End:
    return End(step.info, "case", step.document(document), text_of(step.surface.outcome))


# ---- the table -------------------------------------------------------------------------------------------------------
class Verb(NamedTuple):
    """`keys`: the properties that a step of this verb may have beside those of every step; `block`: it holds steps.

    `acts`: what may be done in it, by which templates and rules of conduct are named.
    """

    link: Callable[..., plan.Step | None]
    keys: frozenset[str] = frozenset()
    block: bool = False
    acts: tuple[str, ...] = ()


_HEARD: Final = properties.REVIEW | properties.OBJECTION | properties.ROOM
_SPEECH: Final = frozenset({"answer", "default", "pass_"}) | _HEARD
_LOOP: Final = frozenset({"call", "close", "at_most"}) | _HEARD
_TALK: Final = frozenset({"until", "at_most", "produces", "topics", "topic"}) | _HEARD
_BALLOT: Final = frozenset({"answer", "default", "reveals", "carried_by", "tie"}) | properties.ROOM

VERBS: Final[Mapping[str, Verb]] = {
    "speak": Verb(speak, _SPEECH, acts=Speak.ACTS),
    "moderate": Verb(moderate, _LOOP, acts=Moderate.ACTS),
    "drive": Verb(drive, _LOOP | {"checklist", "done", "produces"}, acts=Drive.ACTS),
    "converse": Verb(converse, _TALK, acts=Converse.ACTS),
    "draft": Verb(draft, properties.REVIEW, acts=Draft.ACTS),
    "take": Verb(take),
    "assign": Verb(assign, frozenset({"at_most"})),
    "perform": Verb(perform),
    "leave": Verb(leave),
    "enter": Verb(enter),
    "read_out": Verb(read_out),
    "for_each": Verb(for_each, properties.ROOM, block=True),
    "repeat": Verb(repeat, frozenset({"until"}) | properties.ROOM, block=True),
    "sample": Verb(sample, frozenset({"as_"})),
    "vote": Verb(vote, _BALLOT, acts=Vote.ACTS),
    "decide": Verb(decide, _BALLOT - {"answer"}, acts=Decide.ACTS),
    "record": Verb(record),
    "reopen": Verb(reopen, frozenset({"at_most"})),
    "continue": Verb(continue_),
    "if": Verb(if_, properties.ROOM, block=True),
    "else": Verb(else_, block=True),
    "end_stage": Verb(end_stage, frozenset({"outcome"})),
    "end_case": Verb(end_case, frozenset({"outcome"})),
}
"""The verbs of the grammar by their aliases there."""

_OVER_OTHERS: Final = ("review", "revise", "object", "rule")
KNOWN_ACTS: Final = tuple(
    dict.fromkeys((*(act for verb in VERBS.values() for act in verb.acts), *_OVER_OTHERS, *Remember.ACTS))
)
"""Every act by which a template or a rule of conduct can be named."""
