"""The reckoning that a judgment prints, reckoned again from its words: it comes to the sum that the judgment gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from judged_neighbours import Neighbour, drawn, judged
from playing import play

from legalworld.model import events as e

PRINTED = re.compile(r"数额的计算：(.*?)；(?:以[^；]*?计算；)*应付([\d.]+)元")
NUMBER = re.compile(r"[\d.]+(?=元?(?:为限)?$)")
CENT = Decimal("0.01")


def reckonings(text: str) -> Iterator[tuple[str, Decimal, Decimal]]:
    """Each reckoning as it is printed, what it comes to line by line, and the sum that is said to come of it."""
    for printed, total in PRINTED.findall(text):
        value = Decimal(0)
        for line in re.split("[，；]", printed):
            found = NUMBER.search(line)
            assert found is not None, line
            number = Decimal(found[0])
            if line.startswith("乘以"):
                value *= number
            elif line.startswith("除以"):
                value /= number
            elif line.startswith("减"):
                value -= number
            elif line.endswith("为限"):
                value = min(value, number)
            else:
                value += number
        yield printed, max(value, Decimal(0)).quantize(CENT, ROUND_HALF_UP), Decimal(total)


def adds_up(text: str) -> int:
    found = list(reckonings(text))
    for printed, value, total in found:
        assert abs(value - total) <= CENT, (printed, value, total)
    return len(found)


@pytest.mark.parametrize(
    ("spec", "case"), [("civil", "laodong"), ("labour-arbitration", "fenjian"), ("civil", "jiedai")]
)
def test_what_shipped_judgments_reckon_comes_to_what_they_give(spec: str, case: str) -> None:
    game = play(case, "", spec=spec)
    assert sum(adds_up(one.text) for one in game.of(e.Drafted)) > 0


@pytest.mark.parametrize("seed", range(8100, 8120))
def test_so_do_those_of_neighbours(seed: int, tmp_path: Path) -> None:
    neighbour: Neighbour = drawn(seed)
    for text in judged(neighbour, tmp_path).texts.values():
        adds_up(text)
