"""What other packages have a hand in a run with: operations of tools, model adapters, marks of thoughts and calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..language.plugins import Plugged
from ..language.tool_operations import tool_operations
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..models.added_marks import added_marks
from ..models.schemes import ADAPTED, is_model, model_adapters, scheme_of


def foreign_parts(procedure: Procedure, names: Collection[str]) -> dict[str, str]:
    """`tools NAME`, `models NAME`, `marks NAME` -> package and version, where backbones of these names play. Marks
    count where a model is called: its words are read by them."""
    operations = {tool.operation for tool in procedure.tools.values()}
    found = dict(_told("tools", tool_operations(), operations))
    found |= _told("models", model_adapters(), {name.partition(":")[0] for name in names if scheme_of(name) == ADAPTED})
    return found | dict(_told("marks", added_marks(), added_marks().foreign if any(map(is_model, names)) else ()))


def told_of_packages(names: Collection[str]) -> tuple[Diagnostic, ...]:
    """What packages add for models and cannot be used, where anybody is to be asked who does not ship."""
    if any(is_model(name) or scheme_of(name) == ADAPTED for name in names):
        return (*model_adapters().problems, *added_marks().problems)
    return ()


def _told(kind: str, plugged: Plugged[object], used: Collection[str]) -> Iterator[tuple[str, str]]:
    return ((f"{kind} {name}", plugged.origin(name)) for name in sorted(used) if name in plugged.foreign)
