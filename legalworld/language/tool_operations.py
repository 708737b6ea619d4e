"""What tools can do: the operations that ship, and those that other packages add (`legalworld.tools`)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Final

from ..model.equipment import OPERATIONS, Operation, Parameter
from .plugins import Plugged, plugged

GROUP: Final = "legalworld.tools"


@cache
def tool_operations() -> Plugged[Operation]:
    """All operations by their names. One of another package needs the world, whatever it says of itself."""
    found = plugged(GROUP, OPERATIONS, _serves)
    parts = {
        name: replace(part, outside=True, searches="") if name in found.foreign else part
        for name, part in found.parts.items()
    }
    return Plugged(parts, found.foreign, found.problems)


def _serves(part: Any) -> bool:
    """Whether this is an operation that answers by itself, with parameters of different names."""
    if not isinstance(part, Operation) or not callable(part.serve):
        return False
    given: tuple[Any, ...] = part.parameters
    names = [one.name for one in given if isinstance(one, Parameter)]
    return len(names) == len(given) == len(set(names))
