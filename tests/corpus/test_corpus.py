"""`lw corpus`: fictional judgments from raw text to cases that play, with everything that fell out on the way."""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from goldens import compare
from loopback import Answer, Call, say
from places import DATA, ROOT
from playing import matter, play, project
from typed import lw

from legalworld.binding.casefile import as_json, sealed_json
from legalworld.corpus import build as building
from legalworld.corpus.bound import case_file_of
from legalworld.corpus.records import Dropped
from legalworld.model.events import Ended

HERE = Path(__file__).parent
JUDGMENTS = HERE / "judgments.jsonl"
NAMES = (
    *(
        "林启川",
        "郑若虹",
        "云汀",
        "沈砚",
        "顾陌",
        "周砚秋",
        "甘雨桐",
        "澜川",
        "贺绍庭",
        "祁慕白",
        "青禾",
        "陆秋实",
        "孟怀山",
    ),
    *(
        "章伯钧",
        "拾光",
        "章小舟",
        "欧阳清",
        "卓一帆",
        "安泰",
        "崔敬之",
        "高远",
        "13900000000",
        "13800000000",
        "京A00000",
    ),
    *("望溪路", "槐荫里", "柳林村", "110105198307140012", "91330106MA2AB3CD4E"),
)
MINHASH = pytest.mark.skipif(
    importlib.util.find_spec("datasketch") is None, reason="the optional extra `corpus` (datasketch) is not installed"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judgments.jsonl").write_bytes(JUDGMENTS.read_bytes())
    return tmp_path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The judgments, built once: for tests that only read what comes out."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "judgments.jsonl").write_bytes(JUDGMENTS.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert built().code == 0
    return folder / "out"


@pytest.fixture
def out(here: Path, whole: Path) -> Path:
    """What was built of the judgments beside it, for tests that build on."""
    return shutil.copytree(whole, here / "out")


def built(source: str = "judgments.jsonl", *words: str, out: str = "out", near: str = "0") -> Any:
    return lw("corpus", "build", source, "--out", out, "--near", near, "--allow-failed", "10%", *words)


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def fallen(folder: Path, step: str) -> dict[str, str]:
    return {row["id"]: row["reason"] for file in folder.glob(f"*-{step}.dropped.jsonl") for row in rows(file)}


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if not file.name.startswith("batch.")}


# ---- what comes out --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_steps_and_the_card(here: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("LW_LANG", language)
    ran = built("judgments.jsonl", "--licence", "CC0")
    assert ran.code == 0
    report = lw("corpus", "report", "out")
    assert (report.code, report.err) == (0, "")
    compare(HERE / "printed" / f"report.{language}.txt", f"{ran.err}{ran.out}----\n{report.out}")
    compare(HERE / "printed" / "card.md", (here / "out" / "card.md").read_text(encoding="utf-8"))


def test_the_cases(whole: Path) -> None:
    pretty = [json.dumps(case, ensure_ascii=False, indent=1) for case in rows(whole / "cases.jsonl")]
    compare(HERE / "printed" / "cases.json", "[" + ",\n".join(pretty) + "]\n")
    compare(HERE / "printed" / "index.jsonl", (whole / "index.jsonl").read_text(encoding="utf-8"))


def test_every_value_stands_in_its_judgment(whole: Path) -> None:
    pairs = {row["id"]: row for row in rows(whole / "05-pair.jsonl")}
    checked = 0
    for row in rows(whole / "06-extract.jsonl"):
        sources = {1: pairs[row["id"]]["first"]["text"], 2: pairs[row["id"]]["second"]["text"]}
        for place in row["places"]:
            value: Any = row["case"]
            for key in place["path"].split("."):
                value = value[int(key)] if isinstance(value, list) else value[key]
            quote = sources[place["of"]][slice(*place["at"])]
            assert (quote and quote in value.split("\n")) or quote == value
            checked += 1
    assert checked > 150


def test_nobody_is_named(whole: Path) -> None:
    for row in rows(whole / "07-mask.jsonl"):
        said = "\n".join(text for text in texts(row["case"]))
        assert [name for name in NAMES if name in said] == []
    masked = {row["id"]: row["case"] for row in rows(whole / "07-mask.jsonl")}
    for case in masked.values():  # one mask for one person, in both judgments
        names = [party["name"] for side in case["parties"].values() for party in side]
        assert len(set(names)) == len(names)
        assert set(case["appeal"]["by"]) <= set(names)


@MINHASH
def test_nearly_the_same_text(here: Path) -> None:
    built(near="0.85")
    dropped = fallen(here / "out", "dedupe")
    assert dropped["judgments.jsonl:17"] == "near_text"
    assert len(rows(here / "out" / "cases.jsonl")) == 6
    kept = {row["number"]: row.get("series") for row in rows(here / "out" / "04-dedupe.jsonl")}
    first, second = "（2023）虚0121民初801号", "（2023）虚0121民初802号"  # written alike, but two cases
    assert kept[first] is None and kept[second] == "judgments.jsonl:27"


def test_without_the_library_it_says_what_to_install(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legalworld.corpus.duplicates.LIBRARY", "no_such_library")
    ran = built(near="0.9")
    assert (ran.code, "LW600" in ran.err, "legalworld[corpus]" in ran.err) == (2, True, True)
    assert not (here / "out" / "01-read.jsonl").exists()


# ---- playing ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_case_plays_to_its_end_and_nothing_sealed_is_shown(tmp_path: Path, whole: Path, number: int) -> None:
    case = rows(whole / "cases.jsonl")[number - 1]
    sealed = [f"CANARY{n}" for n, _ in enumerate(texts(case["real"]))]
    marks = iter(sealed)
    case["real"] = {name: {key: next(marks) for key in one} for name, one in case["real"].items()}
    (tmp_path / "case.json").write_text(json.dumps(case, ensure_ascii=False), encoding="utf-8")
    game = play(str(tmp_path / "case.json"), options={"appeal_by": "case"})
    assert game.of(Ended)[-1].outcome in ("final_judgment", "mediated")
    shown = [message.content for request in game.requests for message in request.messages]
    assert shown and not any("CANARY" in text for text in shown)


# ---- stopped and gone on with ----------------------------------------------------------------------------------------
def test_a_second_build_does_nothing_again(out: Path) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in out.glob("*.jsonl") if file.name[0].isdigit()}
    ran = built()
    after = {file.name: file.stat().st_mtime_ns for file in out.glob("*.jsonl") if file.name[0].isdigit()}
    assert ran.code == 0 and before == after and len(before) == 2 * len(building.NAMES)


@pytest.mark.parametrize("step", ["pair", "mask", "cases"])
def test_stopped_in_the_middle_it_goes_on(here: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    number = building.NAMES.index(step)
    original = building.STEPS[number]

    def broken(*given: Any) -> Any:
        outcomes = original.run(*given)
        yield next(outcomes)
        raise KeyboardInterrupt

    changed = building.CorpusStep(step, broken, original.settings)
    monkeypatch.setattr(building, "STEPS", (*building.STEPS[:number], changed, *building.STEPS[number + 1 :]))
    assert built().code != 0
    assert not list((here / "out").glob(f"*-{step}.done.json"))
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert built().code == 0
    assert files_of(here / "out") == files_of(whole)


@pytest.mark.parametrize("harm", ["cut", "changed", "unmarked"])
def test_a_file_that_is_not_as_it_was_left_is_made_again(out: Path, harm: str) -> None:
    before = files_of(out)
    file = out / "04-dedupe.jsonl"
    if harm == "cut":
        file.write_bytes(file.read_bytes()[:-40])
    elif harm == "changed":
        file.write_bytes(file.read_bytes().replace("买卖".encode(), "租赁".encode()))
    else:
        (out / "04-dedupe.done.json").unlink()
    report = lw("corpus", "report", "out")
    assert ("LW606" in report.err) == (harm != "unmarked")
    assert built().code == 0
    assert files_of(out) == before


def test_other_settings_do_the_steps_again_that_depend_on_them(out: Path) -> None:
    before = (out / "07-mask.jsonl").stat().st_mtime_ns, (out / "08-persona.jsonl").read_bytes()
    built("judgments.jsonl", "--seed", "7")
    after = (out / "07-mask.jsonl").stat().st_mtime_ns, (out / "08-persona.jsonl").read_bytes()
    assert before[0] == after[0] and before[1] != after[1]


def test_only_some_steps(here: Path) -> None:
    ran = built("judgments.jsonl", "--steps", "dedupe", "--until", "extract")
    assert ran.code == 0
    made = {file.name for file in (here / "out").glob("*.done.json")}
    assert made == {f"{n:02}-{building.NAMES[n - 1]}.done.json" for n in (1, 3, 4, 5, 6)}
    assert not (here / "out" / "cases.jsonl").exists()


# ---- hostile input ---------------------------------------------------------------------------------------------------
def one(text: str = "") -> dict[str, str]:
    return {"文书内容": text or json.loads(JUDGMENTS.read_text(encoding="utf-8").splitlines()[0])["文书内容"]}


@pytest.mark.parametrize("kind", ["csv", "json", "txt", "jsonl.gz", "csv.gz", "json.gz"])
def test_every_format(here: Path, kind: str) -> None:
    text = one()["文书内容"]
    said = {
        "csv": '案号,文书内容\n,"' + text.replace('"', '""') + '"\n',
        "json": json.dumps([one()], ensure_ascii=False),
        "txt": text,
        "jsonl": json.dumps(one(), ensure_ascii=False) + "\n",
    }[kind.removesuffix(".gz")].encode()
    (here / f"in.{kind}").write_bytes(gzip.compress(said) if kind.endswith(".gz") else said)
    assert built(f"in.{kind}", "--until", "identify").code == 0
    (row,) = rows(here / "out" / "03-identify.jsonl")
    assert (row["number"], row["cause"], row["date"]) == ("（2024）虚0105民初1001号", "民间借贷纠纷", "2024-05-10")


def test_a_pair_that_others_put_together(here: Path) -> None:
    lines = JUDGMENTS.read_text(encoding="utf-8").splitlines()
    first, second = (json.loads(line) for line in lines[:2])
    (here / "pairs.json").write_text(json.dumps([{"id": 1, "first_instance": first, "second_instance": second}]))
    assert built("pairs.json").code == 0
    assert len(rows(here / "out" / "cases.jsonl")) == 1


BAD = {
    "cut.jsonl.gz": (gzip.compress(json.dumps(one()).encode())[:-20], "LW504"),
    "other.jsonl": (json.dumps(one(), ensure_ascii=False).encode("big5", "replace"), "LW002"),
    "deep.jsonl": (b'{"text":' + b"[" * 90 + b"]" * 90 + b"}", "LW125"),
    "list.jsonl": (b"[1,2]\n", "LW515"),
    "none.jsonl": (b'{"a": 1}\n', "LW601"),
    "cut.json": (json.dumps([one(), one()], ensure_ascii=False)[:-30].encode(), "LW120"),
    "other.txt": (("江澜市人民法院" * 9).encode("big5", "replace"), "LW001"),
    "scan.txt": (b"%PDF-1.7", "LW820"),
    "other.csv": ("文书内容\n江澜市\n".encode() + b"\xff\xfe\xe4\n", "LW002"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_told_and_the_rest_goes_on(here: Path, name: str) -> None:
    data, code = BAD[name]
    (here / "bad").mkdir()
    (here / "bad" / name).write_bytes(data)
    (here / "bad" / "good.jsonl").write_text(json.dumps(one()), encoding="utf-8")
    ran = lw("corpus", "build", "bad", "--out", "out", "--near", "0", "--until", "read")
    assert ran.code == 2 and "LW603" in ran.err
    assert any(row["id"] == "bad/good.jsonl:1" for row in rows(here / "out" / "01-read.jsonl"))
    reasons = set(fallen(here / "out", "read").values())
    assert len(reasons) == 1 and reasons.pop().startswith(code)


@pytest.mark.parametrize("sign", [" ", "中", "。", "一案", "原告：", "（2024）", "1.", "辩称，", "<br>", "\n"])
def test_runs_of_one_sign_do_not_hang(here: Path, sign: str) -> None:
    (here / "run.jsonl").write_text(json.dumps(one(one()["文书内容"] + sign * 32_000)), encoding="utf-8")
    (here / "head.jsonl").write_text(json.dumps(one(sign * 32_000 + one()["文书内容"])), encoding="utf-8")
    for name in ("run.jsonl", "head.jsonl"):
        assert built(name, "--until", "extract", out=f"of-{name}").code == 0


# ---- what is said ----------------------------------------------------------------------------------------------------
def test_a_step_that_is_none(here: Path) -> None:
    ran = built("judgments.jsonl", "--until", "pear")
    assert ran.code == 2 and "LW602" in ran.err and "pair" in ran.err


def test_a_folder_of_something_else(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    assert "LW143" in built().err
    assert "LW604" in lw("corpus", "report", "out").err


def test_reasons_have_words() -> None:
    from legalworld.corpus.report import reason_words

    said = (Path(building.__file__).parent).glob("*.py")
    reasons = {
        word for file in said for word in re.findall(r'Dropped\([^,]+, "(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert len(reasons) > 10
    for language in ("zh", "en"):
        assert [reason for reason in reasons if reason_words(reason, language) == reason] == []
    assert Dropped("a", "short").row() == {"id": "a", "reason": "short"}


# ---- data that is taken apart already --------------------------------------------------------------------------------
def test_bound_cases_come_out_as_the_same_cases(here: Path) -> None:
    """What a binding takes and what is bound from the case file that comes of it is one."""
    opened = project("civil")
    assert opened.procedure is not None
    for word in ("jiedai", "laodong", "wuye", "legalworld-sample.json#1", "legalworld-sample.json#3"):
        case = matter(word).case
        file = here / "again.json"
        file.write_text(json.dumps(case_file_of(case, opened.procedure), ensure_ascii=False), encoding="utf-8")
        again = matter(str(file)).case
        assert (again.id, again.title) == (case.id, case.title)
        assert (as_json(again), sealed_json(again)) == (as_json(case), sealed_json(case))


def test_data_of_a_binding(here: Path) -> None:
    sample = str(ROOT / "cases" / "legalworld-sample.json")
    assert lw("corpus", "build", sample, "--binding", "legalworld", "--out", "out", "--near", "0").code == 0
    cases = rows(here / "out" / "cases.jsonl")
    assert len(cases) == 5
    data = json.loads((ROOT / "cases" / "legalworld-sample.json").read_text(encoding="utf-8"))
    names = set(
        re.findall(
            r'"name": "([^"]+)"', json.dumps([one["extracted_info"]["party_info"] for one in data], ensure_ascii=False)
        )
    )
    said = "\n".join(text for case in cases for text in texts(case))
    assert len(names) >= 10 and [name for name in names if name in said] == []


def test_data_of_another_procedure_is_refused(here: Path) -> None:
    (here / "data.json").write_text("[]", encoding="utf-8")
    ran = lw("corpus", "build", "data.json", "--binding", "maser", "--out", "out", "--near", "0")
    assert ran.code == 2 and "LW607" in ran.err


@pytest.mark.skipif(not (DATA / "simucourt").is_dir(), reason="real data is not here: ../shared/data/simucourt")
def test_real_records_of_a_binding(here: Path) -> None:
    source = str(DATA / "simucourt" / "second-instance.json")
    words = ("--binding", "simucourt-civil-appeal", "--out", "out", "--near", "0")
    ran = lw("corpus", "build", source, *words)
    assert (
        ran.code == 2 and "LW603 4 of 10" in ran.err
    )  # criminal and administrative appeals have bindings of their own
    assert lw("corpus", "build", source, *words, "--allow-failed", "40%").code == 0
    cases = rows(here / "out" / "cases.jsonl")
    assert len(cases) == 6
    assert fallen(here / "out", "extract") == {}
    for number in (1, 2, 3):
        sealed = [text for text in texts(cases[number - 1]["real"]) if len(text) > 40]
        game = play(f"{here}/out/cases.jsonl#{number}", options={"appeal_by": "case"})
        assert game.of(Ended)[-1].outcome in ("final_judgment", "mediated")
        shown = "\n".join(message.content for request in game.requests for message in request.messages)
        assert [text for text in sealed if text in shown] == []


# ---- what rules do not find ------------------------------------------------------------------------------------------
OPINION = "孟怀山经传唤未到庭，视为放弃抗辩权利。"
MODEL = "openai/clerk"


def pair_of_two(here: Path) -> str:
    lines = [json.loads(line) for line in JUDGMENTS.read_text(encoding="utf-8").splitlines() if '"id": "C' in line]
    (here / "pair.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return "pair.jsonl"


def clerk(call: Call) -> Answer:
    """Words of the court for a party's, words that nobody wrote, and words that stand there."""
    wanted = call.body["response_format"]["json_schema"]["schema"]["required"]
    told = {
        "first.defendant.defence": [OPINION, "被告认为货物有质量问题。"],
        "first.defendant.evidence": ["送货单三份", "一份谁也没有提交过的收据"],
    }
    return say(json.dumps({path: told.get(path, []) for path in wanted}, ensure_ascii=False))


def test_a_model_is_believed_only_where_its_words_stand(
    here: Path, no_keys: None, serve: Serve, monkeypatch: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    server = serve(clerk)
    source = pair_of_two(here)
    assert built(source, "--model", MODEL, "--until", "extract").code == 0
    (row,) = rows(here / "out" / "06-extract.jsonl")
    (pair,) = rows(here / "out" / "05-pair.jsonl")
    assert "defence" not in row["case"]["first"]["defendant"]
    assert [one["name"] for one in row["case"]["first"]["defendant"]["evidence"]] == ["送货单三份"]
    assert row["refused"] == 3
    (place,) = [place for place in row["places"] if place["by"] == "model"]
    assert pair["first"]["text"][slice(*place["at"])] == "送货单三份"
    assert json.loads((here / "out" / "06-extract.done.json").read_text())["notes"] == {"asked": 1, "refused": 3}
    calls = len(server.calls)
    (here / "out" / "06-extract.done.json").unlink()
    assert built(source, "--model", MODEL, "--until", "extract").code == 0
    assert len(server.calls) == calls == 1  # what was answered is not asked again


@pytest.mark.parametrize("reply", ["没有", "[]", '{"other": []}', '{"first.defendant.defence": "一段话"}', "{" * 2000])
def test_a_reply_that_is_none_is_asked_for_three_times(
    here: Path, no_keys: None, serve: Serve, monkeypatch: Any, reply: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    server = serve(lambda call: say(reply))
    assert built(pair_of_two(here), "--model", MODEL).code == 0
    assert len(server.calls) == 2 * 3  # for what the judgment lacks, and for questions
    (case,) = rows(here / "out" / "cases.jsonl")
    assert "consultation" not in case


def test_questions_tell_nothing_sealed_and_answers_cite_what_the_judgments_cite(
    here: Path, no_keys: None, serve: Serve, monkeypatch: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    law = "《中华人民共和国民法典》第五百九十五条"

    def asked(call: Call) -> Answer:
        schema = call.body["response_format"]["json_schema"]["schema"]
        if "plaintiff" not in schema["properties"]:
            return clerk(call)
        assert OPINION not in call.body["messages"][-1]["content"]
        good = {"question": "欠条在我手里，能把货款要回来吗？", "answer": f"可以请求支付价款，依据{law}。"}
        other = {"question": "过了这么久还能起诉吗？", "answer": "《中华人民共和国民法典》第一百八十八条规定三年。"}
        sealed = {"question": "买受人应当按照约定支付价款，对吗？", "answer": f"对，依据{law}。"}
        bare = {"question": "律师费谁来出比较好？", "answer": "一般自己出。"}
        return say(json.dumps({"plaintiff": [good, other], "defendant": [sealed, bare]}, ensure_ascii=False))

    serve(asked)
    assert built(pair_of_two(here), "--model", MODEL).code == 0
    (case,) = rows(here / "out" / "cases.jsonl")
    assert {side: [one["question"] for one in listed] for side, listed in case["consultation"].items()} == {
        "plaintiff": ["欠条在我手里，能把货款要回来吗？"]
    }
    told = json.loads((here / "out" / "09-ask.done.json").read_text(encoding="utf-8"))["notes"]
    assert told == {"asked": 1, "kept": 1, "refused": 3}


@pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="the optional extra `parquet` (pyarrow) is not installed"
)
def test_parquet(here: Path) -> None:
    arrow, parquet = (importlib.import_module(name) for name in ("pyarrow", "pyarrow.parquet"))
    parquet.write_table(arrow.Table.from_pylist([one()]), here / "in.parquet")
    assert built("in.parquet", "--until", "identify").code == 0


def test_parquet_without_its_library(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (here / "in.parquet").write_bytes(b"PAR1")
    ran = built("in.parquet", "--until", "read")
    assert ran.code == 2 and set(fallen(here / "out", "read").values()) == {"LW600"}
