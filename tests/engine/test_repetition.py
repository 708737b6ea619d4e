"""Words that go round in a circle are seen, whatever goes round, and told; what merely is long is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from legalworld.engine.repetition import circle

SENTENCES = st.text(alphabet="原告被告应当返还借款本金一万元并支付利息，。", min_size=6, max_size=60).filter(
    lambda text: len({sign for sign in text if sign.isalpha()}) >= 4
)


@given(st.text(alphabet="甲乙丙丁戊己庚辛\n", max_size=80), SENTENCES, st.integers(8, 60), st.integers(0, 59))
def test_a_circle_is_seen_wherever_it_is_cut(before: str, sentence: str, rounds: int, cut: int) -> None:
    text = before + (sentence + "\n") * (rounds + 160 // len(sentence))
    text = text[: len(text) - cut % len(sentence)]
    at, stretch = circle(text)
    assert stretch
    assert at <= len(before) + 2 * len(sentence) + 2
    assert text[:at].startswith(before.rstrip()[: at - 1])


@given(SENTENCES)
def test_a_list_that_only_counts_on_is_a_circle(sentence: str) -> None:
    assert circle("".join(f"{number}. {sentence}\n" for number in range(10, 90)))[1]


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=80, unique=True))
def test_what_is_only_long_is_none(numbers: list[int]) -> None:
    words = "".join(chr(0x4E00 + number % 20_000) + chr(0x4E00 + number // 20_000 % 20_000) for number in numbers)
    assert circle(words) == (len(words), "")


@given(st.sampled_from(["……", "____", "-" * 8, "*" * 4, "\u3000", "￥　　元\n", "1.\n"]), st.integers(1, 500))
def test_blank_lines_of_a_form_are_none(blank: str, times: int) -> None:
    assert circle(blank * times)[1] == ""
