"""Judgments that are none any more: cut off, shuffled, two in one, without marks, empty. An audit reads what it can."""

from __future__ import annotations

import random
from collections.abc import Callable

from planting.paper import Paper

NOTHING = (
    "",
    " ",
    "\n\n",
    "本院认为",
    "判决如下：",
    "£",
    "无。",
    "一、",
    "Order\n",
    "IT IS ORDERED",
    "驳回",
    "被告人犯罪，判处",
)


def cut_off(text: str, draw: random.Random) -> str:
    return text[: draw.randrange(len(text))]


def begun_late(text: str, draw: random.Random) -> str:
    return text[draw.randrange(len(text)) :]


def lines_lost(text: str, draw: random.Random) -> str:
    return "\n".join(line for line in text.split("\n") if draw.random() > 0.3)


def lines_doubled(text: str, draw: random.Random) -> str:
    return "\n".join(f"{line}\n{line}" if draw.random() < 0.2 else line for line in text.split("\n"))


def shuffled(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    draw.shuffle(lines)
    return "\n".join(lines)


def signs_lost(text: str, draw: random.Random) -> str:
    return "".join(sign for sign in text if draw.random() > 0.05)


def other_marks(text: str, draw: random.Random) -> str:
    old, new = draw.choice(
        (("、", "."), ("，", ","), ("\n", ""), ("\n", "\r\n"), ("一、", ""), ("£", ""), ("元", ""), ("。", ""))
    )
    return text.replace(old, new)


def nothing(text: str, draw: random.Random) -> str:
    return draw.choice(NOTHING)


WAYS: tuple[Callable[[str, random.Random], str], ...] = (
    cut_off,
    begun_late,
    lines_lost,
    lines_doubled,
    shuffled,
    signs_lost,
    other_marks,
    nothing,
)


def mixed(one: Paper, another: Paper) -> str:
    """The beginning of one judgment and the end of another."""
    return one.text[: len(one.text) // 2] + another.text[len(another.text) // 2 :]
