"""The names a procedure declares, and what each may mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from ...model.procedure import Document, Field, Option, Role, Task
from ...model.source import Span
from ...model.value_types import ValueType
from .. import diagnose
from ..schema import (
    AnswerSurface,
    CaseField,
    DateSurface,
    DecisionSurface,
    DocumentSurface,
    OptionSurface,
    PartSurface,
    RoleSurface,
    SpecSurface,
)
from ..sentences.keywords import FACTIONS, FELLOWS, YES_NO, as_choice, is_keyword
from ..sentences.references import CHOSEN
from ..spelling import nearest
from ..surface_reader import SurfaceReader, places_of, text_of, texts_of
from ..surfaces import Surface
from ..yaml.nodes import ListNode, Scalar
from .amendments import amended_alike
from .value_types import check_targets, type_of_answer, types_of

TARGET = "target"
NOBODY = "nobody"
OPPONENT = "opponent"
ASSIGNED = "assigned"
EMPTY = "empty"
ABSENT = "absent"


@dataclass(frozen=True)
class DeclaredNames:
    """`letters`: letter of the matrix -> kind. Everything else: id -> declaration."""

    letters: Mapping[str, str]
    roles: Mapping[str, Role]
    fields: Mapping[str, Field]
    documents: Mapping[str, Document]
    options: Mapping[str, Option]
    parts: Mapping[str, PartSurface]
    stages: tuple[str, ...]
    checklists: Mapping[str, tuple[Task, ...]] = field(default_factory=dict)
    dates: Mapping[str, DateSurface] = field(default_factory=dict)
    answers: Mapping[str, AnswerSurface] = field(default_factory=dict)
    decisions: Mapping[str, DecisionSurface] = field(default_factory=dict)
    answer_types: Mapping[str, ValueType] = field(default_factory=dict)

    @cached_property
    def titles(self) -> Mapping[str, tuple[str, ...]]:
        """Title -> the roles that bear it; a lawyer's own and with the title of whom he represents (原告代理律师)."""
        bearers: dict[str, list[str]] = {}
        for role in self.roles.values():
            above = self.roles.get(role.represents)
            for title in {role.title, (above.title if above else "") + role.title} - {""}:
                bearers.setdefault(title, []).append(role.id)
        return {title: tuple(roles) for title, roles in bearers.items()}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.letters.values())

    def words(self) -> frozenset[str]:
        """Every word the lexer must know to be one name."""
        needs = {need.text for part in self.parts.values() for need in part.needs}
        needs |= {name for part in self.parts.values() for name in part.defaults}
        return frozenset(
            {TARGET, NOBODY, OPPONENT, *FACTIONS, *CHOSEN, *FELLOWS, *self.letters, *self.kinds, *self.roles}
            | {*self.titles, *self.fields}
            | {*self.documents, *self.options, *self.parts, *self.stages, *self.dates, *self.decisions, *needs}
            | {choice for option in self.options.values() for choice in option.choices}
        )


# ---- from the surfaces of all files ----------------------------------------------------------------------------------
Entry = TypeVar("Entry", bound=Surface | Scalar)


def declare(specs: list[SpecSurface], reader: SurfaceReader) -> DeclaredNames:
    """Everything that the files of a procedure declare."""
    letters = {letter: kind.text for spec in specs for letter, kind in spec.kinds.items()}
    case = _merged(specs, reader, lambda spec: spec.case)
    fields = {name: _field(name, surface, reader) for name, surface in case.items()} | _lists(specs, reader)
    fields = amended_alike(case, fields, reader)
    check_targets(case, fields, reader)
    written = _merged(specs, reader, lambda spec: spec.documents)
    documents = {name: _document(name, surface, reader) for name, surface in written.items()}
    options = {
        name: _option(name, surface, reader)
        for name, surface in _merged(specs, reader, lambda spec: spec.options).items()
    }
    surfaces = _merged(specs, reader, lambda spec: spec.roles)
    personas = tuple(name for spec in specs for name in spec.personas)
    linked = {
        "kind": tuple(letters.values()),
        "persona": personas,
        "represents": tuple(surfaces),
        "case": tuple(fields),
    }
    roles = {name: _role(name, surface, linked, fields, reader) for name, surface in surfaces.items()}
    roles = _uncircled(roles, surfaces, reader)
    parts = _merged(specs, reader, lambda spec: spec.parts)
    for part in parts.values():
        for name, word in (*((word.text, word) for word in part.needs), *part.defaults.items()):
            _refuse_keyword(name, word.span, reader)
    stages = tuple(stage.stage for spec in specs for stage in spec.stages)
    for stage in stages:
        _declare(stage.text, stage, reader)
    checklists, dates = _checklists(specs, reader), _merged(specs, reader, lambda spec: spec.dates)
    answers = _answers(specs, reader)
    decided = {name: entry for spec in reversed(specs) for name, entry in spec.decisions.items()}
    kinds = {name: type_of_answer(entry, reader) for name, entry in answers.items()}
    return DeclaredNames(
        *(letters, roles, fields, documents, options, parts, texts_of(stages), checklists, dates, answers, decided),
        {name: kind for name, kind in kinds.items() if kind is not None},
    )


def _merged(
    specs: list[SpecSurface], reader: SurfaceReader, section: Callable[[SpecSurface], Mapping[str, Entry]]
) -> dict[str, Entry]:
    """One section of all files; each name declared once, and none a keyword."""
    merged: dict[str, Entry] = {}
    for spec in specs:
        for name, entry in section(spec).items():
            _declare(name, entry, reader)
            merged.setdefault(name, entry)
    return merged


def _answers(specs: list[SpecSurface], reader: SurfaceReader) -> dict[str, AnswerSurface]:
    """What answers are called, each declared once; an answer may have the name of a part or a stage."""
    answers: dict[str, AnswerSurface] = {}
    for name, entry in ((name, entry) for spec in specs for name, entry in spec.answers.items()):
        if answers.setdefault(name, entry) is not entry:
            reader.report(diagnose.duplicate_name(entry.span, name=name, also=(answers[name].span,)))
    return answers


def _declare(name: str, entry: Surface | Scalar, reader: SurfaceReader) -> None:
    _refuse_keyword(name, entry.span, reader)
    reader.declare(name, entry.span)


def _refuse_keyword(name: str, span: Span, reader: SurfaceReader) -> None:
    if is_keyword(name):
        reader.report(diagnose.reserved_name(span, name=name))


def _field(name: str, surface: CaseField, reader: SurfaceReader) -> Field:
    return Field(
        name,
        text_of(surface.title) or name,
        surface.path.text,
        surface.per is not None,
        surface.each is not None,
        tuple(surface.keys),
        reader.truth(surface.evaluation_only),
        reader.truth(surface.required),
        surface.span,
        {key: title.text for key, title in surface.keys.items()},
        types=types_of(name, surface, reader),
        amends=text_of(surface.amends),
        in_force_from=text_of(surface.in_force_from),
    )


def _lists(specs: list[SpecSurface], reader: SurfaceReader) -> dict[str, Field]:
    """The lists that the files give themselves; one without items is of no use, and an item stands in it once."""
    lists: dict[str, Field] = {}
    for name, node in ((name, node) for spec in specs for name, node in spec.lists.items()):
        items: dict[str, Span] = {}
        for item in node.items if isinstance(node, ListNode) else (node,):
            if not isinstance(item, Scalar):
                reader.report(diagnose.wrong_value_shape(item.span, key=name))
                continue
            if item.text in items:
                reader.report(
                    diagnose.repeated_list_item(item.span, name=name, item=item.text, also=(items[item.text],))
                )
            items.setdefault(item.text, item.span)
        if not any(items):
            reader.report(diagnose.empty_list(node.span, name=name))
        _declare(name, Scalar(name, node.span), reader)
        lists.setdefault(name, Field(name, name, "", False, True, (), False, False, node.span, items=tuple(items)))
    return lists


def _document(name: str, surface: DocumentSurface, reader: SurfaceReader) -> Document:
    return Document(
        name,
        surface.title.text,
        surface.per is not None,
        texts_of(surface.sections),
        texts_of(surface.basis),
        surface.span,
        tuple(tuple(filter(None, map(str.strip, word.text.split("|")))) for word in surface.required),
        reader.whole_number(surface.max_tokens, 0),
        texts_of(surface.holds),
        texts_of(surface.follows),
        texts_of(surface.refers_to),
    )


def _option(name: str, surface: OptionSurface, reader: SurfaceReader) -> Option:
    choices = texts_of(surface.choices) or YES_NO
    default = as_choice(surface.default.text, choices)
    if default not in choices:
        reader.report(diagnose.unknown_choice(surface.default.span, name=default, among=choices))
    return Option(name, text_of(surface.title), choices, default, surface.span)


def referred(word: Scalar, fields: Mapping[str, Field], reader: SurfaceReader) -> tuple[str, str]:
    """The field that FIELD or FIELD.KEY names, and the key of it ("" where none is named)."""
    name, _, key = word.text.partition(".")
    field = fields.get(name)
    if field is None:
        reader.report(diagnose.unknown_field(word.span, name=name, among=fields))
    elif key and field.keys and key not in field.keys:
        near = nearest(key, field.keys)
        reader.report(diagnose.unknown_field_key(word.span, owner=name, key=key, known=field.keys, nearest=near))
    return name, key


def _role(
    name: str,
    surface: RoleSurface,
    linked: Mapping[str, tuple[str, ...]],
    fields: Mapping[str, Field],
    reader: SurfaceReader,
) -> Role:
    """A role. `linked`: what its keys may name."""
    assigned = reader.truth(surface.assigned)
    named, key = referred(surface.named, fields, reader) if surface.named is not None else ("", "")
    if surface.kind is None and not assigned:
        reader.report(diagnose.missing_key(surface.span, key="kind"))
    return Role(
        name,
        text_of(surface.title),
        reader.known(surface.kind, linked["kind"], diagnose.unknown_kind, known=linked["kind"]),
        text_of(surface.side),
        reader.known(surface.represents, linked["represents"], diagnose.unknown_role),
        reader.known(surface.persona, linked["persona"], diagnose.unknown_persona),
        named,
        reader.known(surface.each, linked["case"], diagnose.unknown_field),
        assigned,
        text_of(surface.formerly),
        surface.span,
        reader.whole_number(surface.persons, 0),
        reader.truth(surface.alongside),
        label=text_of(surface.label),
        named_key=key,
        party=_party(surface, assigned, reader),
        party_said=surface.party is not None,
        places=places_of(surface),
    )


def _party(surface: RoleSurface, assigned: bool, reader: SurfaceReader) -> bool:
    """Whether those who hold a role are parties: as its author says; else whoever has a side and represents nobody."""
    if surface.party is not None:
        return reader.truth(surface.party)
    return surface.side is not None and surface.represents is None and not assigned


def _uncircled(roles: dict[str, Role], surfaces: Mapping[str, RoleSurface], reader: SurfaceReader) -> dict[str, Role]:
    """The roles, none of which represents itself in the end: where they do, it is told once and taken out."""
    for name in roles:
        chain = [name]
        while (above := roles[chain[-1]].represents) and above in roles and above not in chain:
            chain.append(above)
        if above == name:
            place, words = surfaces[name].represents or surfaces[name], " → ".join((*chain, name))
            reader.report(diagnose.circular_representation(place.span, name=name, chain=words))
            roles |= {one: replace(roles[one], represents="") for one in chain}
    return roles


def _checklists(specs: list[SpecSurface], reader: SurfaceReader) -> dict[str, tuple[Task, ...]]:
    """Every checklist with its items numbered through; one without any is of no use."""
    checklists: dict[str, tuple[Task, ...]] = {}
    for spec in specs:
        for name, parts in spec.checklists.items():
            items = [(part, item) for part in parts for item in part.items]
            checklists[name] = tuple(
                Task(n, part.stage.text, text_of(part.title) or part.stage.text, item.text, item.span, part.span)
                for n, (part, item) in enumerate(items, 1)
            )
            if not items:
                reader.report(diagnose.empty_checklist(parts[0].span if parts else spec.span, name=name))
    return checklists
