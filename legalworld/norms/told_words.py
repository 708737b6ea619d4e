"""What a decision is told with: titles, parties, how days and articles are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ..language.dates import counted, read_day, written
from ..model.decision import Cite, Party
from ..model.immutable import immutable
from ..model.punctuation import joined, punctuation
from .definition import NormSet

Told = Mapping[str, Any]


@immutable
class Wording:
    """What a decision is told with: the titles of norms and heads, the parties, the language of days, the words that
    say what becomes of a claim; `items`: each claim of the case -> those that it was taken apart into, none where it is
    decided with the costs; `exhibits`: what there is to say of each, by its id."""

    norms: NormSet
    parties: Sequence[Party]
    locale: str
    outcomes: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, Sequence[str]] = field(default_factory=dict)
    exhibits: Mapping[str, Told] = field(default_factory=dict)

    def people(self, ids: Iterable[str]) -> tuple[Told, ...]:
        """Persons in the order of the case, those of one title together; those of one title and name are numbered."""
        wanted = set(ids)
        titled: dict[str, list[str]] = {}
        for party in self.parties:
            if party.id in wanted:
                titled.setdefault(self._title(party), []).append(party.name)
        return tuple({"title": title, "names": tuple(names)} for title, names in titled.items())

    def beside(self, person: str) -> tuple[str, ...]:
        """Everybody on the side of a person: what one of them has to show, all of them have."""
        side = next((party.side for party in self.parties if party.id == person), "")
        return tuple(party.id for party in self.parties if side and party.side == side)

    def named(self, ids: Iterable[str]) -> str:
        """The names of persons one after another, in the order of the case; who is no party by what he is called.

        A name that several parties bear stands behind the title of who is meant.
        """
        wanted = tuple(ids)
        known = {party.id: self._name(party) for party in self.parties}
        ours = (name for party, name in known.items() if party in wanted)
        return punctuation(self.locale).listed.join((*ours, *(one for one in wanted if one and one not in known)))

    def _name(self, party: Party) -> str:
        shared = any(one.name == party.name for one in self.parties if one.id != party.id)
        return joined(self._title(party), party.name) if shared else party.name

    def _title(self, party: Party) -> str:
        """The title of a party, with his place among those who bear it where one of them has his name."""
        title = _title_of(party)
        bearers = [one for one in self.parties if _title_of(one) == title]
        if all(one.id == party.id or one.name != party.name for one in bearers):
            return title
        return joined(title, counted([one.id for one in bearers].index(party.id) + 1, self.locale))

    def tendered(self, ids: Iterable[str]) -> tuple[Told, ...]:
        """Exhibits with what there is to say of them; of those of which nothing is known, their ids."""
        nothing = {"name": "", "by": "", "opinion": "", "ruling": "", "known": False}
        return tuple({**nothing, **self.exhibits.get(one, {}), "id": one} for one in ids)

    def cited(self, cites: Iterable[Cite]) -> tuple[Told, ...]:
        """The articles of each law together, in the order in which they are named, by its full name."""
        by_law: dict[str, list[Told]] = {}
        for cite in cites:
            name = self.norms.words.laws.get(cite.law, cite.law)
            by_law.setdefault(name, []).append(
                {"article": cite.article, "paragraph": cite.paragraph, "item": cite.item}
            )
        return tuple({"law": law, "articles": tuple(given)} for law, given in by_law.items())

    def day(self, text: str) -> str:
        """A day as the language writes it; the name of an event stays."""
        day = read_day(text)
        return written(day, self.locale) if day is not None else text


def _title_of(party: Party) -> str:
    return next(iter(party.titles), "")
