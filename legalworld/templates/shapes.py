"""What a value of a template can be: a text, a number, a list, a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..model.immutable import immutable


@immutable
class Entries:
    """A list."""

    of: Shape


@immutable
class Parts:
    """A record. Keys that are not `named` exist when `rest` says what they are; which, the checker knows."""

    named: Mapping[str, Shape]
    rest: Shape | None = None


Shape = Literal["text", "number", "flag", "any"] | Entries | Parts
