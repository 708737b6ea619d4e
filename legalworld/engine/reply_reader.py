"""What a model writes, read piece by piece: what it says, what it thinks, and the calls that it writes as words.

    reader = ReplyReader(known_dialect())
    for piece in pieces:                       # of any length; a whole reply is one piece
        heard += reader.feed(piece)            # words that are certain by now; None: those told so far were a thought
    heard += reader.close()
    reader.text, reader.thought, reader.segments

How a reply was cut into pieces changes nothing of what it comes to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from ..model.dialect import Dialect, ThoughtMark
from ..model.events import Call
from .call_forms import call_at, json_call_at, opens
from .mark_patterns import LONGEST_TAG, DialectMark, closing_of, compiled, opening_of

Told = list[str | None]

MOST_OBJECTS: Final = 64  # JSON objects of one reply that are looked at
QUOTES: Final = {"“": "”", "‘": "’", '"': '"', "'": "'", "`": "`", "「": "」", "『": "』"}
_OBJECT: Final = re.compile(r"(?:\A|(?<=\n))[ \t]*(?:`{3,}[\w-]*\s*)?(?:\[\s*)?\{\s*\"")
_NEARLY_OBJECT: Final = re.compile(r"(?:\A|(?<=\n))[ \t]*(?:`{1,}[\w-]*\s*)?(?:\[\s*)?(?:\{\s*)?\Z")
_PROGRAM: Final = re.compile(r"\s*\[?\s*(?:[A-Za-z_][\w.]*)?(?:\(|\Z)")


class Segment(NamedTuple):
    """A part of a reply as it was written; `calls`: those that it is."""

    kind: Literal["words", "thought", "mark", "call"]
    raw: str
    calls: tuple[Call, ...] = ()


class ReplyReader:
    """One reply on its way. `calls`: calls in words are looked for; else they are words."""

    def __init__(self, dialect: Dialect, *, calls: bool = True) -> None:
        self.segments: list[Segment] = []
        self._dialect = dialect
        self._calls = calls
        self._marks = compiled(dialect, calls)
        self._rest = ""  # what is not read yet
        self._looked = 0  # characters of it in which no end of the thought stands
        self._thought: ThoughtMark | None = None  # the one that is open
        self._opening = ""
        self._started = False  # a word was said, or a mark stood there
        self._waits = False  # for the end of the reply: what comes may be a call, or a thought
        self._aside = False  # behind words that had marks of their own
        self._continued = False  # the last thought stands outside of such marks, and goes on
        self._objects = 0
        self._spoken: list[str] = []
        self._blank = ""  # after the words, not said yet
        self._apart = False  # something was cut out just now
        self._cut = False
        self._boundary = 0  # of `_spoken`: what comes after it may still turn out to be thought
        self._thoughts: list[str] = []
        self._told: Told = []
        self._heard = False

    @property
    def text(self) -> str:
        """What is said. Without any mark in it, it is the reply as it is."""
        return "".join(self._spoken)

    @property
    def thought(self) -> str:
        return "\n".join(thought for thought in map(str.strip, self._thoughts) if thought)

    def feed(self, piece: str) -> Told:
        """Take in a piece; the words that are certain by now."""
        return self._read(piece, False)

    def close(self) -> Told:
        """The reply is at its end; the words that were not certain before."""
        return self._read("", True)

    def _read(self, piece: str, final: bool) -> Told:
        self._rest += piece
        self._told = []
        while self._think(final) if self._thought is not None else self._speak(final):
            pass
        if final and not self._cut and self._blank:
            self._tell(self._blank)
            self._blank = ""
        return self._certain()

    def _certain(self) -> Told:
        """What is told of a piece, without what the same piece has taken back."""
        if None in self._told:
            last = len(self._told) - self._told[::-1].index(None)
            self._told = [*([None] if self._heard else []), *self._told[last:]]
        self._heard = self._heard or bool(self._told)
        return self._told

    # ---- thoughts ----------------------------------------------------------------------------------------------------
    def _think(self, final: bool) -> bool:
        """Read on in a thought; whether there is more to read."""
        assert self._thought is not None
        found = closing_of(self._thought).search(self._rest, max(0, self._looked - LONGEST_TAG))
        if found is not None:
            nested = opening_of(self._thought).search(self._rest, 0, found.start()) is not None
            self._leave(self._rest[: found.start()], found[0], found.end())
            self._waits = self._waits or nested  # this may be the end of the inner one: what follows is not certain
            return True
        self._looked = len(self._rest)
        if not final:
            return False
        called = self._broken_by_a_call()
        self._leave(self._rest[:called], "", called)
        return bool(self._rest)

    def _broken_by_a_call(self) -> int:
        """Where a call begins in a thought without an end: some models call out of their thoughts."""
        for found in self._marks.pattern.finditer(self._rest) if self._calls else ():
            if self._kind(found).kind in ("call", "frame") and not found[0].isalnum():
                return found.start()
        return len(self._rest)

    def _leave(self, thought: str, closing: str, end: int) -> None:
        self._thoughts.append(thought)
        self._segment("thought", self._opening + thought + closing)
        self._rest, self._looked, self._thought = self._rest[end:], 0, None
        self._cut_here()

    def _cut_here(self) -> None:
        """Something was cut out: of the blanks around it, those on one side are enough."""
        self._started = self._cut = self._apart = True
        self._continued = False
        self._boundary = len(self._spoken)

    # ---- words -------------------------------------------------------------------------------------------------------
    def _speak(self, final: bool) -> bool:
        """Read on in what is said; whether there is more to read."""
        if self._waits and not final:
            return False
        if not self._started:
            begun = self._begin(final)
            if begun is not None:
                return begun
        found = self._next(final)
        place = self._object(found.start() if found is not None else len(self._rest))
        if place >= 0:
            return self._wait(place) if not final else self._read_object(place)
        if found is None:
            return self._go_on(final)
        return self._at_mark(found, final)

    def _begin(self, final: bool) -> bool | None:
        """CompiledDialect that count before the first word alone; None where there is none of them."""
        begun = self._rest.lstrip()
        for row in self._marks.starts:
            size = len(row.opening)
            same = begun[:size] == row.opening if row.exact else begun[:size].casefold() == row.opening.casefold()
            if not same:
                if not final and row.opening.casefold().startswith(begun.casefold()):
                    return False
                continue
            glued = row.glued and begun[size : size + 1].isalnum()
            if (row.closed or row.glued) and not glued and closing_of(row).search(begun) is None:
                if not final:
                    return False
                continue
            self._enter(row, self._rest[: len(self._rest) - len(begun) + size])
            return True
        if not final and self._calls and _PROGRAM.match(self._rest):
            return False
        alone = call_at(begun, 0, self._dialect, alone=True) if final and self._calls else None
        if alone is not None and not begun[alone.end :].strip():
            self._called(self._rest, alone.calls)
            self._rest = ""
            return False
        self._started = bool(begun)
        return None

    def _enter(self, row: ThoughtMark, opening: str) -> None:
        self._thought, self._opening, self._looked = row, opening, 0
        self._rest = self._rest[len(opening) :]

    def _next(self, final: bool) -> re.Match[str] | None:
        """The next mark that is none in quotation marks, when it is certain where it ends."""
        for found in self._marks.pattern.finditer(self._rest):
            before = self._rest[found.start() - 1] if found.start() else self._before()
            if before in QUOTES and self._rest[found.end() : found.end() + 1] == QUOTES[before]:
                continue
            return found if final or found.end() < len(self._rest) else None
        return None

    def _before(self) -> str:
        """The character before what is not read yet."""
        return self.segments[-1].raw[-1:] if self.segments else ""

    def _on_a_line(self) -> bool:
        """Whether what is not read yet begins a line, or stands behind a mark."""
        return self._before() in ("", "\n") or not (self._aside or self.segments[-1].kind == "words")

    def _kind(self, found: re.Match[str]) -> DialectMark:
        return self._marks.kinds[(found.lastindex or 1) - 1]

    def _at_mark(self, found: re.Match[str], final: bool) -> bool:
        mark = self._kind(found)
        if mark.kind in ("call", "frame"):
            return self._wait(found.start()) if not final else self._read_call(found, mark)
        self._say(self._rest[: found.start()])
        self._rest = self._rest[found.start() :]
        if mark.kind == "thought" and mark.row is not None:
            self._enter(mark.row, found[0])
            return True
        if mark.kind == "unopened" or (mark.kind == "words" and not self._aside):
            self._take_back()
        if mark.kind in ("words", "words_end"):
            self._aside = mark.kind == "words_end"
        self._segment("mark", found[0])
        self._rest = self._rest[len(found[0]) :]
        self._cut_here()
        return True

    def _wait(self, place: int) -> bool:
        self._say(self._rest[:place])
        self._rest, self._waits = self._rest[place:], True
        return False

    def _go_on(self, final: bool) -> bool:
        """Say what holds no mark and can become none."""
        if final:
            cut = self._ended()
            self._say(self._rest[:cut])
            if cut < len(self._rest):
                self._segment("mark", self._rest[cut:])
                self._cut_here()
            self._rest = ""
            return False
        safe = self._safe()
        self._say(self._rest[:safe])
        self._rest = self._rest[safe:]
        return False

    def _safe(self) -> int:
        """Up to where nothing can become a mark by what follows."""
        rest = self._rest
        safe = len(rest)
        for at in range(max(0, safe - self._marks.longest), safe):
            if rest[at:].casefold() in self._marks.beginnings:
                safe = at
                break
        tag = rest.rfind("<")
        if tag >= 0 and ">" not in rest[tag:] and len(rest) - tag <= LONGEST_TAG + 60:
            safe = min(safe, tag)
        whole = next((one.start() for one in self._marks.pattern.finditer(rest) if one.end() == len(rest)), safe)
        safe = min(safe, whole)
        safe = min(safe, self._ended(safe))
        if self._calls and (nearly := _NEARLY_OBJECT.search(rest)) is not None:
            safe = min(safe, nearly.start())
        return safe

    def _ended(self, until: int | None = None) -> int:
        """Where the marks stand by which a turn ends, as the last of what is not read yet, or before a place."""
        cut = len(self._rest) if until is None else until
        while True:
            words = self._rest[max(0, cut - 200) : cut].rstrip()
            found = self._marks.ends.search(words)
            if found is None:
                return cut
            cut = max(0, cut - 200) + found.start()

    # ---- calls -------------------------------------------------------------------------------------------------------
    def _object(self, before: int) -> int:
        """Where a JSON object begins on a line of its own, before a place (-1: nowhere)."""
        if not self._calls or self._objects >= MOST_OBJECTS:
            return -1
        end = min(len(self._rest), before + LONGEST_TAG)
        found = _OBJECT.search(self._rest, 0, end)
        if found is not None and not found.start() and not self._on_a_line():
            found = _OBJECT.search(self._rest, 1, end)
        return found.start() if found is not None and found.start() <= before else -1

    def _read_object(self, place: int) -> bool:
        self._say(self._rest[:place])
        self._rest = self._rest[place:]
        self._objects += 1
        found, end = json_call_at(self._rest, 0, self._dialect)
        if found is None:
            end = end if end > 0 else self._rest.index("{") + 1
            self._say(self._rest[:end])
            self._rest = self._rest[end:]
            return True
        self._called(self._rest[: found.end], found.calls)
        self._rest = self._rest[found.end :]
        return True

    def _read_call(self, found: re.Match[str], mark: DialectMark) -> bool:
        self._say(self._rest[: found.start()])
        self._rest = self._rest[found.start() :]
        read = call_at(self._rest, 0, self._dialect)
        if read is not None:
            self._called(self._rest[: read.end], read.calls)
            self._rest = self._rest[read.end :]
        elif mark.kind == "frame" and self._beside_a_call(len(found[0])):
            self._segment("mark", found[0])
            self._rest = self._rest[len(found[0]) :]
            self._cut_here()
        elif mark.kind == "call" and not found[0].isalnum():
            self._malformed()
        else:
            self._say(found[0])
            self._rest = self._rest[len(found[0]) :]
        return True

    def _beside_a_call(self, size: int) -> bool:
        """Whether a mark around calls stands behind a call, or before one."""
        last = next((one for one in reversed(self.segments) if one.raw.strip()), None)
        if last is not None and (last.kind == "call" or (last.kind == "mark" and any(s.calls for s in self.segments))):
            return True
        rest = self._rest[size:].lstrip()
        following = self._marks.pattern.match(rest)
        if following is None:
            return json_call_at(rest, 0, self._dialect)[0] is not None
        return self._kind(following).kind in ("call", "frame")

    def _malformed(self) -> None:
        """What a mark of a call begins and no form reads: a call that will be refused."""
        ends = [form.closing for form in opens(self._rest, 0, self._dialect) if form.closing]
        places = [at + len(end) for end in ends if (at := self._rest.find(end)) >= 0]
        end = min(places, default=len(self._rest))
        self._called(self._rest[:end], (Call(name="", arguments=self._rest[:end]),))
        self._rest = self._rest[end:]

    def _called(self, raw: str, calls: tuple[Call, ...]) -> None:
        self.segments.append(Segment("call", raw, calls))
        self._cut_here()

    # ---- what comes of it --------------------------------------------------------------------------------------------
    def _say(self, raw: str) -> None:
        """Words, but for the blanks before what was cut out and behind it."""
        if not raw:
            return
        self._segment("thought" if self._aside else "words", raw)
        if self._aside:
            self._thoughts[-1:] = [self._thoughts[-1] + raw] if self._continued else [*self._thoughts[-1:], raw]
            self._continued = True
            return
        if self._apart and (not self._spoken or (self._spoken[-1] + self._blank).endswith("\n")):
            raw = raw.lstrip()
        if not raw:
            return
        self._apart = False
        words = raw.rstrip()
        if words:
            self._tell(self._blank + words)
            self._blank = ""
        self._blank += raw[len(words) :]

    def _tell(self, words: str) -> None:
        self._spoken.append(words)
        self._told.append(words)

    def _take_back(self) -> None:
        """What was said since the last thought was one too, begun in the prompt."""
        taken = self._spoken[self._boundary :]
        self._thoughts.append("".join((*taken, self._blank)))
        del self._spoken[self._boundary :]
        self._blank = ""
        last = next((n for n, one in enumerate(reversed(self.segments)) if one.kind != "words"), len(self.segments))
        at = len(self.segments) - last
        self.segments[at:] = [one._replace(kind="thought") for one in self.segments[at:]]
        if any(word.strip() for word in taken):
            self._told += [None, *self._spoken]

    def _segment(self, kind: Literal["words", "thought", "mark"], raw: str) -> None:
        self.segments.append(Segment(kind, raw))


def read(text: str, dialect: Dialect, *, calls: bool = True) -> ReplyReader:
    """A whole reply, read."""
    reader = ReplyReader(dialect, calls=calls)
    reader.feed(text)
    reader.close()
    return reader


def holds_marks(text: str, dialect: Dialect) -> bool:
    """Whether there may be anything in a whole reply but words; said without reading it."""
    marks, begun = compiled(dialect, True), text.lstrip()
    folded = begun[: marks.longest].casefold()
    starts = any(folded.startswith(row.opening.casefold()) for row in marks.starts)
    objects = _OBJECT.search(text) is not None
    program = _PROGRAM.match(text) is not None
    return (
        starts or objects or program or marks.pattern.search(text) is not None or bool(marks.ends.search(text.rstrip()))
    )


def joined(told: Iterable[str | None]) -> str:
    """The words that were told of, after all that was taken back."""
    words = ""
    for piece in told:
        words = "" if piece is None else words + piece
    return words
