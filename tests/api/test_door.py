"""The public door: its names, what importing it costs, its pages, and how its errors read."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import HANG, ROOT

import legalworld as lw

STUB = ROOT / "legalworld" / "__init__.pyi"
PAGES = (ROOT / "docs" / "python.md", ROOT / "docs" / "en" / "python.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def declared() -> set[str]:
    """The names that type checkers know."""
    tree = ast.parse(STUB.read_text("utf-8"))
    return {name.asname or name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}


def test_the_stub_declares_what_the_module_has() -> None:
    served = set(lw._DOOR)  # type: ignore[attr-defined]
    assert declared() == served | {"__version__"}
    assert served <= set(dir(lw))


@pytest.mark.parametrize("name", sorted(lw._DOOR))  # type: ignore[attr-defined]
def test_a_name_is_what_the_stub_says(name: str) -> None:
    tree = ast.parse(STUB.read_text("utf-8"))
    (module,) = (node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name == name)
    assert lw._DOOR[name] == module  # type: ignore[attr-defined]
    found = getattr(lw, name)
    assert not isinstance(found, type) or found.__module__ == f"legalworld.{module}"


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="play_everything"):
        lw.play_everything  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, json; before = set(sys.modules)\nimport legalworld\n"
    code += "print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG, check=True)
    ours = {name for name in json.loads(done.stdout) if name.partition(".")[0] == "legalworld"}
    assert ours == {"legalworld", "legalworld.model", "legalworld.model.version"}


def test_playing_offline_loads_no_litellm_and_no_numbers(tmp_path: Path) -> None:
    code = "import legalworld as lw, sys\nlw.open_project().procedure('bargain').play()\n"
    code += "assert not {'litellm', 'numpy', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=HANG, check=True)


# ---- the pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every block of it, one after another, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    blocks = BLOCK.findall(page.read_text("utf-8"))
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert len(blocks) == 4
    assert names["run"].status == "ended"  # type: ignore[attr-defined]
    assert names["run"].folder == tmp_path / "runs" / "broken"  # type: ignore[attr-defined]
    assert "LW879" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_page_names_all_that_is_public(page: Path) -> None:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)[`(]", row.split("|")[1])}
    assert named == set(lw._DOOR)  # type: ignore[attr-defined]


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "place", "code"),
    [
        ({"until": "haggel"}, "until", "LW186"),
        ({"actors": {"byer": "offline"}}, "actors", "LW182"),
        ({"actors": "offline:loud"}, "actors", "LW200"),
        ({"options": {"shielded": "yes"}}, "options", "LW183"),
        ({"target": "bailiff"}, "target", "LW185"),
        ({"budget": {"tokens": 0}}, "budget", "LW"),
        ({"case": "jiedia"}, "jiedia", "LW152"),
    ],
    ids=str,
)
def test_what_is_asked_amiss_is_told_at_its_argument(
    how: dict[str, object], place: str, code: str, tmp_path: Path
) -> None:
    bargain = lw.open_project(tmp_path).procedure("bargain")
    with pytest.raises(lw.LegalWorldError) as raised:
        bargain.play(**how)  # type: ignore[arg-type]
    problem = raised.value.problems[0]
    assert (problem.span.file, problem.code[: len(code)]) == (place, code)
    zh, en = raised.value.render("zh"), raised.value.render("en")
    assert problem.code in zh and problem.code in en and zh != en
    assert not (tmp_path / "runs").exists()


def test_a_folder_that_is_not_there_and_a_procedure_with_errors(tmp_path: Path) -> None:
    with pytest.raises(lw.LegalWorldError) as raised:
        lw.open_project(tmp_path / "nowhere")
    assert "nowhere" in str(raised.value)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "odd.yaml").write_text("procedure: odd\nstagess: {}\n", encoding="utf-8")
    project = lw.open_project(tmp_path)
    with pytest.raises(lw.LegalWorldError) as raised:
        project.procedure("odd")
    assert "stagess: {}\n^^^^^^^" in raised.value.render("en"), "the line of the file is shown"
    assert project.check("odd") == raised.value.problems
    assert {one.code for one in project.check()} >= {one.code for one in project.check("odd")}
    assert "odd" in project.procedures and "civil" in project.procedures
