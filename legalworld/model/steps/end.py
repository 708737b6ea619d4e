"""`end stage` and `end case`: nothing more comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..plan import Step


@dataclass(frozen=True, slots=True)
class End(Step):
    what: Literal["stage", "case"]
    document: str
    outcome: str
