"""What pages word in both languages, what figures are called, and what is noted when sealed values were shown."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from places import ROOT

from legalworld.evaluation.rubric.open import OpenRubric, open_rubric
from legalworld.studio import opened_log
from legalworld.studio.assessed import _titles
from legalworld.studio.run_titles import case_title
from legalworld.studio.told import in_both
from legalworld.wording import locale, say, speaking


@pytest.mark.parametrize("terminal", ["zh", "en"])
def test_words_for_a_terminal_come_in_both_languages(terminal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", terminal)
    told = in_both(lambda: say("browser.runs"))
    assert (told.zh, told.en) == (say("browser.runs", "zh"), say("browser.runs", "en")) and told.zh != told.en
    assert locale() == terminal, "behind it, the terminal has its own again"


def test_a_language_is_that_of_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "zh")
    found: list[str] = []
    with speaking("en"):
        other = threading.Thread(target=lambda: found.append(locale()))
        other.start()
        other.join()
        assert locale() == "en" and found == ["zh"]
    with pytest.raises(KeyError), speaking("en"):
        raise KeyError
    assert locale() == "zh"


@pytest.mark.parametrize("name", ["longjud", "alignment", "judgment"])
def test_figures_are_called_as_the_rubric_of_the_scores_has_it(name: str) -> None:
    opened = open_rubric(name, ROOT)
    assert isinstance(opened, OpenRubric)
    title, titles = _titles(name, opened.rubric.digest, ROOT)
    assert title == opened.rubric.title and set(titles) == set(opened.rubric.formulas) and all(titles.values())
    assert _titles(name, "0" * 64, ROOT) == ("", {}), "another wording may mean something else"
    assert _titles("no such rubric", opened.rubric.digest, ROOT) == ("", {})


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('{\n "id": "a",\n "title": "A v B",\n "fields": {}}', "A v B"),
        ('{"id": "a\\"b", "title": "\\u7532 \\"x\\" \\\\", "fields": {}}', '甲 "x" \\'),
        ('{"id": "a", "fields": {"title": "no title of the case"}}', ""),
        ('{"title": "not where it is written", "id": "a"}', ""),
        ('{"id": "a", "title": ""}', ""),
        ("[]", ""),
        ("", ""),
        ('{"id": "a", "title": "' + "x" * 5000 + '"}', ""),
    ],
)
def test_the_title_of_a_case_is_read_from_its_beginning(tmp_path: Path, text: str, title: str) -> None:
    (tmp_path / "case.json").write_text(text, encoding="utf-8")
    assert case_title(tmp_path) == title
    assert case_title(tmp_path / "nowhere") == ""


def test_what_was_shown_is_kept_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("LW_CACHE", str(cache))
    for run in ("a", "甲/乙"):
        opened_log.noted(tmp_path, opened_log.now(), run)
    (file,) = cache.glob("opened-*.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["run"] for row in rows] == ["a", "甲/乙"] and all(row["at"].endswith("+00:00") for row in rows)
    assert file.stat().st_mode & 0o077 == 0 or cache.stat().st_mode & 0o077 == 0
    file.write_bytes(b"x" * ((1 << 20) + 1))
    opened_log.noted(tmp_path, "now", "b")
    assert json.loads(file.read_text(encoding="utf-8")) == {"at": "now", "run": "b"}
    monkeypatch.setenv("LW_CACHE", "")
    assert opened_log.log_file(tmp_path) is None
    opened_log.noted(tmp_path, "now", "c")
