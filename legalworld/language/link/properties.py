"""What the properties of a step say: tokens, limits, answers, and who reads its drafts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ...model import ast as s
from ...model import plan
from ...model import procedure as p
from ...model.actors import Actor, Room
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.vote import CarriedBy, Reveals
from .. import diagnose
from ..schema import PhaseSurface, SpecSurface, StepSurface
from ..sentences.keywords import REVEALS, truth
from ..sentences.quantities import AVERAGES, amount
from ..surface_reader import text_of
from ..typed_values import read_figure
from ..yaml.nodes import Scalar
from . import decisions, names, parts
from .answer_titles import form_of, titled
from .context import Context
from .value_types import OF_ANSWERS

RANGE: Final = (0.0, 5.0)  # of scores, unless the spec says otherwise
DRAFTS: Final = 2
_PANEL: Final = frozenset({"reveals", "carried_by", "tie"})
_SEMICOLON: Final = re.compile("[;\uff1b]")
ROOM: Final = frozenset({"present", "closed_to", "heard_by"})
REVIEW: Final = frozenset({"reviewed_by", "reviews", "approve", "scores", "score_range", "drafts"})
_OBJECTING: Final = frozenset({"objections_by", "object", "let_pass", "ruled_by", "ruling"})
OBJECTION: Final = _OBJECTING | {"intended_in"}


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


# ---- votes -----------------------------------------------------------------------------------------------------------
def reveals(context: Context, word: Scalar | None) -> Reveals:
    """What those present are told of a vote; nothing unless it is written."""
    if word is None:
        return "nothing"
    spelt = REVEALS.get(word.text.strip())
    if spelt is None:
        context.reader.report(diagnose.unknown_choice(word.span, name=word.text, among=REVEALS))
    return spelt or "nothing"


def share(context: Context, word: Scalar | None) -> CarriedBy:
    """How many votes carry a value, or which average of them is taken; more than half unless it is written."""
    if word is not None and (average := AVERAGES.get(word.text.strip())) is not None:
        return average
    found = context.reader.kept(context.parser.share(word.text, word.span)) if word is not None else None
    return "all" if found == "all" else found if isinstance(found, int) else "most"


def tie(context: Context, word: Scalar | None, answer: plan.Answer | None) -> str | Actor:
    """The value that a tie comes to, or the person whose vote decides; "" where nothing is said."""
    if word is None or answer is None:
        return ""
    text = word.text.strip()
    if text in answer.choices:
        return text
    if answer.form == "yes or no" and truth(text) is not None:
        return "yes" if truth(text) else "no"
    node = context.reader.kept(context.parser.actor(text, word.span))
    return names.actor(context, node) if node is not None else ""


def room(context: Context, surface: PhaseSurface | StepSurface) -> Room | None:
    """What a phase or step says about who is in the room and who hears; None where it says nothing, or nobody known."""
    first, before = surface.present or surface.closed_to or surface.heard_by, len(context.reader.problems)
    if first is None:
        return None
    present, closed, heard = (names.actors(context, w) for w in (surface.present, surface.closed_to, surface.heard_by))
    return Room(present, closed, heard, first.span) if len(context.reader.problems) == before else None


def conditional_roles(context: Context, specs: list[SpecSurface]) -> dict[str, p.Role]:
    """All roles, with when somebody holds them and when their persons do not come; that may look at each of several."""
    roles = dict(context.names.roles)
    items = {name: text_of(field.each) for spec in specs for name, field in spec.case.items()}
    for name, surface in ((name, surface) for spec in specs for name, surface in spec.roles.items()):
        variable = items.get(roles[name].each, "")
        variables = (*context.variables, variable) if variable else context.variables
        condition = names.when(replace(context, variables=variables), surface.absent_if)
        stages = context.reader.all_known(surface.absent_from, context.names.stages, diagnose.unknown_stage)
        if surface.absent_from and surface.absent_if is None:
            context.reader.report(diagnose.missing_construct_key(surface.absent_from[0].span, key="absent if"))
        absence = p.Absence(condition, variable, stages) if condition is not None else None
        roles[name] = replace(roles[name], when=names.when(context, surface.when), absence=absence)
    return roles


# ---- who reads drafts ------------------------------------------------------------------------------------------------
def review(context: Context, surface: StepSurface) -> plan.Review | None:
    """`reviewed by: supervisor, partner`, with a token that approves or with scores."""
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
    reviewers = names.actors(context, word)
    if not reviewers:
        return None
    return plan.Review(
        reviewers,
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


# ---- who may object --------------------------------------------------------------------------------------------------
def objection(context: Context, surface: StepSurface) -> plan.Objection | None:
    """`objections by: lawyer of defendant`, with the tokens to object and to let pass, and who rules on it."""
    if not surface.given & OBJECTION:
        return None
    lacking = sorted(_OBJECTING - surface.given)
    for key in lacking:
        context.reader.report(diagnose.missing_construct_key(surface.head.span, key=key.replace("_", " ")))
    word, ruler = surface.objections_by, surface.ruled_by
    written, problems = _written_answer(context, surface.ruling, None)
    context.reader.problems += problems
    bench = context.reader.kept(context.parser.actor(ruler.text, ruler.span)) if ruler is not None else None
    if word is None or bench is None or written is None or lacking:
        return None
    if written.form != "yes or no":
        context.reader.report(diagnose.invalid_ruling(written.span, name=written.name))
    _alone(context, written)
    return plan.Objection(
        names.actors(context, word),
        token(context, surface.object),
        token(context, surface.let_pass),
        names.actor(context, bench),
        written,
        context.reader.known(surface.intended_in, context.names.fields, diagnose.unknown_field),
        word.span,
    )


# ---- answers ---------------------------------------------------------------------------------------------------------
def declare_answers(context: Context, surfaces: Iterable[StepSurface]) -> None:
    """Make the answers of these steps known, so that conditions above them may name them too; report nothing yet."""
    for surface in surfaces:
        head, _ = context.parser.head(surface.head.text, surface.head.span)
        asked = _written_answer(context, surface.answer, surface.default)[0]
        if head is not None and head.verb == "for_each" and head.parts["within"]:
            fields = {**context.loop_fields, head.parts["variable"].text: head.parts["within"][0].field.text}
            inner = replace(context, loop_fields=fields)
        else:
            inner = context
        ruled = _written_answer(context, surface.ruling, None)[0]
        for declared in (asked, ruled, _written_sample(context, surface.as_)[0]):
            if declared is not None:
                context.answers.setdefault(declared.name, declared)
                if head is not None and head.verb == "vote" and declared is asked:
                    context.voted.add(declared.name)
        if head is not None and head.verb == "decide":
            _declare_part(context, head, surface)
        declare_answers(inner, surface.body or ())


def _declare_part(context: Context, head: s.Head, surface: StepSurface) -> None:
    """What a step decides is an answer of its part; what those answer who vote on it, one with the same choices."""
    declared, name = context.names.decisions, head.parts["kept_in"].text
    panel = len(head.parts["subject"].actors) > 1 or bool(surface.given & _PANEL)
    for decision in (declared[name],) if name in declared else declared.values():  # a parameter may be any of them
        part = decisions.meant(context, decision, head.parts["deciding"])
        if part is None or part.asked is None:
            continue
        context.answers.setdefault(part.asked.name, part.asked)
        if decision.ballots is not None and panel:
            context.voted.add(ballot(context, decision.ballots, part.asked).name)


def decided(context: Context, surface: StepSurface, part: plan.Answer) -> plan.Answer:
    """The answer that a part of a decision is, with what silence counts as in this step."""
    default, problems = _silence(surface.default, part)
    context.reader.problems += problems
    asked = replace(part, default=default)
    _alone(context, asked)
    return asked


def ballot(context: Context, word: Scalar, part: plan.Answer) -> plan.Answer:
    """The answer in which the votes on a part of a decision stand; it is called like the part unless it has a title."""
    votes = titled(context.names, replace(part, name=word.text, span=word.span))
    _alone(context, votes)
    return votes


def declare_recorded(context: Context, surfaces: Iterable[StepSurface]) -> None:
    """Make those answers known that are only put down (`record outcome: granted`): what is, is what they may be."""
    values: dict[str, tuple[Span, dict[str, None]]] = {}
    for head, word in _recorded(context, surfaces):
        name = head.parts["kept"].field
        if name.text not in context.answers:
            values.setdefault(name.text, (name.span, {}))[1][word.text.strip()] = None
    for name, (span, said) in values.items():
        form: plan.AnswerForm = "choice"
        if (kind := context.names.answer_types.get(name)) is not None:
            form = OF_ANSWERS[kind.kind]
        elif all(truth(value) is not None for value in said):
            form = "yes or no"
        elif all(amount(value) is not None for value in said):
            form = "number"
        choices = tuple(said) if form == "choice" else ()
        kept = plan.Answer(name, form, choices, None, span, locale=context.locale)
        _alone(context, titled(context.names, kept))


def _recorded(context: Context, surfaces: Iterable[StepSurface]) -> Iterator[tuple[s.Head, Scalar]]:
    """Every `record` among these steps and below, with what it puts down."""
    for surface in surfaces:
        head, _ = context.parser.head(surface.head.text, surface.head.span)
        if head is not None and head.verb == "record" and surface.cue is not None:
            yield head, surface.cue
        yield from _recorded(context, surface.body or ())


def recorded(context: Context, answer: plan.Answer, word: Scalar) -> str | tuple[str, ...]:
    """What is put down as an answer, as a value of its form."""
    value, report = word.text.strip(), context.reader.report
    if answer.among is not None:
        report(diagnose.person_as_word(word.span, name=answer.name))
        return value
    match answer.form:
        case "yes or no":
            if truth(value) is None:
                report(diagnose.expected_yes_or_no(word.span, found=value))
            return "yes" if truth(value) else "no"
        case "choice" if value not in answer.choices:
            report(diagnose.unknown_choice(word.span, name=value, among=answer.choices))
        case "number" | "date":
            read = read_figure(value, answer, word.span)
            if isinstance(read, Diagnostic):
                report(read)
                return value
            return read
        case "list":
            return tuple(item.strip() for item in _SEMICOLON.split(value) if item.strip())
        case _:
            pass
    return value


def answer(context: Context, surface: StepSurface) -> plan.Answer | None:
    """The answer that a step asks for, if it does."""
    written, problems = _written_answer(context, surface.answer, surface.default)
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


def _written_answer(
    context: Context, word: Scalar | None, instead: Scalar | None
) -> tuple[plan.Answer | None, tuple[Diagnostic, ...]]:
    """The answer that a key declares; `instead`: its default."""
    if word is None:
        return None, ()
    form, problems = form_of(context, word)
    if form is None:
        context.reader.unread.setdefault(word.text, word.span)
        return None, problems
    choices = tuple(choice.text for choice in form.choices)
    asked = plan.Answer(form.name.text, form.form, choices, None, form.span, locale=context.locale)
    asked = titled(context.names, asked)
    if form.among is not None:
        among, unknown = _among(context, form.among)
        asked, problems = replace(asked, among=among, most=form.most), problems + unknown
    default, wrong = _silence(instead, asked)
    return replace(asked, default=default), problems + wrong


def _among(context: Context, node: s.Actor) -> tuple[Actor, tuple[Diagnostic, ...]]:
    """Those persons of whom an answer names one or several, and what is wrong with how they are named."""
    reported, before = context.reader.problems, len(context.reader.problems)
    meant = names.actor(context, node)
    problems = tuple(reported[before:])
    del reported[before:]
    return meant, problems


def _silence(instead: Scalar | None, asked: plan.Answer) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """What silence counts as in such an answer, where that is written."""
    default = text_of(instead) if instead is not None else None
    if instead is None or default is None:
        return default, ()
    if asked.among is not None:
        return None, (diagnose.person_as_word(instead.span, name=asked.name, also=(asked.span,)),)
    if asked.form == "choice" and default not in asked.choices:
        return default, (diagnose.unknown_choice(instead.span, name=default, among=asked.choices),)
    if asked.form in ("number", "date"):
        read = read_figure(default, asked, instead.span)
        return (default, (read,)) if isinstance(read, Diagnostic) else (read, ())
    if asked.form != "yes or no":
        return default, ()
    wrong = () if truth(default) is not None else (diagnose.expected_yes_or_no(instead.span, found=default),)
    return "yes" if truth(default) else "no", wrong


def _written_sample(context: Context, word: Scalar | None) -> tuple[plan.Answer | None, tuple[Diagnostic, ...]]:
    if word is None:
        return None, ()
    name, problems = context.parser.field(word.text, word.span)
    return (plan.Answer(name.field.text, "list", (), None, name.span) if name is not None else None), problems


def _alone(context: Context, answer: plan.Answer) -> None:
    """An answer of one name has one form everywhere, and shares its name with nothing else."""
    first, report = context.answers.setdefault(answer.name, answer), context.reader.problems.append
    if (first.form, first.choices, first.among is None) != (answer.form, answer.choices, answer.among is None):
        report(diagnose.duplicate_name(answer.span, name=answer.name, also=(first.span,)))
    elif answer.among is not None:  # a parameter of a part says only here who is meant
        context.answers[answer.name] = replace(first, among=answer.among)
    if answer.name in {*context.names.fields, *context.names.documents, *context.names.roles}:
        report(diagnose.duplicate_name(answer.span, name=answer.name))
