"""Every view of `lw show`, in a table: the first of which an option is given is shown, the last where none is."""

from __future__ import annotations

from typing import Any

from ..evaluation.score_files import SCORES
from ..evaluation.soundness.report import CHECKS as AUDIT
from ..runs.show.checks import CITATIONS, VIOLATIONS
from ..runs.show.decided_text import DECISION, WHY
from ..runs.show.heard import HEARD
from ..runs.show.memory import MEMORY, TOOLS
from ..runs.show.prompts import PAIRS
from ..runs.show.sizes import TOKENS
from ..runs.show.turns import TURN, TURNS
from ..runs.show.views import RunView

VIEWS: tuple[RunView[Any], ...] = (
    MEMORY,
    HEARD,
    CITATIONS,
    AUDIT,
    WHY,
    DECISION,
    SCORES,
    PAIRS,
    TOOLS,
    TOKENS,
    VIOLATIONS,
    TURN,
    TURNS,
)
