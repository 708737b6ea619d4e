"""A value that is kept in files: what all events are made from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A value that is kept in files: it cannot change, and a key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
