"""What can happen in a step: the cases that coverage counts."""

from __future__ import annotations

from typing import Literal

BranchKind = Literal[
    "then",
    "else",
    "spoken",
    "passed",
    "closed by token",
    "closed by budget",
    "closed by condition",
    "closed as covered",
    "closed as empty",
    "carried",
    "rejected",
    "undecided",
    "absent",
]
"""What can happen in a step, as `lw coverage` counts it."""
