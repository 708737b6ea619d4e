"""The extension for VS Code: how it calls the server, its snippets, its archive, and the client itself under Node."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import HANG, ROOT

from legalworld.authoring.picture import Picture
from legalworld.authoring.told import diagnostics

FOLDER = ROOT / "editors" / "vscode"
BUILT = FOLDER / "dist" / "extension.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
needs_build = pytest.mark.skipif(not BUILT.exists(), reason="the extension is not built (make vscode)")
PLACEHOLDER = re.compile(r"\$\{\d+:([^}]*)\}")


@needs_node
@pytest.mark.parametrize(
    ("setting", "folders", "platform", "there", "called"),
    [
        ([], [], "linux", [], ["lw", "lsp"]),
        ([], ["/a", "/b"], "linux", ["/b/.venv/bin/lw"], ["/b/.venv/bin/lw", "lsp"]),
        ([], ["C:\\a"], "win32", ["C:\\a\\.venv\\Scripts\\lw.exe"], ["C:\\a\\.venv\\Scripts\\lw.exe", "lsp"]),
        (["uv", "run", "lw", "lsp"], ["/b"], "linux", ["/b/.venv/bin/lw"], ["uv", "run", "lw", "lsp"]),
        ("lw lsp", [], "linux", [], ["lw", "lsp"]),
        ([1], [], "linux", [], ["lw", "lsp"]),
    ],
)
def test_the_server_is_called_as_it_is_set_or_found(
    setting: object, folders: list[str], platform: str, there: list[str], called: list[str]
) -> None:
    script = (
        f"const {{serverOf}} = require({json.dumps(str(FOLDER / 'src' / 'server.js'))});"
        f"const there = {json.dumps(there)};"
        f"console.log(JSON.stringify(serverOf({json.dumps(setting)}, {json.dumps(folders)}, {json.dumps(platform)},"
        " (file) => there.includes(file))))"
    )
    done = subprocess.run([str(NODE), "-e", script], capture_output=True, text=True, timeout=HANG, check=True)
    assert json.loads(done.stdout) == called


@pytest.mark.parametrize("name", ["procedure", "程序"])
def test_a_procedure_begun_from_a_snippet_is_sound(name: str) -> None:
    snippet = json.loads((FOLDER / "snippets" / "specs.json").read_text("utf-8"))[name]
    words = "\n".join(snippet["body"])
    while PLACEHOLDER.search(words):
        words = PLACEHOLDER.sub(r"\1", words)
    picture = Picture.of({"specs/new.yaml": words + "\n"})
    assert diagnostics(picture, "specs/new.yaml", proved=False).problems == ()


def test_every_snippet_is_whole() -> None:
    snippets = json.loads((FOLDER / "snippets" / "specs.json").read_text("utf-8"))
    for name, snippet in snippets.items():
        assert snippet.keys() == {"prefix", "description", "body"}, name
        assert "$" not in PLACEHOLDER.sub("", "\n".join(snippet["body"])), name


@needs_build
def test_the_archive_holds_all_that_it_names_and_is_the_same_each_time(tmp_path: Path) -> None:
    made = []
    for name in ("one.vsix", "two.vsix"):
        subprocess.run([sys.executable, FOLDER / "pack.py", tmp_path / name], check=True, timeout=HANG)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    with zipfile.ZipFile(tmp_path / "one.vsix") as archive:
        names = set(archive.namelist())
        root = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        package = json.loads(archive.read("extension/package.json"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        assert b"Microsoft Corporation" in archive.read("extension/NOTICES.txt")
    assert {asset.get("Path") for asset in root.iter() if asset.tag.endswith("Asset")} <= names
    wanted = [package["main"], *(one["path"] for one in package["contributes"]["snippets"])]
    assert {f"extension/{path.removeprefix('./')}" for path in wanted} <= names
    known = {one.get("Extension") for one in types}
    assert {f".{name.rsplit('.', 1)[1]}" for name in names if not name.startswith("[")} <= known
    identity = next(one for one in root.iter() if one.tag.endswith("Identity"))
    assert (identity.get("Id"), identity.get("Version")) == (package["name"], package["version"])


@needs_node
@needs_build
def test_the_client_is_told_of_a_mistake_in_civil() -> None:
    """The built file, as the editor loads it; the stand-in for the editor opens civil with a word misspelt."""
    script = Path(__file__).with_name("vscode_client.js")
    command = [sys.executable, "-m", "legalworld", "lsp"]
    words = [str(NODE), script, BUILT, ROOT, ROOT / "specs" / "civil.yaml", *command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stderr
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem[0] == "LW061" and "类别" in problem[1]


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    assert all("resolved" not in one for one in lock["packages"].values())
