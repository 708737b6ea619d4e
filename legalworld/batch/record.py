"""What a batch leaves beside its runs: who is at work in the folder, and what became of each run.

    batch.json      the command: what `lw batch retry` goes by
    batch.jsonl     a line whenever a run is begun, ends or stops, only appended; the last line of a run counts
    batch.warnings.json    the warnings of its cases: how many of each kind, with examples
    batch.lock      held while a batch is at work · batch.holder: by whom

The runs are the truth; a lost line costs nothing but its figures.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..files import packed, regular
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, names_of
from ..model.json_text import read_json
from ..model.source import Span
from ..models.prices import NOTHING, Spent

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy

ASKED: Final = "batch.json"
LINES: Final = "batch.jsonl"
LOCK: Final = "batch.lock"
HOLDER: Final = "batch.holder"
WARNINGS: Final = "batch.warnings.json"
LONGEST: Final = 1 << 16  # bytes of a line of the record


@immutable
class RunEntry:
    """A line of the record. `run`: the folder below that of the batch; `status`: `begun`, or that of a `JobResult`;
    `spent`: by the whole run so far."""

    run: str
    case: str
    status: str
    turns: int = 0
    place: str = ""
    problem: str = ""
    spent: Spent = NOTHING


@immutable
class Recorded:
    """What the record says: of each run its last entry. `problems`: lines that say nothing; `warned`: see
    `warnings_of`."""

    entries: Mapping[str, RunEntry] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()
    warned: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spent(self) -> Spent:
        return sum((entry.spent for entry in self.entries.values()), NOTHING)


def recorded(folder: Path) -> Recorded:
    """The record of a batch; a line that cannot be read is named, and the rest goes on."""
    entries: dict[str, RunEntry] = {}
    problems: list[Diagnostic] = []
    path = folder / LINES
    try:
        with packed.stream(path) as file:
            number = 0
            while line := file.readline(LONGEST):
                number += 1
                entry = _entry(line)
                if entry is None:
                    span = Span(str(path), number, 1)
                    problems.append(diagnose.damaged_batch_file(span, path=str(path), reason="JSON"))
                else:
                    before = entries.get(entry.run)
                    if entry.status == "begun" and before is not None:
                        entry = RunEntry(**{**_plain(entry), "spent": before.spent})
                    entries[entry.run] = entry
    except FileNotFoundError:
        pass
    except OSError as error:
        problems.append(unreadable(str(path), error))
    return Recorded(entries, tuple(problems), warnings_of(folder))


def _plain(entry: RunEntry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names_of(RunEntry)}


def _entry(line: bytes) -> RunEntry | None:
    try:
        values = read_json(line)
        spent = Spent(**values.pop("spent", {}))
        entry = RunEntry(**values, spent=spent)
    except (ValueError, TypeError, AttributeError):
        return None
    numbers = (entry.turns, *asdict(spent).values())
    texts = (entry.run, entry.case, entry.status, entry.place, entry.problem)
    fine = all(isinstance(text, str) for text in texts) and all(isinstance(one, int | float) for one in numbers)
    return entry if fine else None


class BatchRecord:
    """The record of a batch, open to be appended to."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError."""
        self._file = regular.appended(folder / LINES, folder, readable=True)
        if size := self._file.seek(0, os.SEEK_END):
            self._file.seek(size - 1)
            if self._file.read(1) != b"\n":
                self._file.write(b"\n")  # a torn line stays alone on its line

    def note(self, entry: RunEntry) -> None:
        values = {name: value for name, value in _plain(entry).items() if value and name != "spent"}
        values |= {"run": entry.run, "case": entry.case, "status": entry.status}
        if entry.spent.calls:
            values["spent"] = {name: value for name, value in asdict(entry.spent).items() if value}
        self._file.write(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def close(self) -> None:
        self._file.close()


# ---- who is at work --------------------------------------------------------------------------------------------------


def held(folder: Path) -> AcquireReturnProxy | Diagnostic:
    """The right to be at work in a folder, which is made where it is missing; else who has it."""
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        regular.vacant(folder / LOCK, folder)
        lock = FileLock(folder / LOCK, thread_local=False).acquire(timeout=0)
        write_whole(folder / HOLDER, f"{platform.node() or 'localhost'}, pid {os.getpid()}".encode())
    except Timeout:
        return diagnose.busy_batch(str(folder), path=str(folder), holder=_holder(folder))
    except OSError as error:
        return unreadable(str(error.filename or folder), error)
    return lock


def _holder(folder: Path) -> str:
    try:
        return regular.start(folder / HOLDER, most=200).decode("utf-8", "replace")
    except (OSError, ValueError):
        return "?"


# ---- the command -----------------------------------------------------------------------------------------------------


def keep_command(folder: Path, words: Mapping[str, Any]) -> Diagnostic | None:
    """Write down what a batch was asked for."""
    try:
        write_whole(folder / ASKED, (json.dumps(words, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        return unreadable(str(folder / ASKED), error)
    return None


def keep_warnings(folder: Path, row: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """Write down the warnings of the cases of a batch; why that could not be done."""
    try:
        write_whole(folder / WARNINGS, (json.dumps(row, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        return (unreadable(str(folder / WARNINGS), error),)
    return ()


def warnings_of(folder: Path) -> dict[str, Any]:
    """What `keep_warnings` wrote; {} where there is nothing that can be read."""
    try:
        row = read_json(regular.text(folder / WARNINGS))
    except (OSError, ValueError):
        return {}
    return row if isinstance(row, dict) else {}


def command_of(folder: Path) -> dict[str, Any] | Diagnostic:
    """What a batch was asked for."""
    path = folder / ASKED
    try:
        words = read_json(regular.text(path))
    except FileNotFoundError:
        return diagnose.no_batch(str(folder), path=str(folder))
    except OSError as error:
        return unreadable(str(path), error)
    except ValueError:
        words = None
    if not isinstance(words, dict):
        return diagnose.damaged_batch_file(str(path), path=str(path), reason="JSON")
    return words


# ---- what interrupted runs leave -------------------------------------------------------------------------------------


def leftovers(folder: Path) -> Iterator[Path]:
    """Folders of runs that were being made when their process was killed, in no order: `.NAME.hex`, and none else."""
    for path in folder.rglob(".*"):
        suffix = path.name.rpartition(".")[2]
        if path.is_dir() and not path.is_symlink() and len(suffix) == 8 and set(suffix) <= set("0123456789abcdef"):
            yield path


def clear(folder: Path) -> list[Path] | Diagnostic:
    """Remove what was left over; nobody may be at work in the folder."""
    lock = held(folder)
    if isinstance(lock, Diagnostic):
        return lock
    with lock:
        found = sorted(leftovers(folder))
        for path in found:
            shutil.rmtree(path, ignore_errors=True)
        return found
