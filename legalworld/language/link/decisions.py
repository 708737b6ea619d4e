"""What courts decide: which documents state it, and its parts: the name that each is kept as, and its form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ...model import ast as s
from ...model import plan
from ...model.decision_parts import DecisionParts
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from .. import diagnose
from ..schema import DecisionSurface, SpecSurface
from ..sentences.keywords import OUTCOMES, as_choice
from ..sentences.norm_words import MATERIAL, MATERIAL_WORDS
from ..surface_reader import text_of
from ..yaml.nodes import Scalar
from .answer_titles import form_of, titled
from .context import Context

FORMS: Final[Mapping[str, plan.AnswerForm]] = {
    "findings": "text",
    "reasons": "text",
    "results": "choice",
    "verdicts": "choice",
    "sentences": "text",
    "orders": "list",
    "costs": "number",
}
"""Each part of a decision with its form where none is written."""
ALSO: Final = "also"
UNDECIDED: Final = "undecided"
CONVICTING: Final = ("convicted", "exempt", "acquitted")  # outcomes of an accused; the others are those of a claim


@immutable
class WrittenPart:
    """A part as it is declared: its key, its name, and its form where it is said or known; `problems` of its sentence.

    `asked`: None for an answer of `also` that is named alone, whose form whoever asks for it says.
    """

    key: str
    name: Scalar
    asked: plan.Answer | None = None
    problems: tuple[Diagnostic, ...] = ()


# ---- the parts as written --------------------------------------------------------------------------------------------
def parts_of(context: Context, surface: DecisionSurface) -> Iterator[WrittenPart]:
    """The parts that a decision declares, in the order in which they are decided."""
    for key, form in FORMS.items():
        word: Scalar | None = getattr(surface, key)
        if word is not None:
            unoffered = tuple(_choices(surface, key, (UNDECIDED,)))
            choices = tuple(_choices(surface, key))
            yield _part(context, key, word, plan.Answer("", form, choices, None, word.span, unoffered=unoffered))
    unoffered = tuple(_choices(surface, "results", (UNDECIDED,)))
    for word in surface.also:
        yield _part(context, ALSO, word, None, unoffered)


def _part(
    context: Context, key: str, word: Scalar, plain: plan.Answer | None, unoffered: tuple[str, ...] = ()
) -> WrittenPart:
    """`NAME`, or `NAME is FORM` as behind `answer`. `unoffered`: choices that nobody is offered who is asked."""
    field, _ = context.parser.field(word.text, word.span)
    if field is None or field.field.text in context.names.answer_types:
        form, problems = form_of(context, word)
        if form is None:
            return WrittenPart(key, word, None, problems)
        choices = tuple(choice.text for choice in form.choices)
        word = Scalar(form.name.text, form.name.span)
        said = plain.unoffered if plain is not None else tuple(one for one in unoffered if one in choices)
        plain = plan.Answer("", form.form, choices, None, form.span, unoffered=said)
    if plain is None or (plain.form == "choice" and not plain.choices):
        return WrittenPart(key, word)
    asked = replace(plain, name=word.text, locale=context.locale)
    return WrittenPart(key, word, titled(context.names, asked))


def _choices(surface: DecisionSurface, key: str, among: Collection[str] = ()) -> Iterator[str]:
    """The words of the outcomes that a part can have: a claim is not convicted, an accused not granted."""
    for outcome, word in surface.outcomes.items():
        known = OUTCOMES.get(outcome)
        fits = known == UNDECIDED or (known is not None and (known in CONVICTING) == (key == "verdicts"))
        if fits and FORMS[key] == "choice" and (not among or known in among):
            yield word.text


def meant(context: Context, decision: DecisionSurface, what: s.Name) -> WrittenPart | None:
    """The part that a step decides: by its name, or what becomes of the record in hand."""
    parts = tuple(parts_of(context, decision))
    record = _about_record(context, decision, what.text)
    return next((one for one in parts if one.key == record or (not record and one.name.text == what.text)), None)


def _about_record(context: Context, decision: DecisionSurface, variable: str) -> str:
    """`results` for the variable of a loop over the claims, `verdicts` for that of a loop over the accused."""
    where = context.loop_fields.get(variable, "")
    kinds = {text_of(decision.claims): "results", text_of(decision.accused): "verdicts"}
    return kinds.get(where, "") if where else ""


def kept(context: Context, specs: list[SpecSurface]) -> frozenset[str]:
    """Return the names of all answers that the parts of decisions, and the votes on them, are kept as."""
    declared = [decision for spec in specs for decision in spec.decisions.values()]
    parts = (part.name.text for decision in declared for part in parts_of(context, decision) if not part.problems)
    return frozenset((*parts, *(text_of(decision.ballots) for decision in declared if decision.ballots)))


# ---- linked ----------------------------------------------------------------------------------------------------------
def link(context: Context, specs: list[SpecSurface]) -> dict[str, DecisionParts]:
    """The decisions of all files with their names resolved; one document states one decision."""
    found: dict[str, DecisionParts] = {}
    names = tuple(name for spec in specs for name in spec.decisions)
    stated: dict[str, Scalar] = {}
    for name, surface in ((name, surface) for spec in specs for name, surface in spec.decisions.items()):
        if name in found:
            context.reader.report(diagnose.duplicate_name(surface.span, name=name, also=(found[name].span,)))
            continue
        for word in surface.documents:
            if (first := stated.setdefault(word.text, word)) is not word:
                context.reader.report(diagnose.duplicate_name(word.span, name=word.text, also=(first.span,)))
        found[name] = replace(_linked(context, name, surface), below=_below(context, name, surface, names))
    return found


def _below(context: Context, name: str, surface: DecisionSurface, names: tuple[str, ...]) -> str:
    """The decision that is reviewed: one that stands before, so that none reviews itself."""
    others = names[: names.index(name)]
    return context.reader.known(surface.below, others, diagnose.unknown_decision)


def _linked(context: Context, name: str, surface: DecisionSurface) -> DecisionParts:
    names, reader = context.names, context.reader
    documents, fields = (*names.documents, *context.removed), (*names.fields, *context.removed)
    written = tuple(parts_of(context, surface))
    known = {*context.answers, *names.answers, *context.removed}
    kept: dict[str, list[str]] = {}
    for part in written:
        reader.problems += part.problems
        if not part.problems:  # one that is only declared is asked for by those whom this extends, or who extend it
            kept.setdefault(part.key, []).append(reader.known(part.name, known, diagnose.unknown_field))
    one = {key: kept.get(key, [""])[0] for key in FORMS}
    return DecisionParts(
        name=name,
        title=text_of(surface.title) or name,
        documents=reader.all_known(surface.documents, documents, diagnose.unknown_document),
        span=surface.span,
        claims=reader.known(surface.claims, fields, diagnose.unknown_field),
        accused=reader.known(surface.accused, fields, diagnose.unknown_field),
        **one,
        ballots=reader.known(surface.ballots, known, diagnose.unknown_field),
        outcomes=dict(_outcomes(context, surface, (one["results"], one["verdicts"]))),
        also=tuple(filter(None, kept.get(ALSO, ()))),
        exhibits=reader.all_known(surface.exhibits, fields, diagnose.unknown_field),
        instance=reader.whole_number(surface.instance, 0),
        norms=text_of(surface.norms),
        norms_at=surface.norms.span if surface.norms is not None else None,
        material=dict(_material(context, surface, (*fields, *documents))),
        places={part.name.text: part.name.span for part in reversed(written) if not part.problems},
    )


def _material(
    context: Context, surface: DecisionSurface, fields: Collection[str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """What norms go by, each as a field and its key; what is no field stands as the key alone."""
    for name, word in surface.material.items():
        where = MATERIAL.get(name, name)
        if where in MATERIAL_WORDS:
            yield where, ("", word.text)
            continue
        field, _, key = word.text.partition(".")
        context.reader.known(replace(word, text=field), fields, diagnose.unknown_field)
        yield where, (field, key)


def _outcomes(context: Context, surface: DecisionSurface, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each outcome with the choice that says it, of one of these answers."""
    asked = [context.answers[name] for name in names if name in context.answers]
    known = tuple(value for answer in asked for value in answer.values)
    for key, word in surface.outcomes.items():
        outcome = OUTCOMES.get(key)
        if outcome is None:
            context.reader.report(diagnose.unknown_choice(word.span, name=key, among=tuple(OUTCOMES)))
        choice = as_choice(word.text, known)
        if asked and choice not in known:
            context.reader.report(diagnose.unknown_choice(word.span, name=word.text, among=known))
        yield outcome or key, choice
