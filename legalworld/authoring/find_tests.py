"""The tests of a project: found beside their procedures, opened, played, and what came of each.

for file in test_files(words, cwd):          # specs/civil.yaml, specs/civil.test.yaml
    opened = open_tests(file, cwd)           # the procedure and its tests, or what is wrong with them
    result(opened, opened.tests[0], cwd)
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..engine.settings import Settings
from ..files import regular
from ..files.project_files import PACKAGE, Disk, find, find_root, unreadable
from ..language import diagnose
from ..language.charset import decoded
from ..language.schema import SpecSurface
from ..language.schema_of_tests import TEST_FILES, TestFileSurface
from ..language.surface_reader import SurfaceReader, read_surface
from ..language.yaml_keys import YAML_KEYS
from ..model.case import MISSING, Case, Sided
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.source import MemorySources, Span
from ..models.scripted import NAMES as ACTORS
from ..runs.project import Problems, Project, open_project
from ..templates.template_set import TemplateError
from ..wording import read_toml, say
from .procedure_tests import FailedExpectation, ProcedureTest, Seen
from .read_tests import read_tests
from .verdicts import failures

if TYPE_CHECKING:  # what plays is imported when a test is played: to check what it says takes a third of the time
    from .play_tests import TestMatter

MOST_FILES: Final = 2_000
_KEYS: Final = "|".join(("tests", *(word for word, key in YAML_KEYS.items() if key == "tests")))
_HOLDS_TESTS: Final = re.compile(rf"^(?:{_KEYS})[ \t]*[:\uff1a]", re.MULTILINE)
_PROJECTS: Final = 4


@immutable
class OpenedTests:
    """The tests of one file: `file` as a person names it, `word` by which its procedure is opened, from `root`."""

    file: str
    root: Path
    word: str
    project: Project
    tests: tuple[ProcedureTest, ...]
    warnings: Problems = ()


@immutable
class Result:
    """What came of one test. `broken`: it could not be played; else it failed where there are failures."""

    test: ProcedureTest
    seconds: float
    failures: tuple[FailedExpectation, ...] = ()
    broken: Problems = ()

    @property
    def passed(self) -> bool:
        return not (self.failures or self.broken)


def is_test_file(path: str) -> bool:
    return path.endswith(TEST_FILES)


def holds_tests(file: Path) -> bool:
    """Whether a file is one of tests, or a procedure with tests in it."""
    if is_test_file(file.name):
        return True
    if not file.name.endswith((".yaml", ".yml")):
        return False
    try:
        return _HOLDS_TESTS.search(decoded(regular.content(file)).text) is not None
    except OSError:
        return False


# ---- which files -----------------------------------------------------------------------------------------------------


def test_files(words: Sequence[str], cwd: Path) -> tuple[Path, ...] | Problems:
    """The files with tests that are meant by paths and names of procedures; all of the project where none is given."""
    root = find_root(cwd)
    found: dict[Path, None] = {}
    problems: list[Diagnostic] = []
    for word in words or (str(root / "specs") if root is not None else str(cwd),):
        path = (cwd / word).absolute()
        if path.is_dir() and not _names_procedure(word, root):
            new = tuple(_below(path))
        elif path.is_file() and is_test_file(path.name):
            new = (path,)
        else:
            place = find("specs", word, cwd)
            if isinstance(place, Diagnostic):
                problems.append(place)
                continue
            new = tuple(tests_of_procedure(*place))
        if not new:
            problems.append(diagnose.no_tests(word if words else str(path), path=word if words else str(path)))
        found |= dict.fromkeys(new)
    return tuple(problems) or tuple(found)


def _names_procedure(word: str, root: Path | None) -> bool:
    return root is not None and "/" not in word and (root / "specs" / f"{word}.yaml").is_file()


def _below(folder: Path) -> Iterator[Path]:
    files = (file for file in sorted(folder.rglob("*.y*ml")) if file.is_file())
    hidden = (file for file in files if not any(part.startswith(".") for part in file.relative_to(folder).parts))
    for number, file in enumerate(hidden):
        if number >= MOST_FILES:
            return
        if holds_tests(file):
            yield file


def tests_of_procedure(disk: Disk, path: str) -> Iterator[Path]:
    """The tests in a procedure's file, and those beside it: a project's own procedure has none of the package's."""
    file = disk.find(path)
    if not isinstance(file, str):
        return
    for name in (file, *(f"{file.rpartition('.')[0]}{end}" for end in TEST_FILES)):
        if os.path.isfile(name) and holds_tests(Path(name)):
            yield Path(name)


# ---- one file --------------------------------------------------------------------------------------------------------


def open_tests(file: Path, cwd: Path, known: tuple[Disk, Project] | None = None) -> OpenedTests | Problems:
    """The tests of a file, read against its procedure; or what is wrong with either. `known`: a procedure that was
    opened from these files already, and is not opened again where the tests are of this one."""
    root, shown = find_root(file.parent) or file.parent, _shown(file, cwd.absolute())
    try:
        text = decoded(regular.content(file)).text
    except OSError as error:
        return (unreadable(shown, error),)
    common: TestFileSurface | None = None
    if is_test_file(file.name):
        common, problems, _ = read_surface(TestFileSurface, MemorySources({shown: text}), shown)
        surfaces = common.tests if common is not None else ()
        word = _beside(file) if common is None or common.tests_of is None else common.tests_of.text
    else:
        spec, problems, _ = read_surface(SpecSurface, MemorySources({shown: text}), shown)
        surfaces, word = spec.tests if spec is not None else (), str(file)
    if any(problem.severity == "error" for problem in problems):
        return problems
    reader = SurfaceReader(problems)
    if common is not None:
        reader.version(common.lw)
    project = _project(word, root, known)
    if isinstance(project, Diagnostic):
        at = common.tests_of.span if common is not None and common.tests_of is not None else Span(shown, 1, 1)
        return (replace(project, span=at),)
    if project.procedure is None:
        return project.problems
    rules = tuple(read_toml("en.toml")["violation"])
    tests = read_tests(surfaces, project.procedure, reader, common, rules=rules, actors=ACTORS)
    if not tests and not reader.failed:
        reader.report(diagnose.no_tests(Span(shown, 1, 1), path=shown))
    if reader.failed:
        return tuple(reader.problems)
    return OpenedTests(shown, root, word, project, tests, tuple(reader.problems))


def _shown(file: Path, here: Path) -> str:
    """A file as a person here names it; what came with the package by its path in it."""
    above = next((folder for folder in (here, PACKAGE) if file.is_relative_to(folder)), None)
    return file.relative_to(above).as_posix() if above is not None else str(file)


def _beside(file: Path) -> str:
    """The procedure that a file of tests lies beside, by its name."""
    stem = next(file.name.removesuffix(end) for end in TEST_FILES if file.name.endswith(end))
    return str(file.parent / f"{stem}.yaml")


def _project(word: str, root: Path, known: tuple[Disk, Project] | None) -> Project | Diagnostic:
    if known is not None:
        place = find("specs", word, root)
        if isinstance(place, tuple) and (place[0].root, place[1]) == (known[0].root, known[1].path):
            return known[1]
    return open_project(word, root)


# ---- one test --------------------------------------------------------------------------------------------------------


def result(opened: OpenedTests, test: ProcedureTest) -> Result:
    """One test, played and judged."""
    from .play_tests import play

    began = time.perf_counter()
    matter = matter_of(opened, test)
    if isinstance(matter, tuple):
        return Result(test, time.perf_counter() - began, broken=matter)
    try:
        played = play(test, matter)
    except TemplateError as error:
        return Result(test, time.perf_counter() - began, broken=error.problems)
    found = tuple(failures(test, played))
    return Result(test, time.perf_counter() - began, found)


def matter_of(opened: OpenedTests, test: ProcedureTest) -> TestMatter | Problems:
    """The case of a test with what is chosen for it; or what is wrong with these, at the lines of the test."""
    from ..runs.plan import RunRequest, plan_run
    from .play_tests import TestMatter

    case, target = test.case, test.target
    asked = RunRequest(
        spec=opened.word,
        case=case.text if case is not None else "",
        binding="",
        target=target.text if target is not None else "",
        options=tuple(f"{name}={word.text}" for name, word in test.options),
        fields=tuple(f"{name}={word.text}" for name, word in test.fields),
        profile="",
        seed=test.seed,
        models=(test.model,),
        until=test.until.word if test.until is not None else "",
    )
    plan = plan_run(opened.project, asked, opened.root)
    if isinstance(plan, tuple):
        return tuple(_at_line(problem, test) for problem in plan)
    procedure = opened.project.procedure
    assert procedure is not None
    settings = Settings(plan.target, test.seed, plan.options, plan.until, without=plan.without)
    sealed = any(isinstance(one, Seen) and one.sealed for one in test.expected)
    wording = _wording(opened.project) if sealed else ""
    emptied = _emptied(plan.matter.case, test.without)
    return TestMatter(procedure, opened.project.templates, emptied, settings, wording, plan.answers.answers)


@lru_cache(maxsize=_PROJECTS)
def _wording(project: Project) -> str:
    procedure, read = project.procedure, project.sources.read
    files = (*(procedure.files if procedure is not None else ()), *project.templates.homes)
    return "\n".join(filter(None, map(read, files)))


def _emptied(case: Case, names: Sequence[str]) -> Case:
    """A case in which some fields say nothing."""
    if not names:
        return case
    empty = {name: () if isinstance(case.fields.get(name), tuple) else MISSING for name in names}
    sided = {name: Sided({}) for name in names if isinstance(case.fields.get(name), Sided)}
    return replace(case, fields={**case.fields, **empty, **sided})


def _at_line(problem: Diagnostic, test: ProcedureTest) -> Diagnostic:
    """A problem with what a command would have said, at the line of the test that says it."""
    if problem.span.line:
        return problem
    name = str(problem.values.get("name", ""))
    words: Mapping[str, Sequence[tuple[str, Span]]] = {
        "--option": [(key, word.span) for key, word in test.options],
        "--set": [(key, word.span) for key, word in test.fields],
        "--target": [("", test.target.span)] if test.target is not None else [],
        "--until": [("", test.until.span)] if test.until is not None else [],
    }
    found = words.get(problem.span.file, ())
    by_name = [span for key, span in found if key == name] or [span for _, span in found]
    case = test.case.span if test.case is not None else test.span
    return replace(problem, span=by_name[0] if by_name else case if problem.span.file != "--option" else test.span)


@lru_cache(maxsize=_PROJECTS)
def _shown_disk(root: Path) -> Disk:
    return Disk(root)


def spec_line(opened: OpenedTests, failure: FailedExpectation, cwd: Path) -> str:
    """Where in the procedure a failure comes of, as a person here names it; "" for nowhere."""
    span = failure.spec
    return f"{_shown_disk(opened.root).shown(span.file, cwd)}:{span.line}" if span is not None else ""


def worded(opened: OpenedTests, failure: FailedExpectation, cwd: Path) -> Iterator[str]:
    """A failure for people: the line of the test, what happened instead, the line of the procedure, what shows it."""
    values = {name: say("testing.anything") if value == "*" else value for name, value in failure.values.items()}
    spec = spec_line(opened, failure, cwd)
    behind = say("testing.spec", where=spec) if spec else ""
    yield f"{failure.span.file}:{failure.span.line}: {say(f'testing.{failure.kind}', **values)}{behind}"
    yield from failure.shown
