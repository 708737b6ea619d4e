"""YAML text to nodes that know their place: every scalar is text as written, nothing is converted.

Tags, anchors, aliases and merge keys are refused, and so is text that runs on to the next line or that a `#` cuts
short: what the author sees is what the procedure gets. A file with problems still gives the best tree that could be
made of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, Final

from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from .. import diagnose
from ..cascades import folded
from . import characters
from .nodes import Builder, Node, Scalar, Text
from .parser import events
from .repairs import leave_out, shortened

_MAX_FAULTS: Final = 20  # places that not even `traps` can explain: each is left out, and the rest read again
_SOMETHING = re.compile(r"^[^\S\n]*[^\s#]", re.MULTILINE)
_SWALLOWING = re.compile(r"[ \t]#[^\s]")
_FAULTS: Final = (  # words of libyaml or ruamel -> problem; the first that fits
    ("tab character", diagnose.unusual_whitespace),
    ("unexpected ':'", diagnose.missing_space_after_colon),
    ("mapping values are not allowed", diagnose.second_colon),
    ("could not find expected ':'", diagnose.neither_key_nor_item),
    ("quoted scalar", diagnose.malformed_quotes),
    ("double-quoted", diagnose.malformed_quotes),
    ("%", diagnose.yaml_document_marker),
    ("directive", diagnose.yaml_document_marker),
    ("document start", diagnose.yaml_document_marker),
    ("alias", diagnose.yaml_tag_or_anchor),
    ("anchor", diagnose.yaml_tag_or_anchor),
    ("tag", diagnose.yaml_tag_or_anchor),
    ("start any token", diagnose.unquoted_indicator),
    ("block scalar", diagnose.unquoted_indicator),
    ("block mapping", diagnose.invalid_indentation),
    ("block collection", diagnose.invalid_indentation),
    ("block sequence", diagnose.invalid_indentation),
)


def read(path: str, text: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """The tree of one file and all problems found in it, in order of place.

    `text` may hold undecodable bytes as lone surrogates (`errors="surrogateescape"`). The tree is None where nothing
    could be read; with problems of severity error it is a best guess. Positions do not count a byte order mark.
    """
    unreadable = characters.whole(path, text)
    if unreadable is not None:
        return None, (unreadable,)
    text, problems = characters.visible(path, text)
    if not _SOMETHING.search(text):
        return None, (*problems, diagnose.empty_file(Span(path, 1, 1)))
    lines = text.split("\n")
    tree = _compose(Text(path, lines, lines), text)
    if tree.fault is None and not tree.suspect:
        if isinstance(tree.root, Scalar) and tree.root.empty:  # nothing but `---`
            return None, (*problems, diagnose.empty_file(Span(path, 1, 1)))
        return tree.root, _in_order((*problems, *tree.problems))
    root, found = _read_mended(path, lines)
    return root, folded(_in_order((*problems, *found)))


def _in_order(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by place, each code once per place."""
    unique = {(problem.code, problem.span): problem for problem in problems}
    return tuple(sorted(unique.values(), key=lambda problem: (problem.span.line, problem.span.column, problem.code)))


# ---- mended reading --------------------------------------------------------------------------------------------------


def _read_mended(path: str, written: list[str]) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """Read with the known traps mended, and with lines left out that YAML still does not take."""
    from .traps import mend  # most files never need it

    mended = mend(path, written)
    source = Text(path, mended.lines, written, mended.edits)
    problems = list(mended.problems)
    known = {problem.span.line for problem in problems}
    tree = _compose(source, "\n".join(source.lines))
    for _ in range(_MAX_FAULTS):
        if tree.fault is None:
            return tree.root, (*problems, *tree.problems)
        line = tree.fault.span.line
        if line not in known:
            problems.append(tree.fault)
        left_out = leave_out(source.lines, line - 1 if tree.bracket is None else tree.bracket)
        if not left_out:
            break
        known.update(number + 1 for number in left_out)
        tree = _compose(source, "\n".join(source.lines))
    return None, (*problems, *tree.problems)


# ---- one pass of the parser ------------------------------------------------------------------------------------------


@immutable
class _Tree:
    """`suspect`: well-formed, but not what it looks like, so that another trap may be behind it.

    `bracket`: the line where the bracket began that was open when the fault was met.
    """

    root: Node | None
    problems: tuple[Diagnostic, ...]
    fault: Diagnostic | None
    suspect: bool
    bracket: int | None


def _compose(source: Text, text: str) -> _Tree:
    from ruamel.yaml.error import YAMLError

    builder = Builder(source)
    fault: Diagnostic | None = None
    try:
        for event in events(text):
            if not builder.take(event):
                break
    except YAMLError as error:
        fault = _translated(source, error, builder.at)
    except ValueError as error:  # both parsers let escapes through that are no characters, as in `!%ff`
        fault = _fault(source, diagnose.invalid_yaml, builder.at, str(error))
    cut_short = _cut_short(source, text, builder.opaque, len(source.lines) if fault is None else fault.span.line - 1)
    suspect = builder.ragged or bool(cut_short)
    return _Tree(builder.root, (*builder.problems, *cut_short), fault, suspect, builder.bracket)


def _translated(source: Text, error: Any, at: tuple[int, int]) -> Diagnostic:
    """A parser's complaint in our terms. Its own words come last: they name the state of the parser, not the cause."""
    problem, context = getattr(error, "problem", None) or "", getattr(error, "context", None) or ""
    mark = getattr(error, "problem_mark", None)
    begun = getattr(error, "context_mark", None) or mark
    words = f"{problem} {context}"
    kind = next((kind for sign, kind in _FAULTS if sign in words), diagnose.invalid_yaml)
    place = begun if kind in (diagnose.malformed_quotes, diagnose.neither_key_nor_item) else mark
    if place is not None:
        at = (place.line, place.column)
    return _fault(source, kind, at, problem or str(error), begun.column + 1 if begun is not None else 1)


def _fault(source: Text, kind: diagnose.AnyKind, at: tuple[int, int], detail: str, column: int = 1) -> Diagnostic:
    line = min(at[0], len(source.lines) - 1)
    written = source.lines[line]
    end = len(written.rstrip())
    text = written[at[1] : end] if at[0] == line else ""
    key = re.split(r"[\s,{\[]", written[: at[1]])[-1]
    told = {  # whichever of it the sentences of this kind name
        "key": shortened(key),
        "detail": detail,
        "text": shortened(text),
        "mark": text[:1],
        "repair": shortened(
            re.split(r"[,\]}]", f"{key}: {text[1:]}")[0] if kind is diagnose.missing_space_after_colon else f'"{text}"'
        ),
        "columns": (column,),
        "character": ("Tab",),
        "count": 1,
    }
    start = min(at[1], end) if at[0] == line else end
    return kind(source.span(line, start, end), **told)


def _cut_short(source: Text, text: str, opaque: list[tuple[int, int, int, int]], stop: int) -> tuple[Diagnostic, ...]:
    """A `#` without a space behind it, after a value: what follows was meant as text.

    `opaque`: quotations and blocks, in order, in which a `#` is only a character. Lines from `stop` on are left out.
    """
    if not _SWALLOWING.search(text):
        return ()
    problems: list[Diagnostic] = []
    for number, line in enumerate(source.lines[:stop]):
        start = line.find("#", len(line) - len(line.lstrip()) + 1)
        while start > 0:
            place = bisect_right(opaque, (number, start, len(source.lines), 0)) - 1
            quoted = place >= 0 and (number, start) < opaque[place][2:]
            if line[start - 1] in " \t" and not quoted and not line.lstrip().startswith("#"):
                if line[start + 1 : start + 2].strip():
                    problems.append(
                        diagnose.unquoted_hash(
                            source.span(number, start, len(line.rstrip())), text=shortened(line[start:].rstrip())
                        )
                    )
                break
            start = line.find("#", start + 1)
    return tuple(problems)
