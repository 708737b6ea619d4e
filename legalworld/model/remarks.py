"""What is recorded of a reply: breaches of rules, and remarks on how it was understood, which break none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .events import Event, Violated

REMARKS: Final = frozenset(
    {"words_after_end", "words_before_title", "earlier_draft", "near_token", "near_answer", "salutation"}
)


def breaches(events: Iterable[Event]) -> tuple[Violated, ...]:
    """What broke a rule of conduct or of form."""
    return tuple(event for event in events if isinstance(event, Violated) and event.rule not in REMARKS)
