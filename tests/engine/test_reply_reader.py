"""What models write, read: each known habit; streamed in any pieces as in one; marks that a project adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from legalworld.engine.call_forms import opens
from legalworld.engine.reply_reader import ReplyReader, joined, read
from legalworld.model.dialect import Dialect, known_dialect

HABITS = YAML(typ="safe").load((Path(__file__).parent / "habits.yaml").read_text(encoding="utf-8"))
KNOWN = known_dialect()


def calls_in(reader: ReplyReader) -> list[list[str]]:
    return [[call.name, call.arguments] for segment in reader.segments for call in segment.calls]


def in_pieces(reply: str, sizes: list[int], *, calls: bool = True) -> tuple[ReplyReader, list[str | None]]:
    """A reply fed in pieces of these sizes, again and again; what was told of its words."""
    reader, told, at = ReplyReader(KNOWN, calls=calls), [], 0
    while at < len(reply):
        size = sizes[at % len(sizes)]
        told += reader.feed(reply[at : at + size])
        at += size
    return reader, [*told, *reader.close()]


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit["habit"])
def test_each_habit_is_read(habit: dict[str, Any]) -> None:
    reader = read(habit["reply"], KNOWN)
    assert (reader.text, reader.thought, calls_in(reader)) == (habit["text"], habit["thought"], habit.get("calls", []))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit["habit"])
def test_what_is_told_while_a_habit_comes_is_what_it_says(habit: dict[str, Any], size: int) -> None:
    reader, told = in_pieces(habit["reply"], [size])
    assert joined(told) == reader.text == habit["text"]
    if not habit["reply"].startswith(("底价", "想一想")):  # where nothing says at first that it is a thought
        assert "77" not in "".join(filter(None, told))


MARKS = sorted(
    {
        *(row.opening for row in (*KNOWN.thoughts, *KNOWN.words)),
        *(closing for row in (*KNOWN.thoughts, *KNOWN.words) for closing in row.closings),
        *KNOWN.dropped,
        *KNOWN.ends,
        *KNOWN.frames,
        *(form.opening for form in KNOWN.calls),
        *(form.closing for form in KNOWN.calls),
    }
    - {""}
)
WORDS = [
    *(
        "我方",
        "意见。",
        "\n",
        "\n\n",
        " ",
        "“",
        "”",
        "`",
        '"',
        "```json\n",
        "```",
        "<",
        "</",
        ">",
        "a<b",
        "{",
        '{"',
        "[",
    ),
    *('{"name": "f", "arguments": {"a": "b"}}', '{"x": 1}', 'f(a="b")', "functions.f:0", "<THINK >", "</ think>"),
    *('<think a="b">', "<parameter=k>v</parameter>"),
]
REPLIES = st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS), max_size=9).map("".join)


@settings(max_examples=600)
@given(REPLIES, st.integers(0, 200), st.lists(st.integers(1, 7), min_size=1, max_size=5), st.booleans())
def test_pieces_change_nothing(reply: str, cut: int, sizes: list[int], calls: bool) -> None:
    reply = reply[: len(reply) - cut] if cut < 60 else reply
    whole = read(reply, KNOWN, calls=calls)
    reader, told = in_pieces(reply, sizes, calls=calls)
    assert (reader.text, reader.thought, calls_in(reader)) == (whole.text, whole.thought, calls_in(whole))
    assert joined(told) == reader.text
    assert "".join(segment.raw for segment in reader.segments) == reply  # nothing is lost or made up


@settings(max_examples=300)
@given(
    st.sampled_from([row for row in KNOWN.thoughts if not row.start]),
    st.text("我方意见。 \nabc", max_size=12),
    st.text("我方意见。 \nabc", max_size=12),
    st.integers(0, 400),
)
def test_what_a_known_mark_encloses_is_never_said(row: Any, before: str, after: str, cut: int) -> None:
    for closing in row.closings:
        reply = f"{before}{row.opening}底价是77{closing}{after}"
        reader = read(reply[: len(before) + len(row.opening) + cut], KNOWN)
        assert "7" not in reader.text


def test_a_project_adds_marks_of_its_own() -> None:
    reply = "<<musing>>底价是77<</musing>>我方意见如下。~~calc~~底价~~done~~"
    assert read(reply, KNOWN).text == reply
    added = [{"opening": "<<musing>>", "closing": "<</musing>>"}, {"opening": "~~calc~~", "closing": "~~done~~"}]
    reader = read(reply, KNOWN.extended(added))
    assert (reader.text, reader.thought) == ("我方意见如下。", "底价是77\n底价")


ROWS = {
    "any case": ({}, "<m>甲</M>乙", "乙"),
    "exact": ({"case": "exact"}, "<M>甲</M>乙", "<M>甲</M>乙"),
    "at the start": ({"where": "start", "in_prompt": False}, "乙<m>甲</m>", "乙<m>甲</m>"),
    "several ends": ({"closing": ["</m>", "##"]}, "<m>甲##乙", "乙"),
    "never in the prompt": ({"in_prompt": False}, "甲</m>乙", "甲</m>乙"),
}


@pytest.mark.parametrize(("row", "reply", "text"), ROWS.values(), ids=ROWS)
def test_a_mark_is_plain_data(row: dict[str, Any], reply: str, text: str) -> None:
    dialect = Dialect(()).extended([{"opening": "<m>", "closing": "</m>", **row}])
    assert read(reply, dialect).text == text


HOSTILE = [
    "<",
    "<b ",
    "</think>",
    "<think>",
    "\n",
    '{"a"\n',
    "```\n",
    '<tool_call>{"',
    "[f(",
    "<|im_end|>",
    "a<think>x</think>",
]


@pytest.mark.parametrize("scrap", HOSTILE)
def test_a_long_hostile_reply_is_read_in_time(scrap: str) -> None:
    """Sixty thousand characters take no more steps than they should: seconds, not minutes, on a busy machine."""
    reply = scrap * (60_000 // len(scrap))
    assert "".join(segment.raw for segment in read(reply, KNOWN).segments) == reply


@pytest.mark.parametrize("frame", sorted(KNOWN.frames))
@pytest.mark.parametrize("words", ["我说完了。", "请看：{不是调用}", ""])
def test_a_mark_around_calls_that_stands_alone_makes_no_call(frame: str, words: str) -> None:
    """Unless it opens one by itself: what such a mark begins and no form reads is a call that is refused."""
    opening = bool(opens(frame, 0, KNOWN))
    segments = read(f"好。{frame}{words}", KNOWN).segments
    assert opening or not any(segment.kind == "call" for segment in segments)
