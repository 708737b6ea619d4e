"""YAML nodes that know their place, and how they are built from a parser's events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal

from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from .. import diagnose
from . import characters
from .repairs import Edit, lost_colon, original, shortened


@immutable
class Scalar:
    """Text as written; quotation marks are taken off and folded blocks joined, nothing else is done to it.

    `span` is the text itself, within its quotation marks; of a text of several lines, what stands on the first one
    (of a block, its `|`). `lines`: for a block, each of its lines without the common indentation.
    """

    text: str
    span: Span
    style: Literal["plain", "quoted", "block"] = "plain"
    lines: tuple[Span, ...] = ()

    @property
    def empty(self) -> bool:
        """Nothing was written at all, as in `key:`; `key: ""` is not empty."""
        return not self.text and self.style == "plain"


@immutable
class MapEntry:
    key: Scalar
    value: Node


@immutable
class MapNode:
    """Entries in the order written, each key once. `span`: the first key, or the braces when they share a line."""

    entries: tuple[MapEntry, ...]
    span: Span

    def get(self, key: str) -> Node | None:
        return next((entry.value for entry in self.entries if entry.key.text == key), None)

    def keys(self) -> tuple[str, ...]:
        return tuple(entry.key.text for entry in self.entries)


@immutable
class ListNode:
    """`span`: the first dash, or the brackets when they share a line."""

    items: tuple[Node, ...]
    span: Span


Node = Scalar | MapNode | ListNode


@immutable
class Text:
    """Lines as they are parsed, lines as the author wrote them, and the edits in between by 0-based line."""

    path: str
    lines: list[str]
    written: list[str]
    edits: Mapping[int, list[Edit]] = field(default_factory=dict)

    def span(self, line: int, start: int, end: int) -> Span:
        """The author's place of the parsed columns `start` to `end` (all 0-based)."""
        edits = self.edits.get(line)
        if edits:
            start, end = original(edits, start), original(edits, end)
        return Span(self.path, line + 1, start + 1, max(end - start, 0))

    def quoted(self, span: Span) -> str:
        """What the author wrote there."""
        return self.written[span.line - 1][span.column - 1 : span.column - 1 + span.length]


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.empty


class _Frame:
    """A collection that is not finished. `key` waits for its value; `places`: where each key was first given."""

    __slots__ = ("bare", "column", "flow", "items", "key", "line", "places")

    def __init__(self, event: Any, mapping: bool) -> None:
        self.line: int = event.start_mark.line
        self.column: int = event.start_mark.column
        self.flow = bool(event.flow_style)
        self.items: list[Any] = []
        self.key: Scalar | None = None
        self.places: dict[str, Span] | None = {} if mapping else None
        self.bare = False


class Builder:
    """Takes events until `root` is whole. Marks are 0-based; nodes and problems carry the author's 1-based places.

    `ragged`: well-formed, but not what it looks like: text that runs on, a colon or a blank that is none. `opaque`:
    quotations and blocks as (line, column, end line, end column), in order: no `#` in them is a comment. `at`: where
    the last event began.
    """

    def __init__(self, source: Text) -> None:
        self.source = source
        self.root: Node | None = None
        self.problems: list[Diagnostic] = []
        self.opaque: list[tuple[int, int, int, int]] = []
        self.ragged = False
        self.at = (0, 0)
        self._stack: list[_Frame] = []
        self._nodes = 0
        self._documents = 0

    def take(self, event: Any) -> bool:
        """Add one event; False when nothing more is wanted."""
        name = type(event).__name__
        start = event.start_mark
        self.at = (start.line, start.column)
        if name == "ScalarEvent":
            return self._place(self._scalar(event))
        if name in ("MappingStartEvent", "SequenceStartEvent"):
            return self._begin(event, name[0] == "M")
        if name in ("MappingEndEvent", "SequenceEndEvent"):
            return self._finish(event)
        if name == "AliasEvent":
            span = self.source.span(start.line, start.column, event.end_mark.column)
            self._refuse(span, "*" + event.anchor)
            return self._place(Scalar("*" + event.anchor, span))
        return name != "DocumentStartEvent" or self._document(event)

    @property
    def bracket(self) -> int | None:
        """The line where the outermost bracket that is still open began, if one is."""
        return next((frame.line for frame in self._stack if frame.flow), None)

    # ---- scalars -----------------------------------------------------------------------------------------------------

    def _scalar(self, event: Any) -> Scalar:
        start, end, source = event.start_mark, event.end_mark, self.source
        style, text = event.style, event.value
        if event.anchor or event.tag:
            marked = self._marked(event)
            if not style:
                return Scalar(marked.text, marked.span)
        if style:
            return self._block(event) if style in "|>" else self._quotation(event)
        if end.line != start.line:
            self._runs_on(event)
            return Scalar(text, source.span(start.line, start.column, len(source.lines[start.line].rstrip())))
        if not text:
            return Scalar("", self._gap(start))
        return self._unpadded(start, text)

    def _unpadded(self, start: Any, text: str) -> Scalar:
        """Text without blanks that YAML takes for text, such as U+3000: in front of it they hide a structure."""
        bare = text.strip()
        first = start.column + text.index(bare)
        end = first + len(bare)
        self.ragged = self.ragged or not bare or text[0].isspace()
        if end < start.column + len(text):
            span = self.source.span(start.line, end, start.column + len(text))
            blanks = sorted(set(self.source.quoted(span)) - {" "})
            self._warn(
                diagnose.unusual_whitespace(span, character=tuple(f"U+{ord(blank):04X}" for blank in blanks), count=1)
            )
        return Scalar(bare, self.source.span(start.line, first, end))

    def _marked(self, event: Any) -> Scalar:
        """Refuse a tag or anchor; what the author wrote there, on its first line, taken as text."""
        start, end = event.start_mark, event.end_mark
        line = self.source.lines[start.line]
        stop = end.column if end.line == start.line else len(line)
        whole = line[start.column : stop].rstrip()
        mark = re.match(r"\S*", whole)
        span = self.source.span(start.line, start.column, start.column + (mark.end() if mark else 0))
        self._refuse(span, self.source.quoted(span) or "!")
        return Scalar(whole, self.source.span(start.line, start.column, start.column + len(whole)))

    def _refuse(self, span: Span, text: str) -> None:
        last = self.problems[-1] if self.problems else None
        if last and (last.code, last.span.line) == (diagnose.code_of(diagnose.yaml_tag_or_anchor), span.line):
            return  # once per line is enough: [*a, *a, *a]
        mark = text if text == "<<" else text[0]
        self._warn(diagnose.yaml_tag_or_anchor(span, mark=mark, repair=shortened(f'"{text}"')))

    def _quotation(self, event: Any) -> Scalar:
        start, end, text = event.start_mark, event.end_mark, event.value
        self.opaque.append((start.line, start.column, end.line, end.column))
        stop = end.column - 1 if end.line == start.line else len(self.source.lines[start.line])
        span = self.source.span(start.line, min(start.column + 1, stop), stop)
        if not text.isprintable():
            for hidden in characters.visible(self.source.path, text)[1]:  # written as an escape, as in "\0"
                self.problems.append(replace(hidden, span=span))
        return Scalar(text, span, "quoted")

    def _gap(self, start: Any) -> Span:
        """Where a value is missing: just behind its colon, for parsers differ on that."""
        key = self._stack[-1].key if self._stack else None
        if key is None:
            line = min(start.line, len(self.source.lines) - 1)
            column = min(start.column, len(self.source.lines[line])) if line == start.line else 0
            return self.source.span(line, column, column)
        behind = key.span.column + key.span.length + (2 if key.style == "quoted" else 1)
        line = key.span.line
        return Span(key.span.file, line, min(behind, len(self.source.written[line - 1]) + 1))

    def _runs_on(self, event: Any) -> None:
        self.ragged = True
        first, last, lines = event.start_mark.line, event.end_mark.line, self.source.lines
        line = next((number for number in range(first + 1, last + 1) if lines[number].strip()), last)
        indent = len(lines[line]) - len(lines[line].lstrip())
        span = self.source.span(line, indent, event.end_mark.column if line == last else len(lines[line].rstrip()))
        begun = self.source.span(first, event.start_mark.column, len(lines[first].rstrip()))
        self.problems.append(
            diagnose.unintended_continuation(span, text=shortened(self.source.quoted(span)), also=(begun,))
        )

    def _block(self, event: Any) -> Scalar:
        source, start, end = self.source, event.start_mark, event.end_mark
        lines = source.lines
        head = source.span(start.line, start.column, start.column + 1)
        indented = re.match(r"[|>][+-]?[1-9]", lines[start.line][start.column :])
        if indented and event.style == ">":  # a comparison: YAML sees a block indented by three in `>3`
            self._warn(diagnose.unquoted_indicator(head, mark=">", repair=f'"{indented[0]}"'))
        stop = end.line
        if stop < len(lines) and lines[stop][: end.column].strip():
            stop += 1  # the file ends without a line end
        body = range(start.line + 1, min(stop, len(lines)))
        while body and not lines[body[-1]].strip():
            body = body[:-1]
        self.opaque.append((start.line + 1, 0, body[-1] if body else start.line, len(lines[body[-1]]) if body else 0))
        first = next((number for number in body if lines[number].strip()), 0)
        edge = len(lines[first]) - len(lines[first].lstrip(" "))
        if indented and body:
            edge -= len(event.value) - len(event.value.lstrip(" "))
        spans = tuple(source.span(number, min(edge, len(lines[number])), len(lines[number])) for number in body)
        return Scalar(event.value, head, "block", spans)

    # ---- collections -------------------------------------------------------------------------------------------------

    def _document(self, event: Any) -> bool:
        self._documents += 1
        line = event.start_mark.line
        directive = event.version or event.tags
        if self._documents > 1 or directive:
            above = (number for number in range(line) if directive and self.source.lines[number].startswith("%"))
            line = next(above, line)
            self._warn(diagnose.yaml_document_marker(self.source.span(line, 0, len(self.source.lines[line].rstrip()))))
        return self._documents == 1

    def _begin(self, event: Any, mapping: bool) -> bool:
        if event.anchor or event.tag:
            self._marked(event)
        frame = _Frame(event, mapping)
        if len(self._stack) >= characters.MAX_DEPTH:
            return self._too_much(self.source.span(frame.line, frame.column, frame.column + 1))
        self._stack.append(frame)
        return True

    def _finish(self, event: Any) -> bool:
        frame, end = self._stack.pop(), event.end_mark
        stop = end.column if frame.flow and end.line == frame.line else frame.column + 1
        span = self.source.span(frame.line, frame.column, stop)
        if frame.bare and not self._lone_names(frame):
            self._as_text(span)
        if frame.places is None:
            return self._place(ListNode(tuple(frame.items), span))
        if frame.items and not frame.flow:
            span = frame.items[0].key.span
        return self._place(MapNode(tuple(frame.items), span))

    def _place(self, node: Node) -> bool:
        """Put a finished node into the collection it belongs to, as item, key or value."""
        self._nodes += 1
        if self._nodes > characters.MAX_NODES:
            return self._too_much(node.span)
        if not self._stack:
            self.root = node
            return True
        frame = self._stack[-1]
        if frame.places is None:
            frame.items.append(node)
        elif frame.key is None:
            frame.key = self._key(node, frame)
        else:
            if frame.flow and isinstance(node, Scalar) and node.empty:
                self._bare_name(frame, frame.key)
            if frame.key.text not in frame.places:
                frame.places[frame.key.text] = frame.key.span
                frame.items.append(MapEntry(frame.key, node))
            frame.key = None
        return True

    def _key(self, node: Node, frame: _Frame) -> Scalar:
        """The node as a key of the frame; reported if it can be none."""
        if not isinstance(node, Scalar) or node.style == "block":
            if frame.flow:
                frame.bare = True
            else:
                self._as_text(node.span)
            return Scalar("", node.span, "quoted")
        text, plain = node.text, node.style == "plain"
        if plain and text == "<<":
            self._refuse(node.span, text)
        elif plain and (not text or (text[0] == "-" and text[1:2] not in "-0123456789")):
            self._warn(diagnose.neither_key_nor_item(node.span, text=shortened(text or ":")))
        elif frame.places is not None and text in frame.places:
            self.problems.append(diagnose.duplicate_key(node.span, key=shortened(text), also=(frame.places[text],)))
        return node

    def _bare_name(self, frame: _Frame, key: Scalar) -> None:
        """A name without value in braces: `{path:x}` was meant as an entry, `{role}` as text."""
        problem = misspelt_entry(key)
        if problem is not None:
            self.problems.append(problem)
            self.ragged = True
        else:
            frame.bare = True

    def _lone_names(self, frame: _Frame) -> bool:
        """Report names without value in braces where others have one: a colon is missing, or a comma parts a text."""
        empty = [one.key for one in frame.items if isinstance(one, MapEntry) and _is_empty(one.value)]
        if len(empty) == len(frame.items):
            return False
        for key in empty:
            self._warn(diagnose.lone_name(key.span, text=shortened(key.text)))
        return bool(empty)

    def _as_text(self, span: Span) -> None:
        """Report brackets that YAML read as structure, where text must have been meant."""
        inner = self.problems[-1] if self.problems else None
        if (
            inner
            and inner.code == diagnose.code_of(diagnose.unquoted_indicator)
            and inner.span.line == span.line
            and inner.span.column >= span.column
        ):
            self.problems.pop()  # {{ name }}: the outer braces say it all
        text = shortened(self.source.quoted(span))
        self._warn(diagnose.unquoted_indicator(span, mark=text[:1], repair=f'"{text}"'))

    def _warn(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def _too_much(self, span: Span) -> bool:
        self.problems.append(characters.too_much(span))
        self.root = None
        self._stack.clear()
        return False


def misspelt_entry(scalar: Scalar) -> Diagnostic | None:
    """For a text where an entry was expected: the full-width or tight colon that kept it from being one, if any."""
    lost = lost_colon(scalar.text) if scalar.style == "plain" else None
    if lost is None:
        return None
    key = scalar.text[: lost.start]
    repair = key + lost.instead + scalar.text[lost.end :]
    span = scalar.span.shifted(0, min(lost.end, scalar.span.length))  # a text may run on beyond its span
    return lost.kind(span, key=key, repair=shortened(repair))
