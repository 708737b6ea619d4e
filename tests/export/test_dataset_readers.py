"""Data sets, opened by the readers of the libraries that they are for; what is skipped names the library it lacks."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Serve
from loopback import say
from typed import lw

from legalworld.export.dataset_tables import FLAT


def needs(library: str, extra: str = "") -> pytest.MarkDecorator:
    there = importlib.util.find_spec(library) is not None
    what = f"the optional extra `{extra}` ({library})" if extra else f"`{library}`, whose reader is asked,"
    return pytest.mark.skipif(not there, reason=f"{what} is not installed")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    assert lw("run", "civil", "--case", "wuye", "--out", root / "court").code == 0
    assert lw("run", "maser", "--out", root / "talk").code == 0
    assert lw("eval", root / "court", "--rubric", "longjud").code == 0
    return root


def written(runs: Path, out: Path, *words: str) -> dict[str, list[dict[str, Any]]]:
    ran = lw("dataset", runs, *words, "--out", out)
    assert ran.code == 0, ran.err
    return {file.stem: [json.loads(line) for line in file.open(encoding="utf-8")] for file in out.glob("*.jsonl")}


def forms(*names: str) -> tuple[str, ...]:
    return tuple(word for name in names for word in ("--form", name))


# ---- flat rows -------------------------------------------------------------------------------------------------------


def test_flat_rows_have_their_columns(runs: Path, tmp_path: Path) -> None:
    found = written(runs, tmp_path / "out", *forms(*FLAT))
    for name in ("turns", "calls", "scores"):
        assert found[name] and all(list(row) == [column for column, _ in FLAT[name]] for row in found[name])
    assert found["spending"] == []  # offline actors cost nothing
    scored = {(row["rubric"], row["kind"]) for row in found["scores"]}
    assert scored == {("longjud", "figure"), ("longjud", "item")}
    assert all((row["value"] is None) == bool(row["gap"]) for row in found["scores"])


def test_costs_are_those_of_the_calls(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None
) -> None:
    serve(lambda _: say("好。【price：100】", tokens=(70, 30)))
    assert lw("run", "bargain", "--model", "openai/clerk", "--out", tmp_path / "deal").code == 0
    words = ("--price", "openai/clerk=10/20")
    found = written(tmp_path / "deal", tmp_path / "out", *forms("calls", "spending"), *words)
    for row in found["spending"]:
        calls = [one for one in found["calls"] if one["role"] == row["role"]]
        assert row["calls"] == len(calls) and row["prompt_tokens"] == 70 * len(calls)
        assert row["dollars"] == pytest.approx(len(calls) * (70 * 10 + 30 * 20) / 1e6)
    unpriced = written(tmp_path / "deal", tmp_path / "plain", *forms("spending"))["spending"]
    assert unpriced and all(row["dollars"] is None for row in unpriced)


@needs("pyarrow", "parquet")
def test_parquet_holds_the_same_rows(runs: Path, tmp_path: Path) -> None:
    lines = written(runs, tmp_path / "lines", *forms(*FLAT))
    for name in ("one", "two"):
        written(runs, tmp_path / name, "--parquet", *forms(*FLAT))
    parquet = import_module("pyarrow.parquet")
    for name in FLAT:
        assert parquet.read_table(str(tmp_path / "one" / f"{name}.parquet")).to_pylist() == lines[name]
        assert (tmp_path / "one" / f"{name}.parquet").read_bytes() == (
            tmp_path / "two" / f"{name}.parquet"
        ).read_bytes()


def test_parquet_says_what_it_lacks(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    ran = lw("dataset", runs, "--parquet", "--out", tmp_path / "out", "--json")
    assert ran.code == 2 and ran.object()["problems"][0]["code"] == "LW600"
    ran = lw("dataset", runs, "--parquet", "--form", "chat", "--out", tmp_path / "out", "--json")
    assert ran.code == 2 and ran.object()["problems"][0]["code"] == "LW622"
    assert not (tmp_path / "out").exists()


# ---- dialogues -------------------------------------------------------------------------------------------------------


def test_a_dialogue_is_what_was_said_aloud(runs: Path, tmp_path: Path) -> None:
    """Client and lawyer in turn, as the record has them, and the document at the end; nothing of the supervisor."""
    (row,) = written(runs / "talk", tmp_path / "out", *forms("synthlaw"))["synthlaw"]
    system, *said = row["messages"]
    assert system["role"] == "system" and row["metadata"]["role"] == "lawyer"
    assert [one["role"] for one in said] == ["user", "assistant"] * (len(said) // 2)
    lines = [json.loads(line) for line in (runs / "talk" / "journal.jsonl").open(encoding="utf-8")]
    events = [line["event"] for line in lines if "event" in line]
    spoken = [event["text"] for event in events if event["kind"] == "spoke"]
    (drafted,) = [event["text"] for event in events if event["kind"] == "drafted"]
    assert [one["content"] for one in said[: len(spoken)]] == spoken
    assert said[-1]["content"] == drafted and len(said) == len(spoken) + 2  # the order to write, and what was written
    assert "supervisor" not in json.dumps(said) and "【回复无误】" not in json.dumps(said, ensure_ascii=False)


def test_a_dialogue_of_many_names_who_spoke(runs: Path, tmp_path: Path) -> None:
    rows = written(runs / "court", tmp_path / "out", *forms("synthlaw"))["synthlaw"]
    hearing = next(row for row in rows if row["metadata"]["stage"] == "FIT")
    assert hearing["messages"][-1]["role"] == "assistant"
    users = [one["content"] for one in hearing["messages"][1:] if one["role"] == "user"]
    assert any(text.startswith("审判长：") for text in users)
    lines = [json.loads(line) for line in (runs / "court" / "journal.jsonl").open(encoding="utf-8")]
    unheard = [
        event["text"]
        for event in (line["event"] for line in lines if line.get("event", {}).get("kind") == "spoke")
        if "plaintiff_lawyer" not in event["heard_by"] and len(event["text"]) > 25
    ]
    assert not [text for text in unheard if text in json.dumps(rows, ensure_ascii=False)]


# ---- what is sealed --------------------------------------------------------------------------------------------------


def test_what_is_sealed_is_written_where_it_is_asked_for_and_marked(runs: Path, tmp_path: Path) -> None:
    found = written(runs / "court", tmp_path / "out", *forms("sealed", "scores", "calls"))
    (row,) = found["sealed"]
    assert row["sealed"] is True
    sealed = json.loads((runs / "court" / "sealed.json").read_text("utf-8"))["sealed"]
    assert json.loads(row["fields"]) == sealed
    assert "sealed.jsonl" in (tmp_path / "out" / "README.md").read_text("utf-8")
    long = [text for text in strings(sealed) if len(text) > 25]
    rest = json.dumps([found["scores"], found["calls"]], ensure_ascii=False)
    assert len(long) > 5 and not [text for text in long if text in rest]


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in strings(one)]


# ---- the card --------------------------------------------------------------------------------------------------------


def features_told(out: Path) -> dict[str, list[dict[str, Any]]]:
    """Form -> its columns, as the head of the card has them."""
    head = yaml.safe_load((out / "README.md").read_text("utf-8").split("---\n")[1])
    return {one["config_name"]: one["features"] for one in head["dataset_info"]}


def fits(value: Any, feature: dict[str, Any]) -> bool:
    """Whether a value is what its column says."""
    if struct := feature.get("struct"):
        return set(value) <= {one["name"] for one in struct} and all(
            fits(value.get(one["name"]), one) for one in struct
        )
    if "list" in feature:
        return value is None or all(fits(one, {"struct": feature["list"]}) for one in value)
    if "sequence" in feature:
        return all(isinstance(one, str) for one in value)
    kinds = {"string": str, "int64": int, "float64": (int, float), "bool": bool}
    return value is None or isinstance(value, kinds[feature["dtype"]])


def test_the_card_tells_what_stands_in_each_column(runs: Path, tmp_path: Path) -> None:
    """`datasets` guesses from the first lines where it is not told, and fails at the first line that is otherwise."""
    assert lw("run", "asp2lj", "--out", tmp_path / "runs" / "debate").code == 0
    names = ("chat", "sharegpt", "synthlaw", "sealed", *FLAT)
    for rows, out in (
        (written(runs, tmp_path / "one", *forms(*names)), tmp_path / "one"),
        (written(tmp_path / "runs", tmp_path / "two", *forms("preference")), tmp_path / "two"),
    ):
        told = features_told(out)
        assert set(told) == {name for name in rows if rows[name]}
        for name, columns in told.items():
            assert all(set(row) == {column["name"] for column in columns} for row in rows[name])
            assert all(fits(row, {"struct": columns}) for row in rows[name])
            assert not any("tool_calls" in str(column) for column in columns)


@pytest.fixture
def called(serve: Serve, tmp_path: Path, no_keys: None) -> Path:
    """A data set of a run in which a model called a tool by itself."""
    call = ("read_memory", '{"field": "notes"}')
    serve(lambda asked: say(None, calls=[call]) if asked.number == 1 else say("请您把经过说一说。"))
    words = ("--model", "target=openai/clerk", "--tools", "target=native", "--option", "memory=no", "--until", "CD")
    assert lw("run", "civil", *words, "--out", tmp_path / "run").code == 0
    rows = written(tmp_path / "run", tmp_path / "called", *forms("chat", "sharegpt"))["chat"]
    assert any("tool_calls" in one for row in rows for one in row["messages"])
    return tmp_path / "called"


def test_the_card_tells_of_calls_where_a_model_calls_tools(called: Path) -> None:
    told = features_told(called)
    with (called / "chat.jsonl").open(encoding="utf-8") as lines:
        assert all(fits(json.loads(line), {"struct": told["chat"]}) for line in lines)
    assert [one["name"] for one in told["chat"][0]["list"]] == ["role", "content", "tool_calls", "tool_call_id"]


# ---- the readers of others -------------------------------------------------------------------------------------------


def test_an_inspect_log_tells_of_each_run(runs: Path, tmp_path: Path) -> None:
    """By its form alone; the next test asks the library."""
    written(runs, tmp_path / "out", *forms("inspect"))
    logs = [json.loads(file.read_text("utf-8")) for file in sorted((tmp_path / "out" / "inspect").iterdir())]
    assert {log["eval"]["task"] for log in logs} == {"civil", "maser"}
    court = next(log for log in logs if log["eval"]["task"] == "civil")
    (sample,) = court["samples"]
    assert sample["id"] == "wuye" and sample["target"] == "" and sample["metadata"]["finished"]
    means = {one["name"]: one["metrics"]["mean"]["value"] for one in court["results"]["scores"]}
    assert means["longjud@offline.LC"] == sample["scores"]["longjud@offline"]["value"]["LC"]


def test_runs_of_one_line_up_are_samples_of_one_log(tmp_path: Path) -> None:
    for seed in ("0", "1", "2"):
        assert lw("run", "bargain", "--seed", seed, "--out", tmp_path / "runs" / seed).code == 0
    shutil.copytree(tmp_path / "runs" / "0", tmp_path / "runs" / "again")  # the same run twice
    assert lw("run", "bargain", "--model", "buyer=offline:noisy", "--out", tmp_path / "runs" / "noisy").code == 0
    written(tmp_path / "runs", tmp_path / "out", *forms("inspect"))
    logs = [json.loads(file.read_text("utf-8")) for file in (tmp_path / "out" / "inspect").iterdir()]
    assert sorted(len(log["samples"]) for log in logs) == [1, 3]
    many = next(log for log in logs if len(log["samples"]) == 3)
    assert [one["epoch"] for one in many["samples"]] == [1, 2, 3]


@needs("inspect_ai")
def test_the_reader_of_inspect_opens_its_logs(runs: Path, tmp_path: Path) -> None:
    written(runs, tmp_path / "out", *forms("inspect"))
    log = import_module("inspect_ai.log")
    listed = log.list_eval_logs(str(tmp_path / "out" / "inspect"))
    assert len(listed) == 2
    for one in listed:
        read = log.read_eval_log(one)
        assert read.status == "success" and read.results.total_samples == len(read.samples) == 1
        (sample,) = read.samples
        assert sample.messages[1].role in ("user", "assistant") and sample.messages[1].text
        assert log.read_eval_log_sample_summaries(one)[0].completed
        assert log.read_eval_log(one, header_only=True).results.scores == read.results.scores
    analysis = import_module("inspect_ai.analysis")
    logs = str(tmp_path / "out" / "inspect")
    assert set(analysis.evals_df(logs)["task_name"]) == {"civil", "maser"}
    assert set(analysis.samples_df(logs)["id"]) == {"wuye", "maser-qiankuan"}


@needs("datasets")
def test_the_reader_of_hugging_face_opens_the_folder(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    names = ("chat", "sharegpt", "preference", "synthlaw", "turns", "calls", "scores")
    lines = written(runs, tmp_path / "out", *forms(*names))
    load = import_module("datasets").load_dataset
    for name in names:
        if lines[name]:
            read = load(str(tmp_path / "out"), name, split="train", cache_dir=str(tmp_path / "cache"))
            assert read.num_rows == len(lines[name])
            texts = [column["name"] for column in features_told(tmp_path / "out")[name] if column.get("dtype")]
            assert all(read[-1][column] == lines[name][-1][column] for column in texts)
    assert read[0]["value"] == lines["scores"][0]["value"]
    if importlib.util.find_spec("pyarrow"):
        written(runs, tmp_path / "flat", "--parquet", *forms("turns", "calls"))
        read = load(str(tmp_path / "flat"), "turns", split="train", cache_dir=str(tmp_path / "cache"))
        assert read[0] == lines["turns"][0] and os.path.exists(tmp_path / "flat" / "turns.parquet")


@needs("datasets")
def test_calls_of_tools_are_read_wherever_they_come(
    called: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    lines = (called / "chat.jsonl").read_text("utf-8").splitlines()
    plain = next(line for line in lines if '"tool_calls"' not in line)
    calling = next(line for line in lines if '"tool_calls"' in line)
    enough = 12_000_000 // len(plain)  # more than is looked at for the types
    (called / "chat.jsonl").write_text("\n".join([*[plain] * enough, calling]) + "\n", "utf-8")
    read = import_module("datasets").load_dataset(str(called), "chat", split="train", cache_dir=str(tmp_path / "cache"))
    (call,) = next(one["tool_calls"] for one in read[-1]["messages"] if one["tool_calls"])
    assert read.num_rows == enough + 1 and call["function"]["name"] == "read_memory"
