"""The contents of the site: every page of docs/ stands in them, in its language, and nothing comes from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import make_site as site
import pytest
import yaml
from goldens import BLESS
from typed import lw

DOCS = sorted(page.relative_to(site.ROOT).as_posix() for page in (site.ROOT / "docs").rglob("*.md"))
LANGUAGES = tuple(site.configuration())


def test_every_page_of_docs_stands_in_the_site_of_its_language() -> None:
    english = {page for page in DOCS if page.startswith("docs/en/")}
    assert english and english <= set(site.pages_of("en"))
    assert set(DOCS) - english <= set(site.pages_of("zh"))
    assert not english & set(site.pages_of("zh"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_site_names_pages_that_exist_and_each_once(language: str) -> None:
    named = site.pages_of(language)
    assert [page for page in named if not (site.ROOT / page).is_file()] == []
    assert len(named) == len(set(named))
    assert site.configuration()[language]["start"] in named


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_site_is_taken_from_another_host(language: str, tmp_path: Path) -> None:
    settings = site.Sites(tmp_path).settings(language)
    assert "//" not in yaml.safe_dump(settings)
    assert settings["theme"]["font"] is False


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_the_site_lead_to_its_pages(language: str, tmp_path: Path) -> None:
    sites = site.Sites(tmp_path)
    texts = {page: (site.ROOT / page).read_text("utf-8") for page in site.pages_of(language)}
    wrong = [told for page, text in texts.items() for told in site.broken(page, text)]
    assert wrong == []
    sites.stage(language)
    assert (tmp_path / language / "pages" / site.configuration()[language]["start"]).is_file()


@pytest.mark.parametrize("target", ["nowhere.md", "tour.md#no-such-heading", "../specs/nowhere.yaml", "#nor-here"])
@pytest.mark.parametrize("before", [0, 1, 7])
def test_a_link_that_leads_nowhere_is_told_with_page_and_line(target: str, before: int) -> None:
    text = "```text\n[in code](nowhere.md)\n```\n" + "[whole](tour.md)\n" * before + f"See [this]({target}).\n"
    assert site.broken("docs/start.md", text) == [f"docs/start.md:{before + 4}: {target}"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_is_that_of_the_procedure(language: str, tmp_path: Path) -> None:
    """`make bless` draws it anew. Its digest may be older: stages are a small part of the file."""
    kept, drawn = site.ROOT / "docs" / "pictures" / f"civil.{language}.svg", tmp_path / "civil.svg"
    spec = site.ROOT / "specs" / "civil.yaml"
    assert lw("graph", spec, "--depth", "stage", "--lang", language, "--out", drawn).code == 0
    if BLESS:
        kept.write_text(drawn.read_text("utf-8"), "utf-8")
    assert _undated(drawn) == _undated(kept)


def _undated(picture: Path) -> str:
    return re.sub(r"\b[0-9a-f]{8}\b", "", picture.read_text("utf-8"))
