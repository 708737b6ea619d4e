"""A binding file, read and checked against a procedure: for each field, the rule that finds its value in a source.

A rule is a path, a table of operators, or a table of keys with a rule each. The operators, in the order they act:

    path, first of      where the value stands; the first place that has one
    numbered: 1-11      `path` with each number in place of `{n}`
    split               a text cut at separators
    match               what stands in a text at the `{holes}` of a pattern; no regular expression
    map                 a text replaced by another, or by what is found at the place given for it
    each                the rules for the keys of one record, `$` being the item; `{n}` in a text is its number
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import WithJsonSchema

from . import paths
from .diagnostics import nearest
from .paths import Items, Names, Path, Segment, Unreadable
from .procedure import Field, Procedure
from .reader import Entry, ListNode, MapNode, Node, Scalar, read
from .schema import Surface, Text, Texts, canonical, load
from .source import Problem, Sources, Span

VERSION: Final = "1"
MOST_NUMBERS: Final = 1000

_OPERATORS: Final = ("path", "first_of", "numbered", "split", "match", "map", "each")
_RANGE = re.compile(r"(\d{1,6})\s*[-\u2013\u2014~\u81f3\u5230]\s*(\d{1,6})")
_HOLE = re.compile(r"\{(\w*)\}")
_NUMBER_HOLE: Final = "{n}"
_SIDE_HOLE: Final = "{side}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """`literals[0] {holes[0]} literals[1] ...`; "" and "_" name holes that are not kept."""

    literals: tuple[str, ...]
    holes: tuple[str, ...]

    def read(self, text: str) -> dict[str, str] | None:
        """What stands in the holes of the first place that fits, each up to the nearest next literal; None for none."""
        at = text.find(self.literals[0])
        if at < 0:
            return None
        at += len(self.literals[0])
        found = {}
        for hole, literal in zip(self.holes, self.literals[1:], strict=True):
            end = text.find(literal, at) if literal else len(text)
            if end < 0:
                return None
            found[hole] = text[at:end].strip()
            at = end + len(literal)
        return found

    @property
    def kept(self) -> tuple[str, ...]:
        """The holes whose text is taken: the named ones, or the only one there is."""
        named = tuple(hole for hole in self.holes if hole not in ("", "_"))
        return named or self.holes[:1]


@dataclass(frozen=True, slots=True)
class Form:
    """A record of keys, each with its rule."""

    keys: Mapping[str, Rule]
    span: Span


@dataclass(frozen=True, slots=True)
class Count:
    """A text in which `{n}` is the number of the item."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Taken:
    """A value that is looked for. `places`: number (0: none) and path; or `first_of`: rules that are tried in order."""

    places: tuple[tuple[int, Path], ...]
    first_of: tuple[Rule, ...]
    split: tuple[str, ...]
    match: tuple[Pattern, ...]
    table: Mapping[str, tuple[str, ...] | Rule]
    each: Form | None
    span: Span


Rule = Taken | Form | Count
Rules = Mapping[str, Mapping[str, Rule | None]]
"""Field -> side ("" for an unsided one) -> rule, None for a value that is not taken from anywhere."""


@dataclass(frozen=True, slots=True)
class Binding:
    """`records` leads to the records of a file, every other path starts at one record."""

    name: str
    title: str
    file: str
    records: Path
    id: Path | None
    called: Path | None
    detect: tuple[Path, ...]
    missing: frozenset[str]
    fields: Rules
    span: Span


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
    fields: Annotated[Any, WithJsonSchema({"type": "object"})]


def load_binding(sources: Sources, path: str, procedure: Procedure) -> tuple[Binding | None, tuple[Problem, ...]]:
    """The binding in a file, for this procedure; with any error there is none."""
    text = sources.read(path)
    if text is None:
        return None, (Problem("LW045", Span(path, 1, 1), {"path": path}),)
    node, problems = read(path, text)
    if node is None or any(problem.severity == "error" for problem in problems):
        return None, problems
    fields = node.get("fields") if isinstance(node, MapNode) else None
    surface, more = load(BindingSurface, _without_fields(node))
    problems = (*problems, *more)
    if surface is None or fields is None:
        return None, problems
    binding, more = _bound(surface, fields, procedure)
    return binding, (*problems, *more)


def declared(field: Field, side: str) -> Taken | None:
    """The rule of a native case: the field's own path. None where that is no path."""
    path = paths.read(field.path.replace(_SIDE_HOLE, side) if side else field.path)
    return None if isinstance(path, Unreadable) else taken(path, field.span)


def taken(path: Path, span: Span) -> Taken:
    return Taken(((0, path),), (), (), (), {}, None, span)


def _without_fields(node: Node) -> Node:
    """The head of a binding alone: what stands below `fields` is no model, its keys are the author's."""
    if not isinstance(node, MapNode):
        return node
    entries = tuple(
        Entry(entry.key, Scalar("", entry.key.span)) if entry.key.text == "fields" else entry for entry in node.entries
    )
    return MapNode(entries, node.span)


def _bound(surface: BindingSurface, fields: Node, procedure: Procedure) -> tuple[Binding | None, tuple[Problem, ...]]:
    problems: list[Problem] = []
    if surface.lw.text != VERSION:
        values = {"found": surface.lw.text, "known": VERSION}
        problems.append(Problem("LW078", surface.lw.span, values))
    meant = [scalar.text for scalar in surface.procedure]
    if procedure.name not in meant:
        values = {"binding": surface.binding.text, "procedure": procedure.name, "meant": tuple(meant)}
        return None, (*problems, Problem("LW132", surface.procedure[0].span if meant else surface.span, values))
    reader = _Reader(procedure, problems)
    binding = Binding(
        surface.binding.text,
        surface.title.text if surface.title is not None else surface.binding.text,
        surface.span.file,
        (reader.path(surface.records) if surface.records is not None else None) or Path("$[*]", (Items(),)),
        reader.path(surface.id) if surface.id is not None else None,
        reader.path(surface.called) if surface.called is not None else None,
        tuple(path for scalar in surface.detect if (path := reader.path(scalar)) is not None),
        frozenset(scalar.text.strip() for scalar in surface.missing),
        reader.fields(fields),
        surface.binding.span,
    )
    if not problems:
        problems += _exposed(procedure, binding.fields)
    return (None if problems else binding), tuple(problems)


# ---- rules -----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the rules of all fields. `side` replaces `{side}` while the rules of that side are read."""

    def __init__(self, procedure: Procedure, problems: list[Problem]) -> None:
        self.procedure = procedure
        self.problems = problems
        self.side = ""

    def fields(self, node: Node) -> Rules:
        rules: dict[str, Mapping[str, Rule | None]] = {}
        if not isinstance(node, MapNode):
            self._report("LW137", node.span, word="fields")
            return rules
        for entry in node.entries:
            name = entry.key.text
            field = self.procedure.fields.get(name)
            if field is None:
                known = nearest(name, self.procedure.fields)
                self._report("LW133", entry.key.span, known, name=name, procedure=self.procedure.name)
            elif field.sided:
                rules[name] = self._sides(field, entry)
            else:
                self.side = ""
                rules[name] = {"": self._rule(entry.value, field.keys)}
        return rules

    def _sides(self, field: Field, entry: Entry) -> Mapping[str, Rule | None]:
        """The rule of each side: one written for it, or one with a `{side}` hole."""
        sides = self.procedure.sides
        node = entry.value
        if isinstance(node, MapNode) and not _is_operators(node):
            rules: dict[str, Rule | None] = {}
            for one in node.entries:
                self.side = one.key.text
                if self.side in sides:
                    rules[self.side] = self._rule(one.value, field.keys)
                else:
                    near = nearest(self.side, sides)
                    self._report("LW134", one.key.span, near, name=self.side, field=field.name, known=sides)
            return rules
        if not any(_SIDE_HOLE in scalar.text for scalar in _scalars(node)) and not _is_nothing(node):
            self._report("LW134", entry.key.span, None, name=field.name, field=field.name, known=sides)
            return {}
        for_all: dict[str, Rule | None] = {}
        for number, side in enumerate(sides):
            before = len(self.problems)
            self.side = side
            for_all[side] = self._rule(node, field.keys)
            if number:
                del self.problems[before:]  # the same again
        return for_all

    def path(self, scalar: Scalar, number: int | None = None) -> Path | None:
        """The path in a scalar; `number` stands for `{n}`."""
        text = scalar.text.strip()
        filled = text.replace(_SIDE_HOLE, self.side) if self.side else text
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
        self._report("LW136", _inside(scalar, at, length), None, path=text)
        return None

    def _rule(self, node: Node, keys: tuple[str, ...], in_each: bool = False) -> Rule | None:
        """A rule. `keys`: what a record at this place may hold (none: anything); `in_each`: `{n}` has a meaning."""
        match node:
            case Scalar() if node.empty:
                return None
            case Scalar() if in_each and _NUMBER_HOLE in node.text and not node.text.strip().startswith("$"):
                return Count(node.text.strip(), node.span)
            case Scalar():
                path = self.path(node)
                return None if path is None else taken(path, node.span)
            case ListNode():
                self._report("LW137", node.span, word="[]")
                return None
            case MapNode() if _is_operators(node):
                return self._taken(node, keys, in_each)
            case MapNode():
                return self._form(node, keys, in_each)

    def _form(self, node: MapNode, keys: tuple[str, ...], in_each: bool) -> Form:
        rules: dict[str, Rule] = {}
        for entry in node.entries:
            key = entry.key.text
            if keys and key not in keys:
                self._report("LW135", entry.key.span, nearest(key, (*keys, *_words())), name=key, known=keys)
                continue
            rule = self._rule(entry.value, (), in_each)
            if rule is not None:
                rules[key] = rule
        return Form(rules, node.span)

    def _taken(self, node: MapNode, keys: tuple[str, ...], in_each: bool) -> Taken | None:
        parts = {canonical(entry.key.text): entry for entry in node.entries}
        for word, entry in parts.items():
            if word not in _OPERATORS:
                self._report("LW137", entry.key.span, nearest(word.replace("_", " "), _words()), word=entry.key.text)
        if ("path" in parts) == ("first_of" in parts):
            self._report("LW137", node.span, None, word="path, first of")
            return None
        return Taken(
            self._places(parts.get("path"), parts.get("numbered")),
            self._alternatives(parts.get("first_of"), keys, in_each),
            self._separators(parts.get("split")),
            self._patterns(parts.get("match"), () if "each" in parts else keys),
            self._table(parts.get("map"), keys, in_each),
            self._each(parts.get("each"), keys),
            node.span,
        )

    # ---- operators ---------------------------------------------------------------------------------------------------

    def _places(self, entry: Entry | None, numbered: Entry | None) -> tuple[tuple[int, Path], ...]:
        if entry is None or not isinstance(entry.value, Scalar):
            if entry is not None:
                self._report("LW137", entry.value.span, word=entry.key.text)
            elif numbered is not None:
                self._report("LW137", numbered.key.span, word=numbered.key.text)
            return ()
        if numbered is None:
            path = self.path(entry.value)
            return () if path is None else ((0, path),)
        numbers = _numbers(numbered.value)
        if not numbers or _NUMBER_HOLE not in entry.value.text:
            self._report("LW137", numbered.value.span, word=numbered.key.text)
            return ()
        places = []
        for number in numbers:
            path = self.path(entry.value, number)
            if path is None:
                break
            places.append((number, path))
        return tuple(places)

    def _alternatives(self, entry: Entry | None, keys: tuple[str, ...], in_each: bool) -> tuple[Rule, ...]:
        if entry is None:
            return ()
        if not isinstance(entry.value, ListNode) or not entry.value.items:
            self._report("LW137", entry.value.span, word=entry.key.text)
            return ()
        rules = [self._rule(item, keys, in_each) for item in entry.value.items]
        return tuple(rule for rule in rules if rule is not None)

    def _texts(self, entry: Entry | None) -> tuple[Scalar, ...]:
        """One text or a list of texts, none of them empty."""
        if entry is None:
            return ()
        nodes = entry.value.items if isinstance(entry.value, ListNode) else (entry.value,)
        texts = tuple(node for node in nodes if isinstance(node, Scalar) and node.text)
        if len(texts) != len(nodes) or not nodes:
            self._report("LW137", entry.value.span, word=entry.key.text)
            return ()
        return texts

    def _separators(self, entry: Entry | None) -> tuple[str, ...]:
        return tuple(scalar.text for scalar in self._texts(entry))

    def _patterns(self, entry: Entry | None, keys: tuple[str, ...]) -> tuple[Pattern, ...]:
        patterns = []
        for scalar in self._texts(entry):
            pattern = Pattern(tuple(_HOLE.split(scalar.text)[::2]), tuple(_HOLE.findall(scalar.text)))
            if not pattern.holes or "" in pattern.literals[1:-1] or len(set(pattern.kept)) != len(pattern.kept):
                self._report("LW137", scalar.span, word=scalar.text)
                continue
            for hole in pattern.kept if keys and len(pattern.kept) > 1 else ():
                if hole not in keys:
                    place = _inside(scalar, scalar.text.find("{" + hole), len(hole) + 2)
                    self._report("LW135", place, nearest(hole, keys), name=hole, known=keys)
            patterns.append(pattern)
        return tuple(patterns)

    def _table(self, entry: Entry | None, keys: tuple[str, ...], in_each: bool) -> Mapping[str, tuple[str, ...] | Rule]:
        if entry is None:
            return {}
        if not isinstance(entry.value, MapNode) or not entry.value.entries:
            self._report("LW137", entry.value.span, word=entry.key.text)
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

    def _each(self, entry: Entry | None, keys: tuple[str, ...]) -> Form | None:
        if entry is None:
            return None
        if not isinstance(entry.value, MapNode) or not entry.value.entries:
            self._report("LW137", entry.value.span, word=entry.key.text)
            return None
        return self._form(entry.value, keys, True)

    def _report(self, code: str, span: Span, near: str | None = None, **values: object) -> None:
        self.problems.append(Problem(code, span, values, near))


def _words() -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in _OPERATORS)


def _is_operators(node: Node) -> bool:
    """Whether a table holds operators rather than keys or sides."""
    return isinstance(node, MapNode) and any(canonical(entry.key.text) in _OPERATORS for entry in node.entries)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and node.empty


def _scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case ListNode():
            for item in node.items:
                yield from _scalars(item)
        case MapNode():
            for entry in node.entries:
                yield from _scalars(entry.value)


def _numbers(node: Node) -> range:
    match = _RANGE.fullmatch(node.text.strip()) if isinstance(node, Scalar) else None
    numbers = range(int(match[1]), int(match[2]) + 1) if match else range(0)
    return numbers if len(numbers) <= MOST_NUMBERS else range(0)


def _inside(scalar: Scalar, at: int, length: int) -> Span:
    """A stretch of a one-line scalar, 0-based."""
    indent = len(scalar.text) - len(scalar.text.lstrip())
    end = max(scalar.span.length, 1)
    start = min(max(at, 0) + indent, end - 1)
    return scalar.span.shifted(start, max(min(length, end - start), 1))


# ---- what is only for evaluation -------------------------------------------------------------------------------------


def reach(rule: Rule, base: tuple[Segment, ...], keys: tuple[str, ...]) -> Iterator[tuple[Path, Span]]:
    """Every path whose value a rule may take, from the record's root. `keys`: all that is kept of a record."""
    match rule:
        case Count():
            return
        case Form():
            for inner in rule.keys.values():
                yield from reach(inner, base, ())
        case Taken():
            kept = (Names(keys),) if keys and not (rule.split or rule.match or rule.table) else ()
            for _, path in rule.places:
                whole = (*base, *path.segments)
                if rule.each is not None:
                    yield from reach(rule.each, (*whole, Items()), ())
                else:
                    yield Path(path.text, (*whole, *((Items(), *kept) if kept else ()))), rule.span
            for inner in rule.first_of:
                if rule.each is None:
                    yield from reach(inner, base, keys)
                else:
                    for path, _ in reach(inner, base, ()):
                        yield from reach(rule.each, (*path.segments, Items()), ())
            for value in rule.table.values():
                if not isinstance(value, tuple):
                    yield from reach(value, base, keys)


def _exposed(procedure: Procedure, rules: Rules) -> Iterator[Problem]:
    """A problem for each rule of a field that somebody may see which reaches into what is only for evaluation.

    Pairs that the binding leaves as the procedure declares them are the checker's.
    """
    sealed: list[tuple[Path, Span, bool]] = []
    granted: list[tuple[Field, Path, Span, bool]] = []
    for field in procedure.fields.values():
        for side in procedure.sides if field.sided else ("",):
            of_field = rules.get(field.name, {})
            rule = of_field[side] if side in of_field else declared(field, side)
            for path, span in reach(rule, (), field.keys) if rule is not None else ():
                if field.evaluation_only:
                    sealed.append((path, span, side in of_field))
                else:
                    granted.append((field, path, span, side in of_field))
    seen = set()
    for field, path, span, ours in granted:
        for hidden, place, theirs in sealed:
            if (ours or theirs) and paths.meet(path.segments, hidden.segments) and (span, place) not in seen:
                seen.add((span, place))
                values = {"field": field.name, "path": path.text, "sealed": hidden.text}
                first, second = (span, place) if ours else (place, span)
                yield Problem("LW138", first, values, also=(second,))
