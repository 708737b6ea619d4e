"""Run the steps of the Containerfile in a bare environment, without an image: what they copy, what they install.

    make container-steps

Each folder of the image lies below a temporary one, `python` is a fresh environment of this machine's Python. The
files are those that git knows. At the end the entry point plays a case and checks a procedure in the working folder.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from places import ROOT

KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT"}


def steps(text: str) -> Iterator[tuple[str, str]]:
    """(instruction, what it says) in order. ValueError for one that this does not know how to follow."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, said = line.partition(" ")
            if word not in KNOWN:
                raise ValueError(line)
            yield word, said.strip()


def follow(home: Path) -> None:
    """Follow every step, then call the entry point."""
    bare = home / "python"
    venv.create(bare, with_pip=True, clear=True, symlinks=os.name != "nt")
    scripts = bare / ("Scripts" if os.name == "nt" else "bin")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL", "LW_"))}
    kept["PATH"] = f"{scripts}{os.pathsep}{os.defpath}"
    folder, entry = home, ""
    for word, said in steps((ROOT / "Containerfile").read_text("utf-8")):
        match word:
            case "WORKDIR":
                folder = home / said.lstrip("/")
                folder.mkdir(parents=True, exist_ok=True)
            case "COPY":
                source, target = said.split()
                _copy(source, folder / target)
            case "RUN":
                print(f"RUN {said}", flush=True)
                subprocess.run(shlex.split(said), cwd=folder, env=kept, check=True)
            case "ENTRYPOINT":
                (entry,) = json.loads(said)
    for words in (("--version",), ("run", "bargain", "--out", "run"), ("check", "civil")):
        print("ENTRYPOINT", *words, flush=True)
        subprocess.run([scripts / entry, *words], cwd=folder, env=kept, check=True)


def _copy(source: str, target: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z", source], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode("utf-8").split("\0")):
        there = target if name == source else target / name
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, there)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="lw-container-") as home:
        follow(Path(home))
    print(f"every step was done, with Python {sys.version.split()[0]}")
