"""Marks on a store: which runs lie there whole, of what they are made, and the digests of their files.

    batch.marks/deal1-0.0123456789abcdef.ended      a run that is over; its name says all that one listing is to tell
    batch.marks/deal2-0.89abcdef01234567.open       a run that stopped, to be gone on with

A mark is written when all files of its run are there, and removed before any of them is written anew. It holds the size
and the digest of each file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from ..files import regular
from ..files.project_files import LITTER, canonical
from ..files.store import RemoteStore, size_and_digest
from ..model.immutable import immutable
from ..model.json_text import read_json

FOLDER: Final = "batch.marks"
REPORT: Final = "batch.report.json"
"""The mark of the report of a bench."""
State = Literal["ended", "open"]
Files = Mapping[str, tuple[int, str]]
"""Path below the run -> bytes and SHA-256 (hex)."""

_OWN: Final = frozenset({"lock"})  # of who writes here, and of no use elsewhere


@immutable
class Mark:
    """`run`: its folder below that of the batch; `made_of`: see `identity.made_of`."""

    run: str
    made_of: str
    state: State

    @property
    def name(self) -> str:
        return f"{FOLDER}/{self.run}.{self.made_of}.{self.state}"


def marks_on(store: RemoteStore) -> dict[str, Mark]:
    """Run -> its mark, by one listing; where a killed process left two, that of the run's end. Raises StoreFailed."""
    marks: dict[str, Mark] = {}
    for name in store.names(FOLDER):
        rest, _, state = name.removeprefix(f"{FOLDER}/").rpartition(".")
        run, _, made_of = rest.rpartition(".")
        if canonical(run) and state == "ended":
            marks[run] = Mark(run, made_of, "ended")
        elif canonical(run) and state == "open":
            marks.setdefault(run, Mark(run, made_of, "open"))
    return marks


def files_of(run: Path) -> dict[str, Path]:
    """The files of a run that are put elsewhere: path below it -> file. Raises OSError."""
    found = {}
    for name, file in regular.below(run, run):
        parts = name.split("/")
        hidden = any(part.startswith(".") or part in LITTER for part in parts)
        if not hidden and parts[0] not in _OWN:
            found[name] = file
    return found


def digests_of(files: Mapping[str, Path]) -> dict[str, tuple[int, str]]:
    """What a mark says of files. Raises OSError."""
    return {name: size_and_digest(file) for name, file in files.items()}


def put_mark(store: RemoteStore, name: str, files: Files) -> None:
    """Raises StoreFailed."""
    store.write(name, (json.dumps({"files": files}, ensure_ascii=False, indent=0) + "\n").encode())


def marked_files(store: RemoteStore, name: str) -> dict[str, tuple[int, str]] | None:
    """What a mark says of files; None where it is gone or says nothing. Raises StoreFailed."""
    data = store.read(name)
    try:
        listed = read_json(data or b"")["files"]
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in listed.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return files if all(map(canonical, files)) else None
