"""Any file that experts write, or a whole folder of them, checked one after another; a broken one stops none.

for found in checked("cases", cwd): found.file, found.kind, found.problems, found.serves
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from ..binding.file import BindingSurface, load_binding, procedures_of
from ..files import regular
from ..files.project_files import Disk, find_root
from ..language import diagnose
from ..language.charset import decoded
from ..language.link.linker import link
from ..language.schema import PersonaSurface
from ..language.schema_of_tests import TEST_FILES
from ..language.surface_reader import SurfaceReader, read_surface
from ..language.surfaces import canonical
from ..language.yaml.nodes import MapNode
from ..language.yaml.reader import read
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.procedure import Procedure
from ..model.source import Span
from ..models.named.catalogue import FILE as MODELS_FILE
from ..models.named.catalogue import open_catalogue
from ..models.named.reader import read_models_file
from ..runs.case_file import OpenedCase, bound_case, fitted, read_case_file
from ..runs.project import Problems, Project, located, open_project
from ..templates.template_set import TemplateSet
from .find_tests import holds_tests, open_tests
from .procedure_problems import example_problems, of_tests, strict_problems

if TYPE_CHECKING:  # what reads one kind of file alone is imported when there is such a file
    from .norm_check import CheckedNorms

Kind = Literal[
    "specs", "parts", "cases", "personas", "skills", "interventions", "studies", "rubrics", "checks", "norms",
    "bindings", "models", "tests",
]  # fmt: skip
FOLDERS: Final[tuple[Kind, ...]] = (
    *("specs", "cases", "personas", "skills", "interventions", "studies", "rubrics", "checks", "norms", "bindings"),
)
_BY_KEY: Final[Mapping[str, Kind]] = {
    "binding": "bindings",
    "rubric": "rubrics",
    "check set": "checks",
    **dict.fromkeys(("norm", "offence", "sentencing", "costs", "review", "facts", "heads"), "norms"),
    "persona": "personas",
    "skill": "skills",
    "interventions": "interventions",
    "study": "studies",
    "procedure": "specs",
    "models": "models",
    "sets": "models",
}
_OF_PROCEDURES: Final = frozenset({"kinds", "roles", "stages", "visibility"})
_SUFFIXES: Final = (".yaml", ".yml", ".json", ".jsonl", ".md")
SPARE: Final = 2
"""How many more entries of a case a procedure may leave unused than the one that leaves fewest, and still be one that
the case is for: nearly all fields may be missing, so that most procedures take most cases."""
LACK: Final = 3
"""As how many unused entries a required field counts that a case has not."""
_UNUSED: Final = diagnose.codes_of(diagnose.unused_case_key, diagnose.unused_case_entries)
_LACKING: Final = diagnose.codes_of(diagnose.missing_required_field)


@immutable
class CheckedFile:
    """One file: what is wrong with it, and the procedures that it serves, or that a case of it can be played in.

    A problem is told with the first file that it keeps from being used; `follows`: this one has errors that were told
    with others, and no other errors. `unchecked`: articles of which nothing here tells how they stand.
    """

    file: str
    kind: Kind
    problems: Problems
    serves: tuple[str, ...] = ()
    follows: bool = False
    unchecked: tuple[str, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether it cannot be used as it is."""
        return self.follows or any(problem.severity == "error" for problem in self.problems)

    def failed(self, strict: bool) -> bool:
        """Whether the check fails of it: a strict one fails of a procedure of which there is anything to tell."""
        return self.wrong or (strict and self.kind == "specs" and bool(self.problems))


def is_expert_file(word: str, cwd: Path) -> bool:
    """Whether a word is the path of a folder, or of a file that is no procedure, so that it is checked by its kind."""
    path = cwd / word
    if path.is_dir():
        return not _is_name(word, cwd)
    return path.is_file() and path.suffix in _SUFFIXES and _kind(path) != "specs"


def _is_name(word: str, cwd: Path) -> bool:
    """Whether a folder only happens to be called as a procedure is: `civil` beside `specs/civil.yaml`."""
    root = find_root(cwd)
    return root is not None and "/" not in word and (root / "specs" / f"{word}.yaml").is_file()


def holds_procedure(word: str, cwd: Path) -> bool:
    """Whether there is a file of a procedure at a path or below it."""
    path = (cwd / word).absolute()
    files = _files(path) if path.is_dir() else (path,)
    return any(_kind(file) == "specs" and "procedure" in _keys(file) for file in files)


def checked(word: str, cwd: Path, *, strict: bool = False) -> Iterator[CheckedFile]:
    """The file at a path, or all expert files below a folder, each by its kind, in the order of their paths.

    `strict`: of procedures also what a careful author wants told.
    """
    path = (cwd / word).absolute()
    desk = _Desk(path, cwd, strict)
    told: set[tuple[str, Span]] = set()
    for file in _files(path) if path.is_dir() else (path,):
        one = desk.check(file)
        new = tuple(problem for problem in one.problems if (problem.code, problem.span) not in told)
        told |= {(problem.code, problem.span) for problem in new}
        yield replace(one, problems=new, follows=one.wrong and not any(p.severity == "error" for p in new))


def _files(folder: Path) -> Iterator[Path]:
    """Expert files below a folder: of a project those of its folders, of any other folder all that can be one."""
    tops = [folder / name for name in FOLDERS if (folder / name).is_dir()]
    if tops and (folder / MODELS_FILE).is_file():
        yield folder / MODELS_FILE
    for top in tops or [folder]:
        for file in sorted(top.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
            if file.is_file() and file.suffix in _SUFFIXES and not hidden and _counts(file):
                yield file


def _counts(file: Path) -> bool:
    return file.suffix != ".md" or (
        file.parent.name in ("skills", "cards") and not file.name.upper().startswith("README")
    )


def _kind(file: Path) -> Kind:
    """By the folder of the project in which it lies, else by the keys that say what it is; whatever else is taken for
    a procedure, whose check says what is missing."""
    if file.name.endswith(TEST_FILES):
        return "tests"
    root = find_root(file.parent)
    top = file.relative_to(root).parts[0] if root is not None and file.is_relative_to(root) else ""
    if top in FOLDERS:
        return next(kind for kind in FOLDERS if kind == top)
    if file.name == MODELS_FILE:
        return "models"
    if file.suffix not in (".yaml", ".yml"):
        return "skills" if file.suffix == ".md" else "cases"
    keys = _keys(file)
    said = next((_BY_KEY[key] for key in keys if key in _BY_KEY), None)
    return said or ("cases" if "case" in keys and not _OF_PROCEDURES.intersection(keys) else "specs")


def _keys(file: Path) -> tuple[str, ...]:
    try:
        text = decoded(regular.content(file)).text
    except OSError:
        return ()
    node = read(file.name, text)[0]
    return tuple(canonical(entry.key.text) for entry in node.entries) if isinstance(node, MapNode) else ()


@dataclass
class _Desk:
    """What the files of one check share: the procedures of their project, linked once."""

    path: Path
    cwd: Path
    strict: bool = False
    _opened: dict[str, Project | Diagnostic] = field(default_factory=dict)
    _norms: dict[tuple[Path, str], CheckedNorms] = field(default_factory=dict)

    def check(self, file: Path) -> CheckedFile:
        kind = _kind(file)
        if kind == "specs" and self.includes(file):
            kind = "parts"
        return CHECKS[kind](self, file, self.named(file))

    def includes(self, file: Path) -> bool:
        """Whether a procedure of the project includes a file, so that it need be none itself."""
        root = self.disk.root
        path = file.relative_to(root).as_posix() if root is not None and file.is_relative_to(root) else ""
        if any(project.path == path for project in self.projects.values()):
            return False
        procedures = (project.procedure for project in self.projects.values())
        return any(path in one.files for one in procedures if one is not None)

    def named(self, file: Path) -> str:
        """The file as a person here names it."""
        here = self.cwd.absolute()
        return file.relative_to(here).as_posix() if file.is_relative_to(here) else str(file)

    @cached_property
    def disk(self) -> Disk:
        return Disk(find_root(self.path))

    @cached_property
    def projects(self) -> Mapping[str, Project]:
        """Name -> each procedure of the project and of the package that can be linked, its rules not checked."""
        found: dict[str, Project] = {}
        for path in self.disk.names("specs"):
            text = self.disk.read(path) if path.endswith((".yaml", ".yml")) else None
            node = read(path, text)[0] if text is not None else None
            keys = [canonical(entry.key.text) for entry in node.entries] if isinstance(node, MapNode) else []
            if "procedure" not in keys:
                continue
            procedure = link(self.disk, path).procedure
            if procedure is not None:
                templates = TemplateSet.of(self.disk, procedure)
                name = path.removeprefix("specs/").rpartition(".")[0]
                found[name] = Project(self.disk, path, procedure, templates, ())
        return found

    def norms(self, root: Path, folder: str) -> CheckedNorms:
        """What is wrong with a folder of norms, examples and articles included; read once."""
        from .norm_check import check_norms

        if (root, folder) not in self._norms:
            self._norms[root, folder] = check_norms(Disk(root), folder, self.cwd)
        return self._norms[root, folder]

    def procedures(self, names: tuple[str, ...]) -> Iterator[tuple[str, Procedure]]:
        """Those that bear one of some names; what extends them may be without some of their stages."""
        for name, project in self.projects.items():
            if project.procedure is not None and project.procedure.name in names:
                yield name, project.procedure


# ---- what each kind is asked -----------------------------------------------------------------------------------------


def _spec(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """A procedure, by all rules, and the case that it names as its example."""
    project = open_project(str(file), desk.cwd)
    if isinstance(project, Diagnostic):
        return CheckedFile(name, "specs", (project,))
    problems = project.problems
    if project.procedure is not None:
        problems += example_problems(project, desk.cwd)
        problems += of_tests(file, desk.cwd) if holds_tests(file) else ()
        problems += strict_problems(project, desk.cwd) if desk.strict else ()
    return CheckedFile(name, "specs", problems)


def _tests(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """Tests of a procedure: whether what they name is there; they are not played."""
    opened = open_tests(file, desk.cwd)
    if isinstance(opened, tuple):
        return CheckedFile(name, "tests", opened)
    return CheckedFile(name, "tests", opened.warnings, (opened.project.path.removeprefix("specs/"),))


def _part(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """A part of procedures: only what YAML says of it; its names mean something where it is included."""
    text = decoded(regular.content(file)).text
    return CheckedFile(name, "parts", read(name, text)[1])


def _case(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """A case, by each procedure that it could be for: it serves those that take it, first the one that has a use for
    most of it; where none does, the nearest says why not."""
    data = read_case_file(str(file), desk.cwd)
    if isinstance(data, tuple):
        return CheckedFile(name, "cases", data)
    tried: dict[str, OpenedCase | Problems] = {}
    for procedure, project in desk.projects.items():
        found = fitted(project, data, "", desk.cwd)
        tried[procedure] = (
            found if isinstance(found, tuple) else bound_case(project, found, _record(file), {}, desk.cwd)
        )
    taken = {procedure: found for procedure, found in tried.items() if isinstance(found, OpenedCase)}
    refused = {procedure: found for procedure, found in tried.items() if isinstance(found, tuple)}
    nearest = min(tried, key=lambda procedure: (_distance(tried[procedure]), procedure in refused), default="")
    problems = _told(tried, nearest)
    return CheckedFile(name, "cases", problems, _serves(desk, file, taken) if nearest in taken else ())


def _told(tried: Mapping[str, OpenedCase | Problems], nearest: str) -> Problems:
    """What is told of a case for the procedure that it fits best, and of its values for others that take it as well: a
    field that one procedure does not read may be another one's."""
    told = {(one.code, one.span): one for one in _problems(tried.get(nearest, ()))}
    for found in tried.values():
        if isinstance(found, OpenedCase) and _distance(found)[1] <= _distance(tried[nearest])[1] + SPARE:
            values = (one for one in _problems(found) if one.code not in _UNUSED | _LACKING)
            told = {(one.code, one.span): one for one in values} | told
    return tuple(told.values())


def _problems(found: OpenedCase | Problems) -> Problems:
    return found.problems if isinstance(found, OpenedCase) else found


def _serves(desk: _Desk, file: Path, taken: Mapping[str, OpenedCase]) -> tuple[str, ...]:
    """The procedures whose example a case is, and those that have a use for as much of it as any, or nearly."""
    unused = {procedure: _unused(found.problems) for procedure, found in taken.items()}
    most = min(unused.values()) + SPARE
    serves = [name for name in taken if unused[name] <= most or desk.projects[name].example == file.stem]
    return tuple(sorted(serves, key=unused.__getitem__))


def _unused(problems: Problems) -> int:
    """How many entries of a case a procedure has no use for."""
    return sum(int(str(problem.values.get("count", 1))) for problem in problems if problem.code in _UNUSED)


def _record(file: Path) -> int | None:
    """Of a file with many records the first is tried."""
    return 1 if file.suffix in (".json", ".jsonl") else None


def _distance(found: OpenedCase | Problems) -> tuple[bool, int]:
    """How far a case is from a procedure: whether it is none of its kind, how much of it is of no use or lacking."""
    problems = _problems(found)
    codes = [problem.code for problem in problems]
    return diagnose.code_of(diagnose.unrecognized_case_format) in codes, _unused(problems) + LACK * sum(
        code in _LACKING for code in codes
    )


def _persona(desk: _Desk, file: Path, name: str) -> CheckedFile:
    path, sources = _source(desk, file)
    surface, problems, _ = read_surface(PersonaSurface, sources, path)
    if surface is not None:
        reader = SurfaceReader(problems)
        reader.version(surface.lw)
        problems = tuple(reader.problems)
    return CheckedFile(name, "personas", located(problems, sources, desk.cwd))


def _skill(desk: _Desk, file: Path, name: str) -> CheckedFile:
    from ..skills.cards import cards_in

    _, problems = cards_in((str(file),), desk.cwd)
    return CheckedFile(name, "skills", problems)


def _interventions(desk: _Desk, file: Path, name: str) -> CheckedFile:
    from ..study.file import open_interventions, read_interventions

    path, sources = _source(desk, file)
    declared, problems = read_interventions(sources, path)
    serves = tuple(desk.procedures(declared.procedures)) if declared is not None else ()
    for _, procedure in serves:
        opened = open_interventions(str(file), procedure, desk.cwd)
        problems = opened if isinstance(opened, tuple) else opened.problems
    shown = problems if serves else located(problems, sources, desk.cwd)
    return CheckedFile(name, "interventions", shown, tuple(one for one, _ in serves))


def _rubric(desk: _Desk, file: Path, name: str) -> CheckedFile:
    from ..evaluation.rubric.fit import fits
    from ..evaluation.rubric.open import open_rubric

    opened = open_rubric(str(file), desk.cwd)
    if isinstance(opened, tuple):  # perhaps one that compares runs
        pairs = open_rubric(str(file), desk.cwd, pairs=True)
        opened = opened if isinstance(pairs, tuple) else pairs
    if isinstance(opened, tuple):
        return CheckedFile(name, "rubrics", opened)
    serves = tuple(desk.procedures(opened.rubric.procedures))
    unfit = tuple(problem for _, procedure in serves for problem in fits(opened.rubric, procedure))
    return CheckedFile(name, "rubrics", (*opened.problems, *unfit), tuple(one for one, _ in serves))


def _study(desk: _Desk, file: Path, name: str) -> CheckedFile:
    from ..studies.open import check_study

    return CheckedFile(name, "studies", check_study(file, desk.cwd))


def _checks(desk: _Desk, file: Path, name: str) -> CheckedFile:
    from ..evaluation.soundness.examples import wrong_examples
    from ..evaluation.soundness.load import read_checks

    path, sources = _source(desk, file)
    read, problems = read_checks(sources, path)
    problems = (*problems, *(wrong_examples(read) if read is not None else ()))
    return CheckedFile(name, "checks", located(problems, sources, desk.cwd))


def _norms(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """A file of norms, in its set: names mean what the files of facts and heads beside it say."""
    root = find_root(file.parent) or file.parent.parent
    found = desk.norms(root, file.parent.relative_to(root).as_posix())
    path = file.relative_to(root).as_posix()
    mine = tuple(problem for problem in found.problems if problem.span.file == path)
    return CheckedFile(name, "norms", located(mine, Disk(root), desk.cwd), unchecked=found.unchecked.get(path, ()))


def _binding(desk: _Desk, file: Path, name: str) -> CheckedFile:
    path, sources = _source(desk, file)
    names = procedures_of(sources, path)
    serves = tuple(desk.procedures(names))
    problems: Problems = ()
    for _, procedure in serves[:1]:
        problems = load_binding(sources, path, procedure)[1]
    if not serves:
        problems = read_surface(BindingSurface, sources, path)[1]
        problems = problems or (diagnose.unknown_procedure(path, name=names[0] if names else "", known=()),)
    return CheckedFile(name, "bindings", located(problems, sources, desk.cwd), tuple(one for one, _ in serves))


def _models(desk: _Desk, file: Path, name: str) -> CheckedFile:
    """Names of models: of the project's own file also what shows only beside the user's, as names that nobody has."""
    if find_root(file.parent) != file.parent or file.name != MODELS_FILE:
        return CheckedFile(name, "models", read_models_file(name, decoded(regular.content(file)).text).problems)
    catalogue = open_catalogue(file.parent)
    here = (one for one in (*catalogue.problems, *catalogue.warnings) if one.span.file == MODELS_FILE)
    return CheckedFile(name, "models", tuple(replace(one, span=replace(one.span, file=name)) for one in here))


def _source(desk: _Desk, file: Path) -> tuple[str, Disk]:
    """The path of a file in its project, and the project's files."""
    root = find_root(file.parent) or file.parent
    disk = desk.disk if desk.disk.root == root else Disk(root)
    return file.relative_to(root).as_posix(), disk


CHECKS: Final[Mapping[Kind, Callable[[_Desk, Path, str], CheckedFile]]] = {
    "specs": _spec,
    "tests": _tests,
    "parts": _part,
    "cases": _case,
    "personas": _persona,
    "skills": _skill,
    "interventions": _interventions,
    "studies": _study,
    "rubrics": _rubric,
    "checks": _checks,
    "norms": _norms,
    "bindings": _binding,
    "models": _models,
}
