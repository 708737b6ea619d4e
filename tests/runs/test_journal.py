"""The journal survives every cut, knows every damage by its line, and gives back exactly what was written."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.model.decision_parts import PartDecided
from legalworld.model.events import Assigned, Closed, Ended, Entered, Event, Reply, Reviewed, Started
from legalworld.model.text import clean
from legalworld.runs.journal import AnswerLine, EventLine, Journal, Line, Session, Times, load, sessions

END = len(',"sum":"0123456789abcdef"}\n')
KINDS: tuple[type[Event], ...] = get_args(get_args(Event)[0])
Turn = tuple[tuple[Event, ...], tuple[str, Reply] | None]

TURNS: tuple[Turn, ...] = (
    (
        (
            Started(procedure="议价", case="伞", target="buyer", seed=7, options={"patience": "3"}),
            Entered(level="stage", place="market", title="集市"),
            Entered(level="step", place="market/offer#1", title="“出价”\n\t\\ \u2028 😀"),
        ),
        ("market/offer#1/ada/1", Reply(text='八十元。\n{"n":1,"sum":"0123456789abcdef"}\n', model="offline")),
    ),
    (
        (Closed(place="market/offer", reason="token", by="bo", turns=2),),
        ('奇怪的"编号\\', Reply(text="", prompt_tokens=12, completion_tokens=0)),
    ),
    (
        (
            Assigned(role="winner", persons=("ada", "bo")),
            Ended(outcome="成交", document=""),
        ),
        None,
    ),
)


def write(path: Path, turns: tuple[Turn, ...] = TURNS) -> bytes:
    with Journal(path) as journal:
        for events, answer in turns:
            journal.write(events, answer)
    return path.read_bytes()


def expected() -> tuple[Line, ...]:
    lines: list[Line] = []
    for events, answer in TURNS:
        for event in events:
            lines.append(EventLine(len(lines) + 1, event))
        if answer:
            lines.append(AnswerLine(len(lines) + 1, *answer))
    return tuple(lines)


def test_a_journal_gives_back_what_was_written(tmp_path: Path) -> None:
    data = write(tmp_path / "journal.jsonl")
    loaded = load(tmp_path / "journal.jsonl")
    assert loaded.lines == expected()
    assert (loaded.size, loaded.torn, loaded.problem) == (len(data), False, None)


def test_lines_have_a_fixed_form(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.write((Ended(outcome="成交", document=""),), ('"1"', Reply(text="好\n")))
    event = '{"n":1,"event":{"kind":"ended","outcome":"成交","document":""}'
    answer = r'{"n":2,"answer":"\"1\"","reply":{"text":"好\n","model":"","prompt_tokens":null,"completion_tokens":null}'
    first = sha256(f"{event}}}".encode()).hexdigest()[:16]
    second = sha256(f"{first}{answer}}}".encode()).hexdigest()[:16]
    assert path.read_text(encoding="utf-8") == f'{event},"sum":"{first}"}}\n{answer},"sum":"{second}"}}\n'


FINITE = st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
st.register_type_strategy(Reviewed, st.builds(Reviewed, scores=FINITE))
st.register_type_strategy(PartDecided, st.builds(PartDecided, filled=st.dictionaries(st.text(), JSON, max_size=3)))


@given(st.lists(st.sampled_from(KINDS).flatmap(st.from_type), max_size=3), st.none() | st.builds(Reply))
def test_every_kind_of_event_comes_back(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], reply: Reply | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "kinds.jsonl"
    path.unlink(missing_ok=True)
    with Journal(path) as journal:
        journal.write(events, ("r", reply) if reply else None)
    lines = load(path).lines
    assert [line.event for line in lines if isinstance(line, EventLine)] == events
    assert [line.reply for line in lines if isinstance(line, AnswerLine)] == ([reply] if reply else [])


def test_equal_runs_are_equal_bytes(tmp_path: Path) -> None:
    assert write(tmp_path / "one") == write(tmp_path / "two")


def test_a_journal_cut_at_any_byte_keeps_its_whole_lines_and_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    data = write(path)
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        loaded = load(path)
        whole = data[:cut].count(b"\n")
        assert loaded.problem is None
        assert loaded.lines == expected()[:whole]
        assert loaded.torn == (cut > 0 and data[cut - 1 : cut] != b"\n")
        with Journal(path, after=loaded) as journal:
            assert journal.n == whole
            for line in expected()[whole:]:
                match line:
                    case EventLine(event=event):
                        journal.write((event,))
                    case AnswerLine(request=request, reply=reply):
                        journal.write((), (request, reply))
        assert path.read_bytes() == data


def test_a_flipped_byte_is_a_problem_with_its_place(tmp_path: Path) -> None:
    """In a last line, too, as long as it still ends as lines do; where not even that is left, it may be torn."""
    path = tmp_path / "journal.jsonl"
    data = write(path)
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        loaded = load(path)
        line = data[:at].count(b"\n") + 1
        assert loaded.lines == expected()[: line - 1]
        if at >= len(data) - END and loaded.torn:
            assert loaded.problem is None
        else:
            assert loaded.problem is not None
            assert (loaded.problem.code, loaded.problem.span.line) == ("LW140", line)
            assert loaded.problem.span.file == str(path)


@pytest.mark.parametrize("newline", [b"\n", b""])
def test_a_last_line_that_was_changed_by_hand_is_not_taken_for_a_torn_one(tmp_path: Path, newline: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    data = write(path)
    before, last = data[:-1].rsplit(b"\n", 1)
    for changed in (last.replace(b'"outcome":"', b'"outcome":"9e9 ', 1), last.replace(b'"n":', b'"n":1', 1)):
        assert changed != last
        path.write_bytes(before + b"\n" + changed + newline)
        loaded = load(path)
        assert not loaded.torn and loaded.problem is not None
        assert (loaded.problem.code, loaded.problem.span.line) == ("LW140", len(expected()))
        assert loaded.lines == expected()[:-1]
    for torn in (last, last[:-1], last[:-30]):  # only the newline is missing, or more
        path.write_bytes(before + b"\n" + torn)
        assert load(path).torn


@pytest.mark.parametrize("change", ["swap", "drop", "repeat", "insert"])
def test_lines_in_another_order_are_a_problem(tmp_path: Path, change: str) -> None:
    path = tmp_path / "journal.jsonl"
    lines = write(path).splitlines(keepends=True)
    match change:
        case "swap":
            lines[1], lines[2] = lines[2], lines[1]
        case "drop":
            del lines[1]
        case "repeat":
            lines.insert(2, lines[1])
        case _:
            lines.insert(1, b"\n")
    path.write_bytes(b"".join(lines))
    problem = load(path).problem
    assert problem is not None
    assert problem.span.line == (3 if change == "repeat" else 2)


def test_a_tail_of_nulls_after_a_power_cut_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    data = write(path)
    path.write_bytes(data + bytes(4096))
    loaded = load(path)
    assert (loaded.size, loaded.torn, loaded.problem) == (len(data), True, None)


def test_a_line_of_another_version_is_not_taken_for_damage(tmp_path: Path) -> None:
    body = b'{"n":1,"event":{"kind":"adjourned","until":"?"}}'
    line = b'%b,"sum":"%b"}\n' % (body[:-1], sha256(body).hexdigest()[:16].encode())
    (tmp_path / "journal.jsonl").write_bytes(line)
    problem = load(tmp_path / "journal.jsonl").problem
    assert problem is not None
    assert problem.code == "LW141"


def test_a_missing_journal_is_a_problem(tmp_path: Path) -> None:
    problem = load(tmp_path / "journal.jsonl").problem
    assert problem is not None
    assert problem.code == "LW157"
    problem = load(tmp_path).problem
    assert problem is not None
    assert problem.code == "LW701"


def test_only_what_was_loaded_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path)
    with pytest.raises(ValueError, match="not the journal"):
        Journal(path)
    loaded = load(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="not the journal"):
        Journal(path, after=loaded)
    path.write_bytes(b"\n\n")
    with pytest.raises(ValueError, match="LW140"):
        Journal(path, after=load(path))


def test_text_that_was_not_cleaned_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        with pytest.raises(ValueError, match="surrogate"):
            journal.write((Ended(outcome="ok", document=""),), ("r", Reply(text="\ud800")))
        assert (journal.n, path.read_bytes()) == (0, b"")
        journal.write(TURNS[0][0], TURNS[0][1])
    assert load(path).lines == expected()[:4]


def test_nothing_to_write_writes_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.jsonl") as journal:
        journal.write(())
    assert (tmp_path / "journal.jsonl").read_bytes() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limit to stand for a full disk")
def test_a_full_disk_leaves_whole_turns_only(tmp_path: Path) -> None:
    script = """
import resource, signal, sys
from pathlib import Path
from legalworld.model.events import Reply
from legalworld.runs.journal import Journal, load
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
path = Path(sys.argv[1])
with Journal(path) as journal:
    try:
        for n in range(100):
            journal.write((), (str(n), Reply(text="x" * 1000)))
    except OSError:
        loaded = load(path)
        assert not loaded.torn and not loaded.problem and loaded.size == path.stat().st_size
        print(len(loaded.lines), journal.n)
"""
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "j"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", "4"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_writer_leaves_a_journal_that_loads(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from legalworld.model.events import Ended, Reply
from legalworld.runs.journal import Journal
with Journal(Path(sys.argv[1])) as journal:
    while True:
        journal.write((Ended(outcome="ok", document=""),), (str(journal.n), Reply(text="x" * 20000)))
        print(journal.n, flush=True)
"""
    path = tmp_path / "journal.jsonl"
    with subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = 0
        for _ in range(30):
            told = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
    loaded = load(path)
    assert loaded.problem is None
    assert len(loaded.lines) >= told


# ---- clean text ------------------------------------------------------------------------------------------------------

ANYTHING = st.text(st.characters(categories=None), max_size=40) | st.text("\ud83d\ude00\r\n\t\0\x1b\x9b一", max_size=8)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("一\r\n二\n三\t四", "一\n二\n三\t四"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83db\ude00", "a\ufffdb\ufffd"),
        ("\0\x1b[2J\r\x7f\x9b", "\ufffd\ufffd[2J\n\ufffd\ufffd"),
        ("\ufeff一\u2028\ufffe\u202e", "一\n\ufffd\ufffd"),
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@given(ANYTHING)
def test_clean_text_is_stable_and_comes_back_from_the_journal(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "clean.jsonl"
    path.unlink(missing_ok=True)
    reply = Reply(text=clean(text), model=clean(text))
    assert clean(reply.text) == reply.text
    with Journal(path) as journal:
        journal.write((), (reply.text, reply))
    assert load(path).lines == (AnswerLine(1, reply.text, reply),)


@given(st.binary(max_size=60) | st.from_regex(rb'\{"n":1,"(event|answer)":.{0,20},"sum":"[0-9a-f]{16}"\}\n'))
def test_no_file_makes_load_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    assert load(path).lines == ()


# ---- times -----------------------------------------------------------------------------------------------------------


def test_times_are_kept_by_line_and_a_torn_line_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    with Times(path) as times:
        times.note(1, 0.5)
        times.note(4, 1.25)
    with path.open("ab") as file:
        file.write(b'{"n":5,"sec')
    with Times(path) as times:
        times.note(4, 2)
    noted = re.sub(rb',"at":\d+\.\d{6}}', b"}", path.read_bytes())  # when, in seconds since the file was opened
    first = b'{"n":1,"seconds":0.500000}\n{"n":4,"seconds":1.250000}\n'
    assert noted == first + b'{"n":5,"sec\n{"n":4,"seconds":2.000000}\n'


def test_times_tell_when_and_by_what_a_run_was_played(tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    first = Session("2026-01-02T03:04:05+00:00", "0.9", "3.11.2", "1.80")
    with Times(path, first) as times:
        times.note(1, 0.5)
        times.note(2, 0.5)
    assert path.read_bytes().count(b"begun") == 1
    with path.open("ab") as file:
        file.write(b'{"begun":"2026-01-02T04:00:00+00:00","moon":"full"}\n{"begun":')
    with Times(path, replace(first, begun="2026-01-03T00:00:00+00:00")) as times:
        assert [one.begun for one in sessions(path)] == [first.begun]  # nothing was asked yet
        times.note(3, 0.5)
    assert [one.begun for one in sessions(path)] == [first.begun, "2026-01-03T00:00:00+00:00"]
    assert list(sessions(tmp_path / "none")) == []
