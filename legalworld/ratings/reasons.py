"""The reasons that people gave, by theme: for high and for low ratings, or for each side that was preferred."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..evaluation.metrics.agreement import Preference
from ..evaluation.themes import ThemeRow, by_theme
from .filled_sheets import Filled
from .plan import Key

HIGH: Final = 0.9  # of the scale, from which a rating is high: 9 of 10 in LegalWorld's figure 5
LOW: Final = 0.6  # of the scale, up to which it is low


def reasons(key: Key, filled: Filled) -> tuple[ThemeRow, ...]:
    """All reasons by theme; none where the rubric declares no themes. Groups: `high`, `low`; or a role and the side
    that was preferred in it."""
    return by_theme(sorted(_grouped(key, filled)), key.themes) if key.themes else ()


def _grouped(key: Key, filled: Filled) -> Iterator[tuple[str, str]]:
    for rater, thing, reason in filled.remarks:
        item = key.by_id[thing]
        if key.kind == "ratings" and (value := filled.values.get(rater, {}).get(thing)) is not None:
            share = (value - item.lowest) / (item.highest - item.lowest)
            if share >= HIGH or share <= LOW:
                yield "high" if share >= HIGH else "low", reason
        preferred = filled.preferences.get(rater, {}).get(thing)
        if preferred in (Preference.WIN, Preference.LOSE):
            side = key.sides[0 if preferred is Preference.WIN else 1]
            yield f"{item.group.partition(' · ')[0]} · {side}", reason
