"""Sets of cases as they are declared: files, parts of other sets, samples, tables beside them."""

from __future__ import annotations

from collections.abc import Mapping

from ..language import diagnose
from ..language.surface_reader import text_of
from ..language.yaml.nodes import Scalar
from .definition import CaseSample, CaseSet
from .names import NameReader
from .surfaces import CaseSetSurface
from .words import matched

_SAMPLES = ("20 seed 1", "6 per FIELD seed 1", "10 % seed 1")


def case_sets(surfaces: Mapping[str, CaseSetSurface], reader: NameReader) -> dict[str, CaseSet]:
    """Return every set by its name."""
    found = {name: _set(name, surface, surfaces, reader) for name, surface in surfaces.items()}
    for name, one in found.items():
        path = _circle(name, found)
        if path:
            reader.report(diagnose.study_circle(one.span, name=name, path=" > ".join(path)))
    return found


def _set(name: str, surface: CaseSetSurface, all_sets: Mapping[str, object], reader: NameReader) -> CaseSet:
    if not (surface.from_ or surface.part_of or surface.needs):
        choices = ("from", "part of", "needs")
        reader.report(diagnose.incomplete_study_part(surface.span, name=name, known=choices, nearest=None))
    return CaseSet(
        name,
        surface.span,
        surface.from_,
        surface.binding,
        reader.listed(surface.part_of, all_sets, "cases"),
        reader.listed(surface.without, all_sets, "cases"),
        reader.filter(surface.only, of_cases=True),
        _sample(surface.sample, reader),
        _join(surface.join, reader),
        text_of(surface.cluster),
        reader.whole_number(surface.expect, 0),
        text_of(surface.needs),
    )


def _sample(word: Scalar | None, reader: NameReader) -> CaseSample | None:
    if word is None:
        return None
    found = matched("sample", word.text)
    if found is None:
        reader.unreadable(word, "sample", _SAMPLES)
        return None
    return CaseSample(int(found["count"] or 0), float(found["share"] or 0), found["per"] or "", int(found["seed"]))


def _join(word: Scalar | None, reader: NameReader) -> tuple[Scalar, str] | None:
    if word is None:
        return None
    found = matched("join", word.text)
    if found is None:
        reader.unreadable(word, "join", ("FILE.csv by FIELD",))
        return None
    return Scalar(found["file"], word.span.shifted(found.start("file"), len(found["file"]))), found["key"]


def _circle(name: str, sets: Mapping[str, CaseSet]) -> tuple[str, ...]:
    """The way by which a set comes back to itself; () for none."""
    waiting: list[tuple[str, ...]] = [(name,)]
    while waiting:
        path = waiting.pop()
        here = sets.get(path[-1])
        for other in (*here.part_of, *here.without) if here is not None else ():
            if other == name:
                return (*path, other)
            if other not in path:
                waiting.append((*path, other))
    return ()
