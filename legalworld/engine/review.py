"""Words read by somebody else before they count: approved, or drafted again; or scored, and the best draft is heard."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..model import events, plan
from . import turn as cues
from .state import everyone, wearers
from .turn import TurnSpec

if TYPE_CHECKING:
    from .turn_runner import Floor, Formulated

Verdict = Literal["approved", "criticised", "unapproved", "unread", "scored", "unscored"]
Reading = Generator[events.Turn, tuple[events.Reply, ...], "Formulated"]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A draft, and what its reviewer made of it."""

    said: Formulated
    verdict: Verdict
    criticism: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


def reviewed(floor: Floor, said: Formulated, cue: TurnSpec, review: plan.Review) -> Reading:
    """The draft that counts, after what `review` asks for. A draft without words is not read."""
    author = said.request.person
    reviewers = [person for person in wearers(floor.state, review.reviewer) if person != author]
    concerned = not review.of or author in everyone(floor.state, review.of)
    if not reviewers or not concerned or not said.parsed.text:
        return said
    reading = _ReviewSession(floor, cue, review, reviewers[0])
    drafts = yield from (reading.scored(said) if review.scores else reading.approved(said))
    chosen = _best(drafts) if review.scores else len(drafts) - 1
    for number, draft in enumerate(drafts):
        reading.tell(draft, number + 1, heard=number == chosen)
    last = drafts[chosen].said.request.id == reading.asked
    return drafts[chosen].said if last else replace(drafts[chosen].said, last=False)


def _best(drafts: list[_Verdict]) -> int:
    """The first of those with the highest sum; the first of all where none was scored."""
    sums = [sum(draft.scores.values()) if draft.scores else float("-inf") for draft in drafts]
    return sums.index(max(sums))


class _ReviewSession:
    """One utterance of one author, on its way through a review."""

    def __init__(self, floor: Floor, cue: TurnSpec, review: plan.Review, reviewer: str) -> None:
        self.floor = floor
        self.cue = cue
        self.review = review
        self.reviewer = reviewer
        self.asked = ""

    def approved(self, said: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Verdict]]:
        """Drafts until one is approved; the last that there may be is not read any more."""
        drafts: list[_Verdict] = []
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
        return [*drafts, _Verdict(said, "unapproved")]

    def scored(self, said: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Verdict]]:
        """All drafts, each with its scores."""
        self.asked = said.request.id
        drafts = [(yield from self._read(said, 1))]
        while len(drafts) < self.review.drafts:
            again = yield from self._revised(drafts[-1], len(drafts))
            if not again.parsed.text:
                break
            drafts.append((yield from self._read(again, len(drafts) + 1)))
        return drafts

    def _read(self, said: Formulated, number: int) -> Generator[events.Turn, tuple[events.Reply, ...], _Verdict]:
        """The reviewer reads a draft; nobody else hears what he says of it."""
        review = self.review
        cue = TurnSpec(
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
            return _Verdict(said, "scored" if found.values else "unscored", found.text, found.values)
        verdict: Verdict = "approved" if found.ending else "criticised" if found.text else "unread"
        return _Verdict(said, verdict, found.text)

    def _revised(self, read: _Verdict, number: int) -> Reading:
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

    def _draft(self, said: Formulated, number: int) -> cues.DraftForReview:
        return cues.DraftForReview(said.parsed.text, number, said.request.speaker, self.cue.act)

    def _scores(self, values: Mapping[str, float]) -> tuple[cues.DraftScore, ...]:
        review = self.review
        return tuple(cues.DraftScore(name, values.get(name), review.lowest, review.highest) for name in review.scores)

    def tell(self, read: _Verdict, number: int, heard: bool) -> None:
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
