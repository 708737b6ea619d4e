"""Problems as text: place, sentence, source line with a caret, repair. All sentences live in `messages/*.toml`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal

from ..model.diagnostics import Diagnostic
from ..model.source import Span

Locale = Literal["zh", "en"]

_WIDEST: Final = 100  # columns of a source line that are shown
_CODE = re.compile(r"LW\d{3}")
_CHINESE = re.compile("[\u3001-\u3020\u4e00-\u9fff\uff01-\uff60]")  # most of what is shown; wcwidth knows the rest
_TAB: Final = "\u21e5   "  # a tab that can be seen
_CONTROL_PICTURES: Final = 0x2400


def render(problems: Iterable[Diagnostic], text_of: Callable[[str], str | None], locale: Locale) -> str:
    """All problems in order of file, line and column, a blank line between them; "" for none.

    `text_of` gives the text of a file, or None where it cannot be shown. The result is safe to print: control
    characters, bidirectional overrides and undecodable bytes of the sources appear as visible symbols.
    """
    lines: dict[str, list[str]] = {}
    blocks = []
    for problem in _sorted(problems):
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
        for problem in _sorted(problems)
    ]


def message(problem: Diagnostic, locale: Locale) -> str:
    """The sentence, with the nearest valid name asked for."""
    sentence = _filled(problem, locale, "")
    if problem.nearest is None:
        return sentence
    words = _words(locale)
    return sentence.rstrip(words["end"]) + words["nearest"].format(name=visible(problem.nearest))


def repair(problem: Diagnostic, locale: Locale) -> str:
    """What to do about it; "" for a code of which the catalogue has no entry."""
    return _filled(problem, locale, "help_")


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant, if any is close: two thirds of a short name, letter case apart."""
    from difflib import SequenceMatcher

    folded = _folded(name)
    matcher = SequenceMatcher(b=folded, autojunk=False)
    best: tuple[float, str] | None = None
    for candidate in sorted(set(candidates)):
        matcher.set_seq1(_folded(candidate))
        if matcher.real_quick_ratio() < 0.6 or matcher.quick_ratio() < 0.6:
            continue
        score = matcher.ratio()
        if score >= 0.6 and (best is None or score > best[0]):
            best = (score, candidate)
    return None if best is None else best[1]


def visible(text: str) -> str:
    """The text with everything that could move the cursor, or hide, replaced by a symbol for it."""
    if text.isprintable():
        return text
    return "".join(map(_symbol, text))


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Code -> its sentences, from all files of `messages`. A code defined twice is our bug: ValueError."""
    found: dict[str, Mapping[str, str]] = {}
    for table in _tables().values():
        for code, entry in table.items():
            if _CODE.fullmatch(code):
                if code in found:
                    raise ValueError(f"{code} is defined twice")
                found[code] = entry
    return found


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    import tomllib
    from importlib import resources

    folder = resources.files(__package__.partition(".")[0]) / "wording" / "diagnostics"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name: tomllib.loads(file.read_text("utf-8")) for file in files}


def _words(locale: Locale) -> Mapping[str, str]:
    words: Mapping[str, str] = _tables()["diagnostics.toml"]["words"][locale]
    return words


class _Holes(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"  # a message with a hole is better than no message


def _filled(problem: Diagnostic, locale: Locale, prefix: str) -> str:
    entry = catalogue().get(problem.code, {})
    words = _words(locale)
    holes = _Holes({name: visible(_worded(value, words)) for name, value in problem.values.items()})
    return entry.get(prefix + locale, "").format_map(holes)


def _worded(value: object, words: Mapping[str, str]) -> str:
    if isinstance(value, (tuple, list, set, frozenset)):
        parts = value if isinstance(value, (tuple, list)) else sorted(value, key=str)
        return words["between"].join(map(str, parts)) if parts else words["none"]
    return str(value)


def _sorted(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
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
    if 0 < span.line <= len(lines) and lines[span.line - 1].strip():
        parts += _pointed(lines[span.line - 1], span)
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


def _pointed(line: str, span: Span) -> list[str]:
    """The source line, cut around the place if it is long, and below it a caret under each column of the place."""
    start = min(max(span.column - 1, 0), len(line))
    end = min(start + span.length, len(line))
    cells = [(symbol, _width(symbol)) for symbol in map(_symbol, line.rstrip(" \t"))]
    first, last = _window([width for _, width in cells], start, max(end, start + 1))
    shown = "".join(symbol for symbol, _ in cells[first:last])
    before = "\u2026" if first else ""
    indent = len(before) + sum(width for _, width in cells[first:start])
    carets = sum(width for _, width in cells[start : min(end, last)])
    after = "\u2026" if last < len(cells) else ""
    return [f"{before}{shown}{after}\n", " " * indent + "^" * max(carets, 1) + "\n"]


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


def _symbol(character: str) -> str:
    if character.isprintable() or character == "\u3000":
        return character
    point = ord(character)
    if character == "\t":
        return _TAB
    if point < 0x20:
        return chr(_CONTROL_PICTURES + point)
    if point == 0x7F:
        return "\u2421"
    if unicodedata.category(character) == "Cs":
        return "\ufffd"  # a byte that is no UTF-8
    return " " if unicodedata.category(character) == "Zs" else f"<U+{point:04X}>"


def _width(symbol: str) -> int:
    """Columns on a terminal; Chinese characters take two."""
    if symbol.isascii():
        return len(symbol)
    if _CHINESE.fullmatch(symbol):
        return 2
    if "\u2010" <= symbol <= "\u2027":  # dashes and quotation marks
        return 1
    from wcwidth import wcswidth

    return max(wcswidth(symbol), 0)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace("-", "_").replace(" ", "_")[:80]
