"""A second judgment of a court that decided nothing is a walk-through: neither its text nor what is read out of it
claims to be final, or that the judgment below is right. One that decided says that it is final."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playing import Game, changed_case, play

from legalworld.model import events as e

Change = Callable[[Any], None]
FINAL, RIGHT = "终审", ("定罪准确", "认定事实清楚", "认定的正确", "维持原判")


def nothing(case: Any) -> None:
    del case


def words_of_nothing(case: Any) -> None:
    """Exhibits that state nothing, nothing admitted and nothing pleaded."""
    match case:
        case dict():
            for key in ("says", "admits", "pleads", "content"):
                case.pop(key, None)
            for one in case.values():
                words_of_nothing(one)
        case list():
            for one in case:
                words_of_nothing(one)


def unheard_of(case: Any) -> None:
    for one in case["first"]["indictment"]["charges"]:
        one["charge"] = "虚构的罪"


LAST = [
    ("civil", "jiedai", "final_judgment", words_of_nothing),
    ("xiaoe", "xiaoe-zujin", "first_judgment", words_of_nothing),
    ("administrative-appeal", "chachao", "second_judgment", words_of_nothing),
    ("administrative-appeal", "xiaofang", "second_judgment", words_of_nothing),
    ("criminal-appeal", "kuaijian", "appeal_ruling", unheard_of),
    ("criminal-appeal", "tingche", "remand_ruling", unheard_of),
]


def last(game: Game) -> str:
    return game.of(e.Drafted)[-1].text


def played(tmp_path: Path, spec: str, name: str, change: Change) -> Game:
    return play(changed_case(tmp_path, name, change), "", spec=spec)


@pytest.mark.parametrize(("spec", "name", "document", "change"), LAST)
def test_a_declined_judgment_claims_neither_finality_nor_that_all_was_right(
    tmp_path: Path, spec: str, name: str, document: str, change: Change
) -> None:
    game = played(tmp_path, spec, name, change)
    assert game.of(e.Drafted)[-1].document == document
    read_out = game.of(e.Spoke)[-1].text
    assert "演练" in last(game)
    assert "赔偿附带民事诉讼原告人" not in last(game) and "判令被告人赔偿" not in last(game)
    for text in (last(game), read_out):
        assert f"本判决为{FINAL}" not in text and f"本裁定为{FINAL}" not in text, text[-400:]
        assert not [one for one in RIGHT if one in text], text[-400:]


@pytest.mark.parametrize(
    ("spec", "name"), [("civil", "jiedai"), ("xiaoe", "xiaoe-zujin"), ("criminal-appeal", "tingche")]
)
def test_one_that_decided_says_that_it_is_final(tmp_path: Path, spec: str, name: str) -> None:
    assert FINAL in last(played(tmp_path, spec, name, nothing))
