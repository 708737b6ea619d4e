"""What keeps a program off other systems is not there: calls of one system alone, paths of it, names that Windows
reserves, names that differ in case alone. A list of what is refused, each with a line that shows it is found."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest
from places import ROOT

MODULES = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "posix", "syslog", "msvcrt", "winreg", "_winapi"}
CALLS = {
    *("os.fork", "os.forkpty", "os.uname", "os.getuid", "os.geteuid", "os.getgid", "os.setsid", "os.getpgid"),
    *("os.killpg", "os.mkfifo", "os.mknod", "os.chown", "os.chroot", "os.nice", "os.wait", "os.waitpid", "os.statvfs"),
    *("os.startfile", "os.sync", "os.getloadavg", "os.sysconf", "os.pread", "os.pwrite", "os.O_NOFOLLOW"),
    *("os.O_NONBLOCK", "os.O_DIRECTORY", "os.O_CLOEXEC", "os.O_NOCTTY", "os.O_BINARY", "signal.SIGKILL"),
    *(
        "signal.SIGHUP",
        "signal.SIGUSR1",
        "signal.alarm",
        "signal.setitimer",
        "time.tzset",
        "asyncio.add_signal_handler",
    ),
}
PATHS = re.compile(r"\A(/dev/(?!null\b)|/tmp\b|/proc\b|/etc\b|/var\b|/usr\b|/home\b|[A-Za-z]:\\)")
GUARDED = {
    "files/template_shelf": {"os.getuid"},  # asked for where a system knows whose a file is
    "cli/output": {"/dev/stdout"},  # a name for the output, which is not opened
}
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
LONGEST = 180  # UTF-16 units: Windows takes 260 with the folder in which a checkout lies


def found(text: str) -> Iterator[str]:
    """What a module has that is of one system alone."""
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names if one.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                if module.partition(".")[0] in MODULES:
                    yield module
                yield from (name for one in names if (name := f"{module}.{one.name}") in CALLS)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if f"{name}.{attribute}" in CALLS:
                yield f"{name}.{attribute}"
            case ast.Constant(value=str(word)) if id(node) not in docstrings and PATHS.match(word):
                yield word


def test_no_module_needs_one_system() -> None:
    package = ROOT / "legalworld"
    modules = {file.relative_to(package).with_suffix("").as_posix(): file for file in package.rglob("*.py")}
    there = {path: set(found(file.read_text("utf-8"))) for path, file in modules.items()}
    assert {path: names for path, names in there.items() if names - GUARDED.get(path, set())} == {}
    assert all(there[path] == names for path, names in GUARDED.items()), "what is not there any more is taken off"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "import fcntl",
            "from fcntl import flock",
            "import os\nos.fork()",
            "from os import uname",
            "os.uname().sysname",
        ),
        *("x = '/dev/shm/a'", "open('/tmp/x')", "p = 'C:\\\\Users'", "os.open(p, os.O_NOFOLLOW)", "import resource"),
        *("def f():\n    import pwd", "os.kill(1, signal.SIGKILL)"),
    ],
)
def test_what_is_refused_is_found(line: str) -> None:
    assert list(found(line))


@pytest.mark.parametrize(
    "line", ["import os", "getattr(os, 'O_NOFOLLOW', 0)", "x = '/dev/null'", "'''/tmp/x'''", "'a/tmp'"]
)
def test_what_is_not_is_not(line: str) -> None:
    assert not list(found(line))


def files() -> list[PurePosixPath]:
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [PurePosixPath(name) for name in told.decode("utf-8").split("\0") if name]


def test_every_file_can_be_checked_out_on_windows() -> None:
    names = files()
    assert len(names) > 1000
    bad = [name for name in names if any(RESERVED.fullmatch(part) or FORBIDDEN.search(part) for part in name.parts)]
    assert bad == []
    assert [name for name in names if len(str(name).encode("utf-16-le")) // 2 > LONGEST] == []


def test_no_two_files_differ_in_case_alone() -> None:
    alike: dict[str, set[str]] = defaultdict(set)
    for name in files():
        for part in (name, *name.parents):
            alike[str(part).casefold()].add(str(part))
    assert [names for names in alike.values() if len(names) > 1] == []


@pytest.mark.parametrize("name", ["con", "NUL.txt", "Com1", "a:b", "what?", "end.", "end ", "a|b"])
def test_a_name_that_windows_refuses_is_found(name: str) -> None:
    assert RESERVED.fullmatch(name) or FORBIDDEN.search(name)
