"""What a rubric can score by rule. Each rule looks at evidence, reference and its arguments; none knows a procedure.

    RULES["citations"].function(case) -> RuleResult(value=0.8, parts={"precision": 1.0, ...}) or a MissingScore

Sources: LongJud-Bench (exact fields, alignment), J1-Eval (FOR, PFS, VER), SimCourt (hit rate, errors), ASP2LJ (P/R/F1).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Final

from .decided import decided
from .deeds import conducted
from .happenings import clean, covered, happened, performed, retrieved, reviewed
from .parties import identified, named
from .rule import Rule
from .sentences import sentence
from .sets import amounts, citations, entries, overlap
from .soundness import sound
from .texts import classed, equal, labels, stands

_PRF: Final = ("precision", "recall", "f1", "any", "all")
_MANY: Final = 1e6

RULES: Final[Mapping[str, Rule]] = {
    "found": Rule(stands, arguments=("as",)),
    "equal": Rule(equal, arguments=("last",)),
    "identified": Rule(identified, arguments=("under", "until", "fields", "as")),
    "named": Rule(named, arguments=("endings",)),
    "classed": Rule(classed, arguments=("classes", "without")),
    "labels": Rule(labels, parts=("sequence", "labels"), arguments=("labels",), needs_reference=False),
    "citations": Rule(citations, parts=_PRF, arguments=("of", "without", "grounds")),
    "amounts": Rule(amounts, parts=_PRF, arguments=("without",)),
    "entries": Rule(entries, parts=_PRF, arguments=("without",)),
    "decided": Rule(decided, parts=_PRF, arguments=("without",)),
    "overlap": Rule(overlap, arguments=("without",)),
    "sentence": Rule(
        sentence, (0.0, _MANY), arguments=("of", "as", "low", "high", "range"), shares=("equal", "both", "hit", "log")
    ),
    "performed": Rule(
        performed,
        parts=("act", "sta", "uni", "merged"),
        arguments=("checklist", "without"),
        needs_reference=False,
        events=True,
    ),
    "conducted": Rule(conducted, parts=("act", "sta", "uni", "merged"), arguments=("document",), needs_reference=False),
    "covered": Rule(covered, events=True),
    "reviewed": Rule(reviewed, (0.0, _MANY), arguments=("of", "score", "most"), needs_reference=False, events=True),
    "retrieved": Rule(retrieved, arguments=("k",), events=True),
    "clean": Rule(clean, needs_reference=False, events=True),
    "sound": Rule(sound, parts=("clean", "read"), needs_reference=False),
    "happened": Rule(happened, arguments=("outcomes", "places"), needs_reference=False, events=True),
}
SHIPPED: Final = SimpleNamespace(**RULES)
"""The same, as entry points name them."""
