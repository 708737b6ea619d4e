"""The forms of a data set: those that ship, and those that other packages add (`legalworld.exports`)."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..language.plugins import Plugged, plugged
from .dataset import FORMS, INSPECT, SCORES, RowsOf

GROUP: Final = "legalworld.exports"


@cache
def dataset_forms() -> Plugged[RowsOf]:
    """All forms by their names; each gives the rows of one run."""
    return plugged(GROUP, FORMS, callable, taken=(INSPECT, SCORES))
