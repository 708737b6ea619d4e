"""`legalworld.toml`: what `lw init` writes is read by every command, and what is wrong in it is told in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import lw

from legalworld.files.project_settings import MOST, read_settings
from legalworld.model.version import __version__


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "specs").mkdir()
    return tmp_path


def codes(folder: Path, text: str | bytes) -> list[str]:
    (folder / "legalworld.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return [one.code for one in read_settings(folder).problems]


def test_what_init_writes_knows_itself_and_is_told_of_nothing(here: Path) -> None:
    assert lw("init", "mine").code == 0
    mine = here / "mine"
    read = read_settings(mine)
    assert (read.package, read.models, read.problems) == (__version__, "", ())
    assert "runs/" in (mine / ".gitignore").read_text("utf-8").split()
    recipe = (mine / ".github" / "workflows" / "check.yml").read_text("utf-8")
    assert f'legalworld=={__version__}"' in recipe and "lw check ." in recipe
    assert not any("@VERSION@" in file.read_text("utf-8") for file in (mine / "legalworld.toml", mine / ".gitignore"))


def test_a_file_of_ones_own_is_left_alone(here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "legalworld.toml").write_text('lw = 1\nmodels = "night"\n')
    assert "legalworld.toml" in lw("init", "mine").said
    assert read_settings(here / "mine").models == "night"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("lw = 1\n", []),
        (f'lw = 1\npackage = "{__version__}"\n', []),
        ('lw = 1\npackage = "0.0.9"\n', ["LW617"]),
        ('lw = 1\npackage = "99.0"\n', ["LW617"]),
        ("", ["LW614"]),
        ("lw = 2\n", ["LW614"]),
        ("lw = true\n", ["LW614"]),
        ('lw = "1"\n', ["LW614"]),
        ('lw = 1\nmodel = "x"\n', ["LW615"]),
        ("lw = 1\npackage = 1\n", ["LW616"]),
        ('lw = 1\nmodels = ["a"]\n', ["LW616"]),
        ("lw = 1\n[models]\nset = 'a'\n", ["LW616"]),
        ("lw = 1\nlw = 1\n", ["LW613"]),
        ("lw = \n", ["LW613"]),
        ("lw = " + "[" * 5000, ["LW613"]),
        (b"\xff\xfe\x00\x01", ["LW613"]),
        ("#" * (MOST + 1), ["LW304"]),
    ],
)
def test_what_is_wrong_is_told(here: Path, text: str | bytes, told: list[str]) -> None:
    if told == ["LW304"]:
        assert len(codes(here, text)) == 1
    else:
        assert codes(here, text) == told


@given(st.binary(max_size=80))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_told(here: Path, data: bytes) -> None:
    codes(here, data)


def test_every_command_that_reads_a_procedure_says_it_once(here: Path) -> None:
    (here / "legalworld.toml").write_text('lw = 1\npackage = "0.0.9"\n')
    (here / "specs" / "own.yaml").write_text("lw: 1\n")
    for words in (("check", "own"), ("view", "own", "--as", "judge", "--at", "x")):
        assert lw(*words).said.count("LW617") == 1
    told = lw("check", "own", "--json")
    assert told.err == "" and told.object()["reads"]["warnings"][0]["code"] == "LW617"
    (here / "legalworld.toml").write_text("lw = 3\n")
    ended = lw("check", "own")
    assert ended.code == 2 and "LW614" in ended.said


def test_the_projects_set_of_models_plays_where_nobody_is_named(here: Path) -> None:
    (here / "legalworld.toml").write_text('lw = 1\nmodels = "night"\n')
    (here / "models.yaml").write_text("lw: 1\nmodels: {}\nsets:\n  night: {others: 'offline:noisy'}\n")
    assert "LW661" in lw("run", "bargain", "--models", "nosuch", "--out", "a").said
    assert lw("run", "bargain", "--model", "offline", "--out", "b").code == 0
    assert "noisy" not in (here / "b" / "run.yaml").read_text("utf-8")
    ran = lw("run", "bargain", "--out", "c")
    assert ran.code == 0, ran.said
    assert "noisy" in (here / "c" / "run.yaml").read_text("utf-8")
    (here / "legalworld.toml").write_text('lw = 1\nmodels = "gone"\n')
    assert "LW661" in lw("run", "bargain", "--out", "d").said
