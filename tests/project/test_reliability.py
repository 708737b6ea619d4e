"""docs/reliability.md is what happens: every input in every channel, and the work that grows with the length alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile import CHANNELS, INPUTS, PAGES, RUNS, growth, made, outcome, rows, work

CELLS = [(name, channel) for name in INPUTS for channel in CHANNELS]


@pytest.mark.parametrize(("path", "locale"), PAGES.items(), ids=lambda value: str(value)[-20:])
def test_the_page_says_what_happens(path: Path, locale: str) -> None:
    assert made(path)["hostile"] == rows("zh" if locale == "zh" else "en")


@pytest.mark.parametrize(("name", "channel"), CELLS, ids=lambda word: word)
def test_cell(name: str, channel: str) -> None:
    """Apart from the page: what could pass for somebody else, or break a file, never comes through."""
    found = outcome(name, channel)
    if name in ("order", "template") or (name == "html" and channel == "reason"):
        assert found == "kept: words, nothing more"
    if name in ("html", "marker") and channel != "reason":
        assert "asked once more" in found or "refused" in found
    if name in ("unseen", "surrogate"):
        assert found == "kept, its harmful signs exchanged"
    if name == "long":
        assert "cut" in found or "too long" in found
    if channel in ("speech", "answer") and name in ("speaker", "disguise", "heading", "token", "nested", "marker"):
        assert found != "kept: words, nothing more"
    if name == "call" and channel in ("speech", "document", "answer"):
        assert "taken out" in found


@pytest.mark.parametrize("run", RUNS)
def test_twice_the_length_takes_twice_the_steps(run: str) -> None:
    assert work(run, 2_000) < 2.1 * work(run, 1_000)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_the_page_counts_the_steps(path: Path) -> None:
    """The first columns; the page has more, which nobody waits for here."""
    few = growth(PAGES[path], (1_000, 2_000)).splitlines()
    whole = made(path)["growth"].splitlines()
    assert [line[: len(short)] for line, short in zip(whole, few, strict=True) if not short.startswith("|---")] == [
        short for short in few if not short.startswith("|---")
    ]
