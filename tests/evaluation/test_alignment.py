"""Judgments against the real ones: what is a disposition, a citation, a structure, an appeal action. Reckoned by hand."""

# ruff: noqa: E501 - an example is read on one line

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from playing import matter, play, project, undecided_case
from scored import rubric

from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.table import RULES
from legalworld.evaluation.scoring import score
from legalworld.evaluation.stored_run import EvidencePiece, Stored, Unit
from legalworld.model import events as e
from legalworld.model.case import Case

OPENED = rubric("alignment")
HEAD = "江澜市第一中级人民法院\n民事判决书\n上诉人（原审被告）：甲公司\n被上诉人（原审原告）：乙\n上诉请求：改判\n本院认为，上诉请求不能成立。\n依照《中华人民共和国民事诉讼法》第一百七十七条第一款第一项规定，判决如下："
TAIL = "如未按本判决指定的期间履行给付金钱义务，应当依照《中华人民共和国民事诉讼法》第二百六十四条规定，加倍支付迟延履行期间的债务利息。\n二审案件受理费10元，由甲公司负担。\n本判决为终审判决。\n审判长　丙"


@pytest.mark.parametrize("name", ["administrative", "administrative-appeal", "criminal-appeal", "simcourt"])
def test_what_a_judgment_rests_on_is_compared_and_not_what_it_discusses(name: str) -> None:
    ground = "《中华人民共和国行政诉讼法》第七十条第三项"
    told = "本院认为，处罚以前应当告知（《中华人民共和国行政处罚法》第四十四条、第四十五条）。"
    one = rubric(name).rubric.measures["law"]
    procedure = project("civil").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "judge", ())
    piece = EvidencePiece(
        1, "court", "j", "审判长", "draft", f"{told}\n依照{ground}的规定，判决如下：\n撤销。", "judgment"
    )
    case = RuleInput(run, Unit("", ""), (piece,), (ground,), one.arguments)
    found = RULES[one.rule].function(case)
    assert isinstance(found, RuleResult) and found.value == 1.0


def by(measure: str, text: str, reference: list[str]) -> float | str:
    """What a measure of the rubric says of a text."""
    one = OPENED.rubric.measures[measure]
    procedure = project("civil").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "plaintiff_lawyer", ())
    piece = EvidencePiece(1, "SIT", "j", "审判长", "draft", text, "final_judgment")
    found = RULES[one.rule].function(RuleInput(run, Unit("", ""), (piece,), tuple(reference), one.arguments))
    return found.value if isinstance(found, RuleResult) else str(found.why)


@pytest.mark.parametrize(
    ("measure", "text", "reference", "value"),
    [
        # the one disposition, with three lines below it that are none
        ("lines_2", f"驳回上诉，维持原判。\n{TAIL}", ["驳回上诉，维持原判"], 1.0),
        ("verdict_2", f"{HEAD}\n驳回上诉，维持原判。\n{TAIL}", ["驳回上诉，维持原判"], 1.0),
        ("verdict_2", f"{HEAD}\n驳回上诉，维持原判。\n审判员　丙", ["驳回上诉，维持原判"], 1.0),
        ("verdict_2", f"驳回上诉，维持原判。\n{TAIL}", ["驳回上诉，维持原判"], "missing"),
        (
            "verdict_1",
            f"{HEAD}\n一、甲公司支付乙100元；\n二、驳回乙的其他诉讼请求。\n{TAIL}",
            ["一、甲公司支付乙100元", "二、驳回乙的其他诉讼请求"],
            1.0,
        ),
        (
            "lines_1",
            f"一、甲公司支付乙100元；\n二、驳回乙的其他诉讼请求。\n{TAIL}",
            ["一、甲公司支付乙100元", "二、驳回乙的其他诉讼请求"],
            1.0,
        ),
        # 10 yuan of costs are no sum of the disposition
        ("amounts_1", f"一、甲公司支付乙100元；\n{TAIL}", ["一、甲公司支付乙100元"], 1.0),
        # article 264 of the notice is no ground of the judgment
        (
            "law_2",
            f"{HEAD}\n驳回上诉，维持原判。\n{TAIL}",
            ["《中华人民共和国民事诉讼法》第一百七十七条第一款第一项"],
            1.0,
        ),
        # all six parts are there, the last sentence among them
        ("structure_2", f"{HEAD}\n驳回上诉，维持原判。\n{TAIL}", [], 1.0),
        ("structure_2", f"{HEAD}\n驳回上诉，维持原判。\n审判长　丙", [], 5 / 6),
        # what became of the appeal is read from both dispositions
        ("action", "驳回上诉，维持原判。", ["驳回上诉，维持原判"], 1.0),
        (
            "action",
            "一、维持第三项；二、变更第一项为：甲公司支付乙90元；三、驳回其他上诉请求。",
            ["一、维持第三项", "二、变更第一项为：支付80元", "三、驳回其他上诉请求"],
            1.0,
        ),
        ("action", "驳回上诉，维持原判。", ["撤销原判，发回重审"], 0.0),
        ("action", "一、撤销原判；二、驳回乙的诉讼请求。", ["变更第一项"], 0.0),
        ("action", "驳回上诉，维持原判。", ["双方和解"], "no_reference"),
    ],
)
def test_an_element_by_hand(measure: str, text: str, reference: list[str], value: float | str) -> None:
    found = by(measure, text, reference)
    assert found == (value if isinstance(value, str) else pytest.approx(value))


# 667 is discussed in the opinion, 675 and 676 are what the disposition rests on
LAW = "《中华人民共和国民法典》"
DECIDED = f"本院认为，依据{LAW}第六百六十七条，双方系借款合同关系。综上，依照{LAW}第六百七十五条、第六百七十六条规定，判决如下：\n一、甲公司支付乙100元；\n{TAIL}"
GROUNDS, OPINION = f"{LAW}第六百七十五条、第六百七十六条", f"依据{LAW}第六百六十七条，双方系借款合同关系"


@pytest.mark.parametrize(
    ("text", "reference", "value"),
    [
        # a real judgment set against itself: grounds with grounds, whatever the opinions discuss
        (DECIDED, [GROUNDS, OPINION], 1.0),
        # 675 of {675}, with 676 beside it: P 1/2, R 1
        (DECIDED, [f"{LAW}第六百七十五条", OPINION], 2 / 3),
        # the opinion of the real judgment is no reference where the case tells the grounds: nothing right
        (DECIDED, [f"{LAW}第五百零九条", f"{LAW}第六百七十五条、第六百七十六条"], 0.0),
        # where it tells none, what the opinion cites is
        (DECIDED, ["", GROUNDS], 1.0),
        # a judgment that has no sentence of grounds is read whole: 667, of {675, 676}
        (f"本院认为，依据{LAW}第六百六十七条，支付100元。", [GROUNDS, OPINION], 0.0),
        (f"本院认为，依据{LAW}第六百七十五条，支付100元。", [GROUNDS, OPINION], 2 / 3),
        # an appeal recounts the grounds of the judgment below; its own come last
        (f"一审法院依照{LAW}第五百零九条规定，判决如下：支付90元。\n{DECIDED}", [GROUNDS, OPINION], 1.0),
        (DECIDED, ["", "双方系借款合同关系"], "no_reference"),
    ],
)
def test_the_law_is_that_which_the_disposition_rests_on(text: str, reference: list[str], value: float | str) -> None:
    for measure in ("law_1", "law_2"):
        assert by(measure, text, reference) == (value if isinstance(value, str) else pytest.approx(value))


@lru_cache(maxsize=1)
def played(case: str) -> tuple[e.Event, ...]:
    return tuple(play(case).events)


def aligned(case: str, change: dict[str, str] | None = None) -> dict[str, float | None]:
    procedure = project("civil").procedure
    assert procedure is not None

    def changed(event: e.Event) -> e.Event:
        if not isinstance(event, e.Drafted) or not event.document.endswith("_judgment"):
            return event
        text = event.text
        for old, new in (change or {}).items():
            text = text.replace(old, new)
        return event.model_copy(update={"text": text})

    events = tuple(map(changed, played(case)))
    scoring = score(
        OPENED.rubric, Stored(case, procedure, matter(case).case, "plaintiff_lawyer", events, {}), OPENED.templates
    )
    with pytest.raises(StopIteration) as done:
        next(scoring)
        scoring.send(())
    return {one.formula: one.value for one in done.value.value.figures}


def test_a_judgment_is_aligned_with_what_became_of_the_appeal() -> None:
    found = aligned("jiedai")
    assert (found["V2"], found["E2"], found["S2"], found["A2"]) == (1, 1, 1, 1)


def test_what_leaves_claims_undecided_is_aligned_with_nothing(tmp_path: Path) -> None:
    found = aligned(undecided_case(tmp_path))
    assert [found[name] for name in ("V2", "L2", "E2", "S2", "A2")] == [None] * 5


def test_the_entity_is_parties_in_their_parts_and_sums() -> None:
    """With the parties exchanged nobody stands where he should: 0 for the parties, 1 for the sums, which are right."""
    found = aligned("jiedai", {"\n原告": "\n甲方", "\n被告": "\n原告", "\n甲方": "\n被告"})
    assert found["E1"] == pytest.approx((0 + 1) / 2)


def test_the_judgment_of_another_case_is_not_aligned_though_it_decides_alike() -> None:
    """Its parties, its sums and its number are others'; the words of such a judgment, its articles and its parts
    are the same everywhere."""
    names = {"林启川": "丁某", "郑若虹": "戊某", "云汀餐饮管理有限公司": "己公司", "云汀": "己"}
    numbers = {"虚0105民初1001号": "虚0105民初8号", "虚01民终2002号": "虚01民终9号"}
    own = aligned("jiedai")
    other = aligned("jiedai", names | numbers | {f"{digit}元": f"{digit}7元" for digit in "0123456789"})
    assert (own["K1"], own["K2"]) == (1, 1)
    assert (other["K1"], other["K2"]) == (0, 0)
    assert aligned("jiedai", names | numbers)["K1"] == 1  # the sums of the first judgment tell what case it is
    assert [other[name] for name in ("V2", "L2", "S2", "A2")] == [0, 0, 0, 0]
    assert (other["FIT"] or 0) < 4 and (other["SIT"] or 0) < 4
