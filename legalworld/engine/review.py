"""Words read by others before they count: approved by all, or drafted again; or scored, and the best draft is heard."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import field
from typing import Literal

from ..model import events, plan
from ..model.immutable import immutable, replace
from . import presence
from .parsed import Parsed
from .state import everyone
from .turn import DraftForReview, DraftScore, TurnSpec
from .turn_runner import Formulated, TurnRunner

Verdict = Literal["approved", "criticised", "unapproved", "unread", "scored", "unscored"]
Reading = Generator[events.Turn, tuple[events.Reply, ...], Formulated]


@immutable
class _Opinion:
    """What one reviewer made of a draft."""

    by: str
    verdict: Verdict
    text: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@immutable
class _Read:
    """A draft, and what each of its reviewers made of it."""

    words: Formulated
    opinions: tuple[_Opinion, ...]

    @property
    def sum(self) -> float:
        """Of all that it was scored by all; less than any sum where nobody scored it."""
        scores = [score for opinion in self.opinions for score in opinion.scores.values()]
        return sum(scores) if scores else float("-inf")


def reviewed(turns: TurnRunner, words: Formulated, spec: TurnSpec, review: plan.Review) -> Reading:
    """The draft that counts, after what `review` asks for. A draft without words is not read."""
    author, state = words.request.person, turns.scene.state
    meant = tuple(person for person in everyone(state, review.reviewers) if person != author)
    concerned = not review.of or author in everyone(state, review.of)
    if not meant or not concerned or not spec.offered(words.parsed):
        return words
    reviewers = tuple(person for person in turns.scene.there(*review.reviewers) if person != author)
    presence.pass_over(turns.scene, "unreviewed", set(meant) - {*reviewers}, author)
    if not reviewers:
        return words
    session = _ReviewSession(turns, spec, review, reviewers)
    drafts = yield from (session.scored(words) if review.scores else session.approved(words))
    chosen = _best(drafts) if review.scores else len(drafts) - 1
    for number, draft in enumerate(drafts):
        session.tell(draft, number + 1, heard=number == chosen)
    last = drafts[chosen].words.request.id == session.asked
    return drafts[chosen].words if last else replace(drafts[chosen].words, last=False)


def _best(drafts: list[_Read]) -> int:
    """The first of those with the highest sum; the first of all where none was scored."""
    sums = [draft.sum for draft in drafts]
    return sums.index(max(sums))


class _ReviewSession:
    """One utterance of one author, on its way through a review."""

    def __init__(self, turns: TurnRunner, spec: TurnSpec, review: plan.Review, reviewers: tuple[str, ...]) -> None:
        self.turns = turns
        self.spec = spec
        self.review = review
        self.reviewers = reviewers
        self.asked = ""

    def approved(self, words: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Read]]:
        """Drafts until all approve of one; the last that there may be is not read any more."""
        drafts: list[_Read] = []
        self.asked = words.request.id
        while len(drafts) + 1 < self.review.drafts:
            read = yield from self._read(words, len(drafts) + 1)
            drafts.append(read)
            if all(opinion.verdict != "criticised" for opinion in read.opinions):
                return drafts
            again = yield from self._revised(read, len(drafts))
            if not again.parsed.document:  # no revision: what was criticised is heard
                return drafts
            words = again
        return [*drafts, _Read(words, tuple(_Opinion(by, "unapproved") for by in self.reviewers))]

    def scored(self, words: Formulated) -> Generator[events.Turn, tuple[events.Reply, ...], list[_Read]]:
        """All drafts, each with its scores."""
        self.asked = words.request.id
        drafts = [(yield from self._read(words, 1))]
        while len(drafts) < self.review.drafts:
            again = yield from self._revised(drafts[-1], len(drafts))
            if not again.parsed.document:
                break
            drafts.append((yield from self._read(again, len(drafts) + 1)))
        return drafts

    def _read(self, words: Formulated, number: int) -> Generator[events.Turn, tuple[events.Reply, ...], _Read]:
        """The reviewers read a draft, one after the other; none hears what another says of it."""
        opinions: list[_Opinion] = []
        asked = [(by, self._asked(by, words, number)) for by in self.reviewers]
        for count, (by, spec) in enumerate(asked, 1):
            opinion = yield from self.turns.formulate(by, spec, asked[count:])
            self.turns.utter(opinion, spec)
            opinions.append(self._opinion(by, opinion.parsed))
        return _Read(words, tuple(opinions))

    def _asked(self, by: str, words: Formulated, number: int) -> TurnSpec:
        """The turn of one reviewer."""
        review = self.review
        return TurnSpec(
            "review",
            self.spec.info,
            (words.request.person,),
            ending=(review.approve,) if review.approve else (),
            loop_item=self.spec.loop_item,
            turn=self.spec.turn,
            left=self.spec.left,
            aloud=False,
            draft=self._draft(words, number),
            scores=self._scores(_Opinion(by, "unread")),
        )

    def _opinion(self, by: str, judged: Parsed) -> _Opinion:
        if self.review.scores:
            return _Opinion(by, "scored" if judged.values else "unscored", judged.text, judged.values)
        verdict: Verdict = "approved" if judged.ending else "criticised" if judged.text else "unread"
        return _Opinion(by, verdict, judged.text)

    def _revised(self, read: _Read, number: int) -> Reading:
        """The author drafts again, knowing what was said of his last draft."""
        spec = replace(
            self.spec,
            act="revise",
            draft=self._draft(read.words, number),
            criticism="\n".join(self._labelled(opinion) for opinion in read.opinions if opinion.text),
            scores=tuple(score for opinion in read.opinions for score in self._scores(opinion)),
        )
        words = yield from self.turns.formulate(read.words.request.person, spec)
        self.asked = words.request.id
        return words

    def _draft(self, words: Formulated, number: int) -> DraftForReview:
        return DraftForReview(self.spec.offered(words.parsed), number, words.request.speaker, self.spec.act)

    def _labelled(self, opinion: _Opinion) -> str:
        """What a reviewer says, with his name before it where there are several."""
        colon = self.turns.scene.procedure.marks.colon
        return opinion.text if len(self.reviewers) == 1 else self.turns.scene.label(opinion.by) + colon + opinion.text

    def _scores(self, opinion: _Opinion) -> tuple[DraftScore, ...]:
        """What a reviewer is to give, or gave; with his name where the author reads those of several."""
        review = self.review
        label, marks = self.turns.scene.label(opinion.by), self.turns.scene.procedure.marks
        several = len(self.reviewers) > 1 and opinion.verdict == "scored"
        return tuple(
            DraftScore(
                marks.bracketed(name, label) if several else name,
                opinion.scores.get(name),
                review.lowest,
                review.highest,
            )
            for name in review.scores
        )

    def tell(self, read: _Read, number: int, heard: bool) -> None:
        """Each opinion by itself, once it is clear which draft is heard."""
        request = read.words.request
        for opinion in read.opinions:
            self.turns.scene.recorder.tell(
                events.Reviewed(
                    request=request.id,
                    place=self.turns.scene.state.place,
                    person=request.person,
                    speaker=request.speaker,
                    act=self.spec.act,
                    by=opinion.by,
                    number=number,
                    text=self.spec.offered(read.words.parsed),
                    verdict=opinion.verdict,
                    criticism=opinion.text,
                    scores=dict(opinion.scores),
                    heard=heard,
                )
            )
