"""What a name is, where it is declared and used, and what a file holds."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.schema import SpecSurface
from ..language.surface_reader import read_node
from ..language.surfaces import canonical, written_keys
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from .edits import Cursor, Region
from .occurrences import names_of
from .picture import Picture

_DEEPEST = 8


@immutable
class Card:
    """What stands under a cursor. `kind`: the section that declares such names, "" where nobody declares it."""

    name: str
    kind: str
    title: str
    region: Region
    declared: tuple[Region, ...]


@immutable
class OutlineEntry:
    name: str
    span: Span
    children: tuple[OutlineEntry, ...] = ()


def hover(picture: Picture, cursor: Cursor) -> Card | None:
    """What the name under a cursor is, in the first procedure that knows it; None where no name stands there."""
    for main in picture.homes(cursor.path):
        found = names_of(picture, main).at(cursor)
        procedure = picture.linked(main).procedure
        if found is not None and procedure is not None:
            kind, title = described(procedure, found.name)
            return Card(found.name, kind, title, Region.of(found.span), definition(picture, cursor))
    return None


def definition(picture: Picture, cursor: Cursor) -> tuple[Region, ...]:
    """Where the name under a cursor is declared, in each procedure that is made of the file."""
    return _regions(picture, cursor, declared=True)


def references(picture: Picture, cursor: Cursor) -> tuple[Region, ...]:
    """Where the name under a cursor stands, its declaration included, in the order of files and lines."""
    return _regions(picture, cursor, declared=False)


def _regions(picture: Picture, cursor: Cursor, declared: bool) -> tuple[Region, ...]:
    spans: set[Span] = set()
    for main in picture.homes(cursor.path):
        names = names_of(picture, main)
        here = names.at(cursor)
        if here is not None:
            spans |= {one.span for one in names.of(here.name) if one.declares or not declared}
    return tuple(Region.of(span) for span in sorted(spans, key=lambda span: (span.file, span.line, span.column)))


def described(procedure: Procedure, name: str) -> tuple[str, str]:
    """The section that declares a name, and its title; empty texts where none does."""
    if name in procedure.roles:
        return "roles", procedure.roles[name].title
    if name in procedure.fields:
        return "case", procedure.fields[name].title
    if name in procedure.documents:
        return "documents", procedure.documents[name].title
    if name in procedure.options:
        return "options", procedure.options[name].title
    if name in procedure.answers:
        return "answers", name
    if name in procedure.kinds:
        return "kinds", name
    if name in procedure.dates:
        return "dates", procedure.dates[name].title
    if name in procedure.decisions:
        return "decisions", ""
    if name in procedure.checklists:
        return "checklists", ""
    for stage in procedure.stages:
        if stage.id == name:
            return "stages", stage.title
    phases = (phase for stage in procedure.stages for phase in stage.phases)
    phase = next((phase for phase in phases if phase.id == name), None)
    return ("phases", phase.title) if phase is not None else ("", "")


def key_at(picture: Picture, cursor: Cursor) -> Scalar | None:
    """The key of a spec file under a cursor; None where none stands there."""
    if not cursor.path.startswith("specs/") or not cursor.path.endswith((".yaml", ".yml")):
        return None
    node = read_node(picture, cursor.path)[0]
    keys = written_keys(SpecSurface, node) if node is not None else ()
    return next((key.key for key in keys if cursor.within(key.key.span)), None)


# ---- the outline of a file -------------------------------------------------------------------------------------------


def outline(picture: Picture, path: str) -> tuple[OutlineEntry, ...]:
    """What a file holds: its sections, what they declare, stages with their phases and steps; none of what is no
    YAML."""
    if picture.read(path) is None or not path.endswith((".yaml", ".yml")):
        return ()
    node = read_node(picture, path)[0]
    return tuple(_entries(node, 0)) if node is not None else ()


def _entries(node: Node, depth: int) -> Iterator[OutlineEntry]:
    if depth > _DEEPEST:
        return
    for entry in node.entries if isinstance(node, MapNode) else ():
        nested = not isinstance(entry.value, Scalar) and canonical(entry.key.text) not in ("basis", "keys", "types")
        yield OutlineEntry(entry.key.text, entry.key.span, tuple(_entries(entry.value, depth + 1)) if nested else ())
    for item in node.items if isinstance(node, ListNode) else ():
        if isinstance(item, MapNode) and item.entries:
            first = item.entries[0]
            said = first.value.text if isinstance(first.value, Scalar) else ""
            name = said if canonical(first.key.text) in ("stage", "phase", "rule") and said else first.key.text
            lists = [entry for entry in item.entries if isinstance(entry.value, ListNode)]
            below = tuple(one for entry in lists for one in _entries(entry.value, depth + 1))
            yield OutlineEntry(name, first.key.span, below)
