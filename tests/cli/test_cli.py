"""The commands as a person types them. `cli/*.txt` are sessions: each command with all that it says, in zh and en.

In `cli/NAME.txt` stand the commands, in `cli/NAME.LANGUAGE.golden` all that they say: a line with `! ` in front came on
the error stream, `[2]` is the exit code. A session plays in a folder of its own that holds a copy of `cli/files/`; a
command that is refused writes nothing. `LW_BLESS=1` takes over what is said now.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from textwrap import indent
from typing import get_args

import click
import held
import pytest
from goldens import compare
from places import ROOT
from playing import play
from typed import lw

from legalworld import __version__
from legalworld.cli.help import Command
from legalworld.cli.main import lw as program
from legalworld.model.diagnostics import Diagnostic
from legalworld.models.habits import Action
from legalworld.runs import spec_copies
from legalworld.runs.folder import RunFolder
from legalworld.wording.columns import width

FOLDER = ROOT / "tests" / "cli" / "sessions"
SESSIONS = sorted(FOLDER.glob("*.txt"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder outside any project, Chinese messages, no key of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    for name in list(os.environ):
        if re.search(r"(?i)_API_(KEY|BASE)$|_BASE_URL$", name) or name in ("COLUMNS", "LW_DEBUG"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture(scope="module")
def main_job(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[bytes]]:
    """A life cycle as the real binary plays it, and the folder where it was called."""
    folder = tmp_path_factory.mktemp("civil")
    return folder, run("run", "civil", cwd=folder, LW_LANG="zh")


@pytest.fixture(scope="module")
def civil(main_job: tuple[Path, subprocess.CompletedProcess[bytes]]) -> Path:
    """A life cycle that has come to its end; to be read only."""
    return main_job[0] / "runs" / "civil-jiedai-1"


@pytest.fixture(scope="module")
def deal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bargain that has come to its end; to be read only."""
    folder = tmp_path_factory.mktemp("bargain") / "run"
    assert lw("run", "bargain", "--out", folder, "--json").code == 0
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# ---- sessions --------------------------------------------------------------------------------------------------------


def commands(text: str) -> Iterator[str]:
    """One on each line; those that begin with # are for who reads."""
    yield from (line.removeprefix("lw ") for line in text.splitlines() if line.startswith("lw "))


LISTED = re.compile(r"[a-z0-9/-]+(?:[、,]\s*[a-z0-9/-]+)+")
SUMMARY = {"civil": "(the procedures)", "bianlidian": "(the cases)", "simcourt": "(the bindings)"}


def summary(listed: re.Match[str]) -> str:
    """A list of all that is shipped of a kind grows; a session does not."""
    names = set(re.split(r"[、,]\s*", listed[0]))
    return next((sign for name, sign in SUMMARY.items() if name in names), listed[0])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "session", [path for path in SESSIONS if path.suffixes == [".txt"]], ids=lambda path: path.stem
)
def test_session(session: Path, language: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", language)
    shutil.copytree(FOLDER / "files", here, dirs_exist_ok=True)
    played, before = [], tree(here)
    for command in commands(session.read_text(encoding="utf-8")):
        ran = lw(*shlex.split(command))
        assert "Traceback" not in ran.err
        after = tree(here)
        assert after == before or not ran.code, command
        before = after
        said = re.sub(r"\d+(?= (?:个模板|templates))", "N", ran.said)  # they are counted, and they change
        said = LISTED.sub(summary, said)
        played.append(f"$ lw {command}\n{said}")
    compare(session.with_name(f"{session.stem}.{language}.golden"), "\n".join(played))


# ---- run -------------------------------------------------------------------------------------------------------------

RESULT = {
    *("run", "status", "outcome", "place", "turns", "tokens", "documents", "violations", "citations", "problems"),
    "reads",
}


WORDS = ["mine/specs/civil.yaml", "mine/spec/civil.yaml", "civil", "mine/specs/civil", str(ROOT / "specs/civil.yaml")]


@pytest.mark.parametrize("word", WORDS)
def test_the_procedure_is_found_by_any_of_its_names(word: str, here: Path) -> None:
    lw("init", "mine")
    ran = lw("run", word, "--case", "wuye", "--until", "LC", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.object()["place"] == "LC"
    assert ran.object()["run"] == "runs/civil-wuye-1"


def test_the_object_of_a_run(here: Path) -> None:
    ran = lw("run", "civil", "--case", "wuye", "--json", "--out", "mine")
    assert (ran.code, ran.err) == (0, "")
    found = ran.object()
    assert set(found) == RESULT
    assert found["turns"] > 50
    assert found["place"].startswith("FIT/")
    assert {**found, "turns": 0, "place": "", "reads": None} == {
        "reads": None,
        "run": "mine",
        "status": "ended",
        "outcome": "mediated",
        "place": "",
        "turns": 0,
        "tokens": None,
        "documents": [
            "documents/complaint-plaintiff.md",
            "documents/defence_statement-defendant.md",
            "documents/evidence_list-plaintiff.md",
            "documents/evidence_list-defendant.md",
            "documents/mediation_record.md",
        ],
        "violations": 0,
        "citations": {"all": 8, "wrong": 0, "unknown": 0},
        "problems": [],
    }
    for name in (*found["documents"], "transcript.md", "run.yaml", "journal.jsonl"):
        assert (here / "mine" / name).read_text(encoding="utf-8").strip()


def test_two_runs_with_one_seed_are_byte_identical(here: Path) -> None:
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        lw("run", "bargain", "--seed", seed, "--out", name, "--json")
    journals = [(here / name / "journal.jsonl").read_bytes() for name in "abc"]
    assert journals[0] == journals[1] != journals[2]


def test_options_and_fields_reach_the_run(here: Path) -> None:
    words = ("--option", "mediation_shielded=no", "--set", "goal.defendant.settle=否")
    found = lw("run", "civil", "--case", "wuye", "--target", "defendant_lawyer", *words, "--json").object()
    assert found["outcome"] == "final_judgment"
    assert "mediation_shielded: no" in (here / found["run"] / "run.yaml").read_text(encoding="utf-8")
    assert "target: defendant_lawyer" in (here / found["run"] / "run.yaml").read_text(encoding="utf-8")


def test_a_model_for_one_role_is_noted_and_the_others_stay_as_they_are(here: Path) -> None:
    ran = lw("run", "bargain", "--model", "seller=offline:silent")
    assert "由离线规则演员扮演各角色，没有语言模型参与：" in ran.err
    assert "seller=offline:silent" in ran.err
    assert "违反" in ran.out


def test_a_recorded_run_is_a_backbone(here: Path) -> None:
    lw("run", "bargain", "--out", "first", "--json")
    assert lw("run", "bargain", "--model", "replay:first", "--out", "second", "--json").code == 0
    first, second = ((here / name / "journal.jsonl").read_bytes() for name in ("first", "second"))
    assert first == second
    assert lw("run", "bargain", "--model", "replay:nowhere", "--out", "third").code == 2
    assert not (here / "third").exists()


def test_followed_every_word_is_printed(here: Path) -> None:
    ran = lw("run", "bargain", "--follow")
    said = [json.loads(line)["event"] for line in journal(here / "runs/bargain-bargain-1") if '"kind":"spoke"' in line]
    assert len(said) > 5
    assert all(f"{event['speaker']}：{event['text']}" in ran.out for event in said)


def journal(folder: Path) -> list[str]:
    return (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()


def test_piped_it_is_quiet(here: Path) -> None:
    ran = lw("run", "civil", "--case", "wuye")
    assert ran.err == (
        f"程序读自随软件附带的 specs/civil.yaml（legalworld {__version__}）\n"
        "没有指定模型：由离线规则演员扮演各角色，没有语言模型参与（--model 可以指定模型）。\n"
    )
    assert len(ran.out.splitlines()) <= 10
    assert "\x1b" not in ran.out + ran.err


# ---- resume, replay, fork --------------------------------------------------------------------------------------------


def test_a_run_stopped_in_three_places_ends_as_one_that_was_not(deal: Path, here: Path) -> None:
    assert lw("run", "bargain", "--out", "parts", "--until", "haggle/bid", "--json").object()["status"] == "paused"
    assert lw("resume", "parts", "--until", "settle", "--json").object()["place"] == "settle"
    ran = lw("resume", "parts")
    assert ran.code == 0
    whole, parts = tree(deal), tree(here / "parts")
    names = {name for name in whole if name.startswith(("documents/", "transcript", "journal"))}
    assert {name: parts.get(name) for name in names} == {name: whole[name] for name in names}
    assert {name for name in parts if name.startswith("documents/")} <= names


@pytest.mark.parametrize("lines", [1, 30])
def test_a_run_cut_off_at_any_line_is_resumed_without_asking_again(lines: int, deal: Path, here: Path) -> None:
    shutil.copytree(deal, "cut")
    kept = journal(here / "cut")[:lines]
    (here / "cut" / "journal.jsonl").write_text("\n".join(kept) + '\n{"n":', encoding="utf-8")
    for name in ("transcript.md", "times.jsonl", "documents"):
        path = here / "cut" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert lw("resume", "cut", "--json").object()["status"] == "ended"
    for name, data in tree(deal).items():
        if name not in ("times.jsonl", "lock"):
            assert (here / "cut" / name).read_bytes() == data, name


def test_an_ended_run_has_nothing_to_go_on_with(deal: Path, here: Path) -> None:
    shutil.copytree(deal, "done")
    before = tree(here / "done")
    ran = lw("resume", "done")
    assert ran.code == 0
    assert "这次运行已经结束" in ran.err
    assert tree(here / "done") == before


def test_a_place_that_is_past_is_no_place_to_stop(deal: Path, here: Path) -> None:
    shutil.copytree(deal, "done")
    before = tree(here / "done")
    ran = lw("resume", "done", "--until", "settle")
    assert ran.code == 2
    assert "LW201" in ran.err
    assert tree(here / "done") == before


def test_replay_makes_the_files_anew(deal: Path, here: Path) -> None:
    shutil.copytree(deal, "done")
    before = tree(here / "done")
    (here / "done" / "transcript.md").write_text("涂改", encoding="utf-8")
    shutil.rmtree(here / "done" / "documents")
    ran = lw("replay", "done")
    assert ran.code == 0
    assert re.fullmatch(r"重放一致：\d+ 条事件，\d+ 个回复\n", ran.out)
    assert tree(here / "done") == before


def test_a_fork_replaces_a_document_and_stands_by_itself(civil: Path, here: Path) -> None:
    shutil.copytree(civil, "first")
    (here / "mine.md").write_text("民事起诉状\n\n这是换上的起诉状。\n", encoding="utf-8")
    found = lw("fork", "first", "--at", "FIT", "--replace", "complaint=mine.md", "--out", "second", "--json").object()
    assert found["status"] == "ended"
    shutil.rmtree(here / "first")
    assert lw("replay", "second").code == 0
    asked = [json.loads(line)["event"]["place"] for line in journal(here / "second") if '"kind":"asked"' in line]
    in_court = next(number for number, place in enumerate(asked, 1) if place.startswith("FIT/"))
    prompts = lw("show", "second", "--turn", str(in_court), "--prompt").out
    assert "这是换上的起诉状。" in prompts
    assert "这是换上的起诉状。" in (here / "second" / "documents" / "complaint-plaintiff-2.md").read_text("utf-8")
    info = (here / "second" / "run.yaml").read_text("utf-8")
    assert "parent: " in info and "at: FIT\n" in info
    kept = lw("show", "second", "--memory", "原告代理律师", "--json").object()
    dropped = {one["field"] for one in kept["writings"] if one["how"] == "drop"}
    assert dropped == {"claims", "positions", "procedural_progress"}  # written in sight of what was replaced
    assert kept["fields"]["claims"] == "" and kept["fields"]["facts"]


def test_resumed_with_changed_copies_it_refuses(here: Path) -> None:
    lw("run", "bargain", "--out", "done", "--until", "settle", "--json")
    copies = here / "done" / spec_copies.NAME
    texts = spec_copies.unpacked(copies.read_bytes())
    assert texts is not None and "还价" in texts["specs/bargain.yaml"]
    changed = texts | {"specs/bargain.yaml": texts["specs/bargain.yaml"].replace("还价", "议价")}
    copies.write_bytes(spec_copies.packed(changed))
    before = tree(here / "done")
    ran = lw("resume", "done")
    assert ran.code == 2
    assert "LW149" in ran.err and "lw fork" in ran.err
    assert tree(here / "done") == before


def test_two_processes_on_one_run_are_one_too_many(here: Path) -> None:
    lw("run", "bargain", "--out", "done", "--until", "settle", "--json")
    folder = RunFolder.open(here / "done")
    assert isinstance(folder, RunFolder)
    lock = folder.lock()
    assert not isinstance(lock, Diagnostic)
    with lock:
        ran = lw("resume", "done")
    assert ran.code == 2
    assert "LW142" in ran.err


# ---- run folders that cannot be used ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Damage:
    file: str
    old: str
    new: str
    code: str


DAMAGED = {
    "another version": Damage("run.yaml", "lw: 4", "lw: 3", "LW148"),
    "no yaml": Damage("run.yaml", "procedure: bargain", "procedure: [", "LW145"),
    "a key is missing": Damage("run.yaml", "seed: 0\n", "", "LW146"),
    "a key too many": Damage("run.yaml", "seed: 0\n", "seed: 0\ncolour: red\n", "LW147"),
    "the journal was edited": Damage("journal.jsonl", "榆木", "红木", "LW140"),
    "a copy was edited": Damage(spec_copies.NAME, "卖家", "商家", "LW149"),
    "the case is gone": Damage("case.json", "", "", "LW157"),
    "the journal is gone": Damage("journal.jsonl", "", "", "LW157"),
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("command", ["resume", "replay", "show"])
def test_a_damaged_run_folder_is_refused(name: str, command: str, deal: Path, here: Path) -> None:
    damage = DAMAGED[name]
    shutil.copytree(deal, "done")
    file = here / "done" / damage.file
    data, old, new = file.read_bytes(), damage.old.encode(), damage.new.encode()
    assert old in data
    file.write_bytes(data.replace(old, new)) if old else file.unlink()
    before = tree(here)
    ran = lw(command, "done")
    assert (ran.code, ran.out) == (2, "")
    assert damage.code in ran.err
    assert "Traceback" not in ran.err
    assert tree(here) == before


def test_a_rubric_is_checked_with_the_procedures_that_it_is_for(here: Path) -> None:
    assert lw("check", ROOT / "rubrics/simcourt-pairs.yaml").out.endswith("：criminal\n")
    text = (ROOT / "rubrics" / "simcourt.yaml").read_text(encoding="utf-8")
    (here / "specs").mkdir()
    (here / "rubrics").mkdir()
    for name, changed in (("other", text.replace("for: [criminal]", "for: [nobody]")), ("bad", text + "\nx: 1\n")):
        (here / "rubrics" / f"{name}.yaml").write_text(changed, encoding="utf-8")
    assert "没有一个叫 for 里的名字" in lw("check", "rubrics/other.yaml").out
    ran = lw("check", "rubrics/bad.yaml")
    assert ran.code == 2 and "rubrics/bad.yaml" in ran.err and "“x”" in ran.err
    (problem,) = json.loads(lw("check", "rubrics/bad.yaml", "--json").out)["problems"]
    assert problem["file"] == "rubrics/bad.yaml"


# ---- show, view, prompt ----------------------------------------------------------------------------------------------


def test_show_gives_for_each_call_exactly_what_was_sent(civil: Path) -> None:
    """The parts of its messages, joined, are the messages of the request that the interpreter made."""
    game = play("jiedai")
    for number in (1, 2, 20, 60, len(game.requests)):
        shown = lw("show", civil, "--turn", str(number), "--prompt").out
        heading, rest = shown.split("\n\n", 1)
        assert heading.startswith(f"第 {number} 次 · ")
        rest = re.sub(r"^--- 引入的模板\n(?:.* ← .*\n?)*", "", rest, flags=re.MULTILINE)
        sent = [part for part in re.split(r"^--- (?:system|user|assistant)\n", rest, flags=re.MULTILINE) if part]
        *messages, reply = ("\n\n".join(re.split(r"\n*^\[\S+.*\]\n", m, flags=re.MULTILINE)).strip() for m in sent)
        request = game.requests[number - 1]
        assert messages == [message.content.strip() for message in request.messages]
        assert reply == game.replies[number - 1].strip()


def test_show_and_view_agree_on_what_is_seen(civil: Path) -> None:
    listed = lw("show", civil).out
    number = re.findall(r"^ *(\d+)  extract_disputes", listed, re.MULTILINE)[0]
    shown = lw("show", civil, "--turn", number, "--view").out.split("\n\n", 1)[1].partition("--- assistant")[0]
    seen = lw("view", "civil", "--as", "judge", "--at", "FIT/preparation/extract_disputes").out
    assert seen.split("\n\n", 1)[1].strip() == shown.strip()


def test_every_line_of_the_list_fits_its_columns(civil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (80, 120, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = lw("show", civil).out.splitlines()
        assert max(map(width, lines)) <= columns
        starts = {re.match(r" *\d+  ", line)[0] for line in lines if re.match(r" *\d+  ", line)}  # type: ignore[index]
        assert {len(start) for start in starts} == {7}
    calls = sum('"kind":"asked"' in line for line in journal(civil))
    assert len([line for line in lines if re.match(r" +\d+  ", line)]) == calls


def test_violations_are_listed_with_who_and_what(here: Path) -> None:
    found = lw("run", "civil", "--model", "offline:noisy", "--out", "noisy", "--json").object()
    listed = lw("show", "noisy", "--violations").out.splitlines()
    assert len(listed) == found["violations"] > 10
    assert any("回复是空的" in line for line in listed)
    assert all(line.split()[0].count("/") >= 1 for line in listed)


def test_the_prompts_of_a_life_cycle_are_mostly_prefixes(civil: Path) -> None:
    total = lw("show", civil, "--tokens", "--json").object()["total"]
    assert total["shared"] / total["sent"] >= 0.85
    assert total["sent"] < 2_130_000  # docs/reliability.md


# ---- check, init -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["civil", "bargain"])
def test_the_shipped_procedures_are_without_fault(spec: str) -> None:
    ran = lw("check", spec)
    assert (ran.code, ran.err) == (0, f"程序读自随软件附带的 specs/{spec}.yaml（legalworld {__version__}）\n")
    assert ran.out.startswith(f"specs/{spec}.yaml：没有发现问题")
    reads = {"file": f"specs/{spec}.yaml", "project": None, "version": __version__}
    assert lw("check", spec, "--json").object() == {"errors": 0, "warnings": 0, "problems": [], "reads": reads}


def test_paths_in_messages_lead_there_from_where_one_is(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "mine" / "specs").mkdir(parents=True)
    (here / "mine" / "specs" / "bad.yaml").write_text("lw: 1\nprocedur: bad\n", encoding="utf-8")
    assert "mine/specs/bad.yaml:2:1: " in lw("check", "mine/specs/bad.yaml").err
    monkeypatch.chdir(here / "mine" / "specs")
    assert "\nbad.yaml:2:1: " in lw("check", "bad").err
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    err = lw("check", here / "mine" / "specs" / "bad.yaml").err
    assert f"{here}/mine/specs/bad.yaml:2:1: " in err
    assert "procedur: bad" in err


def test_init_copies_what_is_ours_to_edit_and_leaves_alone_what_was_edited(here: Path) -> None:
    first = lw("init", "mine")
    assert first.code == 0
    assert (here / "mine" / "specs" / "civil.yaml").read_bytes() == (ROOT / "specs" / "civil.yaml").read_bytes()
    spec = here / "mine" / "specs" / "bargain.yaml"
    spec.write_text(spec.read_text("utf-8").replace("title: 讨价还价", "title: 砍价"), encoding="utf-8")
    second = lw("init", "mine")
    assert "specs/bargain.yaml" in second.out
    assert "砍价" in spec.read_text("utf-8")


def test_in_a_folder_of_its_own_what_was_edited_is_what_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lw("init", "mine")
    monkeypatch.chdir(here / "mine")
    spec = here / "mine" / "specs" / "bargain.yaml"
    spec.write_text(spec.read_text("utf-8").replace("title: 讨价还价", "title: 砍价"), encoding="utf-8")
    who = here / "mine" / "prompts" / "zh" / "bargain" / "who" / "seller.j2"
    who.write_text("你是卖家老王。\n", encoding="utf-8")
    assert lw("run", "bargain", "--json").object()["run"] == "runs/bargain-bargain-1"
    assert "程序：砍价" in (here / "mine/runs/bargain-bargain-1/transcript.md").read_text("utf-8")
    assert "你是卖家老王。" in lw("prompt", "bargain", "--as", "seller", "--at", "haggle").out


# ---- words -----------------------------------------------------------------------------------------------------------

UI = {
    language: tomllib.loads((ROOT / "legalworld" / "wording" / f"{language}.toml").read_text(encoding="utf-8"))
    for language in ("zh", "en")
}


def test_both_languages_say_the_same_things() -> None:
    said = {name: set(table) for name, table in UI["en"].items() if name != "singular"}  # Chinese counts nothing apart
    assert {name: set(table) for name, table in UI["zh"].items()} == said
    for section, table in UI["zh"].items():
        for key, sentence in table.items():
            holes = [
                {name for _, name, _, _ in Formatter().parse(text) if name}
                for text in (sentence, UI["en"][section][key])
            ]
            assert holes[0] == holes[1], key


def test_every_sentence_is_said_somewhere() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "legalworld").rglob("*.py"))
    unsaid = {f"run.{key}" for key in UI["zh"]["run"] if f'"run.{key}"' not in code}
    assert unsaid == {
        *(f"run.{status}" for status in ("paused", "stopped", "interrupted")),
        *(f"run.tokens_{column}" for column in ("thread", "calls", "sent", "share", "schemas", "tokens")),
        *(f"run.turn_{asked}" for asked in ("again", "tools")),
        *(f"run.date_{known}" for known in ("case", "reckoned", "missing")),
        *(f"run.adjusted_{action}" for action in get_args(Action)),
    }
    keys = {key for key in UI["zh"]["transcript"] if f'"{key}"' not in code and f'"transcript.{key}"' not in code}
    assert keys == {
        *("day_missing", "day_past", "decided_by_nothing", "decided_by_tie", "decided_by_votes"),
        *("closed_budget", "closed_left"),
    }


def test_every_sentence_that_is_named_is_there() -> None:
    for path in (ROOT / "legalworld").rglob("*.py"):
        for section, key in re.findall(r'\bsay\(\s*"(\w+)\.(\w+)"', path.read_text(encoding="utf-8")):
            assert key in UI["zh"][section], f"{path}: {section}.{key}"


# ---- the real binary -------------------------------------------------------------------------------------------------

BINARY = [sys.executable, "-m", "legalworld"]


def run(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "LW_"))}
    return subprocess.run([*BINARY, *words], cwd=cwd, env={**env, **environment}, capture_output=True, check=False)


def test_the_main_job_ends_with_a_second_judgment_and_says_where_all_is(
    main_job: tuple[Path, subprocess.CompletedProcess[bytes]],
) -> None:
    folder, done = main_job
    out = done.stdout.decode()
    assert done.returncode == 0
    assert "运行结束：第二审判决为终审判决" in out
    paths = re.findall(r"runs/\S+\.md", out)
    assert "runs/civil-jiedai-1/transcript.md" in paths
    assert len(paths) == 9
    assert all((folder / path).is_file() for path in paths)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"LANG": "C.UTF-8"}, "there is no procedure"),
        ({"LANG": "zh_CN.UTF-8"}, "找不到"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "there is no procedure"),
    ],
)
def test_messages_come_in_the_language_of_the_environment(
    environment: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*filter(re.compile("LC_|LANG|LW_").match, os.environ), *environment):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = lw("check", "nosuch")
    assert ran.code == 2
    assert words in ran.err


def test_messages_can_be_written_where_the_locale_has_no_characters_for_them(here: Path) -> None:
    environment = {"LC_ALL": "C", "LW_LANG": "zh", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("check", "nosuch", cwd=here, **environment)
    assert done.returncode == 2
    assert "找不到" in done.stderr.decode("utf-8")


def test_a_reader_that_goes_away_is_no_error(here: Path) -> None:
    """What is told is more than a pipe holds."""
    words = [*BINARY, "specs", "civil", "--expanded"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, -signal.SIGPIPE)


def test_in_a_terminal_it_shows_stage_speaker_turns_and_tokens(here: Path) -> None:
    pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")
    spec = (ROOT / "specs" / "bargain.yaml").read_text(encoding="utf-8")
    head, steps = spec.split("    title: 成交\n")
    phase = indent("phases:\n  - phase: paper\n    title: 开单\n", "    ") + indent(steps, "    ")
    lw("init", ".")
    (here / "specs" / "bargain.yaml").write_text(f"{head}    title: 成交\n{phase}", encoding="utf-8")
    ours, theirs = pty.openpty()
    env = {**os.environ, "LW_LANG": "zh", "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "24"}
    with subprocess.Popen(
        [*BINARY, "run", "bargain"], cwd=here, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b"".join(_read(ours))
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert process.returncode == 0
    assert "—— 还价 ——" in text
    assert "卖家：《收据》" in text
    assert re.search(r"还价 · 买家 · 第 \d+ 次发言 · 约 [\d,]+ 词元", text)
    assert re.search(r"成交 开单 · 卖家 · 第 \d+ 次发言 · 约 [\d,]+ 词元", text)
    assert "运行结束：" in text
    assert "[" not in text.replace("[0m", "")


def _read(end: int) -> Iterator[bytes]:
    while True:
        try:
            part = os.read(end, 1 << 16)
        except OSError:  # the other side is closed
            return
        if not part:
            return
        yield part


def test_killed_outright_it_goes_on_where_it_was(deal: Path, here: Path) -> None:
    words = held.command(30, "run", "bargain", "--out", "killed", "--json")
    process = subprocess.Popen(words, cwd=here, stdout=subprocess.PIPE, text=True)
    held.until_held(process)
    process.kill()
    process.communicate()
    assert lw("resume", "killed", "--json").object()["status"] == "ended"
    assert (here / "killed" / "journal.jsonl").read_bytes() == (deal / "journal.jsonl").read_bytes()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_command_and_option_has_its_help(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", language)
    lacking = []
    for name, command in below((), program):
        context = click.Context(command, info_name=" ".join(name))
        if not command.get_short_help_str().strip():
            lacking.append(" ".join(name))
        for option in command.get_params(context):
            record = option.get_help_record(context) if isinstance(option, click.Option) else None
            if record is not None and not help_of(command, option, record):
                lacking.append(f"{' '.join(name)} {option.opts[-1]}")
    assert lacking == []


def below(path: tuple[str, ...], group: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(group, click.Group):
        return
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        assert one is not None
        yield (*path, name), one
        yield from below((*path, name), one)


def help_of(command: click.Command, option: click.Option, record: tuple[str, str]) -> str:
    return command._meaning(option) if isinstance(command, Command) else record[1]
