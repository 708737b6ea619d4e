"""`continue with PHASE`: what stands between is passed over."""

from __future__ import annotations

from ..immutable import immutable
from ..plan import Step


@immutable
class Continue(Step):
    """On with a later phase of this stage, or with a later stage."""

    destination: str
