"""What tools bring back of similar cases: never the running one, in whatever words the library has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from legalworld.language import diagnose
from legalworld.law.library.library import AddedCases, Library
from legalworld.model.case import Case
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.events import Errand
from legalworld.runs.likeness import Likeness
from legalworld.runs.project import open_project
from legalworld.runs.tool_services import ToolServices

FACTS = "原告与被告于三月一日约定，由被告修理原告的渔船一艘，修理费三万元，五月底交付，被告到期没有修好，渔船漏水。"
JUDGMENT = (
    "本院认为，双方的修理合同成立并生效，被告没有按期交付合格的工作成果，应当承担违约责任。",
    "原告另请他人修理支出的一万八千元有收据和转账记录，属于因违约造成的损失，应予支持。",
    "原告主张的停航损失没有证据证明每日收入，本院酌定为六千元，超出部分不予支持。",
    "判决如下：被告于本判决生效之日起十日内赔偿原告二万四千元；驳回原告的其他诉讼请求。",
)
MASKED = "某甲与某乙承揽合同纠纷。" + JUDGMENT[1] + "合议庭另查明，船舶检验合格。" + JUDGMENT[2]
OTHER = "丙与丁承揽合同纠纷。丙委托丁修理汽车，丁修理后汽车仍然异响，丙拒付修理费，丁起诉。法院判令丙支付修理费的一半。"
CASE = Case("boat", "修船", {"facts": FACTS, "number": "(2024)湖0101民初77号"}, {"judgment": "\n".join(JUDGMENT)})


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToolServices]:
    rows = [
        {"title": "某甲与某乙承揽合同纠纷", "text": MASKED},
        {"title": "修船旧案", "text": "渔船修理。" + FACTS[:40].replace("，", "、")},
        {"title": "编号相同", "number": "（２０２４）湖0101民初77号", "text": "渔船修理合同。"},
        {"title": "丙与丁承揽合同纠纷", "text": OTHER},
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "specs").mkdir()
    monkeypatch.setenv("LW_LIBRARY", str(tmp_path / "library"))
    library = Library.open(tmp_path / "library", create=True)
    assert isinstance(library, Library)
    assert isinstance(library.add_cases(file), AddedCases)
    library.close()
    procedure = open_project("bargain", tmp_path).procedure
    assert procedure is not None
    found = ToolServices(procedure, CASE, tmp_path, "zh", lambda: CASE)
    yield found
    found.close()


def similar(services: ToolServices) -> dict[str, object]:
    errand = Errand("FIT/1", "plaintiff_lawyer", "search cases", {"query": "修理 承揽合同 渔船"}, "boat")
    told: dict[str, object] = json.loads(services.result(errand))
    return told


def test_the_running_case_is_in_no_list(services: ToolServices) -> None:
    """Its sealed judgment under other names, its facts with other signs, its number: left out, and counted."""
    told = similar(services)
    assert [row["title"] for row in told["found"]] == ["丙与丁承揽合同纠纷"]  # type: ignore[attr-defined]
    assert told["note"] == "有 3 件与正在办理的案件相同，没有列出。"
    assert not any(sentence[:20] in json.dumps(told, ensure_ascii=False) for sentence in JUDGMENT)


def test_what_cannot_be_compared_is_not_told(services: ToolServices) -> None:
    services._whole = lambda: diagnose.damaged_run_file("sealed.json", name="sealed.json")
    assert similar(services)["found"] == []


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        (JUDGMENT[1] + JUDGMENT[3], True),
        ("如不服本判决，可以在判决书送达之日起十五日内，向本院递交上诉状。", False),
        ("".join(JUDGMENT).replace("被告", "某公司"), True),
        (OTHER, False),
        ("", False),
    ],
)
def test_a_part_of_a_text_tells(text: str, tells: bool) -> None:
    assert Likeness([FACTS, "".join(JUDGMENT)]).tells(text) is tells


@pytest.mark.parametrize(("day", "words"), [("2021-03-01", "三日"), ("2024-05-06", "七日"), ("", "五日")])
def test_law_is_looked_up_as_it_stood_on_the_day_that_has_come(
    day: str, words: str, services: ToolServices, tmp_path: Path
) -> None:
    """Found, searched and checked alike; where no day has come, the law of the day of the case."""
    held = Library.open(tmp_path / "library")
    assert isinstance(held, Library)
    for year, text in ((2020, "三日"), (2022, "五日"), (2024, "七日")):
        file = tmp_path / f"{year}.md"
        article = f"第一条 停车人应当在{text}内交费。\n" + ("第二条 本办法由市政府解释。\n" if year == 2024 else "")
        file.write_text(f"# 停车办法\n2019年1月1日 通过\n{year}年1月1日 修正\n<!-- INFO END -->\n{article}", "utf-8")
        assert not isinstance(held.add_laws(file, in_force=date(year, 2, 1)), Diagnostic)
    held.close()
    services._procedure = replace(services._procedure, law_at=(("filed", ""),))
    services._case = replace(CASE, fields={"filed": "2022年12月1日"})

    def told(operation: str, **arguments: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(
            services.result(Errand("FIT/1", "judge", operation, arguments, "boat", day))
        )
        return found

    for found in (
        told("find article", law="停车办法", article="第一条"),
        told("search articles", query="停车人交费", law="停车办法"),
    ):
        assert words in found["found"][0]["text"]  # type: ignore[index]
    checked = told("check citations", text="依照《停车办法》第二条。")
    assert [row["wrong"] for row in checked["found"]] == [day != "2024-05-06"]  # type: ignore[attr-defined]
