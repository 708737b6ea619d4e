"""One person's turn to speak: what is expected of him, and how his templates read it (`step`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from ..model.case import MISSING, Missing, Person, Value, called
from ..model.immutable import immutable
from ..model.plan import Answer, StepInfo
from ..model.procedure import Document, Task
from ..model.punctuation import Punctuation
from ..templates.shown import in_words
from . import titles
from .conditions import LoopItem
from .cues import concerning, cue_of
from .interruptions import Raisable, wanted
from .parsed import Faults, Parsed
from .scene import Scene
from .tools import ToolResult
from .view import Knowledge


@immutable
class DraftForReview:
    """Words that are not heard yet. `act`: as what they are to be said."""

    text: str
    number: int
    author: str
    act: str


@immutable
class DraftScore:
    """What a draft is measured by; `value`: None where none was given."""

    name: str
    value: float | None
    lowest: float
    highest: float


@immutable
class Topic:
    """One thing that a conversation is to cover: which record it is, the token that raises it, whether it was."""

    n: int
    about: str
    value: Value
    token: str
    covered: bool = False


@immutable
class ChecklistItem:
    """An item of a checklist, the token that says it was done, and whether it was."""

    task: Task
    token: str
    done: bool = False


@immutable
class TurnSpec:
    """One person's turn to speak: as what, to whom, with which tokens, and what is expected of the words.

    `calls`: token -> the one person spoken to when it is said; `must_lead`: one of `leading` must begin the reply;
    `wordless`: tool calls alone will do; `results`: of the
    tools that he called just before. `draft`: what he is to review or to revise, `criticism` what was said of it, and
    `scores` how it was measured or is to be. `events`: what he may raise; None where he cannot raise anything.
    `earlier`: the last draft of the document that he gave in this step; `missing`: what it lacked when handed in.
    `faction`: the answer of the vote for whose minority he writes, "" for none.
    `halts`: a run stops here, and asks when it is gone on with. `lacks`: what an answer leaves open that it must say.
    """

    act: str
    info: StepInfo
    to: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    calls: Mapping[str, str] = field(default_factory=dict)
    close: str = ""
    ending: tuple[str, ...] = ()
    passing: str = ""
    answer: Answer | None = None
    document: Document | None = None
    loop_item: LoopItem | None = None
    turn: int = 1
    left: int = 0
    aloud: bool = True
    must_lead: bool = False
    within: tuple[str, ...] = ()
    wordless: bool = False
    results: tuple[ToolResult, ...] = ()
    topics: tuple[Topic, ...] = ()
    items: tuple[ChecklistItem, ...] = ()
    draft: DraftForReview | None = None
    criticism: str = ""
    scores: tuple[DraftScore, ...] = ()
    events: tuple[Raisable, ...] | None = None
    earlier: str = ""
    missing: tuple[str, ...] = ()
    faction: str = ""
    halts: bool = False
    lacks: Callable[[Parsed], Faults] | None = None

    @property
    def doing(self) -> str:
        """As what the words will be said: a revision is as what it was drafted."""
        return self.draft.act if self.draft is not None and self.act == "revise" else self.act

    def hands_in(self, parsed: Parsed) -> bool:
        """Whether a reply to this turn hands in its document."""
        return self.document is not None and (self.doing == "draft" or bool(parsed.ending))

    def spoken_to(self, parsed: Parsed) -> tuple[str, ...]:
        """To whom the words of a reply are said: whoever is called; nobody where the talk with them is closed."""
        if parsed.leading in self.calls:
            return (self.calls[parsed.leading],)
        return () if self.close and self.close in (parsed.leading, parsed.ending) else self.to

    def offered(self, parsed: Parsed) -> str:
        """What a reply to this turn puts forward: its document, or its words."""
        return parsed.document if self.hands_in(parsed) else parsed.text


def as_read(spec: TurnSpec, reader: Person, knowledge: Knowledge, scene: Scene) -> Mapping[str, Any]:
    """`step`, as the templates of one reader read it: what he may not see is not there."""
    item = spec.loop_item
    seen = item if item is not None and knowledge.shows(item.about, reader.side) else None
    owner = item.about.partition("/")[2].partition("/")[0] if item else ""
    answer, document, draft, marks = spec.answer, spec.document, spec.draft, scene.procedure.marks
    return {
        "act": spec.act,
        "id": spec.info.prompt,
        "cue": cue_of(spec.info.cue, reader, knowledge, scene),
        "concerning": concerning(spec.info.cue, spec.to, reader, knowledge, scene),
        "basis": spec.info.basis,
        "to": tuple(scene.label(other) for other in spec.to),
        "item": seen.record if seen else MISSING,
        "item_owner": titles.side_title(scene.procedure, scene.state, owner) if owner else "",
        "item_label": called(seen.record) if seen else "",
        "item_mine": bool(owner) and owner == reader.side,
        "about": item.about if item else "",
        "calls": tuple(marks.token(token) for token in spec.leading if token not in (spec.close, spec.passing)),
        "close": marks.token(spec.close),
        "end": marks.token(spec.ending[0]) if spec.ending else "",
        "pass": marks.token(spec.passing),
        "answer": _asked_for(answer, marks) if answer else MISSING,
        "document": _document(document, spec.missing) if document else MISSING,
        "turn": spec.turn,
        "left": spec.left,
        "round": scene.round,
        "topics": tuple(_topic(one, marks) for one in spec.topics if knowledge.shows(one.about, reader.side)),
        "checklist": tuple(_item(one, marks) for one in spec.items),
        "draft": {"text": draft.text, "number": draft.number, "author": draft.author, "act": draft.act}
        if draft
        else MISSING,
        "review": spec.criticism,
        "scores": tuple(_score(one, marks) for one in spec.scores),
        "votes": tuple(_voted(vote, spec, scene) for vote in knowledge.votes if vote["result"]),
        "events": tuple(_raisable(one, marks) for one in spec.events or ()),
        "intended": _objecting(spec, knowledge),
    }


def _voted(vote: Mapping[str, Any], spec: TurnSpec, scene: Scene) -> Mapping[str, Any]:
    """How a vote came out, with what it was about, where the reader sees that, and whether his document follows it."""
    label = in_words(vote, scene.procedure.marks) if vote["item"] else ""  # else the title has its number
    return {**vote, "item_label": label, "follows": _follows(vote, spec, scene)}


def _follows(vote: Mapping[str, Any], spec: TurnSpec, scene: Scene) -> bool:
    """Whether the document that somebody writes carries a vote out: as its declaration says; where none says so of
    this vote, that of somebody who took part in it and does not write for a minority."""
    name, document = vote["name"], spec.document
    if document is None or spec.faction == name:
        return False
    declared = any(name in one.follows for one in scene.procedure.documents.values())
    return name in document.follows if declared else bool(vote["took_part"]) and not spec.faction


def _objecting(spec: TurnSpec, knowledge: Knowledge) -> Mapping[str, str] | Missing:
    """The ground on which a reader means to object to the draft before him, and the words of it to which he does."""
    objection, draft = spec.info.objection, spec.draft
    if spec.act != "object" or objection is None or not objection.intended or draft is None:
        return MISSING
    found = ({"text": text, "at": at} for text, at in wanted(knowledge, objection.intended) if at and at in draft.text)
    return next(found, MISSING)


def _document(document: Document, missing: tuple[str, ...]) -> Mapping[str, Any]:
    return {"name": document.name, "title": document.title, "sections": document.sections, "missing": missing}


def _topic(topic: Topic, marks: Punctuation) -> Mapping[str, Any]:
    return {"n": topic.n, "value": topic.value, "covered": topic.covered, "token": marks.token(topic.token)}


def _item(item: ChecklistItem, marks: Punctuation) -> Mapping[str, Any]:
    task = item.task
    told = {"n": task.n, "stage": task.stage, "title": task.title, "text": task.text}
    return {**told, "done": item.done, "token": marks.token(item.token)}


def _raisable(one: Raisable, marks: Punctuation) -> Mapping[str, Any]:
    event = one.event
    return {"title": event.title, "basis": event.basis, "token": marks.token(one.token), "intended": one.intended}


def _score(score: DraftScore, marks: Punctuation) -> Mapping[str, Any]:
    return {
        "name": score.name,
        "value": "" if score.value is None else f"{score.value:g}",
        "lowest": f"{score.lowest:g}",
        "highest": f"{score.highest:g}",
        "token": marks.value_token(score.name),
    }


def _asked_for(answer: Answer, marks: Punctuation) -> Mapping[str, Any]:
    """What a prompt may say of it: its title and those of its choices, which it is then answered by."""
    titled = answer.choices or (answer.values if answer.choice_titles else ())
    return {
        "id": answer.name,
        "name": answer.called,
        "form": answer.form,
        "type": answer.type.kind if answer.type is not None else "",
        "unit": answer.type.unit if answer.type is not None else "",
        "choices": tuple(answer.said(one) for one in titled if one not in answer.unoffered),
        "most": answer.most,
        "default": answer.default or "",
        "token": marks.value_token(answer.called),
    }
