"""What the names in heads and conditions mean: actors, fields, documents, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from ...model import ast as s
from ...model import plan
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from ..diagnostics import nearest
from ..sentences.keywords import truth
from ..sentences.parser import Parser
from ..yaml.nodes import Scalar
from .declarations import ASSIGNED, EMPTY, NOBODY, OPPONENT, TARGET, DeclaredNames


@dataclass(frozen=True, slots=True)
class Bound:
    """What a part's parameter stands for: an actor, or the name of a field or document."""

    name: str
    actor: plan.Actor | None


@dataclass(frozen=True, slots=True)
class Scope:
    """Parameters of the part being expanded, loop variables around, and ids already used in the phase."""

    parameters: Mapping[str, Bound] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    prefix: str = ""
    ids: dict[str, Span] = field(default_factory=dict)


class Meanings:
    """Resolves names; gathers problems in the list it was given."""

    def __init__(self, names: DeclaredNames, parser: Parser, problems: list[Diagnostic]) -> None:
        self.names = names
        self.parser = parser
        self.problems = problems
        self.answers: dict[str, plan.Answer] = {}

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    # ---- names -------------------------------------------------------------------------------------------------------
    def _actors(self, word: Scalar, scope: Scope) -> tuple[plan.Actor, ...]:
        node, problems = self.parser.actors(word.text, word.span)
        self.problems += problems
        return tuple(self.actor(actor, scope) for actor in node or ())

    def _as_actor(self, name: s.Name, scope: Scope) -> plan.Actor | None:
        """What a name means as an actor; None when it means none."""
        if name.text in scope.parameters:
            return scope.parameters[name.text].actor
        if name.text == TARGET:
            return plan.Target()
        if name.text == NOBODY:
            return plan.RoleHolders("")
        if name.text in self.names.roles:
            return plan.RoleHolders(name.text)
        bearers = self.names.titles.get(name.text, ())
        if len(bearers) > 1:
            self._report(diagnose.ambiguous_role(name.span, name=name.text, roles="、".join(bearers)))
        return plan.RoleHolders(bearers[0]) if bearers else None

    def actor(self, node: s.Actor, scope: Scope) -> plan.Actor:
        match node:
            case s.Name():
                actor = self._as_actor(node, scope)
                if actor is None:
                    known = (*scope.parameters, *self.names.roles, *self.names.titles, TARGET)
                    self._report(diagnose.unknown_role(node.span, name=node.text, among=known))
                    return plan.RoleHolders("")
                return actor
            case s.ActorOf(relation, of):
                inner = self.actor(of, scope)
                if relation.text == OPPONENT:
                    return plan.Opponents(inner)
                if relation.text not in self.names.kinds:
                    near = nearest(relation.text, (*self.names.kinds, OPPONENT))
                    self._report(diagnose.unknown_kind(relation.span, name=relation.text, nearest=near))
                return plan.Related(relation.text, inner)
            case _:
                assert_never(node)

    def _field_name(self, name: s.Name, scope: Scope) -> str:
        if name.text in scope.parameters:
            return scope.parameters[name.text].name
        known = (*self.names.fields, *self.names.documents, *self.answers, *scope.variables)
        if name.text not in known:
            self._report(diagnose.unknown_field(name.span, name=name.text, among=(*known, *scope.parameters)))
        return name.text

    def reference(self, node: s.FieldOf, scope: Scope) -> plan.FieldRef:
        of = self.actor(node.of, scope) if node.of is not None else None
        path = tuple(part.text for part in node.path)
        return plan.FieldRef(self._field_name(node.field, scope), path, of, node.span)

    def _document(self, name: s.Name, scope: Scope) -> str:
        word = scope.parameters[name.text].name if name.text in scope.parameters else name.text
        if word not in self.names.documents:
            self._report(
                diagnose.unknown_document(name.span, name=name.text, nearest=nearest(word, self.names.documents))
            )
        return word

    # ---- conditions --------------------------------------------------------------------------------------------------
    def when(self, word: Scalar | None) -> plan.Condition | None:
        """A condition outside of all steps."""
        return self._when(word, Scope())

    def _when(self, word: Scalar | None, scope: Scope) -> plan.Condition | None:
        return self._condition_text(word.text, word.span, scope) if word is not None else None

    def _condition_text(self, text: str, span: Span, scope: Scope) -> plan.Condition | None:
        node, problems = self.parser.condition(text, span)
        self.problems += problems
        return self.condition(node, scope) if node is not None else None

    def condition(self, node: s.Condition, scope: Scope | None = None) -> plan.Condition:
        scope = scope or Scope()
        match node:
            case s.And(parts):
                return plan.AllOf(tuple(self.condition(part, scope) for part in parts))
            case s.Or(parts):
                return plan.AnyOf(tuple(self.condition(part, scope) for part in parts))
            case s.Not(part):
                return plan.Negation(self.condition(part, scope))
            case s.Says(actor, token):
                return plan.TokenSaid(self.actor(actor, scope), token.text, node.span)
            case s.Quantified(quantifier, answer):
                if answer.text not in self.answers:
                    self._report(diagnose.unknown_field(answer.span, name=answer.text, among=self.answers))
                return plan.Answered(quantifier, answer.text, "")
            case s.Is():
                found = self._is(node, scope)
                return plan.Negation(found) if node.negated else found
            case s.Compare(left, comparison, right):
                measure = right.value if isinstance(right, s.Number) else self.reference(right, scope)
                return plan.Measures(self.reference(left, scope), comparison, measure)
            case s.Holds(what):
                return self._holds(what, scope)
            case _:
                assert_never(node)

    def _holds(self, what: s.FieldOf, scope: Scope) -> plan.Condition:
        if what.field.text in self.names.options and not what.path:
            return plan.OptionIs(what.field.text, "yes")
        answer = self.answers.get(what.field.text) if not what.path and what.of is None else None
        if answer is not None and answer.form == "yes or no":
            return plan.Answered("all", what.field.text, "")
        return plan.HasValue(self.reference(what, scope))

    def _is(self, node: s.Is, scope: Scope) -> plan.Condition:
        """`X is Y` by what X is: an option, an answer, an actor, or a field."""
        left, right = node.left, node.right
        name = _bare(left)
        if name is not None and name.text in self.names.options:
            return self._option(name.text, right)
        if name is not None and name.text in self.answers and right.text != EMPTY:
            return self._answered(self.answers[name.text], right)
        where = self._as_field(left, scope)
        if where is None:
            actor = self.actor(name if name is not None else left, scope)  # type: ignore[arg-type]
            return (
                plan.RoleAssigned(actor) if right.text == ASSIGNED else plan.AlsoHolds(actor, self.actor(right, scope))
            )
        if right.text == EMPTY:
            return plan.Negation(plan.HasValue(self.reference(where, scope)))
        return plan.ValueIs(self.reference(where, scope), right.text)

    def _as_field(self, left: s.Actor | s.FieldOf, scope: Scope) -> s.FieldOf | None:
        """What stands left of `is` as a field: a path, a field's or loop variable's name, `limit of seller`."""
        known = {*self.names.fields, *self.names.documents, *self.answers, *scope.variables}
        match left:
            case s.FieldOf() if left.path or left.of is not None or left.field.text in known:
                return left
            case s.ActorOf(relation, of) if relation.text in known:
                return s.FieldOf(relation, (), of, left.span)
            case s.Name() if left.text in known:
                return s.FieldOf(left, (), None, left.span)
            case _:
                return None

    def _option(self, name: str, right: s.Name) -> plan.OptionIs:
        choices = self.names.options[name].choices
        value = right.text
        if choices == ("yes", "no") and (said := truth(value)) is not None:
            value = "yes" if said else "no"
        if value not in choices:
            self._report(diagnose.unknown_choice(right.span, name=right.text, nearest=nearest(value, choices)))
        return plan.OptionIs(name, value)

    def _answered(self, answer: plan.Answer, right: s.Name) -> plan.Answered:
        value = right.text
        if answer.form == "yes or no":
            value = "yes" if truth(value) else "no"
        elif answer.form == "choice" and value not in answer.choices:
            self._report(diagnose.unknown_choice(right.span, name=value, among=answer.choices))
        return plan.Answered("all", answer.name, value)


def _bare(left: s.Actor | s.FieldOf) -> s.Name | None:
    """The one name that stands there, if it is one."""
    match left:
        case s.Name():
            return left
        case s.FieldOf(field_name, (), None):
            return field_name
        case _:
            return None
