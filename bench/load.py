"""Loading and checking a procedure of 1,500 lines, against ruamel's round-trip load of the same file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

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
    from ruamel.yaml import YAML

    from legalworld.files.project_files import Disk
    from legalworld.model.source import MemorySources
    from legalworld.runs.project import read_project

    disk = Disk(ROOT)
    text = long_spec()
    texts = {path: disk.read(path) or "" for path in (*disk.names("prompts"), *disk.names("documents"))}
    texts["specs/long.yaml"] = text
    ours, theirs = [], []
    for _ in range(9):
        begun = perf_counter()
        project = read_project(MemorySources(texts), "specs/long.yaml")
        ours.append(perf_counter() - begun)
        errors = [problem for problem in project.problems if problem.severity == "error"]
        assert not errors, errors[:3]
        begun = perf_counter()
        YAML().load(text)
        theirs.append(perf_counter() - begun)
    ratio = median(ours) / median(theirs)
    lines = text.count("\n")
    name = f"load and check {lines} lines / ruamel round-trip load"
    yield name, f"{ratio:.2f}x ({median(ours) * 1000:.0f} ms)", "<= 1.0x", ratio <= 1.0
