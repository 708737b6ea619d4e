"""The core does without the libraries that only figures need; one message says what to install."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from places import HANG, ROOT

from legalworld.cli import main
from legalworld.evaluation.metrics.intervals import proportion
from legalworld.language.extras import EXTRAS, lacking_extra

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = {"sklearn": "scikit-learn"}
BLOCKED = """
import sys
for name in {names!r}:
    sys.modules[name] = None
from legalworld.cli.main import main
main({words!r})
"""


@pytest.mark.parametrize("name", EXTRAS)
def test_an_extra_brings_what_it_is_named_for(name: str) -> None:
    package = PACKAGES.get(name, name)
    assert any(one.startswith(f"{package}>=") for one in PROJECT["optional-dependencies"][EXTRAS[name]])
    assert not any(one.startswith(package) for one in PROJECT["dependencies"])


@pytest.mark.parametrize("name", EXTRAS)
def test_the_locks_hold_it_all_the_same(name: str) -> None:
    """Who sets a checkout up has what the tests and reports need; runs need no editor."""
    package = PACKAGES.get(name, name)
    for lock in ("run", "dev") if EXTRAS[name] == "evaluation" else ("dev",):
        assert f"\n{package}==" in (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")


def without_them(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command where none of the libraries is installed."""
    code = BLOCKED.format(names=sorted(EXTRAS), words=list(words))
    told = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": HANG}
    return subprocess.run([sys.executable, "-c", code], cwd=folder, check=False, **told)  # type: ignore[call-overload,no-any-return]


def test_the_core_does_without_them(tmp_path: Path) -> None:
    """Checked, played, scored and shown; the figures of one case need no interval."""
    for words in (("check", "bargain"), ("run", "j1/kq", "--out", "run"), ("eval", "run"), ("show", "run", "--scores")):
        done = without_them(tmp_path, *words)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_command_that_needs_one_names_the_extra(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As what computes intervals raises it, where the library is not installed."""

    def computing(*_: object, **__: object) -> None:
        for name in EXTRAS:
            monkeypatch.setitem(sys.modules, name, None)
        proportion(37, 4111)  # of figures that nothing keeps

    monkeypatch.setenv("LW_LANG", language)
    monkeypatch.setattr(main.lw, "main", computing)
    with pytest.raises(SystemExit) as left:
        main.main(["eval"])
    told = capsys.readouterr().err
    assert left.value.code == 2 and "LW885" in told and "pip install 'legalworld[evaluation]'" in told


@pytest.mark.parametrize("name", ["numpy", "scipy.stats", "sklearn.metrics"])
def test_one_message_names_the_extra(name: str) -> None:
    problem = lacking_extra(ModuleNotFoundError("no", name=name))
    assert problem is not None and problem.code == "LW885" and problem.values["extra"] == "evaluation"


@pytest.mark.parametrize("name", ["pygls.lsp.server", "lsprotocol"])
def test_another_message_names_that_of_editors(name: str) -> None:
    problem = lacking_extra(ModuleNotFoundError("no", name=name))
    assert problem is not None and problem.code == "LW463" and problem.values["extra"] == "editor"


@pytest.mark.parametrize("error", [ModuleNotFoundError("no", name="mine"), ModuleNotFoundError(), ImportError("numpy")])
def test_what_else_is_missing_is_no_extra(error: ImportError) -> None:
    assert lacking_extra(error) is None
