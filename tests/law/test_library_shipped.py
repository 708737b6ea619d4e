"""The citations that the project's own files rest on: all are in shipped.yaml, in our own words, and they exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

import pytest
from library_texts import REAL, WITHOUT_REAL, made
from places import ROOT

from legalworld.law.library.article_numbers import parse_article
from legalworld.law.library.law import ArticleNumber, FoundArticle
from legalworld.law.library.law_facts import LawNames, Meant
from legalworld.law.library.library import Library
from legalworld.law.library.shipped import as_of, shipped
from legalworld.law.text.citations import citations
from legalworld.model.diagnostics import Diagnostic
from legalworld.wording.diagnostics import message

FOLDERS = ("specs", "prompts", "documents", "skills", "personas", "rubrics")
TEMPLATE = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
SAID = re.compile(r'"([^"\n]*条[^"\n]*)"')  # what a template says out of a tag, where that may be an article
NAMES = LawNames()


class Cited(NamedTuple):
    place: str
    law: str
    number: ArticleNumber
    paragraph: int
    item: int


def cited(*folders: str) -> Iterator[Cited]:
    """Every article that is cited in the experts' files; one without a law is of the law named last.

    In cases it is not: there the law may stand in another field; nor in a template, whose law may stand in another one.
    Tests of procedures cite nothing: they quote what a document has to contain, often an article without its law.
    """
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".yaml", ".yml", ".j2", ".md") or ".test." in file.name:
                continue
            last = ""
            for found in citations(TEMPLATE.sub(_said, file.read_text("utf-8"))):
                last = short(found.law) if found.law else last
                number = parse_article(found.article or "")
                if number is not None and (found.law or (folder != "cases" and (last or file.suffix != ".j2"))):
                    place = file.relative_to(ROOT).as_posix()
                    yield Cited(place, last, number, found.paragraph or 0, found.item or 0)


def _said(tag: re.Match[str]) -> str:
    return "".join(SAID.findall(tag[0]))


def short(law: str) -> str:
    meant = NAMES.meant(law)
    return NAMES.short.get(meant.name, law) if isinstance(meant, Meant) else law


ALL = tuple(cited(*FOLDERS, "cases"))
BY_NORMS = tuple(cited("norms"))  # what norms cite is checked against the imported texts; some of it is shipped too


def test_every_citation_is_shipped() -> None:
    missing = [f"{one.place}: {one.law} {one.number}" for one in ALL if (one.law, one.number) not in shipped()]
    assert missing == [], "add them to legalworld/law/library/shipped.yaml, with what they say in your own words"
    assert len(ALL) > 50


def test_nothing_is_shipped_that_nobody_cites() -> None:
    used = {(one.law, one.number) for one in (*ALL, *BY_NORMS)}
    assert [f"{law} {number}" for law, number in shipped() if (law, number) not in used] == []


def test_laws_go_by_their_short_names() -> None:
    assert [law for law, _ in shipped() if short(law) != law] == []


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    if not REAL.is_dir():
        pytest.skip(WITHOUT_REAL)
    return made(tmp_path_factory.mktemp("real") / "library", REAL)


def held(library: Library) -> set[str]:
    laws = library.laws()
    assert not isinstance(laws, Diagnostic)
    return {law.short for law in laws}


def test_what_is_cited_exists_in_the_texts_in_force(library: Library) -> None:
    laws = held(library)
    wrong = []
    for one in ALL:
        found = library.check(one.law, one.number, one.paragraph, one.item, at=as_of())
        if one.law in laws and isinstance(found, Diagnostic):
            wrong.append(f"{one.place}: {message(found, 'zh')}")
    assert wrong == []
    assert len({one.law for one in ALL} & laws) >= 5


def test_gists_are_in_our_own_words(library: Library) -> None:
    """No stretch of 14 characters is the law's; and most words of a gist are of what the article is about."""
    laws, copied = held(library), []
    for (law, number), gist in shipped().items():
        found = library.check(law, number, at=as_of())
        if law not in laws:
            continue
        assert isinstance(found, FoundArticle), (law, number)
        text = found.text.replace("\n", "")
        match = SequenceMatcher(None, gist, text, autojunk=False).find_longest_match()
        if match.size >= 14:
            copied.append(f"{law} {number}: {gist[match.a : match.a + match.size]}")
        shared = len(set(gist) & set(text)) / len(set(gist))
        assert shared > 0.4, f"{law} {number}: is this gist of that article?"
    assert "\n".join(copied) == ""
