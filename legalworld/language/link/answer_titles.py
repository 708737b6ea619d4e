"""How answers and their choices are called in prompts and transcripts: the titles that `answers` declares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ...model import ast as s
from ...model import plan
from ...model.diagnostics import Diagnostic
from .. import diagnose
from ..schema import AnswerSurface
from ..sentences.keywords import as_choice, truth
from ..surface_reader import text_of
from ..yaml.nodes import Scalar
from .context import Context
from .declarations import DeclaredNames
from .value_types import OF_ANSWERS

_NO_TOKEN: Final = re.compile("[:\uff1a\u3010\u3011<>\n]")  # with any of these, a title could not be told from a token


def titled(names: DeclaredNames, answer: plan.Answer) -> plan.Answer:
    """The answer with the titles that are declared for it."""
    declared = names.answers.get(answer.name)
    if declared is None:
        return answer
    kind = names.answer_types.get(answer.name)
    titles = {as_choice(choice, answer.values): text_of(title) for choice, title in declared.choices.items()}
    said = tuple((value, titles[value]) for value in answer.values if titles.get(value))
    fits = kind is not None and OF_ANSWERS[kind.kind] == answer.form
    return replace(answer, title=text_of(declared.title), choice_titles=said, type=kind if fits else None)


def form_of(context: Context, word: Scalar) -> tuple[s.AnswerForm | None, tuple[Diagnostic, ...]]:
    """Return what is asked for: `NAME is FORM`, or `NAME` alone, whose type stands under `answers`.

    What says its form twice, each time another, is a problem.
    """
    named, _ = context.parser.field(word.text, word.span)
    kinds = context.names.answer_types
    if named is not None and not named.path and named.of is None and named.field.text in kinds:
        return s.AnswerForm(named.field, OF_ANSWERS[kinds[named.field.text].kind], (), word.span), ()
    form, problems = context.parser.answer(word.text, word.span)
    kind = kinds.get(form.name.text) if form is not None else None
    if form is not None and kind is not None and OF_ANSWERS[kind.kind] != form.form:
        twice = diagnose.answer_of_two_forms(word.span, name=form.name.text, type=kind.name, also=(kind.span,))
        return form, (*problems, twice)
    return form, problems


def check(context: Context, inherited: set[str], decided: frozenset[str]) -> None:
    """Report titles that are of no use, or by which a reply could not be read.

    `inherited`: files of the procedures that this one extends, whose answers it may have removed. `decided`: the
    answers that decisions are kept as; where no step asks for one, it is read from the document that states them.
    """
    for name, declared in context.names.answers.items():
        if name in context.answers or (name not in decided and declared.span.file not in inherited):
            context.reader.problems += _problems(context, name, declared)
        elif name in decided:  # what it may be, whoever asks for it says
            context.reader.problems += _unsayable(declared)


def _problems(context: Context, name: str, declared: AnswerSurface) -> Iterator[Diagnostic]:
    """LW457: nobody asks for the answer; LW453: it is never that; LW455: a title with the marks of a token.

    What a procedure took over with another that it extends is that one's affair (`check`).
    """
    answer = context.answers.get(name)
    if answer is None:
        yield diagnose.title_of_no_answer(declared.span, name=name, among=context.answers)
        return
    for choice, word in declared.choices.items():
        if as_choice(choice, answer.values) not in answer.values:
            also = (declared.span,)
            yield diagnose.title_of_no_choice(word.span, name=choice, owner=name, among=answer.values, also=also)
    yield from _unsayable(declared)
    yield from _shared(answer, declared)


def _unsayable(declared: AnswerSurface) -> Iterator[Diagnostic]:
    titles = [declared.title] if declared.title is not None else []
    for word in (*titles, *declared.choices.values()):
        if _NO_TOKEN.search(word.text):
            yield diagnose.unsayable_title(word.span, name=word.text)


def _shared(answer: plan.Answer, declared: AnswerSurface) -> Iterator[Diagnostic]:
    """LW454: one word for two values, be it the title or the name of the other."""
    said = {as_choice(choice, answer.values): word for choice, word in declared.choices.items()}
    for value, title in answer.choice_titles:
        others = [other for other in answer.values if other != value]
        names = {
            *map(str.casefold, others),
            *(word.casefold() for other, word in answer.choice_titles if other != value),
        }
        meant = truth(title) if answer.form == "yes or no" else None
        if title.casefold() in names or (meant is not None and meant != (value == "yes")):
            yield diagnose.shared_title(said[value].span, name=title, owner=answer.name, also=(declared.span,))
