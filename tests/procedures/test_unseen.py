"""How the offline actors speak of cases that nobody tuned them on.

`unseen/SPEC/CASE.yaml` are cases of kinds that no shipped case has, written from the manual, never shipped; beside each
stands, read by hand, what was said and written. `LW_BLESS=1` writes it anew.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from goldens import compare
from playing import Game, matter, play, project

from legalworld.engine.casting import cast
from legalworld.model import events as e
from legalworld.runs.transcript import Present, documents, transcript

FOLDER = Path(__file__).parent / "unseen"
CASES = tuple(sorted(FOLDER.glob("*/*.yaml")))
GAPS = {  # the papers of parties whose case has hints left out: a telephone, a date, where an exhibit comes from
    "complaint",
    "defence_statement",
    "evidence_list",
    "appeal_petition",
    "appeal_defence",
}
SHORT = 8  # 没有。 认可。 一致。
TARGETS = {
    "criminal": "",
    "criminal-appeal": "",
    "administrative": "plaintiff_agent",
    "labour-arbitration": "plaintiff_agent",
}
every_case = pytest.mark.parametrize(  # all tests of a game, then those of the next
    "file", CASES, ids=[f"{file.parent.name}-{file.stem}" for file in CASES], scope="module"
)


@lru_cache(maxsize=1)
def played(file: Path) -> Game:
    return play(str(file), TARGETS.get(file.parent.name, "plaintiff_lawyer"), spec=file.parent.name)


@every_case
def test_it_reads_as_it_should(file: Path) -> None:
    spec, found = file.parent.name, played(file)
    opened = project(spec).procedure
    assert opened is not None and found.of(e.Ended)
    case = matter(str(file), spec=spec).case
    people = [Present(p.id, opened.roles[p.role].title, p.name) for p in cast(opened, case)]
    text = transcript(opened, case, people, {"all": "offline"}, found.events)
    papers = documents(opened, found.events)
    written = "".join(f"\n<!-- {name} -->\n\n{paper}" for name, paper in papers.items())
    compare(file.with_suffix(".md"), text + written)


@every_case
def test_nobody_breaks_a_rule_or_leaves_a_document_unfinished(file: Path) -> None:
    found = played(file)
    assert found.of(e.Violated) == []
    assert [one.document for one in found.of(e.Drafted) if one.missing] == []
    assert [one.text for one in found.of(e.Drafted) if "待补充" in one.text and one.document not in GAPS] == []


@every_case
def test_nobody_says_the_same_twice_in_one_stage(file: Path) -> None:
    said = [(one.place.partition("/")[0], one.person, one.text) for one in played(file).of(e.Spoke)]
    assert [words for words in {*said} if len(words[2]) > SHORT and said.count(words) > 1] == []
