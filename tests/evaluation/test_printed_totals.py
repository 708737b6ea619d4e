"""What the papers print: do our means give their totals, and do the pages name every total that no mean gives?

The figures are in `printed/`. A total follows from its parts if it differs by one unit of its last digit at most:
half a unit for its own rounding, half for that of the parts.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from places import ROOT
from ruamel.yaml import YAML
from scored import figure

from legalworld.evaluation.metrics import agreement, compliance, matching, numbers, statistics
from legalworld.evaluation.metrics import values as outcome
from legalworld.evaluation.metrics.agreement import Preference, shares
from legalworld.evaluation.metrics.matching import Overlap
from legalworld.evaluation.metrics.values import MissingScore, Reason, Value, mean_of

FOLDER = Path(__file__).parent / "printed"
DOCS = ROOT / "docs"
PAGES = {"zh": DOCS / "metrics.md", "en": DOCS / "en" / "metrics.md"}
TEXTS = {language: page.read_text(encoding="utf-8") for language, page in PAGES.items()}
PAPERS = {"legalworld": "LegalWorld", "j1": "J1", "simcourt": "SimCourt", "maser": "MASER", "asp2lj": "ASP2LJ"}
near = pytest.approx


def or_else(value: Value, other: float) -> float:
    return other if isinstance(value, MissingScore) else value


def change(base: Value, changed: Value) -> Value:
    return (
        MissingScore(Reason.EMPTY)
        if isinstance(base, MissingScore) or isinstance(changed, MissingScore)
        else changed - base
    )


@cache
def printed(name: str) -> Any:
    return YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


class Table:
    """A table by row and column; a dash is `dash`, or has no score."""

    def __init__(self, file: str, name: str, dash: float | None = None) -> None:
        self.columns: list[str] = printed(file)[name]["columns"]
        self.rows: dict[str, list[float | None]] = printed(file)[name]["rows"]
        self.dash = None if dash is None else float(dash)

    def __getitem__(self, place: tuple[str, str]) -> Value:
        row, column = place
        value = self.rows[row][self.columns.index(column)]
        found: Value = MissingScore(Reason.NOT_APPLICABLE) if value is None else float(value)
        return found if self.dash is None else or_else(found, self.dash)

    def column(self, name: str) -> dict[str, float]:
        return {row: value for row in self.rows if isinstance(value := self[row, name], float)}


def follows(ours: Value, total: Value, unit: float = 0.01) -> bool:
    assert isinstance(ours, float) and isinstance(total, float)
    return abs(ours - total) <= unit + 1e-9


def worked_out(check: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Name of each total -> what its parts give, what is printed."""
    table = Table(check["file"], check["table"], check.get("dash"))
    found = {}
    if "across" in check:
        totals = Table(check["file"], check.get("in", check["table"]), check.get("dash"))
        for row in table.rows:
            parts = [table[row, part] for part in check["of"]]
            ours = change(*parts) if check.get("how") == "change" else mean_of(parts)
            found[row] = ours, totals[row, check["across"]]
    else:
        for column in table.columns:
            ours = mean_of([table[row, column] for row in table.rows if row != check["down"]])
            found[column] = ours, table[check["down"], column]
    return {name: (or_else(ours, -1), or_else(total, -1)) for name, (ours, total) in found.items()}


CHECKS = printed("totals")
NAMES = [f"{one['file']}-{one['table']}-{n}" for n, one in enumerate(CHECKS)]
each = pytest.mark.parametrize("check", CHECKS, ids=NAMES)


@each
def test_totals_follow_from_their_parts_but_for_those_that_are_named(check: dict[str, Any]) -> None:
    found = worked_out(check)
    differ = {name: near(ours, abs=0.005001) for name, (ours, total) in found.items() if not follows(ours, total)}
    assert check.get("differ", {}) == differ


@each
@pytest.mark.parametrize("page", TEXTS.values(), ids=TEXTS)
def test_the_page_names_every_total_that_does_not_follow(check: dict[str, Any], page: str) -> None:
    lines = [line for line in page.splitlines() if line.startswith("|")]
    for name, (ours, total) in worked_out(check).items():
        if name in check.get("differ", {}):
            where = f"{PAPERS[check['file']]} {check['table']}"
            row = [line for line in lines if where in line and name in line and f"{total:.2f}" in line]
            assert any(f"{ours:.2f}" in line for line in row), (where, name, total, ours)


@pytest.mark.parametrize("page", TEXTS.values(), ids=TEXTS)
def test_the_page_and_the_functions_name_each_other(page: str) -> None:
    modules = (agreement, compliance, matching, numbers, outcome, statistics)
    public = {
        name
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, FunctionType) and one.__module__ == module.__name__ and not name.startswith("_")
    }
    inner = {
        "ends_of",
        "interval",
        "deviation",
        "mean",
        "scored",
        "mean_of",
        "normalise",
        "number",
        "shown",
    }  # described in words
    assert not {name for name in public - inner if f"`{name}`" not in page}
    assert all(f"| `{reason}` |" in page for reason in Reason)


def test_both_pages_name_the_same_figures_and_functions() -> None:
    zh, en = ({*re.findall(r"`[^`\n]+`|\d+\.\d+", text)} for text in TEXTS.values())
    assert zh == en


# ---- LegalWorld ------------------------------------------------------------------------------------------------------


def test_legalworld_8_28_is_the_mean_of_stages_and_not_of_elements() -> None:
    table = Table("legalworld", "table 2")
    elements = [row for row in table.rows if row != "Overall"]
    # The rubric takes shares and gives points: a tenth of each printed element goes in. The first instance has five.
    names = dict(zip(elements, ("V", "R", "L", "A", "E", "S"), strict=True))
    found = {}
    for stage, number in (("FIT", "1"), ("SIT", "2")):
        known = {f"{names[row]}{number}": tenth(table[row, stage]) for row in elements}
        known.pop("A1", None)
        found[stage] = figure("alignment", stage, **known)
    assert (found["FIT"], found["SIT"]) == (near(8.368), near(8.19))
    assert isinstance(table["Appeal action", "FIT"], MissingScore)
    assert mean_of(found.values()) == near(8.279)  # printed: 8.28
    assert mean_of([table[row, "Overall"] for row in elements]) == near(8.2133, abs=1e-4)


def tenth(points: Value) -> Value:
    return points if isinstance(points, MissingScore) else points / 10


def test_legalworld_table_4_averages_may_be_weighted() -> None:
    # One set of weights gives 61.56, 65.29 and 3.73 at once; how many cases each cause has is not printed.
    table = Table("legalworld", "table 4")
    weights = dict(zip(table.rows, (0.376, 0.308, 0.316), strict=False))
    for column in ("Base", "RLS", "Gain"):
        ours = sum(weight * or_else(table[row, column], 0) for row, weight in weights.items())
        assert follows(ours, table["Average", column], 0.005)


def test_legalworld_gains_are_of_reflected_and_held_out_cases() -> None:
    # gain = s * reflected + (1 - s) * held-out: s is 0.77, 0.73 and 0.73.
    table = Table("legalworld", "table 4")
    found = []
    for row in ("Post-divorce property", "Private lending", "Labor dispute"):
        gain, reflected, held = (or_else(table[row, column], 0) for column in ("Gain", "Reflected", "Held-out"))
        found.append((gain - held) / (reflected - held))
    assert found == near([0.769, 0.733, 0.733], abs=1e-3)


def test_legalworld_figure_4_joins_stages_and_roles_by_their_ratings() -> None:
    # 10 ratings of stages and 6 of roles to a case: (10 * 0.96 + 6 * 0.18) / 16 = 0.6675, and 64.40 %.
    stages, roles = Table("legalworld", "table 1 stages"), Table("legalworld", "table 1 roles")
    counts = {name: int(or_else(Table("legalworld", "appendix F")["all", name], 0)) for name in counted_columns()}
    for column, digits in (("difference", 0.01), ("within one", 0.1)):
        both = [stages["Overall", column]] * counts["stage ratings"] + [roles["Overall", column]] * counts[
            "role ratings"
        ]
        assert follows(mean_of(both), Table("legalworld", "figure 4")["all", column], digits)
    assert counts["stage ratings"] + counts["role ratings"] == counts["ratings of a case"]
    assert counts["questionnaires"] * counts["ratings of a case"] == counts["ratings"]


def counted_columns() -> list[str]:
    columns: list[str] = printed("legalworld")["appendix F"]["columns"]
    return columns


# ---- J1 --------------------------------------------------------------------------------------------------------------


def test_j1_508_is_the_sum_of_table_4_and_not_of_the_levels() -> None:
    # Levels as sec. 3.1 prints them: 160 + 186 + 192 = 538. Table 4: level III is 93 + 69 = 162, not 192.
    counts = Table("j1", "table 4").column
    total = {name: counts(name)["environments"] for name in ("KQ", "LC", "CD", "DD", "CI", "CR")}
    assert sum(total.values()) == 508 != 160 + 186 + 192 == 538
    assert (total["KQ"] + total["LC"], total["CD"] + total["DD"], total["CI"] + total["CR"]) == (160, 186, 162)
    assert all("538" in page and "162" in page for page in TEXTS.values())


@pytest.mark.parametrize("column", ["CD FOR", "DD FOR"])
def test_j1_form_scores_are_fifths_of_93_documents(column: str) -> None:
    # Seq * Label of five labels over 93 documents is a multiple of 1 / 465. Were Label always 1 where Seq is 1, all
    # would be multiples of 1 / 93. One of 33 figures is neither: InternLM3's 35.90, 0.01 below 167 / 465.
    odd = [model for model, value in Table("j1", "table 2").column(column).items() if not multiple(value, 465)]
    assert odd == (["InternLM3-it. 8B"] if column == "CD FOR" else [])
    whole = [model for model, value in Table("j1", "table 2").column(column).items() if multiple(value, 93)]
    assert len(whole) < 8


def multiple(percent: float, of: int) -> bool:
    """A percentage with two digits can be k / of."""
    count = round(percent * of / 100)
    return abs(100 * count / of - percent) <= 0.005 + 1e-9


@pytest.mark.parametrize(("table", "cases", "stages"), [("table 8", 93, 4), ("table 9", 69, 2)])
def test_j1_runs_of_one_turn_are_failures(table: str, cases: int, stages: int) -> None:
    # UNI counts runs, STA runs times stages; no model has done more than its runs of several turns allow.
    found = Table("j1", table, dash=0)
    for model in found.rows:
        stage, action, several = (or_else(found[model, one], 0) for one in ("STA", "ACT", "UNI"))
        assert multiple(several, cases) and multiple(stage, cases * stages)
        assert action <= several and stage <= several


def test_j1_turns_keep_within_their_limits() -> None:
    limits = {"KQ": 15, "LC": 10, "CD": 20, "DD": 15, "CI": 50, "CR": 35}
    turns = Table("j1", "table 10")
    assert all(1 <= value <= limits[column] for column in turns.columns for value in turns.column(column).values())
    # LawLLM's drafting never ended by itself: its turns are the limits, and its documents score next to nothing.
    assert (turns["LawLLM 13B", "CD"], turns["LawLLM 13B", "DD"]) == (20.0, 15.0)


def test_j1_overall_averages_stay_below_60() -> None:
    # Sec. 4.2: all columns but VER, a dash as 0. GPT-4o leads with 56.34, Claude-3.7 54.85, Qwen3-32B 54.25, then
    # Deepseek-v3 48.66.
    table = Table("j1", "table 2", dash=0)
    columns = [column for column in table.columns if column != "CR VER"]
    found = {model: or_else(mean_of([table[model, column] for column in columns]), 0) for model in table.rows}
    order = sorted(found, key=lambda model: -found[model])
    assert order[:4] == ["GPT-4o", "Claude-3.7", "Qwen3-it. 32B", "Deepseek-v3 671B"]
    assert [found[model] for model in order[:4]] == near([56.34, 54.85, 54.25, 48.66], abs=0.005001)


# ---- SimCourt --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["table 1", "table 2"])
def test_simcourt_rates_are_counts_of_200_cases(table: str) -> None:
    found = Table("simcourt", table)
    for column in ("hit rate", "probation accuracy", "fine accuracy"):
        for value in found.column(column).values():
            right = round(value * 200)
            assert mean_of([1.0] * right + [0.0] * (200 - right)) == near(value)
    assert found.rows["SimCourt"] == Table("simcourt", "table 1").rows["SimCourt"]


def test_simcourt_preferences_are_counts_of_50_cases() -> None:
    table = Table("simcourt", "table 3")
    compared = 0
    for row in table.rows:
        for other in ("human", "AgentCourt", "AgentsCourt"):
            values = [table[row, f"{other} {label}"] for label in ("win", "tie", "lose")]
            if not any(isinstance(one, MissingScore) for one in values):
                counts = [round(or_else(one, 0) * 50) for one in values]
                labels = [label for label, count in zip(Preference, counts, strict=True) for _ in range(count)]
                ours = shares(labels)
                assert ours.n == 50 and [ours.win, ours.tie, ours.lose] == near(values)
                compared += 1
    assert compared == 30 + 6 + 6


def test_simcourt_averages_by_role_and_stage() -> None:
    # App. D: judge 68.9 %, prosecutor and attorney "about 88.0 %", investigation 74.9 %; over nine aspects, without the
    # overall one (with it the judge would have 69.6 %).
    wins = Table("simcourt", "table 3").column("human win")

    def share(word: str) -> float:
        return or_else(mean_of([win for row, win in wins.items() if word in row and "overall" not in row]), 0)

    assert share("judge") == near(0.689, abs=5e-4) and share("investigation") == near(0.749, abs=5e-4)
    assert (share("prosecutor"), share("attorney")) == (near(0.8756, abs=5e-4), near(0.88))


# ---- MASER -----------------------------------------------------------------------------------------------------------


def test_maser_averages_by_our_functions() -> None:
    found = Table("maser", "table 1")
    names = ("CLI", "DEF", "FR", "CLA", "EVID", "STA", "PRO")
    known = {name: found["SynthLaw 7B", one] for name, one in zip(names, found.columns[:-1], strict=True)}
    assert follows(figure("mile", "AVE", **known), found["SynthLaw 7B", "AVE"])
    talk = Table("maser", "table 2")
    three = {name: talk["GPT-4o", one] for name, one in zip(("INT", "PROF", "LOG"), talk.columns[:-1], strict=True)}
    assert follows(figure("mile", "TALK", **three), talk["GPT-4o", "AVE"])


def test_maser_averages_of_eight_rows_are_those_of_two_columns() -> None:
    # Where AVE is no mean of seven, it is the mean of CLA and PROF alone, but for InternLM2.5 (44.42, printed 43.51).
    table = Table("maser", "table 1")
    check = next(one for one in CHECKS if one["file"] == "maser" and one["table"] == "table 1")
    two = {row: follows(mean_of([table[row, "CLA"], table[row, "PROF"]]), table[row, "AVE"]) for row in table.rows}
    assert {row for row, so in two.items() if so} == set(check["differ"]) - {"InternLM2.5-chat 7B"}


# ---- ASP2LJ ----------------------------------------------------------------------------------------------------------


def test_asp2lj_f_is_a_mean_over_cases() -> None:
    # F of the printed P and R is above the printed F nearly everywhere: F was worked out case by case. A mean of F1
    # cannot be above the F1 of mean P and R (F1 is concave): three of LawGPT's do not follow from any cases.
    above, below, same = [], 0, 0
    for name in ("table 5", "table 6"):
        table = Table("asp2lj", name)
        for row in table.rows:
            for kind in ("", "civil "):
                p, r, f = (or_else(table[row, kind + one], 0) for one in "PRF")
                of_means = 2 * p * r / (p + r)
                below, same = below + (f < of_means - 0.001), same + (abs(f - of_means) <= 0.001)
                above += [(f"{row} {kind}".strip(), f, round(of_means, 3))] if f > of_means + 0.001 else []
    assert (below, same) == (32, 1)
    assert above == [
        ("LawGPT first civil", 0.300, 0.288),
        ("LawGPT second", 0.069, 0.059),
        ("LawGPT second civil", 0.331, 0.313),
    ]
    assert all(f"{f:.3f}" in page and f"{ours:.3f}" in page for _, f, ours in above for page in TEXTS.values())


def test_a_mean_of_f1_is_not_the_f1_of_means() -> None:
    # Two cases: P 1, R 0.5, F1 2/3; P 0.5, R 1, F1 2/3. The mean is 0.667, of mean P and R 0.75 it would be 0.75.
    cases = [Overlap(1.0, 0.5, 2 / 3, 1, 1, 2), Overlap(0.5, 1.0, 2 / 3, 1, 2, 1)]
    assert mean_of([one.f1 for one in cases]) == near(2 / 3)
