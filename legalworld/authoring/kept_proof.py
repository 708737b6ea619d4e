"""The proof of a procedure, kept while only words are edited that no rule reads: cues, remarks, blank lines.

moved(kept, procedure, templates, read)     # what the rules would find now; None where they must be asked
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..model.diagnostics import Diagnostic
from ..model.holes import holes
from ..model.immutable import immutable, names_of, replace
from ..model.plan import StepInfo
from ..model.procedure import Procedure
from ..model.source import Span
from ..templates.template_set import TemplateSet

_CUE: Final = "cue"
_COUNTED: Final = frozenset({"lines"})
"""Fields of a procedure that say how it is written."""


@immutable
class KeptProof:
    """What the rules found in a procedure with its templates. `texts`: path -> text of all files that it is made of."""

    procedure: Procedure
    templates: TemplateSet
    texts: Mapping[str, str | None]
    problems: tuple[Diagnostic, ...]


@immutable
class LineMap:
    """Where the lines of a text stand in another one: the first `head` as they were, the last `tail` by their distance
    from the end, and what is between them nowhere. Counts of lines: `before` and `after`."""

    head: int
    tail: int
    before: int
    after: int

    def moved(self, line: int) -> int | None:
        if line <= self.head:
            return line
        return line + self.after - self.before if line > self.before - self.tail else None


def moved(
    kept: KeptProof, procedure: Procedure, templates: TemplateSet, read: Callable[[str], str | None]
) -> tuple[Diagnostic, ...] | None:
    """The problems of the kept proof at their places of now. None where a rule may find something else: the procedure
    differs in more than cues with the same holes, the templates are others, or a place cannot be told."""
    if templates is not kept.templates or not alike(kept.procedure, procedure):
        return None
    maps: dict[str, LineMap] = {}
    for path, text in kept.texts.items():
        now = read(path)
        if text is None or now is None:
            if text is not now:
                return None
        elif text != now:
            maps[path] = line_map(text, now)
    found = tuple(_problem(one, maps) for one in kept.problems)
    return None if None in found else tuple(one for one in found if one is not None)


def line_map(was: str, now: str) -> LineMap:
    """The lines that two texts share at their beginnings and at their ends."""
    before, after = was.split("\n"), now.split("\n")
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return LineMap(head, tail, len(before), len(after))


def _problem(problem: Diagnostic, maps: Mapping[str, LineMap]) -> Diagnostic | None:
    span = _span(problem.span, maps)
    also = tuple(_span(one, maps) for one in problem.also)
    if span is None or None in also or any(_tells_places(one) for one in problem.values.values()):
        return None
    return replace(problem, span=span, also=tuple(one for one in also if one is not None))


def _tells_places(value: object) -> bool:
    """Whether a value of a sentence may be a place, which would have to be moved too."""
    if isinstance(value, tuple | list | frozenset | set):
        return any(map(_tells_places, value))
    return not isinstance(value, str | bool)  # a number may be that of a line


def _span(span: Span, maps: Mapping[str, LineMap]) -> Span | None:
    if span.file not in maps:
        return span
    line = maps[span.file].moved(span.line)
    return None if line is None else replace(span, line=line)


# ---- equal but for words ---------------------------------------------------------------------------------------------


def alike(was: Any, now: Any) -> bool:
    """Whether two values of a procedure differ in nothing that a rule reads: in places and cues alone."""
    if was is now:
        return True
    kind = was.__class__
    if kind is not now.__class__:
        return False
    if kind is Span:
        return True
    if kind is tuple:
        return len(was) == len(now) and all(map(alike, was, now))
    if isinstance(was, Mapping):
        return list(was) == list(now) and all(map(alike, was.values(), now.values()))
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = _read_fields(kind)
    return all(map(alike, names(was), names(now))) if names else bool(was == now)


def _read_fields(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """How the fields of a class that rules read are taken, those that no two values of it are compared by, too."""
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    names = [name for name in names_of(kind) if name not in _COUNTED or kind is not Procedure]
    if kind is StepInfo:
        names.remove(_CUE)
        return lambda info: (holes(info.cue), *(getattr(info, name) for name in names))
    return lambda one: tuple(getattr(one, name) for name in names)


_NAMES: Final[dict[type, Callable[[Any], tuple[Any, ...]] | None]] = {}
