"""`lw check --format`: the same problems as SARIF and as commands of GitHub, each at its place, whatever they say."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from typed import lw

from legalworld.language import diagnose
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording.diagnostics import in_order, message, repair
from legalworld.wording.problem_formats import github, sarif

SESSIONS = Path(__file__).with_name("sessions") / "files"
COMMAND = re.compile(r"::(error|warning) ((?:\w+=[^,:]*,?)+)::(.*)")


def unescaped(text: str) -> str:
    return unquote(text)


def drawn(seed: int) -> tuple[Diagnostic, ...]:
    """Problems whose files, places and words hold whatever may stand in them."""
    dice = random.Random(seed)
    signs = "甲a :,%\n\r#?\\::]【】\u202e\t"

    def words() -> str:
        return "".join(dice.choices(signs, k=dice.randint(1, 12))) + "z"

    made = []
    for _ in range(5):
        span = Span(f"specs/{words()}.yaml", dice.randint(0, 9), dice.randint(0, 9), dice.randint(0, 9))
        also = tuple(Span("specs/b.yaml", 1, 1, 2) for _ in range(dice.randint(0, 2)))
        made.append(diagnose.duplicate_name(span, name=words(), also=also))
    return tuple(made)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_problem_stands_in_both_forms_as_it_is(seed: int, language: str) -> None:
    problems = tuple(in_order(drawn(seed)))
    results = json.loads(sarif(problems, language, "1"))["runs"][0]["results"]  # type: ignore[arg-type]
    lines = github(problems, language).splitlines()  # type: ignore[arg-type]
    assert len(results) == len(lines) == len(problems)
    for problem, result, line in zip(problems, results, lines, strict=True):
        words = f"{message(problem, language)}\n{repair(problem, language)}"  # type: ignore[arg-type]
        place = result["locations"][0]["physicalLocation"]
        assert result["ruleId"] == problem.code and result["message"]["text"] == words
        assert unquote(place["artifactLocation"]["uri"]) == problem.span.file
        assert not re.search(r"[\s#?\\]", place["artifactLocation"]["uri"])
        assert len(result.get("relatedLocations", [])) == len(problem.also)
        if problem.span.line:
            region = place["region"]
            assert region["startLine"] == problem.span.line and region["startColumn"] >= 1
            assert region["endColumn"] - region["startColumn"] == problem.span.length
        told = COMMAND.fullmatch(line)
        assert told is not None
        given = dict(pair.split("=", 1) for pair in told[2].split(","))
        assert unescaped(given["file"]) == problem.span.file and given["title"] == problem.code
        assert unescaped(told[3]) == words


@pytest.mark.parametrize("name", ["tab.yaml", "empty.yaml", "duplicate_key.yaml", "not_yaml.yaml", "binary.yaml"])
def test_a_broken_file_is_told_the_same_in_all_forms(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SESSIONS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    plain, marked, log = (
        lw("check", name, *more) for more in (("--json",), ("--format", "github"), ("--format", "sarif"))
    )
    told = [(one["code"], one["line"]) for one in plain.object()["problems"]]
    assert told and plain.code == marked.code == log.code == 2
    lines = [COMMAND.fullmatch(line) for line in marked.out.splitlines()]
    assert [re.search(r"title=(LW\d+)", line[2])[1] for line in lines if line] == [code for code, _ in told]  # type: ignore[index]
    assert [one["ruleId"] for one in json.loads(log.out)["runs"][0]["results"]] == [code for code, _ in told]


def test_nothing_wrong_is_an_empty_log() -> None:
    assert lw("check", "bargain", "--format", "github").out == ""
    log = lw("check", "bargain", "--format", "sarif")
    assert log.code == 0 and json.loads(log.out)["runs"][0]["results"] == []
    folder = lw("check", "cases", "--format", "github")
    assert "::error" not in folder.out and folder.code == 0
