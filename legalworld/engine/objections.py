"""Words shown to those who may object before they are heard: let pass, or cut off and ruled on."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final

from ..model import events, plan
from ..model.immutable import replace
from . import presence
from .parsed import Parsed
from .state import everyone, holders
from .turn import DraftForReview, TurnSpec
from .turn_runner import Formulated, TurnRunner

Exposing = Generator[events.Turn, tuple[events.Reply, ...], Formulated]
_BETWEEN: Final = " \t\n,.:;\u3000\uff0c\u3002\uff1a\uff1b\u3001"
_OPENING, _CLOSING = '\u201c"\u300c\u300e', '\u201d"\u300d\u300f'
_QUOTED: Final = re.compile(f"[{_OPENING}](?P<words>[^{_OPENING}{_CLOSING}]{{1,400}})[{_CLOSING}]")


def exposed(turns: TurnRunner, words: Formulated, spec: TurnSpec, objection: plan.Objection) -> Exposing:
    """The words after whoever may object has seen them: as they were, with the rest to be said, or struck."""
    scene, author = turns.scene, words.request.person
    meant = holders(scene.state, objection.ruler)
    rulers = [person for person in meant if person in scene.present]
    if not words.parsed.text or author in meant:
        return words
    if not rulers:
        presence.pass_over(scene, "unruled", meant, author)
        return words
    others = [person for person in everyone(scene.state, objection.by) if person not in (author, rulers[0])]
    presence.pass_over(scene, "unobjected", set(others) - {*scene.present}, author)
    for person in others:
        if person in scene.present:
            asked = _asked(words, spec, objection)
            opinion = yield from turns.formulate(person, asked)
            turns.utter(replace(opinion, rest=""), asked)
            if opinion.parsed.leading == objection.token:
                return (yield from _ruled(turns, (words, spec), (opinion, asked), objection, rulers[0]))
    return words


def _asked(words: Formulated, spec: TurnSpec, objection: plan.Objection) -> TurnSpec:
    """The turn of somebody who may object."""
    return TurnSpec(
        "object",
        spec.info,
        (words.request.person,),
        leading=(objection.token, objection.waive),
        passing=objection.waive,
        loop_item=spec.loop_item,
        aloud=False,
        must_lead=True,
        draft=DraftForReview(words.parsed.text, 1, words.request.speaker, spec.act),
    )


def _ruled(
    turns: TurnRunner,
    said: tuple[Formulated, TurnSpec],
    raised: tuple[Formulated, TurnSpec],
    objection: plan.Objection,
    ruler: str,
) -> Exposing:
    """An objection falls: what was heard by then is heard, then the objection, then the ruling."""
    (words, spec), (opinion, asked) = said, raised
    text = words.parsed.text
    cut, ground = _cut(text, opinion.parsed.text)
    turns.say(words, spec, text[:cut].rstrip())
    turns.say(opinion, asked, ground or objection.token)
    both = (opinion.request.person, words.request.person)
    deciding = TurnSpec("rule", spec.info, both, answer=objection.ruling)
    ruling = yield from turns.formulate(ruler, deciding)
    turns.utter(ruling, deciding)
    sustained = ruling.parsed.value == "yes"
    turns.scene.recorder.tell(
        events.Objected(
            request=words.request.id,
            place=turns.scene.state.place,
            person=words.request.person,
            speaker=words.request.speaker,
            by=opinion.request.person,
            ruler=ruler,
            text=text,
            heard=text[:cut].rstrip(),
            sustained=sustained,
        )
    )
    if sustained:
        return replace(words, parsed=Parsed("", struck=True), rest="")
    return replace(words, rest=text[cut:].lstrip(_BETWEEN))


def _cut(text: str, ground: str) -> tuple[int, str]:
    """Where an objection falls, and its ground: behind the words that it quotes at its beginning, else at the end."""
    quoted = _QUOTED.match(ground)
    at = text.find(quoted["words"]) if quoted is not None else -1
    if quoted is None or at < 0:
        return len(text), ground
    return at + len(quoted["words"]), ground[quoted.end() :].lstrip(_BETWEEN)
