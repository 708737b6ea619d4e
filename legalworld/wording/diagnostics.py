"""Writes problems for people: place, sentence, source line with a caret, repair; and the same as JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from ..language import diagnose
from ..language.secrets import masked
from ..model.diagnostics import MORE, Diagnostic
from ..model.source import Span
from . import Locale, fill, read_toml
from .columns import symbol, visible, width

_WIDEST: Final = 100  # columns of a source line that are shown
_NEAR: Final = 4096  # characters on each side of a place that are looked at for them
_CODE = re.compile(r"LW\d{3}")
# The line of the source may hold a key.
UNQUOTED: Final = diagnose.codes_of(diagnose.key_in_file, diagnose.invalid_key_variable, diagnose.unreadable_env_line)


def render(problems: Iterable[Diagnostic], text_of: Callable[[str], str | None], locale: Locale) -> str:
    """All problems in order of file, line and column, a blank line between them; "" for none.

    `text_of` gives the text of a file, or None where it cannot be shown. The result is safe to print: control
    characters, bidirectional overrides and undecodable bytes of the sources appear as visible symbols.
    """
    lines: dict[str, list[str]] = {}
    blocks = []
    for problem in in_order(problems):
        path = problem.span.file
        if path not in lines:
            lines[path] = _lines(text_of(path))
        blocks.append(_block(problem, lines[path], locale))
    return "\n".join(blocks)


def as_json(problems: Iterable[Diagnostic], locale: Locale) -> list[dict[str, object]]:
    """The same problems as plain data, one mapping each; spans as file, line, column, length."""
    return [
        {
            "code": problem.code,
            "severity": problem.severity,
            **_place(problem.span),
            "message": message(problem, locale),
            "help": repair(problem, locale),
            "nearest": problem.nearest,
            "also": [_place(span) for span in problem.also],
        }
        for problem in in_order(problems)
    ]


def message(problem: Diagnostic, locale: Locale) -> str:
    """The sentence, with the nearest valid name asked for."""
    sentence, words = _filled(problem, locale, ""), _words(locale)
    if problem.nearest is not None:
        sentence = sentence.rstrip(words["end"]) + fill(words["nearest"], {"name": visible(problem.nearest)})
    if more := problem.values.get(MORE):
        sentence = sentence.rstrip(words["end"]) + fill(words["more"], {"count": str(more)})
    return sentence


def repair(problem: Diagnostic, locale: Locale) -> str:
    """What to do about it; "" for a code of which the catalogue has no entry."""
    return _filled(problem, locale, "help_")


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Code -> its sentences, from all files of `diagnostics/`. A code defined twice is our bug: ValueError."""
    entries: dict[str, Mapping[str, str]] = {}
    for file in sorted(os.listdir(os.path.join(os.path.dirname(__file__), "diagnostics"))):
        for code, entry in read_toml(f"diagnostics/{file}").items():
            if _CODE.fullmatch(code):
                if code in entries:
                    raise ValueError(f"{code} is defined twice")
                entries[code] = entry
    return entries


def explanation(code: str, locale: Locale) -> dict[str, str]:
    """What a code of the catalogue means: its name, severity, sentence and repair, with their holes as 〔names〕."""
    entry = catalogue()[code]
    severity = entry.get("severity", "error")
    said = {"message": _with_holes(entry[locale]), "help": _with_holes(entry.get(f"help_{locale}", ""))}
    warning = _words(locale)["warning"] if severity == "warning" else ""
    return {"code": code, "name": entry["name"], "severity": severity, **said, "message": warning + said["message"]}


def _with_holes(sentence: str) -> str:
    return re.sub(r"\{\{|\}\}|\{(\w+)\}", lambda hole: f"〔{hole[1]}〕" if hole[1] else hole[0][0], sentence)


def _words(locale: Locale) -> Mapping[str, str]:
    words: Mapping[str, str] = read_toml("diagnostics/diagnostics.toml")["words"][locale]
    return words


def _filled(problem: Diagnostic, locale: Locale, prefix: str) -> str:
    entry = catalogue().get(problem.code, {})
    words = _words(locale)
    values = {name: visible(_worded(_in(value, locale), words)) for name, value in problem.values.items()}
    return fill(entry.get(prefix + locale, ""), values)


def _in(value: object, locale: Locale) -> object:
    """Return a value that an author gave by language in that of the reader; in its first one where it lacks that."""
    return value.get(locale, next(iter(value.values()))) if isinstance(value, Mapping) and value else value


def _worded(value: object, words: Mapping[str, str]) -> str:
    if isinstance(value, (tuple, list, set, frozenset)):
        parts = value if isinstance(value, (tuple, list)) else sorted(value, key=str)
        return words["between"].join(map(str, parts)) if parts else words["none"]
    return str(value)


def in_order(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Problems as they stand: by file, line, column and code."""
    return sorted(
        problems, key=lambda problem: (problem.span.file, problem.span.line, problem.span.column, problem.code)
    )


def _place(span: Span) -> dict[str, object]:
    return {"file": span.file, "line": span.line, "column": span.column, "length": span.length}


def _lines(text: str | None) -> list[str]:
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")) if text is not None else []


def _block(problem: Diagnostic, lines: list[str], locale: Locale) -> str:
    words, span = _words(locale), problem.span
    warning = words["warning"] if problem.severity == "warning" else ""
    parts = [f"{_where(span)}: {problem.code} {warning}{message(problem, locale)}\n"]
    if 0 < span.line <= len(lines) and lines[span.line - 1].strip() and problem.code not in UNQUOTED:
        line, cut = _near(lines[span.line - 1], span)
        parts += _pointed(masked(line), replace(span, column=span.column - cut))
    advice = repair(problem, locale)
    if advice:
        parts.append(f"{words['help']}{advice}\n")
    if problem.also:
        parts.append(words["also"] + words["between"].join(map(_where, problem.also)) + "\n")
    return "".join(parts)


def _where(span: Span) -> str:
    """FILE:LINE:COLUMN; what has no lines (an option, a folder) by its name alone."""
    file = visible(span.file)
    return f"{file}:{span.line}:{span.column}" if span.line else file


def _near(line: str, span: Span) -> tuple[str, int]:
    """What may be shown of a line that can have any length, and how many characters before it are left out."""
    start = max(min(span.column, len(line)) - _NEAR, 0)
    return line[start : start + 2 * _NEAR], start


def _pointed(line: str, span: Span) -> list[str]:
    """The source line, cut around the place if it is long, and below it a caret under each column of the place."""
    start = min(max(span.column - 1, 0), len(line))
    end = min(start + span.length, len(line))
    cells = [(shown, width(shown)) for shown in map(symbol, line.rstrip(" \t"))]
    first, last = _window([width for _, width in cells], start, max(end, start + 1))
    excerpt = "".join(shown for shown, _ in cells[first:last])
    before = "\u2026" if first else ""
    indent = len(before) + sum(width for _, width in cells[first:start])
    carets = sum(width for _, width in cells[start : min(end, last)])
    after = "\u2026" if last < len(cells) else ""
    return [f"{before}{excerpt}{after}\n", " " * indent + "^" * max(carets, 1) + "\n"]


def _window(widths: list[int], start: int, end: int) -> tuple[int, int]:
    """Indices of the stretch to show: the whole line if it fits, else the place with what fits around it."""
    if sum(widths) <= _WIDEST:
        return 0, len(widths)
    first, room = min(start, len(widths)), max(_WIDEST - sum(widths[start:end]), 0) // 2
    while first and widths[first - 1] <= room:
        first -= 1
        room -= widths[first]
    last, room = first, _WIDEST
    while last < len(widths) and widths[last] <= room:
        room -= widths[last]
        last += 1
    return first, last
