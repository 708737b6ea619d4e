"""Libraries that only some commands need: which extra of the package brings the one that is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.diagnostics import Diagnostic
from . import diagnose

EXTRAS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("numpy", "scipy", "sklearn"), "evaluation"),
    **dict.fromkeys(("starlette", "uvicorn"), "studio"),
    **dict.fromkeys(("pygls", "lsprotocol"), "editor"),
}
"""Module -> the extra that installs it."""


def lacking_extra(error: BaseException) -> Diagnostic | None:
    """What to install, where an error says that a library of an extra is missing; else None."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if name not in EXTRAS:
        return None
    kind = diagnose.lacking_library if EXTRAS[name] == "evaluation" else diagnose.lacking_command_library
    return kind("lw", library=name, extra=EXTRAS[name])
