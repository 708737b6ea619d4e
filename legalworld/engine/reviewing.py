"""Words read by somebody else before they count: approved, or drafted again; or scored, and the best draft is heard."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..model import events
from ..model import procedure as p
from . import cue as cues
from .cue import Cue
from .state import everyone, wearers

if TYPE_CHECKING:
    from .floor import Floor, Said

Verdict = Literal["approved", "criticised", "unapproved", "unread", "scored", "unscored"]
Reading = Generator[events.Turn, tuple[events.Reply, ...], "Said"]


@dataclass(frozen=True, slots=True)
class _Read:
    """A draft, and what its reviewer made of it."""

    said: Said
    verdict: Verdict
    criticism: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


def reviewed(floor: Floor, said: Said, cue: Cue, review: p.Review) -> Reading:
    """The draft that counts, after what `review` asks for. A draft without words is not read."""
    author = said.request.person
    reviewers = [person for person in wearers(floor.state, review.reviewer) if person != author]
    concerned = not review.of or author in everyone(floor.state, review.of)
    if not reviewers or not concerned or not said.parsed.text:
        return said
    reading = _Reading(floor, cue, review, reviewers[0])
    drafts = yield from (reading.scored(said) if review.scores else reading.approved(said))
    chosen = _best(drafts) if review.scores else len(drafts) - 1
    for number, draft in enumerate(drafts):
        reading.tell(draft, number + 1, heard=number == chosen)
    last = drafts[chosen].said.request.id == reading.asked
    return drafts[chosen].said if last else replace(drafts[chosen].said, last=False)


def _best(drafts: list[_Read]) -> int:
    """The first of those with the highest sum; the first of all where none was scored."""
    sums = [sum(draft.scores.values()) if draft.scores else float("-inf") for draft in drafts]
    return sums.index(max(sums))


class _Reading:
    """One utterance of one author, on its way through a review."""

    def __init__(self, floor: Floor, cue: Cue, review: p.Review, reviewer: str) -> None:
        self.floor = floor
        self.cue = cue
        self.review = review
        self.reviewer = reviewer
        self.asked = ""

    def approved(self, said: Said) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Read]]:
        """Drafts until one is approved; the last that there may be is not read any more."""
        drafts: list[_Read] = []
        self.asked = said.request.id
        while len(drafts) + 1 < self.review.drafts:
            read = yield from self._read(said, len(drafts) + 1)
            drafts.append(read)
            if read.verdict != "criticised":
                return drafts
            again = yield from self._revised(read, len(drafts))
            if not again.parsed.text:  # no revision: what was criticised is heard
                return drafts
            said = again
        return [*drafts, _Read(said, "unapproved")]

    def scored(self, said: Said) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Read]]:
        """All drafts, each with its scores."""
        self.asked = said.request.id
        drafts = [(yield from self._read(said, 1))]
        while len(drafts) < self.review.drafts:
            again = yield from self._revised(drafts[-1], len(drafts))
            if not again.parsed.text:
                break
            drafts.append((yield from self._read(again, len(drafts) + 1)))
        return drafts

    def _read(self, said: Said, number: int) -> Generator[events.Turn, tuple[events.Reply, ...], _Read]:
        """The reviewer reads a draft; nobody else hears what he says of it."""
        review = self.review
        cue = Cue(
            "review",
            self.cue.info,
            (said.request.person,),
            ending=(review.approve,) if review.approve else (),
            hand=self.cue.hand,
            turn=self.cue.turn,
            left=self.cue.left,
            aloud=False,
            draft=self._draft(said, number),
            scores=self._scores({}),
        )
        opinion = yield from self.floor.formulate(self.reviewer, cue)
        self.floor.utter(opinion, cue)
        found = opinion.parsed
        if review.scores:
            return _Read(said, "scored" if found.values else "unscored", found.text, found.values)
        verdict: Verdict = "approved" if found.ending else "criticised" if found.text else "unread"
        return _Read(said, verdict, found.text)

    def _revised(self, read: _Read, number: int) -> Reading:
        """The author drafts again, knowing what was said of his last draft."""
        cue = replace(
            self.cue,
            act="revise",
            draft=self._draft(read.said, number),
            criticism=read.criticism,
            scores=self._scores(read.scores),
        )
        said = yield from self.floor.formulate(read.said.request.person, cue)
        self.asked = said.request.id
        return said

    def _draft(self, said: Said, number: int) -> cues.Draft:
        return cues.Draft(said.parsed.text, number, said.request.speaker, self.cue.act)

    def _scores(self, values: Mapping[str, float]) -> tuple[cues.Score, ...]:
        review = self.review
        return tuple(cues.Score(name, values.get(name), review.lowest, review.highest) for name in review.scores)

    def tell(self, read: _Read, number: int, heard: bool) -> None:
        request = read.said.request
        self.floor.tell(
            events.Reviewed(
                request=request.id,
                place=self.floor.state.place,
                person=request.person,
                speaker=request.speaker,
                act=self.cue.act,
                by=self.reviewer,
                number=number,
                text=read.said.parsed.text,
                verdict=read.verdict,
                criticism=read.criticism,
                scores=dict(read.scores),
                heard=heard,
            )
        )
