"""Contradictions in who is liable with whom: somebody is left out of an order, a joint debt is cut into parts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from planting.civil import figure, orders_to_pay
from planting.paper import Edit, Paper, Person, Plant, Span, plant

_BETWEEN = re.compile(r"\s*[、和与及]\s*(?:被告|被申请人|原告|申请人|上诉人|被上诉人|被告人)?[一二三]?")
_TOGETHER = re.compile(r"(?:共同|连带)")
_LIABLE = re.compile(r"(?:共同|连带)[^，。；]{0,12}(?:承担|支付|返还|偿还|清偿|退赔|赔偿|责任)")
_MARKS = list("一二三四五六七八九十")
_MARK = re.compile(r"(?:(?<=^)|(?<=[\n（*]))(?:[一二三四五六七八九十]|[0-9]{1,2})(?=[、.．）])")
_CLAIMING = ("原告", "申请人")


def _lists(paper: Paper, item: Span) -> Iterator[list[tuple[int, Person]]]:
    """Each list of people in an item, two or more with nothing but a comma between them."""
    listed: list[tuple[int, Person]] = []
    for at, person in paper.named(item):
        if listed and not _BETWEEN.fullmatch(paper.text[listed[-1][0] + len(listed[-1][1].name) : at]):
            if len(listed) > 1:
                yield listed
            listed = []
        listed.append((at, person))
    if len(listed) > 1:
        yield listed


def _told_together(paper: Paper, people: list[Person]) -> list[Span]:
    """The sentences of the reasons in which somebody of a list is named."""
    return [
        span
        for span in paper.every(r"[^。；\n]+", paper.reasons)
        if any(person.name in paper.text[slice(*span)] for person in people)
    ]


def _without(paper: Paper, listed: list[tuple[int, Person]], left: int) -> Edit:
    """The edit that takes one of a list out of it."""
    at, person = listed[left]
    if left:
        before = listed[left - 1]
        return (before[0] + len(before[1].name), at + len(person.name)), ""
    return (at, listed[1][0]), ""


def _left_out(kind: str, paper: Paper, *, claiming: bool) -> Iterator[Plant]:
    """One of those who are to pay, or to be paid, is not named by any order; each in his turn."""
    if paper.second:
        return
    lists = [listed for item, _ in orders_to_pay(paper) for listed in _lists(paper, item)]
    lists = [one for one in lists if all((person.title in _CLAIMING) is claiming for _, person in one)]
    for left in {person for listed in lists for _, person in listed}:
        orders = paper.text[slice(*paper.orders)]
        those = [listed for listed in lists if any(person == left for _, person in listed)]
        if orders.count(left.name) != len(those) or not _told_together(paper, [left]):
            continue
        edits = [_without(paper, one, next(n for n, (_, person) in enumerate(one) if person == left)) for one in those]
        people = [person for _, person in those[0]]
        yield plant(kind, paper, edits, _told_together(paper, people))


def payer_left_out(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    yield from _left_out("payer_left_out", paper, claiming=False)


def payee_left_out(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    yield from _left_out("payee_left_out", paper, claiming=True)


def _renumbered(paper: Paper, item: Span, parts: list[str]) -> list[Edit]:
    """The edits that put several items in the place of one: those after it get the numbers that follow."""
    items, at = list(paper.items), paper.items.index(item)
    first = _MARK.search(parts[0])
    marks = _MARKS if first is not None and first[0] in _MARKS else [str(n) for n in range(1, 12)]
    if first is None or first[0] not in marks:
        return [(item, "".join(parts))]
    edits: list[Edit] = [(item, "".join(_MARK.sub(marks[at + n], part, count=1) for n, part in enumerate(parts)))]
    for n, after in enumerate(items[at + 1 :], at + len(parts)):
        mark = _MARK.search(paper.text[slice(*after)])
        if mark is not None:
            edits.append(((after[0] + mark.start(), after[0] + mark.end()), marks[n]))
    return edits


def joint_made_several(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    """Each pays a part for himself, where the reasons make all of them liable for the whole."""
    for item, money in orders_to_pay(paper) if not paper.second else ():
        words = paper.text[slice(*item)]
        for listed in _lists(paper, item):
            people = [person for _, person in listed]
            together = _TOGETHER.search(words)
            told = _told_together(paper, people)
            claiming = any(person.title in _CLAIMING for person in people)
            if together is None or claiming or not any(_LIABLE.search(paper.text[slice(*one)]) for one in told):
                continue
            value = figure(round(money.value / len(people), 2))
            low, high = listed[0][0], listed[-1][0] + len(listed[-1][1].name)
            parts = [
                paper.text[item[0] : low]
                + person.name
                + _TOGETHER.sub("", paper.text[high : money.span[0]])
                + value
                + paper.text[money.span[1] : item[1]]
                for person in people
            ]
            yield plant("joint_made_several", paper, _renumbered(paper, item, parts), told)
