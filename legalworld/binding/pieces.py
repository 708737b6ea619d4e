"""Texts as the word operators of a binding take them: a stretch, its pieces, what stands in a pattern, what goes.

Brackets and colons of full and half width are the same. What stands in brackets is not cut. Every operator takes time
in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ..language.sentences.quantities import numeral
from ..model.immutable import immutable
from .joined_names import JOINED_NAMES, cut_names
from .shapes import TextShape

OWN_NUMBERS: Final = "{n}"
HOLE: Final = "{_}"
_NARROW: Final = "():"
_WIDE: Final = str.maketrans(_NARROW, "\uff08\uff09\uff1a")
_OPEN: Final = "\uff08"
_CLOSE: Final = "\uff09"
_LONGEST_BRACKET: Final = 80  # a bracket that closes further on was never meant to be closed there
_LONGEST_HOLE: Final = 400  # characters of a text that is held to a shape
MOST_NUMBERS: Final = 1000
_RANGE: Final = re.compile(r"(\d{1,6})\s*[-\u2013\u2014~\u81f3\u5230]\s*(\d{1,6})")
_ROUNDS: Final = 20  # of texts taken off one after another at the ends of a text
_ENDS: Final = "\u3002\uff1b;\n"  # of a sentence
_GOES_ON: Final = ("\uff1b", ";")
_SENTENCE: Final = re.compile(f"[^{_ENDS}]*[{_ENDS}]*")
_BOUND_HOLES: Final = {
    "{_}": f"[^{_ENDS}]{{0,40}}?",
    "{n}": r"(?=\s*(?:1\s*[.\uff0e\u3001](?!\d)|\uff081\uff09|1\uff09|\u4e00\u3001|\uff08\u4e00\uff09|\u2460))",
}
_LIST_OPENS: Final = re.compile("\uff1a" + _BOUND_HOLES["{n}"])
# behind a number that is none of a list: year, month, day, yuan, persons, times
_UNITS: Final = r"\u5e74\u6708\u65e5\u53f7\u5929\u4e2a\u5143\u500d\u4e07\u5343\u767e\u89d2\u5206\u540d\u6b21"
_NUMBERS: Final = tuple(  # of a list: 1. (1) 1) 一、 （一） ①; 1.5 and 第一、 are none
    re.compile(form)
    for form in (
        r"(?<![\d.\uff0e])(\d{1,2})(?:\s*[.\uff0e\u3001\u3002](?!\d(?!\d{3}\u5e74))"
        rf"|(?<=[\uff1b;\u3002]\d)(?:[,\uff0c](?!\d)|(?=[\u4e00-\u9fff])(?![{_UNITS}])))",
        r"\uff08\s*(\d{1,2})\s*\uff09",
        r"(?<![\d\uff08])(\d{1,2})\uff09",
        r"(?<!\u7b2c)([\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3})\s*[\u3001.\uff0e]",
        r"\uff08\s*([\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3})\s*\uff09",
        r"([\u2460-\u2473])",
    )
)


def numbers_in(text: str) -> range:
    """The numbers of a range that is written 1-11; none where it is no range, or a longer one than is meant."""
    match = _RANGE.fullmatch(text.strip())
    numbers = range(int(match[1]), int(match[2]) + 1) if match else range(0)
    return numbers if len(numbers) <= MOST_NUMBERS else range(0)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text with their marks; together they are the text."""
    return [one for one in _SENTENCE.findall(text) if one]


def wide(text: str) -> str:
    """The text with its brackets and colons in full width; every character keeps its place."""
    return text.translate(_WIDE)


@immutable
class Pattern:
    """`literals[0] {holes[0]} literals[1] ...`, in full width; "" and "_" name holes that are not kept."""

    literals: tuple[str, ...]
    holes: tuple[str, ...]

    def read(self, text: str) -> dict[str, str] | None:
        """What stands in the holes of the first place that fits, each up to the nearest next literal; None for none."""
        alike = wide(text)
        at = alike.find(self.literals[0])
        return self._at(text, alike, at + len(self.literals[0]), len(text)) if at >= 0 else None

    def readings(self, text: str) -> Iterator[dict[str, str]]:
        """What stands in the holes at each place that fits, where none of the holes is longer than a shape can be."""
        alike, first = wide(text), self.literals[0]
        at = alike.find(first)
        while at >= 0:
            found = self._at(text, alike, at + len(first), _LONGEST_HOLE)
            if found is not None:
                yield found
            at = alike.find(first, at + len(first)) if first else -1

    def _at(self, text: str, alike: str, at: int, longest: int) -> dict[str, str] | None:
        found = {}
        for hole, literal in zip(self.holes, self.literals[1:], strict=True):
            end = alike.find(literal, at, at + longest + len(literal)) if literal else len(text)
            if end < 0:
                return None
            found[hole] = text[at:end].strip()
            at = end + len(literal)
        return found

    @property
    def kept(self) -> tuple[str, ...]:
        """The holes whose text is taken: the named ones, or the first that is empty, or the first there is."""
        named = tuple(hole for hole in self.holes if hole not in ("", "_"))
        return named or (("",) if "" in self.holes else self.holes[:1])


@lru_cache(maxsize=1024)
def bound(word: str) -> re.Pattern[str]:
    """Where a stretch may begin or end: `{_}` is some characters of one sentence, `{n}` the first number of a list,
    which stays in the stretch. The mark that closes the sentence before stays too."""
    parts = re.split(r"(\{_\}|\{n\})", wide(word))
    marks = [_BOUND_HOLES.get(part) or re.escape(part) for part in parts]
    if len(parts) > 1 and parts[0] in tuple(_ENDS):
        marks[0] = f"(?<={marks[0]})"
    return re.compile("".join(marks))


@immutable
class Stretch:
    """What stands behind the first place of any of `starts`, up to the nearest of `ends`, or to the end of the text.

    "" among the starts: where none of the others is there, from the beginning. `bound` says what holes they may have.
    """

    starts: tuple[str, ...]
    ends: tuple[str, ...]

    def read(self, text: str) -> str | None:
        """None where the text has none of the starts."""
        alike = wide(text)
        found = [one.span() for start in self.starts if start and (one := bound(start).search(alike))]
        if not found and "" not in self.starts:
            return None
        _, begin = min(found, key=lambda span: (span[0], -span[1]), default=(0, 0))
        stops = [one.start() for end in self.ends if (one := bound(end).search(alike, begin))]
        return text[begin : min(stops, default=len(text))]


@immutable
class TextRule:
    """The word operators of one rule, in the order they act. A text that no pattern fits is nothing.

    `sum`: the currency of a sum that is read out of what is left, "" for none; by who knows how sums are written.
    `shape`: what the text must look like; another is nothing, and a pattern is tried at its next place.
    """

    between: Stretch | None = None
    split: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    match: tuple[Pattern, ...] = ()
    drop_sentence_with: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    sum: str = ""
    shape: TextShape | None = None

    @property
    def idle(self) -> bool:
        return self == NOTHING

    def pieces(self, text: str) -> Iterator[str]:
        """The pieces of a text: a stretch of it, cut, joined again where a piece goes on, left out where it must."""
        stretch = self.between.read(text) if self.between is not None else text
        if stretch is None:
            return
        cut = _cut(stretch, self.split) if self.split else [stretch]
        cut = _shared(cut, self.common) if self.common else cut
        for piece in _joined(cut, self.starts, self.further):
            alike = wide(piece)
            wanted = not self.only or any(wide(word) in alike for word in self.only)
            if wanted and not any(wide(word) in alike for word in self.unless):
                yield piece

    def holes(self, text: str) -> dict[str, str]:
        """What is kept of a text: of the first pattern that finds anything; the text itself where there is none."""
        if not self.match:
            whole = self.trimmed(text)
            return {"": whole} if self._fits(whole) else {}
        for pattern in self.match:
            first = pattern.read(text) if self.shape is None else None
            for read in pattern.readings(text) if self.shape is not None else filter(None, (first,)):
                found = {hole: self.trimmed(read[hole]) for hole in pattern.kept}
                if any(found.values()) and all(map(self._fits, found.values())):
                    return found
        return {}

    def _fits(self, text: str) -> bool:
        return self.shape is None or not text or self.shape.fault(text) is None

    def trimmed(self, text: str) -> str:
        """The text without the sentences that go and what is taken off its ends."""
        if self.drop_sentence_with:
            text = "".join(_without_sentences(text, tuple(map(wide, self.drop_sentence_with))))
        if self.drop:
            text = _dropped(self.drop).sub("", text)
        return stripped(text, self.strip) if self.strip else text


NOTHING: Final = TextRule()


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _cut(text: str, separators: Sequence[str]) -> list[str]:
    """The text at its separators, one after another. With `{n}` and numbers of its own: at these alone; with `{names}`
    where one name ends and the next begins."""
    if OWN_NUMBERS in separators:
        items = _numbered(text)
        if items:
            return items
    if JOINED_NAMES in separators:
        return cut_names(text)
    alike, shut = wide(text), _in_brackets(wide(text))
    spans = [(0, len(text))]
    for separator in (wide(separator) for separator in separators if separator != OWN_NUMBERS):
        spans = [part for span in spans for part in _parts(alike, shut, span, separator)]
    return [text[start:end] for start, end in spans]


def _parts(text: str, shut: bytearray, span: tuple[int, int], separator: str) -> Iterator[tuple[int, int]]:
    start, end = span
    at = text.find(separator, start, end)
    while at >= 0:
        if shut[at]:
            at = text.find(separator, at + 1, end)
            continue
        yield start, at
        start = at + len(separator)
        at = text.find(separator, start, end)
    yield start, end


def _in_brackets(text: str) -> bytearray:
    """For each character whether it stands inside brackets that are closed soon."""
    flags = bytearray(len(text))
    opened: list[int] = []
    for match in re.finditer(f"[{_OPEN}{_CLOSE}]", text):
        if match[0] == _OPEN:
            opened.append(match.start())
        elif opened:
            begin = opened.pop()
            if match.start() - begin <= _LONGEST_BRACKET:
                flags[begin + 1 : match.start()] = b"\1" * (match.start() - begin - 1)
    return flags


def _numbered(text: str) -> list[str]:
    """The items of a list by its own numbers 1, 2, 3 of one form; none where it has none.

    Words before the first item belong to it, if they are no heading that ends with a colon.
    """
    alike = wide(text)
    lists = [places for form in _NUMBERS if (places := _counted(form, alike))]
    if not lists:
        return _torn(text, alike)
    places = min(lists, key=lambda places: places[0])
    items = [text[end:start] for (_, end), (start, _) in pairwise((*places, (len(text), len(text))))]
    lead = text[: places[0][0]].strip()
    return [items[0] if lead.endswith((":", "\uff1a")) else lead + items[0], *items[1:]]


def _torn(text: str, alike: str) -> list[str]:
    """The items of a list whose first number was cut away, or never written: 2, 3 behind the end of a sentence each."""
    for form in _NUMBERS:
        places: list[tuple[int, int]] = []
        for match in form.finditer(alike):
            behind = alike[: match.start()].rstrip()
            if _value(match[1]) == len(places) + 2 and behind and behind[-1] in _ENDS.strip() + "\uff0c":
                places.append(match.span())
        if places:
            starts = [0, *(end for _, end in places)]
            ends = [*(start for start, _ in places), len(text)]
            return [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return []


def _counted(form: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Start and end of the numbers 1, 2, 3 in their order; one alone counts at the beginning of the text."""
    places: list[tuple[int, int]] = []
    for match in form.finditer(text):
        if _value(match[1]) == len(places) + 1:
            places.append(match.span())
    return places if len(places) > 1 or (places and not text[: places[0][0]].strip()) else []


def _value(number: str) -> int | None:
    if number.isdecimal():
        return int(number)
    return ord(number) - 0x245F if "\u2460" <= number <= "\u2473" else numeral(number)


def _shared(pieces: Sequence[str], marks: Sequence[str]) -> list[str]:
    """The pieces, each that has none of the marks with what stands from there in the next one that has."""
    shared: list[str] = []
    behind = ""
    for piece in reversed(pieces):
        alike, shut = wide(piece), _in_brackets(wide(piece))
        places = [at for mark in map(wide, marks) for at in range(len(alike)) if alike.startswith(mark, at)]
        open_ = [at for at in places if not shut[at]]
        behind = piece[min(open_) :] if open_ else behind
        shared.append(piece if open_ else piece.strip() + behind)
    return shared[::-1]


def _joined(pieces: Sequence[str], starts: Sequence[str], further: Sequence[str]) -> Iterator[str]:
    """The pieces, those that only go on put behind the one before."""
    if not starts and not further:
        yield from pieces
        return
    begin, on = tuple(map(wide, starts)), tuple(map(wide, further))
    whole: list[str] = []
    for piece in pieces:
        alike = wide(piece).lstrip()
        goes_on = alike.startswith(on) if on else False
        if whole and (not alike or goes_on or (begin and not alike.startswith(begin))):
            whole.append(piece.strip())
            continue
        if whole:
            yield "\n".join(filter(None, whole))
        whole = [piece.strip()]
    yield "\n".join(filter(None, whole))


# ---- what goes -------------------------------------------------------------------------------------------------------


def _without_sentences(text: str, words: Sequence[str]) -> Iterator[str]:
    """The sentences that have none of the words. A list goes with the words that lead into it: its items that follow
    behind semicolons would say nothing without them."""
    listed = False
    for one in sentences_of(text):
        alike = wide(one)
        item = listed and any(form.match(alike.lstrip()) for form in _NUMBERS)
        gone = item or any(word in alike for word in words)
        if not gone:
            yield one
        listed = gone and alike.rstrip().endswith(_GOES_ON) and (listed or _LIST_OPENS.search(alike) is not None)


@lru_cache(maxsize=64)
def _dropped(words: tuple[str, ...]) -> re.Pattern[str]:
    """From one of the words to the end of its sentence; with the mark there where the whole sentence goes."""
    word = "|".join(map(re.escape, words))
    return re.compile(rf"(?:^|(?<=[{_ENDS}]))\s?(?:{word})[^{_ENDS}]*[{_ENDS}]?|[\uff0c,\u3001]?(?:{word})[^{_ENDS}]*")


def stripped(text: str, words: Sequence[str]) -> str:
    """The text without the words at either end; one with `{_}`, and its own number, once, at the beginning only."""
    singles = "".join(word for word in words if len(word) == 1)
    signs = " \t\n\u3000" + singles + "".join(sign for sign in _NARROW if wide(sign) in wide(singles))
    longer = tuple(word for word in words if len(word) > 1 and word != OWN_NUMBERS)
    if OWN_NUMBERS in words:
        text = text.strip(signs)
        alike = wide(text)
        text = text[max((found.end() for form in _NUMBERS if (found := form.match(alike))), default=0) :]
    for _ in range(_ROUNDS):
        before, text = text, text.strip(signs)
        for word in longer:
            head, hole, tail = wide(word).partition(HOLE)
            alike = wide(text)
            if hole:
                end = alike.find(tail, len(head), len(head) + _LONGEST_BRACKET) if alike.startswith(head) else -1
                text = text[end + len(tail) :] if end >= 0 else text
            else:
                text = text[len(head) :] if alike.startswith(head) else text
                text = text[: -len(head)] if wide(text).endswith(head) else text
        if text == before:
            break
    return text
