"""Contrasts, pairs, passes and the number of cases needed: each reckoned again by plain code from the same runs."""

from __future__ import annotations

import math
import random
import statistics
from itertools import combinations, product
from pathlib import Path

import pytest
from places import ROOT
from scipy import stats
from test_tables import evaluation

from legalworld.evaluation.report_text import Word
from legalworld.files.project_files import Disk
from legalworld.model.case import Case
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.studies.case_sets import StudyCase
from legalworld.studies.definition import Study, StudyPoint
from legalworld.studies.figures import StudyRun
from legalworld.studies.open import OpenStudy, ProjectAround
from legalworld.studies.plan import PlannedPoint, StudyPlan
from legalworld.studies.power import PowerLine, power_lines, power_texts
from legalworld.studies.read_study import read_study
from legalworld.studies.report import words_for
from legalworld.studies.tables import FilledTable, StudyCell, fill_table

MODELS, PROFILES, SEEDS = ("A", "B"), ("easy", "hard"), 3
Value = dict[tuple[str, str, str, str, int], float]
"""Condition, model, profile, case, seed -> what was scored."""

STUDY = """
lw: 1
study: s
title: s
models: {A: offline, B: offline}
cases: {main: {from: x}, first: {part of: main}}
conditions:
  full: {procedure: civil, cases: main, others: A, seeds: 3, each: {model: [A, B], profile: [easy, hard]}}
  less: full minus memory
scoring: {ability: {rubric: longjud, of: [full, less]}}
tables:
  t:
    title: t
    of: [full, less]
    average over: [profile]
    rows: {each: [model, condition]}
    base: full
    compare: base
    PAIRED
    columns:
      - {column: loss, value: ability.x, statistic: difference to base}
      - {column: base, value: ability.x, statistic: base}
      - {column: percent, value: ability.x, statistic: change from base in percent}
      - {column: hard, value: ability.x, contrast: profile is hard against easy}
      - {column: hard loss, value: ability.x, statistic: difference to base, contrast: profile is hard against easy}
      - {column: once, value: (ability.x >= 0.5), statistic: pass at 1}
      - {column: in two, value: (ability.x >= 0.5), statistic: pass at 2}
      - {column: plain, value: ability.x, statistic: pass at 2}
"""


def study_of(text: str) -> Study:
    study, problems = read_study(MemorySources({"studies/s.yaml": text}), "studies/s.yaml")
    assert study is not None, problems
    return study


def told(text: str) -> list[Diagnostic]:
    return list(read_study(MemorySources({"studies/s.yaml": text}), "studies/s.yaml")[1])


class Court:
    """Runs of the study, of 12 cases in clusters of one or two, some of them not there at all."""

    def __init__(self, seed: int, *, paired: str = "", power: str = "", lost: float = 0.0) -> None:
        self.study = study_of(STUDY.replace("PAIRED", paired) + power)
        dice = random.Random(seed)
        self.cases = [f"c{number}" for number in range(12)]
        self.cluster = {case: f"k{number // 2 if number < 6 else number}" for number, case in enumerate(self.cases)}
        self.of = [StudyCase(case, "", Case(case, case, {}, {}), {}, self.cluster[case]) for case in self.cases]
        self.values: Value = {}
        self.runs: list[StudyRun] = []
        planned = []
        for condition in self.study.conditions.values():
            for point in condition.points:
                planned.append(PlannedPoint(point, condition.seeds, cases=tuple(self.of)))
                for one, turn in product(self.of, range(SEEDS)):
                    if dice.random() >= lost:
                        self._add(point, one, turn, dice.random())
        opened = OpenStudy(self.study, Disk(ROOT), ProjectAround(Disk(ROOT), ROOT))
        self.plan = StudyPlan(opened, tuple(planned))

    def _add(self, point: StudyPoint, one: StudyCase, turn: int, value: float) -> None:
        model, profile, case = point.facts["model"], point.facts["profile"], one.case.id
        self.values[point.condition, model, profile, case, turn] = value
        found = {"ability": evaluation(f"{case}@{profile}", turn, model, value)}
        sets = ("main", "first") if case in self.cases[:6] else ("main",)
        self.runs.append(StudyRun(point, one, sets, turn, Path(case), found))

    def filled(self) -> FilledTable:
        return fill_table(self.study.tables["t"], self.plan, self.runs, {})

    def power(self) -> tuple[PowerLine, ...]:
        return power_lines(self.plan, self.runs, {})

    # ---- reckoned again --------------------------------------------------------------------------------------------

    def seed_mean(self, condition: str, model: str, profile: str, case: str) -> float | None:
        found = [v for (c, m, p, k, _), v in self.values.items() if (c, m, p, k) == (condition, model, profile, case)]
        return statistics.fmean(found) if found else None

    def clustered(self, cases: dict[str, float]) -> dict[str, float]:
        members: dict[str, list[float]] = {}
        for case, value in cases.items():
            members.setdefault(self.cluster[case], []).append(value)
        return {name: statistics.fmean(values) for name, values in members.items()}

    def loss(self, model: str, by: str) -> dict[str, float]:
        """Cluster -> less minus full, over what both have: pairs of a profile, or of a profile and a seed."""
        cases = {}
        for case in self.cases:
            gaps = []
            for profile in PROFILES:
                if by == "seed":
                    pairs = [
                        self.values["less", model, profile, case, n] - self.values["full", model, profile, case, n]
                        for n in range(SEEDS)
                        if {("less", model, profile, case, n), ("full", model, profile, case, n)} <= set(self.values)
                    ]
                    gaps += [statistics.fmean(pairs)] if pairs else []
                    continue
                sides = self.seed_mean("less", model, profile, case), self.seed_mean("full", model, profile, case)
                gaps += [sides[0] - sides[1]] if sides[0] is not None and sides[1] is not None else []
            if gaps:
                cases[case] = statistics.fmean(gaps)
        return self.clustered(cases)

    def alone(self, model: str, by: str) -> int:
        """Pairs of which one side alone is there."""
        sides = []
        for condition in ("full", "less"):
            mine = [key for key in self.values if key[:2] == (condition, model)]
            sides.append({(case, profile, seed if by == "seed" else 0) for *_, profile, case, seed in mine})
        return len(sides[0] ^ sides[1])

    def harder(self, condition: str, model: str) -> dict[str, float]:
        """Case -> hard minus easy, where both are there."""
        found = {}
        for case in self.cases:
            hard, easy = (self.seed_mean(condition, model, profile, case) for profile in ("hard", "easy"))
            if hard is not None and easy is not None:
                found[case] = hard - easy
        return found


def cell(table: FilledTable, row: str, column: str) -> StudyCell:
    place = next(number for number, line in enumerate(table.lines) if line.label == row)
    return table.cells[place, column]


def flips(gaps: list[float]) -> float:
    """Two-sided p of all flips of signs, one by one."""
    observed = abs(math.fsum(gaps)) - 1e-9
    sums = [abs(math.fsum(sign * gap for sign, gap in zip(signs, gaps, strict=True)))
            for signs in product((1, -1), repeat=len(gaps))]  # fmt: skip
    return sum(one >= observed for one in sums) / len(sums)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lost", [0.0, 0.45])
@pytest.mark.parametrize("by", ["profile", "seed"])
def test_pairs_are_of_what_both_have(seed: int, lost: float, by: str) -> None:
    paired = "paired by: [case, profile, seed]" if by == "seed" else ""
    court = Court(seed, paired=paired, lost=lost)
    table = court.filled()
    for model in MODELS:
        gaps = court.loss(model, by)
        found = cell(table, f"{model} · less", "loss")
        assert found.value == pytest.approx(statistics.fmean(gaps.values()), abs=1e-12)
        assert (found.n, found.spread) == (len(gaps), pytest.approx(statistics.stdev(gaps.values())))
        assert found.p == pytest.approx(flips(list(gaps.values())))
        low, high = found.low or 0.0, found.high or 0.0
        assert low < (found.value or 0.0) < high
        assert found.alone == court.alone(model, by)


@pytest.mark.parametrize("seed", range(4))
def test_the_base_and_the_difference_are_of_the_same_pairs(seed: int) -> None:
    """What a line comes to is base and difference together, and the percentage is of that base."""
    table = Court(seed, lost=0.45).filled()
    for model in MODELS:
        row = f"{model} · less"
        base, loss, percent = (cell(table, row, name) for name in ("base", "loss", "percent"))
        assert base.value and loss.value is not None
        assert percent.value == pytest.approx(100 * loss.value / base.value, abs=1e-9)
        assert (percent.low, percent.high, percent.p) == (None, None, pytest.approx(loss.p))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lost", [0.0, 0.45])
def test_a_contrast_is_of_pairs_and_a_contrast_to_base_of_pairs_of_these(seed: int, lost: float) -> None:
    court = Court(seed, lost=lost)
    table = court.filled()
    for model in MODELS:
        for condition in ("full", "less"):
            gaps = court.clustered(court.harder(condition, model))
            found = cell(table, f"{model} · {condition}", "hard")
            assert found.value == pytest.approx(statistics.fmean(gaps.values()), abs=1e-12)
            assert found.p == pytest.approx(flips(list(gaps.values()))), "held against no difference"
            assert (found.n, found.spread) == (len(gaps), pytest.approx(statistics.stdev(gaps.values())))
        more, fewer = court.harder("less", model), court.harder("full", model)
        double = court.clustered({case: more[case] - fewer[case] for case in more if case in fewer})
        found = cell(table, f"{model} · less", "hard loss")
        assert found.value == pytest.approx(statistics.fmean(double.values()), abs=1e-12)
        assert found.p == pytest.approx(flips(list(double.values())))
    tested = [one for one in table.cells.values() if one.p is not None and one.adjusted is not None]
    again = stats.false_discovery_control([one.p for one in tested])
    assert [one.adjusted for one in tested] == pytest.approx(list(again)), "contrasts are of the family too"


@pytest.mark.parametrize("seed", range(4))
def test_passing_at_least_once_by_counting_choices(seed: int) -> None:
    """Of every choice of K runs of a case under a profile, the share in which one passes."""
    court = Court(seed)
    table = court.filled()
    for runs, column in ((1, "once"), (2, "in two")):
        cases = {}
        for case in court.cases:
            shares = []
            for profile in PROFILES:
                good = [court.values["full", "A", profile, case, turn] >= 0.5 for turn in range(SEEDS)]
                chosen = list(combinations(good, runs))
                shares.append(sum(any(one) for one in chosen) / len(chosen))
            cases[case] = statistics.fmean(shares)
        expected = statistics.fmean(court.clustered(cases).values())
        assert cell(table, "A · full", column).value == pytest.approx(expected, abs=1e-12)
    assert cell(table, "A · full", "plain").gap == "not_passes", "a figure between 0 and 1 passes nothing"


def chance(effect: float, spread: float, n: int) -> float:
    """Of a paired t test, by scipy's noncentral t."""
    limit, shift = stats.t.ppf(0.975, n - 1), effect / spread * math.sqrt(n)
    return float(1 - stats.nct.cdf(limit, n - 1, shift))


POWER = "power: {main: {of table: t, column: loss, effect: 0.2, chance: 0.9%s}}\n"


@pytest.mark.parametrize("more", ["", ", pilot: first", ", spread: 0.5"])
@pytest.mark.parametrize("seed", range(3))
def test_the_number_of_cases_is_the_least_that_finds_the_difference(seed: int, more: str) -> None:
    court = Court(seed, power=POWER % more)
    lines = court.power()
    assert [one.label for one in lines] == ["A · less", "B · less"], "the base is compared with nothing"
    for model, line in zip(MODELS, lines, strict=True):
        gaps = court.loss(model, "profile")
        if "pilot" in more:
            gaps = {name: gap for name, gap in gaps.items() if name in {court.cluster[one] for one in court.cases[:6]}}
        spread = 0.5 if "spread" in more else statistics.stdev(gaps.values())
        assert line.spread == pytest.approx(spread) and line.planned == len(set(court.cluster.values()))
        assert line.needed is not None and line.found is not None
        assert chance(0.2, spread, line.needed) >= 0.9
        assert line.needed == 6 or chance(0.2, spread, line.needed - 1) < 0.9, "six are the least that can differ"
        assert chance(line.found, spread, line.planned) == pytest.approx(0.9, abs=1e-6)


def sentences(court: Court, word: Word) -> list[str]:
    return list(power_texts(court.power(), word))


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_what_is_not_known_is_said_and_no_number_made_up(locale: str) -> None:
    court = Court(1, power=POWER % "")
    court.runs = []
    unknown = sentences(court, words_for(locale))
    assert len(unknown) == 2 and all(("not known" if locale == "en" else "不知道") in one for one in unknown)
    assert {one.needed for one in court.power()} == {None}
    alike = Court(1, power=POWER % "")
    alike.runs = [
        StudyRun(run.point, run.case, run.sets, run.seed, run.folder,
                 {"ability": evaluation(run.case.case.id, run.seed, "A", 0.5)})
        for run in alike.runs
    ]  # fmt: skip
    assert all("do not spread" in one or "没有离散" in one for one in sentences(alike, words_for(locale)))
    far = Court(1, power=POWER.replace("0.2", "0.0001") % "")
    assert all("100,000" in one or "十万" in one for one in sentences(far, words_for(locale)))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("PAIRED", "paired by: [seed]", "LW792"),
        ("PAIRED", "paired by: [case, model]", "LW792"),
        ("PAIRED", "paired by: [case, others]", "LW792"),
        ("hard against easy", "hard against eazy", "LW830"),
        ("pass at 2", "pass at 4", "LW794"),
        ("contrast: profile is hard against easy", "contrast: profile hard easy", "LW916"),
        ("pass at 1", "pass at 0", "LW916"),
    ],
)
def test_what_cannot_be_paired_is_told(old: str, new: str, code: str) -> None:
    found = told(STUDY.replace(old, new, 1).replace("PAIRED", ""))
    assert code in {one.code for one in found if one.severity == "error"}, found


OWN = """
  u:
    title: u
    of: full
    average over: [profile]
    rows:
      - {row: one, only: model is A}
      - {row: two, only: model is B, base: {model: A}}
    columns:
      - {column: x, value: ability.x}
      - {column: gain, value: ability.x, statistic: change from base in percent}
      - {column: there, from table: t, line: "A · full", from column: base}
      - {column: half, from table: t, line: "A · full", from column: loss}
"""


@pytest.mark.parametrize("seed", range(4))
def test_a_line_has_a_base_of_its_own_and_takes_one_cell_of_another_table(seed: int) -> None:
    court = Court(seed, power=OWN, lost=0.3)
    table = fill_table(court.study.tables["u"], court.plan, court.runs, {}, lambda _: court.filled())
    assert cell(table, "one", "gain").gap == "nothing", "the line has no base, and asks for none"
    sides: dict[str, dict[str, float]] = {"A": {}, "B": {}}
    for case in court.cases:
        both: dict[str, list[float]] = {"A": [], "B": []}
        for profile in PROFILES:
            found = {model: court.seed_mean("full", model, profile, case) for model in MODELS}
            for model, value in found.items():
                both[model] += [value] if value is not None and None not in found.values() else []
        for model, values in both.items():
            sides[model] |= {case: statistics.fmean(values)} if values else {}
    first, second = (statistics.fmean(court.clustered(sides[model]).values()) for model in MODELS)
    assert cell(table, "two", "gain").value == pytest.approx(100 * (second - first) / first, abs=1e-9)
    whole = cell(court.filled(), "A · full", "base")
    assert cell(table, "two", "there").value == whole.value and whole.value is not None


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("base: {model: A}", "base: {model: C}", "LW830"), ("column: base}", "column: bass}", "LW652")],
)
def test_a_base_or_a_column_that_is_not_there_is_told(old: str, new: str, code: str) -> None:
    text = STUDY.replace("PAIRED", "") + OWN
    assert old in text
    assert code in {one.code for one in told(text.replace(old, new)) if one.severity == "error"}


def test_chinese_words_say_the_same() -> None:
    text = STUDY.replace("PAIRED", "paired by: [case, profile, seed]")
    words = {
        "profile is hard against easy": "画像类型 是 hard 相对 easy",
        "pass at 2": "2 次内通过",
        "contrast:": "两相对照:",
        "paired by: [case, profile, seed]": "配对: [案件, 画像类型, 随机种子]",
        "change from base in percent": "较基准增减百分比",
    }
    other = text
    for word, chinese in words.items():
        assert word in other
        other = other.replace(word, chinese)
    one, two = study_of(text).tables["t"], study_of(other).tables["t"]
    assert one.paired_by == two.paired_by == ("case", "profile", "seed")
    for first, second in zip(one.columns, two.columns, strict=True):
        assert (first.contrast, first.statistic, first.name) == (second.contrast, second.statistic, second.name)
