"""Contradictions in what somebody is punished for, and how."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from planting.paper import Paper, Plant, Span, plant

_VERDICT = re.compile(
    r"(?:被告人|上诉人)(?P<name>[^，。、；犯]{2,8}?)犯(?P<charge>[^，。；]{2,20}罪)，(?:判处(?P<term>(?:有期徒刑|拘役|管制)[^，。；（]+)|免予刑事处罚)"
    r"(?P<probation>，缓刑[^，。；（]+)?(?P<fine>，并处罚金(?:人民币)?[^，。；（]+)?"
)
_RANGE = {
    "盗窃罪": ("有期徒刑四年", "有期徒刑五年六个月", "有期徒刑七年"),
    "故意伤害罪": ("有期徒刑四年", "有期徒刑六年", "有期徒刑八年"),
}
_RANGE["危险驾驶罪"] = ("拘役十个月", "有期徒刑一年", "有期徒刑八个月", "有期徒刑二年")
_RANGE["袭警罪"] = ("有期徒刑五年", "有期徒刑六年", "有期徒刑九年")
_RANGE["非法拘禁罪"] = ("有期徒刑五年六个月", "有期徒刑八年")
_OTHERS = ("诈骗罪", "抢劫罪", "职务侵占罪", "敲诈勒索罪", "寻衅滋事罪", "故意毁坏财物罪", "交通肇事罪")
_NAMES = ("鄢若水", "滕小雨", "费长河", "褚一鸣", "暴晓春", "殷北斗")


def verdicts(paper: Paper) -> list[re.Match[str]]:
    """What is pronounced; what a second instance tells of the first is none."""
    return list(_VERDICT.finditer(paper.text, *paper.orders))


def term_above(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """A term above the tier that the findings lead to."""
    for found in verdicts(paper):
        for term in _RANGE.get(found["charge"], ()) if found["term"] else ():
            gone = [(found.span("probation"), "")] if found["probation"] else []
            yield plant("term_above", paper, [(found.span("term"), term), *gone])


def long_on_probation(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in verdicts(paper):
        if found["term"]:
            for term in ("有期徒刑三年六个月", "有期徒刑四年", "有期徒刑五年"):
                after = found.end("probation") if found["probation"] else found.end("term")
                words = f"{term}，缓刑{draw.choice(('四年', '五年'))}"
                yield plant("long_on_probation", paper, [((found.start("term"), after), words)])


def probation_out_of_range(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """A probation shorter than the term, or longer than the law lets it be."""
    for found in verdicts(paper):
        if found["probation"] and "有期徒刑" in found["term"]:
            for words in ("，缓刑四个月", "，缓刑六年", "，缓刑七年", "，缓刑三个月", "，缓刑八年"):
                yield plant("probation_out_of_range", paper, [(found.span("probation"), words)])
        elif found["probation"]:
            for words in ("，缓刑二年", "，缓刑十五日", "，缓刑三年"):
                yield plant("probation_out_of_range", paper, [(found.span("probation"), words)])


def fine_left_out(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in verdicts(paper):
        if found["fine"] and found["charge"] in (
            "盗窃罪",
            "危险驾驶罪",
            "开设赌场罪",
            "贪污罪",
            "贩卖毒品罪",
            "滥伐林木罪",
        ):
            yield plant("fine_left_out", paper, [(found.span("fine"), "")], [found.span("term")])


def fine_unknown(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """A fine that the article of the offence does not know."""
    for found in verdicts(paper):
        if (
            found["term"]
            and not found["fine"]
            and found["charge"] in ("故意伤害罪", "非法拘禁罪", "袭警罪", "交通肇事罪", "聚众斗殴罪")
        ):
            end = max(found.end("term"), found.end("probation"))
            for sum_ in ("二千", "五千", "八千", "一万", "二万", "三千", "四千", "六千", "十万"):
                yield plant("fine_unknown", paper, [((end, end), f"，并处罚金人民币{sum_}元")])


def other_charge(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The order names an offence of which the reasons say nothing."""
    for found in verdicts(paper):
        for charge in draw.sample(_OTHERS, 2):
            if charge not in paper.text:
                yield plant("other_charge", paper, [(found.span("charge"), charge)], [paper.reasons])


def article_left_out(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The article of the offence is missing among those that were applied."""
    articles = {
        "盗窃罪": "第二百六十四条、?",
        "故意伤害罪": "第二百三十四条第一款、?",
        "危险驾驶罪": "第一百三十三条之一第一款(?:第（?二）?项)?、?",
    }
    for found in verdicts(paper):
        if article := articles.get(found["charge"]):
            spans = paper.every(article, paper.statutes)
            if spans:
                yield plant("article_left_out", paper, [(span, "") for span in spans], [found.span()])
                for instead in ("第二百六十三条、", "第二百九十三条、"):
                    yield plant("article_left_out", paper, [(span, instead) for span in spans], [found.span()])


def accused_forgotten(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """One who stands accused in the head is not judged."""
    found = re.search(r"^.*被告人.*$", paper.text, re.M)
    if found and verdicts(paper) and "上诉人" not in paper.text[:600]:
        for name in draw.sample(_NAMES, 3):
            line = f"被告人{name}，男，1988年5月2日出生，汉族，无业，住江澜市青塘区柳荫街3号。\n\n"
            yield plant("accused_forgotten", paper, [((found.start(), found.start()), line)])
    both = verdicts(paper)
    for one in both if len({found["name"] for found in both}) > 1 else ():
        item = next(span for span in paper.items if span[0] <= one.start() < span[1])
        yield plant("accused_forgotten", paper, [(item, "")])


def days_wrong(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The days of the term do not make the term."""
    for found in re.finditer(
        r"即?自(\d{4})年\d{1,2}月\d{1,2}日(?:起|始)至(?P<year>\d{4})年\d{1,2}月\d{1,2}日止", paper.text
    ):
        for later in (1, 2, 3, 4, 5):
            yield plant("days_wrong", paper, [(found.span("year"), str(int(found["year"]) + later))])


def recidivist_on_probation(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    words = (
        "被告人{}系累犯，应当从重处罚。",
        "{}在刑罚执行完毕后五年内再犯应当判处有期徒刑以上刑罚之罪，系累犯，依法从重处罚。",
        "被告人{}系累犯，依法应当从重处罚。",
        "{}曾因故意犯罪被判处有期徒刑，刑满释放后五年内又犯罪，系累犯。",
    )
    for found in verdicts(paper):
        if found["probation"]:
            for said in words:
                at = paper.statutes[0]
                yield plant("recidivist_on_probation", paper, [((at, at), said.format(found["name"]))], [found.span()])


def acquitted_yet_convicted(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons find the offence, the order acquits."""
    found = verdicts(paper)
    if len(found) == 1 and "终" not in paper.text[:120]:
        whole = (found[0].start(), max(found[0].end(), found[0].end("fine")))
        for said in ("被告人{}无罪", "宣告被告人{}无罪", "被告人{}不构成犯罪，宣告无罪"):
            words = said.format(found[0]["name"])
            yield plant("acquitted_yet_convicted", paper, [(whole, words)], [paper.reasons])


def convicted_yet_acquitted(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons find nothing proved, the order punishes."""
    for found in re.finditer(r"(?:宣告)?被告人(?P<name>[^，。、；]{2,4}?)无罪", paper.text[slice(*paper.orders)]):
        at = (paper.orders[0] + found.start(), paper.orders[0] + found.end())
        for term in ("有期徒刑七个月", "有期徒刑一年", "拘役四个月", "有期徒刑十个月"):
            for fine in ("三千", "五千", "一万"):
                words = f"被告人{found['name']}犯盗窃罪，判处{term}，并处罚金人民币{fine}元"
                yield plant("convicted_yet_acquitted", paper, [(at, words)], [paper.reasons])


def reasons_acquit(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons come to say that the offence is not proved, the order punishes for it."""
    for found in verdicts(paper):
        convicts: list[Span] = paper.every(rf"(?:已)?(?:均已)?构成{re.escape(found['charge'])}", paper.reasons)
        for span in convicts[:1]:
            for said in ("不构成{}", "尚不足以认定构成{}", "依法不构成{}"):
                yield plant("reasons_acquit", paper, [(span, said.format(found["charge"]))], [found.span()])


def heavier_on_appeal(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Only the accused appealed, and is punished more."""
    below = re.search(r"判处(?:被告人)?(?:[^，。]{2,4})?有期徒刑(?P<term>[^，。；]+)", paper.text[: paper.orders[0]])
    name = re.search(r"上诉人（原审被告人）(?P<name>[^，。]{2,4})，", paper.text)
    charge = re.search(r"犯(?P<charge>[^，。；]{2,12}罪)", paper.text)
    if below and name and charge and "抗诉" not in paper.text[:800]:
        for term in ("有期徒刑二年", "有期徒刑二年六个月", "有期徒刑三年"):
            for fine in ("人民币一万元", "人民币二万元", "人民币五万元"):
                words = (
                    f"一、撤销原判；\n\n二、上诉人{name['name']}犯{charge['charge']}，判处{term}，并处罚金{fine}。\n\n"
                )
                yield plant("heavier_on_appeal", paper, [(paper.orders, words)], [below.span()])
