"""The linked procedure: every name resolved, every part expanded, frozen; what is proved and then run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Final, Literal, assert_never

from .actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Room, Target, VotersOf
from .ast import ConductCheck
from .calendar import DateRule
from .conditions import Condition, TokenSaid
from .decision_parts import DecisionParts
from .equipment import CALLS, Memory, Skill, Tool
from .immutable import immutable
from .plan import Answer, Step, walk
from .punctuation import Punctuation, punctuation
from .source import Places, Span
from .step_facts import actors_of
from .value_types import Types

# ---- what is known ---------------------------------------------------------------------------------------------------


@immutable
class Field:
    """A field of the case. `sided`: one value per side. `keys`: what each record of it may hold; `titles` of these.

    `items`: of a list of the spec, which everybody sees; `types`: of typed values; `amends`: see `model.amendments`.
    """

    name: str
    title: str
    path: str
    sided: bool
    each: bool
    keys: tuple[str, ...]
    evaluation_only: bool
    required: bool
    span: Span
    titles: Mapping[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    types: Types = field(default_factory=dict)
    amends: str = ""
    in_force_from: str = ""


@immutable
class Document:
    """A document that is drafted or taken. `sections`: words that must stand in it, in their official order.

    `required`: what it must say somewhere, each as words of which one will do; what is not known is said to be so.
    `sided`: it is its author's side's, else all have one; `holds`: what stands in it, and is not shown beside it again.
    `follows`: the answers of votes whose result it carries out; `refers_to`: the fields of which it may name exhibits;
    `max_tokens`: at most so many for a reply that writes it (0 = as for any other).
    """

    name: str
    title: str
    sided: bool
    sections: tuple[str, ...]
    basis: tuple[str, ...]
    span: Span
    required: tuple[tuple[str, ...], ...] = ()
    max_tokens: int = 0
    holds: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    refers_to: tuple[str, ...] = ()


@immutable
class Grant:
    """One cell of the visibility matrix, for one stage and one kind of person.

    `what` is a field, document or answer, or an earlier stage whose minutes it is (`whose` is then `minutes`); it opens
    with the stage, or once phase `after` of that stage is over.
    `each`: it opens record by record, its condition asked of every record by itself (`plan.ROW`). `full`: of minutes,
    with what was said while the room was closed to the reader.
    """

    what: str
    whose: Literal["own", "other", "all", "minutes"]
    stage: str
    kind: str
    after: str
    condition: Condition | None
    span: Span
    each: bool = False
    full: bool = False


@immutable
class OffRecord:
    """Talk of a phase that is taken out of these persons' hearing when the phase is over."""

    actors: tuple[Actor, ...]
    condition: Condition | None


@immutable
class Phase:
    """`id` is "" for the steps of a stage that has no phases. `closing` runs after off-the-record talk was withheld.

    `recalls`: what of all that he may see somebody is shown who has the phase in a thread of its own; None for all of
    it, and for what he has heard before.
    """

    id: str
    title: str
    basis: tuple[str, ...]
    when: Condition | None
    off_record: OffRecord | None
    steps: tuple[Step, ...]
    closing: tuple[Step, ...]
    span: Span
    room: Room | None = None
    on: str = ""
    recalls: tuple[str, ...] | None = None
    places: Places = field(default_factory=dict, compare=False)


@immutable
class Stage:
    """`present`: who hears what is said aloud; `budget`: spoken turns after which open loops close (0 = none).

    `closed_to`: those who wait outside when it begins.

    `closing` is done when the phases are over, however they ended; `minutes`: on whose behalf the record of it is
    headed (`minutes.j2` among the forms), when it has one; `on`: the date whose day it is from here on ("" = no other).
    """

    id: str
    title: str
    basis: tuple[str, ...]
    when: Condition | None
    present: tuple[Actor, ...]
    budget: int
    phases: tuple[Phase, ...]
    span: Span
    closing: tuple[Step, ...] = ()
    minutes: tuple[Actor, ...] = ()
    closed_to: tuple[Actor, ...] = ()
    on: str = ""
    places: Places = field(default_factory=dict, compare=False)


@immutable
class Interruption:
    """An event that comes in between, wherever the procedure is, with steps of its own.

    `raised`: by whom, with which token; `whenever`: the condition that raises it where nobody does. `during`: the
    stages (phase "") and phases in which it may come, everywhere if none; `limit`: how often in a case. `intended`: the
    field that says whether somebody means to raise it, and with which words.
    """

    id: str
    title: str
    basis: tuple[str, ...]
    raised: tuple[TokenSaid, ...]
    whenever: Condition | None
    when: Condition | None
    during: tuple[tuple[str, str], ...]
    limit: int
    intended: str
    steps: tuple[Step, ...]
    span: Span
    places: Places = field(default_factory=dict, compare=False)

    def comes_in(self, stage: str, phase: str) -> bool:
        """Whether it may come in a phase of a stage ("": in the steps of a stage that has no phases)."""
        return not self.during or not {(stage, ""), (stage, phase)}.isdisjoint(self.during)

    def comes_into(self, stage: str) -> bool:
        """Whether it may come somewhere in a stage."""
        return not self.during or stage in [place for place, _ in self.during]

    @property
    def raisers(self) -> tuple[Actor, ...]:
        return tuple(dict.fromkeys(said.actor for said in self.raised))


# ---- the whole -------------------------------------------------------------------------------------------------------


@immutable
class Absence:
    """When persons of a role do not come to a stage; `variable`: what the condition calls the record of each.

    `stages`: to which they do not come then; all where none is named.
    """

    condition: Condition
    variable: str
    stages: tuple[str, ...]


@immutable
class Role:
    """`each` names the sided field with one record per person (parties); `represents` the role spoken for.

    An assigned role is held for a while; its `title` (or `formerly` + the original title) replaces the holder's, and
    one with neither is held silently. `formerly` also marks the original title in brackets: 上诉人（原审被告）. One
    held `alongside` leaves the title and stands in brackets behind it: 原告（反诉被告）. Nobody holds one whose `when`,
    which goes by options and the case alone, does not hold. `label`: for protocols, where no title tells it apart.
    `persons`: so many hold it, without names (0 = one, or as many as `each` has). `named`: the field whose record is
    that of its one holder; with a `named_key`, the text there is his name, and all that is said of him.
    `party`: those who hold it are parties; `party_said`: the spec says whether they are, and it is not inferred from
    their having a side and representing nobody.
    """

    id: str
    title: str
    kind: str
    side: str
    represents: str
    persona: str
    named: str
    each: str
    assigned: bool
    formerly: str
    span: Span
    persons: int = 0
    alongside: bool = False
    label: str = ""
    when: Condition | None = None
    absence: Absence | None = None
    named_key: str = ""
    party: bool = False
    party_said: bool = False
    places: Places = field(default_factory=dict, compare=False)


@immutable
class Option:
    name: str
    title: str
    choices: tuple[str, ...]
    default: str
    span: Span


@immutable
class Conduct:
    """A rule of conduct that can be checked by machine. Empty selectors mean every kind, stage, act or document."""

    id: str
    title: str
    kind: str
    stages: tuple[str, ...]
    acts: tuple[str, ...]
    documents: tuple[str, ...]
    check: ConductCheck
    span: Span
    places: Places = field(default_factory=dict, compare=False)


@immutable
class Task:
    """An item of a checklist. `n`: its number, from 1; `stage`, `title`: of its part; `listed`: where it is named."""

    n: int
    stage: str
    title: str
    text: str
    span: Span
    listed: Span


@immutable
class Persona:
    """A persona framework: dimension -> title and wording per level; profiles: name -> dimension -> level."""

    name: str
    title: str
    dimensions: Mapping[str, PersonaDimension]
    profiles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@immutable
class PersonaDimension:
    title: str
    levels: Mapping[str, str]


@immutable
class ModelDefaults:
    """How models are called. `temperature`, `top_p`: None is what the model's provider has by default.

    `max_tokens`: of the words of one reply; `acts`: act -> the same where it is another.
    `thought_tokens`: what a reasoning model may think besides (0 = as it likes, within `max_tokens`).
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int = 4096
    thought_tokens: int = 0
    acts: Mapping[str, int] = field(default_factory=dict)

    def doing(self, act: str, document: Document | None = None) -> ModelDefaults:
        """The same for one act, by which perhaps a document is written."""
        most = document.max_tokens if document is not None else 0
        return replace(self, max_tokens=most or self.acts.get(act, self.max_tokens), acts={})


@immutable
class Procedure:
    """A procedure, linked and checked. `kinds`: kind -> letter of the matrix. `answers`: every captured answer.

    `law_at`: (field, key, "" for none) of the days by whose law citations are checked, the first that the case gives.
    `tool_calls`: at most so many a step; `memory`: kind -> what its persons keep. `lineage`: the procedures that this
    one extends, the nearest first, whose wording, bindings and rubrics are its own too, and `inherited` their files;
    `span`: where this one is named. `wording`: the folders in which templates are looked for behind these, each with
    the place that names it; `acting`: role -> where it is named. `dates`: the calendar; `holidays`: the country whose
    working days count ("" = all but Saturdays and Sundays). `locale_said`: whether the spec names its locale.
    """

    name: str
    title: str
    law: tuple[str, ...]
    locale: str
    example: str
    kinds: Mapping[str, str]
    sides: tuple[str, ...]
    roles: Mapping[str, Role]
    targets: tuple[str, ...]
    fields: Mapping[str, Field]
    documents: Mapping[str, Document]
    answers: Mapping[str, Answer]
    options: Mapping[str, Option]
    grants: tuple[Grant, ...]
    conduct: tuple[Conduct, ...]
    personas: Mapping[str, Persona]
    stages: tuple[Stage, ...]
    tokens: tuple[str, ...]
    model: ModelDefaults
    law_at: tuple[tuple[str, str], ...] = ()
    tools: Mapping[str, Tool] = field(default_factory=dict)
    tool_calls: int = CALLS
    skills: Mapping[str, Skill] = field(default_factory=dict)
    memory: Mapping[str, Memory] = field(default_factory=dict)
    checklists: Mapping[str, tuple[Task, ...]] = field(default_factory=dict)
    acting: Mapping[str, frozenset[str]] = field(default_factory=dict)
    interruptions: tuple[Interruption, ...] = ()
    decisions: Mapping[str, DecisionParts] = field(default_factory=dict)
    dates: Mapping[str, DateRule] = field(default_factory=dict)
    holidays: str = ""
    source: str = ""
    lines: int = 0
    wording: Mapping[str, Span] = field(default_factory=dict)
    files: tuple[str, ...] = field(default=())
    lineage: tuple[str, ...] = ()
    inherited: frozenset[str] = frozenset()
    span: Span = field(default=Span("", 1, 1))
    locale_said: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Its own name, and of those that it extends: what is made for one of them serves it too."""
        return (self.name, *self.lineage)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of wording and forms that are its own, the first that has something goes before."""
        return tuple(dict.fromkeys((*self.names, *self.wording)))

    @property
    def case_fields(self) -> dict[str, Field]:
        """The fields that a case gives."""
        return {name: field for name, field in self.fields.items() if not field.items}

    @property
    def marks(self) -> Punctuation:
        """The punctuation of the language in which its texts are."""
        return punctuation(self.locale)


def steps_in(phase: Phase) -> Iterator[Step]:
    """All steps of a phase."""
    yield from walk(phase.steps)
    yield from walk(phase.closing)


def steps_of(stage: Stage) -> Iterator[Step]:
    """All steps of a stage."""
    for phase in stage.phases:
        yield from steps_in(phase)
    yield from walk(stage.closing)


def roles_in(actor: Actor) -> tuple[str, ...]:
    """The roles that an actor names."""
    match actor:
        case RoleHolders(role):
            return (role,)
        case Target() | VotersOf():
            return ()
        case Related(of=of) | Opponents(of=of) | Fellows(of=of):
            return roles_in(of)
        case LoopPerson(among=among) | ChosenIn(among=among):
            return tuple(role for one in among for role in roles_in(one))
        case _:
            assert_never(actor)


def acting(stages: tuple[Stage, ...], events: tuple[Interruption, ...] = ()) -> dict[str, frozenset[str]]:
    """Role -> the stages in which it is named as somebody who is there; who notes what he keeps of a stage was."""
    found: dict[str, frozenset[str]] = {}
    for stage in stages:
        between = (step for event in events if event.comes_into(stage.id) for step in walk(event.steps))
        steps = (*(step for phase in stage.phases for step in steps_in(phase)), *between)
        actors = (*stage.present, *(actor for step in steps for actor in actors_of(step)))
        for role in {role for actor in actors for role in roles_in(actor)}:
            found[role] = found.get(role, frozenset()) | {stage.id}
    return found


def all_steps(procedure: Procedure) -> Iterator[Step]:
    """All steps of all stages and of all events."""
    yield from (step for stage in procedure.stages for step in steps_of(stage))
    for event in procedure.interruptions:
        yield from walk(event.steps)


EVENT_MARK: Final = "@"  # before the name of an event, in places


def places(procedure: Procedure) -> Iterator[tuple[str, Stage | Phase | Interruption | Step]]:
    """Every place a run may come to, without occurrence numbers, in the order in which they are written.

    An event has one in each phase in which it may come: STAGE/PHASE/@EVENT, its steps STAGE/PHASE/@EVENT.STEP.
    """
    for stage in procedure.stages:
        yield stage.id, stage
        for phase in stage.phases:
            base = f"{stage.id}/{phase.id}" if phase.id else stage.id
            if phase.id:
                yield base, phase
            yield from ((f"{base}/{step.info.id}", step) for step in steps_in(phase))
            for event in procedure.interruptions:
                if event.comes_in(stage.id, phase.id):
                    yield f"{base}/{EVENT_MARK}{event.id}", event
                    yield from ((f"{base}/{step.info.id}", step) for step in walk(event.steps))
        yield from ((f"{stage.id}/{step.info.id}", step) for step in walk(stage.closing))


def parts_of(procedure: Procedure) -> dict[str, Stage | Phase]:
    """Place -> stage or phase; a phase that has no id has no place of its own."""
    return {place: part for place, part in places(procedure) if isinstance(part, Stage | Phase)}
