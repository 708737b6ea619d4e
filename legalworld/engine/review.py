"""Words read by somebody else before they count: approved, or drafted again; or scored, and the best draft is heard."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ..model import events, plan
from .state import everyone
from .turn import DraftForReview, DraftScore, TurnSpec
from .turn_runner import Formulated, TurnRunner

Verdict = Literal["approved", "criticised", "unapproved", "unread", "scored", "unscored"]
Reading = Generator[events.Turn, tuple[events.Reply, ...], Formulated]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A draft, and what its reviewer made of it."""

    words: Formulated
    verdict: Verdict
    criticism: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


def reviewed(turns: TurnRunner, words: Formulated, spec: TurnSpec, review: plan.Review) -> Reading:
    """The draft that counts, after what `review` asks for. A draft without words is not read."""
    author, state = words.request.person, turns.scene.state
    reviewers = [person for person in turns.scene.there(review.reviewer) if person != author]
    concerned = not review.of or author in everyone(state, review.of)
    if not reviewers or not concerned or not words.parsed.text:
        return words
    session = _ReviewSession(turns, spec, review, reviewers[0])
    drafts = yield from (session.scored(words) if review.scores else session.approved(words))
    chosen = _best(drafts) if review.scores else len(drafts) - 1
    for number, draft in enumerate(drafts):
        session.tell(draft, number + 1, heard=number == chosen)
    last = drafts[chosen].words.request.id == session.asked
    return drafts[chosen].words if last else replace(drafts[chosen].words, last=False)


def _best(drafts: list[_Verdict]) -> int:
    """The first of those with the highest sum; the first of all where none was scored."""
    sums = [sum(draft.scores.values()) if draft.scores else float("-inf") for draft in drafts]
    return sums.index(max(sums))


class _ReviewSession:
    """One utterance of one author, on its way through a review."""

    def __init__(self, turns: TurnRunner, spec: TurnSpec, review: plan.Review, reviewer: str) -> None:
        self.turns = turns
        self.spec = spec
        self.review = review
        self.reviewer = reviewer
        self.asked = ""

    def approved(self, words: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Verdict]]:
        """Drafts until one is approved; the last that there may be is not read any more."""
        drafts: list[_Verdict] = []
        self.asked = words.request.id
        while len(drafts) + 1 < self.review.drafts:
            read = yield from self._read(words, len(drafts) + 1)
            drafts.append(read)
            if read.verdict != "criticised":
                return drafts
            again = yield from self._revised(read, len(drafts))
            if not again.parsed.text:  # no revision: what was criticised is heard
                return drafts
            words = again
        return [*drafts, _Verdict(words, "unapproved")]

    def scored(self, words: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Verdict]]:
        """All drafts, each with its scores."""
        self.asked = words.request.id
        drafts = [(yield from self._read(words, 1))]
        while len(drafts) < self.review.drafts:
            again = yield from self._revised(drafts[-1], len(drafts))
            if not again.parsed.text:
                break
            drafts.append((yield from self._read(again, len(drafts) + 1)))
        return drafts

    def _read(self, words: Formulated, number: int) -> Generator[events.Turn, tuple[events.Reply, ...], _Verdict]:
        """The reviewer reads a draft; nobody else hears what he says of it."""
        review = self.review
        spec = TurnSpec(
            "review",
            self.spec.info,
            (words.request.person,),
            ending=(review.approve,) if review.approve else (),
            loop_item=self.spec.loop_item,
            turn=self.spec.turn,
            left=self.spec.left,
            aloud=False,
            draft=self._draft(words, number),
            scores=self._scores({}),
        )
        opinion = yield from self.turns.formulate(self.reviewer, spec)
        self.turns.utter(opinion, spec)
        judged = opinion.parsed
        if review.scores:
            return _Verdict(words, "scored" if judged.values else "unscored", judged.text, judged.values)
        verdict: Verdict = "approved" if judged.ending else "criticised" if judged.text else "unread"
        return _Verdict(words, verdict, judged.text)

    def _revised(self, read: _Verdict, number: int) -> Reading:
        """The author drafts again, knowing what was said of his last draft."""
        spec = replace(
            self.spec,
            act="revise",
            draft=self._draft(read.words, number),
            criticism=read.criticism,
            scores=self._scores(read.scores),
        )
        words = yield from self.turns.formulate(read.words.request.person, spec)
        self.asked = words.request.id
        return words

    def _draft(self, words: Formulated, number: int) -> DraftForReview:
        return DraftForReview(words.parsed.text, number, words.request.speaker, self.spec.act)

    def _scores(self, values: Mapping[str, float]) -> tuple[DraftScore, ...]:
        review = self.review
        return tuple(DraftScore(name, values.get(name), review.lowest, review.highest) for name in review.scores)

    def tell(self, read: _Verdict, number: int, heard: bool) -> None:
        request = read.words.request
        self.turns.scene.recorder.tell(
            events.Reviewed(
                request=request.id,
                place=self.turns.scene.state.place,
                person=request.person,
                speaker=request.speaker,
                act=self.spec.act,
                by=self.reviewer,
                number=number,
                text=read.words.parsed.text,
                verdict=read.verdict,
                criticism=read.criticism,
                scores=dict(read.scores),
                heard=heard,
            )
        )
