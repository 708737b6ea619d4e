"""A reply of an offline actor names the files that its words come of, and no others.

Every template is given a mark of its own, and what was asked in a game is answered once more: the marks in an answer
are those of the files that it names.
"""

from __future__ import annotations

import re

import pytest
from playing import play, project

from legalworld.model.source import Sources
from legalworld.models.scripted import Offline
from legalworld.templates.template_set import TemplateSet

MARK = re.compile(r"@(\d+)@")
GAMES = [("quexi", "quexi-huokuan", ""), ("smallclaims", "smallclaims-worktop", ""), ("criminal", "kuaijian", "judge")]


class Marked:
    """Sources in which each template begins with its number between two signs."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.numbers: dict[str, int] = {}

    def read(self, path: str) -> str | None:
        text = self._sources.read(path)
        if text is None or not path.endswith(".j2"):
            return text
        return f"@{self.numbers.setdefault(path, len(self.numbers))}@{text}"

    def names(self, folder: str) -> tuple[str, ...]:
        return self._sources.names(folder)


@pytest.mark.parametrize(("spec", "case", "target"), GAMES)
def test_a_reply_names_the_files_it_comes_of(spec: str, case: str, target: str) -> None:
    opened = project(spec)
    assert opened.procedure is not None
    marked = Marked(opened.sources)
    plain, numbered = Offline(opened.templates, 0), Offline(TemplateSet.of(marked, opened.procedure), 0)
    several = 0
    for request in play(case, spec=spec, target=target).requests:
        files = plain.answer(request).spoken_from
        again = numbered.answer(request)
        numbers = {int(number) for number in MARK.findall(again.text)}
        assert numbers == {marked.numbers[file] for file in files if file.endswith(".j2")}, request.id
        assert files == again.spoken_from and len(set(files)) == len(files)
        assert all(opened.sources.read(file) is not None for file in files)
        several += len(files) > 1
    assert several  # some come of more than one


def test_a_table_that_was_looked_into_is_named() -> None:
    opened = project("civil")
    drafts = [request for request in play("jiedai").requests if request.act == "draft"]
    files = {file for request in drafts for file in Offline(opened.templates, 0).answer(request).spoken_from}
    assert {file for file in files if file.endswith(".yaml")}


def test_who_says_nothing_names_nothing() -> None:
    opened = project("quexi")
    silent = Offline(opened.templates, 0, "silent")
    assert {silent.answer(request).spoken_from for request in play("quexi-huokuan", spec="quexi").requests} == {()}
