"""What several test modules need: a model on loopback that litellm finds, and no key of the person who runs them."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kept_projects import keeping
from loopback import Answer, Call, Loopback

from legalworld.runs import project

os.environ["XDG_CONFIG_HOME"] = os.devnull  # no models file of the person who runs the tests
os.environ["LW_CACHE"] = ""  # what is tested is compiled, and nothing is left in the cache of that person
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processors are busy with tests: more threads only wait
os.fsync = lambda fd: None  # tests kill processes, not machines: what a process has written stays
project.read_project = keeping(project.read_project)
MEMORY_FILES = Path("/dev/shm")
SPACE = 4096  # MB; the rooms that are tested at once take 200
ROOM, GROWTH = 240, 30  # MB that a process may hold, and grow by, before it is looked through for what can be freed
_left = ROOM
Serve = Callable[[Callable[[Call], Answer]], Loopback]


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if re.search(r"(?i)_API_(KEY|BASE)$|_BASE_URL$|^(http|https|all|no)_proxy$", name):
            monkeypatch.delenv(name)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """A server that answers by a script; litellm finds it."""
    servers = []

    def begin(script: Callable[[Call], Answer]) -> Loopback:
        server = Loopback(script).__enter__()
        servers.append(server)
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        return server

    yield begin
    for server in servers:
        server.__exit__()


def _space(folder: Path) -> int:
    """What may be written there, in MB."""
    try:
        found = os.statvfs(folder)
    except (AttributeError, OSError):  # there is no such call, or no such folder
        return 0
    return found.f_bavail * found.f_frsize >> 20 if os.access(folder, os.W_OK) else 0


def _system(function: str, *numbers: int) -> None:
    """A function of the C library, where there is one of the name: glibc has those of memory, musl has not."""
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), function, lambda *_: None)(*numbers)


def pytest_configure() -> None:
    """Threads share one heap: of one each, as glibc has it, those that fill an index keep a hundred MB.

    What tests write lies in memory, where the system has space for that: a run has 360 files, and 900 are begun. Ctrl-C
    works.
    """
    if not os.environ.keys() & {"TMPDIR", "PYTEST_DEBUG_TEMPROOT"} and _space(MEMORY_FILES) >= SPACE:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY_FILES)
    arena_max = -8
    _system("mallopt", arena_max, 1)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell leaves it for what it starts in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_pycollect_makemodule(module_path: Path) -> None:
    """What hypothesis makes up is the same in every run, and takes the time it takes: the profile is there before the
    module is read, whose tests take theirs from it."""
    if b"hypothesis" in module_path.read_bytes():
        from hypothesis import settings

        settings.load_profile("ci")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process that is done just ends: looking for circles in all it holds, and taking that apart, takes seconds."""
    gc.freeze()

    def end() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(session.exitstatus))

    atexit.register(end)


def pytest_collection_finish() -> None:
    """What is there for all tests is no garbage, and is not looked through again and again."""
    _free()  # compiling the test modules takes 200 MB
    gc.freeze()
    _seldom()


def _seldom() -> None:
    """Look for circles seldom: it took an eighth of the suite. A command that a test runs here sets what it needs."""
    gc.set_threshold(200_000, 20, 20)


@pytest.fixture(scope="module", autouse=True)
def no_memory_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the tests of a module leave behind is freed, and what its caches hold: a run that was played takes MBs."""
    yield
    for one in vars(request.module).values():
        if getattr(one, "__module__", "") == request.module.__name__ and hasattr(one, "cache_clear"):
            one.cache_clear()
    _tidy()


def _tidy() -> None:
    """Free what is not used any more, where this process has grown since that was done last."""
    global _left
    if _held() > _left + GROWTH:
        _free()
        _left = max(ROOM, _held())


def _held() -> int:
    """What this process holds now, in MB; where nobody tells, more than there is room for."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return ROOM + 1
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _free() -> None:
    """Free what is not used any more, and give it back to the system where the C library can do that."""
    gc.collect()
    _system("malloc_trim", 0)


# ---- memory, on demand: LW_MEMORY=1 python -m pytest ... -------------------------------------------------------------

MEMORY = "LW_MEMORY" in os.environ
_peaks: dict[str, list[tuple[int, str]]] = {}  # worker -> (peak so far in MB, test that raised it)


def _peak() -> int:
    """The most that this process has held, in MB; 0 where nobody tells."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if MEMORY and report.when == "teardown":
        worker, peak = dict(report.user_properties).get("memory", ("", 0))
        raised = _peaks.setdefault(worker, [])
        if not raised or peak >= raised[-1][0] + 10:
            raised.append((peak, report.nodeid))


def pytest_runtest_teardown(item: pytest.Item) -> None:
    _seldom()
    _tidy()
    if MEMORY:
        item.user_properties.append(("memory", (os.environ.get("PYTEST_XDIST_WORKER", "main"), _peak())))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for worker, raised in sorted(_peaks.items()):
        terminalreporter.section(f"memory of {worker}: {raised[-1][0]} MB")
        for peak, test in raised:
            terminalreporter.write_line(f"{peak:6} MB  {test}")
