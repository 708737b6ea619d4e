"""Sentences for pages: in both languages at once, so that a page changes its language without asking again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ..model.diagnostics import Diagnostic
from ..wording import Locale, say, speaking
from ..wording.diagnostics import message, repair
from .responses import Problem, TwoLanguages


def told(key: str, **values: object) -> TwoLanguages:
    """Return the sentence `SECTION.NAME` of both languages, filled; a value in two languages is put in by language."""
    return TwoLanguages(zh=say(key, "zh", **_in("zh", values)), en=say(key, "en", **_in("en", values)))


def _in(language: str, values: dict[str, object]) -> dict[str, object]:
    return {
        name: getattr(value, language) if isinstance(value, TwoLanguages) else value for name, value in values.items()
    }


def both(text: str) -> TwoLanguages:
    """Return words that are the same in every language: a title, a name."""
    return TwoLanguages(zh=text, en=text)


def in_both(words: Callable[[], str]) -> TwoLanguages:
    """Return what a function of the program words for a terminal, in each language."""
    return TwoLanguages(zh=_spoken("zh", words), en=_spoken("en", words))


def _spoken(language: Locale, words: Callable[[], str]) -> str:
    with speaking(language):
        return words()


def listed(parts: Iterable[TwoLanguages]) -> TwoLanguages:
    """Return several sentences as one, one after another."""
    parts = tuple(parts)
    return TwoLanguages(zh="".join(part.zh for part in parts), en=" ".join(part.en for part in parts))


def problem_of(problem: Diagnostic, root: Path) -> Problem:
    """Return a diagnostic as pages show it: without the folder that is listed and the folders above it."""
    span = problem.span
    where = _below(span.file, root) + (f":{span.line}" if span.line else "")
    text = TwoLanguages(zh=_below(message(problem, "zh"), root), en=_below(message(problem, "en"), root))
    help_ = TwoLanguages(zh=_below(repair(problem, "zh"), root), en=_below(repair(problem, "en"), root))
    return Problem(code=problem.code, severity=problem.severity, where=where, text=text, help=help_)


def _below(text: str, root: Path) -> str:
    """A text without the path of a folder or, elsewhere, of the home and working folders."""
    for folder in dict.fromkeys((str(root.absolute()), str(root.resolve()), str(Path.cwd()), str(Path.home()))):
        if len(folder) > 1:
            text = text.replace(f"{folder}/", "").replace(folder, ".")
    return text
