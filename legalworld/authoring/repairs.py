"""What a message proposes, as an edit: the nearest name, a colon that is none. Each is tried before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from .edits import Edit, Edits, Region
from .picture import Picture, Signature, signature

_COLONS: Final = diagnose.codes_of(diagnose.fullwidth_colon, diagnose.missing_space_after_colon)


@immutable
class Repair:
    """An edit after which a problem is gone, and no error is new."""

    diagnostic: Diagnostic
    edits: Edits


def repairs(picture: Picture, main: str, path: str, line: int) -> tuple[Repair, ...]:
    """The repairs of what is wrong with a procedure on one line of a file."""
    linked = picture.linked(main)
    before = (*linked.problems, *linked.follow)
    here = (problem for problem in before if (problem.span.file, problem.span.line) == (path, line))
    offered = ((problem, edit) for problem in here for edit in _proposed(problem))
    return tuple(Repair(p, Edits((edit,))) for p, edit in offered if _mends(picture, main, p, edit, before))


def _proposed(problem: Diagnostic) -> Iterator[Edit]:
    region = Region.of(problem.span)
    if problem.nearest is not None and problem.span.length:
        yield Edit(region, problem.nearest)
    if problem.code in _COLONS:
        yield Edit(region, f"{problem.values['key']}: ")


def _mends(picture: Picture, main: str, problem: Diagnostic, edit: Edit, before: tuple[Diagnostic, ...]) -> bool:
    path = edit.region.path
    text = picture.read(path)
    if text is None:
        return False
    changed = Edits((edit,)).applied({path: text})[path]
    linked = picture.replaced(path, changed).linked(main)
    errors = _errors(linked.problems)
    return signature(problem) not in errors and errors <= _errors(before) and not linked.follow


def _errors(problems: tuple[Diagnostic, ...]) -> frozenset[Signature]:
    return frozenset(signature(problem) for problem in problems if problem.severity == "error")
