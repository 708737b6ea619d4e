"""What the rules of the checker look at: the procedure, its templates, and who reads which template where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from ..model import plan, step_facts
from ..model import procedure as p
from ..model.actors import Actor, FieldRef, LoopPerson
from ..model.conditions import Answered, Condition, HasValue, Measures, SameAnswers, ValueIs, leaves
from ..model.immutable import immutable
from ..model.source import Span
from ..model.steps.sample import Sample
from ..model.steps.vote import Vote
from ..templates import lookups
from ..templates.lookups import Speaker
from ..templates.reads import PathRead
from ..templates.template_set import TemplateSet
from .abstract_walk import LoopRecord, Visit, walk_procedure

Space = Literal["own", "other", "known", "minutes"]

SPACES: Final[Mapping[str, Space]] = {"own": "own", "other": "other", "known": "known", "minutes": "minutes"}


@immutable
class Occasion:
    """Somebody of a role may be given the word here, to do `act`; `take` when he has a document taken from the case.

    `phase`, `over`, `loop_record`: as in `Visit`. `document`: what he writes, if he does. `chosen`: the step says by
    `prompt` whose words it has.
    """

    stage: str
    phase: str
    over: frozenset[str]
    role: str
    kind: str
    act: str
    prompt: str
    loop_record: LoopRecord | None
    document: str
    span: Span
    chosen: bool = False


@immutable
class Showing:
    """A granted field, document or answer on its way into `know/`: by which cell, and as whose."""

    grant: p.Grant
    space: Space


@immutable
class TemplateUse:
    """A template that is rendered for somebody of a role; `showing` for those of `know/`."""

    home: str
    at: Occasion
    showing: Showing | None = None


@immutable
class MissingTemplate:
    """A template that somebody would be given and that is not there: the most general name it could have."""

    name: str
    at: Occasion


_Uses = tuple[TemplateUse, ...]


@dataclass(frozen=True)
class CheckContext:
    """One check of one procedure."""

    procedure: p.Procedure
    templates: TemplateSet
    _reads: dict[str, tuple[PathRead, ...]] = field(default_factory=dict, repr=False)
    _items: dict[str, tuple[PathRead, ...]] = field(default_factory=dict, repr=False)
    _subjects: dict[str, tuple[tuple[Space, str, PathRead], ...]] = field(default_factory=dict, repr=False)

    def inherited(self, span: Span) -> bool:
        """Whether this was written for a procedure that the checked one extends: what is idle may serve that one."""
        return span.file in self.procedure.inherited

    @cached_property
    def visits(self) -> tuple[Visit, ...]:
        return walk_procedure(self.procedure)

    @cached_property
    def step_visits(self) -> tuple[tuple[Visit, plan.Step], ...]:
        """The visits to steps alone."""
        return tuple((visit, visit.what) for visit in self.visits if isinstance(visit.what, plan.Step))

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        """Every way in which somebody may be given the word, each once."""
        occasions: dict[tuple[object, ...], Occasion] = {}
        for visit in self.visits:
            if isinstance(visit.what, p.Stage) and visit.what.minutes and visit.stopped is None:
                for role in sorted(visit.cast.all(visit.what.minutes)):
                    kind = self.procedure.roles[role].kind
                    where = (visit.what.id, "", frozenset[str](), role, kind, "minutes", "", None, "", visit.span)
                    occasions[where[:-1]] = Occasion(*where)
            if visit.stopped is None and isinstance(visit.what, plan.Step):
                for at in self._occasions(visit, visit.what):
                    key = (at.stage, at.phase, at.over, at.role, at.act, at.prompt, at.loop_record, at.document)
                    occasions.setdefault(key, at)
        return tuple(occasions.values())

    def _occasions(self, visit: Visit, step: plan.Step) -> Iterator[Occasion]:
        stage = self.procedure.stages[visit.stage].id
        for slot in step_facts.turn_slots(step):
            for role in sorted(visit.cast.all(slot.actors)):
                yield Occasion(
                    stage,
                    visit.phase,
                    visit.over,
                    role,
                    self.procedure.roles[role].kind,
                    slot.act,
                    step.info.prompt,
                    visit.loop_record,
                    slot.document,
                    visit.span,
                    step.info.prompt != step.info.id.rpartition(".")[2],
                )

    @cached_property
    def held(self) -> Mapping[str, tuple[LoopRecord, ...]]:
        """Answer -> the records that may be in hand when it is given."""
        records: dict[str, dict[LoopRecord, None]] = {}
        for visit, step in self.step_visits:
            if visit.stopped is None and visit.loop_record:
                for name in step_facts.answers_of(step):
                    records.setdefault(name, {})[visit.loop_record] = None
                    for around in _around_himself(visit, step_facts.answerers_of(step, name)):
                        records[name][around] = None
        return {name: tuple(loop_records) for name, loop_records in records.items()}

    @cached_property
    def sampled(self) -> Mapping[str, tuple[str, ...]]:
        """Sample -> the fields that it may be drawn from; "" where it is drawn from something below one."""
        fields_of: dict[str, dict[str, None]] = {}
        for _, step in self.step_visits:
            if isinstance(step, Sample):
                fields_of.setdefault(step.name, {})["" if step.where.path else step.where.name] = None
        return {name: tuple(fields) for name, fields in fields_of.items()}

    @cached_property
    def voted(self) -> Mapping[str, tuple[Vote, ...]]:
        """Answer -> the votes on it."""
        votes: dict[str, dict[Span, Vote]] = {}
        for _, step in self.step_visits:
            if isinstance(step, Vote):
                votes.setdefault(step.answer.name, {})[step.info.span] = step
        return {name: tuple(found.values()) for name, found in votes.items()}

    # ---- what is granted ---------------------------------------------------------------------------------------------
    @cached_property
    def grants(self) -> dict[tuple[str, str], list[p.Grant]]:
        """Stage and kind -> the cells that grant them something."""
        cells: dict[tuple[str, str], list[p.Grant]] = {}
        for grant in self.procedure.grants:
            cells.setdefault((grant.stage, grant.kind), []).append(grant)
        return cells

    @cached_property
    def stages(self) -> Mapping[str, p.Stage]:
        return {stage.id: stage for stage in self.procedure.stages}

    def declaration(self, name: str) -> Span | None:
        """Where a field, document, answer or stage is declared."""
        procedure = self.procedure
        if name in self.stages:
            return self.stages[name].span
        for table in (procedure.fields, procedure.documents, procedure.dates, procedure.answers):
            if name in table:
                return table[name].span
        return None

    def sided(self, name: str) -> bool:
        """Whether a field or document has one value for each side."""
        declared = self.procedure.fields.get(name) or self.procedure.documents.get(name)
        return declared is not None and declared.sided

    def spaces(self, grant: p.Grant) -> tuple[Space, ...]:
        """By which names a template reads what a cell grants."""
        if grant.whose == "minutes":
            return ("minutes",)
        if not self.sided(grant.what):
            return ("known",)
        return ("own", "other") if grant.whose == "all" else (grant.whose,)

    def opened(self, at: Occasion) -> Iterator[p.Grant]:
        """The cells that have opened at an occasion, but for their conditions: `after` binds those who have a side."""
        waits = bool(self.procedure.roles[at.role].side)
        for grant in self.grants.get((at.stage, at.kind), ()):
            if not (waits and grant.after) or grant.after in at.over:
                yield grant

    # ---- which template is whose -------------------------------------------------------------------------------------
    @cached_property
    def uses(self) -> tuple[TemplateUse, ...]:
        return self._lookups[0]

    @cached_property
    def wanted(self) -> tuple[MissingTemplate, ...]:
        return self._lookups[1]

    @cached_property
    def candidates(self) -> frozenset[str]:
        """Every name by which some template could be found."""
        return self._lookups[2]

    @cached_property
    def misplaced(self) -> Mapping[str, MissingTemplate]:
        """Neutral templates with names of one procedure: home -> the name, and who would find it."""
        return self._lookups[3]

    @cached_property
    def _lookups(self) -> tuple[_Uses, tuple[MissingTemplate, ...], frozenset[str], Mapping[str, MissingTemplate]]:
        lookup = _Lookup(self)
        for at in self.occasions:
            lookup.occasion(at)
        uses, wanted = tuple(lookup.uses.values()), tuple(lookup.wanted.values())
        return uses, wanted, frozenset(lookup.names), lookup.misplaced

    def reads(self, home: str) -> tuple[PathRead, ...]:
        """The paths that a template and those it includes read."""
        paths = self._reads.get(home)
        if paths is None:
            paths = self._reads[home] = self.templates.reads(home)
        return paths

    def subjects(self, home: str) -> tuple[tuple[Space, str, PathRead], ...]:
        """What a template reads of the case: as whose, which field, document or answer, where first in each file."""
        subjects = self._subjects.get(home)
        if subjects is None:
            first: dict[tuple[Space, str, str], PathRead] = {}
            for read in self.reads(home):
                if len(read.path) > 1 and read.path[0] in SPACES:
                    first.setdefault((SPACES[read.path[0]], read.path[1], read.span.file), read)
            subjects = self._subjects[home] = tuple((space, name, read) for (space, name, _), read in first.items())
        return subjects

    def items(self, home: str) -> tuple[PathRead, ...]:
        """Where a template reads a record that a step has, or an answer had, in hand."""
        paths = self._items.get(home)
        if paths is None:
            reads = (read for read in self.reads(home) if "item" in read.path[1:-1])
            paths = self._items[home] = tuple(read for read in reads if read.path[0] in ("step", "known", "shown"))
        return paths

    # ---- conditions --------------------------------------------------------------------------------------------------
    @cached_property
    def conditions(self) -> tuple[tuple[Condition, Visit], ...]:
        """The simple parts of all conditions of stages, phases, events and steps, with the visits that ask them."""
        return tuple((leaf, visit) for visit in self.visits for leaf in asked(visit))

    @cached_property
    def references(self) -> tuple[FieldRef, ...]:
        """Fields, documents and answers that the procedure itself reads."""
        of_roles = [leaf for role in self.procedure.roles.values() for leaf in leaves(role.when)]
        references = [where for leaf, _ in self.conditions for where in read_by(leaf)]
        asked_of = [leaf for grant in self.procedure.grants for leaf in leaves(grant.condition)]
        references += [where for leaf in asked_of for where in read_by(leaf)]
        references += [where for leaf in of_roles for where in read_by(leaf)]
        of_tools = [leaf for tool in self.procedure.tools.values() for leaf in leaves(tool.when)]
        references += [where for leaf in of_tools for where in read_by(leaf)]
        absences = [role.absence for role in self.procedure.roles.values() if role.absence is not None]
        references += [where for one in absences for leaf in leaves(one.condition) for where in read_by(leaf)]
        references += [where for _, step in self.step_visits for where in step.references]
        intended = [event for event in self.procedure.interruptions if event.intended]
        references += [FieldRef(event.intended, (), None, event.span) for event in intended]
        objections = [step.info.objection for _, step in self.step_visits if step.info.objection is not None]
        references += [FieldRef(one.intended, (), None, one.span) for one in objections if one.intended]
        return tuple(references)


class _Lookup:
    """Finds the templates of occasions as the engine does (`lookups`, `floor`), each use once."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.uses: dict[tuple[object, ...], TemplateUse] = {}
        self.wanted: dict[str, MissingTemplate] = {}
        self.names: set[str] = set()
        self.misplaced: dict[str, MissingTemplate] = {}
        self.found: dict[tuple[str, ...], str | None] = {}
        self.seen: set[tuple[object, ...]] = set()

    def occasion(self, at: Occasion) -> None:
        if at.act in ("take", "minutes"):
            self._use(lookups.minutes(at.stage) if at.act == "minutes" else lookups.document(at.document), at)
            return
        speaker = Speaker(at.role, at.kind, at.stage, at.phase)
        for folder in ("act", "offline"):
            self._use(lookups.act(folder, at.act, at.prompt, speaker), at)
        for candidates in (("again",), ("heard",)):
            self._use(candidates, at)
        if self.context.procedure.answers and self.context.templates.find(("unanswered",)) is not None:
            self._use(("unanswered",), at)
        if any(paper.refers_to for paper in self.context.procedure.documents.values()):
            self._use(("unlisted",), at)
        if self.context.procedure.dates:
            self._use(lookups.today(), at)
        self._practice(at)
        place = (at.role, at.stage, at.phase, at.over, at.loop_record)
        if place in self.seen:
            return
        self.seen.add(place)
        self._use(lookups.who(speaker), at)
        self._use(lookups.stage_brief(speaker), at)
        if at.phase:
            self._use(lookups.phase_brief(speaker), at)
        for grant in self.context.opened(at):
            for space in self.context.spaces(grant):
                self._use(lookups.shown_part(space, grant.what, at.stage), at, Showing(grant, space))

    def _practice(self, at: Occasion) -> None:
        """Templates about memory, tools and skills, for those who have them."""
        procedure = self.context.procedure
        if procedure.interruptions:
            self._use(("events",), at)
        if at.kind in procedure.memory:
            self._use(("memory",), at)
        if procedure.tools:
            for name in ("tools", "results", "refused"):
                self._use((name,), at)
            if self.context.templates.find(("offer",)) is not None:  # without it a tool is offered by what it does
                self._use(("offer",), at)
        if procedure.skills:
            self._use(("skill",), at)

    def _use(self, candidates: tuple[str, ...], at: Occasion, showing: Showing | None = None) -> None:
        if candidates not in self.found:
            self.names.update(candidates)
            self.found[candidates] = self.context.templates.find(candidates)
            for name in candidates:
                self._misplaced(name, at)
        home = self.found[candidates]
        if home is None:
            self.wanted.setdefault(candidates[-1], MissingTemplate(candidates[-1], at))
            return
        shown = (id(showing.grant), showing.space) if showing is not None else ()
        self.uses.setdefault((home, at.stage, at.over, at.role, at.loop_record, shown), TemplateUse(home, at, showing))

    def _misplaced(self, name: str, at: Occasion) -> None:
        home = self.context.templates.neutral(name)
        if home is None or (at.chosen and name.endswith(f".{at.prompt}")):
            return
        if lookups.particular(name, at.role, at.kind) or home.count("/") == 1:  # beside the locales
            self.misplaced.setdefault(home, MissingTemplate(name, at))


def _around_himself(visit: Visit, answerers: tuple[Actor, ...]) -> Iterator[LoopRecord]:
    """The record of the loop around, where the innermost loop has come to the very person who answers."""
    loops = list(visit.loop_records.items())
    if len(loops) > 1 and all(isinstance(one, LoopPerson) and one.variable == loops[-1][0] for one in answerers):
        yield loops[-2][1]


def asked(visit: Visit) -> Iterator[Condition]:
    """The simple parts of the conditions that stand at one place."""
    yield from leaves(visit.when)
    match visit.what:
        case plan.Step() as step:
            for condition in step.conditions:
                yield from leaves(condition)
        case p.Interruption(whenever=whenever):
            yield from leaves(whenever)
        case p.Phase(off_record=p.OffRecord(condition=withheld_when)):
            yield from leaves(withheld_when)
        case _:
            return


def read_by(leaf: Condition) -> tuple[FieldRef, ...]:
    """What a simple condition reads."""
    match leaf:
        case Answered(answer=answer) | SameAnswers(answer=answer):
            return (answer,)
        case ValueIs(where=where) | HasValue(where=where):
            return (where,)
        case Measures(left, _, right):
            return (left, right) if isinstance(right, FieldRef) else (left,)
        case _:
            return ()
