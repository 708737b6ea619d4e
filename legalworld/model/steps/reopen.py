"""`reopen PHASE`: the steps of an earlier phase once more."""

from __future__ import annotations

from ..immutable import immutable
from ..plan import Step


@immutable
class Reopen(Step):
    """The steps of an earlier phase of the stage are gone through again, at most `limit` times in the stage."""

    phase: str
    limit: int

    @property
    def most_turns(self) -> int:
        return self.limit
