"""Answers of the studio packed into one value: what stands in several of them is kept once.

Views, messages and parts of messages come again in call after call. Whatever does is put into a pool, and `{"$": n}`
stands for it; an entry of the pool names only those before it.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

SHORTEST: Final = 48
"""Characters of JSON; what is shorter is not worth a place in the pool."""

_MARK: Final = "$"
_OTHER_MARK: Final = "\uff04"  # what stands for a key of others that is called as ours


class Pool:
    """Values that came, each once, with how often it came."""

    def __init__(self) -> None:
        self._ids: dict[object, int] = {}
        self._values: list[Any] = []  # of a value that has parts, the ids of these
        self._sizes: list[int] = []
        self._counts: list[int] = []
        self._places: dict[int, int] = {}
        self.entries: list[Any] = []

    def add(self, value: Any) -> int:
        """Take a value in, part by part, and return its id."""
        key: object
        kept: Any
        if isinstance(value, dict):
            kept = [(_OTHER_MARK if name == _MARK else name, self.add(one)) for name, one in value.items()]
            key, size = ("d", *kept), 2 + sum(len(name) + 4 + self._sizes[one] for name, one in kept)
        elif isinstance(value, list | tuple):
            kept = [self.add(one) for one in value]
            key, size = ("l", *kept), 2 + sum(1 + self._sizes[one] for one in kept)
        else:
            kept, key, size = value, (type(value), value), len(str(value)) + 2
        known = self._ids.get(key)
        if known is None:
            known = self._ids[key] = len(self._values)
            self._values.append(kept)
            self._sizes.append(size)
            self._counts.append(0)
        self._counts[known] += 1
        return known

    def written(self, known: int, value: Any) -> Any:
        """A value that was taken in, with marks for what the pool holds of it."""
        if self._counts[known] < 2 or self._sizes[known] < SHORTEST:
            return self._parts(known, value)
        if known not in self._places:
            made = self._parts(known, value)  # puts its own parts into the pool first
            self._places[known] = len(self.entries)
            self.entries.append(made)
        return {_MARK: self._places[known]}

    def _parts(self, known: int, value: Any) -> Any:
        kept = self._values[known]
        if isinstance(value, dict):
            ones = value.values()
            return {name: self.written(one, part) for (name, one), part in zip(kept, ones, strict=True)}
        if isinstance(value, list | tuple):
            return [self.written(one, part) for one, part in zip(kept, value, strict=True)]
        return value


def packed(answers: Mapping[str, Any], files: Mapping[str, str]) -> bytes:
    """The pack of a page as JSON: its answers by address, and the files beside it by what they show."""
    pool = Pool()
    ids = {address: pool.add(answer) for address, answer in answers.items()}
    written = {address: pool.written(ids[address], answer) for address, answer in answers.items()}
    whole = {"pool": pool.entries, "answers": written, "files": dict(files)}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def deflated(data: bytes) -> str:
    """As it stands in a page: zlib, in base64."""
    return b64encode(zlib.compress(data, 9)).decode("ascii")
