"""The ranges of shipped offences against the wording of their articles, where the texts of the laws are at hand."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from norm_sets import shipped
from places import ROOT

from legalworld.norms.definition import OffenceNorm
from legalworld.norms.penal_parts import RangeTier

LAWS = next((one for up in ROOT.parents[:2] if (one := up / "shared" / "data" / "laws" / "刑法").is_dir()), Path("/"))
NUMERALS = {char: place for place, char in enumerate("零一二三四五六七八九")} | {"十": 10}
# Offences whose text is that of an amendment, and where it stands there; those of a text of 1997 that is not at hand.
AMENDED = {"casino_until_2021": ("刑法修正案（六）.md", "开设赌场的，处三年以下")}
UNHELD = {"unit_embezzlement_until_2021", "forged_papers_until_2015", "embezzlement_until_2015"}
OFFENCES = [one for one in shipped("cn").offences.values() if one.id not in UNHELD]
WITHOUT = "the texts of the laws are not beside the project: ../shared/data"
pytestmark = pytest.mark.skipif(Path("/") == LAWS, reason=WITHOUT)


def years(text: str) -> int:
    if "十" in text:
        return 10 + (NUMERALS[text[-1]] if text[-1] != "十" else 0)
    return NUMERALS[text]


@cache
def articles() -> dict[str, str]:
    """Article -> its text, of the law as it is held."""
    found = re.split(r"(?m)^(第\S+?条(?:之\S)?)\s", (LAWS / "刑法.md").read_text(encoding="utf-8"))
    return dict(zip(found[1::2], found[2::2], strict=False))


def wording(offence: OffenceNorm) -> str:
    if offence.id in AMENDED:
        file, start = AMENDED[offence.id]
        text = (LAWS / file).read_text(encoding="utf-8")
        return text[text.index(start) :].partition("\n")[0]
    named = re.findall(r"第[零一二三四五六七八九十百]+条(?:之[一二三四])?", offence.source)
    assert named, offence.id
    return "".join(articles()[one] for one in named)


def ranges(text: str) -> set[tuple[int, int | None]]:
    """Months from and to, of every imprisonment that a text speaks of; None: as long as there is."""
    number = "([一二三四五六七八九十]+)年"
    both = re.findall(f"{number}以上{number}以下有期徒刑", text)
    found: set[tuple[int, int | None]] = {(years(low) * 12, years(high) * 12) for low, high in both}
    found |= {(0, years(one) * 12) for one in re.findall(f"(?<!以上){number}以下有期徒刑", text)}
    found |= {(years(one) * 12, None) for one in re.findall(f"{number}以上有期徒刑", text)}
    found |= {(years(one) * 12, None) for one in re.findall(f"处{number}有期徒刑", text)}
    return found


def fits(tier: RangeTier, told: set[tuple[int, int | None]]) -> bool:
    most = None if tier.most is None or tier.most >= 180 else tier.most
    return (tier.least, most) in told


@pytest.mark.parametrize("offence", OFFENCES, ids=lambda one: one.id)
def test_every_tier_is_a_range_of_its_article(offence: OffenceNorm) -> None:
    text = wording(offence)
    told = ranges(text)
    short = [tier for tier in offence.tiers if "有期徒刑" not in tier.main]
    assert [tier.id for tier in offence.tiers if tier not in short and not fits(tier, told)] == [], told
    for tier in offence.tiers:
        assert all(kind in text for kind in tier.main), tier.id
        assert tier.most is not None or "无期徒刑" in text
        assert not tier.extra.startswith("fine") or "罚金" in text
        assert "alone" not in tier.extra or "单处罚金" in text
        assert "forfeiture" not in tier.extra or "没收财产" in text
    assert "罚金" not in text or any(tier.extra != "none" for tier in offence.tiers) or offence.id in ALONE


ALONE = {"police_assault"}  # the fine of its article is that of another paragraph


def test_the_wording_is_read() -> None:
    """That the comparison can fail: a tier moved by a year is none of its article any more."""
    theft = shipped("cn").offences["theft"]
    told = ranges(wording(theft))
    assert told == {(0, 36), (36, 120), (120, None)}
    assert not any(
        fits(RangeTier("x", theft.tiers[0].when, (), least, most, "none"), told) for least, most in ((0, 48), (48, 120))
    )
