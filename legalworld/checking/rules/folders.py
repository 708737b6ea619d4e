"""Where the wording of a procedure lies: folders that it names, files in the wrong place, a copy without its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...language import diagnose
from ...language.spelling import nearest
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ..template_readers import CheckContext

COPIED: Final = 0.7
"""The share of another procedure's prompts that one must have use for to be taken for a copy of it."""

FEWEST: Final = 3
"""How many prompts for steps, stages and fields of its own the other procedure must have for that to say anything."""


def _is_own(name: str) -> bool:
    """Whether a prompt is named after more than a role: any two procedures may have a judge."""
    return not name.startswith("who/") and not name.rpartition("/")[2].startswith("_")


def unknown_wording(context: CheckContext) -> Iterator[Diagnostic]:
    """LW236: `wording` names a folder that is not there."""
    known = context.templates.wording_folders
    for name, span in context.procedure.wording.items():
        if name not in known:
            yield diagnose.unknown_wording_folder(span, name=name, known=known, nearest=nearest(name, known))


def misplaced_templates(context: CheckContext) -> Iterator[Diagnostic]:
    """LW237: a neutral template that is named after a step, stage, phase or field, or a form that has no locale."""
    for home, found in context.misplaced.items():
        there = context.templates.home(found.name, context.procedure.name)
        yield diagnose.misplaced_template(Span(home, 1, 1), path=home, there=there, also=(found.at.span,))


def lost_wording(context: CheckContext) -> Iterator[Diagnostic]:
    """LW411: a copy under another name, which no longer finds the prompts that were written for it."""
    procedure = context.procedure
    folder = f"prompts/{procedure.locale}/"
    if procedure.lineage or any(home.startswith(f"{folder}{procedure.name}/") for home in context.templates.homes):
        return
    shares = {}
    for other, names in context.templates.elsewhere.items():
        neutral = {name for name in names if f"{folder}{name}.j2" in context.templates.homes}
        sought = {name for name in names - neutral if _is_own(name)}
        shares[other] = len(sought & context.candidates) / len(sought) if len(sought) >= FEWEST else 0.0
    original = max(shares, key=lambda other: shares[other], default="")
    if original and shares[original] >= COPIED:
        yield diagnose.lost_wording(
            procedure.span, name=procedure.name, original=original, folder=f"{folder}{original}/"
        )


RULES = (lost_wording, unknown_wording, misplaced_templates)
