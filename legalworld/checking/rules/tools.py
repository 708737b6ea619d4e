"""Rules about memory, tools and skills: what nobody can write, what nobody can use."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.equipment import Skill
from ..template_readers import CheckContext


def unwritable_memory(context: CheckContext) -> Iterator[Diagnostic]:
    """LW290: a kind keeps a memory, and none of its persons has a tool to write it with."""
    procedure = context.procedure
    for kind, kept in procedure.memory.items():
        roles = {role.id for role in procedure.roles.values() if role.kind == kind}
        writers = [
            tool
            for tool in procedure.tools.values()
            if tool.operation in ("revise memory", "expand memory")
            and (not tool.acts or "remember" in tool.acts)
            and (not tool.who or kind in tool.who or not roles.isdisjoint(tool.who))
        ]
        if not writers:
            yield diagnose.unwritable_memory(kept.span, name=kind)


def unused_skills(context: CheckContext) -> Iterator[Diagnostic]:
    """LW291: a skill that is never shown and cannot be loaded."""
    procedure = context.procedure
    loading = any(tool.operation == "load skill" for tool in procedure.tools.values())
    for card in procedure.skills.values():
        if not loading and not any(_meets(card, at.kind, at.role, at.stage, at.act) for at in context.occasions):
            yield diagnose.unusable_skill(card.span, name=card.name)


def _meets(card: Skill, *at: str) -> bool:
    kind, role, stage, act = at
    mine = not card.who or kind in card.who or role in card.who
    return mine and (not card.stages or stage in card.stages) and act in card.acts


RULES = (unwritable_memory, unused_skills)
