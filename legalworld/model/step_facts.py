"""Questions to any step, whatever its verb: who has the word in it, what may be said, what comes of it."""

from __future__ import annotations

from collections.abc import Iterator

from .actors import Actor
from .plan import Answer, Step, TokenUse, TurnSlot


def actors_of(step: Step) -> tuple[Actor, ...]:
    """The actors who speak, are addressed, write, review, object or rule in a step itself."""
    return (*step.all_speakers, *overseers_of(step))


def overseers_of(step: Step) -> tuple[Actor, ...]:
    """Those who review what is said in a step, may object to it, or rule on that."""
    review, objection = step.info.review, step.info.objection
    reviewers = review.reviewers if review is not None else ()
    return (*reviewers, *objection.by, objection.ruler) if objection is not None else reviewers


def turn_slots(step: Step) -> Iterator[TurnSlot]:
    """Who may be given the word in a step itself, reviewers and revisers included."""
    yield from step.turn_slots
    review = step.info.review
    if review is not None:
        yield TurnSlot("review", review.reviewers, aloud=False)
        yield TurnSlot("revise", review.of or step.all_speakers, aloud=False)
    objection = step.info.objection
    if objection is not None:
        yield TurnSlot("object", objection.by, aloud=False)
        yield TurnSlot("rule", (objection.ruler,), aloud=False)


def uses_of(step: Step) -> tuple[TokenUse, ...]:
    """The tokens that a step lets somebody say, those of reviews and objections included; one "" is none."""
    review, objection = step.info.review, step.info.objection
    of_review = (TokenUse(review.approve),) if review is not None else ()
    of_objection = (TokenUse(objection.token), TokenUse(objection.waive)) if objection is not None else ()
    return (*step.token_uses, *of_review, *of_objection)


def tokens_of(step: Step) -> tuple[str, ...]:
    """The tokens that a step lets somebody say."""
    scores = step.info.review.scores if step.info.review is not None else ()
    return tuple(token for token in (*(use.token for use in uses_of(step)), *map(value_token, scores)) if token)


def answers_of(step: Step) -> tuple[str, ...]:
    """The answers that are captured in a step, a ruling on objections included."""
    objection = step.info.objection
    return (*step.answer_names, objection.ruling.name) if objection is not None else step.answer_names


def asked_in(step: Step) -> tuple[Answer, ...]:
    """The answer that a step asks for, as one or none."""
    found = getattr(step, "answer", None)
    return (found,) if isinstance(found, Answer) else ()


def answerers_of(step: Step, name: str) -> tuple[Actor, ...]:
    """Those who give an answer that is captured in a step."""
    objection = step.info.objection
    return (objection.ruler,) if objection is not None and objection.ruling.name == name else step.answerers


def makes(step: Step) -> tuple[str, ...]:
    """The answers and documents that a step brings about."""
    return (*answers_of(step), *step.document_names)


def value_token(name: str) -> str:
    """The token by which a value is given, with a hole for it."""
    return f"{name}：{{value}}"
