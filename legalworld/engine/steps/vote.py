"""A panel or a jury decides by votes that nobody hears before all have voted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from ...model.case import called
from ...model.holes import around, filled, holes
from ...model.plan import Answer
from ...model.procedure import all_steps
from ...model.steps.vote import AVERAGES, Vote
from ...model.votes import Ballot, Voted
from .. import titles
from ..averages import average_of
from ..candidates import asked, chosen, nobody_to_choose
from ..conditions import LoopItem, current_item, within_of
from ..scene import Scene
from ..speech import nobody
from ..state import everyone, holders
from ..turn import TurnSpec
from ..walk import Play, Walk

Decided = tuple[str, Literal["votes", "tie", "nothing"]]


def play(walk: Walk, step: Vote) -> Play:
    """All formulate their votes first; then they are recorded, and what is revealed is heard."""
    scene = walk.scene
    voters, answer = scene.there(*step.voters), asked(scene, step.answer)
    if not voters or answer is None or nobody_to_choose(answer):
        return nobody(walk, *step.voters)
    item = current_item("", scene.loop_items)
    aloud = step.reveals == "names"
    spec = TurnSpec("vote", step.info, answer=answer, loop_item=item, aloud=aloud)
    ballots = []
    for number, person in enumerate(voters, 1):
        others = [(other, spec) for other in voters[number:]]
        ballots.append((yield from walk.turns.formulate(person, spec, others)))
    for ballot in ballots:
        walk.turns.utter(ballot, spec)
    votes = _votes(scene, step, voters)
    counts = {value: [vote.value for vote in votes].count(value) for value in _values(answer, votes)}
    result, by = _decided(scene, step, votes, counts)
    about = item.about if item is not None else ""
    scene.recorder.tell(
        Voted(
            place=scene.state.place,
            name=step.answer.name,
            title=_title(scene, step),
            about=about,
            within=within_of(about, "", scene.loop_items),
            aside=_aside(scene, step.info.cue),
            votes=votes,
            counts=counts,
            result=result,
            by=by,
            reveals=step.reveals,
            heard_by=() if step.reveals == "nothing" else _hearers(scene, voters),
            chosen=chosen(scene, answer, result, about),
        )
    )
    return ""


def _title(scene: Scene, step: Vote) -> str:
    """How a vote is called where it is told: by its cue; beside another with the same cue, also by whose it is."""
    title = filled(step.info.cue, partial(_numbered, scene, step.info.cue))
    votes = (other for other in all_steps(scene.procedure) if isinstance(other, Vote))
    if all(other.info.cue != step.info.cue or other.answer.name == step.answer.name for other in votes):
        return title
    persons = everyone(scene.state, step.voters)
    own = (titles.title(scene.procedure, scene.state, person) for person in persons)
    marks = scene.procedure.marks
    return marks.bracketed(title, step.answer.title or marks.listed.join(dict.fromkeys(own)))


def _numbered(scene: Scene, cue: str, name: str, path: tuple[str, ...]) -> str | None:
    """What a hole in the cue of a vote is for everybody who may ever read how it came out: which item it was.

    What stands in a list of the procedure itself everybody may see.
    """
    item = current_item(name, scene.loop_items)
    if item is None:
        return None
    return titles.said_once(scene.procedure, item.about, _item(scene, item), around(cue, name, path)[0])


def _aside(scene: Scene, cue: str) -> tuple[str, ...]:
    """What the items are called that the cue of a vote does not name, for everybody who hears how it came out."""
    named = {name for name, _ in holes(cue)}
    return tuple(_item(scene, item) for item in scene.loop_items if item.variable not in named)


def _item(scene: Scene, item: LoopItem) -> str:
    declared = scene.procedure.fields.get(item.about.partition("/")[0])
    if declared is not None and declared.items:
        return called(item.record)
    return scene.label(item.person) if item.person else titles.numbered(scene.procedure, item.about)


def _hearers(scene: Scene, voters: tuple[str, ...]) -> tuple[str, ...]:
    """Those who hear what any of the voters says."""
    return tuple(dict.fromkeys(person for voter in voters for person in scene.hearers(voter, ())))


def _votes(scene: Scene, step: Vote, voters: tuple[str, ...]) -> tuple[Ballot, ...]:
    """The votes that were recorded just now, in the order of the voters."""
    given = {one.person: one for one in scene.state.answers[step.answer.name] if one.place == scene.state.place}
    return tuple(
        Ballot(
            person=person,
            speaker=given[person].speaker,
            value="" if given[person].silent else str(given[person].value),  # who says nothing votes for nothing
        )
        for person in voters
    )


def _values(answer: Answer, votes: tuple[Ballot, ...]) -> tuple[str, ...]:
    """What could be voted for, in the order of the answer."""
    choices = answer.values
    return (*choices, *sorted({vote.value for vote in votes} - {*choices, ""}))


def _decided(scene: Scene, step: Vote, votes: tuple[Ballot, ...], counts: Mapping[str, int]) -> Decided:
    """The value that has enough votes; else what the rule for ties says, where anybody voted at all."""
    if not any(counts.values()):
        return "", "nothing"
    if step.carried_by in AVERAGES:
        average = average_of([vote.value for vote in votes if vote.value], step.carried_by, scene.procedure.locale)
        return (average, "votes") if average else ("", "nothing")
    most = max(counts, key=lambda value: counts[value])
    wanted = step.carried_by if isinstance(step.carried_by, int) else len(votes) // 2 + 1
    wanted = len(everyone(scene.state, step.voters)) if step.carried_by == "all" else wanted  # the absent, too
    leaders = [value for value, count in counts.items() if count == counts[most]]
    if counts[most] >= wanted and len(leaders) == 1:
        return most, "votes"
    if isinstance(step.tie, str):
        return (step.tie, "tie") if step.tie else ("", "nothing")
    deciding = holders(scene.state, step.tie)
    said = next((vote.value for vote in votes if vote.person in deciding), "")
    return (said, "tie") if said else ("", "nothing")
