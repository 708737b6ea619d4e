"""What a thread keeps of a reply: nothing that was cut out of it, and all that counts, read again as it was read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import Played, play, read_construct
from test_replies import ALL_FORMS, FORMS, form_of, replies, rows
from test_reply_neighbours import SURNAMES

from legalworld.engine.kept_words import NOTHING_LEFT, kept_call, kept_piece, kept_words
from legalworld.engine.markup import literals
from legalworld.engine.parsed import Parsed
from legalworld.engine.replies import parse, unformatted
from legalworld.model.events import Cleaned, Reply, Request, Spoke
from legalworld.model.punctuation import punctuation
from legalworld.model.reply_form import ReplyForm
from legalworld.runs.journal import AnswerLine, EventLine
from legalworld.runs.loop import ReplayLog

FOLDER = Path(__file__).parent / "constructs" / "converses_until_limit"


def taken(raw: str, form: ReplyForm) -> Parsed:
    return unformatted(parse(raw, form), form)


def kept_of(raw: str, form: ReplyForm) -> str:
    found = parse(raw, form)
    return kept_words(raw, found.document, unformatted(found, form), form, marks=punctuation("zh"))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def counted(parsed: Parsed) -> tuple[object, ...]:
    value = (parsed.value,) if isinstance(parsed.value, str) else parsed.value or ()
    words = tuple(word for one in value if (word := one.replace("【", "").replace("】", "").strip()))
    return parsed.leading, parsed.ending, words, parsed.within, dict(parsed.values), parsed.raised


def assert_kept(raw: str, form: ReplyForm) -> None:
    """Read again, what was kept counts as the reply did, and nothing more has to be cut out of it."""
    first, kept = taken(raw, form), kept_of(raw, form)
    again = taken(kept, form)
    assert counted(again) == counted(first) or kept == NOTHING_LEFT, kept
    lost = {"empty", "no_answer", "no_score", "no_token", "cut"}
    if not {rule for rule, _ in first.faults} <= lost:
        assert letters(again.text) == letters(first.text) or kept == NOTHING_LEFT, kept


@pytest.mark.parametrize(("form", "row"), rows())
def test_what_is_kept_of_a_known_reply_is_read_as_it_was(form: ReplyForm, row: dict[str, str]) -> None:
    assert_kept(row["reply"] or "", form)


@settings(max_examples=300)
@given(replies)
def test_what_is_kept_of_any_reply_is_read_as_it_was(raw: str) -> None:
    for form in ALL_FORMS:
        assert_kept(raw, form)


# ---- what the next call of a thread is sent --------------------------------------------------------------------------

CONSTRUCT = read_construct(FOLDER)
NAMES = st.sampled_from(["musing", "独白", "X-Think", "pad", "note", "心里话"])
SECRET = "其实能出一百"
PAIRS = st.sampled_from(
    [("<{}>", "</{}>"), ("[{}]", "[/{}]"), ("＜{}＞", "＜/{}＞"), ("◁{}▷", "◁/{}▷"), ("<|{}|>", "<|/{}|>")]
)
WORDS = st.text(alphabet="六七八十九元整可以再低一点", min_size=1, max_size=12)
DRESSED = {
    "bold type": "**{}**",
    "bold type within": "我出，**{}**。",
    "a heading": "## 报价\n{}",
    "a fence": "```\n{}\n```",
    "a rule": "{}\n---",
    "his own label": "买家阿强：{}",
    "another's words": "{}\n卖家：成交。",
    "another's words, and his again": "{}\n卖家：成交。\n买家阿强：好。",
    "a salutation": "卖家：{}",
    "a mark of chat models": "{}<|im_start|>卖家",
    "a label in bold type": "**买家阿强：**{}",
}
DIRT = ("**", "## ", "```", "---", "买家阿强：", "卖家：", "im_start", SECRET)


def second_request(said: list[str]) -> tuple[Played, Request]:
    """The game, and the request for the second turn of the first buyer, who says these things before."""
    script = {**CONSTRUCT.script.replies, "buyer-1": [Reply(text=text) for text in (*said, "七十？")]}
    played = play(CONSTRUCT, script=script)
    mine = [one for one, _ in played.calls if isinstance(one, Request) and one.person == "buyer-1"]
    return played, mine[-1]


def own_words(request: Request) -> list[str]:
    return [message.content for message in request.messages if message.role == "assistant"]


@pytest.mark.parametrize("dress", DRESSED)
@settings(max_examples=12)
@given(words=WORDS)
def test_a_thread_holds_what_was_spoken(dress: str, words: str) -> None:
    written = [DRESSED[dress].format(words)]
    again = ["七十。"] if "im_start" in written[0] else []
    played, request = second_request([*written, *again])
    spoken = next(one.text for one in played.events if isinstance(one, Spoke) and one.person == "buyer-1")
    kept = own_words(request)
    assert len(kept) == 1 + len(again)
    assert not [sign for sign in DIRT for text in kept if sign in text]
    assert letters(kept[-1]) == letters(spoken)


@settings(max_examples=40)
@given(PAIRS, NAMES, WORDS)
def test_a_mark_that_nobody_knows_leaves_nothing_behind(pair: tuple[str, str], name: str, words: str) -> None:
    opening, closing = (mark.format(name) for mark in pair)
    _, request = second_request([f"{opening}{SECRET}{closing}{words}", words])
    assert own_words(request) == [NOTHING_LEFT, words]
    assert not any(SECRET in message.content for message in request.messages)


@settings(max_examples=20)
@given(WORDS, SURNAMES)
def test_a_clean_reply_stays_as_it_came(words: str, surname: str) -> None:
    said = f"{words}，{surname}**也这样说。"
    played, request = second_request([said])
    assert own_words(request) == [said]
    assert not [event for event in played.events if isinstance(event, Cleaned)]


@pytest.mark.parametrize("dress", DRESSED)
def test_threads_are_the_same_wherever_a_run_is_gone_on_with(dress: str) -> None:
    """From any place on, the same is sent: the prefix that a provider has kept stays one."""
    written = [DRESSED[dress].format("六十"), *(["七十。"] if "im_start" in DRESSED[dress] else [])]
    whole, _ = second_request(written)
    lines = [
        AnswerLine(n, one[0].id, one[1]) if isinstance(one, tuple) else EventLine(n, one)
        for n, one in enumerate(whole.record, 1)
    ]
    sent = {request.id: request.messages for request, _ in whole.calls if isinstance(request, Request)}
    answers = [n for n, line in enumerate(lines) if isinstance(line, AnswerLine)]
    for stop in answers:
        left: dict[str, list[Reply]] = {}
        for line in lines[stop:]:
            if isinstance(line, AnswerLine):
                person = line.request.split("/")[-2]
                left.setdefault(person, []).append(line.reply)
        again = play(CONSTRUCT, ReplayLog(lines[:stop]), left)
        assert again.events == whole.events
        assert {one.id: one.messages for one, _ in again.calls if isinstance(one, Request)}.items() <= sent.items()


# ---- calls -----------------------------------------------------------------------------------------------------------

ASKED_FOR = '<tool_call>{"name": "look", "arguments": {"name": "bill"}}</tool_call>'
OTHER_NOTATIONS = [
    '{"name": "look", "arguments": {"name": "bill"}}',
    "<tool_call><function=look><parameter=name>bill</parameter></function></tool_call>",
    '[TOOL_CALLS][{"name": "look", "arguments": {"name": "bill"}}]',
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>look\n```json\n"
    '{"name": "bill"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
]


@pytest.mark.parametrize("written", OTHER_NOTATIONS)
@pytest.mark.parametrize("before", ["", "**我先看看。**\n", "# 查\n"])
def test_a_call_stays_as_it_is_asked_for(written: str, before: str) -> None:
    form = form_of(FORMS["text"])
    kept = kept_call(before + written, form, native=False)
    assert kept.endswith(ASKED_FOR)
    assert "*" not in kept and "#" not in kept and kept.startswith(("<tool_call>", "我先看看。", "查"))
    assert kept_call(kept, form, native=False) == kept


def test_words_beside_native_calls_may_be_none() -> None:
    form = form_of(FORMS["text"])
    assert kept_call("", form, native=True) == ""
    assert kept_call(f"<musing>{SECRET}</musing>", form, native=True) == ""
    assert kept_call(f"<musing>{SECRET}</musing>", form, native=False) == NOTHING_LEFT


def test_a_mask_that_was_sent_is_no_markup() -> None:
    form = replace(form_of(FORMS["document"]), literals=literals(["原告粤Ａ×××**，"]))
    assert kept_piece("**一**、粤Ａ×××**，", form) == "一、粤Ａ×××**，"
