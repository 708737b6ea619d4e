"""A procedure as a graph that people read: stages, phases, steps, the ways between them, and where the case can end.

graph(protocol(procedure, "en", sentences("protocol", "en")), "phase")     # `graph_svg`, `graph_text` draw it

It is a tree, as the procedure is one: what follows one another, what is done on a condition, what is done again. So a
change at one place moves nothing that stands elsewhere. A `when` is no fork: what is done only in some cases is marked,
and what follows it follows all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from ..model.conditions import Condition
from ..model.immutable import immutable
from ..model.plan import Step, walk
from ..model.procedure import EVENT_MARK, Interruption, Phase, Stage, steps_of
from ..model.steps.end import End
from ..model.steps.for_each import ForEach
from ..model.steps.go_on import Continue
from ..model.steps.if_else import If
from ..model.steps.perform import Perform
from ..model.steps.reopen import Reopen
from ..model.steps.repeat import Repeat
from .protocol import Protocol
from .protocol_course import goes_on, place_in
from .protocol_steps import told
from .protocol_words import Phrases

Depth = Literal["stage", "phase", "step"]
DEPTHS: Final[tuple[Depth, ...]] = ("stage", "phase", "step")
WayKind = Literal["end", "end of stage", "onward", "again"]
_LINES: Final = 2  # remarks of a step that are shown


@immutable
class Way:
    """A way that leaves the order of the file. `number`: of an end, as the protocol has it; `to`: the places where it
    leads, none where the case or the stage is over; `only`: not all who come here take it."""

    kind: WayKind
    place: str
    text: str
    number: str = ""
    to: tuple[str, ...] = ()
    only: bool = False


@immutable
class Box:
    """A stage, phase or step of which no more is shown. `condition`: it is done only then; `ways`: what may lead away.

    `follows`: whether something may come behind it, as some case gets to its end, or does not come here at all;
    `however`: it is done however what stands before it ended.
    """

    place: str
    number: str
    head: str
    lines: tuple[str, ...] = ()
    condition: str = ""
    ways: tuple[Way, ...] = ()
    follows: bool = True
    however: bool = False


@immutable
class Split:
    """Two ways that exclude each other, of which one may be empty."""

    place: str
    number: str
    condition: str
    yes: tuple[Part, ...]
    no: tuple[Part, ...]

    @property
    def told(self) -> str:
        """Its number and what it asks."""
        return f"{self.number} {self.condition}".strip()


@immutable
class GraphFrame:
    """What stands together: the parts of a stage, a phase, an event, or of a loop, which are gone through again."""

    place: str
    kind: Literal["stage", "phase", "event", "loop", "only"]
    number: str
    head: str
    parts: tuple[Part, ...]
    lines: tuple[str, ...] = ()
    condition: str = ""
    ways: tuple[Way, ...] = ()
    follows: bool = True
    however: bool = False


Part = Box | Split | GraphFrame | Way


@immutable
class Graph:
    """`stages` follow one another; `events` may come in between."""

    title: str
    stages: tuple[Part, ...]
    events: tuple[Part, ...]


def graph(told: Protocol, depth: Depth, at: str = "") -> Graph:
    """The graph of a procedure, in the words of its protocol, as deep as is said.

    `at`: a place of the procedure (STAGE, STAGE/PHASE, @EVENT, or a step); nothing but that stage, phase or event is
    drawn then.
    """
    grower = _Grower(told, depth)
    stages, events = told.procedure.stages, told.procedure.interruptions
    base, _, event = at.partition(EVENT_MARK)
    stage, _, rest = base.partition("/")
    if event:
        chosen = [one for one in events if one.id == event.partition(".")[0]]
        return Graph(told.procedure.title, (), tuple(grower.event(one) for one in chosen))
    if at:
        found = next(one for one in stages if one.id == stage)
        phase = rest.partition("/")[0]
        inner = phase if any(one.id == phase for one in found.phases) else ""
        return Graph(told.procedure.title, (grower.stage(found, inner),), ())
    between = () if depth == "stage" else tuple(grower.event(one) for one in events)
    return Graph(told.procedure.title, tuple(grower.stage(one, "") for one in stages), between)


def parts_in(parts: Sequence[Part]) -> Iterator[Part]:
    """All parts, outer before inner."""
    for part in parts:
        yield part
        if isinstance(part, GraphFrame):
            yield from parts_in(part.parts)
        elif isinstance(part, Split):
            yield from parts_in((*part.yes, *part.no))


class _Grower:
    """Makes the parts of a graph."""

    def __init__(self, protocol: Protocol, depth: Depth) -> None:
        self.procedure = protocol.procedure
        self.course = protocol.course
        self.phrases = protocol.phrases
        self.word = protocol.phrases.word
        self.depth = depth
        self._stage: Stage | None = None

    # ---- stages, phases, events --------------------------------------------------------------------------------------
    def stage(self, stage: Stage, phase: str) -> Part:
        """A stage, or of a stage one phase."""
        self._stage = stage
        number = str(self.procedure.stages.index(stage) + 1)
        head, condition = stage.title or stage.id, self._condition(stage.when)
        if self.depth == "stage":
            steps = tuple(steps_of(stage))
            return Box(stage.id, number, head, self._who(steps), condition, self._ways(steps, stage.id))
        phases = [one for one in stage.phases if not phase or one.id == phase]
        parts = [part for one in phases for part in self._phase(stage, one)]
        if stage.closing and not phase:
            parts.append(self._closing(stage))
        return GraphFrame(stage.id, "stage", number, head, tuple(parts), (), condition)

    def _phase(self, stage: Stage, phase: Phase) -> tuple[Part, ...]:
        base = f"{stage.id}/{phase.id}" if phase.id else stage.id
        steps, condition = (*phase.steps, *phase.closing), self._condition(phase.when)
        head, follows = phase.title or phase.id, goes_on(steps)
        every = tuple(walk(steps))
        if self.depth == "phase" and (phase.id or steps):
            head = head or self.word("graph_steps", count=len(every))
            number = self.course.numbers.get(f"{base}/{every[0].info.id}", "") if every else ""
            ways = self._ways(every, base)
            return (Box(base, number, head, self._who(every), condition, ways, follows or bool(condition)),)
        parts = self._steps(steps, base)
        if not phase.id:
            return parts
        jumps = self._jumps(every, base)
        return (GraphFrame(base, "phase", "", head, parts, (), condition, jumps, follows or bool(condition)),)

    def _closing(self, stage: Stage) -> Part:
        """What is done when the phases of a stage are over, however they ended."""
        every = tuple(walk(stage.closing))
        place, follows = f"{stage.id}/{every[0].info.id}", goes_on(stage.closing)
        head = self.word("graph_closing")
        if self.depth == "step":
            parts = self._steps(stage.closing, stage.id)
            return GraphFrame("", "phase", "", head, parts, (), "", (), follows, however=True)
        number, ways = self.course.numbers.get(place, ""), self._ways(every, stage.id)
        return Box(place, number, head, self._who(every), "", ways, follows, however=True)

    def event(self, event: Interruption) -> Part:
        """What may come in between, with those who raise it."""
        self._stage = None
        place = EVENT_MARK + event.id
        number = self.course.event_number(self.procedure.interruptions.index(event) + 1)
        raised = self.phrases.actors([said.actor for said in event.raised])
        by = (self.word("graph_raised", who=raised),) if raised else ()
        when = [one for one in (self._condition(event.whenever), self._condition(event.when)) if one]
        condition = self.phrases.joined(when)
        head, follows = event.title or event.id, goes_on(event.steps)
        if self.depth == "step":
            return GraphFrame(place, "event", number, head, self._steps(event.steps, ""), by, condition, (), follows)
        return Box(place, number, head, by, condition, self._ways(tuple(walk(event.steps)), ""), follows)

    # ---- steps -------------------------------------------------------------------------------------------------------
    def _steps(self, steps: Sequence[Step], base: str) -> tuple[Part, ...]:
        return tuple(part for step in steps for part in self._step(step, base))

    def _step(self, step: Step, base: str) -> tuple[Part, ...]:
        place, condition = place_in(base, step), self._condition(step.info.when)
        number = self.course.numbers.get(place, "")
        match step:
            case If():
                yes, no = self._steps(step.body, base), self._steps(step.otherwise, base)
                split = Split(place, number, self.phrases.condition(step.condition), yes, no)
                return (GraphFrame(place, "only", "", "", (split,), (), condition),) if condition else (split,)
            case ForEach() | Repeat():
                head = self.phrases.joined(self._told(step))
                return (GraphFrame(place, "loop", number, head, self._steps(step.body, base), (), condition),)
            case Perform():
                parts = self._steps(step.body, base)
                return (GraphFrame(place, "only", number, "", parts, (), condition),) if condition else parts
            case End() | Continue() | Reopen():
                way = self._way(step, base)
                return (Split(place, number, condition, (way,), ()),) if condition else (way,)
            case _:
                who, *lines = self._remarks(step)
                return (Box(place, number, who, tuple(lines), condition),)

    def _remarks(self, step: Step) -> tuple[str, ...]:
        """Who acts in a step, and what is done first."""
        said = told(step, self._words)
        return said.who or self.word("nobody"), *self._told(step)[:_LINES]

    def _told(self, step: Step) -> tuple[str, ...]:
        what = told(step, self._words).what
        return what[1:] if step.info.when is not None else what

    @property
    def _words(self) -> Phrases:
        return self.course.local(self._stage) if self._stage is not None else self.phrases

    def _who(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Those who are given the word, in the order in which they are."""
        actors = dict.fromkeys(actor for step in steps for slot in step.turn_slots for actor in slot.actors)
        return (self._words.actors(tuple(actors)),) if actors else ()

    def _condition(self, condition: Condition | None) -> str:
        return self.phrases.condition(condition) if condition is not None else ""

    # ---- ways out of the order ---------------------------------------------------------------------------------------
    def _ways(self, steps: Sequence[Step], base: str) -> tuple[Way, ...]:
        """What may lead away from some steps, each once."""
        found: dict[tuple[str, str, tuple[str, ...]], Way] = {}
        for step in steps:
            if isinstance(step, End | Continue | Reopen):
                way = self._way(step, base)
                found.setdefault((way.kind, way.number or way.text, way.to), way)
        return tuple(found.values())

    def _jumps(self, steps: Sequence[Step], base: str) -> tuple[Way, ...]:
        return tuple(way for way in self._ways(steps, base) if way.to)

    def _way(self, step: End | Continue | Reopen, base: str) -> Way:
        place, only = place_in(base, step), step.info.when is not None
        text = self.phrases.joined(self._told(step))
        match step:
            case End(what="case"):
                number = self.course.end_of(step)
                return Way("end", place, step.info.cue or step.outcome or text, number, (), only)
            case End():
                return Way("end of stage", place, text, "", (), only)
            case Continue(destination=name):
                return Way("onward", place, text, "", self._destinations(name), only)
            case Reopen(phase=name):
                return Way("again", place, text, "", self._destinations(name), only)

    def _destinations(self, name: str) -> tuple[str, ...]:
        """The places that `continue with` and `reopen` name: of an event, in each stage that has such a phase."""
        stages = self.procedure.stages
        here = stages if self._stage is None else (self._stage,)
        phases = [f"{stage.id}/{phase.id}" for stage in here for phase in stage.phases if phase.id == name]
        return (*(stage.id for stage in stages if stage.id == name), *phases)
