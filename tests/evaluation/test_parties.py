"""Parties as the head of a document names them, and points as a grader counts them. Reckoned by hand in the comments."""

# ruff: noqa: E501 - an example is read on one line

from __future__ import annotations

import re

import pytest
from playing import matter, play, project
from scored import figure, rubric

from legalworld.evaluation import offline_grader
from legalworld.evaluation.metrics.values import MissingScore
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.table import RULES
from legalworld.evaluation.scoring import Scored, score
from legalworld.evaluation.stored_run import EvidencePiece, Stored, Unit
from legalworld.model import events as e
from legalworld.model.case import Case, Record

LIN = Record({"name": "林启川", "gender": "男", "birth": "1983年7月14日", "address": "青塘区望溪路88号"})
YUN = Record({"name": "云汀公司", "address": "文汇大道200号", "representative": "郑若虹"})
UNDER = {"under": ("原告",), "until": ("被告", "第三人", "委托诉讼代理人", "诉讼请求")}


@pytest.mark.parametrize(
    ("text", "persons", "value"),
    [
        ("原告：林启川，男，1983年7月14日出生，住青塘区望溪路88号。\n被告：甲", [LIN], 1.0),
        ("**原告**（反诉被告）：林启川，男，一九八三年生，住青塘区望溪路88号。", [LIN], 3 / 4),  # no such date
        ("原告：林启川，男，1983-07-14出生，住别处。", [LIN], 3 / 4),  # a date is a date, however written
        ("原告：\n姓名：林启川\n性别：男\n出生日期：1983年07月14日\n住址：青塘区望溪路88号\n被告：甲", [LIN], 1.0),
        ("原告：林启川，性别男，住址青塘区望溪路88号。", [LIN], 3 / 4),
        ("原告：林启川，女，1983年7月14日出生，住青塘区望溪路88号。", [LIN], 3 / 4),
        ("被告：林启川，男，1983年7月14日出生，住青塘区望溪路88号。", [LIN], 0.0),  # in the other's place
        ("原告：甲\n诉讼请求\n原告林启川，男，1983年7月14日，青塘区望溪路88号", [LIN], 0.0),  # not in the head
        ("原告：云汀公司，住所地文汇大道200号。\n法定代表人：郑若虹，执行董事。", [YUN], 1.0),
        ("原告：云汀公司，住所地文汇大道200号。\n法定代表人：沈砚。", [YUN], 2 / 3),
        # the company is named as the man's employer: that is no entry of the company. (4/4 + 0) / 2
        ("原告：林启川，男，1983年7月14日出生，云汀公司执行董事，住青塘区望溪路88号。", [LIN, YUN], 1 / 2),
        (
            "原告：林启川，男，1983年7月14日出生，住青塘区望溪路88号。\n原告：云汀公司，住所地文汇大道200号，法定代表人郑若虹。",
            [LIN, YUN],
            1.0,
        ),
        ("原告林启川与被告云汀公司一案", [LIN], 0.0),  # a sentence is no entry
        ("原告3人起诉，林启川，男，1983年7月14日出生，住青塘区望溪路88号。", [LIN], 0.0),  # nor is this
        # several, each with a number, on lines of their own; or all under one label
        (
            "原告一：林启川，男，1983年7月14日出生，住青塘区望溪路88号。\n原告2：云汀公司，住所地文汇大道200号，法定代表人郑若虹。\n被告一：甲",
            [LIN, YUN],
            1.0,
        ),
        (
            "原告：林启川，男，1983年7月14日出生，住青塘区望溪路88号；云汀公司，住所地文汇大道200号；法定代表人郑若虹。",
            [LIN, YUN],
            1.0,
        ),
        ("原告：\n1. 云汀公司，住所地文汇大道200号。\n法定代表人：郑若虹\n2. 林启川，男", [LIN, YUN], (1 + 2 / 4) / 2),
    ],
)
def test_particulars_by_hand(text: str, persons: list[Record], value: float) -> None:
    procedure = project("civil").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "plaintiff_lawyer", ())
    piece = EvidencePiece(1, "CD", "x", "x", "draft", text, "complaint")
    found = RULES["identified"].function(RuleInput(run, Unit("", ""), (piece,), tuple(persons), UNDER))
    assert isinstance(found, RuleResult)
    assert found.value == pytest.approx(value)


YUNTING = Record({"name": "江澜市云汀建筑工程有限公司"})
ENDINGS = {"endings": ("有限公司", "公司")}


@pytest.mark.parametrize(
    ("text", "persons", "value"),
    [
        ("林启川与云汀公司因借款起诉。", [LIN, YUN], 1.0),
        ("林启川的诉讼请求不能成立。", [LIN, YUN], 1 / 2),
        ("上诉人的请求不能成立。", [LIN, YUN], 0.0),
        ("云汀建筑工程公司应当付款。", [YUNTING], 1.0),  # 江澜市云汀建筑工程 has 9 letters: 5 in a row are enough
        ("云汀建筑应当付款。", [YUNTING], 0.0),
        ("某建筑工程有限公司应当付款。", [YUNTING], 0.0),  # 4 letters of it and an ending that every company has
        ("汀公司应当付款。", [YUN], 0.0),  # a short name has no short form
    ],
)
def test_a_party_is_named_by_its_name_or_most_of_it(text: str, persons: list[Record], value: float) -> None:
    procedure = project("civil").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "plaintiff_lawyer", ())
    piece = EvidencePiece(1, "FIT", "x", "x", "draft", text, "first_judgment")
    found = RULES["named"].function(RuleInput(run, Unit("", ""), (piece,), tuple(persons), ENDINGS))
    assert isinstance(found, RuleResult)
    assert found.value == pytest.approx(value)


# ---- a whole complaint -----------------------------------------------------------------------------------------------


def party_1(change: dict[str, str] | None = None, *, exchanged: bool = False) -> float:
    """Party identification of a run whose complaint was changed."""
    game, opened = play("jiedai"), rubric("longjud")
    procedure = project("civil").procedure
    assert procedure is not None

    def changed(event: e.Event) -> e.Event:
        if not isinstance(event, e.Drafted) or event.document != "complaint":
            return event
        text = event.text
        for old, new in (change or {}).items():
            assert re.search(old, text)
            text = re.sub(old, new, text)
        if exchanged:
            text = text.replace("原告：", "甲方：").replace("被告：", "原告：").replace("甲方：", "被告：")
        return event.model_copy(update={"text": text})

    events = tuple(map(changed, game.events))
    run = Stored("run", procedure, matter("jiedai").case, "plaintiff_lawyer", events, {})
    scoring = score(opened.rubric, run, opened.templates)
    try:
        asked = next(scoring)
        while True:
            asked = scoring.send(tuple(map(offline_grader.reply, asked)))
    except StopIteration as done:
        found: Scored = done.value
    value = next(one.value for one in found.figures if one.formula == "party_1")
    assert value is not None
    return value


def test_a_complaint_as_it_should_be() -> None:
    assert party_1() == 1.0


def test_parties_exchanged_are_not_identified() -> None:
    """Three slots: own party 0, other parties 0, court 1."""
    assert party_1(exchanged=True) == pytest.approx(1 / 3)


def test_false_dates_cost_the_dates() -> None:
    """Own party 3/4; of the others the man 3/4 and the company, which has no date, 3/3: 7/8; court 1."""
    found = party_1({r"\d{4}年\d+月\d+日": "2001年1月1日"})
    assert found == pytest.approx((3 / 4 + 7 / 8 + 1) / 3)


def test_a_court_is_named_where_the_complaint_is_addressed() -> None:
    """The name of the court in the facts is not enough: 1, 1, 0."""
    found = party_1(
        {
            "此致\n+江澜市青塘区人民法院": "此致\n\n别处人民法院",
            "事实与理由\n": "事实与理由\n江澜市青塘区人民法院有管辖权。",
        }
    )
    assert found == pytest.approx(2 / 3)


# ---- points ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "given", "expected", "precision", "recall", "f1"),
    [
        (2.0, 4.0, 3.0, 2 / 4, 2 / 3, 4 / 7),
        (0.0, 2.0, 3.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 3.0, None, 0.0, 0.0),  # nothing given: no precision
        (5.0, 4.0, 3.0, None, None, None),  # more right than there are: that is no count
    ],
)
def test_points_by_count(
    right: float, given: float, expected: float, precision: float | None, recall: float | None, f1: float | None
) -> None:
    counts = {"points_right": right, "points_given": given, "points_expected": expected}
    for name, wanted in (("POINTS_P", precision), ("POINTS_R", recall), ("POINTS", f1)):
        value = figure("asp2lj", name, **counts)
        assert (None if isinstance(value, MissingScore) else value) == (
            wanted if wanted is None else pytest.approx(wanted)
        )
