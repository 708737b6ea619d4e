"""`end stage` and `end case`: nothing more comes."""

from __future__ import annotations

from typing import Literal

from ..immutable import immutable
from ..plan import Step


@immutable
class End(Step):
    what: Literal["stage", "case"]
    document: str
    outcome: str
