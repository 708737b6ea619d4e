"""Dispositions with one thing wrong in them, made of right ones: what, in how many of the items, and the items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Items = tuple[str, ...]
ORDINALS = "一二三四五六七八九"
SUM = re.compile(r"(\d[\d,]*(?:\.\d+)?)元")
PERIOD = "本判决生效之日起十日内"


@dataclass(frozen=True)
class Wrong:
    """`kind`: what is wrong; `items`: the disposition so changed; `spoilt`: right items that are right no more;
    `added`: items that the right disposition does not have."""

    kind: str
    items: Items
    spoilt: int = 1
    added: int = 0


Change = Callable[[str, "People"], str]


@dataclass(frozen=True)
class People:
    """Who is to perform and for whom, as the items name them; `other`: somebody else of the case, "" for nobody."""

    debtors: tuple[str, ...]
    creditor: str
    other: str = ""

    @property
    def together(self) -> str:
        return "、".join(self.debtors)


def _exchanged(item: str, people: People) -> str:
    held = item.replace(people.together, "\0").replace(people.creditor, people.together)
    return held.replace("\0", people.creditor)


def _one_dropped(item: str, people: People) -> str:
    return item.replace(people.together, people.debtors[0]).replace("共同", "").replace("连带", "")


def _severally(item: str, people: People) -> str:
    return re.sub("共同|连带", "按份各半", item)


def _sum(change: Callable[[str], str]) -> Change:
    return lambda item, _: SUM.sub(lambda found: change(found[1]) + "元", item, count=1)


CHANGES: dict[str, Change] = {
    "creditor and debtor exchanged": _exchanged,
    "a debtor dropped": _one_dropped,
    "joint debtors liable by halves": _severally,
    "another debtor": lambda item, people: item.replace(people.together, people.other) if people.other else item,
    "another creditor": lambda item, people: item.replace(people.creditor, people.other) if people.other else item,
    "ten times the sum": _sum(lambda digits: f"{digits}0" if "." not in digits else digits.replace(".", "0.")),
    "a cent less": _sum(lambda digits: f"{float(digits.replace(',', '')) - 0.01:.2f}"),
    "a tenth of the sum": _sum(lambda digits: f"{float(digits.replace(',', '')) / 10:g}"),
    "another currency": lambda item, _: SUM.sub(r"\1美元", item, count=1),
    "a percentage for a sum": lambda item, _: SUM.sub(r"\1%", item, count=1),
    "another rate": lambda item, _: re.sub(r"年利率[\d.]+%", "年利率24%", item),
    "a rate by the month": lambda item, _: item.replace("年利率", "月利率"),
    "another base": lambda item, _: re.sub(r"以[\d.]+元为基数", "以1元为基数", item),
    "another first day": lambda item, _: re.sub(r"自(\d{4})年", lambda found: f"自{int(found[1]) + 1}年", item),
    "another period": lambda item, _: item.replace("十日内", "三十日内"),
    "turned down": lambda item, people: f"{item[:2]}驳回{people.creditor}的全部诉讼请求" if SUM.search(item) else item,
    "not to be paid": lambda item, _: re.sub(r"(共同|连带)?(支付|返还|赔偿|给付)", r"无需\2", item, count=1),
}


def wrongs(right: Items, people: People) -> Iterator[Wrong]:
    """Yield every change that something comes of, in each item by itself; then what is wrong with the whole."""
    for kind, change in CHANGES.items():
        for place, item in enumerate(right):
            changed = change(item, people)
            if changed != item:
                yield Wrong(kind, (*right[:place], changed, *right[place + 1 :]))
    for place in range(len(right)) if len(right) > 1 else ():
        yield Wrong("left out", (*right[:place], *right[place + 1 :]))
    invented = f"{people.together}于{PERIOD}支付{people.creditor}违约金5000元"
    yield Wrong("invented", (*right, f"{ORDINALS[len(right)]}、{invented}"), 0, 1)
    yield Wrong("invented out of order", (*right, f"九、{invented}"), 0, 1)
    yield Wrong("invented without a number", (*right, invented), 0, 1)
    yield Wrong("said twice", (*right, f"{ORDINALS[len(right)]}、{right[0][2:]}"), 0, 1)
    sums = [place for place, item in enumerate(right) if len(SUM.findall(item)) == 1]
    for first, second in pairwise(sums):
        one, other = (SUM.findall(right[place])[0] for place in (first, second))
        if one != other:
            items = list(right)
            items[first], items[second] = (
                right[first].replace(f"{one}元", f"{other}元"),
                right[second].replace(f"{other}元", f"{one}元"),
            )
            yield Wrong("sums exchanged", tuple(items), 2)
    yield Wrong("only reasons", (), len(right))


SAYINGS: dict[str, Change] = {
    "as it is": lambda item, _: item,
    "separators": lambda item, _: SUM.sub(lambda found: f"{float(found[1].replace(',', '')):,.2f}元", item),
    "without titles": lambda item, _: re.sub("原告|被告", "", item),
    "paid": lambda item, _: item.replace("返还", "支付").replace("给付", "支付"),
    "jointly and severally": lambda item, _: item.replace("共同", "连带"),
    "full-width": lambda item, _: item.translate(str.maketrans("0123456789%.", "０１２３４５６７８９％．")),
    "within ten days": lambda item, _: item.replace("于本判决生效之日起十日内", "应在本判决生效后十日内"),
    "the others first": lambda item, people: item.replace(people.together, "、".join(reversed(people.debtors))),
}


def paraphrases(right: Items, people: People) -> Iterator[tuple[str, Items]]:
    """Yield the same disposition in other words, and its items in another order."""
    for name, change in SAYINGS.items():
        yield name, tuple(change(item, people) for item in right)
    yield "in another order", numbered(tuple(reversed([item.partition("、")[2] for item in right])))
    yield "numbered by figures", tuple(f"{n}. {item.partition('、')[2]}" for n, item in enumerate(right, 1))


def numbered(items: Sequence[str]) -> Items:
    return tuple(f"{ORDINALS[n]}、{item}" for n, item in enumerate(items))


PENAL: dict[str, tuple[Callable[[str], str], int]] = {
    "a longer term": (lambda item: item.replace("有期徒刑", "有期徒刑二年").replace("拘役五个月", "拘役六个月"), 1),
    "life": (
        lambda item: re.sub(
            "有期徒刑[一二三四五六七八九十]+[年个月]+|拘役[一二三四五六七八九十]+个月", "无期徒刑", item
        ),
        1,
    ),
    "probation dropped": (lambda item: re.sub("，缓刑[^，。]+", "", item), 1),
    "probation added": (
        lambda item: item if "缓刑" in item else re.sub("(个月|年)(?=[，。])", r"\1，缓刑一年", item, count=1),
        1,
    ),
    "ten times the fine": (lambda item: item.replace("千元", "万元"), 1),
    "fine dropped": (lambda item: re.sub("，并处罚金[^，。]+", "", item), 1),
    "fine added": (lambda item: item if "罚金" in item else item.replace("。", "，并处罚金人民币一万元。"), 1),
    "another crime": (lambda item: re.sub("犯[^，]+罪", "犯诈骗罪", item), 1),
    "a second crime": (lambda item: re.sub("犯([^，]+罪)", r"犯\1、诈骗罪", item), 1),
    "another person": (lambda item: re.sub("被告人[^犯]+犯", "被告人秦越犯", item), 2),
    "acquitted": (lambda item: re.sub("犯[^。]+。", "无罪。", item), 2),
    "acquitted, the crime named": (
        lambda item: re.sub("犯([^，]+罪)[^。]+。", r"犯\1的指控不能成立，宣告无罪。", item),
        2,
    ),
    "exempt from punishment": (lambda item: re.sub("犯([^，]+罪)[^。]+。", r"犯\1，免予刑事处罚。", item), 1),
}


def wrong_sentences(right: Items) -> Iterator[Wrong]:
    """Yield verdicts with one thing wrong, of each of the accused by himself. `spoilt`: how many of charge, term,
    probation and fine are right no more."""
    for kind, (change, spoilt) in PENAL.items():
        for place, item in enumerate(right):
            changed = change(item)
            if changed != item:
                yield Wrong(kind, (*right[:place], changed, *right[place + 1 :]), spoilt)
    for place in range(len(right)) if len(right) > 1 else ():
        yield Wrong("one left out", (*right[:place], *right[place + 1 :]), 4)
    if len(right) == 2:
        names = [re.findall("被告人([^犯]+)犯", item)[0] for item in right]
        exchanged = tuple(
            item.replace(mine, other) for item, mine, other in zip(right, names, names[::-1], strict=True)
        )
        yield Wrong("persons exchanged", exchanged, 2)
    yield Wrong("only reasons", (), 4 * len(right))


PENAL_SAYINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda item: item,
    "without the title": lambda item: item.replace("被告人", ""),
    "fines in figures": lambda item: (
        item.replace("五千元", "5000元").replace("六千元", "6000元").replace("三千元", "3000元")
    ),
    "without the currency": lambda item: item.replace("人民币", ""),
    "reckoned": lambda item: item.replace("。", "。（刑期从判决执行之日起计算。）"),
    "terms in figures": lambda item: item.replace("八个月", "8个月").replace("五个月", "5个月").replace("一年", "1年"),
}


def other_sentences(right: Items) -> Iterator[tuple[str, Items]]:
    """Yield the same verdicts in other words, and in another order."""
    for name, change in PENAL_SAYINGS.items():
        yield name, tuple(map(change, right))
    yield "numbered", numbered(right)
    yield "in another order", numbered(tuple(reversed(right)))
