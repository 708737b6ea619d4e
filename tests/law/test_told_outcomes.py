"""A sealed punishment is told by its value: any spelling, any frame that is not shown to speak of something else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from legalworld.law.text.lengths import lengths, same_script
from legalworld.law.text.told_outcomes import sealed_punishments, tells

FIGURES = "〇一二三四五六七八九"
CAPITALS = str.maketrans("一二三四五六七八九十", "壹贰叁肆伍陆柒捌玖拾")
TRADITIONAL = str.maketrans(
    {"个": "個", "两": "兩", "贰": "貳", "叁": "參", "陆": "陸", "万": "萬", "罚": "罰", "缓": "緩"}
)
WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")
ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}


def chinese(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        return (
            chinese(hundreds) + "百" + ("" if not rest else ("零" if rest < 10 else "一" * (rest < 20)) + chinese(rest))
        )
    tens, ones = divmod(number, 10)
    return (FIGURES[tens] if tens > 1 else "") + "十" * (tens > 0) + (FIGURES[ones] if ones else "")


def english(number: int) -> str:
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens * 10] + (f"-{ONES[ones]}" if ones else "")


def ways_of_term(months: int) -> dict[str, str]:
    """A term in every way that somebody may write it: the name of the way, and the words."""
    years, rest = divmod(months, 12)
    capital = chinese(months).translate(CAPITALS)
    ways = {
        "words": f"{chinese(months)}个月",
        "figures": f"{months}个月",
        "apart": f"{months} 个 月",
        "wide": f"{months}个月".translate(WIDE),
        "capitals": f"{capital}个月",
        "both": f"{chinese(months)}（{months}）个月",
        "invisible": f"{chinese(months)}\u200b个\ufeff月",
        "decimal": f"{months / 12:g}年" if (months * 100) % 12 == 0 else f"{months}个月",
        "english": f"{english(months)} months",
        "hyphen": f"{months}-month",
        "days": f"{months * 30}天",
        "column": f"（月）：{months}",
    }
    ways |= {
        f"{way} traditional": text.translate(TRADITIONAL) for way, text in ways.items() if "个" in text or "贰" in text
    }
    if rest == 6 and years:
        ways |= {"half": f"{chinese(years)}年半", "and a half": f"{english(years)} and a half years"}
    if months == 6:
        ways |= {"half a year": "半年", "half in English": "half a year", "sign": "½年", "circled": "⑥个月"}
    if months == 12:
        ways |= {"round": "一周年", "a year": "a year"}
    if years and rest:
        ways |= {
            "mixed": f"{chinese(years)}年{chinese(rest)}个月",
            "zero": f"{chinese(years)}年零{chinese(rest)}个月",
            "again": f"{years}年又{rest}个月",
            "short": f"{chinese(years)}年{chinese(rest)}月",
            "years and months": f"{english(years)} year{'s' * (years > 1)} and {english(rest)} month{'s' * (rest > 1)}",
        }
    if years and not rest:
        ways |= {"years": f"{chinese(years)}年", "years in English": f"{years} years", "years apart": f"{years} 年"}
    if months in (6, 9, 12):
        ways["quarters"] = f"{chinese(months // 3)}个季度"
    return ways


def ways_of_fine(yuan: int) -> dict[str, str]:
    above, thousands = divmod(yuan // 1000, 10)
    words = (f"{chinese(above)}万" if above else "") + (f"{chinese(thousands)}千" if thousands else "")
    return {
        "figures": f"{yuan}元",
        "commas": f"{yuan:,}元",
        "wide": f"{yuan}元".translate(WIDE),
        "ten thousands": f"{yuan / 10000:g}万元",
        "words": f"{words}元",
        "traditional": f"{yuan / 10000:g}萬圓",
        "spoken": f"{yuan}块",
        "sign": f"¥{yuan:,}",
        "prefixed": f"RMB {yuan}",
        "cents": f"{yuan}.00元",
    }


FRAMES = [
    "最后就是{}，我认了。",
    "{}",
    "大家都说{}。",
    "结论：{}",
    "我看{}差不多。",
    "公诉人的意思是{}",
    "判{}比较合适",
    "被告人愿意接受{}的处罚",
    "请给他{}",
    "徒刑{}",
    "the answer is {}",
    "a sentence of {} is sought",
]
HONEST = [
    "借款期限为{}，到期未还。",
    "他在医院治疗了{}。",
    "被告人在该厂工作了{}。",
    "双方认识了{}。",
    "合同约定工期{}。",
]
PAID = ["被告人盗走现金{}。", "手机价值{}。", "赔偿被害人{}，取得谅解。", "他向王某借款{}。", "销售金额{}。"]
TERMS = [2, 3, 6, 7, 9, 10, 12, 15, 18, 24, 30, 36, 38, 42, 54, 60, 66, 84]
FINES = [1000, 2000, 5000, 12000, 20000, 35000]


@pytest.mark.parametrize("months", TERMS)
@pytest.mark.parametrize("sealed", ["判处有期徒刑{}个月。", "判处拘役{}个月，缓刑二十年", "{}个月"])
def test_a_term_is_told_however_it_is_written(months: int, sealed: str) -> None:
    outcome = sealed_punishments(sealed.format(months))
    missed = [
        (way, frame)
        for way, text in ways_of_term(months).items()
        for frame in FRAMES
        if not tells(frame.format(text), outcome)
    ]
    assert not missed


@pytest.mark.parametrize("months", TERMS)
def test_every_spelling_of_a_sealed_term_is_read(months: int) -> None:
    plain = f"判处有期徒刑{chinese(months)}个月。"
    for way, text in ways_of_term(months).items():
        for sealed in (text, f"判处有期徒刑{text}。", f"sentenced to {text} in prison"):
            assert tells(plain, sealed_punishments(sealed)), (way, sealed)


@pytest.mark.parametrize("months", TERMS)
def test_another_length_and_what_speaks_of_something_else_stay(months: int) -> None:
    outcome = sealed_punishments(f"判处有期徒刑{chinese(months)}个月。")
    for way, text in ways_of_term(months + 1).items():
        cut = [frame for frame in FRAMES if tells(frame.format(text), outcome)]
        assert not cut or "days" in way, (way, cut)
    for way, text in ways_of_term(months).items():
        assert not [frame for frame in HONEST if tells(frame.format(text), outcome)], way


@pytest.mark.parametrize("yuan", FINES)
def test_a_fine_is_told_however_it_is_written(yuan: int) -> None:
    outcome = sealed_punishments(f"判处有期徒刑三年，并处罚金人民币{yuan}元。")
    for way, text in ways_of_fine(yuan).items():
        missed = [frame for frame in FRAMES if not tells(frame.format(text), outcome)]
        assert not missed, (way, missed)
        assert not [frame for frame in PAID if tells(frame.format(text), outcome)], way
    for number in (f"罚金{yuan}", f"罚金：{yuan}", f"罚{yuan / 10000:g}万", f"a fine of {yuan}"):
        assert tells(number, outcome), number
    assert not any(tells(frame.format(f"{yuan + 500}元"), outcome) for frame in FRAMES)


NAMED = {
    "判处无期徒刑，剥夺政治权利终身。": [
        "无期徒刑",
        "无期",
        "無期徒刑",
        "终身监禁",
        "life imprisonment",
        "把牢底坐穿",
        "imprisoned for life",
    ],
    "判处死刑，剥夺政治权利终身。": ["死刑", "极刑", "極刑", "枪决", "the death penalty", "capital punishment"],
    "判处死刑，缓期二年执行。": [
        "死刑，缓期二年执行",
        "死缓",
        "死緩",
        "死刑（缓期两年执行）",
        "缓期2年执行",
        "death sentence with a two-year reprieve",
    ],
}


@pytest.mark.parametrize("sealed", NAMED)
def test_death_and_life_are_told_by_any_name(sealed: str) -> None:
    outcome = sealed_punishments(sealed)
    for named in NAMED[sealed]:
        for frame in ("建议判处{}", "最后就是{}。", "他应该{}", "we ask for {}"):
            assert tells(frame.format(named), outcome), (frame, named)
    others = [one for other in NAMED if other != sealed for one in NAMED[other]]
    assert not [one for one in others if tells(f"建议判处{one}", outcome)]
    assert not tells("处十年以上有期徒刑、无期徒刑或者死刑。", outcome)


LIMITS = [
    ("建议判处{low}以上{high}以下有期徒刑", True),
    ("建议判处{low}以上，{high}以下有期徒刑，并处罚金", True),
    ("建议在有期徒刑{low}至{high}内判处刑罚", True),
    ("建议判处拘役{low}至有期徒刑{high}，并处罚金", True),
    ("量刑建议为{low}至{high}", True),
    ("公诉机关建议判处{same}以下有期徒刑", True),
    ("依照《中华人民共和国刑法》第二百六十四条，处{same}以下有期徒刑、拘役或者管制", False),
    ("该罪的法定刑为{same}以下有期徒刑，建议从轻", False),
]


@pytest.mark.parametrize(("frame", "told"), LIMITS)
@pytest.mark.parametrize("months", [6, 10, 15, 36])
def test_limits_that_are_asked_for_tell_and_those_of_the_law_do_not(frame: str, told: bool, months: int) -> None:
    outcome = sealed_punishments(f"判处有期徒刑{chinese(months)}个月。")
    low, high = (f"{chinese(one)}个月" for one in (months - 2, months + 3))
    assert tells(frame.format(low=low, high=high, same=f"{chinese(months)}个月"), outcome) is told


@pytest.mark.parametrize(
    "text", ["2018年6月", "2018年6月3日", "二〇一八年六月", "同年6月", "6月3日", "上半年", "6月份", "1998年"]
)
def test_a_date_is_no_length(text: str) -> None:
    assert not [one for one in lengths(same_script(f"{text}，他来了。")) if not one.loose]


@pytest.mark.parametrize("seed", range(200))
def test_any_signs_are_read_without_a_traceback(seed: int) -> None:
    draw = random.Random(seed)
    signs = "six months a year half and \u200b½Ⅵ\n"
    signs += "0123456789.,，、/半一二十百千零年月日天个周至到-以上下内判刑罚金元万()（）"
    text = "".join(draw.choice(signs) for _ in range(60))
    outcome = sealed_punishments(text) + sealed_punishments("判处有期徒刑六个月，并处罚金二千元")
    assert tells(text, outcome) in (True, False)


EARLIER: list[Callable[[str], str]] = [
    lambda text: f"曾因犯盗窃罪被判处有期徒刑{text}。",
    lambda text: f"2014年9月3日，因犯寻衅滋事罪被本院判处有期徒刑{text}。",
    lambda text: f"有前科，曾被判处{text}。",
]


@pytest.mark.parametrize("months", TERMS)
def test_an_earlier_term_stays(months: int) -> None:
    outcome = sealed_punishments(f"判处有期徒刑{chinese(months)}个月。")
    assert not [one(f"{months}个月") for one in EARLIER if tells(one(f"{months}个月"), outcome)]
