"""The orders of a judgment as the court gave them: closed once, and where none was given nothing is made up."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playing import Game, play, project

from legalworld.model import events as e
from legalworld.model.events import Request

ORDERS = {  # procedure -> the answers that hold its orders
    "civil": ("award", "final_award"),
    "xiaoe": ("award",),
    "administrative": ("award",),
    "labour-arbitration": ("award", "final_terms"),
}
ORDERS_ON_APPEAL = {"administrative-appeal": ("second_award",)}
MARKS = ("。", "；", "。。", "。；")


def example(spec: str, script: Callable[[Request, str], str]) -> Game:
    procedure = project(spec).procedure
    assert procedure is not None
    return play(Path(procedure.example or "").stem, (procedure.targets or ("",))[0], spec=spec, script=script)


def asks_for_orders(spec: str, request: Request) -> bool:
    return request.form.answer is not None and request.form.answer.name in (ORDERS | ORDERS_ON_APPEAL)[spec]


def closing(spec: str, mark: str, request: Request, text: str) -> str:
    """The orders end with a mark."""
    return text.replace("】", f"{mark}】") if asks_for_orders(spec, request) else text


def withheld(spec: str, request: Request, text: str) -> str:
    """No orders are ever given."""
    return "我还要再想一想。" if asks_for_orders(spec, request) else text


@pytest.mark.parametrize(("spec", "mark"), [*zip(ORDERS, MARKS, strict=True)])
def test_orders_are_closed_once_however_the_answer_ends(spec: str, mark: str) -> None:
    found = example(spec, partial(closing, spec, mark))
    captured = [one for one in found.of(e.Captured) if one.name in ORDERS[spec]]
    assert captured
    for one in (*found.of(e.Drafted), *found.of(e.Spoke)):
        assert not re.search("。。|；。|。；|。，|；；", one.text), one.text


@pytest.mark.parametrize("spec", ["civil", "xiaoe", "administrative"])
def test_orders_that_are_never_given_are_told_as_such(spec: str) -> None:
    found = example(spec, partial(withheld, spec))
    judged = [one.text for one in found.of(e.Drafted) if "判决如下：" in one.text]
    assert judged
    for text in judged:
        orders = text.partition("判决如下：")[2].strip()
        assert orders.startswith(("对各项请求不作处理。", "主文待补充。")), orders
        assert not re.search("受理费[^。]*由(原告|被告|上诉人)[^。]*负担", orders), orders
        assert "本判决为终审判决" not in orders
    pronounced = [one.text for one in found.of(e.Spoke) if "宣" in one.text and "判" in one.text and "上诉" in one.text]
    assert not [text for text in pronounced if "判决如下：。" in text or "宣判。如不服" in text]


def test_an_appeal_that_changes_the_judgment_without_saying_how_does_not_uphold_it() -> None:
    spec = "administrative-appeal"
    procedure = project(spec).procedure
    assert procedure is not None
    found = play("zhangyuan", (procedure.targets or ("",))[0], spec=spec, script=partial(withheld, spec))
    assert [one.value for one in found.of(e.Captured) if one.name == "disposition"] == ["改判"]
    (pronounced,) = [one.text for one in found.of(e.Spoke) if one.text.startswith("现在宣告") and "终审" in one.text]
    assert "没有写出改判的主文" in pronounced and "维持原判" not in pronounced
