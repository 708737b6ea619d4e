"""Paths: what is read, what is found (as the library finds it), and that no overlap goes unseen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonpath_ng import parse

from legalworld.binding.paths import Every, Items, Keys, Match, Path, Unreadable, advance, find, overlaps, read, spelled

RECORD: Any = {
    "first": {
        "plaintiff": {"evidence": [{"name": "借条"}, {"name": "流水"}]},
        "defendant": {"evidence": {"name": "照片"}},
    },
    "原告（公诉）": "林启川",
    "a b": {"c.d": "x", "it's": "y"},
    "empty": [],
}


def path(text: str) -> Path:
    found = read(text)
    assert isinstance(found, Path), text
    return found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$.first.plaintiff.evidence[*].name", ["借条", "流水"]),
        ("$.first.defendant.evidence[*].name", ["照片"]),
        ("$.first.plaintiff.evidence[0].name", ["借条"]),
        ("$.first.plaintiff.evidence[-1].name", ["流水"]),
        ("$.first.plaintiff.evidence[0,1].name", ["借条", "流水"]),
        ("$.first.plaintiff.evidence[1:].name", ["流水"]),
        ("$.first['plaintiff','defendant'].evidence[*].name", ["借条", "流水", "照片"]),
        ("$.first.*.evidence[*].name", ["借条", "流水", "照片"]),
        ("$..name", ["借条", "流水", "照片"]),
        ("$.first..name", ["借条", "流水", "照片"]),
        ("$.原告（公诉）", ["林启川"]),
        ("$['a b']['c.d']", ["x"]),
        ("$['a b']['it\\'s']", ["y"]),
        ("$[\"a b\"]['c.d']", ["x"]),
        ("$.empty[*]", []),
        ("$.empty", [[]]),
        ("$.nowhere[*].name", []),
        ("$.first.plaintiff.name", []),
    ],
)
def test_what_is_found(text: str, values: list[Any]) -> None:
    found = find(path(text), RECORD)
    assert [one.value for one in found] == values
    for one in found:
        place: Any = RECORD
        for key in one.where:
            place = place[key]
        assert place is one.value


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", 0),
        ("first", 0),
        (" $.a", 0),
        ("$a", 1),
        ("$.", 1),
        ("$.a.", 3),
        ("$.a[", 3),
        ("$.a[x]", 3),
        ("$.a b", 3),
        ("$.a['b]", 3),
        ("$..a..b", 4),
        ("$.a[?(@.b)]", 3),
        ("$.a where b", 3),
        ("$.a | $.b", 3),
        ("$.`parent`", 1),
        ("$.a" * 200, 3),
        ("$" + ".a" * 65, 129),
    ],
)
def test_what_is_no_path(text: str, at: int) -> None:
    assert read(text) == Unreadable(at)


def test_the_root_is_a_path() -> None:
    assert find(path("$"), RECORD) == [Match((), RECORD)]
    assert spelled(()) == "$"
    assert spelled(("first", "evidence", 0, "name")) == "first.evidence[0].name"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("$.real", "$.real", True),
        ("$.real", "$.real.first", True),
        ("$", "$.real", True),
        ("$.real", "$.first", False),
        ("$.first.*.dispute", "$.first.evidence.name", False),
        ("$.first.*.dispute", "$.first.evidence.dispute.text", True),
        ("$.first[*].name", "$.first.name", True),
        ("$.first[*].name", "$.first[3].name", True),
        ("$.first[0]", "$.first[1]", False),
        ("$.first[0]", "$.first[-1]", True),
        ("$.first[0:2]", "$.first[7]", True),
        ("$.first[0]", "$.first.name", False),
        ("$.a['b','c']", "$.a.c", True),
        ("$.a['b','c']", "$.a.d", False),
        ("$.first.{side}.facts", "$.first.plaintiff.facts", True),
        ("$.first.{side}.facts", "$.first.plaintiff.goal", False),
        ("$..opinion", "$.second.opinion", True),
        ("$.first..opinion", "$.second.opinion", False),
        ("$.条文{n}", "$.条文3", True),
        ("no path", "$.a", True),
    ],
)
def test_overlaps(first: str, second: str, expected: bool) -> None:
    assert overlaps(first, second) is expected
    assert overlaps(second, first) is expected


def test_what_is_left_of_a_path() -> None:
    assert advance(path("$.a[*].b").segments, "a") == [(Items(), Keys(("b",)))]
    assert advance((Items(), Keys(("b",))), 0) == [(Keys(("b",)),)]
    assert advance((Items(), Keys(("b",))), "b") == [()]
    assert advance((Every(),), "x") == [()]
    assert advance(path("$.a").segments, "b") == []
    assert advance((), "b") == [()]


# ---- properties ------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c"])
DATA = st.recursive(
    st.sampled_from(["x", "y", None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=20,
)
PLAIN = st.lists(
    st.sampled_from([".a", ".b", "..a", ".*", "[0]", "[-1]", "['a','b']", "[1:]", "[0,1]", "..[0]"]), max_size=5
).map(lambda parts: "$" + "".join(parts))
TEXTS = st.lists(
    st.sampled_from([".a", ".b", "..a", ".*", "[0]", "[-1]", "['a','c']", "[1:]", "[*]", ".c"]), max_size=5
).map(lambda parts: "$" + "".join(parts))


@settings(max_examples=300)
@given(text=PLAIN, data=DATA)
def test_found_as_the_library_finds_the_text_as_written(text: str, data: Any) -> None:
    ours = read(text)
    assume(isinstance(ours, Path))
    assert isinstance(ours, Path)
    theirs = parse(text).find(data)
    assert [one.value for one in find(ours, data)] == [one.value for one in theirs]


@settings(max_examples=500)
@given(first=TEXTS, second=TEXTS, data=DATA)
def test_no_overlap_goes_unseen(first: str, second: str, data: Any) -> None:
    one, other = read(first), read(second)
    assume(isinstance(one, Path) and isinstance(other, Path))
    assert isinstance(one, Path) and isinstance(other, Path)
    for here in find(one, data):
        for there in find(other, data):
            shorter = min(len(here.where), len(there.where))
            if here.where[:shorter] == there.where[:shorter]:
                assert overlaps(first, second)


@settings(max_examples=300)
@given(text=TEXTS, data=DATA)
def test_every_way_to_a_value_is_known_on_the_way(text: str, data: Any) -> None:
    one = read(text)
    assume(isinstance(one, Path))
    assert isinstance(one, Path)
    for found in find(one, data):
        ways = [one.segments]
        for key in found.where:
            ways = [rest for way in ways for rest in advance(way, key)]
        assert ways or not found.where


@settings(max_examples=300)
@given(text=st.text(alphabet="$.[]*'\"ab0:,- {}`@|&~()\\（", max_size=20))
def test_reading_never_raises_and_what_is_read_can_be_looked_for(text: str) -> None:
    found = read(text)
    if isinstance(found, Path):
        find(found, RECORD)
