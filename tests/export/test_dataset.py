"""Runs as data sets: what stands in each form, whose, and that nothing sealed does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typed import lw

from legalworld.model.events import Asked
from legalworld.runs.journal import answers_in, events_in, load

FORMS = ("chat", "sharegpt", "preference", "turns")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    assert lw("run", "civil", "--out", root / "court").code == 0
    assert lw("run", "asp2lj", "--out", root / "debate").code == 0
    return root


def written(runs: Path, out: Path, *words: str) -> dict[str, list[dict[str, Any]]]:
    forms = [word for form in FORMS for word in ("--form", form)]
    ran = lw("dataset", runs, *forms, "--out", out, *words)
    assert ran.code == 0, ran.err
    return {form: [json.loads(line) for line in (out / f"{form}.jsonl").open(encoding="utf-8")] for form in FORMS}


def test_a_conversation_is_what_was_sent_and_what_came_back(runs: Path, tmp_path: Path) -> None:
    found = written(runs, tmp_path / "out")
    rows = [row for row in found["chat"] if row["metadata"]["procedure"] == "civil"]
    lines = load(runs / "court" / "journal.jsonl").lines
    asked = [event for event in events_in(lines) if isinstance(event, Asked)]
    replies = {request: reply.text for request, reply in answers_in(lines).items()}
    assert {row["metadata"]["thread"] for row in rows} == {call.thread for call in asked}
    for row in rows:
        sent: list[tuple[str, str]] = []
        for call in asked:
            if call.thread == row["metadata"]["thread"]:
                sent += [(one.role, one.content) for one in call.added]
                sent.append(("assistant", replies[call.id]))
        assert [(one["role"], one["content"]) for one in row["messages"]] == sent
    for chat, other in zip(found["chat"], found["sharegpt"], strict=True):
        said = [one["content"] for one in chat["messages"] if one["content"]]
        assert [one["value"] for one in other["conversations"]] == said


def test_a_turn_is_a_speech_of_the_record(runs: Path, tmp_path: Path) -> None:
    rows = [row for row in written(runs, tmp_path / "out")["turns"] if row["procedure"] == "civil"]
    journal = [json.loads(line) for line in (runs / "court" / "journal.jsonl").open(encoding="utf-8")]
    spoken = [line["event"]["text"] for line in journal if line.get("event", {}).get("kind") == "spoke"]
    assert [row["text"] for row in rows] == spoken
    assert {row["model"] for row in rows} == {"offline"} and all(row["role"] for row in rows)


def test_of_two_drafts_the_better_is_chosen(runs: Path, tmp_path: Path) -> None:
    rows = written(runs, tmp_path / "out")["preference"]
    assert rows and {row["metadata"]["procedure"] for row in rows} == {"asp2lj"}
    for row in rows:
        assert row["metadata"]["scores"]["chosen"] > row["metadata"]["scores"]["rejected"]
        assert row["chosen"] != row["rejected"] and row["prompt"][0]["role"] == "system"


def test_only_the_roles_that_were_asked_for(runs: Path, tmp_path: Path) -> None:
    found = written(runs, tmp_path / "out", "--role", "plaintiff_lawyer")
    assert {row["metadata"]["role"] for row in found["chat"]} == {"plaintiff_lawyer"}
    assert {row["role"] for row in found["turns"]} == {"plaintiff_lawyer"}


def test_a_role_that_no_run_has_is_refused(runs: Path, tmp_path: Path) -> None:
    ran = lw("dataset", runs, "--form", "turns", "--out", tmp_path / "out", "--role", "plaintiff_lawyr")
    assert ran.code == 2 and "LW711" in ran.err and "plaintiff_lawyer" in ran.err
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, two seeds, one case, in a folder each, as batches have them: folders of the same names."""
    root = tmp_path_factory.mktemp("models")
    for model in ("offline", "offline:noisy"):
        for seed in (0, 1):
            out = root / model.replace(":", "-") / f"kq-{seed}"
            assert lw("run", "j1/kq", "--model", model, "--seed", str(seed), "--out", out).code == 0
    return root


def test_every_run_has_one_key_in_all_forms_and_every_row_says_who_played(models: Path, tmp_path: Path) -> None:
    forms = ("chat", "turns", "calls", "sealed")
    words = [word for form in forms for word in ("--form", form)]
    assert lw("dataset", models, *words, "--out", tmp_path / "out").code == 0
    keys = []
    for form in forms:
        rows = [json.loads(line) for line in (tmp_path / "out" / f"{form}.jsonl").open(encoding="utf-8")]
        told = [row.get("metadata", row) for row in rows]
        keys.append({(row["run"], row["models"], row["seed"]) for row in told})
        assert len({row["run"] for row in told}) == 4 and len(keys[-1]) == 4
        for row in told:
            played = json.loads(row["models"])
            assert len(played) > 1 and set(played.values()) <= {"offline", "offline:noisy"}
    assert all(those == keys[0] for those in keys)


def test_a_copy_is_the_same_run_and_another_record_of_it_is_told(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models / "offline-noisy" / "kq-0", tmp_path / "copy")
    again = lw("dataset", models, tmp_path / "copy", "--form", "turns", "--out", tmp_path / "out", "--json")
    once = lw("dataset", models, "--form", "turns", "--out", tmp_path / "once", "--json")
    told = [json.loads(ran.out) for ran in (again, once)]
    assert again.code == 0 and told[0]["runs"] == 4 and told[0]["lines"] == told[1]["lines"]
    shutil.rmtree(tmp_path / "copy")
    stopped = ("run", "j1/kq", "--model", "offline:noisy", "--seed", "0", "--out", tmp_path / "copy")
    assert lw(*stopped).code == 0
    journal = tmp_path / "copy" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))  # it lacks its end
    other = lw("dataset", models, tmp_path / "copy", "--form", "turns", "--out", tmp_path / "out", "--json")
    told = json.loads(other.out)
    assert other.code == 2 and told["problems"] == ["LW709"] and told["runs"] == 4


def test_nothing_sealed_is_written(tmp_path: Path) -> None:
    """Of a run that has not come to its judgment, which may be the same as the sealed one by its own reckoning."""
    runs = tmp_path / "runs"
    assert lw("run", "civil", "--until", "FIT/judgment", "--out", runs / "court").code == 0
    written(runs, tmp_path / "out")
    everything = "".join(file.read_text("utf-8") for file in (tmp_path / "out").iterdir())
    plain = json.dumps(json.loads((runs / "court" / "case.json").read_text("utf-8")), ensure_ascii=False)
    sealed = [
        text
        for text in strings(json.loads((runs / "court" / "sealed.json").read_text("utf-8")))
        if len(text) > 25 and text not in plain
    ]
    assert len(sealed) > 5 and not [text for text in sealed if text in everything]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def test_a_damaged_run_is_told_and_the_others_are_written(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "runs" / "bad").mkdir(parents=True)
    (tmp_path / "runs" / "bad" / "run.yaml").write_text("lw: 1\n", "utf-8")
    ran = lw("dataset", runs / "debate", tmp_path / "runs", "--out", tmp_path / "out", "--json")
    told = json.loads(ran.out)
    assert ran.code == 2 and told["runs"] == 1 and told["lines"]["chat"] > 0 and told["problems"]


def test_the_card_names_files_and_sources(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    found = written(runs, tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert card.startswith("---\nconfigs:\n- config_name: chat\n  data_files: chat.jsonl\n")
    assert "`asp2lj`, `civil`" in card and f"| {len(found['turns'])} |" in card
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == sorted(
        ["README.md", *(f"{form}.jsonl" for form in FORMS)]
    )
