"""Who acts, under which conditions, and what a step is. Verbs are in `model.steps`; `engine.steps` plays them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from .branches import BranchKind
from .calendar import DateIs
from .source import Span

# ---- who -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoleHolders:
    """All persons who hold a role now."""

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


@dataclass(frozen=True, slots=True)
class VotersOf:
    """Those whose vote was the result of the last vote for the answer `name`, or those whose vote was another."""

    faction: Literal["majority", "minority"]
    name: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Fellows:
    """Persons who hold the first role of those of `of` and are none of them (`fellows of wit`)."""

    of: Actor


@dataclass(frozen=True, slots=True)
class LoopPerson:
    """The person that a loop has come to; he is one of those of `among`."""

    variable: str
    among: tuple[Actor, ...]


Actor = RoleHolders | Target | Related | Opponents | Fellows | LoopPerson | VotersOf


@dataclass(frozen=True, slots=True)
class Room:
    """Who is in the room: `present`, these and those who act; `closed_to`, not these; `heard_by`, who of them hears."""

    present: tuple[Actor, ...]
    closed_to: tuple[Actor, ...]
    heard_by: tuple[Actor, ...]
    span: Span

    @property
    def actors(self) -> tuple[Actor, ...]:
        return (*self.present, *self.closed_to, *self.heard_by)


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field, document or answer by name, a dotted path below it, and whose (None: unsided, or the reader's own).

    `about`: of an answer, that which was given on the record of the loop with this variable ("" = no matter on which).
    """

    name: str
    path: tuple[str, ...]
    of: Actor | None
    span: Span
    about: str = ""


ROW: Final = "row"
"""The variable by which the condition of a row of the matrix knows the record that it is asked of."""


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
    """A token said by a holder of `actor` in the loop now running."""

    actor: Actor
    token: str
    span: Span


@dataclass(frozen=True, slots=True)
class Answered:
    """All (any, most, at least or most `count`) of those meant gave `value` ("" = yes) for an answer.

    `carried`: it is the result of the last vote instead.

    Those meant are the persons of `answer`, or those who were last asked about the record that it names; else those
    who were asked last. False where none of them was asked. `most`: more than half of them.
    """

    quantifier: Literal["all", "any", "most", "at least", "at most", "carried"]
    answer: FieldRef
    value: str
    count: int = 0

    @property
    def name(self) -> str:
        return self.answer.name


@dataclass(frozen=True, slots=True)
class SameAnswers:
    """All of those meant gave one and the same answer; false where none of them was asked."""

    answer: FieldRef


@dataclass(frozen=True, slots=True)
class AlsoHolds:
    """Some person of `actor` is also a person of `other`."""

    actor: Actor
    other: Actor


@dataclass(frozen=True, slots=True)
class RoleAssigned:
    """Somebody holds the role."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class Attends:
    """Somebody of `actor` is in the room (`there`), or of those it means nobody is."""

    actor: Actor
    there: bool


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
    """A number at a field path or answer compared with another: itself, how many there are, or what all come to."""

    left: FieldRef
    comparison: Literal["at least", "at most"]
    right: float | FieldRef
    measure: Literal["value", "count", "sum"] = "value"


@dataclass(frozen=True, slots=True)
class Given:
    """Settled where the procedure was put together: by the number or text that a part was given."""

    holds: bool


@dataclass(frozen=True, slots=True)
class HasValue:
    where: FieldRef


Condition = (
    AllOf
    | AnyOf
    | Negation
    | TokenSaid
    | Answered
    | SameAnswers
    | AlsoHolds
    | RoleAssigned
    | Attends
    | OptionIs
    | ValueIs
    | Measures
    | HasValue
    | Given
    | DateIs
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
class Answer:
    """A value to be captured from a reply. `default` is what is recorded when two attempts gave none."""

    name: str
    form: Literal["yes or no", "choice", "number", "list", "text"]
    choices: tuple[str, ...]
    default: str
    span: Span


@dataclass(frozen=True, slots=True)
class Objection:
    """What is said in a step may be objected to before it is heard.

    `by`: who may, with the token `token`; with `waive` he lets it pass. `ruler` decides, and his decision is kept as
    the answer `ruling`, a yes or no.
    """

    by: tuple[Actor, ...]
    token: str
    waive: str
    ruler: Actor
    ruling: Answer
    span: Span


@dataclass(frozen=True, slots=True)
class StepInfo:
    """What every step has. `id`: unique in its phase (`evidence.present`); `prompt` names templates; `on`: its date."""

    id: str
    prompt: str
    cue: str
    basis: tuple[str, ...]
    when: Condition | None
    span: Span
    review: Review | None = None
    objection: Objection | None = None
    room: Room | None = None
    on: str = ""


ROLE_HOLE: Final = "{role}"
NUMBER_HOLE: Final = "{n}"


@dataclass(frozen=True, slots=True)
class TurnSlot:
    """A place in a step where somebody may be given the word: to do which act, writing which document ("" = none).

    `aloud`: what he says is heard.
    """

    act: str
    actors: tuple[Actor, ...]
    document: str = ""
    aloud: bool = True


@dataclass(frozen=True, slots=True)
class TokenUse:
    """A token that a step lets somebody say, and the hole that must stand in it ("" = none)."""

    token: str
    hole: str = ""


@dataclass(frozen=True, slots=True)
class Topics:
    """What a conversation is to cover: the items of a list, each raised with `token` (a `{n}` hole)."""

    where: FieldRef
    token: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a linked procedure. A verb is a subclass: its fields are what its sentence says.

    The properties below are all that the linker, the checker, coverage and the transcript ask of a step; a verb
    overrides those that are otherwise for it. How a step is played is known to `engine.steps` alone.
    """

    info: StepInfo

    ACTS: ClassVar[tuple[str, ...]] = ()
    """The acts of this verb: templates and rules of conduct are named by them."""

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        """Who may be given the word here, but for reviewers."""
        return ()

    @property
    def all_speakers(self) -> tuple[Actor, ...]:
        """Those who speak, are addressed or write here."""
        return tuple(dict.fromkeys(actor for slot in self.turn_slots for actor in slot.actors))

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        """Those who must be somebody when the procedure comes here, but for reviewers."""
        return self.all_speakers

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        """The tokens that somebody may say here, but for those of a review; a token "" is none."""
        return ()

    @property
    def awaited_tokens(self) -> tuple[TokenSaid, ...]:
        """Tokens that end this step when the right person says them."""
        return ()

    @property
    def answer_names(self) -> tuple[str, ...]:
        """The answers that are captured here."""
        return ()

    @property
    def answerers(self) -> tuple[Actor, ...]:
        """Those who give them; nobody where an answer comes of itself."""
        return ()

    @property
    def document_names(self) -> tuple[str, ...]:
        """The documents that are made here."""
        return tuple(dict.fromkeys(slot.document for slot in self.turn_slots if slot.document))

    @property
    def blocks(self) -> tuple[tuple[Step, ...], ...]:
        """The steps inside this one."""
        return ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What this step tests, beside its own `when`."""
        return ()

    @property
    def references(self) -> tuple[FieldRef, ...]:
        """The fields, documents and answers that this step reads itself."""
        return ()

    @property
    def list_references(self) -> tuple[FieldRef, ...]:
        """Those of them that must be lists."""
        return ()

    @property
    def raised_topics(self) -> tuple[Actor, Topics] | None:
        """Who is to raise which topics."""
        return None

    @property
    def assigned_roles(self) -> tuple[str, ...]:
        """The roles that somebody is given here."""
        return ()

    @property
    def checklist_name(self) -> str:
        """The checklist that is gone through here; "" for none."""
        return ""

    @property
    def loop_variable(self) -> str:
        """The loop whose record this step is about; "" for the innermost."""
        return ""

    @property
    def presents_record(self) -> bool:
        """Whether the record of the loop is presented to all here."""
        return False

    @property
    def needs_presence(self) -> bool:
        """Whether who acts here must be in the room."""
        return True

    @property
    def moved_actors(self) -> tuple[Actor, ...]:
        """Those who leave the room here, or come into it."""
        return ()

    @property
    def most_turns(self) -> int:
        """The bound on its turns or rounds; 0 where nothing is repeated."""
        return 0

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        """What can happen here, but for reviews and for `then` and `else`, which depend on what can hold."""
        return ()


# ---- questions to all steps ------------------------------------------------------------------------------------------


def walk(steps: tuple[Step, ...]) -> Iterator[Step]:
    """All steps, outer before inner, in order."""
    for step in steps:
        yield step
        for block in step.blocks:
            yield from walk(block)
