"""How a protocol speaks of persons, conditions and values: in one language, with the labels of the spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, assert_never

from ..checking.abstract_walk import walk_procedure
from ..engine.open_questions import deciding
from ..model.actors import (
    ROW,
    Actor,
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
from ..model.ast import ConductCheck
from ..model.calendar import DateIs, DateRule
from ..model.conditions import (
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
from ..model.immutable import replace
from ..model.plan import NUMBER_HOLE, ROLE_HOLE, Answer, Step
from ..model.procedure import Interruption, Procedure, all_steps, roles_in
from ..model.punctuation import punctuation
from ..model.step_facts import actors_of
from ..model.steps.assign import Assign, Assignee, GaveAnswer, NamedIn, Opposing, Remaining

_FEW: Final = 3
"""So many titles of a kind are listed; of more, its name is given."""


Word = Callable[..., str]
"""Says a phrase by its name, its holes filled."""
StagesOf = Mapping[str, tuple[str, ...]]
"""Role -> the stages in which it may act, in their order."""


def stages_of(procedure: Procedure) -> StagesOf:
    """In which stages some case lets each role speak, write, be asked, or come and go."""
    found: dict[str, set[int]] = {}
    for visit in walk_procedure(procedure):
        if isinstance(visit.what, Step) and visit.stopped is None:
            actors = (*visit.what.named_actors, *actors_of(visit.what))
            named = (role for actor in actors for role in roles_in(actor) if role in procedure.roles)
            for role in (*visit.cast.all(actors), *(role for role in named if procedure.roles[role].assigned)):
                found.setdefault(role, set()).add(visit.stage)
    return {role: tuple(procedure.stages[at].id for at in sorted(places)) for role, places in found.items()}


def coming_in(procedure: Procedure) -> frozenset[tuple[str, str, str]]:
    """(event, stage, phase) of all that may come in some case: who may raise it speaks there, or a condition does."""
    return frozenset(
        (visit.what.id, procedure.stages[visit.stage].id, visit.phase)
        for visit in walk_procedure(procedure)
        if isinstance(visit.what, Interruption) and visit.stopped is None
    )


class Phrases:
    """The phrases of one procedure in one language (`zh` or `en`), said by `word`. `stages_of`: where each role acts;
    `stage`: where they are read, if in one stage."""

    def __init__(self, procedure: Procedure, language: str, word: Word, stages_of: StagesOf, stage: str = "") -> None:
        self.procedure = procedure
        self.language = language
        self.stages_of = stages_of
        self.stage = stage
        self.word = word
        self.marks = punctuation(language)

    # ---- names -------------------------------------------------------------------------------------------------------
    @cached_property
    def _titles(self) -> dict[str, str]:
        """Role -> how it is called: by its title, unless two have it (in one stage: two of those who act in it) or
        there is none; then by its label, else by whom it is given to; the id only where nothing else tells it apart."""
        called = {role: self._full_title(role) for role in self.procedure.roles}
        labels = {role: one.label or called[role] or self._given_to(role) for role, one in self.procedure.roles.items()}
        for _ in range(2):  # a label may be what another has for its title
            often = self._often(called)
            called = {role: name if often[name] == 1 else labels[role] for role, name in called.items()}
        often = self._often(called)
        return {
            role: role if not name else name if often[name] < 2 else self.marks.bracketed(name, role)
            for role, name in called.items()
        }

    def _often(self, names: Mapping[str, str]) -> Counter[str]:
        """How many of those who act here bear each name; "" is none."""
        here = (role for role in names if not self.stage or self.stage in self.stages_of.get(role, ()))
        return Counter(names[role] for role in here if names[role])

    def _given_to(self, role: str) -> str:
        """To whom a role without a title is assigned, where it is always the same and no other role tells it."""
        given = [
            one
            for step in all_steps(self.procedure)
            if isinstance(step, Assign) and role in step.roles
            for one in step.who
        ]
        alone = all(isinstance(one, Remaining | GaveAnswer) for one in given)
        told = {self.assignee(one) for one in given} if alone else set()
        return told.pop() if len(told) == 1 else ""

    def _full_title(self, role: str) -> str:
        """A role's title with that of whom it represents."""
        above = self.procedure.roles.get(self.procedure.roles[role].represents)
        own = self.procedure.roles[role].title
        return self.procedure.marks.of(above.title, own) if above is not None and above.title else own

    def in_stage(self, stage: str) -> Phrases:
        """The same for what is read in one stage."""
        return Phrases(self.procedure, self.language, self.word, self.stages_of, stage)

    @cached_property
    def _names(self) -> dict[str, str]:
        """Field, document, answer or date -> what people call it, with its id where another is called the same."""
        procedure = self.procedure
        titles = {name: answer.called for name, answer in procedure.answers.items()}
        titles |= {name: date.title or name for name, date in procedure.dates.items()}
        titles |= {name: document.title or name for name, document in procedure.documents.items()}
        titles |= {name: field.title or name for name, field in procedure.fields.items()}
        often = Counter(titles.values())
        return {
            name: title if often[title] == 1 else self.marks.bracketed(title, name) for name, title in titles.items()
        }

    @cached_property
    def option_numbers(self) -> dict[str, str]:
        """Option -> the number by which conditions name it."""
        return {name: self.word("number_choice", n=n) for n, name in enumerate(self.procedure.options, 1)}

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The answers on which the way of the procedure depends."""
        return deciding(self.procedure)

    def role(self, role: str) -> str:
        """How a role is called; "" is a parameter that a procedure gave nobody."""
        return self._titles.get(role, role) if role else self.word("no_one")

    def kind(self, kind: str) -> str:
        """A kind, by the titles of its roles."""
        roles = [role for role in self.procedure.roles.values() if role.kind == kind]
        titles = list(dict.fromkeys(role.title for role in roles if role.title))
        return self.listed(titles) if 0 < len(titles) <= _FEW else kind

    def called(self, name: str) -> str:
        """What people call a field, document, answer, date or stage."""
        if name == ROW:
            return self.word("record")
        if name in self._names:
            return self._names[name]
        return next((stage.title or name for stage in self.procedure.stages if stage.id == name), name)

    def listed(self, words: Sequence[str]) -> str:
        return self.marks.listed.join(dict.fromkeys(words))

    def joined(self, words: Sequence[str]) -> str:
        """Remarks, one behind the other."""
        return self.marks.semicolon.join(filter(None, words))

    def token(self, token: str) -> str:
        return self.procedure.marks.token(token.replace(ROLE_HOLE, "…").replace(NUMBER_HOLE, "…"))

    # ---- persons -----------------------------------------------------------------------------------------------------
    def actors(self, actors: Sequence[Actor]) -> str:
        return self.listed([self.actor(one) for one in actors])

    def actor(self, actor: Actor) -> str:
        match actor:
            case RoleHolders(role):
                return self.role(role)
            case Target():
                return self._target()
            case Related(kind, of):
                return self._related(kind, of)
            case Opponents(of):
                return self.word("opponent", of=self.actor(of))
            case VotersOf(faction, name):
                return self.word(faction, name=self.called(name))
            case ChosenIn(which, name):
                return self.word(which, name=self.called(name))
            case Fellows(of):
                return self.word("fellows", of=self.actor(of))
            case LoopPerson(among=among):
                return self.word("in_turn", among=self.actors(among))
            case _:
                assert_never(actor)

    def _target(self) -> str:
        """The person under test, by the title that all who may be have in common."""
        targets = self.procedure.targets
        if len(targets) == 1:
            return self.role(targets[0])
        titles = {self.procedure.roles[role].title for role in targets if role in self.procedure.roles}
        title = titles.pop() if len(titles) == 1 else ""
        return self.word("target_titled", title=title) if title else self.word("target")

    def _related(self, kind: str, of: Actor) -> str:
        """Somebody of a kind who stands for the persons of `of`, or for whom they stand."""
        roles = self.procedure.roles.values()
        if isinstance(of, RoleHolders) and not of.role:
            return self.word("no_one")
        if isinstance(of, RoleHolders) and of.role in self.procedure.roles:
            holder = self.procedure.roles[of.role]
            found = [one.id for one in roles if one.kind == kind and of.role == one.represents]
            found += [one.id for one in roles if one.kind == kind and holder.represents == one.id]
            if len(found) == 1:
                return self.role(found[0])
        stands_for = any(role.represents for role in roles if role.kind == kind)
        return self.word("who_represents" if stands_for else "represented_by", of=self.actor(of), kind=self.kind(kind))

    def assignee(self, one: Assignee) -> str:
        match one:
            case NamedIn(where):
                return self.word("named_in", where=self.field(where))
            case Opposing(of):
                return self.word("opposing", of=self.actor(of))
            case Remaining():
                return self.word("remaining")
            case GaveAnswer(name, value):
                return self.word("gave", name=self.called(name), value=self.value(name, value))
            case actor:
                return self.actor(actor)

    # ---- values ------------------------------------------------------------------------------------------------------
    def field(self, where: FieldRef) -> str:
        """A field, document or answer, what of it, and whose."""
        declared = self.procedure.fields.get(where.name)
        titles = declared.titles if declared is not None else {}
        name = self.called(where.name)
        below = ".".join(titles.get(key, key) for key in where.path)
        name = self.word("part_of", name=name, part=below) if below else name
        name = self.word("of", of=self.actor(where.of), name=name) if where.of is not None else name
        return self.word("about", name=name) if where.about else name

    def value(self, name: str, value: str) -> str:
        """A value of an answer as people say it."""
        answer = self.procedure.answers.get(name)
        return self.said(answer, value) if answer is not None else self.yes_or_no(value)

    def said(self, answer: Answer, value: str) -> str:
        shown = answer.said(value)
        return self.yes_or_no(value) if shown == value and answer.form == "yes or no" else shown

    def yes_or_no(self, value: str) -> str:
        return self.word(f"value_{value}") if value in ("yes", "no") else value

    def form(self, answer: Answer) -> str:
        """What an answer may be."""
        if answer.among is not None:
            among = self.actor(answer.among)
            told = self.word("at_most_of", count=answer.most, among=among)
            return told if answer.most else self.word("one_of", values=among)
        if answer.choices:
            return self.word("one_of", values=" / ".join(self.said(answer, choice) for choice in answer.choices))
        return self.word(f"form_{answer.form.replace(' ', '_')}")

    def silence(self, answer: Answer) -> str:
        """What is put down where nobody gives an answer."""
        if answer.default is not None and answer.form != "list":
            return self.word("silence_default", value=self.said(answer, answer.default))
        if answer.name in self.deciding:
            return self.word("silence_stops")
        return self.word("silence_list" if answer.form == "list" else "silence_blank")

    def date(self, rule: DateRule) -> str:
        """How a date of the calendar is known."""
        if rule.reckoned is None:
            return self.word("date_given", where=self.dotted(rule.field, rule.key) if rule.field else "–")
        one = rule.reckoned
        period = self.word(f"unit_{one.unit.replace(' ', '_')}", count=one.count)
        told = self.word("date_after" if one.sign > 0 else "date_before", period=period, base=self.called(one.base))
        given = replace(rule, reckoned=None)
        first = self.word("date_first", given=self.date(given), told=told) if rule.field else told
        return first + (self.word("date_rolls") if rule.rolls else "")

    def check(self, check: ConductCheck) -> str:
        """What a rule of conduct asks."""
        unit = self.word(f"count_{check.unit}", count=check.number) if check.unit else ""
        return self.word(f"check_{check.kind.replace(' ', '_')}", text=check.text, count=unit)

    def dotted(self, name: str, key: str) -> str:
        """A field, or a key of it."""
        return self.field(FieldRef(name, (key,) if key else (), None, self.procedure.span))

    # ---- conditions --------------------------------------------------------------------------------------------------
    def condition(self, condition: Condition, *, inside: bool = False) -> str:
        """A condition as a clause; one made of several stands in brackets inside another."""
        match condition:
            case AllOf(parts):
                told = self.word("and").join(self.condition(part, inside=True) for part in parts)
                return self._bracketed(told, inside)
            case AnyOf(parts):
                told = self.word("or").join(self.condition(part, inside=True) for part in parts)
                return self._bracketed(told, inside)
            case Negation(Negation(part)):
                return self.condition(part, inside=inside)
            case Negation(part):
                return self._leaf(part, "not_") or self.word("negation", part=self.condition(part))
            case _:
                return self._leaf(condition, "")

    def _bracketed(self, told: str, inside: bool) -> str:
        return self.word("brackets", told=told) if inside else told

    def _leaf(self, condition: Condition, sign: str) -> str:
        """A condition that is not made of others, or (`sign` "not_") that it does not hold; "" where it cannot be said
        so in few words."""
        match condition:
            case HasValue(where, bare):
                answer = self.procedure.answers.get(where.name)
                holds = bare and answer is not None and answer.form == "yes or no"
                given = "affirmed" if holds else "has_value" if answer is None else "answered"
                return self.word(f"{sign}{given}", where=self.field(where))
            case RoleAssigned(actor):
                return self.word(f"{sign}assigned", actor=self.actor(actor))
            case AlsoHolds(actor, other):
                return self.word(f"{sign}also", actor=self.actor(actor), other=self.actor(other))
            case ValueIs(where, value):
                return self.word(f"{sign}value_is", where=self.field(where), value=self.value(where.name, value))
            case OptionIs(option, value):
                values = {"option": self.option_numbers.get(option, option), "value": self.yes_or_no(value)}
                return self.word(f"{sign}option_is", **values)
            case Attends(actor, how):
                return self.word(f"{sign}attends_{how}", actor=self.actor(actor))
            case Given(holds):
                return self.word("given" if holds == (not sign) else "not_given")
            case Measures(left, comparison, right, measure) if not sign or measure == "count":
                value = self.field(right) if isinstance(right, FieldRef) else _plain(right)
                measured = self.word(f"measure_{measure}", where=self.field(left))
                return self.word(sign + comparison.replace(" ", "_"), left=measured, right=value)
            case _:
                return self._long_leaf(condition) if not sign else ""

    def _long_leaf(self, condition: Condition) -> str:
        match condition:
            case TokenSaid(actor, token):
                return self.word("token_said", actor=self.actor(actor), token=self.token(token))
            case Answered():
                return self._answered(condition)
            case SameAnswers(answer):
                return self.word("same_answers", answer=self.field(answer))
            case DateIs():
                return self._date_is(condition)
            case _:
                return self.condition(condition)

    def _answered(self, condition: Answered) -> str:
        values = {
            "answer": self.field(condition.answer),
            "value": self.value(condition.name, condition.value or "yes"),
            "count": condition.count,
        }
        return self.word(f"answered_{condition.quantifier.replace(' ', '_')}", **values)

    def _date_is(self, condition: DateIs) -> str:
        period = self.word(f"unit_{condition.unit.replace(' ', '_')}", count=condition.count)
        key = f"{'not_' if condition.negated else ''}date_is_{condition.test}"
        return self.word(key, left=self.called(condition.left), right=self.called(condition.right), period=period)


def _plain(number: float) -> str:
    """A number without an exponent, and without a point where it is whole."""
    return str(int(number)) if number == int(number) else f"{number:f}".rstrip("0")
