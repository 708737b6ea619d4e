"""JSONPath, as much of it as a procedure or a binding may use: read, evaluated, compared.

    $  .name  ['name']  ['a','b']  [0]  [-1]  [0,2]  [1:3]  .*  [*]  ..

`[*]` is every item of a list, and a thing that stands alone counts as a list of one; `.*` is every value of a table (or
list). `..` may stand once. A name needs quotation marks only where it holds a space or a sign of the path itself. There
are no filters and no expressions.
"""

from __future__ import annotations

import re
from dataclasses import field
from functools import cache, lru_cache
from typing import Any, Final

from ..model.immutable import immutable

MOST_CHARACTERS: Final = 500
MOST_SEGMENTS: Final = 64

Location = tuple[str | int, ...]


@immutable
class Keys:
    names: tuple[str, ...]


@immutable
class Indices:
    indices: tuple[int, ...]


@immutable
class Slice:
    start: int | None
    stop: int | None


@immutable
class Every:
    """`.*`: all values of a table, all items of a list."""


@immutable
class Items:
    """`[*]`: all items of a list; a thing that is no list is its own only item."""


@immutable
class Deep:
    """`..`: here or anywhere below."""


@immutable
class Leaf:
    """The end of a path where a text alone is taken: nothing stands below. It is written nowhere."""


Segment = Keys | Indices | Slice | Every | Items | Deep | Leaf


@immutable
class Path:
    """A path that was read. `text` is as written, `segments` what it means; `leaf`: of what stands there a text alone
    is taken, never a table."""

    text: str = field(compare=False)
    segments: tuple[Segment, ...]
    leaf: bool = field(default=False, compare=False)

    def then(self, *segments: Segment) -> Path:
        """The path that goes on with these."""
        return Path(self.text, (*self.segments, *segments))


@immutable
class Unreadable:
    """`at`: the 0-based offset up to which a text could be read as a path."""

    at: int


@immutable
class Match:
    """A value and where it stands: the keys and indices that lead to it from the root."""

    where: Location
    value: Any


# ---- reading ---------------------------------------------------------------------------------------------------------

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NUMBER = r"-?\d{1,9}"
_SEGMENT = re.compile(
    rf"""(?P<lead>\.\.?)?
    (?: (?P<every>\*)
      | (?P<name>[^\s.\[\]*'"`$@|&~,:()]+)
      | \[\s* (?: (?P<items>\*)
                | (?P<slice>(?:{_NUMBER})?\s*:\s*(?:{_NUMBER})?)
                | (?P<indices>{_NUMBER}(?:\s*,\s*{_NUMBER})*)
                | (?P<quoted>(?:{_QUOTED})(?:\s*,\s*(?:{_QUOTED}))*)
              ) \s*\]
    )""",
    re.VERBOSE,
)


@lru_cache(4096)
def read(text: str) -> Path | Unreadable:
    """The path that a text stands for, or how far it could be read."""
    if not text.startswith("$"):
        return Unreadable(0)
    segments: list[Segment] = []
    at = 1
    while at < len(text):
        match = _SEGMENT.match(text, at)
        if match is None or len(segments) >= MOST_SEGMENTS or match.end() > MOST_CHARACTERS:
            return Unreadable(at)
        if match["lead"] is None and not text.startswith("[", at):
            return Unreadable(at)
        if match["lead"] == "..":
            if Deep() in segments:  # a second one would multiply the ways to one place
                return Unreadable(at)
            segments.append(Deep())
        segments.append(_segment(match))
        at = match.end()
    return Path(text, tuple(segments))


def _segment(match: re.Match[str]) -> Segment:
    if match["every"]:
        return Every()
    if match["items"]:
        return Items()
    if match["name"]:
        return Keys((match["name"],))
    if match["indices"]:
        return Indices(tuple(dict.fromkeys(int(word) for word in match["indices"].split(","))))
    if match["slice"]:
        start, stop = (int(word) if word.strip() else None for word in match["slice"].split(":"))
        return Slice(start, stop)
    quoted = re.findall(_QUOTED, match["quoted"])
    return Keys(tuple(dict.fromkeys(re.sub(r"\\(.)", r"\1", word[1:-1]) for word in quoted)))


# ---- evaluation ------------------------------------------------------------------------------------------------------


def find(path: Path, data: Any) -> list[Match]:
    """All values at the path, in the order of the data. `data` is made of dict, list and scalars."""
    found = [Match((), data)]
    for text, into_items in _pieces(path.segments):
        if text != "$":
            query = _compiled(text)
            found = [Match(one.where + _location(hit), hit.value) for one in found for hit in query.find(one.value)]
        if into_items:
            found = [item for one in found for item in items(one)]
    return found


def items(found: Match) -> list[Match]:
    """The items of a list; anything else is its own only item."""
    if isinstance(found.value, list):
        return [Match((*found.where, index), value) for index, value in enumerate(found.value)]
    return [found]


def records_at(path: Path, data: Any) -> list[Match]:
    """Return the records at a path; a list that stands there holds them, whether or not the path says so."""
    found = find(path, data)
    ends_in_items = bool(path.segments) and isinstance(path.segments[-1], Items)
    return found if ends_in_items else [record for one in found for record in items(one)]


@lru_cache(4096)
def _pieces(segments: tuple[Segment, ...]) -> tuple[tuple[str, bool], ...]:
    """The path cut behind each `[*]`, every piece in one canonical spelling, and whether `[*]` follows it."""
    pieces: list[tuple[str, bool]] = []
    text = "$"
    for segment in segments:
        if isinstance(segment, Items) and not text.endswith(".."):
            pieces.append((text, True))
            text = "$"
        else:
            text += _spelling(segment)
    return (*pieces, (text, False))


def _spelling(segment: Segment) -> str:
    match segment:
        case Keys(names):
            return "[" + ",".join("'" + re.sub(r"(['\\])", r"\\\1", name) + "'" for name in names) + "]"
        case Indices(indices):
            return "[" + ",".join(map(str, indices)) + "]"
        case Slice(start, stop):
            return f"[{'' if start is None else start}:{'' if stop is None else stop}]"
        case Every() | Items():
            return "[*]"
        case Deep():
            return ".."
        case Leaf():
            return ""


@cache
def _compiled(text: str) -> Any:
    from jsonpath_ng import parse  # the basic grammar: the extended one has regular expressions, which can hang

    return parse(text)


def _location(match: Any) -> Location:
    keys: list[str | int] = []
    while match.context is not None:
        names = getattr(match.path, "fields", None)
        if names is not None:
            keys.append(names[0])
        else:
            index = match.path.indices[0]
            keys.append(index if index >= 0 else len(match.context.value) + index)
        match = match.context
    return tuple(reversed(keys))


def spelled(where: Location) -> str:
    """A location as people read it: `first.plaintiff.evidence[0].name`."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in where)
    return text.removeprefix(".") or "$"


def named_keys(path: str) -> Location:
    """The keys that a path leads by, as far as they are written one by one."""
    found = read(path)
    return keys_of(found if isinstance(found, Path) else None)


def keys_of(path: Path | None) -> Location:
    """The keys that lead to a value, as far as they are written one by one."""
    named: Location = ()
    for segment in path.segments if path is not None else ():
        if not isinstance(segment, Keys):
            break
        named = (*named, segment.names[0])
    return named


# ---- comparison ------------------------------------------------------------------------------------------------------


def overlaps(first: str, second: str) -> bool:
    """Whether two paths can lead to the same value, or one of them into what the other takes whole.

    Errs on the side of yes: a hole such as `{side}` stands for anything, a text that is no path overlaps everything.
    """
    one, other = read(first), read(second)
    if isinstance(one, Unreadable) or isinstance(other, Unreadable):
        return True
    return meet(one.segments, other.segments)


def meet(first: tuple[Segment, ...], second: tuple[Segment, ...]) -> bool:
    """`overlaps` for paths that were read."""
    for one, other in zip(first, second, strict=False):  # most part at once
        if isinstance(one, Deep | Items) or isinstance(other, Deep | Items):
            break
        if not _same(one, other):
            return False
    below = [True] * (len(second) + 1)  # whether the rests meet, from one segment of the first path further on
    for one in reversed(first):
        here = [True] * (len(second) + 1)
        for j in reversed(range(len(second))):
            other = second[j]
            if isinstance(one, Deep) or isinstance(other, Deep):
                here[j] = below[j] or here[j + 1]
            else:
                past_one = isinstance(one, Items) and below[j]
                past_other = isinstance(other, Items) and here[j + 1]
                here[j] = past_one or past_other or (below[j + 1] and _same(one, other))
        below = here
    return below[0]


def _same(one: Segment, other: Segment) -> bool:
    """Whether two segments can choose the same key."""
    match one, other:
        case (Leaf(), _) | (_, Leaf()):
            return False
        case (Every(), _) | (_, Every()):
            return True
        case Keys(names), Keys(others):
            return any("{" in name for name in (*names, *others)) or not set(names).isdisjoint(others)
        case (Keys(), _) | (_, Keys()):
            return False
        case Indices(indices), Indices(others):
            return any(index < 0 for index in (*indices, *others)) or not set(indices).isdisjoint(others)
        case _:
            return True


def advance(segments: tuple[Segment, ...], key: str | int) -> list[tuple[Segment, ...]]:
    """What is left of a path behind one key, in every way it can be followed; [] where it does not lead there."""
    if not segments:
        return [()]
    head, rest = segments[0], segments[1:]
    match head:
        case Leaf():
            return []
        case Deep():
            return [segments, *advance(rest, key)]
        case Items() if isinstance(key, str):
            return advance(rest, key)
        case Keys(names):
            return [rest] if key in names else []
        case Every() | Items():
            return [rest]
        case _:
            return [rest] if isinstance(key, int) else []
