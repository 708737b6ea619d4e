"""What comes of each habit of a grader, and the table of them in docs/en/models.md (`make bless` writes it anew)."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from goldens import compare
from loopback import Answer, Call, fail, say
from places import ROOT
from ruamel.yaml import YAML
from typed import lw

PAGE = ROOT / "docs" / "en" / "models.md"
MADE = re.compile(r"(?<=<!-- made: graders -->\n).*?(?=<!-- end graders -->)", re.DOTALL)
HABITS: list[dict[str, Any]] = YAML(typ="safe").load((Path(__file__).parent / "habits.yaml").read_text("utf-8"))
RUBRIC = """lw: 1
rubric: plain
title: 一问
for: [j1_kq]
scales:
  band: {range: 0 to 10, anchors: {9-10: 清楚, 0-8: 不清楚}}
asks:
  clear:
    title: 说得清楚不清楚
    each: roles public
    from: turns in KQ
    metrics:
      clarity: {title: 清楚, scale: band, asks: 说得清楚不清楚。}
formulas:
  CLEAR: {title: 清楚, is: mean(clarity), range: 0 to 10}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graded")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for room in ("specs", "rubrics"):
            (folder / room).mkdir()
        (folder / "rubrics" / "plain.yaml").write_text(RUBRIC, encoding="utf-8")
        assert lw("run", "j1/kq", "--out", "run").code == 0
    return folder


def scored(value: int, body: Mapping[str, Any]) -> str:
    """A reply of the wanted form, read off the schema, or off the question where there is none."""
    asked = "\n".join(one["content"] for one in body["messages"] if one["role"] == "user")
    names = re.findall(r"^【(\w+)】", asked, re.MULTILINE)
    keys = re.findall(r"──── 第 (\S+) 项", asked) if '{"scores"' in asked else []
    if "response_format" in body:
        shape = body["response_format"]["json_schema"]["schema"]["properties"]
        keys = shape["scores"]["items"]["properties"]["key"]["enum"] if "scores" in shape else []
        inner = shape["scores"]["items"]["properties"] if keys else shape
        names = [name for name in inner if name != "key"]
    reply: Any = {name: {"score": value, "reason": "说得清楚", "turns": []} for name in names}
    if keys:
        reply = {"scores": [{"key": key, **reply} for key in keys]}
    return json.dumps(reply, ensure_ascii=False)


def outcome(row: Mapping[str, Any], folder: Path, serve: Serve) -> tuple[set[float | None], int, Counter[str]]:
    """The values that were kept, how often a question was asked at most, and how requests were made."""
    asked: Counter[str] = Counter()
    made: Counter[str] = Counter()

    def script(call: Call) -> Answer:
        body = call.body
        user = "\n".join(one["content"] for one in body["messages"] if one["role"] == "user")
        if "评" not in user and "score" not in user:  # asked whether it is there
            return say("OK")
        if row.get("noschema") and "response_format" in body:
            made["a schema"] += 1
            return fail(400, "response_format of type json_schema is not supported by this model")
        made["a schema" if "response_format" in body else "no schema"] += 1
        strict = "不能读取" in body["messages"][0]["content"]
        asked[user] += 1
        low = scored(2, body)
        text = row.get("again", row["says"]) if strict else row["says"]
        for name, value in {
            "{low}": low, "{high}": scored(10, body), "{half}": low[: len(low) // 2], "{off}": scored(77, body)
        }.items():  # fmt: skip
            text = text.replace(name, value)
        return say(text)

    serve(script)
    ran = lw("eval", "run", "--rubric", "plain", "--grader", "openai/judge", "--json").object()
    found = [one for one in ran["evaluations"][0]["scores"] if one["by"] == "openai/judge"]
    assert found and all((one["value"] is None) == (one["gap"] == "unreadable") for one in found)
    return {one["value"] for one in found}, max(asked.values()), made


@pytest.fixture
def here(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    shutil.copytree(played, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.parametrize("row", HABITS, ids=[row["habit"] for row in HABITS])
def test_what_comes_of_a_habit(row: Mapping[str, Any], here: Path, serve: Serve) -> None:
    values, asked, _ = outcome(row, here, serve)
    assert {"value": values, "asked": asked} == {"value": {row["right"]["value"]}, "asked": row["right"]["asked"]}


def test_the_table_is_up_to_date() -> None:
    """The rows say what is right, and each is tested against the server above."""
    lines = ["| A grader | What happens |", "|---|---|"]
    for row in HABITS:
        value, asked = row["right"]["value"], row["right"]["asked"]
        kept = "no score is kept, and the report says so" if value is None else f"the score is {value}"
        times = "" if asked == 1 else f", asked {asked} times"
        quoted = row["habit"].replace("|", "\\|").replace("<", "\\<")
        lines.append(f"| {quoted} | {kept}{times} |")
    text = PAGE.read_text(encoding="utf-8")
    assert MADE.search(text)
    compare(PAGE, MADE.sub(lambda _: "\n".join(lines) + "\n", text))
