"""Decisions that are bad: half empty, none at all, two that contradict, persons of one name, two currencies, in prose.

Each is told as a named gap or an alarm; nothing is guessed, nothing is added up that is not one, nothing stops a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from playing import Game, Request, matter, play, project

from legalworld.evaluation.soundness.audit import DocumentAudit, audit_run
from legalworld.evaluation.soundness.check_files import CheckFile, check_files
from legalworld.evaluation.stored_run import Stored
from legalworld.files.project_files import Disk
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.model.decision import Decision, Party
from legalworld.model.decision_parts import PartDecided
from legalworld.model.events import Drafted, Ended, Started

CASE, SPEC = "quexi-huokuan", "quexi"
DEBTOR, CREDITOR = "被告梅长青", "原告江澜市禾穗粮油有限公司"
WITHIN = "于本判决生效之日起十日内"
NAMES = ("程千山", "宋若水", "江澜市听雨商贸有限公司")
SUMS = st.integers(1, 10**7)


@cache
def checks() -> tuple[CheckFile, ...]:
    return check_files(Disk(ROOT)).files


def judged(answer: str = "", document: str = "") -> Game:
    """The case, played with a judge who answers the orders, or writes the judgment, as told."""

    def script(request: Request, text: str) -> str:
        if answer and "/award/" in request.id:
            return f"【判决主文：{answer}】"
        return document if document and request.id.startswith("FIT/judgment/judge/") else text

    return play(CASE, "plaintiff_lawyer", spec=SPEC, script=script)


def audited(game: Game, case: str = CASE) -> DocumentAudit:
    procedure = project(SPEC).procedure
    assert procedure is not None
    stored = Stored(SPEC, procedure, matter(case, spec=SPEC).case, "", tuple(game.of(Started)))
    text = [event.text for event in game.of(Drafted) if event.document == "first_judgment"][-1]
    (found,) = audit_run(stored, checks(), {"first_judgment": text})
    return found


def ordered(game: Game) -> Decision:
    """What was read in the answer that told the orders."""
    (told,) = [event for event in game.of(PartDecided) if event.part == "orders"]
    return Decision.model_validate(told.filled)


HALF = {
    "no sum, nobody paid": (f"{DEBTOR}{WITHIN}支付", {"payees"}),
    "nobody pays, nobody is paid": ("支付货款36800元", {"payers", "payees"}),
    "dots": ("……", {""}),
    "a bracket of another format": ('{"claims":[{"id":1,"result":"granted"}]', {""}),
    "prose": ("综合全案，本庭觉得梅长青欠的钱还是要还的，大概三万多，具体以对账为准", {""}),
}


@pytest.mark.parametrize(("answer", "missing"), HALF.values(), ids=HALF)
def test_what_a_judge_left_half_empty_is_named(answer: str, missing: set[str]) -> None:
    game = judged(answer)
    assert game.status == "ended" and game.of(Ended)
    decided = ordered(game)
    assert {gap.missing for gap in decided.thin} == missing
    assert all(relief.amount is None or "36800" in answer for relief in decided.reliefs)
    assert {gap.missing for gap in audited(game).decision.thin} >= missing


@pytest.mark.parametrize(
    "document", ["好的，我来写判决书。请问您还有什么补充吗？", "判决如下：", "民事判决书\n\n（略）"]
)
def test_a_judgment_that_is_none_is_a_gap_and_no_pass(document: str) -> None:
    game = judged(document=document)
    assert game.status == "ended"
    found = audited(game)
    assert [gap.missing for gap in found.decision.thin] == ["operative"]
    assert not found.decision.reliefs and not found.decision.whole


@given(st.sampled_from(["", "\n\n", "。", "\n\n案件受理费770元，由被告梅长青负担。\n", "\n\n审判长　裴知衡\n"]))
@settings(max_examples=10, deadline=None)
def test_an_operative_part_in_which_nothing_stands_is_named(behind: str) -> None:
    found = read_decision(f"本院认为，被告应当还钱。判决如下：{behind}", CaseFrame([Party(id="D1", name="梅长青")]))
    assert found.thin and not found.whole and not found.reliefs


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_two_orders_that_contradict_stay_two(data: st.DataObject) -> None:
    """Each of two orders of one debt is read as it stands, and neither is taken for the other."""
    one, other = data.draw(st.lists(SUMS, min_size=2, max_size=2, unique=True))
    frame = CaseFrame(
        [
            Party(id="P1", name=NAMES[2], side="plaintiff", titles=("原告",)),
            Party(id="D1", name=NAMES[0], side="defendant", titles=("被告",)),
        ]
    )
    orders = "\n".join(
        f"{mark}、被告{NAMES[0]}{WITHIN}支付原告{NAMES[2]}货款{value}元；"
        for mark, value in zip("一二", (one, other), strict=True)
    )
    found = read_decision(f"本院认为，略。判决如下：\n\n{orders}\n\n审判长　甲\n", frame)
    assert [relief.amount.value for relief in found.reliefs if relief.amount is not None] == [one, other]


def test_a_judgment_that_contradicts_what_was_decided_raises_alarms() -> None:
    reasons = "本院认为，被告梅长青尚欠货款36800元，应予支付。\n\n判决如下：\n\n"
    text = f"{reasons}{DEBTOR}{WITHIN}支付{CREDITOR}货款63800元。\n"
    found = audited(judged(document=text))
    assert {"within_claim", "sum_is_found"} <= {one.check.id for one in found.alarms}


def _shared(title: str) -> Iterator[Party]:
    yield Party(id="P1", name=NAMES[0], side="plaintiff", titles=("原告",))
    yield Party(id="D1", name=NAMES[0], side="defendant", titles=("被告",))
    yield Party(id="D2", name=NAMES[1], side="defendant", titles=(title,))


@given(SUMS, st.booleans(), st.sampled_from(["被告", "第三人"]))
@settings(max_examples=40, deadline=None)
def test_persons_of_one_name_are_told_apart_by_title_or_not_at_all(value: int, titled: bool, third: str) -> None:
    who, whom = ("被告", "原告") if titled else ("", "")
    text = f"本院认为，略。判决如下：\n\n{who}{NAMES[0]}{WITHIN}支付{whom}{NAMES[0]}借款{value}元。\n\n审判长　甲\n"
    (relief,) = (found := read_decision(text, CaseFrame(_shared(third)))).reliefs
    if titled:
        assert (relief.payers, relief.payees) == (("D1",), ("P1",)) and found.whole
    else:
        assert (relief.payers, relief.payees) == ((), ())
        assert {gap.missing for gap in found.thin} >= {"payers", "payees"}


@given(SUMS, SUMS, st.sampled_from(["美元", "欧元", "英镑", "港元"]), st.sampled_from(["和", "、", "，以及"]))
@settings(max_examples=40, deadline=None)
def test_two_currencies_are_never_added(one: int, other: int, unit: str, joint: str) -> None:
    frame = CaseFrame(
        [
            Party(id="P1", name=NAMES[2], side="plaintiff", titles=("原告",)),
            Party(id="D1", name=NAMES[0], side="defendant", titles=("被告",)),
        ]
    )
    order = f"被告{NAMES[0]}{WITHIN}支付原告{NAMES[2]}货款{one}元{joint}运费{other}{unit}"
    (relief,) = read_decision(f"判决如下：\n\n{order}。\n\n审判长　甲\n", frame).reliefs
    assert relief.amount is None
    assert [(part.amount.value, part.amount.currency == "CNY") for part in relief.parts] == [
        (one, True),
        (other, False),
    ]


@pytest.mark.parametrize("sums", ["5000美元", "30000元和5000美元", "36800元、运费200欧元"])
def test_an_order_in_another_currency_than_the_claim_raises_an_alarm(sums: str) -> None:
    found = audited(judged(f"{DEBTOR}{WITHIN}支付{CREDITOR}货款{sums}"))
    assert "one_currency" in {one.check.id for one in found.alarms}


@given(st.text(alphabet="被告梅长青支付元0123456789，。、；：判决如下本院认为\n【】{}“”", max_size=120))
@settings(max_examples=150, deadline=None)
def test_whatever_stands_there_is_read_without_a_fault(text: str) -> None:
    frame = CaseFrame([Party(id="D1", name="梅长青", side="defendant", titles=("被告",))])
    found = read_decision(text, frame)
    assert found.whole or found.thin or found.reliefs
