"""Tools, memory and skills of a spec: from their surfaces to what the engine goes by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.actors import RoleHolders
from ...model.conditions import Condition, OptionIs, leaves
from ...model.equipment import CALLS, LONGEST_FIELD, Memory, MemoryField, Operation, Skill, Tool
from ...model.immutable import immutable
from ...model.plan import Step, StepInfo
from ...model.procedure import Stage, steps_of
from ...model.steps.remember import Remember
from .. import diagnose
from ..schema import MemoryFieldSurface, MemorySurface, SkillSurface, SpecSurface, ToolSurface
from ..surface_reader import text_of, texts_of
from ..tool_operations import tool_operations
from ..value_words import WRITES
from ..yaml.nodes import Scalar
from . import names
from .context import Context
from .declarations import DeclaredNames
from .files import SpecFiles
from .verbs import KNOWN_ACTS


@immutable
class Equipment:
    """What was declared; `calls`: how many calls of tools a turn may make."""

    tools: Mapping[str, Tool]
    calls: int
    skills: Mapping[str, Skill]
    memory: Mapping[str, Memory]


def link(context: Context, specs: list[SpecSurface], files: SpecFiles) -> Equipment:
    """What all files declare together."""
    if any(spec.tools for spec in specs):
        context.reader.problems += tool_operations().problems
    tools = {name: _tool(context, name, surface) for spec in specs for name, surface in spec.tools.items()}
    calls = next((spec.tool_calls for spec in reversed(specs) if spec.tool_calls is not None), None)
    cards = [word for spec in specs for word in spec.skills]
    skills = {word.text: skill for word in cards if (skill := _skill(context, word, tools, files)) is not None}
    memory = {kind: _memory(context, kind, surface) for spec in specs for kind, surface in spec.memory.items()}
    return Equipment(tools, min(context.reader.whole_number(calls, CALLS), CALLS), skills, memory)


def _who(context: Context, words: tuple[Scalar, ...]) -> tuple[str, ...]:
    kinds_and_roles = tuple(dict.fromkeys((*context.names.kinds, *context.names.roles)))
    return context.reader.all_known(words, kinds_and_roles, diagnose.unknown_role_or_kind, known=kinds_and_roles)


def _stages(context: Context, words: tuple[Scalar, ...]) -> tuple[str, ...]:
    return context.reader.all_known(words, context.names.stages, diagnose.unknown_stage, known=context.names.stages)


def _acts(context: Context, words: tuple[Scalar, ...]) -> tuple[str, ...]:
    return context.reader.all_known(words, KNOWN_ACTS, diagnose.unknown_act, known=KNOWN_ACTS)


# ---- tools -----------------------------------------------------------------------------------------------------------
def _tool(context: Context, name: str, surface: ToolSurface) -> Tool:
    operation = surface.operation.text if surface.operation is not None else name.replace("_", " ")
    served = tool_operations().parts
    known = served.get(operation)
    if known is None:
        written = surface.operation or Scalar(name, surface.span)
        problem = diagnose.unknown_operation(written.span, name=written.text, known=tuple(served))
        context.reader.report(problem)
    parameters = tuple(parameter.name for parameter in known.parameters) if known is not None else ()
    for parameter, word in surface.parameters.items():
        if known is not None and parameter not in parameters:
            context.reader.report(diagnose.unknown_tool_parameter(word.span, name=parameter, known=parameters))
    return Tool(
        name,
        operation,
        text_of(surface.title) or name,
        text_of(surface.does) or text_of(surface.title) or name,
        _who(context, surface.who),
        _stages(context, surface.stages),
        _acts(context, surface.acts),
        context.reader.whole_number(surface.at_most, CALLS),
        {parameter: word.text for parameter, word in surface.parameters.items()},
        surface.span,
        known or Operation(()),
        names.when(context, surface.when),
    )


# ---- skills ----------------------------------------------------------------------------------------------------------
def _skill(context: Context, word: Scalar, tools: Mapping[str, Tool], files: SpecFiles) -> Skill | None:
    reader = context.reader
    if "/" in word.text or word.text.startswith("."):
        reader.report(diagnose.mismatched_skill_card(word.span, name=word.text))
        return None
    path, page = f"skills/{word.text}.yaml", f"skills/{word.text}.md"
    markdown = files.sources.read(path) is None and files.sources.read(page) is not None
    card, below = files.page(SkillSurface, page, word.span) if markdown else (None, "")
    card = card if markdown else files.surface(SkillSurface, path, word.span)
    if card is None:
        return None
    if card.skill.text != word.text:
        reader.report(diagnose.mismatched_skill_card(card.skill.span, name=word.text))
    stages = tuple(stage.text for stage in card.stages if stage.text in context.names.stages)
    if not stages and card.stages and context.removed.issuperset(texts_of(card.stages)):
        return None  # what it was for has been removed
    if card.stages and not stages:
        _stages(context, card.stages[:1])
    return Skill(
        word.text,
        card.title.text,
        _who(context, card.who),
        stages,
        card.trigger.text,
        _acts(context, card.acts),
        card.task.text,
        texts_of(card.checklist),
        card.output.text,
        reader.all_known(card.tools, tools, diagnose.undeclared_tool, known=tuple(tools)),
        text_of(card.body) or below,
        card.skill.span,
    )


# ---- memory ----------------------------------------------------------------------------------------------------------
def _memory(context: Context, kind: str, surface: MemorySurface) -> Memory:
    kinds = context.names.kinds
    if kind not in kinds:
        context.reader.report(diagnose.unknown_kind(surface.span, name=kind, known=kinds))
    stages = _stages(context, surface.stages)
    fields = {name: _field(context, name, field) for name, field in surface.fields.items()}
    return Memory(kind, surface.cue.text, names.when(context, surface.when), stages, fields, surface.cue.span)


def _field(context: Context, name: str, surface: MemoryFieldSurface) -> MemoryField:
    keys = texts_of(surface.keys)
    for key, values in surface.choices.items():
        if key not in keys:
            span = values[0].span if values else surface.span
            context.reader.report(diagnose.unknown_memory_key(span, name=key, known=keys))
    write = context.reader.known(surface.write, WRITES, diagnose.invalid_write_mode, known=WRITES)
    return MemoryField(
        name,
        text_of(surface.title) or name,
        context.reader.whole_number(surface.at_most, LONGEST_FIELD),
        keys,
        {key: texts_of(values) for key, values in surface.choices.items()},
        write != "expand",
        write != "revise",
        surface.span,
        _of_options(context, surface.when),
    )


def _of_options(context: Context, said: Scalar | None) -> Condition | None:
    """A condition that is settled before a case begins: of options and of nothing else."""
    condition = names.when(context, said)
    if said is not None and not all(isinstance(leaf, OptionIs) for leaf in leaves(condition)):
        context.reader.report(diagnose.changing_memory_field(said.span, text=said.text))
    return condition


def closing(stage: Stage, memory: Mapping[str, Memory], names: DeclaredNames) -> tuple[Step, ...]:
    """The steps that end a stage: where somebody may speak, each kind with a memory writes down what they keep."""
    if not any(step.all_speakers for step in steps_of(stage)):
        return ()
    return tuple(_remembering(stage, memory, names))


def _remembering(stage: Stage, memory: Mapping[str, Memory], names: DeclaredNames) -> Iterator[Step]:
    for kind, kept in memory.items():
        roles = tuple(RoleHolders(role.id) for role in names.roles.values() if role.kind == kind and not role.assigned)
        if roles and (not kept.stages or stage.id in kept.stages):
            yield Remember(StepInfo(f"memory.{kind}", "", kept.cue, (), kept.when, kept.span), roles)
