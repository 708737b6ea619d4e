"""Whether a project after a change of a name is what it was before, up to that name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from ..checking.template_readers import CheckContext
from ..language.sentences.parser import Parser
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .occurrences import names_of
from .picture import Picture
from .rename_templates import NewName


def problems_of(picture: Picture, main: str) -> tuple[Diagnostic, ...]:
    """All that is wrong with a procedure, as far as it can be said."""
    linked = picture.linked(main)
    return (*linked.problems, *linked.follow, *(picture.proof(main) or ()))


def new_problems(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The problems of each code that was told less often before: the last of them."""
    left, found = [problem.code for problem in before], []
    for problem in after:
        if problem.code in left:
            left.remove(problem.code)
        else:
            found.append(problem)
    return tuple(found)


def same(before: Picture, after: Picture, main: str, wanted: NewName, moved: Mapping[str, str]) -> bool:
    """Whether a procedure has the same problems, names, parts and templates, each under its new name."""
    codes = [sorted(problem.code for problem in problems_of(one, main)) for one in (before, after)]
    names = [len(names_of(one, main).occurrences) for one in (before, after)]
    if codes[0] != codes[1] or names[0] != names[1]:
        return False
    old, new = before.linked(main).procedure, after.linked(main).procedure
    if old is None or new is None:
        return old is new
    return bool(_plain(old, wanted) == _plain(new, wanted)) and _same_templates(before, after, main, moved)


def _same_templates(before: Picture, after: Picture, main: str, moved: Mapping[str, str]) -> bool:
    """Whether everybody is given the same templates everywhere, those that moved under their new names."""
    if not before.linked(main).usable:
        return True
    used = []
    for picture in (before, after):
        procedure = picture.linked(main).procedure
        assert procedure is not None
        used.append([use.home for use in CheckContext(procedure, picture.templates(main)).uses])
    return sorted(moved.get(home, home) for home in used[0]) == sorted(used[1])


def _plain(value: Any, wanted: NewName) -> Any:
    """A value as nested tuples: without places in files, under the new name, sets and mappings in one order."""
    if isinstance(value, Span | Parser):
        return ()
    if isinstance(value, str):
        return wanted.word.sub(wanted.new, value)
    if isinstance(value, Enum) or value is None:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        names = (each.name for each in fields(value) if each.compare)
        return type(value).__name__, *(_plain(getattr(value, name), wanted) for name in names)
    if isinstance(value, tuple | list):
        return tuple(_plain(each, wanted) for each in value)
    if isinstance(value, Mapping):
        return tuple(sorted(((_plain(key, wanted), _plain(each, wanted)) for key, each in value.items()), key=repr))
    if isinstance(value, set | frozenset):
        return tuple(sorted((_plain(each, wanted) for each in value), key=repr))
    return value
