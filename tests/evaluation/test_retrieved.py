"""What searches brought is read as it was told, in its order, and not by the names of laws."""

from __future__ import annotations

import json

import pytest
from playing import project

from legalworld.evaluation.rules.happenings import retrieved
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.stored_run import WHOLE, Stored
from legalworld.model import events as e
from legalworld.model.case import Case

CODE, CRIMINAL = "中华人民共和国民法典", "中华人民共和国刑法"
FOUND = ((CRIMINAL, "133-1"), (CODE, "979"), (CODE, "509"), (CRIMINAL, "264"), (CODE, "981"))


def share(k: int, *wanted: str, results: tuple[str, ...] | None = None) -> float:
    rows = [{"law": law, "article": article, "text": "……"} for law, article in FOUND]
    told = results or (json.dumps({"found": rows[:2]}), json.dumps({"found": rows[1:]}, ensure_ascii=False))
    events: list[e.Event] = [
        e.Called(request=str(n), place="x", person="p", tool="search", arguments="", refused="", result=one)
        for n, one in enumerate(told)
    ]
    procedure = project("asp2lj").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "plaintiff_lawyer", tuple(events))
    found = retrieved(RuleInput(run, WHOLE, (), wanted, {"k": (str(k),)}))
    assert isinstance(found, RuleResult)
    return found.value


WANTED = (f"《{CODE}》第九百七十九条", f"《{CODE}》第九百八十一条、《{CRIMINAL}》第一百三十三条之一")


@pytest.mark.parametrize(("k", "value"), [(1, 1 / 3), (2, 2 / 3), (4, 2 / 3), (5, 1.0), (100, 1.0)])
def test_hits_count_in_the_order_in_which_they_were_brought(k: int, value: float) -> None:
    assert share(k, *WANTED) == pytest.approx(value)


@pytest.mark.parametrize("result", ['{"found": []}', '{"found": 3}', '{"found": [1, {"law": 2}]}', "没有找到", "[]"])
def test_what_lists_no_article_brings_none(result: str) -> None:
    assert share(100, *WANTED, results=(result,)) == 0.0


def test_words_that_cite_bring_what_they_cite() -> None:
    assert share(100, *WANTED, results=("，".join(WANTED),)) == 1.0
