"""Cases in which only the words of exhibits say what these state: what is granted was read there, and was claimed."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from judged_neighbours import CHANGES, Judged, Neighbour, judged

FOUND = Decimal(36800)
PAID = re.compile(r"支付[^；。]*?价款(\d[\d.]*)元")
UNREAD = (
    "scaled down",
    "scaled up",
    "claim more",
    "worded otherwise",
    "costs within",
    "names exchanged",
    "other names",
)


def played(base: str, folder: Path, *changes: str, seed: int = 0) -> tuple[Judged, str]:
    spec = {"quexi-huokuan": "quexi", "jiedai": "civil"}[base]
    until = "appeal" if spec == "civil" else ""
    outcome = judged(Neighbour(spec, base, until, ("words only", *changes), seed), folder)
    assert outcome.alarms == ()
    return outcome, outcome.texts["first_judgment"]


def ordered(text: str) -> list[Decimal]:
    return [Decimal(one) for one in PAID.findall(text.split("判决如下")[1])]


@pytest.mark.parametrize(
    ("changes", "paid", "fee"),
    [
        ((), "36800", "770元"),
        (("claimed 968000",), "36800", "13500元"),
        (("claimed 20000",), "20000", "350元"),
        (("cost claim joined",), "36800", "770元"),
    ],
)
def test_a_debt_signed_for_in_words(changes: tuple[str, ...], paid: str, fee: str, tmp_path: Path) -> None:
    outcome, text = played("quexi-huokuan", tmp_path, *changes)
    assert (outcome.decided, ordered(text)) == (outcome.claims, [Decimal(paid)])
    assert "驳回" in text.split("判决如下")[1]  # the other claim, for which no exhibit was tendered
    assert f"案件受理费{fee}，由" in text and "不作处理" not in text
    assert re.search("原证2对账单，经审查已予采信。据此认定：[^。]*（从证据的文字读出）", text)


@pytest.mark.parametrize("changes", [("claimed 500000",), ("one name twice",), ()])
def test_a_loan_whose_borrower_no_listed_words_name(changes: tuple[str, ...], tmp_path: Path) -> None:
    """Who borrowed is said across sentences, which phrases do not reach: nothing is decided, and this is named."""
    outcome, text = played("jiedai", tmp_path, *changes)
    assert (outcome.decided, outcome.claims) == (0, 2)
    assert "借款人是" not in text and "没有写明原证4、原证5载明" in text and "负担待裁判确定" in text
    assert not re.search("支付|返还", text.split("判决如下")[1].split("如不服")[0])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("change", [*sorted({*CHANGES} - {"fact admitted"}), "signed by another"])
def test_neighbours_get_no_more_than_was_read_and_claimed(change: str, seed: int, tmp_path: Path) -> None:
    _, text = played("quexi-huokuan", tmp_path, change, seed=seed)
    most = min(FOUND, Decimal("3680")) if change == "scaled down" else FOUND
    assert sum(ordered(text)) <= most
    if change in UNREAD:
        assert ordered(text) == [most]
    if not ordered(text):  # the price was not read: it is not dismissed for that
        assert "第1项诉讼请求不作处理" in text
        assert "负担待裁判确定" in text
    if change in ("signed by another", "one name twice"):
        assert ordered(text) == []
