"""Where a walk stands: the state of the case, who is present, and what the loops around are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.actors import Actor, Room
from ..model.captured import Captured
from ..model.case import Case
from ..model.decision_parts import PartReader, unread
from ..model.immutable import immutable, replace
from ..model.procedure import Document, Phase, Procedure, Stage, all_steps
from ..model.steps.vote import Vote
from ..model.votes import Ballot, Voted
from . import titles
from .calendar import Calendar
from .conditions import EvalContext, LoopItem
from .exhibit_references import listed, unlisted
from .recorder import Recorder, Source
from .settings import Settings
from .state import CaseState, everyone

Names = Mapping[str, tuple[str, ...]]


@immutable
class RoomSaid:
    """What a phase or step says of the room, with the persons that the loops had come to when it said so.

    `held`: variable of a loop -> person. An inner loop, or an event with a loop of the same variable, does not change
    whom the words mean.
    """

    room: Room
    held: Mapping[str, str]


@dataclass(slots=True)
class Scene:
    """What every step and every turn looks at.

    `present`: who is in the room; `joining`: who is there for what has come in between; `rooms`: what the phase and
    the steps around say of it, the innermost last; `shut`: whom they close out; `kept_out`: those who would be
    there but for that, `told_out`: those of whom this was told; `guests`, `told_guests`: likewise
    those who are there for as long as a phase or step names them, and else are not in the stage;
    `confined`: who alone hears, None = all; `barred`:
    those to whom the room is closed, were they in it or not; `passed_over`: of whom it was told in this stage that he
    is not there to review what somebody says, or to object to it; `acting`: those who act in the step, where something
    is said of the room. `shielded`: persons from whom the phase will be
    withheld; `round`: of the innermost `repeat`, `rounds`: of all loops around, the outer first;
    `presented`: the records (FIELD/SIDE/INDEX) that were presented so
    far to all, `presented_to`: a record -> those to whom alone it was; `loop_turns`: what loops have used of the
    stage's budget. `native`: the roles whose models call tools by themselves, as it stands.
    `reader`: who reads what is decided.
    """

    procedure: Procedure
    case: Case
    settings: Settings
    recorder: Recorder
    stage: Stage | None = None
    present: tuple[str, ...] = ()
    joining: tuple[Actor, ...] = ()
    rooms: tuple[RoomSaid, ...] = ()
    shut: frozenset[str] = frozenset()
    kept_out: frozenset[str] = frozenset()
    told_out: frozenset[str] = frozenset()
    guests: frozenset[str] = frozenset()
    told_guests: frozenset[str] = frozenset()
    confined: frozenset[str] | None = None
    barred: frozenset[str] = frozenset()
    passed_over: frozenset[tuple[str, ...]] = frozenset()
    acting: tuple[str, ...] = ()
    shielded: frozenset[str] = frozenset()
    loop_items: tuple[LoopItem, ...] = ()
    round: int = 1
    rounds: tuple[int, ...] = ()
    _begun: int = 0
    loop_turns: int = 0
    presented: frozenset[str] = frozenset()
    presented_to: dict[str, frozenset[str]] = field(default_factory=dict)
    calendar: Calendar = field(default_factory=Calendar)
    native: frozenset[str] = frozenset()
    reader: PartReader = unread
    _names: tuple[object, Names] = (None, {})

    def next_round(self, around: tuple[int, ...]) -> tuple[int, ...]:
        """The rounds around with one more inside; it has a number of its own, whatever the loop."""
        self._begun += 1
        return (*around, self._begun)

    @property
    def state(self) -> CaseState:
        return self.recorder.state

    @property
    def now(self) -> EvalContext:
        """What conditions look at."""
        held = (self.state, self.case, self.settings.options, self.loop_items, self.presented, self.calendar)
        return EvalContext(*held, self.rounds, self.procedure.locale)

    def now_for(self, person: str) -> EvalContext:
        """The same for a person's view: with what was presented to him, too."""
        now = self.now
        if not self.presented_to:
            return now
        own = frozenset(about for about, persons in self.presented_to.items() if person in persons)
        return replace(now, presented=now.presented | own) if own else now

    def there(self, *actors: Actor) -> tuple[str, ...]:
        """The persons that the actors mean, but for those who are not in the room."""
        away = self.state.out | self.shut
        meant = everyone(self.state, actors)
        return tuple(person for person in meant if person not in away) if away else meant

    def present_record(self, about: str, by: tuple[str, ...], to: tuple[str, ...]) -> None:
        """A record is presented: to everybody, or to those alone who hear it where somebody is kept out."""
        if self.rooms or self.state.out:
            hearers = {hearer for person in by for hearer in self.hearers(person, to)}
            self.presented_to[about] = self.presented_to.get(about, frozenset()) | hearers
        else:
            self.presented |= {about}

    def hearers(self, speaker: str, to: tuple[str, ...]) -> tuple[str, ...]:
        """Who hears what a person says to somebody."""
        here = self.present
        if self.confined is not None:
            away = self.state.out | self.shut
            here = tuple(person for person in self.state.persons if person in self.confined and person not in away)
        return tuple(dict.fromkeys((*here, *self.acting, speaker, *to)))

    @property
    def phase(self) -> Phase | None:
        """The named phase that the walk is in."""
        if self.stage is None:
            return None
        place = self.state.phase
        return next((phase for phase in self.stage.phases if phase.id and place == f"{self.stage.id}/{phase.id}"), None)

    def label(self, person: str) -> str:
        """How a person is called now."""
        return self.names()[person][0]

    def names(self) -> Names:
        """Person -> all that he is called, first his label. Kept until roles change hands."""
        if self._names[0] is not self.state.role_holders:
            forms = (titles.label, titles.title, titles.full_title)
            names = {p: tuple(form(self.procedure, self.state, p) for form in forms) for p in self.state.persons}
            self._names = (self.state.role_holders, names)
        return self._names[1]

    def thread_of(self, person: str) -> str:
        """A person's thread in this scenario; talk that will be withheld from him has one of its own."""
        place = self.state.phase if person in self.shielded else self.state.stage
        return f"{person}@{place}"

    def captured(self, event: Captured) -> None:
        """Record an answer that is no ballot. What is voted on elsewhere has its result by it, as by a vote: one rule
        for a panel, a single judge and an admission."""
        self.recorder.tell(event)
        votes = (step for step in all_steps(self.procedure) if isinstance(step, Vote))
        if not isinstance(event.value, str) or all(step.answer.name != event.name for step in votes):
            return
        ballot = Ballot(person=event.person, speaker=event.speaker, value=event.value)
        self.recorder.tell(
            Voted(
                place=event.place,
                name=event.name,
                title=self.procedure.answers[event.name].called,
                about=event.about,
                within=event.within,
                votes=(ballot,) if event.person else (),
                counts={},
                result=event.value,
                by="given",
                reveals="nothing",
                heard_by=(),
                chosen=event.chosen,
            )
        )

    def drafted(self, person: str, document: Document, text: str, source: Source, *, cut: bool = False) -> None:
        """Record a document under the label of its author; what is written on a day bears its date."""
        text = text if source == "replaced" else self.calendar.borne(text, self.state.today)
        known = listed(self.procedure, self.case, document)
        strange = unlisted(document, text, known) if known is not None else ()
        self.recorder.drafted(person, self.label(person), document, text, source=source, cut=cut, unlisted=strange)
