"""Every view of `lw show`, in a table: the first of which an option is given is shown, the last where none is."""

from __future__ import annotations

from typing import Any

from ..evaluation.kept_scores import SCORES
from ..runs.show.citations import CITATIONS
from ..runs.show.memory import MEMORY
from ..runs.show.pairs import PAIRS
from ..runs.show.tokens import TOKENS
from ..runs.show.tools import TOOLS
from ..runs.show.turns import TURN, TURNS
from ..runs.show.views import RunView
from ..runs.show.violations import VIOLATIONS

VIEWS: tuple[RunView[Any], ...] = (MEMORY, CITATIONS, SCORES, PAIRS, TOOLS, TOKENS, VIOLATIONS, TURN, TURNS)
