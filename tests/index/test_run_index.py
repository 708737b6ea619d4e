"""The list of runs: what it tells of each, which it lists, and that it always says what lies in the folder."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import lw

from legalworld.files import regular
from legalworld.index import run_index
from legalworld.index.query import COLUMNS, Query, read_query
from legalworld.index.run_index import FILE, ListedRun, RunIndex
from legalworld.index.run_row import read_row
from legalworld.model.events import Reply
from legalworld.runs.journal import Journal, load


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished runs of one case, one that waits, and one that is scored, in two folders."""
    root = tmp_path_factory.mktemp("runs")
    for out, *more in (("one",), ("sub/two", "--seed", "3"), ("sub/waits", "--until", "settle")):
        assert lw("run", "bargain", "--out", root / out, *more).code in (0, 3)
    return root


@pytest.fixture
def root(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "runs"))


def query(*where: str, sort: tuple[str, ...] = (), scores: tuple[str, ...] = (), **among: tuple[str, ...]) -> Query:
    found = read_query(tuple(among.items()), where, sort, scores, 0)
    assert isinstance(found, Query), found
    return found


def listed(root: Path, asked: Query | None = None, *, whole: bool = False) -> list[ListedRun]:
    asked = asked or query()
    index = RunIndex.open(root)
    try:
        index.refresh(scores=bool(asked.figures), whole=whole)
        found = list(index.select(asked))
        assert index.count(asked) == len(found)
        return found
    finally:
        index.close()


def names(root: Path, *where: str, **more: tuple[str, ...]) -> list[str]:
    return [one.row.run for one in listed(root, query(*where, **more))]


def afresh(root: Path) -> list[ListedRun]:
    """What an index says that has just been made from the folders."""
    (root / FILE).unlink(missing_ok=True)
    return listed(root)


# ---- a row -----------------------------------------------------------------------------------------------------------


def test_a_row_says_what_the_run_is_and_how_far_it_came(root: Path) -> None:
    rows = {one.row.run: one.row for one in listed(root)}
    assert sorted(rows) == ["one", "sub/two", "sub/waits"]
    kinds = [line.event.kind for line in load(root / "one" / "journal.jsonl").lines if hasattr(line, "event")]
    assert rows["one"].turns == kinds.count("spoke") > 0
    assert (rows["one"].procedure, rows["one"].status, rows["one"].tokens) == ("bargain", "ended", None)
    assert rows["one"].outcome == "sold" and rows["one"].models == "buyer=offline, seller=offline"
    assert (rows["sub/two"].seed, rows["sub/waits"].status, rows["sub/waits"].outcome) == (3, "unfinished", "")


def test_tokens_are_those_of_the_replies(root: Path) -> None:
    journal = root / "sub" / "waits" / "journal.jsonl"
    said = {"prompt_tokens": 90000, "text": '{"n":1,"event":{"kind":"spoke",'}
    with Journal(journal, after=load(journal)) as written:
        written.write((), ("x", Reply(text=json.dumps(said), prompt_tokens=7, completion_tokens=4)))
    assert {one.row.run: one.row.tokens for one in listed(root)}["sub/waits"] == 11


@pytest.mark.parametrize("file, content", [("run.yaml", b"lw: 9\n"), ("run.yaml", b"\xff"), ("journal.jsonl", None)])
def test_a_run_that_cannot_be_read_is_listed_as_damaged(root: Path, file: str, content: bytes | None) -> None:
    place = root / "one" / file
    place.write_bytes(content) if content is not None else place.unlink()
    assert names(root, "status=damaged") == ["one"]
    assert len(listed(root)) == 3


# ---- always what lies there ------------------------------------------------------------------------------------------


def test_what_comes_goes_and_goes_on_is_seen(root: Path) -> None:
    listed(root)
    shutil.copytree(root / "one", root / "deep" / "er" / "three")
    shutil.rmtree(root / "sub" / "two")
    (root / "one").rename(root / "renamed")
    assert lw("resume", root / "sub" / "waits").code == 0
    found = listed(root)
    assert [one.row.run for one in found] == ["deep/er/three", "renamed", "sub/waits"]
    assert {one.row.status for one in found} == {"ended"}
    assert found == afresh(root)


def test_a_run_that_is_played_again_in_its_place_is_seen(root: Path) -> None:
    listed(root)
    shutil.rmtree(root / "one")
    assert lw("run", "bargain", "--out", root / "one", "--seed", "8").code == 0
    assert [one.row.seed for one in listed(root)] == [8, 3, 0]


def test_scores_are_seen_as_they_come_and_kept_apart_by_grader(root: Path) -> None:
    asked = query(scores=("fair.SCORE", "fair.SCORE@b"), sort=("-fair.SCORE",))
    assert [one.figures for one in listed(root, asked)] == [(None, None)] * 3
    for run, grader, value in (("one", "a", 2.0), ("one", "b", 9.0), ("sub/two", "a", 5.0)):
        score(root / run, grader, value)
    assert [(one.row.run, one.figures) for one in listed(root, asked)] == [
        ("sub/two", (5.0, None)),
        ("one", (2.0, 9.0)),
        ("sub/waits", (None, None)),
    ]
    assert names(root, "fair.SCORE>=5") == ["sub/two"] and names(root, "fair.SCORE@b>=5") == ["one"]


def test_a_score_that_was_changed_by_hand_is_no_score(root: Path) -> None:
    score(root / "one", "a", 2.0)
    (file,) = (root / "one" / "scores").iterdir()
    file.write_bytes(file.read_bytes().replace(b"2.0", b"9e9"))
    assert {one.figures for one in listed(root, query(scores=("fair.SCORE",)))} == {(None,)}


def score(run: Path, grader: str, value: float) -> None:
    from legalworld.evaluation.results import Evaluation, Figure
    from legalworld.evaluation.score_files import keep
    from legalworld.runs.journal import standing

    words = dict.fromkeys(("run", "procedure", "case", "target", "model", "outcome", "rubric_digest"), "x")
    words |= {"run_digest": standing(run / "journal.jsonl").chain}
    figures = (Figure(formula="SCORE", value=value),)
    more = {"finished": True, "grader": {"model": grader}, "figures": figures, "passes": {}, "scores": ()}
    keep(run, Evaluation.model_validate({**words, "rubric": "fair", **more}))


@pytest.mark.parametrize("content", [b"no database", b"", "other version"])
def test_an_index_that_cannot_be_used_is_made_again(root: Path, content: bytes | str) -> None:
    before = listed(root)
    if isinstance(content, bytes):
        (root / FILE).write_bytes(content)
    else:
        with sqlite3.connect(root / FILE) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    assert listed(root) == before


@pytest.mark.skipif(os.name != "posix", reason="links and named pipes")
def test_only_folders_of_runs_are_looked_at(root: Path) -> None:
    outside = root.parent / "outside"
    shutil.copytree(root / "one", outside)
    (root / "link").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe")
    shutil.copytree(root / "one", root / ".one.0badcafe")  # what a kill leaves of a run that was being made
    os.mkdir(os.fsencode(root) + b"/\xff")
    assert names(root) == ["one", "sub/two", "sub/waits"]


def test_where_nothing_may_be_written_it_is_listed_all_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def refuse(database: object, *arguments: object, **named: object) -> sqlite3.Connection:
        if database != ":memory:":
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return connect(":memory:", *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("legalworld.index.run_index.sqlite3.connect", refuse)
    assert names(root) == ["one", "sub/two", "sub/waits"] and not (root / FILE).exists()


# ---- which are listed ------------------------------------------------------------------------------------------------


def test_conditions_and_order(root: Path) -> None:
    assert names(root, "seed>=3") == ["sub/two"] and names(root, "seed!=3", "status=ended") == ["one"]
    assert names(root, status=("unfinished", "damaged")) == ["sub/waits"]
    assert [one.row.run for one in listed(root, query(sort=("-seed", "run")))] == ["sub/two", "one", "sub/waits"]


def test_words_of_the_command_are_never_sql(root: Path) -> None:
    for words in ("case='; DROP TABLE runs; --", 'case=" OR 1=1', "case=%", "x.y>1"):
        assert names(root, words) == []
    assert isinstance(read_query((), ("run; DROP TABLE runs=1",), (), (), 0), tuple)
    assert len(listed(root)) == 3


@given(st.text(max_size=30), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), st.text(max_size=30))
def test_any_words_are_a_query_or_a_problem(name: str, operator: str, value: str) -> None:
    found = read_query((), (name + operator + value,), (name,), (value,), 3)
    assert isinstance(found, Query) or all(problem.code.startswith("LW53") for problem in found)


def test_the_command_lists_filters_and_writes_a_sheet(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    shown = lw("runs", root, "--where", "status=ended", "--sort", "-seed", "--limit", "1")
    assert shown.code == 0 and "sub/two" in shown.out and "2 runs, 1 of them listed" in shown.out
    told = [json.loads(line) for line in lw("runs", root, "--json").out.splitlines()]
    assert [one["run"] for one in told] == ["one", "sub/two", "sub/waits"] and set(told[0]) == set(COLUMNS)
    sheet = root.parent / "runs.csv"
    assert lw("runs", root, "--csv", sheet).code == 0
    assert sheet.read_text("utf-8-sig").splitlines()[0] == ",".join(COLUMNS)


@pytest.mark.parametrize(
    "words, code",
    [
        (("--where", "trns>1"), "LW530"),
        (("--where", "turns"), "LW531"),
        (("--where", "turns>many"), "LW532"),
        (("--scores", "turns"), "LW530"),
        (("--sort", "-cost"), "LW530"),
    ],
)
def test_what_cannot_be_read_is_told(root: Path, words: tuple[str, ...], code: str) -> None:
    ran = lw("runs", root, *words)
    assert ran.code == 2 and code in ran.err and not ran.out


def test_a_folder_that_is_not_there(root: Path) -> None:
    assert "LW533" in lw("runs", root / "nowhere").err and "LW533" in lw("runs", root / "one" / "run.yaml").err


@pytest.mark.parametrize("column", COLUMNS[1:])
def test_what_was_changed_in_the_index_is_read_again(root: Path, column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular, "_SETTLED", 0)
    expected, read = afresh(root), []
    monkeypatch.setattr(run_index, "read_row", lambda path, run: read.append(run) or read_row(path, run))
    assert listed(root) == expected and not read  # what was verified is believed
    with sqlite3.connect(root / FILE) as db:
        db.execute(f'UPDATE runs SET "{column}" = ?', (7 if column in ("seed", "turns", "tokens") else "ended!",))
    db.close()
    assert listed(root) == expected and len(read) == 3


def test_an_index_with_any_byte_changed_ends_nothing(root: Path) -> None:
    """Whatever becomes of its pages, the list comes from the runs."""
    expected = [(one.row.run, one.row.status) for one in afresh(root)]
    whole = (root / FILE).read_bytes()
    dice = random.Random(3)
    for at in [*range(0, 100, 7), *(dice.randrange(len(whole)) for _ in range(60))]:
        (root / FILE).write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert [(one.row.run, one.row.status) for one in listed(root)] == expected, at


@pytest.mark.parametrize("stands", ["pipe", "link", "circle", "folder"])
def test_what_stands_in_place_of_the_index_stays(root: Path, stands: str) -> None:
    (root / FILE).unlink(missing_ok=True)
    make = {
        "pipe": os.mkfifo,
        "link": lambda path: path.symlink_to("elsewhere"),
        "circle": lambda path: path.symlink_to(FILE),
        "folder": os.mkdir,
    }
    make[stands](root / FILE)  # type: ignore[operator]
    before = (root / FILE).lstat()
    assert len(listed(root)) == 3
    assert (root / FILE).lstat().st_ino == before.st_ino and not (root / "elsewhere").exists()
