"""Contradictions in what somebody has to pay: the sum, who and whom, the interest, the claims, the costs."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from planting.paper import Edit, Money, Paper, Plant, Span, plant

_PAYS = re.compile(r"支付|返还|赔偿|给付|偿还|退还|退赔")
_DISMISSES = re.compile(r"驳回")
OUTSIDERS = (
    "褚一鸣",
    "江澜市川流物资有限公司",
    "滕小雨",
    "江澜市北辰贸易有限公司",
    "费长河",
    "鄢若水",
    "江澜市晨曦建材有限公司",
)


def orders_to_pay(paper: Paper) -> Iterator[tuple[Span, Money]]:
    """Items that order somebody to pay, with the first sum of each; what a second instance sets aside is none."""
    for span in paper.items:
        words = paper.text[slice(*span)]
        sums = paper.money(span)
        if (
            sums
            and _PAYS.search(words)
            and not _DISMISSES.search(words)
            and not re.search(r"(?:维持|撤销)[^，；]*第", words)
        ):
            yield span, sums[0]


def figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "元"


def other(paper: Paper, value: float, draw: random.Random, low: float, high: float) -> str:
    """A sum between `low` and `high` times the value that stands nowhere in the text."""
    while True:
        made = figure(round(value * draw.uniform(low, high), 2 if value % 1 else 0))
        if made not in paper.text and made.removesuffix("元") not in paper.text:
            return made


def over_claim(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """More than was claimed, in the reasons and in the order alike."""
    for _, money in orders_to_pay(paper):
        words = paper.text[slice(*money.span)]
        new = other(paper, money.value, draw, 5, 40)
        places = [(s, e) for s, e in paper.every(re.escape(words), (paper.reasons[0], paper.orders[1]))]
        claims = [paper.claims] if paper.claims[1] and not paper.second else []
        yield plant("over_claim", paper, [(span, new) for span in places], claims)


def order_unlike_reasons(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Less in the order than in the reasons."""
    for _, money in orders_to_pay(paper):
        yield plant(
            "order_unlike_reasons", paper, [(money.span, other(paper, money.value, draw, 0.4, 0.95))], [paper.reasons]
        )


def ten_thousand_slip(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Yuan become ten thousands of yuan, in the order alone."""
    for _, money in orders_to_pay(paper):
        words = paper.text[slice(*money.span)]
        if "万" not in words:
            yield plant("ten_thousand_slip", paper, [(money.span, words.replace("元", "万元"))])


def other_currency(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for _, money in orders_to_pay(paper):
        words = paper.text[slice(*money.span)]
        yield plant(
            "other_currency", paper, [(money.span, words.replace("元", draw.choice(("美元", "欧元", "港元", "日元"))))]
        )


def _two(paper: Paper, item: Span) -> tuple[Edit, Edit] | None:
    """The one who pays and the one who is paid, each with the title before the name, exchanged."""
    found = paper.named(item)
    if len(found) != 2 or found[0][1].claims == found[1][1].claims:
        return None
    spans = []
    for at, person in found:
        before = re.search(
            r"(?:原告|被告人?|被?申请人|附带民事诉讼原告人|上诉人|被上诉人)(?:（[^）]*）)?$", paper.text[item[0] : at]
        )
        spans.append((at - len(before[0]) if before else at, at + len(person.name)))
    first, second = spans
    return (first, paper.text[slice(*second)]), (second, paper.text[slice(*first)])


def sides_swapped(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, _ in orders_to_pay(paper):
        if edits := _two(paper, item):
            yield plant("sides_swapped", paper, edits)


def pays_himself(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, _ in orders_to_pay(paper):
        if edits := _two(paper, item):
            (payer, _), (payee, words) = edits
            yield plant("pays_himself", paper, [(payee, words)], [payer])


def freed_yet_ordered(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons free somebody whom an order makes pay."""
    words = (
        "{0}不是合同当事人，不应承担责任，原告对{0}的请求不予支持。",
        "综合全案，{0}不承担付款责任。",
        "原告要求{0}承担责任没有依据，{0}不应承担责任。",
        "被告{0}对上述款项不承担责任。",
    )
    for item, _ in orders_to_pay(paper):
        people = paper.named(item)
        if people and paper.statutes[0] > paper.reasons[0]:
            said = draw.choice(words).format(people[0][1].name)
            yield plant("freed_yet_ordered", paper, [((paper.statutes[0], paper.statutes[0]), said)], [item])


def stranger_pays(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, _ in orders_to_pay(paper):
        if people := paper.named(item):
            at, person = people[0]
            yield plant("stranger_pays", paper, [((at, at + len(person.name)), draw.choice(OUTSIDERS))])


def name_misspelt(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """One character of the name of the one who pays, or who is paid, is another."""
    for item, _ in orders_to_pay(paper):
        for at, person in paper.named(item):
            place = at + draw.randint(0, min(len(person.name), 6) - 1)
            yield plant("name_misspelt", paper, [((place, place + 1), draw.choice("燊翀霨垚旻甯"))])


def wrong_title(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The one who pays with the title of the other side."""
    for item, _ in orders_to_pay(paper):
        for at, person in paper.named(item)[:1]:
            before = re.search(r"(?:原告|被告|被申请人|申请人)$", paper.text[item[0] : at])
            start = at - len(before[0]) if before else at
            title = "被告" if person.claims else "原告"
            if "申请" in person.title:
                title = "被申请人" if person.claims else "申请人"
            yield plant("wrong_title", paper, [((start, at), title)])


def granted_left_out(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """An order that the reasons grant is missing; what else was claimed is dismissed."""
    paying = list(orders_to_pay(paper))
    if not paper.second and (len(paying) > 1 or len(paper.items) > len(paying)):
        for item, _ in paying:
            yield plant("granted_left_out", paper, [(item, "")], [paper.reasons])


def all_dismissed(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons grant, the order dismisses everything."""
    claimants = [person for person in paper.people if person.claims]
    if not claimants or paper.second or not any(orders_to_pay(paper)):
        return
    for words in ("驳回原告{}的全部诉讼请求。", "驳回{}的诉讼请求。"):
        said = words.format(claimants[0].name) + "\n\n"
        yield plant("all_dismissed", paper, [(paper.orders, said)], [paper.reasons])


def granted_and_all_dismissed(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """An order to pay, and beside it everything that was claimed is dismissed."""
    claimants = [person for person in paper.people if person.claims]
    paying = list(orders_to_pay(paper))
    if claimants and paying and not paper.second and "驳回" not in paper.text[slice(*paper.orders)]:
        end = len(paper.text[: paper.orders[1]].rstrip())
        for mark in ("", f"{'二三四五六七'[len(paper.items) - 1]}、"):
            said = f"\n\n{mark}驳回{claimants[0].name}的全部诉讼请求。"
            yield plant("granted_and_all_dismissed", paper, [((end, end), said)], [paying[0][0]])
    for item in paper.items if paying and not paper.second else ():
        for span in paper.every(r"的?(?:其他|其余)(?=(?:诉讼|仲裁)请求)", item):
            yield plant("granted_and_all_dismissed", paper, [(span, "的全部")], [paying[0][0]])


def denied_yet_ordered(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The reasons come to deny what the order grants."""
    words = (
        "综上，{0}要求{1}支付{2}的请求缺乏依据，不予支持。",
        "故{0}关于{2}的请求不能成立，本院不予支持。",
        "{0}请求{1}支付{2}，证据不足，不予支持。",
    )
    for item, money in orders_to_pay(paper):
        people = [person.name for _, person in paper.named(item)]
        at = paper.statutes[0]
        if len(people) == 2 and at > paper.reasons[0]:
            said = draw.choice(words).format(people[1], people[0], paper.text[slice(*money.span)])
            yield plant("denied_yet_ordered", paper, [((at, at), said)], [item])
    for start, end in paper.every(r"(?:应?予以?支持|应予支持)", paper.reasons):
        near = paper.text[max(paper.reasons[0], start - 60) : start]
        for item, money in orders_to_pay(paper):
            if paper.text[slice(*money.span)] in near and "不" not in paper.text[start - 2 : start]:
                yield plant("denied_yet_ordered", paper, [((start, end), "不予支持")], [item])


def claim_forgotten(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """A claim that the reasons answer is neither granted nor dismissed by any item."""
    dismissing = [span for span in paper.items if re.search(r"驳回[^上]*请求", paper.text[slice(*span)])]
    for item, _ in orders_to_pay(paper):
        if len(paper.items) - len(dismissing) > 1 and paper.claims[1] and not paper.second:
            yield plant("claim_forgotten", paper, [(span, "") for span in (item, *dismissing)], [paper.claims])


def total_wrong(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, _ in orders_to_pay(paper):
        for found in re.finditer(r"(?:合计|共计|总计)(?:人民币)?(?=\d)", paper.text[slice(*item)]):
            total = paper.money((item[0] + found.end(), item[1]))[0]
            for _ in range(8):
                yield plant("total_wrong", paper, [(total.span, other(paper, total.value, draw, 0.5, 1.7))], [item])


def no_deadline(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, _ in orders_to_pay(paper):
        for span in paper.every(
            r"[于自]本(?:判决|裁决书?)(?:生效|发生法律效力)之日起[^，支返赔给共向]{1,8}(?:日内)?，?", item
        )[:1]:
            yield plant("no_deadline", paper, [(span, "")], [item])


def misquoted_claim(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """A sum of the claims that the case does not know."""
    for money in paper.money(paper.claims)[:4] if not paper.second else ():
        yield plant("misquoted_claim", paper, [(money.span, other(paper, money.value, draw, 1.05, 3))])


def costs_do_not_add(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for span in paper.costs:
        line = paper.text[slice(*span)]
        for found in re.finditer(r"负担(?P<sum>[\d,.]+)元", line):
            value = float(found["sum"].replace(",", ""))
            at = (span[0] + found.start("sum"), span[0] + found.end("sum"))
            for _ in range(2):
                yield plant(
                    "costs_do_not_add", paper, [(at, other(paper, value + 7, draw, 1.1, 3).removesuffix("元"))], [span]
                )


def costs_on_winner(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """The one who lost nothing bears the costs whole."""
    for span in paper.costs:
        people = paper.named(span)
        words = paper.text[slice(*span)]
        alone = len({person.name for _, person in people}) == 1 and words.count("负担") == 1 and len(paper.people) == 2
        if alone and "其他" not in paper.text[slice(*paper.orders)]:
            at, loser = people[-1]
            winner = next(person for person in paper.people if person != loser)
            before = re.search(r"(?:原告|被告|申请人|被申请人)$", paper.text[span[0] : at])
            start = at - len(before[0]) if before else at
            for said in (winner.name, winner.title + winner.name):
                yield plant("costs_on_winner", paper, [((start, at + len(loser.name)), said)])


def _interest(paper: Paper) -> Iterator[tuple[Span, str]]:
    for item in paper.items:
        words = paper.text[slice(*item)]
        if "为基数" in words and "撤销" not in words:
            yield item, words


def interest_base(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, words in _interest(paper):
        for found in re.finditer(r"以(?P<sum>[\d,.]+)元为基数", words):
            at = (item[0] + found.start("sum"), item[0] + found.end("sum"))
            value = float(found["sum"].replace(",", ""))
            for _ in range(5):
                yield plant("interest_base", paper, [(at, other(paper, value, draw, 0.3, 0.9).removesuffix("元"))])


def interest_rate(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, words in _interest(paper):
        for found in re.finditer(r"年利率(?P<rate>[\d.]+)%", words):
            at = (item[0] + found.start("rate"), item[0] + found.end("rate"))
            for _ in range(5):
                yield plant("interest_rate", paper, [(at, f"{draw.uniform(16, 36):.1f}")])


def interest_start(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for item, words in _interest(paper):
        for found in re.finditer(r"自(?P<day>\d{4}年\d{1,2}月\d{1,2}日)起", words):
            at = (item[0] + found.start("day"), item[0] + found.end("day"))
            for _ in range(5):
                day = f"{draw.randint(2016, 2019)}年{draw.randint(1, 12)}月{draw.randint(1, 28)}日"
                yield plant("interest_start", paper, [(at, day)])
