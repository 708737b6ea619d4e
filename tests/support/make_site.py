"""Build the documentation as a site, from docs/site.yaml and the pages as they are: `make site`.

Each language is a site of its own below build/site/html, so that its search finds its own pages only. Pages are put
together in the folders of the repository, so that a link that holds there holds on the site; what needs another address
(a page of the other language, a folder) gets it here. What leads nowhere is told with its page and line, and nothing is
built.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "site"
_FENCE = re.compile(r"^```.*?^```[ ]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<image>!?)\[(?P<words>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")
Nav = list[dict[str, Any]]


@cache
def configuration() -> dict[str, Any]:
    """Return docs/site.yaml as it is read."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "site.yaml").read_text("utf-8"))
    return read


def title(page: str) -> str:
    """Return the first heading of a page, without marks of code; its path where it has none."""
    found = re.search(r"^# +(.*)$", _without_code((ROOT / page).read_text("utf-8")), re.MULTILINE)
    return found[1].replace("`", "") if found else page


def navigation(entries: Any) -> Nav:
    """Return the entries of docs/site.yaml with titles, folders opened: `{title: page}` or `{title: [...]}` each."""
    if isinstance(entries, dict):
        return [{name: navigation(inner)} for name, inner in entries.items()]
    return [_entry(entry) for entry in entries]


def _entry(entry: Any) -> dict[str, Any]:
    if isinstance(entry, str):
        return {title(entry): entry}
    ((name, page),) = entry.items()
    if page.endswith("/"):
        return {name: [{title(inner): inner} for inner in sorted(_names(ROOT / page))]}
    return {name: page}


def _names(folder: Path) -> Iterator[str]:
    return (file.relative_to(ROOT).as_posix() for file in folder.glob("*.md"))


def pages(nav: Nav) -> list[str]:
    """Return the pages that a navigation names, in its order."""
    found: list[str] = []
    for entry in nav:
        for inner in entry.values():
            found += [inner] if isinstance(inner, str) else pages(inner)
    return found


@cache
def pages_of(language: str) -> tuple[str, ...]:
    """Return the pages of one language's site."""
    return tuple(pages(navigation(configuration()[language]["sections"])))


@cache
def anchors(page: str) -> frozenset[str]:
    """Return the anchors of a page's headings, as code hosts and `pymdownx.slugs` make them."""
    heads = re.findall(r"^#+ +(.*)$", _without_code((ROOT / page).read_text("utf-8")), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads)


def _without_code(text: str) -> str:
    return _FENCE.sub(lambda found: "\n" * found[0].count("\n"), text)


def broken(page: str, text: str) -> list[str]:
    """Return each link of a page that leads nowhere, as `page:line: target`."""
    told = []
    for number, line in enumerate(_without_code(text).split("\n"), 1):
        for found in _LINK.finditer(line):
            file, _, anchor = found["target"].partition("#")
            if file.startswith(("http:", "https:")):
                continue
            goal = _goal(page, file) if file else page
            whole = (ROOT / goal).exists() and (not anchor or not goal.endswith(".md") or anchor in anchors(goal))
            told += [] if whole else [f"{page}:{number}: {found['target']}"]
    return told


def _goal(page: str, file: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(page), file)).replace(os.sep, "/")


def address(page: str) -> str:
    """Return where the site has a page, from the folder of its language."""
    folder, name = os.path.split(page)
    name = "index" if name == "README.md" else name.removesuffix(".md")
    return os.path.join(folder, f"{name}.html")


def _fenced(block: str) -> str:
    """Return a block of code with words behind its fence that the builder reads: a language, a file as title."""
    first, rest = block.split("\n", 1)
    language, *words = first.strip("`").split() or [""]
    named = next((word for word in words if "." in word), None)
    return "```" + language + (f' title="{named}"' if named else "") + "\n" + rest


class Sites:
    """The sites of all languages, put together below a folder and built there."""

    def __init__(self, out: Path = OUT) -> None:
        self.out = out
        self.languages: tuple[str, ...] = tuple(configuration())

    def build(self) -> int:
        """Build all of them; 1 when a link leads nowhere or the builder warns."""
        every = dict.fromkeys(page for language in self.languages for page in pages_of(language))
        wrong = [told for page in every for told in broken(page, (ROOT / page).read_text("utf-8"))]
        if wrong:
            print(*wrong, sep="\n", file=sys.stderr)
            return 1
        shutil.rmtree(self.out, ignore_errors=True)
        (self.out / "html").mkdir(parents=True)
        for language in self.languages:
            self.stage(language)
            command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "zensical.yml"]
            if subprocess.run(command, cwd=self.out / language, check=False).returncode:
                return 1
            (self.out / language / "site").rename(self.out / "html" / language)
        first = self.languages[0]
        start = f"{first}/{address(configuration()[first]['start'])}"
        (self.out / "html" / "index.html").write_text(
            f'<meta http-equiv="refresh" content="0; url={start}">\n', "utf-8"
        )
        print(self.out / "html" / "index.html")
        return 0

    def stage(self, language: str) -> None:
        """Put the pages of one language and what they show or offer into a folder, with the builder's configuration."""
        folder = self.out / language
        for page in pages_of(language):
            target = folder / "pages" / page
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.linked(language, page), "utf-8")
        (folder / "zensical.yml").write_text(yaml.safe_dump(self.settings(language), allow_unicode=True), "utf-8")

    def linked(self, language: str, page: str) -> str:
        """Return the text of a page with the links that its site needs; files that it links are copied beside it."""
        text = (ROOT / page).read_text("utf-8")
        done, parts = 0, []
        for fence in [*_FENCE.finditer(text), None]:
            prose = text[done : fence.start() if fence else None]
            parts += [
                _LINK.sub(lambda found: self._link(language, page, found), prose),
                _fenced(fence[0]) if fence else "",
            ]
            done = fence.end() if fence else done
        return "".join(parts)

    def _link(self, language: str, page: str, found: re.Match[str]) -> str:
        file, _, anchor = found["target"].partition("#")
        goal = _goal(page, file)
        if not file or file.startswith(("http:", "https:")) or goal in pages_of(language):
            return found[0]
        for other in self.languages:
            if goal in pages_of(other):
                here, there = f"{language}/{address(page)}", f"{other}/{address(goal)}"
                way = os.path.relpath(there, os.path.dirname(here)) + (f"#{anchor}" if anchor else "")
                return f'<a href="{way}">{found["words"]}</a>'
        if (ROOT / goal).is_dir() or goal.endswith(".md"):
            return str(found["words"])
        beside = self.out / language / "pages" / goal
        beside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / goal, beside)
        return found[0]

    def settings(self, language: str) -> dict[str, Any]:
        """Return what the builder is told of one language: nothing that lies on another host."""
        said = configuration()[language]
        names = {code: configuration()[code]["language"] for code in self.languages}
        others = [{"name": name, "lang": code, "link": self._start(code)} for code, name in names.items()]
        slugs = {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}}
        features = ["navigation.tabs", "content.code.copy"]
        return {
            "site_name": said["name"],
            "docs_dir": "pages",
            "site_dir": "site",
            "use_directory_urls": False,
            "nav": navigation(said["sections"]),
            "theme": {"name": "material", "language": language, "font": False, "features": features},
            "extra": {"alternate": others, "generator": False},
            "plugins": ["search"],
            "markdown_extensions": [
                "tables",
                "md_in_html",
                {"toc": {"permalink": False, "slugify": slugs}},
                {"pymdownx.highlight": {"anchor_linenums": False}},
                "pymdownx.superfences",
            ],
        }

    def _start(self, code: str) -> str:
        return f"../{code}/{address(configuration()[code]['start'])}"


if __name__ == "__main__":
    sys.exit(Sites().build())
