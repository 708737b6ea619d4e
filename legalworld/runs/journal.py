"""The journal of a run: `journal.jsonl`, append-only, every line checksummed, the only truth of the run.

A line is an answer (`{"n":1,"answer":ID,"reply":{...},"sum":"..."}`: a reply, the only fact from outside) or an event
(`{"n":2,"event":{...},"sum":"..."}`: derived from the replies). Numbers run from 1. `sum` is the first 16 hex digits of
the SHA-256 of the previous line's sum followed by the line without its own, so that the order is protected too. No
clock, path or process id stands in it: two runs with one seed are byte-identical. Durations go to `times.jsonl`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Self

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import EVENT, Event, Reply
from ..model.immutable import immutable
from ..model.source import Span

_SUM = b',"sum":"'
# Two lines that lost the newline between them; within a string the quotes would be escaped.
_MERGED = re.compile(rb',"sum":"[0-9a-f]{16}"\}.?\{"n":', re.DOTALL)
_SUMMED = re.compile(rb',"sum":"([0-9a-f]{16})"\}\Z')
_BEGUN = b'{"begun":'
_EVENT, _REPLIED, _BY = b'"event":', b'"answer":', b'"by":"'
_ASKED, _ADDED, _NOTHING_ADDED = b'{"kind":"asked",', b',"added":[', b',"added":[],"shown":{}}'
_ANSWER = re.compile(rb'"answer":("(?:[^"\\]|\\.)*"),"reply":')
_ENDED = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"ended",')
_TAIL = 1 << 16  # bytes; the last event of a run is shorter by far
_SUM_LENGTH = len(',"sum":"0123456789abcdef"}')


@immutable
class AnswerLine:
    """Line `n`: the reply to the request with the id `request`."""

    n: int
    request: str
    reply: Reply


@immutable
class EventLine:
    n: int
    event: Event


Line = AnswerLine | EventLine


def events_in(lines: Iterable[Line]) -> Iterator[Event]:
    """The events among some lines, in their order."""
    return (line.event for line in lines if isinstance(line, EventLine))


def answers_in(lines: Iterable[Line]) -> dict[str, Reply]:
    """Request id -> reply."""
    return {line.request: line.reply for line in lines if isinstance(line, AnswerLine)}


@immutable
class Session:
    """A time that a run was played: when it was begun or gone on with (ISO 8601, UTC), and by which versions."""

    begun: str
    lw: str
    python: str
    litellm: str


@immutable
class Loaded:
    """What can be relied on: the good lines, their size in bytes, and the last one's sum, which the next continues.

    `torn`: a last line that was not written to its end was left out. `problem`: a line that was damaged or changed, or
    a file that cannot be read; such a journal is not to be continued.
    """

    lines: tuple[Line, ...]
    size: int
    chain: str
    torn: bool
    problem: Diagnostic | None


def load(path: Path, *, brief: bool = False) -> Loaded:
    """The journal at `path`; never raises for what the file holds.

    `brief`: every line is checked, but only events are read, those of requests without their messages, which are nine
    tenths of a journal. What was loaded so cannot be continued.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Loaded((), 0, "", False, diagnose.missing_run_file(str(path), name=path.name))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Loaded((), 0, "", False, diagnose.inaccessible_path(str(path), path=str(path), reason=reason))
    lines: list[Line] = []
    n, size, chain, torn, problem = 0, 0, b"", False, None
    while size < len(data) and not torn and problem is None:
        end = data.find(b"\n", size)
        body = data[size : max(end - _SUM_LENGTH, size)]
        following = _sum(chain, body)
        if end < 0 or data[size + len(body) : end] != b'%b%b"}' % (_SUM, following):
            torn = end in (-1, len(data) - 1) and _is_torn(data[size : end if end >= 0 else len(data)], chain)
            problem = None if torn else diagnose.damaged_journal_line(Span(str(path), n + 1, 1), n=n + 1)
            continue
        begin = b'{"n":%d,' % (n + 1)
        if not (brief and body.startswith(_REPLIED, len(begin)) and body.startswith(begin)):
            line = _parsed(body, n + 1, len(begin), brief) if body.startswith(begin) else None
            if line is None:
                problem = diagnose.unsupported_journal_line(Span(str(path), n + 1, 1), n=n + 1)
                continue
            lines.append(line)
        n, size, chain = n + 1, end + 1, following
    return Loaded(tuple(lines), size, chain.decode(), torn, problem)


def _is_torn(line: bytes, chain: bytes) -> bool:
    """Whether a last line that is not good was not written to its end. One that ends as lines do, with another sum
    than its own, was changed since; two in one lost the newline between them."""
    whole = _SUMMED.fullmatch(line, max(len(line) - _SUM_LENGTH, 0)) is not None
    only_newline_missing = whole and line[-18:-2] == _sum(chain, line[:-_SUM_LENGTH])
    return (not whole or only_newline_missing or b"\0" in line) and not _MERGED.search(line)


def last_sum(path: Path) -> str:
    """The sum of the last whole line of a journal, which tells all of it; only that line is read. "" for none."""
    last = _SUMMED.search(_tail(path).rpartition(b"\n")[0])
    return last[1].decode() if last is not None else ""


def stood_in(path: Path) -> dict[str, str]:
    """Request -> the model that answered in place of another, of a journal that was verified; few have any."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    if _BY not in data:  # within a string the quotes would be escaped
        return {}
    told = (json.loads(line) for line in data.splitlines() if _BY in line and _REPLIED in line)
    return {line["answer"]: line["reply"]["by"] for line in told if "answer" in line and "by" in line["reply"]}


def _tail(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            return file.read()
    except OSError:
        return b""


def ended(path: Path) -> bool:
    """Whether the last line of a journal says that its run is over; only that line is read, and not verified."""
    tail = _tail(path)
    return tail.endswith(b"\n") and _ENDED.match(tail, tail.rfind(b"\n", 0, len(tail) - 1) + 1) is not None


def _parsed(body: bytes, n: int, start: int, brief: bool) -> Line | None:
    """The line as a value, or None where the sum is right but the content is not ours (another version wrote it).

    `brief`: a request comes without its messages. Within a string the quotes would be escaped.
    """
    try:
        if body.startswith(_EVENT, start):
            start += len(_EVENT)
            added = body.find(_ADDED, start) if brief and body.startswith(_ASKED, start) else -1
            event = body[start:] if added < 0 else body[start:added] + _NOTHING_ADDED
            return EventLine(n, EVENT.validator.validate_json(event))
        if answer := _ANSWER.match(body, start):
            return AnswerLine(n, json.loads(answer[1]), Reply.model_validate_json(body[answer.end() :]))
    except ValueError:
        pass
    return None


def _sum(chain: bytes, body: bytes) -> bytes:
    """Of a line without its own sum and its last brace, after the sum of the line before."""
    digest = sha256(chain)
    digest.update(body)  # not joined first: bodies are long
    digest.update(b"}")
    return digest.hexdigest()[:16].encode()


class _OpenFile:
    """A file to append to; leaving the context closes it."""

    _file: FileIO

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Journal(_OpenFile):
    """An open journal. `after` is what was loaded from it, None for a new one; what is not good in it is cut off.

    Hold the run folder's lock before loading: another process's lines would be cut off too.
    """

    def __init__(self, path: Path, *, after: Loaded | None = None) -> None:
        """Raises OSError; ValueError for a journal with a problem, or one that is not new and was not loaded."""
        if after is not None and after.problem is not None:
            raise ValueError(f"a journal with a problem is not continued: {after.problem.code}")
        self._file = FileIO(path, "a")
        try:
            existing = self._file.seek(0, os.SEEK_END)
            self._n, self._size = (len(after.lines), after.size) if after else (0, 0)
            self._chain = after.chain.encode() if after else b""
            if existing < self._size or (after is None and existing):
                raise ValueError(f"{path} is not the journal that was loaded")
            if existing > self._size:
                self._file.truncate(self._size)
                os.fsync(self._file.fileno())
        except BaseException:
            self._file.close()
            raise

    @property
    def n(self) -> int:
        """The number of the last line; 0 when there is none."""
        return self._n

    def write(self, events: Sequence[Event], answer: tuple[str, Reply] | None = None) -> None:
        """Append the events, then the answer (request id, reply), with one write and one fsync; durable on return.

        Raises OSError (nothing was appended: the run can be resumed), ValueError for text that `clean` has not seen.
        """
        if commit := self.prepared(events, answer):
            commit()

    def prepared(self, events: Sequence[Event], answer: tuple[str, Reply] | None = None) -> Callable[[], None] | None:
        """What brings the lines to the disk, which another thread may do; None for no lines. One at a time."""
        bodies = [f'"event":{event.model_dump_json()}' for event in events]
        if answer is not None:
            bodies.append(f'"answer":{json.dumps(answer[0], ensure_ascii=False)},"reply":{answer[1].model_dump_json()}')
        if not bodies:
            return None
        n, chain, lines = self._n, self._chain, []
        for body in bodies:
            n += 1
            line = f'{{"n":{n},{body}'.encode()
            chain = _sum(chain, line)
            lines.append(b'%b%b%b"}\n' % (line, _SUM, chain))
        return partial(self._append, b"".join(lines), n, chain)

    def _append(self, data: bytes, n: int, chain: bytes) -> None:
        try:
            written = self._file.write(data)
            while written < len(data):  # a short write: a full disk says so at the next attempt
                written += self._file.write(data[written:])
            os.fsync(self._file.fileno())
            self._n, self._chain, self._size = n, chain, self._size + len(data)
        except BaseException:  # Ctrl-C too: number, chain and file stay in step
            self._file.truncate(self._size)
            raise


class Times(_OpenFile):
    """`times.jsonl`: how long the answer on journal line n took and when it was there, in seconds since the run was
    begun or gone on with; when that was, and by which versions; and which call failed. Not durable, no part of the
    truth."""

    def __init__(self, path: Path, session: Session | None = None) -> None:
        """`session` is noted before the first answer: a run that is over is not gone on with."""
        self._session = session
        self._begun = time.perf_counter()
        self._file = FileIO(path, "a+")
        size = self._file.seek(0, os.SEEK_END)
        if size and (self._file.seek(size - 1), self._file.read(1))[1] != b"\n":
            self._file.write(b"\n")  # a torn line stays alone on its line

    def note(self, n: int, seconds: float) -> None:
        self._write(b'{"n":%d,"seconds":%.6f,"at":%.6f}\n' % (n, seconds, time.perf_counter() - self._begun))

    def failed(self, request: str, role: str, kind: str, seconds: float) -> None:
        """A call that ended without an answer; `kind`: that of the failure."""
        told = {"failed": request, "role": role, "kind": kind, "seconds": round(seconds, 6)}
        told["at"] = round(time.perf_counter() - self._begun, 6)
        self._write(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def _write(self, line: bytes) -> None:
        if self._session is not None:
            begun = json.dumps(asdict(self._session), separators=(",", ":"))
            self._file.write(begun.encode() + b"\n")
            self._session = None
        self._file.write(line)


def sessions(path: Path) -> Iterator[Session]:
    """When and by what a run was played, as its `times.jsonl` says; nothing where it does not say."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for line in lines:
        if line.startswith(_BEGUN):
            try:
                yield Session(**{name: str(value)[:64] for name, value in json.loads(line).items()})
            except (ValueError, TypeError, AttributeError):
                continue  # torn, or another version's


def replies(path: Path) -> Iterator[AnswerLine]:
    """The replies in a journal that was loaded before: nothing is verified again. Nothing for what cannot be read."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for n, line in enumerate(lines, 1):
        start = len(b'{"n":%d,' % n)
        if line.startswith(_REPLIED, start):
            found = _parsed(line[:-_SUM_LENGTH] if line.endswith(b'"}') else line, n, start, False)
            if isinstance(found, AnswerLine):
                yield found
