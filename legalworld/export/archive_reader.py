"""An archive of runs, read; nothing in it is trusted.

Sizes are bounded, names stay below the folder, there are no links, and every file is the one that was packed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from ..files import regular
from ..files.packed import FAULTS, Bounds, Package, UnsafePackage
from ..files.project_files import canonical
from ..language import diagnose
from ..model.json_text import read_json
from ..runs import spec_copies
from ..runs.damage import damage_of
from ..runs.lifecycle import replay
from ..runs.project import Problems
from .archive import FORMAT, KEPT, MANIFEST

BOUNDS: Final = Bounds(500_000, 16 << 30, 1 << 30)
TRANSCRIPT: Final = "transcript.md"
DOCUMENTS: Final = "documents/"
MOST_OF_A_MANIFEST: Final = 64 << 20


def unpack(path: Path, out: Path) -> list[str] | Problems:
    """Write the runs of an archive to a folder that is not there yet, whole or not at all; the names of the runs.

    Each is read by the reader of runs, so that what means harm to it, as aliases that stand for millions, is refused.

    Raises OSError where nothing can be read or written.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        with regular.opened(path) as file:
            names = list(_written(Package(file, BOUNDS), part))
        part.chmod(0o755)
        if out.is_dir():
            out.rmdir()  # empty, or it is refused
        part.rename(out)
        return names
    except (UnsafePackage, *FAULTS) as error:
        return (diagnose.unsafe_archive(str(path), path=str(path), reason=str(error)[:200]),)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _written(archive: Package, part: Path) -> Iterator[str]:
    entries = archive.entries
    runs = _manifest(archive)
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
                raise UnsafePackage("foreign", file)
            entry = f"runs/{name}/{file}"
            known.add(entry)
            if entry not in entries:
                raise UnsafePackage("missing", entry)
            _copy(archive, entry, part / name / file, expected)
        regular.write_whole(part / name / spec_copies.NAME, _copies(archive, specs.get(digest, ())))
        (part / name / "documents").mkdir(parents=True, exist_ok=True)
        if wrong := damage_of(part / name):
            raise UnsafePackage("damaged", f"runs/{name} ({wrong[0].code})")
        yield name
    if more := sorted(set(entries) - known):
        raise UnsafePackage("unlisted", more[0])


def _manifest(archive: Package) -> list[dict[str, Any]]:
    entry = archive.entries.get(MANIFEST)
    if entry is None or entry.file_size > MOST_OF_A_MANIFEST:
        raise UnsafePackage("no_list", MANIFEST)
    try:
        told = read_json(archive.read(MANIFEST))
        if told["lw_archive"] != FORMAT:
            raise UnsafePackage("form", str(told["lw_archive"])[:20])
        runs: list[dict[str, Any]] = told["runs"]
        good = all(
            isinstance(run["name"], str)
            and canonical(f"runs/{run['name']}/x")
            and isinstance(run["digest"], str)
            and isinstance(run["files"], dict)
            and all(isinstance(one, str) for pair in run["files"].items() for one in pair)
            for run in runs
        )
    except (ValueError, KeyError, TypeError):
        good, runs = False, []
    if not good:
        raise UnsafePackage("list", MANIFEST)
    return runs


def _copies(archive: Package, names: Sequence[str]) -> bytes:
    """Return the copies of a spec as runs keep them; the run's own digest tells whether they are the right ones."""
    if names and sum(archive.entries[name].file_size for name in names) > spec_copies.MOST:
        raise UnsafePackage("large", names[0])
    texts = {name.split("/", 2)[2]: archive.read(name).decode("utf-8", "surrogateescape") for name in names}
    return spec_copies.packed(texts)


def _copy(archive: Package, name: str, to: Path, expected: str) -> None:
    """A file of the archive on disk; `expected`: its SHA-256."""
    to.parent.mkdir(parents=True, exist_ok=True)
    total = sha256()
    with regular.created(to) as file:
        for block in archive.blocks(name):
            total.update(block)
            regular.write_all(file, (block,))
    if total.hexdigest() != expected:
        raise UnsafePackage("sum", name)


def verify(folder: Path) -> Problems:
    """What does not agree when a run is played again from its record, its transcript and documents among it."""
    before = _made(folder)
    result = replay(folder)
    if isinstance(result, tuple):
        return result
    now = _made(folder)
    changed = sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))
    return tuple(diagnose.other_file_in_archive(str(folder), name=name) for name in changed)


def _made(folder: Path) -> dict[str, bytes]:
    """The files that a replay makes anew, by their paths in the run: SHA-256 of each."""
    made = [(name, file) for name, file in regular.below(folder) if name == TRANSCRIPT or name.startswith(DOCUMENTS)]
    return {name: sha256(regular.content(file, most=BOUNDS.one)).digest() for name, file in made}
