"""The YAML files beside the modules of this folder."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any


@cache
def own_data(name: str) -> Any:
    """The value of a file of this folder. ValueError: it is ours, so a mistake in it is our bug."""
    from ...binding.casefile import parse_data

    data, problems = parse_data(name, (resources.files(__package__) / name).read_text("utf-8"))
    if data is None or problems:
        raise ValueError(f"{name}: {problems}")
    return data.value
