"""Which values a key takes: yes or no, words that the language has, or names that procedures declare.

What a procedure may say is decided where it is linked; this table says the same for what never sees it whole, such as a
schema. `tests/language/test_json_schema.py` holds it against what the linker asks for in every shipped file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from .sentences.keywords import REVEALS, VALUE_TYPES
from .tool_operations import tool_operations

Declared = Literal[
    "kinds", "kinds or roles", "roles", "fields", "documents", "documents or parameters", "answers", "values", "stages",
    "stages or phases", "personas", "checklists", "acts", "procedures", "spec files", "cases", "skills", "decisions",
]  # fmt: skip
"""What procedures declare. `values`: fields, documents and answers; `parameters`: of parts."""

WRITES: Final = ("revise", "expand")
"""How a field of a memory is written."""

TRUTH: Final = frozenset(
    {
        *(("CaseField", name) for name in ("required", "evaluation_only")),
        *(("RoleSurface", name) for name in ("assigned", "alongside", "party")),
        *(("TypeSurface", name) for name in ("many", "unique", "partial")),
        *(("AnswerSurface", "partial"), ("DateSurface", "rolls"), ("PhaseSurface", "hooks")),
    }
)
"""(Surface, attribute) of what says yes or no, and nothing else."""

WORDS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("SpecSurface", "lw"): ("1",),
    ("TypeSurface", "type"): tuple(VALUE_TYPES),
    ("AnswerSurface", "type"): tuple(VALUE_TYPES),
    ("StepSurface", "reveals"): tuple(REVEALS),
    ("MemoryFieldSurface", "write"): WRITES,
}
"""(Surface, attribute) -> the words that may stand there, wherever the program is installed."""


def words_of(place: tuple[str, str]) -> tuple[str, ...]:
    """The words that may stand at a place (surface, attribute), those of installed packages among them; () where any
    may."""
    return tuple(tool_operations().parts) if place == ("ToolSurface", "operation") else WORDS.get(place, ())


NAMES: Final[Mapping[tuple[str, str], Declared]] = {
    ("CaseField", "amends"): "fields",
    ("RoleSurface", "kind"): "kinds",
    ("RoleSurface", "represents"): "roles",
    ("RoleSurface", "persona"): "personas",
    ("RoleSurface", "each"): "fields",
    ("RoleSurface", "absent_from"): "stages",
    ("SpecSurface", "target"): "roles",
    ("SpecSurface", "extends"): "procedures",
    ("SpecSurface", "include"): "spec files",
    ("SpecSurface", "example"): "cases",
    ("SpecSurface", "skills"): "skills",
    ("DocumentSurface", "holds"): "values",
    ("DocumentSurface", "refers_to"): "fields",
    **{("DecisionSurface", name): "fields" for name in ("claims", "accused", "exhibits")},
    **{("DecisionSurface", name): "answers" for name in ("findings", "orders", "verdicts", "costs", "ballots")},
    ("DecisionSurface", "documents"): "documents",
    ("DecisionSurface", "below"): "decisions",
    ("ConductSurface", "who"): "kinds",
    ("ConductSurface", "stages"): "stages",
    ("ConductSurface", "documents"): "documents",
    ("ConductSurface", "acts"): "acts",
    ("PhaseSurface", "recalls"): "values",
    ("StepSurface", "produces"): "documents or parameters",
    ("StepSurface", "checklist"): "checklists",
    ("StepSurface", "intended_in"): "fields",
    ("EventSurface", "during"): "stages or phases",
    ("EventSurface", "intended_in"): "fields",
    ("ToolSurface", "who"): "kinds or roles",
    ("ToolSurface", "stages"): "stages",
    ("ToolSurface", "acts"): "acts",
    ("MemorySurface", "stages"): "stages",
}
"""(Surface, attribute) -> names of what may stand there, and nothing else."""
