"""The tables kept beside each grammar. `LW_BLESS=1` makes those anew that were made from something else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import lark
import pytest

import legalworld
from legalworld.evaluation.rubric import sentences
from legalworld.evaluation.soundness import sentences as conditions
from legalworld.language.sentences import parser
from legalworld.language.sentences.grammar import Grammar, ReadyTokens
from legalworld.language.sentences.parser import STARTS
from legalworld.law.text import english_citations

PACKAGE = Path(legalworld.__file__).parent
GRAMMARS = {
    "language/sentences/grammar.lark": parser._grammar,
    "evaluation/rubric/sentences.lark": sentences._grammar,
    "evaluation/soundness/sentences.lark": conditions._grammar,
    "law/text/english_citations.lark": english_citations._grammar,
}


@pytest.mark.parametrize("file", GRAMMARS)
def test_the_tables_kept_beside_a_grammar_were_made_from_it(file: str) -> None:
    grammar, kept = GRAMMARS[file](), PACKAGE / f"{file}.json"
    stale = not kept.exists() or json.loads(kept.read_text("utf-8"))["digest"] != grammar.digest
    if stale and os.environ.get("LW_BLESS"):
        kept.write_text(grammar.tables(), "utf-8")
        stale = False
    assert not stale, "made from another grammar or by another Lark: run with LW_BLESS=1"


def test_tables_of_another_lark_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lark, "__version__", "0.0")
    anew = Grammar(parser.__package__, "grammar.lark", STARTS, None, ReadyTokens)
    assert anew.digest != parser._grammar().digest
    for start in STARTS:
        assert anew.terminals(start) == parser.terminals(start)
        assert anew.accepted(start, ()) == parser._grammar().accepted(start, ())
