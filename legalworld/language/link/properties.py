"""What the properties of a step say: tokens, limits, answers, and who reads its drafts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...model import ast as s
from ...model import plan
from ...model.diagnostics import Diagnostic
from .. import diagnose
from ..schema import StepSurface
from ..sentences.keywords import truth
from ..surface_reader import text_of
from ..yaml.nodes import Scalar
from . import names, parts
from .context import Context

RANGE: Final = (0.0, 5.0)  # of scores, unless the spec says otherwise
DRAFTS: Final = 2
REVIEW: Final = frozenset({"reviewed_by", "reviews", "approve", "scores", "score_range", "drafts"})


# ---- limits, tokens, documents ---------------------------------------------------------------------------------------
def limit(context: Context, word: Scalar | None) -> int:
    """A number of turns; 0 where none is set."""
    written = context.reader.kept(context.parser.limit(word.text, word.span)) if word is not None else None
    return parts.count(context, written)


def token(context: Context, word: Scalar | None) -> str:
    """The text of a token without its brackets; "" where there is none."""
    node = context.reader.kept(context.parser.token(word.text, word.span)) if word is not None else None
    return node.text if node is not None else ""


def produces(context: Context, surface: StepSurface) -> str:
    """The document that comes out of a loop, if one does."""
    word = surface.produces
    return names.document(context, s.Name(word.text, word.span)) if word is not None else ""


def topics(context: Context, surface: StepSurface) -> plan.Topics | None:
    """`topics: questions of client`, raised with `topic: 【话题{n}】`."""
    for key, word, other in (("topics", surface.topics, surface.topic), ("topic", surface.topic, surface.topics)):
        if word is None and other is not None:
            context.reader.report(diagnose.missing_construct_key(other.span, key=key))
    if surface.topics is None:
        return None
    field = context.reader.kept(context.parser.field(surface.topics.text, surface.topics.span))
    if field is None:
        return None
    return plan.Topics(names.reference(context, field), token(context, surface.topic))


# ---- who reads drafts ------------------------------------------------------------------------------------------------
def review(context: Context, surface: StepSurface) -> plan.Review | None:
    """`reviewed by: supervisor`, with a token that approves or with scores."""
    word, report = surface.reviewed_by, context.reader.report
    if word is None:
        if surface.given & REVIEW:
            report(diagnose.missing_construct_key(surface.head.span, key="reviewed by"))
        return None
    if (surface.approve is None) == (not surface.scores):
        report(diagnose.conflicting_review_keys(word.span))
    drafts = limit(context, surface.drafts) or DRAFTS
    if surface.drafts is not None and surface.approve is not None and drafts < DRAFTS:
        report(diagnose.too_few_drafts(surface.drafts.span))
    reviewer = context.reader.kept(context.parser.actor(word.text, word.span))
    if reviewer is None:
        return None
    return plan.Review(
        names.actor(context, reviewer),
        names.actors(context, surface.reviews),
        token(context, surface.approve),
        tuple(score.text for score in surface.scores),
        *_range(context, surface.score_range),
        drafts,
        word.span,
    )


def _range(context: Context, word: Scalar | None) -> tuple[float, float]:
    if word is None:
        return RANGE
    limits = context.reader.kept(context.parser.range(word.text, word.span))
    if limits is not None and limits[0] >= limits[1]:
        context.reader.report(diagnose.reversed_score_range(word.span))
    return limits or RANGE


# ---- answers ---------------------------------------------------------------------------------------------------------
def declare_answers(context: Context, surfaces: Iterable[StepSurface]) -> None:
    """Make the answers of these steps known, so that conditions above them may name them too; report nothing yet."""
    for surface in surfaces:
        for declared in (_written_answer(context, surface)[0], _written_sample(context, surface.as_)[0]):
            if declared is not None:
                context.answers.setdefault(declared.name, declared)
        declare_answers(context, surface.body or ())


def answer(context: Context, surface: StepSurface) -> plan.Answer | None:
    """The answer that a step asks for, if it does."""
    written, problems = _written_answer(context, surface)
    context.reader.problems += problems
    if written is not None:
        _alone(context, written)
    return written


def sampled(context: Context, word: Scalar | None) -> str:
    """The name under which a sample is kept: a list like one that somebody answered."""
    written, problems = _written_sample(context, word)
    context.reader.problems += problems
    if written is not None:
        _alone(context, written)
    return written.name if written is not None else ""


def _written_answer(context: Context, surface: StepSurface) -> tuple[plan.Answer | None, tuple[Diagnostic, ...]]:
    if surface.answer is None:
        return None, ()
    form, problems = context.parser.answer(surface.answer.text, surface.answer.span)
    if form is None:
        return None, problems
    choices = tuple(choice.text for choice in form.choices)
    default = text_of(surface.default)
    if surface.default is not None and form.form == "choice" and default not in choices:
        problems += (diagnose.unknown_choice(surface.default.span, name=default, among=choices),)
    if form.form == "yes or no":
        if surface.default is not None and truth(default) is None:
            problems += (diagnose.expected_yes_or_no(surface.default.span, found=default),)
        default = "yes" if truth(default) else "no"
    return plan.Answer(form.name.text, form.form, choices, default, form.span), problems


def _written_sample(context: Context, word: Scalar | None) -> tuple[plan.Answer | None, tuple[Diagnostic, ...]]:
    if word is None:
        return None, ()
    name, problems = context.parser.field(word.text, word.span)
    return (plan.Answer(name.field.text, "list", (), "", name.span) if name is not None else None), problems


def _alone(context: Context, answer: plan.Answer) -> None:
    """An answer of one name has one form everywhere, and shares its name with nothing else."""
    first, report = context.answers.setdefault(answer.name, answer), context.reader.problems.append
    if (first.form, first.choices) != (answer.form, answer.choices):
        report(diagnose.duplicate_name(answer.span, name=answer.name, also=(first.span,)))
    if answer.name in {*context.names.fields, *context.names.documents, *context.names.roles}:
        report(diagnose.duplicate_name(answer.span, name=answer.name))
