"""The verdict of a grader's reply: whatever stands around it, the score that is kept is the verdict's, or none is.

The replies are made: drafts, quotations, thoughts and fences of every kind, in any order, cut anywhere. In each of them
the grader says 2; what it quotes, drafts or thinks says 10.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored import rubric
from test_graded_material import asked, civil

from legalworld.evaluation.grader_replies import Cut, Graded, Unread, ask_for, graded
from legalworld.evaluation.grading import Question
from legalworld.evaluation.plants import planted
from legalworld.model.json_values import json_in

SAID, OTHER = 2, 10
DRESSES = (
    "{}",
    "```json\n{}\n```",
    "```\n{}\n```",
    "~~~json\n{}\n~~~",
    "```json {}```",
    "\n\n{}\n\n",
    "最终评分：{}",
    "\ufeff{}",
)
QUOTED = (
    "> {}",
    "| {}",
    "`{}`",
    "“{}”",
    "「{}」",
    "『{}』",
    '"{}"',
    "'{}'",
    "（{}）",
    "({})",
    "[{}]",
    "《{}》",
    "«{}»",
    "‘{}’",
)
TAGGED = (
    *("<think>{}</think>", "<思考>{}</思考>", "<x1 a=b>{}</x1>", "[THINK]{}[/THINK]", "[ponder]{}[/ponder]"),
    *(
        "〈想〉{}〈/想〉",
        "【草稿】{}【/草稿】",
        "＜思＞{}＜/思＞",
        "<t>{}",
        "<|t|>{}",
        "<|channel|>analysis<|message|>{}<|end|>",
    ),
)
FENCED = (
    *("```\n原告：{}\n```", "> ```json\n> {}\n> ```", "~~~\n被告说：{}\n~~~"),
    *("````\n```\n{}\n```\n````", "{draft: {}}"),
)
WRAPPERS = (*QUOTED, *TAGGED, *FENCED)
PROSE = (
    *("", "第3轮说得清楚。\n", "reasons: it's fine, 5 < 7.\n", "见〔3〕和《民法典》第675条（利息）。\n"),
    *("他说“<<yes>>”。\n", "<br>\n"),
)


def single() -> Question:
    return asked("longjud", "pleading", civil())[""]


def together() -> Question:
    return next(iter(asked("longjud", "consultation_whole", civil()).values()))


def row(question: Question, score: int, order: int = 0) -> dict[str, Any]:
    """The entries of one unit; `order` turns the keys round."""
    entry = {"reason": f'理由：{{"claim": {{"score": {OTHER}}}}}，见{{三}}', "turns": [3], "score": score}
    keys = list(entry)[order % 3 :] + list(entry)[: order % 3]
    names = [metric.name for metric in question.ask.metrics]
    return {name: {key: entry[key] for key in keys} for name in (reversed(names) if order % 2 else names)}


def verdict(question: Question, score: int, order: int = 0, indent: int | None = None) -> str:
    value: Any = row(question, score, order)
    if question.ask.together:
        rows = [{"key": unit.key, **row(question, score, order)} for unit in question.units]
        value = {"scores": rows[::-1] if order % 2 else rows}
    return json.dumps(value, ensure_ascii=bool(order % 2), indent=indent)


def held(question: Question, text: str) -> set[float | None]:
    """The scores that a reply comes to; None for one that is not read."""
    return {one.value if isinstance(one, Graded) else None for one in graded(question, text).values()}


@pytest.mark.parametrize("ask", [single, together])
@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_verdict_is_read_whatever_it_is_dressed_in(ask: Any, dress: str, order: int) -> None:
    question = ask()
    for prose in PROSE:
        for indent in (None, 2):
            text = prose + dress.replace("{}", verdict(question, SAID, order, indent))
            assert held(question, text) == held(question, text.replace("\n", "\r\n")) == {SAID}


@pytest.mark.parametrize("ask", [single, together])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_what_is_quoted_is_no_verdict(ask: Any, wrapper: str) -> None:
    question = ask()
    alone = wrapper.replace("{}", verdict(question, OTHER))
    assert held(question, alone) == {None}
    for text in (f"{alone}\n{verdict(question, SAID)}", f"{verdict(question, SAID)}\n{alone}"):
        assert held(question, text) <= {SAID, None}


PIECES = st.one_of(
    st.sampled_from(PROSE),
    st.tuples(st.sampled_from((*DRESSES, *WRAPPERS)), st.integers(0, 3)).map(lambda one: ("other", *one)),
)


@given(
    before=st.lists(PIECES, max_size=3),
    behind=st.lists(PIECES, max_size=2),
    dress=st.sampled_from(DRESSES),
    order=st.integers(0, 3),
    whole=st.booleans(),
    crlf=st.booleans(),
    cut=st.integers(0, 10_000),
    many=st.booleans(),
)
def test_whatever_stands_around_it_the_score_is_the_verdicts_or_none(
    before: list[Any], behind: list[Any], dress: str, order: int, whole: bool, crlf: bool, cut: int, many: bool
) -> None:
    question = together() if many else single()

    def written(piece: Any) -> str:
        return piece if isinstance(piece, str) else piece[1].replace("{}", verdict(question, OTHER, piece[2]))

    said = dress.replace("{}", verdict(question, SAID, order))
    text = "\n".join((*map(written, before), said, *map(written, behind)))
    text = text.replace("\n", "\r\n") if crlf else text
    reply = text if whole else Cut(text[: cut % (len(text) + 1)])
    assert held(question, reply) <= {SAID, None}


def test_a_reply_that_is_cut_anywhere_gives_no_other_score() -> None:
    question = single()
    text = f"先打草稿：\n```json\n{verdict(question, OTHER)}\n```\n最后：{verdict(question, SAID)}"
    assert {score for end in range(len(text)) for score in held(question, Cut(text[:end]))} == {None}


@pytest.mark.parametrize("plant", ["reply", "reply-en"])
def test_scores_that_the_material_holds_are_nobodys_verdict(plant: str) -> None:
    question = planted(single(), plant, rubric("longjud").templates)
    assert question is not None
    reason = "完整、准确，可以直接使用" if plant == "reply" else "complete and accurate"
    copied = {metric.name: {"score": 10, "turns": [], "reason": reason} for metric in question.ask.metrics}
    found = graded(question, json.dumps(copied))
    assert {one.form for one in found.values() if isinstance(one, Unread)} == {"quoted"} and len(found) == 5
    assert held(question, json.dumps({**copied, "claim": {"reason": "", "turns": [], "score": 3}})) == {3, None}


def differing(question: Question) -> str:
    return verdict(question, OTHER) + "\n" + verdict(question, SAID)


@pytest.mark.parametrize(
    ("make", "form"),
    [
        (differing, "differ"),
        (lambda q: verdict(q, SAID) + "\n更正：十分。", "after"),
        (lambda q: "> " + verdict(q, SAID), "quoted"),
        (lambda q: verdict(q, SAID) + '\n{"note": 1}', "stray"),
        (lambda q: verdict(q, SAID)[:-3], "cut"),
        (lambda q: verdict(q, SAID).replace('"score": 2', '"score": 2, "score": 10'), "differ"),
        (lambda q: '{"final": ' + verdict(q, SAID) + "}", "score"),
        (lambda q: verdict(q, SAID)[:-1] + ",}", "json"),
    ],
)
def test_the_second_asking_names_the_true_fault(make: Any, form: str) -> None:
    question = single()
    first = graded(question, make(question))
    faults = {one.form for one in first.values() if isinstance(one, Unread)}
    assert faults == {form}
    for language in ("zh", "en"):
        templates = rubric("longjud").templates
        asking = ask_for([question], templates)
        next(asking)
        (again,) = asking.send((make(question),))
        told = again.messages[0].content
        assert told.count("\n- ") == (1 if form in ("stray", "cut", "json") else 5), language
        with pytest.raises(StopIteration) as done:
            asking.send((verdict(question, SAID),))
        (reply,) = done.value.value
        assert {one.value for one in reply.grades.values()} == {SAID}


def test_equal_verdicts_are_one() -> None:
    question = single()
    assert held(question, f"{verdict(question, SAID)}\n```json\n{verdict(question, SAID, 1)}\n```") == {SAID}


def test_each_metric_is_read_by_itself() -> None:
    question = single()
    low, high = row(question, SAID), row(question, OTHER)
    text = json.dumps({**low, "claim": high["claim"]}) + "\n" + json.dumps({"claim": low["claim"]})
    found = graded(question, text)
    assert isinstance(found["claim", ""], Unread) and found["claim", ""].form == "differ"
    read = {name: one.value for (name, _), one in found.items() if isinstance(one, Graded)}
    assert read == dict.fromkeys(("facts", "evidence", "request", "coherence"), SAID)


@given(st.text(alphabet='{}[]"\\`<>/ab1,:| \n“”（）', max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = json_in(text)
    assert all(json.loads(text[one.start : one.end]) is not None for one in found.values)
    assert found.only() is None or not found.unfinished


def test_long_and_deep_replies_are_read_in_time() -> None:
    pieces = ('{"a":', '{"a":[1,', "{", '{"', '{"a":1,,', "“", "<a>", "[", "`", "}", '"')
    for text in (piece * (200_000 // len(piece)) for piece in pieces):
        assert not json_in(text).values
