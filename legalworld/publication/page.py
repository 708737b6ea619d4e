"""One HTML page that needs nothing else: no other file, no network, no server; it opens from a disk.

The page's own script and style are the only ones that a browser will run in it: its policy names them by their digests.
What others wrote is text: escaped in the markup, set as text by the script.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, Literal

from ..model.immutable import immutable
from ..wording import sentences
from .chart_parts import Chart, plain
from .entries import PackedEntries, unpacked
from .heat_map import SHADES, heat_map, ink_on, shade_of
from .tables import PublishedTable

_WORDS: Final = (
    *("all", "any", "count", "more", "none", "no_value", "open_failed", "old_browser", "only_behind", "search", "show"),
    *("said", "turn", "value", "everything", "figure"),
)


@immutable
class Facts:
    """Names and what each is."""

    rows: tuple[tuple[str, str], ...]


@immutable
class Lines:
    """Sentences, each a paragraph; `warn`: not to be overlooked; `title`: a heading above them, below the section's."""

    texts: tuple[str, ...]
    warn: bool = False
    title: str = ""


@immutable
class Charts:
    """Charts side by side, as many as there is room for."""

    charts: tuple[Chart, ...]


PageBlock = Facts | Lines | Charts | PublishedTable


@immutable
class PageSection:
    """`folded`: shown when it is opened."""

    anchor: str
    title: str
    blocks: tuple[PageBlock, ...]
    folded: bool = False


@immutable
class PublishedPage:
    title: str
    subtitle: str
    sections: tuple[PageSection, ...]
    listing: PackedEntries | None = None

    @property
    def charts(self) -> tuple[Chart, ...]:
        return tuple(one for block in self._blocks for one in (block.charts if isinstance(block, Charts) else ()))

    @property
    def tables(self) -> tuple[PublishedTable, ...]:
        return tuple(block for block in self._blocks if isinstance(block, PublishedTable))

    @property
    def _blocks(self) -> Sequence[PageBlock]:
        return [block for section in self.sections for block in section.blocks]


def rendered(page: PublishedPage, locale: str) -> str:
    """The page in the language of its reader."""
    word = sentences("page", locale)
    script, style = _own("page.js"), _own("page.css") + _shades()
    words = unpacked({name: word(name) for name in _WORDS})
    allowed = f"script-src '{_digest(script)}'; style-src '{_digest(style)}'"
    return filled(
        _own("page.html"),
        page=page,
        kind=_kind,
        shade=shade_of,
        word=word,
        words=words,
        language="zh-CN" if locale == "zh" else "en",
        script=script,
        style=style,
        policy=f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
    )


def figure_files(page: PublishedPage) -> dict[str, str]:
    """File name -> SVG, of every chart of a page and, as a heat map, of every table that is shaded throughout."""
    charts = [*page.charts, *(heat_map(table) for table in page.tables if table.shaded)]
    drawings: dict[str, str] = {}
    for chart in charts:
        name, n = f"{chart.name}.svg", 1
        while name in drawings:
            name, n = f"{chart.name}-{n + 1}.svg", n + 1
        drawings[name] = chart.file
    return drawings


def _kind(block: PageBlock) -> Literal["names", "lines", "charts", "table"]:
    match block:
        case Facts():
            return "names"
        case Lines():
            return "lines"
        case Charts():
            return "charts"
        case PublishedTable():
            return "table"


def filled(template: str, **values: Any) -> str:
    """A template of the package, filled in; what it names must be there, and what it prints is escaped."""
    return str(_template(template).render(**values))


@cache
def _template(text: str) -> Any:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def shown(value: object) -> object:
        """What stands in the markup: the text of others without what is hidden in it."""
        return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=shown
    )
    return environment.from_string(text)


@cache
def _own(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _shades() -> str:
    return "".join(f".s{n} {{ background: {SHADES[n]}; color: {ink_on(n)}; }}\n" for n in range(1, len(SHADES)))


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
