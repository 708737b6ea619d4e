"""What is wrong with a linked procedure and its templates, as far as it shows without a case and without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..templates.template_set import TemplateSet
from .rules import (
    answers,
    attendance,
    choices,
    citations,
    cues,
    dates,
    decided,
    decisions,
    exits,
    folders,
    holders,
    interruptions,
    locales,
    loops,
    namesakes,
    presence,
    shown_fields,
    steps,
    tools,
    value_types,
    visibility,
)
from .rules import templates as proof
from .template_readers import CheckContext

Rule = Callable[[CheckContext], Iterator[Diagnostic]]

RULES: Final[tuple[Rule, ...]] = (
    *visibility.RULES,
    *steps.RULES,
    *loops.RULES,
    *cues.RULES,
    *holders.RULES,
    *choices.RULES,
    *namesakes.RULES,
    *presence.RULES,
    *attendance.RULES,
    *exits.RULES,
    *interruptions.RULES,
    *answers.RULES,
    *decisions.RULES,
    *decided.RULES,
    *tools.RULES,
    *dates.RULES,
    *value_types.RULES,
    *citations.RULES,
    *proof.RULES,
    *folders.RULES,
    *locales.RULES,
    *shown_fields.RULES,
)
"""A new check is one more function."""

APART: Final[tuple[Rule, ...]] = (value_types.unfit_comparisons, value_types.values_of_several)
"""Rules that look at a condition and a declaration alone: what they find stands, whatever else is wrong."""


def check_apart(procedure: Procedure, templates: TemplateSet, told: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return what can be said of a procedure that has errors, of lines of which nothing was told yet."""
    context, lines = CheckContext(procedure, templates), {(one.span.file, one.span.line) for one in told}
    found = (problem for rule in APART for problem in rule(context))
    return tuple(one for one in found if (one.span.file, one.span.line) not in lines)


_IDLE: Final = diagnose.codes_of(diagnose.unused_field, diagnose.unused_declaration, diagnose.inapplicable_conduct_rule)


def check(procedure: Procedure, templates: TemplateSet) -> tuple[Diagnostic, ...]:
    """All problems that the rules find, errors and warnings, rule by rule; not what a child leaves without use of what
    it extends."""
    context = CheckContext(procedure, templates)
    problems = (problem for rule in RULES for problem in rule(context))
    return tuple(each for each in problems if each.code not in _IDLE or not context.inherited(each.span))
