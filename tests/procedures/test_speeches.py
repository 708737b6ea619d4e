"""What is said at a hearing and what a court signs, over all shipped cases of the hearings: nothing said twice in the
same words, no doubled blank line, every criminal document against the checklist of its kind, every operative part read
by our own parsers: who, what, by when.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from playing import RECORDS, Game, play, project
from ruamel.yaml import YAML
from test_documents import LISTS, faults_of_papers
from test_smallclaims import CJK, saying

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
    *(("civil", case, "plaintiff_lawyer") for case in ("jiedai", "laodong", "wuye", *RECORDS)),
    *(("civil", case, "defendant_lawyer") for case in ("jiedai", "laodong", "wuye")),
    ("xiaoe", "xiaoe-zujin", "plaintiff_lawyer"),
    ("xiaoe", "xiaoe-zujin", "defendant_lawyer"),
    ("quexi", "quexi-huokuan", "plaintiff_lawyer"),
    ("administrative", "chachao", ""),
    *(("administrative-appeal", case, "plaintiff_agent") for case in ("zhangyuan", "chachao", "xiaofang")),
    *(("criminal", case, "judge") for case in CRIMINAL),
    *(("criminal-appeal", case, "judge") for case in APPEALED),
    *((case.partition("/")[0], str(UNSEEN / f"{case}.yaml"), "judge") for case in UNSEEN_TRIALS),
    *(("smallclaims", case, "") for case in ("smallclaims-worktop", "smallclaims-garden")),
)
BEFORE_COURT = ("LC", "CD", "DD", "AD", "AR")  # talks in a lawyer's office, and not a hearing
ACCUSED = re.compile(r"^(?:上诉人（原审被告人）|原审被告人|被告人)(\w+?)，[男女]，", re.MULTILINE)
SHORT = 8  # 没有。 认可。 一致。


@cache
def played(spec: str, case: str, target: str) -> Game:
    fields = {"goal.defendant.settle": "否"} if spec == "civil" and case in ("jiedai", "laodong", "wuye") else {}
    return play(case, target, spec=spec, fields=fields)


every_hearing = pytest.mark.parametrize(
    ("spec", "case", "target"), HEARINGS, ids=["-".join((one[0], Path(one[1]).stem, one[2])) for one in HEARINGS]
)


@every_hearing
def test_nobody_says_the_same_twice_in_one_hearing(spec: str, case: str, target: str) -> None:
    said: set[tuple[str, str, str]] = set()
    twice = []
    for event in played(spec, case, target).of(Spoke):
        stage = event.place.partition("/")[0]
        if stage in BEFORE_COURT or len(event.text) <= SHORT:
            continue
        words = (stage, event.person, event.text)
        if words in said:
            twice.append(f"{event.place} {event.person}: {event.text}")
        said.add(words)
    assert twice == []


@every_hearing
def test_no_document_has_a_doubled_blank_line_or_an_odd_blank(spec: str, case: str, target: str) -> None:
    for drafted in played(spec, case, target).of(Drafted):
        assert "\n\n\n" not in drafted.text
        assert not re.search("。[。；，]|；。", drafted.text), drafted.document
        assert not re.search(r"[ \t]+$", drafted.text, re.MULTILINE), drafted.document
        if not drafted.text.isascii() and CJK.search(drafted.text):
            assert not re.search(r"[一-鿿。；，] +[一-鿿。；，]", drafted.text), drafted.document


# ---- prompts ---------------------------------------------------------------------------------------------------------

TOOLS = re.compile(r"【你可以用的工具】.*", re.DOTALL)
HEADING = re.compile(r"【[a-z_]+】")
HEADED = (*HEARINGS, *(("retrial", case, "") for case in ("zaishen-huokuan", "zaishen-zhuangxiu")))
HEADED += (("labour-arbitration", "fenjian", ""), ("enforcement-objection", "chuzu-jichuang", ""))
every_procedure = pytest.mark.parametrize(
    ("spec", "case", "target"), HEADED, ids=["-".join((one[0], Path(one[1]).stem, one[2])) for one in HEADED]
)


@every_procedure
def test_no_name_of_a_field_stands_where_words_belong(spec: str, case: str, target: str) -> None:
    """A heading of what is known, and what its keys are called: in the words of the procedure, not by identifiers."""
    procedure = project(spec).procedure
    assert procedure is not None
    keys = {key for field in procedure.fields.values() for key in field.keys}
    raw = re.compile(rf"^(?:{'|'.join(sorted(keys))})：", re.MULTILINE)
    told = [message.content for request in played(spec, case, target).requests for message in request.messages]
    known = [TOOLS.sub("", text) for text in told]
    assert {name for text in known for name in (*HEADING.findall(text), *raw.findall(text))} == set()


@every_procedure
def test_no_name_of_an_answer_stands_in_a_chinese_prompt(spec: str, case: str, target: str) -> None:
    """Nor in a reply: the offline actors answer by the words that they are asked in."""
    procedure = project(spec).procedure
    assert procedure is not None
    game = played(spec, case, target)
    if procedure.locale == "zh":
        values = {value for answer in procedure.answers.values() for value in answer.values if value.isalpha()}
        raw = re.compile(rf"[【：](?:{'|'.join(filter(str.isascii, {*procedure.answers, *values}))})[：】]")
        told = [message.content for request in game.requests for message in request.messages]
        assert {name for text in (*told, *game.replies) for name in raw.findall(text)} == set()
        assert {answer.called for answer in procedure.answers.values() if answer.called.isascii()} == set()


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


# ---- a lawyer's office -----------------------------------------------------------------------------------------------

CONSULTATIONS = [one for one in HEARINGS if one[0] in ("civil", "quexi", "xiaoe") and one[1] not in RECORDS]


@pytest.mark.parametrize(("spec", "case", "target"), CONSULTATIONS, ids=["-".join(one) for one in CONSULTATIONS])
def test_each_question_to_a_lawyer_has_an_answer_of_its_own(spec: str, case: str, target: str) -> None:
    talk = [event for event in played(spec, case, target).of(Spoke) if event.place.startswith("LC/")]
    told = [sentence for one in talk if "lawyer" in one.person for sentence in re.split("另外，", one.text)[:1]]
    assert len(told) == len(set(told)) and not [one for one in told if "您的问题我记下了" in one]
    assert "lawyer" not in talk[-1].person and "再请教" not in talk[-2].text


def test_a_judge_who_sits_alone_is_not_addressed_as_presiding() -> None:
    found = played("xiaoe", "xiaoe-zujin", "plaintiff_lawyer")
    assert not [one.text for one in found.of(Spoke) if "审判长" in one.text]
    sent = [message.content for request in found.requests for message in request.messages]
    assert not [text for text in sent if "审判长" in text]
