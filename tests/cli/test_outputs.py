"""What is written where: devices and `-` are written through, no output of a command is an error of ours."""

from __future__ import annotations

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from places import HANG
from typed import lw

from legalworld.cli.output import json_line
from legalworld.files import regular
from legalworld.files.secrets import echoes
from legalworld.files.spreadsheet import csv_text
from legalworld.models.failures import shown

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices and pipes")

COMMAND = (sys.executable, "-m", "legalworld")
KEY = "sk-Zq8vT3nLw0Yb6RkD1xHc9MfPj2Uo5AeG"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outputs")
    assert lw("run", "bargain", "--out", root / "runs" / "one").code == 0
    return root


def device(path: Path, minor: int) -> Path:
    """A node like /dev/null (3) or /dev/full (7), which nobody misses when it is gone."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
    except PermissionError:
        pytest.skip("no device can be made here")
    return path


def typed(*words: str | Path, cwd: Path, out: int | None = None, **env: str) -> subprocess.CompletedProcess[bytes]:
    told = {**os.environ, "LW_LANG": "en", **env}
    made = subprocess.PIPE if out is None else out
    return subprocess.run(
        [*COMMAND, *map(str, words)], cwd=cwd, stdout=made, stderr=subprocess.PIPE, env=told, timeout=HANG, check=False
    )


# ---- files that were asked for ---------------------------------------------------------------------------------------


def test_a_device_is_written_to_and_stays_one(runs: Path, tmp_path: Path) -> None:
    for minor, code in ((3, 0), (7, 2)):
        node = device(tmp_path / f"node{minor}", minor)
        ran = lw("runs", runs / "runs", "--csv", node)
        assert ran.code == code and stat.S_ISCHR(node.lstat().st_mode), ran
        linked = tmp_path / f"link{minor}"
        linked.symlink_to(node)
        assert lw("runs", runs / "runs", "--csv", linked).code == code
        assert linked.is_symlink() and stat.S_ISCHR(node.lstat().st_mode)


@pytest.mark.parametrize("word", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_the_output_is_a_file_like_another(runs: Path, tmp_path: Path, word: str) -> None:
    """As a pipe, as a file that holds something, behind a link: the sheet, and not the name of it."""
    piped = typed("runs", "runs", "--csv", word, cwd=runs)
    assert piped.returncode == 0 and piped.stdout.startswith(b"\xef\xbb\xbfrun,") and word.encode() not in piped.stdout
    with open(tmp_path / "kept.csv", "wb") as out:
        out.write(b"before\n")
        out.flush()
        assert typed("runs", "runs", "--csv", word, cwd=runs, out=out.fileno()).returncode == 0
    assert (tmp_path / "kept.csv").read_bytes() == b"before\n" + piped.stdout


def test_a_pipe_that_nobody_reads_is_told_and_one_that_is_read_is_written_to(runs: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    told = typed("runs", "runs", "--csv", pipe, cwd=runs)
    assert told.returncode == 2 and b"LW701" in told.stderr and stat.S_ISFIFO(pipe.lstat().st_mode)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert typed("runs", "runs", "--csv", pipe, cwd=runs).returncode == 0
        assert os.read(reader, 9).startswith(b"\xef\xbb\xbfrun,")
    finally:
        os.close(reader)


def test_a_link_is_written_behind_and_stays_one(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "there.csv").write_text("x")
    for target in ("there.csv", "new.csv"):
        link = tmp_path / f"link-{target}"
        link.symlink_to(target)
        assert lw("runs", runs / "runs", "--csv", link).code == 0
        assert link.is_symlink() and (tmp_path / target).read_text("utf-8-sig").startswith("run,")


def test_a_folder_in_the_way_is_told(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    ran = lw("runs", runs / "runs", "--csv", tmp_path / "there")
    assert ran.code == 2 and "LW701" in ran.err and not list(tmp_path.glob(".*"))


# ---- the output ------------------------------------------------------------------------------------------------------
OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "help": ("--help",),
    "list": ("runs", "runs"),
    "JSON lines": ("runs", "runs", "--json"),
    "show": ("show", "runs/one"),
    "specs": ("specs",),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_full_output_is_told_in_a_line(runs: Path, tmp_path: Path, name: str) -> None:
    with open(device(tmp_path / "full", 7), "wb") as full:
        ran = typed(*OUTPUTS[name], cwd=runs, out=full.fileno())
    assert ran.returncode == 2 and ran.stderr.count(b"LW702") == 1
    assert b"LW199" not in ran.stderr and b"Traceback" not in ran.stderr


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_nobody_reads_ends_the_command_quietly(runs: Path, name: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ran = typed(*OUTPUTS[name], cwd=runs, out=write)
    finally:
        os.close(write)
    assert ran.returncode == 0 and ran.stderr == b""


def test_a_run_whose_reader_is_gone_can_be_gone_on_with(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ran = typed("run", "bargain", "--follow", "--out", "run", cwd=tmp_path, out=write)
    finally:
        os.close(write)
    assert ran.returncode == 0 and b"LW1" not in ran.stderr
    assert typed("resume", "run", cwd=tmp_path).returncode == 0
    assert typed("run", "bargain", "--out", "whole", cwd=tmp_path).returncode == 0
    assert (tmp_path / "run/journal.jsonl").read_bytes() == (tmp_path / "whole/journal.jsonl").read_bytes()


def test_the_help_of_runs_says_what_its_json_is() -> None:
    assert "JSON lines" in " ".join(lw("runs", "--help").out.split()) or "JSON Lines" in lw("runs", "--help").out


# ---- names -----------------------------------------------------------------------------------------------------------
NAMES = ("a\x1b[31mb", "a\x9b31mb", "a\u202eb", "a\u2028b", "a\U000e0041b", "a\x85b", "=1+1", "a\rb", "a\u200bb")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_reaches_no_terminal_and_no_sheet_as_it_is(name: str) -> None:
    cell = csv_text([{"run": name}]).splitlines()[1]
    assert all(sign.isprintable() for sign in cell) and not cell.startswith("=")
    line = json_line({"run": name})
    assert all(sign.isprintable() for sign in line) and json.loads(line) == {"run": name}


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\u202eb", "a\u2028b"])
def test_a_folder_of_such_a_name_is_listed(runs: Path, tmp_path: Path, name: str) -> None:
    import shutil

    shutil.copytree(runs / "runs" / "one", tmp_path / "runs" / name)
    for words in (("--csv", tmp_path / "x.csv"), ("--json",), ()):
        ran = lw("runs", tmp_path / "runs", *words)
        told = ran.said + ((tmp_path / "x.csv").read_text("utf-8-sig") if "--csv" in words else "")
        assert ran.code == 0 and all(sign.isprintable() or sign == "\n" for sign in told), told


# ---- keys ------------------------------------------------------------------------------------------------------------


def encoded() -> Iterator[tuple[str, str]]:
    """A key in the forms in which a provider may echo it."""
    yield "plain", KEY
    yield "reversed", KEY[::-1]
    yield "hexadecimal", KEY.encode().hex()
    for before in ("", "x", "xy", "Bearer ", "api-key: "):
        yield f"base64 behind {before!r}", base64.b64encode((before + KEY + "!!").encode()).decode()
        yield f"base64 for addresses behind {before!r}", base64.urlsafe_b64encode((before + KEY).encode()).decode()
    for gap in (" ", "\n", "-", " ... ", "\u200b", '", "'):
        yield f"in pieces of 4 with {gap!r}", gap.join(KEY[at : at + 4] for at in range(0, len(KEY), 4))
    yield "the first half", f"{KEY[:20]}***"
    yield "the last half", f"***{KEY[-20:]}"
    yield "the middle", f"...{KEY[8:26]}..."


@pytest.mark.parametrize("form", [pytest.param(text, id=name) for name, text in encoded()])
def test_a_key_is_found_in_whatever_form(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)
    assert echoes(f"The request was refused: {form}, see there.")
    told = shown(f"Incorrect key provided: {form}.")
    assert not echoes(told) and form not in told


@pytest.mark.parametrize(
    "text",
    ["", "a plain sentence", "原告请求判令被告归还五万元。", "sha256 " + "0123456789abcdef" * 4, "Zq8v", KEY[:9]],
)
def test_other_words_are_no_key(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)
    assert not echoes(text)


@pytest.mark.parametrize("form", [pytest.param(text, id=name) for name, text in encoded()])
def test_no_data_set_and_no_archive_holds_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, leaking: Callable[[Path, str], Path]
) -> None:
    """A run whose record echoes it is left out, and told; the same run without it is not."""
    monkeypatch.setenv("SOME_API_KEY", KEY)
    good, bad = leaking(tmp_path / "runs" / "good", "words"), leaking(tmp_path / "runs" / "bad", form)
    assert good.is_dir() and bad.is_dir()
    dataset = lw("dataset", tmp_path / "runs", "--out", tmp_path / "data", "--json")
    assert dataset.code == 2 and json.loads(dataset.out)["runs"] == 1 and "LW63" in dataset.out
    packed = lw("archive", "pack", tmp_path / "runs", "--out", tmp_path / "runs.zip", "--json")
    assert packed.code == 2 and json.loads(packed.out)["runs"] == ["good"]
    written = [file.read_text("utf-8") for file in (tmp_path / "data").iterdir()]
    assert written and not any(echoes(text) for text in written)


@pytest.fixture
def leaking(runs: Path) -> Callable[[Path, str], Path]:
    """A run in which somebody says what he is given, with a record that fits."""
    import shutil

    from legalworld.model.events import Reply
    from legalworld.runs.journal import AnswerLine, EventLine, Journal, load

    def made(folder: Path, words: str) -> Path:
        shutil.copytree(runs / "runs" / "one", folder)
        lines = load(folder / "journal.jsonl").lines
        (folder / "journal.jsonl").unlink()
        with Journal(folder / "journal.jsonl") as journal:
            for number, line in enumerate(lines):
                if isinstance(line, EventLine):
                    journal.write((line.event,))
                elif isinstance(line, AnswerLine):
                    reply = line.reply
                    if number > 4:
                        reply = Reply(**{**dict(reply), "text": f"{reply.text}\n{words}"})
                    journal.write((), (line.request, reply))
        return folder

    return made


# ---- a library that finds no room ------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [0, 4096, 40_000, 100_000])
def test_a_full_disk_leaves_no_empty_library(tmp_path: Path, most: int) -> None:
    (tmp_path / "law.md").write_text(
        "# 甲法\n2020年1月1日 通过\n<!-- INFO END -->\n" + "".join(f"第{n}条 略。\n" for n in "一二三四五六七八九"),
        "utf-8",
    )
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))\n"
        "from legalworld.cli.main import main\nmain(sys.argv[1:])"
    )
    words = [sys.executable, "-c", code, "law", "add", "law.md"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=HANG, check=False, env=os.environ | LAW)
    assert b"LW199" not in ran.stderr and b"Traceback" not in ran.stderr
    assert ran.returncode == 0 or not (tmp_path / "library").exists(), ran
    assert typed("law", "add", "law.md", cwd=tmp_path, **LAW).returncode == 0


LAW = {"LW_LANG": "en", "LW_LIBRARY": "library"}


def test_a_library_that_was_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "law.md").write_text("# 甲法\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 略。\n", "utf-8")
    assert typed("law", "add", "law.md", cwd=tmp_path, **LAW).returncode == 0
    assert typed("law", "add", "nowhere.md", cwd=tmp_path, **LAW).returncode == 2
    assert (tmp_path / "library").is_dir() and b"\xe7\x94\xb2" in typed("law", "list", cwd=tmp_path, **LAW).stdout


def test_whole_files_take_the_place_of_nothing_else(tmp_path: Path) -> None:
    """Inside a folder of ours a link, a pipe or a device is told and left as it is."""
    (tmp_path / "out").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "documents").symlink_to(tmp_path / "out")
    os.mkfifo(tmp_path / "run" / "pipe")
    for name in ("documents/a.md", "pipe", "../out/b.md"):
        with pytest.raises(regular.Irregular):
            regular.write_whole(tmp_path / "run" / name, b"x", tmp_path / "run")
    assert list((tmp_path / "out").iterdir()) == [] and stat.S_ISFIFO((tmp_path / "run" / "pipe").lstat().st_mode)
