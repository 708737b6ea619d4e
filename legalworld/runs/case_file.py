"""What a command names as a case, opened and bound to the procedure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ..binding.bind import bind, detect, records_of
from ..binding.casefile import Data, complete_records, is_native, parse_data
from ..binding.file import load_binding
from ..binding.overrides import profiled
from ..binding.paths import named_keys, records_at
from ..binding.rules import Binding
from ..engine.casting import cast, strange_names
from ..engine.interruptions import unknown_places
from ..files.project_files import Disk, find
from ..language import diagnose
from ..language.spelling import nearest
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure, places
from ..model.source import MemorySources, Span
from .amendment_remarks import told_of_amendments
from .answers_given import NONE_GIVEN, AnswersGiven, answers_in_case, read_answers
from .other_bindings import fitting
from .project import Problems, Project, located
from .table_cases import is_table, joined, table_data
from .totals import OUTCOME, written_total

ROOT: Final = "$"
_BINDINGS_KEPT: Final = 64
"""Of so many procedures the bindings are kept; a check of a folder asks all of a project, for one file after another.

With fewer than a project has, those of each would be gone when it is asked again."""
_LACKING: Final = diagnose.codes_of(diagnose.missing_required_field, diagnose.unrecognized_case_format)


@immutable
class OpenedCase:
    """A case that was opened: with the bare name of its file, and of the binding it was read by ("" = none).

    `problems` are warnings; `answers`: those that it gives to the offline actors.
    """

    case: Case
    file: str
    binding: str
    problems: Problems = ()
    answers: AnswersGiven = NONE_GIVEN


@immutable
class CaseFile:
    """A case file that was read: its data, and the binding by which it is a case (None: the project's own format)."""

    disk: Disk
    path: str
    data: Data
    binding: Binding | None
    problems: Problems = ()


def open_case(
    project: Project, word: str, binding: str, settings: Mapping[str, str], cwd: Path, *, start: str = ""
) -> OpenedCase | Problems:
    """The case that `word` names (`FILE` or `FILE#N`), bound to the procedure. `start`: the stage that its run begins
    at, "" for the first."""
    name, mark, number = word.partition("#")
    if mark and not number.isdecimal():
        return (diagnose.invalid_record_number(word, word=word),)
    record = int(number) if mark else None
    if record is None:
        file = open_case_file(project, name, binding, cwd)
    else:
        file = open_record_file(project, name, record, binding, cwd)
    if isinstance(file, tuple):
        return file
    found = bound_case(project, begun_at(project, file, start), record, settings, cwd)
    return (*found, *_other_bindings(project, file, record, found)) if isinstance(found, tuple) else found


def _other_bindings(project: Project, file: CaseFile, record: int | None, problems: Problems) -> Problems:
    """What else would read a record that lacks what the procedure needs."""
    lacking = next((problem for problem in problems if problem.code in _LACKING), None)
    if lacking is None:
        return ()
    tried = file.binding.name if file.binding is not None else ""
    found = dict(fitting(project.sources, file.data, record or 1, tried))
    names, procedures = tuple(found), tuple(dict.fromkeys(found.values()))
    return (diagnose.record_of_other_binding(lacking.span, bindings=names, procedures=procedures),) if found else ()


def open_case_file(project: Project, name: str, binding: str, cwd: Path) -> CaseFile | Problems:
    """The file that `name` names, read whole, with the binding that fits it."""
    file = read_case_file(name, cwd)
    return file if isinstance(file, tuple) else fitted(project, file, binding, cwd)


def read_case_file(name: str, cwd: Path) -> CaseFile | Problems:
    """The file that `name` names, read whole; no procedure has been asked by which binding it reads it."""
    place = find("cases", name, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    disk, path = place
    data, problems = _data_of(disk, path, cwd / name)
    if data is None:
        return located(problems, disk, cwd)
    return CaseFile(disk, path, data, None, (*problems, *disk.problems))


def fitted(project: Project, file: CaseFile, binding: str, cwd: Path) -> CaseFile | Problems:
    """A case file that was read, with the binding that is named, or that fits it."""
    chosen = chosen_binding(project, binding, file.data, cwd)
    return chosen if isinstance(chosen, tuple) else replace(file, binding=chosen)


def _data_of(disk: Disk, path: str, file: Path) -> tuple[Data | None, Problems]:
    """The records of a file: rows of a table, or what JSON and YAML say."""
    if is_table(path) and file.is_file():
        return table_data(path, file)
    text = disk.read(path)
    return (None, disk.problems) if text is None else parse_data(path, text)


def open_record_file(project: Project, name: str, record: int, binding: str, cwd: Path) -> CaseFile | Problems:
    """As `open_case_file`, for one record of a file: of a file that breaks further on, what stands before the break."""
    file = open_case_file(project, name, binding, cwd)
    whole = complete_case_file(project, name, binding, cwd) if isinstance(file, tuple) else None
    return whole if whole is not None and record <= records_of(whole.data, whole.binding) else file


def complete_case_file(project: Project, name: str, binding: str, cwd: Path) -> CaseFile | None:
    """A JSON list, or JSON Lines, that breaks somewhere: the records before the break; None where there are none."""
    place = find("cases", name, cwd)
    if isinstance(place, Diagnostic) or not place[1].lower().endswith((".json", ".jsonl")):
        return None
    disk, path = place
    data = complete_records(path, disk.read(path) or "")
    chosen = chosen_binding(project, binding, data, cwd) if data is not None else ()
    return CaseFile(disk, path, data, chosen) if data is not None and not isinstance(chosen, tuple) else None


def begun_at(project: Project, file: CaseFile, start: str) -> CaseFile:
    """The file, read with what a record gives of the stages before the one that a run begins at."""
    if file.binding is None or not start or project.procedure is None:
        return file
    stages = tuple(stage.id for stage in project.procedure.stages)
    return replace(file, binding=file.binding.begun(stages, start))


def bound_case(
    project: Project, file: CaseFile, record: int | None, settings: Mapping[str, str], cwd: Path
) -> OpenedCase | Problems:
    """One record of a case file, bound to the procedure; `record` is its number from 1, None for the only one."""
    procedure, path = project.procedure, file.path
    assert procedure is not None
    folder = ((file.disk.root or cwd) / path).parent
    places = records_at(file.binding.records, file.data.value) if file.binding is not None else []
    more_data: Problems = ()
    if file.binding is not None and file.binding.joins and 1 <= (record or 1) <= len(places):
        found = places[(record or 1) - 1]
        more_data = joined(found.value, file.binding.joins, folder, file.data.place(found.where))
        if any(problem.severity == "error" for problem in more_data):
            return more_data
    readers: Any = {"total": written_total, "outcome": OUTCOME}
    case, more = bind(procedure, file.data, record=record, binding=file.binding, settings=settings, **readers)
    more = (*more, *(told_of_amendments(procedure, case, file.data, file.binding) if case is not None else ()))
    problems = located((*file.problems, *more_data, *more), file.disk, cwd)
    if case is None or any(problem.severity == "error" for problem in problems):
        return problems
    if strange := located(tuple(_strange(procedure, case, file)), file.disk, cwd):
        return (*problems, *strange)
    answers = _answers(procedure, case, file, record)
    if isinstance(answers, tuple):
        return (*problems, *located(answers, file.disk, cwd))
    name = file.binding.name if file.binding is not None else ""
    return OpenedCase(case, path.rpartition("/")[2], name, problems, answers)


def _answers(procedure: Procedure, case: Case, file: CaseFile, record: int | None) -> AnswersGiven | Problems:
    """The answers that a case gives to the offline actors; or what is wrong with them."""
    found = answers_in_case(file.data, record)
    return (found,) if isinstance(found, Diagnostic) else read_answers(procedure, case, *found)


def _strange(procedure: Procedure, case: Case, file: CaseFile) -> Iterator[Diagnostic]:
    """What a case names that the procedure has not: parties, levels of a persona, places."""
    known = tuple(who.name or who.id for who in cast(procedure, case) if procedure.roles[who.role].party)
    for one in strange_names(procedure, case):
        where = _place_of(file, one.word, procedure.fields[one.field].path)
        if one.person:
            yield diagnose.named_no_party(where, field=one.field, name=one.word, known=known)
        else:
            near = nearest(one.word, known)
            yield diagnose.unknown_party(where, field=one.field, name=one.word, known=known, nearest=near)
    yield from _strange_levels(procedure, case, file)
    for name in unknown_places(procedure, case):
        among = tuple(place for place, _ in places(procedure))
        yield diagnose.unknown_place(_place_of(file, name, ROOT), name=name, among=among)


def _place_of(file: CaseFile, text: str, path: str) -> Span | str:
    """Where a text stands by itself below a path of a case file that has places; else the file, or its line."""
    if file.data.root is None:
        return file.data.place(()) if file.data.line else file.path
    keys = named_keys(path)
    held = (where for where, value in file.data.places_of(()) if value == text and where[: len(keys)] == keys)
    return next((file.data.value_place(where) for where in held), file.path)


def _strange_levels(procedure: Procedure, case: Case, file: CaseFile) -> Iterator[Diagnostic]:
    """Levels of a persona that its framework does not have: the person would play without them, and nobody be told."""
    for person in cast(procedure, case):
        framework = procedure.personas.get(procedure.roles[person.role].persona)
        for name, level in person.persona.items() if framework is not None else ():
            known = framework.dimensions if framework is not None else {}
            place = _level_place(file.data, person.name, name, level)
            if name not in known:
                yield diagnose.unknown_persona_dimension(place, name=name, person=person.name, known=tuple(known))
            elif level not in known[name].levels:
                levels = tuple(known[name].levels)
                yield diagnose.unknown_persona_level(
                    place, dimension=name, name=level, person=person.name, known=levels
                )


def _level_place(data: Data, person: str, dimension: str, level: str) -> Span:
    """Where a level of somebody's persona stands: in the record that names him, where one does."""
    found = [where for where, value in data.places_of(("persona", dimension)) if value == level]
    found = found or [where for where, _ in data.places_of(("persona", dimension))]  # it is no text
    his = [where for where in found if (record := data.at(where[:-2])) and person in (record.get("name"), "")]
    return data.place(next(iter(his or found), ()))


def as_profile(project: Project, matter: OpenedCase, name: str) -> OpenedCase | Problems:
    """The case with its persons as a profile of their persona describes; without a name, as it is."""
    assert project.procedure is not None
    if not name:
        return matter
    case = profiled(project.procedure, matter.case, name)
    return (case,) if isinstance(case, Diagnostic) else replace(matter, case=case)


def chosen_binding(project: Project, word: str, data: object, cwd: Path) -> Binding | Problems | None:
    """The binding that was named, else the only one that fits, else none (a case in the project's own format)."""
    if word:
        return binding_named(project, word, cwd)
    if is_native(data):
        return None
    paths = (path for path in project.sources.names("bindings") if path.endswith((".yaml", ".yml")))
    texts = tuple((path, project.sources.read(path) or "") for path in paths)
    fitting = detect(_bindings(project, texts), data)
    if len(fitting) > 1:
        return (diagnose.ambiguous_binding("--binding", names=tuple(b.name for b in fitting)),)
    return fitting[0] if fitting else None


@lru_cache(maxsize=_BINDINGS_KEPT)
def _bindings(project: Project, texts: tuple[tuple[str, str], ...]) -> tuple[Binding, ...]:
    """Those of a project that can be read, by what their files say."""
    assert project.procedure is not None
    sources = MemorySources(dict(texts))
    loaded = (load_binding(sources, path, project.procedure)[0] for path, _ in texts)
    return tuple(binding for binding in loaded if binding is not None)


def binding_named(project: Project, word: str, cwd: Path) -> Binding | Problems:
    """The binding that a word names, read for the procedure."""
    assert project.procedure is not None
    place = find("bindings", word, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    loaded, problems = load_binding(place[0], place[1], project.procedure)
    return loaded if loaded is not None else located(problems, place[0], cwd)
