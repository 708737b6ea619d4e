"""An archive of runs, read; nothing in it is trusted.

Sizes are bounded, names stay below the folder, there are no links, and every file is the one that was packed.
"""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from ..files.project_files import canonical
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.lifecycle import replay
from ..runs.project import Problems
from ..wording import say
from .archive import FORMAT, KEPT, MANIFEST

MOST_FILES: Final = 500_000
MOST_BYTES: Final = 16 << 30  # all together, unpacked
MOST_OF_A_FILE: Final = 1 << 30
MOST_OF_A_MANIFEST: Final = 64 << 20
MOST_TIMES: Final = 300  # so many times smaller than its content no text of ours becomes
_SMALL: Final = 1 << 20  # what is smaller is no bomb
_BLOCK: Final = 1 << 20


class UnsafeArchive(Exception):
    """The archive is not one of ours, or means harm: why, by its name among the sentences, and where."""

    def __init__(self, reason: str, name: str) -> None:
        super().__init__(say(f"archive.unsafe_{reason}", name=name))


def unpack(path: Path, out: Path) -> list[str] | Problems:
    """Write the runs of an archive to a folder that is not there yet, whole or not at all; the names of the runs.

    Raises OSError where nothing can be read or written.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        with zipfile.ZipFile(path) as archive:
            names = list(_written(archive, part))
        part.chmod(0o755)
        if out.is_dir():
            out.rmdir()  # empty, or it is refused
        part.rename(out)
        return names
    except (UnsafeArchive, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        return (diagnose.unsafe_archive(str(path), path=str(path), reason=str(error)[:200]),)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _written(archive: zipfile.ZipFile, part: Path) -> Iterator[str]:
    entries = _entries(archive)
    runs = _manifest(archive, entries)
    specs: dict[str, list[str]] = {}
    for name in entries:
        head, _, rest = name.partition("/")
        if head == "spec":
            specs.setdefault(rest.partition("/")[0], []).append(name)
    known = {MANIFEST, *(name for names in specs.values() for name in names)}
    for run in runs:
        name, digest, files = run["name"], run["digest"], run["files"]
        for file, expected in files.items():
            if not (file in KEPT or (file.startswith("documents/") and file.endswith(".md"))):
                raise UnsafeArchive("foreign", file)
            entry = f"runs/{name}/{file}"
            known.add(entry)
            if entry not in entries:
                raise UnsafeArchive("missing", entry)
            _copy(archive, entries[entry], part / name / file, expected)
        for entry in specs.get(digest, ()):
            _copy(archive, entries[entry], part / name / "spec" / entry.split("/", 2)[2])
        (part / name / "documents").mkdir(parents=True, exist_ok=True)
        yield name
    if more := sorted(set(entries) - known):
        raise UnsafeArchive("unlisted", more[0])


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Name -> entry, none of which leads elsewhere or grows too large."""
    found: dict[str, zipfile.ZipInfo] = {}
    folded: set[str] = set()
    total = 0
    for entry in archive.infolist():
        name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
        total += entry.file_size
        if not canonical(name) or name.casefold() in folded:
            raise UnsafeArchive("name", name)
        if kind not in (0, stat.S_IFREG):
            raise UnsafeArchive("link", name)
        if entry.flag_bits & 1:
            raise UnsafeArchive("encrypted", name)
        grown = entry.file_size > _SMALL and entry.file_size > MOST_TIMES * max(1, entry.compress_size)
        if len(found) >= MOST_FILES or entry.file_size > MOST_OF_A_FILE or total > MOST_BYTES or grown:
            raise UnsafeArchive("large", name)
        folded.add(name.casefold())
        found[name] = entry
    return found


def _manifest(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo]) -> list[dict[str, Any]]:
    entry = entries.get(MANIFEST)
    if entry is None or entry.file_size > MOST_OF_A_MANIFEST:
        raise UnsafeArchive("no_list", MANIFEST)
    try:
        told = json.loads(archive.read(entry))
        if told["lw_archive"] != FORMAT:
            raise UnsafeArchive("form", str(told["lw_archive"])[:20])
        runs: list[dict[str, Any]] = told["runs"]
        good = all(
            isinstance(run["name"], str)
            and canonical(f"runs/{run['name']}/x")
            and isinstance(run["digest"], str)
            and isinstance(run["files"], dict)
            and all(isinstance(one, str) for pair in run["files"].items() for one in pair)
            for run in runs
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        good, runs = False, []
    if not good:
        raise UnsafeArchive("list", MANIFEST)
    return runs


def _copy(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, to: Path, expected: str = "") -> None:
    """A file of the archive on disk; `expected`: its SHA-256. Of specs the run's own digest tells."""
    to.parent.mkdir(parents=True, exist_ok=True)
    total, size = sha256(), 0
    with archive.open(entry) as source, open(to, "xb") as file:
        while block := source.read(_BLOCK):
            size += len(block)
            if size > entry.file_size:
                raise UnsafeArchive("size", entry.filename)
            total.update(block)
            file.write(block)
    if expected and total.hexdigest() != expected:
        raise UnsafeArchive("sum", entry.filename)


def verify(folder: Path) -> Problems:
    """What does not agree when a run is played again from its record, its transcript and documents among it."""
    files = [folder / "transcript.md", *sorted((folder / "documents").glob("*.md"))]
    before = {file: file.read_bytes() for file in files if file.is_file()}
    result = replay(folder)
    if isinstance(result, tuple):
        return result
    now = {file for file in [folder / "transcript.md", *sorted((folder / "documents").glob("*.md"))] if file.is_file()}
    changed = [file for file in sorted(now | set(before)) if file not in before or file.read_bytes() != before[file]]
    problems: list[Diagnostic] = [
        diagnose.other_file_in_archive(str(folder), name=file.relative_to(folder).as_posix()) for file in changed
    ]
    return tuple(problems)
