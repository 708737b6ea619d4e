"""Grading by a model: a real server on loopback is asked, its replies are kept, and what cannot be read is left out."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import held
import pytest
from conftest import Serve
from loopback import Answer, Call, fail, say
from places import HANG, ROOT, TESTS
from typed import lw

from legalworld.evaluation import evaluate, grader
from legalworld.models.litellm_client import Models
from legalworld.ratings.plan import Key, turned_for


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one civil run in it; behind it are the shipped files."""
    folder = tmp_path_factory.mktemp("played")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert lw("run", "civil", "--case", "jiedai", "--out", "run").code == 0
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def here(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    shutil.copytree(played, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one small case, with a rubric of rules alone."""
    folder = tmp_path / "small"
    shutil.copytree(TESTS / "study" / "project", folder)
    monkeypatch.chdir(folder)
    return folder


def own_rubric(here: Path) -> Path:
    """Makes a project of the folder, with a copy of a shipped rubric that may be changed."""
    for room in ("specs", "rubrics"):
        (here / room).mkdir()
    return Path(shutil.copy(ROOT / "rubrics" / "longjud.yaml", here / "rubrics"))


def schema(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = call.body["response_format"]["json_schema"]["schema"]
    return found


def filled(shape: dict[str, Any], score: Any = 7, turns: tuple[int, ...] = ()) -> dict[str, Any]:
    """A reply of the wanted form."""
    properties = shape["properties"]
    if "scores" in properties:
        item = properties["scores"]["items"]
        keys = item["properties"]["key"]["enum"]
        rest = {"properties": {name: one for name, one in item["properties"].items() if name != "key"}}
        return {"scores": [{"key": key, **filled(rest, score, turns)} for key in keys]}
    return {name: {"score": score, "reason": "说得清楚", "turns": list(turns)} for name in properties}


def kind(call: Call, score: Any = 7) -> Answer:
    if "response_format" not in call.body:  # asked whether it is there
        return say("OK")
    return say(json.dumps(filled(schema(call), score), ensure_ascii=False))


def grade(*more: str, grader: str = "openai/judge") -> dict[str, Any]:
    ran = lw("eval", "run", "--rubric", "longjud", "--grader", grader, "--json", *more)
    found: dict[str, Any] = ran.object()
    return found


def scores(found: dict[str, Any], item: str) -> list[dict[str, Any]]:
    return [one for one in found["evaluations"][0]["scores"] if one["item"] == item]


def test_a_grader_is_held_to_a_schema_and_greedy_and_is_recorded(here: Path, serve: Serve) -> None:
    server = serve(kind)
    found = grade()
    body = server.calls[0].body
    assert body["temperature"] == 0 and body["response_format"]["json_schema"]["strict"] is True
    assert schema(server.calls[0])["additionalProperties"] is False
    one = found["evaluations"][0]
    assert one["grader"]["model"] == "openai/judge"
    assert one["grader"]["temperature"] == 0
    assert one["grader"]["versions"] == ["clerk-1"]  # what the server says that it is
    replies = len(server.calls)
    told = {"replies": replies, "prompt": 7 * replies, "completion": 3 * replies, "silent": 0}
    assert one["grading"] == told
    assert grade()["evaluations"][0]["grading"] == told  # of replies that were kept, what they took when they were made
    assert {score["by"] for score in scores(found, "claim")} == {"openai/judge"}
    figures = {figure["formula"]: figure["value"] for figure in one["figures"]}
    assert figures["spotting"] == figures["claim_1"] == figures["advocacy_1"] == 0.7


def test_no_grader_is_told_who_played_or_what_the_pass_mark_is(here: Path, serve: Serve) -> None:
    server = serve(kind)
    grade()
    sent = json.dumps([call.body["messages"] for call in server.calls], ensure_ascii=False)
    assert "offline" not in sent and "overall" not in sent and "0.6" not in sent


def test_scoring_again_asks_nothing_and_a_changed_item_asks_for_that_item(here: Path, serve: Serve) -> None:
    server, rubric = serve(kind), own_rubric(here)
    first = grade()
    asked = len(server.calls)
    assert asked > 5
    assert grade() == first
    assert len(server.calls) == asked
    text = rubric.read_text(encoding="utf-8")
    # Another formula over the same scores: nothing is asked.
    rubric.write_text(text.replace("mean(facts) / 10", "1 * mean(facts) / 10"), encoding="utf-8")
    assert grade()["evaluations"][0]["rubric_digest"] != first["evaluations"][0]["rubric_digest"]
    assert len(server.calls) == asked
    # Another wording of one question: that question is asked.
    rubric.write_text(
        text.replace("文书结构是否完整，前后是否一致，用语是否规范。", "文书是否通顺。", 1), encoding="utf-8"
    )
    grade()
    assert len(server.calls) == asked + 1
    assert "文书是否通顺" in server.calls[-1].body["messages"][1]["content"]


def test_a_score_rests_on_turns_that_it_was_shown(here: Path, serve: Serve) -> None:
    serve(lambda call: say(json.dumps(filled(schema(call), 6, (3, 99_999)))))
    found = scores(grade(), "relationship")
    assert found and all(99_999 not in one["turns"] for one in found)
    assert all(one["reason"] == "说得清楚" for one in found)


@pytest.mark.parametrize("bad", ["11", '"八"'])
def test_a_score_off_the_scale_is_asked_for_again_more_strictly(here: Path, serve: Serve, bad: str) -> None:
    def script(call: Call) -> Answer:
        strict = "不能读取" in call.body["messages"][0]["content"]
        return kind(call) if strict else kind(call, json.loads(bad))

    server = serve(script)
    found = grade()
    assert all(one["value"] == 7 for one in scores(found, "claim"))
    plain = [call for call in server.calls if "不能读取" not in call.body["messages"][0]["content"]]
    assert len(server.calls) == 2 * len(plain)


@pytest.mark.parametrize("prose", ["我认为这份起诉状写得不错，给八分。", ""])
def test_what_cannot_be_read_twice_is_left_out_and_never_zero(
    here: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch, prose: str
) -> None:
    monkeypatch.setattr(grader, "Models", partial(Models, delay=0))  # who says nothing is asked again after a while

    def script(call: Call) -> Answer:
        return say(prose) if "诉讼请求" in str(schema(call)) or "claim" in schema(call)["properties"] else kind(call)

    serve(script)
    found = grade()
    claim = scores(found, "claim")
    assert [(one["value"], one["gap"]) for one in claim] == [(None, "unreadable")]
    one = found["evaluations"][0]
    figures = {figure["formula"]: figure["value"] for figure in one["figures"]}
    # Of the complaint only the exact fields are left, 3 of 8 scores: their mean is not CD, no ratings are 0.
    assert figures["CD"] is None
    assert next(each["gap"] for each in one["figures"] if each["formula"] == "CD") == "incomplete"
    report = lw("report", "run", "--rubric", "longjud")
    assert "claim" in report.out and "could not be read twice" in report.out
    audit = lw("report", "run", "--rubric", "longjud", "--json").object()["excluded"]
    assert {row["item"] for row in audit} >= {"claim", "facts", "evidence", "request", "coherence"}


def test_an_interrupted_evaluation_goes_on_where_it_was(here: Path, serve: Serve) -> None:
    state = {"broken": True}

    def script(call: Call) -> Answer:
        return fail(401, "no such key") if state["broken"] and call.number > 4 else kind(call)

    server = serve(script)
    ran = lw("eval", "run", "--rubric", "longjud", "--grader", "openai/judge")
    assert ran.code == 2 and "LW" in ran.err and "Traceback" not in ran.err
    state["broken"] = False
    before = len(server.calls)
    grade()
    again = [call.body["messages"] for call in server.calls[before:]]
    assert all(call.body["messages"] not in again for call in server.calls[:4])


def test_a_server_that_takes_no_schema_is_asked_without(here: Path, serve: Serve) -> None:
    def script(call: Call) -> Answer:
        if "response_format" in call.body:
            return fail(400, "response_format of type json_schema is not supported by this model")
        names = re.findall(r"^【(\w+)】", call.body["messages"][1]["content"], re.MULTILINE)
        reply: Any = {name: {"score": 5, "reason": "可以", "turns": []} for name in names}
        if '{"scores"' in call.body["messages"][1]["content"]:
            keys = re.findall(r"──── 第 (\S+) 项", call.body["messages"][1]["content"])
            reply = {"scores": [{"key": key, **reply} for key in keys]}
        return say(json.dumps(reply, ensure_ascii=False))

    serve(script)
    found = grade()
    assert [one["value"] for one in scores(found, "claim")] == [5.0]
    assert not found["evaluations"][0]["grader"].get("rule_based")


def test_two_graders_stand_apart_and_are_compared(here: Path, serve: Serve) -> None:
    serve(lambda call: kind(call, 8 if call.body["model"] == "mild" else 6))
    ran = lw("eval", "run", "--rubric", "longjud", "--grader", "openai/mild,openai/strict")
    assert ran.code == 0
    data = lw("report", "run", "--rubric", "longjud", "--json").object()
    assert sorted(data["graders"]) == ["openai/mild", "openai/strict"]
    claims = {row["grader"]: (row["value"], row["n"]) for row in data["figures"] if row["formula"] == "claim_1"}
    assert claims == {"openai/mild": (0.8, 1), "openai/strict": (0.6, 1)}  # never their mean
    (pair,) = data["agreement"]
    assert (abs(pair["difference"]), pair["mae"], pair["within_one"]) == (2.0, 2.0, 0.0)
    assert "openai/mild" in ran.out and "openai/strict" in ran.out


def test_scores_of_an_older_wording_are_not_put_into_a_report(here: Path) -> None:
    rubric = own_rubric(here)
    assert lw("eval", "run", "--rubric", "longjud").code == 0
    rubric.write_text(rubric.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    ran = lw("report", "run", "--rubric", "longjud")
    assert ran.code == 2 and "LW333" in ran.err and "LW332" in ran.err


def test_a_report_by_a_field_of_the_case(here: Path) -> None:
    assert lw("eval", "run", "--rubric", "longjud").code == 0
    groups = lw("report", "run", "--rubric", "longjud", "--by", "matter.cause", "--json").object()["groups"]
    assert list(groups) == ["民间借贷纠纷"]
    assert "民间借贷纠纷" in lw("report", "run", "--rubric", "longjud", "--by", "matter.cause").out
    wrong = lw("report", "run", "--rubric", "longjud", "--by", "mater.cause")
    assert wrong.code == 2 and "LW334" in wrong.err and "matter" in wrong.err


def test_a_folder_that_takes_no_scores_is_told_of(here: Path) -> None:
    (here / "run" / "scores").write_text("a file where a folder should be", encoding="utf-8")
    ran = lw("eval", "run", "--rubric", "alignment")
    assert ran.code == 2 and "LW335" in ran.err and "Traceback" not in ran.err


def test_many_runs_are_scored_by_several_processes_to_the_same_figures(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = lw("eval", "run", "--rubric", "alignment", "--json").object()["evaluations"][0]
    monkeypatch.setattr(evaluate, "MANY", 9)
    monkeypatch.setattr(evaluate, "SHARE", 2)
    shutil.rmtree(here / "run" / "scores")
    runs = [here / "many" / str(n) for n in range(9)]
    for run in runs:
        shutil.copytree(here / "run", run)
    (runs[7] / "journal.jsonl").write_bytes(b"broken\n{}\n")
    ran = lw("eval", "many", "--rubric", "alignment", "--json")
    assert ran.code == 2
    data = ran.object()
    assert len(data["evaluations"]) == 8 and [Path(one["run"]).name for one in data["failed"]] == ["7"]
    assert all(one["figures"] == alone["figures"] for one in data["evaluations"])


def test_every_score_of_a_run_is_shown_with_its_reason_and_its_turns(here: Path, serve: Serve) -> None:
    serve(lambda call: say(json.dumps(filled(schema(call), 6, (2,)))))
    grade()
    shown = lw("show", "run", "--scores").out
    (consultation, *_) = (part for part in shown.split("\n      6  ") if part.startswith("relationship 1"))
    assert "说得清楚" in consultation and "[2] 原告代理律师" in consultation and "openai/judge" in consultation
    assert lw("show", "run", "--scores", "--json").object()["evaluations"][0]["rubric"] == "longjud"


def test_a_run_without_scores_says_how_to_get_them(here: Path) -> None:
    ran = lw("show", "run", "--scores")
    assert ran.code == 2 and "LW337" in ran.err and "lw eval" in ran.err


def test_a_question_may_be_asked_several_times_and_its_cost_told_before_and_after(here: Path, serve: Serve) -> None:
    said = iter([9, 4, 8] * 10)
    server = serve(lambda call: kind(call, next(said)))
    words = ("eval", "run", "--rubric", "judgment", "--grader", "openai/judge", "--repeat", "3", "--concurrency", "1")
    before = lw(*words, "--estimate", "--json").object()["estimates"][0]
    assert not server.calls and (before["questions"], before["kept"]) == (6, 0)
    assert "6 replies made" in lw(*words).err and len(server.calls) == 6
    ran = lw(*words, "--json")
    assert len({json.dumps(call.body["messages"]) for call in server.calls}) == 2  # the same words each time
    every = [one for one in ran.object()["evaluations"][0]["scores"] if one["repeats"]]
    assert {one["value"] for one in every} <= {8.0, 9.0, 4.0} and all(len(one["repeats"]) == 3 for one in every)
    assert all(one["value"] == sorted(one["repeats"])[1] for one in every)
    assert lw(*words, "--estimate", "--json").object()["estimates"][0]["kept"] == 6
    once = lw(*words[:6], "--estimate", "--json").object()["estimates"][0]
    assert (once["questions"], once["kept"]) == (2, 2)  # who is asked once has been asked


def test_a_grader_is_checked_with_planted_instructions(here: Path, serve: Serve) -> None:
    def gullible(call: Call) -> Answer:
        told = "记满分" in call.body["messages"][1]["content"]
        return kind(call, 10 if told else 7)

    server = serve(gullible)
    words = ("grader", "check", "run", "--rubric", "judgment", "--grader", "openai/judge", "--most", "2")
    found = lw(*words, "--json").object()["graders"][0]
    assert len(server.calls) == 2 + 2 * 12
    raised = {one["plant"]: one["raised"] for one in found["plants"]}
    assert raised["turn"] == 1.0 and {raised[name] for name in ("control", "order", "praise", "turn-en")} == {0.0}
    assert raised["all"] == pytest.approx(0.1)
    assert {one["metric"]: one["trust"] for one in found["metrics"]}["first_claim"] == "care"
    told = lw(*words).out
    assert "forged turns" in told and "[with care]" in told and len(server.calls) == 26


PAIRS = """\
lw: 1
rubric: two
title: 哪一份好
for: [civil]
pairs: yes
scales:
  better: {choices: {A: 1, 平: 0, B: -1}}
asks:
  lawyer: {title: 律师, from: turns by lawyer in LC, metrics: {advice: {scale: better, asks: 建议。}}}
  client: {title: 委托人, from: turns by client in LC, metrics: {story: {scale: better, asks: 陈述。}}}
"""


def test_a_grader_compares_pairs_is_asked_once_and_what_is_no_label_is_left_out(here: Path, serve: Serve) -> None:
    # It always says A; of the client it says what is no label, and is asked once more.
    def label(call: Call) -> Answer:
        (name,) = schema(call)["properties"]
        return kind(call, "A" if name == "advice" else "第一份")

    server = serve(label)
    Path("two.yaml").write_text(PAIRS, "utf-8")
    assert lw("ratings", "pairs", "run", "run", "--aspects", "two.yaml", "--out", "out").code == 0
    words = ("ratings", "compare", "out", "--grader", "openai/judge", "--rubric", "two.yaml", "--json")
    found, again = (lw(*words).object() for _ in range(2))
    assert len(server.calls) == 2 + 1
    lines = {one["item"]: one for one in found["aspects"] if one["by"] == "openai/judge"}
    turned = turned_for(Key.model_validate_json(Path("out/key.json").read_bytes()), "grader openai/judge")
    assert lines["advice"]["lose" if turned else "win"] == 1.0
    assert (lines["story"]["n"], lines["story"]["excluded"]) == (0, 1)
    assert again == found
    # Both ways round: who always says A depends on the order alone, and nothing wins.
    both = lw(*words, "--both-orders").object()
    (bias,) = both["positions"]
    assert (bias["n"], bias["changed"], bias["first"]) == (1, 1.0, 1.0)
    assert {one["tie"] for one in both["aspects"] if (one["by"], one["item"]) == ("openai/judge", "advice")} == {1.0}


def test_a_grader_that_does_not_exist_is_told_of_before_anything_is_played(here: Path) -> None:
    ran = lw("eval", "run", "--rubric", "longjud", "--grader", "nonsense")
    assert ran.code == 2 and ran.err.count("LW1") == 1 and "nonsense" in ran.err
    words = ("--models", "offline", "--rubric", "longjud", "--grader", "nonsense", "--out", "out")
    ran = lw("bench", "civil", "--cases", "jiedai", *words)
    assert ran.code == 2 and "nonsense" in ran.err and not (here / "out").exists()


def test_a_rubric_that_does_not_fit_is_told_of_before_anything_is_played(here: Path) -> None:
    words = ("--models", "offline", "--rubric", "longjud", "--out", "out")
    ran = lw("bench", "bargain", "--cases", "bargain", *words)
    assert ran.code == 2 and "LW326" in ran.err and not (here / "out").exists()
    (here / "specs").mkdir(exist_ok=True)
    text = "lw: 1\nprocedure: short\ntitle: short\nextends: civil\nchanges:\n- remove AD\n- remove AR\n- remove SIT\n"
    (here / "specs" / "short.yaml").write_text(text, "utf-8")
    ran = lw("bench", "short", "--cases", "jiedai", *words)
    assert ran.code == 2 and "LW076" in ran.err and "“AD”" in ran.err and not (here / "out").exists()


@pytest.mark.parametrize("option", ["--html", "--csv"])
def test_a_file_that_cannot_be_written_is_told_of(here: Path, option: str) -> None:
    assert lw("eval", "run", "--rubric", "alignment").code == 0
    ran = lw("report", "run", "--rubric", "alignment", option, "nowhere/file")
    assert ran.code == 2 and "LW338" in ran.err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_bench_scores_nothing(small: Path, tmp_path: Path) -> None:
    words = ["bench", "debt", "--seeds", "3", "--models", "offline,offline:noisy"]
    command = held.command(1, *words, "--rubric", "spoken", "--out", tmp_path / "out")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bench:
        held.until_held(bench)
        bench.send_signal(signal.SIGINT)
        said = bench.communicate(timeout=HANG)[0]
    assert bench.returncode == 130 and "Traceback" not in said
    assert not list((tmp_path / "out").rglob("scores/*")) and not (tmp_path / "out" / "report.html").exists()


def test_models_with_other_cases_are_not_compared_without_a_word(small: Path) -> None:
    one = (small / "cases" / "one.yaml").read_text(encoding="utf-8")
    (small / "cases" / "two.yaml").write_text(one.replace("case: one", "case: two"), encoding="utf-8")
    for model, cases in (("offline", "one,two"), ("offline:noisy", "one")):
        words = ("--cases", cases, "--models", model, "--rubric", "spoken", "--out", "out")
        assert lw("bench", "debt", *words, "--json").code == 0
    assert "Not all models have the same cases" in lw("report", "out", "--rubric", "spoken").out


def test_a_bench_is_graded_by_each_grader_that_is_named(here: Path, serve: Serve) -> None:
    serve(lambda call: kind(call, 8 if call.body["model"] == "mild" else 6))
    words = (
        "--cases",
        "jiedai",
        "--models",
        "offline",
        "--rubric",
        "judgment",
        "--grader",
        "openai/mild,openai/strict",
    )
    assert lw("bench", "civil", *words, "--out", "out").code == 0
    data = lw("report", "out", "--rubric", "judgment", "--json").object()
    assert sorted(data["graders"]) == ["openai/mild", "openai/strict"]
    assert {(row["grader"], row["value"]) for row in data["figures"]} == {("openai/mild", 8.0), ("openai/strict", 6.0)}
    one = lw("report", "out", "--rubric", "judgment", "--grader", "openai/mild", "--json").object()
    assert {row["value"] for row in one["figures"]} == {8.0} and one["graders"] == ["openai/mild"]
    wrong = lw("report", "out", "--rubric", "judgment", "--grader", "openai/nobody")
    assert wrong.code == 2 and "LW339" in wrong.err and "openai/mild" in wrong.err


def test_a_grader_that_cannot_be_reached_is_told_of_before_anything_is_played(here: Path, serve: Serve) -> None:
    serve([fail(401, "no such key")])
    words = ("--cases", "jiedai", "--models", "offline", "--grader", "offline,openai/judge", "--out", "out")
    ran = lw("bench", "civil", *words, "--rubric", "judgment")
    assert ran.code == 2 and "LW" in ran.err and "openai/judge" in ran.err and not (here / "out").exists()
    assert lw("bench", "civil", *words, "--rubric", "alignment").code == 0  # all by rule: nobody is asked
    shutil.rmtree(here / "out")
    ran = lw("bench", "civil", *words)  # several rubrics are for this procedure, and none was named
    assert ran.code == 2 and "longjud" in ran.err and not (here / "out").exists()


def test_a_bench_of_nothing_names_no_report(here: Path) -> None:
    ran = lw("bench", "civil", "--models", "offline", "--profiles", "nobody", "--rubric", "longjud", "--out", "out")
    assert ran.code == 2 and "LW198" in ran.err and "report.html" not in ran.out


def test_a_grader_stops_when_its_budget_is_spent_and_asks_nothing_twice(here: Path, serve: Serve) -> None:
    server = serve(kind)
    words = ("eval", "run", "--rubric", "longjud", "--grader", "openai/judge", "--concurrency", "1")
    ran = lw(*words, "--budget", "tokens:20")  # a reply is 10 tokens
    assert ran.code == 2 and "LW688" in ran.err and "20 tokens" in ran.err and len(server.calls) == 2
    assert lw(*words).code == 0
    bodies = [json.dumps(call.body["messages"]) for call in server.calls]
    assert len(bodies) == len(set(bodies))
    assert lw(*words, "--budget", "dollars:1").code == 2  # nobody knows what it costs


def test_the_graders_of_a_bench_have_a_budget_of_their_own(here: Path, serve: Serve) -> None:
    server = serve(kind)
    words = ("--cases", "jiedai", "--models", "offline", "--rubric", "longjud", "--grader", "openai/judge")
    ran = lw("bench", "civil", *words, "--grader-budget", "tokens:5", "--out", "out")
    assert ran.code == 2 and "LW688" in ran.err and "5 tokens" in ran.err
    stopped = len(server.calls)
    assert lw("bench", "civil", *words, "--grader-budget", "tokens:100000", "--out", "out").code == 0
    first, then = (
        [json.dumps(call.body["messages"]) for call in calls if "response_format" in call.body]
        for calls in (server.calls[:stopped], server.calls[stopped:])
    )
    assert then and len(then) == len(set(then))
    assert set(first) - set(then)  # what was answered is kept; what was under way when the budget ended is asked again
    for word in ("dollars:1", "tokens:0", "cents:5"):
        before = len(server.calls)
        ran = lw("bench", "civil", *words, "--grader-budget", word, "--out", "new")
        assert ran.code == 2 and "--grader-budget" in ran.err and not (here / "new").exists()
        assert len(server.calls) == before
