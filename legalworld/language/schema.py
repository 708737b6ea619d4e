"""The keys of a spec and of the files it names: skill cards and personas."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from .schema_of_tests import ProcedureTestSurface
from .surfaces import Names, Surface, Text, Texts
from .yaml.nodes import Node


class TypeSurface(Surface):
    """The type of a value; by its name alone where nothing more is to be said of it."""

    SHORT: ClassVar[str] = "type"

    type: Text | None = None
    currency: Text | None = None
    unit: Text | None = None
    choices: Texts = ()
    refers_to: Texts = ()
    many: Text | None = None
    unique: Text | None = None
    partial: Text | None = None


class CaseField(Surface):
    title: Text | None = None
    path: Text
    per: Text | None = None
    each: Text | None = None
    keys: Names = field(default_factory=dict)
    required: Text | None = None
    evaluation_only: Text | None = None
    amends: Text | None = None
    in_force_from: Text | None = None
    type: TypeSurface | None = None
    types: dict[str, TypeSurface] = field(default_factory=dict)


class RoleSurface(Surface):
    title: Text | None = None
    kind: Text | None = None
    side: Text | None = None
    represents: Text | None = None
    party: Text | None = None
    persona: Text | None = None
    named: Text | None = None
    each: Text | None = None
    persons: Text | None = None
    assigned: Text | None = None
    formerly: Text | None = None
    alongside: Text | None = None
    label: Text | None = None
    when: Text | None = None
    absent_if: Text | None = None
    absent_from: Texts = ()


class DateSurface(Surface):
    title: Text | None = None
    from_: Text | None = None
    is_: Text | None = None
    rolls: Text | None = None


class OptionSurface(Surface):
    title: Text | None = None
    choices: Texts = ()
    default: Text
    basis: Texts = ()


class DocumentSurface(Surface):
    title: Text
    per: Text | None = None
    basis: Texts = ()
    sections: Texts = ()
    required: Texts = ()
    holds: Texts = ()
    follows: Texts = ()
    refers_to: Texts = ()
    max_tokens: Text | None = None


class AnswerSurface(Surface):
    """How an answer and what it may be are called, and of which type it is; that alone may be said by its name."""

    SHORT: ClassVar[str] = "type"

    title: Text | None = None
    choices: dict[str, Text] = field(default_factory=dict)
    type: Text | None = None
    currency: Text | None = None
    unit: Text | None = None
    partial: Text | None = None


class DecisionSurface(Surface):
    """What a court decides: the documents that state it, and its parts, each by the answer that it is kept as."""

    title: Text | None = None
    documents: Texts
    claims: Text | None = None
    accused: Text | None = None
    exhibits: Texts = ()
    instance: Text | None = None
    below: Text | None = None
    findings: Text | None = None
    reasons: Text | None = None
    orders: Text | None = None
    results: Text | None = None
    verdicts: Text | None = None
    sentences: Text | None = None
    costs: Text | None = None
    ballots: Text | None = None
    outcomes: dict[str, Text] = field(default_factory=dict)
    also: Texts = ()
    norms: Text | None = None
    material: dict[str, Text] = field(default_factory=dict)


class ConductSurface(Surface):
    rule: Text
    title: Text | None = None
    who: Text | None = None
    acts: Texts = ()
    stages: Texts = ()
    documents: Texts = ()
    check: Text


class ModelSurface(Surface):
    temperature: Text | None = None
    top_p: Text | None = None
    max_tokens: Text | None = None
    thought_tokens: Text | None = None
    acts: dict[str, Text] = field(default_factory=dict)


class StepSurface(Surface):
    """`head` is the one key of a step that is no property; its value is the cue, a body, or arguments."""

    HEADED: ClassVar[bool] = True

    head: Text
    cue: Text | None = None
    body: tuple[StepSurface, ...] | None = None
    arguments: dict[str, Text] | None = None
    id: Text | None = None
    prompt: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    on: Text | None = None
    until: Text | None = None
    at_most: Text | None = None
    produces: Text | None = None
    call: Text | None = None
    close: Text | None = None
    pass_: Text | None = None
    answer: Text | None = None
    default: Text | None = None
    outcome: Text | None = None
    as_: Text | None = None
    topics: Text | None = None
    topic: Text | None = None
    checklist: Text | None = None
    done: Text | None = None
    reviewed_by: Text | None = None
    reviews: Text | None = None
    approve: Text | None = None
    scores: Texts = ()
    score_range: Text | None = None
    drafts: Text | None = None
    reveals: Text | None = None
    carried_by: Text | None = None
    tie: Text | None = None
    present: Text | None = None
    closed_to: Text | None = None
    heard_by: Text | None = None
    objections_by: Text | None = None
    intended_in: Text | None = None
    object: Text | None = None
    let_pass: Text | None = None
    ruled_by: Text | None = None
    ruling: Text | None = None


class PhaseSurface(Surface):
    phase: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    on: Text | None = None
    hooks: Text | None = None
    present: Text | None = None
    closed_to: Text | None = None
    heard_by: Text | None = None
    off_the_record: Text | None = None
    recalls: Texts | None = None
    steps: tuple[StepSurface, ...] = ()


class StageSurface(Surface):
    stage: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    on: Text | None = None
    budget: Text | None = None
    present: Text | None = None
    closed_to: Text | None = None
    minutes: Text | None = None
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    steps: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


class PartSurface(Surface):
    title: Text | None = None
    needs: Texts = ()
    defaults: dict[str, Text] = field(default_factory=dict)
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    steps: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


class ToolSurface(Surface):
    operation: Text | None = None
    title: Text | None = None
    does: Text | None = None
    who: Texts = ()
    stages: Texts = ()
    acts: Texts = ()
    at_most: Text | None = None
    when: Text | None = None
    parameters: dict[str, Text] = field(default_factory=dict)


class MemoryFieldSurface(Surface):
    title: Text | None = None
    at_most: Text | None = None
    keys: Texts = ()
    choices: dict[str, Texts] = field(default_factory=dict)
    write: Text | None = None
    when: Text | None = None


class MemorySurface(Surface):
    cue: Text
    when: Text | None = None
    stages: Texts = ()
    fields: dict[str, MemoryFieldSurface]


class EventSurface(Surface):
    """An event: raised by somebody with a token, or by a condition."""

    title: Text | None = None
    basis: Texts = ()
    raised_by: Text | None = None
    token: Text | None = None
    whenever: Text | None = None
    when: Text | None = None
    during: Texts = ()
    at_most: Text | None = None
    intended_in: Text | None = None
    steps: tuple[StepSurface, ...] = ()


class TasksSurface(Surface):
    """A part of a checklist."""

    stage: Text
    title: Text | None = None
    items: Texts = ()


class SpecSurface(Surface):
    """A procedure file, or a file that one includes (then without `procedure`).

    `changes`: what becomes of the procedure that this one `extends`, as sentences; `link/inherit.py` reads them.
    """

    lw: Text
    procedure: Text | None = None
    title: Text | None = None
    source: Text | None = None
    locale: Text | None = None
    wording: Texts = ()
    example: Text | None = None
    law: Texts = ()
    law_at: Texts = ()
    include: Texts = ()
    extends: Text | None = None
    changes: Node | None = None
    model: ModelSurface | None = None
    case: dict[str, CaseField] = field(default_factory=dict)
    kinds: dict[str, Text] = field(default_factory=dict)
    roles: dict[str, RoleSurface] = field(default_factory=dict)
    target: Texts = ()
    lists: dict[str, Node] = field(default_factory=dict)
    options: dict[str, OptionSurface] = field(default_factory=dict)
    documents: dict[str, DocumentSurface] = field(default_factory=dict)
    decisions: dict[str, DecisionSurface] = field(default_factory=dict)
    dates: dict[str, DateSurface] = field(default_factory=dict)
    holidays: Text | None = None
    personas: dict[str, Text] = field(default_factory=dict)
    visibility: Text | None = None
    conduct: tuple[ConductSurface, ...] = ()
    stages: tuple[StageSurface, ...] = ()
    parts: dict[str, PartSurface] = field(default_factory=dict)
    events: dict[str, EventSurface] = field(default_factory=dict)
    tools: dict[str, ToolSurface] = field(default_factory=dict)
    tool_calls: Text | None = None
    skills: Texts = ()
    memory: dict[str, MemorySurface] = field(default_factory=dict)
    checklists: dict[str, tuple[TasksSurface, ...]] = field(default_factory=dict)
    answers: dict[str, AnswerSurface] = field(default_factory=dict)
    tests: tuple[ProcedureTestSurface, ...] = ()


class GrownSurface(Surface):
    """Where a card that was written after runs comes from. The procedure does not go by it."""

    version: Text
    parents: Texts = ()
    runs: Texts = ()
    cases: Texts = ()
    rubric: Text | None = None
    before: Text | None = None
    after: Text | None = None
    date: Text | None = None
    by: Text | None = None


class SkillSurface(Surface):
    """A card in `skills/`: `NAME.yaml`, or `NAME.md` with these keys in front and its `body` below."""

    lw: Text
    skill: Text
    title: Text
    who: Texts = ()
    stages: Texts = ()
    trigger: Text
    acts: Texts = ()
    task: Text
    checklist: Texts = ()
    output: Text
    tools: Texts = ()
    body: Text | None = None
    grown: GrownSurface | None = None


class DimensionSurface(Surface):
    title: Text
    levels: dict[str, Text]


class ProfileSurface(Surface):
    title: Text
    levels: dict[str, Text]


class PersonaSurface(Surface):
    """A file in `personas/`; `extends`: another one, whose dimensions and profiles it adds to."""

    lw: Text
    persona: Text
    extends: Text | None = None
    title: Text | None = None
    source: Text | None = None
    dimensions: dict[str, DimensionSurface]
    profiles: dict[str, ProfileSurface] = field(default_factory=dict)
    redistribution: Node | None = None
