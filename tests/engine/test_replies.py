"""Replies taken apart: tables of what comes of each, and what holds for any text whatever."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.binding.casefile import parse_data
from legalworld.engine.parsed import Parsed
from legalworld.engine.replies import parse, unformatted
from legalworld.model.plan import Answer
from legalworld.model.reply_form import ReplyForm
from legalworld.model.source import Span

TABLES = sorted((Path(__file__).parent / "replies").glob("*.yaml"))


def form_of(written: dict[str, Any]) -> ReplyForm:
    asked = written.get("answer")
    answer = None
    if asked:
        answer = Answer(asked["name"], asked["form"], tuple(asked.get("choices") or ()), "", Span("", 0, 0))
    return ReplyForm(
        kind=written.get("kind") or "text",
        answer=answer,
        leading=tuple(written.get("leading") or ()),
        ending=tuple(written.get("ending") or ()),
        tokens=frozenset(written.get("tokens") or ()),
        own=written["own"],
        labels=frozenset(written["labels"]),
        limit=int(written.get("limit") or 60_000),
        called=frozenset(written.get("called") or ()),
        within=tuple(written.get("within") or ()),
        values=tuple(written.get("values") or ()),
        lowest=float(written.get("lowest") or 0),
        highest=float(written.get("highest") or 0),
    )


def rows() -> list[Any]:
    found = []
    for file in TABLES:
        data, problems = parse_data(file.name, file.read_text(encoding="utf-8"))
        assert data is not None, problems
        form = form_of(data.value["form"])
        found += [
            pytest.param(form, row, id=f"{file.stem}-{number}") for number, row in enumerate(data.value["replies"], 1)
        ]
    return found


@pytest.mark.parametrize(("form", "row"), rows())
def test_reply(form: ReplyForm, row: dict[str, Any]) -> None:
    value = row.get("value")
    faults = tuple(tuple([*fault.split(" ", 1), ""][:2]) for fault in row.get("faults") or ())
    expected = Parsed(
        text=row.get("text") or "",
        leading=row.get("leading") or "",
        ending=row.get("ending") or "",
        value=tuple(value) if isinstance(value, list) else value,
        faults=faults,
        within=tuple(row.get("within") or ()),
        values={name: float(number) for name, number in (row.get("values") or {}).items()},
    )
    assert replace(parse(row["reply"] or "", form), given="") == expected


FORMATTED = Path(__file__).parent / "formatted.yaml"


def formatted() -> list[Any]:
    data, problems = parse_data(FORMATTED.name, FORMATTED.read_text(encoding="utf-8"))
    assert data is not None, problems
    return [pytest.param(row["written"], row["said"], id=row["case"]) for row in data.value]


@pytest.mark.parametrize(("written", "said"), formatted())
def test_markdown_is_neither_spoken_nor_signed(written: str, said: str) -> None:
    parsed = unformatted(Parsed(written))
    assert parsed.text == said
    assert parsed.formatted == ("" if written == said else written)  # which rules of conduct are held against
    assert unformatted(Parsed("", draft=written)).draft == said


# ---- whatever is said ------------------------------------------------------------------------------------------------

FORMS = {
    "text": {
        "own": "审判长",
        "labels": ["审判长", "原告", "被告张三", "被告"],
        "tokens": ["停", "对{role}说", "b：{value}"],
    },
    "chair": {"own": "甲", "labels": ["甲", "乙"], "leading": ["对乙说", "停"], "tokens": ["对{role}说", "完"]},
    "talk": {"own": "甲", "labels": ["甲", "乙"], "ending": ["完"], "tokens": ["停"]},
    "either": {"kind": "either", "own": "甲", "labels": ["甲", "乙"], "ending": ["完"], "tokens": ["停"]},
    "document": {"kind": "document", "own": "甲", "labels": ["甲", "乙"], "ending": ["完"], "tokens": ["停"]},
    "answer": {"own": "甲", "labels": ["甲", "乙"], "tokens": ["停"], "answer": {"name": "b", "form": "yes or no"}},
    "number": {"own": "甲", "labels": ["甲", "乙"], "tokens": ["停"], "answer": {"name": "b", "form": "number"}},
    "driver": {"own": "甲", "labels": ["甲", "乙"], "leading": ["对乙说"], "ending": ["完"], "within": ["停"]},
    "scores": {"own": "甲", "labels": [], "values": ["b"], "lowest": 0, "highest": 5, "tokens": ["停"]},
    "list": {"own": "甲", "labels": ["甲", "乙"], "leading": ["停"], "answer": {"name": "b", "form": "list"}},
}
ALL_FORMS = [form_of(written) for written in FORMS.values()]
PIECES = [
    "【",
    "】",
    "停",
    "完",
    "对",
    "乙",
    "说",
    "b",
    "：",
    ":",
    "是",
    "80",
    "万",
    "甲",
    "原告",
    "被告张三",
    "\n",
    " ",
    "*",
    ">",
    "；",
    "。",
    "{role}",
    "好",
]
WORDS = [
    "【停】",
    "【完】",
    "【对乙说】",
    "【对丙说】",
    "【b：是】",
    "【b:80】",
    "乙：",
    "\n乙：",
    "\n被告：",
    "甲：",
    "【b：",
    "审判长：",
]
replies = st.one_of(
    st.text(),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from([*PIECES, *WORDS]), max_size=30).map("".join),
)


@settings(max_examples=400)
@given(replies)
def test_any_text_is_taken_apart(raw: str) -> None:
    for form in ALL_FORMS:
        assert_taken_apart(raw, form)


def assert_taken_apart(raw: str, form: ReplyForm) -> None:
    found = parse(raw, form)
    assert found == parse(raw, form)
    assert len(found.text) <= len(raw) + len(raw.splitlines())  # a label in other brackets is one sign longer
    assert not said_tokens(found.text, form)
    document = form.kind == "document" or (form.kind == "either" and found.ending)
    if not document:
        assert not said_labels(found.text, form)
    assert found.leading in ("", *form.leading)
    assert found.ending in ("", *form.ending)
    assert form.answer is not None or found.value is None
    assert set(found.within) <= set(form.within) and len(set(found.within)) == len(found.within)
    assert all(form.lowest <= number <= form.highest for number in found.values.values())
    assert {f"no_score {name}" for name in form.values if name not in found.values} == {
        " ".join(fault) for fault in found.faults if fault[0] == "no_score"
    }
    if form.answer is not None:
        rules = [rule for rule, _ in found.faults]
        assert (found.value is None and not found.leading) == ("no_answer" in rules)


def said_tokens(text: str, form: ReplyForm) -> list[str]:
    """Tokens that others would hear; told another way than the parser does."""
    tokens = [*form.tokens, *form.leading, *form.ending, *form.within, *(f"{name}：{{value}}" for name in form.values)]
    tokens += [f"{form.answer.name}：{{value}}"] if form.answer else []
    patterns = [re.sub(r"\\\{\w+\\\}", "[^【】]*", re.escape(token)).replace("：", "[：:]") for token in tokens]
    return [found for pattern in patterns for found in re.findall(f"【[ ]*{pattern}[ ]*】", text)]


def said_labels(text: str, form: ReplyForm) -> list[str]:
    """Lines that begin as another's words."""
    others = form.labels - {form.own}
    heads = [re.split("[：:]", line)[0].strip() for line in text.split("\n") if re.search("[：:]", line)]
    return [head for head in heads if head in others]


def test_tokens_inside_tokens_cost_no_time() -> None:
    form = form_of(FORMS["chair"])
    found = parse("甲：好" + "【完" * 15_000 + "】" * 15_000 + "【停】", form)
    assert not said_tokens(found.text, form)
    assert found.faults == (("forged_token", "完"), ("token_not_at_start", "停"))


@pytest.mark.parametrize("closing", ["", "。", "！", " .", "\n", "。\n"])
@pytest.mark.parametrize("behind", ["", "请你也说。"])
def test_a_call_at_the_end_is_no_second_one_whatever_closes_the_sentence(closing: str, behind: str) -> None:
    form = ReplyForm("text", None, CALLS, (), frozenset(CALLS), "审判长", frozenset({"甲", "乙"}), 60_000, calls=CALLS)
    parsed = parse(f"【对甲说】请说。【对乙说】{behind}{closing}", form)
    assert parsed.leading == "对甲说"
    assert [rule for rule, _ in parsed.faults if rule == "second_call"] == (["second_call"] if behind else [])


CALLS = ("对甲说", "对乙说")


PLEADING = "起诉状\n原告：张三\n{}：李四\n诉讼请求\n归还本金。\n事实与理由\n借款到期未还。"


@pytest.mark.parametrize("who", ["被告", "被上诉人"])
@pytest.mark.parametrize("kind", ["either", "text"])
@pytest.mark.parametrize("sections", [("诉讼请求", "事实与理由"), ("上诉请求", "上诉理由")])
def test_whom_a_document_names_nobody_has_forged(who: str, kind: Any, sections: tuple[str, ...]) -> None:
    """Though it is not handed in yet: it holds the parts of one where one may be handed in."""
    labels = frozenset({"原告", "被告", "被上诉人"})
    form = ReplyForm(kind, None, (), ("写完",), frozenset({"写完"}), "原告", labels, 60_000, sections=sections)
    parsed = parse(PLEADING.format(who), form)
    written = kind == "either" and sections[0] in PLEADING
    assert bool(parsed.draft) == written
    assert (f"{who}：李四" in parsed.draft) == written
    assert ("forged_speaker" in {rule for rule, _ in parsed.faults}) == (not written)
