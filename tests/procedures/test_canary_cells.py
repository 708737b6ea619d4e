"""Whatever the matrix keeps closed is opened, one cell after the other: the watch of the canary test must notice each.

And a template that reads what its reader may not see is refused by the checker; unchecked, it gets nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import pytest
from canary_marks import marks
from watching import (
    EXCHANGE,
    KINDS,
    ROWS,
    SHARED,
    SIDES,
    SPEC,
    TARGETS,
    Key,
    Opened,
    appealed,
    canary,
    civil,
    linked,
    outcome,
    play,
    shipped,
    templates,
)

from legalworld.checking.check import check
from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.procedure import Grant, Procedure
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateError
from legalworld.wording import diagnostics


# ---- every closed cell, opened ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Row:
    """A row of the matrix as written. `key`: whose, and what."""

    number: int
    label: str
    cells: tuple[str, ...]
    key: Key


@cache
def matrix() -> tuple[tuple[tuple[str, ...], ...], tuple[Row, ...]]:
    """The stages of each column, and the rows, read from the text of the spec."""
    lines = [(n, line) for n, line in enumerate(shipped()[SPEC].split("\n")) if re.match(r" +\| *[a-z]", line)]
    table = [(n, [cell.strip() for cell in line.strip().strip("|").split("|")]) for n, line in lines]
    columns = tuple(tuple(stage.strip() for stage in cell.split(",")) for cell in table[0][1][1:])
    rows = []
    for n, (label, *cells) in table[1:]:
        name, *rest = label.split()
        whose = rest[0] if rest and rest[0] in ("own", "other") else "all"
        rows.append(Row(n, label, tuple(cells), (whose, name)))
    return columns, tuple(rows)


def rewritten(*rows: Row) -> str:
    """The spec with these rows in their places."""
    lines = shipped()[SPEC].split("\n")
    for row in rows:
        lines[row.number] = f"  | {row.label} | {' | '.join(row.cells)} |"
    return "\n".join(lines)


def closed(row: Row) -> list[tuple[int, str]]:
    """What the cells of a row do not grant: number of the column, letter."""
    return [(n, letter) for n, cell in enumerate(row.cells) for letter in "CLJ" if letter not in cell.split()]


def noticed(procedure: Procedure, row: Row, column: int, letter: str, exchange: str) -> bool:
    """Whether the watch reports that cell of a changed spec, in a run as far as need be; or the checker refuses it."""
    stages = matrix()[0][column]
    target = TARGETS[1] if "DD" in stages else TARGETS[0]
    opened = (row.key, letter)
    options = {"show_court_account": "yes"} if row.key[1] == "court_account" else {}
    case = appealed(canary(), SIDES)
    try:
        play(procedure, case, target, only=stages, opened=opened, evidence_exchange=exchange, **options)
    except Opened:
        return True
    return any(problem.severity == "error" for problem in check(procedure, SHARED))


@cache
def all_open() -> Procedure:
    """The procedure with every cell of every row open."""
    whole = linked(rewritten(*(replace(row, cells=("C L J",) * len(row.cells)) for row in matrix()[1])))
    assert isinstance(whole, Procedure)
    return whole


def opening(row: Row, column: int, letter: str) -> tuple[Grant, ...]:
    """What grants one cell."""
    kind, stages = KINDS[letter], matrix()[0][column]
    grants = all_open().grants
    found = tuple(g for g in grants if g.span.line == row.number + 1 and g.kind == kind and g.stage in stages)
    assert len(found) == len(stages)
    return found


@cache
def noticed_together(exchange: str) -> frozenset[tuple[Key, str, str]]:
    """(key, stage, letter) of what is noticed where every closed cell of every row is opened at once."""
    grants = [grant for row in matrix()[1] for cell in closed(row) for grant in opening(row, *cell)]
    procedure = replace(civil(), grants=(*civil().grants, *grants))
    stages = tuple(stage.id for stage in procedure.stages)
    found = set()
    for target in TARGETS:
        watch, _ = play(procedure, appealed(canary(), SIDES), target, only=stages, evidence_exchange=exchange)
        found |= {(finding.key, finding.stage, finding.letter) for finding in watch.findings if not finding.missing}
    return frozenset(found)


@pytest.mark.parametrize("row", matrix()[1], ids=lambda row: row.label.replace(" ", "-"))
def test_opening_any_cell_is_noticed(row: Row) -> None:
    """Each by itself: where all are opened at once, and what is not noticed there, alone."""
    exchange = EXCHANGE[1] if EXCHANGE[1] in row.label else EXCHANGE[0]
    unnoticed = []
    for column, letter in closed(row):
        stages = matrix()[0][column]
        if any((row.key, stage, letter) in noticed_together(exchange) for stage in stages):
            continue
        procedure = replace(civil(), grants=(*civil().grants, *opening(row, column, letter)))
        if not noticed(procedure, row, column, letter, exchange):
            unnoticed.append((stages, letter))
    assert unnoticed == []


def too_early() -> Iterator[tuple[str, Row, int]]:
    """Specs that open the other side's evidence at once, after another phase, or whatever the option says."""
    for row in matrix()[1]:
        for n, cell in enumerate(row.cells):
            if " after " in cell:
                for other in (cell.partition(" after ")[0], cell.replace("investigation", "opening")):
                    yield rewritten(replace(row, cells=(*row.cells[:n], other, *row.cells[n + 1 :]))), row, n
        label, _, condition = row.label.partition(" if ")
        if condition in EXCHANGE or any(word in condition for word in EXCHANGE):
            yield rewritten(replace(row, label=label)), row, next(n for n, cell in enumerate(row.cells) if cell != "-")


def test_opening_the_other_sides_evidence_too_early_is_noticed() -> None:
    specs = list(too_early())
    assert len(specs) == 6
    for text, row, column in specs:
        procedure = linked(text)
        assert isinstance(procedure, Procedure)
        assert noticed(procedure, row, column, "C", EXCHANGE[0]), text.split("\n")[row.number]


def unlisted() -> list[Key]:
    """What the matrix has no row for, and what therefore nobody sees: (whose, name)."""
    procedure, rows = civil(), {row.key for row in matrix()[1]}
    sided = {name for name, what in {**procedure.fields, **procedure.documents}.items() if what.sided}
    names = (*procedure.fields, *procedure.documents, *procedure.answers)
    keys = [(whose, name) for name in names for whose in (("own", "other") if name in sided else ("all",))]
    return [key for key in keys if key not in rows]


@cache
def with_rows(*keys: Key) -> Procedure:
    """The procedure with a row more for each of these, in which every cell is open."""
    columns, rows = matrix()
    lines = shipped()[SPEC].split("\n")
    for whose, name in reversed(keys):
        label = name if whose == "all" else f"{name} {whose}"
        lines.insert(rows[-1].number + 1, f"  | {label} | {' | '.join('C L J' for _ in columns)} |")
    procedure = linked("\n".join(lines))
    assert isinstance(procedure, Procedure)
    return procedure


PLAYED = tuple(key for key in unlisted() if not {"evaluation_only", "unplayed"} & ROWS[key[1]].keys())
SEALED = tuple(key for key in unlisted() if ROWS[key[1]].get("evaluation_only"))


@cache
def noticed_without_rows() -> frozenset[tuple[Key, str, str]]:
    """(key, stage, letter) of what is noticed where all that has no row is open."""
    procedure, found = with_rows(*PLAYED), set()
    stages = tuple(stage.id for stage in procedure.stages)
    for target, until in ((TARGETS[1], "FIT"), (TARGETS[0], "SIT/opening")):
        watch, _ = play(procedure, appealed(canary(), SIDES), target, until=until, only=stages)
        found |= {(one.key, one.stage, one.letter) for one in watch.findings}
    return frozenset(found)


@pytest.mark.parametrize(("whose", "name"), PLAYED)
def test_opening_what_has_no_row_is_noticed(whose: str, name: str) -> None:
    stages = [stage.id for stage in civil().stages]
    assert {((whose, name), *cell) for cell in product(stages, "CLJ")} <= noticed_without_rows()


def test_what_is_for_evaluation_only_is_never_granted() -> None:
    problems = [one for one in check(with_rows(*SEALED), templates()) if one.code == "LW080"]
    first = matrix()[1][-1].number + 2
    columns = len(matrix()[0])
    assert Counter(one.span.line for one in problems) == {first + n: columns for n in range(len(SEALED))}
    assert len(SEALED) > 2


def test_what_is_amended_has_no_row() -> None:
    problems = [one for one in check(with_rows(("all", "amended_claims")), templates()) if one.code == "LW976"]
    assert len(problems) == len(matrix()[0])


@pytest.mark.parametrize(
    "path", ["$.real.first.findings", "$.consultation.{side}[*]", "$.consultation.{side}[*].answer"]
)
def test_no_granted_field_takes_in_what_is_for_evaluation_only(path: str) -> None:
    part = "specs/parts/civil-case.yaml"
    text, lines = shipped()[part], set()
    for field in ("facts", "goal", "questions"):
        text = re.sub(rf'( {field}:.*?path: )"[^"]*"', rf'\1"{path}"', text)
        lines.add(next(n for n, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith(f"{field}:")))
    found = link(MemorySources({**shipped(), part: text}), SPEC)
    assert found.procedure is not None
    problems = [one for one in check(found.procedure, templates()) if one.code == "LW081"]
    assert {one.span.line for one in problems} == lines


def test_cells_for_what_is_not_there_yet_are_refused() -> None:
    """A paper or an answer granted only before anybody can have written or given it."""
    columns, rows = matrix()
    order = [stage.id for stage in civil().stages]
    changed, expected = [], {}
    for row in rows:
        made = ROWS[row.key[1]].get("made")
        before = [n for n, stages in enumerate(columns) if made and max(map(order.index, stages)) < order.index(made)]
        if before:
            changed.append(replace(row, cells=tuple("C L J" if n in before else c for n, c in enumerate(row.cells))))
            expected[row.number + 1] = len(before)
    procedure = linked(rewritten(*changed))
    assert isinstance(procedure, Procedure)
    problems = [problem for problem in check(procedure, templates()) if problem.code == "LW088"]
    assert Counter(problem.span.line for problem in problems) == expected
    assert sum(expected.values()) > 20


# ---- templates -------------------------------------------------------------------------------------------------------
GOAL = "{% for e in own.goal %}{{ e.value.goal }}{% endfor %}"
THEIR_GOAL = GOAL.replace("own", "other")
THEIR_FACTS = "{% for e in other.facts %}{{ e.value }}{% endfor %}"
THEIR_EVIDENCE = "{% for e in other.evidence %}{% for i in e.value %}{{ i.purpose }}{% endfor %}{% endfor %}"
TOO_MUCH = (
    ("prompts/zh/civil/who/judge.j2", GOAL),
    ("prompts/zh/who/client.j2", THEIR_GOAL),
    ("prompts/zh/civil/who/lawyer.LC.j2", "{% for c in known.claims %}{{ c.text }}{% endfor %}"),
    ("prompts/zh/civil/who/lawyer.CD.j2", "{{ known.docket.number }}"),
    ("prompts/zh/who/_facts.j2", THEIR_FACTS),
    ("prompts/zh/civil/where/FIT.j2", GOAL),
    ("prompts/zh/civil/where/phase.mediation.j2", GOAL),
    ("prompts/zh/civil/know/facts.j2", THEIR_FACTS),
    ("prompts/zh/know/default.j2", GOAL),
    ("prompts/zh/civil/know/first_judgment.j2", GOAL),
    ("prompts/zh/civil/act/respond.cross_examine.j2", THEIR_EVIDENCE),
    ("prompts/zh/civil/act/note.rule_evidence.j2", GOAL),
    ("prompts/zh/civil/act/state.propose.j2", THEIR_GOAL),
    ("prompts/zh/heard.j2", GOAL),
    ("prompts/zh/again.j2", GOAL),
    ("prompts/zh/civil/offline/answer.willing.j2", THEIR_GOAL),
    ("prompts/zh/civil/offline/draft.judge.FIT.j2", "{{ known.first_judgment }}"),
    ("prompts/zh/civil/offline/note.judge.SIT.j2", GOAL),
    ("documents/zh/civil/_judgment_of_first.j2", GOAL),
    ("documents/zh/civil/complaint.j2", THEIR_FACTS),
    ("documents/zh/civil/appeal_defence.j2", "{% for e in other.new_evidence %}{{ e.title }}{% endfor %}"),
)


@cache
def reading_too_much() -> Mapping[str, str]:
    """All of them, each with the words at its end."""
    return {home: f"{shipped()[home].rstrip(chr(10))}\n{words}\n" for home, words in TOO_MUCH}


@cache
def refused() -> tuple[Diagnostic, ...]:
    return tuple(one for one in check(civil(), templates(reading_too_much())) if one.severity == "error")


@pytest.mark.parametrize("home", reading_too_much())
def test_a_template_that_reads_too_much_is_refused(home: str) -> None:
    """With its own place, that of the cell (or the field) that keeps it closed, and that of the step."""
    changed = reading_too_much()
    problems = [one for one in refused() if one.span.file == home]
    assert {(one.code, one.span.line) for one in problems} == {("LW084", changed[home].count("\n"))}
    for problem in problems:
        closed_by, step = problem.also
        assert closed_by.file.startswith("specs/")
        assert step.file.startswith("specs/")
        message = diagnostics.render((problem,), MemorySources({**shipped(), **changed}).read, "zh")
        assert all(f"{span.file}:{span.line}" in message for span in (problem.span, closed_by, step))


def test_no_other_template_is_refused_for_them() -> None:
    assert {one.span.file for one in refused()} == reading_too_much().keys()
    assert len(reading_too_much()) == len(TOO_MUCH)


@pytest.mark.parametrize("words", ["{{ known.real }}", "{% for e in own.references %}{{ e.title }}{% endfor %}"])
def test_a_template_never_reads_what_is_for_evaluation_only(words: str) -> None:
    home = "prompts/zh/civil/who/judge.j2"
    problems = check(civil(), templates({home: shipped()[home] + words}))
    assert {problem.code for problem in problems if problem.severity == "error"} == {"LW082"}


UNCHECKED = (
    ("prompts/zh/civil/who/lawyer.FIT.j2", THEIR_FACTS, EXCHANGE[0]),
    ("prompts/zh/civil/who/judge.j2", GOAL, EXCHANGE[0]),
    ("prompts/zh/civil/act/respond.cross_examine.j2", THEIR_EVIDENCE, EXCHANGE[0]),
    ("prompts/zh/civil/know/facts.j2", "{{ known.first_judgment }}", EXCHANGE[0]),
    ("prompts/zh/civil/offline/note.judge.SIT.j2", GOAL, EXCHANGE[0]),
    ("documents/zh/civil/appeal_defence.j2", THEIR_GOAL, EXCHANGE[1]),
    ("prompts/zh/civil/who/judge.j2", "{{ known.real }}", EXCHANGE[0]),
    ("prompts/zh/heard.j2", "{% for e in own.references %}{{ e.title }}{% endfor %}", EXCHANGE[0]),
)


@pytest.mark.parametrize(("home", "words", "exchange"), UNCHECKED)
def test_an_unchecked_template_gets_nothing_either(home: str, words: str, exchange: str) -> None:
    """What is not granted is not among its variables at all: the run stops, and the error holds none of it."""
    changed = {home: shipped()[home].rstrip("\n") + f"\n{words}\n"}
    with pytest.raises(TemplateError) as raised:
        play(civil(), appealed(canary(), SIDES), prompts=templates(changed), evidence_exchange=exchange)
    (problem,) = raised.value.problems
    assert (problem.code, problem.span.file) == ("LW110", home)
    message = diagnostics.render((problem,), MemorySources({**shipped(), **changed}).read, "zh")
    assert marks(f"{raised.value}{message}") == frozenset()


def test_the_same_template_is_given_what_the_option_opens() -> None:
    home = "prompts/zh/civil/act/respond.cross_examine.j2"
    prompts = templates({home: f"{shipped()[home]}{THEIR_EVIDENCE}"})
    watch, events = play(civil(), appealed(canary(), SIDES), prompts=prompts, evidence_exchange=EXCHANGE[1])
    assert outcome(events) == "final_judgment"
    found = {one.key for one in watch.findings if one.stage == "FIT"}
    assert found == {("", "")}  # it is his to see, but an instruction is no place for it
