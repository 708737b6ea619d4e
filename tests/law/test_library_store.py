"""The library on disk: added again, by two at once, interrupted, damaged, read-only. Never a traceback, never half."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from library_texts import BROKEN, CASES, STATUTES, code, day, made, opened
from places import HANG

from legalworld.law.library.law import FoundArticle
from legalworld.law.library.library import Added, CaseHits, Hits, Library, library_folder
from legalworld.law.library.store import FILE
from legalworld.model.diagnostics import Diagnostic

PARKING = "湖滨市停车场管理条例"


def added(found: Added | Diagnostic) -> Added:
    assert isinstance(found, Added), found
    return found


def test_where_the_library_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LW_LIBRARY", raising=False)
    assert library_folder(tmp_path) == tmp_path / "library"
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "deep").mkdir()
    assert library_folder(tmp_path / "specs" / "deep") == tmp_path / "library"
    monkeypatch.setenv("LW_LIBRARY", "elsewhere")
    assert library_folder(tmp_path) == tmp_path / "elsewhere"


def test_it_is_made_by_the_first_add_only(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    assert code(Library.open(folder)) == "LW222"
    assert not folder.exists()
    made(folder)
    assert (folder / ".gitignore").read_text() == "*\n"
    assert isinstance(opened(folder).check(PARKING, "1"), FoundArticle)


def test_adding_again_changes_nothing(tmp_path: Path) -> None:
    library = made(tmp_path / "library")
    state = tmp_path / "library" / "index" / "article.json"
    before = (tmp_path / "library" / FILE).read_bytes(), state.read_bytes()
    again = added(library.add_laws(STATUTES))
    assert (again.new, again.same) == ((), 8)
    assert ((tmp_path / "library" / FILE).read_bytes(), state.read_bytes()) == before


def test_a_mended_file_replaces_its_own_part_only(tmp_path: Path) -> None:
    shutil.copytree(STATUTES / "云川商事法典", tmp_path / "laws")
    library = made(tmp_path / "library", tmp_path / "laws")
    file = tmp_path / "laws" / "买卖编.md"
    file.write_text(file.read_text("utf-8").replace("逾期利息", "迟延利息"), encoding="utf-8")
    assert [act.source for act in added(library.add_laws(tmp_path / "laws")).new] == [str(file)]
    found = library.check("云川商事法典", "5", at=day("2017-01-01"))
    assert isinstance(found, FoundArticle) and "迟延利息" in found.text
    hits = library.search("迟延利息", at=day("2017-01-01"))
    assert isinstance(hits, Hits) and len(hits.hits) >= 1
    gone = library.search("逾期", at=day("2017-01-01"))
    assert isinstance(gone, Hits) and all(hit.found.article.number.main == 5 for hit in gone.hits)
    assert isinstance(library.check("云川商事法典", "1"), FoundArticle)


def test_two_files_with_the_same_articles_are_not_mixed(tmp_path: Path) -> None:
    head = "# 甲法\n\n# {part}\n\n2020年1月1日 通过\n\n<!-- INFO END -->\n\n"
    (tmp_path / "a.md").write_text(head.format(part="上编") + "第一条 甲。\n", encoding="utf-8")
    (tmp_path / "b.md").write_text(head.format(part="下编") + "第一条 乙。\n\n第二条 丙。\n", encoding="utf-8")
    library = made(tmp_path / "library", None)
    assert added(library.add_laws(tmp_path / "a.md")).new
    second = added(library.add_laws(tmp_path / "b.md"))
    assert second.new == ()
    assert [(problem.code, problem.values["count"]) for problem in second.problems] == [("LW225", 1)]
    found = library.check("甲法", "1")
    assert isinstance(found, FoundArticle) and found.text == "甲。"
    assert code(library.check("甲法", "2")) == "LW215"


def test_bad_files_do_not_keep_good_ones_out(tmp_path: Path) -> None:
    laws = tmp_path / "laws"
    shutil.copytree(BROKEN, laws, ignore=shutil.ignore_patterns("*.txt"))
    shutil.copy(STATUTES / "没有结束标记.md", laws)
    (laws / "_index.md").write_text("---\n")
    (laws / ".hidden.md").write_text("x")
    (laws / "notes.docx").write_text("x")
    (laws / "damaged.md").write_bytes("# 甲法\n第一条 略。\n".encode() + b"\xff\xfe\x80\n")
    (laws / "scan.md").write_bytes(b"%PDF-1.7\n\xff")
    (laws / "big.md").write_bytes(b"#" * (2 << 20))
    if os.name != "nt":
        (tmp_path / "outside.md").write_text("# 外法\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 略。\n")
        (laws / "link.md").symlink_to(tmp_path / "outside.md")
        (laws / "loop").symlink_to(laws)
        os.mkfifo(laws / "pipe.md")
    library = made(tmp_path / "library", None)
    done = added(library.add_laws(laws))
    assert sorted(act.name for act in done.new) == ["湖滨市游船管理办法", "湖滨市遛狗规定"]
    codes = {Path(problem.span.file).name: problem.code for problem in done.problems if problem.code != "LW224"}
    assert {problem.code for problem in done.problems if "不是UTF-8.md" in problem.span.file} == {"LW343", "LW223"}
    assert codes.pop("没有结束标记.md", "LW226") == "LW226"
    assert codes == {
        "不是UTF-8.md": "LW223",
        "没有日期.md": "LW223",
        "没有条文.md": "LW223",
        "notes.docx": "LW223",
        "damaged.md": "LW002",
        "scan.md": "LW820",
        "空文件.md": "LW223",
        "big.md": "LW155",
    }
    assert {problem.severity for problem in done.problems if problem.code == "LW223"} == {"warning"}
    alone = added(library.add_laws(laws / "没有条文.md"))
    assert [problem.severity for problem in alone.problems] == ["error"]


def test_nothing_to_import(tmp_path: Path) -> None:
    library = made(tmp_path / "library", None)
    (tmp_path / "empty").mkdir()
    for path, told in ((tmp_path / "empty", "LW221"), (tmp_path / "nothing", "LW221"), (Path("/dev/null"), "LW701")):
        assert [problem.code for problem in added(library.add_laws(path)).problems] == [told]


def test_names_are_never_paths(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(
        "# ../../etc/甲法\x1b[31m\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 \x1b[2J略。\n", encoding="utf-8"
    )
    library = made(tmp_path / "library", None)
    (act,) = added(library.add_laws(file)).new
    assert "\x1b" not in act.name
    found = library.check(act.name, "1")
    assert isinstance(found, FoundArticle) and "\x1b" not in found.text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "library"]


# ---- several at once -------------------------------------------------------------------------------------------------

ADD = """
import sys
from pathlib import Path
from legalworld.law.library.library import Added, Hits, Library
library = Library.open(Path(sys.argv[1]), create=True)
assert isinstance(library, Library), library
for path in sys.argv[2:]:
    added = library.add_laws(Path(path))
    assert isinstance(added, Added), added
found = library.search("停车 利息")
assert isinstance(found, Hits), found
print(len(found.hits))
"""


def test_several_processes_add_and_search_at_once(tmp_path: Path) -> None:
    files = sorted(STATUTES.rglob("*.md"))
    orders = [files, files[::-1], files[4:] + files[:4]]
    command = [sys.executable, "-c", ADD, str(tmp_path / "library")]
    runs = [
        subprocess.Popen([*command, *map(str, order)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for order in orders
    ]
    said = [run.communicate(timeout=HANG) for run in runs]
    assert [run.returncode for run in runs] == [0] * 3, said
    library, alone = opened(tmp_path / "library"), made(tmp_path / "alone")
    laws, expected = library.laws(), alone.laws()
    assert not isinstance(laws, Diagnostic) and not isinstance(expected, Diagnostic)
    assert [(law.name, len(law.versions), law.events) for law in laws] == [
        (law.name, len(law.versions), law.events) for law in expected
    ]
    one, two = library.search("停车 利息", top=50), alone.search("停车 利息", top=50)
    assert isinstance(one, Hits) and isinstance(two, Hits)
    assert {hit.found.text for hit in one.hits} == {hit.found.text for hit in two.hits}
    assert len(list((tmp_path / "library" / "index").glob("article-*"))) == 1


def test_another_process_sees_what_was_added(tmp_path: Path) -> None:
    one = made(tmp_path / "library", None)
    two = opened(tmp_path / "library")
    assert code(two.check(PARKING, "1")) == "LW210"
    one.add_laws(STATUTES)
    assert isinstance(two.check(PARKING, "1"), FoundArticle)
    found = two.search("停车")
    assert isinstance(found, Hits) and found.hits


def test_threads_share_a_library(tmp_path: Path) -> None:
    library = made(tmp_path / "library")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: (library.check(PARKING, "8"), library.search("停车"))[n % 2], range(200)))
    assert all(isinstance(one, (FoundArticle, Hits)) for one in found)


KILLED = """
import os, signal, sys
from pathlib import Path
import filelock, tantivy
from legalworld.law.library.index import words
from legalworld.law.library.library import Added, Library
from legalworld.law.text.numerals import ordinal

steps = 0


def add(folder, last):
    def count(frame, event, _):
        global steps
        if event in ("call", "c_call") and "library" in frame.f_code.co_filename:
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    library = Library.open(Path(sys.argv[1], folder), create=True)
    added = library.add_laws(Path(sys.argv[2]))
    sys.setprofile(None)
    assert isinstance(added, Added), added


def apart(folder, last):
    told, tell = os.pipe()
    if not (child := os.fork()):
        add(folder, last)
        os.write(tell, str(steps).encode())
        os._exit(0)
    os.close(tell)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), int(os.read(told, 99) or 0)


words("what is slow to load"), ordinal("三")
result, whole = apart("whole", 0)
print(result, *(apart(share, int(float(share) * whole))[0] for share in sys.argv[3:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_an_add_that_is_killed_leaves_the_library_as_it_was_or_complete(tmp_path: Path) -> None:
    """Killed at the n-th call of a function, so that it is the same moment on every machine."""
    laws = tmp_path / "laws"
    laws.mkdir()
    for n in range(20):
        body = "\n".join(f"第{'一二三四五六七八九'[m]}条 停车场管理 {n} {m}。" for m in range(9))
        (laws / f"{n}.md").write_text(f"# 甲{n}法\n2020年1月1日 通过\n<!-- INFO END -->\n{body}\n", encoding="utf-8")
    shares = ["0.3", "0.9", "0.97", "0.999"]
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(laws), *shares]
    run = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert run.stdout.split() == ["0", *[str(-signal.SIGKILL)] * 4], run.stderr
    complete = []
    for share in shares:
        library = Library.open(tmp_path / share, create=True)
        assert isinstance(library, Library)
        held = library.laws()
        assert not isinstance(held, Diagnostic)
        assert len(held) in (0, 20)
        found = library.search("停车场", top=200)
        assert isinstance(found, Hits) and (len(found.hits) > 100) == bool(held)
        complete.append(bool(held))
        library.close()
    assert set(complete) == {False, True}


def test_a_library_that_is_written_to_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legalworld.law.library.store.PATIENCE", 0.2)
    made(tmp_path / "library").close()
    library = opened(tmp_path / "library")
    other = sqlite3.connect(tmp_path / "library" / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert code(library.add_laws(BROKEN / "条号混乱.md")) == "LW227"
        assert code(library.check(PARKING, "1")) == "LW227"
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert isinstance(library.check(PARKING, "1"), FoundArticle)


# ---- damage ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "library"
    library = made(folder)
    library.add_cases(CASES)
    library.close()
    return folder


STATES = (
    "",
    "{}",
    "[]",
    "null",
    '{"format":1,"folder":"../../x","last":1,"gone":0,"documents":1,"removed":0,"files":{}}',
    '{"format":1,"folder":"article-..","last":1,"gone":0,"documents":1,"removed":0,"files":{"a":3}}',
)


@pytest.mark.parametrize("seed", range(24))
def test_a_damaged_index_is_made_again(sound: Path, tmp_path: Path, seed: int) -> None:
    shutil.copytree(sound, tmp_path / "library")
    draw = random.Random(seed)
    index = tmp_path / "library" / "index"
    file = draw.choice(sorted(path for path in index.rglob("*") if path.is_file()))
    match seed % 6:
        case 0:
            data = bytearray(file.read_bytes() or b"x")
            for _ in range(5):
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
            file.write_bytes(data)
        case 1:
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        case 2:
            file.unlink()
        case 3:
            file.write_bytes(draw.randbytes(100))
        case 4:
            shutil.rmtree(draw.choice(sorted(path for path in index.iterdir() if path.is_dir())))
        case _:
            (index / "article.json").write_text(STATES[seed // 6 % len(STATES)])
    library = opened(tmp_path / "library")
    found, cases = library.search("车辆毁损 赔偿责任"), library.search_cases("盗窃 退赔")
    assert isinstance(found, Hits) and found.hits[0].found.article.number.main == 8
    assert isinstance(cases, CaseHits) and cases.hits[0].case.title.startswith("壬某")


def test_an_index_that_is_gone_while_it_is_open(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "library")
    library = opened(tmp_path / "library")
    assert isinstance(library.search("停车"), Hits)
    shutil.rmtree(tmp_path / "library" / "index")
    assert isinstance(library.search("停车"), Hits)
    library.add_laws(BROKEN / "条号混乱.md")
    found = library.search("遛狗")
    assert isinstance(found, Hits) and found.hits


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="POSIX permissions")
def test_a_library_that_may_only_be_read(sound: Path, tmp_path: Path) -> None:
    """Without an index on disk, one is made in memory."""
    shutil.copytree(sound, tmp_path / "library")
    shutil.rmtree(tmp_path / "library" / "index")
    (tmp_path / "library" / "index").write_text("no folder can be made here")
    library = opened(tmp_path / "library")
    found = library.search("车辆毁损 赔偿责任")
    assert isinstance(found, Hits) and found.hits[0].found.article.number.main == 8


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_library_is_said_to_be_damaged(sound: Path, tmp_path: Path, seed: int) -> None:
    shutil.copytree(sound, tmp_path / "library")
    draw = random.Random(seed)
    file = tmp_path / "library" / FILE
    data = bytearray(file.read_bytes())
    match seed % 4:
        case 0:
            for _ in range(60):
                data[draw.randrange(len(data))] = draw.randrange(256)
        case 1:
            del data[draw.randrange(len(data)) :]
        case 2:
            data = bytearray(draw.randbytes(5000))
        case _:
            data.clear()
    file.write_bytes(data)
    library = Library.open(tmp_path / "library")
    if isinstance(library, Diagnostic):
        assert library.code == "LW228"
        return
    for found in (
        library.check(PARKING, "8"),
        library.search("停车"),
        library.search_cases("盗窃"),
        library.laws(),
        library.add_laws(BROKEN),
    ):
        assert code(found) in ("", "LW228", "LW210", "LW211", "LW215"), found


def test_a_library_of_another_version_is_left_alone(tmp_path: Path) -> None:
    made(tmp_path / "library").close()
    db = sqlite3.connect(tmp_path / "library" / FILE)
    db.execute("PRAGMA user_version = 99")
    db.close()
    for create in (False, True):
        found = Library.open(tmp_path / "library", create=create)
        assert isinstance(found, Diagnostic)
        assert (found.code, found.values["reason"]) == ("LW228", "format 99, not 1")
