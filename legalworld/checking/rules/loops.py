"""Rules about what turns go by: topics, checklists, reviews; and about samples and phases that are reopened."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import plan
from ...model import procedure as p
from ...model.actors import FieldRef, LoopPerson, Related
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.draft import Draft
from ...model.steps.for_each import ForEach
from ...model.steps.reopen import Reopen
from ..abstract_walk import Visit
from ..actor_words import worded, written_at
from ..template_readers import CheckContext


def no_lists(context: CheckContext) -> Iterator[Diagnostic]:
    """LW261: topics, or a sample, of something that is no list."""
    references: dict[Span, FieldRef] = {}
    for _, step in context.step_visits:
        references |= {where.span: where for where in step.list_references}
    for span, where in references.items():
        if not listed(context.procedure, where):
            yield diagnose.expected_list_field(span, name=where.name, also=_declared(context, where.name))


def listed(procedure: p.Procedure, where: FieldRef) -> bool:
    """Whether a list may stand at a reference: below a field, or in hand, anything may."""
    if where.path:
        return True
    if where.name in procedure.fields:
        people = {role.each for role in procedure.roles.values()}
        return procedure.fields[where.name].each or where.name in people
    if where.name in procedure.answers:
        return procedure.answers[where.name].form == "list"
    return where.name not in procedure.documents


def _declared(context: CheckContext, name: str) -> tuple[Span, ...]:
    span = context.declaration(name)
    return (span,) if span is not None else ()


def later_phases(context: CheckContext) -> Iterator[Diagnostic]:
    """LW263: a phase is reopened that is not over by then."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        if isinstance(step, Reopen) and visit.span not in told:
            known = _before(context.procedure.stages[visit.stage], visit)
            if step.phase not in known:
                told.add(visit.span)
                yield diagnose.unknown_earlier_phase(visit.span, name=step.phase, known=known)


def _before(stage: p.Stage, visit: Visit) -> tuple[str, ...]:
    """The phases before the first one that holds a step; of an event, before the one in which it comes."""
    here = [any(step.info.span == visit.span for step in p.steps_in(phase)) for phase in stage.phases]
    if not any(here):
        here = [phase.id == visit.phase for phase in stage.phases]
    return tuple(phase.id for phase in stage.phases[: here.index(True) if any(here) else 0] if phase.id)


def reviews_of_nobody(context: CheckContext) -> Iterator[Diagnostic]:
    """LW267, LW268, LW460: words are to be reviewed that nobody says, or nobody but the reviewer; or twice by one."""
    twice: dict[tuple[Span, str], None] = {}
    silent: dict[tuple[Span, str], bool] = {}
    alone: dict[tuple[Span, str], bool] = {}
    roles = context.procedure.roles
    for visit, step in context.step_visits:
        review = step.info.review
        if review is None or visit.stopped is not None:
            continue
        speakers = visit.cast.all(step.all_speakers)
        for actor in review.of:
            key = (written_at(actor, review.span), worded(actor))
            heard = visit.cast.unknown(actor) or not speakers.isdisjoint(visit.cast.of(actor))
            silent[key] = silent.get(key, True) and not heard
        those = visit.cast.all(review.of) if review.of else speakers
        for actor in review.reviewers:
            reader, key = visit.cast.of(actor), (written_at(actor, review.span), worded(actor))
            peers = any(roles[role].each or roles[role].persons > 1 for role in reader)
            alone[key] = alone.get(key, True) and bool(reader) and those == reader and not peers
        known = [visit.cast.certain(actor) or actor for actor in review.reviewers]
        again = (one for n, one in enumerate(review.reviewers) if known[n] in known[:n])
        twice |= {(written_at(one, review.span), worded(one)): None for one in again}
    for kind, by_place in ((diagnose.review_of_silent_actor, silent), (diagnose.review_of_oneself, alone)):
        for (span, name), wrong in by_place.items():
            if wrong:
                yield kind(span, actor=name)
    for span, name in twice:
        yield diagnose.repeated_reviewer(span, actor=name)


def unseen_topics(context: CheckContext) -> Iterator[Diagnostic]:
    """LW269: who is to raise the topics is not shown them."""
    openers: dict[Span, tuple[FieldRef, set[str]]] = {}
    for visit, step in context.step_visits:
        if step.raised_topics is None or visit.stopped is not None:
            continue
        opener, topics = step.raised_topics
        field_ = context.procedure.fields.get(topics.where.name)
        if context.declaration(topics.where.name) is not None and not (field_ is not None and field_.items):
            openers.setdefault(visit.span, (topics.where, set()))[1].update(visit.cast.of(opener))
    told: set[tuple[Span, str]] = set()
    for at in context.occasions:
        if at.span not in openers or at.act != "converse" or (at.span, at.role) in told:
            continue
        where, roles = openers[at.span]
        if at.role in roles and not any(grant.what == where.name for grant in context.opened(at)):
            told.add((at.span, at.role))
            yield diagnose.unseen_topics(
                where.span, actor=at.role, name=where.name, also=_declared(context, where.name)
            )


def unused_checklists(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: a checklist by which nobody goes."""
    used = {step.checklist_name for _, step in context.step_visits}
    for name, tasks in context.procedure.checklists.items():
        if name not in used and tasks:
            yield diagnose.unused_declaration(tasks[0].listed, name=name)


def replaced_in_loops(context: CheckContext) -> Iterator[Diagnostic]:
    """LW776: a document is written once more each time that a loop comes round, and shown in a later stage, where only
    the last is left."""
    procedure, told = context.procedure, set[str]()
    for number, stage in enumerate(procedure.stages):
        later = {one.id for one in procedure.stages[number + 1 :]}
        shown = {grant.what for grant in procedure.grants if grant.stage in later}
        for loop in (step for step in p.steps_of(stage) if isinstance(step, ForEach)):
            for step in plan.walk(loop.body):
                for name in step.document_names if isinstance(step, Draft) else ():
                    if name in shown and name not in told and not _each_his_own(context, loop, step, name):
                        told.add(name)
                        yield diagnose.replaced_in_a_loop(step.info.span, document=name, also=(loop.info.span,))


def _each_his_own(context: CheckContext, loop: ForEach, step: plan.Step, name: str) -> bool:
    """Whether what a loop has written is kept side by side: each side writes its own, and the loop goes over sides."""
    roles = context.procedure.roles
    sides = {roles[role].side for actor in loop.persons for role in p.roles_in(actor) if role in roles} - {""}
    his = any(isinstance(actor, LoopPerson | Related) for actor in step.named_actors)
    return context.procedure.documents[name].sided and len(sides) > 1 and his


RULES = (no_lists, later_phases, reviews_of_nobody, unseen_topics, unused_checklists, replaced_in_loops)
