"""What is no conviction though an offence and a term are named; and months that share a year."""

from __future__ import annotations

import itertools

import pytest

from legalworld.law.text.numerals import fold
from legalworld.law.text.times import Date, Period, times
from legalworld.law.text.verdicts import verdict

OFFENCES = ("盗窃罪", "走私、贩卖、运输、制造毒品罪", "帮助信息网络犯罪活动罪")
NAMES = ("张某", "林启川", "欧阳某某")
WITHOUT = (
    "{name}因涉嫌犯{offence}，于2015年7月14日被羁押。",
    "公诉机关指控被告人{name}犯{offence}，事实清楚，证据确实、充分，指控罪名成立。",
    "检察院以{name}犯{offence}起诉，指控被告人{name}犯{offence}，提请依法判处。",
    "原判认定上诉人{name}犯{offence}的事实清楚，定性正确，量刑适当。",
    "一审判决认定上诉人{name}犯{offence}的犯罪事实，证据来源合法。",
    "2019年3月4日因犯{offence}被江澜市青塘区人民法院判处有期徒刑十个月，2019年9月19日刑满释放。",
    "曾因犯{offence}于2010年经江澜市中级人民法院判处有期徒刑五年，并处罚金人民币2000元，2013年刑满释放。",
    "其有减轻处罚情节，可以对被告人判处有期徒刑6个月，望法院采纳。",
    "辩护人认为可以依法判处被告人{name}有期徒刑6个月。",
    "对公诉机关指控被告人{name}犯{offence}的意见，本院予以采纳。",
)


@pytest.mark.parametrize("form", WITHOUT)
def test_nobody_is_convicted(form: str) -> None:
    for name, offence in itertools.product(NAMES, OFFENCES):
        assert verdict(form.format(name=name, offence=offence)).defendants == (), (name, offence)


@pytest.mark.parametrize("before", ["", *WITHOUT])
def test_who_is_convicted_beside_it_is(before: str) -> None:
    """What comes before in a sentence of its own changes nothing."""
    for name, offence in itertools.product(NAMES, OFFENCES):
        told = before.format(name="方闻", offence="诈骗罪")
        text = f"{told}被告人{name}犯{offence}，判处有期徒刑九个月，并处罚金人民币2000元。"
        [person] = verdict(text).defendants
        assert (person.who, person.final.months, person.final.fine) == (name, 9, 2000), text


NUMBERS = {3: ("3", "三"), 4: ("4", "四"), 11: ("11", "十一")}


@pytest.mark.parametrize("joint", ["、", "和", "及"])
@pytest.mark.parametrize("end", ["月", "月份"])
@pytest.mark.parametrize("style", [0, 1])
def test_months_share_a_year(joint: str, end: str, style: int) -> None:
    for first, second in itertools.combinations(NUMBERS, 2):
        text = f"2015年{NUMBERS[first][style]}{joint}{NUMBERS[second][style]}{end}支付了2014年的承包费"
        found = [one.iso for one in times(fold(text)) if isinstance(one, Date)]
        assert found == [f"2015-{first:02}", f"2015-{second:02}", "2014"]


@pytest.mark.parametrize("joint", ["至", "-", "到"])
def test_months_of_a_period_share_a_year(joint: str) -> None:
    [period] = times(fold(f"拖欠2022年3{joint}11月的工资"))
    assert isinstance(period, Period) and period.since is not None and period.until is not None
    assert (period.since.iso, period.until.iso) == ("2022-03", "2022-11")


@pytest.mark.parametrize("text", ["2015年3月4日", "2015年3月至5月4日", "2015年", "15年3、4月", "2015年3、4月5日"])
def test_other_dates_are_read_as_before(text: str) -> None:
    for one in times(fold(text)):
        assert not isinstance(one, Date) or one.iso in ("2015-03-04", "2015", "--04-05", "2015-04-05"), one
