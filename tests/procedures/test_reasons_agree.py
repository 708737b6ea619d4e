"""What the reasons of a judgment say of an exhibit agrees with the ruling on it, in the same judgment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from judged_neighbours import Neighbour, judged

RULED = re.compile(r"提交的(\w+?)：[^\n]*?予以(部分采信|采信)。", re.MULTILINE)
BASES = (("quexi", "quexi-huokuan"), ("civil", "jiedai"), ("civil", "wuye"))


@pytest.mark.parametrize(("spec", "base"), BASES)
@pytest.mark.parametrize("seed", [2, 101])
def test_no_exhibit_that_was_taken_is_called_refused(spec: str, base: str, seed: int, tmp_path: Path) -> None:
    until = "appeal" if spec == "civil" else ""
    outcome = judged(Neighbour(spec, base, until, ("exhibit in part",), seed), tmp_path)
    text = outcome.texts["first_judgment"]
    rulings = dict(RULED.findall(text))
    reasons = text.partition("本院认为，")[2]
    assert rulings and reasons
    for exhibit, ruling in rulings.items():
        assert f"{exhibit}没有采信" not in reasons
        assert ruling == "部分采信" or f"{exhibit}只部分采信" not in reasons


@pytest.mark.parametrize(("spec", "base"), BASES)
def test_a_claim_left_open_is_not_said_to_be_decided(spec: str, base: str, tmp_path: Path) -> None:
    until = "appeal" if spec == "civil" else ""
    outcome = judged(Neighbour(spec, base, until, ("claim more",), 106), tmp_path)
    for one in outcome.texts["first_judgment"].split("关于争议焦点"):
        assert not ("不作处理" in one and "以上只按" in one)
        assert ", " not in one
