"""Choices of persons: whom an answer may name when it is asked for, and whom it has named."""

from __future__ import annotations

from ..model.immutable import replace
from ..model.plan import Answer
from .named import words_of_person
from .scene import Scene
from .state import holders


def asked(scene: Scene, answer: Answer | None) -> Answer | None:
    """Return what is asked for; a choice of persons with what those are called who can be chosen now: all who are
    meant and have not left. A reply may call them by all that the case calls them."""
    if answer is None or answer.among is None:
        return answer
    persons = [person for person in holders(scene.state, answer.among) if person not in scene.state.out]
    labels = {person: scene.label(person) for person in persons}
    called = {one: set(words_of_person(scene.procedure, scene.state.persons[one])) - {""} for one in persons}
    words = [(labels[one], word) for one in persons for word in sorted(called[one])]
    titles = [pair for pair in words if sum(pair[1] in mine for mine in called.values()) == 1]
    choices = tuple(labels.values())
    return replace(answer, choices=choices, choice_titles=(*titles, *((label, label) for label in choices)))


def nobody_to_choose(answer: Answer | None) -> bool:
    """Whether an answer is to choose among persons of whom there is none."""
    return answer is not None and answer.among is not None and not answer.choices


def chosen(scene: Scene, answer: Answer, value: str | tuple[str, ...], about: str) -> tuple[str, ...]:
    """Return the persons whom an answer names; of a yes or no, the person of a loop whom it is about."""
    if answer.among is not None:
        said = (value,) if isinstance(value, str) else value
        return tuple(person for person in holders(scene.state, answer.among) if scene.label(person) in said)
    if answer.form != "yes or no":
        return ()
    return tuple(item.person for item in scene.loop_items if item.person and item.about == about)[:1]
