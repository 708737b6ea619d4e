"""Plant in all judgments and print the share found of each kind: python -m planting [--most N] [--folder DIR]."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from pathlib import Path

from kept_projects import keeping

from legalworld.runs import project
from planting import papers
from planting.found import Answer, alarms, answers, audited
from planting.kinds import KINDS, plants
from planting.paper import Paper
from planting.sound import REWORDINGS


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m planting")
    asked.add_argument("--most", type=int, default=30, help="plants of each kind")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--folder", type=Path, help="where the played cases are kept, to be used again")
    asked.add_argument("--missed", type=Path, help="a folder for the texts in which nothing was found")
    asked.add_argument("--sound", action="store_true", help="the judgments in other words instead, and what is raised")
    asked.add_argument("--kind", action="append", choices=sorted(KINDS))
    said = asked.parse_args()
    os.environ["LW_LANG"] = "en"
    project.read_project = keeping(project.read_project)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        seeds = [
            *papers.written(),
            *papers.unread(),
            *papers.several(),
            *papers.played(said.folder or folder / "runs"),
            *papers.real(),
        ]
        if said.sound:
            return _sound(seeds, folder)
        drawn = [
            planted
            for kind in said.kind or KINDS
            for planted in plants(kind, seeds, random.Random(f"{said.seed} {kind}"), said.most)
        ]
        told = answers(drawn, folder)
    _table(told)
    if said.missed:
        _write_missed(told, said.missed)


def _sound(seeds: list[Paper], folder: Path) -> None:
    """Each alarm about a sound judgment or a rewording of one: to be read, for each should be a wrong one."""
    texts = [(paper, "as it is", paper.text) for paper in seeds]
    texts += [
        (paper, words.__name__, text) for paper in seeds for words in REWORDINGS if (text := words(paper)) != paper.text
    ]
    raised = 0
    for (paper, words, _), rows in zip(
        texts, audited([(paper, text) for paper, _, text in texts], folder), strict=True
    ):
        for row in alarms(rows):
            raised += 1
            places = " | ".join(f"{place.get('line', '')}: {place.get('text', '')[:80]}" for place in row["places"])
            print(f"{paper}, {words}: {row['check']} {row['part']}: {places}".replace("\n", " "))
    print(f"{len(texts)} texts, {raised} alarms")


def _table(told: list[Answer]) -> None:
    print("| kind | n | right check | both places | besides |\n|---|---|---|---|---|")
    for kind in KINDS:
        of_kind = [answer for answer in told if answer.plant.kind == kind]
        if of_kind:
            besides = Counter(check for answer in of_kind for check in answer.besides)
            also = ", ".join(f"{check} {number}" for check, number in besides.most_common(4))
            both = sum(answer.both for answer in of_kind)
            print(f"| {kind} | {len(of_kind)} | {sum(answer.check for answer in of_kind)} | {both} | {also} |")
    right, both = sum(answer.check for answer in told), sum(answer.both for answer in told)
    print(f"| all | {len(told)} | {right} | {both} | |")


def _write_missed(told: list[Answer], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, answer in enumerate(told):
        if not answer.both:
            planted = answer.plant
            edited, others = (sorted(planted.lines(spans)) for spans in (planted.edited, planted.others))
            head = f"{planted.kind} in {planted.paper}: right check {answer.check}, besides {answer.besides}\n"
            head += f"edited lines {edited}, others {others}\n"
            words = [planted.text[slice(*span)] for span in planted.edited]
            (folder / f"{planted.kind}-{number}.md").write_text(head + f"{words}\n\n" + planted.text, encoding="utf-8")


if __name__ == "__main__":
    main()
