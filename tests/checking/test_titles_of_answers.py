"""A title of an answer is of use where a step asks for the answer or a decision is kept as it, and only there.

Neighbours: each part that a decision has, `also`, the votes; in each form that may stand behind a name; and the same
title where the decision names something else.
"""

from __future__ import annotations

import pytest

from legalworld.language.link.decisions import FORMS
from legalworld.language.link.linker import link
from legalworld.model.source import MemorySources

KEPT = [f"{key}: NAME" for key in (*FORMS, "ballots", "also")]
KEPT += [f"{key}: NAME is {form}" for key in (*FORMS, "also") for form in ("number", "list", "yes or no")]


def told(part: str, name: str, title: str = "T") -> list[str]:
    """The codes for the titles of `first` and `second` in a spec whose decision is kept as `name`."""
    text = (
        "lw: 1\nprocedure: p\ntitle: P\nlocale: en\nkinds: {J: judge}\nroles:\n  judge: {title: J, kind: judge}\n"
        f"documents:\n  paper: {{title: Paper}}\nanswers:\n  first: {{title: {title}}}\n  second: {{title: {title}}}\n"
        f"decisions:\n  ruling:\n    documents: paper\n    {part.replace('NAME', name)}\n"
        "stages:\n  - stage: trial\n    title: Trial\n    steps:\n      - judge drafts paper: x\n"
    )
    found = link(MemorySources({"specs/p.yaml": text}), "specs/p.yaml")
    titles = [problem for problem in found.problems if problem.code in ("LW453", "LW454", "LW455", "LW457")]
    return [f"{problem.code} {problem.values['name']}" for problem in titles]


@pytest.mark.parametrize("part", KEPT)
def test_only_what_nothing_is_kept_as_is_told(part: str) -> None:
    assert told(part, "first") == ["LW457 second"]
    assert told(part, "second") == ["LW457 first"]


@pytest.mark.parametrize("part", KEPT)
@pytest.mark.parametrize("mark", [":", "：", "【", "】", "<", ">"])
def test_a_title_that_cannot_be_said_is_told_of_what_a_decision_is_kept_as(part: str, mark: str) -> None:
    assert told(part, "first", f'"a{mark}b"') == [f"LW455 a{mark}b", "LW457 second"]
