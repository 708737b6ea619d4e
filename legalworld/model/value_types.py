"""What type the values of a case have: what their author promises of them, and what may be done with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from .immutable import immutable
from .source import Span

TypeKind = Literal["text", "amount", "rate", "date", "number", "yes or no", "choice", "reference", "anything"]
MEASURED: Final[frozenset[TypeKind]] = frozenset({"amount", "rate", "number"})
"""Kinds whose values can be compared as numbers and added up."""


@immutable
class ValueType:
    """The type of a field, of a key of its records, or of what stands below one.

    `anything`: no type at all, for a key that what its field says of all keys does not hold for.
    `unit`: the currency of an amount, as a code, or the unit of a number; "" where none is declared.
    `choices`: of a choice, as they are kept. `targets`: of a reference, (field, key) of the records it may name.
    `many`: a list of such values. `unique`: no two records of the case's field have the same.
    `partial`: of a date, the day or the month may be left out. `word`: how the author wrote it, "" where it is implied.
    """

    kind: TypeKind
    span: Span
    unit: str = ""
    choices: tuple[str, ...] = ()
    targets: tuple[tuple[str, str], ...] = ()
    many: bool = False
    unique: bool = False
    partial: bool = False
    word: str = ""

    @property
    def name(self) -> str:
        """The type as its author calls it."""
        return self.word or self.kind

    @property
    def measured(self) -> bool:
        return self.kind in MEASURED


Types = Mapping[str, ValueType]
"""Key of a record, or `KEY.KEY` of what stands below one, -> its type; "" is the field itself."""
