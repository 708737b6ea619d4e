"""What is scored is what was decided: wrong content scores below the right one, other words for it do not."""

from __future__ import annotations

from functools import cache

import pytest
from playing import matter, play, project

from legalworld.evaluation.metrics.values import MissingScore, Reason
from legalworld.evaluation.rules.decided import decided
from legalworld.evaluation.rules.parties import identified
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.sentences import punishments, sentence
from legalworld.evaluation.stored_run import WHOLE, EvidencePiece, Stored
from legalworld.model.case import Value
from legalworld.model.events import Drafted

P, D1, D2 = "原告林启川", "被告郑若虹", "云汀餐饮管理有限公司"
PERIOD = "于本判决生效之日起十日内"
INTEREST = "利息（以937569.91元为基数，自2022年9月13日起至实际清偿之日止，按年利率15.4%计算）"
RIGHT = (
    f"一、{D1}、{D2}{PERIOD}共同返还{P}借款本金937569.91元",
    f"二、{D1}、{D2}{PERIOD}共同支付{P}{INTEREST}",
    f"三、驳回{P}的其他诉讼请求",
)


@cache
def stored(spec: str, case: str) -> Stored:
    procedure = project(spec).procedure
    assert procedure is not None
    return Stored("x", procedure, matter(case, spec=spec).case, "", ())


def judged(*items: str, tail: str = "审判员　裴知衡") -> str:
    return (
        "江澜市青塘区人民法院\n民事判决书\n本院认为，应予支持。\n判决如下：\n\n"
        + "；\n\n".join(items)
        + f"。\n\n{tail}\n"
    )


def verdict(text: str, reference: tuple[Value, ...] = (RIGHT,)) -> float | Reason:
    piece = EvidencePiece(1, "FIT", "j", "审判长", "draft", text, document="first_judgment")
    found = decided(RuleInput(stored("civil", "jiedai"), WHOLE, (piece,), reference, {}))
    return found.value if isinstance(found, RuleResult) else found.why


SAME = {
    "as it is": RIGHT,
    "in ten thousands": (RIGHT[0].replace("937569.91元", "93.756991万元"), *RIGHT[1:]),
    "with separators": (RIGHT[0].replace("937569.91元", "937,569.91元"), *RIGHT[1:]),
    "without titles": tuple(item.replace("原告", "").replace("被告", "") for item in RIGHT),
    "paid, not returned": (RIGHT[0].replace("返还", "支付"), *RIGHT[1:]),
    "jointly and severally": tuple(item.replace("共同", "连带") for item in RIGHT),
    "in another order": (RIGHT[1].replace("二、", "一、"), RIGHT[0].replace("一、", "二、"), RIGHT[2]),
    "the others first": tuple(item.replace(f"{D1}、{D2}", f"{D2}、郑若虹") for item in RIGHT),
}


@pytest.mark.parametrize("name", SAME)
def test_other_words_for_what_was_decided_score_the_same(name: str) -> None:
    assert verdict(judged(*SAME[name])) == 1.0


WRONG = {
    "creditor and debtor exchanged": (
        3,
        [
            item.replace("原告林启川", "#").replace(f"{D1}、{D2}", "原告林启川").replace("#", f"{D1}、{D2}")
            for item in RIGHT
        ],
    ),
    "liability dropped": (2, [item.replace(f"{D1}、{D2}", D1).replace("共同", "") for item in RIGHT]),
    "another rate": (1, [item.replace("15.4%", "3.85%") for item in RIGHT]),
    "another first day": (1, [item.replace("2022年9月13日", "2022年9月12日") for item in RIGHT]),
    "another base": (1, [item.replace("以937569.91元", "以985000元") for item in RIGHT]),
    "another sum": (1, [item.replace("本金937569.91元", "本金937569.19元") for item in RIGHT]),
    "an item left out": (1, RIGHT[1:]),
    "another currency": (1, [item.replace("本金937569.91元", "本金937569.91美元") for item in RIGHT]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_counts_for_nothing(name: str) -> None:
    wrong, items = WRONG[name]
    given = len(items)
    found = verdict(judged(*items))
    assert isinstance(found, float)
    assert found <= 2 * (3 - wrong) / (given + 3) + 1e-9


def test_no_verdict_is_none_and_no_reference_no_score() -> None:
    assert verdict("本院认为，被告应当还款。\n审判员　裴知衡\n") is Reason.MISSING
    assert verdict(judged(*RIGHT), ()) is Reason.NO_REFERENCE


@pytest.mark.parametrize("tail", ["审判长　丙", "审判员　丙", "独任审判员　丙", "如不服本判决，可以上诉。"])
def test_an_item_without_a_number_ends_where_it_is_signed(tail: str) -> None:
    assert verdict(judged(f"驳回{P}的全部诉讼请求", tail=tail), (f"驳回{P}的全部诉讼请求",)) == 1.0


# ---- punishments -----------------------------------------------------------------------------------------------------

REAL = "被告人贺闻舟犯盗窃罪，判处有期徒刑八个月，缓刑一年，并处罚金人民币五千元。"
ORDERED = "本院认为，被告人贺闻舟的行为构成盗窃罪。依照法律规定，判决如下：\n"


def punished(text: str, of: str, how: str = "equal") -> float | Reason:
    piece = EvidencePiece(1, "judgment", "j", "审判长", "draft", text, document="criminal_judgment")
    arguments = {"of": (of,), "as": (how,), "low": ("0",), "high": ("36",)}
    found = sentence(RuleInput(stored("criminal", "kuaijian"), WHOLE, (piece,), (REAL,), arguments))
    return found.value if isinstance(found, RuleResult) else found.why


@pytest.mark.parametrize("end", ["", "判决如下：", "判决如下：\n\n审判长　秦越"])
def test_reasons_that_name_a_crime_are_no_verdict(end: str) -> None:
    text = f"本院认为，被告人贺闻舟的行为已构成盗窃罪，应当判处刑罚。依照法律规定，{end}"
    assert punishments(text) == ()
    assert punished(text, "months", "hit") is Reason.MISSING


ACQUITTALS = ("被告人贺闻舟无罪。", "被告人贺闻舟犯盗窃罪的指控不能成立，宣告无罪。", "宣告被告人贺闻舟无罪。")


@pytest.mark.parametrize("words", ACQUITTALS)
def test_an_acquittal_that_names_the_charge_is_no_conviction(words: str) -> None:
    assert punished(ORDERED + words, "charge") == 0.0


@pytest.mark.parametrize("other", ["秦越", "梁禾", "某甲"])
def test_the_conviction_of_another_is_nobodys(other: str) -> None:
    text = ORDERED + REAL.replace("贺闻舟", other)
    assert punished(text, "charge") in (0.0, Reason.MISSING)
    assert punished(text, "months", "hit") in (0.0, Reason.MISSING)
    assert punished(text, "months", "relative") is Reason.MISSING


@pytest.mark.parametrize("text", [ORDERED + REAL, ORDERED + REAL.replace("贺闻舟", ""), REAL])
def test_the_right_verdict_scores_in_full(text: str) -> None:
    assert (punished(text, "charge"), punished(text, "months", "hit")) == (1.0, 1.0)
    assert punished(text, "months", "relative") == 0.0


# ---- parties ---------------------------------------------------------------------------------------------------------


def party(text: str, how: str = "") -> float:
    """How right the plaintiffs of the shipped case are told."""
    run = stored("civil", "jiedai")
    piece = EvidencePiece(1, "CD", "p", "律师", "draft", text, document="complaint")
    real = run.case.fields["parties"]
    arguments = {"under": ("原告",), "until": ("被告", "诉讼请求"), **({"as": (how,)} if how else {})}
    found = identified(RuleInput(run, WHOLE, (piece,), (real.values["plaintiff"],), arguments))  # type: ignore[union-attr]
    assert not isinstance(found, MissingScore)
    return found.value


@cache
def complaint() -> str:
    return next(event.text for event in play("jiedai", "plaintiff_lawyer").of(Drafted) if event.document == "complaint")


def test_whoever_else_stands_under_a_label_counts() -> None:
    right, text = party(complaint()), complaint()
    own = next(line for line in text.splitlines() if line.startswith("原告"))
    others = "\n".join(line.replace("被告", "原告") for line in text.splitlines() if line.startswith("被告"))
    both = text.replace(own, f"{own}\n{others}")
    assert right == party(complaint(), "recall") == 1.0
    assert party(both) == pytest.approx(1 / 3) and party(both, "recall") == 1.0


@pytest.mark.parametrize("more", ["女，", "1901年1月1日出生，", "女，1901年1月1日出生，"])
def test_a_particular_that_is_told_in_two_ways_is_told_in_none(more: str) -> None:
    text = complaint()
    own = next(line for line in text.splitlines() if line.startswith("原告"))
    assert party(text.replace(own, own.replace("汉族", f"{more}汉族"))) < 1.0
