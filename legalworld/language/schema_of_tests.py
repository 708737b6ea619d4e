"""The keys of tests of a procedure: `tests` in a spec, or a file `NAME.test.yaml` beside it."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from .surfaces import Surface, Text, Texts

TEST_FILES: Final = (".test.yaml", ".test.yml")
"""How files of tests end; they lie among procedures and are none."""


class ScriptedReplySurface(Surface):
    """What somebody says: `reply` in place of his words, or his own words with some `answers` in them."""

    who: Texts = ()
    at: Texts = ()
    reply: Texts = ()
    answers: dict[str, Text] = field(default_factory=dict)


class SightSurface(Surface):
    """What somebody is shown: a field of the matrix, or words; at some places, or from one on."""

    who: Texts = ()
    field: Texts = ()
    text: Texts = ()
    at: Texts = ()
    since: Text | None = None


class ExpectSurface(Surface):
    steps: Texts = ()
    never_steps: Texts = ()
    outcome: Text | None = None
    documents: Texts = ()
    no_documents: Texts = ()
    contains: dict[str, Texts] = field(default_factory=dict)
    lacks: dict[str, Texts] = field(default_factory=dict)
    sees: tuple[SightSurface, ...] = ()
    never_sees: tuple[SightSurface, ...] = ()
    answers: dict[str, Texts] = field(default_factory=dict)
    breaks: Texts = ()
    keeps: Texts = ()
    at_most: Text | None = None


class ProcedureTestSurface(Surface):
    """One test: how a case is played, and what is to come of it."""

    test: Text
    case: Text | None = None
    target: Text | None = None
    options: dict[str, Text] = field(default_factory=dict)
    set: dict[str, Text] = field(default_factory=dict)
    without: Texts = ()
    seed: Text | None = None
    model: Text | None = None
    until: Text | None = None
    replies: tuple[ScriptedReplySurface, ...] = ()
    expect: ExpectSurface | None = None


class TestFileSurface(Surface):
    """A file of tests. What it says of `case`, `target`, `options` and `set` is said for each test that does not say
    so itself."""

    lw: Text
    tests_of: Text | None = None
    case: Text | None = None
    target: Text | None = None
    options: dict[str, Text] = field(default_factory=dict)
    set: dict[str, Text] = field(default_factory=dict)
    tests: tuple[ProcedureTestSurface, ...]
