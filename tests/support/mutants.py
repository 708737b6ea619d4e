"""Mutation testing of the rooms that guard what people see: a sample of small faults, each of which a test must notice.

    make mutants                                      the sample, reckoned from a seed
    make mutants ARGS="--count 60 --only engine/scene"
    make mutants ARGS="--hand"                        the faults written by hand alone
    make mutants ARGS="--count 120 --since HEAD~400"  in lines that have changed since then, none by hand

Sites and most changes are mutmut's; removed guards, operands, statements and returns are ours. A mutant lies in a copy
of the checkout below build/mutants, never in the checkout, and meets the tests that ran its lines, the fastest first.
Which those are is asked once: delete build/mutants when tests were added. `mutants.toml` lists what is equivalent, by
its content, and the faults written by hand. Not part of `make test`.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
LISTED = Path(__file__).with_name("mutants.toml")
MUTATED = ("engine/", "checking/", "templates/", "binding/rules", "binding/paths")
# The tests of these rooms are asked which lines they run; the last ones take minutes.
TESTED = ("templates", "engine", "checking", "binding", "language", "runs", "procedures")
GUARDS = re.compile(
    r"engine/(scene|presence|reach|reply_reader|foreign_marks|view|disclosure|replies|recorder|titles)|binding"
    r"|checking/(rules/presence|rules/vis|template_readers|abstract)|templates/(runtime|subset|metered|reads|shown)"
)
WEIGHT = 3  # how much likelier a line of those is drawn
FIRST, MOST = 20.0, 240  # seconds of tests that are run first; that a mutant may take
SKIPPED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.TypeAlias, cst.Assert)


@dataclass(frozen=True)
class Mutant:
    """One fault: `was` and `became` are the lines that differ, so that it is known again when lines move."""

    module: str
    function: str
    kind: str
    line: int
    was: str
    became: str
    source: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.module, self.function, self.was, self.became


# ---- what is changed -------------------------------------------------------------------------------------------------

_EMPTY = {
    "tuple": "()",
    "str": '""',
    "frozenset": "frozenset()",
    "set": "set()",
    "list": "[]",
    "int": "0",
    "dict": "{}",
}


def changes(node: cst.CSTNode, returns: str) -> Iterator[tuple[str, cst.CSTNode]]:
    """What may stand instead of a node, and the kind of fault that is. `returns`: the type of the function around."""
    match node:
        case cst.If() | cst.CompIf():
            yield from (("guard", node.with_changes(test=cst.Name(value))) for value in ("True", "False"))
        case cst.BooleanOperation():
            yield from (("operand", side) for side in (node.left, node.right))
            yield from (("boolean", new) for new in mutators.operator_swap_op(node))
        case cst.UnaryOperation():
            yield from (("boolean", new) for new in mutators.operator_remove_unary_ops(node))
        case cst.ComparisonTarget():
            swapped = (*mutators.operator_swap_op(node), *_words(node))
            yield from (("comparison", new) for new in swapped)
        case cst.BinaryOperation() | cst.AugAssign():
            yield from (("arithmetic", new) for new in mutators.operator_swap_op(node))
        case cst.BaseNumber():
            yield from (("constant", new) for new in mutators.operator_number(node))
        case cst.Name(value="True" | "False"):
            yield from (("constant", new) for new in mutators.operator_name(node))
        case cst.Call() if not isinstance(node.func, cst.Name) or node.func.value not in ("isinstance", "len"):
            yield from (("argument", new) for new in mutators.operator_arg_removal(node))
        case cst.IfExp():
            yield from (("branch", arm) for arm in (node.body, node.orelse))
        case cst.Match():
            yield from (("branch", new) for new in mutators.operator_match(node))
        case cst.Return(value=cst.BaseExpression() as value) if returns:
            wrong = f"not ({cst.Module([]).code_for_node(value)})" if returns == "bool" else _EMPTY.get(returns, "None")
            yield "return", node.with_changes(value=cst.parse_expression(wrong))
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() | cst.Yield()) | cst.AugAssign() | cst.Raise()]):
            yield "statement", node.with_changes(body=[cst.Pass()])
        case cst.SimpleStatementLine(body=[cst.Continue() | cst.Break()]):
            yield "statement", node.with_changes(body=[cst.Pass()])


def _words(node: cst.ComparisonTarget) -> Iterator[cst.ComparisonTarget]:
    """`in`, `not in`, `is`, `is not`, turned round."""
    for operator in mutators.operator_keywords(node.operator):
        yield node.with_changes(operator=operator)


class Sites(cst.CSTVisitor):
    """Every place of a module and what may stand there instead."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.around: list[tuple[str, str]] = []
        self.found: list[tuple[str, str, int, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, SKIPPED):
            return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            hint = node.returns if isinstance(node, cst.FunctionDef) else None
            told = cst.Module([]).code_for_node(hint.annotation) if hint is not None else ""
            self.around.append((node.name.value, re.split(r"[\[ |]", told)[0]))
        function = ".".join(name for name, _ in self.around)
        for kind, new in changes(node, self.around[-1][1] if self.around else ""):
            line = self.get_metadata(PositionProvider, node).start.line
            self.found.append((function, kind, line, node, new))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self.around.pop()


class Source:
    """One module, its sites, and the mutants that are made of them on demand."""

    def __init__(self, path: str) -> None:
        self.path, self.text = path, (ROOT / "legalworld" / f"{path}.py").read_text("utf-8")
        wrapper, sites = MetadataWrapper(cst.parse_module(self.text)), Sites()
        wrapper.visit(sites)
        self.module, self.sites = wrapper.module, sites.found

    def mutant(self, number: int) -> Mutant | None:
        """The mutant of a site; None where the result is the same program or none."""
        function, kind, line, node, new = self.sites[number]
        source = self.module.deep_replace(node, new).code  # type: ignore[union-attr]
        try:
            compile(source, self.path, "exec")
        except SyntaxError:
            return None
        was, became = difference(self.text, source)
        return Mutant(self.path, function, kind, line, was, became, source) if was != became else None


def difference(before: str, after: str) -> tuple[str, str]:
    """The lines that two texts do not share, without what they are indented by."""
    old, new = before.splitlines(), after.splitlines()
    parts = [one for one in difflib.SequenceMatcher(None, old, new, False).get_opcodes() if one[0] != "equal"]
    sides = (old[parts[0][1] : parts[-1][2]], new[parts[0][3] : parts[-1][4]]) if parts else ([], [])
    return " ".join(" ".join(sides[0]).split()), " ".join(" ".join(sides[1]).split())


@cache
def modules(only: str) -> tuple[str, ...]:
    package = ROOT / "legalworld"
    paths = (file.relative_to(package).as_posix()[:-3] for file in package.rglob("*.py") if file.name != "__init__.py")
    return tuple(sorted(path for path in paths if path.startswith(MUTATED) and path.startswith(only)))


def changed(path: str, since: str) -> set[int]:
    """The lines of a module that differ from those of a revision."""
    command = ["git", "diff", "-U0", since, "--", f"legalworld/{path}.py"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    hunks = re.findall(r"^@@ \S+ \+(\d+)(?:,(\d+))? @@", told, re.MULTILINE)
    return {line for first, length in hunks for line in range(int(first), int(first) + int(length or 1))}


def sample(count: int, seed: int, only: str, since: str = "") -> Iterator[Mutant]:
    """Some mutants of every module, in turn of each kind of fault; the guards of what people see more often.

    `since`: a revision; of lines that have not changed since, there are none.
    """
    sources = [Source(path) for path in modules(only)]
    for source in sources if since else ():
        new = changed(source.path, since)
        source.sites = [site for site in source.sites if site[2] in new]
    sources = [source for source in sources if source.sites]
    weights = {one.path: len(one.sites) ** 0.5 * (WEIGHT if GUARDS.search(one.path) else 1) for one in sources}
    total = sum(weights.values())
    for source in sources:
        quota = max(1, round(count * weights[source.path] / total))
        yield from drawn(source, quota, random.Random(f"{seed}:{source.path}"))


def drawn(source: Source, quota: int, chance: random.Random) -> Iterator[Mutant]:
    kinds: dict[str, list[int]] = defaultdict(list)
    for number, site in enumerate(source.sites):
        kinds[site[1]].append(number)
    for numbers in kinds.values():
        chance.shuffle(numbers)
    order = sorted(kinds)
    chance.shuffle(order)
    known = {one["module"] + one["was"] + one["became"] for one in listed("equivalent")}
    while quota and any(kinds.values()):
        for kind in [kind for kind in order if kinds[kind]][:quota]:
            mutant = source.mutant(kinds[kind].pop())
            if mutant is not None and mutant.module + mutant.was + mutant.became not in known:
                quota -= 1
                yield mutant


def listed(what: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(LISTED.read_text("utf-8")).get(what, [])
    return found


def by_hand(only: str) -> Iterator[Mutant]:
    """The faults that are written down, each a text that stands once in its module and what stands there instead."""
    for one in listed("hand"):
        if one["module"].startswith(only):
            text = (ROOT / "legalworld" / f"{one['module']}.py").read_text("utf-8")
            assert text.count(one["was"]) == 1, f"{one['module']}: {one['was']!r} does not stand there once"
            source = text.replace(one["was"], one["became"])
            line = text[: text.index(one["was"])].count("\n") + 1
            was, became = difference(text, source)
            yield Mutant(one["module"], one["why"], "hand", line, was, became, source)


# ---- which tests ran a line ------------------------------------------------------------------------------------------


def copied() -> None:
    """The files that git knows, as they are now, beside the checkout."""
    shutil.rmtree(TREE, ignore_errors=True)
    names = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, names.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)


def environment(**more: str) -> dict[str, str]:
    paths = (str(TREE), str(TREE / "tests" / "support"), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1", **more}


def contexts(rooms: Iterable[str]) -> tuple[dict[str, dict[int, set[str]]], dict[str, float]]:
    """Module -> line -> tests that ran it; test -> seconds. Kept for each room of tests."""
    import coverage

    ran_by: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    seconds: dict[str, float] = {}
    for room in rooms:
        kept = WORK / f"coverage.{room}"
        if not Path(f"{kept}.json").exists():
            print(f"asking the tests of {room} which lines they run", flush=True)
            more = environment(LW_CONTEXTS=str(kept), PYTHONDONTWRITEBYTECODE="")
            command = [sys.executable, "-m", "pytest", "-p", "mutant_contexts", f"tests/{room}"]
            subprocess.run(command, cwd=TREE, env=more, stdout=subprocess.DEVNULL, check=False)
        told = json.loads(Path(f"{kept}.json").read_text("utf-8"))
        seconds |= {test: spent for test, (spent, outcome) in told.items() if outcome == "passed"}
        data = coverage.CoverageData(str(kept))
        data.read()
        for file in data.measured_files():
            module = file.rpartition("/legalworld/")[2][:-3]
            for line, tests in data.contexts_by_lineno(file).items():
                ran_by[module][line] |= {test for test in tests if test in seconds}
    return ran_by, seconds


# ---- a mutant meets its tests ----------------------------------------------------------------------------------------


def tested(mutant: Mutant, tests: Sequence[str], most: float) -> tuple[str, str]:
    """How a mutant fared with some tests, and the test that noticed it: killed, survived or timeout."""
    file = TREE / "legalworld" / f"{mutant.module}.py"
    kept, text = file.stat(), file.read_text("utf-8")
    file.write_text(mutant.source, "utf-8")
    try:
        return ran(tests, most)
    finally:
        file.write_text(text, "utf-8")
        os.utime(file, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def ran(tests: Sequence[str], most: float) -> tuple[str, str]:
    names = WORK / "tests.txt"
    names.write_text("\n".join(tests), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-rfE", "-p", "no:cacheprovider", "--tb=no", f"@{names}"]
    done = subprocess.Popen(
        command, cwd=TREE, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        said = done.communicate(timeout=most)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(done.pid, signal.SIGKILL)
        done.communicate()
        return "timeout", ""
    if done.returncode == 0:
        return "survived", ""
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
    return "killed", found[1] if found else f"ended with {done.returncode}: {said.strip()[-200:]}"


_sound: dict[str, bool] = {}
_noticed: Counter[str] = Counter()


def sound(test: str) -> bool:
    """Whether a test that noticed a mutant notices nothing where there is none."""
    if test.startswith("tests/") and "::" in test and test not in _sound:
        _sound[test] = ran([test], MOST)[0] == "survived"
    return _sound.get(test, True)


def relevant(mutant: Mutant, lines: Mapping[int, set[str]], seconds: Mapping[str, float]) -> list[str]:
    """The tests that ran a mutant's line, or else the last line before it that any ran, or else all there are.

    First those that have noticed others, then one of each function, the fastest first, those of the same room before
    others: what differs in parameters alone notices much the same.
    """
    before = max((line for line, tests in lines.items() if tests and line <= mutant.line), default=0)
    tests = lines.get(before) or {test for tests in lines.values() for test in tests} or set(seconds)
    home = f"tests/{mutant.module.partition('/')[0]}/"
    rank: Counter[str] = Counter()
    order: dict[str, tuple[int, int, bool, float]] = {}
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        function = test.partition("[")[0]
        order[test] = (-_noticed[test], rank[function], not test.startswith(home), seconds[test])
        rank[function] += 1
    return sorted(order, key=order.__getitem__)


def met(mutant: Mutant, tests: Sequence[str], seconds: Mapping[str, float], longest: float) -> tuple[str, str]:
    """The fastest tests first; who survives them meets the others, as far as these take no longer."""
    left = list(tests)
    for budget in (FIRST, longest):
        chosen, spent = [], 0.0
        while left and spent + seconds.get(left[0], 0) <= budget:
            spent += seconds.get(left[0], 0)
            chosen.append(left.pop(0))
        while chosen:
            verdict, by = tested(mutant, chosen, MOST)
            if verdict == "survived":
                break
            if verdict == "timeout" or sound(by):
                return verdict, by
            chosen = [test for test in chosen if test != by]
    return "survived", ""


def report(results: Sequence[tuple[Mutant, str, str]]) -> None:
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, verdict, _ in results:
        rooms[mutant.module.partition("/")[0]][verdict] += 1
    print(f"{'room':<12}{'mutants':>9}{'killed':>9}{'timeout':>9}{'survived':>9}")
    for room, counts in sorted(rooms.items()):
        print(f"{room:<12}{counts.total():>9}{counts['killed']:>9}{counts['timeout']:>9}{counts['survived']:>9}")


def wanted(arguments: argparse.Namespace) -> list[Mutant]:
    """The mutants to be tried: by hand, those of a file of results that survived, or a sample."""
    if arguments.hand:
        return list(by_hand(arguments.only))
    if not arguments.again:
        picked = sample(arguments.count, arguments.seed, arguments.only, arguments.since)
        return [*(() if arguments.since else by_hand(arguments.only)), *picked]
    lines = [json.loads(line) for line in Path(arguments.again).read_text("utf-8").splitlines()]
    left = [one for one in lines if one["verdict"] == "survived"]
    keys = {tuple(one[name] for name in ("module", "function", "was", "became")) for one in left}
    sites = {(one["module"], one["function"], one["kind"]) for one in left}
    found = [one for path in sorted({key[0] for key in keys}) for one in everyone(Source(path), sites, keys)]
    return [*(one for one in by_hand("") if one.key in keys), *found]


def everyone(source: Source, sites: set[tuple[str, ...]], keys: set[tuple[str, ...]]) -> Iterator[Mutant]:
    """The mutants of a module that are among some, each once. `sites`: module, function and kind of each."""
    seen: set[tuple[str, ...]] = set()
    for number, site in enumerate(source.sites):
        mutant = source.mutant(number) if (source.path, *site[:2]) in sites else None
        if mutant is not None and mutant.key in keys and mutant.key not in seen:
            seen.add(mutant.key)
            yield mutant


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--only", default="", help="modules below legalworld/ that begin so")
    parser.add_argument("--since", default="", help="a revision: lines that have changed since")
    parser.add_argument("--hand", action="store_true", help="the faults written by hand alone")
    parser.add_argument("--again", default="", help="a file of results: those that survived, once more")
    parser.add_argument("--tests", nargs="*", help="these tests, and not those that ran the line")
    parser.add_argument("--rooms", nargs="*", default=TESTED, help="the rooms of tests that are asked")
    parser.add_argument("--longest", type=float, default=120, help="seconds of tests that a survivor meets at most")
    parser.add_argument("--results", default=str(WORK / "results.jsonl"))
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    mutants = wanted(arguments)
    copied()
    lines, seconds = contexts([] if arguments.tests else arguments.rooms)
    results: list[tuple[Mutant, str, str]] = []
    for number, mutant in enumerate(mutants, 1):
        begun = time.monotonic()
        tests = arguments.tests or relevant(mutant, lines[mutant.module], seconds)
        verdict, by = met(mutant, tests, seconds, arguments.longest)
        _noticed[by] += verdict == "killed"
        results.append((mutant, verdict, by))
        with Path(arguments.results).open("a", encoding="utf-8") as file:
            told = {**asdict(mutant), "verdict": verdict, "by": by, "tests": len(tests)}
            told.pop("source")
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
        spent = time.monotonic() - begun
        print(f"{number}/{len(mutants)} {verdict} {spent:.0f}s {mutant.module}:{mutant.line} {mutant.kind}", flush=True)
        if verdict == "survived":
            print(f"    - {mutant.was}\n    + {mutant.became}", flush=True)
    report(results)
    return any(verdict == "survived" for _, verdict, _ in results)


if __name__ == "__main__":
    sys.exit(main())
