"""Decisions as JSON: any value comes back as it was, one text for one value; what is none is refused."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.model.decision import Amount, Decision, Relief, total
from legalworld.model.decision_json import NoDecision, UnknownVersion, decision_json, read_decision_json

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**15), max_value=10**15)
CURRENCIES = st.sampled_from(["CNY", "GBP", "EUR"])
MONEY = st.builds(Amount, value=NUMBERS, currency=CURRENCIES)
st.register_type_strategy(Amount, MONEY)
st.register_type_strategy(Decimal, NUMBERS)
st.register_type_strategy(str, TEXTS)
FLAT = {
    name: st.lists(st.from_type(get_args(field.annotation)[0]), max_size=2).map(tuple)
    for name, field in Decision.model_fields.items()
    if get_origin(field.annotation) is tuple
}
FIRST = st.builds(Decision, **FLAT, below=st.none())
DECISIONS = st.builds(Decision, **FLAT, below=st.none() | FIRST)


@given(DECISIONS)
@settings(max_examples=60, deadline=None)
def test_a_decision_comes_back_from_its_json(decision: Decision) -> None:
    text = decision_json(decision)
    again = read_decision_json(text)
    assert again == decision
    assert decision_json(again) == text


@given(DECISIONS, st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_record_is_another_decision_or_refused(decision: Decision, data: st.DataObject) -> None:
    """Whatever stands in the place of a part: nothing but the two refusals is raised."""
    record = json.loads(decision_json(decision))
    places = list(_places(record["record"]))
    if places:
        holder, key = data.draw(st.sampled_from(places))
        holder[key] = data.draw(st.sampled_from([None, True, 1.5, [], {}, "x", "NaN", [[]], {"a": 1}]))
    try:
        read_decision_json(json.dumps(record))
    except NoDecision as error:
        assert error.place or places


def _places(value: Any) -> Any:
    match value:
        case dict():
            for key, inner in value.items():
                yield value, key
                yield from _places(inner)
        case list():
            for at, inner in enumerate(value):
                yield value, at
                yield from _places(inner)


@pytest.mark.parametrize("version", [0, 2, "1", None, True, 1.0, [1]])
def test_another_version_is_refused(version: Any) -> None:
    with pytest.raises(UnknownVersion) as told:
        read_decision_json(json.dumps({"version": version, "record": {}}))
    assert told.value.version == json.dumps(version)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", "{}", '{"version":1}', "[" * 100_000, '{"record":[],"version":1}']
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(NoDecision):
        read_decision_json(text)


def test_the_place_of_what_is_wrong_is_told() -> None:
    wrong = {
        "version": 1,
        "record": {"reliefs": [{"id": "1", "result": "granted", "amount": {"value": "x", "currency": "CNY"}}]},
    }
    with pytest.raises(NoDecision) as told:
        read_decision_json(json.dumps(wrong))
    assert told.value.place == "reliefs/0/amount/value"


@pytest.mark.parametrize(("one", "other"), [("36800", "36800.00"), ("0", "0.000"), ("1E+5", "100000"), ("0.10", "0.1")])
def test_one_sum_has_one_text(one: str, other: str) -> None:
    texts = {decision_json(_owed(value)) for value in (one, other)}
    assert len(texts) == 1 and "E" not in json.loads(texts.pop())["record"]["reliefs"][0]["amount"]["value"]


def _owed(value: str) -> Decision:
    money = Amount(value=Decimal(value), currency="CNY")
    return Decision(reliefs=(Relief(id="1", result="granted", amount=money),))


def test_two_currencies_have_no_total() -> None:
    pounds, yuan = (Amount(value=Decimal(1), currency=one) for one in ("GBP", "CNY"))
    assert total([pounds, yuan]) is None and total([]) is None
    assert total([yuan, yuan]) == Amount(value=Decimal(2), currency="CNY")
