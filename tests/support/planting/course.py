"""Contradictions in the course of the case: days, presence, evidence, the instance, the judgment below."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from planting.paper import Paper, Plant, Span, plant

_DAY = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_FIRST = re.compile(r"^.*如?果?不服本判决.*上诉.*$", re.M)
_FINAL = re.compile(r"^.*本[判裁][决定]为终审[判裁][决定]。.*$", re.M)
_NUMBER = re.compile(r"（\d{4}）[^号（）\s]{3,16}?(\d+)号")
_ITEM = re.compile(r"第([一二三四五六])项")
NUMERALS = "一二三四五六七八九十"


def _days(paper: Paper, pattern: str) -> list[tuple[Span, tuple[int, ...]]]:
    found = []
    for match in re.finditer(pattern, paper.text):
        day = _DAY.search(match[0])
        if day:
            at = (match.start() + day.start(), match.start() + day.end())
            found.append((at, tuple(map(int, day.groups()))))
    return found


_SAID = (
    "当庭辩称，货款数额不对，不同意支付。",
    "在庭审中辩称，款项已经付清。",
    "到庭答辩称，同意支付一半。",
    "当庭质证称，对对账单的真实性不予认可。",
    "当庭陈述，款项在2024年已经付清。",
    "当庭表示同意调解。",
    "在庭审中提出，原告交付的货物质量不合格。",
)
_HEARD = r"于?\d{4}年\d{1,2}月\d{1,2}日[^，。]{0,4}?(?:公开)?(?:开庭|进行了?开庭)"
_FILED = r"于?\d{4}年\d{1,2}月\d{1,2}日[^，。]{0,6}?(?:立案|受理)"


def heard_after_judged(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    dates = paper.every(
        r"二〇[〇一二三四五六七八九]{2}年[一二三四五六七八九十]+月[一二三四五六七八九十]+日",
        (paper.orders[1], len(paper.text)),
    )
    for at, (year, month, day) in _days(paper, _HEARD)[:1]:
        for later in (1, 2) if dates else ():
            yield plant("heard_after_judged", paper, [(at, f"{year + later}年{month}月{day}日")], dates)


def filed_after_heard(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    heard = _days(paper, _HEARD)[:1]
    for at, (year, month, day) in _days(paper, _FILED)[:1]:
        for later in (1, 2) if heard else ():
            yield plant("filed_after_heard", paper, [(at, f"{year + later}年{month}月{day}日")], [heard[0][0]])


def final_at_first(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    if not paper.second and "小额诉讼" not in paper.text and (found := _FIRST.search(paper.text)):
        yield plant(
            "final_at_first",
            paper,
            [(found.span(), draw.choice(("本判决为终审判决。", "本判决系终审判决，不得上诉。")))],
        )


def appeal_from_final(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    if paper.second and (found := _FINAL.search(paper.text)):
        for court in ("云泽省高级人民法院", "上一级人民法院", "江澜市高级人民法院"):
            words = f"如不服本判决，可以在判决书送达之日起十五日内，向本院递交上诉状，上诉于{court}。"
            yield plant("appeal_from_final", paper, [(found.span(), words)])


def absent_yet_there(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Somebody came to the hearing, and was absent without reason."""
    for span in paper.every(r"(?:均?到庭参加(?:了)?诉讼|均到庭)", (0, max(paper.reasons[0], 1)))[:1]:
        clause = paper.text[paper.text.rfind("。", 0, span[0]) + 1 : span[1]]
        together = re.search(r"双方|当事人均|各方|及其?委托(?:诉讼)?代理人[^，；]{0,6}均", clause)
        for person in [one for one in paper.people[:4] if together or re.search(f"{one.name}(?!的)", clause)]:
            words = draw.choice(
                (
                    "{}经本院传票传唤，无正当理由拒不到庭。",
                    "{}经传票传唤未到庭参加诉讼。",
                    "{}经合法传唤，无正当理由未到庭。",
                )
            )
            words = words.format(person.title + person.name)
            stop = paper.text.find("。", span[1]) + 1
            yield plant("absent_yet_there", paper, [((stop, stop), words)], [span])


def absent_speaks(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Somebody did not come, and argues at the hearing all the same."""
    for span in paper.every(r"无正当理由[拒未]不?到庭", (0, max(paper.reasons[0], 1)))[:1]:
        line = (paper.text.rfind("\n", 0, span[0]) + 1, span[0])
        absent = [person for _, person in paper.named(line)][-1:]
        for said in _SAID:
            for person in absent:
                words = f"\n\n被告{person.name}{said}"
                stop = paper.text.find("\n", span[1])
                yield plant("absent_speaks", paper, [((stop, stop), words)], [span])


def rejected_yet_found(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """An exhibit on which a finding rests is not accepted."""
    for found in re.finditer(
        r"[^\n]*?(?P<name>[原被申诉]证\d+)[^\n]*?(?P<fate>予以采信)[。；]", paper.text[: paper.reasons[0]]
    ):
        rests = paper.every(re.escape(found["name"]) + r"(?!\d)[^。；]*(?:载明|证明)", (found.end(), paper.orders[0]))
        if "不予" not in found[0][-8:] and rests:
            yield plant("rejected_yet_found", paper, [(found.span("fate"), "不予采信")], rests)


def below_item_not_there(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    if paper.second:
        for found in _ITEM.finditer(paper.text, *paper.orders):
            for beyond in (5, 6, 7, 8, 9):
                yield plant("below_item_not_there", paper, [(found.span(1), NUMERALS[beyond])])


def below_item_forgotten(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """An item of the judgment below is neither upheld nor changed."""
    touching = [span for span in paper.items if paper.second and _ITEM.search(paper.text[slice(*span)])]
    for span in touching if len(touching) > 1 else ():
        yield plant("below_item_forgotten", paper, [(span, "")])


def below_number_wrong(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    if paper.second:
        head = paper.text[: paper.orders[0]]
        for found in _NUMBER.finditer(paper.text, *paper.orders):
            for _ in range(3):
                number = str(int(found[1]) + draw.randint(1, 800))
                if found[0] in head and f"{number}号" not in head:
                    yield plant(
                        "below_number_wrong",
                        paper,
                        [(found.span(1), number)],
                        paper.every(re.escape(found[0]), (0, paper.orders[0])),
                    )
