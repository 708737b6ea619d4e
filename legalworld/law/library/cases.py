"""Reads case files into records that can be searched; any JSON, JSON Lines, YAML or plain text will do.

`case_fields.yaml` says under which names the formats that people have keep a case's title, number and so on; everything
else is its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...binding.casefile import MAX_DEPTH, clean, is_deep, parse_data
from ...files import regular
from ...files.document_text import SUFFIXES as TEXTS
from ...language import diagnose
from ...language.charset import HEAD, codec_of, encoding_of
from ...model.diagnostics import Diagnostic
from ...model.json_text import TooDeep, read_first
from ...model.source import Span
from .own_data import own_data
from .store import CaseRecord

SUFFIXES = (".json", ".jsonl", ".yaml", ".yml", *TEXTS)
MAX_TEXT = 200_000  # characters of a case that are kept; a long judgment has 50,000
MAX_FIELD = 300
_CHUNK = 1 << 20
_LARGEST = 16 << 20  # characters of one record
_SPACE = " \t\r\n"
_BETWEEN = _SPACE + "[,"


def read_cases(file: str, text: str) -> tuple[tuple[CaseRecord, ...], tuple[Diagnostic, ...]]:
    """The cases in a file and what is wrong with it. A text file is one case."""
    if file.lower().endswith(TEXTS):
        return _plain(file, text)
    data, problems = parse_data(file, text)
    if data is None:
        return (), problems
    if is_deep(data.value):
        return (), (diagnose.excessive_nesting(Span(file, 1, 1), depth=MAX_DEPTH),)
    values = data.value if isinstance(data.value, list) else [data.value]
    records: dict[str, CaseRecord] = {}
    bad = []
    for number, value in enumerate(values, 1):
        record = _record(value) if isinstance(value, dict) else None
        if record is None:
            place = data.place((number - 1,)) if isinstance(data.value, list) else Span(file, 1, 1)
            bad.append(diagnose.empty_library_case(place, n=number, severity="warning"))
        else:
            records[record.digest] = record
    if not records:
        bad = bad or [diagnose.empty_library_case(Span(file, 1, 1), n=1)]
    return tuple(records.values()), tuple(bad[:5])


def stream_cases(file: Path) -> Iterator[CaseRecord | Diagnostic]:
    """The cases of a JSON list or of JSON Lines of any size, in order. Raises OSError, UnicodeDecodeError."""
    with regular.text_reader(file, codec_of(encoding_of(regular.start(file, most=HEAD), cut=True))) as stream:
        buffer, line, n = stream.read(_CHUNK), 1, 0
        first = buffer.lstrip()[:1]
        while True:
            rest = buffer.lstrip(_BETWEEN if n or first == "[" else _SPACE)
            line += buffer.count("\n", 0, len(buffer) - len(rest))
            buffer = rest
            if not buffer or buffer == "]":
                if not (more := stream.read(_CHUNK)):
                    return
                buffer += more
                continue
            value, end, problem = _decoded(buffer, Span(str(file), line, 1))
            if problem is not None or end == len(buffer):  # it may go on
                more = stream.read(_CHUNK) if len(buffer) < _LARGEST else ""
                if more:
                    buffer += more
                    continue
            if problem is not None:
                yield problem
                return
            n += 1
            record = _record(value) if isinstance(value, dict) and not is_deep(value) else None
            yield record or diagnose.empty_library_case(Span(str(file), line, 1), n=n, severity="warning")
            line += buffer.count("\n", 0, end)
            buffer = buffer[end:]


def _decoded(text: str, place: Span) -> tuple[Any, int, Diagnostic | None]:
    try:
        return *read_first(text, 0), None
    except TooDeep:
        return None, 0, diagnose.excessive_nesting(place, depth=MAX_DEPTH)
    except json.JSONDecodeError as error:
        return None, 0, diagnose.invalid_json(place, detail=error.msg)


def _plain(file: str, text: str) -> tuple[tuple[CaseRecord, ...], tuple[Diagnostic, ...]]:
    from ...language.yaml.characters import whole

    problem = whole(file, text)
    if problem is not None:
        return (), (problem,)
    words = clean(text)
    if not words:
        return (), (diagnose.empty_library_case(Span(file, 1, 1), n=1),)
    title = words.split("\n", 1)[0].lstrip("# ").strip()
    return (_case({"title": title}, words),), ()


def _record(value: Mapping[str, Any]) -> CaseRecord | None:
    """A case, None where it has no words."""
    named = {field: _first(value, names) for field, names in _places().items()}
    text = "\n".join(_texts(value))
    return _case(named, text) if text.strip() else None


def _case(named: Mapping[str, str], text: str) -> CaseRecord:
    text = text[:MAX_TEXT]
    fields: dict[str, Any] = {field: " ".join(value.split())[:MAX_FIELD] for field, value in named.items()}
    fields["title"] = fields.get("title") or " ".join(text.split())[:40]
    digest = sha256("\0".join((*fields.values(), text)).encode("utf-8")).hexdigest()
    return CaseRecord(text=text, digest=digest, **fields)


@cache
def _places() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Field -> the places where it may stand, the likeliest first; each a path of names."""
    return {
        field: tuple(tuple(name.split(".")) for name in names)
        for field, names in own_data("case_fields.yaml")["fields"].items()
    }


def _first(value: Mapping[str, Any], places: tuple[tuple[str, ...], ...]) -> str:
    """The first of these fields that says anything."""
    for place in places:
        held: Any = value
        for name in place:
            held = held.get(name) if isinstance(held, dict) else None
        if isinstance(held, list):
            held = " ".join(text for text in held if isinstance(text, str))
        if isinstance(held, str) and not _is_nothing(held):
            return clean(held)
    return ""


def _texts(value: Any) -> Iterator[str]:
    """Every text of a record, in its order."""
    match value:
        case str() if not _is_nothing(value):
            yield clean(value)
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)


def _is_nothing(text: str) -> bool:
    return text.strip() in own_data("case_fields.yaml")["nothing"]
