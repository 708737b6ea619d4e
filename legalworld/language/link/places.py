"""Where stages, phases, parts and steps stand among the YAML nodes of a spec, by their places; and nodes exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from ...model.ast import Head
from ...model.source import Span
from ..schema import StepSurface
from ..sentences.keywords import truth
from ..sentences.parser import Parser
from ..surfaces import attribute, canonical
from ..yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar

Path = tuple[int, ...]
"""From the root to a node: which entry or item at each level."""

_NAMED_BY: Final = {"conduct": "rule", "stages": "stage"}
_HOOKS: Final = ("before_each_phase", "after_each_phase")


# ---- nodes -----------------------------------------------------------------------------------------------------------
def position(node: Node, key: str) -> int | None:
    """Which entry of a mapping has this key, however it is spelt."""
    entries = node.entries if isinstance(node, MapNode) else ()
    return next((at for at, entry in enumerate(entries) if canonical(entry.key.text) == key), None)


def value(node: Node, key: str) -> Node | None:
    at = position(node, key)
    return inner(node, (at,)) if at is not None else None


def said(node: Node, key: str) -> str:
    """The text of one entry; "" where there is none."""
    found = value(node, key)
    return found.text if isinstance(found, Scalar) else ""


def items(node: Node | None) -> tuple[Node, ...]:
    """Those of a list; of one thing, itself."""
    if isinstance(node, ListNode):
        return node.items
    return () if node is None or (isinstance(node, Scalar) and node.empty) else (node,)


def inner(node: Node, path: Path) -> Node:
    for at in path:
        assert not isinstance(node, Scalar)
        node = node.entries[at].value if isinstance(node, MapNode) else node.items[at]
    return node


def exchanged(node: Node, path: Path, instead: Node) -> Node:
    """The tree with another node at a path."""
    if not path:
        return instead
    at, rest = path[0], path[1:]
    if isinstance(node, MapNode):
        entry = node.entries[at]
        entry = MapEntry(entry.key, exchanged(entry.value, rest, instead))
        return MapNode((*node.entries[:at], entry, *node.entries[at + 1 :]), node.span)
    assert isinstance(node, ListNode)
    return ListNode((*node.items[:at], exchanged(node.items[at], rest, instead), *node.items[at + 1 :]), node.span)


def spliced(node: Node, path: Path, width: int, instead: Sequence[Node | MapEntry]) -> Node:
    """The tree with other items (or entries) in the place of `width` of them, the first of which is at the path."""
    around, at = inner(node, path[:-1]), path[-1]
    if isinstance(around, MapNode):
        entries = tuple(each for each in instead if isinstance(each, MapEntry))
        made: Node = MapNode((*around.entries[:at], *entries, *around.entries[at + width :]), around.span)
    else:
        assert isinstance(around, ListNode)
        nodes = tuple(each for each in instead if not isinstance(each, MapEntry))
        made = ListNode((*around.items[:at], *nodes, *around.items[at + width :]), around.span)
    return exchanged(node, path[:-1], made)


# ---- places ----------------------------------------------------------------------------------------------------------
class Spot(NamedTuple):
    """`width`: two for an `if` with its `else`. `performed`: the step by which this comes from a part, if so."""

    path: Path
    level: Literal["stage", "part", "phase", "step"]
    width: int = 1
    performed: Path = ()


class PerformedPart(NamedTuple):
    """A part is performed: by which step, and the name as the step says it."""

    part: str
    path: Path
    word: Scalar


class Places:
    """Every place of a spec. `numbers`: of steps without an id, by where they are written; given once, they stay.

    Steps that have neither an id nor a number cannot be named, nor can what is inside of them.
    """

    def __init__(self, root: MapNode, parser: Parser, numbers: dict[Span, str] | None = None) -> None:
        self.root = root
        self.spots: dict[str, Spot] = {}
        self.performs: list[PerformedPart] = []
        self.numbers: dict[Span, str] = {} if numbers is None else numbers
        self._fixed = numbers is not None
        self.parser = parser
        self._parts = dict(self._named("parts"))
        at = position(root, "stages")
        for number, stage in enumerate(items(value(root, "stages"))):
            self._stage(stage, (at or 0, number))
        for name, path in self._parts.items():
            self._add(name, Spot(path, "part"))
            self._phases(inner(root, path), path, name, ())
            self._steps(inner(root, path), path, name, 1, ())

    def _named(self, section: str) -> Iterator[tuple[str, Path]]:
        at = position(self.root, section)
        found = inner(self.root, (at,)) if at is not None else None
        for number, entry in enumerate(found.entries if isinstance(found, MapNode) else ()):
            yield entry.key.text, (at or 0, number)

    def _add(self, place: str, spot: Spot) -> None:
        self.spots.setdefault(place, spot)

    def _stage(self, stage: Node, path: Path) -> None:
        name = said(stage, "stage")
        self._add(name, Spot(path, "stage"))
        first = len(self.performs)
        self._steps(stage, path, name, 1, ())
        self._phases(stage, path, name, ())
        for part, step, _ in self.performs[first:]:
            if part in self._parts:
                self._phases(inner(self.root, self._parts[part]), self._parts[part], name, step)

    def _phases(self, holder: Node, path: Path, base: str, performed: Path) -> None:
        """The phases of a stage or a part, and the steps around each of them, which have a place by their id."""
        before, at = len(items(value(holder, _HOOKS[0]))), position(holder, "phases")
        for number, phase in enumerate(items(value(holder, "phases"))):
            here, place = (*path, at or 0, number), f"{base}/{said(phase, 'phase')}"
            self._add(place, Spot(here, "phase", performed=performed))
            hooked = truth(said(phase, "hooks")) is not False
            self._steps(phase, here, place, before + 1 if hooked else 1, performed)
        for key in _HOOKS:
            at = position(holder, key)
            self._list(items(value(holder, key)), (*path, at or 0), f"{base}/", None, performed)

    def _steps(self, holder: Node, path: Path, base: str, first: int, performed: Path) -> None:
        at = position(holder, "steps")
        self._list(items(value(holder, "steps")), (*path, at or 0), f"{base}/", first, performed)

    def _list(self, steps: tuple[Node, ...], path: Path, before: str, first: int | None, performed: Path) -> None:
        """Steps in a row, their places beginning with `before`. They are numbered as the linker does, from `first` on
        or not at all, and anew after a part of phases was performed."""
        heads = [self.head(step) for step in steps]
        verbs = [head.verb if head is not None else "" for head in heads]
        number, above = first, ""
        for at, (step, verb, head) in enumerate(zip(steps, verbs, heads, strict=True)):
            here = (*path, at)
            if verb == "perform" and head is not None:
                word = head.parts["part"]
                self.performs.append(PerformedPart(word.text, here, Scalar(word.text, word.span)))
                if not self._of_steps(word.text):
                    self._add(before + word.text, Spot(here, "step", performed=performed))
                    number = first
                    continue
            own = "" if verb == "else" else self._own(step, number)
            if own:
                above = before + own
                width = 2 if verbs[at + 1 : at + 2] == ["else"] else 1
                self._add(above, Spot(here, "step", width, performed))
            if own or (verb == "else" and above):
                within = f"{above}.else." if verb == "else" else f"{above}."
                self._body(step, here, within, performed)
                if verb == "perform" and head is not None and not performed:  # what a part performs has a place there
                    self._part(head.parts["part"].text, here, within)
            number = number + 1 if number is not None else None

    def _of_steps(self, part: str) -> bool:
        """Whether a part can be performed as one step among others."""
        return part in self._parts and bool(items(value(inner(self.root, self._parts[part]), "steps")))

    def _part(self, part: str, step: Path, before: str) -> None:
        """The steps of a part where one step performs it."""
        path = self._parts[part]
        node = inner(self.root, path)
        self._list(items(value(node, "steps")), (*path, position(node, "steps") or 0), before, 1, step)

    def _own(self, step: Node, number: int | None) -> str:
        written = said(step, "id")
        if written or number is None:
            return written
        return self.numbers.get(step.span, "") if self._fixed else self.numbers.setdefault(step.span, str(number))

    def _body(self, step: Node, path: Path, before: str, performed: Path) -> None:
        at = headed(step)
        body = inner(step, (at,)) if at is not None else None
        if at is not None and isinstance(body, ListNode):
            self._list(body.items, (*path, at), before, 1, performed)

    def head(self, step: Node) -> Head | None:
        """What a step says, if it can be read."""
        at = headed(step)
        word = step.entries[at].key if isinstance(step, MapNode) and at is not None else step
        return self.parser.head(word.text, word.span)[0] if isinstance(word, Scalar) else None


def headed(step: Node) -> int | None:
    """Which entry of a step is its sentence; None for a step that is nothing but its sentence."""
    entries = step.entries if isinstance(step, MapNode) else ()
    return next((at for at, each in enumerate(entries) if attribute(StepSurface, each.key.text) is None), None)


# ---- declarations, sentences -----------------------------------------------------------------------------------------
def declared(root: MapNode, section: str) -> Iterator[tuple[Scalar, Path]]:
    """The names of a section, and where what they name stands: a rule has its name inside, a skill is its name."""
    at = position(root, section)
    found = inner(root, (at,)) if at is not None else None
    if isinstance(found, MapNode):
        yield from ((entry.key, (at or 0, number)) for number, entry in enumerate(found.entries))
        return
    for number, each in enumerate(items(found)):
        word = value(each, _NAMED_BY[section]) if section in _NAMED_BY else each
        if isinstance(word, Scalar):
            yield word, (at or 0, number)


def texts_of(node: Node, key: str) -> Iterator[Scalar]:
    """What stands behind a key, wherever it is in a node."""
    for each in node.items if isinstance(node, ListNode) else ():
        yield from texts_of(each, key)
    for entry in node.entries if isinstance(node, MapNode) else ():
        if canonical(entry.key.text) == key and isinstance(entry.value, Scalar):
            yield entry.value
        yield from texts_of(entry.value, key)


def sentences(node: Node) -> Iterator[Scalar]:
    """Every text that may be the sentence of a step."""
    for each in node.items if isinstance(node, ListNode) else ():
        if isinstance(each, Scalar):
            yield each
        yield from sentences(each)
    for entry in node.entries if isinstance(node, MapNode) else ():
        yield entry.key
        yield from sentences(entry.value)


def renamed(step: Node, word: Scalar, name: str) -> Node:
    """A step that names something else at `word`, a part of its sentence."""
    at = headed(step)
    head = step.entries[at].key if isinstance(step, MapNode) and at is not None else step
    assert isinstance(head, Scalar)
    start = word.span.column - head.span.column
    head = replace(head, text=head.text[:start] + name + head.text[start + word.span.length :])
    if not isinstance(step, MapNode) or at is None:
        return head
    return MapNode((*step.entries[:at], MapEntry(head, step.entries[at].value), *step.entries[at + 1 :]), step.span)
