"""Which law a text names, and where: titles in book marks, abbreviations it defines, bare names, "the same law"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from ...model.immutable import immutable
from . import law_names
from .law_names import LawName
from .lexicon import endings, pattern, table, words

LONGEST_NAME: Final = 200  # code points between title marks; a mark that is not closed sooner opens nothing
WINDOW: Final = 110  # code points looked at before a number: a name, its version, an abbreviation
MOST_ALIASES: Final = 50
FRAME: Final = 60  # code points before a title mark in which the rest of a title may begin
OPEN, CLOSE, INNER_OPEN, INNER_CLOSE = "\u300a", "\u300b", "\u3008", "\u3009"
LOOSE: Final = " \u300b\u7684\u4e2d\u91cc\u4e4b"  # a space, a mark that closes nothing, of, in
PLACES: Final = ("\u7f16", "\u7ae0", "\u8282")  # part, chapter, section
SHUT: Final = ("\uff09", "\u3015", "]")
SHUT_BY: Final = {"\uff09": "\uff08", "\u3015": "\u3014", "]": "["}
LENGTHS_OF_RELATIVES: Final = range(6, 1, -1)
NOWHERE: Final = LawName("", "", None, False)  # a citation that says a law without saying which


@immutable
class Named:
    """A law as the text names it at one place; `law` None is a contract or the like, whose clauses are no law."""

    law: LawName | None
    name: str
    start: int
    version: str | None = None
    former: bool = False

    @property
    def found(self) -> LawName | None:
        return None if self.law is NOWHERE else self.law


@dataclass(slots=True)
class NamedLaws:
    """What one text (folded) calls its laws. `this` is the law that the text itself belongs to."""

    text: str
    this: str | None = None
    aliases: dict[str, Named] = field(default_factory=dict)
    _by_length: list[str] = field(default_factory=list)
    _seen: list[LawName] = field(default_factory=list)  # each law once, the last named at the end

    def own(self, word: str, start: int) -> Named:
        """The law that the text itself belongs to, as `word` names it: where the text is no law, the one it quotes."""
        if self.this is not None:
            return Named(law_names.lookup(self.this), word, start)
        return Named(self._last(nouns_of_this().get(word)) or NOWHERE, word, start)

    def _last(self, kind: str | None) -> LawName | None:
        """The law named last of a kind; `*` and an ending: of those whose title ends so."""
        if kind is None:
            return None
        alike = (
            law for law in reversed(self._seen) if law.kind == kind or (kind[0] == "*" and law.title.endswith(kind[1:]))
        )
        return next(alike, None)

    def titles(self) -> list[tuple[int, int]]:
        """Titles, without those that only say how another is called from now on."""
        kept: list[tuple[int, int]] = []
        until = 0
        for start, end in title_marks(self.text):
            if start >= until:
                start, end = self._framed(start, end)
                kept.append((start, end))
                defined = self._definition(end)
                until = defined.end() if defined else 0
        return kept

    def title(self, start: int, end: int) -> Named:
        """The law of a title between two places; an abbreviation defined behind it is known from now on."""
        marked = self.text[start] in (OPEN, INNER_OPEN) and self.text[end - 1] in (CLOSE, INNER_CLOSE)
        written = self.text[start + marked : end - marked].strip()
        named = self._title(written, start, end)
        if (defined := self._definition(end)) is not None and len(self.aliases) < MOST_ALIASES:
            self.aliases[defined["short"].strip()] = named
            self._by_length = sorted(self.aliases, key=len, reverse=True)
        return named

    def landing(self, end: int) -> int:
        """Where a number must begin to belong to the title that ends here: behind versions, parts and chapters."""
        behind = pattern("citation", "after_name").match(self.text, end)
        return behind.end() if behind else end

    def alone(self, start: int, end: int) -> bool:
        """Whether the title has a line of its own."""
        line = self.text.rfind("\n", max(0, start - 8), start) + 1
        if not line and start > 8:
            return False
        before, behind = pattern("citation", "heading"), pattern("citation", "heading_end")
        return before.fullmatch(self.text, line, start) is not None and behind.match(self.text, end) is not None

    def note(self, law: LawName) -> None:
        """The law was cited: "the same law" may mean it from now on."""
        if law in self._seen:
            self._seen.remove(law)
        self._seen.append(law)
        del self._seen[:-MOST_ALIASES]

    def before(self, start: int) -> Named | None:
        """A bare name, an abbreviation of this text, or "the same law", that ends where a number begins."""
        for end in self._ends(start):
            if (named := self._ending(end)) is not None:
                behind = law_names.version(self.text[end:start].strip())[1] if end < start else None
                return replace(named, version=named.version or behind)
        return None

    def _ends(self, start: int) -> Iterator[int]:
        """Where a name may end: at the number, before its part and chapter, before a bracket behind it."""
        yield start
        text, low, end = self.text, max(0, start - WINDOW), start
        for _ in range(3):
            before = end
            while end > low and text[end - 1] in LOOSE:
                end -= 1
            if text.endswith(PLACES, low, end):
                place = pattern("citation", "place_before").search(text, max(low, end - 20), end)
                end = place.start() if place else end
            if text.endswith(SHUT, low, end):
                end = _opening(text, low, end)
            if end <= low or end == before:
                return
            yield end

    def unlisted(self, start: int) -> Named | None:
        """A bare name that no table has: behind "according to" and the like, or first in the text."""
        if not self.text.endswith(endings("citation", "norms", "shut"), 0, start):
            return None
        low = max(0, start - 40)
        window = self.text[low:start]
        if (bare := pattern("citation", "bare_noun").search(window)) is not None and (bare.start() or not low):
            kind = words("citation", "nouns")[bare["noun"]]
            return Named(self._last(kind) or NOWHERE, bare["noun"], low + bare.start("noun"))
        match = pattern("citation", "unknown_name").search(window)
        if match is None or (match.start("name") == 0 and low > 0):
            return None
        return Named(law_names.lookup(match["name"]), match["name"], low + match.start("name"))

    # ---- titles

    def _framed(self, start: int, end: int) -> tuple[int, int]:
        """The whole of a title of which only the law in it stands between marks."""
        before = pattern("citation", "frame_before").search(self.text, max(0, start - FRAME), start)
        behind = pattern("citation", "frame_behind").match(self.text, end) if before is not None else None
        return (start, end) if before is None or behind is None else (before.start(), behind.end())

    def _definition(self, end: int) -> re.Match[str] | None:
        for _ in range(3):
            if defined := pattern("citation", "definition").match(self.text, end):
                return defined
            skipped = pattern("citation", "paren").match(self.text, end)
            if skipped is None:
                return None
            end = skipped.end()
        return None

    def _title(self, written: str, start: int, end: int) -> Named:
        if written in self.aliases:
            return replace(self.aliases[written], name=written, start=start)
        bare, version = law_names.version(written)
        law = law_names.known(written) or law_names.known(bare)
        if law is None and not law_names.official(bare) and law_names.document(bare):
            return Named(None, written, start)
        before = pattern("citation", "before_title").search(self.text, max(0, start - 12), start)
        behind = pattern("citation", "paren").match(self.text, end)
        if version is None and behind is not None:
            version = law_names.version(behind.group())[1]
        if before is not None:
            version = version or before["version"]
        former = before is not None and before["former"] is not None
        return Named(law or law_names.lookup(bare), written, start, version, former)

    # ---- names without marks

    def _ending(self, end: int) -> Named | None:
        for alias in self._by_length:
            if self.text.endswith(alias, 0, end):
                return replace(self.aliases[alias], name=alias, start=end - len(alias))
        if (listed := law_names.before(self.text, end)) is not None:
            return self._listed(*listed, end=end)
        return self._that(end)

    def _listed(self, start: int, law: LawName, *, end: int) -> Named | None:
        text, low = self.text, max(0, start - 12)
        if text.endswith(endings("citation", "foreign"), low, start):
            return None
        name = text[start:end]
        for word in endings("citation", "our"):
            start -= len(word) * text.endswith(word, low, start)
        start -= text.endswith(OPEN, low, start)
        before = pattern("citation", "before_title").search(text, max(0, start - 12), start)
        version = before["version"] if before is not None else None
        return Named(law, name, start, version, before is not None and before["former"] is not None)

    def _that(self, end: int) -> Named | None:
        """ "This law" is the text's own; "the same law", "that interpretation" are the last of their kind."""
        for length in LENGTHS_OF_RELATIVES:
            word = self.text[end - length : end] if end >= length else ""
            if word not in relatives():
                continue
            kind = relatives()[word]
            if kind is None:
                return self.own(word, end - length)
            return Named(self._last(kind) or NOWHERE, word, end - length)
        return None


def _opening(text: str, low: int, end: int) -> int:
    """Where the bracket opens that closes right before `end`, with those inside it; -1 where it does not."""
    shut, depth = text[end - 1], 0
    for place in range(end - 1, low - 1, -1):
        depth += (text[place] == shut) - (text[place] == SHUT_BY[shut])
        if not depth:
            return place
    return -1


def title_marks(text: str) -> list[tuple[int, int]]:
    """Outermost pairs of title marks; marks of the inner kind alone enclose a title only where it is a listed one."""
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[int, str]] = []
    for mark in pattern("citation", "marks").finditer(text):
        sign = mark.group()
        if sign in (OPEN, INNER_OPEN):
            opened.append((mark.start(), sign))
            if len(opened) > LONGEST_NAME:
                del opened[: LONGEST_NAME // 2]
            continue
        partner = OPEN if sign == CLOSE else INNER_OPEN
        depth = next((at for at in range(len(opened) - 1, -1, -1) if opened[at][1] == partner), None)
        if depth is None:
            continue
        start = opened[depth][0]
        del opened[depth:]
        if not 2 < mark.end() - start <= LONGEST_NAME or (
            sign == INNER_CLOSE and law_names.known(text[start + 1 : mark.start()].strip()) is None
        ):
            continue
        while pairs and pairs[-1][0] > start:
            pairs.pop()
        pairs.append((start, mark.end()))
    return pairs


@cache
def nouns_of_this() -> Mapping[str, str]:
    """Words for the law that a text belongs to -> the kind of law that they say it is."""
    return {
        first + noun: kind
        for first in table("citation")["words"]["this"]
        for noun, kind in words("citation", "nouns").items()
    }


@cache
def relatives() -> Mapping[str, str | None]:
    """Words for a law named before -> its kind, None for "this law"; the longest first."""
    lists, nouns = table("citation")["words"], words("citation", "nouns")
    kinds: dict[str, str | None] = {first + noun: kind for first in lists["that"] for noun, kind in nouns.items()}
    kinds |= {first + noun: None for first in lists["this"] for noun in nouns} | dict.fromkeys(lists["own"])
    return dict(sorted(kinds.items(), key=lambda entry: -len(entry[0])))


def masked(text: str, titles: Iterable[tuple[int, int]]) -> str:
    """The text with its titles blotted out, so that no number in a title counts."""
    pieces, behind = [], 0
    for start, end in titles:
        pieces += [text[behind:start], OPEN * (end - start)]
        behind = end
    return "".join([*pieces, text[behind:]])
