"""What a command is told under one name has one value: a second, different one is refused before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import lw

from legalworld.language.name_values import name_values, said_once

SAYS = {
    "--option": ("kind=a", "kind=b"),
    "--set": ("name=a", "name = b"),
    "--answer": ("agreed=yes", "agreed=no"),
    "--model": ("judge=offline", "judge=offline:noisy"),
    "--set-model": ("temperature=1", "temperature=0.5"),
    "--tools": ("native", "text"),
    "--budget": ("tokens:5", "tokens:6"),
    "--price": ("some=1/2", "some=1/3"),
    "--limit": ("some=requests:5", "some=requests:6"),
}
COMMANDS = {
    "run": ("--option", "--set", "--answer", "--model", "--set-model", "--tools"),
    "batch": ("--option", "--model", "--set-model", "--budget", "--price", "--limit"),
    "snapshot": ("--option", "--set"),
    "cost": ("--option", "--model", "--price"),
}


@pytest.mark.parametrize(("command", "option"), [(c, o) for c, options in COMMANDS.items() for o in options])
@pytest.mark.parametrize("turned", [False, True])
def test_a_second_value_is_refused(
    command: str, option: str, turned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = SAYS[option][::-1] if turned else SAYS[option]
    out = ("--out", "out") if command in ("run", "batch") else ()
    told = lw(command, "civil", option, first, option, second, *out)
    assert told.code == 2 and "LW612" in told.said and option in told.said
    assert not list(tmp_path.iterdir())


def test_the_same_value_twice_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--model", "judge=offline"] * 2
    told = lw("run", "civil", *words, "--until", "LC", "--out", "out")
    assert told.code == 0, told.said


NAMES = st.text("abc模式", min_size=1, max_size=3)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=6))
def test_a_mapping_keeps_all_that_was_said_or_is_none(pairs: list[tuple[str, str]]) -> None:
    read = name_values([f"{name}={value}" for name, value in pairs], "--option")
    if isinstance(read, dict):
        assert set(read.items()) == set(pairs)
    else:
        assert len({value for _, value in pairs}) > 1
        assert {one.values["name"] for one in read} == {
            name for name, _ in pairs if len({v for n, v in pairs if n == name}) > 1
        }
    assert said_once(pairs, "--option") == (read if isinstance(read, tuple) else ())
