"""Parts where they are performed: what their parameters stand for, and that no part performs itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...model import ast as s
from ...model.actors import RoleHolders
from ...model.diagnostics import Diagnostic
from .. import diagnose
from ..schema import PartSurface, StepSurface
from ..sentences.keywords import A_NUMBER, QUOTES, truth
from ..sentences.lexer import MOST_TURNS
from ..sentences.quantities import number_in
from ..surface_reader import texts_of
from ..yaml.nodes import Scalar
from . import names
from .context import Bound, Context
from .declarations import NOBODY, TARGET

MOST_PERFORMED: Final = 1_000
"""Parts performed in one procedure, all told: parts in parts could multiply without end."""


def entered(context: Context, step: StepSurface, name: s.Name, part: PartSurface) -> Context | None:
    """What holds inside of a part that is performed here; None where it may not be."""
    if name.text in context.performing:
        chain = " → ".join((*context.performing[context.performing.index(name.text) :], name.text))
        context.reader.report(diagnose.circular_part(name.span, name=name.text, chain=chain))
        return None
    performed = sum(context.performed.values())
    context.performed[name.text] = context.performed.get(name.text, 0) + 1
    if performed >= MOST_PERFORMED:
        if performed == MOST_PERFORMED:
            context.reader.report(diagnose.too_many_parts_performed(name.span, most=MOST_PERFORMED))
        return None
    inside = (*context.performing, name.text)
    return replace(context, parameters=_bind(context, step, name, part), performing=inside)


def _bind(context: Context, step: StepSurface, name: s.Name, part: PartSurface) -> dict[str, Bound]:
    """Parameter -> what it stands for: the argument, else its default."""
    arguments, wanted = step.arguments or {}, (*texts_of(part.needs), *part.defaults)
    for parameter, value in arguments.items():
        if parameter not in wanted:
            problem = diagnose.unknown_part_argument(value.span, name=parameter, part=name.text, among=wanted)
            context.reader.report(problem)
    bound: dict[str, Bound] = {}
    for parameter in wanted:
        default = part.defaults.get(parameter)
        word = arguments.get(parameter, default)
        if word is None:
            context.reader.report(_missing(step, parameter, name.text))
            bound[parameter] = Bound("", RoleHolders(""))
        elif default is not None and _is_text(context, default):
            bound[parameter] = Bound("", None, _bare(word.text), word.span)
        else:
            bound[parameter] = _bound(context, word)
    return bound


def _missing(step: StepSurface, parameter: str, part: str) -> Diagnostic:
    """That a part is not given what it needs; where that was written as words, at these."""
    cue = step.cue
    if cue is None:
        return diagnose.missing_part_argument(step.head.span, name=parameter, part=part)
    key, colon, value = cue.text.partition(":")
    if colon and key.strip() == parameter:
        repair = f"{parameter}: {value.strip()}"
        return diagnose.missing_space_after_colon(cue.span, key=parameter, repair=repair)
    return diagnose.missing_part_argument(cue.span, name=parameter, part=part)


def _bound(context: Context, word: Scalar) -> Bound:
    """What an argument stands for: a field, document or decision, a number, yes or no, a quoted text, or somebody."""
    if word.text in context.parameters:
        return context.parameters[word.text]
    declared = context.names
    if word.text in declared.fields or word.text in declared.documents or word.text in declared.decisions:
        return Bound(word.text, None, span=word.span)
    if number_in(word.text) is not None or truth(word.text) is not None or _bare(word.text) != word.text:
        return Bound("", None, _bare(word.text), word.span)
    node = context.reader.kept(context.parser.actor(word.text, word.span))
    return Bound("", names.actor(context, node) if node is not None else RoleHolders(""), span=word.span)


def _is_text(context: Context, default: Scalar) -> bool:
    """Whether a default is one word that is no number, no yes or no, and nothing that is declared."""
    declared = context.names
    known = {*declared.fields, *declared.documents, *declared.roles, *declared.titles, TARGET, NOBODY}
    word = default.text
    return number_in(word) is None and truth(word) is None and word not in known and " " not in word.strip()


def _bare(text: str) -> str:
    """A text without the quotes around it."""
    opening = QUOTES.find(text[:1]) if len(text) > 2 else -1
    return text[1:-1] if opening >= 0 and opening % 2 == 0 and text[-1] == QUOTES[opening + 1] else text


def count(context: Context, written: int | s.Name | None) -> int:
    """A number of turns or rounds, perhaps that of a parameter; 0 where there is none."""
    if not isinstance(written, s.Name):
        return written or 0
    bound = context.parameters.get(written.text)
    value = number_in(bound.value) if bound is not None and bound.value is not None else None
    also = bound.at if bound is not None else ()
    if value is None:
        name, words = written.text, bound.words if bound is not None else written.text
        wanted_en, wanted_zh = A_NUMBER.en[0], A_NUMBER.zh[0]
        problem = diagnose.mismatched_argument(
            written.span, name=name, value=words, wanted_en=wanted_en, wanted_zh=wanted_zh, also=also
        )
        context.reader.report(problem)
        return 1
    if not value.is_integer() or not 1 <= value <= MOST_TURNS:
        problem = diagnose.number_out_of_range(written.span, found=f"{value:g}", most=MOST_TURNS, also=also)
        context.reader.report(problem)
        return 1
    return int(value)
