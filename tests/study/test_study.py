"""The study of dependence: what replaces a document, what that does to later stages, what a stopped study keeps.

`intervening/` is a small project: a creditor's lawyer writes a claim, remembers it, and says in court what it says.
"""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Call, Loopback, say
from playing import ROOT, matter, project
from typed import lw

from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Intervention, Settings
from legalworld.evaluation.metrics.values import Reason
from legalworld.evaluation.results import Evaluation, Figure
from legalworld.evaluation.rubric.open import OpenRubric as RubricOpened
from legalworld.evaluation.rubric.open import open_rubric
from legalworld.evaluation.run_store import open_stored
from legalworld.evaluation.sections import body
from legalworld.files.project_files import Disk
from legalworld.model import events as e
from legalworld.model.events import Request
from legalworld.model.source import Span
from legalworld.models.scripted import Offline
from legalworld.runs.journal import events_in, load
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.runs.plan import chosen_options
from legalworld.runs.project import Project, open_project
from legalworld.study.edit import Absent, revised
from legalworld.study.effects import Pair, changed, effects
from legalworld.study.file import Declared, drafted, open_interventions, read_interventions
from legalworld.study.interventions import SectionChange
from legalworld.study.play import Arm
from legalworld.study.report import compare
from legalworld.study.variants import Sight, drafted_in, version
from legalworld.wording.diagnostics import render

SMALL = Path(__file__).parent / "project"
CASES = ("one", "two")
STORY = {"one": "二月三日借出五万元", "two": "三月三日借出六万元"}
SECRET = "借条是不是乙某写的"  # of the reference, and in the better claim
VERDICT = "乙某归还甲某四万八千元"  # of the reference, and in no template


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch, no_keys: None) -> None:
    monkeypatch.setenv("LW_LANG", "zh")


def small_project(folder: Path) -> Path:
    """A copy of the small project, with two cases."""
    shutil.copytree(SMALL, folder)
    text = (folder / "cases/one.yaml").read_text(encoding="utf-8")
    for name in CASES:
        words = text.replace("case: one", f"case: {name}").replace(STORY["one"], STORY[name])
        (folder / f"cases/{name}.yaml").write_text(words, encoding="utf-8")
    return folder


def intervene(*words: str | Path) -> Any:
    return lw("intervene", "debt", "--rubric", "spoken", "--out", "study", *words)


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two cases, in a project of its own; to be read only."""
    folder = small_project(tmp_path_factory.mktemp("studied") / "project")
    with pytest.MonkeyPatch.context() as there:
        there.chdir(folder)
        there.setenv("LW_LANG", "zh")
        ran = intervene("--cases", ",".join(CASES), "--qualities", "high,low,same")
    assert ran.code == 0, ran.said
    (folder / "said.txt").write_text(ran.out, encoding="utf-8")
    return folder


@pytest.fixture
def again(studied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, to work in."""
    folder = tmp_path / "project"
    shutil.copytree(studied, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with nothing studied yet, to work in."""
    folder = small_project(tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


def runs(folder: Path, case: str = "one") -> Path:
    return folder / "study" / "creditor_lawyer" / f"{case}-0"


def told(folder: Path) -> list[dict[str, Any]]:
    return [event.model_dump(mode="json") for event in events_in(load(folder / "journal.jsonl").lines)]


def said_in_court(folder: Path) -> str:
    return "\n".join(one["text"] for one in told(folder) if one["kind"] == "spoke" and one["place"].startswith("court"))


# ---- the study -------------------------------------------------------------------------------------------------------


def test_scores_follow_what_the_document_says(studied: Path) -> None:
    # said in court: both demands and not the issue = (1 + 0) / 2; high: + the issue = 1; low: neither = 0
    found = json.loads((studied / "study/effects.json").read_text(encoding="utf-8"))["effects"]
    figures = {one["quality"]: (one["n"], one["base"], one["intervention"], one["delta"]) for one in found}
    assert figures == {"high": (2, 50, 100, 50), "low": (2, 50, 0, -50), "same": (2, 50, 50, 0)}
    # two cases that agree: the least p that they can show is 2 / 2 ** 2; the control has no difference at all, and is
    # no row of the table that the others are corrected for
    assert {one["quality"]: one["p"] for one in found} == {"high": 0.5, "low": 0.5, "same": 1.0}
    assert {one["quality"]: one["adjusted"] for one in found} == {"high": 0.5, "low": 0.5, "same": 1.0}
    assert {one["quality"]: one["changed"] for one in found} == {"high": 1.0, "low": 1.0, "same": 0.0}


def test_every_pair_stands_in_a_file_of_its_own(studied: Path) -> None:
    with (studied / "study/pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    low = next(row for row in rows if row["case"] == "two" and row["quality"] == "low")
    assert (low["document"], low["stage"], float(low["delta"])) == ("claim", "court", -50.0)
    assert (studied / low["run"] / "journal.jsonl").is_file()
    with (studied / "study/effects.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["quality"] for row in csv.DictReader(file)] == ["high", "low", "same"]


def test_the_table_is_for_people(studied: Path) -> None:
    words = (studied / "said.txt").read_text(encoding="utf-8")
    (row,) = [line.split() for line in words.splitlines() if "删去" in line]
    assert row[:3] == ["诉状", "删去", "开庭"]
    assert row[3:] == ["2", "50.00", "0.00", "-50.00", "-", "0.500", "100%"]  # of two cases no interval
    assert "离线规则演员" in words
    assert "没有作出反应" not in words  # the control is meant to change nothing


def test_dependent_memory_is_made_again(studied: Path) -> None:
    kept = [one["value"] for one in told(runs(studied) / "claim.low") if one["kind"] == "remembered"]
    assert set(kept) == {"甲某诉状\n\n请求\n\n1. 请法院处理\n\n此致"}


def test_a_base_run_is_a_run_like_any_other(studied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(studied)
    assert lw("run", "debt", "--case", "one", "--out", tmp_path / "plain", "--json").code == 0
    assert (tmp_path / "plain/journal.jsonl").read_bytes() == (runs(studied) / "base/journal.jsonl").read_bytes()


def test_the_reference_reaches_the_document_and_nothing_else(studied: Path) -> None:
    for case in CASES:
        for name in ("base", "claim.low", "claim.same"):
            for file in (runs(studied, case) / name).rglob("*"):
                if file.is_file() and file.name != "sealed.json" and "scores" not in file.parts:
                    assert SECRET.encode() not in file.read_bytes(), file
    high = runs(studied) / "claim.high"
    (replaced,) = [one["text"] for one in told(high) if one["kind"] == "drafted" and one["source"] == "replaced"]
    assert SECRET in replaced
    added = [one for event in told(high) if event["kind"] == "asked" for one in event["added"]]
    parts = [part for one in added for part in one["parts"] if SECRET in part[1]]
    homes = {home.rpartition("/")[2] for home, _ in parts}  # the document, what was said and kept of it
    assert homes == {"default.j2#own claim", "heard.j2", "memory.j2"}
    for home, words in parts:
        assert home.endswith(("heard.j2", "memory.j2")) or replaced.strip() in words
    for file in high.rglob("*"):
        if file.is_file() and file.name != "sealed.json" and "scores" not in file.parts:
            assert VERDICT.encode() not in file.read_bytes(), file


def test_a_fork_says_what_was_replaced_by_what(studied: Path) -> None:
    high, low = runs(studied) / "claim.high", runs(studied) / "claim.low"
    note = (high / "intervention.md").read_text(encoding="utf-8")
    assert re.search(r"诉状.*写全.*用了评测专用.*## 原来的.*五万元.*## 换上的.*" + SECRET, note, re.DOTALL)
    assert "没有用评测专用的内容" in (low / "intervention.md").read_text(encoding="utf-8")
    data = json.loads((low / "intervention.json").read_text(encoding="utf-8"))
    assert (data["place"], data["reads_reference"], [one["kind"] for one in data["changes"]]) == (
        "write/memory.lawyer",
        False,
        ["write", "delete"],
    )


def test_scores_are_compared_with_what_was_written(studied: Path, tmp_path: Path) -> None:
    # “kept” compares what was said with the claim: with the one that was written, though another was put in its place
    def kept(folder: Path) -> float:
        scores = json.loads((folder / "scores/spoken.rules.json").read_text(encoding="utf-8"))["figures"]
        return float(next(one["value"] for one in scores if one["formula"] == "kept"))

    assert kept(runs(studied) / "claim.low") < kept(runs(studied) / "base")
    shutil.copytree(runs(studied) / "claim.low", tmp_path / "low")
    found = open_stored(tmp_path / "low")
    assert not isinstance(found, tuple)
    texts = [piece.text for event, piece in found.yardsticks if event.document == "claim"]
    assert texts == ["甲某诉状\n\n请求\n\n1. 请法院处理\n\n此致\n"]


# ---- going on --------------------------------------------------------------------------------------------------------


def journals(folder: Path) -> dict[str, bytes]:
    study = folder / "study"
    return {file.relative_to(study).as_posix(): file.read_bytes() for file in sorted(study.rglob("journal.jsonl"))}


def test_a_stopped_study_goes_on(studied: Path, again: Path) -> None:
    cut = runs(again) / "claim.low/journal.jsonl"
    lines = cut.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: len(lines) - 3]) + lines[-3][:20])  # in the middle of a write
    shutil.rmtree(runs(again) / "claim.high")
    (runs(again) / ".claim.high.part").mkdir()  # died while it was made
    (runs(again) / ".claim.high.part/run.yaml").write_text("lw: 1\n")
    shutil.rmtree(runs(again, "two") / "claim.low")
    ran = intervene("--cases", ",".join(CASES), "--qualities", "high,low,same")
    assert ran.code == 0, ran.said
    assert journals(again) == journals(studied)
    assert ran.out == (studied / "said.txt").read_text(encoding="utf-8")
    played = [Path(line.split()[0]).parts[-2:] for line in ran.err.splitlines() if line.endswith("ended")]
    assert played == [
        ("one-0", "claim.high"),
        ("one-0", "claim.low"),
        ("two-0", "claim.low"),
    ]


def test_a_fork_of_other_templates_is_not_taken_for_one_of_these(again: Path) -> None:
    template = again / "prompts/zh/intervene/debt/demands.low.j2"
    template.write_text("1. 另有打算\n", encoding="utf-8")
    ran = intervene("--cases", "one", "--qualities", "high,low")
    assert ran.code == 2
    assert "LW371" in ran.err and "claim.low" in ran.err
    assert "写全" in ran.out and "删去" not in ran.out  # the others count


@pytest.mark.parametrize("words", [("--model", "offline:silent"), ("--interventions", "other")])
def test_another_study_in_the_folder_is_refused(again: Path, words: tuple[str, ...]) -> None:
    text = (again / "interventions/debt.yaml").read_text(encoding="utf-8")
    (again / "interventions/other.yaml").write_text(text.replace("interventions: debt", "interventions: other"))
    ran = intervene("--cases", "one", "--interventions", "debt", *words)
    assert ran.code == 2
    assert "LW369" in ran.err


def test_what_nobody_wrote_is_not_compared(fresh: Path) -> None:
    ran = lw("intervene", "debt", "--rubric", "spoken", "--out", "quiet", "--model", "offline:silent", "--cases", "one")
    assert ran.code == 0
    assert "诉状" in ran.out
    # a silent lawyer's claim is empty: nothing can be written into a section that is not there
    assert "LW370" in ran.err
    assert [row["quality"] for row in json.loads((fresh / "quiet/effects.json").read_text())["effects"]] == ["high"]


# ---- a model ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A lawyer who says in court the issue if his claim has it; and a writer who has words of his own."""

    def lawyer(call: Call) -> Answer:
        asked = json.dumps(call.body["messages"], ensure_ascii=False)
        if call.body["model"] == "writer":
            return say("甲某诉状\n\n请求\n\n1. 归还五万元\n\n理由\n\n争点在于" + SECRET + "。\n\n此致")
        return say("争点在于" + SECRET + "。" if "争点在于" + SECRET in asked else "请求归还五万元，支付利息一千元。")

    with Loopback(lawyer) as serving:
        monkeypatch.setenv("OPENAI_API_BASE", serving.url)
        yield serving


def test_a_model_that_reads_its_document_scores_by_it(server: Loopback, fresh: Path) -> None:
    words = ("--cases", "one", "--qualities", "high", "--model", "creditor_lawyer=openai/clerk", "--writer")
    ran = lw("intervene", "debt", "--rubric", "spoken", "--out", "models", *words, "openai/writer", "--json")
    assert ran.code == 0, ran.said
    (effect,) = ran.object()["effects"]
    # base: both demands, not the issue = 1/2; the model that has read of the issue says that alone = (0 + 1) / 2
    (pair,) = ran.object()["pairs"]
    assert (effect["base"], effect["intervention"], effect["changed"]) == (50.0, 50.0, 1.0)
    assert SECRET in said_in_court(fresh / pair["run"])
    assert SECRET not in said_in_court(fresh / pair["base_run"])
    asked = [call.body["messages"][0]["content"] for call in server.calls if call.body["model"] == "writer"]
    assert len(asked) == 1 and SECRET in asked[0] and VERDICT not in asked[0]
    calls = len(server.calls)
    assert lw("intervene", "debt", "--rubric", "spoken", "--out", "models", *words, "openai/writer", "--json").code == 0
    assert len(server.calls) == calls  # nothing is asked twice


# ---- a file that is wrong --------------------------------------------------------------------------------------------

MISTAKES = {
    "LW063": ("  claim:\n", "  clam:\n"),
    "LW361": ("      same: {}", "      sane: {}"),
    "LW076": ("stages: [court]", "stages: [cort]"),
    "LW360": ("{delete: [理由, 证据]}", "{delete: [理由, 证剧]}"),
    "LW362": ("{delete: [理由, 证据]}", "{delete: 理由, swap: [请求, 证据]}"),
    "LW042": ("{write: 请求, with: debt/demands.low}", "{write: 请求}"),
    "LW363": ("{swap: [请求, 理由]}", "{swap: [请求, 请求]}"),
    "LW114": ("debt/demands.low", "debt/demands.lower"),
    "LW367": ("for: [debt]", "for: [loan]"),
    "LW041": ("{template: debt/claim.high}", "{templet: debt/claim.high}"),
    "LW373": ("notes:", "against: written\nnotes:"),
    "LW078": ("lw: 1", "lw: 7"),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Project]:
    folder = small_project(tmp_path_factory.mktemp("small") / "project")
    opened = open_project("debt", folder)
    assert isinstance(opened, Project) and opened.procedure is not None
    return folder, opened


def problems(folder: Path, opened: Project, word: str = "broken") -> str:
    assert opened.procedure is not None
    found = open_interventions(word, opened.procedure, folder)
    assert isinstance(found, tuple)
    return render(found, lambda path: (folder / path).read_text(encoding="utf-8"), "zh")


@pytest.mark.parametrize("code", MISTAKES)
def test_a_mistake_in_the_file_is_told_with_its_place(small: tuple[Path, Project], code: str) -> None:
    folder, opened = small
    text = (folder / "interventions/debt.yaml").read_text(encoding="utf-8")
    right, wrong = MISTAKES[code]
    assert right in text
    (folder / "interventions/broken.yaml").write_text(text.replace(right, wrong, 1), encoding="utf-8")
    words = problems(folder, opened)
    assert code in words
    line = (text[: text.index(right)] + wrong).count("\n") + (not wrong.endswith("\n"))
    place = re.search(r"broken\.yaml:(\d+):\d+: " + code, words)
    assert place is not None and abs(int(place[1]) - line) <= 1, words


def test_a_document_that_nobody_writes_cannot_be_replaced(small: tuple[Path, Project]) -> None:
    folder, _ = small
    spec = (folder / "specs/debt.yaml").read_text(encoding="utf-8")
    more = spec.replace("\ndocuments:\n", "\ndocuments:\n  letter: {title: 信, sections: [请求, 理由]}\n")
    (folder / "specs/more.yaml").write_text(
        more.replace(
            "- creditor_lawyer drafts claim",
            "- take letter as creditor_lawyer: 信\n      - creditor_lawyer drafts claim",
        ),
        encoding="utf-8",
    )
    (folder / "documents").mkdir()
    (folder / "documents/letter.j2").write_text("信")
    opened = open_project("more", folder)
    assert isinstance(opened, Project) and opened.procedure is not None, opened
    text = (folder / "interventions/debt.yaml").read_text(encoding="utf-8")
    (folder / "interventions/broken.yaml").write_text(text.replace("  claim:\n", "  letter:\n"), encoding="utf-8")
    assert "LW364" in problems(folder, opened)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("{{ study.reference.trueth }}", "LW365", "1:4"),
        ("{{ study.nothing }}", "LW110", "1:10"),
        ("好\n{{ grading.rubric }}", "LW365", "2:4"),
        ("{{ known.verdict }}", "LW062", "1:4"),  # the reference has one way in
        ("{% set x, y = own.claim %}", "LW103", "1:4"),
        ("{{ own.claim }}", "LW111", "1:4"),
    ],
)
def test_a_mistake_in_a_template_is_told_with_its_place(
    small: tuple[Path, Project], text: str, code: str, place: str
) -> None:
    folder, opened = small
    template = folder / "prompts/zh/intervene/debt/wrong.j2"
    template.write_text(text, encoding="utf-8")
    file = (folder / "interventions/debt.yaml").read_text(encoding="utf-8")
    (folder / "interventions/broken.yaml").write_text(file.replace("debt/claim.high", "debt/wrong"), encoding="utf-8")
    assert f"prompts/zh/intervene/debt/wrong.j2:{place}: {code}" in problems(folder, opened)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--documents", "clam"), "LW361"),
        (("--qualities", "higher"), "LW361"),
        (("--interventions", "dept"), "LW368"),
        (("--rubric", "longjud"), "LW326"),
        (("--target", "nobody"), "LW185"),
        (("--writer", "nobody/knows"), "LW1"),
        (("--cases", "four"), "LW152"),
    ],
)
def test_a_wrong_option_writes_nothing(fresh: Path, words: tuple[str, str], code: str) -> None:
    ran = lw("intervene", "debt", "--rubric", "spoken", "--out", "new", *words)
    assert ran.code == 2
    assert f" {code}" in ran.err
    assert not list((fresh / "new").rglob("run.yaml"))


# ---- sections --------------------------------------------------------------------------------------------------------

LABELS = ("原告", "诉讼请求", "事实与理由", "证据", "此致")
PLEADING = """民事起诉状

原告：甲某，住东街。

一、诉讼请求

1. 还钱。诉讼请求以本状为准。

## 事实与理由：

证据不足的说法不成立。
事实与理由大致如此。

**证据**

借条

此致

某法院
"""
HERE = Span("file", 1, 1)


def test_a_section_is_found_by_its_heading() -> None:
    assert body(PLEADING, "诉讼请求", LABELS) == "1. 还钱。诉讼请求以本状为准。"
    assert body(PLEADING, "事实与理由", LABELS) == "证据不足的说法不成立。\n事实与理由大致如此。"
    assert body(PLEADING, "证据", LABELS) == "借条"
    assert body(PLEADING, "此致", LABELS) == "某法院"
    assert body("诉讼请求：还钱。\n事实与理由：欠钱。", "诉讼请求", LABELS).strip("：") == "还钱。"
    assert body(PLEADING, "答辩意见", (*LABELS, "答辩意见")) == ""


def test_a_heading_that_stands_too_far_down_does_not_hide_the_others() -> None:
    labels = ("原告", "诉讼请求", "本院认为", "判决如下", "审判长")
    judgment = (
        "原告：甲某。\n甲某请求还钱。\n本院认为，没有证据。\n依照法律，判决如下：\n驳回甲某的诉讼请求\n审判长 乙某\n"
    )
    assert body(judgment, "本院认为", labels).startswith("没有证据")
    assert body(judgment, "判决如下", labels) == "驳回甲某的诉讼请求"
    assert body(judgment, "诉讼请求", labels) == ""


def test_sections_are_deleted_written_and_swapped() -> None:
    gone = revised(PLEADING, SectionChange("delete", ("诉讼请求", "证据", "没有的"), "", HERE), LABELS)
    assert gone == (
        "民事起诉状\n\n原告：甲某，住东街。\n\n## 事实与理由：\n\n证据不足的说法不成立。\n事实与理由大致如此。\n\n"
        "此致\n\n某法院\n"
    )
    written = revised(PLEADING, SectionChange("write", ("诉讼请求",), "x", HERE), LABELS, "\n没有请求。\n")
    assert isinstance(written, str)
    assert "一、诉讼请求\n\n没有请求。\n\n## 事实与理由" in written and "还钱" not in written
    swapped = revised(PLEADING, SectionChange("swap", ("证据", "诉讼请求"), "", HERE), LABELS)
    assert isinstance(swapped, str)
    assert body(swapped, "证据", LABELS) == "1. 还钱。诉讼请求以本状为准。"
    assert body(swapped, "诉讼请求", LABELS) == "借条"
    assert body(swapped, "事实与理由", LABELS) == body(PLEADING, "事实与理由", LABELS)
    assert revised("没有标题", SectionChange("swap", ("证据", "诉讼请求"), "", HERE), LABELS) == Absent(
        ("证据", "诉讼请求")
    )


# ---- effects ---------------------------------------------------------------------------------------------------------


def pair(case: str, document: str, base: float | None, value: float | None, seed: int = 0) -> Pair:
    gap = "" if None not in (base, value) else "missing"
    return Pair("lawyer", case, seed, document, "low", "court", base, value, 0.5, gap, "", "")


def test_a_case_counts_once_however_often_it_was_played() -> None:
    # case a: seeds -10 and -30 = -20; case b: -40; the document's mean -30. Case c lacks a side: it is left out.
    pairs = [pair("a", "x", 50, 40), pair("a", "x", 50, 20, 1), pair("b", "x", 60, 20), pair("c", "x", None, 10)]
    (one,) = effects(pairs)
    assert (one.delta.n, one.delta.value, one.left_out) == (2, -30.0, 1)
    assert (one.base.value, one.intervention.value) == (55.0, 25.0)
    # with a second document the first row stays, and all together: a = (-10 - 30 - 20) / 3 = -20, b = -40
    rows = effects([*pairs, pair("a", "y", 50, 30)])
    assert [row.document for row in rows] == ["x", "y", ""]
    assert (rows[0].delta.value, rows[1].delta.n, rows[2].delta.value) == (-30.0, 1, -30.0)


def test_graders_are_averaged_where_both_sides_have_them(studied: Path) -> None:
    opened = open_rubric("spoken", studied)
    assert isinstance(opened, RubricOpened)
    procedure = project("civil").procedure
    assert procedure is not None
    declared = read_interventions(Disk(studied), "interventions/debt.yaml")[0]
    assert declared is not None

    def graded(run: Path, grader: str, value: float | None) -> Evaluation:
        figure = Figure(formula="court", value=value, gap=None if value is not None else Reason.NOT_APPLICABLE)
        return Evaluation(
            run=run.as_posix(),
            procedure="debt",
            case="one",
            target="creditor_lawyer",
            model="x",
            outcome="",
            finished=True,
            rubric="spoken",
            rubric_digest="",
            run_digest="",
            grader={"model": grader},
            figures=(figure,),
            passes={},
            scores=(),
        )

    base, low, same = (runs(studied) / name for name in ("base", "claim.low", "claim.same"))
    arms = [Arm("creditor_lawyer", "one", 0, "claim", fork.suffix[1:], ("court",), base, fork) for fork in (low, same)]
    # base: a 80, b 60; low: a 40, c 0 -> a alone is in both: 80 and 40. same: the stage was not come to.
    scores = [graded(base, "a", 0.8), graded(base, "b", 0.6), graded(low, "a", 0.4), graded(low, "c", 0.0)]
    found = compare(arms, [*scores, graded(same, "a", None)], declared, (procedure, opened.rubric))
    assert [(one.quality, one.base, one.intervention, one.gap) for one in found.pairs] == [
        ("low", 80.0, 40.0, ""),
        ("same", 70.0, None, "one_sided"),
    ]


def test_changed_words_are_counted_by_stage() -> None:
    def spoke(place: str, text: str) -> e.Spoke:
        return e.Spoke(
            request="", place=place, thread="", person="p", speaker="", act="", text=text, to=(), heard_by=()
        )

    base = [spoke("court/1", "甲"), spoke("court/2", "乙"), spoke("courtyard/1", "丙")]
    fork = [spoke("court/1", "甲"), spoke("court/2", "丁"), spoke("courtyard/1", "戊")]
    assert changed(base, fork, "court") == 0.5
    assert changed(base, fork, "appeal") is None


# ---- what is shipped -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def civil() -> Declared:
    procedure = project("civil").procedure
    assert procedure is not None
    found = open_interventions("", procedure, ROOT)
    assert isinstance(found, Declared), found
    return found


def test_the_shipped_interventions_cover_what_lawyers_write(civil: Declared) -> None:
    procedure = project("civil").procedure
    assert procedure is not None
    pleadings = [name for name in drafted(procedure) if procedure.documents[name].sided]
    assert list(civil.interventions.documents) == pleadings
    assert not civil.problems


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, OpenRun]:
    """The loan case up to the second instance, with either lawyer under test."""
    found = {}
    for target in ("plaintiff_lawyer", "defendant_lawyer"):
        folder = tmp_path_factory.mktemp("civil") / target
        words = ("--case", "jiedai", "--target", target, "--until", "SIT", "--skip", "LC", "--skip", "FIT")
        assert lw("run", ROOT / "specs/civil.yaml", *words, "--out", folder, "--json").code == 0
        opened = open_run(folder)
        assert not isinstance(opened, tuple)
        found[target] = opened
    return found


TARGETS = {
    "complaint": "plaintiff_lawyer",
    "appeal_defence": "plaintiff_lawyer",
    "defence_statement": "defendant_lawyer",
    "appeal_petition": "defendant_lawyer",
}


@pytest.mark.parametrize("document", TARGETS)
def test_a_shipped_version_says_more_or_less(document: str, civil: Declared, played: dict[str, OpenRun]) -> None:
    opened = played[TARGETS[document]]
    point = drafted_in(opened, document, TARGETS[document])
    assert point is not None
    sight = Sight(opened, point)
    made = {
        name: version(sight, making, civil.templates, name)
        for name, making in civil.interventions.documents[document].makings.items()
    }
    high, low, same = made["high"], made["low"], made["same"]
    assert isinstance(high, str) and isinstance(low, str)
    assert same == point.text.strip() + "\n"
    labels = opened.procedure.documents[document].sections
    instance = "second" if document.startswith("appeal") else "first"
    real: Any = sight.reference["real"]
    assert all(focus in high for focus in real[instance]["dispute_focus"])
    for text in (real["first"], real["second"]):
        assert text["opinion"] not in high and text["findings"] not in high
        assert not any(one in high for one in text["disposition"])
    assert "第一百七十七条" not in high  # whether the first judgment stands can be read from it
    assert all(label in high for label in labels)
    assert len(low) < len(point.text) < len(high)
    assert low.splitlines()[:3] == point.text.splitlines()[:3]  # parties and court stay


def test_offline_counsel_speak_of_what_their_pleading_says(civil: Declared, played: dict[str, OpenRun]) -> None:
    opened = played["plaintiff_lawyer"]
    point = drafted_in(opened, "complaint", "plaintiff_lawyer")
    assert point is not None
    low = version(Sight(opened, point), civil.interventions.documents["complaint"].makings["low"], civil.templates, "")
    assert isinstance(low, str)
    assert "判令二被告共同返还借款本金1000000元" in pleaded(())
    assert "判令二被告" not in pleaded((Intervention("FIT/opening", "complaint", "plaintiff", low),))


def pleaded(interventions: tuple[Intervention, ...]) -> str:
    """What the plaintiff's lawyer says first in court."""
    import asyncio

    opened = project("civil")
    procedure = opened.procedure
    assert procedure is not None
    options, _ = chosen_options(procedure, {})
    settings = Settings("plaintiff_lawyer", 0, options, "FIT/investigation/answer", interventions, skip=("LC",))
    actors, said = Offline(opened.templates, 0), []

    async def answer(request: Request) -> e.Reply:
        return actors.answer(request)

    def watch(event: e.Event | Request) -> None:
        if isinstance(event, e.Spoke) and event.place == "FIT/investigation/claim":
            said.append(event.text)

    game = interpret(procedure, matter("jiedai").case, settings, opened.templates)
    asyncio.run(play_through(game, ReplayLog(), answer, watch))
    (words,) = said
    return words


def test_every_effect_on_the_page_is_made_of_the_pairs_that_it_leads_to(studied: Path) -> None:
    """The page of a study, from its own file: the index is unpacked and every linked figure is reckoned again."""
    page = (studied / "study/report.html").read_text(encoding="utf-8")
    assert {"report.md", "report.tex", "figures"} <= {file.name for file in (studied / "study").iterdir()}
    packed = page.partition('id="index">')[2].partition("<")[0]
    index = json.loads(zlib.decompress(base64.b64decode(packed)))
    links = re.findall(r'<td class="[a-z ]*"><a href="#list/([^"]*)">([^<]*)</a>', page)
    assert len(links) >= 6
    for href, text in links:
        parts = [part.split("=") for part in href.split("/")]
        wanted = {int(name): bytes.fromhex(value).decode() for name, value in parts if name != "v"}
        figure = next(int(value) for name, value in parts if name == "v")
        cases: dict[str, list[float]] = {}
        for _, marks, figures in index["entries"]:
            if all(marks[facet] == value for facet, value in wanted.items()) and figures[figure] is not None:
                cases.setdefault(marks[2], []).append(figures[figure])
        means = [sum(values) / len(values) for values in cases.values()]
        assert float(text) == pytest.approx(sum(means) / len(means), abs=0.0051), href


def test_what_is_set_for_models_reaches_base_runs_and_forks(server: Loopback, fresh: Path) -> None:
    words = ("--cases", "one", "--qualities", "high", "--model", "creditor_lawyer=openai/clerk", "--rubric", "spoken")
    ran = lw("intervene", "debt", *words, "--set-model", "temperature=0.25", "--out", "set", "--json")
    assert ran.code == 0, ran.said
    mine = [call.body for call in server.calls if call.body["model"] == "clerk"]
    assert mine and {body.get("temperature") for body in mine} == {0.25}
    (pair,) = ran.object()["pairs"]
    for run in (pair["run"], pair["base_run"]):
        assert "openai/clerk [temperature=0.25]" in (fresh / run / "run.yaml").read_text(encoding="utf-8")
    other = lw("intervene", "debt", *words, "--set-model", "temperature=1", "--out", "set")
    assert other.code == 2 and "settings" in other.err  # another study
    wrong = lw("intervene", "debt", *words, "--set-model", "temperature", "--out", "new")
    assert wrong.code == 2 and "--set-model" in wrong.err and not (fresh / "new").exists()
