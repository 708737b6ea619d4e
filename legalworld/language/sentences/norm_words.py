"""Words of norms, English and Chinese: those of their formulas, and those that stand alone in a cell or a field.

They are words of the language in norms only: names of a procedure need not avoid them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Terminal of `grammar.lark` -> its spellings in English and in Chinese, as `keywords.py` writes them.
FORMULA_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "PLUS": ("plus", "加 加上"),
    "MINUS": ("minus", "减 减去"),
    "MULTIPLY": ("times", "乘 乘以"),
    "OVER": ("over", "除以"),
    "PERCENTOF": ("percent_of", ""),
    "PERCENTS": ("", "的_百分之 百分之"),
    "LOWEROF": ("lower_of", "取较低者"),
    "HIGHEROF": ("higher_of", "取较高者"),
    "LATEROF": ("later_of", "取较晚者"),
    "EARLIEROF": ("earlier_of", "取较早者"),
    "WHOLE": ("whole", "取整"),
    "RUNSFROM": ("from", "自"),
    "DAYSOF": ("", "的_天数 天数 的_日数 日数"),
    "MONTHSOF": ("", "的_月数 月数"),
    "YEARSOF": ("", "的_年数 年数"),
    "FIRSTDAYOF": ("first_day_of", ""),
    "LASTDAYOF": ("last_day_of", ""),
    "FIRSTDAY": ("", "的_首日 首日"),
    "LASTDAY": ("", "的_末日 末日"),
    "AT": ("at", "按"),
    "PROVED": ("proved", "得证"),
    "ADMITTED": ("admitted", "自认"),
    "OPENED": ("open", "不明"),
    "PLEADED": ("pleaded", "已提出"),
    "INCLUDES": ("includes", "包括"),
    "PAY": ("pay", "支付 给付"),
    "RETURNS": ("return", "返还 归还"),
    "DISMISS": ("dismiss", "驳回"),
    "INTERESTON": ("interest_on", ""),
    "ASBASE": ("", "为_基数"),
    "INTEREST": ("", "的_利息 利息"),
    "PAYMENT": ("payment", "清偿 实际_清偿"),
}
FORMULA_STARTS: Final = ("expression", "ruling")

BURDENS: Final[Mapping[str, str]] = {
    **{"claimant": "claimant", "respondent": "respondent", "noticed": "noticed", "both": "both"},
    **{"请求人": "claimant", "被请求人": "respondent", "公知": "noticed", "双方": "both"},
}
"""Who must prove a fact: who claims, who is claimed against, nobody as it is known to all, each what helps him."""
TAKES: Final[Mapping[str, str]] = {
    **{"any": "any", "sum": "sum", "latest": "latest", "first": "first", "list": "list"},
    **{"有无": "any", "合计": "sum", "最后": "latest", "最先": "first", "全部": "list"},
}
"""What is taken of several sayings about one fact."""
FACT_TYPES: Final[Mapping[str, str]] = {
    **{"yes or no": "yes", "money": "money", "percent": "percent", "number": "number", "day": "day"},
    **{"persons": "persons", "text": "text", "events": "events"},
    **{"是或否": "yes", "金额": "money", "利率": "percent", "数字": "number", "日期": "day"},
    **{"人员": "persons", "文本": "text", "往来": "events"},
}
EVENT_KEYS: Final[Mapping[str, str]] = {
    **{"date": "date", "until": "until", "amount": "amount", "from": "from", "to": "to"},
    **{"日期": "date", "止": "until", "金额": "amount", "付款人": "from", "收款人": "to"},
}
ABOUT_KEYS: Final = ("of", "涉及")
"""Under which key the persons stand of whom alone something is said."""
COLUMNS: Final[Mapping[str, str]] = {
    **{"fact": "fact", "burden": "burden", "takes": "takes", "otherwise": "otherwise"},
    **{"事实": "fact", "举证": "burden", "取": "takes", "否则": "otherwise"},
    **{"tier": "tier", "when": "when", "main": "main", "months": "months", "extra": "extra", "article": "article"},
    **{"幅度": "tier", "条件": "when", "主刑": "main", "月数": "months", "附加刑": "extra", "条文": "article"},
    **{"name": "name", "title": "title", "duty": "duty", "effect": "effect", "share": "share"},
    **{"名称": "name", "标题": "title", "应否": "duty", "效力": "effect", "调节": "share"},
    **{"ground": "ground", "理由": "ground", "result": "result", "结果": "result", "fault": "fault", "过错": "fault"},
    **{"low": "low", "high": "high", "低": "low", "高": "high"},
}
"""Heads of columns of the tables in norms."""
VALUES_OF: Final[Mapping[str, str]] = {"claim": "claim", "case": "case", "请求": "claim", "案件": "case"}
"""Names before a dot that stand for no fact: what is claimed, and the case."""
CLAIM_SIDES: Final[Mapping[str, str]] = {
    **{"claimant": "claimant", "respondent": "respondent", "请求人": "claimant", "被请求人": "respondent"},
}
PROSE_NUMBER: Final = r"(\d[\d,]*(?:\.\d+)?[万千]?|[一二两三四五六七八九十]+)"
PROSE_DAY: Final = r"(\d{4}年\d{1,2}月(?:\d{1,2}日)?)"
PROSE_PERSONS: Final[Mapping[str, int]] = {"claimant": 0xE100, "respondent": 0xE200}
"""Where the characters begin that stand for persons of a side while a text is read; a phrase says `{respondent}`."""
PROSE_MOST: Final = 0x100
PROSE_ANY: Final = "[^。；;\n]{0,40}?"
PROSE_CLAUSE: Final = "[，。；：,;:\n]"
PROSE_FIRST: Final = ("日", "1日")
"""How a day ends, and what is added to a month so that it is its first day."""
PROSE_UNITS: Final[Mapping[str, int]] = {"万": 10_000, "千": 1_000}
"""How numbers and days stand in a text, what lies between the words of a phrase, where a clause ends."""
EMPTY_CELLS: Final = ("", "-", "empty", "空")
ANY_CAUSE: Final = ("any", "任何")
RESULTS: Final[Mapping[str, str]] = {
    **{"dismissed": "dismissed", "undecided": "undecided", "at": "at", "from": "from", "jointly": "jointly"},
    **{"驳回": "dismissed", "不作裁判": "undecided", "按": "at", "自": "from", "连带": "jointly"},
}
"""Words in which examples say what must come of them."""

# What a decision by norms goes by, as it is written below `material` -> its name.
MATERIAL: Final[Mapping[str, str]] = {
    **{name: name for name in ("cause", "procedure", "halved", "says", "states", "asks", "admits", "pleads")},
    **{name: name for name in ("ruling", "admitted", "partly", "appeals", "claimant", "respondent")},
    **{"案由": "cause", "程序": "procedure", "减半": "halved", "所载事实": "says", "名目": "asks"},
    **{"所载文字": "states"},
    **{"自认": "admits", "抗辩": "pleads", "认证": "ruling", "采信": "admitted", "部分采信": "partly"},
    **{"上诉": "appeals", "起诉方": "claimant", "应诉方": "respondent"},
    **{name: name for name in ("plea", "guilty", "lenient", "born", "kind", "found")},
    **{"认罪态度": "plea", "认罪": "guilty", "认罪认罚": "lenient", "出生": "born"},
    **{"证据种类": "kind", "法院认定": "found"},
    **{name: name for name in ("called", "opinion", "accepted", "contested")},
    **{"证据名称": "called", "质证意见": "opinion", "认可": "accepted", "不认可": "contested"},
}
MATERIAL_WORDS: Final = (
    *("halved", "admitted", "partly", "says", "states", "asks", "ruling"),
    *("plea", "guilty", "lenient", "kind", "called", "opinion", "accepted", "contested"),
)
"""Of these, those that are no field: choices of answers, answers, keys of exhibits and claims."""

# The parts of a citation, each with the word behind its number; the word before a number.
CITED_PARTS: Final = (("article", "条"), ("paragraph", "款"), ("item", "项"))
CITED_ORDINAL: Final = "第"
