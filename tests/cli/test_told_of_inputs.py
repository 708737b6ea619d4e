"""What is told of files and runs that a command reads: at which place, in both languages, by the smallest such input.

Each row is a folder of its own: the files in it, the commands that come before, and the one that tells.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import Serve
from loopback import Answer, Call, fail, say
from places import ROOT
from typed import Ran, lw

from legalworld.batch.jobs import BatchRequest, Lineup
from legalworld.batch.play import Batch
from legalworld.batch.ray_workers import RayPlayer
from legalworld.corpus import source
from legalworld.law.text import american_citations
from legalworld.models.litellm_client import Models
from legalworld.runs import actors
from legalworld.wording.diagnostics import render

pytestmark = pytest.mark.usefixtures("no_keys")
WARNING = {"zh": "警告", "en": "warning"}
STUDY = ROOT / "tests/study/project"
RUN = "run bargain --out r"
BATCH = "batch bargain --cases cases.jsonl --out b"
DEAL = "lw: 1\ncase: deal\ntitle: t\ngoods: offline\nlimit: {sell: 80, buy: 120}\n"
RUBRIC = "lw: 1\nrubric: mine\ntitle: Mine\nfor: [bargain]\n"
ASKED = (
    "asks:\n  tone: {title: Tone, from: turns in haggle, "
    "metrics: {civil: {title: Civil, scale: 0 to 10, asks: civil}}}\n"
)
FORMULA = 'formulas:\n  all: {title: All, is: "mean(civil)", range: 0 to 10}\n'
BINDING = "lw: 1\nbinding: {name}\ntitle: t\nprocedure: bargain\ndetect: [$.stuff]\nfields: {{goods: $.stuff}}\n"
OWN = (
    "lw: 1\nprocedure: mine\ntitle: Mine\nlocale: en\nkinds: {P: party}\n"
    "roles: {one: {title: One, kind: party, side: one}}\n"
    "stages:\n  - stage: haggle\n    title: Haggle\n    steps:\n      - one states: x\n"
)
DEBT = (STUDY / "rubrics/spoken.yaml").read_text("utf-8")
CLAIMS = {
    "id": "1",
    "specific_characters": {"plaintiff": [{"name": "张三"}], "defendant": [{"name": "李四"}]},
    "plaintiff_claim": "1.请求判令被告归还借款" + "，因为被告一直没有归还借款" * 40,
    "plaintiff_case_details": "借款没有归还。",
    "defendant_defence": "没有这回事。",
    "evidence": {"plaintiff_evidence": {}, "defendant_evidence": {}},
    "court_information": {"ground_truth": "x"},
}


@dataclass(frozen=True)
class Told:
    """A code, what raises it, and where it is told."""

    place: str
    command: str
    before: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    script: Callable[[Call], Answer] | None = None
    change: Callable[[], object] = lambda: None
    warns: bool = False


def rubric(text: str, place: str, command: str = "eval r --rubric mine.yaml") -> Told:
    """A rubric by which the bargain is scored."""
    return Told(place, command, (RUN,), {"mine.yaml": RUBRIC + text})


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[], object]:
    """A file of the folder changed behind the program's back."""
    return lambda: Path(name).write_bytes(change(Path(name).read_bytes()))


def cut(data: bytes) -> bytes:
    """Whole lines without the last one."""
    return b"".join(data.splitlines(keepends=True)[:-1])


JSONL = {"cases.jsonl": json.dumps({"lw": 1, "case": "a", "goods": "x", "limit": {"sell": 80, "buy": 120}}) + "\n"}
BRACKETS = "(" * 60 + "tone" + ")" * 60
ROWS: dict[str, Told] = {
    "LW191": Told("replay:r", "run bargain --model replay:r --out s", ("run bargain --until haggle/bid --out r",)),
    "LW193": Told(
        "--binding",
        "run specs/bargain.yaml --case c.json --out r",
        files={
            "specs/bargain.yaml": (ROOT / "specs/bargain.yaml").read_text("utf-8"),
            "bindings/one.yaml": BINDING.format(name="one"),
            "bindings/two.yaml": BINDING.format(name="two"),
            "c.json": '{"stuff": "chair"}',
        },
    ),
    "LW234": Told("--format", "export r --format pdf --to p", (RUN,), {"bin/soffice": "#!/bin/sh\nexit 1\n"}),
    "LW235": Told("nosuch.docx", "compare nosuch.docx other.docx"),
    "LW311": rubric(ASKED + f'formulas:\n  all: {{title: All, is: "{BRACKETS}", range: 0 to 10}}\n', "mine.yaml:8:"),
    "LW313": rubric(ASKED.replace("tone:", "1tone:"), "mine.yaml:6:"),
    "LW323": rubric(ASKED.replace("in haggle", "in haggle/nosuch") + FORMULA, "mine.yaml:6:"),
    "LW325": Told(
        "prompts/en/grade/ask/mine.j2:1:",
        "eval r --rubric rubrics/mine.yaml",
        (RUN,),
        {
            "specs/x.yaml": "",
            "rubrics/mine.yaml": RUBRIC + ASKED.replace("metrics:", "prompt: mine, metrics:") + FORMULA,
            "prompts/en/grade/ask/mine.j2": "{{ me.name }}\n",
            "prompts/zh/grade/ask/mine.j2": "{{ me.name }}\n",
        },
    ),
    "LW329": rubric(ASKED.replace("0 to 10", "band"), "mine.yaml:6:"),
    "LW330": Told(
        "c.yaml:6:",
        "run bargain --case c.yaml --out r",
        files={"c.yaml": DEAL + "one: 1\ntwo: 2\nthree: 3\nfour: 4\n"},
        warns=True,
    ),
    "LW340": rubric("pairs: yes\n" + ASKED, "mine.yaml:7:", "ratings pairs r r --aspects mine.yaml --out p"),
    "LW358": Told(
        "r",
        "ratings export r --rubric mine.yaml --out p",
        ("run bargain --case c.yaml --out r",),
        {"c.yaml": DEAL, "mine.yaml": RUBRIC + ASKED + FORMULA},
        warns=True,
    ),
    "LW366": Told(
        "--rubric",
        "intervene debt --rubric spoken --out study",
        files={"rubrics/spoken.yaml": DEBT.replace("  court: {title", "  hearing: {title")},
    ),
    "LW372": Told(
        "--writer",
        "intervene debt --rubric spoken --qualities high --writer openai/clerk --out study",
        script=lambda call: say("\u200b"),
    ),
    "LW511": Told(
        "c.json:1:", "run j1/civil-court --case c.json --out r", files={"c.json": json.dumps(CLAIMS)}, warns=True
    ),
    "LW562": Told(
        "mine.yaml",
        "skills grow mine.yaml --card deal --rubric mine_rubric.yaml --out g",
        files={
            "mine.yaml": OWN,
            "mine_rubric.yaml": RUBRIC.replace("[bargain]", "[mine]") + ASKED + FORMULA,
        },
    ),
    "LW674": Told(
        ".env:2:",
        RUN + " --model openai/clerk",
        files={"specs/x.yaml": "", ".env": "A_API_KEY=x\n=no name\n"},
        script=lambda call: fail(401),
        warns=True,
    ),
    "LW676": Told("openai/clerk", "models try openai/clerk", script=lambda call: fail(401)),
    "LW686": Told(
        "--tools",
        "resume r --model plaintiff_lawyer=openai/clerk",
        ("run civil --until CD --out r",),
        script=lambda call: fail(401),
        warns=True,
    ),
    "LW703": Told(
        "b/batch.jsonl:1:",
        "batch status b",
        (BATCH,),
        JSONL,
        change=rewrite("b/batch.jsonl", lambda data: b"{}\n" + data),
    ),
    "LW704": Told("b/batch.jsonl", "batch status b", (BATCH,), JSONL, change=rewrite("b/batch.jsonl", cut)),
    "LW705": Told(
        "b/batch.json",
        "batch status b",
        (BATCH,),
        JSONL,
        change=rewrite("b/batch.json", lambda data: data.replace(b"bargain", b"garbain")),
    ),
    "LW707": Told(
        "p",
        "ratings export r --rubric mine.yaml --out p",
        (RUN,),
        {
            "mine.yaml": RUBRIC
            + "measures:\n  long: {title: L, rule: overlap, from: turns in haggle, "
            + "against: document receipt, missing: 0}\n"
            + FORMULA.replace("civil", "long").replace("0 to 10", "0 to 1")
        },
    ),
    "LW708": Told("empty", "batch bargain --cases empty --out o", files={"empty/notes.txt": "x"}),
    "LW823": Told("english", "parse english [2019]UKSC5", warns=True),
    "LW982": Told("--accept", "snapshot bargain --accept nosuch", ("snapshot bargain --update",), {"specs/x.yaml": ""}),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, in which whatever a command takes from `.env` is taken back."""
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.setattr(american_citations, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("A_API_KEY", "")
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def write(row: Told, folder: Path) -> None:
    """The files of a row; a study's are put over the small project of the studies."""
    if row.command.startswith("intervene"):
        shutil.copytree(STUDY, folder, dirs_exist_ok=True)
    for name, text in row.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("code", ROWS)
def test_an_input_is_told_at_its_place(
    code: str, locale: str, here: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ROWS[code]
    monkeypatch.setenv("LW_LANG", locale)
    write(row, here)
    if row.script is not None:
        serve(row.script)
    for command in row.before:
        lw(*command.split())
    row.change()
    ran = lw(*row.command.split())
    assert_told(ran, code, row, locale)


def assert_told(ran: Ran, code: str, row: Told, locale: str) -> None:
    told = [line for line in ran.err.splitlines() if f": {code} " in line]
    assert told and any(line.startswith(row.place) for line in told), ran.said
    assert ("\n改法：" if locale == "zh" else "\nFix: ") in ran.err
    assert "Traceback" not in ran.err
    assert any(row.place in line and (WARNING[locale] in line) is row.warns for line in told), told


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_a_worker_of_another_version_is_told(locale: str, tmp_path: Path) -> None:
    """LW545: a machine of a cluster that has another version installed says so and plays nothing."""
    asked = BatchRequest("bargain", (), "", (Lineup(()),), "", {}, (), 1, tmp_path / "out")
    board = SimpleNamespace(tell=SimpleNamespace(remote=lambda event: None))
    problems = asyncio.run(RayPlayer(asked, ROOT, Batch(), board, "worker-1").begin("0.0.0"))
    assert [problem.code for problem in problems] == ["LW545"]
    words = render(problems, lambda path: None, locale)
    assert words.startswith("--engine: LW545") and "0.0.0" in words


def test_a_row_of_a_table_that_never_ends_is_kept_with_its_reason(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LW605: what fell out of a corpus is told by its place in the file, in both languages at once."""
    monkeypatch.setattr(source, "MAX_RECORD", 4000)
    (here / "broken.csv").write_text('text\n"' + "x" * 5000, "utf-8")
    assert lw("corpus", "build", "broken.csv", "--out", "corpus").code == 2
    (row,) = (json.loads(line) for line in (here / "corpus/01-read.dropped.jsonl").read_text("utf-8").splitlines())
    assert (row["id"], row["reason"]) == ("broken.csv#1", "LW605")
    assert "读不下去" in row["detail"] and "cannot be read from here on" in row["detail"]
    assert "LW605" in lw("corpus", "report", "corpus").out
