"""The cases of a set: read from their files, picked, sampled, with what a table beside them says of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Final

from ..batch.cases import cases_in
from ..files import spreadsheet
from ..files.project_files import Disk
from ..language import diagnose
from ..language.yaml.nodes import Scalar
from ..model.case import Case, Record, Sided, Value, texts
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.case_file import OpenedCase
from ..runs.project import Problems, Project
from .definition import CaseSample, CaseSet, Study
from .words import FIELD

_LISTS: Final = (".json", ".jsonl", ".jsonl.gz")


@immutable
class StudyCase:
    """A case of a study. `word`: as commands name it; `binding`: how it is read; `side`: what a table beside the cases
    says of it; `cluster`: what its scores depend on in common with those of others."""

    word: str
    binding: str
    case: Case
    side: Mapping[str, str] = field(default_factory=dict)
    cluster: str = ""

    def says(self, path: str) -> str:
        """Return what a field of the case, or the table beside it, says; "" for nothing."""
        if path in self.side:
            return self.side[path]
        return next(iter(_values(self.case, path)), "")


@immutable
class FoundCases:
    """The cases of a set, and why others are none. `needs`: why there is no set."""

    cases: tuple[StudyCase, ...] = ()
    problems: Problems = ()
    needs: str = ""


class CaseFinder:
    """Reads the sets of a study for one procedure; each once."""

    def __init__(self, study: Study, project: Project, disk: Disk, find: Callable[[str], Sequence[str]]) -> None:
        self.study = study
        self.project = project
        self.disk = disk
        self._files = find
        self._found: dict[str, FoundCases] = {}

    def cases(self, name: str) -> FoundCases:
        """Return the cases of a set, in the order of their files."""
        if name not in self._found:
            self._found[name] = self._made(self.study.cases[name])
        return self._found[name]

    def _made(self, one: CaseSet) -> FoundCases:
        whole = self._whole(one)
        if whole.needs:
            return whole
        away = {each.case.id for other in one.without for each in self.cases(other).cases}
        cases = [each for each in whole.cases if each.case.id not in away]
        problems = [*whole.problems]
        if one.join is not None:
            joined = self._joined(cases, *one.join)
            if isinstance(joined, Diagnostic):
                return FoundCases((), (*problems, joined))
            cases = joined
        if one.only is not None:
            path = one.only.fact.removeprefix(f"{FIELD} ")
            cases = [each for each in cases if one.only.takes(each.says(path))]
        cases = sampled(cases, one.sample) if one.sample is not None else cases
        if one.cluster:
            cases = [_with_cluster(each, one.cluster) for each in cases]
        if one.expect and one.expect != len(cases):
            found, expect = str(len(cases)), str(one.expect)
            problems.append(diagnose.other_count_of_cases(one.span, name=one.name, found=found, expect=expect))
        return FoundCases(tuple(cases), tuple(problems))

    def _whole(self, one: CaseSet) -> FoundCases:
        """What a set takes its cases from, before any is picked."""
        if one.needs:
            return FoundCases(needs=one.needs)
        parts = [self.cases(name) for name in one.part_of]
        lacking = next((part.needs for part in parts if part.needs), "")
        if lacking:
            return FoundCases(needs=lacking)
        absent = [word.text for word in one.files if not self._files(word.text)]
        if absent:
            return FoundCases(needs=absent[0])
        binding = one.binding.text if one.binding is not None else ""
        cases: dict[str, StudyCase] = {}
        problems: list[Diagnostic] = []
        for found in (*self._read(one, binding), *(each for part in parts for each in part.cases)):
            if isinstance(found, StudyCase):
                cases.setdefault(found.case.id, found)
            else:
                problems += found
        return FoundCases(tuple(cases.values()), tuple(problems))

    def _read(self, one: CaseSet, binding: str) -> Iterator[StudyCase | Problems]:
        for word in one.files:
            for file in self._files(word.text):
                numbered = file.lower().endswith(_LISTS)
                found = cases_in(self.project, (file,), binding, Path(self.disk.root or "."))
                for number, each in enumerate(found, 1):
                    if isinstance(each.matter, OpenedCase):
                        yield StudyCase(f"{file}#{number}" if numbered else file, binding, each.matter.case)
                    else:
                        yield each.matter

    def _joined(self, cases: Sequence[StudyCase], word: Scalar, key: str) -> list[StudyCase] | Diagnostic:
        """The cases with what a table says of them; a line of no case counts for nothing."""
        lines = _side_table(word, key, next(iter(self._files(word.text)), word.text))
        if isinstance(lines, Diagnostic):
            return lines
        told = []
        for one in cases:
            value = one.case.id if key == "id" else one.says(key)
            told.append(StudyCase(one.word, one.binding, one.case, {**one.side, **lines.get(value, {})}, one.cluster))
        return told


def _side_table(word: Scalar, key: str, file: str) -> Mapping[str, Mapping[str, str]] | Diagnostic:
    """Key -> the other columns of its line; a key that stands twice says two things of a case."""
    found: dict[str, Mapping[str, str]] = {}
    first: dict[str, int] = {}
    try:
        grid = next((grid for grid in spreadsheet.read(Path(file)).grids if len(grid.rows) > 1), None)
    except OSError:
        grid = None
    heads = [head.strip() for head in grid.rows[0][1]] if grid is not None else []
    if grid is None or key not in heads:
        return diagnose.side_table_without_key(word.span, name=word.text, key=key)
    for number, row in grid.rows[1:]:
        line = dict(zip(heads, (cell.strip() for cell in row), strict=False))
        value = line.pop(key, "")
        if value in found:
            before, again = str(first[value]), str(number)
            return diagnose.side_table_twice(word.span, name=word.text, key=value, first=before, again=again)
        found[value], first[value] = line, number
    return found


def _with_cluster(one: StudyCase, path: str) -> StudyCase:
    return StudyCase(one.word, one.binding, one.case, one.side, one.says(path))


def sampled(cases: Sequence[StudyCase], sample: CaseSample) -> list[StudyCase]:
    """Return a sample in the order of the cases: of each group those with the least SHA-256 of seed and id, so that
    another case beside them changes nothing in the order of these."""
    groups: dict[str, list[StudyCase]] = {}
    for one in cases:
        groups.setdefault(one.says(sample.per) if sample.per else "", []).append(one)
    drawn: set[str] = set()
    for group in groups.values():
        ranked = sorted(group, key=lambda one: sha256(f"{sample.seed}\0{one.case.id}".encode()).hexdigest())
        count = sample.count or math.ceil(len(group) * sample.share / 100)
        drawn |= {one.case.id for one in ranked[:count]}
    return [one for one in cases if one.case.id in drawn]


def related(name: str, sets: Mapping[str, CaseSet]) -> frozenset[str]:
    """Return the sets that are made of the same cases as one: what it is part of, and what is part of that."""
    found = {name}
    while more := {
        other
        for one in sets.values()
        for other in (one.name, *one.part_of)
        if other not in found and (one.name in found or found.intersection(one.part_of))
    }:
        found |= more
    return frozenset(found)


def values_at(case: Case, path: str) -> list[Value]:
    """Return what stands at a path of a case (a field, and keys of its records); the entries of a list one by one."""
    name, *keys = path.split(".")
    value = case.fields.get(name, case.sealed.get(name))
    below = list(value.values.values()) if isinstance(value, Sided) else [value] if value is not None else []
    for key in keys:
        below = [inner for each in below for inner in _inner(each, key)]
    return [one for each in below for one in _entries(each)]


def _values(case: Case, path: str) -> Iterator[str]:
    """The texts that stand at a path of a case."""
    for each in values_at(case, path):
        yield from filter(None, (text.strip() for text in texts(each)))


def _entries(value: Value) -> tuple[Value, ...]:
    """A list, or one thing that stands for a list of one; nothing where there is none."""
    entries = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in entries if any(text.strip() for text in texts(one)))


def _inner(value: Value, key: str) -> list[Value]:
    if isinstance(value, Record):
        return [value[key]] if key in value else []
    return [found for each in value for found in _inner(each, key)] if isinstance(value, tuple) else []
