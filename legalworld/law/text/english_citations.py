"""Citations of acts and cases of the United Kingdom in English legal text.

A grammar reads what begins at a word for a part of an act, at letters that stand for one, or at a year in brackets.
What the text does not say stays "": "section 98" alone is a section of no act. A paragraph alone is a place in a
judgment or a book, and no provision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from lark import Token, Tree

from ...language.sentences.grammar import END, Grammar, ReadyTokens
from ...model.immutable import immutable
from .lexicon import TextSpan, endings, pattern, words

STARTS: Final = ("provision", "neutral", "report")
MOST_TOKENS: Final = 60
LONGEST_RANGE: Final = 40
LOOK: Final = 160  # characters before a case in which its parties may be named
_NUMBER: Final = re.compile(r"\d{1,4}")


@immutable
class EnglishCitation(TextSpan):
    """One part of an act, an act as a whole, or a case. `kind` is provision, act or case.

    `law` is the act as it is named, "" where the text does not say. `unit` and `number`: section, 98; `below`: what
    stands in brackets behind it, (4) and (a); `schedule`: of which schedule it is a paragraph. Of a case: its parties,
    year, and `court` and `number`, or `volume`, `report` and `number`. `spread`: a member of a range that is not itself
    written. What points back (ibid) is what it points to.
    """

    kind: str
    law: str = ""
    unit: str = ""
    number: str = ""
    below: tuple[str, ...] = ()
    name: str = ""
    year: str = ""
    court: str = ""
    volume: str = ""
    report: str = ""
    spread: bool = False
    schedule: str = ""


def english_citations(text: str) -> tuple[EnglishCitation, ...]:
    """Every citation of an act or a case of the United Kingdom, in order."""
    return tuple(_EnglishReader(text).citations())


@dataclass(slots=True)
class _EnglishReader:
    text: str
    acts: dict[int, tuple[int, str]] = field(default_factory=dict)  # where a title begins -> its end, the title
    short: dict[str, str] = field(default_factory=dict)  # what an act is called from there on
    last: EnglishCitation | None = None

    def citations(self) -> Iterator[EnglishCitation]:
        self._find_acts()
        found: list[EnglishCitation] = []
        until = 0
        for place in sorted(self._places()):
            if place < until:
                continue
            read, until = self._read(place)
            found += read
            self.last = found[-1] if found else None
        yield from sorted(found, key=lambda one: one.start)

    def _places(self) -> set[int]:
        """Where a citation may begin."""
        return {match.start() for match in pattern("english_law", "anchor").finditer(self.text)} | {*self.acts}

    def _read(self, place: int) -> tuple[list[EnglishCitation], int]:
        """What is cited at a place, and where reading goes on."""
        read, end = self._longest(place)
        again = pattern("english_law", "again").match(self.text, place)
        if not read and again is not None and self.last is not None:
            return [replace(self.last, start=place, end=again.end())], again.end()
        if not read and place in self.acts:
            end, title = self.acts[place]
            return [EnglishCitation(place, end, "act", title)], end
        return read, end

    def _find_acts(self) -> None:
        for match in pattern("english_law", "act").finditer(self.text):
            title, start = match.group(), match.start()
            while (opening := pattern("english_law", "opening").match(title)) is not None:
                title, start = title[opening.end() :], start + opening.end()
            self.acts[start] = match.end(), title
            if (defined := pattern("english_law", "defined").match(self.text, match.end())) is not None:
                self.short[defined["short"]] = title

    def _law(self, token: Token) -> str:
        """The act that a token names; "" for words that point back to one that is not known."""
        word = str(token)
        if token.type == "ACT":
            return self.acts[token.start_pos or 0][1]
        if token.type == "LETTERS":
            letters, _, year = word.partition(" ")
            known = self.short.get(word) or self.short.get(letters, "")
            return known if known.endswith(year) and known else words("english_law", "instrument").get(word, word)
        if pattern("english_law", "again").match(word):
            return self.last.law if self.last is not None else ""
        return self.short.get(word) or self._pointed(word, token.start_pos or 0)

    def _pointed(self, word: str, place: int) -> str:
        """The act that words point back to: the only one of its year, the only one, that one; "" where none is sure."""
        year, _, kind = word.rpartition(" ")
        before = [title for start, (_, title) in sorted(self.acts.items()) if start < place and kind in title]
        if year in endings("english_law", "that"):
            return before[-1] if before else ""
        titles = {title for _, title in self.acts.values() if kind in title and title.endswith(year)}
        return titles.pop() if len(titles) == 1 and year not in endings("english_law", "this") else ""

    # ---- tokens

    def _tokens(self, place: int) -> Iterator[Token]:
        """The tokens from a place on, as long as there are any."""
        for _ in range(MOST_TOKENS):
            if place in self.acts:
                end = self.acts[place][0]
                yield Token("ACT", self.text[place:end], start_pos=place, end_pos=end)
                place = end
                continue
            match = pattern("english_law", "token").match(self.text, place)
            if match is None or match.end() == place:
                return
            assert match.lastgroup is not None
            if match.lastgroup != "SKIP":
                yield Token(match.lastgroup, match.group(), start_pos=place, end_pos=match.end())
            place = match.end()

    def _longest(self, place: int) -> tuple[list[EnglishCitation], int]:
        """What the longest citation that begins at a place cites, and where it ends; nothing where none does."""
        tokens = [*self._tokens(place)]
        for start in STARTS:
            for count in range(_grammatical(start, tokens), 0, -1):
                if END in _grammar().accepted(start, tokens[:count]):
                    tree = _grammar().parse(start, tokens[:count])
                    end = tokens[count - 1].end_pos or place
                    return [*self._provisions(tree)] if start == "provision" else [self._case(tree, end)], end
        return [], place

    # ---- what a tree says

    def _provisions(self, tree: Tree[Token]) -> Iterator[EnglishCitation]:
        laws = [one.children[0] for one in tree.find_data("instrument")]
        law = next((self._law(one) for one in reversed(laws) if isinstance(one, Token)), "")
        read: list[EnglishCitation] = []
        unit, above, joint = "", EnglishCitation(0, 0, "provision", law), ""
        for part in tree.children:
            if isinstance(part, Token):
                joint = part.type if part.type != "AND" or len(part) > 1 else "COMMA"
                continue
            if part.data == "instrument":
                continue
            item, unit = _item(part, above, unit)
            if joint == "TO":
                read += _between(above, item)
            read = [*_placed(read, item, joint)]
            above, joint = item, ""
        yield from (one for one in read if laws or one.schedule or one.unit != "paragraph")

    def _case(self, tree: Tree[Token], end: int) -> EnglishCitation:
        said = {token.type: str(token) for token in tree.children if isinstance(token, Token)}
        numbers = [str(token) for token in tree.children if isinstance(token, Token) and token.type == "NUMBER"]
        first = tree.children[0]
        assert isinstance(first, Token)
        start = first.start_pos or 0
        named = pattern("english_law", "parties").search(self.text, max(0, start - LOOK), start)
        return EnglishCitation(
            named.start("name") if named is not None else start,
            end,
            "case",
            number=numbers[-1],
            below=(said["DIVISION"][1:-1],) if "DIVISION" in said else (),
            name=named["name"].strip() if named is not None else "",
            year=said["YEAR"][1:-1],
            court=said.get("COURT", ""),
            volume=numbers[0] if len(numbers) > 1 else "",
            report=said.get("REPORT", ""),
        )


@cache
def _grammar() -> Grammar:
    return Grammar(__package__, "english_citations.lark", STARTS, None, ReadyTokens)


def _grammatical(start: str, tokens: Sequence[Token]) -> int:
    """How many of the tokens may follow each other from a start symbol."""
    for count, token in enumerate(tokens):
        if token.type not in _grammar().accepted(start, tokens[:count]):
            return count
    return len(tokens)


def _unit(token: Token) -> str:
    return words("english_law", "unit")[str(token).lower().rstrip(".")]


def _item(part: Tree[Token], above: EnglishCitation, unit: str) -> tuple[EnglishCitation, str]:
    """The provision that an item names, and its unit, which holds for the next one too."""
    tokens = [token for token in part.children if isinstance(token, Token)]
    unit = next((_unit(token) for token in tokens if token.type == "UNIT"), unit)
    number = next((str(token) for token in tokens if token.type == "NUMBER"), "")
    below = tuple(str(token)[1:-1] for token in tokens if token.type == "SUB")
    start, end = tokens[0].start_pos or 0, tokens[-1].end_pos or 0
    if not number:  # (a) and (b): of the number before
        number, below = above.number, (*above.below[: -len(below)], *below)
    return replace(above, start=start, end=end, unit=unit, number=number, below=below, schedule=""), unit


def _placed(read: Sequence[EnglishCitation], item: EnglishCitation, joint: str) -> Iterator[EnglishCitation]:
    """The provisions with one more: a schedule and the paragraph of it that is named are one."""
    before = read[-1] if read else None
    if before is not None and before.schedule and joint in ("AND", "COMMA", "TO") and item.unit == "paragraph":
        item = replace(item, schedule=before.schedule)
    if before is None or joint not in ("", "OF", "COMMA") or {before.unit, item.unit} != {"schedule", "paragraph"}:
        yield from (*read, item)
    elif item.unit == "paragraph":
        yield from (*read[:-1], replace(item, start=before.start, schedule=before.number))
    else:
        for one in read:
            inside = one.unit == "paragraph" and not one.schedule
            yield replace(one, schedule=item.number) if inside else one


def _between(above: EnglishCitation, last: EnglishCitation) -> Iterator[EnglishCitation]:
    """The members of a range between its ends, where both are numbers, or letters below one number."""
    if above.number == last.number and above.below[:-1] == last.below[:-1] and above.below and last.below:
        first, final = above.below[-1], last.below[-1]
        if len(first) == len(final) == 1 and first.isalpha() and final.isalpha():
            for code in range(ord(first) + 1, ord(final)):
                yield replace(above, below=(*above.below[:-1], chr(code)), spread=True)
        return
    if not (_NUMBER.fullmatch(above.number) and _NUMBER.fullmatch(last.number)):
        return
    for number in range(int(above.number) + 1, min(int(last.number), int(above.number) + LONGEST_RANGE)):
        yield replace(above, number=str(number), spread=True)
