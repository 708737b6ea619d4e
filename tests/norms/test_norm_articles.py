"""Articles that norms cite: known and in force, known and not in force, or of a law of which nothing is held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from norm_sets import FACTS, FOLDER, HEADS, NORM
from typed import lw

from legalworld.authoring.norm_check import CheckedNorms, check_norms
from legalworld.language import diagnose
from legalworld.model.source import MemorySources
from legalworld.wording.diagnostics import message, repair

NOWHERE = Path("/nowhere")
# What a norm cites -> how it is called where it could not be checked.
UNHELD = {
    "买卖合同解释第十八条": "买卖合同解释第十八条",
    "天宫条例第三条": "天宫条例第三条",
    "民法典第三百七十条": "民法典第三百七十条",
    "Sale of Goods Act 1979 s 27": "Sale of Goods Act 1979 27",
    "Unheard Of Act 2031 s 5(2)": "Unheard Of Act 2031 5(2)",
}
LAW = """\
# 天宫条例
（2020年1月1日通过，2020年6月1日起施行）

第一条　为了检验。

第二条　天宫里的货物，自交付时起归买受人。
"""


def texts(norm: str = NORM) -> dict[str, str]:
    return {f"{FOLDER}/facts.yaml": FACTS, f"{FOLDER}/heads.yaml": HEADS, f"{FOLDER}/sale.yaml": norm}


def check(norm: str, cwd: Path = NOWHERE) -> CheckedNorms:
    return check_norms(MemorySources(texts(norm)), FOLDER, cwd)


def codes(found: CheckedNorms) -> list[str]:
    return [one.code for one in found.problems]


@pytest.mark.parametrize("cited", UNHELD)
def test_what_nobody_can_check_is_no_problem_and_is_told(cited: str) -> None:
    found = check(NORM.replace("民法典第五百七十九条", cited))
    assert codes(found) == [] and found.unchecked == {f"{FOLDER}/sale.yaml": (UNHELD[cited],)}


def test_what_is_known_is_not_told() -> None:
    assert check(NORM) == CheckedNorms(())


@pytest.mark.parametrize(
    "others", [("民法典第五百七十九条", "天宫条例第三条"), ("天宫条例第三条", "合同法第一百零七条")]
)
def test_each_article_of_a_row_is_told_by_itself(others: tuple[str, str]) -> None:
    found = check(NORM.replace("民法典第五百七十九条", "、".join(others)))
    assert found.unchecked == {f"{FOLDER}/sale.yaml": ("天宫条例第三条",)}
    assert codes(found) == (["LW939"] if "合同法" in others[1] else [])


@pytest.mark.parametrize(
    ("force", "kind"),
    [
        ("{since: 2015-01-01, until: 2020-12-31, on: due}", None),
        ("{since: 2015-01-01, on: due}", diagnose.article_no_longer_in_force),
        ("{since: 2015-01-01, until: 2021-01-01, on: due}", diagnose.article_not_in_force),
        ("{since: 2021-01-01, on: due}", diagnose.article_not_in_force),
        ("{since: 1998-01-01, until: 2020-12-31, on: due}", diagnose.article_not_in_force),
    ],
)
def test_an_article_is_in_force_on_the_first_and_the_last_day(force: str, kind: diagnose.AnyKind | None) -> None:
    """The law of contracts of 1999 was in force from October of that year to the end of 2020."""
    norm = NORM.replace("{since: 2021-01-01, on: due}", force).replace("民法典第五百七十九条", "合同法第一百零七条")
    norm = norm.replace("gives: 80}", "gives: undecided}")
    problems = [one for one in check(norm).problems if one.code != diagnose.code_of(diagnose.example_differs)]
    assert [one.code for one in problems] == ([diagnose.code_of(kind)] if kind is not None else [])
    assert all(message(one, locale) and repair(one, locale) for one in problems for locale in ("zh", "en"))


def test_a_law_that_is_imported_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be told becomes right or wrong once the text is held; what `lw` says of it changes with it."""
    monkeypatch.chdir(tmp_path)
    for name, text in texts(NORM.replace("民法典第五百七十九条", "天宫条例第二条、天宫条例第三条")).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "specs").mkdir()
    path = f"{FOLDER}/sale.yaml"
    row = _row(path)
    assert row["unchecked"] == ["天宫条例第二条", "天宫条例第三条"] and row["usable"]
    assert "2" in _line(path) and _line(path) != _line(f"{FOLDER}/facts.yaml").replace("facts", "sale")
    (listed,) = (one for one in json.loads(lw("norms", "--json").out)["norms"] if one["set"] == "x")
    assert listed["unheld"] == ["天宫条例 2", "天宫条例 3"]
    (tmp_path / "天宫条例.md").write_text(LAW, encoding="utf-8")
    assert lw("law", "add", "天宫条例.md").code == 0
    row = _row(path)
    assert row["unchecked"] == [] and not row["usable"]
    assert [one["code"] for one in row["problems"]] == [diagnose.code_of(diagnose.unknown_cited_article)]


def _row(path: str) -> dict[str, object]:
    (row,) = json.loads(lw("check", path, "--json").out)["files"]
    assert isinstance(row, dict)
    return row


def _line(path: str) -> str:
    return lw("check", path).out.splitlines()[0]
