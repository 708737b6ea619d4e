"""Syntax tree of the one-line mini-language: what `parser` builds and `linker` resolves.

Every node carries the span of the words it was read from. Names are kept as written; nothing is resolved here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from .immutable import immutable
from .source import Span


@immutable
class Name:
    """One declared name as written: `judge`, `审判长`, `facts`."""

    text: str
    span: Span


@immutable
class ActorOf:
    """`lawyer of first`, `first 的 代理律师`, `first's lawyer`, `opponent of target`: `relation` seen from `of`.

    `owned`: an apostrophe joins them.
    """

    relation: Name
    of: Actor
    span: Span
    owned: bool = field(default=False, compare=False, repr=False)


Actor = Name | ActorOf


@immutable
class FieldOf:
    """`evidence of first`, `appeal.by` (dotted path below a field); `of` is None for an unsided field."""

    field: Name
    path: tuple[Name, ...]
    of: Actor | None
    span: Span


@immutable
class Token:
    """A token as written: 【结束法庭调查】, text between the brackets; may hold one `{role}` hole."""

    text: str
    span: Span


@immutable
class Number:
    value: float
    span: Span


# ---- conditions ------------------------------------------------------------------------------------------------------
@immutable
class And:
    parts: tuple[Condition, ...]
    span: Span


@immutable
class Or:
    parts: tuple[Condition, ...]
    span: Span


@immutable
class Not:
    part: Condition
    span: Span


@immutable
class Says:
    """`client says 【咨询结束】`; true when any holder of the actor has said the token in this loop."""

    actor: Actor
    token: Token
    span: Span


@immutable
class Quantified:
    """`all agreed`, `most verdict is guilty`, `at least 5 agreed`: answers of a name, over those who were asked last.

    `value`: None for yes; `count`: of `at least` and `at most`.
    """

    quantifier: Literal["all", "any", "most", "at least", "at most"]
    count: int
    answer: Name
    value: Name | None
    span: Span


@immutable
class Unanimous:
    """`verdict is the same`: all who were asked last gave one answer; `negated` for `is not the same`."""

    answer: FieldOf
    negated: bool
    span: Span


@immutable
class Measured:
    """`price`, `count of exhibits of plaintiff`, `sum of claims.amount`."""

    kind: Literal["value", "count", "sum"]
    what: FieldOf
    span: Span


@immutable
class Is:
    """`target is plaintiff_lawyer`, `client of target is appellant`, `appeal.by is empty`, `action is 维持`.

    Left is an actor, field path, option or captured answer; right a name (role, choice, yes, no, empty, assigned).
    `negated` for `is not`. The linker decides which reading the declared names give.
    """

    left: Actor | FieldOf
    right: Name
    negated: bool
    span: Span


@immutable
class Compare:
    """`price at least 100`, `price at most 80`, `count of exhibits at least 3`."""

    left: Measured
    comparison: Literal["at least", "at most"]
    right: Number | FieldOf
    span: Span


@immutable
class Holds:
    """A bare name: an option that is on, a field or answer that has a value."""

    what: FieldOf
    span: Span


CalendarUnit = Literal["days", "working days", "weeks", "months", "years"]


@immutable
class CalendarPeriod:
    """`15 days`, `3 working days`, `2 months`."""

    count: int
    unit: CalendarUnit
    span: Span


@immutable
class DateTest:
    """`appealed is after appeal_by`, `appealed is not within 15 days of judged`; `period` with `within` alone."""

    left: FieldOf
    test: Literal["after", "before", "within"]
    negated: bool
    right: Name
    period: CalendarPeriod | None
    span: Span


Condition = And | Or | Not | Says | Quantified | Unanimous | Is | Compare | Holds | DateTest

# ---- heads of steps --------------------------------------------------------------------------------------------------
Act = Literal["asks", "announces", "states", "responds", "presents", "notes"]


@immutable
class Subject:
    """`bench, clerk may`: who acts; `may`: he can pass."""

    actors: tuple[Actor, ...]
    may: bool
    span: Span


@immutable
class Head:
    """What a step says: `bench drafts judgment`.

    `verb` is the alias of its rule in the grammar (`draft`), `parts` what the rules named in it hold (`by`,
    `document`). `link/verbs.py` has the function of each verb, with its parts as parameters.
    """

    verb: str
    parts: Mapping[str, Any]
    span: Span


# ---- other one-line fields -------------------------------------------------------------------------------------------
@immutable
class AnswerForm:
    """`agreed is yes or no` · `ruling is one of A, B` · `price is number` · `disputes is list` · `a is text`.

    `leader is one of juror`, `struck is at most 3 of panel`: the persons `among` whom somebody chooses one (a choice),
    or none to `most` (a list).

    A date is no word of a sentence: it is the form of an answer that is declared to be one.
    """

    name: Name
    form: Literal["yes or no", "choice", "number", "date", "list", "text"]
    choices: tuple[Name, ...]
    span: Span
    among: Actor | None = None
    most: int = 0


@immutable
class Reckoning:
    """`15 days after judged`, `3 days before hearing` (`sign` is -1)."""

    period: CalendarPeriod
    sign: Literal[1, -1]
    base: Name
    span: Span


@immutable
class NamedInPhrase:
    """`parties named in appeal.by`: holders whose name, id, role or side stands in the field."""

    where: FieldOf
    span: Span


@immutable
class OpposingPhrase:
    """`opposing parties of appellant`: those on a side opposite to a holder who do not hold that role themselves."""

    of: Actor
    span: Span


@immutable
class RemainingPhrase:
    """`remaining parties`: parties to whom no assignment of this stage has given a role."""

    span: Span


@immutable
class AnsweredPhrase:
    """`those who answered yes to appeal`: persons whose last answer of this name has this value."""

    value: Name
    answer: Name
    span: Span


Assignee = NamedInPhrase | OpposingPhrase | RemainingPhrase | AnsweredPhrase | Name | ActorOf


@immutable
class GrantCell:
    """A cell of the visibility matrix: letters granted, each perhaps only `after` a phase; `-` or blank is empty."""

    letters: tuple[Name, ...]
    after: Name | None
    span: Span


@immutable
class RowLabel:
    """First cell of a matrix row: `evidence other if evidence_exchange`, `minutes of first_instance`.

    `full`: `full minutes of first_instance`.
    """

    field: Name
    whose: Literal["own", "other", "all", "minutes"]
    condition: Condition | None
    span: Span
    full: bool = False


@immutable
class Change:
    """What is done to the procedure that another one extends: `remove FIT/mediation`, `change role judge`.

    `what`: a place, or the name of something in a `section`; for a row of the matrix (section `visibility`) also its
    `row`.
    """

    action: Literal["remove", "replace", "change", "insert before", "insert after"]
    what: Name
    section: str
    span: Span
    row: RowLabel | None = None


@immutable
class ConductCheck:
    """One thing that can be checked in words that were said.

    `no lists` · `no markdown` · `no stage directions` · `once WORDS` · `begins with WORDS` · `at most 6 sentences` ·
    `at least 3 sentences` · `at most 80 words` · `at most 2 paragraphs` · `document alone` · `never WORD`.
    """

    kind: Literal[
        "no lists",
        "no markdown",
        "no stage directions",
        "once",
        "begins with",
        "at most",
        "at least",
        "document alone",
        "never",
    ]
    text: str
    number: int
    unit: Literal["", "sentences", "paragraphs", "words", "characters"]
    span: Span
