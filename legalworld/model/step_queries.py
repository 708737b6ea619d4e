"""Questions to a step in which its review has a part: who acts, who is given the word, which tokens, what it makes."""

from __future__ import annotations

from collections.abc import Iterator

from .plan import Actor, Step, TurnSlot


def actors_of(step: Step) -> tuple[Actor, ...]:
    """The actors who speak, are addressed, write or review in a step itself."""
    review = step.info.review
    return (*step.all_speakers, review.reviewer) if review is not None else step.all_speakers


def turn_slots(step: Step) -> Iterator[TurnSlot]:
    """Who may be given the word in a step itself, reviewers and revisers included."""
    yield from step.turn_slots
    review = step.info.review
    if review is not None:
        yield TurnSlot("review", (review.reviewer,))
        yield TurnSlot("revise", review.of or step.all_speakers)


def tokens_of(step: Step) -> tuple[str, ...]:
    """The tokens that a step lets somebody say."""
    review = step.info.review
    of_review = (review.approve, *map(value_token, review.scores)) if review is not None else ()
    return tuple(token for token in (*(use.token for use in step.token_uses), *of_review) if token)


def makes(step: Step) -> tuple[str, ...]:
    """The answers and documents that a step brings about."""
    return (*step.answer_names, *step.document_names)


def value_token(name: str) -> str:
    """The token by which a value is given, with a hole for it."""
    return f"{name}：{{value}}"
