"""What a run is made of, and whether a folder holds that run or another.

A folder's name is for people and cannot hold all of it; `run.yaml` and the bound case can. Before a run is gone on
with, what is asked for and what lies there are compared.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Final

from ..binding.casefile import as_json
from ..model.diagnostics import Diagnostic
from ..model.text import plain_name
from ..runs.folder import RunFolder
from ..runs.lifecycle import RunPlan, info_of
from ..runs.run_info import RunInfo

_MADE_OF: Final = (
    *("procedure", "digest", "case", "target", "seed", "models", "options", "binding", "until", "tools", "skip"),
    *("without", "parent", "at", "endpoints"),
)
CASE: Final = "case.json"


def folder_name(text: str) -> str:
    """A name for files that no other text shares: where signs had to go, with the beginning of the text's SHA-256."""
    plain = plain_name(text)
    return plain if plain == text else f"{plain[:51]}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def differences(folder: RunFolder, plan: RunPlan) -> tuple[str, ...] | Diagnostic:
    """In what the run that lies in a folder is another than the planned one: keys of `run.yaml`, or the bound case."""
    asked, there = info_of(plan), folder.info
    other = tuple(key for key in _MADE_OF if getattr(asked, key) != getattr(there, key))
    case = folder.case_json()
    if isinstance(case, Diagnostic):
        return case
    if other or case == as_json(plan.matter.case):
        return other
    assert plan.project.procedure is not None
    readable = folder.case(plan.project.procedure)
    return readable if isinstance(readable, Diagnostic) else (CASE,)


def made_of(info: RunInfo, case: str) -> str:
    """What a run is made of, in 16 hex digits: two are the same where `differences` finds none. `case`: as JSON."""
    values = asdict(info)
    text = json.dumps([*(values[key] for key in _MADE_OF), case], ensure_ascii=False, sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def made_of_plan(plan: RunPlan) -> str:
    """As `made_of`, of a run that is to be."""
    return made_of(info_of(plan), as_json(plan.matter.case))
