"""From spec files to a linked procedure: read, merge what is included, declare every name, resolve every head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...model.ast import ConductCheck
from ...model.diagnostics import Diagnostic
from ...model.plan import tokens_of
from ...model.procedure import (
    Conduct,
    Field,
    ModelDefaults,
    Persona,
    PersonaDimension,
    Procedure,
    Role,
    acting,
    steps_of,
)
from ...model.source import Sources, Span
from .. import diagnose
from ..schema import ConductSurface, PersonaSurface, SpecSurface
from ..sentences.parser import Parser
from ..spelling import nearest
from ..surface_reader import SurfaceReader, text_of, texts_of
from ..yaml.nodes import Scalar
from . import equipment, names, steps, visibility
from .context import Context
from .declarations import declare
from .files import SpecFiles


@dataclass(frozen=True, slots=True)
class Linked:
    """A procedure, if it could be built, and every problem found on the way, in the order of the files.

    What is wrong in a part is told once, however often the part is performed.
    """

    procedure: Procedure | None
    problems: tuple[Diagnostic, ...]

    @property
    def usable(self) -> bool:
        return self.procedure is not None and not any(p.severity == "error" for p in self.problems)


def link(sources: Sources, path: str) -> Linked:
    """The procedure in the file at `path`, with everything it includes."""
    reader = SurfaceReader()
    files = SpecFiles(sources, reader)
    files.add(path, Span(path, 1, 1))
    procedure = _linked(files, reader) if files.specs and not reader.failed else None
    return Linked(procedure, tuple(dict.fromkeys(reader.problems)))


def _linked(files: SpecFiles, reader: SurfaceReader) -> Procedure | None:
    specs, main = files.specs, files.specs[-1]
    if main.procedure is None:
        reader.report(diagnose.missing_key(main.span, key="procedure"))
        return None
    declared = declare(specs, reader)
    context = Context(declared, Parser(declared.words()), reader)
    stages = steps.stages(context, tuple(stage for spec in specs for stage in spec.stages))
    reader.problems += _unused_parts(context)
    roles = _roles(context, specs)
    grants = tuple(visibility.grants(context, specs, stages))
    equipped = equipment.link(context, specs, files)
    stages = tuple(replace(stage, closing=equipment.closing(stage, equipped.memory, declared)) for stage in stages)
    return Procedure(
        name=main.procedure.text,
        title=text_of(main.title) or main.procedure.text,
        law=tuple(dict.fromkeys(word.text for spec in specs for word in spec.law)),
        law_at=tuple(_day(word, declared.fields, reader) for spec in specs for word in spec.law_at),
        locale=text_of(main.locale) or "zh",
        example=text_of(main.example),
        kinds={kind: letter for letter, kind in declared.letters.items()},
        sides=tuple(dict.fromkeys(role.side for role in declared.roles.values() if role.side)),
        roles=roles,
        targets=_targets(context, specs),
        fields=declared.fields,
        documents=declared.documents,
        answers=context.answers,
        options=declared.options,
        grants=grants,
        conduct=tuple(_conduct(context, rule) for spec in specs for rule in spec.conduct),
        personas=_personas(files, reader),
        stages=stages,
        tokens=tuple(dict.fromkeys(t for stage in stages for step in steps_of(stage) for t in tokens_of(step))),
        model=_model(specs, reader),
        tools=equipped.tools,
        tool_calls=equipped.calls,
        skills=equipped.skills,
        memory=equipped.memory,
        checklists=declared.checklists,
        acting=acting(stages),
        source=text_of(main.source),
        lines=files.lines,
        files=tuple(files.paths),
    )


def _day(word: Scalar, fields: Mapping[str, Field], reader: SurfaceReader) -> tuple[str, str]:
    """The field and the key of it that hold a day of the case."""
    name, _, key = word.text.partition(".")
    field = fields.get(name)
    if field is None:
        reader.report(diagnose.unknown_field(word.span, name=name, among=fields))
    elif field.evaluation_only:
        reader.report(diagnose.sealed_field_used(word.span, name=name))
    elif key and field.keys and key not in field.keys:
        reader.report(
            diagnose.unknown_field_key(
                word.span, owner=name, key=key, known=field.keys, nearest=nearest(key, field.keys)
            )
        )
    return name, key


def _model(specs: list[SpecSurface], reader: SurfaceReader) -> ModelDefaults:
    surface = next((spec.model for spec in reversed(specs) if spec.model is not None), None)
    defaults = ModelDefaults()
    if surface is None:
        return defaults
    return ModelDefaults(
        reader.number(surface.temperature, defaults.temperature),
        reader.number(surface.top_p, defaults.top_p),
        int(reader.number(surface.max_tokens, defaults.max_tokens)),
    )


def _unused_parts(context: Context) -> list[Diagnostic]:
    """A part that is not performed, unless what is wrong already may be why."""
    parts = context.names.parts if not context.reader.problems else {}
    unused = [name for name in parts if name not in context.performed]
    return [diagnose.unused_declaration(parts[name].span, name=name) for name in unused]


def _targets(context: Context, specs: list[SpecSurface]) -> tuple[str, ...]:
    known, roles = context.reader.all_known, context.names.roles
    return tuple(name for spec in specs for name in known(spec.target, roles, diagnose.unknown_role))


def _roles(context: Context, specs: list[SpecSurface]) -> dict[str, Role]:
    """The roles, each with the condition on which there is somebody who holds it."""
    roles = dict(context.names.roles)
    for name, surface in ((name, surface) for spec in specs for name, surface in spec.roles.items()):
        if surface.when is not None:
            roles[name] = replace(roles[name], when=names.when(context, surface.when))
    return roles


# ---- personas, conduct -----------------------------------------------------------------------------------------------
def _personas(files: SpecFiles, reader: SurfaceReader) -> dict[str, Persona]:
    personas: dict[str, Persona] = {}
    for spec in files.specs:
        for name, where in spec.personas.items():
            path = files.beside("", where)
            surface = files.surface(PersonaSurface, path, where.span) if path is not None else None
            if surface is not None:
                dimensions = {
                    key: PersonaDimension(d.title.text, {level: word.text for level, word in d.levels.items()})
                    for key, d in surface.dimensions.items()
                }
                personas[name] = Persona(
                    name, text_of(surface.title), dimensions, _profiles(surface, dimensions, reader)
                )
    return personas


def _profiles(
    surface: PersonaSurface, dimensions: Mapping[str, PersonaDimension], reader: SurfaceReader
) -> dict[str, dict[str, str]]:
    """The profiles of a persona: name -> dimension -> level, each of them declared above."""
    profiles: dict[str, dict[str, str]] = {}
    for name, profile in surface.profiles.items():
        profiles[name] = {}
        for key, level in profile.levels.items():
            if key not in dimensions:
                reader.report(diagnose.unknown_choice(level.span, name=key, among=dimensions))
                continue
            levels = tuple(dimensions[key].levels)
            if reader.known(level, levels, diagnose.unknown_choice, known=levels) in levels:
                profiles[name][key] = level.text
    return profiles


def _conduct(context: Context, rule: ConductSurface) -> Conduct:
    names, reader = context.names, context.reader
    check = reader.kept(context.parser.check(rule.check.text, rule.check.span))
    return Conduct(
        rule.rule.text,
        text_of(rule.title) or rule.rule.text,
        reader.known(rule.who, names.kinds, diagnose.unknown_kind),
        reader.all_known(rule.stages, names.stages, diagnose.unknown_stage),
        texts_of(rule.acts),
        reader.all_known(rule.documents, names.documents, diagnose.unknown_document),
        check or ConductCheck("no lists", "", 0, "", rule.check.span),
        rule.rule.span,
    )
