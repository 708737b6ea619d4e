"""Every command of the workbench, given files that nobody should have written: told in words, with a place or a repair.

Never a traceback, never a hang; what is wrong leads to exit code 2 (1 where a check or a comparison found something).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT
from typed import Ran, lw

from legalworld.files.project_files import init

SPEC = "specs/bargain.yaml"
GOOD = (ROOT / SPEC).read_text("utf-8")
DEEP = 3000
STRANGE: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(random.Random(5).randbytes(4096)),
    "zeros": b"\0" * 2048,
    "huge": b"# " + b"x" * (1 << 21) + b"\n" + GOOD.encode(),
    "long list": b"lw: 1\nprocedure: x\nstages:\n" + b"  - stage: s\n" * 20_000,
    "deep": b"a: " + b"[" * DEEP + b"]" * DEEP,
    "indented": b"".join(b" " * n + b"k:\n" for n in range(400)),
    "cyclic": b"lw: 1\nprocedure: bargain\nextends: bargain\ninclude: bargain.yaml\n",
    "aliases": b"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "foreign": b"apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers: [{image: nginx}]\n",
    "tagged": b"!!python/object/apply:os.system ['touch sprung']\n",
    "utf-16": GOOD.encode("utf-16"),
    "gb18030": GOOD.encode("gb18030"),
    "json": b'{"lw": 1, "procedure": ["x", {"y": null}]}',
    "table": b"PK\x03\x04" + b"\0" * 60,
    "half": GOOD.encode()[: len(GOOD.encode()) * 2 // 3],
    "half key": GOOD.replace("stages:", "stag").encode(),
    "half step": GOOD.replace("buyer and seller converse", "buyer and se").encode(),
}
AS_IT_SAYS = frozenset({"huge", "utf-16", "gb18030"})  # they are what they are read as: nothing is wrong with them
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("fmt", SPEC, "--check"),
    ("fmt", SPEC, "--check", "--keywords", "zh"),
    ("diff", "bargain@HEAD"),
    ("diff", "bargain", "smallclaims"),
    ("diff", "smallclaims", "bargain", "--format", "html", "--out", "told.html"),
    ("explain", "bargain"),
    ("explain", "bargain", "--format", "docx", "--out", "told.docx"),
    ("impact", "--specs", "bargain"),
    ("snapshot", "bargain"),
    ("test", "bargain"),
    ("check", "bargain", "--strict"),
    ("check", "bargain", "--format", "sarif"),
    ("check", "specs", "--format", "github"),
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project of one's own under git."""
    folder = tmp_path_factory.mktemp("small")
    init(folder)
    for file in (folder / "specs").rglob("*.yaml"):
        if not file.name.startswith(("bargain", "smallclaims")):
            file.unlink()
    shutil.copytree(ROOT / "snapshots" / "bargain", folder / "snapshots" / "bargain")
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "as shipped")):
        subprocess.run([*git, *words], cwd=folder, check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture
def project(made: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(made)
    yield made
    for words in (("checkout", "-q", "-f", "main", "--", "."), ("clean", "-q", "-f", "-d")):
        subprocess.run(["git", *words], cwd=made, check=True, capture_output=True, timeout=120)


def told(found: Ran) -> str:
    """What a person was told; it names no part of the program."""
    text = f"{found.out}\n{found.err}"
    assert "Traceback" not in text and "Error:" not in text and ".py" not in text, text
    return text


# Two commands for each file, so that each command comes up with some; all of them with all: LW_BAD=1.
EACH = len(COMMANDS) if os.environ.get("LW_BAD") else 2
PAIRS = [
    (kind, COMMANDS[(number * 5 + more) % len(COMMANDS)]) for number, kind in enumerate(STRANGE) for more in range(EACH)
]


def test_every_command_comes_up() -> None:
    assert {command for _, command in PAIRS} == set(COMMANDS)


@pytest.mark.parametrize(("kind", "command"), PAIRS, ids=lambda one: one if isinstance(one, str) else " ".join(one))
def test_a_strange_procedure_is_told_by_every_command(kind: str, command: tuple[str, ...], project: Path) -> None:
    (project / SPEC).write_bytes(STRANGE[kind])
    found = lw(*command)
    text = told(found)
    assert found.code in (0, 1, 2)
    if kind not in AS_IT_SAYS and command[0] not in ("fmt", "diff", "impact"):
        assert found.code != 0
        assert "bargain" in text
    assert (project / SPEC).read_bytes() == STRANGE[kind], "nobody asked for it to be written"
    assert not (project / "sprung").exists()


@pytest.mark.parametrize("kind", STRANGE)
def test_a_layout_is_written_whole_or_not_at_all(kind: str, project: Path) -> None:
    (project / SPEC).write_bytes(STRANGE[kind])
    found = lw("fmt", SPEC)
    told(found)
    if found.code:
        assert (project / SPEC).read_bytes() == STRANGE[kind]


# ---- tests and snapshots ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", STRANGE)
def test_strange_tests_and_ways_are_told(kind: str, project: Path) -> None:
    for path, command in (
        ("specs/bargain.test.yaml", ("test", "bargain")),
        ("snapshots/bargain/bargain/ways.yaml", ("snapshot", "bargain")),
    ):
        (project / path).write_bytes(STRANGE[kind])
        found = lw(*command)
        assert "bargain" in told(found)
        assert found.code != 0, (command, found.out)


def test_snapshots_of_another_procedure_are_told(project: Path) -> None:
    ways = project / "snapshots" / "bargain" / "bargain" / "ways.yaml"
    text = ways.read_text("utf-8")
    for other in ("smallclaims", "nowhere"):
        ways.write_text(text.replace("snapshots: bargain", f"snapshots: {other}"), encoding="utf-8")
        found = lw("snapshot", "bargain")
        assert found.code != 0
        assert other in told(found) or "bargain" in told(found)
    ways.write_text(text.replace("case: bargain", "case: nowhere"), encoding="utf-8")
    found = lw("snapshot", "bargain")
    assert found.code == 2 and "nowhere" in told(found)


# ---- without git, and what revisions do not hold ---------------------------------------------------------------------
def test_diff_tells_what_it_cannot_compare_with(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for word in (
        "bargain@mian",
        "bargain@HEAD~99",
        "nowhere@HEAD",
        "bargain@",
        "../bargain@HEAD",
        "bargain@--output=x",
    ):
        found = lw("diff", word)
        assert found.code == 2, word
        told(found)
    (project / SPEC).unlink()
    assert "comes with the package" in told(lw("diff", "bargain@HEAD")), (
        "the package's own stands in for it, and is said to"
    )
    (project / "specs" / "smallclaims.yaml").rename(project / "specs" / "mine.yaml")
    assert lw("diff", "mine@HEAD").code == 2, "it was not there"
    told(lw("diff", "mine@HEAD"))
    (project / SPEC).write_text(GOOD.replace("at most: 6 turns", "at most: 8 turns"), encoding="utf-8")
    assert lw("diff", "bargain@HEAD").code == 1, "a dirty tree is compared as it is"
    shutil.copytree(project / "specs", tmp_path / "specs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    found = lw("diff", "bargain@HEAD")
    assert found.code == 2 and "git" in told(found)
