"""Libraries that only some commands need: which extra of the package brings the one that is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.diagnostics import Diagnostic
from . import diagnose

EXTRAS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("numpy", "scipy", "sklearn"), "evaluation"),
    **dict.fromkeys(("starlette", "uvicorn"), "studio"),
}
"""Module -> the extra that installs it."""


def lacking_extra(error: BaseException) -> Diagnostic | None:
    """What to install, where an error says that a library of an extra is missing; else None."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if name not in EXTRAS:
        return None
    return diagnose.lacking_library("lw", library=name, extra=EXTRAS[name])
