"""What holds of replies that nearly are what was asked for: made up from names, marks, orders and ends of lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.engine.conduct import Utterance, against
from legalworld.engine.markup import literals, without_markup
from legalworld.engine.nearest import nearly_said, plain, said_otherwise
from legalworld.engine.replies import parse, unformatted
from legalworld.language.sentences.keywords import FILLERS
from legalworld.model.ast import ConductCheck
from legalworld.model.plan import Answer
from legalworld.model.reply_form import ReplyForm
from legalworld.model.source import Span

NOWHERE = Span("", 0, 0)
LABELS = frozenset({"审判长", "原告代理律师", "被告", "被告张三", "证人李四", "Judge"})
PLAIN = ReplyForm("text", None, (), (), frozenset({"停", "完"}), "原告代理律师", LABELS, 60_000)


def asking(form: str, *choices: str) -> ReplyForm:
    return replace_form(Answer("理由", form, choices, "", NOWHERE))  # type: ignore[arg-type]


def replace_form(answer: Answer) -> ReplyForm:
    return replace(PLAIN, answer=answer)


# ---- asterisks -------------------------------------------------------------------------------------------------------

SURNAMES = st.sampled_from("张王李赵欧阳")
MASKED = st.one_of(
    st.builds("{}{}".format, SURNAMES, st.sampled_from(["*", "**", "***"])),
    st.builds("{}**{}".format, st.sampled_from(["138", "粤A", "粤Ａ", "6222"]), st.sampled_from(["1234", "×××", "号"])),
    st.builds("138{}1234".format, st.sampled_from(["****", "****", "*****"])),
    st.just("粤Ａ×××**"),
    st.builds("（{}）**民初{}号".format, st.integers(2000, 2026), st.integers(1, 999)),
    st.sampled_from(["**公司", "**银行股份有限公司", "***街道办事处", "深圳市**科技有限公司"]),
)
BETWEEN = st.sampled_from(
    ["、", "，", "与", "诉", "：", "（", "）", "。", " ", "\n", "\n\n", "的陈述，", "向", "/", "1"]
)


@st.composite
def masked_texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    pairs = draw(st.lists(st.tuples(MASKED, BETWEEN), min_size=1, max_size=8))
    return "".join(name + mark for name, mark in pairs).strip(), [name for name, _ in pairs]


@given(masked_texts(), st.sampled_from(["案由：{}。", "{}", "甲{}乙", "- {}\n"]))
def test_masks_that_were_sent_come_out_sign_for_sign(masked: tuple[str, list[str]], sent: str) -> None:
    text, names = masked
    form = replace(PLAIN, literals=literals(sent.format(name) for name in names))
    found = unformatted(parse(text, form), form)
    assert found.text == text
    assert not found.formatted
    check = ConductCheck("no markdown", "", 0, "", NOWHERE)
    assert against(check, Utterance(text, "", "", "", None, form.literals)) is None


@given(st.lists(st.tuples(SURNAMES, st.sampled_from("、，诉与。：")), min_size=1, max_size=8))
def test_masks_behind_a_word_need_not_have_been_sent(names: list[tuple[str, str]]) -> None:
    text = "".join(f"{name}**{mark}" for name, mark in names).strip()
    assert without_markup(text) == text


WORDS = st.text(alphabet="证据合同应当还款一二", min_size=1, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=6), SURNAMES)
def test_bold_type_goes_among_masks_that_were_sent(words: list[str], surname: str) -> None:
    known = literals([f"原告{surname}**，"])
    text = "，".join(f"**{word}**：{surname}**说过" for word in words)
    assert without_markup(text, known) == "，".join(f"{word}：{surname}**说过" for word in words)


@given(WORDS, SURNAMES, st.sampled_from(["{}**", "（{}）**", "{}***"]), st.sampled_from(["说", "：", "，", ""]))
def test_a_mask_that_was_sent_ends_no_bold_type(word: str, surname: str, mask: str, behind: str) -> None:
    """What begins like bold type and ends with a mask is a mask, and what stands before it."""
    masked = mask.format(surname)
    text = f"{masked[len(masked.rstrip('*')) :]}{word}{masked}{behind}"
    assert without_markup(text, literals([f"原告{masked}，"])) == text


@given(
    st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(["# {}", "### {}", "---\n{}", "* * *\n{}", "~~~\n{}\n~~~"])
)
def test_headings_rules_and_fences_go(words: list[str], dressed: str) -> None:
    assert without_markup("\n".join(dressed.format(word) for word in words)) == "\n".join(words)


# ---- answers in free words -------------------------------------------------------------------------------------------


def alone(value: str) -> bool:
    """Whether some line is nothing but what stands in marks: as a heading of prompts is, and may not look."""
    return any(not line.strip("，。 ") or (line[0] == "【" and line[-1] == "】") for line in value.split("\n"))


PIECES = st.sampled_from(
    ["见评鉴字", "【2022】", "012号", "，", "【附件【一】】", "。第二行\n", "有", "《民法典》", "（1）", " "]
)
VALUES = st.lists(PIECES, min_size=1, max_size=9).map("".join).map(str.strip).filter(lambda value: not alone(value))
BEFORE = st.sampled_from(["", "本院审查过了。\n", "理由不止一个。"])


@given(
    VALUES,
    BEFORE,
    st.sampled_from(["【理由：{}】", "【理由:{}】", "【 理由 ：{}】", "【理由：{}】\n【停】", "【理由：{}】。"]),
)
def test_an_answer_is_read_from_its_name_to_its_last_mark(value: str, before: str, written: str) -> None:
    found = parse(before + written.format(value), asking("text"))
    assert found.value == value
    assert found.text == before.strip()


@given(
    VALUES,
    st.sampled_from(["", "本院审查过了。\n"]),
    st.sampled_from(["【理由：{}", "理由：{}", "**理由**：{}", "<<理由: {}", "【理由】：{}"]),
)
def test_an_answer_that_is_not_closed_goes_on_to_the_end(value: str, before: str, written: str) -> None:
    found = parse(before + written.format(value), asking("text"))
    assert isinstance(found.value, str)
    assert found.value == value


@given(VALUES)
def test_whatever_breaks_off_is_asked_again_or_read_as_it_stands(value: str) -> None:
    whole = f"【理由：{value}】"
    for end in range(len(whole)):
        found = parse(whole[:end], asking("text"))
        said = found.value
        assert said is None or (isinstance(said, str) and said and said in whole)


# ---- choices and markers ---------------------------------------------------------------------------------------------

DECISIONS = [
    ("支持", "不支持"),
    ("予以支持", "不予支持"),
    ("予以采信", "部分采信", "不予采信"),
    ("成立", "不成立"),
    ("认定成立", "认定不成立"),
    ("从重处罚", "从轻处罚", "免予处罚"),
    ("全部支持", "部分支持", "驳回"),
    ("granted", "granted in part", "refused"),
    ("lawful", "unlawful"),
    ("proved", "not proved"),
]


def alike(word: str, choice: str) -> bool:
    """Whether a word begins and ends as a choice does and denies as often."""
    ends = (word[0], word[-1]) == (choice[0], choice[-1])
    return ends and all(word.count(no) == choice.count(no) for no in ("不", "免", "not", "un"))


@pytest.mark.parametrize("choices", DECISIONS)
def test_a_choice_short_of_letters_is_that_choice_or_none(choices: tuple[str, ...]) -> None:
    form = asking("choice", *choices)
    for choice in choices:
        assert parse(f"【理由：{choice}】", form).value == choice
        for first in range(len(choice)):
            for last in range(first + 1, len(choice)):
                word = choice[:first] + choice[last:]
                found = parse(f"【理由：{word}】", form).value
                assert found is None or alike(word.strip(), str(found)), (word, found)


@given(
    st.sampled_from(DECISIONS),
    st.text(alphabet="不未无非支持采信成立予以从轻重处罚驳回认定部分全", min_size=1, max_size=6),
)
def test_no_word_is_taken_for_its_opposite(choices: tuple[str, ...], word: str) -> None:
    found = said_otherwise(word, choices)
    assert not found or all(word.count(no) == found.count(no) for no in "不未无非免")


@pytest.mark.parametrize(
    ("said", "token"),
    [
        ("对原告律师说", "对原告代理律师说"),
        ("对 原告代理律师 说", "对原告代理律师说"),
        ("结束庭审辩论", "结束法庭辩论"),
        ("结束辩论", "结束法庭辩论"),
        ("对被告说", ""),  # two of them
        ("对证人说", ""),
        ("继续法庭辩论", ""),
        ("不结束法庭辩论", ""),
        ("对原告说", ""),  # another word in the middle would be another person
    ],
)
def test_who_was_meant(said: str, token: str) -> None:
    calls = ("对原告代理律师说", "对被告张三说", "对被告李四说")
    form = replace(PLAIN, own="审判长", leading=(*calls, "结束法庭辩论"), calls=calls)
    assert parse(f"【{said}】请说。", form).leading in {token, "对原告代理律师说" if said == "对原告说" else token}
    assert parse(f"【{said}】请说。", form).leading == token or said == "对原告说"
    # In a procedure the calls of all roles are known by one form, and those who cannot be called now have names too.
    labels = frozenset({"原告", "原告代理律师", "被告张三", "被告李四", "证人"})
    form = replace(form, tokens=frozenset({"对{role}说"}), labels=labels)
    assert parse(f"【{said}】请说。", form).leading == token


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ("结束咨询", "咨询结束"),
        ("咨询 结束", "咨询结束"),
        ("起草完毕", ""),
        ("结束", ""),
        ("结束起草", "起草结束"),
        ("不咨询结束", ""),
        ("束咨询结", ""),
    ],
)
def test_an_end_with_its_halves_turned_is_that_end(said: str, ending: str) -> None:
    form = replace(PLAIN, ending=("咨询结束", "起草结束"))
    assert parse(f"我听明白了，谢谢。\n\n【{said}】", form).ending == ending


@given(
    st.sampled_from(DECISIONS), st.text(alphabet="暂缓驳回拒绝免除撤销 denyrefus", min_size=1, max_size=6), st.data()
)
def test_a_choice_with_an_unknown_word_put_in_is_none(choices: tuple[str, ...], put: str, data: st.DataObject) -> None:
    choice = data.draw(st.sampled_from(choices))
    at = data.draw(st.integers(1, len(choice) - 1))
    said = f"{choice[:at]}{put}{choice[at:]}"
    found = said_otherwise(said, choices)
    assert not found or "".join(said.split()).casefold() == "".join(choice.split()).casefold()
    assert said_otherwise(f"{choice} {put}ed", choices) == ""


LETTERS = [
    *DECISIONS,
    ("本案不予受理", "移送管辖"),
    ("是他没有还", "是他还了一半"),
    ("与本案无关系", "另案处理"),
    ("disproved", "settled"),
    ("不得执行", "准许执行", "驳回诉讼请求"),
    ("无异议", "有异议", "不发表意见"),
    ("应予撤销", "应当变更"),
]


def runs(size: int) -> Iterator[tuple[bool, ...]]:
    """Each row of letters that follow each other left out."""
    for first, last in combinations(range(size + 1), 2):
        yield tuple(not first <= at < last for at in range(size))


def gone(short: str, whole: str) -> set[str]:
    """What may have been left out of a word, by each way to find the one in the other."""
    if not short:
        return {whole}
    found = set()
    for at, letter in enumerate(whole):
        if letter == short[0]:
            found |= {whole[:at] + "/" + rest for rest in gone(short[1:], whole[at + 1 :])}
    return found


@pytest.mark.parametrize("choices", LETTERS)
def test_of_a_choice_only_what_is_known_to_say_nothing_may_be_left_out(choices: tuple[str, ...]) -> None:
    """Whatever else is missing may have turned the word round: it is asked for again."""
    empty = re.compile(rf"(?:/|{'|'.join(FILLERS)})*")
    for choice in choices:
        whole = plain(choice)
        for kept in product([True, False], repeat=len(whole)) if len(whole) < 10 else runs(len(whole)):
            word = "".join(letter for letter, stays in zip(whole, kept, strict=True) if stays)
            found = said_otherwise(word, choices)
            if found and word != plain(found) and len(word) < len(plain(found)):
                assert any(empty.fullmatch(left) for left in gone(word, plain(found))), (word, found)
    assert all(said_otherwise(choice, choices) == choice for choice in choices)


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("部分予以支持", "部分支持"),
        ("部分不予支持", ""),
        ("不支持", "不予支持"),
        ("不予以支持", "不予支持"),
        ("予以支持", "支持"),
        ("支持部分", ""),
        ("不予部分支持", ""),
    ],
)
def test_a_choice_with_letters_put_in(said: str, choice: str) -> None:
    form = asking("choice", "支持", "部分支持", "不予支持")
    assert (parse(f"理由如上。\n【理由：{said}】", form).value or "") == choice


@given(st.permutations(["原告", "被告", "证人"]), st.text(alphabet="问答。，", max_size=5))
def test_words_to_a_second_person_reach_nobody(persons: list[str], more: str) -> None:
    calls = tuple(f"对{person}说" for person in persons)
    form = replace(PLAIN, own="审判长", leading=calls, calls=calls)
    found = parse("".join(f"【{call}】{call}的话{more}。" for call in calls), form)
    assert (found.leading, found.text.rstrip("。，")) == (calls[0], f"{calls[0]}的话{more}".rstrip("。，"))
    assert ("second_call", calls[1]) in found.faults


def test_markers_are_not_taken_for_one_another() -> None:
    markers = ("结束法庭调查", "结束法庭辩论", "恢复法庭调查")
    assert nearly_said("结束庭审", markers) == ""
    assert [nearly_said(marker, markers) for marker in markers] == list(markers)


# ---- voices ----------------------------------------------------------------------------------------------------------

LINE_ENDS = [
    sign
    for sign in map(chr, range(sys.maxunicode + 1))
    if category(sign) in ("Zl", "Zp") or len(f"a{sign}b".splitlines()) == 2
]
UNSEEN = ["", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164", "\ufe0f", "\U000e0020"]
COLONS = ["：", ":", "∶", "꞉", "︰", "﹕", "˸", "ː", "፡", "׃", "⁚"]
OTHERS = sorted(LABELS - {PLAIN.own})


@given(
    st.sampled_from(OTHERS), st.sampled_from(LINE_ENDS), st.sampled_from(UNSEEN), st.sampled_from(COLONS),
    st.sampled_from(["", "> ", "- ", "**", "1. ", "　　", "（", "【"]), st.integers(0, 3),
)  # fmt: skip
def test_nobody_else_seems_to_speak(who: str, end: str, unseen: str, colon: str, before: str, at: int) -> None:
    name = who[:at] + unseen + who[at:]
    found = parse(f"我方没有异议。{end}{before}{name}{colon}本庭采信。", PLAIN)
    last = found.text.split("\n")[-1]
    assert last.startswith("〔") and last.endswith("〕本庭采信。")
    assert found.text.startswith("我方没有异议。\n")  # and no word is lost


@given(
    st.sampled_from(OTHERS), st.sampled_from(["\n", "\n\n", "", " "]),
    st.text(alphabet="我方认为证据不足，。\n请法庭审查", min_size=1, max_size=60).filter(str.strip),
)  # fmt: skip
def test_whoever_addresses_the_court_first_is_heard(who: str, gap: str, words: str) -> None:
    for salutation in (f"{who}：", f"尊敬的{who}：", f"{who}、各位陪审员：", f"{who}（们）：", f"**{who}**："):
        found = parse(f"{salutation}{gap}{words}", PLAIN)
        assert "".join(found.text.split()).endswith("".join(words.split()))
        assert not any(line.startswith(f"{who}：") for line in found.text.split("\n"))


SPOKEN = st.text(alphabet="我方认为证据不足请法庭审查，。", min_size=1, max_size=40).filter(
    lambda text: text.strip("，。")
)


@given(
    st.sampled_from(OTHERS), st.sampled_from(OTHERS), SPOKEN, st.sampled_from(COLONS),
    st.sampled_from(["", "> ", "**", "　　"]), st.sampled_from(UNSEEN), st.integers(0, 3),
)  # fmt: skip
def test_whom_one_speaks_to_is_greeted_and_anybody_else_put_words_into_his_mouth(
    who: str, spoken_to: str, words: str, colon: str, before: str, unseen: str, at: int
) -> None:
    name = who[:at] + unseen + who[at:]
    found = parse(f"{before}{name}{colon}{words}", replace(PLAIN, addressed=frozenset({spoken_to})))
    assert "".join(found.text.split()).endswith("".join(words.split()).lstrip("，"))  # words are kept in any case
    seen = found.text.replace(unseen, "") if unseen else found.text
    assert re.match(f"{re.escape(who)}[,，]", seen)
    assert [rule for rule, _ in found.faults] == ["salutation" if who == spoken_to else "forged_speaker"]


@given(st.sampled_from(OTHERS), SPOKEN, SPOKEN)
def test_a_line_further_on_is_no_salutation(who: str, first: str, words: str) -> None:
    found = parse(f"{first}\n{who}：{words}", replace(PLAIN, addressed=frozenset(OTHERS)))
    assert [rule for rule, _ in found.faults] == ["forged_speaker"]
    assert f"〔{who}〕" in found.text


@given(st.sampled_from(OTHERS), st.sampled_from(["yes", "no"]), st.lists(st.sampled_from(OTHERS), max_size=4))
def test_no_vote_and_no_ruling_is_lost(who: str, vote: str, more: list[str]) -> None:
    form = asking("yes or no")
    words = "\n".join(f"{one}：主张不同。" for one in [who, *more])
    said = f"综合以下意见。\n{words}\n【理由：{vote}】"
    for heard in (True, False):
        found = parse(said, replace(form, heard=heard))
        assert found.value == vote
    assert "\n".join(parse(said, replace(form, heard=False)).text.split("\n")[1:]) == words  # nobody hears it


@given(st.lists(st.sampled_from(OTHERS), min_size=1, max_size=4))
def test_a_talk_that_is_played_out_is_split_off(others: list[str]) -> None:
    talk = "\n".join(f"{one}：好，我同意。\n原告代理律师：那就这样。" for one in others)
    found = parse(f"我方愿意调解。\n{talk}", PLAIN)
    assert found.text == "我方愿意调解。"
    assert found.faults == (("speaks_for_another", others[0]),)


@given(st.sampled_from(OTHERS))
def test_what_is_said_in_the_name_of_another_decides_nothing(who: str) -> None:
    form = replace(PLAIN, ending=("停",))
    assert not parse(f"我再想想。\n{who}：【停】", form).ending
    asked = asking("yes or no")
    assert parse(f"我再想想。\n{who}：【理由：是】", asked).value is None


# ---- brackets of another kind ----------------------------------------------------------------------------------------

PAIRS = st.sampled_from(
    [
        (chr(code), chr(code + step))
        for code in range(0x20, 0x10000)
        for step in (1, 2)
        if (category(chr(code)), category(chr(code + step))) == ("Ps", "Pe") and chr(code) not in "【{<"
    ]
)


@given(
    PAIRS,
    st.sampled_from(["我出价。\n", "我出价。", "", "见（附件）。\n"]),
    st.integers(0, 10**6),
    st.sampled_from("：:"),
)
def test_an_answer_in_other_brackets_is_that_answer(
    pair: tuple[str, str], before: str, number: int, colon: str
) -> None:
    found = parse(f"{before}{pair[0]}理由{colon}{number}{pair[1]}", asking("number"))
    assert (found.value, found.text) == (str(number), before.strip())


@given(PAIRS, st.sampled_from(["150", "另议", "理由另说", "其他：150", "由：3"]))
def test_brackets_without_the_name_are_words(pair: tuple[str, str], inside: str) -> None:
    found = parse(f"我出价。{pair[0]}{inside}{pair[1]}", asking("number"))
    assert found.value is None
