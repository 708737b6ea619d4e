"""Loading and checking a procedure of 1,500 lines, against ruamel's round-trip load of the same file.

Cold: the first time in a process, the middle of seven; warm: again and again in one process. Seconds of a processor.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
LINES = 1500
HEAD = """lw: 1
procedure: long
title: 一个很长的程序
kinds: {P: person}
roles:
  chair: {title: 主席, kind: person}
  left:  {title: 左方, kind: person, side: left}
  right: {title: 右方, kind: person, side: right}
case:
  papers: {title: 文件, path: "$.{side}.papers[*]", per: side, each: paper, keys: [name]}
documents:
  minutes: {title: 记录, sections: [决议]}
"""
PHASE = """      - phase: part{n}
        title: 第{n}部分
        basis: 民事诉讼法第一百四十一条
        steps:
          - chair asks left, right: 核对第{n}项
            id: identity
            basis: 民事诉讼法第一百四十条
          - 主席 询问 左方: 说明第{n}项
            id: explain
            answer: agreed{n} is yes or no
            default: no
          - for each item in papers of left:
              - left presents item: 说明名称和用途
                id: present
              - right responds: 对真实性发表意见
                id: respond
          - if all agreed{n}:
              - chair announces: 双方同意第{n}项
                id: settled
          - else:
              - chair moderates left, right: 围绕第{n}项发言
                id: debate
                call: 【请{{role}}发言】
                close: 【第{n}项结束】
                at most: 6 turns
"""


def long_spec() -> str:
    """A procedure of about 1,500 lines: stages of ten phases, and a matrix with a row per answer."""
    count = (LINES - 60) // (PHASE.count("\n") + 1)
    stages = ["stages:\n"]
    for n in range(count):
        if n % 10 == 0:
            stages.append(f"  - stage: S{n // 10}\n    title: 第{n // 10}阶段\n    phases:\n")
        stages.append(PHASE.format(n=n))
    stages.append("  - stage: last\n    steps:\n      - chair drafts minutes: 写记录\n")
    columns = [f"S{n}" for n in range((count + 9) // 10)]
    matrix = ["visibility: |\n", f"  | field | {' | '.join(columns)} |\n", f"  |---|{'---|' * len(columns)}\n"]
    matrix.append(f"  | papers own | {' | '.join('P' for _ in columns)} |\n")
    matrix += [f"  | agreed{n} | {' | '.join('P' for _ in columns)} |\n" for n in range(count) if n < 10]
    return HEAD + "".join(matrix) + "".join(stages)


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    lines = long_spec().count("\n")
    for kind, rounds, processes in (("cold", 1, 7), ("warm", 9, 1)):
        pairs = [_pair(rounds) for _ in range(processes)]
        ours, theirs = (median(pair[side] for pair in pairs) for side in (0, 1))
        ratio, name = ours / theirs, f"load and check {lines} lines / ruamel round-trip load, {kind}"
        yield name, f"{ratio:.2f}x ({ours * 1000:.0f} ms)", "<= 0.6x", ratio <= 0.6


def _pair(rounds: int) -> tuple[float, float]:
    """Processor seconds of us and of ruamel, in a process of its own: of the first time, or medians of several."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", str(rounds)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    ours, theirs = map(float, done.stdout.split())
    return ours, theirs


def measure(rounds: int) -> tuple[float, float]:
    """Processor seconds of loading and checking, and of ruamel's round-trip load; modules are imported before."""
    from ruamel.yaml import YAML

    from legalworld.checking import check
    from legalworld.files.project_files import Disk
    from legalworld.files.template_shelf import serve_templates
    from legalworld.model.source import MemorySources
    from legalworld.runs.project import read_project

    assert check
    serve_templates()  # as every command does
    disk = Disk(ROOT)
    text = long_spec()
    texts = {path: disk.read(path) or "" for path in (*disk.names("prompts"), *disk.names("documents"))}
    texts["specs/long.yaml"] = text
    ours, theirs = [], []
    for _ in range(rounds):
        begun = process_time()
        project = read_project(MemorySources(texts), "specs/long.yaml")
        ours.append(process_time() - begun)
        errors = [problem for problem in project.problems if problem.severity == "error"]
        assert not errors, errors[:3]
        begun = process_time()
        YAML().load(text)
        theirs.append(process_time() - begun)
    return median(ours), median(theirs)


if __name__ == "__main__":
    print(*measure(int(sys.argv[1])))
