"""What made a run: its condition, and the name that a run has in every file of data.

Every fact of a run is of one kind. Coordinates say which run of its condition it is; observations say what was noticed,
or lies somewhere; all else is its condition, so that a fact that is new splits tables until somebody sorts it.

    condition_of(info, models).shared    # {"procedure": "civil 3f2a90c1", "options": "memory=yes", ...}
    run_id(info)                         # "civil-jiedai-0-5b1c0d9e8a71"
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any, Final

from ..model.condition import SHARED, RunCondition
from ..model.text import plain_name
from .changes import RunChange
from .run_info import RunInfo

COORDINATES: Final = ("case", "seed")
OBSERVATIONS: Final = ("spec", "case_file", "case_sum", "sealed_sum")
CONDITION: Final = tuple(one.name for one in fields(RunInfo) if one.name not in (*COORDINATES, *OBSERVATIONS))
"""The fields of `run.yaml` that make a condition: all that nobody sorted otherwise. `case_sum` and `sealed_sum` are
what the case of an id says: two texts of one id are two cases."""

SHOWN: Final = 8  # hexadecimal figures of a digest that are shown


def condition_of(
    info: RunInfo,
    models: Mapping[str, str],
    *,
    digest: str = "",
    fork: str = "",
    changes: Iterable[RunChange] = (),
) -> RunCondition:
    """Return the condition of a run. `models`: role -> who played it; `digest`: of its spec, where that of `run.yaml`
    covers what a fork put in the place of a document, too; `fork`: what a fork is called."""
    told = tuple(changes)
    others = {role: model for role, model in models.items() if role != info.target}
    said = {
        "procedure": f"{info.procedure} {(digest or info.digest)[:SHOWN]}",
        "version": info.version,
        "target": info.target,
        "environment": line_up_text(others),
        "parameters": _parameters(info, (info.models.get(role, "") for role in others)),
        "tools": _pairs({role: how for role, how in info.tools.items() if role != info.target}),
        "options": _pairs(info.options),
        "binding": info.binding,
        "skip": ", ".join(sorted(info.skip)),
        "without": ", ".join(sorted(info.without)),
        "parts": _pairs(info.parts),
        "until": info.until,
        "fork": fork,
        "changed": _changed(told),
    }
    own = {
        "own_parameters": _parameters(info, (info.models.get(info.target, ""),)),
        "own_tools": info.tools.get(info.target, ""),
    }
    shared = {name: said[name] for name in SHARED}
    return RunCondition(shared, own, f"{info.case_sum}{info.sealed_sum}", run_id(info, told), info.seed)


def line_up_text(models: Mapping[str, str]) -> str:
    """Return who plays which role: one name where it is the same for all."""
    names = set(models.values())
    return next(iter(names)) if len(names) == 1 else _pairs(models)


def run_id(info: RunInfo, changes: Iterable[RunChange] = ()) -> str:
    """Return the key of a run in every file of data: procedure, case and seed, and a digest of these, of what the case
    says and of the condition. Two runs share it only where one is the other, played or copied again. `changes`: with
    what it was gone on with."""
    values = {name: value for name, value in asdict(info).items() if name in (*CONDITION, *COORDINATES, "case_sum")}
    if gone_on := _changed(changes):
        values["changes"] = gone_on
    total = sha256(_json(values).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{plain_name(f'{info.procedure}-{info.case}')}-{info.seed}-{total}"


def _parameters(info: RunInfo, names: Iterable[str]) -> str:
    """What names of models stand for."""
    told = {name: info.endpoints[name] for name in sorted(set(names)) if name in info.endpoints}
    return "; ".join(f"{name}: {_pairs(those)}" for name, those in told.items())


def _changed(changes: Iterable[RunChange]) -> str:
    return "; ".join(_json(one.model_dump(mode="json")) for one in changes)


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(values.items()))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=list)
