"""Who is answered: the token alone opens, nothing that comes from elsewhere; all else is one and the same answer."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import HANG, TESTS
from studio_served import TOKEN, Answer, Asked, studio_served
from typed import lw

from legalworld.studio import app as studio_app
from legalworld.studio.guard import Pace

STORED = TESTS / "runs" / "stored"
SECRET = "a line of a file that is none of the studio's"


def unpacked(name: str, folder: Path) -> Path:
    with tarfile.open(STORED / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / name


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("studio") / "runs"
    root.mkdir()
    unpacked("finished", root)
    unpacked("half", root)
    broken = unpacked("finished", root / "batch")
    broken.rename(root / "batch" / "broken")
    journal = root / "batch" / "broken" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:3]) + lines[3].replace(b"a", b"b", 1) + b"".join(lines[4:]))
    (root.parent / "outside.txt").write_text(SECRET, encoding="utf-8")
    shutil.copytree(root / "finished", root.parent / "elsewhere")
    (root / "link").symlink_to(root.parent / "elsewhere")
    return root


@pytest.fixture(scope="module")
def served(root: Path) -> Iterator[Asked]:
    with studio_served(root) as asked:
        yield asked


def bare(answer: Answer) -> tuple[int, dict[str, str], bytes]:
    """An answer without the time at which it was given."""
    return answer.status, {name: value for name, value in answer.headers.items() if name != "date"}, answer.body


def refused(served: Asked) -> tuple[int, dict[str, str], bytes]:
    return bare(served.get("/"))


# ---- the token -------------------------------------------------------------------------------------------------------

WRONG = (
    *("/o", "/o/", "/o//d/runs", "/d/runs", "/o/x/d/runs", f"/o/{TOKEN[:-1]}/d/runs", f"/o/{TOKEN}x/runs"),
    *(f"/o/{TOKEN.lower()}/runs", f"/o/{TOKEN[::-1]}/runs", f"/s/{TOKEN}/", f"//o/{TOKEN}/runs", f"/O/{TOKEN}/runs"),
    *(f"/o/{TOKEN}", f"/o/%00{TOKEN}/runs", f"/static/../o/{TOKEN}/runs", "/static/../../etc/passwd", "/static/"),
    *("/static/page.html", "/static/app.py", "/static/%2e%2e/app.py", "/favicon.ico", f"/o/{TOKEN}/nothing"),
)


@pytest.mark.parametrize("path", WRONG)
def test_an_address_without_the_token_is_told_the_same_as_any_other(served: Asked, path: str) -> None:
    assert bare(served.get(path)) == refused(served)


def test_the_page_of_a_wrong_address_says_so_in_both_languages(served: Asked) -> None:
    status, headers, body = refused(served)
    assert status == 404 and headers["content-type"].startswith("text/html")
    assert "令牌" in body.decode() and "token" in body.decode()


def test_every_single_changed_character_of_the_token_is_refused(served: Asked) -> None:
    for place, char in itertools.product(range(len(TOKEN)), "aZ_"):
        if TOKEN[place] != char:
            other = TOKEN[:place] + char + TOKEN[place + 1 :]
            assert served.get(f"/o/{other}/d/runs").status == 404


# ---- hosts and origins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1:{port}.evil"],
)
def test_another_host_is_refused(served: Asked, host: str) -> None:
    """A name that somebody points at this machine is not this server's."""
    assert bare(served.get("d/runs", {"Host": host.format(port=served.port)})) == refused(served)


def test_no_host_is_refused(served: Asked) -> None:
    assert served.get("d/runs", {"Host": "-"}).status == 400


def test_two_hosts_are_refused(served: Asked) -> None:
    two = f"127.0.0.1:{served.port}\nevil.example"
    assert served.get("d/runs", {"Host": two}).status in (400, 404)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_its_own_names_are_answered(served: Asked, host: str) -> None:
    assert served.get("d/runs", {"Host": host.format(port=served.port)}).status == 200


ORIGINS = [
    "http://evil.example",
    "null",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "http://localhost.evil:{port}",
]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("path", ["d/runs", "runs", "d/follow", "/static/app.js"])
def test_a_page_of_elsewhere_is_refused(served: Asked, origin: str, path: str) -> None:
    assert bare(served.get(path, {"Origin": origin.format(port=served.port)})) == refused(served)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE", "nothing known"])
@pytest.mark.parametrize("path", ["d/runs", "d/run/finished/head", "d/follow", "/static/app.css"])
def test_a_request_from_another_site_is_refused(served: Asked, site: str, path: str) -> None:
    assert bare(served.get(path, {"Sec-Fetch-Site": site})) == refused(served)
    navigating = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    if path.startswith("d/"):
        assert bare(served.get(path, navigating)) == refused(served)


def test_a_link_that_is_followed_opens_a_page(served: Asked) -> None:
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert served.get("run/finished", followed).status == 200
    for mode, dest in (("navigate", "iframe"), ("no-cors", "document"), ("cors", "empty"), ("navigate", "object")):
        framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
        assert bare(served.get("run/finished", framed)) == refused(served)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "NONSENSE"])
def test_what_changes_something_must_say_from_where_it_comes(served: Asked, method: str) -> None:
    assert bare(served.get("d/runs", method=method)) == refused(served)
    own = {"Origin": f"http://127.0.0.1:{served.port}"}
    assert served.get("d/runs", own, method=method).status == 404, "there is nothing that could be changed"


@pytest.mark.parametrize(
    "path", ["runs", "d/runs", "d/run/finished/lines", "d/run/gone/head", "/nowhere", "/static/app.js"]
)
def test_every_answer_is_sealed(served: Asked, path: str) -> None:
    headers = served.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["cache-control"] == "no-store" and headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff" and "server" not in headers and "set-cookie" not in headers


def test_the_shell_of_a_page_holds_no_script_of_its_own(served: Asked) -> None:
    text = served.get("run/finished").body.decode()
    begun = [one.partition(">")[0] for one in text.split("<script")[1:]]
    assert len(begun) == 2 and " src=" in begun[0] and 'type="application/json"' in begun[1]
    assert "style=" not in text and "onload" not in text


def test_words_in_an_address_end_no_element_of_the_page(served: Asked) -> None:
    text = served.get("run/%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E").body.decode()
    assert "<script>alert" not in text and text.count("</script>") == 2


# ---- paths -----------------------------------------------------------------------------------------------------------

TRICKS = (
    *("../elsewhere", "..%2felsewhere", "%2e%2e/elsewhere", "batch/../../elsewhere", "/etc", "%2fetc", "link", "."),
    *(".runs.sqlite3", "finished/..", "finished/spec", "finished%00", "batch", "finished%5c..%5c", "finished/"),
)


@pytest.mark.parametrize("run", TRICKS)
@pytest.mark.parametrize("what", ["head", "lines", "doc/x"])
def test_no_name_of_a_run_leads_out_of_the_folder(served: Asked, run: str, what: str) -> None:
    answer = served.get(f"d/run/{run}/{what}")
    assert answer.status in (404, 400)
    assert SECRET.encode() not in answer.body and b"elsewhere/" not in answer.body


@pytest.mark.parametrize("name", ["../../run.yaml", "..%2frun.yaml", "%2e%2e%2f%2e%2e%2foutside.txt", "", "x" * 5000])
def test_no_name_of_a_document_leads_to_a_file(served: Asked, name: str) -> None:
    answer = served.get(f"d/run/finished/doc/{name}")
    assert answer.status == 404 and SECRET.encode() not in answer.body


def test_no_answer_names_a_folder_of_this_machine(served: Asked, root: Path) -> None:
    for path in ("d/runs", "d/run/batch/broken/head", "d/run/gone/head", "d/run/finished/head", "runs"):
        assert str(root).encode() not in served.get(path).body


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_a_run_that_is_gone(served: Asked) -> None:
    answer = served.get("d/run/gone/head")
    assert (answer.status, answer.code) == (404, "LW430")
    assert answer.data["error"]["text"]["zh"] and answer.data["error"]["text"]["en"]


@pytest.mark.parametrize("turn", ["0", "14", "999999999999", "-1", "1.5", "x", "１", "1e3", ""])
@pytest.mark.parametrize("what", ["sight", "turn", "prompt", "memory", "words"])
def test_a_turn_beyond_the_end(served: Asked, turn: str, what: str) -> None:
    answer = served.get(
        f"d/run/finished/{what}/{turn}".encode().decode("latin-1")
        if turn.isascii()
        else f"d/run/finished/{what}/%EF%BC%91"
    )
    assert (answer.status, answer.code) == (404, "LW431")


@pytest.mark.parametrize("query", ["from=x", "count=1e9", "from=1.5", "count="])
def test_numbers_that_are_none(served: Asked, query: str) -> None:
    assert (served.get(f"d/runs?{query}").status, served.get(f"d/runs?{query}").code) == (400, "LW432")


def test_a_query_that_cannot_be_read_is_told_beside_the_list(served: Asked) -> None:
    found = served.get("d/runs?where=nonsense").data
    assert found["rows"] == [] and found["problems"][0]["text"]["zh"]


def test_a_damaged_run_is_told_as_that(served: Asked) -> None:
    head = served.get("d/run/batch/broken/head").data
    assert head["status"] == "damaged" and head["problems"][0]["text"]["en"]
    assert served.get("d/run/batch/broken/sight/1").status == 409
    listed = {row["id"]: row["status"] for row in served.get("d/runs").data["rows"]}
    assert listed == {"finished": "ended", "half": "unfinished", "batch/broken": "damaged"}


def test_too_many_streams(served: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio_app, "MOST_STREAMS", 0)
    answer = served.get("d/follow?run=finished")
    assert (answer.status, answer.code) == (429, "LW433")


def test_an_error_inside_tells_nothing_of_the_inside(served: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(served.studio.shelf, "find", broken)
    answer = served.get("d/run/finished/head")
    assert (answer.status, answer.code) == (500, "LW434") and SECRET.encode() not in answer.body


def test_who_asks_too_often_waits() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert sum(pace.allows() for _ in range(2 * Pace.AT_ONCE)) == Pace.AT_ONCE
    now[0] += 1
    assert sum(pace.allows() for _ in range(2 * Pace.EVERY_SECOND)) == Pace.EVERY_SECOND


# ---- the command -----------------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_and_a_host_that_is_none(served: Asked, root: Path) -> None:
    taken = lw("studio", root, "--port", served.port, "--no-browser")
    assert taken.code == 2 and "LW435" in taken.err
    strange = lw("studio", root, "--port", 0, "--host", "192.0.2.1", "--no-browser")
    assert strange.code == 2 and "LW436" in strange.err
    assert lw("studio", root / "nowhere", "--no-browser").code == 2


def begun(root: Path, port: int, cache: Path) -> tuple[subprocess.Popen[str], str]:
    """A studio in a process of its own, and the address that it prints."""
    words = [sys.executable, "-m", "legalworld", "studio", str(root), "--port", str(port), "--no-browser"]
    environment = {**os.environ, "LW_CACHE": str(cache), "LW_LANG": "en", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "http://" in line
    return process, line.split()[-1]


def asked(address: str) -> bytes:
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=HANG) as reply:
                return bytes(reply.read())
        except ConnectionError:
            time.sleep(0.1)
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("nobody answers")


def test_killed_and_begun_again_it_is_found_at_the_same_address(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    process, address = begun(root, 0, cache)
    try:
        data = address.removesuffix("runs") + "d/run/finished/head"
        before = asked(data)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(HANG)
    port = int(address.split(":")[2].partition("/")[0])
    process, again = begun(root, port, cache)
    try:
        assert again == address and asked(data) == before
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) in (0, 130)
