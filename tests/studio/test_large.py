"""A run of thousands of turns on the real server, and what is kept in memory of such runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import PATIENCE, Visit, eventually, needs_browser
from studio_served import Asked, studio_served
from typed import lw

from legalworld.runs.journal import summed
from legalworld.studio import shelf
from legalworld.studio.run_pages import RunPages

SPEC = """lw: 1
procedure: talk
title: 长谈
kinds: {P: person}
roles: {one: {title: 甲, kind: person, side: one}, two: {title: 乙, kind: person, side: two}}
case:
  note: {title: 便条, path: "$.note.{side}", per: side}
visibility: |
  | field    | talk |
  |----------|------|
  | note own | P    |
stages:
  - stage: talk
    steps:
      - repeat 12 rounds:
          - one states: 说一点
            id: first
          - two states: 再说一点
            id: second
"""
ROUNDS = 5_000
TURNS = 2 * ROUNDS
_SUM = re.compile(rb',"sum":"([0-9a-f]{16})"\}\n$')


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was played for twelve rounds, its last one repeated in the record: every line bears its sum."""
    place = tmp_path_factory.mktemp("large")
    (place / "talk.yaml").write_text(SPEC, encoding="utf-8")
    (place / "case.yaml").write_text("case: talk\nnote: {one: 一百元, two: 八十元}\n", encoding="utf-8")
    root = place / "runs"
    assert lw("run", place / "talk.yaml", "--case", place / "case.yaml", "--out", root / "talk").code == 0
    journal = root / "talk" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    last = [number for number, line in enumerate(lines) if b"#12" in line]
    kept, again = lines[: last[-1] + 1], [_SUM.sub(b"", lines[number]) for number in last]
    found = _SUM.search(kept[-1])
    assert found is not None
    chain, written = found[1], list(kept)
    for number in range(13, ROUNDS + 1):
        for line in again:
            body = re.sub(rb'^\{"n":\d+', b'{"n":%d' % (len(written) + 1), line).replace(b"#12", b"#%d" % number)
            whole, chain = summed(body, chain)
            written.append(whole)
    journal.write_bytes(b"".join(written))
    return root


@pytest.fixture(scope="module")
def served(root: Path) -> Iterator[Asked]:
    with studio_served(root) as asked:
        yield asked


def test_a_long_run_is_read_by_stretches(served: Asked) -> None:
    head = served.get("d/run/talk/head").data
    assert (head["turns"], head["calls"]) == (TURNS, TURNS)
    first = head["lines"] - 7
    page = served.get(f"d/run/talk/lines?from={first}&count=400").data
    assert (page["first"], page["total"], len(page["lines"])) == (first, head["lines"], 7)
    assert len(served.get("d/run/talk/lines?from=0&count=100000").body) < 1_500_000, "never all of them at once"
    assert served.get(f"d/run/talk/turn/{TURNS}").data["turn"] == TURNS
    assert served.get(f"d/run/talk/turn/{TURNS + 1}").code == "LW431"


@needs_browser
def test_a_browser_lays_out_only_what_is_looked_at(served: Asked, chromium: Any) -> None:
    base = f"http://127.0.0.1:{served.port}{served.doorway.base}"
    with Visit(chromium).context() as context:
        page = context.new_page()
        for turn in (1, TURNS // 2, TURNS):
            page.goto(f"{base}run/talk?t={turn}&show=reply")
            page.locator(f".said.now[data-turn='{turn}']").wait_for()
            eventually(page, "document.querySelector('.rows [aria-busy=true]') === null", PATIENCE)
            assert page.locator(".said").count() < 60
        asked = page.evaluate(
            "performance.getEntriesByType('resource').filter(one => one.name.includes('/lines')).length"
        )
        assert asked < 4


def test_large_runs_are_not_kept_by_the_number(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two runs that are too large together only the one that was looked at last stays open."""
    import os
    import shutil

    shutil.copytree(root / "talk", root / "other", copy_function=os.link, dirs_exist_ok=True)
    size = (root / "talk" / "journal.jsonl").stat().st_size
    for most, kept in ((2 * size, ["talk", "other"]), (2 * size - 1, ["other"]), (1, ["other"])):
        monkeypatch.setattr(shelf, "KEPT_BYTES", most)
        runs = shelf.RunShelf(root)
        assert all(isinstance(runs.find(name), RunPages) for name in ("talk", "other"))
        assert list(runs._kept) == kept
