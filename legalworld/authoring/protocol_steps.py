"""What a protocol says of one step: who speaks to whom, what is done, how long at most, what silence comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ..model.actors import Room
from ..model.immutable import immutable
from ..model.plan import Answer, Step
from ..model.steps.assign import Assign
from ..model.steps.converse import Converse
from ..model.steps.decide import Decide
from ..model.steps.draft import Draft
from ..model.steps.drive import Drive
from ..model.steps.end import End
from ..model.steps.for_each import ForEach
from ..model.steps.go_on import Continue
from ..model.steps.if_else import If
from ..model.steps.moderate import Moderate
from ..model.steps.move import Move
from ..model.steps.perform import Perform
from ..model.steps.read_out import ReadMinutes
from ..model.steps.record import RecordAnswer
from ..model.steps.remember import Remember
from ..model.steps.reopen import Reopen
from ..model.steps.repeat import Repeat
from ..model.steps.sample import Sample
from ..model.steps.speak import Speak
from ..model.steps.take import Take
from ..model.steps.vote import Vote
from .protocol_words import Phrases


@immutable
class StepTold:
    """`who`: who acts, and towards whom; `what`: what is done, remark by remark; `limit`: what ends it, how long at
    most, and what is put down where nobody answers."""

    who: str
    what: tuple[str, ...]
    limit: tuple[str, ...]


def told(step: Step, phrases: Phrases) -> StepTold:
    """A step of any verb in words. A verb that is not known here says whom it names, what it makes and its bound."""
    describe = _VERBS.get(type(step), _any)
    who, what, limit = describe(step, phrases)
    before = [phrases.word("only_if", condition=phrases.condition(step.info.when))] if step.info.when else []
    cue = [step.info.cue] if step.info.cue and not isinstance(step, Assign | RecordAnswer) else []  # its argument
    return StepTold(who, (*before, *cue, *filter(None, what), *_beside(step, phrases)), tuple(filter(None, limit)))


_Told = tuple[str, tuple[str, ...], tuple[str, ...]]


def _any(step: Step, phrases: Phrases) -> _Told:
    made = [phrases.word("makes", name=phrases.called(name)) for name in (*step.document_names, *step.answer_names)]
    return phrases.actors(step.named_actors), tuple(made), (_at_most(step.most_turns, phrases),)


def _speak(step: Speak, phrases: Phrases) -> _Told:
    word = phrases.word
    speakers, others = phrases.actors(step.actors), phrases.actors(step.to)
    if step.verb == "notes":
        who = word("who_unheard", who=speakers)
    else:
        who = word("who_to", who=speakers, to=others) if others else word("who_aloud", who=speakers)
    passing = word("may_pass", token=phrases.token(step.pass_token)) if step.pass_token else ""
    answers = word("each_answers") if others else ""
    shown = word("presented") if step.presents_record else ""
    return who, (answers, shown, passing, _asked(step.answer, phrases)), _silence(step.answer, phrases)


def _converse(step: Converse, phrases: Phrases) -> _Told:
    word = phrases.word
    ends = [word("says", who=phrases.actor(one.actor), token=phrases.token(one.token)) for one in step.until]
    topics = ""
    if step.topics is not None:
        topics = word("topics", where=phrases.field(step.topics.where), token=phrases.token(step.topics.token))
        ends.append(word("topics_covered"))
    document = word("written_at_end", document=phrases.called(step.produces)) if step.produces else ""
    opener, others = phrases.actor(step.opener), phrases.actors(step.partners)
    who = word("who_with", who=opener, to=others) if others else word("who_among", who=opener)
    return who, (topics, document), (word("or_turns").join([*ends, word("turns", count=step.limit)]),)


def _moderate(step: Moderate, phrases: Phrases) -> _Told:
    word = phrases.word
    who = word("who_to", who=phrases.actor(step.chair), to=phrases.actors(step.speakers))
    ends = (
        word("says", who=phrases.actor(step.chair), token=phrases.token(step.close)),
        word("turns", count=step.limit),
    )
    return who, (word("calls", token=phrases.token(step.call)),), (word("or_turns").join(ends),)


def _drive(step: Drive, phrases: Phrases) -> _Told:
    word = phrases.word
    tasks = phrases.procedure.checklists.get(step.checklist, ())
    items = "".join(word("task", n=task.n, text=task.text) for task in tasks)
    listed = word("checklist", count=len(tasks), token=phrases.token(step.done), items=items)
    document = word("written_at_end", document=phrases.called(step.produces)) if step.produces else ""
    who = word("who_to", who=phrases.actor(step.driver), to=phrases.actors(step.participants))
    says = word("says", who=phrases.actor(step.driver), token=phrases.token(step.close))
    called = word("calls", token=phrases.token(step.call))
    return who, (called, listed, document), (word("or_turns").join((says, word("turns", count=step.limit))),)


def _decide(step: Decide, phrases: Phrases) -> _Told:
    word, decision = phrases.word, phrases.procedure.decisions.get(step.decision)
    title = decision.title if decision is not None and decision.title else step.decision
    part = word("decides_part", part=step.answer.called, decision=title, form=phrases.form(step.answer))
    if step.ballots:
        return word("nobody"), (part, word("as_voted", name=phrases.called(step.ballots))), (word("silence_no_vote"),)
    who = word("who_unheard", who=phrases.actors(step.actors))
    return who, (part,), _silence(step.answer, phrases)


def _draft(step: Draft, phrases: Phrases) -> _Told:
    document = phrases.word("draws_up", document=phrases.called(step.document))
    return phrases.word("who_unheard", who=phrases.actor(step.actor)), (document,), ()


def _take(step: Take, phrases: Phrases) -> _Told:
    values = {"document": phrases.called(step.document), "who": phrases.actor(step.actor)}
    return phrases.word("from_file"), (phrases.word("taken", **values),), ()


def _vote(step: Vote, phrases: Phrases) -> _Told:
    word = phrases.word
    carried = word("carried_count", count=step.carried_by) if isinstance(step.carried_by, int) else ""
    carried = carried or word(f"carried_{step.carried_by}")
    tie = word("tie_none")
    if not isinstance(step.tie, str):
        tie = word("tie_vote", who=phrases.actor(step.tie))
    elif step.tie:
        tie = word("tie_value", value=phrases.said(step.answer, step.tie))
    what = (word("votes"), _asked(step.answer, phrases), carried, tie, word(f"reveals_{step.reveals}"))
    return phrases.actors(step.voters), what, _silence(step.answer, phrases)


def _assign(step: Assign, phrases: Phrases) -> _Told:
    roles = phrases.listed([phrases.role(role) for role in step.roles])
    who = phrases.listed([phrases.assignee(one) for one in step.who])
    first = phrases.word("first_of_them", count=step.most) if step.most else ""
    return phrases.word("nobody"), (phrases.word("becomes", who=who, roles=roles), first), ()


def _record(step: RecordAnswer, phrases: Phrases) -> _Told:
    values = (step.value,) if isinstance(step.value, str) else step.value
    shown = phrases.listed([phrases.said(step.answer, value) for value in values])
    whose = step.where.of or step.whose
    of = phrases.word("recorded_of", who=phrases.actor(whose)) if whose is not None else ""
    return phrases.word("nobody"), (phrases.word("recorded", name=step.answer.called, value=shown), of), ()


def _sample(step: Sample, phrases: Phrases) -> _Told:
    drawn = phrases.word("drawn", count=step.count, where=phrases.field(step.where))
    kept = phrases.word("kept_as", name=phrases.called(step.name)) if step.name else ""
    return phrases.word("nobody"), (drawn, kept), ()


def _move(step: Move, phrases: Phrases) -> _Told:
    return phrases.actors(step.actors), (phrases.word("enters" if step.inwards else "leaves"),), ()


def _read(step: ReadMinutes, phrases: Phrases) -> _Told:
    who = phrases.word("who_to", who=phrases.actor(step.reader), to=phrases.actors(step.to))
    return who, (phrases.word("reads", phase=_phase_title(step.phase, phrases)),), ()


def _remember(step: Remember, phrases: Phrases) -> _Told:
    return phrases.word("who_unheard", who=phrases.actors(step.actors)), (phrases.word("remembers"),), ()


def _if(step: If, phrases: Phrases) -> _Told:
    return "", (phrases.word("branch", condition=phrases.condition(step.condition)),), ()


def _for_each(step: ForEach, phrases: Phrases) -> _Told:
    if step.within is not None:
        return "", (phrases.word("for_each", where=phrases.field(step.within)),), ()
    return "", (phrases.word("for_each_person", who=phrases.actors(step.persons)),), ()


def _repeat(step: Repeat, phrases: Phrases) -> _Told:
    until = phrases.word("until", condition=phrases.condition(step.until)) if step.until is not None else ""
    return "", (phrases.word("rounds", count=step.rounds), until), ()


def _perform(step: Perform, phrases: Phrases) -> _Told:
    return "", (phrases.word("group"),), ()


def _reopen(step: Reopen, phrases: Phrases) -> _Told:
    again = phrases.word("again", phase=_phase_title(step.phase, phrases))
    return phrases.word("nobody"), (again,), (phrases.word("times", count=step.limit),)


def _continue(step: Continue, phrases: Phrases) -> _Told:
    return phrases.word("nobody"), (phrases.word("onward", where=_phase_title(step.destination, phrases)),), ()


def _end(step: End, phrases: Phrases) -> _Told:
    with_ = phrases.word("end_with", document=phrases.called(step.document)) if step.document else ""
    return phrases.word("nobody"), (phrases.word(f"end_{step.what}"), with_), ()


_VERBS: Final[Mapping[type[Step], Callable[[Any, Phrases], _Told]]] = {
    Speak: _speak,
    Converse: _converse,
    Moderate: _moderate,
    Drive: _drive,
    Decide: _decide,
    Draft: _draft,
    Take: _take,
    Vote: _vote,
    Assign: _assign,
    RecordAnswer: _record,
    Sample: _sample,
    Move: _move,
    ReadMinutes: _read,
    Remember: _remember,
    If: _if,
    ForEach: _for_each,
    Repeat: _repeat,
    Perform: _perform,
    Reopen: _reopen,
    Continue: _continue,
    End: _end,
}


# ---- what several verbs have -----------------------------------------------------------------------------------------


def room(room: Room | None, phrases: Phrases) -> tuple[str, ...]:
    """Who is in the room for a phase or a step, as remarks; none where nothing is said of it."""
    if room is None:
        return ()
    told = {"room_present": room.present, "room_closed": room.closed_to, "room_heard": room.heard_by}
    return tuple(phrases.word(key, who=phrases.actors(actors)) for key, actors in told.items() if actors)


def _beside(step: Step, phrases: Phrases) -> Iterator[str]:
    """What happens around the words of a step: who is there, who reads them before, who may object, on which day."""
    info, word = step.info, phrases.word
    yield from room(info.room, phrases)
    if info.on:
        yield word("on_day", date=phrases.called(info.on))
    if (review := info.review) is not None:
        values = {"who": phrases.actors(review.reviewers), "count": review.drafts}
        of = word("review_of", who=phrases.actors(review.of)) if review.of else ""
        if review.approve:
            yield word("reviewed", of=of, token=phrases.token(review.approve), **values)
        else:
            scores = {"scores": phrases.listed(review.scores), "lowest": review.lowest, "highest": review.highest}
            yield word("scored", of=of, **values, **scores)
    if (objection := info.objection) is not None:
        yield word(
            "objecting",
            by=phrases.actors(objection.by),
            token=phrases.token(objection.token),
            waive=phrases.token(objection.waive),
            ruler=phrases.actor(objection.ruler),
        )
        yield word("ruling", name=objection.ruling.called, silence=phrases.silence(objection.ruling))


def _asked(answer: Answer | None, phrases: Phrases) -> str:
    return phrases.word("answer", name=answer.called, form=phrases.form(answer)) if answer is not None else ""


def _silence(answer: Answer | None, phrases: Phrases) -> tuple[str, ...]:
    return (phrases.silence(answer),) if answer is not None else ()


def _at_most(turns: int, phrases: Phrases) -> str:
    return phrases.word("turns", count=turns) if turns else ""


def _phase_title(name: str, phrases: Phrases) -> str:
    """What a phase, or a stage, is called."""
    stages = phrases.procedure.stages
    titles = [phase.title for stage in stages for phase in stage.phases if phase.id == name and phase.title]
    return phrases.listed(titles) or phrases.called(name)
