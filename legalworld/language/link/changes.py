"""What the sentences under `changes` do to the procedure that is extended: on its nodes, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...model import ast
from ...model.immutable import immutable
from ...model.source import Span
from .. import diagnose
from ..schema import StepSurface
from ..sentences.keywords import THINGS
from ..sentences.parser import Parser, parser_of
from ..spelling import nearest
from ..surface_reader import SurfaceReader
from ..surfaces import attribute, canonical
from ..yaml.characters import too_much
from ..yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from ..yaml_keys import in_the_language_of
from .places import (
    Path,
    Places,
    Spot,
    declared,
    exchanged,
    headed,
    inner,
    items,
    position,
    renamed,
    said,
    sentences,
    spliced,
    texts_of,
    value,
)

MOST_CHANGES: Final = 500

_ENDS: Final = frozenset({"remove", "replace"})
_LISTS: Final = frozenset({"conduct", "skills"})
# Sections of which each thing may be for certain stages, documents, or places (STAGE, STAGE/PHASE) only.
_HOLDING: Final = {"stages": ("conduct", "tools", "memory"), "documents": ("conduct",), "during": ("events",)}


@immutable
class _Done:
    """What was done to a place or a name, and to which keys of it."""

    change: ast.Change
    keys: frozenset[str] = frozenset()


@dataclass(slots=True)
class Changes:
    """A spec under change. `root`: what has become of it; `child`: the file whose changes they are; `procedure`: that
    of the spec. `removed`: names that were taken away, by which change; `rows` of the matrix that were."""

    root: MapNode
    child: MapNode
    procedure: str
    names: frozenset[str]
    reader: SurfaceReader
    removed: dict[str, Span] = field(default_factory=dict)
    rows: list[ast.Change] = field(default_factory=list)
    _done: dict[str, _Done] = field(default_factory=dict)
    _gone: dict[str, ast.Change] = field(default_factory=dict)
    _numbers: dict[Span, str] | None = None
    _parser: Parser | None = None
    _found: Places | None = None

    def apply(self, node: Node | None) -> None:
        """Make all changes; what holds for one stage alone after what holds for all who perform a part."""
        changes = list(self._read(node))
        places = self._places()
        self._numbers = places.numbers
        performed = {each.part for each in places.performs}
        late = [bool(spot and spot.performed) for spot in (places.spots.get(each.what.text) for each, _ in changes)]
        for turn in (False, True):
            for (change, content), later in zip(changes, late, strict=True):
                if later is turn:
                    self._make(change, content)
        self._drop_unperformed(performed)

    @property
    def parser(self) -> Parser:
        """Of the names there are by now."""
        if self._parser is None:
            self._parser = parser_of(frozenset(self.names))
        return self._parser

    def _places(self) -> Places:
        """Those there are by now."""
        if self._found is None or self._found.root is not self.root or self._found.parser is not self.parser:
            self._found = Places(self.root, self.parser, self._numbers)
        return self._found

    # ---- reading -----------------------------------------------------------------------------------------------------
    def _read(self, node: Node | None) -> Iterator[tuple[ast.Change, Node | None]]:
        """Each change with what stands below it."""
        if node is not None and not isinstance(node, ListNode):
            self.reader.report(diagnose.wrong_value_shape(node.span, key="changes"))
            return
        written = items(node)
        if len(written) > MOST_CHANGES:
            self.reader.report(too_much(written[MOST_CHANGES].span))
        parser = self.parser
        for each in written[:MOST_CHANGES]:
            match each:
                case Scalar():
                    word, content = each, None
                case MapNode(entries=(entry,)):
                    word, content = entry.key, entry.value
                case MapNode(entries=(_, second, *_)):
                    self.reader.report(diagnose.misplaced_change_content(second.key.span, key=second.key.text))
                    continue
                case _:
                    self.reader.report(diagnose.wrong_value_shape(each.span, key="changes"))
                    continue
            change = self.reader.kept(parser.change(word.text, word.span))
            if change is not None and self._fits(change, content):
                yield change, content

    def _fits(self, change: ast.Change, content: Node | None) -> bool:
        """Whether what stands below a sentence is what it needs."""
        empty = content is None or (isinstance(content, Scalar) and content.empty)
        keyed = change.action != "change" or isinstance(content, MapNode)
        if empty is (change.action == "remove") and keyed:
            return True
        self.reader.report(diagnose.mismatched_change_content(change.span))
        return False

    # ---- one change --------------------------------------------------------------------------------------------------
    def _make(self, change: ast.Change, content: Node | None) -> None:
        if change.section == "visibility":
            self.rows.append(change)
        elif change.section:
            self._change_declaration(change, content)
        elif not self._hindered(change, content):
            places = self._places()
            spot = self._spot(change, places)
            if spot is not None:
                self._change_place(change, content, spot)
                after = self._places().spots.keys()
                lost = dict.fromkeys((place for place in places.spots if place not in after), change)
                self._gone |= lost if change.action in _ENDS else {}

    def _hindered(self, change: ast.Change, content: Node | None) -> bool:
        """Whether another change fights with this one, which is then reported; else this one is noted."""
        name, ends = f"{change.section} {change.what.text}", change.action in _ENDS
        keys = frozenset(map(canonical, content.keys())) if isinstance(content, MapNode) and not ends else frozenset()
        earlier = self._gone.get(change.what.text) if not change.section else None
        for other, done in self._done.items():
            if other == name:
                over = done.change.action == "remove" or ends or bool(keys & done.keys)
                over = over or (done.change.action == "replace" and change.action == "change")
            else:
                over = (ends and other.startswith((f"{name}/", f"{name}."))) or (
                    done.change.action in _ENDS and name.startswith((f"{other}/", f"{other}."))
                )
            earlier = done.change if over else earlier
        if earlier is not None:
            where = earlier.span
            self.reader.report(
                diagnose.conflicting_change(change.span, name=change.what.text, line=where.line, also=(where,))
            )
            return True
        if change.action.startswith("insert"):
            around = max(name.rpartition("/")[0], name.rpartition(".")[0], key=len)
            self._done[f"{around}/+{len(self._done)}"] = _Done(change)
        else:
            before = self._done[name].keys if name in self._done else frozenset()
            self._done[name] = _Done(change, keys | before)
        return False

    def _unknown(self, name: ast.Name, known: Sequence[str]) -> None:
        near = next((each for each in known if each.endswith(f" {name.text}")), None) or nearest(name.text, known)
        self.reader.report(
            diagnose.unknown_change_target(name.span, name=name.text, procedure=self.procedure, nearest=near)
        )

    # ---- places ------------------------------------------------------------------------------------------------------
    def _spot(self, change: ast.Change, places: Places) -> Spot | None:
        """Where the target stands: in a copy of the part for this stage alone, where others perform the part too."""
        place = change.what.text
        spot = places.spots.get(place)
        if spot is None:
            elsewhere = (
                f"{noun.en[0]} {key.text}"
                for section, noun in THINGS.items()
                for key, _ in declared(self.root, section)
            )
            self._unknown(change.what, (*places.spots, *elsewhere))
        elif spot.performed and self._copied(spot.performed, place.partition("/")[0], places):
            spot = self._places().spots[place]
        return spot

    def _copied(self, step: Path, stage: str, places: Places) -> bool:
        """Give a stage a part of its own instead of one that others perform too, or that what the child adds does."""
        performed = next(each for each in places.performs if each.path == step)
        part, at, parts = performed.part, position(self.root, "parts"), value(self.root, "parts")
        if len({each.path for each in places.performs if each.part == part}) + self._elsewhere().count(part) < 2:
            return False
        assert at is not None and isinstance(parts, MapNode)
        number = parts.keys().index(part)
        name = f"{part}_{stage}"
        while name in self.names:
            name += "_"
        copy = MapEntry(Scalar(name, parts.entries[number].key.span), parts.entries[number].value)
        self._put(spliced(self.root, (at, number + 1), 0, (copy,)))
        self._put(exchanged(self.root, step, renamed(inner(self.root, step), performed.word, name)))
        self.names |= {name}
        self._parser = None
        return True

    def _change_place(self, change: ast.Change, content: Node | None, spot: Spot) -> None:
        """Change a stage, a phase, a part or a step."""
        node, path, width = inner(self.root, spot.path), spot.path, spot.width
        if change.action == "change":
            self._put(exchanged(self.root, path, self._changed(change, node, content, spot.level)))
            return
        new: tuple[Node | MapEntry, ...] = items(content)
        if spot.level == "part" and change.action == "replace" and content is not None:
            parts = inner(self.root, path[:-1])
            assert isinstance(parts, MapNode)
            new = (MapEntry(parts.entries[path[-1]].key, content),)
        elif (spot.level == "part" and new) or any(_level(each) != spot.level for each in items(content)):
            self.reader.report(diagnose.mismatched_insertion(change.what.span))
            return
        if change.action == "insert before":
            width = 0
        elif change.action == "insert after":
            path, width = (*path[:-1], path[-1] + width), 0
        else:
            self._note_removed(change, node, content)
        self._put(spliced(self.root, path, width, new))

    def _put(self, root: Node) -> None:
        assert isinstance(root, MapNode)
        self.root = root

    # ---- declarations ------------------------------------------------------------------------------------------------
    def _change_declaration(self, change: ast.Change, content: Node | None) -> None:
        """Change a role, a field, a document or another thing of a section."""
        section, name = change.section, change.what
        named = {key.text: path for key, path in declared(self.root, section)}
        if name.text not in named and f"{section} {name.text}" not in self._done:
            self._unknown(name, tuple(named))
            return
        if self._hindered(change, content) or name.text not in named:
            return
        path = named[name.text]
        node = inner(self.root, path)
        if change.action == "remove":
            gone = (name.text, node.text) if section == "kinds" and isinstance(node, Scalar) else (name.text,)
            self.removed |= dict.fromkeys(gone, change.span)
            self._put(spliced(self.root, path, 1, ()))
            if section in _HOLDING:
                self._unlist(section, name.text)
        elif change.action == "change" and not isinstance(node, MapNode):
            self.reader.report(diagnose.mismatched_change_content(change.span))
        elif change.action == "change":
            self._put(exchanged(self.root, path, self._changed(change, node, content, section)))
        elif content is not None:
            self._put(exchanged(self.root, path, items(content)[0] if section in _LISTS else content))

    def _changed(self, change: ast.Change, node: Node, content: Node | None, level: str) -> Node:
        """A node with the keys that a change gives; an empty value takes a key away."""
        assert isinstance(content, MapNode)
        if isinstance(node, MapNode):
            entries = list(node.entries)
        else:
            assert isinstance(node, Scalar)
            entries = [MapEntry(node, Scalar("", node.span.shifted(node.span.length, 0)))]
        for new in content.entries:
            if level == "step" and attribute(StepSurface, new.key.text) is None:
                self._change_behind_sentence(entries, new)
            else:
                self._change_key(entries, new)
        return MapNode(tuple(entries), node.span)

    def _change_key(self, entries: list[MapEntry], new: MapEntry) -> None:
        """Put an entry in the place of the one that has its key, or behind the others; take that one out."""
        key = canonical(new.key.text)
        at = next((at for at, each in enumerate(entries) if canonical(each.key.text) == key), None)
        if not (isinstance(new.value, Scalar) and new.value.empty):
            at = len(entries) if at is None else at
            entries[at : at + 1] = [new]
        elif at is not None:
            del entries[at]
        else:
            self._report_key(new.key, [each.key.text for each in entries])

    def _change_behind_sentence(self, entries: list[MapEntry], new: MapEntry) -> None:
        """Change the cue of a step, or an argument of one that performs a part."""
        at = headed(MapNode(tuple(entries), new.key.span))
        assert at is not None
        head, behind = entries[at].key, entries[at].value
        if isinstance(behind, MapNode):
            arguments = list(behind.entries)
            self._change_key(arguments, new)
            entries[at] = MapEntry(head, MapNode(tuple(arguments), behind.span))
        elif canonical(new.key.text) != "cue":
            self._report_key(new.key, [key.rstrip("_").replace("_", " ") for key in StepSurface.__annotations__])
        elif isinstance(behind, Scalar):
            entries[at] = MapEntry(head, new.value)
        else:
            self.reader.report(diagnose.mismatched_step_content(new.key.span))

    def _report_key(self, key: Scalar, names: Sequence[str]) -> None:
        known = in_the_language_of(key.text, names)
        self.reader.report(diagnose.unknown_key(key.span, key=key.text, known=known, nearest=nearest(key.text, known)))

    # ---- what goes with what was removed -----------------------------------------------------------------------------
    def _note_removed(self, change: ast.Change, node: Node, content: Node | None) -> None:
        """Remember what was declared there and is not declared anew; a place is taken out of the lists that name it."""
        kept = frozenset(_declared_in(content)) if content is not None else frozenset[str]()
        lost = [name for name in _declared_in(node) if name not in kept]
        self.removed |= dict.fromkeys([*lost, change.what.text], change.span)
        stage = said(node, "stage")
        if stage and stage not in kept:
            self._unlist("stages", stage)
            self._unlist("during", stage)
        elif (phase := said(node, "phase")) and phase not in kept:
            self._unlist("during", change.what.text)

    def _unlist(self, key: str, name: str) -> None:
        """What is for other stages, documents, places goes on without it; what was for it alone goes with it."""
        for section in _HOLDING[key]:
            for _, path in reversed(list(declared(self.root, section))):
                node = inner(self.root, path)
                at, listed = position(node, key), items(value(node, key))
                kept = tuple(each for each in listed if not (isinstance(each, Scalar) and _within(each.text, name)))
                if at is not None and kept and kept != listed:
                    self._put(exchanged(self.root, (*path, at), ListNode(kept, inner(node, (at,)).span)))
                elif at is not None and kept != listed:
                    self._put(spliced(self.root, path, 1, ()))

    def _elsewhere(self) -> list[str]:
        """The parts that events perform, and what the child adds."""
        words = (*sentences(self.child), *sentences(value(self.root, "events") or ListNode((), self.root.span)))
        heads = (self.parser.head(word.text, word.span)[0] for word in words)
        return [head.parts["part"].text for head in heads if head is not None and head.verb == "perform"]

    def _drop_unperformed(self, performed: set[str]) -> None:
        """Take out the parts that were performed, and are no more."""
        lost = performed - {each.part for each in self._places().performs}
        lost = lost and lost - {*self._elsewhere()}  # nearly always none is, and every sentence of the child is read
        for key, path in reversed(list(declared(self.root, "parts"))):
            if key.text in lost:
                self._put(spliced(self.root, path, 1, ()))


def _within(place: str, gone: str) -> bool:
    """Whether a name is one that has gone, or that of a phase in a stage that has."""
    return place == gone or place.startswith(f"{gone}/")


def _level(node: Node) -> str:
    """What may stand in a list beside this."""
    return next((key for key in ("stage", "phase") if position(node, key) is not None), "step")


def _declared_in(node: Node) -> Iterator[str]:
    """The ids and answers that stand in stages, phases and steps."""
    for key in ("stage", "phase", "id"):
        yield from (word.text for word in texts_of(node, key))
    for key in ("answer", "as"):
        yield from (word.text.split()[0] for word in texts_of(node, key) if word.text.split())
