"""What courts decide: which documents state it, and which answers hold its parts before they are written."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.decision_parts import DecisionParts
from ...model.immutable import replace
from .. import diagnose
from ..schema import DecisionSurface, SpecSurface
from ..sentences.keywords import OUTCOMES, as_choice
from ..surface_reader import text_of
from ..yaml.nodes import Scalar
from .context import Context


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

    def answer(word: Scalar | None) -> str:
        """An answer; one that is only declared is asked for by those whom this procedure extends, or who extend it."""
        return reader.known(word, {*context.answers, *names.answers, *context.removed}, diagnose.unknown_field)

    results, verdicts = answer(surface.results), answer(surface.verdicts)
    return DecisionParts(
        name=name,
        title=text_of(surface.title) or name,
        documents=reader.all_known(surface.documents, documents, diagnose.unknown_document),
        span=surface.span,
        claims=reader.known(surface.claims, fields, diagnose.unknown_field),
        accused=reader.known(surface.accused, fields, diagnose.unknown_field),
        findings=answer(surface.findings),
        reasons=answer(surface.reasons),
        orders=answer(surface.orders),
        results=results,
        verdicts=verdicts,
        sentences=answer(surface.sentences),
        outcomes=dict(_outcomes(context, surface, (results, verdicts))),
        also=tuple(filter(None, map(answer, surface.also))),
        exhibits=reader.all_known(surface.exhibits, fields, diagnose.unknown_field),
        instance=reader.whole_number(surface.instance, 0),
    )


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
