"""A norm written in Chinese is the one written in English; claims are told by their words."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from norm_sets import shipped
from places import ROOT

from legalworld.files.project_files import Disk
from legalworld.language.surfaces import Surface
from legalworld.language.yaml_keys import YAML_KEYS
from legalworld.model.source import MemorySources, Span
from legalworld.norms import surfaces
from legalworld.norms.claims import asked, heads_of
from legalworld.norms.examples import wrong_examples
from legalworld.runs.norm_sets import open_norms

TWIN = Path(__file__).parent / "sale-price.zh.yaml"
WORDS = shipped("cn").words
KNOWN = {"amount": Decimal(100)}


def bare(node: Any) -> Any:
    """A norm without its places, its home and its examples."""
    if isinstance(node, tuple):
        return tuple(map(bare, node))
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items()}
    if not dataclasses.is_dataclass(node):
        return node
    names = [one.name for one in dataclasses.fields(node) if one.name not in ("span", "home", "examples")]
    return type(node).__name__, tuple((name, bare(getattr(node, name))) for name in names)


def test_the_chinese_twin_is_the_same_norm() -> None:
    disk = Disk(ROOT)
    texts = {path: disk.read(path) or "" for path in (*disk.names("norms/cn"), *disk.names("documents/zh/court"))}
    texts["norms/cn/sale-price.yaml"] = TWIN.read_text(encoding="utf-8")
    opened = open_norms(MemorySources(texts), "norms/cn")
    assert opened.problems == () and opened.norms is not None
    assert bare(opened.norms.norms["sale_price"]) == bare(shipped("cn").norms["sale_price"])
    assert list(wrong_examples(opened.norms)) == []


def test_every_key_of_norms_has_a_chinese_name() -> None:
    chinese = {"_".join(key.split()) for key in YAML_KEYS.values()}
    models = [one for one in vars(surfaces).values() if isinstance(one, type) and issubclass(one, Surface)]
    keys = {one.name.removesuffix("_") for model in models for one in dataclasses.fields(model)}
    assert keys - chinese - {"span", "given"} == set()
    assert len(models) > 15 and Span


# ---- heads of claims -------------------------------------------------------------------------------------------------

PAIRS = [(head.id, word) for head in WORDS.heads.values() for word in head.words]


@pytest.mark.parametrize(("head", "word"), PAIRS)
def test_a_word_names_its_head_whatever_stands_around_it(head: str, word: str) -> None:
    for text in (word, f"判令被告向原告支付{word}36800元", f"请求被告给付{word}，共计五千元"):
        assert heads_of(text, WORDS.heads) == (head,)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PAIRS), min_size=2, max_size=4))
def test_a_claim_of_several_heads_is_as_many_parts(pairs: list[tuple[str, str]]) -> None:
    heads = tuple(dict.fromkeys(head for head, _ in pairs))
    parts = asked(WORDS, "1", "判令被告支付" + "、".join(word for _, word in pairs), ("claims", "defends"), KNOWN)
    assert tuple(part.head for part in parts) == heads
    assert {part.by for part in parts} == {"claims"}
    summed = [part for part in parts if "amount" in part.values]
    paid = [head for head in heads if not WORDS.heads[head].costs]
    assert len(summed) == (1 if len(paid) == 1 else 0) or len(heads) == 1  # whose the sum is can be told of one alone


def test_a_claim_that_nothing_is_owed_is_the_other_sides() -> None:
    (part,) = asked(WORDS, "1", "确认原告无需支付被告工资24000元", ("employer", "worker"), KNOWN)
    assert (part.head, part.by) == ("wages", "worker")


def test_a_claim_of_no_known_head_is_one_all_the_same() -> None:
    (part,) = asked(WORDS, "7", "判令被告赔礼道歉", ("claims", "defends"), {})
    assert (part.id, part.head) == ("7", "")


def test_costs_are_no_part_of_a_sum() -> None:
    parts = asked(WORDS, "2", "判令被告支付货款36800元，并承担本案诉讼费用", ("claims", "defends"), KNOWN)
    assert [(part.id, part.head, part.values) for part in parts] == [("2a", "price", KNOWN), ("2b", "costs", {})]
