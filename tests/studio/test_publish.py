"""Published pages: the same answers as the owner's, in one file each, without what is not to leave."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from studio_graded import graded
from studio_served import studio_served
from typed import lw

from legalworld.model.json_text import read_json
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.studio.answer_pool import packed
from legalworld.studio.publish import PublishChoices, run_answers
from legalworld.studio.run_pages import RunPages
from legalworld.studio.studio_run import StudioRun
from legalworld.studio.withheld import Withholding, names_of, sealed_of

EVERYTHING = Withholding({}, ())


def unpacked(file: Path) -> dict[str, Any]:
    """What a page holds, as its script reads it."""
    boot = re.search(r'<script type="application/json" id="boot">(.*?)</script>', file.read_text("utf-8"), re.DOTALL)
    assert boot is not None
    return resolved(json.loads(zlib.decompress(base64.b64decode(json.loads(boot[1])["pack"]))))


def resolved(pack: dict[str, Any]) -> dict[str, Any]:
    pool: list[Any] = []

    def value(one: Any) -> Any:
        if isinstance(one, list):
            return [value(part) for part in one]
        if isinstance(one, dict):
            return pool[one["$"]] if list(one) == ["$"] else {name: value(part) for name, part in one.items()}
        return one

    for entry in pack["pool"]:
        pool.append(value(entry))
    return {**pack, "answers": value(pack["answers"])}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("published") / "runs"
    for name in ("civil", "criminal"):
        assert lw("run", name, "--seed", 7, "--out", root / name).code == 0
        graded(root / name, sealed(root / name)[0])
    return root


def sealed(folder: Path) -> list[str]:
    """The longest lines of what a case keeps for scoring."""
    text = (folder / "sealed.json").read_text(encoding="utf-8")

    def texts(value: Any) -> list[str]:
        if isinstance(value, str):
            return [line.strip() for line in value.splitlines()]
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [line for part in parts for line in texts(part)]

    case = (folder / "case.json").read_text(encoding="utf-8")
    found = [line for line in texts(read_json(text)) if len(line) > 12 and line not in case]
    assert found, "the case keeps something for scoring"
    return sorted(found, key=len, reverse=True)


@pytest.fixture(scope="module")
def site(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "site"
    ran = lw("publish", runs / "civil", runs / "criminal", "--out", out)
    assert ran.code == 0, ran.err
    return out


def pages_of(folder: Path) -> RunPages:
    opened = open_run(folder)
    assert isinstance(opened, OpenRun)
    return RunPages(StudioRun(folder.name, opened, folder.parent))


@pytest.mark.parametrize("run", ["civil", "criminal"])
def test_what_is_sealed_is_left_out_and_stands_at_the_owners_address(runs: Path, site: Path, run: str) -> None:
    """The control: the owner sees in the scores what the canary says; the page that leaves does not hold it."""
    canaries = sealed(runs / run)
    with studio_served(runs) as asked:
        assert canaries[0] in asked.get(f"d/run/{run}/scores").body.decode()
        (question,) = asked.get(f"d/run/{run}/asked/0.0").data["questions"]
        assert [canaries[0] in text for text in (question["messages"][0]["content"], question["reply"])] == [True, True]
        assert "asked" in asked.get(f"d/run/{run}/head").data["has"]
    (file,) = site.glob(f"run-*-{run}.html")
    text = json.dumps(unpacked(file), ensure_ascii=False)
    record = (runs / run / "journal.jsonl").read_text(encoding="utf-8")
    assert [one for one in canaries if one in text and one not in record] == []
    scores = {row["item"]: row for row in unpacked(file)["answers"][f"run/{run}/scores"]["evaluations"][0]["scores"]}
    assert scores["a"]["value"] == 7.0 and scores["a"]["turns"] == [3], "the score itself is there"
    assert not any(scores["a"][name] for name in ("reason", "detail", "raw", "truth"))
    assert not [name for name in unpacked(file)["answers"] if "/asked/" in name]
    assert "asked" not in unpacked(file)["answers"][f"run/{run}/head"]["has"]
    assert scores["b"]["truth"] == "" and canaries[0] not in scores["b"]["reason"]


@pytest.mark.parametrize("run", ["civil", "criminal"])
def test_names_are_replaced_unless_they_are_asked_for(runs: Path, site: Path, tmp_path: Path, run: str) -> None:
    names = names_of(pages_of(runs / run).run)
    assert len(names) > 1
    (file,) = site.glob(f"run-*-{run}.html")
    text = json.dumps(unpacked(file), ensure_ascii=False)
    assert [name for name in names if name in text] == []
    assert unpacked(file)["answers"][f"run/{run}/head"]["names"] is False
    assert lw("publish", runs / run, "--out", tmp_path / "named", "--names").code == 0
    (named,) = (tmp_path / "named").glob("run-*.html")
    text = json.dumps(unpacked(named), ensure_ascii=False)
    assert [name for name in names if name not in text] == []


def test_prompts_come_when_they_are_asked_for(runs: Path, site: Path, tmp_path: Path) -> None:
    (file,) = site.glob("run-*-civil.html")
    without = unpacked(file)["answers"]
    assert not [address for address in without if "/prompt/" in address]
    assert "prompts" not in without["run/civil/head"]["has"]
    assert lw("publish", runs / "civil", "--out", tmp_path / "site", "--prompts").code == 0
    (file,) = (tmp_path / "site").glob("run-*.html")
    answers, pages = unpacked(file)["answers"], pages_of(runs / "civil")
    assert not [name for name in answers if "/asked/" in name], "what a grader was asked never comes"
    assert len([address for address in answers if "/prompt/" in address]) == len(pages.run.calls)
    assert file.stat().st_size < 900_000, "what comes again stands there once"


@pytest.mark.parametrize("run", ["civil", "criminal"])
def test_a_pack_gives_every_answer_back(runs: Path, run: str) -> None:
    """Packed and resolved as a browser does it, each answer is the very one that a server gives."""
    pages = pages_of(runs / run)
    answers = dict(run_answers(pages, PublishChoices(True, True, "en"), EVERYTHING))
    back = resolved(json.loads(packed(answers, {})))["answers"]
    assert back == json.loads(json.dumps(answers))
    for turn in range(1, len(pages.run.calls) + 1):
        for what in ("turn", "sight", "memory"):
            page = pages.answer(f"{what}/{turn}", {})
            assert page is not None and back[f"run/{run}/{what}/{turn}"] == json.loads(page.model_dump_json())


@pytest.mark.parametrize(
    "value",
    [
        {"$": 5},
        {"a": {"$": 0}, "b": [{"$": 1}] * 2},
        [1, True, 1.0, "1", None, False, 0],
        [["x" * 60, {"k": "x" * 60}]] * 3,
        {"__proto__": {"a": 1}, "constructor": [[], {}]},
    ],
)
def test_what_others_wrote_is_taken_for_no_mark(value: Any) -> None:
    """A key of others that is called as the mark stands under another name; nothing of the pool takes its place."""
    answers = {"one": value, "two": value, "three": ["kept " * 20] * 2}
    back = resolved(json.loads(packed(answers, {})))["answers"]
    assert json.dumps(back) == json.dumps(answers).replace('"$"', '"\\uff04"')


def test_marks_of_citations_stand_where_the_changed_text_has_them(runs: Path, site: Path) -> None:
    (file,) = site.glob("run-*-civil.html")
    answers = unpacked(file)["answers"]
    whole = pages_of(runs / "civil")
    marks = 0
    for row, line in zip(whole.transcript.rows, answers["run/civil/lines"]["lines"], strict=True):
        for before, after in zip(row.cites, line["cites"], strict=True):
            marks += 1
            old = row.text.encode("utf-16-le")[2 * before.start : 2 * before.end].decode("utf-16-le")
            new = line["text"].encode("utf-16-le")[2 * after["start"] : 2 * after["end"]].decode("utf-16-le")
            assert new == old
    assert marks > 5


def test_pages_ask_for_nothing_and_name_no_place_of_this_machine(site: Path, runs: Path) -> None:
    for file in site.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert (
            policy is not None and policy[1].startswith("default-src &#39;none&#39;")
        ) or "default-src 'none'" in text
        assert "connect-src" not in text.partition("<script")[0] and "unsafe" not in text.partition("<script")[0]
        assert " src=" not in text.partition("<body>")[0] and 'type="module"' not in text
        inner = json.dumps(unpacked(file), ensure_ascii=False)
        assert str(runs) not in inner and str(Path.home()) + "/" not in inner


def test_a_key_of_this_machine_keeps_a_page_from_being_written(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = pages_of(runs / "criminal")
    names = names_of(pages.run)
    said = next(
        part[:40]
        for line in pages.transcript.rows
        for part in re.split(r'[\n"\\\\]', line.text)
        if line.said and len(part) > 60 and not any(name in part for name in names)
    )
    monkeypatch.setenv("MADE_API_KEY", said)
    ran = lw("publish", runs / "criminal", runs / "civil", "--out", tmp_path / "site")
    assert ran.code == 2 and "LW437" in ran.err
    assert [file.name for file in (tmp_path / "site").glob("run-*")] == ["run-2-civil.html"]


def test_a_folder_with_something_in_it_is_left_alone(site: Path, runs: Path) -> None:
    before = {file: file.read_bytes() for file in site.iterdir()}
    ran = lw("publish", runs / "civil", "--out", site)
    assert ran.code == 2 and "LW438" in ran.err
    assert {file: file.read_bytes() for file in site.iterdir()} == before


def test_a_damaged_run_is_told_and_the_others_are_published(runs: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("run.yaml", "case.json", "sealed.json"):
        (broken / name).write_bytes((runs / "civil" / name).read_bytes())
    (broken / "journal.jsonl").write_bytes(b'{"n":1}\n{"n":2}\n')
    ran = lw("publish", runs / "criminal", broken, "--out", tmp_path / "site")
    assert ran.code == 2 and "LW" in ran.err
    listed = unpacked(tmp_path / "site" / "index.html")
    assert [row["id"] for row in listed["answers"]["runs"]["rows"]] == ["criminal"]
    assert set(listed["files"]) == {"criminal", "procedure/criminal"}


def test_what_is_sealed_is_known_by_its_lines(runs: Path) -> None:
    run = pages_of(runs / "civil").run
    found = sealed_of(run)
    assert found and sealed(runs / "civil")[0] in found
