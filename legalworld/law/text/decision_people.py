"""Who is meant in an item of a decision: names and titles, against the persons of the case.

A title before a name goes before the name: two persons of one name are told apart by it. A name that several persons
bear and that no title goes before is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Final

from ...model.decision import Claim, Party, PersonId
from ...model.immutable import immutable
from .lexicon import TextSpan, alternation, endings, pattern, words
from .numerals import ordinal

OPENING: Final = "\uff08"
CLOSING: Final = "\uff09"
BRACKETS: Final = str.maketrans("\u3014[\u3010\u3015]\u3011()", "\uff08\uff08\uff08\uff09\uff09\uff09\uff08\uff09")


@immutable
class Mention(TextSpan):
    """Somebody named in a text. `people`: one, or all that a title is for; none where that cannot be told.

    `title` as it stands before the name, "" where none does; `name` "" where a title stands alone. `misfit`: the title
    is none of his.
    """

    people: tuple[PersonId, ...]
    title: str
    name: str
    misfit: bool = False


def document_number(written: str) -> str:
    """The number of a document as numbers are compared: one kind of bracket, no blanks."""
    return "".join(written.translate(BRACKETS).split())


class CaseFrame:
    """What a text is read against: who takes part in the case, what is claimed, and the ids of its exhibits.

    `numbers`: of the documents that the case speaks of. `accused`: the persons whom a criminal judgment decides about,
    by the record of the case that tells of them. `charges`: what is charged, each with who is ("" where that is not
    said). `admitted`: sums that a side admits in the case, each with the side.
    """

    def __init__(
        self,
        people: Sequence[Party] = (),
        claims: Sequence[Claim] = (),
        exhibits: Sequence[str] = (),
        accused: Mapping[str, PersonId] | None = None,
        numbers: Iterable[str] = (),
        *,
        charges: Iterable[tuple[PersonId, str]] = (),
        admitted: Iterable[tuple[str, Decimal]] = (),
    ) -> None:
        self.people = tuple(people)
        self.claims = tuple(claims)
        self.exhibits = tuple(exhibits)
        self.accused = dict(accused or {})
        self.numbers = frozenset(map(document_number, numbers))
        self.charges = tuple(dict.fromkeys(charges))
        self.admitted = tuple(dict.fromkeys(admitted))

    @cached_property
    def by_name(self) -> dict[str, tuple[Party, ...]]:
        names: dict[str, tuple[Party, ...]] = {}
        for party in self.people:
            for name in dict.fromkeys((party.name, *party.short)):
                if name:
                    names[name] = (*names.get(name, ()), party)
        return names

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order in which their persons stand: who asks comes first."""
        return tuple(dict.fromkeys(party.side for party in self.people if party.side))

    @cached_property
    def names(self) -> re.Pattern[str] | None:
        return re.compile(alternation(self.by_name)) if self.by_name else None

    def side_of(self, person: PersonId) -> str:
        return next((party.side for party in self.people if party.id == person), "")

    def entitled(self, title: str) -> tuple[Party, ...]:
        """Those who bear a title, by what the case calls them or by their side."""
        exact = tuple(party for party in self.people if title in party.titles)
        if exact or not self.sides or title.startswith(endings("decision", "counter")):
            return exact
        second = title.endswith(endings("decision", "sides_second"))
        first = not second and title.endswith(endings("decision", "sides_first"))
        if first:
            return tuple(party for party in self.people if party.side == self.sides[0])
        if second and len(self.sides) > 1:
            return tuple(party for party in self.people if party.side == self.sides[1])
        return ()


def nameless(text: str, frame: CaseFrame) -> str:
    """Return a text, as long as it was, without the names in it: somebody may be called by a word for paying."""
    return frame.names.sub(lambda found: "x" * len(found.group()), text) if frame.names is not None else text


def mentions(text: str, frame: CaseFrame, start: int = 0, stop: int | None = None) -> list[Mention]:
    """Everybody named between two places of a text, in order; the longest name wins, a title stands with its name."""
    stop = len(text) if stop is None else stop
    named = list(_named(text, frame, start, stop))
    titled = [one for one in _titled(text, frame, start, stop) if not any(_meet(one, other) for other in named)]
    return sorted([*named, *titled], key=lambda one: one.start)


def _meet(one: TextSpan, other: TextSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _named(text: str, frame: CaseFrame, start: int, stop: int) -> Iterator[Mention]:
    for found in frame.names.finditer(text, start, stop) if frame.names is not None else ():
        before = pattern("decision", "title_before").search(text, max(start, found.start() - 40), found.start())
        title = before["title"] if before is not None else ""
        begin = before.start("title") if before is not None else found.start()
        bearers = frame.by_name[found.group()]
        fitting = tuple(party for party in bearers if title and _fits(party, title, frame))
        misfit = bool(title) and not fitting and bool(_known(title, frame))
        fitting = _numbered(fitting, title, frame) if len(fitting) > 1 else fitting
        one = fitting if len(fitting) == 1 else bearers if len(bearers) == 1 else ()
        yield Mention(begin, found.end(), tuple(party.id for party in one), title, found.group(), misfit)


def _numbered(fitting: tuple[Party, ...], title: str, frame: CaseFrame) -> tuple[Party, ...]:
    """Of several of one name the one whose place among those of his title the title gives."""
    marks = words("decision", "marks")["numbers"]
    number = ordinal(title[len(title.rstrip(marks)) :])
    place = None if number is None else frame.entitled(_bare(title))[number - 1 : number]
    return fitting if place is None else tuple(party for party in fitting if party in place)


def _bare(title: str) -> str:
    return title.partition(OPENING)[0].rstrip(words("decision", "marks")["numbers"])


def _inside(title: str) -> str:
    return title.rstrip(words("decision", "marks")["numbers"]).partition(OPENING)[2].rstrip(CLOSING)


def _known(title: str, frame: CaseFrame) -> tuple[Party, ...]:
    """Those for whom a title could stand: by the words before its bracket, or in it."""
    return frame.entitled(_inside(title)) or frame.entitled(_bare(title))


def _fits(party: Party, title: str, frame: CaseFrame) -> bool:
    if title in party.titles or _bare(title) in party.titles:
        return True
    return party in _known(title, frame)


def _titled(text: str, frame: CaseFrame, start: int, stop: int) -> Iterator[Mention]:
    """Titles that stand alone: the only one who bears it, or all where the text says so."""
    for found in pattern("decision", "title").finditer(text, start, stop):
        bearers = frame.entitled(found["name"])
        number = ordinal(found["number"]) if found["number"] else None
        if number is not None:
            numbered = [party for party in bearers if found["name"] + found["number"] in party.titles]
            bearers = tuple(numbered) or tuple(bearers[number - 1 : number])
        elif len(bearers) > 1 and not found["many"]:
            bearers = ()
        yield Mention(*found.span(), tuple(party.id for party in bearers), found["name"], "")
