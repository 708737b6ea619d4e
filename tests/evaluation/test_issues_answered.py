"""Issues that reasons go through: what the court says of a defence and of a claim by its number is read, in any of the
words for it; where it says two things, or reports what others say, nothing is read."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decision_reasons import issues_answered
from legalworld.law.text.judgment_head import Quote
from legalworld.model.decision import Claim

ASKED = (
    "{what}的抗辩能否成立",
    "被告提出的{what}的主张能否成立",
    "{what}的辩解应否采纳",
    "被告关于{what}的意见是否成立",
)
WHAT = ("诉讼时效已过", "双方是合作关系", "没有收到货物", "债权已经抵销")
REASONED = (
    "主张该项事实的一方应当举证证明。",
    "经审查，{what}没有书面约定（被证2）。",
    "",
    "被证1只载明付款的经过。",
)
NO = (
    "因此，这一抗辩不能成立。",
    "该项主张不予采纳。",
    "上述意见没有事实依据，本院不予采信。",
    "被告的该辩解理由难以成立，本院不予采纳。",
    "该抗辩意见缺乏证据支持，不予采信。",
)
YES = (
    "因此，这一抗辩成立。",
    "该项主张成立，本院予以采纳。",
    "上述意见于法有据，本院予以采纳。",
    "该抗辩理由成立，予以支持。",
)
CLAIMS = (
    "应予支持。",
    "应付36800元，支持36800元，超出部分没有事实和法律依据，不予支持。",
    "该项请求没有得到证明，不予支持。",
)
OTHERS = (
    "原告认为这一抗辩不能成立。",
    "有关的请求没有处理，对这一抗辩不作认定。",
    "如该抗辩成立，原告的请求应予驳回。",
)
RESULTS = ("proved", "in_part", "not_proved")


def read(text: str, claims: tuple[Claim, ...] = ()) -> list[tuple[str, tuple[str, ...]]]:
    said = Quote(start=0, end=len(text), text=text)
    return [(one.result, one.about) for one in issues_answered(said, CaseFrame(), claims, "x") if one.id[:5] == "issue"]


def issue(dice: Random, said: str) -> str:
    what = dice.choice(WHAT)
    head = "争议焦点一，" if dice.random() < 0.5 else ""
    return f"关于{head}{dice.choice(ASKED)}。{dice.choice(REASONED)}{said}".format(what=what)


@pytest.mark.parametrize(("said", "seed"), list(product((*NO, *YES), range(8))))
def test_what_is_said_of_a_defence_is_read(said: str, seed: int) -> None:
    assert read(issue(Random(seed), said)) == [("not_proved" if said in NO else "proved", ())]


@pytest.mark.parametrize(("no", "yes"), list(product(NO, YES)))
def test_where_both_are_said_nothing_is_read(no: str, yes: str) -> None:
    assert read(issue(Random(1), no + yes)) == [("open", ())]


@pytest.mark.parametrize(
    "said",
    ["原告认为这一抗辩不能成立。", "有关的请求没有处理，对这一抗辩不作认定。", "如该抗辩成立，原告的请求应予驳回。"],
)
def test_what_others_say_and_what_is_left_open_is_not_read(said: str) -> None:
    assert read(issue(Random(2), said)) == [("open", ())]


@pytest.mark.parametrize(("number", "place"), list(product(("1", "一", "2", "二"), range(3))))
def test_a_claim_named_by_its_number_is_answered(number: str, place: int) -> None:
    claims = tuple(Claim(id=str(at), text=text) for at, text in ((1, "支付货款"), (2, "支付利息")))
    text = f"关于争议焦点三，原告的第{number}项诉讼请求（货款）应否支持。买受人应当支付价款。{CLAIMS[place]}"
    assert read(text, claims) == [(RESULTS[place], ("1" if number in "1一" else "2",))]


def test_two_claims_in_one_issue_are_nobodys() -> None:
    claims = tuple(Claim(id=str(at), text="支付") for at in (1, 2))
    text = "关于原告的第1项诉讼请求和第2项诉讼请求应否支持。该项请求应予支持。"
    assert read(text, claims) == [("open", ())]
