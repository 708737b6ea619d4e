"""What a decision is told with: titles, parties, how days and articles are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ..language.dates import read_day, written
from ..model.decision import Cite, Party
from ..model.immutable import immutable
from ..model.punctuation import punctuation
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
        """Persons in the order of the case, those of one title together."""
        wanted = set(ids)
        titled: dict[str, list[str]] = {}
        for party in self.parties:
            if party.id in wanted:
                titled.setdefault(next(iter(party.titles), ""), []).append(party.name)
        return tuple({"title": title, "names": tuple(names)} for title, names in titled.items())

    def named(self, ids: Iterable[str]) -> str:
        """The names of persons one after another, in the order of the case; who is no party by what he is called."""
        wanted = tuple(ids)
        known = {party.id: party.name for party in self.parties}
        ours = (name for party, name in known.items() if party in wanted)
        return punctuation(self.locale).listed.join((*ours, *(one for one in wanted if one and one not in known)))

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
