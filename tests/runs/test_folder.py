"""A run folder appears whole or not at all, is read strictly, and belongs to one process at a time."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.files.digest import digest
from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.model.text import clean, plain_name
from legalworld.runs import spec_copies
from legalworld.runs.folder import RunFolder
from legalworld.runs.journal import Journal, load
from legalworld.runs.run_info import RunInfo, run_yaml, sum_of

SOURCES = {
    "specs/civil.yaml": "lw: 1\r\nprocedure: civil\n",
    "prompts/zh/who/default.j2": "你是{{ me.title }}。\n",
    "personas/lcpf.yaml": "\ufeff标题: 人格\n",
}

INFO = RunInfo(
    procedure="civil",
    spec="specs/civil.yaml",
    digest=digest(SOURCES),
    version="0.1.0",
    case="借贷 一",
    case_file="jiedai.yaml",
    target="plaintiff_lawyer",
    seed=7,
    models={"default": "offline", "judge": "qwen/qwen3: 'max' #1"},
    options={"mediation_shielded": "yes"},
)


CASE, SEALED = '{"id":"一"}', '{"real":"密"}'
MADE = replace(INFO, case_sum=sum_of(CASE), sealed_sum=sum_of(SEALED))


def create(path: Path | None, info: RunInfo = INFO, case: str = CASE, sealed: str = SEALED) -> RunFolder:
    folder = RunFolder.create(path, info, SOURCES, case_json=case, sealed_json=sealed)
    assert isinstance(folder, RunFolder)
    return folder


def opened(path: Path) -> RunFolder:
    folder = RunFolder.open(path)
    assert isinstance(folder, RunFolder)
    return folder


def codes(path: Path) -> list[tuple[str, int, int]]:
    problems = RunFolder.open(path)
    assert isinstance(problems, tuple)
    return [(problem.code, problem.span.line, problem.span.column) for problem in problems]


# ---- creation --------------------------------------------------------------------------------------------------------


def test_a_new_run_can_be_opened_and_holds_what_it_was_given(tmp_path: Path) -> None:
    create(tmp_path / "run")
    folder = opened(tmp_path / "run")
    assert folder.info == MADE
    assert folder.sources() == MemorySources(SOURCES)
    assert (folder.path / "case.json").read_text("utf-8") == '{"id":"一"}'
    assert folder.sealed_json() == '{"real":"密"}'
    assert load(folder.journal).problem is None
    assert (folder.path / "documents").is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_run_yaml_is_for_people(tmp_path: Path) -> None:
    create(tmp_path / "run", replace(INFO, until="FIT/debate"))
    text, _, told = (tmp_path / "run" / "run.yaml").read_text(encoding="utf-8").rpartition("\nsum: ")
    assert re.fullmatch("[0-9a-f]{16}\n", told)
    assert text + "\n" == (
        f"lw: 4\nprocedure: civil\nspec: specs/civil.yaml\ndigest: {digest(SOURCES)}\nversion: 0.1.0\n"
        "case: 借贷 一\ncase_file: jiedai.yaml\ntarget: plaintiff_lawyer\nseed: 7\n"
        "models:\n  default: offline\n  judge: \"qwen/qwen3: 'max' #1\"\noptions:\n  mediation_shielded: yes\n"
        f"until: FIT/debate\ncase_sum: {sum_of(CASE)}\nsealed_sum: {sum_of(SEALED)}\n"
    )


def test_sealed_values_lie_in_one_file_alone(tmp_path: Path) -> None:
    create(tmp_path / "run")
    holding = [path.name for path in tmp_path.rglob("*") if path.is_file() and "密".encode() in path.read_bytes()]
    assert holding == ["sealed.json"]


def test_without_a_path_the_first_free_number_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [create(None).path.as_posix() for _ in range(2)]
    (tmp_path / "runs" / "civil-借贷-一-3").write_text("")
    (tmp_path / "runs" / "civil-借贷-一-4").mkdir()
    names += [create(None).path.name for _ in range(2)]
    assert names[:2] == ["runs/civil-借贷-一-1", "runs/civil-借贷-一-2"]
    assert names[2:] == ["civil-借贷-一-4", "civil-借贷-一-5"]


def test_a_long_name_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = create(None, replace(INFO, procedure="𠀀" * 99, case="𠀀" * 99))
    assert folder.path.name == f"{'𠀀' * 24}-{'𠀀' * 28}-1"


def test_runs_that_start_together_get_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: create(None), range(24)))
    assert {folder.path.name for folder in folders} == {f"civil-借贷-一-{n}" for n in range(1, 25)}
    assert len(list((tmp_path / "runs").iterdir())) == 24


@pytest.mark.parametrize("there", ["file", "folder", "dangling link"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    path = tmp_path / "run"
    match there:
        case "file":
            path.write_text("")
        case "folder":
            path.mkdir()
            (path / "mine.txt").write_text("")
        case _:
            path.symlink_to(tmp_path / "nowhere")
    problem = RunFolder.create(path, INFO, SOURCES, case_json="{}", sealed_json="{}")
    assert isinstance(problem, Diagnostic)
    assert problem.code == "LW143"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]


def test_an_empty_folder_is_filled_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    create(tmp_path / "link")
    assert opened(tmp_path / "real").info == MADE


def test_a_place_where_nothing_can_be_made_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").write_text("")
    for path in (None, Path("runs/one"), Path("x" * 300)):
        problem = RunFolder.create(path, INFO, SOURCES, case_json="{}", sealed_json="{}")
        assert isinstance(problem, Diagnostic)
        assert problem.code == "LW150"


def test_what_would_be_our_bug_is_raised(tmp_path: Path) -> None:
    for info in (replace(INFO, digest="0"), replace(INFO, case_file="/home/cases/a.yaml")):
        with pytest.raises(ValueError, match="bare name"):
            create(tmp_path / "run", info)
    bad = {"../out.yaml": ""}
    with pytest.raises(ValueError, match="inside the run folder"):
        RunFolder.create(tmp_path / "run", replace(INFO, digest=digest(bad)), bad, case_json="", sealed_json="")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_process_killed_at_any_moment_leaves_no_run_or_a_whole_one(tmp_path: Path) -> None:
    """The k-th touch of the file system kills the process, for every k; each time creation is tried again."""
    whole = False
    for k in range(1, 200):
        place = tmp_path / str(k) / "run"
        if not (child := os.fork()):
            touches = [0]

            def audit(event: str, _: object, touches: list[int] = touches, k: int = k) -> None:
                if event == "open" or event.startswith("os."):
                    touches[0] += 1
                    if touches[0] == k:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(audit)
            RunFolder.create(place, INFO, SOURCES, case_json="{}", sealed_json="{}")
            os._exit(0)
        killed = os.waitpid(child, 0)[1] == signal.SIGKILL
        whole = place.exists()
        assert whole or killed
        if not whole:
            create(place)
        folder = opened(place)
        assert isinstance(folder.sources(), MemorySources)
        with Journal(folder.journal, after=load(folder.journal)) as journal:
            assert journal.n == 0
        if not killed:
            assert k > 10
            return
    raise AssertionError("creation never came to its end")


# ---- reading back ----------------------------------------------------------------------------------------------------

TEXT = st.text(max_size=12) | st.text("-: #'\"\\\n\t…¥\u2028\ufeff\ufffe\x85 一😀{}[]&*!|>%@`~", max_size=8)


@given(
    st.builds(
        lambda **values: replace(INFO, **values),
        procedure=TEXT.map(clean),
        case=TEXT.map(clean),
        until=TEXT.map(clean),
        models=st.dictionaries(TEXT.map(clean), TEXT.map(clean), max_size=3),
        options=st.dictionaries(TEXT.map(clean), TEXT.map(clean), max_size=3),
        seed=st.integers(-(10**30), 10**30),
    )
)
def test_any_text_comes_back_from_run_yaml(tmp_path_factory: pytest.TempPathFactory, info: RunInfo) -> None:
    folder = create(tmp_path_factory.mktemp("any") / "run", info)
    assert opened(folder.path).info == folder.info


WORDS = (
    TEXT
    | st.text("0123456789.:-_exETrufalsnyo~", max_size=11)
    | st.sampled_from(["null", "No", "1e3", "0x1f", "k" * 900])
)


@given(values=st.dictionaries(WORDS.map(clean), WORDS.map(clean), max_size=4), seed=st.integers(-(10**30), 10**30))
def test_another_reader_of_yaml_reads_the_same(values: dict[str, str], seed: int) -> None:
    """Texts are texts for it too, and no key or value is one for us alone."""
    from ruamel.yaml import YAML

    info = replace(INFO, models=values, endpoints={"of one": values}, skip=tuple(values), seed=seed)
    read = YAML(typ="safe").load(run_yaml(info))
    read.pop("sum")
    expected = {name: json.loads(json.dumps(value)) for name, value in asdict(info).items() if name in read}
    assert read == {"lw": 4} | expected and {"models", "endpoints", "digest"} <= read.keys()


def test_a_file_name_that_is_no_text_is_made_one(tmp_path: Path) -> None:
    create(tmp_path / "run", replace(INFO, case_file="\udcff.yaml"))
    assert opened(tmp_path / "run").info.case_file == "\ufffd.yaml"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seed: 7\n", "", [("LW146", 1, 1)]),
        ("seed: 7\n", "seed: seven\n", [("LW147", 9, 7)]),
        ("seed: 7\n", "seed: [7]\n", [("LW147", 9, 7)]),
        ("seed: 7\n", "seed: 7\nseed: 8\n", [("LW147", 10, 1)]),
        ("seed: 7\n", "seed: 7\nspeed: 8\n", [("LW147", 10, 8)]),
        ("seed: 7\n", "seed: 7\n? [a]\n: 1\n", [("LW145", 10, 3)]),
        ("options:\n  mediation_shielded: yes\n", "options: yes\n", [("LW145", 13, 10)]),
        ("  mediation_shielded: yes\n", "  mediation_shielded: {a: b}\n", [("LW147", 14, 3)]),
        ("lw: 4\n", "lw: 3\n", [("LW148", 1, 1)]),
        ("lw: 4\n", "", [("LW148", 1, 1)]),
        ("\nsum: ", "\n# ", [("LW146", 1, 1)]),
        ("case_sum: ", "# ", [("LW146", 1, 1)]),
        ("sealed_sum: ", "# ", [("LW159", 17, 6)]),
        ("version: 0.1.0", "version: &a 0.1.0", [("LW145", 5, 10)]),
        ("version: 0.1.0", "version: *a", [("LW145", 5, 10)]),
        ("target: plaintiff_lawyer", "target: 'plaintiff_lawyer", [("LW145", 8, 9)]),
        ("procedure: civil\nspec: specs/civil.yaml\n", "", [("LW146", 1, 1), ("LW146", 1, 1)]),
        ("  default: offline\n", "  default: openai/gpt\n", [("LW159", 17, 6)]),
        ("seed: 7\n", "seed: 8\n", [("LW159", 17, 6)]),
        ("\nsum: ", "\nsum: 0", [("LW159", 17, 6)]),
    ],
)
def test_a_changed_run_yaml_is_a_problem_with_its_place(
    tmp_path: Path, old: str, new: str, expected: list[tuple[str, int, int]]
) -> None:
    create(tmp_path / "run")
    file = tmp_path / "run" / "run.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert codes(tmp_path / "run") == expected


@pytest.mark.parametrize(
    "data", [b"", b"[", b"- a\n", b"\xff\xfe", b"text", b"a: \x00", b"a: b\n---\n", b"[" * 1200, b'"\\UFFFFFFFF"']
)
def test_no_run_yaml_makes_open_raise(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "run.yaml").write_bytes(data)
    assert codes(tmp_path)


def test_a_folder_that_is_no_run_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert [codes(tmp_path / name)[0][0] for name in ("", "nowhere", "file")] == ["LW144"] * 3


def test_changed_copies_are_a_problem(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    file = folder.path / spec_copies.NAME
    whole = file.read_bytes()
    assert spec_copies.unpacked(whole) == SOURCES
    texts = dict(SOURCES)
    others = [
        b"",
        b"text",
        whole[: len(whole) // 2],
        whole[:-1],
        whole.replace(b"lw: 1", b"lw: 2"),
        spec_copies.packed(texts | {"specs/civil.yaml": "lw: 1\n# more\n"}),
        spec_copies.packed(texts | {"specs/more.yaml": ""}),
        spec_copies.packed({name: texts[name] for name in sorted(texts)[1:]}),
        compressed(texts),
    ]
    for data in others:
        assert data != whole
        file.write_bytes(data)
        problem = folder.sources()
        assert isinstance(problem, Diagnostic)
        assert problem.code == "LW149"
    file.unlink()
    assert isinstance(gone := folder.sources(), Diagnostic) and gone.code == "LW149"
    file.write_bytes(whole)
    assert folder.sources() == MemorySources(SOURCES)


def compressed(texts: Mapping[str, str]) -> bytes:
    """What another program makes of the same texts: such a file may grow without end."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_the_archive_of_copies_depends_on_its_texts_alone() -> None:
    there = {"specs/a.yaml": "甲\r\n", "prompts/A.j2": "", "prompts/a.j2": "\udcff\n", "prompts/zh/庭.j2": "乙" * 5000}
    data = spec_copies.packed(there)
    assert data == spec_copies.packed(dict(sorted(there.items(), reverse=True)))
    assert spec_copies.unpacked(data) == there
    assert "乙".encode() in data


def test_missing_files_are_problems(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    (folder.path / "case.json").unlink()
    assert _damage(folder) == "LW157 case.json"


@pytest.mark.parametrize(
    "text", [b"", b"\xff", b"{", b"[]", b"{}", b"[" * 100_000, b'{"id":"","title":"","fields":{"x":1}}']
)
def test_a_damaged_case_is_a_problem(tmp_path: Path, text: bytes) -> None:
    """Changed afterwards, and written so by a bug of ours."""
    good = '{"id":"","title":"","fields":{}}'
    folder = create(tmp_path / "run", case=good)
    for name, before in (("case.json", good), ("sealed.json", SEALED)):
        (folder.path / name).write_bytes(text)
        assert _damage(folder) == f"{'LW158' if text == bytes([255]) else 'LW700'} {name}"
        (folder.path / name).write_text(before)
    if text != b"\xff":
        assert _damage(create(tmp_path / "bug", case=text.decode())) == "LW158 case.json"
        assert _damage(create(tmp_path / "sealed", case=good, sealed=text.decode())) == "LW158 sealed.json"


def _damage(folder: RunFolder) -> str:
    procedure = link(MemorySources({"spec.yaml": "lw: 1\nprocedure: civil\n"}), "spec.yaml").procedure
    assert procedure is not None
    problem = folder.case(procedure, sealed=True)
    assert isinstance(problem, Diagnostic)
    return f"{problem.code} {problem.values['name']}"


def test_texts_are_written_whole_inside_the_folder(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    folder.write_text("documents/起诉状.md", "一\r\n")
    folder.write_text("documents/起诉状.md", "二\n")
    assert (folder.path / "documents" / "起诉状.md").read_bytes() == "二\n".encode()
    assert len(list((folder.path / "documents").iterdir())) == 1
    for name in ("../out.md", "/out.md", "documents/../../out.md", ""):
        with pytest.raises(ValueError, match="inside the run folder"):
            folder.write_text(name, "")


def test_a_digest_tells_paths_from_texts() -> None:
    assert digest({"a": "bc", "d": ""}) == digest({"d": "", "a": "bc"})
    assert len({digest({"a": "bc"}), digest({"ab": "c"}), digest({"a": "b", "c": ""}), digest({})}) == 4


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("借贷 一", "借贷-一"),
        ("../../etc/passwd", "etc-passwd"),
        ("（2024）沪0105民初1号", "2024-沪0105民初1号"),
        ("", "-"),
        ("..", "-"),
        ("x" * 99, "x" * 60),
    ],
)
def test_plain_names(text: str, name: str) -> None:
    assert plain_name(text) == name


# ---- one process at a time -------------------------------------------------------------------------------------------

HOLD = """
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from legalworld.runs import spec_copies
from legalworld.runs.folder import RunFolder
lock = RunFolder.open(Path(sys.argv[1])).lock()
print(getattr(lock, "code", "held"), flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    command = [sys.executable, "-c", HOLD, str(folder.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        assert first.stdout.readline() == "held\n"
        problem = folder.lock()
        assert isinstance(problem, Diagnostic)
        assert problem.code == "LW142"
        first.kill()
    lock = folder.lock()
    assert not isinstance(lock, Diagnostic)
    with lock:
        assert isinstance(folder.lock(), Diagnostic)
        second = subprocess.run(command, input="", capture_output=True, text=True, check=True)
        assert second.stdout == "LW142\n"
    again = folder.lock()
    assert not isinstance(again, Diagnostic)
    again.lock.release()
