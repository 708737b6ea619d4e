"""How persons attend a stage: whether they are there, have gone, or never came."""

from __future__ import annotations

from typing import Literal

from .state import CaseState


def attendance(persons: tuple[str, ...], state: CaseState) -> Literal["present", "absent", "left", ""]:
    """Return how those who are meant attend, as one of `Attends.how`; "" of nobody.

    Who waits outside has come; who has come and is gone was not absent, however often what he was called for is
    played again.
    """
    if any(person not in state.out or person in state.waiting for person in persons):
        return "present"
    came = any(person not in state.absent for person in persons)
    return "left" if came else "absent" if persons else ""
