"""Which vote a title that somebody reads is about: in a loop it names the item behind the words of the step."""

from __future__ import annotations

from collections.abc import Mapping

from legalworld.model.votes import Voted


def vote_titled(votes: Mapping[str, Voted], title: str) -> Voted:
    """The vote of these words, by title; the longest that the title begins with."""
    return votes[max((name for name in votes if title.startswith(name)), key=len)]
