"""`lw audit`, held against what another hand wrote: sound judgments raise no alarm, planted contradictions are found.

`make plants` plants in everything, real records too, and prints the share found of each kind; this is a sample by seed.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from planting import broken, papers
from planting.found import alarms, answers, audited
from planting.kinds import KINDS, plants
from planting.paper import Paper
from planting.sound import REWORDINGS, Rewording

SEED = 11
SAMPLE = 3  # plants of each kind
FOUND = 0.6  # of all that are planted, at least: a right check raises an alarm and names both places
CARELESS = 0.5  # of the faults as models make them, at least


@pytest.fixture(autouse=True)
def in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "zh")


@cache
def seeds() -> tuple[Paper, ...]:
    return (*papers.written(), *papers.several(), *papers.stored())


def test_sound_judgments_as_models_write_them_raise_no_alarm(tmp_path: Path) -> None:
    written = list(papers.written())
    told = audited([(paper, paper.text) for paper in written], tmp_path)
    raised = [
        f"{paper}: {row['check']} {row['part']}"
        for paper, rows in zip(written, told, strict=True)
        for row in alarms(rows)
    ]
    assert sum(bool(rows) for rows in told) >= len(written) - 2
    assert raised == []


@pytest.mark.parametrize("reworded", REWORDINGS, ids=lambda reworded: reworded.__name__)
def test_other_words_raise_no_alarm(reworded: Rewording, tmp_path: Path) -> None:
    texts = [(paper, text) for paper in seeds() if (text := reworded(paper)) != paper.text]
    drawn = random.Random(f"{SEED} {reworded.__name__}").sample(texts, min(4, len(texts)))
    assert drawn
    for (paper, _), rows in zip(drawn, audited(drawn, tmp_path), strict=True):
        assert (paper.name, [(row["check"], row["part"]) for row in alarms(rows)]) == (paper.name, [])


def test_a_sample_of_planted_contradictions_is_found_and_both_places_are_named(tmp_path: Path) -> None:
    drawn = [planted for kind in KINDS for planted in plants(kind, seeds(), random.Random(f"{SEED} {kind}"), SAMPLE)]
    told = answers(drawn, tmp_path)
    assert {answer.plant.kind for answer in told} == set(KINDS)
    missed = [f"{answer.plant.kind} in {answer.plant.paper}" for answer in told if not answer.both]
    assert 1 - len(missed) / len(told) >= FOUND, missed


def test_faults_as_models_make_them_are_found(tmp_path: Path) -> None:
    """One fault in a sound judgment: a right check says so."""
    by_name = {paper.name: paper for paper in papers.written()}
    faults = tomllib.loads((papers.WRITTEN / "careless.toml").read_text(encoding="utf-8"))["fault"]
    texts = [(by_name[fault["of"]], by_name[fault["of"]].text.replace(fault["old"], fault["new"])) for fault in faults]
    assert all(paper.text != text for paper, text in texts)
    told = [{row["check"] for row in alarms(rows)} for rows in audited(texts, tmp_path)]
    missed = [fault["says"] for fault, raised in zip(faults, told, strict=True) if not raised & set(fault["right"])]
    assert 1 - len(missed) / len(faults) >= CARELESS, missed


@pytest.mark.parametrize("kind", KINDS)
def test_a_plant_changes_what_it_says_and_nothing_else(kind: str) -> None:
    for planted in plants(kind, seeds(), random.Random(f"{SEED} {kind}"), 8):
        rest, before = planted.text, planted.paper.text
        for start, end in sorted(planted.edited, reverse=True):
            rest = rest[:start] + rest[end:]
        assert planted.text != before
        left = iter(before)
        assert all(sign in left for sign in rest)  # what stands besides the edits stood there, in that order


@pytest.mark.parametrize("way", broken.WAYS, ids=lambda way: way.__name__)
def test_what_is_no_judgment_any_more_is_audited_as_far_as_it_goes(way: Callable[..., str], tmp_path: Path) -> None:
    draw = random.Random(f"{SEED} {way.__name__}")
    papers_ = draw.sample(seeds(), 12)
    texts = [(paper, way(paper.text, draw)) for paper in papers_]
    texts += [(one, broken.mixed(one, another)) for one, another in zip(papers_[:2], papers_[2:4], strict=True)]
    if way is broken.nothing:
        texts = [(draw.choice(seeds()), words) for words in broken.NOTHING]
    assert len(audited(texts, tmp_path)) == len(texts)  # which refuses every code but 0 and 4
