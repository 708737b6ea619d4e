"""Norms as they are linked: facts and heads, what a claim needs and gives, offences with their ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from ..figures.tables import FigureTable
from ..language.sentences.keywords import truth
from ..model.decision import Cite, OrderKind
from ..model.formulas import Expression, FormulaTerm, Ruling
from ..model.immutable import immutable
from ..model.source import Span
from .penal_parts import Band, CircumstanceRule, Combination, Excuse, FineRow, PenalOrder, RangeTier

_CLAUSE: Final = re.compile("[;,\uff1b\uff0c]")
Kind = Literal["yes", "money", "percent", "number", "day", "persons", "text", "events"]
Burden = Literal["claimant", "respondent", "noticed", "both"]
ReviewedOrder = Literal["annul", "redo", "do", "unlawful", "void", "dismiss"]
Take = Literal["any", "sum", "latest", "first", "list"]


@immutable
class Event:
    """Money that changed hands; `until`: every month from `day` to then. `payer` and `payee` are ids of persons."""

    day: date
    amount: Decimal
    payer: str = ""
    payee: str = ""
    until: date | None = None


Value = bool | Decimal | date | str | tuple[str, ...] | tuple[Event, ...]


@immutable
class Fact:
    """A word that exhibits, admissions and norms share, and its type.

    `keys`: types of what belongs to it, as its day and who signed; `called`: other names for it.
    """

    id: str
    title: str
    kind: Kind
    called: tuple[str, ...] = ()
    keys: Mapping[str, Kind] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    """How a court says that it is so: what stands before its value and behind it, one part where it has none."""
    measured: bool = False
    """Whether somebody has to measure it: that the accused admits what is charged shows it of nobody."""


@immutable
class ClaimHead:
    """What a claim asks for, and by which words it is known. `costs`: it is decided with the costs."""

    id: str
    title: str
    words: tuple[str, ...] = ()
    costs: bool = False


@immutable
class Words:
    """The words of a set of norms: facts, heads, what is known of a claim and of the case; `denials`: those by which a
    claim says that nothing is owed; `orders`: those for what becomes of an act; `forms`: those for orders
    that are no payment; `laws`: the full names of laws that norms name for short."""

    facts: Mapping[str, Fact]
    heads: Mapping[str, ClaimHead]
    of_claim: Mapping[str, Fact]
    of_case: Mapping[str, Fact]
    currency: str = ""
    denials: tuple[str, ...] = ()
    orders: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    laws: Mapping[str, str] = field(default_factory=dict)

    def head(self, name: str) -> str:
        """How people call what a claim asks for."""
        return self.heads[name].title if name in self.heads else name

    def title(self, name: str) -> str:
        """How people call a fact, `claim.NAME` or `case.NAME`."""
        space, _, last = name.rpartition(".")
        known = {"claim": self.of_claim, "case": self.of_case}.get(space, self.facts)
        if space in self.facts:
            return self.facts[space].title
        return known[last].title if last in known else name


@immutable
class Need:
    """A fact that is looked for. `otherwise`: what holds where nobody shows it; `empty`: then it is known not to be."""

    fact: str
    burden: Burden
    takes: Take
    otherwise: Expression | None = None
    empty: bool = False


Sentence = tuple[str | FormulaTerm, ...]
"""A sentence of a norm: its words, and names whose values stand in it."""


@immutable
class ReckonRow:
    """A way to reckon something, `when` a condition holds. `discretion`: within which bounds a court may differ;
    `declines`: why no norm can say it."""

    formula: Expression | None
    when: Expression | None
    discretion: str = ""
    declines: str = ""
    premise: Sentence = ()


@immutable
class AccountOf:
    """The account of a debt: payments to and from who claims, at a yearly rate that is reckoned elsewhere."""

    events: FormulaTerm
    rate: Expression
    span: Span


@immutable
class Because:
    """A sentence that a court says of a defence, `when` a condition holds."""

    text: Sentence
    when: Expression | None


@immutable
class Gives:
    """What is ordered, `when` a condition holds, of claims of these `heads` (none: of all).

    `form`: the kind of order that it becomes where it is no payment, as what is declared to be whose. `spans`: the
    table whose rate of each day, `factor` times, the interest bears. `premise`: what the law says of such a claim.
    """

    ruling: Ruling | None
    when: Expression | None
    heads: tuple[str, ...] = ()
    cites: tuple[Cite, ...] = ()
    discretion: str = ""
    declines: str = ""
    form: OrderKind | None = None
    spans: str = ""
    factor: Decimal = Decimal(1)
    premise: Sentence = ()


@immutable
class Plea:
    """A defence that counts under its `when`: it dismisses the claim, lessens it, or `declines`: no norm says what.

    `shows`: what has to be shown for it; `succeeds`, `fails`: why it holds and why it does not, by the first row whose
    condition holds.
    """

    id: str
    title: str
    when: Expression | None
    ruling: Ruling | None
    cites: tuple[Cite, ...] = ()
    declines: str = ""
    shows: Sentence = ()
    succeeds: tuple[Because, ...] = ()
    fails: tuple[Because, ...] = ()


@immutable
class LiabilityRow:
    """Who pays, `when` a condition holds: `one` or `jointly` those whom the terms name; `premise`: what the law says
    of it."""

    kind: Literal["one", "jointly"]
    who: tuple[FormulaTerm, ...]
    when: Expression | None
    cites: tuple[Cite, ...] = ()
    premise: Sentence = ()


@immutable
class NormExample:
    """A case in a few lines, and what must come of it."""

    name: str
    cause: str
    claims: Mapping[str, Mapping[str, Value]]
    says: Mapping[str, Mapping[str, Saying]]
    admits: Mapping[str, Mapping[str, Saying]]
    pleads: tuple[str, ...]
    days: Mapping[str, date]
    recommended: str
    gives: tuple[str, ...]
    span: Span


@immutable
class Saying:
    """A value with what belongs to it. `currency`: that of a sum, as its code or sign, where one is said; `about`: the
    persons of whom it is said, all where none is named; `unclear`: it cannot be told what is said, or of whom."""

    value: Value
    keys: Mapping[str, Value] = field(default_factory=dict)
    currency: str = ""
    about: tuple[str, ...] = ()
    unclear: bool = False


def _unchecked(checked: str) -> bool:
    """`no`, and what may stand behind it."""
    return truth(_CLAUSE.split(checked)[0]) is False


@immutable
class Norm:
    """A cause of action: what must be found, who must prove it, what follows and how much.

    `since`, `until`: the days between which it is in force, `on` the fact or day of the case that must lie there.
    `checked`: what was compared with the text of the law; "no" where nothing was. `residual`: it decides where no other
    norm does. With neither heads nor causes it is there for others to use.
    """

    id: str
    title: str
    source: str
    home: str
    span: Span
    since: date
    until: date | None
    on: FormulaTerm | None
    heads: tuple[str, ...]
    causes: tuple[str, ...]
    needs: Mapping[str, Need]
    stands: Expression | None
    reckon: Mapping[str, tuple[ReckonRow, ...] | AccountOf]
    gives: tuple[Gives, ...]
    pleas: tuple[Plea, ...]
    liability: tuple[LiabilityRow, ...]
    checked: str
    residual: bool
    examples: tuple[NormExample, ...]
    premise: Sentence = ()
    """What the legal relation is that claims rest on, and what whoever claims must show."""

    @property
    def unchecked(self) -> bool:
        """Whether nobody compared it with the text of the law."""
        return _unchecked(self.checked)

    def applies(self, head: str, cause: str, any_cause: tuple[str, ...]) -> bool:
        """Whether it is for claims of a head in a cause."""
        causes = not self.causes or cause in self.causes or bool(set(self.causes) & set(any_cause))
        return head in self.heads and causes


@immutable
class ReviewGround:
    """A ground on which an act falls, `when` a condition holds."""

    name: str
    title: str
    when: Expression
    cites: tuple[Cite, ...] = ()


@immutable
class ReviewOrder:
    """What is done where one of some `grounds` (none: any) is found and a condition holds; `dismiss` where none is.

    `redo`: the act is annulled and made anew; `do`: what was not done is to be done.
    """

    order: ReviewedOrder
    grounds: tuple[str, ...]
    when: Expression | None
    cites: tuple[Cite, ...] = ()


@immutable
class ReviewNorm:
    """How an act of an authority is reviewed. `evidence_until`: the day after which the authority's papers come too
    late to prove anything for it."""

    id: str
    title: str
    source: str
    home: str
    span: Span
    since: date
    until: date | None
    on: FormulaTerm | None
    heads: tuple[str, ...]
    causes: tuple[str, ...]
    needs: Mapping[str, Need]
    evidence_until: FormulaTerm | None
    grounds: tuple[ReviewGround, ...]
    gives: tuple[ReviewOrder, ...]
    checked: str
    examples: tuple[NormExample, ...]

    @property
    def unchecked(self) -> bool:
        """Whether nobody compared it with the text of the law."""
        return _unchecked(self.checked)


@immutable
class OffenceNorm:
    """A charge: its elements, sums that a law leaves open, tiers, fines.

    Of several norms of one title that counts which was in force on the day of the deed, or a later one that is milder.
    `age`: from which age one answers for it, the rules of sentencing where no row holds; `scale`: what its gravity is
    measured by; `called`: its other names; `borne`: how much of the loss the accused bears, per cent, where the injured
    share the blame.
    """

    id: str
    title: str
    source: str
    home: str
    span: Span
    since: date
    until: date | None
    on: FormulaTerm | None
    needs: Mapping[str, Need]
    stands: Expression | None
    bands: Mapping[str, Band]
    tiers: tuple[RangeTier, ...]
    fine: tuple[FineRow, ...]
    cites: tuple[Cite, ...]
    checked: str
    examples: tuple[NormExample, ...]
    circumstances: tuple[CircumstanceRule, ...] = ()
    orders: tuple[PenalOrder, ...] = ()
    negligent: bool = False
    age: tuple[ReckonRow, ...] = ()
    borne: tuple[ReckonRow, ...] = ()
    scale: Expression | None = None
    called: tuple[str, ...] = ()

    @property
    def unchecked(self) -> bool:
        """Whether nobody compared it with the text of the law."""
        return _unchecked(self.checked)


@immutable
class SentencingRules:
    """What holds for all offences: circumstances, excuses, probation, several sentences, what is given back or taken.

    Figures that no law says are told where they are used: `start`, how far into the range a court begins that decides
    by itself, per cent; `fine_month`, how much of a fine goes with a month. `fine_least`: the least of any fine.
    `lengths`: probation in months by kind of penalty; `age`: from which age one answers for an offence, `born` and
    `deed` the facts that tell it; `words`: what stands in tables and examples, by column, and what it means.
    """

    needs: Mapping[str, Need]
    circumstances: tuple[CircumstanceRule, ...]
    probation: Expression | None
    probation_most: int
    start: Decimal
    penalties: Mapping[str, tuple[int, int]]
    probation_must: Expression | None = None
    barred: tuple[str, ...] = ()
    """Circumstances that bar probation."""
    lengths: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    excuses: tuple[Excuse, ...] = ()
    age: int = 0
    born: FormulaTerm | None = None
    deed: FormulaTerm | None = None
    fine_least: Decimal = Decimal(0)
    fine_month: Decimal = Decimal(0)
    orders: tuple[PenalOrder, ...] = ()
    combination: Combination | None = None
    pleads: FormulaTerm | None = None
    """The fact that somebody pleads guilty, which what he says in court tells."""
    alone: tuple[str, ...] = ()
    """Kinds of exhibits by which alone nobody is convicted."""
    titles: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@immutable
class FactPhrase:
    """Words by which a text tells a fact. `pattern`: a regular expression, whose group is the value, if it has one.

    `value`: what it says where it has none; `factor`: by what the number of a text is multiplied; `keys`: what belongs
    to it, persons by their side. `denials`: words before it in its clause by which it is denied.
    """

    fact: str
    told: str
    pattern: str
    value: Value | None
    factor: Decimal
    keys: Mapping[str, str] = field(default_factory=dict)
    denials: tuple[str, ...] = ()
    within: Mapping[str, str] = field(default_factory=dict)
    """Keys whose value, a day or a number, stands in the words themselves: key -> regular expression."""
    named: bool = False
    """Whether the words name the persons, so that only these are meant."""


@immutable
class CostRule:
    """A fee of the court, by a table or `fixed`; of several for one item the first counts that is for the cause.

    `causes`: for which it is, () for all.
    """

    item: str
    table: str
    cites: tuple[Cite, ...] = ()
    fixed: Decimal | None = None
    causes: tuple[str, ...] = ()


@immutable
class NormSet:
    """The norms of one folder, linked."""

    name: str
    words: Words
    norms: Mapping[str, Norm]
    offences: Mapping[str, OffenceNorm]
    sentencing: SentencingRules | None
    tables: Mapping[str, FigureTable]
    costs: tuple[CostRule, ...] = ()
    reviews: Mapping[str, ReviewNorm] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    """Words in which examples say what must come of them, and what they mean."""
    phrases: tuple[FactPhrase, ...] = ()
