"""The verbs of the language, one module each: what their sentences say, and what the program asks of them. Pure.

`CONTROL` are the verbs that order other steps; the checker walks them one by one. All others only act.
"""

from __future__ import annotations

from typing import Final

from ..plan import Step
from .assign import Assign
from .converse import Converse
from .draft import Draft
from .drive import Drive
from .end import End
from .for_each import ForEach
from .if_else import If
from .moderate import Moderate
from .remember import Remember
from .reopen import Reopen
from .repeat import Repeat
from .sample import Sample
from .speak import Speak
from .take import Take

ACTIONS: Final[tuple[type[Step], ...]] = (Speak, Moderate, Drive, Converse, Draft, Take, Assign, Sample, Remember)
CONTROL: Final[tuple[type[Step], ...]] = (If, ForEach, Repeat, Reopen, End)

KNOWN_ACTS: Final = tuple(dict.fromkeys((*(act for verb in ACTIONS for act in verb.ACTS), "review", "revise")))
"""Every act by which a template or a rule of conduct can be named."""

__all__ = [
    "ACTIONS",
    "CONTROL",
    "KNOWN_ACTS",
    "Assign",
    "Converse",
    "Draft",
    "Drive",
    "End",
    "ForEach",
    "If",
    "Moderate",
    "Remember",
    "Reopen",
    "Repeat",
    "Sample",
    "Speak",
    "Take",
]
