"""The journal of a run: `journal.jsonl`, append-only, every line checksummed, the only truth of the run.

A line is an answer (`{"n":1,"answer":ID,"reply":{...},"sum":"..."}`: a reply, the only fact from outside), an event
(`{"n":2,"event":{...},"sum":"..."}`: derived from the replies; of prompts each line stands there once: `prompt_lines`)
or a change (`{"n":3,"change":{...},"sum":"..."}`: with what the run is gone on with; it stands behind an answer, or at
the beginning). Numbers run from 1. `sum` is the first 16 hex digits of the SHA-256 of the previous line's sum followed
by the line without its own, so that the order is protected too. No clock, path or process id stands in it: two runs
with one seed are byte-identical. Durations go to `times.jsonl`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from functools import partial
from hashlib import sha256
from io import BufferedReader, FileIO
from pathlib import Path
from typing import IO, Self

from ..files import regular
from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import EVENT, Asked, Event, Reply
from ..model.immutable import immutable
from ..model.json_text import read_clean, read_json, read_model
from ..model.source import Span
from ..models.habits import Adjustment
from .changes import RunChange
from .prompt_lines import MissingLine, PromptLines

_SUM = b',"sum":"'
# Two lines that lost the newline between them; within a string the quotes would be escaped.
_MERGED = re.compile(rb',"sum":"[0-9a-f]{16}"\}.?\{"n":', re.DOTALL)
_SUMMED = re.compile(rb',"sum":"([0-9a-f]{16})"\}\Z')
_BEGUN = b'{"begun":'
_EVENT, _REPLIED, _BY, _CHANGE = b'"event":', b'"answer":', b'"by":"', b'"change":'
_ASKED, _ADDED, _NOTHING_ADDED = b'{"kind":"asked",', b',"added":[', b',"added":[],"shown":{}}'
_ANSWER = re.compile(rb'"answer":("(?:[^"\\]|\\.)*"),"reply":')
_ENDED = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"ended",')
LONGEST_LINE = 64 << 20  # bytes; what is longer was not written here
_TIMED = re.compile(rb'\{"n":([0-9]{1,18}),"seconds":([0-9]{1,18}\.[0-9]{1,9}),')
_BUFFER = 1 << 17
_MOST_STANDINGS = 4096
_SUM_LENGTH = len(',"sum":"0123456789abcdef"}')
SUM_LENGTH = _SUM_LENGTH + 1  # of all that stands behind the body of a line, its end too


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


@immutable
class ChangeLine:
    n: int
    change: RunChange


Line = AnswerLine | EventLine | ChangeLine


def events_in(lines: Iterable[Line]) -> Iterator[Event]:
    """The events among some lines, in their order."""
    return (line.event for line in lines if isinstance(line, EventLine))


def changes_in(lines: Iterable[Line]) -> Iterator[RunChange]:
    """The changes among some lines, in their order."""
    return (line.change for line in lines if isinstance(line, ChangeLine))


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
    a file that cannot be read; such a journal is not to be continued. `stood_in`: request -> the model that answered in
    place of another; few journals have any.
    """

    lines: tuple[Line, ...]
    size: int
    chain: str
    torn: bool
    problem: Diagnostic | None
    stood_in: Mapping[str, str] = field(default_factory=dict)


class VerifiedLines:
    """The lines of a journal, one after another and without their sums, as far as each follows from the one before.

    `n`, `size`, `chain`: number, end and sum of the last line that was gone past; `torn`, `problem`: see `Loaded`.
    Never raises for what the file holds, and holds one line of it at a time. `opening`: how each line begins.
    """

    def __init__(self, path: Path, opening: bytes = b'{"n":') -> None:
        self.path = path
        self._opening = opening
        self.n = self.size = 0
        self.chain = b""
        self.torn = False
        self.problem: Diagnostic | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            with regular.opened(self.path, self.path.parent) as raw, BufferedReader(raw, _BUFFER) as file:
                yield from self._lines(file)
        except FileNotFoundError:
            self.problem = diagnose.missing_run_file(str(self.path), name=self.path.name)
        except OSError as error:
            self.problem = unreadable(str(self.path), error)

    def _lines(self, file: IO[bytes]) -> Iterator[bytes]:
        while line := file.readline(LONGEST_LINE):
            end = len(line) - 1 if line.endswith(b"\n") else 0
            body = line[: max(end - _SUM_LENGTH, 0)]
            following = _sum(self.chain, body)
            if line[len(body) : end] != b'%b%b"}' % (_SUM, following):
                last = len(line) < LONGEST_LINE and not file.read(1)
                self.torn = last and self._is_torn(line[:end] if end else line)
                place = Span(str(self.path), self.n + 1, 1)
                self.problem = None if self.torn else diagnose.damaged_journal_line(place, n=self.n + 1)
                return
            yield body
            self.n, self.size, self.chain = self.n + 1, self.size + len(line), following

    def _is_torn(self, line: bytes) -> bool:
        """Whether a last line that is not good was not written to its end: it begins as lines do, as far as it goes.
        One that ends as they do, with another sum than its own, was changed; two in one lost the newline between."""
        written = line.partition(b"\0")[0]
        begun = written.startswith(self._opening) or self._opening.startswith(written)
        whole = _SUMMED.fullmatch(line, max(len(line) - _SUM_LENGTH, 0)) is not None
        only_newline_missing = whole and line[-18:-2] == _sum(self.chain, line[:-_SUM_LENGTH])
        return begun and (not whole or only_newline_missing or b"\0" in line) and not _MERGED.search(line)


def load(path: Path, *, brief: bool = False) -> Loaded:
    """The journal at `path`; never raises for what the file holds.

    `brief`: every line is checked, but only events are read, those of requests without their messages, which are nine
    tenths of a journal. What was loaded so cannot be continued.
    """
    lines: list[Line] = []
    by: dict[str, str] = {}
    verified, prompts = VerifiedLines(path), None if brief else PromptLines()
    for body in verified:
        n = verified.n + 1
        begin = b'{"n":%d,' % n
        if brief and body.startswith(_REPLIED, len(begin)) and body.startswith(begin) and _BY not in body:
            continue  # within a string the quotes would be escaped
        try:
            line = _parsed(body, n, len(begin), prompts) if body.startswith(begin) else None
        except MissingLine:
            verified.problem = diagnose.missing_prompt_line(Span(str(path), n, 1), n=n)
            break
        if line is None:
            verified.problem = diagnose.unsupported_journal_line(Span(str(path), n, 1), n=n)
            break
        if isinstance(line, AnswerLine) and line.reply.by:
            by[line.request] = line.reply.by
        if not (brief and isinstance(line, AnswerLine)):
            lines.append(line)
    return Loaded(tuple(lines), verified.size, verified.chain.decode(), verified.torn, verified.problem, by)


def before_change(loaded: Loaded, path: Path) -> Loaded:
    """What a change is written behind: all up to the last answer. What was derived since is derived anew, for what is
    asked next may be asked otherwise."""
    kept = len(loaded.lines)
    while kept and isinstance(loaded.lines[kept - 1], EventLine):
        kept -= 1
    if kept == len(loaded.lines):
        return loaded
    verified = VerifiedLines(path)
    for _ in verified:
        if verified.n == kept:
            break
    return Loaded(loaded.lines[:kept], verified.size, verified.chain.decode(), False, verified.problem)


@immutable
class JournalState:
    """How a journal stands, with every line of it verified: the sum of the last one, which tells all of it; whether its
    run is over; and why it cannot be relied on."""

    chain: str
    ended: bool
    problem: Diagnostic | None


_standings: dict[Path, tuple[regular.Stamp, JournalState]] = {}


def standing(path: Path) -> JournalState:
    """How the journal at `path` stands. What was verified by this process is believed while its file is the same."""
    stamp = regular.Stamp.of(path)
    before = _standings.get(path)
    if before is not None and before[0] == stamp:
        return before[1]
    verified = VerifiedLines(path)
    last = deque(verified, maxlen=1)
    over = verified.problem is None and not verified.torn and bool(last) and _ENDED.match(last[0]) is not None
    found = JournalState(verified.chain.decode(), over, verified.problem)
    if stamp.settled:
        if len(_standings) >= _MOST_STANDINGS:
            _standings.clear()
        _standings[path] = stamp, found
    return found


def _parsed(body: bytes, n: int, start: int, prompts: PromptLines | None) -> Line | None:
    """The line as a value, or None where the sum is right but the content is not ours (another version wrote it).

    Without `prompts` a request comes without its messages. Within a string the quotes would be escaped. Raises
    MissingLine.
    """
    try:
        if body.startswith(_EVENT, start):
            return EventLine(n, _event(body, start + len(_EVENT), prompts))
        if body.startswith(_CHANGE, start):
            change = read_model(RunChange, body[start + len(_CHANGE) :])
            _ = change.profiles  # raises for what names nothing
            return ChangeLine(n, change)
        if answer := _ANSWER.match(body, start):
            return AnswerLine(n, read_json(answer[1]), read_model(Reply, body[answer.end() :]))
    except MissingLine:
        raise
    except ValueError:
        pass
    return None


def _event(body: bytes, start: int, prompts: PromptLines | None) -> Event:
    """The event whose JSON begins at a place of a line. Raises ValueError."""
    text = body[start:]
    if text.startswith(_ASKED):
        if prompts is not None:
            return prompts.read(read_clean(text), len(body))
        head, added, _ = text.partition(_ADDED)
        text = head + _NOTHING_ADDED if added else text
    event: Event = EVENT.validator.validate_json(text)
    return event


def _sum(chain: bytes, body: bytes) -> bytes:
    """Of a line without its own sum and its last brace, after the sum of the line before."""
    digest = sha256(chain)
    digest.update(body)  # not joined first: bodies are long
    digest.update(b"}")
    return digest.hexdigest()[:16].encode()


def summed(body: bytes, chain: bytes) -> tuple[bytes, bytes]:
    """A line without its last brace, written with its sum behind that of the line before (`chain`); and its sum."""
    following = _sum(chain, body)
    return b'%b%b%b"}\n' % (body, _SUM, following), following


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
        self._file = regular.appended(path, path.parent)
        try:
            existing = self._file.seek(0, os.SEEK_END)
            self._n, self._size = (len(after.lines), after.size) if after else (0, 0)
            self._chain = after.chain.encode() if after else b""
            self._prompts = PromptLines()
            for event in events_in(after.lines if after else ()):
                if isinstance(event, Asked):
                    self._prompts.written(event)
            self._prompts.settle()
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

    def change(self, change: RunChange) -> None:
        """Append a change; durable on return. Raises OSError."""
        self._summed([f'"change":{change.model_dump_json()}'])()

    def prepared(self, events: Sequence[Event], answer: tuple[str, Reply] | None = None) -> Callable[[], None] | None:
        """What brings the lines to the disk, which another thread may do; None for no lines. One at a time."""
        self._prompts.begin()
        bodies = [f'"event":{self._written(event)}' for event in events]
        if answer is not None:
            bodies.append(f'"answer":{json.dumps(answer[0], ensure_ascii=False)},"reply":{answer[1].model_dump_json()}')
        return self._summed(bodies) if bodies else None

    def _written(self, event: Event) -> str:
        return self._prompts.written(event) if isinstance(event, Asked) else event.model_dump_json()

    def _summed(self, bodies: Sequence[str]) -> Callable[[], None]:
        """What brings some lines to the disk."""
        n, chain, lines = self._n, self._chain, []
        for body in bodies:
            n += 1
            line, chain = summed(f'{{"n":{n},{body}'.encode(), chain)
            lines.append(line)
        return partial(self._append, b"".join(lines), n, chain)

    def _append(self, data: bytes, n: int, chain: bytes) -> None:
        try:
            written = self._file.write(data)
            while written < len(data):  # a short write: a full disk says so at the next attempt
                written += self._file.write(data[written:])
            os.fsync(self._file.fileno())
            self._n, self._chain, self._size = n, chain, self._size + len(data)
            self._prompts.settle()
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
        self._file = regular.appended(path, path.parent, readable=True)
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

    def adjusted(self, adjustment: Adjustment) -> None:
        """A parameter that is not sent to a model as it was set; see `adjustments`."""
        told = {"adjusted": asdict(adjustment), "at": round(time.perf_counter() - self._begun, 6)}
        self._write(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def _write(self, line: bytes) -> None:
        if self._session is not None:
            begun = json.dumps(asdict(self._session), separators=(",", ":"))
            self._file.write(begun.encode() + b"\n")
            self._session = None
        self._file.write(line)


def sessions(path: Path) -> Iterator[Session]:
    """When and by what a run was played, as its `times.jsonl` says; nothing where it does not say."""
    for line in regular.lines(path, path.parent):
        if line.startswith(_BEGUN):
            try:
                yield Session(**{name: str(value)[:64] for name, value in read_json(line).items()})
            except (ValueError, TypeError, AttributeError):
                continue  # torn, or another version's


def answer_times(path: Path) -> dict[int, float]:
    """Return how long the answers took, in seconds, by the numbers of their lines, as a `times.jsonl` says; nothing
    where it does not say."""
    found: dict[int, float] = {}
    for line in regular.lines(path, path.parent):
        if match := _TIMED.match(line):
            found[int(match[1])] = float(match[2])
    return found


def replies(path: Path) -> Iterator[AnswerLine]:
    """The replies in a journal, as far as it can be relied on."""
    verified = VerifiedLines(path)
    for body in verified:
        start = len(b'{"n":%d,' % (verified.n + 1))
        if body.startswith(_REPLIED, start):
            found = _parsed(body, verified.n + 1, start, None)
            if isinstance(found, AnswerLine):
                yield found
