"""What the people of a run cite is read, checked by the law of the case's day, kept and shown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from library_texts import made
from places import HANG
from playing import matter, project
from typed import lw

from legalworld.law.library.citation_checker import CitationChecker, Standing
from legalworld.law.library.library import Library
from legalworld.law.text.citations import citations
from legalworld.model.case import Case, Record, Sided, Value
from legalworld.model.events import Asked, Drafted, Event, Spoke
from legalworld.model.procedure import Procedure
from legalworld.runs.citation_check import FILE, Checked, Day, as_json, as_text, check, kept, relevant_day

IN_2024 = date(2024, 4, 16)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder outside any project, without a library."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    monkeypatch.delenv("LW_LIBRARY", raising=False)
    return tmp_path


# ---- how a citation stands -------------------------------------------------------------------------------------------


def standing(text: str, at: date | None, library: Library | None = None) -> Standing:
    (citation,) = citations(text)
    return CitationChecker(library).standing(citation, at)


@pytest.mark.parametrize(
    ("text", "at", "outcome", "since"),
    [
        ("《中华人民共和国民事诉讼法》第六十七条", IN_2024, "in_force", "2024-01-01"),
        ("民法典第五百八十五条第二款", IN_2024, "in_force", "2021-01-01"),
        ("民事诉讼法第六十七条", date(2023, 12, 31), "unknown", None),  # another text was in force, under other numbers
        ("民事诉讼法第一百五十条", IN_2024, "unknown", None),  # not among the citations that the project ships
        ("民法典第一千二百六十一条", IN_2024, "no_such_article", "2021-01-01"),
        ("民事诉讼法第三百零七条", IN_2024, "no_such_article", "2024-01-01"),
        ("民事诉讼法（2021修正）第三百条", IN_2024, "no_such_article", "2022-01-01"),
        ("刑法第四百五十三条", IN_2024, "no_such_article", "1997-10-01"),
        ("民法典第五百八十五条", date(2020, 12, 31), "not_yet", None),
        ("合同法第六十条", IN_2024, "repealed", None),
        ("合同法第六十条", None, "repealed", None),
        ("合同法第六十条", date(2019, 5, 1), "unknown", None),
        ("合同法第四百二十九条", date(2019, 5, 1), "no_such_article", "1999-10-01"),
        ("《中华人民共和国公司法》", IN_2024, "in_force", "2018-10-26"),
        ("《中华人民共和国婚姻法》", IN_2024, "repealed", None),
        ("《云川市停车管理办法》第三条", IN_2024, "unknown", None),
        ("依据第三百条的规定", IN_2024, "ambiguous", None),
    ],
)
def test_without_a_library(text: str, at: date | None, outcome: str, since: str | None) -> None:
    found = standing(text, at)
    assert (found.outcome, str(found.since) if found.since else None) == (outcome, since)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    found = made(tmp_path_factory.mktemp("laws") / "library")
    yield found
    found.close()


PARKING = "《湖滨市停车场管理条例》"


@pytest.mark.parametrize(
    ("text", "at", "outcome", "basis"),
    [
        (f"{PARKING}第三条第三款第（二）项第1目", IN_2024, "in_force", "text"),
        (f"{PARKING}第三条第九款", IN_2024, "no_such_article", "text"),
        (f"{PARKING}第三条第三款第（九）项", IN_2024, "no_such_article", "text"),
        (f"{PARKING}第二条之一", IN_2024, "in_force", "text"),
        (f"{PARKING}第九十九条", IN_2024, "no_such_article", "text"),
        (f"{PARKING}第三条", date(2019, 1, 1), "not_yet", "known"),
        ("民事诉讼法第六十七条", IN_2024, "in_force", "list"),  # of what the library has not, the project's list tells
        ("合同法第六十条", IN_2024, "repealed", "known"),
    ],
)
def test_with_a_library(library: Library, text: str, at: date, outcome: str, basis: str) -> None:
    found = standing(text, at, library)
    assert (found.outcome, found.basis) == (outcome, basis)


def test_the_version_that_was_in_force_is_the_one_checked(library: Library) -> None:
    days = [standing(f"{PARKING}第三条", at, library).adopted for at in (date(2022, 1, 1), IN_2024)]
    assert days == [date(2019, 6, 18), date(2023, 5, 8)]


def test_a_library_is_told_by_what_it_holds(library: Library, tmp_path: Path) -> None:
    again, empty = made(tmp_path / "again"), made(tmp_path / "empty", None)
    try:
        assert again.digest() == library.digest() != empty.digest()
    finally:
        again.close()
        empty.close()


# ---- the day ---------------------------------------------------------------------------------------------------------


def civil() -> tuple[Procedure, Case]:
    procedure = project().procedure
    assert procedure is not None
    return procedure, matter("jiedai").case


def given(value: Value | Sided) -> Case:
    return replace(civil()[1], fields={"docket": value})


def test_the_shipped_procedure_says_the_day() -> None:
    assert relevant_day(*civil()) == Day(IN_2024, "docket.hearing", "2024年4月16日")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            Record({"hearing": "2024年4月", "filed": "2024年1月10日立案"}),
            Day(date(2024, 1, 10), "docket.filed", "2024年1月10日"),
        ),
        (Record({"hearing": "2024-04-16"}), Day(IN_2024, "docket.hearing", "2024-04-16")),
        (Record({"hearing": "二〇二四年四月十六日上午"}), Day(IN_2024, "docket.hearing", "二〇二四年四月十六日上午")),
        (Record({"hearing": "2024年2月30日"}), Day()),
        (Record({"hearing": "待定"}), Day()),
        (Record({}, ("hearing", "filed")), Day()),
        (
            (Record({"hearing": "另定"}), Record({"hearing": "2024年4月16日"})),
            Day(IN_2024, "docket.hearing", "2024年4月16日"),
        ),
        (Sided({"a": Record({"hearing": "2024年4月16日"})}), Day(IN_2024, "docket.hearing", "2024年4月16日")),
    ],
)
def test_days_as_cases_give_them(value: Value | Sided, expected: Day) -> None:
    found = relevant_day(civil()[0], given(value))
    assert (found.date, found.field) == (expected.date, expected.field)
    assert expected.written.startswith(found.written)


def test_a_procedure_that_names_no_day() -> None:
    procedure, case = civil()
    assert relevant_day(replace(procedure, law_at=()), case) == Day()


# ---- what is read ----------------------------------------------------------------------------------------------------


def asked(person: str, identity: str) -> Asked:
    words = {"place": "FIT/debate", "role": person, "speaker": person, "act": "state", "thread": person}
    return Asked(id=identity, person=person, added=(), shown={}, **words)


def spoke(person: str, request: str, text: str) -> Spoke:
    place = {"place": "FIT/debate", "thread": person, "speaker": person, "act": "state"}
    return Spoke(request=request, person=person, text=text, to=(), heard_by=(), **place)


def drafted(person: str, text: str, source: str = "reply") -> Drafted:
    words = {"place": "CD/draft", "document": "complaint", "side": "plaintiff", "speaker": person, "missing": ()}
    return Drafted.model_validate({**words, "person": person, "text": text, "source": source})


def checked(*events: Event) -> Checked:
    return check(*civil(), events, Path.cwd())


def test_words_and_documents_are_read_with_where_they_were_said() -> None:
    found = checked(
        asked("a", "a/1"),
        asked("b", "b/1"),
        spoke("b", "b/1", "依照《中华人民共和国民法典》第五百八十五条第二款、\n第六百七十条。"),
        drafted("a", "根据民事诉讼法第一百二十二条，提起诉讼。"),
    )
    rows = [(one.person, one.request, one.act, one.document, one.written) for one in found.cited]
    assert rows == [
        ("b", "b/1", "state", "", "《中华人民共和国民法典》第五百八十五条第二款"),
        ("b", "b/1", "state", "", "第六百七十条"),
        ("a", "a/1", "", "complaint", "民事诉讼法第一百二十二条"),
    ]
    assert found.counts == {"all": 3, "wrong": 0, "unknown": 0}


def test_documents_that_came_with_the_case_were_made_by_nobody_here() -> None:
    text = "依照《合同法》第六十条。"
    assert checked(drafted("a", text, "case"), drafted("a", text, "replaced")).cited == ()


def test_former_law_that_is_called_so_is_not_wrong() -> None:
    found = checked(spoke("a", "1", "原《中华人民共和国合同法》第六十条"), spoke("a", "2", "合同法第六十条"))
    assert [(one.standing.outcome, one.wrong) for one in found.cited] == [("repealed", False), ("repealed", True)]


def test_clauses_of_contracts_and_relative_words_are_no_citations() -> None:
    assert checked(spoke("a", "1", "《借款合同》第三条约定了利息，前款所称借款人是指被告。")).cited == ()


def test_the_file_has_a_line_for_each_and_is_read_back() -> None:
    found = checked(spoke("a", "1", "民法典第五百八十五条，民法典第一千三百条"))
    text = as_text(as_json(found))
    Path(FILE).write_text(text, encoding="utf-8")
    data = kept(Path.cwd())
    assert data == as_json(found)
    assert data is not None
    assert data["law_at"] == {"date": "2024-04-16", "field": "docket.hearing", "written": "2024年4月16日"}
    assert sum(line.startswith('  {"place"') for line in text.splitlines()) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"citations": []}', '{"citations": [{}], "all": 1}', "[" * 100_000])
def test_a_file_that_is_not_ours_is_not_believed(text: str) -> None:
    Path(FILE).write_text(text, encoding="utf-8")
    assert kept(Path.cwd()) is None


# ---- runs ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("civil") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder.parent)
        patch.delenv("LW_LIBRARY", raising=False)
        ran = lw("run", "civil", "--out", folder, "--json")
    counts = ran.object()["citations"]
    assert counts == {"all": counts["all"], "wrong": 0, "unknown": 0}
    assert counts["all"] > 30
    return folder


def test_a_run_keeps_what_was_cited(run: Path) -> None:
    data = json.loads((run / FILE).read_text("utf-8"))
    assert data["library"] == {"digest": "", "list_as_of": "2025-10-01"}
    assert {row["outcome"] for row in data["citations"]} == {"in_force"}
    assert {row["document"] for row in data["citations"]} >= {"", "first_judgment", "final_judgment"}
    assert all(row["request"].startswith(row["place"].split("/")[0]) for row in data["citations"])


def test_replay_makes_the_same_file_again(run: Path) -> None:
    before = (run / FILE).read_bytes()
    (run / FILE).unlink()
    assert lw("replay", run).code == 0
    assert (run / FILE).read_bytes() == before


@pytest.mark.parametrize("language", ["zh", "en"])
def test_it_is_shown(run: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", language)
    lines = lw("show", run, "--citations").out.splitlines()
    assert "2024-04-16" in lines[0]
    assert "lw law add" in lines[1]
    assert len(lines) == 3 + json.loads((run / FILE).read_text("utf-8"))["all"]
    words = ("有效", "未能核对") if language == "zh" else ("in force", "not checked")
    assert all(any(word in line for word in words) for line in lines[3:])


def test_it_is_shown_as_json_with_or_without_the_file(run: Path) -> None:
    shown = lw("show", run, "--citations", "--json").object()
    assert shown == json.loads((run / FILE).read_text("utf-8"))
    kept_text = (run / FILE).read_text("utf-8")
    (run / FILE).write_text("{", encoding="utf-8")
    try:
        assert lw("show", run, "--citations", "--json").object() == shown
    finally:
        (run / FILE).write_text(kept_text, encoding="utf-8")


def test_wrong_citations_are_counted_at_the_end(run: Path) -> None:
    ran = lw("run", "civil", "--until", "CD", "--out", "early", "--set", "docket.hearing=2020年3月1日")
    assert "引用法律 6 处，其中 4 处不存在或者当时无效，2 处未能核对（lw show early --citations 查看）" in ran.out
    shown = lw("show", "early", "--citations").out
    assert shown.count("✗") == 4
    assert "尚未施行" in shown


def test_a_run_brings_no_search_index_along(here: Path) -> None:
    code = (
        "import sys\nsys.argv = ['lw', 'run', 'j1/kq', '--out', 'mine', '--json']\n"
        "from legalworld.cli.main import main\ntry:\n    main()\nexcept SystemExit as left:\n    assert not left.code\n"
        "assert 'legalworld.law.library.citation_checker' in sys.modules\nassert 'tantivy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((here / "mine" / FILE).read_text("utf-8"))["citations"]
