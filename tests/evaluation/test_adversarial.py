"""Wrong content scores below the right one by at least the weight of what is wrong; other words for it do not.

Dispositions of shipped cases with one thing wrong in each (`adversarial`), held against the right ones: 300 and more.
"""

from __future__ import annotations

import math
from functools import cache

import pytest
from adversarial import Items, People, Wrong, other_sentences, paraphrases, wrong_sentences, wrongs
from playing import matter, project

from legalworld.evaluation.rules.decided import decided
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.sentences import sentence
from legalworld.evaluation.stored_run import WHOLE, EvidencePiece, Stored

LIN, ZHENG, YUN = "原告林启川", "被告郑若虹", "被告云汀餐饮管理有限公司"
QIMU, SU = "被告栖木智能家居（江澜）有限公司", "原告苏晚晴"
TEN = "于本判决生效之日起十日内"
RATE = "自2022年9月13日起至实际清偿之日止，按年利率15.4%计算"
DISPOSITIONS: dict[str, tuple[str, People, Items]] = {
    "loan, two debtors": (
        "jiedai",
        People((ZHENG, YUN), LIN),
        (
            f"一、{ZHENG}、{YUN}{TEN}共同返还{LIN}借款本金937569.91元",
            f"二、{ZHENG}、{YUN}{TEN}共同支付{LIN}利息（以937569.91元为基数，{RATE}）",
            f"三、驳回{LIN}的其他诉讼请求",
        ),
    ),
    "loan, one debtor": (
        "jiedai",
        People((ZHENG,), LIN, YUN),
        (
            f"一、{ZHENG}{TEN}返还{LIN}借款本金1000000元",
            f"二、{ZHENG}{TEN}支付{LIN}利息（以1000000元为基数，{RATE}）",
            f"三、驳回{LIN}对{YUN}的诉讼请求",
        ),
    ),
    "sums alone": (
        "jiedai",
        People((YUN,), LIN, ZHENG),
        (
            f"一、{YUN}{TEN}返还{LIN}借款本金500000元",
            f"二、{YUN}{TEN}支付{LIN}利息203786.30元",
            f"三、{YUN}{TEN}支付{LIN}律师费30000元",
            f"四、驳回{LIN}的其他诉讼请求",
        ),
    ),
    "labour": (
        "laodong",
        People((QIMU,), SU),
        (
            f"一、{QIMU}{TEN}支付{SU}违法解除劳动合同赔偿金180000元",
            f"二、{QIMU}{TEN}支付{SU}未休年休假工资报酬6896.55元",
            f"三、{QIMU}{TEN}支付{SU}休息日加班费10813.79元",
            f"四、驳回{SU}的其他诉讼请求",
        ),
    ),
    "goods": (
        "quexi-huokuan",
        People(("被告梅长青",), "原告江澜市禾穗粮油有限公司"),
        (
            f"一、被告梅长青{TEN}支付原告江澜市禾穗粮油有限公司货款36800元",
            "二、驳回原告江澜市禾穗粮油有限公司的其他诉讼请求",
        ),
    ),
    "sale of two lots": (
        "quexi-huokuan",
        People(("被告梅长青",), "原告江澜市禾穗粮油有限公司"),
        (
            f"一、被告梅长青{TEN}支付原告江澜市禾穗粮油有限公司货款36800元",
            f"二、被告梅长青{TEN}返还原告江澜市禾穗粮油有限公司保证金2000元",
            f"三、被告梅长青{TEN}支付原告江澜市禾穗粮油有限公司利息（以36800元为基数，{RATE}）",
            f"四、被告梅长青{TEN}赔偿原告江澜市禾穗粮油有限公司运费1500元",
            "五、驳回原告江澜市禾穗粮油有限公司的其他诉讼请求",
        ),
    ),
    "rent": (
        "xiaoe-zujin",
        People(("被告岳庭舟",), "原告温以蓝"),
        (
            f"一、被告岳庭舟{TEN}支付原告温以蓝租金8600元",
            f"二、被告岳庭舟{TEN}支付原告温以蓝违约金430元",
            "三、驳回原告温以蓝的其他诉讼请求",
        ),
    ),
}


@cache
def stored(case: str) -> Stored:
    procedure = project("civil").procedure
    assert procedure is not None
    return Stored("x", procedure, matter(case).case, "", ())


def scored(case: str, items: Items, right: Items) -> float:
    """What a judgment with these items scores; one without any has none of what it owed, as the rubric has it."""
    opened = f"江澜市青塘区人民法院\n民事判决书\n本院认为，{right[0][2:]}，应予支持。\n"
    said = "判决如下：\n\n" + "；\n\n".join(items) + "。\n" if items else ""
    text = f"{opened}{said}\n审判员　裴知衡\n"
    piece = EvidencePiece(1, "FIT", "j", "审判长", "draft", text, document="first_judgment")
    found = decided(RuleInput(stored(case), WHOLE, (piece,), (right,), {}))
    return found.value if isinstance(found, RuleResult) else 0.0


def most(wrong: Wrong, n: int) -> float:
    """F1 where what is wrong counts for nothing, and all the rest in full."""
    given = len(wrong.items)
    return 2 * (n - wrong.spoilt) / (given + n) if given else 0.0


@pytest.mark.parametrize("name", DISPOSITIONS)
def test_wrong_content_scores_below_the_right_by_the_weight_of_what_is_wrong(name: str) -> None:
    case, people, right = DISPOSITIONS[name]
    assert scored(case, right, right) == 1.0
    found = {
        (wrong.kind, n): (scored(case, wrong.items, right), wrong) for n, wrong in enumerate(wrongs(right, people))
    }
    high = {
        key: (value, wrong.items) for key, (value, wrong) in found.items() if value > most(wrong, len(right)) + 1e-9
    }
    assert not high
    assert all(math.isfinite(value) and value < 1 for value, _ in found.values())


@pytest.mark.parametrize("name", DISPOSITIONS)
def test_other_words_for_the_right_content_score_as_the_right(name: str) -> None:
    case, people, right = DISPOSITIONS[name]
    low = {said: items for said, items in paraphrases(right, people) if scored(case, items, right) < 1.0}
    assert not low


CRIMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "one of the accused": ("kuaijian", ("被告人贺闻舟犯盗窃罪，判处有期徒刑八个月，缓刑一年，并处罚金人民币五千元。",)),
    "short": ("tingche", ("被告人戚川犯故意伤害罪，判处拘役五个月。",)),
    "two of the accused": (
        "dianlan",
        (
            "被告人邵铁山犯盗窃罪，判处有期徒刑一年，并处罚金人民币六千元。",
            "被告人何小满犯盗窃罪，判处拘役五个月，并处罚金人民币三千元。",
        ),
    ),
}


def sentenced(case: str, items: Items, right: Items) -> float:
    """The mean of charge, term, probation and fine; nothing for what is missing."""
    procedure = project("criminal").procedure
    assert procedure is not None
    run = Stored("x", procedure, matter(case, spec="criminal").case, "", ())
    ordered = "判决如下：\n\n" + "\n\n".join(items) if items else ""
    text = f"本院认为，公诉机关指控的罪名成立，{right[0]}依照法律规定，{ordered}\n\n审判长　秦越\n"
    piece = EvidencePiece(1, "judgment", "j", "审判长", "draft", text, document="criminal_judgment")
    values = []
    for of in ("charge", "months", "probation", "fine"):
        found = sentence(RuleInput(run, WHOLE, (piece,), (right,), {"of": (of,)}))
        values.append(found.value if isinstance(found, RuleResult) else 0.0)
    return sum(values) / len(values)


@pytest.mark.parametrize("name", CRIMES)
def test_wrong_sentences_score_below_the_right_by_the_weight_of_what_is_wrong(name: str) -> None:
    """Each of four things of each of the accused weighs the same."""
    case, right = CRIMES[name]
    assert sentenced(case, right, right) == 1.0
    high = {}
    for n, wrong in enumerate(wrong_sentences(right)):
        value = sentenced(case, wrong.items, right)
        if value > 1 - wrong.spoilt / (4 * len(right)) + 1e-9:
            high[wrong.kind, n] = (value, wrong.items)
    assert not high


@pytest.mark.parametrize("name", CRIMES)
def test_other_words_for_the_right_sentence_score_as_the_right(name: str) -> None:
    case, right = CRIMES[name]
    low = {said: items for said, items in other_sentences(right) if sentenced(case, items, right) < 1.0}
    assert not low


def test_there_are_enough_of_both() -> None:
    civil = [wrong.kind for _, people, right in DISPOSITIONS.values() for wrong in wrongs(right, people)]
    penal = [wrong.kind for _, right in CRIMES.values() for wrong in wrong_sentences(right)]
    right_ones = [said for _, people, right in DISPOSITIONS.values() for said in paraphrases(right, people)]
    right_ones += [said for _, right in CRIMES.values() for said in other_sentences(right)]
    assert len(civil) + len(penal) >= 300 and len({*civil, *penal}) >= 30
    assert len(right_ones) >= 60
