"""Marks that nobody declared are not spoken, whatever their name and brackets; all that only looks like them is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from neighbours import Game, played

from legalworld.engine.foreign_marks import certain, foreign_mark, foreign_mark_in, mark_name
from legalworld.engine.replies import parse, unformatted
from legalworld.engine.reply_reader import read
from legalworld.model import events
from legalworld.model.attendance import ReadOut
from legalworld.model.dialect import known_dialect
from legalworld.model.events import Message, Request
from legalworld.model.reply_form import ReplyForm
from legalworld.model.votes import Voted
from legalworld.runs.preview import Preview

AS_IT_IS = (Path(__file__).parent / "spoken_as_it_is.txt").read_text(encoding="utf-8").splitlines()
SECRET = "ZQ77"
FORM = ReplyForm("text", None, (), ("结束",), frozenset({"结束", "对{role}说"}), "甲", frozenset({"乙"}), 60_000)

# Brackets that prose has too: where only one of a pair is left, nobody can tell that it was a mark.
PROSE = [
    *zip("([{（［｛《〈「『【〔〖", ")]}）］｝》〉」』】〕〗", strict=True),
    ("‹", "›"),
    ("«", "»"),
    ("[[", "]]"),
    ("{{", "}}"),
]
TELLING = [*zip("<＜◁◀◄⟨⟪⟦❮", ">＞▷▶►⟩⟫⟧❯", strict=True), ("&lt;", "&gt;"), ("<|", "|>"), ("<｜", "｜>")]
NAMES = st.text("abcXYZ思考内心мыслиΣκέψη", min_size=1, max_size=8)
MORE = st.sampled_from(["", "", ' a="b"', " n=1", ' type="计划"', " 很久"])
FILL = st.sampled_from(["", "好的，审判长。", "第一句。\n", "I agree. ", "（一）"])


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, bool]:
    """A reply with a secret between marks of a name and kind of its own; whether it is certain that they are marks."""
    telling = draw(st.booleans())
    opening, closing = draw(st.sampled_from(TELLING if telling else PROSE))
    name, more = draw(NAMES), draw(MORE) if len(opening) == 1 else ""
    assume(name.casefold() not in ("br", "hr", "wbr", "img"))
    inner = draw(st.sampled_from(["", f"{opening}x{closing}y{opening}/x{closing}", "<think>y</think>", "再想\n"]))
    slash = draw(st.sampled_from(["/", "/", "／"]))
    begins, ends = f"{opening}{name}{more}{closing}", f"{opening}{slash}{name}{closing}"
    part = draw(st.sampled_from(["whole", "whole", "begun in the prompt", "cut"]))
    before, after = draw(FILL), draw(FILL)
    if part == "begun in the prompt":
        return f"{before}{SECRET}{inner}{ends}{after}", True
    if part == "cut":
        assume(telling)
        whole = f"{before}{begins}{SECRET}{inner}"
        return whole[: len(whole) - draw(st.integers(0, len(inner)))], True
    return f"{before}{begins}{inner}{SECRET}{ends}{after}", True


@settings(max_examples=500)
@given(marked())
def test_what_unknown_marks_enclose_is_no_words(reply: tuple[str, bool]) -> None:
    said = read(reply[0], known_dialect()).text
    for text in (reply[0], said):
        parsed = parse(text, FORM)
        assert SECRET not in repr(replace(parsed, faults=())), reply
        if SECRET in text:
            assert [rule for rule, _ in parsed.faults] == ["unknown_marks"]


UNSEEN = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2064\u2066\u2069\ufeff"


@settings(max_examples=300)
@given(NAMES, st.sampled_from([*PROSE, *TELLING]), st.data())
def test_signs_that_nobody_sees_hide_no_mark(name: str, brackets: tuple[str, str], data: st.DataObject) -> None:
    """Wherever they stand in it: a reader sees the tag all the same."""
    assume(name.casefold() not in ("br", "hr", "wbr", "img"))
    opening, closing = brackets
    text = f"好的。{opening}{name}{closing}{SECRET}{opening}/{name}{closing}"
    for sign in data.draw(st.lists(st.sampled_from(UNSEEN), min_size=1, max_size=3)):
        at = data.draw(st.integers(3, len(text)))
        text = text[:at] + sign + text[at:]
    plain = text.translate(dict.fromkeys(map(ord, UNSEEN)))
    assert bool(foreign_mark(text, FORM)) == bool(foreign_mark(plain, FORM)) is True, text


@pytest.mark.parametrize("line", AS_IT_IS)
@pytest.mark.parametrize("around", ["{}", "审判长，{}，就是这样。", "第一，如下：\n{}\n完毕。", "I say: {} - no more."])
def test_what_only_looks_like_a_mark_is_spoken_as_it_is(line: str, around: str) -> None:
    text = around.format(line)
    assert foreign_mark(text, FORM) == ""
    said = unformatted(parse(text, FORM), FORM)
    if around != "{}" and "\n" not in around:  # a line that is all in such brackets looks like a heading of ours
        assert said.text == text


@settings(max_examples=300)
@given(st.lists(st.sampled_from(AS_IT_IS), min_size=1, max_size=6), st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_all_of_it_is_shown_in_the_end_whatever_the_pieces(lines: list[str], sizes: list[int]) -> None:
    text = "。\n".join(lines)
    assert _shown(text, sizes, FORM) == (text, True)


def _shown(text: str, sizes: list[int], form: ReplyForm) -> tuple[str, bool]:
    """What somebody who follows a reply sees of it at last, and whether it was spoken."""
    seen: list[str | None] = []
    request = Request("r", "p", "r", "s", "a", "t", (), (), None, form, (), None)  # type: ignore[arg-type]
    preview, at = Preview(request, lambda _, piece: seen.append(piece), False), 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        preview.hear(text[at : at + size])
        at += size
    spoken = not foreign_mark(text, form)
    preview.done(text, spoken)
    last = len(seen) - seen[::-1].index(None) if None in seen else 0
    return "".join(piece or "" for piece in seen[last:]), spoken


HEAVY = [pair for pair in PROSE if pair[0] not in "(（《〈「『"]


@settings(max_examples=300)
@given(
    FILL,
    st.sampled_from([*TELLING, *HEAVY]),
    NAMES,
    st.booleans(),
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
)
def test_nothing_of_it_is_shown_while_it_comes(
    before: str, brackets: tuple[str, str], name: str, light: bool, sizes: list[int]
) -> None:
    """Who follows a run is shown nothing behind what may open a mark; round brackets at a line's start may."""
    assume(name.casefold() not in ("br", "hr", "wbr", "img"))
    opening, closing = brackets
    if light and len(opening) == 1:
        before, (opening, closing) = before.rpartition("\n")[0], ("（", "）")
        before = f"{before}\n" if before else ""
    seen: list[str] = []
    request = Request("r", "p", "r", "s", "a", "t", (), (), None, FORM, (), None)  # type: ignore[arg-type]
    preview = Preview(request, lambda _, piece: seen.append(piece or ""), False)
    text = f"{before}{opening}{name}{closing}{SECRET}{opening}/{name}{closing}好。"
    at = 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        preview.hear(text[at : at + size])
        at += size
    preview.done(text, not foreign_mark(text, FORM))
    assert "77" not in "".join(seen)


@pytest.mark.parametrize("text", ["第【1】项（1）与“二”：", "见附件(2)、[3]，共｛4｝份。", "(1) 一"])
def test_brackets_that_hold_no_name_hold_nothing_up(text: str) -> None:
    assert certain(text + "后面的话", FORM) == len(text + "后面的话")


@pytest.mark.parametrize("known", ["<think>想</think>", "<|im_end|>"])
@pytest.mark.parametrize("between", ["", "好。", "\n第二行\n"])
def test_the_mark_that_is_named_is_the_first(known: str, between: str) -> None:
    assert foreign_mark(f"好。<scratch>{SECRET}</scratch>{between}{known}完。", FORM).startswith("<scratch>")
    assert not foreign_mark(f"好。{known}{between}<scratch>{SECRET}</scratch>", FORM).startswith("<scratch>")


# ---- what was declared or sent ---------------------------------------------------------------------------------------


def test_a_string_of_what_was_sent_is_a_quotation() -> None:
    """The system's, the user's and the tools' messages count; what somebody wrote himself does not."""
    for role, found in (("system", ""), ("user", ""), ("tool", ""), ("assistant", "<附件一>")):
        form = replace(FORM, sent=(Message(role=role, content="见 <附件一> 第二页"),))  # type: ignore[arg-type]
        assert foreign_mark("请看<附件一>。", form) == found


def test_thoughts_are_no_quotation_whatever_was_sent() -> None:
    form = replace(FORM, sent=(Message(role="user", content="<think> </think>"),))
    assert foreign_mark("<think>底价</think>好。", form).startswith("<think>")


@pytest.mark.parametrize("text", ["<结束>", "<对乙说>", "<结束：现在>"])
def test_what_the_procedure_declares_is_no_foreign_mark(text: str) -> None:
    assert foreign_mark(text, FORM) == ""


def test_marks_are_found_however_deep_they_lie() -> None:
    value = {"field": "notes", "content": [{"name": "甲", "state": "<musing>底价</musing>"}]}
    assert foreign_mark_in(value, FORM) == "</musing>" or foreign_mark_in(value, FORM) == "<musing>"
    assert foreign_mark_in({"a": ["b", 3, None]}, FORM) == ""


@given(NAMES, st.sampled_from([*PROSE, *TELLING]), MORE)
def test_the_name_of_a_mark_is_none(name: str, brackets: tuple[str, str], more: str) -> None:
    """Said to who is asked again it must not become a string of what he was sent."""
    assert foreign_mark(mark_name(f"{brackets[0]}{name}{more}{brackets[1]}"), FORM) == ""


# ---- whole procedures ------------------------------------------------------------------------------------------------

SPEC = """
lw: 1
procedure: market
title: Market
kinds: {P: party, J: judge}
roles:
  ann:  {title: Ann, kind: party}
  bo:   {title: Bo, kind: party}
  tess: {title: Tess, kind: judge}
  omar: {title: Omar, kind: judge}
documents:
  note: {title: Note, sections: [Facts, Claim]}
visibility: |
  | field | room | hall |
  |-------|------|------|
  | view  | P J  | P J  |
  | reply | P J  | P J  |
  | note  | P J  | P J  |
memory:
  party:
    cue: what to keep
    fields:
      diary: {title: Diary}
tools:
  keep: {operation: expand memory, title: keep, who: party, acts: remember}
  read: {operation: read document, title: read}
stages:
  - stage: room
    title: Room
    steps:
      - ann states: what she wants
        id: opening
      - bo states: what he answers
        id: answer
        answer: reply is text
      - ann and bo converse: talk
        until: bo says 【bye】
        at most: 2 turns
        reviewed by: tess
        approve: 【fine】
      - ann drafts note: what she claims
      - tess, omar vote: whether she is right
        answer: view is yes or no
        reveals: names
      - tess notes: what she makes of it
  - stage: hall
    title: Hall
    steps:
      - bo states: what he says now
      - omar states: the end
"""
PUBLIC = (events.Spoke, events.Captured, events.Drafted, events.Remembered, events.Reviewed, Voted, ReadOut)


def _words(request: Request) -> str:
    """What somebody says who does what he is asked."""
    if request.act == "remember":
        return "Done."
    if request.form.kind != "text":
        return "Note\nFacts: a debt.\nClaim: that it be paid."
    answer = request.form.answer
    asked = f"\n【{answer.name}：{'yes' if answer.form == 'yes or no' else 'all of it'}】" if answer is not None else ""
    return f"I say what I say.{asked}"


def _nothing_leaks(game: Game) -> None:
    for request in game.requests:
        heard = [message.content for message in request.messages if message.role != "assistant"]
        assert not any(SECRET in text for text in heard), request.id
    for event in game.events:
        if isinstance(event, PUBLIC):
            assert SECRET not in event.model_dump_json(), event


@settings(max_examples=40)
@given(marked(), st.sampled_from(["before", "after"]))
def test_no_secret_in_unknown_marks_reaches_anybody(reply: tuple[str, bool], where: str) -> None:
    """Speech, answers, votes, notes, documents, reviews, notes for oneself and what tools are given; a journal from
    elsewhere, that no driver has looked at."""

    def say(request: Request) -> str:
        if request.act == "remember":
            call = {"name": "keep", "arguments": {"field": "diary", "content": reply[0]}}
            return f"<tool_call>{json.dumps(call)}</tool_call>"
        words = _words(request)
        return f"{reply[0]}\n{words}" if where == "before" else f"{words}\n{reply[0]}"

    game = played(SPEC, say=say)
    _nothing_leaks(game)
    assert not game.of(events.Drafted) or SECRET not in game.of(events.Drafted)[0].text
    assert {event.rule for event in game.of(events.Violated)} >= {"unknown_marks"}
    assert {"unknown_marks"} <= {event.refused for event in game.of(events.Called)} <= {"unknown_marks", "too_many"}


def test_without_such_marks_the_same_procedure_says_all_that_it_should() -> None:
    """What the properties above rest on: each kind of words that they speak of comes to be."""

    def say(request: Request) -> str:
        if request.act == "remember":
            return '<tool_call>{"name": "keep", "arguments": {"field": "diary", "content": "seen"}}</tool_call>'
        return _words(request)

    game = played(SPEC, say=say)
    assert {type(event) for event in game.events} >= {*PUBLIC} - {ReadOut}
    assert not [event for event in game.of(events.Violated) if event.rule == "unknown_marks"]


def test_who_is_asked_again_reads_the_name_and_may_do_better() -> None:
    def say(request: Request) -> str:
        if request.act == "remember":
            return "Done."
        return _words(request) if request.last_try else f"<musing>{SECRET}</musing>\n{_words(request)}"

    game = played(SPEC, say=say)
    _nothing_leaks(game)
    again = [one for one in game.requests if one.last_try]
    assert again
    for request in again:
        told = request.added[-1].content
        assert "musing" in told and "<musing>" not in told
    first = next(request for request in game.said("opening") if not request.last_try)
    assert next(event.text for event in game.of(events.Spoke)) == _words(first)
