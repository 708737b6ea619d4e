"""Which runs are listed, and in what order: the words of a command, made into SQL with nothing of theirs in it.

A name is a column of the list or a figure of a rubric (`alignment.FIT`, or `alignment.FIT@GRADER` where several graders
scored the runs); a condition is `NAME OPERATOR VALUE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable

NUMBERS: Final = frozenset({"seed", "turns", "tokens"})
COLUMNS: Final = (
    *("run", "procedure", "case", "target", "model", "models", "options", "seed", "status"),
    *("outcome", "ending", "place", "turns", "tokens"),
)
_CONDITION: Final = re.compile(r"\s*([^\s<>=!]+)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*", re.DOTALL)
_FIGURE: Final = re.compile(r"([\w-]+)\.([\w-]+)(?:@(\S+))?")


@immutable
class RunColumn:
    """A column of the list, or a figure of a rubric (then `rubric` is set); without a grader the first by name."""

    name: str
    rubric: str = ""
    grader: str = ""

    @property
    def numeric(self) -> bool:
        return bool(self.rubric) or self.name in NUMBERS

    def __str__(self) -> str:
        return f"{self.rubric}.{self.name}{'@' * bool(self.grader)}{self.grader}" if self.rubric else self.name


@immutable
class Condition:
    key: RunColumn
    operator: str
    value: str | float


@immutable
class Query:
    """`among`: column -> the values one of which it must have. `order`: the keys, each with whether it falls.

    `figures`: those that are shown, sorted by or compared. `limit`: 0 for all.
    """

    among: tuple[tuple[str, tuple[str, ...]], ...] = ()
    conditions: tuple[Condition, ...] = ()
    order: tuple[tuple[RunColumn, bool], ...] = ()
    limit: int = 0
    shown: tuple[RunColumn, ...] = ()

    @property
    def figures(self) -> tuple[RunColumn, ...]:
        used = (*self.shown, *(one.key for one in self.conditions), *(key for key, _ in self.order))
        return tuple(dict.fromkeys(key for key in used if key.rubric))


def read_query(
    among: Iterable[tuple[str, Sequence[str]]],
    where: Iterable[str],
    sort: Iterable[str],
    scores: Iterable[str],
    limit: int,
) -> Query | tuple[Diagnostic, ...]:
    """The query that the words of a command mean, or all that is wrong with them."""
    problems: list[Diagnostic] = []

    def key(word: str, option: str) -> RunColumn:
        found = _column_of(word, option)
        if isinstance(found, RunColumn):
            return found
        problems.append(found)
        return RunColumn("run")

    conditions = []
    for words in where:
        match = _CONDITION.fullmatch(words)
        if match is None:
            problems.append(diagnose.unreadable_run_condition("--where", text=words))
            continue
        named = key(match[1], "--where")
        value = _value(named, match[3])
        if value is None:
            problems.append(diagnose.number_in_run_condition("--where", name=str(named), text=match[3]))
        else:
            conditions.append(Condition(named, match[2], value))
    order = tuple((key(word.removeprefix("-"), "--sort"), word.startswith("-")) for word in sort)
    shown = tuple(key(word, "--scores") for word in scores)
    for one in shown:
        if not one.rubric:
            problems.append(diagnose.unknown_run_column("--scores", name=str(one), nearest=None))
    if problems:
        return tuple(problems)
    chosen = tuple((name, tuple(values)) for name, values in among if values)
    return Query(chosen, tuple(conditions), order, limit, shown)


def _column_of(word: str, option: str) -> RunColumn | Diagnostic:
    if word in COLUMNS:
        return RunColumn(word)
    if figure := _FIGURE.fullmatch(word):
        return RunColumn(figure[2], figure[1], figure[3] or "")
    return diagnose.unknown_run_column(option, name=word, nearest=nearest(word, COLUMNS))


def _value(key: RunColumn, text: str) -> str | float | None:
    """What a key is compared with; None where it should be a number and is none."""
    if not key.numeric:
        return text
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number else None


# ---- SQL -------------------------------------------------------------------------------------------------------------


@immutable
class Statement:
    """A statement and what stands for its question marks, in order."""

    sql: str
    values: tuple[str | float | int, ...]


def count(query: Query) -> Statement:
    """How many runs there are under the query, whatever its limit."""
    joins, clauses, values = _parts(query)
    return Statement(f"SELECT count(*) FROM runs{joins}{clauses}", values)


def select(query: Query) -> Statement:
    """The columns of the list in their order, then the figures of the query in theirs."""
    joins, clauses, values = _parts(query)
    figures = {key: f"f{n}.value" for n, key in enumerate(query.figures)}
    columns = [*(f'runs."{name}"' for name in COLUMNS), *figures.values()]
    order = [
        f"{place} IS NULL, {place}{' DESC' if falling else ''}"
        for key, falling in query.order
        for place in [figures.get(key) or _column(key)]
    ]
    limit = f" LIMIT {query.limit}" if query.limit else ""
    ordered = ", ".join([*order, 'runs."run"'])
    return Statement(f"SELECT {', '.join(columns)} FROM runs{joins}{clauses} ORDER BY {ordered}{limit}", values)


def _column(key: RunColumn) -> str:
    return f'runs."{key.name}"'


def _parts(query: Query) -> tuple[str, str, tuple[str | float, ...]]:
    joins, values = "", []
    places = {}
    for n, key in enumerate(query.figures):
        first = "(SELECT min(grader) FROM scores s WHERE s.run = runs.run AND s.rubric = ?)"
        joins += (
            f" LEFT JOIN scores f{n} ON f{n}.run = runs.run AND f{n}.rubric = ? AND f{n}.figure = ?"
            f" AND f{n}.grader = {'?' if key.grader else first}"
        )
        values += [key.rubric, key.name, key.grader or key.rubric]
        places[key] = f"f{n}.value"
    clauses = []
    for name, among in query.among:
        clauses.append(f'runs."{name}" IN ({", ".join("?" * len(among))})')
        values += among
    for one in query.conditions:
        clauses.append(f"{places.get(one.key) or _column(one.key)} {one.operator} ?")
        values.append(one.value)  # type: ignore[arg-type]
    return joins, f" WHERE {' AND '.join(clauses)}" if clauses else "", tuple(values)
