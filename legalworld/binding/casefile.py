"""Case files before a procedure sees them, JSON, JSON Lines or YAML, as plain data; and bound cases as our own JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Final

from ..language import diagnose
from ..language.charset import GBK, decoded
from ..language.yaml import characters
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar, misspelt_entry
from ..language.yaml.reader import read as read_yaml
from ..model.case import MISSING, Case, Missing, Record, Sided, Value, as_written
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import TooDeep, read_first, read_json, read_texts
from ..model.procedure import Procedure
from ..model.source import Span
from ..model.text import clean as cleaned
from .paths import Location
from .typed_fields import nowhere, typed

MAX_DEPTH: Final = 64
MAX_RECORD: Final = 16 << 20  # characters of one record
_MOST_FAULTS: Final = 5  # broken lines of a JSON Lines file that are named
_NULL: Final = frozenset({"null", "~"})
_DAMAGED = re.compile("[\udc80-\udcff\0]")
_OPENING = re.compile(r"\s*\[\s*")
_BEHIND = re.compile(r"\s*([,\]])\s*")


@immutable
class Data:
    """What a case file holds, as dict, list, str, bool and None; numbers are text as written.

    `root`: the tree it was made from, for a YAML file: it knows the places. `line`: that of a file of which each line
    is read by itself; 0 for a whole file. `name`: after which its cases are called that have no id ("" = the file's
    own). `remembered`: what is true of all its records, found out once.
    """

    file: str
    value: Any
    root: Node | None = field(default=None, repr=False)
    line: int = 0
    name: str = ""
    remembered: dict[int, Any] = field(default_factory=dict, repr=False, compare=False)

    def place(self, where: Location) -> Span:
        """The place of the value there, or of the nearest thing above it that was written; of JSON only the line."""
        node, span = self.root, Span(self.file, self.line or 1, 1)
        for key in where:
            match node:
                case MapNode():
                    entry = next((entry for entry in node.entries if entry.key.text == key), None)
                    if entry is None:
                        return span
                    node, span = entry.value, entry.key.span
                case ListNode(items) if isinstance(key, int) and key < len(items):
                    node = items[key]
                    span = node.span
                case _:
                    return span
        return span

    def value_place(self, where: Location) -> Span:
        """The place of the value there itself, not of its key; where none was written, what `place` says."""
        scalar = self._scalar(where)
        return scalar.span if scalar is not None and not scalar.empty else self.place(where)

    def lost_entry(self, where: Location) -> Diagnostic | None:
        """That a text is no entry `KEY: VALUE` for its colon alone; None for any other text."""
        scalar = self._scalar(where)
        return misspelt_entry(scalar) if scalar is not None else None

    def _scalar(self, where: Location) -> Scalar | None:
        node = self.root
        for key in where:
            match node:
                case MapNode():
                    node = next((entry.value for entry in node.entries if entry.key.text == key), None)
                case ListNode(items) if isinstance(key, int) and key < len(items):
                    node = items[key]
                case _:
                    return None
        return node if isinstance(node, Scalar) else None

    def places_of(self, tail: Location) -> Iterator[tuple[Location, Any]]:
        """Every path that ends so, and what stands there: (persona, openness) in whatever record; of () every path."""
        open_: list[tuple[Location, Any]] = [((), self.value)]
        while open_:
            where, value = open_.pop()
            if where[len(where) - len(tail) :] == tail:
                yield where, value
            if isinstance(value, dict):
                open_ += [((*where, key), below) for key, below in reversed(value.items())]
            elif isinstance(value, list):
                open_ += [((*where, number), below) for number, below in reversed(list(enumerate(value)))]

    def at(self, where: Location) -> Any:
        """What stands at a path; None where it leads nowhere."""
        value = self.value
        for key in where:
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                return None
        return value


def is_native(data: object) -> bool:
    """Whether the data, or the first record of it, is a case in our own format."""
    value = data.value if isinstance(data, Data) else data
    record = value[0] if isinstance(value, list) and value else value
    return isinstance(record, dict) and "lw" in record


def parse_data(path: str, text: str) -> tuple[Data | None, tuple[Diagnostic, ...]]:
    """The data of one case file. `.json`: JSON; `.jsonl`: one JSON value a line; anything else: YAML.

    `text` may hold undecodable bytes as lone surrogates. With any error there is no data.
    """
    suffix = path.rpartition(".")[2].lower()
    if suffix not in ("json", "jsonl"):
        root, problems = read_yaml(path, text)
        if root is None or any(problem.severity == "error" for problem in problems):
            return None, problems
        return Data(path, _plain(root), root), problems
    text = text.removeprefix("\ufeff")
    if (foreign := characters.foreign(path, text)) is not None:
        return None, (foreign,)
    damaged = _DAMAGED.search(text)
    if damaged is not None:
        return None, (_unreadable(path, text, damaged.start()),)
    if not text.strip():
        return None, (diagnose.empty_file(Span(path, 1, 1)),)
    return _lines(path, text) if suffix == "jsonl" else _whole(path, text)


def parse_line(path: str, line: int, text: str) -> tuple[Data | None, tuple[Diagnostic, ...]]:
    """The record on one line of a JSON Lines file that is read line by line."""
    text, problems = _decoded_line(path, line, text)
    damaged = _DAMAGED.search(text)
    if damaged is not None:
        return None, (diagnose.invalid_utf8(Span(path, line, damaged.start() + 1, 1)),)
    try:
        return Data(path, [read_texts(text)], line=line), problems
    except TooDeep:
        return None, (too_deep(Span(path, line, 1)),)
    except json.JSONDecodeError as error:
        return None, (_fault(path, line, error),)


def _decoded_line(path: str, line: int, text: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """A line in another encoding than UTF-8, where it is known in which."""
    if _DAMAGED.search(text) is None:
        return text, ()
    try:
        read = decoded(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        return text, ()
    return (read.text, (diagnose.assumed_gbk_encoding(Span(path, line, 1)),)) if read.encoding == GBK else (text, ())


def _plain(node: Node) -> Any:
    match node:
        case Scalar():
            return None if node.empty or (node.style == "plain" and node.text in _NULL) else node.text
        case ListNode(items):
            return [_plain(item) for item in items]
        case MapNode(entries):
            return {entry.key.text: _plain(entry.value) for entry in entries}


def _unreadable(path: str, text: str, at: int) -> Diagnostic:
    """Why the text is no UTF-8, judged by the part around the first sign of it."""
    problem = characters.whole(path, text[: characters.MAX_BYTES // 4])
    if problem is not None:
        return problem
    line = text.count("\n", 0, at) + 1
    return diagnose.invalid_utf8(Span(path, line, at - text.rfind("\n", 0, at), 1))


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _whole(path: str, text: str) -> tuple[Data | None, tuple[Diagnostic, ...]]:
    try:
        return Data(path, read_texts(text)), ()
    except TooDeep:
        return None, (too_deep(Span(path, 1, 1)),)
    except json.JSONDecodeError as error:
        if error.lineno > 1 and error.msg == "Extra data":  # JSON Lines under another name
            data, _ = _lines(path, text)
            if data is not None:
                return data, ()
        return None, (_fault(path, error.lineno, error),)


def _lines(path: str, text: str) -> tuple[Data | None, tuple[Diagnostic, ...]]:
    values, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(read_texts(line))
        except TooDeep:
            problems.append(too_deep(Span(path, number, 1)))
        except json.JSONDecodeError as error:
            problems.append(_fault(path, number, error))
        if len(problems) == _MOST_FAULTS:
            break
    return (None, tuple(problems)) if problems else (Data(path, values), ())


def complete_records(path: str, text: str) -> Data | None:
    """The records of a JSON list, or of JSON Lines, that stand before the place where the file breaks; None where there
    are none."""
    damaged = _DAMAGED.search(text)
    text = text[: damaged.start() if damaged is not None else None].removeprefix("\ufeff")
    at = _OPENING.match(text)
    values = _complete_lines(text) if at is None else _complete_items(text, at.end())
    return Data(path, values) if values else None


def _complete_items(text: str, start: int) -> list[Any]:
    """The items of a list behind which a comma stands, or the end of the list."""
    values: list[Any] = []
    while True:
        try:
            value, end = read_first(text, start)
        except ValueError:
            return values
        at = _BEHIND.match(text, end)
        if at is None:
            return values
        values.append(value)
        if at[1] == "]":
            return values
        start = at.end()


def _complete_lines(text: str) -> list[Any]:
    """The values of the lines before the first that is none, or that has no end."""
    values: list[Any] = []
    *lines, _ = text.split("\n")
    for line in lines:
        if not line.strip():
            continue
        try:
            values.append(read_texts(line))
        except ValueError:
            return values
    return values


def _fault(path: str, line: int, error: json.JSONDecodeError) -> Diagnostic:
    return diagnose.invalid_json(Span(path, line, error.colno, 1), detail=error.msg)


def too_deep(span: Span) -> Diagnostic:
    return diagnose.excessive_nesting(span, depth=MAX_DEPTH)


def is_deep(value: Any) -> bool:
    """Whether tables and lists nest more than `MAX_DEPTH` deep."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def is_heavy(value: Any) -> bool:
    """Whether the texts in a value come to more than `MAX_RECORD` characters. Nested at most `MAX_DEPTH` deep."""
    left, open_ = MAX_RECORD, [value]
    while open_ and left >= 0:
        one = open_.pop()
        if isinstance(one, dict):
            open_ += one.values()
        elif isinstance(one, list):
            open_ += one
        else:
            left -= len(one) if isinstance(one, str) else 1
    return left < 0


def _inside(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (one for one in inner if isinstance(one, (dict, list)))


def clean(text: str) -> str:
    """The text without what cannot be stored or would move a cursor; every line end is LF; stripped."""
    return cleaned(text).strip()


# ---- a bound case as JSON --------------------------------------------------------------------------------------------


def as_json(case: Case) -> str:
    """The case without anything sealed; what is missing is left out."""
    return _written({"id": case.id, "title": case.title, "fields": _encoded_fields(case.fields)})


def sealed_json(case: Case) -> str:
    """The evaluation-only values alone."""
    return _written({"id": case.id, "sealed": _encoded_fields(case.sealed)})


def from_json(text: str, procedure: Procedure) -> Case:
    """The case that `as_json` wrote, with nothing sealed.

    Raises ValueError for a text that was not written for this procedure.
    """
    told = _table(read_json(text), "id", "title", "fields")
    fields, _ = typed(procedure, _decoded_fields(_table(told["fields"]), procedure, False), nowhere)
    return Case(str(told["id"]), str(told["title"]), fields, {})


def unsealed(case: Case, text: str, procedure: Procedure) -> Case:
    """The case with the values that `sealed_json` wrote. Raises ValueError as `from_json` does."""
    hidden = _table(read_json(text), "id", "sealed")["sealed"]
    sealed, _ = typed(procedure, _decoded_fields(_table(hidden), procedure, True), nowhere)
    return replace(case, sealed=sealed)


def _written(data: Mapping[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _encoded_fields(fields: Mapping[str, Value | Sided]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in fields.items():
        if isinstance(value, Sided):
            found[name] = {side: _encoded(one) for side, one in value.values.items() if one != MISSING}
        elif value != MISSING:
            found[name] = _encoded(value)
    return found


def _encoded(value: Value) -> object:
    match value:
        case Record():
            return {key: _encoded(one) for key, one in value.items() if one != MISSING}
        case tuple():
            return [_encoded(one) for one in value]
        case Missing():
            return None
        case str():
            return as_written(value)


def _table(data: object, *keys: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not data.keys() >= set(keys):
        raise ValueError("this is no case that was written here")
    return data


def _decoded_fields(data: Mapping[str, Any], procedure: Procedure, sealed: bool) -> dict[str, Value | Sided]:
    declared = {name: found for name, found in procedure.case_fields.items() if found.evaluation_only == sealed}
    if not data.keys() <= declared.keys():
        raise ValueError("this case has fields that the procedure does not declare")
    fields: dict[str, Value | Sided] = {}
    for name, found in declared.items():
        if found.sided:
            values = _table(data.get(name, {}))
            fields[name] = Sided({side: _decoded(values.get(side), found.keys) for side in procedure.sides})
        else:
            fields[name] = _decoded(data.get(name), found.keys)
    return fields


def _decoded(data: object, keys: tuple[str, ...] = ()) -> Value:
    match data:
        case None:
            return MISSING
        case str():
            return data
        case list():
            return tuple(_decoded(one, keys) for one in data)
        case dict():
            return Record({key: _decoded(one) for key, one in data.items()}, keys)
        case _:
            raise ValueError("a case holds texts, lists and records, nothing else")
