"""Whose punishment it is that a court decides to execute, however that is said."""

from __future__ import annotations

import random

import pytest

from legalworld.law.text.verdicts import verdict

NAMES = ["马某", "欧阳若虹", "张三", "李某甲", "买买提·吐尔逊"]
ROLES = ["被告人", "上诉人", "原审被告人", "上诉人（原审被告人）", "罪犯"]
DECIDED = [
    "对{role}{who}决定执行{term}",
    "决定对{role}{who}执行{term}",
    "对{role}{who}数罪并罚，决定执行{term}",
    "对{role}{who}合并执行{term}",
    "数罪并罚，对{role}{who}决定执行{term}",
    "决定对{role}{who}合并执行{term}",
    "对{role}{who}实行数罪并罚，决定执行{term}",
    "{role}{who}数罪并罚，决定执行{term}",
]
TERMS = {"有期徒刑五年": 60, "有期徒刑二年六个月": 30, "拘役四个月": 4, "有期徒刑十年": 120}


def months_of(text: str) -> dict[str | None, int | None]:
    return {one.who: one.final.months for one in verdict(text).defendants}


@pytest.mark.parametrize("wording", DECIDED)
@pytest.mark.parametrize("seed", range(8))
def test_the_term_is_of_the_one_it_is_decided_for(wording: str, seed: int) -> None:
    """Of two who were convicted, in whatever order the decisions follow; each has his own."""
    draw = random.Random(f"{wording}{seed}")
    first, second = draw.sample(NAMES, 2)
    terms = draw.sample(sorted(TERMS), 2)
    role = draw.choice(ROLES)
    crimes = "犯盗窃罪，判处有期徒刑一年，犯诈骗罪，判处有期徒刑二年；"
    convicted = [f"{role}{who}{crimes}" for who in draw.sample([first, second], 2)]
    decided = [
        wording.format(role=role, who=who, term=term) + draw.choice(["。", "；", "，并处罚金人民币一万元。"])
        for who, term in zip((first, second), terms, strict=True)
    ]
    assert months_of("".join([*convicted, *decided])) == {first: TERMS[terms[0]], second: TERMS[terms[1]]}


@pytest.mark.parametrize("wording", DECIDED)
@pytest.mark.parametrize("who", NAMES)
def test_a_decision_alone_names_its_person(wording: str, who: str) -> None:
    assert months_of(wording.format(role="被告人", who=who, term="有期徒刑五年")) == {who: 60}


@pytest.mark.parametrize("wording", DECIDED[:5])
def test_one_who_was_named_needs_no_role(wording: str) -> None:
    said = "被告人马某犯盗窃罪，判处有期徒刑一年；被告人张三犯诈骗罪，判处有期徒刑二年。"
    assert months_of(said + wording.format(role="", who="马某", term="有期徒刑五年")) == {"马某": 60, "张三": 24}


@pytest.mark.parametrize("joint", ["、", "和", "、被告人", "及"])
def test_several_have_a_term_each(joint: str) -> None:
    text = f"数罪并罚，决定对被告人马某{joint}张三分别执行有期徒刑五年、三年。"
    assert months_of(text) == {"马某": 60, "张三": 36}


@pytest.mark.parametrize("what", ["上述刑罚", "所判罚金", "其", "该犯", "上列刑期"])
def test_what_is_no_person_is_nobody_new(what: str) -> None:
    said = "被告人马某犯盗窃罪，判处有期徒刑一年，犯诈骗罪，判处有期徒刑二年；"
    assert months_of(f"{said}对{what}决定执行有期徒刑二年六个月。") == {"马某": 30}
