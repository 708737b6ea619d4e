"""What is found wrong in a source, as a value with a place.

A `Diagnostic` is never an exception: readers, parsers, the linker and the checker gather them, and
`wording.diagnostics.render` turns them into sentences in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal

from .immutable import immutable
from .source import Span

MORE: Final = "more"
"""Under which name the values of a problem count others that follow from it and are not told."""


@immutable
class Diagnostic:
    """Something wrong in a source, as data: the catalogue in `wording/diagnostics` holds its sentence in each language.

    `values` fill the sentence's `{names}`; `nearest` is the closest valid name, when one is close enough.
    """

    code: str
    span: Span
    values: Mapping[str, object] = field(default_factory=dict, hash=False)
    nearest: str | None = None
    also: tuple[Span, ...] = ()
    severity: Literal["error", "warning"] = "error"
