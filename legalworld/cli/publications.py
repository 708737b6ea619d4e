"""Pages, tables and figures for readers elsewhere, written where commands were asked for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ..model.immutable import immutable
from ..wording import locale
from . import options
from .output import here, leave, path_of, save

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from ..evaluation.report_page import ReportSources
    from ..publication.page import PublishedPage

published = options.together(
    click.option("--html", metavar="FILE", default=""),
    click.option("--markdown", metavar="FILE", default=""),
    click.option("--latex", metavar="FILE", default=""),
    click.option("--figures", metavar="DIR", default=""),
)


@immutable
class Wanted:
    """Files that were asked for, "" where not; `figures` is a folder."""

    html: str = ""
    markdown: str = ""
    latex: str = ""
    figures: str = ""

    def write(self, make: Callable[[], PublishedPage]) -> tuple[str, ...]:
        """Write them, and say what was written; the page is made only where anything of it is wanted."""
        if not (self.html or self.markdown or self.latex or self.figures):
            return ()
        from ..publication.page import figure_files, rendered
        from ..publication.tables import latex, markdown

        page = make()
        if self.html:
            save(self.html, rendered(page, locale()).encode("utf-8", "replace"))
        if self.markdown:
            save(self.markdown, markdown(page.tables).encode("utf-8", "replace"))
        if self.latex:
            save(self.latex, latex(page.tables).encode("utf-8", "replace"))
        drawings = figure_files(page) if self.figures else {}
        if drawings:
            with suppress(OSError):  # writing the first of them says why
                path_of(self.figures).mkdir(parents=True, exist_ok=True)
        for name, text in drawings.items():
            save(str(path_of(self.figures) / name), text.encode("utf-8", "replace"))
        return tuple(filter(None, (self.html, self.markdown, self.latex, self.figures)))


def all_in(folder: Path) -> Wanted:
    """Everything, beside what a command keeps in its folder."""
    names = {"html": "report.html", "markdown": "report.md", "latex": "report.tex", "figures": "figures"}
    return Wanted(**{name: str(folder / file) for name, file in names.items()})


def sources_of(cutoffs: Mapping[str, date] | None = None, judged: Iterable[str] = ()) -> ReportSources:
    """Runs opened from where they lie, and prices of the models that are no rule: those of the models file first."""
    from ..evaluation.report_page import ReportSources
    from ..evaluation.run_facts import opened_run
    from ..models.named.catalogue import open_catalogue
    from ..models.prices import cost

    fields, named = tuple(judged), open_catalogue(here()).named

    def of(model: str, prompt: int, completion: int) -> float | None:
        profile = named((model,)).get(model)
        if profile is not None and profile.price is not None:
            return profile.price.of(prompt, 0, completion)
        return cost(profile.model if profile is not None else model, prompt, completion)

    return ReportSources(lambda run: opened_run(path_of(run), fields), of, cutoffs or {})


def cutoffs_of(words: Iterable[str], models: Iterable[str]) -> dict[str, date]:
    """MODEL=DAY words as a mapping, behind the days that the models file has; the command ends here where a model or a
    day is not known."""
    from datetime import date

    from ..language import diagnose
    from ..language.dates import read_day
    from ..models.named.catalogue import open_catalogue

    known = tuple(dict.fromkeys(models))
    named = open_catalogue(here()).named(known)
    cutoffs = {name: date.fromisoformat(one.cutoff) for name, one in named.items() if one.cutoff}
    for word in words:
        model, _, text = word.rpartition("=")
        day = read_day(text)
        if model not in known:
            leave((diagnose.unknown_cutoff_model("--cutoff", name=model or word, known=known),))
        if day is None:
            leave((diagnose.unreadable_cutoff("--cutoff", word=word),))
        cutoffs[model] = day
    return cutoffs
