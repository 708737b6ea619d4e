"""Prompts as a journal keeps them: each line of them is written once, and meant by its number from then on.

Every person is told the same rules, exhibits and words; a prompt as such would be nine tenths of a journal. In a line
of the journal a text is a list of pieces, joined by line ends: a string (new), a number (the line of that number), or
two numbers (the lines from the first to the second). Lines of `LEAST` characters and more are numbered from 0, as they
first come. A message's `content` is left out where its `parts` joined amount to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..model.events import Asked, Message

LEAST: Final = 8  # characters of a line that is worth a number
JOINT: Final = "\n\n"  # between the parts of a message
ROOM, SHARE = 64 << 20, 200  # characters that a journal may come to: so many, and so many for each byte of it
Piece = str | int | list[int]


class MissingLine(ValueError):
    """A piece means a line that has not been written before it."""


class PromptLines:
    """The lines of prompts that stand in a journal so far: what an `Asked` is written as, and read from.

    Writing is tried first: what `written` adds counts when it is `settled`, and else is forgotten.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lines: list[str] = []
        self._settled = 0
        self._left = ROOM

    # ---- writing -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Forget what was written and not settled."""
        for line in self._lines[self._settled :]:
            del self._numbers[line]
        del self._lines[self._settled :]

    def settle(self) -> None:
        """What was written is on the disk."""
        self._settled = len(self._lines)

    def written(self, event: Asked) -> str:
        """The JSON of an event."""
        bare = event.model_copy(update={"added": ()}).model_dump_json()
        added = json.dumps([*map(self._message, event.added)], ensure_ascii=False, separators=(",", ":"))
        head, _, tail = bare.rpartition('"added":[]')
        return f'{head}"added":{added}{tail}'

    def _message(self, message: Message) -> dict[str, Any]:
        told = message.model_dump(mode="json", exclude={"content", "parts"})
        if message.parts:
            told["parts"] = [[self._pieces(home), self._pieces(text)] for home, text in message.parts]
        if not message.parts or JOINT.join(text for _, text in message.parts) != message.content:
            told["content"] = self._pieces(message.content)
        return told

    def _pieces(self, text: str) -> list[Piece]:
        pieces: list[Piece] = []
        for line in text.split("\n"):
            number = self._numbers.get(line)
            last = pieces[-1] if pieces else None
            if number is None:
                if len(line) >= LEAST:
                    self._add(line)
                if isinstance(last, str):
                    pieces[-1] = f"{last}\n{line}"
                else:
                    pieces.append(line)
            elif isinstance(last, list) and last[1] + 1 == number:
                last[1] = number
            else:
                pieces.append([number, number])
        return [piece[0] if isinstance(piece, list) and piece[0] == piece[1] else piece for piece in pieces]

    def _add(self, line: str) -> None:
        self._numbers[line] = len(self._lines)
        self._lines.append(line)

    # ---- reading -----------------------------------------------------------------------------------------------------

    def read(self, told: Any, size: int) -> Asked:
        """The event that stands in a line of `size` bytes, as JSON. Raises ValueError for what was not written here, a
        MissingLine for a piece that means nothing."""
        self._left += size * SHARE
        try:
            added = [self._told(message) for message in told["added"]]
        except (TypeError, KeyError, AttributeError):
            raise ValueError("not the pieces of a prompt") from None
        self.settle()
        return Asked.model_validate(told | {"added": added})

    def _told(self, told: dict[str, Any]) -> dict[str, Any]:
        parts = [(self._text(home), self._text(text)) for home, text in told.get("parts", ())]
        if "content" in told:
            return told | {"parts": parts, "content": self._text(told["content"])}
        if not parts:
            raise ValueError("a message without words")
        return told | {"parts": parts, "content": JOINT.join(text for _, text in parts)}

    def _text(self, pieces: Sequence[Piece]) -> str:
        if not (pieces and isinstance(pieces, list)):
            raise ValueError("not the pieces of a text")
        lines: list[str] = []
        for piece in pieces:
            lines.extend(self._new(piece) if isinstance(piece, str) else self._known(piece))
        return "\n".join(lines)

    def _new(self, piece: str) -> Iterator[str]:
        for line in piece.split("\n"):
            if line in self._numbers:
                raise ValueError("a line that was written before")
            if len(line) >= LEAST:
                self._add(line)
            yield line

    def _known(self, piece: int | list[int]) -> Iterator[str]:
        first, last = (piece, piece) if isinstance(piece, int) else piece
        if not (type(first) is int and type(last) is int and 0 <= first <= last < len(self._lines)):
            raise MissingLine(f"{piece}")
        for line in self._lines[first : last + 1]:
            self._left -= len(line)
            if self._left < 0:
                raise ValueError("more text than so short a journal can mean")
            yield line
