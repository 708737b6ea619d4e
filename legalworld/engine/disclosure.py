"""What of a view a prompt tells: in an order that keeps, nothing twice, later only what is new.

What somebody may see is settled before (`view`). What he is not told again he has before him: in a document that
holds it, in his own last reply, or in the words that he is told of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..model.immutable import replace
from ..model.procedure import Phase, Procedure
from .held import stands_in
from .state import CaseState, Thread
from .view import Names, Shown, View

SHORT = 40  # characters; what is shorter may stand in a reply by chance, unless an answer ends with it
ANSWERED = ("】", ">>")  # with which a token ends


def recalled(phase: Phase | None, thread: str) -> tuple[str, ...] | None:
    """What a thread of a phase's own is begun with; None where it is all that is seen."""
    own = phase is not None and thread.endswith(f"/{phase.id}")
    return phase.recalls if own and phase is not None else None


def at_first(
    procedure: Procedure, state: CaseState, view: View, recalls: tuple[str, ...] | None = None
) -> tuple[Shown, ...]:
    """What a thread begins with: what the person was shown before in the order of then, so that prompts begin alike."""
    shown = view.knowledge.shown
    if recalls is not None:
        shown = tuple(one for one in shown if one.name in recalls)
    return tuple(_not_held(procedure, view, _in_order(procedure, state, view.person, shown)))


def since(procedure: Procedure, thread: Thread, view: View) -> tuple[Shown, ...]:
    """What a thread has not been shown: fields newly opened, and of those that grew what came last."""
    unseen = []
    for shown in view.knowledge.shown:
        before = thread.shown.get(shown.key)
        if before is None:
            unseen.append(shown)
        elif before != shown.version:
            grown = 0 if shown.whole else -(shown.version - before)
            unseen.append(replace(shown, entries=shown.entries[grown:]))
    mine = view.variables["me"]["label"]
    return tuple(_not_said(thread, mine, _not_heard(view, _not_held(procedure, view, unseen))))


def _in_order(procedure: Procedure, state: CaseState, person: str, shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
    """What stays in sight longest first, and of that what was shown first."""
    place = {key: number for number, key in enumerate(state.told.get(person, ()))}
    stays = _stays(procedure, state.stage, procedure.roles[state.persons[person].role].kind)
    return tuple(sorted(shown, key=lambda one: (-stays.get(one.name, 0), place.get(one.key, len(place)))))


def _stays(procedure: Procedure, stage: str, kind: str) -> dict[str, int]:
    """What a kind of persons may see in a stage -> in how many of the stages from there on they see it without a gap.

    Stages in which they may see nothing are not theirs and make no gap.
    """
    granted = {(grant.stage, grant.what) for grant in procedure.grants if grant.kind == kind}
    theirs = {where for where, _ in granted}
    order = [one.id for one in procedure.stages if one.id in theirs]
    ahead = order[order.index(stage) :] if stage in order else []
    lasting: dict[str, int] = {}
    for what in {what for where, what in granted if where == stage}:
        lasting[what] = next((n for n, one in enumerate(ahead) if (one, what) not in granted), len(ahead))
    return lasting


def _not_held(procedure: Procedure, view: View, shown: Collection[Shown]) -> Iterator[Shown]:
    """Without what stands in a document that is shown, too: that of a side in one of the same side, or in one whose
    author has no side. What is declared to stand there and does not is told."""
    papers: dict[str, list[tuple[str, str]]] = {}  # what is held -> side of the author, text
    for paper in view.knowledge.shown:
        document = procedure.documents.get(paper.name)
        for name in document.holds if document is not None else ():
            papers.setdefault(name, []).extend((entry["author_side"], entry["value"]) for entry in paper.entries)
    for one in shown:
        held = papers.get(one.name, ())
        left = tuple(entry for entry in one.entries if not _held(entry, held, _worded(procedure, one.name)))
        if left:
            yield replace(one, entries=left)


def _held(entry: Names, papers: Collection[tuple[str, str]], worded: bool) -> bool:
    """Whether one of the papers that speak for whose entry it is says what stands there. `worded`: in words that a
    paper would use; the name of a choice is not looked for."""
    side = entry.get("side", "")
    speaking = [text for author, text in papers if not author or author == side]
    return any(not worded or stands_in(entry["value"], text) for text in speaking)


def _worded(procedure: Procedure, name: str) -> bool:
    answer = procedure.answers.get(name)
    return answer is None or not answer.values


def _not_heard(view: View, shown: Iterator[Shown]) -> Iterator[Shown]:
    """Without a text that stands in the words which are told with it: a document that was handed in a moment ago."""
    words = [utterance["text"] for utterance in view.variables["new"]]
    for one in shown:
        left = tuple(entry for entry in one.entries if not _stands_in(words, entry.get("value")))
        if left:
            yield replace(one, entries=left)


def _stands_in(words: Collection[str], value: object) -> bool:
    return isinstance(value, str) and len(value) > SHORT and any(value in text for text in words)


def _not_said(thread: Thread, mine: str, shown: Iterator[Shown]) -> Iterator[Shown]:
    """Without what the person has just put down in his own words: a document handed in, an opinion noted.

    `mine`: under whose label that stands; what was recorded stands under nobody's, and how a vote came out he does not
    know from his own.
    """
    own = next((message.content for message in reversed(thread.messages) if message.role == "assistant"), "")
    for one in shown:
        left = tuple(
            entry
            for entry in one.entries
            if "counts" in entry or entry.get("by", mine) != mine or not _said(own, entry.get("value"))
        )
        if left:
            yield replace(one, entries=left)


def _said(own: str, value: object) -> bool:
    """Whether a reply holds a value: a text or every item of a list, word for word; a short one as an answer."""
    words = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
    texts = [word for word in words if isinstance(word, str)]
    if not texts or len(texts) < len(words):
        return False
    if sum(map(len, texts)) < SHORT:
        return any(f"{text}{mark}" in own for text in texts[-1:] for mark in ANSWERED)
    return all(text in own for text in texts)
