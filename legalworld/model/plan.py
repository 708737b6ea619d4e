"""What a step of a procedure is. Verbs are in `model.steps`; `engine.steps` plays them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import ClassVar, Final, Literal

from .actors import Actor, FieldRef, Room
from .branches import BranchKind
from .conditions import Condition, TokenSaid
from .immutable import immutable
from .source import Places, Span, place_of
from .value_types import ValueType

AnswerForm = Literal["yes or no", "choice", "number", "date", "list", "text"]


@immutable
class Review:
    """Words are drafted, read by each of the reviewers, and perhaps drafted again, before they count.

    `of`: whose words (none named = of everybody in the step). They pass when everybody says the token `approve`; or
    every one of at most `drafts` is given `scores`, each from `lowest` to `highest`, and the best sum is heard.
    """

    reviewers: tuple[Actor, ...]
    of: tuple[Actor, ...]
    approve: str
    scores: tuple[str, ...]
    lowest: float
    highest: float
    drafts: int
    span: Span


@immutable
class Answer:
    """A value to be captured from a reply. `default`: what silence counts as, where the procedure says so; None where
    it does not: then nothing counts as given, and a question that decides is asked until it is answered.

    `locale`: the language in which it is given, by which the marks in a number are read. `unoffered`: choices that are
    taken where somebody says them, and that no prompt names.
    `title`, `choice_titles` (pairs of a choice and its title): how they are called in prompts and transcripts; what is
    kept are the names. Replies may use either. `type`: what it is declared to be, by which it is read.
    `among`: the persons of whom it names one, or of a list `most`; its choices are what these are called when it is
    asked for.
    """

    name: str
    form: AnswerForm
    choices: tuple[str, ...]
    default: str | None
    span: Span
    title: str = ""
    choice_titles: tuple[tuple[str, str], ...] = ()
    locale: str = "en"
    type: ValueType | None = None
    unoffered: tuple[str, ...] = ()
    among: Actor | None = None
    most: int = 0

    @property
    def called(self) -> str:
        """What people call it."""
        return self.title or self.name

    @property
    def names(self) -> tuple[str, ...]:
        """What a reply may call it."""
        return tuple(dict.fromkeys((self.called, self.name)))

    @property
    def values(self) -> tuple[str, ...]:
        """What it can be, where that is known."""
        return ("yes", "no") if self.form == "yes or no" else self.choices

    def said(self, value: str) -> str:
        """A value as people say it."""
        return dict(self.choice_titles).get(value, value)


@immutable
class Objection:
    """What is said in a step may be objected to before it is heard.

    `by`: who may, with the token `token`; with `waive` he lets it pass. `ruler` decides, and his decision is kept as
    the answer `ruling`, a yes or no. `intended`: the field that says to which words somebody means to object.
    """

    by: tuple[Actor, ...]
    token: str
    waive: str
    ruler: Actor
    ruling: Answer
    intended: str
    span: Span


@immutable
class StepInfo:
    """What every step has. `id`: unique in its phase (`evidence.present`); `prompt` names templates; `on`: its date.

    `places`: where what is said of it is written, by keys.
    """

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
    places: Places = field(default_factory=dict, compare=False)


def name_of(info: StepInfo) -> Span:
    """Where the name stands by which the prompts of a step are found."""
    return place_of(info, "prompt" if "prompt" in info.places else "id")


ROLE_HOLE: Final = "{role}"
NUMBER_HOLE: Final = "{n}"


@immutable
class TurnSlot:
    """A place in a step where somebody may be given the word: to do which act, writing which document ("" = none).

    `aloud`: what he says is heard.
    """

    act: str
    actors: tuple[Actor, ...]
    document: str = ""
    aloud: bool = True


@immutable
class TokenUse:
    """A token that a step lets somebody say, and the hole that must stand in it ("" = none)."""

    token: str
    hole: str = ""


@immutable
class Topics:
    """What a conversation is to cover: the items of a list, each raised with `token` (a `{n}` hole)."""

    where: FieldRef
    token: str


@immutable
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
    def leader(self) -> Actor | None:
        """Who leads the talk here, one person."""
        return None

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
