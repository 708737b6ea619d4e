"""The same judgment in other words, as models choose them: nothing is changed, so that no alarm may come of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from planting.paper import Edit, Paper, Span, plant

Rewording = Callable[[Paper], str]
_DIGITS = "〇一二三四五六七八九"


def _in(paper: Paper, span: Span, pattern: str, instead: str | Callable[[re.Match[str]], str]) -> str:
    start, end = span
    return paper.text[:start] + re.sub(pattern, instead, paper.text[start:end]) + paper.text[end:]


def _rest(paper: Paper) -> Span:
    """From the orders to the end: orders, costs, notice, signatures."""
    return (paper.orders[0], len(paper.text)) if paper.orders[1] else (0, 0)


def grouped_sums(paper: Paper) -> str:
    """36800元 as 36,800元."""
    return _in(paper, _rest(paper), r"(?<![\d.,])\d{4,}(?=(?:\.\d+)?元)", lambda found: f"{int(found[0]):,}")


def sums_of_ten_thousand(paper: Paper) -> str:
    """36800元 as 3.68万元, in the orders."""

    def made(found: re.Match[str]) -> str:
        value = int(found[1])
        return f"{value / 10000:g}万元" if value >= 10000 and value % 100 == 0 else found[0]

    return _in(paper, paper.orders, r"(?<![\d.,])(\d{4,})元(?!为基数)", made)


def sums_in_renminbi(paper: Paper) -> str:
    return _in(paper, _rest(paper), r"(?<![\d.,币])(?=\d[\d,]*(?:\.\d+)?元(?!为基数))", "人民币")


def costs_with_one_by(paper: Paper) -> str:
    """由甲负担…，由乙负担… as 由甲负担…，乙负担…."""
    return _in(paper, _rest(paper), r"(负担[\d,.]+元)，由", r"\1，")


def costs_without_by(paper: Paper) -> str:
    return _in(paper, _rest(paper), r"(?<=，)由(?=[^，。；]{2,40}负担)", "")


def costs_listed(paper: Paper) -> str:
    """负担 before the sums: 甲负担…元、乙负担…元."""
    return _in(paper, _rest(paper), r"(负担[\d,.]+元)，由", r"\1、")


def figures_in_deadlines(paper: Paper) -> str:
    words = {"十": "10", "三": "3", "五": "5", "七": "7", "三十": "30", "十五": "15"}
    return _in(paper, paper.orders, r"之日起(三十|十五|[十三五七])日内", lambda found: f"之日起{words[found[1]]}日内")


def after_it_takes_effect(paper: Paper) -> str:
    return _in(paper, paper.orders, r"于本判决生效之日起(.{1,3})日内", r"在本判决生效后\1日内")


def figures_for_items(paper: Paper) -> str:
    marks = {mark: str(number) for number, mark in enumerate("一二三四五六七八九", 1)}
    return _in(paper, paper.orders, r"(?m)^([一二三四五六七八九])、", lambda found: f"{marks[found[1]]}. ")


def brackets_for_items(paper: Paper) -> str:
    return _in(paper, paper.orders, r"(?m)^([一二三四五六七八九])、", r"（\1）")


def bold_items(paper: Paper) -> str:
    return _in(paper, paper.orders, r"(?m)^([一二三四五六七八九]、)([^\n]+)$", r"**\1\2**")


def one_paragraph(paper: Paper) -> str:
    return _in(paper, paper.orders, r"；\s*\n+(?=[一二三四五六七八九]、)", "；")


def without_titles(paper: Paper) -> str:
    """被告梅长青 as 梅长青, in the orders and the costs."""
    edits: list[Edit] = []
    for at, _ in paper.named(_rest(paper)):
        before = re.search(r"(?:原告|被告|被?申请人)$", paper.text[:at])
        edits += [((before.start(), at), "")] if before else []
    return plant("", paper, edits).text


def with_titles(paper: Paper) -> str:
    edits = [
        ((at, at), person.title)
        for at, person in paper.named(paper.orders)
        if person.title in ("原告", "被告") and not paper.text[:at].endswith(("告", "人", "、", "）"))
    ]
    return paper.text if paper.second else plant("", paper, edits).text


def figures_in_the_day(paper: Paper) -> str:
    def made(found: re.Match[str]) -> str:
        year = "".join(str(_DIGITS.index(digit)) for digit in found[1])
        return f"{year}年{_small(found[2])}月{_small(found[3])}日"

    return _in(
        paper,
        _rest(paper),
        r"(二〇[〇一二三四五六七八九]{2})年([一二三四五六七八九十]+)月([一二三四五六七八九十]+)日",
        made,
    )


def _small(words: str) -> int:
    tens, _, ones = words.rpartition("十")
    if "十" not in words:
        return _DIGITS.index(words)
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)


def remaining_claims(paper: Paper) -> str:
    return _in(paper, paper.orders, r"的其他(诉讼请求|仲裁请求)", r"其余\1")


def absent_after_present(paper: Paper) -> str:
    return _in(paper, (0, paper.reasons[0]), r"到庭参加诉讼；(?=被告)", "到庭参加诉讼，")


def absent_first(paper: Paper) -> str:
    """到庭 of one and 拒不到庭 of the other in one clause after the other, absence first."""
    words = r"(原告[^，。；]{2,60}到庭参加(?:了)?诉讼)[；，](被告[^。；]{2,60}拒不到庭(?:参加诉讼)?)。"
    return _in(paper, (0, paper.reasons[0]), words, r"\2。\1。")


def headings(paper: Paper) -> str:
    return _in(paper, (0, paper.orders[0]), r"(?m)^(本院认为|经审理查明)[，：]", r"## \1\n\n\1，")


def terms_in_figures(paper: Paper) -> str:
    words = {mark: str(number) for number, mark in enumerate("一二三四五六七八九", 1)}
    text = _in(paper, paper.orders, r"(?<=有期徒刑)([一二三四五六七八九])(?=个月|年)", lambda found: words[found[1]])
    return re.sub(r"(?<=缓刑)([一二三四五六七八九])(?=个月|年)", lambda found: words[found[1]], text)


REWORDINGS: tuple[Rewording, ...] = (
    grouped_sums,
    sums_of_ten_thousand,
    sums_in_renminbi,
    costs_with_one_by,
    costs_without_by,
    costs_listed,
    figures_in_deadlines,
    after_it_takes_effect,
    figures_for_items,
    brackets_for_items,
    bold_items,
    one_paragraph,
    without_titles,
    with_titles,
    figures_in_the_day,
    remaining_claims,
    absent_after_present,
    absent_first,
    headings,
    terms_in_figures,
)
