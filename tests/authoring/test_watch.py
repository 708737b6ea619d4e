"""What is shown again when a file is saved: the changed lines and no others, for every kind of saving."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.authoring.watch import marked, saved, stamps
from legalworld.files.project_files import init

LINES = st.lists(st.sampled_from(["甲", "乙", "", "a b", "--- system", "丙"]), max_size=40).map("\n".join)


@given(LINES, LINES)
def test_the_marked_lines_are_the_difference(before: str, now: str) -> None:
    """What is kept and added is the new text, what is kept and gone the old one, as many left out as is said."""
    pieces = list(marked(before, now))
    left_out = sum(int(line) for mark, line in pieces if mark == "…")
    for sign, text in (("+", now), ("-", before)):
        lines = [line for mark, line in pieces if mark in (" ", sign)]
        assert len(lines) + left_out == len(text.splitlines())
        rest = iter(text.splitlines())
        assert all(line in rest for line in lines), "in their order"
    if before == now:
        assert all(mark in (" ", "…") for mark, _ in pieces)
    assert before.splitlines() == now.splitlines() or any(mark in "+-" for mark, _ in pieces)


def rewrite(path: Path) -> None:
    path.write_text("another: text\n", "utf-8")


def replace_as_editors_do(path: Path) -> None:
    beside = path.with_name(path.name + "~")
    beside.write_text("another: text\n", "utf-8")
    os.replace(beside, path)


def take_away(path: Path) -> None:
    path.unlink()


def make_beside(path: Path) -> None:
    (path.parent / "new" / "deep").mkdir(parents=True)
    (path.parent / "new" / "deep" / "one.yaml").write_text("a: b\n", "utf-8")


def save_many(path: Path) -> None:
    for n in range(30):
        (path.parent / f"n{n}.yaml").write_text("a: b\n", "utf-8")


@pytest.mark.parametrize("change", [rewrite, replace_as_editors_do, take_away, make_beside, save_many])
def test_each_kind_of_saving_is_noticed_once(tmp_path: Path, change: Callable[[Path], None]) -> None:
    init(tmp_path)
    file = tmp_path / "specs" / "bargain.yaml"
    before = stamps(tmp_path)
    looks = saved(tmp_path, before, pause=0.05)
    threading.Timer(0.2, change, (file,)).start()
    changed = next(looks)
    now = stamps(tmp_path)
    wanted = {path for path in {*before, *now} if before.get(path) != now.get(path)}
    seen = set(changed)
    while seen != (all_ := {os.path.relpath(path, tmp_path) for path in wanted}):  # a busy machine saves in two steps
        assert seen < all_
        seen |= set(next(looks))


def test_what_no_expert_writes_is_not_looked_at(tmp_path: Path) -> None:
    init(tmp_path)
    before = stamps(tmp_path)
    for name in (".bargain.yaml.swp", "bargain.yaml~", "__pycache__/x.pyc", ".git/HEAD"):
        path = tmp_path / "specs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x", "utf-8")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "journal.jsonl").write_text("{}", "utf-8")
    assert stamps(tmp_path) == before


@pytest.mark.slow
def test_the_command_shows_the_new_line_tells_an_error_and_goes_on(tmp_path: Path) -> None:
    init(tmp_path)
    spec, cue = tmp_path / "specs" / "bargain.yaml", tmp_path / "prompts" / "zh" / "bargain" / "who" / "buyer.j2"
    words = [sys.executable, "-m", "legalworld", "watch", "bargain", "--as", "buyer", "--at", "haggle"]
    env = {**os.environ, "LW_LANG": "en", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        words, cwd=tmp_path, env=env, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as lw:
        assert lw.stdout is not None
        guard = threading.Timer(240, lw.kill)
        guard.start()

        def until(text: str) -> str:
            told = ""
            for line in lw.stdout or ():
                told += line
                if text in line:
                    return told
            raise AssertionError(told)

        first = until("Waiting for files")
        assert "tokens" in first and "Traceback" not in first
        cue.write_text(cue.read_text("utf-8").rstrip("\n") + "一句新话。\n", "utf-8")
        told = until("tokens (")
        assert [line for line in told.splitlines() if line.startswith("+")]
        assert all("一句新话。" in line for line in told.splitlines() if line.startswith("+"))
        whole = spec.read_text("utf-8")
        spec.write_text(whole + "  bad\n", "utf-8")
        assert "LW017" in until("Fix:")
        spec.write_text(whole, "utf-8")
        assert "The prompt is as it was." in until("tokens (")
        guard.cancel()
        lw.terminate()


def test_without_a_project_it_is_told_that_nothing_can_be_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from legalworld.cli.main import lw

    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(lw, ["watch", "bargain", "--as", "buyer", "--at", "haggle"])
    assert ended.exit_code == 2 and "LW242" in ended.stderr
