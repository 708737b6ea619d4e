"""A procedure made out of another one: what it extends is taken over, changed sentence by sentence, and added to.

All of it happens on the nodes of the files, before any name is resolved: what is found wrong later is told where
somebody wrote it. Only the visibility matrices stay apart, for `visibility` to lay one over the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Final

from ...model import ast
from ...model.decision_parts import PARTS
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from .. import diagnose
from ..schema import SpecSurface
from ..sentences.keywords import THINGS
from ..sentences.parser import Parser
from ..surface_reader import SurfaceReader
from ..surfaces import canonical, load
from ..yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from .changes import Changes
from .declarations import declare
from .files import Generation
from .places import declared, items, said, texts_of

_OWN: Final = frozenset({"lw", "procedure", "title", "source", "locale", "example"})  # said by the main file alone
_LAST: Final = frozenset({"model", "tool_calls"})  # said by the last file that says it
_REPLACED: Final = frozenset({"law_at", "target", "tool_calls"})  # by who extends
_ONCE: Final = frozenset({"case", "documents", "options", "roles", "parts", "lists"})
_UNNAMED: Final = frozenset({"law", "skills", "model", "wording"})  # what is in there again is nothing new
_APART: Final = frozenset({"include", "extends", "changes", "visibility", "tests"})


@immutable
class Matrices:
    """The visibility matrices of one generation. `removed`: rows of those before it, in the procedure `parent`, that it
    takes away; `known`: what they can name."""

    tables: tuple[Scalar, ...]
    parent: str = ""
    removed: tuple[ast.Change, ...] = ()
    known: frozenset[str] = frozenset()


@immutable
class Heritage:
    """One procedure out of all its files. `removed`: names that were taken away, and by which change."""

    root: MapNode
    matrices: tuple[Matrices, ...]
    removed: Mapping[str, Span] = field(default_factory=dict)


def inherit(generations: list[Generation], reader: SurfaceReader, partial: bool = False) -> Heritage:
    """What the files of all generations say together; `partial`: what is extended counts as far as it can be read."""
    heritage = Heritage(_together(generations[0], reader), (Matrices(_tables(generations[0])),))
    for generation in generations[1:]:
        heritage = _extended(heritage, generation, reader, partial)
    return heritage


def alone(generation: Generation) -> Heritage:
    """A procedure that extends no other; its files are linked as they are."""
    return Heritage(generation[-1].node, (Matrices(_tables(generation)),))


def explained(
    problems: list[Diagnostic], removed: Mapping[str, Span], unread: Mapping[str, Span]
) -> tuple[Diagnostic, ...]:
    """Each problem once; those with names that a change has taken away say which change it was.

    A name that an unread line declares is unknown to all who use it: that follows, and is not told beside the line.
    """
    told: list[Diagnostic] = []
    lines = {(one.span.file, one.span.line) for one in problems if one.code not in _OF_ANSWERS}  # told there
    lost = [line for line, span in unread.items() if (span.file, span.line) in lines]
    for problem in problems:
        name = problem.values.get("name")
        if problem.code in _OF_ANSWERS and isinstance(name, str) and any(_begins(line, name) for line in lost):
            continue
        span = removed.get(name) if isinstance(name, str) and problem.code in _UNKNOWN else None
        if span is not None:
            problem = diagnose.removed_name_used(problem.span, name=str(name), line=span.line, also=(span,))
        told.append(problem)
    return tuple(dict.fromkeys(told))


def _begins(line: str, name: str) -> bool:
    """Whether a line begins with a name, quoted or not."""
    return re.match(rf'["“]?{re.escape(name)}(?:\W|(?<=[^\x00-\x7f])|$)', line.strip()) is not None


_OF_ANSWERS: Final = diagnose.codes_of(diagnose.unknown_field, diagnose.unknown_matrix_row, diagnose.title_of_no_answer)
_UNKNOWN: Final = diagnose.codes_of(
    *(diagnose.unknown_role, diagnose.unknown_kind, diagnose.unknown_field, diagnose.unknown_document),
    *(diagnose.unknown_part, diagnose.unknown_persona, diagnose.unknown_stage, diagnose.unknown_choice),
    *(diagnose.unknown_checklist, diagnose.unknown_earlier_phase, diagnose.unknown_matrix_stage),
    *(diagnose.unknown_matrix_row, diagnose.unknown_matrix_phase, diagnose.unknown_matrix_letter),
    *(diagnose.unknown_role_or_kind, diagnose.undeclared_tool),
)


# ---- one generation --------------------------------------------------------------------------------------------------
def _tables(generation: Generation) -> tuple[Scalar, ...]:
    return tuple(file.surface.visibility for file in generation if file.surface.visibility is not None)


def _together(generation: Generation, reader: SurfaceReader) -> MapNode:
    """The sections of a spec and of what it includes, as one file."""
    main, sections = generation[-1], dict[str, MapEntry]()
    for file in generation:
        for entry in file.node.entries:
            key = canonical(entry.key.text)
            if key in _APART or (key in _OWN and file is not main):
                continue
            before = sections.get(key)
            sections[key] = entry if before is None or key in _LAST else _joined(before, entry)
            for name, first in _twice(before, entry) if before is not None and key in _ONCE else ():
                reader.report(diagnose.duplicate_name(name.span, name=name.text, also=(first.span,)))
    return MapNode(tuple(sections.values()), main.node.span)


def _joined(before: MapEntry, after: MapEntry) -> MapEntry:
    """Two sections of one key as one: of a name the later entry, of a text the first."""
    if isinstance(before.value, MapNode) and isinstance(after.value, MapNode):
        named = canonical if canonical(before.key.text) == "model" else str  # all other names are the author's
        entries = {named(each.key.text): each for each in (*before.value.entries, *after.value.entries)}
        return MapEntry(before.key, MapNode(tuple(entries.values()), before.value.span))
    kept: dict[object, Node] = {}
    for number, each in enumerate((*items(before.value), *items(after.value))):
        kept.setdefault(each.text if isinstance(each, Scalar) else number, each)
    return MapEntry(before.key, ListNode(tuple(kept.values()), replace(before.value.span, length=1)))


def _twice(before: MapEntry, after: MapEntry) -> Iterator[tuple[Scalar, Scalar]]:
    """Names that stand in both sections, each with where it stood first."""
    section = canonical(before.key.text)
    first = {name.text: name for name, _ in declared(MapNode((before,), before.key.span), section)}
    for name, _ in declared(MapNode((after,), after.key.span), section):
        if name.text in first:
            yield name, first[name.text]


# ---- the next generation ---------------------------------------------------------------------------------------------
def _extended(parent: Heritage, generation: Generation, reader: SurfaceReader, partial: bool) -> Heritage:
    """What is extended, changed as its child says, with what the child declares itself."""
    surface = reader.kept(load(SpecSurface, parent.root, partial))
    names = declare([surface], SurfaceReader()).words() if surface is not None else frozenset[str]()
    main, procedure = generation[-1], said(parent.root, "procedure")
    changes = Changes(parent.root, main.node, procedure, names, reader, dict(parent.removed))
    known = frozenset(_nameable(parent.root, changes.parser))
    changes.apply(main.surface.changes)
    root = _added(changes.root, _together(generation, reader), reader)
    matrices = Matrices(_tables(generation), procedure, tuple(changes.rows), known)
    return Heritage(root, (*parent.matrices, matrices), changes.removed)


def _nameable(root: MapNode, parser: Parser) -> Iterator[str]:
    """What a row of the matrix may name: fields, documents, answers, stages for their minutes."""
    for section in ("case", "documents", "stages"):
        yield from (key.text for key, _ in declared(root, section))
    for word in texts_of(root, "answer"):
        form, _ = parser.answer(word.text, word.span)
        yield form.name.text if form is not None else word.text
    yield from (word.text for word in texts_of(root, "as"))
    for decisions in (entry.value for entry in root.entries if canonical(entry.key.text) == "decisions"):
        for word in _parts(decisions):
            form, _ = parser.answer(word.text, word.span)
            yield form.name.text if form is not None else word.text


def _parts(decisions: Node) -> Iterator[Scalar]:
    """The parts of decisions, and where votes stand."""
    for key in (*PARTS, "ballots", "also"):
        yield from texts_of(decisions, key)
    for decision in (entry.value for entry in decisions.entries) if isinstance(decisions, MapNode) else ():
        for entry in decision.entries if isinstance(decision, MapNode) else ():
            if canonical(entry.key.text) == "also" and isinstance(entry.value, ListNode):
                yield from (item for item in entry.value.items if isinstance(item, Scalar))


def _added(root: MapNode, own: MapNode, reader: SurfaceReader) -> MapNode:
    """What is inherited, and beside it what the child declares."""
    procedure = said(root, "procedure")
    sections = {canonical(entry.key.text): entry for entry in root.entries}
    for entry in own.entries:
        key = canonical(entry.key.text)
        before = sections.get(key)
        if before is None or key in _OWN | _REPLACED:
            sections[key] = entry
            continue
        sections[key] = _joined(before, entry)
        for name, first in _twice(before, entry) if key not in _UNNAMED else ():
            en, zh = (f"{words[0]} {name.text}" for words in THINGS[key]) if key in THINGS else (name.text, name.text)
            reader.report(
                diagnose.inherited_name(
                    name.span, name=name.text, procedure=procedure, target_en=en, target_zh=zh, also=(first.span,)
                )
            )
    return MapNode(tuple(sections.values()), own.span)
