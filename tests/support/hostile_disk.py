"""Files that mean harm, who reads them, places that cannot be written, who writes to them; and what is said of each.

    python tests/support/hostile_disk.py        writes the two tables of docs/reliability.md

Each command runs in a process of its own, whose memory and time are bounded and measured. Real devices are never named:
nodes like /dev/null and /dev/full are made in the folder of the test.
"""

from __future__ import annotations

import encodings.unicode_escape
import encodings.utf_8_sig  # noqa: F401 - a user without rights may not be able to import them
import os
import random
import re
import resource
import shutil
import signal
import socket
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

from places import ROOT, TESTS

from legalworld.cli.main import main as lw
from legalworld.wording import Locale

SECONDS, MEGABYTES = 5, 512  # of a processor, and more than it had before: what no command may take
WAIT = 120  # seconds of the clock: a process that waits for something takes none of a processor
GIGABYTE = 1 << 30

Words = tuple[str, ...]


# ---- what is read ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Reading:
    """A command that reads a file. `also`: codes that say nothing of the file."""

    file: str
    words: Words
    zh: str
    en: str


READERS: Mapping[str, Reading] = {
    "spec": Reading("specs/debt.yaml", ("check", "specs/debt.yaml"), "程序文件", "spec"),
    "case": Reading("cases/one.yaml", ("run", "debt", "--case", "cases/one.yaml", "--out", "new"), "案件", "case"),
    "lines": Reading(
        "cases/many.jsonl",
        ("batch", "debt", "--cases", "cases/many.jsonl", "--out", "b"),
        "案件（每行一个）",
        "cases, one a line",
    ),
    "rubric": Reading(
        "rubrics/spoken.yaml", ("eval", "runs/one", "--rubric", "rubrics/spoken.yaml"), "评分标准", "rubric"
    ),
    "run.yaml": Reading("runs/one/run.yaml", ("show", "runs/one"), "run.yaml", "run.yaml"),
    "journal": Reading(
        "runs/one/journal.jsonl", ("report", "runs/one", "--rubric", "spoken"), "journal.jsonl", "journal.jsonl"
    ),
    "case.json": Reading("runs/one/case.json", ("replay", "runs/one"), "case.json", "case.json"),
    "sealed": Reading("runs/one/sealed.json", ("eval", "runs/one", "--rubric", "spoken"), "sealed.json", "sealed.json"),
    "copy": Reading("runs/one/spec/specs/debt.yaml", ("resume", "runs/one"), "运行中的副本", "copy of a spec"),
    "listed": Reading("runs/one/journal.jsonl", ("runs", "runs", "--json"), "运行列表", "list of runs"),
    "scores": Reading(
        "runs/one/scores/spoken.rules.json", ("report", "runs/one", "--rubric", "spoken"), "得分", "scores"
    ),
    "batch": Reading("runs/batch.json", ("batch", "status", "runs"), "batch.json", "batch.json"),
    "archive": Reading("one.zip", ("archive", "check", "one.zip"), "归档", "archive"),
    "word": Reading("one.docx", ("compare", "one.docx", "one.md"), "Word 文件", "Word file"),
    "text": Reading("one.md", ("compare", "one.md", "one.md"), "纯文本", "plain text"),
    "law": Reading("law.md", ("law", "add", "law.md"), "法律文本", "text of a law"),
}


def made(root: Path) -> None:
    """A project with a run, its scores, a batch, an archive, documents and a law."""
    shutil.copytree(TESTS / "study" / "project", root, dirs_exist_ok=True)
    case = (root / "cases" / "one.yaml").read_text("utf-8")
    assert case
    line = '{"lw": "1", "case": "c%d", "people": {"creditor": [{"id": "C1", "name": "甲"}], "debtor": [{"id": "D1", "name": "乙"}]}, "demands": [{"text": "还"}], "story": "借", "truth": {"issue": "a", "law": "b"}, "verdict": "c"}\n'  # noqa: E501
    (root / "cases" / "many.jsonl").write_text("".join(line % n for n in range(3)), "utf-8")
    (root / "law.md").write_text("# 甲法\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 略。\n第二条 略。\n", "utf-8")
    (root / "one.md").write_text("民事判决书\n\n原告甲某。\n\n被告乙某。\n", "utf-8")
    for words in (
        ("batch", "debt", "--cases", "cases/one.yaml", "--out", "runs"),
        ("eval", "runs", "--rubric", "spoken"),
        ("archive", "pack", "runs", "--out", "one.zip"),
        ("export", "runs/one-0", "--to", "papers"),
    ):
        code, said = typed(words, root)
        assert code == 0, (words, said)
    (root / "runs" / "one-0").rename(root / "runs" / "one")
    next(iter((root / "papers").glob("*.docx"))).rename(root / "one.docx")


def typed(words: Sequence[str], cwd: Path) -> tuple[int, str]:
    """A command in this process."""
    out = StringIO()
    before = Path.cwd()
    os.chdir(cwd)
    try:
        with redirect_stdout(out), redirect_stderr(out):
            lw(list(words))
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    finally:
        os.chdir(before)
    raise AssertionError("a command always exits")


# ---- what it is made into --------------------------------------------------------------------------------------------
Harm = Callable[[Path], None]


def _written(make: Callable[[bytes], bytes]) -> Harm:
    return lambda file: _replaced(file, make(file.read_bytes()))


def _replaced(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def _bomb(file: Path) -> None:
    """Aliases that stand for ten times as much each; in JSON the same depth by lists."""
    aliases = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10) if n else 'x'}]\n" for n in range(10))
    file.write_text(aliases, "utf-8")


def _zeros(file: Path) -> None:
    """A gigabyte of zeros behind what the file began with; in a zip, packed into a megabyte."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as old:
            parts = {name: old.read(name) for name in old.namelist()}
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
            for number, (name, data) in enumerate(parts.items()):
                with new.open(name, "w", force_zip64=True) as part:
                    part.write(data)
                    for _ in range(1024 if number == len(parts) - 1 else 0):
                        part.write(bytes(1 << 20))
        return
    os.truncate(file, min(100, file.stat().st_size))
    os.truncate(file, GIGABYTE)


def _line(at: float) -> Harm:
    """A character of a line becomes another."""

    def change(data: bytes) -> bytes:
        if data.startswith(b"PK"):
            return _in_zip(data, at)
        lines = data.splitlines(keepends=True)
        n = min(int(at * len(lines)), len(lines) - 1)
        middle = len(lines[n]) // 2
        lines[n] = lines[n][:middle] + bytes([lines[n][middle] ^ 0x11]) + lines[n][middle + 1 :]
        return b"".join(lines)

    return _written(change)


def _in_zip(data: bytes, at: float) -> bytes:
    """A byte of what is packed becomes another."""
    with zipfile.ZipFile(BytesIO(data)) as packed:
        members = [one for one in packed.infolist() if one.compress_size > 8]
    one = members[min(int(at * len(members)), len(members) - 1)]
    start = one.header_offset + 30 + len(one.filename.encode()) + len(one.extra) + one.compress_size // 2
    return data[:start] + bytes([data[start] ^ 0x11]) + data[start + 1 :]


def _in_place(make: Callable[[Path], None]) -> Harm:
    def harm(file: Path) -> None:
        file.unlink()
        make(file)

    return harm


def _socket(file: Path) -> None:
    before = Path.cwd()
    os.chdir(file.parent)  # the name of a socket has 108 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made_:
            made_.bind(file.name)
    finally:
        os.chdir(before)


def _device(file: Path, minor: int = 3) -> None:
    os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, minor))


def _link_out(file: Path) -> None:
    outside = file.parent / f"outside-{file.name}"
    while (outside.parent / "run.yaml").exists() or outside.parent.name in ("spec", "specs", "scores"):
        outside = outside.parent.parent / outside.name
    file.rename(outside)
    file.symlink_to(os.path.relpath(outside, file.parent))


HARMS: Mapping[str, tuple[str, str, Harm]] = {
    "alias bomb": ("别名炸弹", "bomb of aliases", _bomb),
    "deep": ("十万层嵌套", "100,000 brackets deep", _written(lambda _: b"[" * 100_000)),
    "pipe": ("管道", "pipe", _in_place(os.mkfifo)),
    "socket": ("套接字", "socket", _in_place(_socket)),
    "device": ("设备", "device", _in_place(_device)),
    "folder": ("文件夹", "folder", _in_place(os.mkdir)),
    "link": ("指向文件夹外的链接", "link out of its folder", _link_out),
    "circle": ("指向自己的链接", "link to itself", _in_place(lambda file: file.symlink_to(file.name))),
    "cut": ("截去一半", "cut in half", _written(lambda data: data[: len(data) // 2])),
    "first": ("改第一行", "first line edited", _line(0)),
    "middle": ("改中间一行", "middle line edited", _line(0.5)),
    "last": ("改最后一行", "last line edited", _line(1)),
    "UTF-16": ("UTF-16", "UTF-16", _written(lambda data: data.decode("utf-8", "replace").encode("utf-16"))),
    "zeros": ("后面一吉字节的零", "1 GB of zeros behind it", _zeros),
    "noise": ("随机字节", "random bytes", _written(lambda _: random.Random(7).randbytes(5000))),
}


# ---- what is written -------------------------------------------------------------------------------------------------
WRITERS: Mapping[str, tuple[str, Words]] = {
    "runs --csv": ("out.csv", ("runs", "runs", "--csv", "out.csv")),
    "report --html": ("out.html", ("report", "runs/one", "--rubric", "spoken", "--html", "out.html")),
    "report --latex": ("out.tex", ("report", "runs/one", "--rubric", "spoken", "--latex", "out.tex")),
    "export": ("papers", ("export", "runs/one", "--to", "papers", "--format", "md")),
    "export in the run": ("runs/one/exports", ("export", "runs/one", "--format", "md")),
    "dataset": ("data/chat.jsonl", ("dataset", "runs/one", "--out", "data")),
    "archive pack": ("out.zip", ("archive", "pack", "runs/one", "--out", "out.zip")),
    "archive unpack": ("there", ("archive", "unpack", "one.zip", "--out", "there")),
    "run": ("new", ("run", "debt", "--case", "one", "--out", "new")),
    "replay: transcript": ("runs/one/transcript.md", ("replay", "runs/one")),
    "replay: documents": ("runs/one/documents", ("replay", "runs/one")),
    "eval": ("runs/one/scores", ("eval", "runs/one", "--rubric", "spoken")),
    "law add": ("library", ("law", "add", "law.md")),
}


BEHIND_LINKS: frozenset[str] = frozenset({"export", "run", "law add"})
"""Who writes into a folder that a person named, behind a link too."""


def _full(place: Path) -> None:
    """Nothing: the process itself finds no room."""


def _read_only(place: Path) -> None:
    """Nothing: the process itself may not write there."""


def _to_a_folder(place: Path) -> None:
    (place.parent / "elsewhere").mkdir(exist_ok=True)
    place.symlink_to("elsewhere")


PLACES: Mapping[str, tuple[str, str, Harm]] = {
    "link": ("指向别的文件夹的链接", "link to another folder", _to_a_folder),
    "circle": ("指向自己的链接", "link to itself", lambda place: place.symlink_to(place.name)),
    "pipe": ("管道", "pipe", os.mkfifo),
    "device": ("设备", "device", _device),
    "full device": ("写满的设备", "device that is full", lambda place: _device(place, 7)),
    "folder": ("文件夹", "folder in the way", lambda place: (place / "mine").mkdir(parents=True)),
    "file": ("文件", "file in the way", lambda place: place.write_text("mine")),
    "full": ("磁盘已满", "full disk", _full),
    "read-only": ("不可写", "read-only", _read_only),
}


# ---- one command on one file -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Outcome:
    """How a command ended on a file. `seconds`: of a processor; `megabytes`: more than the process had before."""

    code: int
    said: str
    seconds: float
    megabytes: float

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(re.findall(r"LW\d{3}", self.said)))

    @property
    def cell(self) -> str:
        """What stands in the table."""
        if listed := re.search(r'"run": "one".*"status": "(\w+)"', self.said):
            return listed[1]
        return " ".join(self.codes[:1]) or ("ok" if self.code == 0 else f"[{self.code}]")


def on(project: Path, words: Words, *, most: int | None = None, nobody: bool = False) -> Outcome:
    """A command in a process of its own, bounded. `most`: bytes that a file may grow to; `nobody`: as a user without
    rights."""
    read, said = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - another process
        _bounded(project, words, said, most, nobody)
    os.close(said)
    with open(read, "rb") as told, _timed(child):
        text = told.read().decode("utf-8", "replace")
        _, status, spent = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    grown = spent.ru_maxrss / 1024 - _resident()
    return Outcome(code, text, spent.ru_utime + spent.ru_stime, grown)


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def _bounded(project: Path, words: Words, said: int, most: int | None, nobody: bool) -> None:
    try:
        os.dup2(said, 1)
        os.dup2(said, 2)
        virtual = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (virtual + (3 << 30),) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        if most is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        if nobody:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        os.environ["LW_LIBRARY"] = str(project / "library")
        code, told = typed(words, project)
        os.write(1, told.encode("utf-8", "replace")[: 1 << 20])
        os._exit(code)
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"Traceback: {type(error).__name__}: {error}".encode()[:500])
        os._exit(99)


@contextmanager
def _timed(child: int) -> Iterator[None]:
    """Kill a process that waits for what never comes."""
    before = signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(WAIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Bench:
    """A project that was made once, copied for each command."""

    template: Path

    def read(self, reader: str, harm: str) -> Outcome:
        reading = READERS[reader]
        with tempfile.TemporaryDirectory() as place:
            project = Path(shutil.copytree(self.template, Path(place) / "project", symlinks=True))
            HARMS[harm][2](project / reading.file)
            return on(project, reading.words)

    def write(self, writer: str, place_: str) -> tuple[Outcome, tuple[str, ...]]:
        """How it ended, and what is no longer as it was, though it is not the command's."""
        target, words = WRITERS[writer]
        with tempfile.TemporaryDirectory() as place:
            os.chmod(place, 0o755)
            project = Path(shutil.copytree(self.template, Path(place) / "project", symlinks=True))
            spot = project / target
            spot.parent.mkdir(parents=True, exist_ok=True)
            if place_ not in ("full", "read-only"):
                shutil.rmtree(spot, ignore_errors=True) if spot.is_dir() else spot.unlink(missing_ok=True)
                PLACES[place_][2](spot)
            before = _kept(spot)
            outcome = on(project, words, most=0 if place_ == "full" else None, nobody=place_ == "read-only")
            return outcome, tuple(name for name, was in before.items() if _kept(spot).get(name) != was)


def _kept(spot: Path) -> dict[str, str]:
    """The kind of what stands in the way, and what lies in or behind it."""
    found: dict[str, str] = {}
    with suppress(FileNotFoundError):
        found["kind"] = str(stat.S_IFMT(spot.lstat().st_mode))
    elsewhere = spot.parent / "elsewhere"
    if elsewhere.is_dir():
        found["elsewhere"] = ",".join(sorted(file.name for file in elsewhere.iterdir()))
    if spot.is_dir() and not spot.is_symlink() and (spot / "mine").is_dir():
        found["mine"] = "there"
    return found


# ---- the tables ------------------------------------------------------------------------------------------------------
def read_rows(locale: Locale, bench: Bench) -> str:
    zh = locale == "zh"
    heads = [reading.zh if zh else reading.en for reading in READERS.values()]
    lines = ["", f"| {'输入' if zh else 'Input'} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for harm, (chinese, english, _) in HARMS.items():
        cells = [_read(bench, reader, harm).cell for reader in READERS]
        lines.append(f"| {chinese if zh else english} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def write_rows(locale: Locale, bench: Bench) -> str:
    zh = locale == "zh"
    heads = [PLACES[name][0 if zh else 1] for name in PLACES]
    lines = ["", f"| {'命令' if zh else 'Command'} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for writer in WRITERS:
        cells = [_write(bench, writer, place)[0].cell for place in PLACES]
        lines.append(f"| `{writer}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


@cache
def _read(bench: Bench, reader: str, harm: str) -> Outcome:
    return bench.read(reader, harm)


@cache
def _write(bench: Bench, writer: str, place: str) -> tuple[Outcome, tuple[str, ...]]:
    return bench.write(writer, place)


PAGES: Mapping[Path, Locale] = {
    ROOT / "docs" / "reliability.md": "zh",
    ROOT / "docs" / "en" / "reliability.md": "en",
}
MADE = {"disk_read": read_rows, "disk_written": write_rows}


def pages(bench: Bench) -> Iterator[tuple[Path, str]]:
    """The pages as they should be."""
    for path, locale in PAGES.items():
        text = path.read_text("utf-8")
        for what, table in MADE.items():
            before, found, rest = text.partition(f"<!-- made: {what} -->\n")
            assert found, (path, what)
            text = before + found + table(locale, bench) + "<!-- end -->" + rest.partition("<!-- end -->")[2]
        yield path, text


def main() -> None:
    """Write both pages anew."""
    os.environ["LW_LANG"] = "en"
    with tempfile.TemporaryDirectory() as place:
        template = Path(place) / "template"
        template.mkdir()
        made(template)
        for path, text in pages(Bench(template)):
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
