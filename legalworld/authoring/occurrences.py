"""Where the names of a procedure stand: each word of its sentences and each value that must be a declared name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from ..language.link.linker import Linked
from ..language.surface_reader import read_node
from ..language.surfaces import canonical
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Sources, Span
from .edits import Cursor
from .names_reader import NamesReader
from .picture import Picture

_YAML, _LAST, _IN = (".yaml", ".yml"), 1 << 30, "@"


@immutable
class Occurrence:
    """A name where it stands. `name`: as it is declared, where a title is written for it; `kind`: it declares a kind of
    roles."""

    name: str
    span: Span
    declares: bool = False
    kind: bool = False


@immutable
class NameTable:
    """All names of a procedure where they stand."""

    occurrences: tuple[Occurrence, ...] = ()

    def at(self, cursor: Cursor) -> Occurrence | None:
        """The name that a cursor stands in or behind."""
        return next((one for one in self.occurrences if cursor.within(one.span)), None)

    def of(self, name: str) -> tuple[Occurrence, ...]:
        return tuple(one for one in self.occurrences if one.name == name)


def names_of(picture: Picture, main: str) -> NameTable:
    """The names of a procedure, as far as its files can be read."""
    linked, reader = picture.read_names(main)
    return picture.once("names", main, lambda _: _names(picture, linked, reader), like=("link", main))


def _names(sources: Sources, linked: Linked, reader: NamesReader) -> NameTable:
    procedure = linked.procedure
    if procedure is None:
        return NameTable()
    scopes = tuple(scope for path in procedure.files for scope in _scopes(sources, path))
    kinds = tuple(_kinds(sources, procedure))
    declared = [*reader.declared.items(), *((word.text, word.span) for word in kinds)]
    declared += [(_scoped(word.text, word.span, scopes), word.span) for scope in scopes for word in scope.parameters]
    titles = {role.title: name for name, role in procedure.roles.items() if role.title}
    names = {name for name, _ in declared}
    found: dict[Span, Occurrence] = {}
    for name, span in declared:
        length = len(name.partition(_IN)[0])
        place = Span(span.file, span.line, span.column, length)
        found[span] = Occurrence(name, place, declares=True, kind=any(word.span == span for word in kinds))
    answers = {sentence.span for sentence in reader.sentences if sentence.start == "answer"}
    for sentence, parser in reader.sentences.items():
        answer = sentence.start == "answer"
        if sentence.span in answers and not answer:
            continue  # it was tried as a path first
        for word in parser.words(sentence):
            text = str(word)
            if word.type == "NAME" and word.span.length == len(text):
                name = _scoped(text if text in names else titles.get(text, text), word.span, scopes)
                found.setdefault(word.span, Occurrence(name, word.span, declares=answer))
                answer = False
    for value, _ in reader.values.values():
        if value.text and value.span.length == len(value.text):
            found.setdefault(value.span, Occurrence(_scoped(value.text, value.span, scopes), value.span))
    return NameTable(tuple(found.values()))


@immutable
class PartScope:
    """The lines of a part, in which its parameters are names of their own."""

    part: Scalar
    last: int
    parameters: tuple[Scalar, ...]


def _scoped(name: str, span: Span, scopes: tuple[PartScope, ...]) -> str:
    """A name; that of a parameter with the part in which it means something."""
    for scope in scopes:
        inside = scope.part.span.file == span.file and scope.part.span.line <= span.line <= scope.last
        if inside and any(word.text == name for word in scope.parameters):
            return f"{name}{_IN}{scope.part.text}"
    return name


def _scopes(sources: Sources, path: str) -> Iterator[PartScope]:
    """The parts of a file: a part goes on to the next one, or to the next section."""
    node = read_node(sources, path)[0] if path.endswith(_YAML) else None
    sections = node.entries if isinstance(node, MapNode) else ()
    for entry, after in zip_longest(sections, sections[1:]):
        if canonical(entry.key.text) != "parts" or not isinstance(entry.value, MapNode):
            continue
        end = after.key.span.line - 1 if after is not None else _LAST
        parts = entry.value.entries
        for part, following in zip_longest(parts, parts[1:]):
            last = following.key.span.line - 1 if following is not None else end
            yield PartScope(part.key, last, tuple(_parameters(part.value)))


def _parameters(part: Node) -> Iterator[Scalar]:
    for entry in part.entries if isinstance(part, MapNode) else ():
        match canonical(entry.key.text), entry.value:
            case "needs", ListNode(items):
                yield from (item for item in items if isinstance(item, Scalar))
            case "needs", Scalar() as word:
                yield word
            case "defaults", MapNode(entries):
                yield from (each.key for each in entries)


def _kinds(sources: Sources, procedure: Procedure) -> Iterator[Scalar]:
    """Where kinds of roles are declared: they stand behind their letters."""
    for path in procedure.files:
        node = read_node(sources, path)[0] if path.endswith(_YAML) else None
        for entry in node.entries if isinstance(node, MapNode) else ():
            if canonical(entry.key.text) == "kinds" and isinstance(entry.value, MapNode):
                yield from (each.value for each in entry.value.entries if isinstance(each.value, Scalar))
