"""Requests that the interpreter yields, replies that it is sent, and the events that a run is made of.

The union `Event` is closed. An event is derived from replies and nothing else; a reply is the only fact from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, TypeAdapter

from .amendments import Amended
from .attendance import Attended, ReadOut
from .captured import Captured as Captured
from .decision_parts import PartDecided, Superseded
from .frozen import FrozenModel, left_out
from .immutable import immutable
from .interruptions import Interrupted as Interrupted
from .interruptions import Objected as Objected
from .interruptions import Resumed as Resumed
from .outcome import Ended as Ended
from .procedure import ModelDefaults
from .questions import Questioned as Questioned
from .reply_form import ReplyForm
from .schedule import Dated, Scheduled
from .votes import Voted


class Call(FrozenModel):
    """A tool that a reply calls. `arguments` is untrusted text, JSON if it is well formed; `id` is the provider's."""

    id: str = ""
    name: str
    arguments: str


class Message(FrozenModel):
    """One message to a model. `parts`: (home of the template, text) in order; `content` is the parts joined.

    `calls`: the tools that an assistant's message called; a tool's message is the result of the call with id `call`.
    `provider_data`: JSON that the model's provider gave with the calls and wants back; part of no prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    parts: tuple[tuple[str, str], ...] = ()
    calls: tuple[Call, ...] = Field(default=(), exclude_if=left_out)
    call: str = Field(default="", exclude_if=left_out)
    provider_data: str = Field(default="", exclude_if=left_out)


class Reply(FrozenModel):
    """What came back. `text` is untrusted. Token counts are None where the backbone does not say.

    `calls`: the tools that a model called natively; a text may hold calls, too. `thought`: recorded; reaches nobody.
    `cut`: they end at the limit of tokens. `cached_tokens`: those the provider had kept. `by`: the model that stood in.
    `provider_data`: as above. `spoken_from`: the files that a scripted actor's words come of: its template, then what
    that included and which tables of figures it looked into, as it came to them, and the answer it was given.
    `reckoned`: what norms decided, by which those words say what is decided: a `Decision` as JSON without what is
    empty."""

    text: str
    thought: str = Field(default="", exclude_if=left_out)
    cut: bool = Field(default=False, exclude_if=left_out)
    calls: tuple[Call, ...] = Field(default=(), exclude_if=left_out)
    provider_data: str = Field(default="", exclude_if=left_out)
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = Field(default=0, exclude_if=left_out)
    by: str = Field(default="", exclude_if=left_out)
    spoken_from: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    reckoned: dict[str, Any] = Field(default_factory=dict, exclude_if=left_out)


@immutable
class Request:
    """One call for a reply. `id` = place#occurrence/person/attempt, unique in a run.

    `messages`: all of the thread, `added` the last ones, new with this call. `view` is the only knowledge behind them:
    scripted actors get it, models the messages. `offline`: templates that a scripted actor may speak by, special first.
    `last_try`: it is asked for again, and not once more.
    `halts`: something hangs on an answer that was asked for in vain; whoever plays stops, and asks when he goes on.
    `named`: of an answer: all words, in lower case, by which who is asked or what he is asked about may be named.
    """

    id: str
    person: str
    role: str
    speaker: str
    act: str
    thread: str
    messages: tuple[Message, ...]
    added: tuple[Message, ...]
    view: Any
    form: ReplyForm
    offline: tuple[str, ...]
    model: ModelDefaults
    tools: tuple[Offer, ...] = ()
    last_try: bool = False
    halts: bool = False
    named: frozenset[str] = frozenset()


@immutable
class Offer:
    """A tool as a model is offered it natively. `schema`: JSON Schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


@immutable
class Errand:
    """A tool call that needs the world; the answer's text is its result, as JSON.
    `operation` is one of `practice.OPERATIONS`; `arguments` were checked, documents named in them are given as text.
    `case`: the running case, which no search may find. `day`: the one that has come, YYYY-MM-DD or "".
    """

    id: str
    person: str
    operation: str
    arguments: Mapping[str, str]
    case: str
    day: str = ""


class Started(FrozenModel):
    kind: Literal["started"] = "started"
    procedure: str
    case: str
    target: str
    seed: int
    options: dict[str, str]
    skip: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class Entered(FrozenModel):
    """Just before a stage, phase or step. `place` = STAGE[/PHASE[/STEP[#N]]]."""

    kind: Literal["entered"] = "entered"
    level: Literal["stage", "phase", "step"]
    place: str
    title: str


SkipReason = Literal["condition", "nobody", "absent", "passed", "asked", "limit", "onward"]


class Skipped(FrozenModel):
    """A stage, phase or step that was left out.

    Its condition did not hold, nobody is meant to perform it (nobody) or is in the room (absent), he passed, the run
    was asked to leave it out, it was done as often as it may be (limit), or the procedure went on behind it (onward).
    """

    kind: Literal["skipped"] = "skipped"
    place: str
    reason: SkipReason


class Assigned(FrozenModel):
    """A role is given to persons. `unmatched`: words of an answer or record that were to name parties."""

    kind: Literal["assigned"] = "assigned"
    role: str
    persons: tuple[str, ...]
    unmatched: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class Asked(FrozenModel):
    """A request was made; holds what its thread was not sent before. `shown`: key of what is newly shown -> version."""

    kind: Literal["asked"] = "asked"
    id: str
    place: str
    person: str
    role: str
    speaker: str
    act: str
    thread: str
    added: tuple[Message, ...]
    shown: dict[str, int]


class Cleaned(FrozenModel):
    """What a thread keeps of the reply to a request, where that is not what came: without what was cut out of it."""

    kind: Literal["cleaned"] = "cleaned"
    request: str
    thread: str
    text: str


class Spoke(FrozenModel):
    """Words said aloud. `text` is what others hear: tokens for the machine and forged speech are cut off.

    `to`: how those spoken to are called; `heard_by`: ids; `thread`: where they are its owner's last words, if anywhere.
    `confined`: only those who heard it may ever read it (`heard by`). `closed_to`: those to whom the room was closed
    while it was said, whether they would have been in it or had left.
    """

    kind: Literal["spoke"] = "spoke"
    request: str
    place: str
    thread: str
    person: str
    speaker: str
    act: str
    text: str
    to: tuple[str, ...]
    heard_by: tuple[str, ...]
    confined: bool = Field(default=False, exclude_if=left_out)
    closed_to: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class Drafted(FrozenModel):
    """A document came to be. `side`: its author's ("" for the court); `day`: YYYY-MM-DD; `cut`: it is not finished;
    `unlisted`: what it names as exhibits and the case does not list."""

    kind: Literal["drafted"] = "drafted"
    place: str
    document: str
    side: str
    person: str
    speaker: str
    text: str
    source: Literal["reply", "case", "replaced"]
    missing: tuple[str, ...]
    cut: bool = Field(default=False, exclude_if=left_out)
    day: str = Field(default="", exclude_if=left_out)
    unlisted: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class Called(FrozenModel):
    """A tool was called. `arguments`: as given, cut to length; `result`: what the caller was told.

    `refused`: why nothing was done ("" = it was done).
    """

    kind: Literal["called"] = "called"
    request: str
    place: str
    person: str
    tool: str
    arguments: str
    refused: Literal[
        "", "unknown", "not_yours", "not_here", "not_now", "malformed", "too_many", "failed", "unknown_marks"
    ]
    result: str


class Remembered(FrozenModel):
    """A person's memory changed. `value`: the whole field as it now stands, text or records.

    `knows`: the documents that its writer could see; `drop`: what rested on a document that was replaced is gone.
    """

    kind: Literal["remembered"] = "remembered"
    request: str
    place: str
    person: str
    field: str
    how: Literal["revise", "expand", "drop"]
    value: str | tuple[dict[str, str], ...]
    knows: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class Violated(FrozenModel):
    """A rule of conduct or of form was broken; the run went on."""

    kind: Literal["violated"] = "violated"
    request: str
    place: str
    person: str
    rule: str
    detail: str


class Reviewed(FrozenModel):
    """A draft was read before it counted, or could have been; told when it is clear which is `heard`.

    `verdict`: approved, criticised, scored, or without a readable score; or not read, because the drafts were used up
    (unapproved) or the reviewer said nothing (unread)."""

    kind: Literal["reviewed"] = "reviewed"
    request: str
    place: str
    person: str
    speaker: str
    act: str
    by: str
    number: int
    text: str
    verdict: Literal["approved", "criticised", "unapproved", "unread", "scored", "unscored"]
    criticism: str
    scores: dict[str, FiniteFloat]
    heard: bool


class Raised(FrozenModel):
    """A topic of a conversation was raised for the first time. `n`: its number, from 1; `value`: what it is."""

    kind: Literal["raised"] = "raised"
    place: str
    person: str
    speaker: str
    n: int
    value: str


class Performed(FrozenModel):
    """Items of a checklist were done in one turn. `items`: their numbers."""

    kind: Literal["performed"] = "performed"
    place: str
    person: str
    speaker: str
    checklist: str
    items: tuple[int, ...]


class Reopened(FrozenModel):
    """An earlier phase of the stage begins once more, for the `number`th time."""

    kind: Literal["reopened"] = "reopened"
    place: str
    title: str
    number: int


Reason = Literal["token", "budget", "condition", "covered", "empty", "left"]


class Closed(FrozenModel):
    """A loop ended. `by` said the token; `budget`: the limit of the loop or of its stage ran out.

    `condition`: that of a repetition held after `turns` rounds; `covered`: all topics were raised, and the last one
    answered; `empty`: there was no topic; `left`: who led it is not there any more, or nobody to talk to.
    """

    kind: Literal["closed"] = "closed"
    place: str
    reason: Reason
    by: str
    turns: int


class Withheld(FrozenModel):
    """Talk of a phase that these persons are to hear no more."""

    kind: Literal["withheld"] = "withheld"
    phase: str
    persons: tuple[str, ...]


class Left(FrozenModel):
    """A stage or phase is over."""

    kind: Literal["left"] = "left"
    level: Literal["stage", "phase"]
    place: str
    reason: Literal["done", "ended"]


Event = Annotated[
    Started
    | Scheduled
    | Entered
    | Dated
    | Amended
    | Skipped
    | Assigned
    | Asked
    | Cleaned
    | Spoke
    | Captured
    | Questioned
    | Voted
    | PartDecided
    | Drafted
    | Superseded
    | Called
    | Remembered
    | Violated
    | Reviewed
    | Objected
    | Raised
    | Performed
    | Reopened
    | Interrupted
    | Resumed
    | Closed
    | Withheld
    | Attended
    | ReadOut
    | Left
    | Ended,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@immutable
class Replied:
    """A reply reached its thread. Folded like an event but never journaled: the answer line beside it says it all."""

    thread: str
    text: str
    calls: tuple[Call, ...] = ()
    provider_data: str = ""


@immutable
class Turn:
    """Events since the last turn; requests to answer, in any order. `ahead` makes those that follow whatever comes;
    each is yielded once more, when its turn has come."""

    events: tuple[Event, ...]
    requests: tuple[Request | Errand, ...]
    ahead: Callable[[], tuple[Request, ...]] = tuple


OutcomeStatus = Literal["ended", "paused", "missed"]


@immutable
class Outcome:
    """What the interpreter returns: the last events, and how the run stands.

    It `ended`, is `paused` before `place`, or has `missed` the place where it was to stop: after `place` that cannot
    come any more. `look` gives the view of a person (by id) where it stopped.
    """

    events: tuple[Event, ...]
    status: OutcomeStatus
    place: str
    look: Callable[[str], Any]
