"""From spec files to a linked procedure: read, inherit and include, declare every name, resolve every head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...model.ast import ConductCheck
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.plan import walk
from ...model.procedure import (
    Conduct,
    Interruption,
    ModelDefaults,
    Persona,
    PersonaDimension,
    Procedure,
    Role,
    Stage,
    acting,
    steps_of,
)
from ...model.source import Sources, Span
from ...model.step_facts import tokens_of
from .. import diagnose
from ..schema import ConductSurface, PersonaSurface, SpecSurface
from ..sentences.keywords import unset
from ..surface_reader import SurfaceReader, places_of, text_of, texts_of
from ..surfaces import load
from ..yaml.nodes import Scalar
from . import answer_titles, dates, decisions, equipment, interruptions, properties, steps, visibility
from .context import Context
from .declarations import declare
from .files import MOST_GENERATIONS, SpecFiles
from .inherit import Heritage, alone, explained, inherit
from .verbs import KNOWN_ACTS


@immutable
class Linked:
    """A procedure, if it could be built, and every problem found on the way, in the order of the files.

    What is wrong in a part is told once, however often the part is performed. `follow`: what else is wrong, and may
    follow from what could not be read, where a procedure was made of the rest.
    """

    procedure: Procedure | None
    problems: tuple[Diagnostic, ...]
    follow: tuple[Diagnostic, ...] = ()

    @property
    def usable(self) -> bool:
        return self.procedure is not None and not any(p.severity == "error" for p in self.problems)


def link(sources: Sources, path: str, partial: bool = False, reader: SurfaceReader | None = None) -> Linked:
    """The procedure in the file at `path`, with everything it includes.

    `partial`: where files have errors, what can be made of the rest; what else is found may follow from these errors.
    `reader`: one that notes more than problems.
    """
    reader = reader or SurfaceReader()
    files = SpecFiles(sources, reader, partial=partial)
    files.add(path, Span(path, 1, 1))
    spec = whole(files, reader) if files.generations and (partial or not files.stopped) else None
    read = len(reader.problems) if partial and reader.failed else None
    procedure = _linked(spec, files, reader) if spec is not None and (partial or not files.stopped) else None
    removed = spec.heritage.removed if spec is not None else {}
    found, unread = reader.problems, reader.unread
    follow = explained(found[read:], removed, unread) if read is not None else ()
    told = explained(found[:read], removed, unread)
    return Linked(procedure, told, tuple(one for one in follow if one not in told))


@immutable
class Spec:
    """The files of a procedure as surfaces, the main one last; one alone where it extends another procedure."""

    surfaces: list[SpecSurface]
    heritage: Heritage

    @property
    def name(self) -> Scalar:
        """Where the procedure is named."""
        surface = self.surfaces[-1]
        return surface.procedure or Scalar("", surface.span)


def whole(files: SpecFiles, reader: SurfaceReader) -> Spec | None:
    """What is to be linked; None when it could not be put together."""
    main = files.generations[-1][-1]
    if main.surface.procedure is None:
        reader.report(diagnose.missing_key(main.surface.span, key="procedure"))
        if not files.partial:
            return None
    if len(files.generations) == 1:
        return Spec([file.surface for file in files.generations[0]], alone(files.generations[0]))
    heritage = inherit(files.generations, reader, files.partial)
    surface = reader.kept(load(SpecSurface, heritage.root, files.partial))
    return Spec([surface], heritage) if surface is not None else None


def context_of(spec: Spec, reader: SurfaceReader) -> Context:
    """What the names of a spec are resolved by; those that were removed are known to have been names."""
    names = declare(spec.surfaces, reader)
    removed = frozenset(spec.heritage.removed)
    locale = text_of(spec.surfaces[-1].locale) or "zh"
    return Context(names, reader.parser(names.words() | removed), reader, removed=removed, locale=locale)


def _linked(spec: Spec, files: SpecFiles, reader: SurfaceReader) -> Procedure:
    specs, main, context = spec.surfaces, spec.surfaces[-1], context_of(spec, reader)
    names, (stages, between) = context.names, _played(context, specs, files.inherited)
    equipped = equipment.link(context, specs, files)
    stages = tuple(replace(stage, closing=equipment.closing(stage, equipped.memory, names)) for stage in stages)
    return Procedure(
        name=spec.name.text,
        title=text_of(main.title) or spec.name.text,
        law=tuple(dict.fromkeys(word.text for spec in specs for word in spec.law)),
        law_at=tuple(dates.field_and_key(word, names.fields, reader) for spec in specs for word in spec.law_at),
        locale=text_of(main.locale) or "zh",
        locale_said=main.locale is not None,
        example=text_of(main.example),
        kinds={kind: letter for letter, kind in names.letters.items()},
        sides=tuple(dict.fromkeys(role.side for role in names.roles.values() if role.side)),
        roles=properties.conditional_roles(context, specs),
        targets=_targets(specs, names.roles, reader),
        fields=names.fields,
        documents=names.documents,
        answers=context.answers,
        options=names.options,
        grants=tuple(visibility.grants(context, spec.heritage, stages, between)),
        conduct=tuple(_conduct(context, rule) for spec in specs for rule in spec.conduct),
        personas=_personas(specs, files, reader),
        stages=stages,
        tokens=tuple(dict.fromkeys(_tokens(stages, between))),
        model=_model(specs, reader),
        tools=equipped.tools,
        tool_calls=equipped.calls,
        skills=equipped.skills,
        memory=equipped.memory,
        checklists=names.checklists,
        acting=acting(stages, between),
        interruptions=between,
        decisions=decisions.link(context, specs),
        dates=dates.rules(context),
        holidays=dates.holidays(specs, reader),
        source=text_of(main.source),
        lines=files.lines,
        wording=_wording(specs),
        files=tuple(files.paths),
        lineage=files.lineage,
        inherited=frozenset(files.inherited),
        span=spec.name.span,
    )


def _played(
    context: Context, specs: list[SpecSurface], inherited: set[str]
) -> tuple[tuple[Stage, ...], tuple[Interruption, ...]]:
    """All stages in order, and the events; a part that none of them performs is remarked on."""
    interruptions.declare(context, specs)
    inner = tuple(step for spec in specs for event in spec.events.values() for step in event.steps)
    stages = steps.stages(context, tuple(stage for spec in specs for stage in spec.stages), inner)
    between, parts, reader = interruptions.link(context, specs, stages), context.names.parts, context.reader
    for name in () if reader.problems else [name for name in parts if name not in context.performed]:
        reader.problems.append(diagnose.unused_declaration(parts[name].span, name=name))
    _told_apart(context, specs, inherited)
    return stages, between


def _told_apart(context: Context, specs: list[SpecSurface], inherited: set[str]) -> None:
    """What documents hold and phases recall must be something that can be shown; titles of answers, of some use."""
    answer_titles.check(context, inherited, decisions.kept(context, specs))
    names = context.names
    known = (*names.fields, *names.documents, *names.dates, *context.answers, *context.removed)
    phases = [phase for spec in specs for stage in spec.stages for phase in stage.phases]
    phases += [phase for spec in specs for part in spec.parts.values() for phase in part.phases]
    words = [word for spec in specs for document in spec.documents.values() for word in document.holds]
    for word in (*words, *(word for phase in phases for word in phase.recalls or ())):
        context.reader.known(word, known, diagnose.unknown_field)
    for word in (word for spec in specs for document in spec.documents.values() for word in document.refers_to):
        context.reader.known(word, (*names.fields, *context.removed), diagnose.unknown_field)


def _wording(specs: list[SpecSurface]) -> dict[str, Span]:
    """The folders that the files name, the main one's first, each with the place that names it first."""
    wording: dict[str, Span] = {}
    for word in (word for spec in (specs[-1], *specs[:-1]) for word in spec.wording):
        wording.setdefault(word.text, word.span)
    return wording


def _tokens(stages: tuple[Stage, ...], events: tuple[Interruption, ...]) -> Iterator[str]:
    """Every token that somebody may say somewhere."""
    for step in (*(step for stage in stages for step in steps_of(stage)), *(s for e in events for s in walk(e.steps))):
        yield from tokens_of(step)
    yield from (said.token for event in events for said in event.raised)


def _targets(specs: list[SpecSurface], roles: Mapping[str, Role], reader: SurfaceReader) -> tuple[str, ...]:
    """The roles that may be put to the test."""
    return tuple(name for spec in specs for name in reader.all_known(spec.target, roles, diagnose.unknown_role))


def _model(specs: list[SpecSurface], reader: SurfaceReader) -> ModelDefaults:
    surface = next((spec.model for spec in reversed(specs) if spec.model is not None), None)
    defaults = ModelDefaults()
    if surface is None:
        return defaults
    for act, most in surface.acts.items():
        if act not in KNOWN_ACTS:
            reader.report(diagnose.unknown_act(most.span, name=act, known=KNOWN_ACTS))
    return ModelDefaults(
        reader.number_or_none(surface.temperature),
        reader.number_or_none(surface.top_p),
        reader.whole_number(_set(surface.max_tokens), defaults.max_tokens),
        reader.whole_number(_set(surface.thought_tokens), defaults.thought_tokens),
        {act: reader.whole_number(most, defaults.max_tokens) for act, most in surface.acts.items()},
    )


def _set(word: Scalar | None) -> Scalar | None:
    """The word, unless it takes back what another procedure said."""
    return None if word is None or unset(word.text) else word


# ---- personas, conduct -----------------------------------------------------------------------------------------------
def _personas(specs: list[SpecSurface], files: SpecFiles, reader: SurfaceReader) -> dict[str, Persona]:
    personas: dict[str, Persona] = {}
    for spec in specs:
        for name, where in spec.personas.items():
            surfaces = _persona_files(where, files, reader, ())
            dimensions = {
                key: PersonaDimension(d.title.text, {level: word.text for level, word in d.levels.items()})
                for surface in surfaces
                for key, d in surface.dimensions.items()
            }
            profiles = [_profiles(surface, dimensions, reader) for surface in surfaces]
            if surfaces:
                merged = {profile: levels for found in profiles for profile, levels in found.items()}
                personas[name] = Persona(name, text_of(surfaces[-1].title), dimensions, merged)
    return personas


def _persona_files(
    where: Scalar, files: SpecFiles, reader: SurfaceReader, below: tuple[str, ...]
) -> tuple[PersonaSurface, ...]:
    """A persona's file after those that it extends; `below`: the files that extend this one."""
    path = files.beside("", where)
    if path in below:
        reader.report(diagnose.circular_extends(where.span, name=where.text, most=MOST_GENERATIONS))
        return ()
    surface = files.surface(PersonaSurface, path, where.span) if path is not None else None
    if surface is None or path is None:
        return ()
    above = _persona_files(surface.extends, files, reader, (*below, path)) if surface.extends is not None else ()
    return (*above, surface)


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
        reader.known(rule.who, names.kinds, diagnose.unknown_kind, known=names.kinds),
        reader.all_known(rule.stages, names.stages, diagnose.unknown_stage),
        texts_of(rule.acts),
        reader.all_known(rule.documents, names.documents, diagnose.unknown_document),
        check or ConductCheck("no lists", "", 0, "", rule.check.span),
        rule.rule.span,
        places_of(rule),
    )
