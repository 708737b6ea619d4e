"""Tests that experts write: each expectation fails where it should, says what happened instead, and names what is not
there."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import ROOT
from typed import lw

from legalworld.authoring.find_tests import OpenedTests, Result, open_tests, result, worded
from legalworld.language.yaml_keys import YAML_KEYS
from legalworld.wording import read_toml

HEAD = "lw: 1\ntests of: bargain\ntests:\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own with the bargain in it."""
    for name in ("specs/bargain.yaml", "cases/bargain.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for folder in ("prompts", "documents"):
        shutil.copytree(ROOT / folder / "zh", tmp_path / folder / "zh")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(project: Path, body: str, head: str = HEAD) -> Path:
    file = project / "specs" / "bargain.test.yaml"
    file.write_text(head + "".join(f"  {line}\n" for line in body.splitlines()), encoding="utf-8")
    return file


def results(project: Path, body: str, head: str = HEAD) -> tuple[OpenedTests, list[Result]]:
    opened = open_tests(written(project, body, head), project)
    assert isinstance(opened, OpenedTests), opened
    return opened, [result(opened, test) for test in opened.tests]


def expecting(expect: str, given: str = "") -> str:
    return f"- test: t\n{given}  expect: {{{expect}}}\n"


TWO = expecting("outcome: sold").replace("t\n", "甲\n") + expecting("outcome: unsold").replace("t\n", "乙\n")

# Each expectation twice: as it holds, and as it does not; the kind of failure, and where in the spec it points.
EXPECTED = [
    ("steps: [haggle/offer, haggle/bid]", "steps: [haggle/bid, haggle/offer]", "too_early", "seller states"),
    ("steps: [settle/receipt]", "steps: [settle/1.else.1]", "not_reached", ""),
    ("never steps: [settle/1.else.1]", "never steps: [settle/receipt]", "reached", "seller drafts"),
    ("outcome: sold", "outcome: unsold", "other_outcome", "end case with receipt"),
    ("documents: [receipt]", "no documents: [receipt]", "document_made", "seller drafts"),
    ("contains: {receipt: 榆木圈椅}", "contains: {receipt: 榆木方桌}", "document_lacks", "seller drafts"),
    ("lacks: {receipt: 市价一百元}", "lacks: {receipt: 榆木}", "document_holds", "seller drafts"),
    ("answers: {price: 120}", "answers: {price: 80}", "other_answer", "buyer states"),
    ("answers: {愿付价钱: '120'}", "answers: {price: [120, 120]}", "other_answer", "buyer states"),
    ("keeps: all", "breaks: [no_answer]", "rule_kept", ""),
    ("at most: 20 turns", "at most: 2", "too_many_turns", ""),
    ("sees: [{who: buyer, field: limit own}]", "never sees: [{who: 买家, field: limit own}]", "shown", "limit own"),
    ("sees: [{who: buyer, text: 榆木}]", "never sees: [{text: 榆木}]", "shown", ""),
    ("never sees: [{field: limit other}]", "sees: [{field: limit other}]", "not_shown", "limit own"),
    ("sees: [{who: seller, field: goods}]", "never sees: [{field: goods}]", "shown", "| goods"),
    ("sees: [{field: price, at: settle}]", "sees: [{field: price, at: haggle}]", "shown_to_others", "price"),
    ("never sees: [{field: secret}]", "sees: [{field: secret}]", "not_shown", ""),
    ("never sees: [{who: seller, text: 市价一百元}]", "never sees: [{text: 海市蜃楼}]", "nowhere", ""),
    ("lacks: {receipt: 市价一百元}", "lacks: {receipt: 海市蜃楼}", "nowhere", ""),
    ("sees: [{who: seller, field: goods}]", "sees: [{who: buyer, field: goods, at: settle}]", "never_asked", ""),
]


@pytest.mark.parametrize(("holds", "fails", "kind", "spec"), EXPECTED)
def test_an_expectation_holds_or_says_what_happened_instead(
    holds: str, fails: str, kind: str, spec: str, project: Path
) -> None:
    _, (good,) = results(project, expecting(holds))
    assert good.failures == () == good.broken
    opened, (bad,) = results(project, expecting(fails))
    assert [failure.kind for failure in bad.failures] == [kind]
    failure = bad.failures[0]
    assert (failure.span.file, failure.span.line) == ("specs/bargain.test.yaml", 5)
    told = list(worded(opened, failure, project))
    assert told[0].startswith("specs/bargain.test.yaml:5: ") and "{" not in told[0]
    if spec:
        assert failure.spec is not None and f"(specs/bargain.yaml:{failure.spec.line})" in told[0]
        line = (project / "specs/bargain.yaml").read_text("utf-8").splitlines()[failure.spec.line - 1]
        assert spec in line


def test_every_kind_of_failure_is_worded_alike_in_both_languages() -> None:
    zh, en = (read_toml(f"{name}.toml")["testing"] for name in ("zh", "en"))
    assert set(zh) == set(en)
    source = (ROOT / "legalworld/authoring/verdicts.py").read_text("utf-8")
    assert all(kind in source or kind.startswith("skipped_") for kind in set(en) - {
        "passed", "failed", "broken", "sum", "spec", "anything"
    })  # fmt: skip


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_replies_are_said_where_and_by_whom_it_is_written(project: Path) -> None:
    body = """- test: one after the other, then as usual
  replies:
    - {who: buyer, at: haggle/press, reply: [太贵了甲, 太贵了乙]}
    - {who: buyer, answers: {price: 95}}
  expect:
    answers: {price: 95}
    sees: [{who: seller, text: 太贵了甲}, {who: seller, text: 太贵了乙}]
    contains: {receipt: "95"}
- test: a reply that nobody asks for
  replies:
    - {who: seller, at: haggle/bid, reply: 我不卖了}
    - {who: buyer, at: haggle/press, reply: [甲, 乙, 丙]}
  expect: {outcome: sold}
- test: nobody says anything
  model: offline:silent
  expect: {outcome: unsold, breaks: [no_answer, empty]}
"""
    _, (good, unused, silent) = results(project, body)
    assert good.failures == () == silent.failures
    assert [(failure.kind, failure.span.line) for failure in unused.failures] == [
        ("unused_reply", 14),
        ("unused_reply", 15),
    ]


def test_the_file_speaks_for_all_and_each_test_for_itself(project: Path) -> None:
    head = "lw: 1\nset: {limit.buy: '70'}\ntests:\n"
    body = "- {test: a, expect: {outcome: sold, answers: {price: 70}}}\n"
    body += "- {test: b, set: {limit.buy: '0'}, expect: {outcome: unsold}}"
    _, found = results(project, body, head)
    assert [one.failures for one in found] == [(), ()]


def test_a_run_that_stops_before_its_end_has_no_outcome(project: Path) -> None:
    _, (found,) = results(project, expecting("outcome: sold", "  until: settle\n"))
    assert [failure.kind for failure in found.failures] == ["paused"]


# ---- both languages, both homes --------------------------------------------------------------------------------------


def test_a_test_reads_alike_in_both_languages(project: Path) -> None:
    text = (ROOT / "specs" / "bargain.test.yaml").read_text("utf-8")
    chinese = {key: word for word, key in YAML_KEYS.items()}
    keys = (
        "tests of",
        "tests",
        "test",
        "expect",
        "steps",
        "outcome",
        "documents",
        "contains",
        "keeps",
        "at most",
        "who",
    )
    keys += (
        "replies",
        "at",
        "reply",
        "answers",
        "breaks",
        "no documents",
        "never steps",
        "sees",
        "field",
        "never sees",
    )
    for key in sorted(keys, key=len, reverse=True):
        for before in ("  ", "{", ", ", "\n", "- "):
            text = text.replace(f"{before}{key}:", f"{before}{chinese[key]}:")
    assert "expect" not in text and "sees" not in text and "who" not in text
    file = project / "specs" / "bargain.test.yaml"
    file.write_text(text, encoding="utf-8")
    opened, shipped = open_tests(file, project), open_tests(ROOT / "specs" / "bargain.test.yaml", ROOT)
    assert isinstance(opened, OpenedTests) and isinstance(shipped, OpenedTests)
    assert [(test.name, len(test.expected), len(test.replies)) for test in opened.tests] == [
        (test.name, len(test.expected), len(test.replies)) for test in shipped.tests
    ]
    assert all(result(opened, test).passed for test in opened.tests)


def test_tests_stand_in_the_spec_too_and_change_nothing_of_it(project: Path) -> None:
    spec = project / "specs" / "bargain.yaml"
    before = lw("check", "bargain", "--json").object()
    text = (
        spec.read_text("utf-8")
        + "\ntests:\n  - {test: 谈成, expect: {outcome: sold}}\n  - {test: 不成, expect: {outcome: unsold}}\n"
    )
    spec.write_text(text, encoding="utf-8")
    assert lw("check", "bargain", "--json").object()["errors"] == before["errors"] == 0
    found = lw("test", "bargain", "--json")
    assert (found.code, [one["status"] for one in found.object()["results"]]) == (1, ["passed", "failed"])
    child = "lw: 1\nprocedure: kid\nextends: bargain\ntests:\n  - {test: 谈成, expect: {outcome: sold}}\n"
    (project / "specs" / "kid.yaml").write_text(child, encoding="utf-8")
    assert lw("test", "kid", "--json").object()["passed"] == 1


# ---- what is not there -----------------------------------------------------------------------------------------------

WRONG = [
    ("steps: [haggle/ofer]", "unknown place", "LW186", "haggle/offer"),
    ("never steps: [haggel/offer]", "", "LW186", "haggle/offer"),
    ("outcome: soldd", "", "LW863", "sold"),
    ("documents: [recipt]", "", "LW063", "receipt"),
    ("documents: [receipt@nobody]", "", "LW866", None),
    ("contains: {recipt: a}", "", "LW063", "receipt"),
    ("answers: {prise: 1}", "", "LW861", "price"),
    ("sees: [{who: seler, field: goods}]", "", "LW060", "seller"),
    ("sees: [{who: seller, field: good}]", "", "LW062", "goods"),
    ("sees: [{who: seller}]", "", "LW858", None),
    ("never sees: [{text: ''}]", "", "LW858", None),
    ("lacks: {receipt: ''}", "", "LW858", None),
    ("steps: []", "", "LW858", None),
    ("contains: {}", "", "LW858", None),
    ("", "", "LW857", None),
    ("breaks: [no_anser]", "", "LW864", "no_answer"),
    ("at most: 5000 turns", "", "LW865", None),
    ("at most: many", "", "LW079", None),
    ("outcom: sold", "", "LW041", "outcome"),
]


@pytest.mark.parametrize(("expect", "_", "code", "near"), WRONG)
def test_what_is_not_there_or_cannot_fail_is_told_at_its_line(
    expect: str, _: str, code: str, near: str | None, project: Path
) -> None:
    found = open_tests(written(project, expecting(expect)), project)
    assert not isinstance(found, OpenedTests)
    assert code in [problem.code for problem in found]
    told = next(problem for problem in found if problem.code == code)
    assert told.nearest == near and told.span.line in (4, 5)
    checked = lw("check", "specs/bargain.test.yaml", "--json")
    assert checked.code == 2


@pytest.mark.parametrize(
    ("given", "code"),
    [("case: bargan", "LW"), ("options: {x: y}", "LW"), ("set: {lmit: 1}", "LW"), ("target: nobody", "LW"),
     ("model: gpt", "LW200"), ("until: nowhere", "LW186"), ("replies: [{who: buyer}]", "LW858")],
)  # fmt: skip
def test_a_case_an_option_or_a_reply_that_is_not_there_is_told_at_its_line(
    given: str, code: str, project: Path
) -> None:
    file = written(project, expecting("outcome: sold", f"  {given}\n"))
    opened = open_tests(file, project)
    problems = result(opened, opened.tests[0]).broken if isinstance(opened, OpenedTests) else opened
    assert problems and problems[0].code.startswith(code)
    assert (problems[0].span.file, problems[0].span.line) == ("specs/bargain.test.yaml", 5)
    assert lw("test", "bargain").code == 2


def test_half_of_a_file_is_told_and_never_raised(project: Path) -> None:
    text = (ROOT / "specs" / "civil.test.yaml").read_text("utf-8").replace("tests of: civil", "tests of: bargain")
    file, draw = project / "specs" / "bargain.test.yaml", random.Random(7)
    for _ in range(40):
        lines = text.splitlines()[: draw.randrange(2, 60)]
        lines[-1] = lines[-1][: draw.randrange(len(lines[-1]) + 1)]
        file.write_bytes("\n".join(lines).encode() + draw.choice([b"", b"\xff\xfe", b"\t- [", b"\0"]))
        found = open_tests(file, project)
        assert isinstance(found, tuple) and found


# ---- the command, and pytest -----------------------------------------------------------------------------------------


def test_the_command_counts_chooses_and_writes_junit(project: Path) -> None:
    written(
        project, expecting("outcome: sold").replace("t\n", "甲\n") + expecting("outcome: unsold").replace("t\n", "乙\n")
    )
    assert lw("test").code == 1
    assert lw("test", "-k", "甲").code == 0
    assert lw("test", "-k", "丙", "--json").object()["problems"][0]["code"] == "LW860"
    assert lw("test", "specs", "--junit", "out.xml").code == 1
    root = ElementTree.parse(project / "out.xml").getroot()
    assert [len(case) for case in root.iter("testcase")] == [0, 1]
    (project / "empty").mkdir()
    for word, code in (("empty", "LW859"), ("civill", "LW151"), ("cases/bargain.yaml", "LW859")):
        found = lw("test", word, "--json")
        assert found.code == 2 and found.object()["problems"][0]["code"] == code


def test_pytest_finds_them_in_any_project(project: Path) -> None:
    written(
        project, expecting("outcome: sold").replace("t\n", "甲\n") + expecting("outcome: unsold").replace("t\n", "乙\n")
    )
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="],
        cwd=project, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert told.returncode == 1
    assert "1 failed, 1 passed" in told.stdout and "specs/bargain.test.yaml:7" in told.stdout


@pytest.mark.parametrize("key", ["replies: [{answers: {appeals: 也许}}]", "expect: {answers: {appeals: 也许}}"])
def test_a_value_that_an_answer_cannot_have_is_told(key: str, project: Path) -> None:
    file = project / "specs" / "civil.test.yaml"
    file.write_text(f"lw: 1\ntests of: civil\ntests:\n  - test: t\n    {key}\n", encoding="utf-8")
    found = open_tests(file, project)
    assert isinstance(found, tuple) and "LW862" in [problem.code for problem in found]


@pytest.mark.parametrize("phases", [True, False])
@pytest.mark.parametrize("raised", ["raised by: buyer\n    token: 【走了】", "whenever: price at least 90"])
def test_every_place_that_was_come_to_counts_as_reached(project: Path, raised: str, phases: bool) -> None:
    """The stage, the phase, a step, an event and a step of it: expecting it holds, and expecting never to does not."""
    spec = (project / "specs/bargain.yaml").read_text("utf-8")
    event = f"events:\n  leave:\n    title: 走\n    {raised}\n    steps:\n      - seller states: 慢走\n"
    if phases:
        head, _, steps = spec.partition("    budget: 12 turns\n    steps:\n")
        inside, _, rest = steps.partition("  - stage: settle")
        moved = "".join(f"    {line}\n" if line else "" for line in inside.splitlines())
        spec = (
            f"{head}    phases:\n      - phase: one\n        title: 一\n        steps:\n{moved}  - stage: settle{rest}"
        )
    (project / "specs/bargain.yaml").write_text(spec + event, encoding="utf-8")
    base = "haggle/one" if phases else "haggle"
    places = ["haggle", base, f"{base}/offer", f"{base}/@leave", f"{base}/@leave.1", "settle"]
    words = "一百【愿付价钱：100】【走了】"
    said = f"  replies:\n    - {{who: buyer, at: {base}/bid, reply: '{words}'}}\n" if "token" in raised else ""
    for place in places:
        _, (good, wrong) = results(
            project,
            expecting(f"steps: [{place}]", said) + expecting(f"never steps: [{place}]", said).replace("t\n", "u\n", 1),
        )
        assert good.failures == () and len(wrong.failures) == 1, (place, good.failures)
