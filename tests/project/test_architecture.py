"""The shape of the package: imports go down, the pure layers do no I/O, no law in Python, sizes one can see."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import legalworld
from legalworld.language.sentences import keywords
from legalworld.model.plan import End
from legalworld.model.procedure import Procedure, steps_of
from legalworld.runs.project import Project, open_project

PACKAGE = Path(legalworld.__file__).parent
ROOT = PACKAGE.parent

# From the top down: a package imports from its own row and from those below it. ARCHITECTURE.md shows the same picture.
LAYERS = {
    "commands": "__main__ commands procedure_commands document_commands law_commands parse_commands score_commands"
    " ratings_commands saying helping",
    "drivers": "drivers",
    "adapters": "adapters library ui",
    "score": "score",
    "engine": "engine",
    "checking": "checking",
    "language": "binding templates language text",
    "model": "model",
}
PLACE = {module: row for row, names in enumerate(LAYERS.values()) for module in names.split()}
PURE = {
    module for layer in ("score", "engine", "checking", "language", "model") for module in LAYERS[layer].split()
} - {"text"}

# All that a pure module may import from outside; none of it can reach a file, a clock, a network or a random source.
CALM = """
    __future__ bisect collections dataclasses difflib enum functools hashlib itertools json math re types typing
    unicodedata warnings
    jinja2 jsonpath_ng lark pydantic ruamel wcwidth
"""
EXCEPTIONS = {
    (
        "language/diagnostics",
        "importlib",
    ): "the sentences come with the package, and are read when there is something to say",
    ("language/diagnostics", "tomllib"): "the same",
    ("language/tables", "pkgutil"): "the parse tables come with the package",
    ("score/sentences", "importlib"): "the grammar comes with the package",
    ("score/sentences", "tomllib"): "the same",
    ("templates/runtime", "importlib"): "cn2an, where a numeral is asked for",
    ("binding/bind", "pathlib"): "PurePosixPath alone, which touches no disk",
    ("score/statistics", "numpy"): "draws again and again, from a seed",
    ("score/statistics", "scipy"): "the same",
    ("score/statistics", "warnings"): "scipy warns of samples for which there is another interval",
    ("score/agreement", "numpy"): "a standard deviation",
    ("score/agreement", "sklearn"): "kappa",
    ("score/agreement", "warnings"): "the same warns of labels that nobody used",
}
REACHING = {"open", "print", "input", "exec", "eval", "compile", "__import__"}

MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS = 600, 60, 6


@dataclass(frozen=True, slots=True)
class Module:
    """A file of the package. `name`: itself, or the folder that it lies in, which counts as one module."""

    name: str
    text: str
    tree: ast.Module
    depth: int

    def imports(self) -> Iterator[tuple[str, bool]]:
        """(module, whether it is ours), but not what only type checkers see."""
        hidden = {
            id(inner)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for inner in ast.walk(node)
        }
        for node in ast.walk(self.tree):
            if id(node) in hidden:
                continue
            match node:
                case ast.ImportFrom(level=int(level)) if 0 < level <= self.depth:
                    yield self.name, True
                case ast.ImportFrom(module=None, level=int(level), names=names) if level:
                    yield from ((name.name, True) for name in names)
                case ast.ImportFrom(module=str(module), level=int(level)) if level:
                    yield module.split(".")[0], True
                case ast.ImportFrom(module=str(module), level=0):
                    yield module.removeprefix("legalworld."), module.startswith("legalworld.")
                case ast.Import(names=names):
                    yield from ((name.name, False) for name in names)

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def literals(self) -> Iterator[tuple[int, str]]:
        """(line, text) of every string that is no docstring."""
        alone = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
                yield node.lineno, node.value


def read_modules() -> dict[str, Module]:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE)
        text = file.read_text(encoding="utf-8")
        found[path.with_suffix("").as_posix()] = Module(
            path.parts[0].removesuffix(".py"), text, ast.parse(text), len(path.parts) - 1
        )
    return found


MODULES = read_modules()
OURS = [path for path in MODULES if path != "__init__"]
NAMES = sorted({MODULES[path].name for path in OURS})
each = pytest.mark.parametrize("name", OURS)


# ---- layers ----------------------------------------------------------------------------------------------------------


def test_every_module_has_its_layer() -> None:
    assert sorted(PLACE) == NAMES


@each
def test_imports_go_down(name: str) -> None:
    row = PLACE[MODULES[name].name]
    assert not [other for other, ours in MODULES[name].imports() if ours and PLACE.get(other, 99) < row]


def test_no_module_imports_itself_by_a_roundabout_way() -> None:
    below: dict[str, set[str]] = {name: set() for name in NAMES}
    for module in (MODULES[path] for path in OURS):
        below[module.name] |= {other for other, ours in module.imports() if ours and other in PLACE} - {module.name}
    while free := [name for name, others in below.items() if not others]:
        for name in free:
            del below[name]
        for others in below.values():
            others.difference_update(free)
    assert not below


@pytest.mark.parametrize("name", sorted(path for path in OURS if MODULES[path].name in PURE))
def test_pure_modules_reach_nothing(name: str) -> None:
    assert not [other for other in foreign(name) if other not in CALM.split() and (name, other) not in EXCEPTIONS]
    called = {
        node.func.id
        for node in ast.walk(MODULES[name].tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & REACHING


def foreign(name: str) -> set[str]:
    """The packages of others that a module imports, at once or later."""
    return {other.split(".")[0] for other, ours in MODULES[name].imports() if not ours}


def test_every_exception_is_still_needed() -> None:
    assert all(other in foreign(name) for name, other in EXCEPTIONS)
    paths = [node for node in ast.walk(MODULES["binding/bind"].tree) if isinstance(node, ast.ImportFrom)]
    assert {name.name for node in paths if node.module == "pathlib" for name in node.names} == {"PurePosixPath"}


# ---- what is imported when -------------------------------------------------------------------------------------------

HEAVY = ("litellm", "jinja2", "lark", "pydantic", "rich", "ruamel.yaml", "jsonpath_ng", "httpx", "asyncio", "filelock")
NUMERIC = ("numpy", "scipy", "sklearn")


def imported(code: str) -> set[str]:
    """The modules that are there after some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_imports_nothing_heavy() -> None:
    code = "import sys\nsys.argv = ['lw', '--help']\nfrom legalworld.commands import main\ntry:\n    main()\n"
    there = imported(code + "except SystemExit as left:\n    assert not left.code")
    assert not there & {*HEAVY, *NUMERIC}


def test_scores_without_an_interval_import_no_numpy() -> None:
    modules = ", ".join(path.replace("/", ".") for path in OURS if path.startswith("score/") and "__" not in path)
    assert "score.statistics" in modules
    there = imported("import " + ", ".join(f"legalworld.{name}" for name in modules.split(", ")))
    assert not there & set(NUMERIC)


@each
def test_litellm_is_imported_by_nobody_at_once(name: str) -> None:
    inside = {id(inner) for function in MODULES[name].functions() for inner in ast.walk(function)}
    for node in ast.walk(MODULES[name].tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in inside:
            assert "litellm" not in ast.unparse(node)


def test_a_run_without_a_model_imports_no_litellm() -> None:
    there = imported("from legalworld.drivers import running, showing, progress, project; import legalworld.commands")
    assert "running" in {name.rpartition(".")[2] for name in there}
    assert "litellm" not in there


# ---- no law in Python ------------------------------------------------------------------------------------------------

# Words that a spec happens to use for a field, step or choice, and the program for something of its own.
GENERIC = {
    "client": "of HTTP",
    "lead": "a group of a pattern",
    "limit": "a start symbol of the grammar; a hole of messages",
    "reply": "an act; where a document or an answer comes from",
    "people": "those who took part, in a transcript",
    "reading": "a group of the lexer",
}

# What reads texts and keeps libraries of law has words for what stands in them, whatever the procedure.
OF_LAW = ("text/", "library/", "score/", "document_commands", "law_commands", "parse_commands", "score_commands")


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
    return {*spellings, *keywords.YAML_KEYS, *keywords.YAML_KEYS.values(), *_namespace()}


def _namespace() -> set[str]:
    return {text for _, text in MODULES["templates/words"].literals() if text.isidentifier()}


PLAIN = [name for name in OURS if name not in ("language/keywords", "templates/words") and not name.startswith(OF_LAW)]


@pytest.mark.parametrize("name", PLAIN)
def test_no_law_in_python(name: str) -> None:
    law = {word for procedure in shipped() for word in words_of(procedure) if word and not word.isdigit()}
    assert {"plaintiff", "原告", "complaint", "FIT", "mediation", "本院认为", "judge", "结束法庭调查"} <= law
    law -= language() | set(GENERIC)
    assert not [f"{name}.py:{line} {text}" for line, text in MODULES[name].literals() if text in law]


def test_every_generic_word_is_still_needed() -> None:
    law = {word for procedure in shipped() for word in words_of(procedure)}
    used = {text for name in PLAIN for _, text in MODULES[name].literals()}
    assert set(GENERIC) <= law & used


# Characters of a text, not words: numerals that begin a list, ranges of ideographs.
IDEOGRAPHS = re.compile("[\u4e00-\u9fff]")
CHARACTERS = {"language/characters", "engine/conduct", "language/diagnostics"}


# `text` reads Chinese: single characters stand in its patterns, words in its tables.
READERS = {"text/money": 1, "text/naming": 4, "text/rates": 2, "text/times": 1}


@pytest.mark.parametrize("name", [name for name in OURS if name != "language/keywords"])
def test_chinese_stands_in_keywords_and_messages_only(name: str) -> None:
    found = [text for _, text in MODULES[name].literals() if IDEOGRAPHS.search(text)]
    assert len(found) == READERS.get(name, name in CHARACTERS)


# ---- sizes -----------------------------------------------------------------------------------------------------------


@each
def test_sizes(name: str) -> None:
    assert len(MODULES[name].text.splitlines()) <= MOST_LINES
    for function in MODULES[name].functions():
        lines = (function.end_lineno or 0) - function.lineno + 1
        assert lines <= MOST_LINES_OF_A_FUNCTION, f"{function.name}: {lines} lines"
        given = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg not in ("self", "cls")]
        assert len(given) <= MOST_PARAMETERS, f"{function.name}: {len(given)} parameters by position"
