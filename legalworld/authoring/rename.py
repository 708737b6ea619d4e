"""A name changed wherever it stands, or not at all: every file is linked again before the edits are given out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..language import diagnose
from ..language.schema_of_tests import TEST_FILES
from ..language.sentences.keywords import is_keyword
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .edits import Cursor, Edit, Edits, Region
from .occurrences import Occurrence, names_of
from .picture import Picture

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[^\W\dA-Za-z_]+")
_ELSEWHERE: Final = (
    "prompts",
    "documents",
    "rubrics",
    "bindings",
    "interventions",
    "studies",
    "skills",
    "checks",
    "cases",
    "norms",
)
_SNAPSHOTS: Final = "snapshots"
_WAYS: Final = "ways.yaml"
_SPECS: Final = "specs"
MODELS: Final = "models.yaml"


def renamed(picture: Picture, cursor: Cursor, new: str) -> Edits:
    """The edits by which the name under a cursor becomes another one in all procedures that are made of the file.

    Refused, with the reason: no name stands there, the new one is none or is taken, the old one is declared twice or
    also stands where nobody can tell what it means (a template, a rubric), or something would be wrong afterwards.
    """
    at = Span(cursor.path, cursor.line, cursor.column)
    homes = picture.homes(cursor.path)
    here = next((one for main in homes if (one := names_of(picture, main).at(cursor)) is not None), None)
    if here is None:
        return Edits(why=diagnose.nothing_to_rename(at))
    if not _NAME.fullmatch(new) or is_keyword(new):
        return Edits(why=diagnose.unfit_name(at, name=new))
    mains = _mains(picture, homes, here.name)
    found = {one.span: one for main in mains for one in names_of(picture, main).of(here.name)}
    why = _hindered(picture, mains, tuple(found.values()), here, new)
    if why is not None:
        return Edits(why=why)
    edits = Edits(tuple(Edit(Region.of(span), new) for span in found if _says(picture, span) == _bare(here.name)))
    return edits if _same(picture, mains, edits) else Edits(why=diagnose.unfit_name(here.span, name=new))


def _mains(picture: Picture, homes: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The procedures that are made of any file in which the name stands, in them too."""
    mains: dict[str, None] = {}
    asked, files = [*homes], set[str]()
    while asked:
        if (main := asked.pop()) not in mains:
            mains[main] = None
            new = {one.span.file for one in names_of(picture, main).of(name)} - files
            files |= new
            asked += [other for file in sorted(new) for other in picture.homes(file)]
    return tuple(sorted(mains))


def _hindered(
    picture: Picture, mains: tuple[str, ...], found: tuple[Occurrence, ...], here: Occurrence, new: str
) -> Diagnostic | None:
    for main in mains:  # each may declare it for a part that they share
        declared = [one for one in names_of(picture, main).of(here.name) if one.declares]
        if len(declared) == 1:
            continue
        places = tuple(one.span for one in declared)
        return diagnose.rename_is_ambiguous(here.span, name=_bare(here.name), count=len(declared), also=places)
    taken = (one for main in mains for one in names_of(picture, main).occurrences if one.name == new)
    if (other := next(taken, None)) is not None:
        return diagnose.duplicate_name(here.span, name=new, also=(other.span,))
    if "@" not in here.name and (place := next(_elsewhere(picture, here.name), None)) is not None:
        return diagnose.rename_reaches_elsewhere(here.span, name=here.name, file=place)
    return None


def _elsewhere(picture: Picture, name: str) -> Iterator[str]:
    """Other files that bear the name or hold it as a word."""
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])" if name.isascii() else re.escape(name))
    for folder in _ELSEWHERE:
        for path in picture.names(folder):
            if word.search(path) or word.search(picture.read(path) or ""):
                yield path
    for path in picture.names(_SPECS):  # tests of a procedure lie beside it and are no part of it
        if path.endswith(TEST_FILES) and word.search(picture.read(path) or ""):
            yield path
    for path in picture.names(
        _SNAPSHOTS
    ):  # what a prompt says comes anew; by name are the paths and which ways are played
        if word.search(path) or (path.endswith(f"/{_WAYS}") and word.search(picture.read(path) or "")):
            yield path
    if word.search(picture.read(MODELS) or ""):
        yield MODELS


def _says(picture: Picture, span: Span) -> str:
    """What stands at a span; a title is left as it is."""
    lines = re.split(r"\r\n|\r|\n", (picture.read(span.file) or "").removeprefix("\ufeff"))
    return lines[span.line - 1][span.column - 1 : span.column - 1 + span.length] if span.line <= len(lines) else ""


def _bare(name: str) -> str:
    return name.partition("@")[0]


def _same(picture: Picture, mains: tuple[str, ...], edits: Edits) -> bool:
    """Whether every procedure has as many problems as before, of the same codes, and as many names."""
    after = picture
    texts = {path: picture.read(path) or "" for path in edits.files}
    for path, text in edits.applied(texts).items():
        after = after.replaced(path, text)
    return all(_shape(picture, main) == _shape(after, main) for main in mains)


def _shape(picture: Picture, main: str) -> object:
    linked = picture.linked(main)
    problems = (*linked.problems, *linked.follow, *(picture.proof(main) or ()))
    return sorted(problem.code for problem in problems), len(names_of(picture, main).occurrences)
