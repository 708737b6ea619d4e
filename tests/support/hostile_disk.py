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
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
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
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where the copies lie of which there are hundreds."""

Words = tuple[str, ...]


# ---- what is read ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Reading:
    """A command that reads a file, and what the file is called in the table."""

    file: str
    words: Words
    zh: str
    en: str


def _reading(file: str, words: str, zh: str, en: str) -> Reading:
    return Reading(file, tuple(words.split()), zh, en)


REPORT = "report runs/one-0 --rubric spoken"
PLAY_HERE = "batch debt --cases cases/one.yaml --out runs"
READERS: Mapping[str, Reading] = {
    "spec": _reading("specs/debt.yaml", "check specs/debt.yaml", "程序文件", "spec"),
    "prompt": _reading(
        "prompts/zh/debt/offline/draft.lawyer.j2", "run debt --case one --out new", "提示词", "prompt template"
    ),
    "persona": _reading("personas/calm.yaml", "check specs/debt.yaml", "人物性格", "persona"),
    "card": _reading("skills/notes.yaml", "check specs/debt.yaml", "技能卡片", "skill card"),
    "rubric": _reading("rubrics/spoken.yaml", "eval runs/one-0 --rubric rubrics/spoken.yaml", "评分标准", "rubric"),
    "binding": _reading(
        "bindings/loans.yaml", "run debt --case data.json --binding bindings/loans.yaml --out new", "绑定", "binding"
    ),
    "interventions": _reading(
        "interventions/debt.yaml",
        "intervene debt --rubric spoken --interventions interventions/debt.yaml --out study",
        "干预",
        "interventions",
    ),
    "models": _reading("models.yaml", "models list", "模型文件", "models file"),
    "case": _reading("cases/one.yaml", "run debt --case cases/one.yaml --out new", "案件", "case"),
    "lines": _reading(
        "cases/many.jsonl", "batch debt --cases cases/many.jsonl --out b", "案件（每行一个）", "cases, one a line"
    ),
    "data": _reading("data.json", "check bindings/loans.yaml --data data.json", "外来数据", "foreign data"),
    "judgments": _reading(
        "fine.jsonl", "corpus build fine.jsonl --out built --near 0 --until read", "裁判文书", "judgments for a corpus"
    ),
    "step": _reading(
        "corpus/01-read.jsonl",
        "corpus build fine.jsonl --out corpus --near 0 --until clean",
        "语料的一步",
        "corpus step",
    ),
    "library cases": _reading("past.jsonl", "case-library add past.jsonl", "类案", "cases for the library"),
    "law": _reading("law.md", "law add law.md", "法律文本", "text of a law"),
    "library": _reading("library/library.sqlite3", "law list", "法律库", "law library"),
    "run.yaml": _reading("runs/one-0/run.yaml", "show runs/one-0", "run.yaml", "run.yaml"),
    "journal": _reading("runs/one-0/journal.jsonl", REPORT, "journal.jsonl", "journal.jsonl"),
    "case.json": _reading("runs/one-0/case.json", "replay runs/one-0", "case.json", "case.json"),
    "sealed": _reading("runs/one-0/sealed.json", "eval runs/one-0 --rubric spoken", "sealed.json", "sealed.json"),
    "copy": _reading("runs/one-0/spec.zip", "resume runs/one-0", "运行中的副本", "copy of a spec"),
    "times": _reading("runs/one-0/times.jsonl", "show runs/one-0 --json", "times.jsonl", "times.jsonl"),
    "early": _reading("runs/half/early.jsonl", "resume runs/half", "early.jsonl", "early.jsonl"),
    "listed": _reading("runs/one-0/journal.jsonl", "runs runs --json", "运行列表", "list of runs"),
    "index": _reading("runs/.runs.sqlite3", "runs runs --json", "列表的索引", "index of a list"),
    "scores": _reading("runs/one-0/scores/spoken.rules.json", REPORT, "得分", "scores"),
    "batch": _reading("runs/batch.json", "batch status runs", "batch.json", "batch.json"),
    "record": _reading("runs/batch.jsonl", "batch status runs", "batch.jsonl", "batch.jsonl"),
    "archive": _reading("one.zip", "archive check one.zip", "归档", "archive"),
    "word": _reading("one.docx", "compare one.docx one.md", "Word 文件", "Word file"),
    "text": _reading("one.md", "compare one.md one.md", "纯文本", "plain text"),
    "key": _reading("sheets/key.json", "ratings compare sheets", "评分的底细", "key to ratings"),
    "excel": _reading(
        "sheets/rater-1/ratings-1.xlsx", "ratings compare sheets", "评分表（Excel）", "rating sheet (Excel)"
    ),
    "csv": _reading(
        "plain/rater-1/ratings-1.csv",
        "ratings compare plain/rater-1/ratings-1.csv",
        "评分表（CSV）",
        "rating sheet (CSV)",
    ),
}

FILES: Mapping[str, str] = {
    "law.md": "# 甲法\n2020年1月1日 通过\n2020年2月1日 施行\n<!-- INFO END -->\n第一条 略。\n第二条 略。\n",
    "other.md": "# 乙法\n2021年1月1日 通过\n2021年2月1日 施行\n<!-- INFO END -->\n第一条 略。\n",
    "one.md": "民事判决书\n\n原告甲某。\n\n被告乙某。\n",
    "models.yaml": "lw: 1\nmodels:\n  clerk:\n    model: openai/clerk\n",
    "personas/calm.yaml": """lw: 1
persona: calm
title: 性格
dimensions:
  pace:
    title: 快慢
    levels:
      fast: 你说得快。
      slow: 你说得慢。
""",
    "skills/notes.yaml": """lw: 1
skill: notes
title: 起草要点
who: creditor_lawyer
stages: [write]
trigger: 起草之前
acts: [draft]
task: 起草诉状
checklist: [请求写明数额]
output: 诉状
""",
    "bindings/loans.yaml": """lw: 1
binding: loans
title: 借款数据
procedure: debt
records: "$[*]"
detect: ["$.lender"]
fields:
  people:
    creditor: {path: "$", each: {id: "C{n}", name: {path: $.lender}}}
    debtor: {path: "$", each: {id: "D{n}", name: {path: $.borrower}}}
  demands: {path: "$", each: {text: {path: $.asks}}}
  story: $.story
""",
    "rubrics/asked.yaml": """lw: 1
rubric: asked
title: 像不像
for: [debt]
scales:
  like: {range: 0 to 10, anchors: {9-10: 像, 0-8: 不像}}
asks:
  stage:
    title: 开庭
    each: stages court
    from: all turns
    metrics:
      process: {title: 连贯, scale: like, asks: 是否连贯。}
formulas:
  PROCESS: {title: 连贯, is: mean(process), range: 0 to 10}
""",
    "data.json": '[{"lender": "甲", "borrower": "乙", "asks": "还五万", "story": "借了五万"}]',
    "past.jsonl": '{"id": "one", "text": "甲某借给乙某五万元，到期没有归还。"}\n',
}
BEFORE: Words = (
    "batch debt --cases cases/one.yaml --out runs",
    "run debt --case one --until write --out runs/half",
    "eval runs/one-0 --rubric spoken",
    "runs runs",
    "archive pack runs/one-0 --out one.zip",
    "export runs/one-0 --to papers",
    "ratings export runs/one-0 --raters 1 --rubric asked --out sheets",
    "ratings export runs/one-0 --raters 1 --rubric asked --format csv --out plain",
    "corpus build fine.jsonl --out corpus --near 0 --until read",
    "law add law.md",
)


def made(root: Path) -> None:
    """A project with runs, scores, a batch, an archive, documents, sheets, a corpus and a law library."""
    shutil.copytree(TESTS / "study" / "project", root, dirs_exist_ok=True)
    spec = (root / "specs" / "debt.yaml").read_text("utf-8")
    uses = "skills: [notes]\npersonas: {calm: personas/calm.yaml}\n"
    (root / "specs" / "debt.yaml").write_text(spec.replace("\ndocuments:\n", f"\n{uses}\ndocuments:\n", 1), "utf-8")
    (root / "prompts" / "zh" / "know").rename(root / "prompts" / "zh" / "debt" / "know")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    line = '{"lw": "1", "case": "c%d", "people": {"creditor": [{"id": "C1", "name": "甲"}], "debtor": [{"id": "D1", "name": "乙"}]}, "demands": [{"text": "还"}], "story": "借", "truth": {"issue": "a", "law": "b"}, "verdict": "c"}\n'  # noqa: E501
    (root / "cases" / "many.jsonl").write_text("".join(line % n for n in range(3)), "utf-8")
    judgments = (TESTS / "corpus" / "judgments.jsonl").read_text("utf-8").splitlines(keepends=True)
    (root / "fine.jsonl").write_text("".join(judgments[:5]), "utf-8")
    for words in BEFORE:
        code, said = typed(words.split(), root)
        assert code == 0, (words, said)
    (root / "runs" / "half" / "early.jsonl").write_text('{"request":"x","reply":{"text":"y"}}\n', "utf-8")
    _rated(root)
    next(iter((root / "papers").glob("*.docx"))).rename(root / "one.docx")


def _rated(root: Path) -> None:
    """The two sheets filled in, so that they are as they come back."""
    from openpyxl import load_workbook

    csv, excel = root / "plain/rater-1/ratings-1.csv", root / "sheets/rater-1/ratings-1.xlsx"
    csv.write_text(csv.read_text("utf-8").replace("#court,,", "#court,8,自然"), "utf-8")
    book = load_workbook(excel)
    row = book.active.max_row
    book.active.cell(row, 8).value, book.active.cell(row, 9).value = 8, "自然"
    book.save(excel)


def typed(words: Sequence[str], cwd: Path) -> tuple[int, str]:
    """A command in this process."""
    out = StringIO()
    before = Path.cwd()
    os.chdir(cwd)
    os.environ["LW_LIBRARY"] = str(cwd / "library")
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
def _writing(target: str, words: str) -> tuple[str, Words]:
    return target, tuple(words.split())


WRITERS: Mapping[str, tuple[str, Words]] = {
    "init": _writing("copied", "init copied"),
    "run": _writing("new", "run debt --case one --out new"),
    "fork": _writing("forked", "fork runs/one-0 --at court --out forked"),
    "resume: times": _writing("runs/half/times.jsonl", "resume runs/half"),
    "resume: transcript": _writing("runs/half/transcript.md", "resume runs/half"),
    "replay: transcript": _writing("runs/one-0/transcript.md", "replay runs/one-0"),
    "replay: documents": _writing("runs/one-0/documents", "replay runs/one-0"),
    "runs --csv": _writing("out.csv", "runs runs --csv out.csv"),
    "runs: index": _writing("runs/.runs.sqlite3", "runs runs"),
    "batch": _writing("new", "batch debt --cases cases/many.jsonl --out new"),
    "batch: batch.json": _writing("runs/batch.json", PLAY_HERE),
    "batch: batch.jsonl": _writing("runs/batch.jsonl", PLAY_HERE),
    "batch: lock": _writing("runs/batch.lock", PLAY_HERE),
    "bench": _writing("new", "bench debt --models offline --rubric spoken --out new"),
    "eval": _writing("runs/one-0/scores", "eval runs/one-0 --rubric spoken"),
    "report --html": _writing("out.html", f"{REPORT} --html out.html"),
    "report --latex": _writing("out.tex", f"{REPORT} --latex out.tex"),
    "intervene": _writing("study", "intervene debt --rubric spoken --out study"),
    "ratings export": _writing("new", "ratings export runs/one-0 --raters 1 --rubric asked --out new"),
    "export": _writing("papers", "export runs/one-0 --to papers --format md"),
    "export in the run": _writing("runs/one-0/exports", "export runs/one-0 --format md"),
    "dataset": _writing("data/chat.jsonl", "dataset runs/one-0 --out data"),
    "archive pack": _writing("out.zip", "archive pack runs/one-0 --out out.zip"),
    "archive unpack": _writing("there", "archive unpack one.zip --out there"),
    "corpus build": _writing("built", "corpus build fine.jsonl --out built --near 0 --until read"),
    "corpus: step": _writing("corpus/02-clean.jsonl", "corpus build fine.jsonl --out corpus --near 0 --until clean"),
    "law add": _writing("library", "law add other.md"),
    "case-library add": _writing("library", "case-library add past.jsonl"),
}


BEHIND_LINKS: frozenset[str] = frozenset(
    {
        *("init", "run", "fork", "batch", "bench", "intervene", "ratings export", "export", "corpus build"),
        *("law add", "case-library add"),
    }
)
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
        if listed := re.search(r'"run": "one-0".*"status": "(\w+)"', self.said):
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
        if nobody and MAKES_DEVICES:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
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

    def _copied(self, place: str) -> Path:
        to = Path(place) / "project"
        return Path(shutil.copytree(self.template, to, symlinks=True, copy_function=shutil.copyfile))

    def read(self, reader: str, harm: str | None) -> Outcome:
        """How a command ends on a file that was harmed; None: on the file as it was."""
        reading = READERS[reader]
        with tempfile.TemporaryDirectory(dir=MEMORY) as place:
            project = self._copied(place)
            if harm is not None:
                HARMS[harm][2](project / reading.file)
            return on(project, reading.words)

    def write(self, writer: str, place_: str) -> tuple[Outcome, tuple[str, ...]]:
        """How it ended, and what is no longer as it was, though it is not the command's."""
        target, words = WRITERS[writer]
        with tempfile.TemporaryDirectory(dir=MEMORY) as place:
            os.chmod(place, 0o755)
            project = self._copied(place)
            spot = project / target
            spot.parent.mkdir(parents=True, exist_ok=True)
            if place_ not in ("full", "read-only"):
                shutil.rmtree(spot, ignore_errors=True) if spot.is_dir() else spot.unlink(missing_ok=True)
                PLACES[place_][2](spot)
            before = _kept(spot)
            with _locked(project) if place_ == "read-only" and not MAKES_DEVICES else nullcontext():
                outcome = on(project, words, most=0 if place_ == "full" else None, nobody=place_ == "read-only")
            return outcome, tuple(name for name, was in before.items() if _kept(spot).get(name) != was)


@contextmanager
def _locked(project: Path) -> Iterator[None]:
    """A project in which nobody without rights may write."""
    folders = [project, *(path for path in project.rglob("*") if path.is_dir() and not path.is_symlink())]
    files = [path for path in project.rglob("*") if path.is_file() and not path.is_symlink()]
    for path in (*files, *folders):
        path.chmod(0o555 if path in folders else 0o444)
    try:
        yield
    finally:
        for path in (*folders, *files):
            path.chmod(0o755)


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
    heads = [harm[0 if zh else 1] for harm in HARMS.values()]
    lines = ["", f"| {'文件' if zh else 'File'} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, reading in READERS.items():
        cells = [cell_read(bench, name, harm) for harm in HARMS]
        lines.append(f"| {reading.zh if zh else reading.en} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def write_rows(locale: Locale, bench: Bench) -> str:
    zh = locale == "zh"
    heads = [place[0 if zh else 1] for place in PLACES.values()]
    lines = ["", f"| {'命令' if zh else 'Command'} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for writer in WRITERS:
        cells = [cell_written(bench, writer, place) for place in PLACES]
        lines.append(f"| `{writer}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


UNTRIED = "?"
"""In a cell that takes more rights than this process has."""
MAKES_DEVICES = os.name == "posix" and os.geteuid() == 0
DEVICES = ("device", "full device")


def cell_read(bench: Bench, reader: str, harm: str) -> str:
    return UNTRIED if harm in DEVICES and not MAKES_DEVICES else _read(bench, reader, harm).cell


def cell_written(bench: Bench, writer: str, place: str) -> str:
    return UNTRIED if place in DEVICES and not MAKES_DEVICES else _write(bench, writer, place)[0].cell


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
