"""A key whose values are named by what they name themselves is told; lists that name one another are not.

Neighbours: rings of one to four keys, in one field and in several, with what leads into them and beside others;
chains that end; two lists that name each other's ids; one of several targets; two languages of keys. Asserted: each
ring is told once, at a place of its own, and nothing else is.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import found

WORDS = {
    "en": ("case", "title", "path", "each", "keys", "types", "refers to"),
    "zh": ("案件", "标题", "路径", "逐条", "各项", "各类型", "指向"),
}


def spec(leads: dict[str, tuple[str, ...]], language: str = "en") -> str:
    """`leads`: FIELD.KEY -> those that it refers to."""
    case, title, path, each, keys, types, refers = WORDS[language]
    names = sorted({node.partition(".")[0] for node in (*leads, *(one for many in leads.values() for one in many))})
    lines = ["lw: 1", "procedure: p", "title: P", "locale: en", f"{case}:"]
    for name in names:
        own = {node.partition(".")[2]: many for node, many in leads.items() if node.partition(".")[0] == name}
        lines += [f"  {name}:", f"    {title}: {name}", f'    {path}: "$.{name}[*]"', f"    {each}: x{name}"]
        lines += [f"    {keys}: [id, k, m, n]"]
        lines += [f"    {types}:"] if own else []
        lines += [f"      {key}: {{{refers}: [{', '.join(many)}]}}" for key, many in own.items()]
    return "\n".join(lines) + "\n"


def told(leads: dict[str, tuple[str, ...]], language: str = "en") -> list[tuple[str, int]]:
    return [(one.values["chain"], one.span.line) for one in found(spec(leads, language)) if one.code == "LW424"]


RINGS = [
    ("a.id",),
    ("a.k",),
    ("a.id", "b.id"),
    ("a.k", "a.m"),
    ("a.id", "b.k"),
    ("a.id", "b.id", "c.id"),
    ("a.k", "b.m", "a.n", "c.id"),
]


def ring(nodes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {one: (other,) for one, other in zip(nodes, (*nodes[1:], nodes[0]), strict=True)}


@pytest.mark.parametrize(("nodes", "language"), list(product(RINGS, WORDS)), ids=str)
def test_a_ring_is_told_once(nodes: tuple[str, ...], language: str) -> None:
    (chain, line), *others = told(ring(nodes), language)
    assert not others
    assert sorted(chain.split(" → ")[1:]) == sorted(nodes)
    assert line > 5


@pytest.mark.parametrize("nodes", RINGS, ids=str)
def test_what_leads_into_a_ring_is_no_ring_of_its_own(nodes: tuple[str, ...]) -> None:
    leads = {"z.k": (nodes[0],), "z.m": ("z.k",), **ring(nodes)}
    assert len(told(leads)) == 1
    two = {**ring(nodes), **ring(("y.id", "x.id"))}
    assert len(told(two)) == 2


@pytest.mark.parametrize("nodes", RINGS, ids=str)
def test_one_of_several_targets_is_enough(nodes: tuple[str, ...]) -> None:
    leads = {one: ("z.id", *others) for one, others in ring(nodes).items()}
    assert len(told(leads)) == 1


@pytest.mark.parametrize(
    "leads",
    [
        {"a.k": ("a.id",)},
        {"a.k": ("b.id",), "b.k": ("a.id",)},
        {"a.k": ("b.id", "c.id"), "b.k": ("a.id",), "c.k": ("a.id", "b.id")},
        {"a.k": ("b.k",), "b.k": ("c.id",), "c.k": ("a.id",)},
        {"a.k": ("b.id",), "a.m": ("b.id",), "b.id": ("c.id",)},
    ],
    ids=str,
)
def test_lists_that_name_one_another_by_keys_of_their_own_are_none(leads: dict[str, tuple[str, ...]]) -> None:
    assert not told(leads)
