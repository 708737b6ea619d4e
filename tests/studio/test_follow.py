"""Runs that grow while somebody looks, and the list of many, some of them damaged."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import TESTS
from studio_served import Asked, studio_served

from legalworld.studio import follow, shelf
from legalworld.studio.run_list import FRESH

STORED = TESTS / "runs" / "stored"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    with tarfile.open(STORED / "finished.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "finished"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


@pytest.fixture
def served(root: Path) -> Iterator[Asked]:
    with studio_served(root) as asked:
        yield asked


def begun(finished: Path, root: Path, lines: int) -> tuple[Path, list[bytes]]:
    """A run as it was when its record had so many lines, and the lines that are still to come."""
    shutil.copytree(finished, root / "live")
    journal = root / "live" / "journal.jsonl"
    all_lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(all_lines[:lines]))
    return journal, all_lines[lines:]


def grown(journal: Path, data: bytes) -> None:
    with journal.open("ab") as file:
        file.write(data)


def test_a_run_is_followed_to_its_end(finished: Path, root: Path, served: Asked) -> None:
    journal, coming = begun(finished, root, 5)
    with served.stream("d/follow?run=live") as events:
        first = events.until("run")
        assert first["status"] == "unfinished" and first["live"]
        half = len(coming) // 2
        grown(journal, b"".join(coming[:half]))
        middle = events.until("run")
        assert first["turns"] < middle["turns"]
        grown(journal, b"".join(coming[half:]))
        last = events.until("run", status="ended")
        assert not last["live"]
        head = served.get("d/run/live/head").data
        assert [last[name] for name in ("lines", "turns", "calls")] == [
            head[name] for name in ("lines", "turns", "calls")
        ]
        assert len(served.get("d/run/live/lines?count=1000").data["lines"]) == last["lines"]


def test_a_torn_line_waits(finished: Path, root: Path, served: Asked) -> None:
    """Half of a line is no damage: what stands before it is shown, and the line when it is whole."""
    journal, coming = begun(finished, root, 5)
    with served.stream("d/follow?run=live") as events:
        before = events.until("run")
        half = len(coming[0]) // 2
        grown(journal, coming[0][:half])
        torn = events.until("run", torn=True)
        assert torn["status"] == "unfinished" and torn["lines"] == before["lines"]
        grown(journal, coming[0][half:] + b"".join(coming[1:]))
        assert not events.until("run", status="ended")["torn"]


def test_a_run_that_stops_growing_is_not_being_played_any_more(
    finished: Path, root: Path, served: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are the same as before, and who follows is told all the same."""
    begun(finished, root, 5)
    with served.stream("d/follow?run=live") as events:
        assert events.until("run")["live"]
        monkeypatch.setattr(shelf, "WRITTEN_LATELY", -1.0)
        stopped = events.until("run", live=False)
        assert stopped["status"] == "unfinished"
    assert served.get("d/run/live/head").data["live"] is False


def test_who_comes_again_is_told_how_it_stands(finished: Path, root: Path, served: Asked) -> None:
    journal, coming = begun(finished, root, 5)
    with served.stream("d/follow?run=live") as events:
        events.until("run")
    grown(journal, b"".join(coming))
    with served.stream("d/follow?run=live", {"Last-Event-ID": "1"}) as events:
        assert events.until("run", status="ended")["calls"] == 13


def test_one_reader_serves_all_who_follow(
    finished: Path, root: Path, served: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(finished, root, 5)
    made = []
    reader = follow.Follower._read
    monkeypatch.setattr(follow.Follower, "_read", lambda self, run: (made.append(run), reader(self, run))[1])
    with served.stream("d/follow?run=live") as one, served.stream("d/follow?run=live") as other:
        assert one.until("run") == other.until("run")
    assert made == ["live"]


def test_a_run_that_is_moved_away_is_gone(finished: Path, root: Path, served: Asked) -> None:
    begun(finished, root, 5)
    with served.stream("d/follow?run=live") as events:
        events.until("run")
        (root / "live").rename(root.parent / "moved")
        assert events.until("gone") == {"run": "live"}


def test_what_leads_elsewhere_is_gone_at_once(root: Path, served: Asked) -> None:
    with served.stream("d/follow?run=../elsewhere") as events:
        assert events.until("gone") == {"run": "../elsewhere"}


def test_the_list_tells_of_a_run_that_comes(finished: Path, root: Path, served: Asked) -> None:
    assert FRESH < 10
    with served.stream("d/follow?list=1") as events:
        assert events.until("list")["total"] == 0
        shutil.copytree(finished, root / "new")
        assert events.until("list", total=1, damaged=0)["turns"] == 12, "speeches"
    assert [row["id"] for row in served.get("d/runs").data["rows"]] == ["new"]


def test_many_runs_of_which_three_are_damaged(finished: Path, root: Path, served: Asked) -> None:
    """The others are listed, read by stretches, filtered, sorted, and searched in what was said."""
    count = 120
    for number in range(count):
        shutil.copytree(finished, root / f"run-{number:03}", copy_function=os.link, symlinks=True)
    for number in (5, 50, 111):
        journal = root / f"run-{number:03}" / "journal.jsonl"
        data = journal.read_bytes()
        journal.unlink()
        journal.write_bytes(data.replace(b'"n":4', b'"n":5', 1))
    with served.stream("d/follow?list=1") as events:
        assert events.until("list", total=count)["damaged"] == 3
    found = served.get("d/runs?from=100&count=10").data
    assert (found["first"], found["total"], found["damaged"]) == (100, count, 3)
    assert [row["id"] for row in found["rows"]] == [f"run-{number:03}" for number in range(100, 110)]
    assert [row["id"] for row in served.get("d/runs?status=damaged").data["rows"]] == ["run-005", "run-050", "run-111"]
    assert served.get("d/runs?sort=-run&count=1").data["rows"][0]["id"] == f"run-{count - 1}"
    assert served.get("d/runs?where=turns%3E5").data["total"] == count - 3
    assert found["choices"]["status"] == ["damaged", "ended"]


def test_words_spoken_are_found_in_all_runs_and_in_one(finished: Path, root: Path, served: Asked) -> None:
    shutil.copytree(finished, root / "a")
    begun(finished, root, 5)
    lines = served.get("d/run/a/lines?count=1000").data["lines"]
    spoken = [line for line in lines if line["said"] and len(line["text"]) > 20]
    last = spoken[-1]
    words = last["text"][4:16]
    served.get("d/runs")
    found = served.get(f"d/said?words={_quoted(words)}").data
    while not found["ready"]:
        found = served.get(f"d/said?words={_quoted(words)}").data
    assert ("a", last["turn"]) in {(hit["run"], hit["turn"]) for hit in found["hits"]}
    assert all("".join(hit["hit"].split()) == "".join(words.split()) for hit in found["hits"])
    one = served.get(f"d/said?words={_quoted(words[:1])}&run=a").data
    expected = {line["turn"] for line in lines if line["kind"] == "call" and words[0] in line["text"]}
    assert {hit["turn"] for hit in one["hits"]} >= expected
    assert served.get(f"d/said?words={_quoted(words + 'nobody said this')}").data["hits"] == []
    assert [row["id"] for row in served.get(f"d/runs?said={_quoted(words)}").data["rows"]] == ["a"]


def _quoted(words: str) -> str:
    from urllib.parse import quote

    return quote(words, safe="")
