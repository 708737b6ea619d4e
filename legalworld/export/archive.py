"""Runs as one archive for others, who play them again from it: without what is sealed, without keys or machine paths.

    archive.json             what is in it: of each run its files with their SHA-256, and what was left out
    runs/NAME/...            run.yaml, case.json, journal.jsonl, times.jsonl, transcript.md, citations.json, documents/
    spec/DIGEST/...          the copies of specs, once for all runs that were played by them

The same runs give the same bytes.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.folder import RunFolder
from ..runs.journal import load
from ..runs.open_run import CHANGES

FORMAT: Final = 1
MANIFEST: Final = "archive.json"
KEPT: Final = ("run.yaml", "case.json", "journal.jsonl", "times.jsonl", "transcript.md", "citations.json")
_DOCUMENTS: Final = "documents"
_WHEN: Final = (1980, 1, 1, 0, 0, 0)
_KEY: Final = re.compile(r"\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza|hf)[-_]?[A-Za-z0-9_-]{20,200}")
_SECRET_NAMES: Final = re.compile(r"(?i)(KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET: Final = 8
_LONG: Final = 25  # characters of a sealed text by which it is known


@dataclass(slots=True)
class PackedArchive:
    """What was written: the runs, what of them was left out (name -> how many), and what is wrong with others."""

    runs: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)


def pack(runs: Iterable[tuple[str, Path]], out: Path, studies: Iterable[Path] = ()) -> PackedArchive:
    """Write the archive of runs, each with the name that it is to have; it appears when it is complete.

    `studies`: the folders below which they lie; what else lies there is left out, and counted. Raises OSError where it
    cannot be written.
    """
    runs = list(runs)
    packed = PackedArchive(left_out=_beside([path for _, path in runs], studies))
    entries: list[dict[str, Any]] = []
    part = out.with_name(f".{out.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            specs: set[str] = set()
            for name, path in sorted(runs):
                found = _files_of(path, packed)
                if found is None:
                    continue
                folder, files, spec = found
                entry = {name: sha256(data).hexdigest() for name, data in files.items()}
                entries.append({"name": name, "digest": folder.info.digest, "files": entry})
                packed.runs.append(name)
                for file, data in sorted(files.items()):
                    _add(archive, f"runs/{name}/{file}", data)
                if folder.info.digest not in specs:
                    specs.add(folder.info.digest)
                    for file, data in sorted(spec.items()):
                        _add(archive, f"spec/{folder.info.digest}/{file}", data)
            manifest = {"lw_archive": FORMAT, "runs": entries, "left_out": dict(sorted(packed.left_out.items()))}
            _add(archive, MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode())
        if packed.runs:
            part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return packed


def _beside(runs: Iterable[Path], studies: Iterable[Path]) -> dict[str, int]:
    """What lies in the folder of a study beside its runs (reports, tables, the record of a batch): name -> files."""
    inside, found = set(runs), dict[str, int]()
    for study in studies:
        for file in study.rglob("*") if study not in inside else ():
            name = file.relative_to(study).parts[0]
            if file.is_file() and not name.startswith(".") and inside.isdisjoint(file.parents):
                found[name] = found.get(name, 0) + 1
    return found


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
    archive.writestr(entry, data)


def _files_of(path: Path, packed: PackedArchive) -> tuple[RunFolder, dict[str, bytes], dict[str, bytes]] | None:
    """The files of a run that others may have, and its copies; None, with the reason told, where it is left out."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        packed.problems += folder
        return None
    copies, journal = folder.sources(), load(folder.journal, brief=True)
    problems = [one for one in (copies, journal.problem) if isinstance(one, Diagnostic)]
    if problems or isinstance(copies, Diagnostic):
        packed.problems += problems
        return None
    files: dict[str, bytes] = {}
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        head = name.partition("/")[0]
        if head == "spec" or file.is_dir():
            continue
        if not file.is_symlink() and (name in KEPT or (head == _DOCUMENTS and name.endswith(".md"))):
            files[name] = file.read_bytes()
        else:
            packed.left_out[head] = packed.left_out.get(head, 0) + 1
    spec = {name: text.encode("utf-8", "surrogateescape") for name, text in copies.texts.items()}
    if problem := _secret(path, files | {f"spec/{name}": data for name, data in spec.items()}):
        packed.problems.append(problem)
        return None
    if CHANGES in spec and _tells_sealed(folder, spec[CHANGES]):
        packed.problems.append(diagnose.sealed_in_archive(str(path), path=str(path), name=CHANGES))
        return None
    return folder, files, spec


def _secret(path: Path, files: Mapping[str, bytes]) -> Diagnostic | None:
    """A key, or a path of this machine, in a file."""
    secrets = tuple(_secrets())
    for name, data in files.items():
        text = data.decode("utf-8", "replace")
        for what in secrets:
            if what in text:
                return diagnose.secret_in_archive(str(path / name), name=name)
        if _KEY.search(text):
            return diagnose.secret_in_archive(str(path / name), name=name)
    return None


def _secrets() -> Iterator[str]:
    """Values of the environment that are keys; the home folder and the working folder, as they are written."""
    for name, value in os.environ.items():
        if _SECRET_NAMES.search(name) and len(value) >= _SHORTEST_SECRET:
            yield value
    for folder in (Path.home(), Path.cwd()):
        if len(folder.parts) > 1:
            yield f"{folder}{os.sep}"


def _tells_sealed(folder: RunFolder, changes: bytes) -> bool:
    """Whether documents that were put in hold what is sealed, which a study may have taken them from."""
    sealed, case = folder.sealed_json(), folder.case_json()
    if isinstance(sealed, Diagnostic) or isinstance(case, Diagnostic):
        return False
    told = json.dumps(json.loads(changes), ensure_ascii=False)
    plain = json.dumps(json.loads(case), ensure_ascii=False)
    texts = _texts(json.loads(sealed))
    return any(len(text) > _LONG and text in told and text not in plain for text in texts)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield json.dumps(value, ensure_ascii=False)[1:-1]
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
