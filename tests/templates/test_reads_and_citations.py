"""What is known of a path that is read twice, and all the numbers that a citation has."""

from __future__ import annotations

from itertools import product

import pytest

from legalworld.model.source import Span
from legalworld.templates.citation_list import citations
from legalworld.templates.reads import PathRead

READS = tuple(product((False, True), ("", "€", "$")))


@pytest.mark.parametrize(("one", "other"), list(product(READS, READS)))
def test_of_two_reads_all_is_kept(one: tuple[bool, str], other: tuple[bool, str]) -> None:
    path, first, second = ("own", "facts"), Span("a", 1, 1), Span("a", 2, 1)
    both = PathRead(path, first, *one).also(PathRead(path, second, *other))
    assert (both.path, both.span) == (path, first)
    assert both.printed == (one[0] or other[0])
    assert both.written_in == (one[1] or other[1])


@pytest.mark.parametrize(("locale", "paragraph", "item"), list(product(("en", "zh"), ("", "2"), ("", "3"))))
def test_a_citation_names_each_of_its_numbers(locale: str, paragraph: str, item: str) -> None:
    told = citations([{"law": "Act", "articles": [{"article": "5", "paragraph": paragraph, "item": item}]}], locale)
    spelled = {"5": "五", "2": "二", "3": "三"}
    for number in ("5", paragraph, item):
        if number:
            assert (number if locale == "en" else spelled[number]) in told
    assert sum(told.count(one) for one in (*spelled, *spelled.values())) == 1 + bool(paragraph) + bool(item)
