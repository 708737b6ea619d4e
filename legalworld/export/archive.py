"""Runs as one archive for others, who play them again from it: without what is sealed, without keys or machine paths.

    archive.json             what is in it: of each run its files with their SHA-256, and what was left out
    runs/NAME/...            run.yaml, case.json, journal.jsonl, times.jsonl, transcript.md, citations.json, documents/
    spec/DIGEST/...          the copies of specs, once for all runs that were played by them

The same runs give the same bytes.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..runs import spec_copies
from ..runs.damage import damage_of, is_damaged
from ..runs.folder import RunFolder
from ..runs.open_run import CHANGES
from ..runs.run_info import run_yaml
from .secret_scan import secret_in

FORMAT: Final = 1
MANIFEST: Final = "archive.json"
KEPT: Final = ("run.yaml", "case.json", "journal.jsonl", "times.jsonl", "transcript.md", "citations.json")
MOST_OF_A_FILE: Final = 1 << 30
_DOCUMENTS: Final = "documents"
_WHEN: Final = (1980, 1, 1, 0, 0, 0)
_LONG: Final = 25  # characters of a sealed text by which it is known


@dataclass(slots=True)
class PackedArchive:
    """What was written: the runs, what of them was left out (name -> how many), and what is wrong with others, of which
    some are `damaged`."""

    runs: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    damaged: int = 0
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
        regular.vacant(out)
        with (
            BufferedWriter(regular.created(part)) as packing,
            zipfile.ZipFile(packing, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
        ):
            specs: set[str] = set()
            for name, path in sorted(runs):
                found = _files_of(path, packed.left_out)
                if isinstance(found, tuple):
                    packed.problems += found
                    packed.damaged += is_damaged(found)
                    continue
                folder, files, spec = found.folder, found.files, found.spec
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
            regular.put(part, out)
    finally:
        part.unlink(missing_ok=True)
    return packed


def _beside(runs: Iterable[Path], studies: Iterable[Path]) -> dict[str, int]:
    """What lies in the folder of a study beside its runs (reports, tables, the record of a batch): name -> files."""
    inside, found = set(runs), dict[str, int]()
    for study in studies:
        for path, file in regular.below(study) if study not in inside else ():
            name = path.partition("/")[0]
            if not name.startswith(".") and inside.isdisjoint(file.parents):
                found[name] = found.get(name, 0) + 1
    return found


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
    archive.writestr(entry, data)


@immutable
class _RunFiles:
    """What others may have of a run: its files, and the copies of its spec."""

    folder: RunFolder
    files: Mapping[str, bytes]
    spec: Mapping[str, bytes]


def _files_of(path: Path, left_out: dict[str, int]) -> _RunFiles | tuple[Diagnostic, ...]:
    """The files of a run, or why it is left out; what is not among them is added to `left_out`."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    copies = folder.sources()
    problems = (*([copies] if isinstance(copies, Diagnostic) else []), *damage_of(path))
    if problems or isinstance(copies, Diagnostic):
        return problems
    try:
        files = dict(_kept(path, left_out))
    except OSError as error:
        return (unreadable(str(error.filename or path), error),)
    files["run.yaml"] = run_yaml(replace(folder.info, sealed_sum="")).encode()  # by a sum what is sealed can be guessed
    spec = {name: text.encode("utf-8", "surrogateescape") for name, text in copies.texts.items()}
    if problem := secret_in(path, files | {f"spec/{name}": data for name, data in spec.items()}):
        return (problem,)
    if CHANGES in spec and _tells_sealed(folder, spec[CHANGES]):
        return (diagnose.sealed_in_archive(str(path), path=str(path), name=CHANGES),)
    return _RunFiles(folder, files, spec)


def _kept(path: Path, left_out: dict[str, int]) -> Iterator[tuple[str, bytes]]:
    """The files of a run that an archive has; of the others it is counted how many there are. Raises OSError."""
    for name, file in regular.below(path, path):
        head = name.partition("/")[0]
        if name in KEPT or (head == _DOCUMENTS and name.endswith(".md")):
            yield name, regular.content(file, path, most=MOST_OF_A_FILE)
        elif name != spec_copies.NAME:
            left_out[head] = left_out.get(head, 0) + 1


def _tells_sealed(folder: RunFolder, changes: bytes) -> bool:
    """Whether documents that were put in hold what is sealed, which a study may have taken them from."""
    sealed, case = folder.sealed_json(), folder.case_json()
    if isinstance(sealed, Diagnostic) or isinstance(case, Diagnostic):
        return False
    told = json.dumps(read_json(changes), ensure_ascii=False)
    plain = json.dumps(read_json(case), ensure_ascii=False)
    texts = _texts(read_json(sealed))
    return any(len(text) > _LONG and text in told and text not in plain for text in texts)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield json.dumps(value, ensure_ascii=False)[1:-1]
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
