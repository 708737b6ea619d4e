"""A binding file, read and checked against a procedure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..language import diagnose
from ..language.spelling import nearest
from ..language.surface_reader import SurfaceReader, read_surface
from ..language.surfaces import Surface, Text, Texts, canonical, spelt_twice
from ..language.yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.procedure import Field, Procedure
from ..model.source import Sources, Span
from . import paths
from .joins import read_joins
from .merges import Merge, read_merge
from .named import NameLabels
from .operators import OPERATORS, inside, is_nothing, is_operators, scalars_of, words
from .paths import Path, Unreadable
from .pieces import Pattern, Stretch, TextRule, numbers_in, wide
from .refusals import read_notes
from .rules import (
    EACH_RECORD,
    SIDE_HOLE,
    Binding,
    Numbered,
    RecordRule,
    Rule,
    Rules,
    ValueRule,
    exposed,
    taken,
)
from .shapes import TextShape, read_shape, read_shapes

_HOLE = re.compile(r"\{(\w*)\}")
_NUMBER_HOLE: Final = "{n}"
_CONSTANT: Final = "constant"
_CURRENCY = re.compile(r"[A-Z]{3}")
_PLAIN: Final = (
    "split",
    "common",
    "starts",
    "further",
    "only",
    "unless",
    "drop_sentence_with",
    "drop",
    "strip",
)  # given texts


class BindingSurface(Surface):
    """A binding file. `called`: where a case's title stands; `fields` are read by `_Reader`."""

    lw: Text
    binding: Text
    title: Text | None = None
    procedure: Texts
    records: Text | None = None
    id: Text | None = None
    called: Text | None = None
    detect: Texts = ()
    missing: Texts = ()
    may_lack: Texts = ()
    shapes: Node | None = None
    begun_at: Node | None = None
    join: Node | None = None
    refuse: Node | None = None
    tell: Node | None = None
    merge: Texts = ()
    fields: Node


def load_binding(sources: Sources, path: str, procedure: Procedure) -> tuple[Binding | None, tuple[Diagnostic, ...]]:
    """The binding in a file, for this procedure; with any error there is none."""
    surface, problems, _ = read_surface(BindingSurface, sources, path)
    if surface is None or any(problem.severity == "error" for problem in problems):
        return None, problems
    binding, more = _bound(surface, procedure)
    return binding, (*problems, *more)


def detection(sources: Sources, path: str) -> tuple[Path, tuple[Path, ...]] | None:
    """Where a binding's records are, and the paths by which it knows one, read without its procedure; None where it
    knows none, or cannot be read."""
    surface, _, _ = read_surface(BindingSurface, sources, path)
    if surface is None or not surface.detect:
        return None
    records = paths.read(surface.records.text.strip()) if surface.records is not None else EACH_RECORD
    known = [paths.read(scalar.text.strip()) for scalar in surface.detect]
    found = tuple(one for one in known if isinstance(one, Path))
    return (records, found) if isinstance(records, Path) and len(found) == len(known) else None


def procedures_of(sources: Sources, path: str) -> tuple[str, ...]:
    """The procedures that a binding says it is for; none where it cannot be read."""
    surface, _, _ = read_surface(BindingSurface, sources, path)
    return tuple(scalar.text.strip() for scalar in surface.procedure) if surface is not None else ()


def _bound(surface: BindingSurface, procedure: Procedure) -> tuple[Binding | None, tuple[Diagnostic, ...]]:
    reader = _BindingReader(procedure)
    problems = reader.problems
    reader.version(surface.lw)
    meant = [scalar.text for scalar in surface.procedure]
    if not set(procedure.names).intersection(meant):
        place, name = surface.procedure[0].span if meant else surface.span, surface.binding.text
        other = diagnose.binding_for_other_procedure(place, binding=name, procedure=procedure.name, meant=tuple(meant))
        return None, (*problems, other)
    shapes, misshapen = read_shapes(surface.shapes)
    joins, wrong = read_joins(surface.join)
    refusals, unread = read_notes(surface.refuse, words=True)
    notes, unsaid = read_notes(surface.tell, words=False)
    problems += (*misshapen, *wrong, *unread, *unsaid)
    binding = Binding(
        surface.binding.text,
        surface.title.text if surface.title is not None else surface.binding.text,
        surface.span.file,
        (reader.path(surface.records) if surface.records is not None else None) or EACH_RECORD,
        reader.path(surface.id) if surface.id is not None else None,
        reader.path(surface.called) if surface.called is not None else None,
        tuple(path for scalar in surface.detect if (path := reader.path(scalar)) is not None),
        frozenset(scalar.text.strip() for scalar in surface.missing),
        reader.fields(surface.fields),
        surface.binding.span,
        tuple(scalar.text.strip() for scalar in surface.may_lack),
        shapes,
        joins=joins,
        refusals=refusals,
        notes=notes,
        merges=reader.merges(surface.merge),
    )
    if surface.begun_at is not None:
        binding = replace(binding, begun_at=reader.begun_at(surface.begun_at, binding))
    if not problems:
        problems += (one for each in (binding, *binding.begun_at.values()) for one in exposed(procedure, each))
    return (None if problems else binding), tuple(problems)


# ---- rules -----------------------------------------------------------------------------------------------------------


class _BindingReader(SurfaceReader):
    """Reads the rules of all fields. `side` replaces `{side}` while the rules of that side are read."""

    def __init__(self, procedure: Procedure) -> None:
        super().__init__()
        self.procedure = procedure
        self.side = ""

    def fields(self, node: Node) -> Rules:
        rules: dict[str, Mapping[str, Rule | None]] = {}
        if not isinstance(node, MapNode):
            self._misused("fields", node.span, "each")
            return rules
        for entry in node.entries:
            name = entry.key.text
            field = self.procedure.case_fields.get(name)
            if field is None:
                known = nearest(name, self.procedure.case_fields)
                self.report(
                    diagnose.unknown_case_field(entry.key.span, name=name, procedure=self.procedure.name, nearest=known)
                )
            elif field.sided:
                rules[name] = self._sides(field, entry)
            else:
                self.side = ""
                rules[name] = {"": self._rule(entry.value, field.keys)}
        return rules

    def begun_at(self, node: Node, binding: Binding) -> Mapping[str, Binding]:
        """`begun at: {STAGE: {FIELD: RULE}}`: the binding with these rules in the place of its own."""
        stages = tuple(stage.id for stage in self.procedure.stages)
        found = {}
        for entry in node.entries if isinstance(node, MapNode) else ():
            name = entry.key.text
            if name not in stages:
                near = nearest(name, stages)
                self.report(diagnose.unknown_stage_or_phase(entry.key.span, name=name, known=stages, nearest=near))
            found[name] = replace(binding, fields={**binding.fields, **self.fields(entry.value)})
        if not found:
            self._misused("begun at", node.span, "each")
        return found

    def _sides(self, field: Field, entry: MapEntry) -> Mapping[str, Rule | None]:
        """The rule of each side: one written for it, or one with a `{side}` hole."""
        sides = self.procedure.sides
        node = entry.value
        if isinstance(node, MapNode) and not is_operators(node):
            rules: dict[str, Rule | None] = {}
            for one in node.entries:
                self.side = one.key.text
                if self.side in sides:
                    rules[self.side] = self._rule(one.value, field.keys)
                else:
                    near = nearest(self.side, sides)
                    self.report(
                        diagnose.unspecified_side(
                            one.key.span, name=self.side, field=field.name, known=sides, nearest=near
                        )
                    )
            return rules
        if not any(SIDE_HOLE in scalar.text for scalar in scalars_of(node)) and not is_nothing(node):
            self.report(
                diagnose.unspecified_side(entry.key.span, name=field.name, field=field.name, known=sides, nearest=None)
            )
            return {}
        for_all: dict[str, Rule | None] = {}
        for number, side in enumerate(sides):
            before = len(self.problems)
            self.side = side
            for_all[side] = self._rule(node, field.keys)
            if number:
                del self.problems[before:]  # the same again
        return for_all

    def merges(self, texts: Texts) -> tuple[Merge, ...]:
        """Read where tables are put together; a problem for a path that does not go down by names alone."""
        found = {scalar: read_merge(scalar.text) for scalar in texts}
        for scalar, one in found.items():
            if one is None:
                self.report(diagnose.invalid_path(inside(scalar, 0, len(scalar.text)), path=scalar.text))
        return tuple(one for one in found.values() if one is not None)

    def path(self, scalar: Scalar, number: int | None = None) -> Path | None:
        """The path in a scalar; `number` stands for `{n}`."""
        text = scalar.text.strip()
        filled = text.replace(SIDE_HOLE, self.side) if self.side else text
        if number is not None:
            filled = filled.replace(_NUMBER_HOLE, str(number))
        path = paths.read(filled)
        hole = _HOLE.search(filled)
        if isinstance(path, Path) and hole is None:
            return path
        if hole is not None:
            at, length = text.find(hole[0]), len(hole[0])
        else:
            at, length = (path.at if isinstance(path, Unreadable) and filled == text else 0), 1
        self.report(diagnose.invalid_path(inside(scalar, at, length), path=text))
        return None

    def _rule(self, node: Node, keys: tuple[str, ...], in_each: bool = False) -> Rule | None:
        """A rule. `keys`: what a record at this place may hold (none: anything); `in_each`: `{n}` has a meaning."""
        match node:
            case Scalar() if node.empty:
                return None
            case Scalar() if in_each and _NUMBER_HOLE in node.text and not node.text.strip().startswith("$"):
                return Numbered(node.text.strip(), node.span)
            case Scalar():
                path = self.path(node)
                return None if path is None else taken(path, node.span)
            case ListNode():
                self._misused("[]", node.span, "first_of")
                return None
            case MapNode() if node.keys() == (_CONSTANT,):
                said = node.entries[0].value
                if isinstance(said, Scalar):
                    return Numbered(said.text, node.span)
                self._misused(_CONSTANT, node.span, _CONSTANT)
                return None
            case MapNode() if is_operators(node, keys):
                return self._taken(node, keys, in_each)
            case MapNode():
                return self._form(node, keys, in_each)

    def _form(self, node: MapNode, keys: tuple[str, ...], in_each: bool) -> RecordRule:
        rules: dict[str, Rule] = {}
        for entry in node.entries:
            key = entry.key.text
            if keys and key not in keys:
                self.report(diagnose.unknown_record_key(entry.key.span, name=key, known=keys, among=(*keys, *words())))
                continue
            rule = self._rule(entry.value, (), in_each)
            if rule is not None:
                rules[key] = rule
        return RecordRule(rules, node.span)

    def _taken(self, node: MapNode, keys: tuple[str, ...], in_each: bool) -> ValueRule | None:
        parts: dict[str, MapEntry] = {}
        for entry in node.entries:
            first = parts.setdefault(canonical(entry.key.text), entry)
            if first is not entry:
                self.report(spelt_twice(first.key, entry.key))
        for word, entry in parts.items():
            if word not in OPERATORS:
                self._misused(entry.key.text, entry.key.span, "", nearest(word.replace("_", " "), words()))
        sources = [word for word in ("path", "first_of", "all_of") if word in parts]
        if len(sources) != 1:
            self._misused("path, first of, all of", node.span, sources[0] if sources else "first_of")
            return None
        return ValueRule(
            self._places(parts.get("path"), parts.get("numbered")),
            self._alternatives(parts.get("first_of") or parts.get("all_of"), keys, in_each),
            "all_of" in parts,
            self._words(parts, () if "each" in parts else keys),
            self._table(parts.get("map"), keys, in_each),
            self._each(parts.get("each"), keys),
            node.span,
            self._named(parts.get("named")),
        )

    # ---- operators ---------------------------------------------------------------------------------------------------

    def _places(self, entry: MapEntry | None, numbered: MapEntry | None) -> tuple[tuple[int, Path], ...]:
        if entry is None or not isinstance(entry.value, Scalar):
            if entry is not None:
                self._misused(entry.key.text, entry.value.span, "path")
            elif numbered is not None:
                self._misused(numbered.key.text, numbered.key.span, "numbered")
            return ()
        if numbered is None:
            path = self.path(entry.value)
            return () if path is None else ((0, path),)
        numbers = numbers_in(numbered.value.text) if isinstance(numbered.value, Scalar) else range(0)
        if not numbers or _NUMBER_HOLE not in entry.value.text:
            self._misused(numbered.key.text, numbered.value.span, "numbered")
            return ()
        places = []
        for number in numbers:
            path = self.path(entry.value, number)
            if path is None:
                break
            places.append((number, path))
        return tuple(places)

    def _alternatives(self, entry: MapEntry | None, keys: tuple[str, ...], in_each: bool) -> tuple[Rule, ...]:
        if entry is None:
            return ()
        if not isinstance(entry.value, ListNode) or not entry.value.items:
            self._misused(entry.key.text, entry.value.span, canonical(entry.key.text))
            return ()
        rules = [self._rule(item, keys, in_each) for item in entry.value.items]
        return tuple(rule for rule in rules if rule is not None)

    def _words(self, parts: Mapping[str, MapEntry], keys: tuple[str, ...]) -> TextRule:
        """The operators that work on words."""
        plain = {name: self._separators(parts.get(name)) for name in _PLAIN}
        between, match = self._stretch(parts.get("between")), self._patterns(parts.get("match"), keys)
        return TextRule(
            between, match=match, sum=self._currency(parts.get("sum")), shape=self._shape(parts.get("shape")), **plain
        )

    def _shape(self, entry: MapEntry | None) -> TextShape | None:
        shape = read_shape(entry.key.text, entry.value) if entry is not None else None
        if shape is None or isinstance(shape, TextShape):
            return shape
        self.report(shape)
        return None

    def _currency(self, entry: MapEntry | None) -> str:
        if entry is None:
            return ""
        if isinstance(entry.value, Scalar) and _CURRENCY.fullmatch(entry.value.text.strip()):
            return entry.value.text.strip()
        self._misused(entry.key.text, entry.value.span, "sum")
        return ""

    def _stretch(self, entry: MapEntry | None) -> Stretch | None:
        """`between: [STARTS, ENDS]`, each one text or several; without ends to the end, "" is the beginning."""
        if entry is None:
            return None
        bounds = entry.value.items if isinstance(entry.value, ListNode) else (entry.value,)
        if len(bounds) not in (1, 2):
            self._misused(entry.key.text, entry.value.span, "between")
            return None
        starts, *ends = (self._separators(replace(entry, value=bound), True) for bound in bounds)
        return Stretch(starts, ends[0] if ends else ()) if starts else None

    def _texts(self, entry: MapEntry | None, even_empty: bool = False) -> tuple[Scalar, ...]:
        """One text or a list of texts, none of them empty."""
        if entry is None:
            return ()
        nodes = entry.value.items if isinstance(entry.value, ListNode) else (entry.value,)
        texts = tuple(node for node in nodes if isinstance(node, Scalar) and (node.text or even_empty))
        if len(texts) != len(nodes) or not nodes:
            self._misused(entry.key.text, entry.value.span, canonical(entry.key.text))
            return ()
        return texts

    def _separators(self, entry: MapEntry | None, even_empty: bool = False) -> tuple[str, ...]:
        return tuple(scalar.text for scalar in self._texts(entry, even_empty))

    def _patterns(self, entry: MapEntry | None, keys: tuple[str, ...]) -> tuple[Pattern, ...]:
        patterns = []
        for scalar in self._texts(entry):
            pattern = Pattern(tuple(map(wide, _HOLE.split(scalar.text)[::2])), tuple(_HOLE.findall(scalar.text)))
            if not pattern.holes or "" in pattern.literals[1:-1] or len(set(pattern.kept)) != len(pattern.kept):
                self._misused(scalar.text, scalar.span, "match")
                continue
            for hole in pattern.kept if keys and len(pattern.kept) > 1 else ():
                if hole not in keys:
                    place = inside(scalar, scalar.text.find("{" + hole), len(hole) + 2)
                    self.report(diagnose.unknown_record_key(place, name=hole, known=keys))
            patterns.append(pattern)
        return tuple(patterns)

    def _table(
        self, entry: MapEntry | None, keys: tuple[str, ...], in_each: bool
    ) -> Mapping[str, tuple[str, ...] | Rule]:
        if entry is None:
            return {}
        if not isinstance(entry.value, MapNode) or not entry.value.entries:
            self._misused(entry.key.text, entry.value.span, "map")
            return {}
        table: dict[str, tuple[str, ...] | Rule] = {}
        for one in entry.value.entries:
            value = one.value
            if isinstance(value, MapNode) or (isinstance(value, Scalar) and value.text.strip().startswith("$")):
                rule = self._rule(value, keys, in_each)
                table[one.key.text] = rule if rule is not None else ()
            elif isinstance(value, Scalar):
                table[one.key.text] = (value.text,) if value.text else ()
            else:
                table[one.key.text] = tuple(scalar.text for scalar in self._texts(one)) if value.items else ()
        return table

    def _named(self, entry: MapEntry | None) -> NameLabels | None:
        """`named: {LABEL: [WORD, PATH]}`: what begins with `$` is a path."""
        if entry is None:
            return None
        if not isinstance(entry.value, MapNode) or not entry.value.entries:
            self._misused(entry.key.text, entry.value.span, "named")
            return None
        words: dict[str, tuple[str, ...]] = {}
        places: dict[str, tuple[Path, ...]] = {}
        for one in entry.value.entries:
            texts = self._texts(one)
            found = [self.path(text) for text in texts if text.text.startswith("$")]
            words[one.key.text] = tuple(text.text for text in texts if not text.text.startswith("$"))
            places[one.key.text] = tuple(path for path in found if path is not None)
        return NameLabels(words, places)

    def _each(self, entry: MapEntry | None, keys: tuple[str, ...]) -> RecordRule | None:
        if entry is None:
            return None
        if not isinstance(entry.value, MapNode) or not entry.value.entries:
            self._misused(entry.key.text, entry.value.span, "each")
            return None
        return self._form(entry.value, keys, True)

    def _misused(self, word: str, span: Span, operator: str, near: str | None = None) -> None:
        form = OPERATORS[operator] if operator in OPERATORS else "; ".join(OPERATORS.values())
        self.report(diagnose.invalid_binding_rule(span, word=word, form=form, known=words(), nearest=near))
