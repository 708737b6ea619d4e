"""Citations of law in Chinese legal text: law, article, paragraph, item, sub-item, each with its place.

One pass over the text: titles, references (numbers with their level) and ends of sentences, in order. A reference takes
over from the one before it what it leaves out; what the text does not say stays None.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ...model.immutable import immutable
from . import law_names
from .law_mentions import LOOSE, NOWHERE, Named, NamedLaws, masked
from .lexicon import TextSpan, endings, pattern, table, words
from .number_lists import ListedNumber, numbers_in, placed, reaches
from .numerals import fold, ordinal

PREVIOUS: Final = "prev"
THIS: Final = "this"
LONGEST_SPREAD: Final = 200  # members of one range that are given one by one
SHUT_QUOTES: Final = ("\u201d", "\u300f", "\u300d")
FEW: Final = 50  # roads, trousers and messages are counted with the word for "article" too, but seldom that many
Path = tuple[str | None, int | str | None, int | None, int | None]  # article, paragraph, item, sub-item
ARTICLE, PARAGRAPH, ITEM, SUB_ITEM = 1, 2, 3, 4


@immutable
class CitationContext:
    """Where a text stands, so that "this law" and "the paragraph before" in it can be resolved.

    `previous` is the article before, which need not be the number before: 134 follows 133-2.
    """

    law: str | None = None
    article: str | None = None
    paragraph: int | None = None
    previous: str | None = None


@immutable
class Citation(TextSpan):
    """One article, paragraph, item or sub-item; or a law as a whole, `article` None.

    `start`, `end` are code points of the text. `law` is the canonical short name, None where the text does not say
    which law; `name` is what the text has for it. `article` is "675", "133-1", or, where nothing resolves it, "prev",
    "prev:2", "this"; so may `paragraph` be. `repealed` is the first day (ISO) on which the law is no longer in force.
    `version` is what the text says of it next to the name. `spread` marks members of a range that are not themselves
    written. `misprint`: what stands where an article's number should, `article` None; what was meant is not guessed.
    """

    law: str | None
    article: str | None
    paragraph: int | str | None = None
    item: int | None = None
    sub_item: int | None = None
    name: str | None = None
    kind: str | None = None
    known: bool = False
    repealed: str | None = None
    version: str | None = None
    former: bool = False
    spread: bool = False
    misprint: str = ""

    @property
    def resolved(self) -> bool:
        """Whether it says which law and, where it says any, which article and paragraph."""
        relative = self.article is not None and not self.article[0].isdigit()
        return self.law is not None and not relative and not isinstance(self.paragraph, str)


def citations(text: str, *, context: CitationContext | None = None) -> tuple[Citation, ...]:
    """Every citation of a text, in order."""
    here = context or CitationContext()
    folded = fold(text)
    walk = _CitationWalk(folded, here, NamedLaws(folded, here.law), 1000 + len(text) // 100)
    walk.run()
    return tuple(walk.cited)


# ---- the walk --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Chain:
    """References that hang together; the last of them, `leaf`, gives what the next leaves out.

    `silent`: they are clauses of a contract, or a relative word that is no citation by itself (本条).
    """

    leaf: Citation
    end: int
    level: int = 0
    silent: bool = False
    contract: bool = False


@dataclass(slots=True)
class _CitationWalk:
    text: str
    context: CitationContext
    names: NamedLaws
    budget: int  # members of ranges that may still be given one by one
    cited: list[Citation] = field(default_factory=list)
    chain: _Chain | None = None
    scope: Named | None = None  # the law last cited in this sentence
    heading: Named | None = None  # the law whose title has a line of its own
    pending: tuple[Named, int, int] | None = None  # a title, its end, and where a number must begin to belong to it
    last: Citation | None = None
    quoted: bool = False

    def run(self) -> None:
        titles = deque(self.names.titles())
        for token in pattern("citation", "token").finditer(masked(self.text, titles)):
            while titles and titles[0][0] < token.start():
                self._title(*titles.popleft())
            self._token(token)
        for title in titles:
            self._title(*title)
        self._flush()

    # ---- titles

    def _title(self, start: int, end: int) -> None:
        self._flush()
        named = self.names.title(start, end)
        self.pending = (named, end, self.names.landing(end))
        if named.law is None:
            self.scope = None
        elif (named.law.known or law_names.official(named.name)) and self.names.alone(start, end):
            self.heading = named

    def _flush(self) -> None:
        """A title that no number followed: a citation of the law as a whole, where it is known to be one."""
        if self.pending is None:
            return
        named, end, _ = self.pending
        self.pending = None
        if named.law is None:
            return
        if named.law.known or law_names.official(named.name) or self._relied(named, end):
            self._begin(named)
            self.cited.append(_cited(named, named.start, end))
            self.chain = None

    def _relied(self, named: Named, end: int) -> bool:
        """Whether the text goes by an unlisted title: according to it, by a citation and it, by nothing but it."""
        if pattern("citation", "relied").search(named.name) is None or law_names.document(named.name):
            return False
        start = named.start
        if self.text.endswith(endings("citation", "ordered"), max(0, start - 8), start) or self.names.alone(start, end):
            return True
        chain = pattern("citation", "chain")
        return bool(self.cited) and chain.fullmatch(self.text, self.cited[-1].end, start) is not None

    def _begin(self, named: Named) -> _Chain:
        """A new chain below a law, which the rest of the sentence may take over."""
        if named.found is not None:
            self.names.note(named.found)
        if named.law is not NOWHERE:
            self.scope = named
        contract = named.law is None
        return _Chain(_cited(named, named.start, named.start), named.start, 0, contract, contract)

    # ---- tokens

    def _token(self, token: re.Match[str]) -> None:
        match token.lastgroup:
            case "stop":
                if token.group() == "\n" or not (self.quoted or self._goes_on(token)):
                    self.scope = self.chain = None
                self.quoted = self.quoted and token.group() != "\n"
            case "open" | "close":
                self.quoted = token.lastgroup == "open"
            case "here":
                self._here(token)
            case "zhi":
                self._zhi(token)
            case "misprint":
                self._misprint(token)
            case "item":
                self._item(token)
            case _:
                self._reference(token)

    def _goes_on(self, stop: re.Match[str]) -> bool:
        """Whether what a law says was quoted, and behind the stop the next article or paragraph is."""
        quoted = self.text.endswith(SHUT_QUOTES, 0, stop.start())
        return quoted and pattern("citation", "goes_on").match(self.text, stop.end()) is not None

    def _reference(self, token: re.Match[str]) -> None:
        first = token["list"] is not None
        unit, group, sub = ("unit", "list", "sub") if first else ("bare_unit", "bare", "bare_sub")
        numbers = numbers_in(self.text, *token.span(group))
        level: int = table("citation")["levels"][token[unit]]
        tail = ordinal(token[sub]) if token[sub] is not None else None
        if not numbers and level == ARTICLE:
            self._misprint(token)
        if not numbers or (token[sub] is not None and tail is None):
            return
        if level == ARTICLE:
            self._article(token, numbers, tail, first)
        else:
            self._below(token, numbers, level, first)

    # ---- articles

    def _article(self, token: re.Match[str], numbers: list[ListedNumber], tail: int | None, first: bool) -> None:
        start, end = token.span()
        old = self.chain
        chain = self._landed(start) or self._joined(start, first) or self._opened(token, numbers[0].value, first)
        if chain is None:
            return
        begin = chain.end if chain.level == 0 else start
        ranged = chain is old and chain.leaf.paragraph is None and reaches(self.text, chain.end, start)
        self.chain = chain
        self._add(chain, ARTICLE, placed(numbers, begin, end, ranged), tail)

    def _landed(self, start: int) -> _Chain | None:
        """A chain that begins with the title just before this number."""
        if self.pending is None:
            return None
        named, _, landing = self.pending
        if landing != start:
            self._flush()
            return None
        self.pending = None
        return self._begin(named)

    def _joined(self, start: int, first: bool) -> _Chain | None:
        """The chain before, if there is nothing but a comma or an "and" between."""
        chain = self.chain
        if chain is None or chain.level < ARTICLE:
            return None
        key = "chain" if first else "tight"
        return chain if pattern("citation", key).fullmatch(self.text, chain.end, start) is not None else None

    def _opened(self, token: re.Match[str], number: int, first: bool) -> _Chain | None:
        """A chain whose law stands bare before the number, or was named earlier in the sentence, or nowhere."""
        self._flush()
        text, (start, end) = self.text, token.span()
        if (named := self.names.before(start)) is not None:
            return self._begin(named)
        if not first:
            return None
        low = max(0, start - 8)
        ordered = text.endswith(endings("citation", "ordered"), low, start)
        before = len(text[low:start].rstrip(LOOSE)) + low
        agreed = pattern("citation", "agreed").match(text, end) is not None
        if not ordered and (agreed or text.endswith(endings("citation", "documents"), low, before)):
            return self._begin(Named(None, "", start))
        if ordered and agreed:
            return self._begin(Named(None, "", start))
        line = text.rfind("\n", low, start) + 1
        at_line = (line > 0 or low == 0) and not text[line or low : start].strip()
        if at_line and self.heading is not None:
            return self._begin(replace(self.heading, start=start))
        led = at_line or _led(text, low, start)
        if led and self.scope is not None:
            return self._begin(replace(self.scope, start=start))
        if (unlisted := self.names.unlisted(start)) is not None:
            return self._begin(unlisted)
        if at_line and text[end : end + 1].isspace():
            return None  # the heading of an article in a statute: no citation
        cited = number >= FEW or pattern("citation", "cited").match(text, end) is not None
        if (led and cited) or ordered:
            return self._begin(self.names.own("", start))
        return None

    def _misprint(self, token: re.Match[str]) -> None:
        """A number that no article has, or that does not say that it is an article's."""
        chain = self._landed(token.start()) or self._joined(token.start(), first=True)
        if chain is None or chain.contract:
            return
        leaf = _moved(
            chain.leaf, chain.end if not chain.level else token.start(), token.end(), (None, None, None, None)
        )
        self.cited.append(replace(leaf, misprint=token.group()))
        self.chain = None

    def _zhi(self, token: re.Match[str]) -> None:
        """A second number behind the article's (一百二十条之一、之二)."""
        chain, number = self.chain, ordinal(token["zhi"])
        if chain is None or chain.level != ARTICLE or chain.leaf.article is None or number is None:
            return
        if pattern("citation", "tight").fullmatch(self.text, chain.end, token.start()) is None:
            return
        base = chain.leaf.article.partition("-")[0]
        leaf = _moved(chain.leaf, *token.span(), (f"{base}-{number}", None, None, None))
        self._keep(chain, leaf, ARTICLE, reaches(self.text, chain.end, token.start()))

    # ---- relative words

    def _here(self, token: re.Match[str]) -> None:
        """The article before, this paragraph, and the like."""
        self._flush()
        word = words("citation", "here").get(token.group())
        if word is None:
            return
        level, way = word.split(" ")
        leaf = self._pointed(level == "article", way, token)
        self.chain = _Chain(leaf, token.end(), ARTICLE if level == "article" else PARAGRAPH, True)
        if way.startswith(PREVIOUS):
            self.chain.silent = False
            self.cited.append(leaf)

    def _pointed(self, article: bool, way: str, token: re.Match[str]) -> Citation:
        last, context = self.last, self.context
        start, end = token.span()
        if way == "last":
            if last is not None and article:
                return _moved(last, start, end, (last.article, None, None, None))
            if last is not None and last.paragraph is not None:
                return _moved(last, start, end, (last.article, last.paragraph, None, None))
            return Citation(start, end, None, THIS if article else None, None if article else THIS, name=token.group())
        leaf = _cited(self.names.own(token.group(), start), start, end)
        if article:
            known = context.previous if way == PREVIOUS else context.article if way == THIS else None
            return _moved(leaf, start, end, (known or way, None, None, None))
        number = context.paragraph
        if number is not None and way == PREVIOUS and number > 1:
            return _moved(leaf, start, end, (context.article, number - 1, None, None))
        return _moved(leaf, start, end, (context.article, number if way == THIS and number else way, None, None))

    # ---- below the article

    def _item(self, token: re.Match[str]) -> None:
        """An item that is marked by its brackets alone."""
        chain, number = self.chain, ordinal(token["item"])
        if chain is None or not ARTICLE <= chain.level <= ITEM or number is None:
            return
        start = token.start()
        key = "adjacent" if chain.level < ITEM else "tight"
        if start == chain.end or pattern("citation", key).fullmatch(self.text, chain.end, start):
            self._put(chain, token, [ListedNumber(*token.span(), number, False)], ITEM, refines=chain.level < ITEM)

    def _below(self, token: re.Match[str], numbers: list[ListedNumber], level: int, first: bool) -> None:
        chain, start = self.chain, token.start()
        own = first and level == PARAGRAPH and self.context.article is not None  # below the article of the text
        if chain is None and own and _led(self.text, 0, start):
            leaf = replace(_cited(self.names.own("", start), start, start), article=self.context.article)
            self.chain = chain = _Chain(leaf, start, ARTICLE, True)
        if chain is None or chain.level < ARTICLE:
            return
        adjacent = pattern("citation", "adjacent").fullmatch(self.text, chain.end, start)
        refines = level > chain.level and adjacent is not None
        if refines or self._follows(chain, token, level, first):
            self._put(chain, token, numbers, level, refines=refines)

    def _follows(self, chain: _Chain, token: re.Match[str], level: int, first: bool) -> bool:
        """Whether a paragraph or item continues the list before it, or is one more of the article of this sentence."""
        start, end = token.span()
        if level == SUB_ITEM and chain.level < ITEM:
            return False
        if pattern("citation", "chain" if first else "tight").fullmatch(self.text, chain.end, start):
            return level <= chain.level or start > chain.end
        stated = pattern("citation", "stated").match(self.text, end) is not None
        return first and level == PARAGRAPH and stated and _led(self.text, 0, start)

    def _put(
        self, chain: _Chain, token: re.Match[str], numbers: list[ListedNumber], level: int, *, refines: bool
    ) -> None:
        """Numbers into the chain: a level below its last reference refines it, else they stand beside it."""
        start, end = token.span()
        ranged = not refines and level == chain.level and reaches(self.text, chain.end, start)
        begin = chain.leaf.start if refines else start
        if refines and self.cited and self.cited[-1] is chain.leaf:
            self.cited.pop()
        chain.silent = chain.contract
        self._add(chain, level, placed(numbers, begin, end, ranged))

    # ---- results

    def _add(self, chain: _Chain, level: int, numbers: list[ListedNumber], tail: int | None = None) -> None:
        """A citation for each number; `tail`: a second number behind the last (第一百三十三条之一)."""
        for number in numbers:
            path = _path(chain.leaf, level, number.value, tail if number is numbers[-1] else None)
            self._keep(chain, _moved(chain.leaf, number.start, number.end, path), level, number.ranged)

    def _keep(self, chain: _Chain, leaf: Citation, level: int, ranged: bool) -> None:
        """The next reference of a chain; where it ends a range, with the members that are not written."""
        if not chain.silent:
            for path in _between(chain.leaf, leaf, level) if ranged else ():
                if self.budget > 0:
                    self.budget -= 1
                    self.cited.append(_moved(leaf, chain.leaf.start, leaf.end, path, spread=True))
            self.cited.append(leaf)
            self.last = leaf
        chain.leaf, chain.level, chain.end = leaf, level, leaf.end


def _led(text: str, low: int, start: int) -> bool:
    """Whether a number that leaves its law out may stand here: at the beginning, behind a mark, "and", "under"."""
    return start == 0 or text.endswith(endings("citation", "leads", "marks"), low, start)


def _moved(leaf: Citation, start: int, end: int, path: Path, *, spread: bool = False) -> Citation:
    """Another place of the same law; `replace` would take thrice the time, and this is done for every number."""
    law, name, kind, known, repealed = leaf.law, leaf.name, leaf.kind, leaf.known, leaf.repealed
    return Citation(start, end, law, *path, name, kind, known, repealed, leaf.version, leaf.former, spread)


def _cited(named: Named, start: int, end: int) -> Citation:
    """A citation of a law with nothing below it yet."""
    law, name = named.found or NOWHERE, named.name or None
    leaf = Citation(start, end, law.short or None, None, None, None, None, name, law.kind, law.known, law.repealed)
    return replace(leaf, version=named.version, former=named.former)


def _path(leaf: Citation, level: int, number: int, tail: int | None = None) -> Path:
    """The path of the citation with a number of one level, nothing below it."""
    if level == ARTICLE:
        return str(number) if tail is None else f"{number}-{tail}", None, None, None
    paragraph = number if level == PARAGRAPH else leaf.paragraph
    item = number if level == ITEM else leaf.item if level > ITEM else None
    return leaf.article, paragraph, item, number if level == SUB_ITEM else None


def _between(first: Citation, last: Citation, level: int) -> Iterator[Path]:
    """The paths strictly between two references of one level."""
    if level == ARTICLE:
        yield from ((article, None, None, None) for article in _articles(first.article or "", last.article or ""))
        return
    low, high = ((leaf.paragraph, leaf.item, leaf.sub_item)[level - PARAGRAPH] for leaf in (first, last))
    if isinstance(low, int) and isinstance(high, int) and high - low <= LONGEST_SPREAD:
        yield from (_path(last, level, number) for number in range(low + 1, high))


def _articles(first: str, last: str) -> Iterator[str]:
    """Articles strictly between two, as far as numbers tell: those like 133-1 only below one and the same number."""
    (low, _, low_sub), (high, _, high_sub) = first.partition("-"), last.partition("-")
    if not low.isdigit() or not high.isdigit() or not 0 <= int(high) - int(low) <= LONGEST_SPREAD:
        return
    if low != high:
        yield from map(str, range(int(low) + 1, int(high) + bool(high_sub)))
    elif high_sub and int(high_sub) <= LONGEST_SPREAD:
        yield from (f"{low}-{sub}" for sub in range(int(low_sub or 0) + 1, int(high_sub)))
