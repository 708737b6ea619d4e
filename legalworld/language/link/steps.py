"""Heads and conditions with their names resolved; parts expanded where they are performed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from ...model import ast as s
from ...model import plan
from ...model import procedure as p
from ...model import steps as verbs
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.assign import NamedIn, Opposing, Remaining
from .. import diagnose
from ..schema import PartSurface, PhaseSurface, StageSurface, StepSurface
from ..sentences.keywords import truth
from ..sentences.parser import Parser
from ..yaml.nodes import Scalar, misspelt_entry
from .declarations import DeclaredNames
from .names import Bound, Scope
from .speech import REVIEW, Speech

#: Properties a step may have beside those every step has, by the class of its head.
ALLOWED: Mapping[type, frozenset[str]] = {
    s.SpeakHead: frozenset({"answer", "default", "pass_"}) | REVIEW,
    s.ModerateHead: frozenset({"call", "close", "at_most"}) | REVIEW,
    s.DriveHead: frozenset({"checklist", "call", "done", "close", "at_most", "produces"}) | REVIEW,
    s.ConverseHead: frozenset({"until", "at_most", "produces", "topics", "topic"}) | REVIEW,
    s.DraftHead: REVIEW,
    s.TakeHead: frozenset(),
    s.AssignHead: frozenset(),
    s.PerformHead: frozenset(),
    s.ForEachHead: frozenset(),
    s.RepeatHead: frozenset({"until"}),
    s.SampleHead: frozenset({"as_"}),
    s.ReopenHead: frozenset({"at_most"}),
    s.IfHead: frozenset(),
    s.ElseHead: frozenset(),
    s.EndHead: frozenset({"outcome"}),
}
_PROPERTIES = frozenset().union(*ALLOWED.values())
_BLOCKS = (s.ForEachHead, s.RepeatHead, s.IfHead, s.ElseHead)


class Resolver(Speech):
    """Resolves stages, parts and steps."""

    def __init__(self, names: DeclaredNames, parser: Parser, problems: list[Diagnostic]) -> None:
        super().__init__(names, parser, problems)
        self.performed: set[str] = set()
        self._phases: dict[str, tuple[str, ...]] = {}

    def phase_names(self) -> Mapping[str, tuple[str, ...]]:
        """Stage -> ids of its phases."""
        return self._phases

    # ---- stages and phases -------------------------------------------------------------------------------------------
    def stages(self, surfaces: tuple[StageSurface, ...]) -> tuple[p.Stage, ...]:
        for surface in surfaces:
            self._declare_answers(surface.steps)
            for phase in surface.phases:
                self._declare_answers(phase.steps)
            self._declare_answers((*surface.before_each_phase, *surface.after_each_phase))
        for part in self.names.parts.values():
            for phase in part.phases:
                self._declare_answers(phase.steps)
            self._declare_answers((*part.before_each_phase, *part.after_each_phase))
        return tuple(self._stage(surface) for surface in surfaces)

    def _stage(self, surface: StageSurface) -> p.Stage:
        phases = list(self._direct(surface))
        hooks = (surface.before_each_phase, surface.after_each_phase)
        phases += [self._phase(phase, Scope(), hooks) for phase in surface.phases]
        self._phases[surface.stage.text] = tuple(phase.id for phase in phases if phase.id)
        self._unique([(phase.id, phase.span) for phase in phases if phase.id])
        return p.Stage(
            id=surface.stage.text,
            title=surface.title.text if surface.title else surface.stage.text,
            basis=tuple(word.text for word in surface.basis),
            when=self._when(surface.when, Scope()),
            present=self._actors(surface.present, Scope()) if surface.present else (),
            minutes=self._actors(surface.minutes, Scope()) if surface.minutes else (),
            budget=self._limit(surface.budget),
            phases=tuple(phases),
            span=surface.stage.span,
        )

    def _unique(self, ids: list[tuple[str, Span]]) -> None:
        seen: dict[str, Span] = {}
        for name, span in ids:
            if name in seen:
                self.problems.append(diagnose.duplicate_name(span, name=name, also=(seen[name],)))
            seen.setdefault(name, span)

    def _direct(self, surface: StageSurface) -> list[p.Phase]:
        """The steps of a stage: runs of ordinary steps are phases without a name, a performed part gives its own."""
        phases: list[p.Phase] = []
        run: list[StepSurface] = []
        scope = Scope()
        for step in surface.steps:
            head = self._head(step)
            if isinstance(head, s.PerformHead):
                phases += self._run(run, scope, surface.span)
                run = []
                phases += self._part(step, head)
            else:
                run.append(step)
        return phases + self._run(run, scope, surface.span)

    def _run(self, steps: list[StepSurface], scope: Scope, span: Span) -> list[p.Phase]:
        if not steps:
            return []
        return [p.Phase("", "", (), None, None, self.steps(tuple(steps), scope), (), span)]

    def _part(self, step: StepSurface, head: s.PerformHead) -> list[p.Phase]:
        """The phases of a part with its parameters bound to the arguments of this step."""
        part = self.names.parts.get(head.part.text)
        self._properties(step, head)
        if part is None:
            self._report(diagnose.unknown_part(head.part.span, name=head.part.text, among=self.names.parts))
            return []
        for key, word in (("id", step.id), ("prompt", step.prompt), ("basis", next(iter(step.basis), None))):
            if word is not None:
                self._report(diagnose.unexpected_step_key(word.span, key=key))
        self.performed.add(head.part.text)
        scope = Scope(self._bind(step, head, part))
        hooks = (part.before_each_phase, part.after_each_phase)
        when = self._when(step.when, Scope())
        return [_only(when, self._phase(phase, scope, hooks)) for phase in part.phases]

    def _bind(self, step: StepSurface, head: s.PerformHead, part: PartSurface) -> dict[str, Bound]:
        given = step.arguments or {}
        needs = tuple(word.text for word in part.needs)
        for name, value in given.items():
            if name not in needs:
                self._report(diagnose.unknown_part_argument(value.span, name=name, part=head.part.text, among=needs))
        bound: dict[str, Bound] = {}
        for name in needs:
            if name not in given:
                self._report(diagnose.missing_part_argument(head.span, name=name, part=head.part.text))
                bound[name] = Bound("", plan.RoleHolders(""))
                continue
            word = given[name]
            if word.text in self.names.fields or word.text in self.names.documents:
                bound[name] = Bound(word.text, None)
            else:
                node, problems = self.parser.actor(word.text, word.span)
                self.problems += problems
                bound[name] = Bound("", self.actor(node, Scope()) if node is not None else plan.RoleHolders(""))
        return bound

    def _phase(
        self, surface: PhaseSurface, scope: Scope, hooks: tuple[tuple[StepSurface, ...], tuple[StepSurface, ...]]
    ) -> p.Phase:
        scope = replace(scope, ids={})
        hooked = truth(surface.hooks.text) if surface.hooks is not None else True
        before, after = hooks if hooked else ((), ())
        steps = self.steps((*before, *surface.steps), scope)
        closing = self.steps(after, scope, len(before) + len(surface.steps) + 1)
        return p.Phase(
            id=surface.phase.text,
            title=surface.title.text if surface.title else surface.phase.text,
            basis=tuple(word.text for word in surface.basis),
            when=self._when(surface.when, scope),
            off_record=self._off_record(surface.off_the_record, scope),
            steps=steps,
            closing=closing,
            span=surface.phase.span,
        )

    def _off_record(self, word: Scalar | None, scope: Scope) -> p.OffRecord | None:
        """`bench, clerk if mediation_shielded`."""
        if word is None:
            return None
        node, problems = self.parser.off_the_record(word.text, word.span)
        self.problems += problems
        if node is None:
            return None
        actors, condition = node
        when = self.condition(condition, scope) if condition is not None else None
        return p.OffRecord(tuple(self.actor(actor, scope) for actor in actors), when)

    # ---- steps -------------------------------------------------------------------------------------------------------
    def steps(self, surfaces: tuple[StepSurface, ...], scope: Scope, first: int = 1) -> tuple[plan.Step, ...]:
        """Steps in order; an `else` is joined to the `if` before it. Those without an id are numbered from `first`."""
        found: list[plan.Step] = []
        for number, surface in enumerate(surfaces, first):
            head = self._head(surface)
            if head is None:
                continue
            self._properties(surface, head)
            if isinstance(head, s.ElseHead):
                if found and isinstance(found[-1], verbs.If) and not found[-1].otherwise:
                    inner = replace(scope, prefix=found[-1].info.id + ".else.")
                    found[-1] = replace(found[-1], otherwise=self.steps(surface.body or (), inner))
                else:
                    self._report(diagnose.else_without_if(head.span))
            elif (step := self._step(surface, head, number, scope)) is not None:
                found.append(step)
        return tuple(found)

    def _head(self, surface: StepSurface) -> s.Head | None:
        if not surface.given - {"head"} and (lost := misspelt_entry(surface.head)) is not None:
            if lost not in self.problems:
                self.problems.append(lost)
            return None
        head, problems = self.parser.head(surface.head.text, surface.head.span)
        for problem in problems:
            if problem not in self.problems:
                self.problems.append(problem)
        return head

    def _properties(self, surface: StepSurface, head: s.Head) -> None:
        """Refuse properties that mean nothing on this kind of step, and a body or cue where none belongs."""
        for name in surface.given & (_PROPERTIES - ALLOWED[type(head)]):
            value = getattr(surface, name)
            value = value[0] if isinstance(value, tuple) and value else value
            if isinstance(value, Scalar):
                self._report(diagnose.unexpected_step_key(value.span, key=name.strip("_").replace("_", " ")))
        if isinstance(head, _BLOCKS) != (surface.body is not None):
            self._report(diagnose.mismatched_step_content(head.span))
        if surface.arguments is not None and not isinstance(head, s.PerformHead):
            self._report(diagnose.mismatched_step_content(head.span))

    def _info(self, surface: StepSurface, number: int, scope: Scope) -> plan.StepInfo:
        own = surface.id.text if surface.id is not None else str(number)
        name = scope.prefix + own
        if name in scope.ids:
            self.problems.append(diagnose.duplicate_name(surface.head.span, name=own, also=(scope.ids[name],)))
        scope.ids.setdefault(name, surface.head.span)
        prompt = surface.prompt or surface.id
        return plan.StepInfo(
            id=name,
            prompt=prompt.text if prompt is not None else "",
            cue=surface.cue.text if surface.cue is not None else "",
            basis=tuple(word.text for word in surface.basis),
            when=self._when(surface.when, scope),
            span=surface.head.span,
            review=self._review(surface, scope),
        )

    def _step(self, surface: StepSurface, head: s.Head, number: int, scope: Scope) -> plan.Step | None:
        info = self._info(surface, number, scope)
        inner = replace(scope, prefix=info.id + ".")
        match head:
            case s.SpeakHead():
                return self._speak(info, head, surface, scope)
            case s.ModerateHead():
                return self._moderate(info, head, surface, scope)
            case s.DriveHead():
                return self._drive(info, head, surface, scope)
            case s.ConverseHead():
                return self._converse(info, head, surface, scope)
            case s.DraftHead(actor, document):
                return verbs.Draft(info, self.actor(actor, scope), self._document(document, scope))
            case s.TakeHead(document, actor):
                return verbs.Take(info, self._document(document, scope), self.actor(actor, scope))
            case s.AssignHead(role):
                return self._assign(info, role, surface, scope)
            case s.PerformHead():
                self._report(diagnose.misplaced_perform(head.span))
                return None
            case s.ForEachHead(variable, within):
                inner = replace(inner, variables=(*scope.variables, variable.text))
                body = self.steps(surface.body or (), inner)
                if within.of is None and not within.path and (persons := self._as_actor(within.field, scope)):
                    return verbs.ForEach(info, variable.text, None, persons, body)
                return verbs.ForEach(info, variable.text, self.reference(within, scope), None, body)
            case s.RepeatHead(rounds):
                until = self._when(surface.until, scope)
                return verbs.Repeat(info, rounds, until, self.steps(surface.body or (), inner))
            case s.SampleHead(count, within):
                self._needed(head, diagnose.missing_construct_key, {"as": surface.as_})
                name = self._sampled(surface.as_) if surface.as_ is not None else ""
                return verbs.Sample(info, count, self.reference(within, scope), name)
            case s.ReopenHead(phase):
                return verbs.Reopen(info, phase.text, self._limit(surface.at_most) or 1)
            case s.IfHead(condition):
                return verbs.If(info, self.condition(condition, scope), self.steps(surface.body or (), inner), ())
            case s.EndHead(what, document):
                name = self._document(document, scope) if document is not None else ""
                return verbs.End(info, what, name, surface.outcome.text if surface.outcome else "")
            case s.ElseHead():
                return None
            case _:
                assert_never(head)

    def _assign(self, info: plan.StepInfo, role: s.Name, surface: StepSurface, scope: Scope) -> verbs.Assign | None:
        found = self.names.roles.get(role.text)
        if found is None or not found.assigned:
            known = tuple(name for name, each in self.names.roles.items() if each.assigned)
            self._report(diagnose.unknown_role(role.span, name=role.text, among=known))
            return None
        if surface.cue is None:
            self._report(diagnose.mismatched_step_content(surface.head.span))
            return None
        who, problems = self.parser.assignees(surface.cue.text, surface.cue.span)
        self.problems += problems
        match who:
            case None:
                return None
            case s.NamedInPhrase(where):
                return verbs.Assign(info, role.text, NamedIn(self.reference(where, scope)))
            case s.OpposingPhrase(of):
                return verbs.Assign(info, role.text, Opposing(self.actor(of, scope)))
            case s.RemainingPhrase():
                return verbs.Assign(info, role.text, Remaining())
            case s.Name() | s.ActorOf():
                return verbs.Assign(info, role.text, self.actor(who, scope))
            case _:
                assert_never(who)


def _only(when: plan.Condition | None, phase: p.Phase) -> p.Phase:
    """The phase, held to one more condition."""
    if when is None:
        return phase
    return replace(phase, when=when if phase.when is None else plan.AllOf((when, phase.when)))
