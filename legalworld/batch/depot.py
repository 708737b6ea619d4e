"""Runs of a batch kept on a store: played in a folder of this machine, and put there when they end or stop.

Whoever plays a run puts it there: one process, several, or workers on other machines, each by its own way to the store.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from ..files.project_files import unreadable
from ..files.store import RemoteStore, StoreFailed
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.folder import RunFolder
from ..runs.journal import standing
from ..runs.open_run import open_run
from .identity import CASE, differences, made_of, made_of_plan
from .marks import Files, Mark, digests_of, files_of, marked_files, put_mark
from .play import Job
from .results import UNPLAYED, JobResult

ValueT = TypeVar("ValueT")
JOURNAL = "journal.jsonl"


@immutable
class StoreDepot:
    """Where the runs of a batch are kept. `scratch`: the folder where they are played; `keep`: they are left there too.

    `marks`: those that were there when the batch began; `earlier`: it was not the first to put something there.
    """

    store: RemoteStore
    scratch: Path
    keep: bool = False
    earlier: bool = False
    marks: dict[str, Mark] = field(default_factory=dict)

    def name(self, run: Path) -> str:
        return run.relative_to(self.scratch).as_posix()

    # ---- before a run is played --------------------------------------------------------------------------------------

    async def found(self, job: Job) -> JobResult | None:
        """How a job stands whose run is there already; None where it is to be played, from where it stood."""
        folder = job.plan.out
        assert folder is not None
        name = self.name(folder)
        mark = self.marks.get(name)
        try:
            if mark is None or mark.state != "ended":
                if mark is not None or (self.earlier and not (folder / "run.yaml").is_file()):
                    await self._aside(lambda: self._bring(name, mark, folder))
                return None
            if mark.made_of != made_of_plan(job.plan):
                other = await self._aside(lambda: self._differences(name, job, folder))
                if other:
                    return JobResult(job.where, "refused", folder, problems=other)
            if not self.keep and folder.exists():
                await self._aside(lambda: discard(folder))
        except StoreFailed as error:
            problem = diagnose.unreachable_store("--out", path=self.store.below(name), reason=error.reason)
            return JobResult(job.where, "stopped", None, problems=(problem,))
        except OSError as error:
            return JobResult(job.where, "stopped", None, problems=(unreadable(str(error.filename or folder), error),))
        return JobResult(job.where, "ended", folder, before=True)

    def _differences(self, name: str, job: Job, folder: Path) -> tuple[Diagnostic, ...]:
        """In what the run that is there is another than the one asked for."""
        with TemporaryDirectory() as place:
            self.store.get({f"{name}/{file}": Path(place) / file for file in ("run.yaml", CASE)})
            run = RunFolder.open(Path(place))
            if not isinstance(run, RunFolder):
                return run
            other = differences(run, job.plan)
        if isinstance(other, Diagnostic):
            return (other,)
        there = self.store.below(name)
        return (diagnose.other_run_in_folder(there, path=there, what=other),) if other else ()

    def _bring(self, name: str, mark: Mark | None, folder: Path) -> None:
        """Bring a run that is not over to where it can be gone on with, where it went further than what lies here.

        Without its mark it may be half there: it is taken as far as it can be opened, and else played anew.
        """
        files = marked_files(self.store, mark.name) if mark is not None else None
        journal = folder / JOURNAL
        if journal.is_file() and (files is None or files.get(JOURNAL, (0, ""))[0] <= journal.stat().st_size):
            return
        names = files or {one.removeprefix(f"{name}/") for one in self.store.names(name)}
        if "run.yaml" not in names:
            return
        part = hidden_beside(folder)
        try:
            download(self.store, name, part, names)
            whole = files is None or digests_of(files_of(part)) == files
            if whole and not isinstance(open_run(part), tuple):
                discard(folder)
                part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    # ---- when it was played ------------------------------------------------------------------------------------------

    async def kept(self, job: Job, result: JobResult) -> JobResult:
        """The result of a job when its run was put there. What could not be put there is `stopped`, and lies here."""
        folder = result.folder
        if folder is None or result.status in (*UNPLAYED, "interrupted") or not (folder / "run.yaml").is_file():
            return result
        name = self.name(folder)
        try:
            await self._aside(lambda: self.put(name, folder))
        except StoreFailed as error:
            there = self.store.below(name)
            problem = diagnose.unstored_run("--out", path=there, reason=error.reason, scratch=str(folder))
        except OSError as error:
            problem = unreadable(str(error.filename or folder), error)
        else:
            return result
        return replace(result, status="stopped", problems=(*result.problems, problem))

    def put(self, name: str, folder: Path) -> None:
        """Put a run there: its files that are not, then its mark. Raises StoreFailed, OSError."""
        run = RunFolder.open(folder)
        case = run.case_json() if isinstance(run, RunFolder) else ""
        if not isinstance(run, RunFolder) or not isinstance(case, str):
            return  # what is wrong with it was told when it was to be played
        mark = Mark(name, made_of(run.info, case), "ended" if standing(run.journal).ended else "open")
        files = files_of(folder)
        digests = digests_of(files)
        before = self._withdrawn(self.marks.get(name))
        self.store.put({f"{name}/{one}": file for one, file in files.items() if before.get(one) != digests[one]})
        if self.earlier:
            there = (one.removeprefix(f"{name}/") for one in self.store.names(name))
            self.store.remove(f"{name}/{one}" for one in there if one not in digests)
        put_mark(self.store, mark.name, digests)
        self.marks[name] = mark
        if mark.state == "ended" and not self.keep:
            discard(folder)

    def _withdrawn(self, mark: Mark | None) -> Files:
        """What lay there by a mark, which is removed: from now on it does not hold."""
        if mark is None:
            return {}
        files = marked_files(self.store, mark.name) or {}
        self.store.remove((mark.name,))
        return files

    async def _aside(self, act: Callable[[], ValueT]) -> ValueT:
        """Beside the other runs. Interrupted, what fails is not tried again."""
        try:
            return await asyncio.to_thread(act)
        except asyncio.CancelledError:
            self.store.stop.set()
            raise


def hidden_beside(folder: Path) -> Path:
    """A name beside a folder that nobody takes for a run, and that `lw batch gc` clears."""
    return folder.parent / f".{folder.name}.{os.urandom(4).hex()}"


def discard(folder: Path) -> None:
    """Remove a folder; killed meanwhile, nothing is left that looks like a run. Raises OSError."""
    if folder.exists():
        gone = hidden_beside(folder)
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def download(store: RemoteStore, run: str, place: Path, names: Iterable[str]) -> None:
    """Files below a folder of the store into a new one. Raises StoreFailed, OSError."""
    files = {f"{run}/{name}".lstrip("/"): place / name for name in names}
    for folder in {file.parent for file in files.values()}:
        folder.mkdir(parents=True, exist_ok=True)
    store.get(files)
