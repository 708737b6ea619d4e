"""The shape of the package: imports go down, the pure modules do no I/O, no law in Python, sizes one can see."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest
from places import HANG, ROOMS, ROOT

import legalworld
from legalworld.language import yaml_keys
from legalworld.language.sentences import keywords
from legalworld.model.procedure import Procedure, steps_of
from legalworld.model.steps.end import End
from legalworld.runs.project import Project, open_project

PACKAGE = Path(legalworld.__file__).parent

# Circles of modules that import each other, to be undone; none may be added.
KNOWN_CYCLES: list[set[str]] = []

PURE_ROOMS = {"checking", "engine", "templates", "figures", "binding", "language", "model"}
# Rooms that are pure but for these modules, which reach disk, models or the format of a file.
EDGES = {
    "evaluation": {
        "evaluate",
        "grader",
        "grader_batches",
        "grader_check",
        "overall",
        "provenance",
        "report_charts",
        "report_page",
        "report_tables",
        "report_text",
        "rubric/open",
        "run_facts",
        "run_store",
        "score_files",
        "score_rows",
        "trust_report",
    },
    "ratings": {"collect", "export", "judge", "page", "report", "sheets"},
    "study": {"file", "page", "play", "report", "variants"},
}
# All that a pure module may import from outside; none of it can reach a file, a clock, a network or a random source.
CALM = """
    __future__ bisect collections dataclasses difflib enum functools hashlib itertools json math re types typing
    unicodedata warnings
    jinja2 jsonpath_ng lark pydantic ruamel wcwidth
"""
CALM_ROOMS = ("law/text/",)  # reads its own tables and nothing else
EXCEPTIONS = {
    ("language/sentences/grammar", "importlib"): "a grammar comes with the package",
    ("evaluation/rubric/sentences", "importlib"): "the grammar comes with the package",
    ("evaluation/rubric/sentences", "tomllib"): "the same",
    ("templates/runtime", "importlib"): "cn2an, where a numeral is asked for",
    ("model/immutable", "exec"): "the initializer of a class, from the names of its own fields",
    ("model/immutable", "operator"): "reads fields",
    ("model/immutable", "reprlib"): "shows them",
    ("figures/sums", "decimal"): "sums are exact",
    ("figures/ledger", "decimal"): "the same",
    ("figures/ledger", "datetime"): "days that are reckoned with",
    ("figures/terms", "datetime"): "the same",
    ("figures/terms", "calendar"): "the length of a month",
    ("figures/tables", "decimal"): "sums are exact",
    ("figures/tables", "datetime"): "days that are reckoned with",
    ("templates/figure_filters", "decimal"): "sums are exact",
    ("templates/figure_filters", "datetime"): "days that are written",
    ("model/calendar", "datetime"): "days that are reckoned with; nobody asks what day it is",
    ("model/calendar", "calendar"): "the length of a month",
    ("model/calendar", "holidays"): "the same for everybody; imported where working days are counted",
    ("language/dates", "datetime"): "days that are read and written",
    ("engine/calendar", "datetime"): "the same",
    ("binding/bind", "pathlib"): "PurePosixPath alone, which touches no disk",
    ("evaluation/metrics/intervals", "numpy"): "draws again and again, from a seed",
    ("evaluation/metrics/intervals", "scipy"): "Student's t and Clopper-Pearson",
    ("evaluation/metrics/reliability", "numpy"): "sums over raters",
    ("binding/oddities", "importlib"): "the words to look for come with the package",
    ("binding/oddities", "tomllib"): "the same",
    ("evaluation/metrics/statistics", "numpy"): "draws again and again, from a seed",
    ("evaluation/metrics/statistics", "scipy"): "the same",
    ("evaluation/metrics/agreement", "sklearn"): "kappa",
}
REACHING = {"open", "print", "input", "exec", "eval", "compile", "__import__"}

# Modules are named for what they hold, not for what is being done there. Those that may:
GERUNDS = {
    "evaluation/grading": "the field's word for what a judge model does",
    "evaluation/scoring": "the field's word for what comes of grading and rules",
    "evaluation/metrics/matching": "the field's word for right and wrong against a reference",
    "engine/casting": "the noun of the stage: who plays whom",
    "engine/sampling": "the noun of statistics",
    "language/spelling": "a noun: how a word is written",
    "binding": "a room; a noun: the file that binds fields to foreign data",
    "checking": "a room; what is proved before a run",
    "wording": "a room; a noun: the words chosen",
}
# Classes of one name in several modules, to be renamed; none may be added.
NAMED_TWICE: set[str] = set()
# Modules whose `__all__` passes on names of other modules, to be undone; none may be added.
PASSING_ON: set[str] = set()

MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS = 450, 45, 5
# Modules and functions that are longer, and functions with more parameters by position. A number may only fall, and
# what is within the bound is taken off the list.
LONG_MODULES: dict[str, int] = {}
LONG_FUNCTIONS = {
    "engine/steps/drive:play": 54,
}
MANY_PARAMETERS = {
    "engine/prompt:_user": 6,
}


@dataclass(frozen=True)
class Import:
    """`name`: what is taken out of the module, "" for the module itself.

    `hidden`: only type checkers see it. `deferred`: a function does it when it is called.
    """

    module: str
    name: str
    ours: bool
    hidden: bool
    deferred: bool


@dataclass(frozen=True)
class Module:
    """A file of the package. `path`: below the package, without ".py"; a package's own is `room/__init__`."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        """Parsed each time: the trees of all modules are 70 MB."""
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        return self.path.partition("/")[0]

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(self._below(self.tree, hidden=False, deferred=False))

    def _below(self, tree: ast.AST, *, hidden: bool, deferred: bool) -> Iterator[Import]:
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for module, name, ours in self._taken(node):
                    yield Import(module, name, ours, hidden, deferred)
            yield from self._below(
                node,
                hidden=hidden or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)),
                deferred=deferred or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef),
            )

    def _taken(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, bool]]:
        """(module, name in it, whether it is ours)."""
        if isinstance(node, ast.Import):
            yield from ((name.name, "", name.name.startswith("legalworld")) for name in node.names)
            return
        parts = node.module.split(".") if node.module else []
        if not node.level and parts[0] != "legalworld":
            yield str(node.module), "", False
            return
        within = "/".join([*self.path.split("/")[: -node.level], *parts] if node.level else parts[1:])
        yield from ((*_place(within, name.name), True) for name in node.names)

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    @cached_property
    def defined(self) -> frozenset[str]:
        """Names that the module's own statements bind, imports apart."""
        return frozenset(name for node in self.tree.body for name in _bound(node))

    def literals(self) -> Iterator[tuple[int, str]]:
        """(line, text) of every string that is no docstring."""
        tree = self.tree
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
                yield node.lineno, node.value


def _place(within: str, name: str) -> tuple[str, str]:
    """(module, name in it) of what stands below a package or module of ours."""
    below = f"{within}/{name}".lstrip("/")
    for path in (below, f"{below}/__init__"):
        if (PACKAGE / f"{path}.py").exists():
            return path, ""
    package = f"{within}/__init__".lstrip("/")
    return (package if (PACKAGE / f"{package}.py").exists() else within), name


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.If(body=body, orelse=other) | ast.Try(body=body, orelse=other):
            yield from (name for inner in (*body, *other) for name in _bound(inner))


def read_modules() -> dict[str, Module]:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).with_suffix("").as_posix()
        text = file.read_text(encoding="utf-8")
        found[path] = Module(path, text)
    return found


MODULES = read_modules()
OURS = [path for path in MODULES if path != "__init__"]
each = pytest.mark.parametrize("path", OURS)


# ---- rooms and imports -----------------------------------------------------------------------------------------------


def test_every_module_has_its_room() -> None:
    assert {MODULES[path].room for path in OURS} == {*ROOMS, "__main__"}


@each
def test_imports_go_down(path: str) -> None:
    """What only type checkers see counts; the version stands above all rooms."""
    rows = {"__main__": -1, **{room: row for row, room in enumerate(ROOMS)}}
    row = rows[MODULES[path].room]
    others = {found.module for found in MODULES[path].imports if found.ours} - {"__init__"}
    assert not [other for other in sorted(others) if rows[other.partition("/")[0]] < row]


def circles(imports: Mapping[str, set[str]]) -> list[set[str]]:
    """The groups of modules each of which imports, by whatever way, every other of its group."""
    reached = {module: {module} for module in imports}
    grown = True
    while grown:
        grown = False
        for module, there in reached.items():
            more = set().union(*(reached[other] for other in imports[module])) | there
            grown |= len(more) > len(there)
            reached[module] = more
    groups = {frozenset(other for other in there if module in reached[other]) for module, there in reached.items()}
    return sorted((set(group) for group in groups if len(group) > 1), key=sorted)


def test_no_module_imports_itself_by_a_roundabout_way() -> None:
    """Imports within functions count, and those that only type checkers see."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}) == [{"b", "c"}]
    imports = {path: {found.module for found in MODULES[path].imports if found.ours} for path in MODULES}
    assert circles(imports) == sorted(KNOWN_CYCLES, key=sorted)


@each
def test_a_name_is_imported_from_where_it_is_defined(path: str) -> None:
    passed_on = [
        f"{found.name} of {found.module}"
        for found in MODULES[path].imports
        if found.ours and found.name and found.name not in MODULES[found.module].defined
    ]
    assert not passed_on


def listed(tree: ast.Module) -> set[str]:
    """What `__all__` names."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def test_modules_pass_on_no_names_of_others() -> None:
    passing = {path for path, module in MODULES.items() if listed(module.tree) - module.defined}
    assert passing == PASSING_ON


def pure(path: str) -> bool:
    room, _, rest = path.partition("/")
    return room in PURE_ROOMS or (room in EDGES and rest not in EDGES[room])


def called(path: str) -> set[str]:
    """The names of the functions that a module calls by name alone."""
    calls = (node for node in ast.walk(MODULES[path].tree) if isinstance(node, ast.Call))
    return {node.func.id for node in calls if isinstance(node.func, ast.Name)}


def reaching(path: str) -> set[str]:
    """What a module has that no pure module may: packages, modules of ours, built-in functions."""
    module = MODULES[path]
    others = {other for other in foreign(path) if other not in CALM.split() and (path, other) not in EXCEPTIONS}
    for found in module.imports:
        if found.ours and not found.hidden and not pure(found.module) and not found.module.startswith(CALM_ROOMS):
            others.add(found.module)
    return others | {name for name in called(path) & REACHING if (path, name) not in EXCEPTIONS}


@pytest.mark.parametrize("path", [path for path in OURS if pure(path)])
def test_pure_modules_reach_nothing(path: str) -> None:
    assert not reaching(path)


def foreign(path: str) -> set[str]:
    """The packages of others that a module imports, at once or later."""
    return {found.module.split(".")[0] for found in MODULES[path].imports if not found.ours and not found.hidden}


def test_every_exception_is_still_needed() -> None:
    assert all(other in foreign(path) | called(path) for path, other in EXCEPTIONS)
    paths = [node for node in ast.walk(MODULES["binding/bind"].tree) if isinstance(node, ast.ImportFrom)]
    assert {name.name for node in paths if node.module == "pathlib" for name in node.names} == {"PurePosixPath"}
    assert [f"{room}/{name}" for room, names in EDGES.items() for name in names if not reaching(f"{room}/{name}")] == []


# ---- names -----------------------------------------------------------------------------------------------------------


def test_no_module_is_named_for_what_is_being_done_there() -> None:
    paths = {path.removesuffix("/__init__") for path in OURS}
    assert {path for path in paths if path.endswith("ing")} == set(GERUNDS)


def test_no_class_has_the_name_of_another() -> None:
    names = Counter(
        node.name for module in MODULES.values() for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in names.items() if count > 1} == NAMED_TWICE


@each
def test_the_first_line_of_a_module_says_what_it_is_for(path: str) -> None:
    """It stands in ARCHITECTURE.md."""
    first = (ast.get_docstring(MODULES[path].tree) or "").partition("\n")[0]
    assert re.search(r"[.?!]$", first), f"{path}: {first!r} is no sentence of one line"


# ---- what is imported when -------------------------------------------------------------------------------------------

HEAVY = ("litellm", "jinja2", "lark", "pydantic", "rich", "ruamel.yaml", "jsonpath_ng", "httpx", "asyncio", "filelock")
NUMERIC = ("numpy", "scipy", "sklearn")


def imported(code: str) -> set[str]:
    """The modules that are there after some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"],
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_imports_nothing_heavy() -> None:
    code = "import sys\nsys.argv = ['lw', '--help']\nfrom legalworld.cli.main import main\ntry:\n    main()\n"
    there = imported(code + "except SystemExit as left:\n    assert not left.code")
    assert not there & {*HEAVY, *NUMERIC}


def test_scores_without_an_interval_import_no_numpy() -> None:
    names = [
        f"legalworld.{path.replace('/', '.')}" for path in OURS if path.startswith("evaluation/") and "__" not in path
    ]
    assert "legalworld.evaluation.metrics.statistics" in names
    there = imported("import " + ", ".join(names))
    assert not there & set(NUMERIC)


@each
def test_litellm_is_imported_by_nobody_at_once(path: str) -> None:
    assert "litellm" not in {found.module.split(".")[0] for found in MODULES[path].imports if not found.deferred}


def test_a_run_without_a_model_imports_no_litellm() -> None:
    there = imported("from legalworld.runs import lifecycle, progress, project, show\nimport legalworld.cli.main")
    assert "legalworld.runs.lifecycle" in there
    assert "litellm" not in there


# ---- no law in Python ------------------------------------------------------------------------------------------------

# Words that a spec happens to use for a field, step or choice, and the program for something of its own.
GENERIC = {
    "bench": "a command that compares models over many cases",
    "client": "of HTTP",
    "lead": "a group of a pattern",
    "limit": "a start symbol of the grammar; a hole of messages",
    "reply": "an act; where a document or an answer comes from",
    "people": "those who took part, in a transcript",
    "persons": "a key of a role",
}

# What reads texts and keeps libraries of law has words for what stands in them, whatever the procedure.
OF_LAW = ("law/", "evaluation/", "ratings/", "study/", "cli/documents", "cli/law", "cli/parse", "cli/scores")


@cache
def shipped() -> tuple[Procedure, ...]:
    found = []
    for file in sorted((ROOT / "specs").rglob("*.yaml")):
        if "parts" in file.parts:
            continue
        project = open_project(str(file.relative_to(ROOT)), ROOT)
        assert isinstance(project, Project) and project.procedure is not None
        found.append(project.procedure)
    return tuple(found)


def words_of(procedure: Procedure) -> Iterator[str]:
    """Every id and title that a spec declares; of steps, answers and keys of records only words that tell of law.

    A single English word there (head, article, again) is everybody's.
    """
    yield from _plain_words(procedure)
    yield from (word for word in _small_words(procedure) if "_" in word or not word.isascii())


def _small_words(procedure: Procedure) -> Iterator[str]:
    for stage in procedure.stages:
        for step in steps_of(stage):
            yield from (*step.info.id.split("."), step.info.prompt)
            if isinstance(step, End):
                yield step.outcome
    for field in procedure.fields.values():
        yield from field.keys
    for answer in procedure.answers.values():
        yield from (answer.name, *answer.choices)
    for option in procedure.options.values():
        yield from (option.name, *option.choices)
    for rule in procedure.conduct:
        yield from (rule.id, rule.check.text)


def _plain_words(procedure: Procedure) -> Iterator[str]:
    yield from (procedure.name, procedure.title, *procedure.kinds.values(), *procedure.sides)
    for stage in procedure.stages:
        yield from (stage.id, stage.title)
        for phase in stage.phases:
            yield from (phase.id, phase.title)
    for role in procedure.roles.values():
        yield from (role.id, role.title, role.formerly)
    for document in procedure.documents.values():
        yield from (document.name, document.title, *document.sections)
    for field in procedure.fields.values():
        yield from (field.name, field.title)
    for option in procedure.options.values():
        yield option.title
    for rule in procedure.conduct:
        yield rule.title
    yield from procedure.tokens


def language() -> set[str]:
    """Words of the language itself: keywords, keys of YAML, names that a template can use."""
    spellings = {word for column in keywords.KEYWORDS.values() for words in column for word in words}
    return {*spellings, *yaml_keys.YAML_KEYS, *yaml_keys.YAML_KEYS.values(), *_namespace()}


def _namespace() -> set[str]:
    return {text for _, text in MODULES["templates/words"].literals() if text.isidentifier()}


# The words of the spec language, in both languages.
WORDS = {"language/yaml_keys", "language/sentences/keywords", "language/sentences/quantities"}
PLAIN = [path for path in OURS if path not in {*WORDS, "templates/words"} and not path.startswith(OF_LAW)]


@cache
def words_of_law() -> frozenset[str]:
    law = {word for procedure in shipped() for word in words_of(procedure) if word and not word.isdigit()}
    assert {"plaintiff", "原告", "complaint", "FIT", "mediation", "本院认为", "judge", "结束法庭调查"} <= law
    return frozenset(law - language() - set(GENERIC))


@pytest.mark.parametrize("path", PLAIN)
def test_no_law_in_python(path: str) -> None:
    law = words_of_law()
    assert not [f"{path}.py:{line} {text}" for line, text in MODULES[path].literals() if text in law]


def test_every_generic_word_is_still_needed() -> None:
    law = {word for procedure in shipped() for word in words_of(procedure)}
    used = {text for path in PLAIN for _, text in MODULES[path].literals()}
    assert set(GENERIC) <= law & used


# Characters of a text, not words: numerals that begin a list, ranges of ideographs.
IDEOGRAPHS = re.compile("[\u4e00-\u9fff]")
CHARACTERS = {"language/yaml/characters", "engine/conduct"}


# `law/text` reads Chinese: single characters stand in its patterns, words in its tables.
READERS = {"law/text/money": 1, "law/text/law_mentions": 4, "law/text/rates": 2, "law/text/times": 1}


@pytest.mark.parametrize("path", [path for path in OURS if path not in WORDS])
def test_chinese_stands_in_keywords_and_messages_only(path: str) -> None:
    found = [text for _, text in MODULES[path].literals() if IDEOGRAPHS.search(text)]
    assert len(found) == READERS.get(path, path in CHARACTERS)


# ---- sizes -----------------------------------------------------------------------------------------------------------


def lengths() -> dict[str, int]:
    return {path: len(MODULES[path].text.splitlines()) for path in OURS}


def lengths_of_functions() -> dict[str, int]:
    return {
        f"{path}:{function.name}": (function.end_lineno or 0) - function.lineno + 1
        for path in OURS
        for function in MODULES[path].functions()
    }


def parameters() -> dict[str, int]:
    """How many may be given by position."""
    return {
        f"{path}:{function.name}": sum(
            parameter.arg not in ("self", "cls") for parameter in (*function.args.posonlyargs, *function.args.args)
        )
        for path in OURS
        for function in MODULES[path].functions()
    }


@pytest.mark.parametrize(
    ("sizes", "most", "known"),
    [
        pytest.param(lengths, MOST_LINES, LONG_MODULES, id="modules"),
        pytest.param(lengths_of_functions, MOST_LINES_OF_A_FUNCTION, LONG_FUNCTIONS, id="functions"),
        pytest.param(parameters, MOST_PARAMETERS, MANY_PARAMETERS, id="parameters"),
    ],
)
def test_sizes(sizes: Callable[[], dict[str, int]], most: int, known: Mapping[str, int]) -> None:
    found = {name: size for name, size in sizes().items() if size > most}
    assert {name: size for name, size in found.items() if size > known.get(name, most)} == {}
    assert set(known) == set(found), "what is within the bound is taken off the list"
