"""The course of a procedure as numbered lines: every step once, in the order of the file, and what may come next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ..model.conditions import Condition
from ..model.immutable import immutable, replace
from ..model.plan import Step, walk
from ..model.procedure import EVENT_MARK, Interruption, Phase, Procedure, Stage, steps_in, steps_of
from ..model.steps.end import End
from ..model.steps.for_each import ForEach
from ..model.steps.go_on import Continue
from ..model.steps.if_else import If
from ..model.steps.perform import Perform
from ..model.steps.reopen import Reopen
from ..model.steps.repeat import Repeat
from .protocol_steps import told
from .protocol_words import Phrases


@immutable
class ProtocolLine:
    """One step. `place`: STAGE[/PHASE]/STEP, of an event @EVENT.STEP; `depth`: how many loops and conditions it stands
    in; `otherwise`: it is done where the condition around it does not hold; `path`: the conditions on which it hangs,
    with the number of the step that tests each."""

    number: str
    place: str
    depth: int
    otherwise: bool
    who: str
    what: tuple[str, ...]
    limit: tuple[str, ...]
    basis: tuple[str, ...]
    next: str
    path: tuple[str, ...]
    step: Step


@immutable
class Around:
    """What lies around a block of steps: where its places begin, what follows it, which conditions led to it."""

    base: str
    depth: int
    follow: str
    path: tuple[str, ...]
    stage: int
    otherwise: bool = False


class Course:
    """The numbers of all steps of a procedure, and their lines."""

    def __init__(self, procedure: Procedure, phrases: Phrases) -> None:
        self.procedure = procedure
        self.phrases = phrases
        self._local = {stage.id: phrases.in_stage(stage.id) for stage in procedure.stages}
        self.numbers: dict[str, str] = {}
        self.ends: dict[str, str] = {}
        for n, stage in enumerate(procedure.stages, 1):
            for k, place in enumerate(_places(stage), 1):
                self.numbers[place] = f"{n}.{k}"
        for n, event in enumerate(procedure.interruptions, 1):
            for k, step in enumerate(walk(event.steps), 1):
                self.numbers[step.info.id] = f"{self.event_number(n)}.{k}"
        ending = (step for step in _all(procedure) if isinstance(step, End) and step.what == "case")
        for step in ending:
            self.ends.setdefault(_end_key(step), phrases.word("number_end", n=len(self.ends) + 1))

    # ---- stages and events -------------------------------------------------------------------------------------------
    def phase(self, at: int, number: int) -> tuple[ProtocolLine, ...]:
        """The lines of a phase of the stage `at`, counted from 0: its steps, and those that close it."""
        stage = self.procedure.stages[at]
        phase = stage.phases[number]
        base = _base(stage, phase)
        path = self._conditions((stage.when, str(at + 1)), (phase.when, phase.title or phase.id))
        behind = self._after_phase(at, number)
        closing = self._first(phase.closing, base) or behind
        lines = self._block(phase.steps, Around(base, 0, closing, path, at))
        return (*lines, *self._block(phase.closing, Around(base, 0, behind, path, at)))

    def closing(self, at: int) -> tuple[ProtocolLine, ...]:
        """The lines by which a stage is closed, however it ended."""
        stage = self.procedure.stages[at]
        path = self._conditions((stage.when, str(at + 1)))
        return tuple(self._block(stage.closing, Around(stage.id, 0, self._after_stage(at), path, at)))

    def event_number(self, n: int) -> str:
        """The number of an event, counted from 1."""
        return self.phrases.word("number_event", n=n)

    def ended_at(self, end: str) -> tuple[ProtocolLine, ...]:
        """The lines that bring about an end."""
        return tuple(one for one in self.lines if isinstance(one.step, End) and self.end_of(one.step) == end)

    def end_of(self, step: End) -> str:
        """The number of the end that a step brings about; "" where it ends a stage alone."""
        return self.ends.get(_end_key(step), "") if step.what == "case" else ""

    @cached_property
    def lines(self) -> tuple[ProtocolLine, ...]:
        """All lines, those of events last."""
        found: list[ProtocolLine] = []
        for at, stage in enumerate(self.procedure.stages):
            for number in range(len(stage.phases)):
                found += self.phase(at, number)
            found += self.closing(at)
        for event in self.procedure.interruptions:
            found += self.event(event)
        return tuple(found)

    def event(self, event: Interruption) -> tuple[ProtocolLine, ...]:
        back = self.phrases.word("next_back")
        around = Around("", 0, back, (event.title or event.id,), -1)
        return tuple(self._block(event.steps, around))

    # ---- steps -------------------------------------------------------------------------------------------------------
    def _block(self, steps: Sequence[Step], around: Around) -> Iterator[ProtocolLine]:
        for at, step in enumerate(steps):
            follow = self._first(steps[at + 1 :], around.base) or around.follow
            yield from self._step(step, replace(around, follow=follow))
            around = replace(around, path=(*around.path, *self._left_behind(step, around.base)))

    def local(self, stage: Stage) -> Phrases:
        """The phrases for a stage."""
        return self._local[stage.id]

    def at(self, stage: int) -> Phrases:
        """The phrases for a stage, by its number from 0; -1 for what may be in any."""
        return self.phrases if stage < 0 else self._local[self.procedure.stages[stage].id]

    def _step(self, step: Step, around: Around) -> Iterator[ProtocolLine]:
        number, told_ = self.numbers[place_in(around.base, step)], told(step, self.at(around.stage))
        path = self._own_path(step, around, number)
        yield ProtocolLine(
            number=number,
            place=place_in(around.base, step),
            depth=around.depth,
            otherwise=around.otherwise,
            who=told_.who,
            what=told_.what,
            limit=told_.limit,
            basis=step.info.basis,
            next=self._next(step, around),
            path=path,
            step=step,
        )
        blocks = step.blocks
        for at, block in enumerate(blocks):
            yield from self._block(block, self._inside(step, around, (path, number), otherwise=at > 0))

    def _left_behind(self, step: Step, base: str) -> tuple[str, ...]:
        """What is known of a condition by those who come behind it: one of its ways leads elsewhere."""
        if not isinstance(step, If) or step.info.when is not None:
            return ()
        through = goes_on(step.body), goes_on(step.otherwise)
        if through[0] == through[1]:
            return ()
        key = "path_if" if through[0] else "path_otherwise"
        number, condition = self.numbers[place_in(base, step)], self.phrases.condition(step.condition)
        return (self.phrases.word(key, number=number, condition=condition),)

    def _inside(self, step: Step, around: Around, led: tuple[tuple[str, ...], str], *, otherwise: bool) -> Around:
        """What lies around the steps inside a step."""
        (path, number), depth, follow = led, around.depth + 1, around.follow
        word, first = self.phrases.word, self._first(step.blocks[0], around.base)
        if isinstance(step, If):
            key = "path_otherwise" if otherwise else "path_if"
            told_ = word(key, number=number, condition=self.phrases.condition(step.condition))
            return Around(around.base, depth, follow, (*path, told_), around.stage, otherwise)
        if isinstance(step, ForEach | Repeat):
            follow = word("next_loop" if isinstance(step, ForEach) else "next_round", first=first, follow=follow)
        return Around(around.base, depth, follow, path, around.stage)

    def _own_path(self, step: Step, around: Around, number: str) -> tuple[str, ...]:
        if step.info.when is None:
            return around.path
        condition = self.phrases.condition(step.info.when)
        return (*around.path, self.phrases.word("path_if", number=number, condition=condition))

    def _next(self, step: Step, around: Around) -> str:
        word, follow = self.phrases.word, around.follow
        match step:
            case If(body=body, otherwise=otherwise):
                yes, no = (self._first(block, around.base) or follow for block in (body, otherwise))
                return word("next_if", yes=yes, no=no)
            case ForEach(body=body) | Repeat(body=body):
                return word("next_each", first=self._first(body, around.base) or follow, follow=follow)
            case Perform(body=body):
                return self._first(body, around.base) or follow
            case End(what="case"):
                return word("next_end", number=self.ends[_end_key(step)])
            case End():
                return self._end_of_stage(around.stage)
            case Continue(destination=destination):
                return self._destination(destination, around.stage)
            case Reopen(phase=phase):
                return word("next_again", first=self._destination(phase, around.stage), follow=follow)
            case _:
                return follow

    def _first(self, steps: Sequence[Step], base: str) -> str:
        """The number of the first of some steps; "" where there is none."""
        return self.numbers[place_in(base, steps[0])] if steps else ""

    # ---- what follows a phase and a stage ----------------------------------------------------------------------------
    def _destination(self, name: str, at: int) -> str:
        """Where `continue with` and `reopen` lead: of an event, in each stage that has such a phase."""
        stages = self.procedure.stages
        found = [self._entry(number) for number, stage in enumerate(stages) if stage.id == name]
        for number, stage in enumerate(stages):
            if at in (-1, number):
                phases = [phase for phase in stage.phases if phase.id == name]
                found += [self._first((*one.steps, *one.closing), _base(stage, one)) for one in phases]
        return self.phrases.word("or_number").join(filter(None, found)) or name

    def _after_phase(self, at: int, number: int) -> str:
        return self._onward(at, self.procedure.stages[at].phases[number + 1 :]) or self._end_of_stage(at)

    def _onward(self, at: int, phases: Sequence[Phase]) -> str:
        """The numbers by which it may go on with some phases: until one is sure to be gone through; "" where none is
        sure and none follows."""
        stage, found = self.procedure.stages[at], []
        for phase in phases:
            first = self._first((*phase.steps, *phase.closing), _base(stage, phase))
            found += [first] if first else []
            if first and phase.when is None:
                return self.phrases.word("or_number").join(found)
        return self.phrases.word("or_number").join([*found, self._end_of_stage(at)]) if found else ""

    def _end_of_stage(self, at: int) -> str:
        if at < 0:
            return self.phrases.word("next_stage_over")
        stage = self.procedure.stages[at]
        return self._first(stage.closing, stage.id) or self._after_stage(at)

    def _entry(self, at: int) -> str:
        stage = self.procedure.stages[at]
        return self._onward(at, stage.phases) or self._first(stage.closing, stage.id) or self._after_stage(at)

    def _after_stage(self, at: int) -> str:
        """The stages that may come next: those with a condition, and the first without one."""
        found: list[str] = []
        for number in range(at + 1, len(self.procedure.stages)):
            found.append(self.phrases.word("next_stage", number=number + 1))
            if self.procedure.stages[number].when is None:
                return self.phrases.word("or_number").join(found)
        return self.phrases.word("or_number").join([*found, self.phrases.word("next_over")])

    def _conditions(self, *conditions: tuple[Condition | None, str]) -> tuple[str, ...]:
        return tuple(
            self.phrases.word("path_part", part=part, condition=self.phrases.condition(condition))
            for condition, part in conditions
            if condition is not None
        )


def goes_on(steps: Sequence[Step]) -> bool:
    """Whether some case gets to the end of these steps."""
    for step in steps:
        if step.info.when is not None:
            continue
        if isinstance(step, End | Continue):
            return False
        if isinstance(step, If) and not (goes_on(step.body) or goes_on(step.otherwise)):
            return False
        if isinstance(step, Perform | Repeat) and not goes_on(step.body):
            return False
    return True


def runs_out(procedure: Procedure) -> bool:
    """Whether a case may come to the end of the last stage without an end that is named."""
    if not procedure.stages:
        return True
    last = procedure.stages[-1]
    sure = (phase for phase in last.phases if phase.when is None)
    return last.when is not None or all(goes_on((*phase.steps, *phase.closing)) for phase in sure)


def _base(stage: Stage, phase: Phase) -> str:
    return f"{stage.id}/{phase.id}" if phase.id else stage.id


def place_in(base: str, step: Step) -> str:
    """The place of a step among those that begin with `base`; the id of one of an event is a place of its own."""
    return step.info.id if step.info.id.startswith(EVENT_MARK) else f"{base}/{step.info.id}"


def _places(stage: Stage) -> Iterator[str]:
    for phase in stage.phases:
        yield from (place_in(_base(stage, phase), step) for step in steps_in(phase))
    yield from (place_in(stage.id, step) for step in walk(stage.closing))


def _all(procedure: Procedure) -> Iterator[Step]:
    for stage in procedure.stages:
        yield from steps_of(stage)
    for event in procedure.interruptions:
        yield from walk(event.steps)


def _end_key(step: End) -> str:
    """Two steps bring about one end where outcome and document are the same."""
    return f"{step.outcome or step.info.cue}|{step.document}"
