"""The material of a case as norms see it: claims, what exhibits state, what is admitted and pleaded, charges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date
from decimal import Decimal

from ..model.decision import Admission, Party
from ..model.immutable import immutable
from .definition import Saying, Value


@immutable
class AskedClaim:
    """A claim: its head ("" where it is not known), the side that makes it, its amount, rate and days in `values`.

    `item`: the claim of the case that it is a part of; `joint`: the sum of that one, where nobody can tell how much of
    it is for which part.
    """

    id: str
    head: str
    by: str
    values: Mapping[str, Value] = field(default_factory=dict)
    item: str = ""
    joint: Decimal | None = None


@immutable
class Tendered:
    """An exhibit: the side that tenders it, whether it was taken as evidence, what it states.

    `taken`: of one that was taken in part, the facts for which it was; `made`: the day on which it came about.
    `unread`: nobody said what it states, so that it may state more than is read; `prose`: facts that were read from its
    words; `claims`: ids of those for which it is tendered, none where that is unsaid.
    """

    id: str
    side: str
    says: Mapping[str, Saying]
    ruling: Admission = "admitted"
    taken: tuple[str, ...] = ()
    made: date | None = None
    unread: bool = False
    prose: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


@immutable
class AdmittedFacts:
    """Facts that a person admits against himself; `uncontested`: he did not deny them."""

    person: str
    side: str
    says: Mapping[str, Saying]
    where: str = ""
    uncontested: bool = False


@immutable
class Pleaded:
    """A defence that a side raised, by its name."""

    plea: str
    side: str
    where: str = ""


@immutable
class Recommended:
    """The sentence that a prosecutor recommends: the main penalty and its months, probation in months, a fine.

    `until`: the most months, where a range is recommended.
    """

    main: str
    months: int
    probation: int | None = None
    fine: Value | None = None
    until: int | None = None


@immutable
class Charge:
    """One person charged with one offence, by its name in the norms or by its title."""

    person: str
    offence: str
    recommended: Recommended | None = None


@immutable
class CaseMaterial:
    """All that a court has before it: days by name (filed, judged), sums in one currency; `halved`: so are its fees."""

    currency: str
    cause: str
    parties: tuple[Party, ...]
    claims: tuple[AskedClaim, ...] = ()
    exhibits: tuple[Tendered, ...] = ()
    admissions: tuple[AdmittedFacts, ...] = ()
    pleas: tuple[Pleaded, ...] = ()
    charges: tuple[Charge, ...] = ()
    days: Mapping[str, date] = field(default_factory=dict)
    halved: bool = False
    combined: Mapping[str, Recommended] = field(default_factory=dict)
    """Person -> what is recommended for all of his offences together."""
    partial: bool = False
    """Whether what exhibits state was read from a text, so that what was not read may still be shown by it."""

    def persons(self, side: str) -> tuple[str, ...]:
        """The ids of those on a side."""
        return tuple(party.id for party in self.parties if party.side == side)

    def others(self, side: str) -> tuple[str, ...]:
        """The ids of those on other sides."""
        return tuple(party.id for party in self.parties if party.side and party.side != side)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to decide by."""
        return all(one.unread and not one.says for one in self.exhibits) and not self.admissions

    def tendered(self, item: str) -> bool:
        """Whether an exhibit is tendered for a claim by name."""
        return any(item in one.claims for one in self.exhibits)

    def unread(self, item: str, sides: Sequence[str]) -> tuple[Tendered, ...]:
        """Exhibits of some sides, taken as evidence, of which nobody said what they state: they may show more."""
        return tuple(
            one
            for one in self.exhibits
            if one.unread
            and one.side in sides
            and one.ruling in ("admitted", "in_part")
            and (not one.claims or item in one.claims)
        )
