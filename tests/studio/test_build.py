"""What the pages run in a browser is the build of the sources in web/, and knows nothing of the law."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from places import HANG, ROOT, TOP_SPECS
from playing import project
from script_words import literals

from legalworld.model.procedure import parts_of

WEB = ROOT / "web"
STATIC = ROOT / "legalworld" / "studio" / "static"
MANIFEST = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
REPAIR = "make web"


def sources() -> dict[str, Path]:
    """Every file of web/ by its name there; what npm installed apart."""
    found = (path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts)
    return {path.relative_to(WEB).as_posix(): path for path in found}


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def test_the_manifest_names_every_source_as_it_is() -> None:
    assert {name: digest(path) for name, path in sources().items()} == MANIFEST["sources"], REPAIR


def test_the_built_files_are_those_of_the_manifest() -> None:
    assert {"app.js", "app.css", "NOTICES.txt"} <= MANIFEST["built"].keys()
    assert {name: digest(STATIC / name) for name in MANIFEST["built"]} == MANIFEST["built"], REPAIR


def test_the_lock_pins_every_package_and_names_no_address() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert not [name for name, package in packages.items() if "resolved" in package or not package.get("integrity")]
    assert not [name for name, package in packages.items() if not re.fullmatch(r"\d+\.\d+\.\d+", package["version"])]


def test_what_ships_of_others_comes_with_its_licence() -> None:
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["dependencies"]
    notices = (STATIC / "NOTICES.txt").read_text(encoding="utf-8")
    assert all(f"{name} {version} (" in notices for name, version in wanted.items())
    assert notices.count("Permission is hereby granted") == len(wanted)


def test_the_committed_build_is_the_build_of_the_sources(installed: Path, tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=installed, check=True, timeout=HANG)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {*MANIFEST["built"], "manifest.json"}
    assert [name for name in names if (tmp_path / name).read_bytes() != (STATIC / name).read_bytes()] == [], REPAIR


def test_the_sources_are_typed(installed: Path) -> None:
    done = subprocess.run(["npm", "run", "--silent", "types"], cwd=installed, capture_output=True, timeout=HANG)
    assert done.returncode == 0, done.stdout.decode()


# ---- no rule of the law and no sentence in the script ----------------------------------------------------------------


def said() -> list[str]:
    return literals((STATIC / "app.js").read_text(encoding="utf-8"))


def names_of_procedures() -> Iterator[str]:
    """Roles, stages, phases, steps, fields, documents and kinds of shipped procedures: identifiers and titles."""
    for file in TOP_SPECS:
        procedure = project(file.stem).procedure
        assert procedure is not None
        for names in (procedure.roles, procedure.documents, procedure.fields, procedure.kinds, procedure.answers):
            yield from names
        for place, part in parts_of(procedure).items():
            yield from place.split("/")
            yield part.title


def test_no_name_of_a_procedure_stands_in_the_script() -> None:
    named = {name for name in names_of_procedures() if name}
    assert len(named) > 100
    assert sorted((named & set(said())) - closed_values()) == []


def closed_values() -> set[str]:
    """Values that the types of responses list, which some procedure has for a name too; an attribute of Preact."""
    return {*literals((WEB / "src" / "types.ts").read_text(encoding="utf-8")), "style"}


def test_no_sentence_for_people_stands_in_the_script() -> None:
    """Words come as data. A sentence begins with a capital letter and goes on, or is not in Latin letters."""
    sentences = [text for text in said() if re.search(r"[A-Z][a-z]+ [A-Za-z]|[a-z] [a-z]+[.?!]$|[\u3040-\u9fff]", text)]
    assert sentences == []
