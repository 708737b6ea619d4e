"""What a command says of the warnings of its cases, and the code by which it ends when too many cases are odd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..wording import say
from .output import DONE, ODD, remark

Warned = Mapping[str, Any]
"""As `WarningCounts.row` has them: `cases`, `odd`, and `warnings` with code, field, count and examples."""


def tell_warned(warned: Warned) -> None:
    """One line for all, and one for each kind with its first examples; nothing where there was no warning."""
    kinds = warned.get("warnings", ())
    if not kinds:
        return
    remark(say("warned.together", cases=warned["cases"], odd=warned["odd"], share=_share(warned)))
    for kind in kinds:
        examples = say("run.among").join(kind["examples"])
        remark(say("warned.kind", **{**kind, "examples": examples}))


def code_with(code: int, warned: Warned, allowed: float) -> int:
    """The code of a command that went well otherwise: another where more cases are odd than `allowed`, a share."""
    odd, cases = warned.get("odd", 0), warned.get("cases", 0)
    if odd <= allowed * cases:
        return code
    remark(say("warned.too_odd", odd=odd, cases=cases, share=_share(warned), allowed=_percent(allowed)))
    return ODD if code == DONE else code


def _share(warned: Warned) -> str:
    return _percent(warned["odd"] / max(warned["cases"], 1))


def _percent(share: float) -> str:
    return f"{share * 100:.3g}%"
