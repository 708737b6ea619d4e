"""Templates that are kept between processes: the same as when they are read anew, whatever became of the file."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from legalworld.files import template_shelf
from legalworld.files.project_files import Disk
from legalworld.files.template_shelf import TemplateShelf, serve_templates
from legalworld.templates import kept, template_set
from legalworld.templates.template_set import TemplateSet

LOCALES = {"zh": ("civil", "criminal", "j1", "labour"), "en": ("smallclaims",)}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv(template_shelf.VARIABLE, str(tmp_path / "cache"))
    yield
    forgotten()
    kept.keep_no_templates()


def forgotten() -> None:
    """As in a process that has only begun."""
    for known in (template_set._read, template_set._word_tests, template_shelf._shelf):
        known.cache_clear()


def sets() -> Iterator[TemplateSet]:
    for locale, names in LOCALES.items():
        for name in names:
            yield TemplateSet(Disk(None), locale=locale, procedure=name)


def everything() -> list[object]:
    """What every template says of itself, and what its code is."""
    forgotten()
    found: list[object] = []
    for templates in sets():
        for home in templates.homes:
            found += [home, templates.check(home), templates.reads(home), templates.included(home)]
            if not any(problem.severity == "error" for problem in templates.check(home)):
                code = templates._compiled(home).root_render_func.__code__
                found += [code.co_code, code.co_consts[1:2], code.co_filename]
    return found


def written() -> Path:
    """The file, with everything in it, as a process leaves it."""
    serve_templates()
    everything()
    shelf = kept._found[0]()
    assert isinstance(shelf, TemplateShelf)
    shelf.close()
    return shelf._file


@pytest.fixture(scope="module")
def plain() -> list[object]:
    kept.keep_no_templates()
    found = everything()
    assert len(found) > 2000
    return found


def test_a_kept_template_is_the_one_that_was_read(plain: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    written()
    parsed: list[str] = []
    parse = template_set.parse
    monkeypatch.setattr(
        template_set, "parse", lambda environment, page: parsed.append(page.home) or parse(environment, page)
    )
    assert everything() == plain
    assert not parsed, "what was kept is read again"


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def no_database(file: Path) -> None:
    file.write_text("{}" * 4000, encoding="utf-8")


def scattered(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for place in range(5000, len(data), 1777):
        data[place] ^= 0x55
    file.write_bytes(data)


def altered(file: Path) -> None:
    """Each entry another than what was written, in a database that is whole."""
    with sqlite3.connect(file) as db:
        rows = db.execute("SELECT key, value FROM entries").fetchall()
        for (key, _), (_, value) in zip(rows, rows[1:] + rows[:1], strict=True):
            db.execute("UPDATE entries SET value = ? WHERE key = ?", (value, key))


def other_tables(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE entries (key TEXT, weight REAL)")
    file.chmod(0o600)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link(file: Path) -> None:
    os.replace(file, file.with_suffix(".there"))
    file.symlink_to(file.with_suffix(".there"))


def open_to_others(file: Path) -> None:
    file.chmod(0o644)


def folder_open_to_others(file: Path) -> None:
    file.parent.chmod(0o755)


def unwritable(file: Path) -> None:
    file.chmod(0o400)
    file.parent.chmod(0o500)


def of_another(file: Path) -> None:
    try:
        os.chown(file, 65534, 65534)
    except PermissionError:
        pytest.skip("only root can give a file to another")


HARM: tuple[Callable[[Path], None], ...] = (
    *(cut, emptied, no_database, scattered, altered, other_tables, a_folder, a_link, open_to_others),
    *(folder_open_to_others, unwritable, of_another),
)


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_whatever_becomes_of_the_file_nothing_else_is_told(plain: list[object], harm: Callable[[Path], None]) -> None:
    file = written()
    harm(file)
    try:
        assert everything() == plain
        shelf = kept._found[0]()
        if isinstance(shelf, TemplateShelf):
            shelf.close()
        assert everything() == plain, "what was written after it is no better"
    finally:
        file.parent.chmod(0o700)


@pytest.mark.parametrize(
    "harm", (a_link, open_to_others, folder_open_to_others, of_another), ids=lambda harm: harm.__name__
)
def test_what_others_could_have_written_is_not_read(harm: Callable[[Path], None]) -> None:
    file = written()
    harm(file)
    forgotten()
    serve_templates()
    shelf = kept._found[0]()
    key = next(iter(sqlite3.connect(file).execute("SELECT key FROM entries")))[0]
    assert shelf is None or not shelf.get(key)


def test_another_version_begins_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    first = written()
    names = {first.name}
    for number in range(6):
        template_shelf.stamp_of.cache_clear()
        monkeypatch.setattr(template_shelf, "_sources", lambda _, number=number: iter([f"words.py {number}"]))
        forgotten()
        names.add(written().name)
        os.utime(first.parent / sorted(names)[-1])
    template_shelf.stamp_of.cache_clear()
    assert len(names) == 7
    assert len([*first.parent.glob("*.sqlite3")]) <= template_shelf.VERSIONS


def test_a_text_in_two_files_is_told_of_each() -> None:
    text = "{{ known.story }}{% include 'x' %}"
    serve_templates()
    for _ in range(2):
        forgotten()
        for home in ("prompts/zh/a.j2", "prompts/zh/b.j2"):
            assert {use.span.file for use in template_set._read(home, text).findings.uses} == {home}


@pytest.mark.parametrize("text", ("{{ known.", "{% set x = f() %}", "{{ known.a|nosuch }}", "a\u200bb", "{% if x %}"))
def test_what_is_wrong_is_told_each_time(text: str) -> None:
    serve_templates()
    told = []
    for _ in range(2):
        forgotten()
        told.append(template_set._read("prompts/zh/a.j2", text).findings.problems)
    assert told[0] and told[0] == told[1]


def test_a_file_that_grew_too_large_is_begun_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(template_shelf, "LARGEST", 40_000)
    shelf = TemplateShelf(tmp_path / "x.sqlite3")
    for number in range(40):
        shelf.put(b"%032d" % number, os.urandom(4000))
        shelf._write()
    shelf.close()
    assert (tmp_path / "x.sqlite3").stat().st_size < 80_000


# ---- processes of their own


def run(tmp_path: Path, *, limit: int | None = None) -> subprocess.Popen[bytes]:
    def narrow() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit or 0, limit or 0))

    command = [sys.executable, "-m", "legalworld", "check", "bargain", "--json"]
    environment = {**os.environ, template_shelf.VARIABLE: str(tmp_path / "cache")}
    return subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=narrow if limit is not None else None,
    )


def told(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    out, errors = process.communicate(timeout=120)
    assert b"Traceback" not in errors
    return process.returncode, out


def test_two_that_write_at_once_both_end_well(tmp_path: Path) -> None:
    answers = [told(process) for process in [run(tmp_path) for _ in range(3)]]
    answers.append(told(run(tmp_path)))
    assert len({*answers}) == 1 and answers[0][0] == 0
    (file,) = (tmp_path / "cache" / "templates").glob("*.sqlite3")
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM entries").fetchone()[0] > 20


@pytest.mark.parametrize("limit", (0, 1, 4096, 30_000))
def test_a_disk_that_fills_costs_time_alone(tmp_path: Path, limit: int) -> None:
    first = told(run(tmp_path, limit=limit))
    assert first == told(run(tmp_path))
    assert first == told(run(tmp_path))
