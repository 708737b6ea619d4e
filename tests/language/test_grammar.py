"""The tables kept beside each grammar. `LW_BLESS=1` makes those anew that were made from something else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import lark
import pytest
from places import ROOT

import legalworld
from legalworld.evaluation.rubric import sentences
from legalworld.evaluation.soundness import sentences as conditions
from legalworld.language.sentences import parser
from legalworld.language.sentences.grammar import Grammar, ReadyTokens
from legalworld.language.sentences.norm_words import FORMULA_STARTS
from legalworld.language.sentences.parser import STARTS
from legalworld.law.text import english_citations
from legalworld.runs.project import Project, open_project

PACKAGE = Path(legalworld.__file__).parent
GRAMMARS = {
    "language/sentences/grammar.lark.json": parser._grammar,
    "language/sentences/grammar.formulas.json": parser._formula_grammar,
    "evaluation/rubric/sentences.lark.json": sentences._grammar,
    "evaluation/soundness/sentences.lark.json": conditions._grammar,
    "law/text/english_citations.lark.json": english_citations._grammar,
}


@pytest.mark.parametrize("file", GRAMMARS)
def test_the_tables_kept_beside_a_grammar_were_made_from_it(file: str) -> None:
    grammar, kept = GRAMMARS[file](), PACKAGE / file
    stale = not kept.exists() or json.loads(kept.read_text("utf-8"))["digest"] != grammar.digest
    if stale and os.environ.get("LW_BLESS"):
        kept.write_text(grammar.tables(), "utf-8")
        stale = False
    assert not stale, "made from another grammar or by another Lark: run with LW_BLESS=1"


@pytest.mark.parametrize(
    ("starts", "kept"), [(STARTS, parser._grammar), (FORMULA_STARTS, parser._formula_grammar)], ids=["steps", "norms"]
)
def test_tables_of_another_lark_are_made_anew(
    starts: tuple[str, ...], kept: Callable[[], Grammar], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept()  # made before the version is another, whichever test runs first
    monkeypatch.setattr(lark, "__version__", "0.0")
    anew = Grammar(parser.__package__, "grammar.lark", starts, None, ReadyTokens)
    assert anew.digest != kept().digest
    for start in starts:
        assert anew.terminals(start) == parser.terminals(start)
        assert anew.accepted(start, ()) == kept().accepted(start, ())


def test_a_procedure_does_not_load_the_tables_of_norms() -> None:
    parser._formula_grammar.cache_clear()
    project = open_project("bargain", ROOT)
    assert isinstance(project, Project) and project.procedure is not None and project.problems == ()
    assert parser._formula_grammar.cache_info().currsize == 0
