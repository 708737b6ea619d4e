"""Whose paper a document is, for its layout and for what is scored: that of its author's side, per side or not."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from neighbours import neutral

from legalworld.cli.main import lw
from legalworld.evaluation.stored_run import Stored
from legalworld.export.export import papers
from legalworld.model.events import Drafted
from legalworld.runs.open_run import OpenRun, open_run

SPEC = """\
lw: 1
procedure: authors
title: Authors
locale: {locale}
kinds: {{J: judge, P: party, L: lawyer}}
roles:
  judge: {{title: Judge, kind: judge}}
  left: {{title: Left, kind: party, side: a}}
  right: {{title: Right, kind: party, side: b}}
  counsel: {{title: counsel, kind: lawyer, side: b, represents: right}}
documents: {{paper: {{title: Paper{per}}}}}
stages:
  - stage: court
    title: Court
    steps:
      - {author} drafts paper: x
      - judge asks left, right, counsel: x
"""
SIDES = {"judge": "", "left": "a", "right": "b", "counsel": "b"}


@pytest.mark.parametrize(("author", "per", "locale"), list(product(SIDES, ("", ", per: side"), ("en", "zh"))))
def test_a_document_is_its_authors(author: str, per: str, locale: str, tmp_path: Path) -> None:
    if author == "judge" and per:
        return
    texts = {**neutral(), "specs/authors.yaml": SPEC.format(author=author, per=per, locale=locale)}
    texts["cases/one.yaml"] = "lw: 1\ncase: one\ntitle: One\n"
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    spec, case, out = (str(tmp_path / name) for name in ("specs/authors.yaml", "cases/one.yaml", "out"))
    result = CliRunner().invoke(lw, ["run", spec, "--case", case, "--out", out])
    assert result.exit_code == 0, result.output
    opened = open_run(Path(out))
    assert isinstance(opened, OpenRun)
    (paper,) = papers(opened)
    assert paper.form.whose == ("party" if SIDES[author] else "court")
    run = Stored("one", opened.procedure, opened.case, "", opened.events)
    (drafted,) = [event for event in opened.events if isinstance(event, Drafted)]
    for owner, side in SIDES.items():
        assert (run._author_side(drafted) in run.sides(owner)) == (side == SIDES[author])
