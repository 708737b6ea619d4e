"""What a record is called: by words, wherever it has any."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import TOP_SPECS
from playing import ROOT, matter, play, project
from ruamel.yaml import YAML

from legalworld.model.case import Record, Sided, called
from legalworld.model.events import Request

SPECS = [file.stem for file in TOP_SPECS]
NUMBERS = st.sampled_from(["1", "2.", "（三）", "四", "①", "12,000.00", "-1"])
WORDS = st.sampled_from(["判令被告还款", "the price of the worktop", "原证1 借条", "第1项"])


def records(value: object) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    for one in value if isinstance(value, tuple) else ():
        yield from records(one)
    for one in value.values.values() if isinstance(value, Sided) else ():
        yield from records(one)


def says(text: str) -> bool:
    return any(sign.isalpha() and not sign.isnumeric() for sign in text)


@pytest.mark.parametrize("spec", SPECS)
def test_no_record_of_a_shipped_case_is_called_a_mere_number(spec: str) -> None:
    example = YAML(typ="safe").load((ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8"))["example"]
    assert project(spec).procedure is not None
    case = matter(str(example).removeprefix("cases/").removesuffix(".yaml"), spec=spec).case
    found = [record for value in case.fields.values() for record in records(value)]
    for record in found:
        assert says(called(record)) or not any(isinstance(one, str) and says(one) for one in record.values()), record


@given(NUMBERS, WORDS, st.permutations(["n", "text", "amount"]))
def test_a_number_comes_with_the_first_words(number: str, words: str, order: list[str]) -> None:
    record = Record({"n": number, "text": words, "amount": "5"}, tuple(order))
    assert words in called(record)
    assert called(record).startswith((number, words, "5"))


@given(NUMBERS)
def test_where_there_are_no_words_a_number_is_all(number: str) -> None:
    assert called(Record({"n": number})) == number
    assert called(Record({"id": number, "name": ""})) == number


def test_who_reads_that_an_answer_is_missing_reads_on_what() -> None:
    def script(request: Request, text: str) -> str:
        answer = request.form.answer
        return "再想一想。" if answer is not None and answer.name in ("decision", "ruling") else text

    game = play("jiedai", until="FIT/judgment/award", script=script)
    sent = "\n".join(message.content for request in game.requests for message in request.added)
    about = re.findall("就“([^”]*)”没有作答", sent)
    assert about and all(map(says, about)), about
