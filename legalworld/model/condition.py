"""The condition of a run, as a value: all that made it but the case and the seed. `runs.condition` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from .immutable import immutable

OWN: Final = ("own_parameters", "own_tools")
"""The facts of the model under test, which stands in the row of a table."""

SHARED: Final = (
    *("procedure", "version", "target", "environment", "parameters", "tools", "options", "binding", "skip", "without"),
    *("parts", "until", "fork", "changed"),
)
"""The facts of everybody and everything else."""


@immutable
class RunCondition:
    """`shared`: fact -> text, of all but the model under test; "" where nothing is said. `own`: that model's, without
    its name. `case_text`: what the bound case, its sealed values included, amounts to; `run_id`: the key of the run in
    files of data; `seed`: of its chance."""

    shared: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    case_text: str = ""
    run_id: str = ""
    seed: int = 0


NO_CONDITION: Final = RunCondition()
