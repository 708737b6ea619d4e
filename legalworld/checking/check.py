"""What is wrong with a linked procedure and its templates, as far as it shows without a case and without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..templates.template_set import TemplateSet
from .rules import answers, citations, loops, steps, tools, visibility
from .rules import templates as proof
from .template_readers import CheckContext

Rule = Callable[[CheckContext], Iterator[Diagnostic]]

RULES: Final[tuple[Rule, ...]] = (
    *visibility.RULES,
    *steps.RULES,
    *loops.RULES,
    *answers.RULES,
    *tools.RULES,
    *citations.RULES,
    *proof.RULES,
)
"""A new check is one more function."""


def check(procedure: Procedure, templates: TemplateSet) -> tuple[Diagnostic, ...]:
    """All problems that the rules find, errors and warnings, rule by rule."""
    context = CheckContext(procedure, templates)
    return tuple(problem for rule in RULES for problem in rule(context))
