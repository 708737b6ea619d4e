"""What people say why they rate as they do, by theme: each reason is of one; shares are of those that are of any.

LegalWorld, figure 5 (reasons for high and for low ratings); SimCourt, appendix E (reasons for a preference, by role).
The papers do not say who or what assigned the themes; here it is done by the words that the rubric lists, and a reason
with none of them is of no theme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..model.immutable import immutable

Themes = Mapping[str, tuple[str, ...]]


@immutable
class ThemeRow:
    """`share`: of the reasons of the group that are of any theme; `other`: how many are of none, which are left out."""

    group: str
    theme: str
    n: int
    share: float
    other: int


def theme_of(reason: str, themes: Themes) -> str:
    """The theme of which a reason has the most words, the first of equals; "" where it has none of any."""
    counts = {name: sum(word.casefold() in reason.casefold() for word in words) for name, words in themes.items()}
    best = max(counts, key=counts.__getitem__, default="")
    return best if counts.get(best) else ""


def by_theme(reasons: Iterable[tuple[str, str]], themes: Themes) -> tuple[ThemeRow, ...]:
    """(group, reason) counted: the groups as they come, the most frequent theme first. A group in which no reason is of
    a theme has one row, without a theme."""
    groups: dict[str, Counter[str]] = {}
    for group, reason in reasons:
        groups.setdefault(group, Counter())[theme_of(reason, themes)] += 1
    rows = []
    for group, counts in groups.items():
        other = counts.pop("", 0)
        whole = counts.total()
        named = [(theme, counts[theme]) for theme in themes if counts[theme]] or [("", 0)]
        named.sort(key=lambda each: -each[1])
        rows += [ThemeRow(group, theme, n, n / whole if whole else 0.0, other) for theme, n in named]
    return tuple(rows)
