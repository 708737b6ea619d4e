"""`continue with PHASE`: what stands between is passed over."""

from __future__ import annotations

from dataclasses import dataclass

from ..plan import Step


@dataclass(frozen=True, slots=True)
class Continue(Step):
    """On with a later phase of this stage, or with a later stage."""

    destination: str
