"""Rules about answers: whose they can be, what they can be about; what is counted and added up; votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from ...language import diagnose
from ...language.spelling import nearest
from ...model import plan, step_facts
from ...model.actors import Actor, FieldRef, RoleHolders, VotersOf
from ...model.conditions import Answered, Condition, HasValue, Measures, SameAnswers, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span, place_of
from ...model.steps.for_each import ForEach
from ...model.steps.record import RecordAnswer
from ...model.steps.vote import AVERAGES, Vote
from ..abstract_walk import LoopRecord, Visit
from ..actor_words import worded, written_at
from ..template_readers import CheckContext, asked, read_by
from .loops import listed


def unasked_answers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW440: the answer of a person who is never asked for it, or about a record about which nobody is."""
    found: dict[Span, tuple[FieldRef, bool]] = {}
    answerers = _answerers(context)
    for where, visit in _meant(context):
        may = _may_be(context, where, visit, answerers.get(where.name, frozenset()))
        found[where.span] = where, may or found.get(where.span, (where, False))[1]
    for span, (where, may) in found.items():
        if not may:
            whose = worded(where.of) if where.of is not None else where.about
            yield diagnose.unasked_answer(span, name=where.name, whose=whose)


def _answerers(context: CheckContext) -> dict[str, frozenset[str]]:
    """Answer -> the first roles of those who may give it."""
    roles: dict[str, frozenset[str]] = {}
    for visit, step in context.step_visits:
        for name in step_facts.answers_of(step) if visit.stopped is None else ():
            roles[name] = roles.get(name, frozenset()) | visit.cast.all(step_facts.answerers_of(step, name))
    return roles


def _meant(context: CheckContext) -> Iterator[tuple[FieldRef, Visit]]:
    """Every reference to the answer of somebody, or about something, with the visits at which it is made."""
    granted: dict[str, list[FieldRef]] = {}
    for grant in context.procedure.grants:
        granted.setdefault(grant.stage, []).extend(_read(leaves(grant.condition)))
    for visit in context.visits:
        if visit.stopped is not None and visit.stopped != visit.span:
            continue
        references = [*_read(asked(visit)), *granted.get(context.procedure.stages[visit.stage].id, ())]
        if isinstance(visit.what, plan.Step):
            references += visit.what.references
        for where in references:
            if where.name in context.procedure.answers and (where.of is not None or where.about):
                yield where, visit


def _read(conditions: Iterable[Condition]) -> Iterator[FieldRef]:
    for leaf in conditions:
        yield from read_by(leaf)


def _may_be(context: CheckContext, where: FieldRef, visit: Visit, answerers: frozenset[str]) -> bool:
    """Whether such an answer can have been given in some case."""
    if where.of is not None:
        return visit.cast.unknown(where.of) or not answerers.isdisjoint(visit.cast.of(where.of))
    record = visit.loop_records.get(where.about)
    if record is None or not answerers.isdisjoint(record.persons):
        return True
    return any(_alike(context, record, other) for other in context.held.get(where.name, ()))


def _alike(context: CheckContext, one: LoopRecord, other: LoopRecord) -> bool:
    """Whether two loops may have one record in hand."""
    fields = [frozenset(context.sampled.get(record.field, (record.field,))) for record in (one, other)]
    if "" in fields[0] | fields[1]:
        return True
    sides = not (one.sides and other.sides) or not one.sides.isdisjoint(other.sides)
    drawn = one.field in context.sampled or other.field in context.sampled
    return one.deep == other.deep and not fields[0].isdisjoint(fields[1]) and (sides or drawn)


Loops = tuple[ForEach, ...]


def answers_of_the_last_alone(context: CheckContext) -> Iterator[Diagnostic]:
    """LW449, LW774: an answer is asked for, put down, or voted on, item by item in a loop, and read behind it:
    only the last one counts; or single votes on all the records are counted, and not what came of each."""
    loops = _asking_loops(context)
    for leaf, around in _read_in_loops(context):
        for where, last in _counted(leaf):
            asked_in = loops.get(where.name, [])
            if where.of is not None:
                continue
            # what was said about one record is found again; not what each of several persons said of it
            behind = _behind(asked_in, around)
            if where.about and (behind is None or behind.within is not None):
                behind = _outer_left_out(asked_in, around) if last else None
            if behind is None:
                continue
            also = (behind.info.span,)
            if where.name in context.voted:
                kind = diagnose.last_vote_alone if last else diagnose.single_votes_counted
                yield kind(where.span, name=where.name, also=also)
            elif last and not isinstance(leaf, HasValue):
                yield diagnose.last_answer_alone(where.span, name=where.name, also=also)


def _counted(leaf: Condition) -> Iterator[tuple[FieldRef, bool]]:
    """The answers that a simple condition reads, each with whether only the last ones of that name count."""
    match leaf:
        case Answered(quantifier, where):
            yield where, quantifier in ("last", "carried")
        case SameAnswers(where):
            yield where, False
        case HasValue(where):
            yield where, True
        case Measures(left, _, right, "value"):
            yield from ((where, True) for where in (left, right) if isinstance(where, FieldRef))


def factions_of_the_last_vote(context: CheckContext) -> Iterator[Diagnostic]:
    """LW773: the minority or majority of a vote that is taken on one record after the other, behind that loop."""
    loops, told = _asking_loops(context), set[Span]()
    for step, around in _placed_in_loops(context):
        for actor in step.named_actors:
            at = written_at(actor, step.info.span)
            if isinstance(actor, VotersOf) and at not in told:
                behind = _behind(loops.get(actor.name, []), around)
                if behind is not None:
                    told.add(at)
                    yield diagnose.last_vote_alone(at, name=actor.name, also=(behind.info.span,))


def _behind(asked_in: list[Loops], around: Loops) -> ForEach | None:
    """The loop in which alone something is asked for, where that is read outside of it."""
    outside = asked_in and all(one and one[-1] not in around for one in asked_in)
    return asked_in[0][-1] if outside else None


def _outer_left_out(asked_in: list[Loops], around: Loops) -> ForEach | None:
    """The outer loop of those in which alone something is asked for about each pair of two lists, where it is read
    while a loop goes through the inner list alone."""
    lists = {loop.within.name for loop in around if loop.within is not None}
    left_out = [
        [
            outer
            for outer, inner in pairwise(one)
            if outer.within is not None
            and inner.within is not None
            and inner.within.name != outer.variable
            and outer not in around
            and outer.within.name not in lists
        ]
        for one in asked_in
    ]
    return left_out[0][0] if left_out and all(left_out) else None


def _asking_loops(context: CheckContext) -> dict[str, list[Loops]]:
    """Answer -> for every step that asks for it, or puts one of several values down, the loops around that step."""
    loops: dict[str, list[Loops]] = {}
    put_down: dict[str, set[str | tuple[str, ...]]] = {}
    for step, _ in _placed_in_loops(context):
        if isinstance(step, RecordAnswer):
            put_down.setdefault(step.answer.name, set()).add(step.value)
    for step, around in _placed_in_loops(context):
        if not isinstance(step, RecordAnswer) or len(put_down[step.answer.name]) > 1:
            for name in step_facts.answers_of(step):
                loops.setdefault(name, []).append(around)
    return loops


def _placed_in_loops(context: CheckContext) -> list[tuple[plan.Step, Loops]]:
    """Every step of the procedure with the loops around it."""
    procedure = context.procedure
    blocks = [steps for stage in procedure.stages for phase in stage.phases for steps in (phase.steps, phase.closing)]
    return [one for steps in (*blocks, *(event.steps for event in procedure.interruptions)) for one in _looped(steps)]


def _read_in_loops(context: CheckContext) -> Iterator[tuple[Condition, Loops]]:
    """The simple parts of all conditions of stages, phases and steps, with the loops around them.

    Numbers that an event compares are left out: it may come while the loop goes on, and means what was said just then.
    """
    coming = {id(step) for event in context.procedure.interruptions for step, _ in _looped(event.steps)}
    for stage in context.procedure.stages:
        for condition in (stage.when, *(phase.when for phase in stage.phases)):
            yield from ((leaf, ()) for leaf in leaves(condition))
    for step, around in _placed_in_loops(context):
        tested = (leaf for one in _tested(step) for leaf in leaves(one))
        yield from ((leaf, around) for leaf in tested if id(step) not in coming or not isinstance(leaf, Measures))


def _looped(steps: Iterable[plan.Step], around: Loops = ()) -> Iterator[tuple[plan.Step, Loops]]:
    """Every step with the loops that it is in, outer before inner."""
    for step in steps:
        yield step, around
        for block in step.blocks:
            yield from _looped(block, (*around, step) if isinstance(step, ForEach) else around)


def _tested(step: plan.Step) -> tuple[Condition, ...]:
    return step.conditions if step.info.when is None else (step.info.when, *step.conditions)


# ---- how many, how much ----------------------------------------------------------------------------------------------
def sums_of_no_numbers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW441, LW083: what is added up is known to be no numbers, or a key that the records have not."""
    fields, answers = context.procedure.fields, context.procedure.answers
    for where in _measured(context, "sum"):
        field, answer = fields.get(where.name), answers.get(where.name)
        if field is not None and field.keys and where.path and where.path[0] not in field.keys:
            key = where.path[0]
            near = nearest(key, field.keys)
            yield diagnose.unknown_field_key(where.span, owner=field.name, key=key, known=field.keys, nearest=near)
        elif (
            where.name in context.procedure.documents
            or (answer is not None and answer.form not in ("number", "list"))
            or (field is not None and field.keys and not where.path)
        ):
            also = tuple(filter(None, (context.declaration(where.name),)))
            yield diagnose.expected_numbers(where.span, name=where.name, also=also)


def counts_of_no_lists(context: CheckContext) -> Iterator[Diagnostic]:
    """LW261: what is counted is known to be no list."""
    for where in _measured(context, "count"):
        if not listed(context.procedure, where):
            also = tuple(filter(None, (context.declaration(where.name),)))
            yield diagnose.expected_list_field(where.span, name=where.name, also=also)


def _measured(context: CheckContext, measure: str) -> Iterator[FieldRef]:
    """What conditions count or add up, each place once."""
    leaves_ = (leaf for leaf in _asked(context) if isinstance(leaf, Measures))
    yield from {leaf.left.span: leaf.left for leaf in leaves_ if leaf.measure == measure}.values()


def _asked(context: CheckContext) -> Iterator[Condition]:
    """The simple parts of all conditions, those of the matrix included."""
    yield from (leaf for leaf, _ in context.conditions)
    yield from (leaf for grant in context.procedure.grants for leaf in leaves(grant.condition))


def untitled(context: CheckContext) -> Iterator[Diagnostic]:
    """LW456: a Chinese procedure leaves an answer its Latin name in a file whose other answers have titles."""
    answers = context.procedure.answers.values()
    files = {answer.span.file for answer in answers if answer.title and context.procedure.locale == "zh"}
    for answer in answers:
        latin = answer.name.isascii() and not answer.title
        if latin and answer.span.file in files and answer.name not in context.sampled:
            yield diagnose.untitled_answer(answer.span, name=answer.name)


# ---- votes -----------------------------------------------------------------------------------------------------------
def never_carried(context: CheckContext) -> Iterator[Diagnostic]:
    """LW448: more votes are asked for than there are voters."""
    too_many: dict[Span, tuple[int, int]] = {}
    for visit, step in context.step_visits:
        if isinstance(step, Vote) and isinstance(step.carried_by, int) and visit.stopped is None:
            voters = _most_voters(context, step.voters)
            if 0 < voters < step.carried_by:
                too_many[visit.span] = step.carried_by, voters
    for span, (votes, voters) in too_many.items():
        yield diagnose.never_carried(span, votes=votes, voters=voters)


def _most_voters(context: CheckContext, voters: Iterable[Actor]) -> int:
    """How many persons vote at most; 0 where the case or the procedure decides that."""
    roles = context.procedure.roles
    held = {voter: roles[voter.role] for voter in voters if isinstance(voter, RoleHolders)}
    if len(held) < len(frozenset(voters)) or any(role.assigned or role.each for role in held.values()):
        return 0
    return sum(max(role.persons, 1) for role in held.values())


def unfit_ties(context: CheckContext) -> Iterator[Diagnostic]:
    """LW443: a tie is decided by somebody who does not vote, or who is several."""
    unfit: dict[Span, tuple[str, bool]] = {}
    assigned = {role.id for role in context.procedure.roles.values() if role.assigned}
    for visit, step in context.step_visits:
        if isinstance(step, Vote) and not isinstance(step.tie, str) and visit.stopped is None:
            tie = step.tie
            votes = not visit.cast.of(tie).isdisjoint(visit.cast.all(step.voters))
            one = visit.cast.certain(tie) or not isinstance(tie, RoleHolders) or tie.role in assigned
            if not visit.cast.unknown(tie) and not (votes and one):
                unfit[written_at(tie, visit.span)] = worded(tie), votes
    for span, (actor, votes) in unfit.items():
        yield (diagnose.several_deciders if votes else diagnose.unfit_tie)(span, actor=actor)


def uncountable_votes(context: CheckContext) -> Iterator[Diagnostic]:
    """LW444: a vote, or a condition that compares answers, on an answer that everybody words in his own way."""
    answers, told = context.procedure.answers, set[Span]()
    votes = [step for _, step in context.step_visits if isinstance(step, Vote)]
    found = [(step.answer.span, step.answer.name) for step in votes if step.answer.form != "number"]
    for leaf in _asked(context):
        match leaf:
            case SameAnswers(where):
                found.append((where.span, where.name))
            case Answered(quantifier="most" | "at least" | "at most", answer=where):
                found.append((where.span, where.name))
    for span, name in found:
        answer = answers.get(name)
        if answer is not None and answer.form not in ("yes or no", "choice") and span not in told:
            told.add(span)
            yield diagnose.uncountable_answer(span, name=name)


def averages_of_no_numbers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW421: the median or the mean of what is no number."""
    told: dict[Span, Vote] = {}
    for _, step in context.step_visits:
        if isinstance(step, Vote) and step.carried_by in AVERAGES and step.answer.form != "number":
            told[place_of(step.info, "carried_by")] = step
    for span, step in told.items():
        name, average = step.answer.name, str(step.carried_by)
        yield diagnose.average_of_no_number(span, name=name, average=average, also=(step.answer.span,))


def factions_of_no_vote(context: CheckContext) -> Iterator[Diagnostic]:
    """LW445, LW447: a majority or minority of what was not voted on; a dissent that gives away a secret vote."""
    told: set[Span] = set()
    for _, step in context.step_visits:
        for actor in step.named_actors:
            at = written_at(actor, step.info.span)
            if not isinstance(actor, VotersOf) or at in told:
                continue
            told.add(at)
            votes = context.voted.get(actor.name, ())
            if not votes:
                yield diagnose.faction_of_no_vote(at, name=actor.name)
            elif any(vote.reveals != "names" for vote in votes):
                also = tuple(vote.info.span for vote in votes)
                yield diagnose.faction_shows_itself(at, name=actor.name, also=also)


def followed_without_a_vote(context: CheckContext) -> Iterator[Diagnostic]:
    """LW724: a document is to follow what nobody votes on."""
    for document in context.procedure.documents.values():
        for name in document.follows:
            if name not in context.voted:
                known = tuple(context.voted)
                yield diagnose.followed_without_vote(
                    document.span, document=document.name, name=name, known=known, nearest=nearest(name, known)
                )


RULES = (
    unasked_answers,
    answers_of_the_last_alone,
    factions_of_the_last_vote,
    sums_of_no_numbers,
    counts_of_no_lists,
    untitled,
    never_carried,
    unfit_ties,
    uncountable_votes,
    averages_of_no_numbers,
    factions_of_no_vote,
    followed_without_a_vote,
)
