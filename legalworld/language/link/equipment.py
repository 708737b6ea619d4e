"""Tools, memory and skills of a spec: from their surfaces to what the engine goes by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ...model.diagnostics import Diagnostic
from ...model.equipment import CALLS, LONGEST_FIELD, OPERATIONS, Memory, MemoryField, Skill, Tool
from ...model.plan import Condition, RoleHolders, Step, StepInfo
from ...model.procedure import Stage, steps_of
from ...model.source import Span
from ...model.steps import KNOWN_ACTS, Remember
from .. import diagnose
from ..schema import MemoryFieldSurface, MemorySurface, SkillSurface, SpecSurface, ToolSurface
from ..yaml.nodes import Scalar
from .declarations import DeclaredNames

WRITES: Final = ("revise", "expand")


@dataclass(frozen=True, slots=True)
class Practice:
    """What was declared; `remembering` makes the steps that end each stage."""

    tools: Mapping[str, Tool]
    calls: int
    skills: Mapping[str, Skill]
    memory: Mapping[str, Memory]


Card = Callable[[str, Span], SkillSurface | None]
When = Callable[[Scalar | None], Condition | None]


class Linker:
    """Gathers problems in the list it was given. `card` reads a skill's file, `when` a condition."""

    def __init__(self, names: DeclaredNames, problems: list[Diagnostic], card: Card, when: When) -> None:
        self.names = names
        self.problems = problems
        self.card = card
        self.when = when
        self.kinds = tuple(names.letters.values())

    def link(self, specs: list[SpecSurface]) -> Practice:
        tools = {name: self._tool(name, found) for spec in specs for name, found in spec.tools.items()}
        calls = next((spec.tool_calls for spec in reversed(specs) if spec.tool_calls is not None), None)
        cards = [word for spec in specs for word in spec.skills]
        skills = {word.text: skill for word in cards if (skill := self._skill(word, tools)) is not None}
        memory = {kind: self._memory(kind, found) for spec in specs for kind, found in spec.memory.items()}
        return Practice(tools, min(self._number(calls, CALLS), CALLS), skills, memory)

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def _known(self, word: Scalar, names: tuple[str, ...], kind: diagnose.AnyKind) -> str:
        """The text of a scalar that must be one of `names`; some kinds also tell which there are."""
        if word.text not in names:
            self._report(kind(word.span, name=word.text, known=names))
        return word.text

    def _each(self, words: tuple[Scalar, ...], names: tuple[str, ...], kind: diagnose.AnyKind) -> tuple[str, ...]:
        return tuple(self._known(word, names, kind) for word in words)

    def _who(self, words: tuple[Scalar, ...]) -> tuple[str, ...]:
        return self._each(words, (*self.kinds, *self.names.roles), diagnose.unknown_role_or_kind)

    def _number(self, word: Scalar | None, default: int) -> int:
        """A whole number of at least one; a unit may stand behind it."""
        if word is None:
            return default
        digits = word.text.split()[0] if word.text.split() else ""
        if not (digits.isdecimal() and int(digits)):
            self._report(diagnose.expected_number(word.span, found=word.text))
            return default
        return int(digits)

    # ---- tools -------------------------------------------------------------------------------------------------------
    def _tool(self, name: str, found: ToolSurface) -> Tool:
        operation = found.operation.text if found.operation is not None else name.replace("_", " ")
        if operation not in OPERATIONS:
            span = found.operation.span if found.operation is not None else found.span
            self._report(diagnose.unknown_operation(span, name=operation, known=tuple(OPERATIONS)))
        known = OPERATIONS.get(operation)
        parameters = tuple(parameter.name for parameter in known.parameters) if known is not None else ()
        for word, text in found.parameters.items():
            if known is not None and word not in parameters:
                self._report(diagnose.unknown_tool_parameter(text.span, name=word, known=parameters))
        return Tool(
            name,
            operation,
            _text(found.title) or name,
            _text(found.does) or _text(found.title) or name,
            self._who(found.who),
            self._each(found.stages, self.names.stages, diagnose.unknown_stage),
            self._each(found.acts, KNOWN_ACTS, diagnose.unknown_act),
            self._number(found.at_most, CALLS),
            {word: text.text for word, text in found.parameters.items()},
            found.span,
            self.when(found.when),
        )

    # ---- skills ------------------------------------------------------------------------------------------------------
    def _skill(self, word: Scalar, tools: Mapping[str, Tool]) -> Skill | None:
        if "/" in word.text or word.text.startswith("."):
            self._report(diagnose.mismatched_skill_card(word.span, name=word.text))
            return None
        card = self.card(f"skills/{word.text}.yaml", word.span)
        if card is None:
            return None
        if card.skill.text != word.text:
            self._report(diagnose.mismatched_skill_card(card.skill.span, name=word.text))
        stages = tuple(stage.text for stage in card.stages if stage.text in self.names.stages)
        if card.stages and not stages:
            self._known(card.stages[0], self.names.stages, diagnose.unknown_stage)
        return Skill(
            word.text,
            card.title.text,
            self._who(card.who),
            stages,
            card.trigger.text,
            self._each(card.acts, KNOWN_ACTS, diagnose.unknown_act),
            card.task.text,
            _texts(card.checklist),
            card.output.text,
            self._each(card.tools, tuple(tools), diagnose.undeclared_tool),
            _text(card.body),
            card.skill.span,
        )

    # ---- memory ------------------------------------------------------------------------------------------------------
    def _memory(self, kind: str, found: MemorySurface) -> Memory:
        if kind not in self.kinds:
            self._report(diagnose.unknown_kind(found.span, name=kind, among=self.kinds))
        stages = self._each(found.stages, self.names.stages, diagnose.unknown_stage)
        fields = {name: self._field(name, field) for name, field in found.fields.items()}
        return Memory(kind, found.cue.text, self.when(found.when), stages, fields, found.cue.span)

    def _field(self, name: str, found: MemoryFieldSurface) -> MemoryField:
        keys = _texts(found.keys)
        for key, values in found.choices.items():
            if key not in keys:
                span = values[0].span if values else found.span
                self._report(diagnose.unknown_memory_key(span, name=key, known=keys))
        write = self._known(found.write, WRITES, diagnose.invalid_write_mode) if found.write is not None else ""
        return MemoryField(
            name,
            _text(found.title) or name,
            self._number(found.at_most, LONGEST_FIELD),
            keys,
            {key: _texts(values) for key, values in found.choices.items()},
            write != "expand",
            write != "revise",
            found.span,
        )


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


def _text(scalar: Scalar | None) -> str:
    return scalar.text if scalar is not None else ""


def _texts(scalars: tuple[Scalar, ...]) -> tuple[str, ...]:
    return tuple(scalar.text for scalar in scalars)
