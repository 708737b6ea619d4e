"""Runs that somebody changed who knows how their sums are made."""

from __future__ import annotations

from collections.abc import Callable

from legalworld.runs.run_info import RunInfo, read_run_yaml, run_yaml


def resummed(text: str, change: Callable[[RunInfo], RunInfo]) -> str:
    """A `run.yaml` that says something else, with the sum that fits."""
    info = read_run_yaml(text, "run.yaml")
    assert isinstance(info, RunInfo), info
    return run_yaml(change(info))
