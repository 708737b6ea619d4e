"""Which law a text names, and where: titles in book marks, abbreviations it defines, bare names, "the same law"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from . import lawnames
from .lawnames import Law
from .lexicon import pattern, table, words

LONGEST_NAME: Final = 200  # code points between title marks; a mark that is not closed sooner opens nothing
WINDOW: Final = 110  # code points looked at before a number: a name, its version, an abbreviation
MOST_ALIASES: Final = 50
OPEN, CLOSE, INNER_OPEN, INNER_CLOSE = "\u300a", "\u300b", "\u3008", "\u3009"
NOWHERE: Final = Law("", "", None, False)  # a citation that says a law without saying which


@dataclass(frozen=True, slots=True)
class Named:
    """A law as the text names it at one place; `law` None is a contract or the like, whose clauses are no law."""

    law: Law | None
    name: str
    start: int
    version: str | None = None
    former: bool = False

    @property
    def found(self) -> Law | None:
        return None if self.law is NOWHERE else self.law


@dataclass(slots=True)
class Names:
    """What one text (folded) calls its laws. `this` is the law that the text itself belongs to."""

    text: str
    this: str | None = None
    aliases: dict[str, Named] = field(default_factory=dict)
    _seen: list[Law] = field(default_factory=list)  # each law once, the last named at the end

    def titles(self) -> list[tuple[int, int]]:
        """Titles, without those that only say how another is called from now on."""
        kept: list[tuple[int, int]] = []
        until = 0
        for start, end in title_marks(self.text):
            if start >= until:
                kept.append((start, end))
                defined = self._definition(end)
                until = defined.end() if defined else 0
        return kept

    def title(self, start: int, end: int) -> Named:
        """The law of a title between two places; an abbreviation defined behind it is known from now on."""
        written = self.text[start + 1 : end - 1].strip()
        named = self._title(written, start, end)
        if (defined := self._definition(end)) is not None and len(self.aliases) < MOST_ALIASES:
            self.aliases[defined["short"].strip()] = named
        return named

    def landing(self, end: int) -> int:
        """Where a number must begin to belong to the title that ends here: behind versions, parts and chapters."""
        found = pattern("citation", "after_name").match(self.text, end)
        return found.end() if found else end

    def alone(self, start: int, end: int) -> bool:
        """Whether the title has a line of its own."""
        line = self.text.rfind("\n", max(0, start - 8), start) + 1
        if not line and start > 8:
            return False
        before, behind = pattern("citation", "heading"), pattern("citation", "heading_end")
        return before.fullmatch(self.text, line, start) is not None and behind.match(self.text, end) is not None

    def note(self, law: Law) -> None:
        """The law was cited: "the same law" may mean it from now on."""
        if law in self._seen:
            self._seen.remove(law)
        self._seen.append(law)
        del self._seen[:-MOST_ALIASES]

    def before(self, start: int) -> Named | None:
        """A bare name, an abbreviation of this text, or "the same law", that ends where a number begins."""
        low = max(0, start - WINDOW)
        window = self.text[low:start]
        ends = [len(window)]
        for key in ("before_number", "paren_before", "before_number"):
            if (found := pattern("citation", key).search(window, 0, ends[-1])) is not None:
                ends.append(found.start())
        for end in dict.fromkeys(ends):
            if (named := self._ending(window, low, end)) is not None:
                return replace(named, version=named.version or lawnames.version(window[end:])[1])
        return None

    def unlisted(self, start: int) -> Named | None:
        """A bare name that no table has: behind "according to" and the like, or first in the text."""
        low = max(0, start - 40)
        window = self.text[low:start]
        found = pattern("citation", "unknown_name").search(window)
        if found is None or (found.start("name") == 0 and low > 0):
            return None
        return Named(lawnames.lookup(found["name"]), found["name"], low + found.start("name"))

    # ---- titles

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
        bare, version = lawnames.version(written)
        law = lawnames.known(written) or lawnames.known(bare)
        if law is None and not lawnames.official(bare) and lawnames.document(bare):
            return Named(None, written, start)
        before = pattern("citation", "before_title").search(self.text, max(0, start - 12), start)
        behind = pattern("citation", "paren").match(self.text, end)
        if version is None and behind is not None:
            version = lawnames.version(behind.group())[1]
        if before is not None:
            version = version or before["version"]
        former = before is not None and before["former"] is not None
        return Named(law or lawnames.lookup(bare), written, start, version, former)

    # ---- names without marks

    def _ending(self, window: str, low: int, end: int) -> Named | None:
        for alias in sorted(self.aliases, key=len, reverse=True):
            if window.endswith(alias, 0, end):
                return replace(self.aliases[alias], name=alias, start=low + end - len(alias))
        if (found := lawnames.before(window, end)) is not None:
            return self._listed(window, low, found, end)
        return self._that(window, low, end)

    def _listed(self, window: str, low: int, found: tuple[int, Law], end: int) -> Named | None:
        start, law = found
        if pattern("citation", "foreign_before").search(window, 0, start):
            return None
        name = window[start:end]
        if state := pattern("citation", "state_before").search(window, 0, start):
            start = state.start()
        start -= window[start - 1 : start] == OPEN
        before = pattern("citation", "before_title").search(window, max(0, start - 12), start)
        version = before["version"] if before is not None else None
        return Named(law, name, low + start, version, before is not None and before["former"] is not None)

    def _that(self, window: str, low: int, end: int) -> Named | None:
        """ "This law" is the text's own; "the same law", "that interpretation" are the last of their kind."""
        for word, kind in relatives().items():
            if not window.endswith(word, 0, end):
                continue
            start = low + end - len(word)
            if kind is None:
                return Named(lawnames.lookup(self.this) if self.this is not None else NOWHERE, word, start)
            for law in reversed(self._seen):
                if law.kind == kind or (kind[0] == "*" and law.title.endswith(kind[1:])):
                    return Named(law, word, start)
            return Named(NOWHERE, word, start)
        return None


def title_marks(text: str) -> list[tuple[int, int]]:
    """Outermost pairs of title marks; marks of the inner kind alone enclose a title only where it is a listed one."""
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[int, str]] = []
    for mark in pattern("citation", "marks").finditer(text):
        found = mark.group()
        if found in (OPEN, INNER_OPEN):
            opened.append((mark.start(), found))
            if len(opened) > LONGEST_NAME:
                del opened[: LONGEST_NAME // 2]
            continue
        partner = OPEN if found == CLOSE else INNER_OPEN
        depth = next((at for at in range(len(opened) - 1, -1, -1) if opened[at][1] == partner), None)
        if depth is None:
            continue
        start = opened[depth][0]
        del opened[depth:]
        if mark.end() - start > LONGEST_NAME or (
            found == INNER_CLOSE and not _is_listed(text[start + 1 : mark.start()])
        ):
            continue
        while pairs and pairs[-1][0] > start:
            pairs.pop()
        pairs.append((start, mark.end()))
    return pairs


def _is_listed(name: str) -> bool:
    return lawnames.known(name.strip()) is not None


@cache
def relatives() -> Mapping[str, str | None]:
    """Words for a law named before -> its kind, None for "this law"; the longest first."""
    lists, nouns = table("citation")["words"], words("citation", "nouns")
    found: dict[str, str | None] = {first + noun: kind for first in lists["that"] for noun, kind in nouns.items()}
    found |= {first + noun: None for first in lists["this"] for noun in nouns}
    return dict(sorted(found.items(), key=lambda entry: -len(entry[0])))


def masked(text: str, titles: list[tuple[int, int]]) -> str:
    """The text with its titles blotted out, so that no number in a title counts."""
    pieces, behind = [], 0
    for start, end in titles:
        pieces += [text[behind:start], OPEN * (end - start)]
        behind = end
    return "".join([*pieces, text[behind:]])
