"""PFS of J1-Eval: what a judge did in a hearing, and not what he says he did. Reckoned by hand in the comments."""

# ruff: noqa: E501 - an example is read on one line

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache

import pytest
from playing import Script, matter, play, project
from scored import rubric

from legalworld.evaluation.metrics.values import MissingScore
from legalworld.evaluation.rubric import formulas, sentences
from legalworld.evaluation.rubric.definition import FormulaName
from legalworld.evaluation.scoring import Scored, score
from legalworld.evaluation.stored_run import Stored
from legalworld.model.events import Request
from legalworld.model.source import Span

COURTS = {
    "j1-civil": ("j1/civil-court", "j1-yajin"),
    "j1-criminal": ("j1/criminal-court", "j1-daoqie"),
}


def judge(change: Callable[[str], str]) -> Script:
    def script(request: Request, text: str) -> str:
        return change(text) if request.act == "drive" else text

    return script


def same(text: str) -> str:
    return text


def grunting(items: int) -> Callable[[str], str]:
    """Calls whoever is next, grunts, and marks item after item; then the judgment."""
    count = iter(range(1, items + 1))

    def grunt(text: str) -> str:
        call, n = re.findall("【[^】]+】", text)[0], next(count, 0)
        return f"{call}嗯。【第{n}项】" if n else "本院认为，请求有据。判决如下：一、照准。【结束庭审】"

    return grunt


@cache
def hearing(name: str, manner: Callable[[str], str]) -> Stored:
    spec, case = COURTS[name]
    procedure = project(spec).procedure
    assert procedure is not None
    game = play(case, "judge", spec=spec, script=judge(manner))
    return Stored(case, procedure, matter(case, None, spec).case, "judge", tuple(game.events), {})


def figures(name: str, run: Stored, done: str = "是") -> dict[str, float | None]:
    """The grader says the same of every item."""
    opened = rubric(name)
    scoring = score(opened.rubric, run, opened.templates)
    questions = next(scoring)
    replies = []
    for one in questions:
        rows = [{"key": u.key, "done": {"score": done, "reason": "", "turns": []}} for u in one.units]
        plain = {m.name: {"score": 5, "reason": "", "turns": []} for m in one.ask.metrics}
        replies.append(json.dumps({"scores": rows} if one.ask.together else plain))
    with pytest.raises(StopIteration) as stopped:
        scoring.send(tuple(replies))
    found: Scored = stopped.value.value
    return {one.formula: one.value for one in found.figures}


@pytest.mark.parametrize("name", COURTS)
def test_a_hearing_that_was_held_is_complete(name: str) -> None:
    found = figures(name, hearing(name, same))
    assert (found["STA"], found["ACT"], found["UNI"], found["PFS_RULE"], found["CLAIMED"]) == (1, 1, 1, 1, 1)
    assert found["PFS"] == 1.0


@pytest.mark.parametrize("name", COURTS)
def test_a_judge_who_only_grunts_and_marks_has_done_nothing(name: str) -> None:
    items = {"j1-civil": 19, "j1-criminal": 15}[name]
    found = figures(name, hearing(name, grunting(items)), done="否")
    assert (found["CLAIMED"], found["PFS_RULE"], found["ACT"], found["STA"]) == (1, 0, 0, 0)
    assert found["PFS"] == 0.0
    assert found.get("PFS_P", 0.0) == 0.0


def test_a_deed_that_nobody_answers_is_none() -> None:
    """Everything after item 17 (asking the plaintiff about mediation) is left out but the judgment: of 19 items 16 are
    done; three of four stages are whole: STA 3/4, ACT 16/19, PFS the mean of both."""

    def stops(text: str) -> str:
        return "【结束庭审】本院认为，请求有据。判决如下：一、返还押金。" if "【第17项】" in text else text

    found = figures("j1-civil", hearing("j1-civil", stops))
    assert found["ACT"] == pytest.approx(16 / 19)
    assert found["STA"] == pytest.approx(3 / 4)
    assert found["PFS_RULE"] == pytest.approx((16 / 19 + 3 / 4) / 2)


def test_the_published_rule_by_hand() -> None:
    """Of its 13 actions the offline judge does those whose words it looks for: not 核实身份 (he says 核对), 诉讼权利 (he
    says 有权), 缺席后果 (缺席判决) and 发问 (请问). 9/13; of the stages only debate (争议焦点, 陈述) and mediation: 2/4."""
    found = figures("j1-civil", hearing("j1-civil", same))
    assert found["PFS_P"] == pytest.approx((9 / 13 + 2 / 4) / 2)


def test_everything_in_one_turn_is_a_failure() -> None:
    def at_once(text: str) -> str:
        if "【第1项】" not in text:
            return text
        words = "核对身份，宣布合议庭和程序。请陈述事实和诉讼请求。请发表辩论意见。是否同意调解？"
        return f"【对原告代理律师说】{words}【第1项】"

    found = figures("j1-civil", hearing("j1-civil", at_once))
    assert (found["UNI"], found["PFS_RULE"], found["PFS"]) == (0, 0, 0)


def test_a_stage_is_complete_when_all_of_it_is_done() -> None:
    """opening: 1 and 1; debate: 1 and 0; mediation: 1 and one that nobody could tell, left out; final: 0 and such a one,
    not complete whatever it is. (1 + 0 + 0) / 3."""
    gap = MissingScore("unreadable")  # type: ignore[arg-type]
    done = {
        "opening/1": 1.0,
        "opening/2": 1.0,
        "debate/3": 1.0,
        "debate/4": 0.0,
        "mediation/5": 1.0,
        "mediation/6": gap,
    }
    done |= {"final/7": 0.0, "final/8": gap}
    built = sentences.formula("complete(done)", Span("", 1, 1))

    def look(_: FormulaName) -> formulas.Vector:
        return done

    assert formulas.evaluate(built, look) == pytest.approx(1 / 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("reminder", "told"), [("no", False), ("yes", True)])
def test_nobody_reminds_the_judge_of_what_is_left_unless_it_is_wanted(reminder: str, told: bool) -> None:
    game = play("j1-yajin", "judge", spec="j1/civil-court", options={"reminder": reminder})
    later = [r for r in game.requests if r.act == "drive"][5]
    assert ("还没有做的" in later.messages[-1].content) is told
    assert "清单：" in "".join(message.content for message in later.messages)  # the whole list was shown once
