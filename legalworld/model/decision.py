"""What a court decides, as a value: findings, reliefs, verdicts, costs, the fate of what was decided below.

The same value is filled by somebody who is asked, by a reader of text, or by a norm; `PartOrigin` says by whom.
What nobody filled stays empty and is named (`Thin`): there are no guesses in it. Persons are ids of the case; the order
of parts is that of the operative part.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from .frozen import FrozenModel

Hand = Literal["text", "answer", "norm", "figure", "admission", "table", "person", "field"]
Proof = Literal["proved", "in_part", "not_proved", "admitted", "uncontested", "noticed", "open"]
Outcome = Literal["granted", "in_part", "dismissed", "withdrawn", "undecided", "open"]
OrderKind = Literal[
    "pay", "return", "deliver", "do", "refrain", "declare", "rescind", "annul", "redo", "change", "confirm", "forfeit"
]
Liability = Literal["one", "jointly", "shares", "open"]
Judged = Literal["convicted", "acquitted", "not_proved", "exempt", "not_responsible", "open"]
PenaltyKind = Literal["months", "life", "death", "death_suspended", "none"]
FateKind = Literal["kept", "changed", "annulled", "open"]
Admission = Literal["admitted", "rejected", "in_part", "open"]
ValueKind = Literal["yes", "money", "percent", "number", "day", "persons", "text", "events"]
ArgumentStep = Literal["relation", "rule", "rests", "lacking", "reckoned", "payer", "shows", "sustained", "failed"]
ThinKind = Literal["no_norm", "open_fact", "no_payer", "read_not_given", "discretion", "unread", "unchecked_norm"]


def _plain(value: Decimal) -> Decimal:
    """The number without zeros at its end and without an exponent. ValueError where it is no number."""
    if not value.is_finite():
        raise ValueError("not a number")
    short = value.normalize()
    return short.quantize(Decimal(1)) if short.as_tuple().exponent > 0 else short  # type: ignore[operator]


Number = Annotated[Decimal, AfterValidator(_plain)]
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
PersonId = str


class PartOrigin(FrozenModel):
    """Where a part comes from.

    `source`: the document, norm, exhibit or table; the person who admitted; the number of an answer; a field of the
    case. `start`, `end`: code points of a text. `detail`: row, key, or where in the proceedings.
    """

    hand: Hand
    source: str = ""
    start: int | None = None
    end: int | None = None
    detail: str = ""


class Thin(FrozenModel):
    """A part that is not filled, or not filled as it should be. `part`: its path, as `reliefs/2/amount`."""

    part: str
    kind: ThinKind
    missing: str = ""
    origin: PartOrigin | None = None


class Amount(FrozenModel):
    """An exact sum in one currency, by its ISO code."""

    value: Number
    currency: Currency


class ReckonedLine(FrozenModel):
    """A line of a reckoning: what is done with a value, and where the value comes from."""

    label: str
    operation: Literal["plus", "minus", "times", "over", "at_most"]
    value: Amount | Number
    origin: PartOrigin | None = None


class Part(FrozenModel):
    """One of several sums of an item, by what it is for."""

    label: str
    amount: Amount


class InterestOrder(FrozenModel):
    """Interest on a base. `named`: what the base is called where it is not counted.

    `rate`: per cent for each `per`; `formula`: a published rate instead, as `LPR1Y*1.3`, of the day `as_of`. `since`,
    `until`: ISO days, or the name of an event (`payment`). `so_far`: what it comes to up to `so_far_until`.
    """

    base: Amount | None = None
    named: str = ""
    rate: Number | None = None
    per: Literal["year", "month", "day", ""] = ""
    formula: str = ""
    as_of: str = ""
    since: str = ""
    until: str = ""
    so_far: Amount | None = None
    so_far_until: str = ""


class Deadline(FrozenModel):
    """By when something is to be done: so many days or months after an event, or an ISO day. Empty parts are unsaid."""

    days: int | None = None
    months: int | None = None
    business: bool = False
    since: str = ""
    by: str = ""


class Share(FrozenModel):
    """What one person, or several together, bear of something: a percentage, or a sum."""

    persons: tuple[PersonId, ...]
    percent: Number | None = None
    amount: Amount | None = None
    origin: PartOrigin | None = None


class Cite(FrozenModel):
    """An article that is applied (`basis`) or spoken of (`reasons`). Numbers are texts, as 15bis may be."""

    law: str
    article: str
    paragraph: str = ""
    item: str = ""
    where: Literal["basis", "reasons"] = "basis"
    origin: PartOrigin | None = None


class ExhibitRuling(FrozenModel):
    """An exhibit and whether it was taken as evidence."""

    id: str
    ruling: Admission
    by: PersonId = ""
    reason: str = ""
    origin: PartOrigin | None = None


class Claim(FrozenModel):
    """What is asked for: `amount` where a sum is stated; `by`: the side. `costs`: it asks for costs alone."""

    id: str
    text: str
    by: str = ""
    amount: Amount | None = None
    costs: bool = False
    origin: PartOrigin | None = None


class SaidValue(FrozenModel):
    """A value by its kind, as texts that no language is in: numbers, ISO days, ids of persons; of payments
    `day amount payer payee until`, parts that are not known empty."""

    kind: ValueKind
    values: tuple[str, ...] = ()


class CourtFinding(FrozenModel):
    """A fact that the court was asked to find. `about`: ids of claims or issues. `by`, `against`: ids of exhibits.

    `value`: what was found of it, where it is more than that it is so.
    """

    id: str
    fact: str
    result: Proof
    about: tuple[str, ...] = ()
    amount: Amount | None = None
    value: SaidValue | None = None
    burden: PersonId = ""
    by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    origin: PartOrigin | None = None


class Argument(FrozenModel):
    """A step from facts and law to what becomes of a claim. `about`: the defence that it is about.

    `text`: sentences of the norm, with the values that stand in them; `facts`: names of the facts that it turns on;
    `found`: of these, those that were found.
    """

    step: ArgumentStep
    about: str = ""
    text: tuple[str | SaidValue, ...] = ()
    facts: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    cites: tuple[Cite, ...] = ()


class Relief(FrozenModel):
    """What becomes of claims, or what is ordered without one.

    `item`: its number in the operative part. `claims`: ids of the claims it answers; `rest`: it answers whatever no
    other item does. `amount`: the one sum, or the total that is stated; `parts`: sums that nobody added up, or those of
    the total. `object`: what is ordered, where it is no money. `why`: ids of findings; `argued`: the steps to it.
    """

    id: str
    item: str = ""
    ground: Literal["asked", "law"] = "asked"
    claims: tuple[str, ...] = ()
    rest: bool = False
    result: Outcome
    order: OrderKind | None = None
    payers: tuple[PersonId, ...] = ()
    payees: tuple[PersonId, ...] = ()
    liability: Liability | None = None
    shares: tuple[Share, ...] = ()
    object: str = ""
    amount: Amount | None = None
    parts: tuple[Part, ...] = ()
    reckoning: tuple[ReckonedLine, ...] = ()
    interest: tuple[InterestOrder, ...] = ()
    within: Deadline | None = None
    why: tuple[str, ...] = ()
    argued: tuple[Argument, ...] = ()
    norm: str = ""
    cites: tuple[Cite, ...] = ()
    origin: PartOrigin | None = None


class Term(FrozenModel):
    """A main penalty: `name` is its name in the law; `months` and `days` add up and are None where it has no length."""

    kind: PenaltyKind
    name: str = ""
    months: int | None = None
    days: int | None = None


class Length(FrozenModel):
    """So many months and days; for life where `life`."""

    months: int | None = None
    days: int | None = None
    life: bool = False


class Penalty(FrozenModel):
    """What is imposed at once. None is not imposed. `confiscation`: all, part, unsaid, or a sum."""

    term: Term | None = None
    probation: Length | None = None
    fine: Amount | None = None
    rights: Length | None = None
    confiscation: Amount | Literal["all", "part", "unsaid"] | None = None


class Circumstance(FrozenModel):
    """What makes a sentence lighter or heavier. `duty`: whether it must or may; `applied`: how it was."""

    name: str
    article: str = ""
    duty: Literal["must", "may", ""] = ""
    applied: Literal["lenient", "mitigate", "exempt", "severe", ""] = ""
    origin: PartOrigin | None = None


SuspendedWhy = Literal["must", "asked", "barred", "unsuited", "too_long", "unasked", ""]


class LawfulRange(FrozenModel):
    """What the law leaves a court to choose from: kinds of main penalty, months (`most` None: for life), the fine.

    `extra`: what there is beside the main penalty.
    """

    main: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    extra: str = ""
    fine_least: Amount | None = None
    fine_most: Amount | None = None


class ChargeVerdict(FrozenModel):
    """One person and one charge. `prior`: an earlier conviction that is combined with the new ones.

    Of what norms decided: the `norm` that was applied, the `range` its tier leaves, how the point in it was found, why
    the sentence is `suspended` or is not.
    """

    person: PersonId
    charge: str
    result: Judged
    prior: bool = False
    tier: str = ""
    circumstances: tuple[Circumstance, ...] = ()
    punishment: Penalty | None = None
    norm: str = ""
    range: LawfulRange | None = None
    reckoning: tuple[ReckonedLine, ...] = ()
    suspended: SuspendedWhy = ""
    cites: tuple[Cite, ...] = ()
    origin: PartOrigin | None = None


class ServedSentence(FrozenModel):
    """What one person serves: the combined punishment, and the days that count as served. Dates are ISO days."""

    person: PersonId
    punishment: Penalty
    credited: int | None = None
    since: str = ""
    until: str = ""
    origin: PartOrigin | None = None


class Ground(FrozenModel):
    """A ground on which an act is reviewed, by its key."""

    ground: str
    result: Literal["found", "answered", "open"]
    why: str = ""
    origin: PartOrigin | None = None


class Act(FrozenModel):
    """The act of an authority that is reviewed."""

    name: str
    number: str = ""
    day: str = ""
    agency: PersonId = ""
    grounds: tuple[Ground, ...] = ()
    origin: PartOrigin | None = None


class CostItem(FrozenModel):
    """A fee and who bears it. `item`: its name in the text; `below`: it is a fee of the instance below."""

    item: str
    amount: Amount | None = None
    halved: bool = False
    below: bool = False
    shares: tuple[Share, ...] = ()
    origin: PartOrigin | None = None


class Fate(FrozenModel):
    """What becomes of an item decided below, by its number there, "" for all. `by`: the item that replaces it."""

    item: str
    result: FateKind
    by: str = ""
    origin: PartOrigin | None = None


class Party(FrozenModel):
    """Somebody whom a decision is about: `id` in the case, side, what he is called for short, and his titles."""

    id: PersonId
    name: str
    side: str = ""
    short: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    appeals: bool = False
    attended: bool | None = None
    origin: PartOrigin | None = None


class Remedy(FrozenModel):
    """Where and until when the decision can be attacked; `final`: not at all."""

    final: bool = False
    to: str = ""
    days: int | None = None
    origin: PartOrigin | None = None


class Decision(FrozenModel):
    """One decision. `kind`: judgment, ruling, award or order, by its key; `day`: an ISO day.

    `below`: the decision that this one is about, where it is known; `below_number`, `below_court`: what the text calls
    it. `remanded`: the matter goes back. `whole`: every item of the operative part was read.
    """

    id: str = ""
    kind: str = ""
    instance: int = 0
    court: str = ""
    number: str = ""
    day: str = ""
    bench: tuple[str, ...] = ()
    parties: tuple[Party, ...] = ()
    claims: tuple[Claim, ...] = ()
    exhibits: tuple[ExhibitRuling, ...] = ()
    findings: tuple[CourtFinding, ...] = ()
    reliefs: tuple[Relief, ...] = ()
    verdicts: tuple[ChargeVerdict, ...] = ()
    sentences: tuple[ServedSentence, ...] = ()
    act: Act | None = None
    costs: tuple[CostItem, ...] = ()
    below_court: str = ""
    below_number: str = ""
    below: Decision | None = None
    fates: tuple[Fate, ...] = ()
    remanded: bool = False
    remedy: Remedy | None = None
    cites: tuple[Cite, ...] = ()
    thin: tuple[Thin, ...] = Field(default=())
    whole: bool = False


def total(sums: Iterable[Amount]) -> Amount | None:
    """The sums together; None where there is none, or where they are in several currencies."""
    listed = tuple(sums)
    if len({one.currency for one in listed}) != 1:
        return None
    return Amount(value=sum((one.value for one in listed), Decimal(0)), currency=listed[0].currency)
