"""What is told of a procedure while somebody types: each problem once, none that only follows from a broken line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..language.schema import SpecSurface
from ..language.surface_reader import read_surface
from ..model.diagnostics import MORE, Diagnostic
from ..model.immutable import immutable, replace
from .picture import Picture, signature


@immutable
class Diagnosis:
    """What is told. `follow`: how many problems more there are that may follow from what could not be read.

    `proved`: whether the rules were asked too; they wait while an error stands.
    """

    problems: tuple[Diagnostic, ...]
    follow: int = 0
    proved: bool = False


def diagnostics(picture: Picture, main: str, proved: bool = True) -> Diagnosis:
    """What is wrong with a procedure, in all of its files. `proved`: the rules are asked too.

    While a line cannot be read, what else is found may follow from it: it is told if it stood before, else counted. A
    name that nobody declares is told where it stands first, with how often it is used.
    """
    linked = picture.linked(main)
    before = picture.stood_before(main)
    follow = [problem for problem in linked.follow if signature(problem) not in before]
    problems = (*linked.problems, *(problem for problem in linked.follow if signature(problem) in before))
    proof = picture.proof(main) if proved else None
    return Diagnosis((*_by_name(problems), *(proof or ())), len(follow), proof is not None)


def diagnostics_of(picture: Picture, path: str) -> tuple[Diagnostic, ...]:
    """What is wrong in one file: in each procedure that is made of it, each problem once; where there is none, what
    can be said of it alone."""
    homes = picture.homes(path)
    found = [problem for main in homes for problem in diagnostics(picture, main).problems]
    if not homes:
        found += read_surface(SpecSurface, picture, path)[1]
    return tuple(dict.fromkeys(problem for problem in found if problem.span.file == path))


def _by_name(problems: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Those that name the same thing in vain are one, which says how many they are."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, problem in enumerate(problems):
        name = problem.values.get("name")
        named = isinstance(name, str) and problem.severity == "error"
        groups.setdefault((problem.code, name) if named else number, []).append(problem)
    for first, *others in groups.values():
        yield replace(first, values={**first.values, MORE: len(others)}) if others else first
