"""The shape of the package: imports go down, the pure modules do no I/O, no law in Python, sizes one can see."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from doors import calls, found_in
from modules import INITIAL, Function, Module, circles, read_modules
from places import HANG, ROOMS, ROOT

import legalworld
from legalworld.files.project_files import Disk
from legalworld.language import yaml_keys
from legalworld.language.link.linker import link
from legalworld.language.sentences import keywords, norm_words
from legalworld.model.procedure import Procedure, steps_of
from legalworld.model.steps.end import End

PACKAGE = Path(legalworld.__file__).parent

# Circles of modules that import each other, to be undone; none may be added.
KNOWN_CYCLES: list[set[str]] = []

PURE_ROOMS = {"checking", "engine", "templates", "norms", "figures", "binding", "language", "model"}
# Rooms that are pure but for these modules, which reach disk, models or the format of a file.
EDGES = {
    "authoring": {
        "difference_page",
        "expert_files",
        "difference_rendered",
        "find_impact",
        "find_tests",
        "graph_layout",
        "graph_svg",
        "graph_text",
        "junit",
        "norm_check",
        "play_tests",
        "procedure_problems",
        "protocol_page",
        "pytest_plugin",
        "snapshots",
        "watch",
    },
    "evaluation": {
        "asked_questions",
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
        "soundness/check_files",
        "soundness/report",
        "trust_report",
    },
    "ratings": {"collect", "export", "judge", "page", "report", "sheets"},
    "studies": {
        "case_sets",
        "case_tables",
        "charts",
        "figures",
        "forecast",
        "forks",
        "open",
        "pairs",
        "people",
        "plan",
        "play",
        "power",
        "reasons",
        "report",
        "tables",
        "training_data",
    },
    "study": {"file", "forks", "page", "play", "report", "variants"},
}
# All that a pure module may import from outside; none of it can reach a file, a clock, a network or a random source.
CALM = """
    __future__ bisect collections dataclasses decimal difflib enum functools hashlib itertools json math re types typing
    unicodedata warnings
    jinja2 jsonpath_ng lark pydantic ruamel wcwidth
"""
CALM_ROOMS = ("law/text/",)  # reads its own tables and nothing else
EXCEPTIONS = {
    ("language/sentences/grammar", "importlib"): "a grammar comes with the package",
    ("evaluation/rubric/sentences", "importlib"): "the grammar comes with the package",
    ("evaluation/rubric/sentences", "tomllib"): "the same",
    ("evaluation/soundness/sentences", "importlib"): "the grammar and its words come with the package",
    ("evaluation/soundness/sentences", "tomllib"): "the same",
    ("evaluation/soundness/audited", "datetime"): "reckons the day after a day",
    ("evaluation/soundness/view_penal", "datetime"): "reckons the end of a term",
    ("evaluation/soundness/definition", "datetime"): "the days between which a law is in force",
    ("evaluation/soundness/load", "datetime"): "the same",
    ("evaluation/soundness/view_law", "datetime"): "the same",
    ("studies/words", "importlib"): "its words come with the package",
    ("studies/words", "tomllib"): "the same",
    ("templates/runtime", "importlib"): "cn2an, where a numeral is asked for",
    ("templates/citation_list", "importlib"): "the same, for the number of an article",
    ("language/plugins", "importlib"): "the entry points of what is installed, the same for everybody who has that",
    ("model/immutable", "exec"): "the initializer of a class, from the names of its own fields",
    ("model/immutable", "operator"): "reads fields",
    ("model/immutable", "reprlib"): "shows them",
    ("figures/sums", "decimal"): "sums are exact",
    ("figures/ledger", "decimal"): "the same",
    ("language/amounts", "decimal"): "the same",
    ("language/typed_values", "decimal"): "the same",
    ("figures/ledger", "datetime"): "days that are reckoned with",
    ("figures/terms", "datetime"): "the same",
    **{
        (f"norms/{module}", "datetime"): "days that facts and norms have"
        for module in (
            "appeal",
            "assemble",
            "decide",
            "definition",
            "formula_values",
            "link",
            "material",
            "proof",
            "read",
            "reckoned",
            "examples",
            "penal",
            "prose",
            "review",
            "sentences",
            "spans",
        )
    },
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
    ("model/dialect", "importlib"): "the marks of models come with the package",
    ("model/dialect", "tomllib"): "the same",
    ("binding/oddities", "importlib"): "the words to look for come with the package",
    ("binding/oddities", "tomllib"): "the same",
    ("binding/joined_names", "importlib"): "the table of shapes comes with the package",
    ("binding/joined_names", "tomllib"): "the same",
    ("binding/shapes", "importlib"): "the table of shapes comes with the package",
    ("binding/shapes", "tomllib"): "the same",
    ("evaluation/metrics/statistics", "numpy"): "draws again and again, from a seed",
    ("evaluation/metrics/statistics", "scipy"): "the same",
    ("evaluation/metrics/agreement", "sklearn"): "kappa",
}
REACHING = {"open", "print", "input", "exec", "eval", "compile", "__import__"}

# Modules are named for what they hold, not for what is being done there. Those that may:
GERUNDS = {
    "authoring": "the work of those who write specs, as editors call it",
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


@cache
def modules() -> dict[str, Module]:
    return read_modules(PACKAGE)


@cache
def ours() -> dict[str, Module]:
    """All but the version, which stands above all rooms."""
    return {path: module for path, module in modules().items() if path != INITIAL}


# ---- rooms and imports -----------------------------------------------------------------------------------------------


def test_every_module_has_its_room() -> None:
    assert {module.room for module in ours().values()} == {*ROOMS, "__main__"}


def test_imports_go_down() -> None:
    """What only type checkers see counts."""
    rows = {"__main__": -1, **{room: row for row, room in enumerate(ROOMS)}}
    up = [
        f"{path} imports {found.module}"
        for path, module in ours().items()
        for found in module.imports
        if found.ours and found.module != INITIAL and rows[found.module.partition("/")[0]] < rows[module.room]
    ]
    assert up == []


def test_no_module_imports_itself_by_a_roundabout_way() -> None:
    """Imports within functions count, and those that only type checkers see."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}) == [{"b", "c"}]
    imports = {path: {found.module for found in module.imports if found.ours} for path, module in modules().items()}
    assert circles(imports) == sorted(KNOWN_CYCLES, key=sorted)


def test_a_name_is_imported_from_where_it_is_defined() -> None:
    passed_on = [
        f"{path} imports {found.name} of {found.module}"
        for path, module in ours().items()
        for found in module.imports
        if found.ours and found.name and found.name not in modules()[found.module].defined
    ]
    assert passed_on == []


def test_modules_pass_on_no_names_of_others() -> None:
    passing = {path for path, module in modules().items() if module.listed - module.defined}
    assert passing == PASSING_ON


def pure(path: str) -> bool:
    room, _, rest = path.partition("/")
    return room in PURE_ROOMS or (room in EDGES and rest not in EDGES[room])


def reaching(path: str) -> set[str]:
    """What a module has that no pure module may: packages, modules of ours, built-in functions."""
    module = modules()[path]
    others = {other for other in foreign(path) if other not in CALM.split() and (path, other) not in EXCEPTIONS}
    for found in module.imports:
        if found.ours and not found.hidden and not pure(found.module) and not found.module.startswith(CALM_ROOMS):
            others.add(found.module)
    return others | {name for name in module.called & REACHING if (path, name) not in EXCEPTIONS}


def test_pure_modules_reach_nothing() -> None:
    assert {path: found for path in ours() if pure(path) and (found := reaching(path))} == {}


def foreign(path: str) -> set[str]:
    """The packages of others that a module imports, at once or later."""
    return {found.module.split(".")[0] for found in modules()[path].imports if not found.ours and not found.hidden}


def test_every_exception_is_still_needed() -> None:
    assert all(other in foreign(path) | modules()[path].called for path, other in EXCEPTIONS)
    paths = {found.name for found in modules()["binding/bind"].imports if found.module == "pathlib"}
    assert paths == {"PurePosixPath"}
    assert [f"{room}/{name}" for room, names in EDGES.items() for name in names if not reaching(f"{room}/{name}")] == []


# Families of commands that take names out of runs, evaluation and batch beside the public door. None may be added; what
# goes by the door alone is taken off the list.
BEHIND_THE_DOOR = ("runs", "evaluation", "batch")
BESIDE_THE_DOOR = """
    archive audit batch batch_progress corpus cost data diff documents explain grader graph inputs norms
    output publications ratings runs scores show skills specs stores studies study traces views watch
"""


def test_commands_reach_runs_by_the_public_door() -> None:
    beside = {
        path.removeprefix("cli/")
        for path, module in ours().items()
        if module.room == "cli"
        for one in module.imports
        if one.ours and one.module.partition("/")[0] in BEHIND_THE_DOOR
    }
    assert beside == set(BESIDE_THE_DOOR.split())


# ---- the doors -------------------------------------------------------------------------------------------------------

# Who may open a file or parse a format, and why nobody else has to.
READERS_OF_FILES = {
    "files/regular": "the door to the disk",
    "files/packed": "zip and gzip",
    "files/delimited": "CSV",
    "files/spreadsheet": "Excel, of what `packed` has checked; packs what it wrote itself",
    "export/word": "Word, of what `packed` has checked",
    "export/archive": "packs what it wrote itself",
    "language/yaml/parser": "YAML",
    "model/json_text": "JSON",
    "model/json_values": "JSON among the words of a reply",
    "runs/journal": "lines whose sums fit",
    "runs/spec_copies": "an archive whose digest the run knows, with nothing in it that grows",
    "models/named/tried_habits": "writes YAML",
    "index/run_index": "SQLite, of a file that `regular` has looked at",
    "law/library/store": "the same",
    "files/template_shelf": "SQLite and code, of a private file of the user",
    "corpus/source": "Parquet, of a file that `regular` has looked at",
    "language/sentences/grammar": "tables that come with the package",
    "wording/__init__": "sentences that come with the package",
    "lsp/wire": "the standard input",
    "cli/main": "the null device, where nobody reads any more",
}
OF_OTHER_THINGS = {"formatter.write_text", "folder.write_text"}
"""Methods of ours, and of click's, that bear the name of one that opens a file."""


def test_nobody_opens_or_parses_but_the_guarded_readers() -> None:
    found = {path: {name for _, name in calls} - OF_OTHER_THINGS for path, calls in found_in(PACKAGE).items()}
    assert {path: names for path, names in found.items() if names and path not in READERS_OF_FILES} == {}
    assert [path for path in READERS_OF_FILES if not found.get(path)] == [], "what opens nothing is taken off the list"


@pytest.mark.parametrize(
    "line",
    [
        *("open(p)", "json.loads(t)", "yaml.safe_load(t)", "p.read_text()", "(a / b).read_bytes()", "p.open('rb')"),
        *("csv.reader(f)", "zipfile.ZipFile(p)", "ZipFile(p)", "docx.Document(p)", "load_workbook(p)", "os.open(p, 0)"),
        *("Model.model_validate_json(t)", "p.open(encoding='utf-8')", "gzip.open(p)", "YAML(typ='safe').load(t)"),
        *("json.JSONDecoder()", "x._DECODER.raw_decode(t)", "pickle.load(f)", "p.write_bytes(b)", "FileIO(p)"),
    ],
)
def test_a_call_that_opens_or_parses_is_found(line: str) -> None:
    assert list(calls(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    ["RunFolder.open(path)", "backbones.open()", "files(name).read_text('utf-8')", "docx.Document()", "x.loads()"],
)
def test_a_call_that_does_not_is_none(line: str) -> None:
    assert not list(calls(ast.parse(line)))


# ---- names -----------------------------------------------------------------------------------------------------------


def test_no_module_is_named_for_what_is_being_done_there() -> None:
    paths = {path.removesuffix("/__init__") for path in ours()}
    assert {path for path in paths if path.endswith("ing")} == set(GERUNDS)


def test_no_class_has_the_name_of_another() -> None:
    """The door calls things as its users do: a `Project` there holds the one of another room."""
    door = [name for module in modules().values() if module.room == "api" for name in module.classes]
    names = Counter(name for module in modules().values() if module.room != "api" for name in module.classes)
    assert len(door) == len(set(door))
    assert {name for name, count in names.items() if count > 1} == NAMED_TWICE


def test_the_first_line_of_a_module_says_what_it_is_for() -> None:
    """It stands in ARCHITECTURE.md, as a sentence of one line."""
    first = {path: module.docstring.partition("\n")[0] for path, module in ours().items()}
    assert {path: line for path, line in first.items() if not re.search(r"[.?!]$", line)} == {}


def test_every_test_lies_in_a_room_that_make_tests() -> None:
    """`make test` finds the rooms by their test modules; one that lay elsewhere would not be tested by it."""
    tests = ROOT / "tests"
    rooms = {file.parent for file in tests.glob("*/test_*.py")}
    assert [file for file in tests.rglob("test_*.py") if not rooms & {*file.parents}] == []


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
        f"legalworld.{path.replace('/', '.')}" for path in ours() if path.startswith("evaluation/") and "__" not in path
    ]
    assert "legalworld.evaluation.metrics.statistics" in names
    there = imported("import " + ", ".join(names))
    assert not there & set(NUMERIC)


def test_litellm_is_imported_by_nobody_at_once() -> None:
    at_once = [
        path
        for path, module in ours().items()
        for found in module.imports
        if found.module.split(".")[0] == "litellm" and not found.deferred
    ]
    assert at_once == []


def test_a_run_without_a_model_imports_no_litellm() -> None:
    there = imported("from legalworld.runs import lifecycle, progress, project, show\nimport legalworld.cli.main")
    assert "legalworld.runs.lifecycle" in there
    assert "litellm" not in there


# ---- no law in Python ------------------------------------------------------------------------------------------------

# Words that a spec happens to use for a field, step or choice, and the program for something of its own.
GENERIC = {
    "appeals": "under which name the material of a decision says who does",
    "articles": "of a law that is cited, in what norms decide",
    "bench": "a command that compares models over many cases",
    "client": "of HTTP",
    "D": "begins the id of who is claimed against, in examples of norms",
    "P": "begins the id of who claims, there",
    "decision": "a column of a data set",
    "closing": "a mark by which a thought ends",
    "earlier": "of two days",
    "interest": "a part of an order, in what norms decide",
    "lead": "a group of a pattern",
    "limit": "a start symbol of the grammar; a hole of messages",
    "reply": "an act; where a document or an answer comes from",
    "norms": "a folder of the project",
    "opening": "a mark by which a thought begins",
    "people": "those who took part, in a transcript",
    "start": "of a reply",
    "style": "of an element of a page of the web",
}

# What reads texts and keeps libraries of law has words for what stands in them, whatever the procedure.
OF_LAW = ("law/", "evaluation/", "ratings/", "study/", "cli/documents", "cli/law", "cli/parse", "cli/scores")


@cache
def shipped() -> tuple[Procedure, ...]:
    """Every procedure, linked; that it passes the check as well is proved where it is played."""
    sources, found = Disk(ROOT), []
    for path in sources.names("specs"):
        if "/parts/" not in path and path.endswith(".yaml") and not path.endswith(".test.yaml"):
            linked = link(sources, path)
            assert linked.usable and linked.procedure is not None, path
            found.append(linked.procedure)
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
    norms = (*norm_words.BURDENS, *norm_words.VALUES_OF)
    return {*spellings, *norms, *yaml_keys.YAML_KEYS, *yaml_keys.YAML_KEYS.values(), *_namespace()}


def _namespace() -> set[str]:
    return {text for _, text in modules()["templates/words"].literals if text.isidentifier()}


# The words of the spec language, in both languages.
WORDS = {
    "language/yaml_keys",
    "language/sentences/keywords",
    "language/sentences/norm_words",
    "language/sentences/quantities",
    "language/sentences/references",
}


def plain() -> dict[str, Module]:
    """The modules that have no words of law."""
    known = {*WORDS, "templates/words"}
    return {path: module for path, module in ours().items() if path not in known and not path.startswith(OF_LAW)}


@cache
def words_of_law() -> frozenset[str]:
    law = {word for procedure in shipped() for word in words_of(procedure) if word and not word.isdigit()}
    assert {"plaintiff", "原告", "complaint", "FIT", "mediation", "本院认为", "judge", "结束法庭调查"} <= law
    return frozenset(law - language() - set(GENERIC))


def test_no_law_in_python() -> None:
    law = words_of_law()
    found = [
        f"{path}.py:{line} {text}" for path, module in plain().items() for line, text in module.literals if text in law
    ]
    assert found == []


def test_every_generic_word_is_still_needed() -> None:
    law = {word for procedure in shipped() for word in words_of(procedure)}
    used = {text for module in plain().values() for _, text in module.literals}
    assert set(GENERIC) <= law & used


# Characters of a text, not words: numerals that begin a list, ranges of ideographs.
IDEOGRAPHS = re.compile("[\u4e00-\u9fff]")
CHARACTERS = {"language/yaml/characters", "engine/conduct"}


# `law/text` reads Chinese: single characters stand in its patterns, words in its tables.
READERS = {"law/text/money": 1, "law/text/law_mentions": 4, "law/text/rates": 2, "law/text/times": 1}


def test_chinese_stands_in_keywords_and_messages_only() -> None:
    found = Counter(
        path
        for path, module in ours().items()
        if path not in WORDS
        for _, text in module.literals
        if IDEOGRAPHS.search(text)
    )
    assert found == {**READERS, **dict.fromkeys(CHARACTERS, 1)}


# ---- sizes -----------------------------------------------------------------------------------------------------------


def lengths() -> dict[str, int]:
    return {path: module.lines for path, module in ours().items()}


def lengths_of_functions() -> dict[str, int]:
    return of_functions(lambda function: function.lines)


def parameters() -> dict[str, int]:
    """How many may be given by position."""
    return of_functions(lambda function: function.parameters)


def of_functions(size: Callable[[Function], int]) -> dict[str, int]:
    """Of those of one name in a module, the largest."""
    named = ((f"{path}:{each.name}", size(each)) for path, module in ours().items() for each in module.functions)
    return dict(sorted(named))


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
