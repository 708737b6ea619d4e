"""A bench of 200 cases by two models in a storm of faults, killed twice, held against one that nothing disturbed.

python -m bench storm-long    (some minutes; docs/scale.md has its figures)
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from loopback import Answer, Call, Loopback, fail, say  # noqa: E402

CASES, MODELS, KILLS = 200, ("openai/one", "openai/two"), 2
FAULTS = (fail(429, headers={"Retry-After": "0.01"}), fail(503), Answer(cut=-1), say(""))
Row = tuple[str, str, str, bool | None]


def _answer(call: Call) -> Answer:
    """A claim or a plea that depends on all that was asked, and on who was."""
    mark = sha256(json.dumps([call.body["model"], call.body["messages"]], ensure_ascii=False).encode()).hexdigest()[:8]
    more = "支付利息一千元。" if int(mark, 16) % 3 else ""
    return say(f"请求：归还五万元。{more}\n理由：{mark}\n证据：借条。\n此致")


def _storm(call: Call) -> Answer:
    """One answer in four is a fault."""
    return FAULTS[call.number // 4 % 4] if call.number % 4 == 0 else _answer(call)


def _project(folder: Path) -> None:
    shutil.copytree(ROOT / "tests" / "study" / "project", folder)
    one = (folder / "cases" / "one.yaml").read_text("utf-8")
    for n in range(CASES):
        text = one.replace("case: one", f"case: case{n}").replace("归还五万元", f"归还{n + 1}万元")
        (folder / "cases" / f"case{n}.yaml").write_text(text, "utf-8")
    (folder / "cases" / "one.yaml").unlink()


def _bench(project: Path, out: str, script: Callable[[Call], Answer], kill_after: tuple[int, ...]) -> tuple[int, int]:
    """Played to its end, killed whenever so many calls more have been received: all calls, and how often killed."""
    words = ["bench", "debt", "--cases", "cases", "--models", ",".join(MODELS), "--rubric", "spoken"]
    command = [sys.executable, "-m", "legalworld", *words, "--out", out, "--concurrency", "40"]
    kills = 0
    with Loopback(script) as server:
        address = {"OPENAI_API_BASE": server.url, "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
        environment = {**os.environ, **address, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        while True:
            begun = len(server.calls)
            limit = kill_after[kills] if kills < len(kill_after) else sys.maxsize
            process = subprocess.Popen(
                command,
                cwd=project,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            while process.poll() is None and len(server.calls) - begun < limit:
                time.sleep(0.01)
            if process.poll() is not None:
                assert process.returncode == 0, process.returncode
                return len(server.calls), kills
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1


def _made(folder: Path, pattern: str) -> dict[str, bytes]:
    """Path below the folder -> what stands there, without the folder's own name."""
    name = folder.name.encode()
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().replace(name + b"/", b"")
        for path in folder.glob(pattern)
    }


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        project = Path(name) / "project"
        _project(project)
        quiet, _ = _bench(project, "quiet", _answer, ())
        third = quiet // 3
        calls, kills = _bench(project, "storm", _storm, (third, third))
        runs = _made(project / "quiet", "**/journal.jsonl")
        same = runs == _made(project / "storm", "**/journal.jsonl")
        report = _made(project / "quiet", "report.csv")
        alike = bool(report) and report == _made(project / "storm", "report.csv")
    lost = calls - quiet - calls // 4
    yield f"runs of {CASES} cases by {len(MODELS)} models", f"{len(runs)}", f"{CASES * 2}", len(runs) == CASES * 2
    yield "calls, undisturbed", f"{quiet:,}", "", None
    yield f"calls with one fault in four, killed {kills} times", f"{calls:,}", "", None
    yield "of them made twice: under way when it was killed", f"{lost}", f"<= {40 * KILLS}", lost <= 40 * KILLS
    yield "journals equal to the undisturbed ones", "yes" if same else "no", "yes", same
    yield "report equal to the undisturbed one", "yes" if alike else "no", "yes", alike
