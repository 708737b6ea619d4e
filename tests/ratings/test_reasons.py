"""Reasons by theme, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from scored import rubric

from legalworld.evaluation.metrics.agreement import Preference
from legalworld.evaluation.themes import by_theme, theme_of
from legalworld.ratings.filled_sheets import Filled
from legalworld.ratings.plan import Key, RatingItem
from legalworld.ratings.reasons import reasons

THEMES = {"coherent": ("smooth", "coherent"), "missing": ("missing", "left out"), "dull": ("again",)}


def test_a_reason_is_of_the_theme_of_which_it_has_the_most_words() -> None:
    reasons = {
        "Smooth and coherent, though one step is missing": "coherent",
        "the oath was left out": "missing",
        "coherent, but missing": "coherent",  # as many words of both: the first that is declared
        "good": "",
        "": "",
    }
    assert {reason: theme_of(reason, THEMES) for reason in reasons} == reasons
    assert theme_of("smooth", {}) == ""


def test_shares_are_of_the_reasons_that_are_of_any_theme() -> None:
    """High: two coherent, one dull, one of none: 2/3 and 1/3. Low: nothing of any theme."""
    given = [("high", "smooth"), ("high", "again"), ("high", "coherent"), ("high", "good"), ("low", "bad")]
    rows = [(row.group, row.theme, row.n, row.share, row.other) for row in by_theme(given, THEMES)]
    assert rows == [("high", "coherent", 2, 2 / 3, 1), ("high", "dull", 1, 1 / 3, 1), ("low", "", 0, 0.0, 1)]


def key(kind: Any, groups: Sequence[str], themes: dict[str, tuple[str, ...]], highest: float = 10.0) -> Key:
    things = tuple(
        RatingItem(
            id=str(n),
            record="r",
            ask="a",
            item="i",
            key="",
            group=group,
            unit="",
            title="",
            asks="",
            anchors=(),
            lowest=0.0,
            highest=highest,
            step=1.0,
            choices=None,
        )
        for n, group in enumerate(groups)
    )
    told = {"tag": "ABCDE", "rubric": "x", "title": "", "digest": "", "seed": 0, "raters": ("1",), "rows": ()}
    return Key(kind=kind, sides=("ours", "theirs"), records=(), things=things, themes=themes, **told)  # type: ignore[arg-type]


def test_ratings_from_nine_of_ten_are_high_and_up_to_six_low() -> None:
    """As in LegalWorld's figure 5; 7 and 8 are neither."""
    given = {"0": 9.0, "1": 10.0, "2": 6.0, "3": 8.0}
    remarks = tuple(
        ("1", thing, text) for thing, text in zip("0123", ("smooth", "smooth", "again", "again"), strict=True)
    )
    found = reasons(key("ratings", ["g"] * 4, THEMES), Filled({"1": given}, {}, remarks, {}, ()))
    assert [(row.group, row.theme, row.n) for row in found] == [("high", "coherent", 2), ("low", "dull", 1)]


def test_reasons_for_a_preference_are_by_role_and_by_the_side_that_was_preferred() -> None:
    """As in SimCourt's appendix E; a tie prefers nobody."""
    chosen = {"0": Preference.WIN, "1": Preference.LOSE, "2": Preference.TIE}
    remarks = tuple(("1", thing, "smooth") for thing in "012")
    groups = ["Judge · Debate", "Judge · Overall", "Judge · Debate"]
    found = reasons(key("pairs", groups, THEMES), Filled({}, {"1": chosen}, remarks, {}, ()))
    assert [(row.group, row.theme, row.n) for row in found] == [
        ("Judge · ours", "coherent", 1),
        ("Judge · theirs", "coherent", 1),
    ]
    assert reasons(key("pairs", groups, {}), Filled({}, {"1": chosen}, remarks, {}, ())) == ()


@pytest.mark.parametrize(
    ("reason", "theme"),
    [
        ("各环节衔接自然，推进流畅", "过程连贯"),
        ("流程完整，步骤齐全，没有问题", "程序齐全"),
        ("说话符合身份，立场始终一致", "角色真实"),
        ("没有告知回避权，缺少核对身份一步", "环节缺漏"),
        ("同样的话反复问，绕圈", "重复"),
        ("像套话，太机械", "套话"),
        ("判理没有依据，法条引用错误", "法律依据不足"),
        ("很好", ""),
    ],
)
def test_the_themes_of_the_paper_are_found_in_reasons_as_people_write_them(reason: str, theme: str) -> None:
    assert theme_of(reason, rubric("environment").rubric.themes) == theme
