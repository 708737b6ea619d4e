"""What the names in heads and conditions mean: actors, fields, documents, answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from ...model import ast as s
from ...model import plan
from ...model.actors import (
    Actor,
    ActorWords,
    ChosenIn,
    Fellows,
    FieldRef,
    LoopPerson,
    Opponents,
    Related,
    RoleHolders,
    Target,
    VotersOf,
)
from ...model.conditions import (
    AllOf,
    AlsoHolds,
    Answered,
    AnyOf,
    Attends,
    Condition,
    Given,
    HasValue,
    Measures,
    Negation,
    OptionIs,
    RoleAssigned,
    SameAnswers,
    TokenSaid,
    ValueIs,
)
from ...model.immutable import replace
from ...model.source import Span
from .. import diagnose
from ..sentences.keywords import (
    A_FIELD,
    A_ROLE,
    FACTIONS,
    FELLOWS,
    KEYWORDS,
    LEFT,
    PRESENT,
    Spellings,
    as_choice,
    truth,
)
from ..sentences.quantities import number_in
from ..sentences.references import CHOSEN
from ..spelling import nearest
from ..yaml.nodes import Scalar
from . import dates
from .context import Context
from .declarations import ABSENT, ASSIGNED, EMPTY, NOBODY, OPPONENT, TARGET

_ATTENDANCE: Final[Mapping[str, Literal["present", "absent", "left"]]] = {
    PRESENT: "present",
    ABSENT: "absent",
    LEFT: "left",
}


# ---- actors, fields, documents ---------------------------------------------------------------------------------------
def actors(context: Context, word: Scalar | None) -> tuple[Actor, ...]:
    """The actors that a key names; none where it is not there."""
    nodes = context.reader.kept(context.parser.actors(word.text, word.span)) if word is not None else None
    return tuple(actor(context, node) for node in nodes or ())


def as_actor(context: Context, name: s.Name) -> Actor | None:
    """What a name means as an actor; None when it means none."""
    if name.text in context.loop_persons:
        return LoopPerson(name.text, context.loop_persons[name.text])
    if name.text in context.parameters:
        return context.parameters[name.text].actor
    if name.text == TARGET:
        return Target()
    if name.text == NOBODY:
        return RoleHolders("")
    if name.text in context.names.roles:
        return RoleHolders(name.text)
    bearers = context.names.titles.get(name.text, ())
    if len(bearers) > 1:
        context.reader.report(diagnose.ambiguous_role(name.span, name=name.text, roles="、".join(bearers)))
    return RoleHolders(bearers[0]) if bearers else None


def actor(context: Context, node: s.Actor) -> Actor:
    """What the words mean, with the words."""
    meant = _meant(context, node)
    return replace(meant, written=ActorWords(_words(node), node.span, _argument(context, node)))


def _words(node: s.Actor) -> str:
    """An actor as his author wrote him: `lawyer of first`, `first 的代理律师`."""
    match node:
        case s.Name(text):
            return text
        case s.ActorOf(relation, of) if relation.span.column < of.span.column:
            return f"{relation.text} {KEYWORDS['OF'].en[0]} {_words(of)}"
        case s.ActorOf(relation, of, owned=True):
            return f"{_words(of)}{KEYWORDS['POSSESSIVE'].en[0]} {relation.text}"
        case s.ActorOf(relation, of):
            gap = relation.span.column - of.span.column - of.span.length
            return f"{_words(of)}{KEYWORDS['DE'].zh[0].center(gap)}{relation.text}"
        case _:
            assert_never(node)


def _argument(context: Context, node: s.Actor) -> Span | None:
    """Where the argument is written for which a parameter in these words stands."""
    bound = context.parameters.get(node.text) if isinstance(node, s.Name) else None
    return bound.span if bound is not None else _argument(context, node.of) if isinstance(node, s.ActorOf) else None


def _meant(context: Context, node: s.Actor) -> Actor:
    match node:
        case s.Name():
            meant = as_actor(context, node)
            if meant is None and node.text in context.parameters:
                _mismatched(context, node, A_ROLE)
                return RoleHolders("")
            if meant is None:
                known = (*context.parameters, *context.names.roles, *context.names.titles, TARGET)
                context.reader.report(diagnose.unknown_role(node.span, name=node.text, among=known))
                return RoleHolders("")
            return meant
        case s.ActorOf(relation, s.Name(name)) if relation.text in FACTIONS and name in context.answers:
            return VotersOf(FACTIONS[relation.text], name)
        case s.ActorOf(relation, s.Name(name)) if relation.text in CHOSEN and name in context.answers:
            among = context.answers[name].among
            return ChosenIn(CHOSEN[relation.text], name, (among,) if among is not None else ())
        case s.ActorOf(relation, of):
            inner = actor(context, of)
            if relation.text == OPPONENT:
                return Opponents(inner)
            if relation.text not in context.names.kinds and relation.text in FELLOWS:
                return Fellows(inner)
            if relation.text not in context.names.kinds:
                near = nearest(relation.text, (*context.names.kinds, OPPONENT, *FELLOWS))
                known = context.names.kinds
                problem = diagnose.unknown_kind(relation.span, name=relation.text, known=known, nearest=near)
                context.reader.report(problem)
            return Related(relation.text, inner)
        case _:
            assert_never(node)


def persons_meant(context: Context, node: s.FieldOf) -> bool:
    """Whether what a loop goes over is persons: a role, or `opponent of first`, `lawyer of first`, `minority of due`.

    A field, document or answer of that name comes before a relation.
    """
    if node.path:
        return False
    if node.of is None:
        return as_actor(context, node.field) is not None
    name = node.field.text
    of_vote = name in {*FACTIONS, *CHOSEN} and isinstance(node.of, s.Name) and node.of.text in context.answers
    related = name == OPPONENT or name in FELLOWS or name in context.names.kinds
    return (related or of_vote) and name not in (*_fields(context), *context.answers)


def _mismatched(context: Context, name: s.Name, wanted: Spellings) -> None:
    """Report a parameter that stands for something else than is wanted."""
    bound = context.parameters[name.text]
    if bound.actor == RoleHolders(""):  # nobody, or reported already
        return
    problem = diagnose.mismatched_argument(
        name.span, name=name.text, value=bound.words, wanted_en=wanted.en[0], wanted_zh=wanted.zh[0], also=bound.at
    )
    context.reader.report(problem)


def reference(context: Context, node: s.FieldOf) -> FieldRef:
    """A field, document or answer; `ANSWER of X` is X's own, or what was said on X where X is the record of a loop."""
    name = _field_name(context, node.field)
    path = tuple(part.text for part in node.path)
    if name in context.answers and isinstance(node.of, s.Name) and node.of.text in context.variables:
        return FieldRef(name, path, None, node.span, node.of.text)
    of = actor(context, node.of) if node.of is not None else None
    return FieldRef(name, path, of, node.span)


def _field_name(context: Context, name: s.Name) -> str:
    if name.text in context.parameters:
        if not context.parameters[name.text].name:
            _mismatched(context, name, A_FIELD)
        return context.parameters[name.text].name
    known = _fields(context)
    if name.text not in known:
        context.reader.report(diagnose.unknown_field(name.span, name=name.text, among=(*known, *context.parameters)))
    return name.text


def _fields(context: Context) -> tuple[str, ...]:
    """Every name that has a value of the case: fields, documents, answers, loop variables."""
    return (*context.names.fields, *context.names.documents, *context.answers, *context.variables)


def document(context: Context, name: s.Name) -> str:
    word = context.parameters[name.text].name if name.text in context.parameters else name.text
    if word not in context.names.documents:
        context.reader.report(
            diagnose.unknown_document(name.span, name=name.text, nearest=nearest(word, context.names.documents))
        )
    return word


# ---- conditions ------------------------------------------------------------------------------------------------------
def when(context: Context, word: Scalar | None) -> Condition | None:
    """The condition in a scalar, if there is one."""
    node = context.reader.kept(context.parser.condition(word.text, word.span)) if word is not None else None
    return condition(context, node) if node is not None else None


def condition(context: Context, node: s.Condition) -> Condition:
    match node:
        case s.And(parts):
            return AllOf(tuple(condition(context, part) for part in parts))
        case s.Or(parts):
            return AnyOf(tuple(condition(context, part) for part in parts))
        case s.Not(part):
            return Negation(condition(context, part))
        case s.Says(speaker, token):
            return TokenSaid(actor(context, speaker), token.text, node.span)
        case s.Quantified():
            return _quantified(context, node)
        case s.Unanimous(answer, negated):
            where = reference(context, answer)
            if where.name not in context.answers:
                context.reader.report(diagnose.unknown_field(where.span, name=where.name, among=context.answers))
            return Negation(SameAnswers(where)) if negated else SameAnswers(where)
        case s.Is():
            meant = _is(context, node)
            return Negation(meant) if node.negated else meant
        case s.Compare() if (known := _compared(context, node)) is not None:
            return known
        case s.Compare(left, comparison, right):
            measure = right.value if isinstance(right, s.Number) else reference(context, right)
            return Measures(reference(context, left.what), comparison, measure, left.kind)
        case s.Holds(what):
            return _holds(context, what)
        case s.DateTest():
            return dates.condition(context, node)
        case _:
            assert_never(node)


def _quantified(context: Context, node: s.Quantified) -> Answered:
    """`all agreed`, `most verdict is guilty`, `at least 5 agreed`."""
    name = node.answer
    where = FieldRef(name.text, (), None, name.span)
    answer = context.answers.get(name.text)
    if answer is None:
        context.reader.report(diagnose.unknown_field(name.span, name=name.text, among=context.answers))
    value = ""
    if answer is not None and node.value is not None:
        value = _value(context, answer, node.value)
    elif answer is not None and (answer.values or node.quantifier in ("all", "any")):  # LW444 tells of the others
        value = _affirmative(context, name, answer.values)
    return Answered(node.quantifier, where, value, node.count)


def _given(context: Context, what: s.Actor | s.FieldOf | s.Number) -> str | None:
    """The number or text of a part's parameter, where one stands there."""
    name = _bare(what) if not isinstance(what, s.Number) else None
    return context.parameters[name.text].value if name is not None and name.text in context.parameters else None


def _compared(context: Context, node: s.Compare) -> Condition | None:
    """A comparison with a number that a parameter stands for; None where there is none."""
    left = _given(context, node.left.what) if node.left.kind == "value" else None
    right = _given(context, node.right)
    if left is None and right is None:
        return None
    one, other = (number_in(word) if word is not None else None for word in (left, right))
    if isinstance(node.right, s.Number):
        other = node.right.value
    if one is not None and other is not None:
        return Given(one >= other if node.comparison == "at least" else one <= other)
    if other is not None and left is None:
        return Measures(reference(context, node.left.what), node.comparison, other, node.left.kind)
    if one is not None and right is None and isinstance(node.right, s.FieldOf):
        turned: Literal["at least", "at most"] = "at most" if node.comparison == "at least" else "at least"
        return Measures(reference(context, node.right), turned, one)
    return Given(False)


def _holds(context: Context, what: s.FieldOf) -> Condition:
    value = _given(context, what)
    if value is not None:
        return Given(truth(value) is not False)
    if what.field.text in context.names.options and not what.path:
        choices = context.names.options[what.field.text].choices
        return OptionIs(what.field.text, _affirmative(context, what.field, choices))
    if what.field.text in context.names.dates and not what.path:
        return dates.known(what.field.text, what.span)
    where = reference(context, what)
    answer = context.answers.get(where.name) if not where.path else None
    if answer is not None and answer.values:
        return _said(context, where, _affirmative(context, what.field, answer.values))
    return HasValue(where, bare=True)


def _affirmative(context: Context, name: s.Name, values: tuple[str, ...]) -> str:
    """The value that is asked for where a name stands alone: the one that says yes. Reported where none does."""
    meant = next((value for value in values if truth(value)), "")
    if not meant:
        context.reader.report(diagnose.unsaid_choice(name.span, name=name.text, known=values))
    return meant or "yes"


def _is(context: Context, node: s.Is) -> Condition:
    """`X is Y` by what X is: an option, an answer, an actor, or a field."""
    left, right = node.left, node.right
    name, value = _bare(left), _given(context, left)
    if value is not None:
        return Given(value == right.text or (truth(value) is not None and truth(value) == truth(right.text)))
    if name is not None and name.text in context.names.options:
        return _option_is(context, name.text, right)
    if name is not None and name.text in context.names.dates:
        return dates.same_day(context, name, right)
    where = None if _says_who(context, name, right) else _as_field(context, left)
    if where is not None and where.field.text in context.answers and not where.path and right.text != EMPTY:
        return _answered(context, context.answers[where.field.text], reference(context, where), right)
    if where is None:
        return _who_is(context, actor(context, name if name is not None else left), right)  # type: ignore[arg-type]
    if right.text == EMPTY:
        return Negation(HasValue(reference(context, where)))
    return ValueIs(reference(context, where), right.text)


def _says_who(context: Context, left: s.Name | None, right: s.Name) -> bool:
    """Whether `X is Y` is about the person that a loop has come to, not about his record."""
    if left is None or left.text not in context.loop_persons:
        return False
    return right.text in (PRESENT, ABSENT, LEFT, ASSIGNED) or as_actor(context, right) is not None


def _who_is(context: Context, who: Actor, right: s.Name) -> Condition:
    if right.text == ASSIGNED:
        return RoleAssigned(who)
    if right.text in _ATTENDANCE and right.text not in context.names.roles:
        return Attends(who, _ATTENDANCE[right.text])
    return AlsoHolds(who, actor(context, right))


def _as_field(context: Context, left: s.Actor | s.FieldOf) -> s.FieldOf | None:
    """What stands left of `is` as a field: a path, a field's or loop variable's name, `limit of seller`."""
    known = (*_fields(context), *(name for name, bound in context.parameters.items() if bound.name))
    match left:
        case s.FieldOf() if left.path or left.of is not None or left.field.text in known:
            return left
        case s.ActorOf(relation, of) if relation.text in known:
            return s.FieldOf(relation, (), of, left.span)
        case s.Name() if left.text in known:
            return s.FieldOf(left, (), None, left.span)
        case _:
            return None


def _option_is(context: Context, name: str, right: s.Name) -> OptionIs:
    choices = context.names.options[name].choices
    value = as_choice(right.text, choices)
    if value not in choices:
        context.reader.report(diagnose.unknown_choice(right.span, name=right.text, nearest=nearest(value, choices)))
    return OptionIs(name, value)


def answered(context: Context, name: s.Name, value: s.Name) -> Answered:
    """The answer of a name that is declared, with a value that it can have."""
    declared, where = context.answers.get(name.text), FieldRef(name.text, (), None, name.span)
    if declared is None:
        context.reader.report(diagnose.unknown_field(name.span, name=name.text, among=context.answers))
        return Answered("all", where, value.text)
    return _answered(context, declared, where, value)


def _answered(context: Context, answer: plan.Answer, where: FieldRef, right: s.Name) -> Answered:
    return _said(context, where, _value(context, answer, right))


def _said(context: Context, where: FieldRef, value: str) -> Answered:
    """All who were asked last gave an answer; or, of a vote by no matter whom, it is the result."""
    result = where.name in context.voted and where.of is None
    return Answered("carried" if result else "last", where, value)


def _value(context: Context, answer: plan.Answer, right: s.Name) -> str:
    """What an answer is compared with, as it is recorded."""
    value = right.text
    if answer.among is not None:
        context.reader.report(diagnose.person_as_word(right.span, name=answer.name))
    elif answer.form == "yes or no":
        value = "yes" if truth(value) else "no"
    elif answer.form == "choice" and value not in answer.choices:
        context.reader.report(diagnose.unknown_choice(right.span, name=value, among=answer.choices))
    return value


def _bare(left: s.Actor | s.FieldOf) -> s.Name | None:
    """The one name that stands there, if it is one."""
    match left:
        case s.Name():
            return left
        case s.FieldOf(field_name, (), None):
            return field_name
        case _:
            return None
