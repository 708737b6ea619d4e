"""What is told of a command that is mistyped, or names what there is not: its code, in both languages, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT
from typed import lw

COMMANDS = [
    ("LW203", "nosuch"),
    ("LW204", "run bargain --nosuch"),
    ("LW205", "run"),
    ("LW206", "run bargain --seed x"),
    ("LW207", "run bargain --seed"),
    ("LW208", "run bargain extra more"),
    ("LW200", "run bargain --model offline:nosuch --out OUT/a"),
    ("LW195", "show OUT/r --turn 99"),
    ("LW196", "show OUT/r --as Nobody"),
    ("LW187", "fork OUT/r --at haggle --replace nosuch=README.md --out OUT/f"),
    ("LW202", "fork OUT/r --at haggle/offer --replace receipt=README.md --out OUT/g"),
    ("LW324", "eval OUT/r --rubric nosuch"),
    ("LW331", "eval OUT/r"),
    ("LW620", "cost bargain"),
    ("LW621", "cost bargain --reply x"),
    ("LW508", "run bargain --budget dollars:1 --model openai/nosuch --out OUT/h"),
    ("LW677", "models try offline"),
    ("LW749", "export OUT/r --format nosuch"),
    ("LW727", "explain LW9999"),
    ("LW729", "fmt README.md"),
]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a run, for commands that need one."""
    folder = tmp_path_factory.mktemp("out")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        assert lw("run", "bargain", "--out", folder / "r").code == 0
    yield folder


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize(("code", "command"), COMMANDS, ids=[code for code, _ in COMMANDS])
def test_a_wrong_command_is_told(
    code: str, command: str, locale: str, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("LW_LANG", locale)
    ran = lw(*command.replace("OUT", str(out)).split())
    assert ran.code == 2 and code in ran.err, ran.said
    assert "Traceback" not in ran.err
    assert ("\n改法：" if locale == "zh" else "\nFix: ") in ran.err
