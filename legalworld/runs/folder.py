"""The folder of a run: what a person can read of it, and what resume, replay and scoring need.

    run.yaml        who ran what, written once, summed  journal.jsonl   the truth (see `journal`)
    case.json       the bound case, nothing sealed      sealed.json     evaluation-only values, for scoring alone
    spec.zip        copies of every file that was used  times.jsonl     durations
    early.jsonl     replies that wait for their turn, while they do (see `early`)
    transcript.md, documents/: rebuilt from the journal at any time · lock: who writes holds it

A folder appears whole or not at all: it is filled beside its place and renamed.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..binding.casefile import from_json, unsealed
from ..files import regular
from ..files.digest import digest
from ..files.project_files import CASE_CAP, canonical, unreadable
from ..language import diagnose
from ..language.yaml.characters import MAX_BYTES
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import MemorySources
from ..model.text import plain_name
from . import spec_copies
from .run_info import RunInfo, read_run_yaml, run_yaml, sum_of

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy


@immutable
class RunFolder:
    path: Path
    info: RunInfo

    # ---- making and opening ------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: Path | None,
        info: RunInfo,
        sources_used: Mapping[str, str],
        *,
        case_json: str,
        sealed_json: str,
        journal: str = "",
        copies: Path | None = None,
        home: Path | None = None,
    ) -> RunFolder | Diagnostic:
        """A new run, ready to be resumed from its first line. Without `path`: `runs/PROCEDURE-CASE-N` in `home`, or
        where we are.

        `copies`: a folder where the copies of this spec are kept once; the run's own are links to them, where the
        system has links. A folder that holds anything is refused. Raises ValueError for a digest or a file name that is
        a bug of ours.
        """
        if info.digest != digest(sources_used) or re.search(r"[/\\]", info.case_file):
            raise ValueError("the digest is not that of the sources, or the case file is not a bare name")
        if strange := next((name for name in sources_used if not canonical(name)), None):
            raise ValueError(f"not a path inside the run folder: {strange!r}")
        info = replace(info, case_sum=sum_of(case_json), sealed_sum=sum_of(sealed_json))
        texts = {"case.json": case_json, "sealed.json": sealed_json, "journal.jsonl": journal}
        texts["run.yaml"] = run_yaml(info)
        contents = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
        contents[spec_copies.NAME] = spec_copies.packed(sources_used)
        for place in _places(path, info, home or Path()):
            try:
                if not _occupied(place):
                    place = Path(os.path.realpath(place)) if place.exists() else place
                    _appear(place, contents, _kept_copies(copies, info.digest, contents[spec_copies.NAME]))
                    return cls(place, info)
            except OSError as error:
                quicker = error.errno in (errno.EEXIST, errno.ENOTEMPTY) and place.is_dir()  # another process was
                if not quicker:
                    return unreadable(str(place), error)
        return diagnose.folder_not_empty(str(path), path=str(path))

    @classmethod
    def open(cls, path: Path) -> RunFolder | tuple[Diagnostic, ...]:
        """A run that exists. All that is wrong with its `run.yaml` is reported; the other files are read when used."""
        try:
            text = regular.text(path / "run.yaml", path, most=MAX_BYTES, errors="surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return (diagnose.missing_run_folder(str(path), path=str(path)),)
        except OSError as error:
            return (unreadable(str(path / "run.yaml"), error),)
        info = read_run_yaml(text, str(path / "run.yaml"))
        return cls(path, info) if isinstance(info, RunInfo) else info

    def lock(self) -> AcquireReturnProxy | Diagnostic:
        """The right to write in this folder, held until the context is left or the process is gone, however it goes."""
        from filelock import FileLock, Timeout  # pulls in asyncio and sqlite3: 50 ms that only a run need pay

        try:
            regular.vacant(self.path / "lock", self.path)
            return FileLock(self.path / "lock", thread_local=False).acquire(timeout=0)
        except Timeout:
            return diagnose.busy_run_folder(str(self.path), path=str(self.path))
        except OSError as error:
            return unreadable(str(self.path / "lock"), error)

    # ---- what is in it -----------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def times(self) -> Path:
        return self.path / "times.jsonl"

    @property
    def early(self) -> Path:
        return self.path / "early.jsonl"

    def sources(self) -> MemorySources | Diagnostic:
        """The copies of the spec; a problem when they are no longer those that the run was started with."""
        file = self.path / spec_copies.NAME
        try:
            data = regular.content(file, self.path, most=spec_copies.most_of_a_file())
        except FileNotFoundError:
            data = b""
        except OSError as error:
            return unreadable(str(error.filename or file), error)
        texts = spec_copies.unpacked(data)
        if texts is None or digest(texts) != self.info.digest:
            return diagnose.altered_run_copies(str(file), path=str(file))
        return MemorySources(texts)

    def case(self, procedure: Procedure, *, sealed: bool = False) -> Case | Diagnostic:
        """The bound case; `sealed`: with its evaluation-only values, for scoring and for nothing else."""
        found = self._decoded("case.json", self.case_json(), partial(from_json, procedure=procedure))
        if not sealed or isinstance(found, Diagnostic):
            return found
        return self._decoded("sealed.json", self.sealed_json(), partial(unsealed, found, procedure=procedure))

    def _decoded(self, name: str, text: str | Diagnostic, decode: Callable[[str], Case]) -> Case | Diagnostic:
        if isinstance(text, Diagnostic):
            return text
        try:
            return decode(text)
        except (ValueError, RecursionError):  # nobody but `lw` writes here
            return diagnose.damaged_run_file(str(self.path / name), name=name)

    def case_json(self) -> str | Diagnostic:
        """The bound case as it was written."""
        return self._bound("case.json", self.info.case_sum)

    def sealed_json(self) -> str | Diagnostic:
        """Evaluation-only values: for scoring, and for nothing else."""
        return self._bound("sealed.json", self.info.sealed_sum)

    def damage(self) -> tuple[Diagnostic, ...]:
        """What was bound and is no longer what `run.yaml` tells of; the journal tells of itself."""
        found = [self.case_json(), self.sealed_json() if self.info.sealed_sum else ""]
        return tuple(problem for problem in found if isinstance(problem, Diagnostic))

    def _bound(self, name: str, summed: str) -> str | Diagnostic:
        file = self.path / name
        try:
            text = regular.text(file, self.path, most=CASE_CAP)
        except FileNotFoundError:
            return diagnose.missing_run_file(str(file), name=name)
        except UnicodeDecodeError:
            return diagnose.damaged_run_file(str(file), name=name)
        except OSError as error:
            return unreadable(str(file), error)
        return text if sum_of(text) == summed else diagnose.altered_run_file(str(file), name=name)

    def write_text(self, name: str, text: str) -> None:
        """Write one of the files that can be rebuilt (`documents/NAME.md`), whole or not at all. Raises OSError."""
        if not canonical(name):
            raise ValueError(f"not a path inside the run folder: {name!r}")
        file = self.path / name
        regular.make_folder(file.parent, self.path)
        regular.write_whole(file, text.encode("utf-8"), self.path)


# ---- creation --------------------------------------------------------------------------------------------------------


def _places(path: Path | None, info: RunInfo, home: Path) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    # A file name has at most 255 bytes, a character up to four, and the number and the hidden name need some too.
    name = f"{plain_name(info.procedure)[:24]}-{plain_name(info.case)[:28]}"
    for n in range(1, sys.maxsize):
        yield home / "runs" / f"{name}-{n}"


def _occupied(path: Path) -> bool:
    """Whether anything stands there that is not an empty folder. Raises OSError where one may not look."""
    return os.path.lexists(path) and not (path.is_dir() and next(path.iterdir(), None) is None)


def _kept_copies(copies: Path | None, digest: str, data: bytes) -> Path | None:
    """The folder that holds these copies, made where it is missing; None where they are not to be shared.

    Held by its digest, and written as a whole: what is there is what was put there, and every run checks its own.
    """
    if copies is None:
        return None
    kept = copies / digest[:16]
    if not kept.is_dir():
        try:
            _appear(kept, {spec_copies.NAME: data})
        except OSError as error:
            if not kept.is_dir():
                raise error
    return kept


def _linked(source: Path, file: Path) -> bool:
    """Whether a file could be made another name of `source`."""
    try:
        os.link(source, file)
    except OSError:
        return False
    return True


def _appear(place: Path, contents: Mapping[str, bytes], kept: Path | None = None) -> None:
    """Fill a hidden folder beside `place`, durably, and rename it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.parent / f".{place.name}.{os.urandom(4).hex()}"
    part.mkdir()
    try:
        for name, data in contents.items():
            if kept is not None and name == spec_copies.NAME and _linked(kept / name, part / name):
                continue
            with regular.created(part / name) as out:
                regular.write_all(out, (data,))
                os.fsync(out.fileno())
        (part / "documents").mkdir()
        if place.exists():
            place.rmdir()  # empty; not every system renames onto it
        part.rename(place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    regular.settle(place.parent)
