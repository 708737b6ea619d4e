"""Citations of acts and cases in English legal text: those of the United Kingdom, and by eyecite those of America.

A grammar reads what begins at a word for a part of an act, at letters that stand for one, or at a year in brackets.
What the text does not say stays "": "section 98" alone is a section of no act. eyecite is an optional extra: it takes
12 MB, a second to be imported and 45 MB of memory, and is imported when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from lark import Token, Tree

from ...language.sentences.grammar import END, Grammar, ReadyTokens
from ...model.immutable import immutable
from .lexicon import TextSpan, apart, endings, pattern, words

LIBRARY: Final = "eyecite"
EXTRA: Final = "us"
STARTS: Final = ("provision", "neutral", "report")
MOST_TOKENS: Final = 60
LONGEST_RANGE: Final = 40
LOOK: Final = 160  # characters before a case in which its parties may be named
_NUMBER: Final = re.compile(r"\d{1,4}")


@immutable
class EnglishCitation(TextSpan):
    """One part of an act, an act as a whole, or a case. `kind` is provision, act or case.

    `law` is the act as it is named, "" where the text does not say. `unit` and `number`: section, 98; `below`: what
    stands in brackets behind it, (4) and (a). Of a case: its parties, year, and `court` and `number`, or `volume`,
    `report` and `number`. `spread`: a member of a range that is not itself written.
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


def english_citations(text: str) -> tuple[EnglishCitation, ...]:
    """Every citation of an act or a case of the United Kingdom, in order."""
    return tuple(_EnglishReader(text).citations())


@dataclass(slots=True)
class _EnglishReader:
    text: str
    acts: dict[int, tuple[int, str]] = field(default_factory=dict)  # where a title begins -> its end, the title
    short: dict[str, str] = field(default_factory=dict)  # what an act is called from there on

    def citations(self) -> Iterator[EnglishCitation]:
        self._find_acts()
        found: list[EnglishCitation] = []
        until = 0
        for place in sorted(
            {match.start() for match in pattern("english_law", "anchor").finditer(self.text)} | {*self.acts}
        ):
            if place < until:
                continue
            read, end = self._longest(place)
            if read:
                pinpoint = not any(one.law for one in read) and pattern("english_law", "pinpoint").match(
                    self.text, place
                )
                found += [] if pinpoint else read
                until = end
            elif place in self.acts:
                end, title = self.acts[place]
                found.append(EnglishCitation(place, end, "act", title))
                until = end
        yield from sorted(found, key=lambda one: one.start)

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
        unit, above, ranged = "", EnglishCitation(0, 0, "provision", law), False
        for part in tree.children:
            if isinstance(part, Token):
                ranged = part.type == "TO"
                continue
            if part.data != "item":
                continue
            tokens = [token for token in part.children if isinstance(token, Token)]
            unit = next((_unit(token) for token in tokens if token.type == "UNIT"), unit)
            number = next((str(token) for token in tokens if token.type == "NUMBER"), "")
            below = tuple(str(token)[1:-1] for token in tokens if token.type == "SUB")
            start, end = tokens[0].start_pos or 0, tokens[-1].end_pos or 0
            if not number:  # (a) and (b): of the number before
                number, below = above.number, (*above.below[: -len(below)], *below)
            if ranged:
                yield from _between(above, number)
            above = replace(above, start=start, end=end, unit=unit, number=number, below=below)
            ranged = False
            yield above

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


def _between(above: EnglishCitation, last: str) -> Iterator[EnglishCitation]:
    """The members of a range between its ends, where both are numbers."""
    if not (_NUMBER.fullmatch(above.number) and _NUMBER.fullmatch(last)):
        return
    for number in range(int(above.number) + 1, min(int(last), int(above.number) + LONGEST_RANGE)):
        yield replace(above, number=str(number), spread=True)


# ---- America ---------------------------------------------------------------------------------------------------------


def reads_american() -> bool:
    """Whether eyecite is installed."""
    return find_spec(LIBRARY) is not None


def american_citations(text: str) -> tuple[EnglishCitation, ...]:
    """Citations of acts, regulations and cases of the United States. ImportError where eyecite is not installed."""
    found = import_module(LIBRARY).get_citations(text)
    return tuple(apart(one for each in found if (one := _american(text, each)) is not None))


def _american(text: str, found: Any) -> EnglishCitation | None:
    groups: Mapping[str, str | None] = found.groups or {}
    start, end = found.span()
    meta = found.metadata
    if groups.get("section"):
        rest = re.compile(r"(?:[.-]?\w+)*(?:\(\w{1,5}\))*").match(text, end)  # eyecite stops at the point of 240.10b-5
        whole = (groups["section"] or "") + (rest.group() if rest is not None else "")
        number, *below = re.split(r"\)?\(", whole.rstrip(")"))
        law = " ".join(filter(None, (groups.get("title") or groups.get("chapter"), groups.get("reporter"))))
        end = rest.end() if rest is not None else end
        return EnglishCitation(start, end, "provision", law, "section", number, tuple(below), year=meta.year or "")
    if not groups.get("page"):
        return None  # id., supra: what they stand for is not said here
    sides = [side for name in ("plaintiff", "defendant") if (side := getattr(meta, name, None))]
    return EnglishCitation(
        start,
        end,
        "case",
        number=groups["page"] or "",
        name=" v. ".join(sides),
        year=getattr(meta, "year", None) or "",
        court=getattr(meta, "court", None) or "",
        volume=groups.get("volume") or "",
        report=groups.get("reporter") or "",
    )
