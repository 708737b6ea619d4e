"""One sum, however it is written in the case, gives one judgment; the same of days and of yes and no."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playing import Game, changed_case, play

from legalworld.model import events as e


def papers(found: Game) -> dict[str, str]:
    return {event.document: event.text for event in found.of(e.Drafted)}


def said(found: Game) -> list[str]:
    return [event.text for event in found.of(e.Spoke)]


def of_claims(*amounts: str) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for claim, amount in zip(data["first"]["claims"], amounts, strict=False):
            claim["amount"] = amount

    return change


@pytest.mark.parametrize(
    "amounts",
    [
        ("36,800元", "2,000元"),
        ("3.68万元", "贰仟元整"),
        ("叁万陆仟捌佰元整", "2千元"),
        ("人民币36800.00元", "CNY 2,000.00"),
        ("￥３６８００", "2e3"),
    ],
)
def test_a_judgment_orders_what_is_claimed_however_it_is_written(amounts: tuple[str, str], tmp_path: Path) -> None:
    as_it_is = play("quexi-huokuan", "", spec="quexi")
    judgment = papers(as_it_is)["first_judgment"]
    assert "36800元" in judgment and "770元" in judgment  # the fee of 38,800
    other = play(changed_case(tmp_path, "quexi-huokuan", of_claims(*amounts)), "", spec="quexi")
    assert papers(other) == papers(as_it_is)
    assert said(other) == said(as_it_is)


def in_another_form(data: Any) -> None:
    data["first"]["matter"]["filed"] = "2025-04-15"
    data["first"]["matter"]["hearing"] = "二〇二五年六月十二日"
    data["first"]["summons"]["served"] = "2025/4/28"
    data["goal"]["plaintiff"]["settle"] = "no"
    data["first"]["plaintiff"]["evidence"][0]["claims"] = "1"


def test_days_and_answers_in_another_form_are_the_same(tmp_path: Path) -> None:
    as_it_is = play("quexi-huokuan", "", spec="quexi")
    other = play(changed_case(tmp_path, "quexi-huokuan", in_another_form), "", spec="quexi")
    assert papers(other) == papers(as_it_is) and said(other) == said(as_it_is)
