"""What is for evaluation only is in no value that somebody may see, however a binding finds either of them.

Every text of a record names its own place, so that whatever is taken says where it stood. Neighbours: rules of every
kind on one side and paths of every kind on the other, and fields that keep what the procedure declares. Asserted
of all: where the binding is not refused, nothing stands in a field that is seen and in one that is sealed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.binding.bind import bind
from legalworld.binding.file import load_binding
from legalworld.binding.paths import overlaps
from legalworld.language.link.linker import link
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources

EXPOSED = "LW138"
MARK = re.compile(r"«([^»]*)»")
SPEC = """\
lw: 1
procedure: tiny
title: Tiny
case:
  seen:   {title: Seen, path: SEEN}
  matter: {title: Matter, path: $.m, keys: [court, number]}
  claims: {title: Claims, path: "$.list[*]", each: claim, keys: [text]}
  sealed: {title: Sealed, path: SEALED, evaluation only: yes}
kinds: {P: party}
roles: {left: {title: Left, kind: party, side: left}}
visibility: |
  | field | talk |
  |---|---|
  | seen | P |
stages:
  - stage: talk
    title: Talk
    steps:
      - left states: x
"""
LEAVES = {
    "a": {"b": "", "c": "", "d": {"e": "", "f": ""}},
    "m": {"court": "", "number": "", "verdict": ""},
    "list": [{"text": "", "judged": "", "deep": {"x": ""}}, {"text": "", "judged": "", "deep": {"x": ""}}],
    "p1": "",
    "p2": "",
    "switch": "on",
    "kind": {"of": "on"},
}
PATHS = (
    *("$.a", "$.a.b", "$.a.d", "$.a.d.e", "$.a.*", "$..e", "$..text", "$.list", "$.list[*]", "$.list[*].text"),
    *("$.list[0]", "$.list[1].judged", "$.list[*].judged", "$.list[0:1]", "$.list[-1].text", "$.list[*].deep.x"),
    *("$.m", "$.m.verdict", "$.m.court", "$['m','a']", "$.p1", "$.p2", "$.*", "$..deep", "$.list[*].deep"),
)
PATH = st.sampled_from(PATHS)
RULE = st.one_of(
    PATH.map(repr),
    st.tuples(PATH, PATH).map(lambda two: f"{{first of: [$.none, {two[0]!r}, {two[1]!r}]}}"),
    st.tuples(PATH, PATH).map(lambda two: f"{{all of: [{two[0]!r}, {two[1]!r}]}}"),
    st.tuples(PATH, PATH).map(lambda two: f"{{path: $.switch, map: {{on: {two[0]!r}, off: {two[1]!r}}}}}"),
    st.tuples(PATH, PATH).map(
        lambda two: f"{{first of: [$.none, {{path: $.kind.of, map: {{on: {two[0]!r}, off: {two[1]!r}}}}}]}}"
    ),
    PATH.map(lambda path: f"{{path: {path!r}, split: 、}}"),
    PATH.map(lambda path: f"{{path: {path!r}, match: '{{}}»'}}"),
    st.just("{path: '$.p{n}', numbered: 1-2}"),
)
CLAIMS = st.one_of(
    st.just(""),
    st.tuples(st.sampled_from(["$.list", "$.list[*]", "$.a"]), st.sampled_from(["text", "judged", "b"]))
    .map(lambda two: f"  claims: {{path: {two[0]!r}, each: {{text: $.{two[1]}}}}}\n"),
    PATH.map(lambda path: f"  claims: {path!r}\n"),
)  # fmt: skip
MATTER = st.one_of(
    st.just(""),
    PATH.map(lambda path: f"  matter: {path!r}\n"),
    st.tuples(PATH, PATH).map(lambda two: f"  matter: {{court: {two[0]!r}, number: {two[1]!r}}}\n"),
)


def marked(value: Any, place: str) -> Any:
    if isinstance(value, dict):
        return {key: marked(inner, f"{place}.{key}") for key, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner, f"{place}[{number}]") for number, inner in enumerate(value)]
    return value or f"«{place}»"


RECORD = marked(LEAVES, "$")


def procedure(seen: str, sealed: str) -> Procedure:
    text = SPEC.replace("SEEN", repr(seen)).replace("SEALED", repr(sealed))
    found = link(MemorySources({"spec.yaml": text}), "spec.yaml").procedure
    assert found is not None
    return found


@dataclass(frozen=True)
class Taken:
    """The errors of a binding by itself, and with a record; the places that stand in what is seen, and in the rest."""

    before: set[str]
    after: set[str]
    seen: set[str]
    sealed: set[str]


def taken(made: Procedure, fields: str) -> Taken:
    head = "lw: 1\nbinding: demo\nprocedure: tiny\nfields:\n"
    binding, problems = load_binding(MemorySources({"b.yaml": head + fields}), "b.yaml", made)
    before = {problem.code for problem in problems if problem.severity == "error"}
    if binding is None:
        return Taken(before, set(), set(), set())
    case, more = bind(made, RECORD, record=None, binding=binding, settings={})
    after = {problem.code for problem in more if problem.severity == "error"}
    return Taken(before, after, _marks(case.fields if case else {}), _marks(case.sealed if case else {}))


def _marks(values: Mapping[str, Any]) -> set[str]:
    return set(re.findall(r"\$[\w.\[\]]+", " ".join(map(str, _texts(dict(values))))))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    return [text for one in inner for text in _texts(one)]


@settings(max_examples=600)
@given(PATH, PATH, RULE, RULE, CLAIMS, MATTER, st.sampled_from(["seen", "sealed", "both"]))
def test_nothing_that_is_sealed_is_seen(
    declared: str, hidden: str, seen: str, sealed: str, claims: str, matter: str, bound: str
) -> None:
    """And it is told before there is a record; what the procedure itself declares so is told by its own check."""
    fields = (f"  seen: {seen}\n" if bound != "sealed" else "") + (f"  sealed: {sealed}\n" if bound != "seen" else "")
    made = procedure(declared, hidden)
    result = taken(made, fields + claims + matter)
    assert result.before or result.after or not result.seen & result.sealed, (fields, claims, matter)
    unbound = [one for one in made.case_fields.values() if f"  {one.name}:" not in fields + claims + matter]
    theirs = bound == "seen" and any(overlaps(one.path, hidden) for one in unbound if not one.evaluation_only)
    assert EXPOSED not in result.after or theirs, (fields, claims, matter)


@pytest.mark.parametrize("path", ["$.m.verdict", "$.list[*].judged", "$.list[0].judged", "$.list[*].deep.x"])
def test_what_no_kept_key_holds_may_be_sealed(path: str) -> None:
    """A record of which some keys alone are kept takes in nothing that stands beside them."""
    result = taken(procedure("$.p1", "$.p2"), f"  sealed: {path!r}\n  claims: $.list\n  matter: $.m\n")
    assert (result.before, result.after) == (set(), set())
    assert result.sealed and {"$.m.court", "$.list[0].text"} <= result.seen
