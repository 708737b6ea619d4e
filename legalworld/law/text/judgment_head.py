"""The head of a civil judgment: court, number, parties, cause, what it was appealed from; and the day it was signed.

Nothing is inferred: every value is a stretch of the text, and what the text does not say is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Final

from ...model.immutable import immutable
from .lexicon import TextSpan, endings, pattern, words
from .times import Date, times

HEAD: Final = 8_000  # characters in which the parties of a judgment stand
INTRO: Final = 1_500  # characters that say what the case is about
TAIL: Final = 2_000  # characters at the end in which it is signed
FIRST, SECOND = 1, 2


@immutable
class Quote(TextSpan):
    """A stretch of a text, with its words."""

    text: str


@immutable
class JudgmentParty:
    """A party as a judgment names it. `side`: plaintiff, defendant or third, of the first instance; `appeal`:
    appellant, appellee, or "". `short`: what it is called from there on. `more`: gender, birth, ethnicity, address,
    representative, representative_title, agent, firm, as far as they are said."""

    side: str
    appeal: str
    name: Quote
    short: str = ""
    more: Mapping[str, Quote] = field(default_factory=dict)

    @property
    def agent(self) -> Quote | None:
        return self.more.get("agent")

    @property
    def firm(self) -> Quote | None:
        return self.more.get("firm")

    @property
    def appeals(self) -> bool:
        return self.appeal == "appellant"

    @property
    def called(self) -> tuple[str, ...]:
        """The names it goes by, the longest first."""
        return tuple(sorted({name for name in (self.name.text, self.short) if name}, key=lambda one: (-len(one), one)))


@immutable
class JudgmentHead:
    """What a judgment is known by; "" for what it does not say. `instance`: 1, 2, or 0 where that cannot be told.

    `paper`: whether it is a judgment, a ruling or a mediation record, in the text's word. `appealed`: court and number
    of the judgment that is appealed against. `heard`: the matter is decided, and not only that nobody pursues it.
    """

    court: str
    number: str
    date: str
    cause: str
    paper: str
    instance: int
    parties: tuple[JudgmentParty, ...]
    appealed: tuple[str, str]
    heard: bool
    body: int  # where the head ends


def decides(paper: str) -> bool:
    """Whether a paper of this kind decides the matter: a judgment, and no ruling or mediation record."""
    return paper in endings("judgment", "decided")


def upholds(item: str) -> bool:
    """Whether an item of what a second instance decides leaves the first judgment as it was."""
    return any(word in item for word in endings("judgment", "upheld"))


def kind_of(name: str) -> str:
    """What bears a name, by how it ends: a company, another body, or a person."""
    if name.endswith(endings("judgment", "company")):
        return "company"
    return "body" if len(name) > 3 and name.endswith(endings("judgment", "organisation")) else "person"


def case_number(text: str) -> str:
    """The first case number of a text as numbers are compared: full-width brackets, no blanks; "" where none is."""
    found = pattern("judgment", "number").search(text)
    return _plain(found.group()) if found else ""


def is_civil(number: str) -> bool:
    """Whether a case number is one of a civil matter."""
    return words("judgment", "joins")["civil"] in number


def _plain(number: str) -> str:
    signs = "".join(number.translate(_width()).split())
    return signs[0].replace("(", "（") + signs[1:].replace(")", "）", 1)


@cache
def _width() -> dict[int, str]:
    digits = {0xFF10 + one: str(one) for one in range(10)}
    return digits | {ord(sign): "(" for sign in "（〔["} | {ord(sign): ")" for sign in "）〕]"}


def head(text: str) -> JudgmentHead:
    """The head of a judgment, and its date."""
    top = text[:HEAD]
    body = _body(top)
    intro = text[body : body + INTRO]
    court, paper = (pattern("judgment", name).search(top) for name in ("court", "paper"))
    number = pattern("judgment", "number").search(text, 0, body) or (_alone(top) if not body else None)
    parties = tuple(_shortened(_parties(text, number.end() if number is not None else 0, body), intro))
    appealed = _appealed(intro)
    decided = max((found.start() for found in pattern("judgment", "operative").finditer(text)), default=len(text))
    second = appealed[1] != "" or any(party.appeal for party in parties)
    return JudgmentHead(
        court=court["court"] if court else "",
        number=_plain(number.group()) if number is not None else "",
        date=signed(text),
        cause=_cause(intro, parties),
        paper="".join(paper["paper"].split()) if paper else "",
        instance=_numbered(number) or (SECOND if second else FIRST if parties else 0),
        parties=parties,
        appealed=appealed,
        heard=not any(word in text[decided:] for word in endings("judgment", "unheard")),
        body=body,
    )


def _alone(top: str) -> re.Match[str] | None:
    """A case number that stands on a line alone, but for what marks it."""
    for found in pattern("judgment", "number").finditer(top):
        before = top[top.rfind("\n", 0, found.start()) + 1 : found.start()]
        after = top[found.end() : top.find("\n", found.end())]
        if pattern("judgment", "before_number").fullmatch(before) and not after.strip(" *\r"):
            return found
    return None


def _numbered(number: re.Match[str] | None) -> int:
    """The instance that a case number tells by its kind; 0 where it tells none."""
    said = number.group() if number is not None else ""
    found = [instance for word, instance in words("judgment", "instances").items() if word in said]
    return int(found[0]) if len(found) == 1 else 0


def _body(text: str) -> int:
    """Where the sentence begins that says what the case is about: the parties stand before it."""
    at = text.find(words("judgment", "joins")["case"])
    if at >= 0:
        return max(text.rfind("。", 0, at), text.rfind("\n", 0, at)) + 1
    opened = pattern("judgment", "course").search(text)  # no words for a case: what the court says of its course
    return opened.start() if opened is not None else 0


def _cause(intro: str, parties: Sequence[JudgmentParty]) -> str:
    """The cause of action: what stands between the last party that is named and the words for a case."""
    said = intro.partition(words("judgment", "joins")["case"])[0][-120:]
    for name in sorted((name for party in parties for name in party.called), key=len):
        said = said.rpartition(name)[2]
    said = said.rpartition("）")[2].strip().lstrip(words("judgment", "joins")["because"])
    return said if 2 < len(said) <= 40 and said.endswith(endings("judgment", "cause_ends")) else ""


def _appealed(intro: str) -> tuple[str, str]:
    """Court and number of the judgment that is appealed against."""
    found = pattern("judgment", "appealed").search(intro)
    number = pattern("judgment", "number").match(intro, found.end()) if found else None
    return (found["court"] if found else "", _plain(number.group()) if number else "")


def signed(text: str) -> str:
    """The day on which a judgment was signed, as 2024-05-10; "" where none stands at its end."""
    end = text[-TAIL:]
    spelled = [found["date"] for found in pattern("judgment", "signed").finditer(end)]
    if spelled:
        numerals = words("judgment", "joins")["numerals"]
        year, rest = spelled[-1][:4], spelled[-1][4:]
        end = "".join(str(max(0, numerals.find(sign))) for sign in year) + rest
    days = [day for day in times(end) if isinstance(day, Date) and day.day is not None and day.year is not None]
    return days[-1].iso if days and not days[-1].wrong else ""


# ---- parties ---------------------------------------------------------------------------------------------------------


def _parties(text: str, low: int, end: int) -> Iterator[JudgmentParty]:
    """The parties between two places, each with the sentences about him up to the next."""
    party: JudgmentParty | None = None
    for sentence in pattern("judgment", "head_sentence").finditer(text, low, end):
        start, stop = sentence.span()
        title = pattern("judgment", "title").match(text, start, stop)
        if title is not None:
            if party is not None:
                yield party
            party = _party(text, title.group().strip(), title.end(), stop)
        elif party is not None:
            party = replace(party, more={**party.more, **_further(text, start, stop)})
    if party is not None:
        yield party


def _shortened(parties: Iterator[JudgmentParty], intro: str) -> Iterator[JudgmentParty]:
    """The parties, with what the opening sentences call them for short."""
    said = [(intro[: found.start()], found["short"]) for found in pattern("judgment", "short").finditer(intro)]
    for party in parties:
        short = next((short for before, short in said if before.endswith(party.name.text)), party.short)
        yield replace(party, short=short)


def _party(text: str, title: str, at: int, stop: int) -> JudgmentParty | None:
    """The party that a sentence names behind its title; None where no name follows."""
    was = pattern("judgment", "formerly").match(text, at, stop)
    formerly = was["was"] if was is not None else ""
    if was is not None:
        at = was.end()
    found = pattern("judgment", "name").match(text, at, stop)
    if found is None:
        return None
    name, short = found["name"], pattern("judgment", "short").search(text, at, stop)
    aside = pattern("judgment", "aside").search(name)
    name = (name[: aside.start()] if aside is not None else name).rstrip()
    if not name:
        return None
    start = found.start("name")
    quote = Quote(start, start + len(name), name)
    more = dict(_said(text, found.end(), stop))
    return JudgmentParty(_side(title, formerly), _on_appeal(title), quote, short["short"] if short else "", more)


def _side(title: str, formerly: str) -> str:
    """The side in the first instance: what stands in the brackets goes before the title, but for a counterclaim."""
    for said in (pattern("judgment", "counter").sub("", formerly), pattern("judgment", "counter").sub("", title)):
        places = {said.find(word): side for word, side in words("judgment", "sides").items() if word in said}
        if places:
            return places[min(places)]
    return ""


def _on_appeal(title: str) -> str:
    for kind in ("appellee", "appellant"):
        if any(word in title for word in endings("judgment", kind)):
            return kind
    return ""


def _said(text: str, start: int, stop: int) -> Iterator[tuple[str, Quote]]:
    """What is said of a party behind his name, piece by piece."""
    at = start
    for piece in text[start:stop].replace("，", ",").replace("；", ",").split(","):
        found = {
            "gender": _exact(text, at, piece, (*endings("judgment", "men"), *endings("judgment", "women"))),
            "ethnicity": _group(text, "folk", "folk", at, at + len(piece)),
            "address": _group(text, "address", "address", at, at + len(piece)),
            "birth": _group(text, "birth", "birth", at, at + len(piece)),
        }
        if found["address"] is None and (named := _group(text, "representative", "name", at, at + len(piece))):
            found["representative"] = named
        yield from ((key, quote) for key, quote in found.items() if quote is not None)
        at += len(piece) + 1


def _further(text: str, start: int, stop: int) -> dict[str, Quote]:
    """What a further sentence says of a party: who represents him, and who speaks for him."""
    found: dict[str, Quote] = {}
    named = _group(text, "representative", "name", start, stop)
    if named is not None:
        found["representative"] = named
        title = text[named.end : stop].lstrip("，, ")
        if 0 < len(title) <= 12 and named.end < stop:
            found["representative_title"] = Quote(stop - len(title), stop, title)
    agent = _group(text, "agent", "name", start, stop)
    if agent is not None:
        found["agent"] = agent
        firm = pattern("judgment", "agency").search(text, agent.end, stop)
        if firm is not None:
            found["firm"] = Quote(*firm.span("firm"), firm["firm"])
    return found or dict(_said(text, start, stop))


def _group(text: str, name: str, group: str, start: int, stop: int) -> Quote | None:
    """A group of a pattern of the table that matches at `start`."""
    found = pattern("judgment", name).match(text[start:stop])
    return Quote(start + found.start(group), start + found.end(group), found[group]) if found is not None else None


def _exact(text: str, at: int, piece: str, among: Sequence[str]) -> Quote | None:
    word = piece.strip()
    start = at + piece.find(word)
    return Quote(start, start + len(word), word) if word in among else None
