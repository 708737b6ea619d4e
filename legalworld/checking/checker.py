"""What is wrong with a linked procedure and its templates, as far as it shows without a case and without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..model.procedure import Procedure
from ..model.source import Problem
from ..templates.template_set import TemplateSet
from . import citations, equipment, granting, proof, staging, turns
from .context import Context

Rule = Callable[[Context], Iterator[Problem]]

RULES: Final[tuple[Rule, ...]] = (
    *granting.RULES,
    *staging.RULES,
    *turns.RULES,
    *equipment.RULES,
    *citations.RULES,
    *proof.RULES,
)
"""A new check is one more function."""


def check(procedure: Procedure, templates: TemplateSet) -> tuple[Problem, ...]:
    """All problems that the rules find, errors and warnings, rule by rule."""
    context = Context(procedure, templates)
    return tuple(problem for rule in RULES for problem in rule(context))
