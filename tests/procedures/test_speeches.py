"""What is said at a criminal trial and the hearing of a small claim, and what a court signs there: nothing said twice
in the same words, no doubled blank line, every criminal document against the checklist of its kind, every operative
part read by our own parsers: who, what, by when. Of the other hearings: `test_documents`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from playing import Game, play
from ruamel.yaml import YAML
from test_documents import LISTS, faults_of_papers
from test_smallclaims import saying
from worded import odd_blanks, raw_answers, raw_fields, said_twice

from legalworld.law.text.amounts import amounts
from legalworld.law.text.money import Money
from legalworld.law.text.times import Duration
from legalworld.law.text.verdicts import verdict
from legalworld.model.events import Drafted, Spoke

CRIMINAL = ("kuaijian", "bianlidian", "dianlan", "jiuyi", "tingche")
APPEALED = ("kuaijian", "dianlan", "jiuyi", "tingche")
UNSEEN = Path(__file__).parent / "unseen"
UNSEEN_TRIALS = ("criminal/jiaotong", "criminal/zhengdang", "criminal-appeal/zulin")
HEARINGS = (  # spec, case, target
    *(("criminal", case, "judge") for case in CRIMINAL),
    *(("criminal-appeal", case, "judge") for case in APPEALED),
    *((case.partition("/")[0], str(UNSEEN / f"{case}.yaml"), "judge") for case in UNSEEN_TRIALS),
    *(("smallclaims", case, "") for case in ("smallclaims-worktop", "smallclaims-garden")),
)
ACCUSED = re.compile(r"^(?:上诉人（原审被告人）|原审被告人|被告人)(\w+?)，[男女]，", re.MULTILINE)


@cache
def played(spec: str, case: str, target: str) -> Game:
    return play(case, target, spec=spec)


every_hearing = pytest.mark.parametrize(
    ("spec", "case", "target"), HEARINGS, ids=["-".join((one[0], Path(one[1]).stem, one[2])) for one in HEARINGS]
)


@every_hearing
def test_nobody_says_the_same_twice_in_one_hearing(spec: str, case: str, target: str) -> None:
    assert list(said_twice(played(spec, case, target))) == []


@every_hearing
def test_no_document_has_a_doubled_blank_line_or_an_odd_blank(spec: str, case: str, target: str) -> None:
    assert list(odd_blanks(played(spec, case, target))) == []


@every_hearing
def test_no_name_of_a_field_or_an_answer_stands_where_words_belong(spec: str, case: str, target: str) -> None:
    game = played(spec, case, target)
    assert raw_fields(spec, game) | raw_answers(spec, game) == set()


# ---- criminal documents ----------------------------------------------------------------------------------------------


@cache
def checklist() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = YAML(typ="base").load(LISTS / "criminal.yaml")
    for points in found.values():
        points.update(found.get(points.pop("like", ""), {}) | points)
    return found


CRIMINAL_WAYS = [one for one in HEARINGS if one[0].startswith("criminal")]
every_trial = pytest.mark.parametrize(
    ("spec", "case", "target"), CRIMINAL_WAYS, ids=["-".join((w[0], Path(w[1]).stem, w[2])) for w in CRIMINAL_WAYS]
)


@every_trial
def test_a_criminal_document_has_all_that_one_of_its_kind_must_have(spec: str, case: str, target: str) -> None:
    lacking = []
    for drafted in played(spec, case, target).of(Drafted):
        for point, form in checklist()[drafted.document].items():
            if (re.search(form, drafted.text) is None) is (point != "never"):
                lacking.append(f"{drafted.document}：{point}")
        assert drafted.missing == ()
    assert lacking + list(faults_of_papers(played(spec, case, target))) == []


@every_trial
def test_a_sentence_is_read_into_who_and_what(spec: str, case: str, target: str) -> None:
    read = 0
    for drafted in played(spec, case, target).of(Drafted):
        operative = drafted.text.partition("判决如下：")[2]
        if not operative:
            continue
        names = set(ACCUSED.findall(drafted.text))
        found = verdict(drafted.text).defendants
        named = {one.who for one in found}  # on appeal, whose sentence is not touched is not sentenced again
        assert named and (named <= names if drafted.document == "appeal_judgment" else named == names), drafted.document
        assert all(one.final.penalty for one in found)
        read += 1
        items = [line for line in operative.splitlines() if re.match("[一二三四五六七八九十]+、", line)]
        starts = [line.partition("、")[0] for line in items]
        assert starts == [*"一二三四五六七八九"][: len(starts)]
        for item in items:
            if "赔偿" in item and "驳回" not in item and "退赔" not in item:
                values = amounts(item)
                assert any(isinstance(value, Money) for value in values)
                assert any(isinstance(value, Duration) for value in values)
    assert read or spec == "criminal-appeal"


# ---- the small claim -------------------------------------------------------------------------------------------------


def test_the_order_of_the_small_claim_says_how_much_and_by_when() -> None:
    texts = {one.document: one.text for one in played("smallclaims", "smallclaims-worktop", "").of(Drafted)}
    for document in ("judgment", "order"):
        assert "£80.48" in texts[document] and "£1,780.48" in texts[document]
    assert "Within 14 days" in texts["order"]
    values = amounts(texts["order"].partition("IT IS ORDERED that")[2])
    assert any(isinstance(value, Money) for value in values)


def test_each_side_points_at_a_paper_on_the_question_that_is_asked() -> None:
    words = [
        one.text for one in played("smallclaims", "smallclaims-worktop", "").of(Spoke, "hearing/evidence/question")
    ]
    assert any("Plumber's invoice" in text for text in words)
    assert not any("Quotation" in text for text in words)


def test_interest_is_in_proportion_to_what_is_allowed() -> None:
    """220 of 1,700 pounds at 8% for 216 days."""
    seen: list[str] = []

    def partly(request: object, text: str) -> str:
        answered = saying()(request, text)  # type: ignore[arg-type]
        form = request.form.answer  # type: ignore[attr-defined]
        if form is not None and form.name == "award":
            seen.append(text)
            return re.sub(r"<<award: .*?>>", "<<award: 0>>" if len(seen) == 1 else "<<award: 220.00>>", text)
        return answered

    game = play("smallclaims-worktop", "", spec="smallclaims", script=partly)
    order = next(one.text for one in game.of(Drafted) if one.document == "order")
    assert "£10.42" in order and "£230.42" in order
