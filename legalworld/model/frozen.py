"""What is kept in files as JSON: values that cannot change, of known keys alone."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A value that is kept in files: it cannot change, and a key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def left_out(value: object) -> bool:
    """Whether a value says nothing, so that its key is left out of the file."""
    return not value
