"""Answers given to the offline actors, read and checked: `--answer NAME[@WHOM][#N]=VALUE`, or a key of the case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from ..binding import paths
from ..binding.casefile import Data
from ..binding.rules import EACH_RECORD
from ..checking.cast import Cast, reachable_holders
from ..engine.answers import typed
from ..engine.casting import cast
from ..engine.named import keys_that_identify, words_of_item, words_of_person
from ..language import diagnose
from ..language.spelling import nearest
from ..language.yaml_keys import GIVEN_ANSWERS
from ..model.case import MISSING, Case, Record, Sided, Value
from ..model.diagnostics import Diagnostic
from ..model.events import Reply
from ..model.immutable import immutable, replace
from ..model.plan import Answer, Step
from ..model.procedure import Procedure, all_steps
from ..model.punctuation import joined
from ..model.source import Span
from ..model.steps.for_each import ForEach
from ..models.given_answers import GIVEN, GivenAnswer, value_said
from ..models.scripted import NAMES
from .project import Problems

OPTION: Final = "--answer"
_MARKS: Final = str.maketrans({"\uff20": "@", "\uff03": "#"})
_TIME: Final = re.compile(r"#(\d+)\Z")
_TOKEN_SIGNS: Final = ("\u3010", "\u3011", "<<", ">>")
_SHOWN: Final = 40  # characters of a value that are shown
_SILENT: Final = "silent"

Place = Callable[[str], Span | str]
"""Where the word of an answer that is given stands."""


@immutable
class AnswersGiven:
    """What is given, in order: those of the case, then those of the command."""

    answers: tuple[GivenAnswer, ...] = ()

    @property
    def recorded(self) -> dict[str, str]:
        """Word -> value, as `run.yaml` keeps them."""
        return {one.word: one.value for one in self.answers}


NONE_GIVEN: Final = AnswersGiven()


def of_command(_: str) -> str:
    """Return the place of an answer that a command gives."""
    return OPTION


def read_answers(
    procedure: Procedure, case: Case, given: Mapping[str, str], place: Place = of_command
) -> AnswersGiven | Problems:
    """Return the answers that words give, each of the form that is asked for; or all that is wrong with them."""
    reader = _AnswerReader(procedure, case)
    found = [reader.answer(word, value, place(word)) for word, value in given.items()]
    problems = tuple(one for one in found if isinstance(one, Diagnostic))
    return problems or AnswersGiven(tuple(one for one in found if isinstance(one, GivenAnswer)))


def recorded_answers(procedure: Procedure, case: Case, recorded: Mapping[str, str]) -> tuple[GivenAnswer, ...]:
    """Return the answers that `run.yaml` keeps; they were checked when the run was begun."""
    read = read_answers(procedure, case, recorded)
    return read.answers if isinstance(read, AnswersGiven) else ()


def unused(given: Mapping[str, str], replies: Iterable[Reply]) -> Problems:
    """Return a warning for each answer that no reply came of."""
    used = {file.removeprefix(GIVEN) for reply in replies for file in reply.spoken_from if file.startswith(GIVEN)}
    return tuple(diagnose.unused_given_answer(OPTION, word=word) for word in given if word not in used)


def answers_in_case(data: Data, record: int | None) -> tuple[dict[str, str], Place] | Diagnostic:
    """Return what a case in our own format gives under its key, and where; nothing of any other case."""
    records = paths.find(EACH_RECORD, data.value)
    found = records[(record or 1) - 1] if 1 <= (record or 1) <= len(records) else None
    value: Any = found.value if found is not None else None
    key = next((key for key in GIVEN_ANSWERS if isinstance(value, dict) and "lw" in value and key in value), "")
    if found is None or not key:
        return {}, of_command
    where = (*found.where, key)
    table = value[key]
    if not isinstance(table, dict) or not all(isinstance(one, str | bool) for one in table.values()):
        return diagnose.malformed_given_answers(data.place(where), key=key)
    said = {True: "yes", False: "no"}
    return {
        word: one.strip() if isinstance(one, str) else said[one] for word, one in table.items()
    }, lambda word: data.place((*where, word))


class _AnswerReader:
    """Reads words that give answers, against what the procedure asks and whom and what the case holds."""

    def __init__(self, procedure: Procedure, case: Case) -> None:
        self.procedure = procedure
        self.case = case
        asked = {name for step in all_steps(procedure) for name in asked_in(step)}
        self.answers = {name: answer for name, answer in procedure.answers.items() if name in asked}
        self.by_title = {answer.called: answer for answer in self.answers.values()}
        self._read: dict[tuple[object, ...], str] = {}

    def answer(self, word: str, value: str, place: Span | str) -> GivenAnswer | Diagnostic:
        """Return one answer that is given, or what is wrong with it."""
        plain = word.translate(_MARKS)
        timed = _TIME.search(plain)
        name, *about = (part.strip() for part in _TIME.sub("", plain).split("@"))
        time = int(timed[1]) if timed else 0
        if not name or not all(about) or (timed and not time):
            return diagnose.malformed_given_answer(place, word=word)
        answer = self.answers.get(name) or self.by_title.get(name)
        if answer is None:
            known = tuple(self.answers)
            return diagnose.unknown_given_answer(place, name=name, known=known, among=(*known, *self.by_title))
        if (kept := self._value(answer, value)) is None:
            return self._impossible(answer, value, place)
        for one in about:
            if (unknown := self._unknown(answer, one, place)) is not None:
                return unknown
        folded = tuple(one.casefold() for one in about)
        given = GivenAnswer("@".join((answer.name, *about)) + (f"#{time}" if time else ""), answer.name, kept)
        given = GivenAnswer(given.word, answer.name, kept, folded, time)
        key = (answer.name, frozenset(folded), time)
        if self._read.setdefault(key, kept) != kept:
            return diagnose.contradicting_given_answers(place, word=given.word, first=self._read[key], second=kept)
        return given

    def _value(self, answer: Answer, value: str) -> str | None:
        """Return a value as it is to be said; None where the answer cannot be it."""
        said = value.strip()
        if not said or any(sign in said for sign in _TOKEN_SIGNS):
            return None
        if answer.among is not None:
            return said if typed(said, replace(answer, choices=tuple(self._candidates))) is not None else None
        read = typed(said, answer)
        if answer.form in ("yes or no", "choice"):
            titles = {title.casefold(): one for one, title in answer.choice_titles}
            exact = said.casefold() in {*titles, *map(str.casefold, answer.values)} or answer.form == "yes or no"
            return read if exact and isinstance(read, str) else None
        return None if read is None else said

    def _impossible(self, answer: Answer, value: str, place: Span | str) -> Diagnostic:
        known = tuple(dict.fromkeys(value_said(answer, one) for one in answer.values)) or (self._form(answer),)
        if answer.among is not None:
            known = tuple(one.name or one.id for one in cast(self.procedure, self.case))
        near = nearest(value.strip(), known)
        shown = " ".join(value.split())[:_SHOWN]
        return diagnose.impossible_given_answer(place, name=answer.called, value=shown, known=known, nearest=near)

    @staticmethod
    def _form(answer: Answer) -> str:
        kind = answer.type
        return " ".join(filter(None, (kind.kind, kind.unit))) if kind is not None else answer.form

    def _unknown(self, answer: Answer, word: str, place: Span | str) -> Diagnostic | None:
        """Return that a word names nobody and nothing of the case; lists that are made in the run may hold it yet."""
        persons, items = self._persons(), {*_items(self.procedure, self.case)}
        if word.casefold() in {one.casefold() for one in (*persons, *items)} or self._made_in_run:
            return None
        return diagnose.unknown_given_answer_subject(
            place, word=word, name=answer.called, known=tuple(persons), among=(*persons, *items)
        )

    def _persons(self) -> dict[str, None]:
        roles = (word for role in self.procedure.roles.values() for word in (role.id, role.title))
        persons = (word for one in cast(self.procedure, self.case) for word in words_of_person(self.procedure, one))
        return dict.fromkeys(filter(None, (*roles, *persons)))

    @cached_property
    def _candidates(self) -> tuple[str, ...]:
        """The words of persons, one of whom may be chosen: what the case calls them, also behind their titles."""
        persons, roles = cast(self.procedure, self.case), self.procedure.roles
        titled = (joined(roles[one.role].title, one.name) for one in persons if one.name)
        return (*filter(None, (word for one in persons for word in words_of_person(self.procedure, one))), *titled)

    @property
    def _made_in_run(self) -> bool:
        """Whether some loop goes over items that an answer names."""
        loops = (step for step in all_steps(self.procedure) if isinstance(step, ForEach))
        return any(loop.within is not None and loop.within.name in self.procedure.answers for loop in loops)


def _items(procedure: Procedure, case: Case) -> Iterator[str]:
    """Yield the words of all items that the case holds, with the references of those of its fields."""
    for name, field in case.fields.items():
        for side, value in field.values.items() if isinstance(field, Sided) else (("", field),):
            yield from _words_below(value, keys_that_identify(procedure, name))
            yield from (f"{name}/{side}/{number}" for number in range(len(value) if isinstance(value, tuple) else 0))


def _words_below(value: Value, keys: tuple[str, ...]) -> Iterator[str]:
    match value:
        case tuple():
            for one in value:
                yield from filter(None, words_of_item(one, keys))
                yield from _words_below(one, keys)
        case Record():
            for key in value:
                yield from _words_below(value.get(key, MISSING), keys)
        case _:
            return


# ---- to whom ---------------------------------------------------------------------------------------------------------


def asked_in(step: Step) -> tuple[str, ...]:
    """Return the answers that somebody is asked for in a step: its own, and the ruling on an objection."""
    own = step.answer_names if step.answerers else ()
    objection = step.info.objection
    return own if objection is None else (*own, objection.ruling.name)


def told_of_models(
    procedure: Procedure, target: str, models: Mapping[str, str], given: AnswersGiven
) -> tuple[Diagnostic, ...]:
    """Return a warning for each answer that somebody is asked for too whom no offline actor plays, and an error where
    no offline actor is."""
    roles = frozenset(role for step in all_steps(procedure) for role in step.assigned_roles)
    everybody = Cast(procedure, target, reachable_holders(procedure, target), roles)
    found: dict[str, Diagnostic] = {}
    for one in given.answers:
        asked = {role for step in all_steps(procedure) for role in _answering(step, one.name, everybody)}
        others = sorted(role for role in asked if not _speaks(models.get(role, "")))
        names = tuple(dict.fromkeys(models.get(role, "") for role in others))
        says = diagnose.given_answer_to_nobody if len(others) == len(asked) else diagnose.given_answer_to_model
        if others:
            found[one.name] = says(OPTION, name=one.name, roles=tuple(others), models=names)
    return tuple(found.values())


def _answering(step: Step, name: str, everybody: Cast) -> frozenset[str]:
    """Return the first roles of those whom a step may ask for an answer."""
    objection = step.info.objection
    ruler = (objection.ruler,) if objection is not None and objection.ruling.name == name else ()
    return everybody.all((*(step.answerers if name in step.answer_names else ()), *ruler))


def _speaks(model: str) -> bool:
    return NAMES.get(model, _SILENT) != _SILENT
