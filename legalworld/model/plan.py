"""Who acts, under which conditions, and what is done: the steps of a linked procedure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .source import Span

# ---- who -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoleHolders:
    """All persons who wear a role now."""

    role: str


@dataclass(frozen=True, slots=True)
class Target:
    """The persons under test, chosen by the run (`target`)."""


@dataclass(frozen=True, slots=True)
class Related:
    """Persons of a kind who represent, or are represented by, the persons of `of` (`lawyer of first`)."""

    kind: str
    of: Actor


@dataclass(frozen=True, slots=True)
class Opponents:
    """Persons of the same kind on another side than those of `of`."""

    of: Actor


Actor = RoleHolders | Target | Related | Opponents


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field, document or answer by name, a dotted path below it, and whose (None: unsided, or the reader's own)."""

    name: str
    path: tuple[str, ...]
    of: Actor | None
    span: Span


# ---- conditions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    part: Condition


@dataclass(frozen=True, slots=True)
class TokenSaid:
    """A token said by a wearer of `actor` in the loop now running."""

    actor: Actor
    token: str
    span: Span


@dataclass(frozen=True, slots=True)
class Answered:
    """All (any) of those last asked gave `value` ("" = yes) for the answer `name`; false where nobody was asked."""

    quantifier: Literal["all", "any"]
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AlsoHolds:
    """Some person of `actor` is also a person of `other`."""

    actor: Actor
    other: Actor


@dataclass(frozen=True, slots=True)
class RoleAssigned:
    """Somebody wears the role."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class OptionIs:
    option: str
    value: str


@dataclass(frozen=True, slots=True)
class ValueIs:
    """The text at a field path equals `value`."""

    where: FieldRef
    value: str


@dataclass(frozen=True, slots=True)
class Measures:
    """A number at a field path or answer compared with another."""

    left: FieldRef
    comparison: Literal["at least", "at most"]
    right: float | FieldRef


@dataclass(frozen=True, slots=True)
class HasValue:
    where: FieldRef


Condition = (
    AllOf
    | AnyOf
    | Negation
    | TokenSaid
    | Answered
    | AlsoHolds
    | RoleAssigned
    | OptionIs
    | ValueIs
    | Measures
    | HasValue
)

# ---- steps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Review:
    """Words are drafted, read by the reviewer, and perhaps drafted again, before they count.

    `of`: whose words (none named = of everybody in the step). They pass with the token `approve`; or every one of at
    most `drafts` is given `scores`, each from `lowest` to `highest`, and the best sum is heard.
    """

    reviewer: Actor
    of: tuple[Actor, ...]
    approve: str
    scores: tuple[str, ...]
    lowest: float
    highest: float
    drafts: int
    span: Span


@dataclass(frozen=True, slots=True)
class StepInfo:
    """What every step has. `id` is unique in its phase (`evidence.present`); `prompt` names its templates."""

    id: str
    prompt: str
    cue: str
    basis: tuple[str, ...]
    when: Condition | None
    span: Span
    review: Review | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A value to be captured from a reply. `default` is what is recorded when two attempts gave none."""

    name: str
    form: Literal["yes or no", "choice", "number", "list", "text"]
    choices: tuple[str, ...]
    default: str
    span: Span


ACTS: Final[Mapping[str, str]] = {
    "asks": "ask",
    "announces": "announce",
    "states": "state",
    "responds": "respond",
    "presents": "present",
    "notes": "note",
}
"""Verb of a step -> the act that its templates and rules of conduct are named by."""

KNOWN_ACTS: Final = (
    *ACTS.values(),
    *("answer", "moderate", "drive", "reply", "converse", "draft", "review", "revise", "remember"),
)


@dataclass(frozen=True, slots=True)
class Speak:
    """One utterance by each actor; with `to`, each of those answers in turn. `notes` are heard by nobody."""

    info: StepInfo
    verb: Literal["asks", "announces", "states", "responds", "presents", "notes"]
    actors: tuple[Actor, ...]
    to: tuple[Actor, ...]
    item: str
    pass_token: str
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Moderate:
    """The chair calls speakers with `call` (a token with a `{role}` hole) until it says `close` or `limit` turns."""

    info: StepInfo
    chair: Actor
    speakers: tuple[Actor, ...]
    call: str
    close: str
    limit: int


@dataclass(frozen=True, slots=True)
class Drive:
    """The driver goes through a checklist, calling one participant at a time, until it says `close` or `limit` turns.

    `call` has a `{role}` hole; `done`, with a `{n}` hole, says that an item was done. The closing reply may be a
    document.
    """

    info: StepInfo
    driver: Actor
    participants: tuple[Actor, ...]
    checklist: str
    call: str
    done: str
    close: str
    limit: int
    produces: str


@dataclass(frozen=True, slots=True)
class Topics:
    """What a conversation is to cover: the items of a list, each raised with `token` (a `{n}` hole)."""

    where: FieldRef
    token: str


@dataclass(frozen=True, slots=True)
class Converse:
    """Two take turns until one says an ending token, all topics are covered, or `limit` turns; the ending reply may be
    a document."""

    info: StepInfo
    opener: Actor
    partner: Actor
    until: tuple[TokenSaid, ...]
    limit: int
    produces: str
    topics: Topics | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    info: StepInfo
    actor: Actor
    document: str


@dataclass(frozen=True, slots=True)
class Take:
    """The document `document` as the case supplies it, filed by `actor`, rendered from `documents/NAME.j2`."""

    info: StepInfo
    document: str
    actor: Actor


@dataclass(frozen=True, slots=True)
class NamedIn:
    where: FieldRef


@dataclass(frozen=True, slots=True)
class Opposing:
    of: Actor


@dataclass(frozen=True, slots=True)
class Remaining:
    """Parties to whom no `assign` of the stage has given a role yet."""


@dataclass(frozen=True, slots=True)
class Assign:
    info: StepInfo
    role: str
    who: NamedIn | Opposing | Remaining | Actor


@dataclass(frozen=True, slots=True)
class ForEach:
    """The body once per record of a field of the persons of `of` (or per person, when `persons` is given)."""

    info: StepInfo
    variable: str
    within: FieldRef | None
    persons: Actor | None
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`until`: no further round after one in which it holds."""

    info: StepInfo
    rounds: int
    until: Condition | None
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """`count` items of a list are drawn by the run's seed and kept as the answer `name`."""

    info: StepInfo
    count: int
    where: FieldRef
    name: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """The steps of an earlier phase of the stage are gone through again, at most `limit` times in the stage."""

    info: StepInfo
    phase: str
    limit: int


@dataclass(frozen=True, slots=True)
class If:
    info: StepInfo
    condition: Condition
    body: tuple[Step, ...]
    otherwise: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class End:
    info: StepInfo
    what: Literal["stage", "case"]
    document: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Remember:
    """Those of the actors who took part in the stage are asked to write what they keep of it."""

    info: StepInfo
    actors: tuple[Actor, ...]


Step = (
    Speak
    | Moderate
    | Drive
    | Converse
    | Draft
    | Take
    | Assign
    | ForEach
    | Repeat
    | Sample
    | Reopen
    | If
    | End
    | Remember
)


# ---- looking through them --------------------------------------------------------------------------------------------


def walk(steps: tuple[Step, ...]) -> Iterator[Step]:
    """All steps, outer before inner, in order."""
    for step in steps:
        yield step
        match step:
            case ForEach(body=body) | Repeat(body=body):
                yield from walk(body)
            case If(body=body, otherwise=otherwise):
                yield from walk(body)
                yield from walk(otherwise)
            case _:
                continue


def actors_of(step: Step) -> tuple[Actor, ...]:
    """The actors who speak, are addressed, write or review in a step itself."""
    review = step.info.review
    return (*speakers_of(step), review.reviewer) if review is not None else speakers_of(step)


def speakers_of(step: Step) -> tuple[Actor, ...]:
    """The actors who speak, are addressed or write in a step itself."""
    match step:
        case Speak(actors=actors, to=to):
            return (*actors, *to)
        case Moderate(chair=chair, speakers=speakers):
            return (chair, *speakers)
        case Drive(driver=driver, participants=participants):
            return (driver, *participants)
        case Converse(opener=opener, partner=partner):
            return (opener, partner)
        case Draft(actor=actor):
            return (actor,)
        case Remember(actors=actors):
            return actors
        case _:
            return ()


def tokens_of(step: Step) -> tuple[str, ...]:
    """The tokens that a step lets somebody say."""
    review = step.info.review
    found = (*_tokens(step), *((review.approve, *map(value_token, review.scores)) if review is not None else ()))
    return tuple(token for token in found if token)


def _tokens(step: Step) -> tuple[str, ...]:
    match step:
        case Speak(pass_token=token):
            return (token,)
        case Moderate(call=call, close=close):
            return (call, close)
        case Drive(call=call, close=close, done=done):
            return (call, close, done)
        case Converse(until=until, topics=topics):
            return (*(said.token for said in until), *((topics.token,) if topics is not None else ()))
        case _:
            return ()


def value_token(name: str) -> str:
    """The token by which a value is given, with a hole for it."""
    return f"{name}：{{value}}"
