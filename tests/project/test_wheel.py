"""The wheel, installed outside any checkout, runs the main job and carries the experts' files. No network is needed."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT

from legalworld import __version__

EXPERT_FOLDERS = (
    "specs",
    "prompts",
    "personas",
    "rubrics",
    "checks",
    "interventions",
    "studies",
    "cases",
    "bindings",
    "skills",
    "documents",
    "norms",
)
LITTER = {"__pycache__", ".DS_Store"}


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that must exit 0; its standard error is the message when it does not."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment["PYTHONUTF8"] = "1"
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(source: Path, out: Path) -> Path:
    """The wheel of a source tree, by the build backend of the lock."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-index")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", out, source, cwd=out)
    (wheel,) = out.glob("legalworld-*.whl")
    return wheel


def content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def tree(folder: Path) -> dict[str, bytes]:
    """The files below a folder by their path in it; none when the folder is missing."""
    files = (path for path in folder.rglob("*") if path.is_file() and not LITTER.intersection(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def expert_files() -> dict[str, bytes]:
    return {f"{name}/{path}": data for name in EXPERT_FOLDERS for path, data in tree(ROOT / name).items()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def lw(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `lw` of a fresh environment that holds the wheel and sees the dependencies of this one."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    # A .pth file inside a folder that a .pth file names is not read: the editable install of the checkout stays unseen.
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    (site / "dependencies.pth").write_text("\n".join(sysconfig.get_path(kind) for kind in ("purelib", "platlib")))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    # --ignore-installed: through the .pth file, pip takes the checkout's editable install for an older one to remove.
    options = ("--quiet", "--no-index", "--no-deps", "--no-compile", "--ignore-installed")
    run(*pip, "install", *options, wheel, cwd=home)
    assert run(python, "-c", "import legalworld; print(legalworld.__file__)", cwd=home).startswith(str(site))
    return scripts / "lw"


def test_the_wheel_carries_every_expert_file(wheel: Path) -> None:
    inside, expected = content(wheel), expert_files()
    assert expected
    assert {name: inside.get(f"legalworld/{name}") for name in expected} == expected


def test_the_wheel_carries_the_package_and_nothing_else(wheel: Path) -> None:
    inside = content(wheel)
    assert {name.split("/")[0] for name in inside} == {"legalworld", f"legalworld-{__version__}.dist-info"}
    assert "cli.py" not in inside
    assert {"legalworld/py.typed", "legalworld/__init__.pyi"} <= set(inside)
    ours = {f"legalworld/{name}" for name in tree(ROOT / "legalworld").keys() | expert_files().keys()}
    assert {name for name in inside if name.startswith("legalworld/")} == ours


def test_the_sdist_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path, cwd=ROOT)
    (sdist,) = tmp_path.glob("legalworld-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)  # our own archive; the filter came with Python 3.11.4
    source = tmp_path / sdist.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path, cwd=source)
    (same,) = tmp_path.glob("legalworld-*.whl")
    assert content(same) == content(wheel)


def test_installed_lw_runs_the_civil_procedure(lw: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(lw, "run", "civil", "--out", out, cwd=tmp_path)
    assert (out / "transcript.md").read_text(encoding="utf-8").strip()


DOOR = """
import legalworld as lw
problems = lw.open_project().check("bargain")
assert problems == (), lw.worded(problems)
run = lw.open_project().procedure("bargain").play(actors={"buyer": lambda request: "600"})
assert run.status == "ended" and run.turns().rows, run
print(run.folder)
"""


def test_installed_package_checks_plays_scores_and_opens_its_door(lw: Path, tmp_path: Path) -> None:
    run(lw, "check", "civil", cwd=tmp_path)
    run(lw, "run", "j1/kq", "--out", "kq", cwd=tmp_path)
    assert run(lw, "eval", "kq", cwd=tmp_path).strip()
    folder = run(lw.parent / "python", "-c", DOOR, cwd=tmp_path).strip()
    assert folder == str(tmp_path / "runs" / "bargain-bargain-1")
    registered = "from importlib.metadata import entry_points as e; print(len(e(group='legalworld.rules')))"
    assert int(run(lw.parent / "python", "-c", registered, cwd=tmp_path)) >= 20


def test_installed_lw_init_copies_the_expert_folders(lw: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine"
    run(lw, "init", copy, cwd=tmp_path)
    copied = tree(copy)
    assert {name: copied.get(name) for name in expert_files()} == expert_files()
    run(lw, "check", "specs/civil.yaml", cwd=copy)
