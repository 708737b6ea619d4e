"""From spec files to a linked procedure: read, merge what is included, declare every name, resolve every head."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ...model.ast import ConductCheck
from ...model.diagnostics import Diagnostic
from ...model.plan import tokens_of
from ...model.procedure import (
    Conduct,
    Document,
    Field,
    Grant,
    ModelDefaults,
    Option,
    Persona,
    PersonaDimension,
    Procedure,
    Role,
    Task,
    steps_of,
)
from ...model.source import Sources, Span
from .. import diagnose
from ..diagnostics import nearest
from ..schema import (
    CaseField,
    ConductSurface,
    OptionSurface,
    PersonaSurface,
    RoleSurface,
    SkillSurface,
    SpecSurface,
    StageSurface,
    Surface,
    load,
)
from ..sentences.keywords import YES_NO, as_choice, is_keyword, truth
from ..sentences.parser import Parser
from ..yaml.nodes import Scalar
from ..yaml.reader import read
from . import equipment, matrix
from .declarations import DeclaredNames
from .steps import Resolver

VERSION = "1"


@dataclass(frozen=True, slots=True)
class Linked:
    """A procedure, if it could be built, and every problem found on the way, in the order of the files."""

    procedure: Procedure | None
    problems: tuple[Diagnostic, ...]

    @property
    def usable(self) -> bool:
        return self.procedure is not None and not any(p.severity == "error" for p in self.problems)


Read = TypeVar("Read", bound=Surface)


@dataclass(slots=True)
class _Files:
    """The files of one procedure, in the order they were included."""

    sources: Sources
    problems: list[Diagnostic] = field(default_factory=list)
    specs: list[SpecSurface] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lines: int = 0

    def add(self, path: str, asked: Span, above: tuple[str, ...] = ()) -> None:
        """Read a spec file and what it includes, depth first; a file included twice counts once."""
        if path in above:
            self.problems.append(diagnose.circular_include(asked, path=path))
            return
        if path in self.paths:
            return
        if (surface := self._spec(path, asked)) is None:
            return
        for included in surface.include:
            if (place := beside(path, included.text)) is None:
                self.problems.append(diagnose.file_outside_project(included.span, path=included.text))
            else:
                self.add(place, included.span, (*above, path))
        self.specs.append(surface)

    def surface(self, model: type[Read], path: str, asked: Span) -> Read | None:
        """A file as a surface; what is wrong with it is noted."""
        text = self.text(path, asked)
        if text is None:
            return None
        node, problems = read(path, text)
        self.problems += problems
        if node is None:
            return None
        surface, problems = load(model, node)
        self.problems += problems
        return surface

    def _spec(self, path: str, asked: Span) -> SpecSurface | None:
        surface = self.surface(SpecSurface, path, asked)
        if surface is not None and surface.lw.text != VERSION:
            self.problems.append(diagnose.unsupported_version(surface.lw.span, found=surface.lw.text, known=VERSION))
        return surface

    def text(self, path: str, asked: Span) -> str | None:
        """The text of a file; a missing one is a problem where it was asked for."""
        text = self.sources.read(path)
        if text is None:
            folder = path.rpartition("/")[0]
            known = nearest(path, self.sources.names(folder)) if folder else None
            self.problems.append(diagnose.missing_file(asked, path=path, nearest=known))
            return None
        self.paths.append(path)
        self.lines += text.count("\n") + 1
        return text


def beside(path: str, relative: str) -> str | None:
    """`relative` as seen from the folder of `path`; None when it leaves the project."""
    parts = path.split("/")[:-1]
    for word in relative.split("/"):
        match word:
            case "" if not relative.startswith("/"):
                continue
            case ".":
                continue
            case ".." if parts:
                parts.pop()
            case "" | "..":
                return None
            case _:
                parts.append(word)
    return None if "\\" in relative else "/".join(parts)


def link(sources: Sources, path: str) -> Linked:
    """The procedure in the file at `path`, with everything it includes."""
    files = _Files(sources)
    files.add(path, Span(path, 1, 1))
    if not files.specs or any(problem.severity == "error" for problem in files.problems):
        return Linked(None, tuple(files.problems))
    procedure = _Linker(files).build()
    return Linked(procedure, tuple(files.problems))


Entry = TypeVar("Entry", bound=Surface | Scalar)


class _Linker:
    """Declares the names of all files and assembles the procedure from them."""

    def __init__(self, files: _Files) -> None:
        self.files = files
        self.problems = files.problems
        self.specs = files.specs
        self.main = files.specs[-1]
        self.declared: dict[str, Span] = {}

    def build(self) -> Procedure | None:
        if self.main.procedure is None:
            self._report(diagnose.missing_key(self.main.span, key="procedure"))
            return None
        names = self._names()
        parser = Parser(names.words())
        surfaces = tuple(stage for spec in self.specs for stage in spec.stages)
        resolver = Resolver(names, parser, self.problems)
        stages = resolver.stages(surfaces)
        unused = [] if self.problems else [name for name in names.parts if name not in resolver.performed]
        for name in unused:
            self.problems.append(diagnose.unused_declaration(names.parts[name].span, name=name))
        grants = self._grants(names, parser, resolver, surfaces)
        worked = equipment.Linker(names, self.problems, self._card, resolver.when).link(self.specs)
        stages = tuple(replace(each, closing=equipment.closing(each, worked.memory, names)) for each in stages)
        rules = [rule for spec in self.specs for rule in spec.conduct]
        return Procedure(
            name=self.main.procedure.text,
            title=_text(self.main.title) or self.main.procedure.text,
            law=tuple(dict.fromkeys(word.text for spec in self.specs for word in spec.law)),
            law_at=tuple(self._day(word, names.fields) for spec in self.specs for word in spec.law_at),
            locale=_text(self.main.locale) or "zh",
            example=_text(self.main.example),
            kinds={kind: letter for letter, kind in names.letters.items()},
            sides=tuple(dict.fromkeys(role.side for role in names.roles.values() if role.side)),
            roles=names.roles,
            targets=self._targets(names),
            fields=names.fields,
            documents=names.documents,
            answers=resolver.answers,
            options=names.options,
            grants=grants,
            conduct=tuple(self._conduct(rule, names, parser) for rule in rules),
            personas=self._personas(names),
            stages=stages,
            tokens=tuple(dict.fromkeys(t for stage in stages for step in steps_of(stage) for t in tokens_of(step))),
            model=self._model(),
            tools=worked.tools,
            tool_calls=worked.calls,
            skills=worked.skills,
            memory=worked.memory,
            checklists=names.checklists,
            source=_text(self.main.source),
            lines=self.files.lines,
            files=tuple(self.files.paths),
        )

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def _known(self, word: Scalar | None, names: Mapping[str, object] | tuple[str, ...], kind: diagnose.OfName) -> str:
        """The text of a scalar that must be one of `names` ("" when it is absent)."""
        if word is None:
            return ""
        if word.text not in names:
            self._report(kind(word.span, name=word.text, among=names))
        return word.text

    def _truth(self, word: Scalar | None, default: bool = False) -> bool:
        """A yes or a no."""
        if word is None:
            return default
        value = truth(word.text)
        if value is None:
            self._report(diagnose.expected_yes_or_no(word.span, found=word.text))
        return bool(value)

    # ---- declarations ------------------------------------------------------------------------------------------------
    def _merged(self, section: Callable[[SpecSurface], Mapping[str, Entry]]) -> dict[str, Entry]:
        """One section of all files; each name declared once, and none a keyword."""
        merged: dict[str, Entry] = {}
        for spec in self.specs:
            for name, entry in section(spec).items():
                self._declare(name, entry.span)
                merged.setdefault(name, entry)
        return merged

    def _declare(self, name: str, span: Span) -> None:
        if is_keyword(name):
            self._report(diagnose.reserved_name(span, name=name))
        if name in self.declared:
            self.problems.append(diagnose.duplicate_name(span, name=name, also=(self.declared[name],)))
        self.declared.setdefault(name, span)

    def _names(self) -> DeclaredNames:
        letters = {letter: kind.text for spec in self.specs for letter, kind in spec.kinds.items()}
        fields = {name: self._field(name, found) for name, found in self._merged(lambda spec: spec.case).items()}
        documents = {
            name: Document(
                name,
                d.title.text,
                d.per is not None,
                _texts(d.sections),
                _texts(d.basis),
                d.title.span,
                tuple(tuple(filter(None, map(str.strip, word.text.split("|")))) for word in d.required),
            )
            for name, d in self._merged(lambda spec: spec.documents).items()
        }
        options = {name: self._option(name, found) for name, found in self._merged(lambda spec: spec.options).items()}
        surfaces = self._merged(lambda spec: spec.roles)
        roles = {name: self._role(name, found, surfaces, fields, letters) for name, found in surfaces.items()}
        parts = self._merged(lambda spec: spec.parts)
        stages = tuple(stage.stage for spec in self.specs for stage in spec.stages)
        for stage in stages:
            self._declare(stage.text, stage.span)
        return DeclaredNames(letters, roles, fields, documents, options, parts, _texts(stages), self._checklists())

    def _checklists(self) -> dict[str, tuple[Task, ...]]:
        """Every checklist with its items numbered through; one without any is of no use."""
        found: dict[str, tuple[Task, ...]] = {}
        for spec in self.specs:
            for name, parts in spec.checklists.items():
                items = [(part, item) for part in parts for item in part.items]
                found[name] = tuple(
                    Task(n, part.stage.text, _text(part.title) or part.stage.text, item.text, item.span)
                    for n, (part, item) in enumerate(items, 1)
                )
                if not items:
                    span = parts[0].span if parts else spec.span
                    self._report(diagnose.empty_checklist(span, name=name))
        return found

    def _option(self, name: str, found: OptionSurface) -> Option:
        choices = _texts(found.choices) or YES_NO
        default = as_choice(found.default.text, choices)
        if default not in choices:
            self._report(diagnose.unknown_choice(found.default.span, name=default, among=choices))
        return Option(name, _text(found.title), choices, default, found.default.span)

    def _field(self, name: str, found: CaseField) -> Field:
        return Field(
            name,
            _text(found.title) or name,
            found.path.text,
            found.per is not None,
            found.each is not None,
            _texts(found.keys),
            self._truth(found.evaluation_only),
            self._truth(found.required),
            found.path.span,
        )

    def _role(
        self,
        name: str,
        found: RoleSurface,
        roles: Mapping[str, RoleSurface],
        fields: Mapping[str, Field],
        letters: Mapping[str, str],
    ) -> Role:
        kinds = tuple(letters.values())
        assigned = self._truth(found.assigned)
        if found.kind is None and not assigned:
            self._report(diagnose.missing_key(found.span, key="kind"))
        return Role(
            name,
            _text(found.title),
            self._known(found.kind, kinds, diagnose.unknown_kind),
            _text(found.side),
            self._known(found.represents, dict(roles), diagnose.unknown_role),
            self._known(found.persona, self._persona_names(), diagnose.unknown_persona),
            self._known(found.named, dict(fields), diagnose.unknown_field),
            self._known(found.each, dict(fields), diagnose.unknown_field),
            assigned,
            _text(found.formerly),
            found.span,
        )

    def _day(self, word: Scalar, fields: Mapping[str, Field]) -> tuple[str, str]:
        """The field and the key of it that hold a day of the case."""
        name, _, key = word.text.partition(".")
        found = fields.get(name)
        if found is None:
            self._report(diagnose.unknown_field(word.span, name=name, among=fields))
        elif found.evaluation_only:
            self._report(diagnose.sealed_field_used(word.span, name=name))
        elif key and found.keys and key not in found.keys:
            self._report(
                diagnose.unknown_field_key(
                    word.span, owner=name, key=key, known=found.keys, nearest=nearest(key, found.keys)
                )
            )
        return name, key

    def _persona_names(self) -> tuple[str, ...]:
        return tuple(name for spec in self.specs for name in spec.personas)

    def _targets(self, names: DeclaredNames) -> tuple[str, ...]:
        found = [word for spec in self.specs for word in spec.target]
        return tuple(self._known(word, names.roles, diagnose.unknown_role) for word in found)

    def _model(self) -> ModelDefaults:
        surface = next((spec.model for spec in reversed(self.specs) if spec.model is not None), None)
        defaults = ModelDefaults()
        if surface is None:
            return defaults
        return ModelDefaults(
            self._number(surface.temperature, defaults.temperature),
            self._number(surface.top_p, defaults.top_p),
            int(self._number(surface.max_tokens, defaults.max_tokens)),
        )

    def _number(self, word: Scalar | None, default: float) -> float:
        if word is None:
            return default
        try:
            return float(word.text)
        except ValueError:
            self._report(diagnose.expected_number(word.span, found=word.text))
            return default

    # ---- personas, visibility, conduct -------------------------------------------------------------------------------
    def _personas(self, names: DeclaredNames) -> dict[str, Persona]:
        personas: dict[str, Persona] = {}
        for spec in self.specs:
            for name, where in spec.personas.items():
                if (surface := self._persona(where)) is not None:
                    dimensions = {
                        key: PersonaDimension(d.title.text, {level: text.text for level, text in d.levels.items()})
                        for key, d in surface.dimensions.items()
                    }
                    personas[name] = Persona(
                        name, _text(surface.title), dimensions, self._profiles(surface, dimensions)
                    )
        return personas

    def _profiles(
        self, surface: PersonaSurface, dimensions: Mapping[str, PersonaDimension]
    ) -> dict[str, dict[str, str]]:
        """The profiles of a persona: name -> dimension -> level, each of them declared above."""
        found: dict[str, dict[str, str]] = {}
        for name, profile in surface.profiles.items():
            found[name] = {}
            for key, level in profile.levels.items():
                if key not in dimensions:
                    self._report(diagnose.unknown_choice(level.span, name=key, among=dimensions))
                elif level.text not in dimensions[key].levels:
                    known = tuple(dimensions[key].levels)
                    self._report(diagnose.unknown_choice(level.span, name=level.text, among=known))
                else:
                    found[name][key] = level.text
        return found

    def _persona(self, where: Scalar) -> PersonaSurface | None:
        path = beside("", where.text)
        if path is None:
            self._report(diagnose.file_outside_project(where.span, path=where.text))
            return None
        return self.files.surface(PersonaSurface, path, where.span)

    def _card(self, path: str, asked: Span) -> SkillSurface | None:
        return self.files.surface(SkillSurface, path, asked)

    def _grants(
        self, names: DeclaredNames, parser: Parser, resolver: Resolver, stages: tuple[StageSurface, ...]
    ) -> tuple[Grant, ...]:
        grants: list[Grant] = []
        phases = resolver.phase_names()
        for scalar in (spec.visibility for spec in self.specs if spec.visibility is not None):
            table, problems = matrix.parse(scalar)
            self.problems += problems
            for column in table.columns:
                for stage in column:
                    if stage.text not in names.stages:
                        self._report(diagnose.unknown_matrix_stage(stage.span, name=stage.text, among=names.stages))
            for row in table.rows:
                grants += self._row(table, row, names, parser, resolver, phases)
        return tuple(grants)

    def _row(
        self,
        table: matrix.Matrix,
        row: matrix.Row,
        names: DeclaredNames,
        parser: Parser,
        resolver: Resolver,
        phases: Mapping[str, tuple[str, ...]],
    ) -> list[Grant]:
        label, problems = parser.row_label(row.label.text, row.label.span)
        self.problems += problems
        if label is None:
            return []
        known = (*names.fields, *names.documents, *resolver.answers)
        if label.field.text not in known:
            self._report(diagnose.unknown_matrix_row(label.field.span, name=label.field.text, among=known))
        condition = resolver.condition(label.condition) if label.condition is not None else None
        grants = []
        for column, piece in zip(table.columns, row.cells, strict=True):
            cell, problems = parser.cell(piece.text, piece.span)
            self.problems += problems
            for letter in cell.letters if cell is not None else ():
                if letter.text not in names.letters:
                    self._report(diagnose.unknown_matrix_letter(letter.span, name=letter.text, among=names.letters))
                    continue
                after = cell.after.text if cell is not None and cell.after is not None else ""
                for stage in column:
                    if after and after not in phases.get(stage.text, ()):
                        near = nearest(after, phases.get(stage.text, ()))
                        self._report(
                            diagnose.unknown_matrix_phase(letter.span, name=after, stage=stage.text, nearest=near)
                        )
                    kind = names.letters[letter.text]
                    grants.append(Grant(label.field.text, label.whose, stage.text, kind, after, condition, piece.span))
        return grants

    def _conduct(self, rule: ConductSurface, names: DeclaredNames, parser: Parser) -> Conduct:
        check, problems = parser.check(rule.check.text, rule.check.span)
        self.problems += problems
        return Conduct(
            rule.rule.text,
            _text(rule.title) or rule.rule.text,
            self._known(rule.who, tuple(names.letters.values()), diagnose.unknown_kind),
            tuple(self._known(stage, names.stages, diagnose.unknown_stage) for stage in rule.stages),
            _texts(rule.acts),
            tuple(self._known(word, names.documents, diagnose.unknown_document) for word in rule.documents),
            check or ConductCheck("no lists", "", 0, "", rule.check.span),
            rule.rule.span,
        )


def _text(scalar: Scalar | None) -> str:
    return scalar.text if scalar is not None else ""


def _texts(scalars: tuple[Scalar, ...]) -> tuple[str, ...]:
    return tuple(scalar.text for scalar in scalars)
