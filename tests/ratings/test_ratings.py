"""Ratings by people: what is asked, that it is blind, agreement worked out by hand, sheets gone wrong."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT, matter, play, project
from ruamel.yaml import YAML
from typed import Ran, lw

from legalworld.evaluation import offline_grader
from legalworld.evaluation.grader_replies import Graded, Unread, graded
from legalworld.evaluation.metrics.agreement import Preference
from legalworld.evaluation.results import Evaluation, Score
from legalworld.evaluation.rubric.definition import Scale
from legalworld.evaluation.rubric.open import OpenRubric, open_rubric
from legalworld.evaluation.score_files import read_evaluation, summed
from legalworld.evaluation.stored_run import Stored
from legalworld.files import spreadsheet
from legalworld.model import events as e
from legalworld.ratings.filled_sheets import entered
from legalworld.ratings.pairwise import preference, question
from legalworld.ratings.plan import (
    Key,
    RatedRecord,
    RatingItem,
    RatingPlan,
    SheetRow,
    pairs_key,
    ratings_key,
    turned_for,
)
from legalworld.ratings.reading_copy import named_in, passages
from legalworld.ratings.sheets import heads

near = pytest.approx
MODELS = {"plaintiff_lawyer": "acme/oracle-9", "judge": "offline"}
BAND = {"lowest": 0.0, "highest": 10.0, "step": 1.0, "choices": None}
BETTER = {"lowest": -1.0, "highest": 1.0, "step": 0.0, "choices": {"A": 1.0, "平": 0.0, "B": -1.0}}


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")


@cache
def civil() -> Stored:
    return stored("jiedai", "civil", "plaintiff_lawyer")


@cache
def criminal() -> Stored:
    return stored("kuaijian", "criminal", "judge")


def stored(case: str, spec: str, target: str) -> Stored:
    procedure = project(spec).procedure
    assert procedure is not None
    game = play(case, spec=spec) if spec != "civil" else play(case)
    return Stored(case, procedure, matter(case, None, spec).case, target, tuple(game.events), {target: "acme/oracle-9"})


@cache
def rubric(name: str, pairs: bool = False) -> OpenRubric:
    found = open_rubric(name, ROOT, pairs=pairs)
    assert isinstance(found, OpenRubric), found
    return found


# ---- what is asked ---------------------------------------------------------------------------------------------------


def test_a_civil_case_through_both_instances_is_sixteen_ratings_as_in_the_paper() -> None:
    # LegalWorld, app. F.2 and F.3: five stage units and three roles, two sub-dimensions each: 10 + 6.
    key = ratings_key(rubric("environment").rubric, [replace(civil(), chain="c")], RatingPlan(1))
    found = [(one.group, one.unit, one.title) for one in key.things]
    units = [
        "法律咨询",
        "起草民事起诉状",  # CD and DD, AD and AR are one unit: a run comes to one of the two
        "第一审庭审",
        "起草民事上诉答辩状",
        "第二审庭审",
    ]
    stage = [("阶段真实性", unit, title) for unit in units for title in ("程序合规", "过程连贯")]
    roles = ["原告 / 被告", "代理律师", "审判长"]
    role = [("角色一致性", name, title) for name in roles for title in ("立场真实", "角色分明")]
    assert found == stage + role
    assert len(found) == 16
    assert 1187 * len(found) == 18_992  # questionnaires x ratings, as printed


def test_a_rating_says_where_to_read() -> None:
    key = ratings_key(rubric("environment").rubric, [replace(civil(), chain="c")], RatingPlan(1))
    trial = next(one for one in key.things if one.key == "FIT")
    said = [piece for piece in civil().utterances if piece.place.startswith("FIT/")]
    assert trial.places == ("FIT",)
    assert trial.turns == tuple(sorted({piece.turn for piece in said}))
    whole = next(one for one in key.things if one.ask == "role")
    assert whole.places == ()


def test_a_case_without_appeal_is_asked_only_what_there_was() -> None:
    events = civil().events
    end = next(n for n, one in enumerate(events) if isinstance(one, e.Entered) and one.place == "appeal")
    short = replace(civil(), events=events[:end])
    key = ratings_key(rubric("environment").rubric, [replace(short, chain="c")], RatingPlan(1))
    assert [one.key for one in key.things if one.ask == "stage"] == ["LC", "LC", "CD/DD", "CD/DD", "FIT", "FIT"]


def test_thirty_aspects_three_roles_by_three_stages_and_overall() -> None:
    # SimCourt, table 9: 3 roles x (3 stages x 3 + 1).
    asks = rubric("simcourt-pairs", pairs=True).rubric.asks
    sizes = {name: len(ask.metrics) for name, ask in asks.items()}
    expected = {}
    for role in ("judge", "prosecutor", "attorney"):
        expected |= {f"{role}_{stage}": 3 for stage in ("investigation", "evidence", "debate")} | {f"{role}_overall": 1}
    assert sizes == expected
    assert sum(sizes.values()) == 30


def silent(role: str, place: str = "") -> Stored:
    """The criminal case without what somebody said there."""
    run = criminal()
    who = run.who((role,))

    def mine(one: e.Event) -> bool:
        return isinstance(one, e.Spoke) and one.person in who and one.place.startswith(place)

    return replace(run, events=tuple(one for one in run.events if not mine(one)))


def test_what_only_one_record_has_or_neither_is_settled_and_asked_of_nobody() -> None:
    aspects = rubric("simcourt-pairs", pairs=True).rubric
    first, second = silent("prosecutor", "debate"), replace(silent("attorney"), name="second")
    key = pairs_key(aspects, [(replace(first, chain="1"), replace(second, chain="2"))], ("a", "b"), RatingPlan(2))
    settled = {one.ask: str(one.settled) for one in key.things if one.settled is not None}
    lost = {"prosecutor_debate": "lose"}
    won = {f"attorney_{name}": "win" for name in ("investigation", "evidence", "debate", "overall")}
    assert settled == lost | won
    both = pairs_key(aspects, [(replace(second, chain="1"), replace(second, chain="2"))], ("a", "b"), RatingPlan(2))
    assert {str(one.settled) for one in both.things if one.ask == "attorney_debate"} == {"tie"}
    asked = {key.by_id[row.thing].ask for row in key.rows}
    assert not asked & set(settled)
    assert len(key.rows) == 2 * (30 - 3 - 10)


# ---- who rates what --------------------------------------------------------------------------------------------------


def subjects(count: int) -> list[Stored]:
    return [replace(civil(), chain=f"chain {n}") for n in range(count)]


def test_the_same_seed_gives_the_same_key_and_another_another() -> None:
    environment = rubric("environment").rubric
    one, same, other = (ratings_key(environment, subjects(4), RatingPlan(3, seed=n)) for n in (1, 1, 2))
    assert one == same
    assert one.tag != other.tag
    orders = [[row.thing[:2] for row in one.of(rater)][::16] for rater in "123"]
    assert all(sorted(order) == ["01", "02", "03", "04"] for order in orders)
    assert len({tuple(order) for order in orders}) > 1  # each has an order of his own


@pytest.mark.parametrize(("raters", "readers"), [(7, 2), (5, 3), (3, 3), (2, 9), (217, 12)])
def test_each_record_has_as_many_readers_and_nobody_much_more_to_read(raters: int, readers: int) -> None:
    key = ratings_key(rubric("environment").rubric, subjects(9), RatingPlan(raters, readers, items=("role",)))
    by_record = {one.label: {row.rater for row in key.rows if row.thing[:2] == one.label} for one in key.records}
    assert {len(found) for found in by_record.values()} == {min(raters, readers)}
    loads = [len({row.thing[:2] for row in key.of(rater)}) for rater in key.raters]
    assert max(loads) - min(loads) <= 1


def test_half_the_pairs_are_turned_for_everybody_and_not_the_same_half() -> None:
    aspects = rubric("simcourt-pairs", pairs=True).rubric
    pairs = [(replace(criminal(), chain=f"a{n}"), replace(criminal(), chain=f"b{n}")) for n in range(10)]
    key = pairs_key(aspects, pairs, ("a", "b"), RatingPlan(4, items=("judge_overall",)))
    halves = [frozenset(row.thing[:2] for row in key.of(rater) if row.turned) for rater in key.raters]
    assert {len(half) for half in halves} == {5}
    assert len(set(halves)) > 1
    assert len(turned_for(key, "grader x")) == 5


# ---- sheets and pages ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One civil and two criminal runs in folders, stopped before their ends, one criminal before the debate."""
    folder = tmp_path_factory.mktemp("runs")
    for spec, case, actors, end in (
        ("civil", "jiedai", "offline:noisy", "FIT"),
        ("criminal", "kuaijian", "offline", "final_statement"),
        ("criminal", "kuaijian", "offline:noisy", "debate"),
    ):
        words = ("--case", ROOT / f"cases/{case}.yaml", "--model", actors, "--until", end)
        assert lw("run", spec, *words, "--out", folder / spec / actors.replace(":", "-") / case).code == 0
    assert lw("eval", folder / "civil", "--rubric", "environment").code == 0
    return folder


@pytest.fixture(scope="module")
def exported(runs: Path) -> Path:
    """Sheets of the civil runs for two raters, beside the runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LW_LANG", "zh")
        done = lw("ratings", "export", runs / "civil", "--raters", "2", "--out", runs / "exported")
    assert done.code == 0
    return runs / "exported"


@pytest.fixture
def out(exported: Path) -> Iterator[Path]:
    """A copy of them, to be written in; the key tells of runs from where it lies, so it lies as deep."""
    copy = exported.parent / "out"
    shutil.copytree(exported, copy)
    yield copy
    shutil.rmtree(copy)


def words_of(file: Path) -> str:
    """All that a file holds, what is packed in it too."""
    data = file.read_bytes()
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return "\n".join(packed.read(one).decode("utf-8", "replace") for one in packed.namelist())
    return data.decode("utf-8")


def test_a_table_that_is_written_among_the_sheets_is_none_of_them(tmp_path: Path) -> None:
    folder = hand_in(a_key([thing("01-01")]), {"1": {"01-01": 8}}, tmp_path / "in")
    for _ in range(2):
        found = compared(folder, "--csv", folder / "found.csv")
        assert codes(found) == []
    lines = (folder / "found.csv").read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("grader,level,group,title,people,scored,n,")
    assert len(lines) == 1 + 4  # all; the family, its unit, its metric


def test_what_raters_get_names_no_model_and_no_run(runs: Path, exported: Path) -> None:
    given = [file for file in exported.glob("rater-*/**/*") if file.is_file()]
    assert len(given) == 2 * (1 + 1)
    for file in given:
        text = words_of(file)
        assert not [word for word in ("offline", "noisy", str(runs), "jiedai") if word in text]
    key = json.loads((exported / "key.json").read_text("utf-8"))
    assert {model for one in key["records"] for model in one["models"]} == {"offline:noisy"}


def test_the_links_of_a_sheet_lead_into_the_pages(exported: Path) -> None:
    (sheet,) = (exported / "rater-1").glob("*.xlsx")
    targets = re.findall(r'Target="(read/[^"]+)"', words_of(sheet))
    assert len(targets) == 2 * 2 + 2 * 2  # two stages; two roles
    for target in targets:
        page, _, anchor = target.partition("#")
        text = (sheet.parent / page).read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in text


def test_a_page_holds_all_that_was_said_and_written_in_order() -> None:
    found = list(passages(civil()))
    assert [one.text for one in found if one.kind == "speech"] == [one.text for one in civil().utterances]
    drafted = [one.text for one in civil().events if isinstance(one, e.Drafted)]
    assert [one.text for one in found if one.kind == "document"] == drafted
    anchors = [one.anchor for one in found if one.anchor]
    assert len(anchors) == len(set(anchors))
    assert found[0].kind == "stage"


def test_an_export_is_the_same_to_the_byte_and_does_not_write_over_another(runs: Path, exported: Path) -> None:
    words = ("ratings", "export", runs / "civil", "--raters", "2", "--out")
    assert lw(*words, runs / "again").code == 0
    for file in (file.relative_to(exported) for file in exported.rglob("*") if file.is_file()):
        assert (exported / file).read_bytes() == (runs / "again" / file).read_bytes()
    refused = lw(*words, exported)
    assert (refused.code, "LW342" in refused.err) == (2, True)


def test_a_record_in_which_the_model_names_itself_is_told() -> None:
    events = list(civil().events)
    at = next(n for n, one in enumerate(events) if isinstance(one, e.Spoke))
    spoke = events[at]
    assert isinstance(spoke, e.Spoke)
    events[at] = spoke.model_copy(update={"text": "我是 Oracle-9，您好。"})
    betrayed = replace(civil(), events=tuple(events))
    assert named_in(betrayed, MODELS) == ("oracle-9",)
    assert named_in(civil(), MODELS) == ()


def fill(file: Path, rate: Callable[[str], object], remark: str = "") -> None:
    """Enter ratings as a person would: row by row, by what stands in the first column."""
    from openpyxl import load_workbook

    book = load_workbook(file)
    page = book.active
    for row in page.iter_rows():
        if re.fullmatch(r"[A-Z]{5}-\d+-\d+-\d+", str(row[0].value)):
            row[-2].value = rate(str(row[0].value))
            row[-1].value = remark or None
    book.save(file)


def test_filled_sheets_come_back_and_are_compared_with_the_grader(out: Path) -> None:
    key = Key.model_validate_json((out / "key.json").read_bytes())
    scores = {}
    for record in key.records:
        (file,) = (out / record.runs[0] / "scores").glob("environment.offline.json")
        evaluated = read_evaluation(file)
        assert isinstance(evaluated, Evaluation)
        for one in evaluated.scores:
            scores[record.label, one.item, one.key] = one.value
    things = {one.id: scores[one.record, one.item, one.key] for one in key.things}
    for rater, more in (("1", 1), ("2", 0)):  # the first gives one point more than the grader, the second as much
        (file,) = (out / f"rater-{rater}").glob("*.xlsx")
        fill(file, lambda row, more=more: things[row.partition("-")[2].partition("-")[2]] + more, "看过")  # type: ignore[misc]
    found = lw("ratings", "compare", out, "--json").object()
    (whole,) = [one for one in found["agreement"] if one["level"] == "all"]
    assert (whole["grader"], whole["n"], whole["unpaired"]) == ("offline", 8, 0)
    assert (whole["difference"], whole["sigma"], whole["mae"], whole["within_one"]) == (0.5, 0.0, 0.5, 1.0)
    (pair,) = found["between_raters"]["pairs"]
    assert (pair["first"], pair["second"], pair["n"], pair["mae"], pair["difference"]) == ("1", "2", 8, 1.0, 1.0)
    assert len(found["remarks"]) == 16
    assert found["problems"] == []
    assert {row["theme"] for row in found["themes"]} <= {""}  # all of them only say that somebody looked


def test_an_evaluation_in_another_wording_is_left_out_and_told(out: Path) -> None:
    file = out / "key.json"
    key = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**key, "digest": "0" * 32}), "utf-8")
    found = lw("ratings", "compare", out, "--json").object()
    assert {one["code"] for one in found["problems"]} == {"LW347", "LW359"}
    assert {one["grader"] for one in found["agreement"]} == {""}


# ---- agreement, by hand ----------------------------------------------------------------------------------------------


def thing(id: str, title: str = "程序合规", unit: str = "法律咨询", **more: Any) -> RatingItem:
    record = id.partition("-")[0]
    base = {
        "ask": "stage",
        "item": title,
        "key": unit,
        "group": "阶段真实性",
        "unit": unit,
        "title": title,
        "asks": "?",
    }
    return RatingItem(id=id, record=record, anchors=(), **{**BAND, **base, **more})


def a_key(things: Iterable[RatingItem], raters: str = "1", kind: str = "ratings", turned: Iterable[str] = ()) -> Key:
    found = tuple(things)
    rows = [
        SheetRow(id=f"ABCDE-{rater}-{one.id}", rater=rater, thing=one.id, turned=one.id in set(turned))
        for rater in raters
        for one in found
        if one.settled is None
    ]
    labels = dict.fromkeys(one.record for one in found)
    records = tuple(
        RatedRecord(label=one, case=f"case {one}", runs=(f"run {one}",), digests=(f"chain {one}",), models=("m",))
        for one in labels
    )
    return Key(
        kind=kind,  # type: ignore[arg-type]
        tag="ABCDE",
        rubric="environment",
        title="环境",
        digest="d" * 32,
        seed=0,
        raters=tuple(raters),
        sides=("甲", "乙") if kind == "pairs" else (),
        records=records,
        things=found,
        rows=tuple(rows),
    )


def hand_in(key: Key, given: Mapping[str, Mapping[str, object]], folder: Path) -> Path:
    """A key and CSV sheets of all raters: rater -> thing -> what he wrote."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "key.json").write_text(key.model_dump_json(), "utf-8")
    rating, remark = ("评分", "理由或备注") if key.kind == "ratings" else ("结论", "理由")
    for rater, words in given.items():
        with (folder / f"{rater}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["编号", rating, remark])
            writer.writerows([row.id, words.get(row.thing, ""), ""] for row in key.of(rater))
    return folder


def evaluation(folder: Path, label: str, scores: Mapping[tuple[str, str], float]) -> Path:
    """A stored evaluation of a record."""
    found = tuple(Score(item=item, key=key, title="", value=value) for (item, key), value in scores.items())
    told = {"run": f"run {label}", "procedure": "civil", "case": label, "target": "", "model": "m", "outcome": ""}
    one = Evaluation(
        **told,  # type: ignore[arg-type]
        finished=True,
        rubric="environment",
        rubric_digest="d" * 32,
        run_digest=f"chain {label}",
        grader={"model": "judge"},
        figures=(),
        passes={},
        scores=found,
    )
    file = folder / f"{label}.json"
    file.write_bytes(summed(one))
    return file


def compared(folder: Path, *words: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = lw("ratings", "compare", folder, "--json", *words).object()
    return found


def rows(found: Mapping[str, Any], level: str, title: str = "") -> dict[str, Any]:
    (one,) = [one for one in found["agreement"] if one["level"] == level and title in ("", one["title"])]
    return dict(one)


def test_a_unit_of_which_only_some_metrics_were_rated_has_a_dash_for_the_others(tmp_path: Path) -> None:
    things = [thing(f"01-0{n}", title, unit) for n, (title, unit) in enumerate(product("甲乙", ("LC", "CD")), 1)]
    folder = hand_in(a_key(things), {"1": {"01-01": 8, "01-03": 6, "01-04": 7}}, tmp_path / "in")
    (line,) = [line for line in lw("ratings", "compare", folder).out.splitlines() if line.startswith("CD")]
    assert line.split()[:3] == ["CD", "-", "7.00"]


def test_mean_of_people_against_the_grader_worked_out_by_hand(tmp_path: Path) -> None:
    # People: (8 + 10) / 2 = 9, 8 alone, (7 + 8) / 2 = 7.5; the grader: 8, 8, 9.
    # Differences 1, 0, -1.5: mean -1/6; sigma = sqrt((1.1667^2 + 0.1667^2 + 1.3333^2) / 2) = 1.2583; MAE 2.5 / 3.
    # Within one: two of three. The fourth thing has no score of the grader: unpaired.
    things = [thing(f"01-0{n}", unit=unit) for n, unit in enumerate(("LC", "CD", "FIT", "SIT"), 1)]
    key = a_key(things, "12")
    given = {"1": {"01-01": 8, "01-02": 8, "01-03": 7, "01-04": 5}, "2": {"01-01": 10, "01-03": 8}}
    folder = hand_in(key, given, tmp_path / "in")
    file = evaluation(tmp_path, "01", {("程序合规", "LC"): 8, ("程序合规", "CD"): 8, ("程序合规", "FIT"): 9})
    found = compared(folder, "--evaluation", file)
    whole = rows(found, "all")
    assert (whole["n"], whole["unpaired"]) == (3, 1)
    assert whole["difference"] == near(-1 / 6)
    assert whole["sigma"] == near(1.2583, abs=1e-4)
    assert (whole["mae"], whole["within_one"]) == (near(2.5 / 3), near(2 / 3))
    assert (whole["people"], whole["scored"]) == (near(24.5 / 3), near(25 / 3))
    assert rows(found, "unit", "FIT")["difference"] == -1.5
    # Between people: |8 - 10| = 2 and |7 - 8| = 1 over the two things that both rated.
    assert (found["between_raters"]["n"], found["between_raters"]["mae"]) == (2, 1.5)
    assert found["between_raters"]["within_one"] == 0.5
    assert found["spread"] == [{"rating": r, "count": c} for r, c in ((5, 1), (7, 1), (8, 3), (10, 1))]
    (empty,) = found["problems"]
    assert (empty["code"], empty["severity"]) == ("LW353", "warning")
    assert found["raters"][1] == {
        "rater": "2",
        "asked": 4,
        "given": 2,
        "empty": 2,
        "refused": 0,
        "absent": 0,
        "bare": 2,
    }


def test_preferences_are_turned_back_and_counted_worked_out_by_hand(tmp_path: Path) -> None:
    # Seen from the first record: rater 1: W W L T, rater 2: W L L T, rater 3: W W L L; the things 2 and 4 are turned.
    # Majority: W; W (two of three); L; L (ties dropped: one loss, no win). Settled: one more win.
    # "At least comparable": 1 1 0 1 / 1 0 0 1 / 1 1 0 0. Kappas: 1-2: (3/4 - 1/2) / (1/2) = 0.5; 1-3: 0.5; 2-3: 0.
    things = [thing(f"0{n}-01", "发问", "", **BETTER) for n in range(1, 5)]
    things.append(thing("05-01", "发问", "", **BETTER, settled=Preference.WIN))
    key = a_key(things, "123", "pairs", turned=("02-01", "04-01"))
    seen = {"1": "ABB平", "2": "AAB平", "3": "ABBA"}
    given = {rater: {f"0{n}-01": word for n, word in enumerate(words, 1)} for rater, words in seen.items()}
    found = compared(hand_in(key, given, tmp_path / "in"))
    (aspect,) = found["aspects"]
    assert (aspect["win"], aspect["tie"], aspect["lose"], aspect["n"], aspect["settled"]) == (0.6, 0.0, 0.4, 5, 1)
    assert found["kappa"]["value"] == near(1 / 3)
    assert found["problems"] == []
    text = lw("ratings", "compare", tmp_path / "in").out
    assert "胜 = 甲 更好，负 = 乙 更好" in text
    assert "κ 平均 0.33（3 对" in text


# ---- what the papers print -------------------------------------------------------------------------------------------


def printed(name: str, table: str) -> Any:
    return YAML(typ="safe").load((ROOT / f"tests/evaluation/printed/{name}.yaml").read_text("utf-8"))[table]["rows"]


def whole_numbers(mean: float, count: int) -> list[int]:
    """Ratings in whole points with this mean."""
    low = int(mean)
    high = round((mean - low) * count)
    return [low + 1] * high + [low] * (count - high)


def test_ratings_with_the_printed_parts_give_the_printed_rows_of_legalworld_table_1(tmp_path: Path) -> None:
    # 100 cases. Each sub-dimension has the printed human mean, both have the printed mean of the judge model; means of
    # the two, differences and the overall rows must come out as printed, to one unit of the last digit.
    tables = {
        "阶段真实性": (printed("legalworld", "table 1 stages"), ("程序合规", "过程连贯")),
        "角色一致性": (printed("legalworld", "table 1 roles"), ("立场真实", "角色分明")),
    }
    things, people, scores = [], {}, {}
    for group, (lines, titles) in tables.items():
        for unit, figures in lines.items():
            for place, title in enumerate(titles if unit != "Overall" else ()):
                for n, (human, model) in enumerate(
                    zip(whole_numbers(figures[place], 100), whole_numbers(figures[3], 100), strict=True), 1
                ):
                    id = f"{n:02}-{len(things):05}"
                    things.append(thing(id, title, unit, group=group))
                    people[id] = human
                    scores.setdefault(f"{n:02}", {})[title, unit] = model
    assert len(things) == 1600
    folder = hand_in(a_key(things), {"1": people}, tmp_path / "in")
    files = [evaluation(tmp_path, label, found) for label, found in scores.items()]
    found = compared(folder, *(word for file in files for word in ("--evaluation", file)))
    for group, (lines, titles) in tables.items():
        for unit, (first, second, human, model, difference, _) in lines.items():
            level, title = ("group", group) if unit == "Overall" else ("unit", unit)
            ours = rows(found, level, title)
            assert ours["people"] == near(human, abs=0.0101)
            assert ours["scored"] == near(model, abs=0.0101)
            assert ours["difference"] == near(difference, abs=0.0101)
            if unit == "Overall":
                assert [rows(found, "item", one)["people"] for one in titles] == near([first, second], abs=0.0101)
    figure = printed("legalworld", "figure 4")["all"]
    assert rows(found, "all")["difference"] == near(figure[0], abs=0.0101)


def test_labels_with_the_printed_counts_give_table_3_of_simcourt_through_shuffled_sheets(tmp_path: Path) -> None:
    # 50 pairs, three annotators. A win: two prefer the first, one the second; a tie: one each; a loss: one prefers the
    # second, the others see no difference. All 30 aspects, in sheets in which half the pairs are turned.
    aspects = rubric("simcourt-pairs", pairs=True).rubric
    pairs = [(replace(criminal(), chain=f"a{n}"), replace(criminal(), chain=f"b{n}")) for n in range(50)]
    key = pairs_key(aspects, pairs, ("SimCourt", "real"), RatingPlan(3))
    assert (len(key.things), len(key.rows)) == (1500, 4500)
    lines = list(printed("simcourt", "table 3").values())
    labels = {"win": "WWL", "tie": "WLT", "lose": "LTT"}
    items = list(dict.fromkeys(one.item for one in key.things))
    given: dict[str, dict[str, str]] = {rater: {} for rater in key.raters}
    for item, line in zip(items, lines, strict=True):
        counts = [round(50 * share) for share in line[:3]]
        finals = [name for name, count in zip(labels, counts, strict=True) for _ in range(count)]
        for one, final in zip((one for one in key.things if one.item == item), finals, strict=True):
            for rater, label in zip(key.raters, labels[final], strict=True):
                given[rater][one.id] = label
    turned = {row.id: row.turned for row in key.rows}
    for rater, mine in given.items():
        for id, label in mine.items():
            first = "B" if turned[f"{key.tag}-{rater}-{id}"] else "A"
            mine[id] = "平" if label == "T" else first if label == "W" else {"A": "B", "B": "A"}[first]
    found = compared(hand_in(key, given, tmp_path / "in"))
    ours = [[one["win"], one["tie"], one["lose"]] for one in found["aspects"]]
    assert ours == [near(line[:3]) for line in lines]
    assert {one["n"] for one in found["aspects"]} == {50}


# ---- the grader compares too -----------------------------------------------------------------------------------------


def test_the_grader_is_asked_the_same_and_its_words_are_turned_back() -> None:
    opened = rubric("simcourt-pairs", pairs=True)
    ask = opened.rubric.asks["attorney_debate"]
    short = silent("attorney", "debate/rounds/second")
    for turned in (False, True):
        asked = question(opened.rubric, (criminal(), short), ask, opened.templates, turned)
        text = asked.messages[1].content
        assert all(metric.asks in text for metric in ask.metrics)
        assert "acme" not in text
        found = graded(asked, offline_grader.reply(asked))
        assert set(found) == {(metric.name, "") for metric in ask.metrics}
        words = {one.raw for one in found.values() if isinstance(one, Graded)}
        assert words <= {"A", "平", "B"}
    marked = [piece for piece in asked.shown["records"][0]["evidence"] if piece["target"]]
    assert {piece["speaker"] for piece in marked} == {"辩护人"}
    assert len(asked.shown["records"][0]["evidence"]) > len(marked)  # what it answers to is shown, too


@pytest.mark.parametrize(
    "reply", ["甲更好", '{"attorney_all": {"score": 11}}', '{"attorney_all": {"score": "C"}}', "{}"]
)
def test_a_reply_of_the_grader_that_is_no_label_is_none(reply: str) -> None:
    opened = rubric("simcourt-pairs", pairs=True)
    ask = opened.rubric.asks["attorney_overall"]
    asked = question(opened.rubric, (criminal(), criminal()), ask, opened.templates, False)
    assert isinstance(graded(asked, reply)["attorney_all", ""], Unread)


def test_a_label_is_seen_from_the_first_run_whichever_was_shown_first() -> None:
    assert [preference(value, False) for value in (1, 0, -1)] == ["win", "tie", "lose"]
    assert [preference(value, True) for value in (1, 0, -1)] == ["lose", "tie", "win"]


def test_two_folders_of_runs_are_compared_by_people_and_by_the_grader(runs: Path, tmp_path: Path) -> None:
    first, second = runs / "criminal/offline", runs / "criminal/offline-noisy"
    made = lw("ratings", "pairs", first, second, "--raters", "2", "--out", tmp_path / "out", "--json").object()
    assert (made["records"], made["things"], made["rows"]) == (1, 30, 2 * 21)  # the second never came to the debate
    assert [one["code"] for one in made["problems"]] == ["LW327", "LW327"]
    for file in (tmp_path / "out").glob("rater-*/*.xlsx"):
        fill(file, lambda _: "平")
    found = compared(tmp_path / "out", "--grader", "offline", "--html", tmp_path / "p.html")
    assert "标注人之间：κ 平均" in (tmp_path / "p.html").read_text("utf-8")
    people = [one for one in found["aspects"] if one["by"] == "people"]
    assert len(people) == 30
    assert [(one["win"], one["tie"]) for one in people if "法庭辩论" in one["group"]] == [(1.0, 0.0)] * 9
    assert [(one["win"], one["tie"]) for one in people if "法庭辩论" not in one["group"]] == [(0.0, 1.0)] * 21
    assert len([one for one in found["aspects"] if one["by"] == "offline"]) == 30
    assert found["kappa"]["excluded"] == {"no_variation": 1}  # one label throughout: chance agrees wholly


def test_runs_without_a_case_in_common_make_no_pairs(runs: Path, tmp_path: Path) -> None:
    done = lw("ratings", "pairs", runs / "criminal", runs / "civil", "--out", tmp_path / "out")
    assert done.code == 2
    assert {"LW326", "LW357"} <= set(re.findall(r"LW\d{3}", done.err))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("eval", "{runs}/criminal/offline", "--rubric", "simcourt-pairs"), "LW341"),
        (("ratings", "export", "{runs}/criminal/offline", "--rubric", "simcourt-pairs", "--out", "x"), "LW341"),
        (("ratings", "pairs", "{runs}/civil", "{runs}/civil", "--aspects", "environment", "--out", "x"), "LW341"),
        (("ratings", "export", "{runs}/civil", "--items", "stages", "--out", "x"), "LW318"),
        (("ratings", "export", "{runs}/criminal", "--out", "x"), "LW326"),
        (("ratings", "compare", "nowhere"), "LW356"),
        (("ratings", "compare", "."), "LW354"),
    ],
)
def test_what_cannot_be_done_is_told(runs: Path, words: tuple[str, ...], code: str) -> None:
    done = lw(*(word.format(runs=runs) for word in words))
    assert done.code == 2
    assert code in done.err


# ---- sheets gone wrong -----------------------------------------------------------------------------------------------

HEAD = "编号,评分,理由或备注\r\n"
GOOD = "ABCDE-1-01-01,8,好\r\n"


def back(folder: Path, data: bytes, name: str = "sheet.csv", kind: str = "ratings") -> dict[str, Any]:
    """What is made of a file, whatever it holds, beside a key with two things for one rater."""
    scale = BETTER if kind == "pairs" else {}
    key = a_key([thing("01-01", **scale), thing("01-02", **scale)], "1", kind)
    (folder / "key.json").write_text(key.model_dump_json(), "utf-8")
    (folder / name).write_bytes(data)
    return compared(folder)


def codes(found: Mapping[str, Any]) -> list[str]:
    return [one["code"] for one in found["problems"]]


@pytest.mark.parametrize("written", ["11", "-1", "eight", "八", "8.5", "8分", "7-8", "8/10", "是"])
def test_what_is_not_on_the_scale_is_told_with_its_place_and_the_rest_is_kept(tmp_path: Path, written: str) -> None:
    found = back(tmp_path, (HEAD + GOOD + f"ABCDE-1-01-02,{written},\r\n").encode("utf-8-sig"))
    (one,) = found["problems"]
    assert (one["code"], one["line"], one["column"]) == ("LW349", 3, 2)
    assert written in one["message"]
    assert "第 3 行" in one["message"]
    assert found["raters"] == [{"rater": "1", "asked": 2, "given": 1, "empty": 0, "refused": 1, "absent": 0, "bare": 0}]
    assert [one["rating"] for one in found["ratings"]] == [8]
    meant = {"八": "8", "8分": "8"}.get(written)
    assert one["nearest"] == meant


@pytest.mark.parametrize("written", ["8", "８", " 8 ", "8.0"])
def test_full_width_figures_and_spaces_do_no_harm(tmp_path: Path, written: str) -> None:
    found = back(tmp_path, (HEAD + GOOD + f"ABCDE-1-01-02,{written},\r\n").encode("utf-8-sig"))
    assert [one["rating"] for one in found["ratings"]] == [8, 8]


CHOSEN = {"A": 1, "ａ": 1, "b": -1, "平": 0, "C": None, "AB": None, "1": None}


@pytest.mark.parametrize(("written", "value"), CHOSEN.items())
def test_only_the_words_of_a_choice_are_taken(written: str, value: float | None) -> None:
    assert entered(Scale(-1, 1, 0, BETTER["choices"]), written) == value  # type: ignore[arg-type]


def test_a_label_that_is_none_is_told(tmp_path: Path) -> None:
    found = back(tmp_path, "编号,结论,理由\r\nABCDE-1-01-01,C,\r\nABCDE-1-01-02,A,\r\n".encode(), kind="pairs")
    assert codes(found) == ["LW349"]
    assert "A / 平 / B" in found["problems"][0]["message"]
    assert [one["preference"] for one in found["preferences"]] == ["win"]


@pytest.mark.parametrize(
    ("head", "severity", "near"),
    [
        ("编号,分数,理由或备注", "error", None),
        ("号,评分,理由或备注", "error", "号"),
        ("编号,评分", "warning", None),
        ("甲,乙,丙", "error", None),
    ],
)
def test_a_missing_column_is_named(tmp_path: Path, head: str, severity: str, near: str | None) -> None:
    found = back(tmp_path, f"{head}\r\n{GOOD}".encode("utf-8-sig"))
    (one,) = [one for one in found["problems"] if one["code"] == "LW348"]
    assert one["severity"] == severity
    assert (len(found["ratings"]) == 1) is (severity == "warning")


def test_a_row_twice_counts_once_when_it_says_the_same_and_not_when_it_does_not(tmp_path: Path) -> None:
    same = back(tmp_path, (HEAD + GOOD + GOOD).encode())
    assert (codes(same), len(same["ratings"])) == ([], 1)
    found = back(tmp_path, (HEAD + GOOD + GOOD.replace("8", "3")).encode())
    (one,) = found["problems"]
    assert (one["code"], one["line"], one["also"][0]["line"]) == ("LW350", 3, 2)
    assert (found["ratings"], found["raters"][0]["refused"]) == ([], 1)


def test_a_sheet_that_was_handed_in_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "copy.csv").write_bytes((HEAD + GOOD.replace("8", "3")).encode())
    found = back(tmp_path, (HEAD + GOOD).encode())
    (one,) = found["problems"]
    assert one["code"] == "LW350"
    assert "copy.csv" in one["message"]


@pytest.mark.parametrize("id", ["ABCDE-1-01-09", "ABCDE-4-01-01", "乙", "", "=1+1"])
def test_a_row_that_nobody_asked_for_is_told_and_not_counted(tmp_path: Path, id: str) -> None:
    found = back(tmp_path, (HEAD + GOOD + f"{id},9,\r\n").encode())
    assert codes(found) == ["LW351"]
    assert [one["rating"] for one in found["ratings"]] == [8]
    assert found["raters"][0]["absent"] == 1


def test_dashes_and_letters_that_a_spreadsheet_changed_are_the_same_number(tmp_path: Path) -> None:
    found = back(tmp_path, (HEAD + "abcde–1–01–01,8,\r\n").encode())
    assert [one["rating"] for one in found["ratings"]] == [8]


def test_a_sheet_of_another_export_is_told_once(tmp_path: Path) -> None:
    found = back(tmp_path, (HEAD + "VWXYZ-1-01-01,8,\r\nVWXYZ-1-01-02,8,\r\n").encode())
    (one,) = found["problems"]
    assert one["code"] == "LW352"
    assert all(word in one["message"] for word in ("VWXYZ", "ABCDE", "2"))
    assert found["raters"] == []


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", []), ("utf-8-sig", []), ("gbk", ["LW343"]), ("gb18030", ["LW343"]), ("utf-16", [])],
)
def test_whatever_excel_saves_is_read(tmp_path: Path, encoding: str, expected: list[str]) -> None:
    text = HEAD + GOOD + "ABCDE-1-01-02,9,“程序”完整，衔接自然\r\n"
    found = back(tmp_path, text.replace(",", "\t").encode(encoding) if encoding == "utf-16" else text.encode(encoding))
    assert codes(found) == expected
    assert [one["rating"] for one in found["ratings"]] == [8, 9]
    assert found["remarks"][0]["remark"] == "好"


@pytest.fixture
def small_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte is the most that a file may have, ten what it may unpack to."""
    assert spreadsheet.LARGEST == 20 << 20
    monkeypatch.setattr(spreadsheet, "LARGEST", 1 << 20)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "LW347"),
        (b"\xef\xbb\xbf", "LW347"),
        (HEAD.encode(), "LW347"),
        ((HEAD + "ABCDE-1-01-01,,\r\nABCDE-1-01-02,,\r\n").encode(), "LW347"),
        (b"\xff\x80\x81,\xfe\xfe\r\n", "LW002"),
        (b"PK\x03\x04 and nothing else", "LW345"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old one", "LW820"),
        (b'a,"' + b"x" * 200_000 + b'"\r\n', "LW345"),
        (None, "LW346"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_is_told(
    tmp_path: Path, small_cap: None, data: bytes | None, code: str
) -> None:
    """None: too large. It is made here: a parameter is held as long as the tests run."""
    found = back(tmp_path, b" " * (spreadsheet.LARGEST + 1) if data is None else data)
    assert codes(found) == [code]
    assert found["ratings"] == []


def packed(parts: Mapping[str, bytes | int]) -> bytes:
    """A number stands for so many megabytes of nothing."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            with file.open(name, "w") as part:
                for piece in [data] if isinstance(data, bytes) else [bytes(1 << 20)] * data:
                    part.write(piece)
    return out.getvalue()


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"xl/workbook.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}, "LW345"),
        ({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}, "LW345"),
        ({"bomb": 10 + 1}, "LW346"),
    ],
)
def test_a_workbook_that_is_none_is_told(
    tmp_path: Path, small_cap: None, parts: Mapping[str, bytes | int], code: str
) -> None:
    assert codes(back(tmp_path, packed(parts), "sheet.xlsx")) == [code]


def test_a_workbook_saved_by_a_spreadsheet_is_read_with_its_places(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "封面"
    page = book.create_sheet("评分")
    head = (["环境 · 评分人 1"], [], ["备注", "编号", "评分"])
    for row in (*head, ["", "ABCDE-1-01-01", 8.0], ["", "ABCDE-1-01-02", "优"]):
        page.append(row)
    out = io.BytesIO()
    book.save(out)
    found = back(tmp_path, out.getvalue(), "sheet.xlsx")
    (one,) = [one for one in found["problems"] if one["code"] == "LW349"]
    assert (one["file"], one["line"], one["column"]) == (f"{tmp_path / 'sheet.xlsx'} [评分]", 5, 3)
    assert [one["rating"] for one in found["ratings"]] == [8]


def test_a_damaged_key_is_told(tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text("{}", "utf-8")
    done = lw("ratings", "compare", tmp_path)
    assert (done.code, "LW355" in done.err) == (2, True)


def test_a_sheet_in_english_is_read_where_chinese_is_spoken(tmp_path: Path) -> None:
    found = back(tmp_path, b"No.,Rating,Reason or remark\r\nABCDE-1-01-01,8,\r\n")
    assert [one["rating"] for one in found["ratings"]] == [8]
    assert heads(a_key([]), "en")["rating"] == ("Rating", "评分")


def test_no_cell_of_a_sheet_is_a_formula() -> None:
    columns = (spreadsheet.SheetColumn("a", 10), spreadsheet.SheetColumn("b", 10, open=True))
    choice = spreadsheet.Choice((), 0, 10, True, "")
    sheet = spreadsheet.Sheet("s", "=1+1", ("=2",), columns, (("=HYPERLINK(1)", ""),), 1, (choice,))
    assert "<f>" not in words_of_bytes(spreadsheet.workbook(sheet))
    assert b"'=HYPERLINK" in spreadsheet.comma(sheet)


def words_of_bytes(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return "\n".join(packed.read(one).decode("utf-8", "replace") for one in packed.namelist() if "sheet1" in one)


def test_help_is_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    for language, word in (("zh", "底细"), ("en", "not for raters")):
        monkeypatch.setenv("LW_LANG", language)
        ran: Ran = lw("ratings", "export", "--help")
        assert (ran.code, word in ran.out.replace("\n", " ")) == (0, True)


# ---- the page --------------------------------------------------------------------------------------------------------


def linked(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<a href="#list/([^"]*)">([^<]*)</a>', page.partition("<nav")[2])


def behind(page: str, href: str) -> list[float]:
    """The figures that a link of a page leads to, as its script finds them."""
    packed = page.partition('id="index">')[2].partition("<")[0]
    index = json.loads(zlib.decompress(base64.b64decode(packed)))
    parts = [part.split("=") for part in href.split("/")]
    wanted = {int(name): bytes.fromhex(value).decode() for name, value in parts if name != "v"}
    figure = next(int(value) for name, value in parts if name == "v")
    return [
        figures[figure]
        for _, marks, figures in index["entries"]
        if all(marks[facet] == value for facet, value in wanted.items()) and figures[figure] is not None
    ]


def test_every_figure_on_the_page_is_made_of_the_ratings_that_it_leads_to(tmp_path: Path) -> None:
    things = [thing(f"01-0{n}", unit=unit) for n, unit in enumerate(("LC", "CD", "FIT", "SIT"), 1)]
    given = {"1": {"01-01": 8, "01-02": 8, "01-03": 7, "01-04": 5}, "2": {"01-01": 10, "01-03": 8}}
    folder = hand_in(a_key(things, "12"), given, tmp_path / "in")
    file = evaluation(tmp_path, "01", {("程序合规", "LC"): 8, ("程序合规", "CD"): 8, ("程序合规", "FIT"): 9})
    forms = ("--html", tmp_path / "r.html", "--latex", tmp_path / "r.tex", "--figures", tmp_path / "drawn")
    assert lw("ratings", "compare", folder, "--evaluation", file, *forms).code == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    links = [(href, text) for href, text in linked(page) if re.fullmatch(r"[-+]?\d+\.\d+", text)]
    assert len(links) >= 12
    for href, text in links:
        values = behind(page, href)
        mean, error = sum(values) / len(values), sum(map(abs, values)) / len(values)
        assert float(text) == pytest.approx(mean, abs=0.0051) or float(text) == pytest.approx(error, abs=0.0051), href
    assert "评分人之间" in page and "Krippendorff" in page  # people among themselves, too
    drawn = {one.name: one.read_text("utf-8") for one in (tmp_path / "drawn").iterdir()}
    assert "spread.svg" in drawn
    (gaps,) = [text for name, text in drawn.items() if name.startswith("gap-")]
    assert "n=3" in gaps and "[" not in gaps  # three things of one case: no interval can be told
    assert r"\toprule" in (tmp_path / "r.tex").read_text("utf-8")
