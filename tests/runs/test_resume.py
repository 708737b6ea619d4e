"""A run stopped anywhere, resumed, is the run that was never stopped; and what must not be resumed is refused.

After a cut only the good lines of a journal count, and the file is cut to them. So every cut is loaded and its torn end
removed; the game is then played on once for each number of good lines.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

import held
import pytest
import typed
from places import HANG, ROOT

from legalworld.model.diagnostics import Diagnostic
from legalworld.model.events import Asked, Drafted, Entered, Reply, Request, Spoke
from legalworld.models.scripted import Offline
from legalworld.runs import journal as journal_files
from legalworld.runs import lifecycle, spec_copies
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.folder import RunFolder
from legalworld.runs.fork import Replacement, fork_of
from legalworld.runs.journal import AnswerLine, EventLine, Journal, Line, Loaded, load
from legalworld.runs.lifecycle import RunPlan, RunResult
from legalworld.runs.loop import ReplayLog, ignore, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.open_run import OpenRun, open_run, reopen
from legalworld.runs.plan import chosen_models, chosen_options, chosen_target
from legalworld.runs.project import Project, open_project

CASES = {"bargain": "cases/bargain.yaml", "civil": "cases/wuye.yaml"}
LW = (sys.executable, "-m", "legalworld")


@cache
def opened_spec(spec: str) -> tuple[Project, OpenedCase]:
    project = open_project(spec, ROOT)
    assert isinstance(project, Project) and project.procedure is not None
    matter = open_case(project, CASES[spec], "", {}, ROOT)
    assert isinstance(matter, OpenedCase)
    return project, matter


def start(spec: str, out: Path, *, seed: int = 0, until: str = "", model: str = "offline") -> RunResult:
    project, matter = opened_spec(spec)
    assert project.procedure is not None
    target, _ = chosen_target(project.procedure, "")
    models, _ = chosen_models(project.procedure, target, (model,))
    options, _ = chosen_options(project.procedure, {})
    result = lifecycle.start(RunPlan(project, matter, target, models, options, seed, until, out))
    assert isinstance(result, RunResult), result
    return result


@dataclass(frozen=True, slots=True)
class Whole:
    """A run that nothing interrupted: its folder, its journal, and the run opened once for all that follows.

    `ends`: size of the journal after each line, from none to all.
    """

    folder: Path
    journal: bytes
    lines: tuple[Line, ...]
    opened: OpenRun
    actors: Offline
    ends: tuple[int, ...]

    def play_on(self, journal: Path, loaded: Loaded) -> list[str]:
        """Resume in `journal`; the requests that the backbone was asked."""
        asked: list[str] = []

        async def answer(request: Request) -> Reply:
            asked.append(request.id)
            return self.actors.answer(request)

        with Journal(journal, after=loaded) as file:
            asyncio.run(play_through(self.opened.game(), ReplayLog(loaded.lines, file), answer, ignore))
        return asked


def whole(spec: str, folder: Path, model: str = "offline") -> Whole:
    assert start(spec, folder, model=model).status == "ended"
    opened = reopen(RunFolder(folder, _opened(folder).info))
    assert isinstance(opened, OpenRun)
    decide = norm_bench(opened.procedure, opened.case, opened.project.templates)
    templates = opened.project.templates
    actors = Offline(templates, 0, "noisy" if model == "offline:noisy" else "plain", decide=decide)
    journal = (folder / "journal.jsonl").read_bytes()
    ends = tuple(accumulate(map(len, journal.split(b"\n")[:-1]), lambda size, line: size + line + 1, initial=0))
    return Whole(folder, journal, opened.loaded.lines, opened, actors, ends)


def _fork(folder: Path, change: Replacement, out: Path) -> Path | tuple[Diagnostic, ...]:
    opened = open_run(folder)
    assert isinstance(opened, OpenRun)
    return fork_of(opened, change, out)


def _opened(folder: Path) -> RunFolder:
    found = RunFolder.open(folder)
    assert isinstance(found, RunFolder)
    return found


@pytest.fixture(scope="module")
def bargain(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return whole("bargain", tmp_path_factory.mktemp("bargain") / "run")


@pytest.fixture(autouse=True, scope="module")
def each_line_is_parsed_once() -> Iterator[None]:
    """One journal is loaded thousands of times, its sums checked each time; what a line says depends on it alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_files, "_parsed", lru_cache(maxsize=4096)(journal_files._parsed))
        yield


@pytest.fixture(scope="module")
def civil(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return whole("civil", tmp_path_factory.mktemp("civil") / "run")


# ---- cuts ------------------------------------------------------------------------------------------------------------


def cut(run: Whole, journal: Path, at: int) -> Loaded:
    """The journal cut after `at` bytes, loaded; opening it leaves the good lines and nothing else."""
    journal.unlink(missing_ok=True)  # a new file: to write over one costs some file systems a wait for the disk
    journal.write_bytes(run.journal[:at])
    loaded = load(journal)
    number = bisect_right(run.ends, at) - 1
    good = run.ends[number]
    assert (loaded.size, loaded.problem, loaded.torn) == (good, None, at != good)
    assert loaded.lines == run.lines[:number]
    if at - good < 2 or at % 8 == 0:  # each costs an fsync
        with Journal(journal, after=loaded):
            pass
        assert journal.stat().st_size == good  # of what was written above; it is only cut
    return loaded


def assert_resumed(run: Whole, journal: Path, loaded: Loaded) -> None:
    asked = run.play_on(journal, loaded)
    assert journal.read_bytes() == run.journal
    answered = [line.request for line in run.lines if isinstance(line, AnswerLine)]
    known = [line.request for line in loaded.lines if isinstance(line, AnswerLine)]
    assert known + asked == answered


def kinds(run: Whole) -> dict[str, list[int]]:
    """The numbers of the lines of each kind, from 1."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(run.lines, 1):
        kind = type(line.event).__name__ if isinstance(line, EventLine) else "answer"
        found.setdefault(kind, []).append(number)
    return found


def test_bargain_cut_at_every_line_and_every_byte_of_one_of_a_kind(bargain: Whole, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    lines = [numbers[0] for numbers in kinds(bargain).values()]
    assert len(lines) == 10
    within = {at for line in lines for at in range(bargain.ends[line - 1], bargain.ends[line])}
    resumed: set[int] = set()
    around = {end + by for end in bargain.ends for by in (-2, -1, 0, 1)}
    for at in sorted(within | around & {*range(len(bargain.journal) + 1)}):
        loaded = cut(bargain, journal, at)
        if len(loaded.lines) not in resumed:
            resumed.add(len(loaded.lines))
            assert_resumed(bargain, journal, loaded)
    assert len(resumed) == len(bargain.lines) + 1


@pytest.mark.parametrize(("model", "share"), [("offline", 1), ("offline:noisy", 4)])
def test_civil_cut_at_several_hundred_places(model: str, share: int, tmp_path: Path, civil: Whole) -> None:
    """Played on after a line of each kind, the middle one: after every line the bargain is. What is noisy takes long,
    and is played on after replies and what a plain run has not."""
    plain = model == "offline"
    run = civil if plain else whole("civil", tmp_path / "run", model)
    journal = tmp_path / "journal.jsonl"
    size = len(run.journal)
    of_each = {kind: numbers[len(numbers) // 2] for kind, numbers in kinds(run).items()}
    resumed = {line for kind, line in of_each.items() if plain or kind == "answer" or kind not in kinds(civil)}
    places = {end + by for end in run.ends[1 : -1 : 4 * share] for by in (-1, 0, 1)}
    places |= {*range(0, size, size * share // 250), size, *(run.ends[line] for line in resumed)}
    assert len(places) > 400 // share and len(resumed) >= (14 if plain else 3)
    for at in sorted(places):
        loaded = cut(run, journal, at)
        if at == run.ends[len(loaded.lines)] and len(loaded.lines) in resumed:
            assert_resumed(run, journal, loaded)


def test_a_journal_that_was_never_begun_is_resumed(bargain: Whole, tmp_path: Path) -> None:
    shutil.copytree(bargain.folder, tmp_path / "run")
    (tmp_path / "run/journal.jsonl").write_bytes(b"")
    assert isinstance(lifecycle.resume(tmp_path / "run"), RunResult)
    assert (tmp_path / "run/journal.jsonl").read_bytes() == bargain.journal


def test_a_finished_run_stays_as_it_is(bargain: Whole, tmp_path: Path) -> None:
    shutil.copytree(bargain.folder, tmp_path / "run")
    result = lifecycle.resume(tmp_path / "run")
    assert isinstance(result, RunResult) and (result.status, result.outcome) == ("ended", "sold")
    assert contents(tmp_path / "run") == contents(bargain.folder)


def test_a_run_in_pieces_is_the_run_in_one(bargain: Whole, tmp_path: Path) -> None:
    entered = [line.event.place for line in bargain.lines if isinstance(line, EventLine) and _entered(line)]
    result = start("bargain", tmp_path / "run", until=entered[1])
    for place in entered[2:]:
        assert result.status == "paused"
        following = lifecycle.resume(tmp_path / "run", until=place)
        assert isinstance(following, RunResult)
        result = following
    last = lifecycle.resume(tmp_path / "run")
    assert isinstance(last, RunResult) and last.status == "ended"
    assert (tmp_path / "run/journal.jsonl").read_bytes() == bargain.journal


def _entered(line: EventLine) -> bool:
    return isinstance(line.event, Entered)


def contents(folder: Path) -> dict[str, bytes]:
    """All that a run is made of: durations and the lock are not."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name not in ("times.jsonl", "lock")]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


# ---- killed, interrupted ---------------------------------------------------------------------------------------------


def lw(*words: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "LW_LANG": "en", **environment}
    return subprocess.run([*LW, *map(str, words)], cwd=cwd, env=env, capture_output=True, text=True, timeout=HANG)


def begin(out: Path, lines: int) -> subprocess.Popen[str]:
    """A run that stands still once its journal has so many lines."""
    env = {**os.environ, "LW_LANG": "en"}
    words = held.command(lines, "run", "bargain", "--case", CASES["bargain"], "--out", out)
    process = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    held.until_held(process)
    return process


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_killed_between_two_lines(bargain: Whole, tmp_path: Path) -> None:
    for number, share in enumerate((0.0, 0.6)):
        out = tmp_path / str(number)
        process = begin(out, int(share * len(bargain.lines)) + 1)
        process.kill()
        process.communicate()
        left = (out / "journal.jsonl").read_bytes()
        assert len(left) < len(bargain.journal) and bargain.journal.startswith(left)
        assert typed.lw("resume", out).code == 0
        assert contents(out) == contents(bargain.folder)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_a_run_that_can_be_resumed(civil: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note, out = journal_files.Times.note, tmp_path / "run"

    def interrupted(times: journal_files.Times, n: int, seconds: float) -> None:
        note(times, n, seconds)
        if n > 100:
            monkeypatch.setattr(journal_files.Times, "note", note)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(journal_files.Times, "note", interrupted)
    monkeypatch.setenv("LW_LANG", "en")
    monkeypatch.chdir(ROOT)
    done = typed.lw("run", "civil", "--case", CASES["civil"], "--out", out)
    assert done.code == 130, done
    assert f"lw resume {out}" in done.out + done.err
    assert 0 < (out / "journal.jsonl").stat().st_size < len(civil.journal)
    assert typed.lw("resume", out).code == 0
    assert contents(out) == contents(civil.folder)


@pytest.mark.slow
def test_a_second_process_is_refused(bargain: Whole, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(bargain.folder, out)
    lock = _opened(out).lock()
    assert not isinstance(lock, Diagnostic)
    with lock:
        before = contents(out)
        refused = lw("resume", out)
        assert refused.returncode == 2 and "LW142" in refused.stderr
        assert contents(out) == before
    assert typed.lw("resume", out).code == 0


# ---- the same again --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_seed_gives_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the process, the folder, the working directory and the order in which sets are walked."""
    words = ("run", "civil", "--case", "wuye", "--model", "offline:noisy", "--seed", "7", "--out")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    another = "0" if os.environ.get("PYTHONHASHSEED") != "0" else "4242"
    done = lw(*words, tmp_path / "run-1", cwd=elsewhere, PYTHONHASHSEED=another)
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("LW_LANG", "en")
    assert typed.lw(*words, tmp_path / "run-2").code == 0
    assert contents(tmp_path / "run-1") == contents(tmp_path / "run-2")


def test_another_seed_gives_another_run(bargain: Whole, tmp_path: Path) -> None:
    journals = set()
    for seed in range(1, 6):
        start("bargain", tmp_path / str(seed), seed=seed)
        spoken = [line.event.text for line in load(tmp_path / f"{seed}/journal.jsonl").lines if _spoke(line)]
        journals.add(tuple(spoken))
    assert len(journals) > 1


def _spoke(line: Line) -> bool:
    return isinstance(line, EventLine) and isinstance(line.event, Spoke)


@pytest.mark.parametrize("spec", ["bargain", "civil"])
def test_replay_makes_the_same_files(spec: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    run: Whole = request.getfixturevalue(spec)
    shutil.copytree(run.folder, tmp_path / "run")
    (tmp_path / "run/transcript.md").unlink()
    shutil.rmtree(tmp_path / "run/documents")
    result = lifecycle.replay(tmp_path / "run")
    assert isinstance(result, RunResult) and result.status == "ended"
    assert contents(tmp_path / "run") == contents(run.folder)


def test_replay_of_half_a_run_asks_nobody(bargain: Whole, tmp_path: Path) -> None:
    shutil.copytree(bargain.folder, tmp_path / "run")
    half = bargain.ends[len(bargain.lines) // 2]
    (tmp_path / "run/journal.jsonl").write_bytes(bargain.journal[:half])
    result = lifecycle.replay(tmp_path / "run")
    assert isinstance(result, RunResult) and result.status == "paused"
    assert (tmp_path / "run/journal.jsonl").read_bytes() == bargain.journal[:half]


# ---- refused ---------------------------------------------------------------------------------------------------------


def rewritten(run: Whole, folder: Path, lines: Sequence[Line]) -> Path:
    """The run with another journal, every sum of it right."""
    shutil.copytree(run.folder, folder)
    (folder / "journal.jsonl").unlink()
    with Journal(folder / "journal.jsonl") as journal:
        for line in lines:
            match line:
                case EventLine(event=event):
                    journal.write((event,))
                case AnswerLine(request=request, reply=reply):
                    journal.write((), (request, reply))
    return folder


def altered(run: Whole) -> Iterator[tuple[str, int, list[Line]]]:
    """Journals that the game does not give: what was done, the first wrong line, the lines."""
    lines = list(run.lines)
    first = next(n for n, line in enumerate(lines) if _spoke(line))
    said = lines[first]
    assert isinstance(said, EventLine)
    other = EventLine(said.n, said.event.model_copy(update={"text": "别的话"}))
    yield "other words", first + 1, [*lines[:first], other, *lines[first + 1 :]]
    yield "an event left out", first + 1, lines[:first] + lines[first + 1 :]
    yield "an event twice", first + 2, [*lines[: first + 1], *lines[first:]]
    number = next(n for n, line in enumerate(lines) if isinstance(line, AnswerLine))
    answer = lines[number]
    assert isinstance(answer, AnswerLine)
    foreign = AnswerLine(answer.n, "nowhere/1", answer.reply)
    yield "an answer to nothing", number + 1, [*lines[:number], foreign, *lines[number + 1 :]]
    reply = AnswerLine(answer.n, answer.request, Reply(text="不一样的话", model="offline"))
    yield "another answer", number + 2, [*lines[:number], reply, *lines[number + 1 :]]
    yield "more than the game gives", len(lines) + 1, [*lines, lines[-1]]


@pytest.mark.parametrize("number", range(6))
def test_another_journal_is_refused_at_its_place(number: int, bargain: Whole, tmp_path: Path) -> None:
    _, place, lines = list(altered(bargain))[number]
    folder = rewritten(bargain, tmp_path / "run", lines)
    before = contents(folder)
    for again in (lifecycle.resume, lifecycle.replay):
        refused = again(folder)
        assert isinstance(refused, tuple), refused
        assert [(problem.code, problem.span.line) for problem in refused] == [("LW180", place)]
        assert contents(folder) == before


@pytest.mark.parametrize("name", ["specs/bargain.yaml", "prompts/zh/bargain/who/seller.j2"])
def test_another_spec_is_refused(name: str, bargain: Whole, tmp_path: Path) -> None:
    shutil.copytree(bargain.folder, tmp_path / "run")
    copies = tmp_path / "run" / spec_copies.NAME
    texts = spec_copies.unpacked(copies.read_bytes())
    assert texts is not None
    copies.write_bytes(spec_copies.packed(texts | {name: texts[name] + "\n"}))
    before = contents(tmp_path / "run")
    for again in (lifecycle.resume, lifecycle.replay):
        refused = again(tmp_path / "run")
        assert isinstance(refused, tuple) and [problem.code for problem in refused] == ["LW149"]
    assert contents(tmp_path / "run") == before


def test_a_damaged_journal_is_refused(bargain: Whole, tmp_path: Path) -> None:
    shutil.copytree(bargain.folder, tmp_path / "run")
    damaged = bargain.journal.replace("圈椅".encode(), "方桌".encode(), 1)
    (tmp_path / "run/journal.jsonl").write_bytes(damaged)
    refused = lifecycle.resume(tmp_path / "run")
    assert isinstance(refused, tuple) and [problem.code for problem in refused] == ["LW140"]
    assert (tmp_path / "run/journal.jsonl").read_bytes() == damaged


# ---- forks -----------------------------------------------------------------------------------------------------------


def test_fork_with_another_document(civil: Whole, tmp_path: Path) -> None:
    drafted = [line.event for line in civil.lines if isinstance(line, EventLine) and isinstance(line.event, Drafted)]
    paper = next(event for event in drafted if event.source == "reply" and event.side)
    after = next(n for n, line in enumerate(civil.lines) if isinstance(line, EventLine) and line.event is paper)
    entering = next(n for n, line in enumerate(civil.lines) if n > after and _stage(line))
    at = civil.lines[entering]
    assert isinstance(at, EventLine) and isinstance(at.event, Entered)
    change = Replacement(
        at.event.place, paper.document, paper.side, paper.text.replace("3200", "4100") + "\n附：照片。"
    )
    made = _fork(civil.folder, change, tmp_path / "fork")
    assert made == tmp_path / "fork"
    kept = civil.journal[: civil.ends[entering]]
    assert (made / "journal.jsonl").read_bytes() == kept
    info = _opened(made).info
    assert (info.parent, info.at) == (load(civil.folder / "journal.jsonl").chain, at.event.place)

    result = lifecycle.resume(made)
    assert isinstance(result, RunResult) and result.status == "ended"
    lines = load(made / "journal.jsonl").lines
    assert lines[:entering] == civil.lines[:entering] and lines[entering] == at
    replaced = lines[entering + 1]
    assert isinstance(replaced, EventLine) and isinstance(replaced.event, Drafted)
    expected = (paper.document, paper.side, paper.person, "replaced", change.text)
    found = replaced.event
    assert (found.document, found.side, found.person, found.source, found.text) == expected
    assert lines[entering + 1 :] != civil.lines[entering + 1 :]
    asked = [line.event for line in lines[entering:] if isinstance(line, EventLine) and isinstance(line.event, Asked)]
    sent = "".join(message.content for event in asked for message in event.added)
    assert "附：照片。" in sent
    assert isinstance(lifecycle.replay(made), RunResult)


def _stage(line: Line) -> bool:
    return isinstance(line, EventLine) and isinstance(line.event, Entered) and line.event.level == "stage"


def test_a_fork_can_be_cut_and_forked_again(bargain: Whole, tmp_path: Path) -> None:
    place = next(
        line.event.place
        for n, line in enumerate(bargain.lines)
        if isinstance(line, EventLine)
        and isinstance(line.event, Entered)
        and any(isinstance(b, EventLine) and isinstance(b.event, Drafted) for b in bargain.lines[:n])
    )
    first = _fork(bargain.folder, Replacement(place, "receipt", "", "第一份"), tmp_path / "first")
    assert isinstance(first, Path)
    assert isinstance(lifecycle.resume(first), RunResult)
    assert (first / "documents/receipt-2.md").read_text(encoding="utf-8") == "第一份\n"
    second = _fork(first, Replacement(place, "receipt", "", "第二份"), tmp_path / "second")
    assert isinstance(second, Path)
    assert isinstance(lifecycle.resume(second), RunResult)
    papers = [
        json.loads(line)["event"]["text"]
        for line in (second / "journal.jsonl").read_text("utf-8").splitlines()
        if '"drafted"' in line
    ]
    assert papers[-2:] == ["第一份", "第二份"]


def test_a_fork_where_nothing_can_be_replaced_is_refused(bargain: Whole, tmp_path: Path) -> None:
    changes = (
        Replacement("nowhere", "receipt", "", "x"),
        Replacement("haggle", "receipt", "", "x"),
        Replacement("settle", "letter", "", "x"),
    )
    for change in changes:
        refused = _fork(bargain.folder, change, tmp_path / "fork")
        assert isinstance(refused, tuple) and refused
        assert not (tmp_path / "fork").exists()
