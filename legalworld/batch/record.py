"""What a batch leaves beside its runs: who is at work in the folder, and what became of each run.

    batch.json      the command, summed: what `lw batch retry` goes by; and how far the record had come at its end
    batch.jsonl     a line whenever a run is begun, ends or stops, only appended; the last line of a run counts
    batch.warnings.json    the warnings of its cases: how many of each kind, with examples
    batch.lock      held while a batch is at work · batch.holder: by whom

Each line of the record is summed behind the one before, as those of a journal are, and `batch.json` holds the number
and the sum of the last line whenever a batch leaves off: what was edited, taken out or cut off since is told, and then
no line of the record is believed. The runs are the truth; a lost line costs nothing but its figures.
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

from ..files import regular
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, names_of
from ..model.json_text import read_json
from ..model.source import Span
from ..models.prices import NOTHING, Spent
from ..runs.journal import SUM_LENGTH, VerifiedLines, summed
from ..runs.run_info import sum_of

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy

ASKED: Final = "batch.json"
LINES: Final = "batch.jsonl"
ASIDE: Final = "batch.damaged.jsonl"
"""A record that was not what had been written, put aside when a batch goes on."""
LOCK: Final = "batch.lock"
HOLDER: Final = "batch.holder"
WARNINGS: Final = "batch.warnings.json"


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
class RecordHead:
    """How far a record had come: its lines, and the sum of the last one."""

    lines: int = 0
    sum: str = ""


@immutable
class Recorded:
    """What the record says: of each run its last entry; `head`: how far it came, `size`: in bytes; `warned`: see
    `warnings_of`.

    `problems`: why it cannot be relied on; it then has no entries.
    """

    entries: Mapping[str, RunEntry] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()
    head: RecordHead = RecordHead()
    size: int = 0
    warned: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spent(self) -> Spent:
        return sum((entry.spent for entry in self.entries.values()), NOTHING)


def recorded(folder: Path) -> Recorded:
    """The record of a batch, verified line by line and against what `batch.json` says of it."""
    path = folder / LINES
    known = _command(folder)
    if isinstance(known, Diagnostic):
        if known.code in _NO_BATCH:
            known, path = diagnose.altered_batch_command(str(folder / ASKED), path=str(folder / ASKED)), folder / LINES
            return Recorded(problems=(known,) if os.path.lexists(path) else ())
        return Recorded(problems=(known,))
    _, head = known
    warned = warnings_of(folder)
    if isinstance(warned, Diagnostic):
        return Recorded(problems=(warned,))
    if head == RecordHead() and not os.path.lexists(path):
        return Recorded(warned=warned)
    entries: dict[str, RunEntry] = {}
    lines = VerifiedLines(path, b'{"run":')
    fits = not head.lines
    for body in lines:
        fits = fits or (lines.n == head.lines and lines.chain.decode() == head.sum)
        entry = _entry(body + b"}")
        if entry is None:
            lines.problem = diagnose.altered_batch_record(Span(str(path), lines.n + 1, 1), n=lines.n + 1)
            break
        before = entries.get(entry.run)
        if entry.status == "begun" and before is not None:
            entry = RunEntry(**{**_plain(entry), "spent": before.spent})
        entries[entry.run] = entry
    now = RecordHead(lines.n, lines.chain.decode())
    if (problem := _problem_of(lines, head if not fits and head != now else None)) is not None:
        return Recorded(problems=(problem,))
    return Recorded(entries, (), now, lines.size, warned)


_NO_BATCH: Final = diagnose.codes_of(diagnose.no_batch)
_ALTERED: Final = diagnose.codes_of(diagnose.damaged_journal_line)
_MISSING: Final = diagnose.codes_of(diagnose.missing_run_file)


def _problem_of(lines: VerifiedLines, lost: RecordHead | None) -> Diagnostic | None:
    """What is wrong with the record that was read; `lost`: what it had come to by `batch.json`, and now has not."""
    problem, path = lines.problem, str(lines.path)
    if problem is not None and problem.code in _ALTERED:
        return diagnose.altered_batch_record(problem.span, n=lines.n + 1)
    if lost is not None and (problem is None or problem.code in _MISSING):
        return diagnose.shortened_batch_record(path, path=path, wanted=lost.lines, found=lines.n)
    return problem


def _plain(entry: RunEntry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names_of(RunEntry)}


def _entry(line: bytes) -> RunEntry | None:
    try:
        values = read_json(line)
        values.pop("sum", None)
        spent = Spent(**values.pop("spent", {}))
        entry = RunEntry(**values, spent=spent)
    except (ValueError, TypeError, AttributeError):
        return None
    numbers = (entry.turns, *asdict(spent).values())
    texts = (entry.run, entry.case, entry.status, entry.place, entry.problem)
    fine = all(isinstance(text, str) for text in texts) and all(isinstance(one, int | float) for one in numbers)
    return entry if fine else None


def _body(entry: RunEntry) -> bytes:
    """An entry as it is written, without its last brace."""
    values = {name: value for name, value in _plain(entry).items() if value and name != "spent"}
    values |= {"run": entry.run, "case": entry.case, "status": entry.status}
    if entry.spent.calls:
        values["spent"] = {name: value for name, value in asdict(entry.spent).items() if value}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")[:-1]


class BatchRecord:
    """The record of a batch, open to be appended to. `head`: how far it came."""

    def __init__(self, folder: Path, before: Recorded) -> None:
        """`before`: what was read of it; a last line that was not written to its end is cut off. Raises OSError."""
        self._file = regular.appended(folder / LINES, folder)
        self.head = before.head
        try:
            self._file.truncate(before.size)
        except BaseException:
            self._file.close()
            raise

    def note(self, entry: RunEntry) -> None:
        line, chain = summed(_body(entry), self.head.sum.encode())
        regular.write_all(self._file, (line,))
        self.head = RecordHead(self.head.lines + 1, chain.decode())

    def close(self) -> None:
        try:
            os.fsync(self._file.fileno())
        finally:
            self._file.close()


def put_aside(folder: Path, before: Recorded) -> None:
    """Put aside a record that was not what had been written. Raises OSError."""
    if before.problems and regular.is_file(folder / LINES, folder):
        regular.put(folder / LINES, folder / ASIDE)


def merged(theirs: bytes, ours: bytes) -> bytes:
    """Two records of one batch that went apart, as they lie on the disk: theirs, and behind it what ours says besides.

    What does not follow in one of them does not in the whole, and is told when that is read.
    """
    if ours.startswith(theirs):
        return ours
    chain, good = _chain_of(theirs)
    others = theirs.splitlines(keepends=True)
    lines = ours[: ours.rfind(b"\n") + 1].splitlines(keepends=True)
    same = next((n for n, (one, other) in enumerate(zip(lines, others, strict=False)) if one != other), len(others))
    rest = lines[same:]
    if not good or not _chain_of(b"".join(lines))[1]:
        return theirs + b"".join(rest)
    for line in rest:
        if (entry := _entry(line)) is not None:
            more, chain = summed(_body(entry), chain)
            theirs += more
    return theirs


def _chain_of(record: bytes) -> tuple[bytes, bool]:
    """The sum of the last line, and whether each line follows from the one before."""
    chain = b""
    for line in record.splitlines(keepends=True):
        expected, chain = summed(line[:-SUM_LENGTH], chain)
        if expected != line:
            return chain, False
    return chain, True


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


def keep_command(folder: Path, words: Mapping[str, Any], head: RecordHead | None = None) -> Diagnostic | None:
    """Write down what a batch was asked for, and how far its record has come; None: as far as it says already."""
    if head is None:
        known = _command(folder)
        head = RecordHead() if isinstance(known, Diagnostic) else known[1]
    kept = {**words, "record": asdict(head)}
    kept["sum"] = _sum(kept)
    try:
        write_whole(folder / ASKED, (json.dumps(kept, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        return unreadable(str(folder / ASKED), error)
    return None


def keep_warnings(folder: Path, row: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """Write down the warnings of the cases of a batch; why that could not be done."""
    kept = {**row, "sum": _sum(row)}
    try:
        write_whole(folder / WARNINGS, (json.dumps(kept, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        return (unreadable(str(folder / WARNINGS), error),)
    return ()


def warnings_of(folder: Path) -> dict[str, Any] | Diagnostic:
    """What `keep_warnings` wrote; {} where there is nothing."""
    path = folder / WARNINGS
    try:
        row = read_json(regular.text(path, folder) or "{}")
    except FileNotFoundError:
        return {}
    except OSError as error:
        return unreadable(str(path), error)
    except ValueError:
        row = None
    if isinstance(row, dict) and (not row or row.pop("sum", None) == _sum(row)):
        return row
    return diagnose.altered_batch_command(str(path), path=str(path))


def command_of(folder: Path) -> dict[str, Any] | Diagnostic:
    """What a batch was asked for."""
    known = _command(folder)
    return known if isinstance(known, Diagnostic) else known[0]


def _command(folder: Path) -> tuple[dict[str, Any], RecordHead] | Diagnostic:
    """What a batch was asked for, verified, and how far its record had come."""
    path = folder / ASKED
    try:
        words = read_json(regular.text(path, folder))
    except FileNotFoundError:
        return diagnose.no_batch(str(folder), path=str(folder))
    except OSError as error:
        return unreadable(str(path), error)
    except ValueError:
        words = None
    if not isinstance(words, dict):
        return diagnose.damaged_batch_file(str(path), path=str(path), reason="JSON")
    if words.pop("sum", None) != _sum(words):
        return diagnose.altered_batch_command(str(path), path=str(path))
    try:
        return words, RecordHead(**words.pop("record"))
    except (KeyError, TypeError):
        return diagnose.altered_batch_command(str(path), path=str(path))


def _sum(words: Mapping[str, Any]) -> str:
    return sum_of(json.dumps(words, ensure_ascii=False, sort_keys=True))


# ---- what lies in the folder -----------------------------------------------------------------------------------------


def runs_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """The runs below the folder of a batch, with their names in its record; no link is followed."""
    for place, folders, files in os.walk(folder):
        if "run.yaml" in files:
            folders.clear()
            yield Path(place).relative_to(folder).as_posix(), Path(place)
        else:
            folders[:] = sorted(name for name in folders if not name.startswith("."))


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
