"""What single words and notations are taken for, at the limits: each is one step from what is taken otherwise."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from legalworld.engine.call_forms import readable_form
from legalworld.engine.held import _words
from legalworld.engine.named import words_of_item
from legalworld.model.case import Record

READABLE = (
    ("<<call {name}>>{arguments}<</call>>", ""),
    ("[TOOL] {name}: {arguments}", ""),
    ("<tool>{calls}</tool>", ""),
    ("<tool>{python}</tool>", ""),
    ("<tool>{name}{parameters}</tool>", "<p={key}>{value}</p>"),
)


@pytest.mark.parametrize(("form", "parameter"), READABLE)
def test_a_notation_is_readable_only_as_a_whole(form: str, parameter: str) -> None:
    """Each part that makes it readable is needed: the mark before it, what makes the call, its parameter."""
    assert readable_form(form, parameter)
    opening = form.partition("{")[0]
    for unmarked in ("", "call ", "to_call "):
        assert not readable_form(unmarked + form[len(opening) :], parameter)
    for hole in ("{name}", "{arguments}", "{calls}", "{python}", "{parameters}"):
        if hole in form:
            assert not readable_form(form.replace(hole, ""), parameter)
    assert not readable_form(form, "" if parameter else "<p={key}>{value}</p>")
    assert not readable_form(form + "{other}", parameter)
    if parameter:
        assert not any(readable_form(form, parameter.replace(hole, "")) for hole in ("{key}", "{value}"))


@pytest.mark.parametrize("word", ["a", "by", "sum", "paid", "7", "007", "2026"])
def test_the_shortest_words_say_nothing_and_numbers_always_do(word: str) -> None:
    counted = list(_words(f"{word}."))
    assert counted == ([word.lstrip("0")] if word.isdigit() else [word] if len(word) > 2 else [])


@pytest.mark.parametrize("text", ["款", "借款", "借款合同"])
def test_chinese_is_held_by_its_pairs(text: str) -> None:
    assert list(_words(text)) == ([text] if len(text) == 1 else [text[at : at + 2] for at in range(len(text) - 1)])


@pytest.mark.parametrize("keys", [keys for size in (1, 2, 3) for keys in combinations(("id", "name", "text"), size)])
def test_an_item_is_known_by_its_id_and_by_its_name_alone(keys: tuple[str, ...]) -> None:
    values = {"id": "E1", "name": "contract", "text": "signed in May"}
    for order in product((keys, keys[::-1])):
        record = Record({key: values[key] for key in order[0]})
        words = set(words_of_item(record, ("id", "name")))
        assert {values[key] for key in keys if key in ("id", "name")} <= words
        assert "signed in May" not in words or keys == ("text",)
