"""The law library: `check` by name and number, `search` by words, at a day or by the newest text.

    library = Library.open(folder)                     # or the Diagnostic that says why not
    library.check("民法典", "675", 1, at=date(2024, 5, 1))     # the article, or why there is none

Nothing is guessed: where no held text tells what an article said on a day, the answer is the reason.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import date
from functools import cache, partial, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from ...binding.casefile import clean
from ...files.project_files import find_root, unreadable
from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ..text.lexicon import pattern
from ..text.numerals import ordinal
from . import not_found
from .article_numbers import parse_article
from .cases import SUFFIXES, read_cases, stream_cases
from .law import Amendment, Article, ArticleNumber, FoundArticle, Law, Repeal, Statute, Version
from .law_facts import LONGEST, LawNames, Meant, known, name_key, unheld
from .reranker import Ranker, RankingFailed
from .search import MAX_QUERY, MAX_TOP, POOL, CaseHit, article_index, case_index, ranked, search_cases
from .source_files import CASE_CAP, CASES_CAP, CasesBroken, digest, files, read, remembered, statutes, without_problems
from .store import FILE, IGNORED, Kind, Shelf, Store, StoreError
from .timeline import Blocked, LawText, PickedText, Timeline

FOLDER = "library"
INDEX = "index"
VARIABLE = "LW_LIBRARY"
P = ParamSpec("P")
T = TypeVar("T")


def library_folder(cwd: Path) -> Path:
    """Where the library lies: LW_LIBRARY, else `library` in the project of the working folder, else in that folder."""
    if named := os.environ.get(VARIABLE):
        return Path(os.path.abspath(cwd / named))
    return (find_root(cwd) or Path(os.path.abspath(cwd))) / FOLDER


def held_in(folder: Path) -> bool:
    """Whether there is a library in a folder."""
    return os.path.lexists(folder / FILE)


def discard(folder: Path) -> None:
    """Remove a library that was just made and into which nothing came."""
    with suppress(OSError):
        for end in ("", "-journal", "-wal", "-shm"):
            (folder / f"{FILE}{end}").unlink(missing_ok=True)
        shutil.rmtree(folder / INDEX, ignore_errors=True)
        (folder / IGNORED).unlink(missing_ok=True)
        folder.rmdir()


def _or_problem(method: Callable[P, T]) -> Callable[P, T | Diagnostic]:
    """The method, with a library that cannot be used as its problem."""

    @wraps(method)
    def guarded(*args: P.args, **options: P.kwargs) -> T | Diagnostic:
        try:
            return method(*args, **options)
        except StoreError as error:
            return error.problem

    return guarded


@immutable
class Hit:
    """`exact`: found by name and number, not by words; the score of such a hit is 0."""

    found: FoundArticle
    score: float = 0.0
    exact: bool = False


@immutable
class Hits:
    """`problems`: a citation that names nothing, a ranker that failed. `changed`: hits left out because their words
    are not those of the day asked for."""

    hits: tuple[Hit, ...]
    problems: tuple[Diagnostic, ...] = ()
    changed: int = 0


@immutable
class CaseHits:
    hits: tuple[CaseHit, ...]
    problems: tuple[Diagnostic, ...] = ()


@immutable
class Added:
    """What an import did. `new`: acts that were not there in these words; `same`: those that were."""

    new: tuple[Statute | Amendment, ...]
    same: int
    problems: tuple[Diagnostic, ...]


@immutable
class AddedCases:
    new: int
    same: int
    problems: tuple[Diagnostic, ...]


@immutable
class Catalogue:
    """All that is held or known but the words, as of one stamp of the store."""

    stamp: tuple[int, int]
    names: LawNames
    laws: dict[str, Law]
    lines: dict[str, Timeline]
    holders: dict[int, str]
    """Version -> name of its law."""

    def law(self, name: str) -> Law:
        return self.laws.get(name) or unheld(name)

    def line(self, name: str) -> Timeline:
        repealed = self.law(name).repealed
        return self.lines.get(name) or Timeline((), (), [repealed] if repealed else ())


class Library:
    """An open library. Safe to use from several threads; other processes may add to it meanwhile."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self._store = store
        self._articles = article_index(folder / INDEX, store)
        self._cases = case_index(folder / INDEX, store)
        self._searching = threading.Lock()
        self._catalogue: Catalogue | None = None

    @classmethod
    def open(cls, folder: Path, *, create: bool = False) -> Library | Diagnostic:
        """The library in a folder; LW222 where there is none and it is not to be made."""
        if not create and not held_in(folder):
            return diagnose.missing_library(str(folder), path=str(folder))
        return _or_problem(lambda: cls(folder, Store(folder, create=create)))()

    def close(self) -> None:
        self._store.close()

    @_or_problem
    def holds(self, kind: Kind) -> bool:
        """Whether there is any article, or any case."""
        return self._store.extent(kind)[0] > 0

    # ---- by name and number ------------------------------------------------------------------------------------------

    @_or_problem
    def laws(self) -> tuple[Law, ...]:
        """The laws that are held, by name."""
        laws = self._current().laws.values()
        return tuple(sorted((law for law in laws if law.versions), key=lambda law: law.short))

    @_or_problem
    def law(self, name: str) -> Law | Diagnostic:
        """A law that is held or known."""
        catalogue = self._current()
        meant = catalogue.names.meant(name)
        return meant if isinstance(meant, Diagnostic) else catalogue.law(meant.name)

    @_or_problem
    def check(
        self,
        law: str,
        article: str | ArticleNumber,
        paragraph: int = 0,
        item: int = 0,
        *,
        point: int = 0,
        at: date | None = None,
    ) -> FoundArticle | Diagnostic:
        """An article, or the part of it that is named (0: not), by the text of a day (None: the newest); or why not.

        An item of an article of several paragraphs may be named without its paragraph if only one has it. A year in the
        name, as in 民事诉讼法（2021修正）, means the version of that year, whatever the day.
        """
        catalogue = self._current()
        meant = catalogue.names.meant(law)
        if isinstance(meant, Diagnostic):
            return meant
        number = parse_article(article) if isinstance(article, str) else article
        if number is None:
            return diagnose.invalid_article_number(law[:LONGEST], word=str(article)[:LONGEST])
        answer = self._article(catalogue, meant, number, at)
        return answer if isinstance(answer, Diagnostic) else not_found.part(answer, paragraph, item, point)

    def _article(
        self, catalogue: Catalogue, meant: Meant, number: ArticleNumber, at: date | None
    ) -> FoundArticle | Diagnostic:
        law, line = catalogue.law(meant.name), catalogue.line(meant.name)
        if meant.year:
            at = line.of_year(meant.year)
        picked = line.pick(number, at)
        if isinstance(picked, Blocked):
            return not_found.blocked(law, number, picked, at=at, folder=self.folder)
        version = next(held for held in law.versions if held.id == picked.text.id)
        article = self._store.article(version.id, number)
        if article is None or article.deleted:
            numbers = self._store.numbers(version.id)
            return not_found.no_article(law, number, version, numbers)
        return FoundArticle(law, version, article, picked.since, picked.until)

    @_or_problem
    def catalogue(self) -> Catalogue:
        """Names, versions and days in force of all laws that are held or known."""
        return self._current()

    @_or_problem
    def digest(self) -> str:
        """SHA-256 (hex) that tells this library's texts, aliases and days in force from another's."""
        return self._store.digest()

    # ---- by words ----------------------------------------------------------------------------------------------------

    @_or_problem
    def search(
        self, query: str, *, at: date | None = None, top: int = 10, law: str = "", ranker: Ranker | None = None
    ) -> Hits | Diagnostic:
        """Articles for words, by the text of a day (None: the newest), of one law or all.

        A query that cites an article gets that article first; a law's name before the words means that law.
        """
        query, top = clean(query[:MAX_QUERY]), max(1, min(top, MAX_TOP))
        with self._searching:
            return self._search(query, at=at, top=top, law=law, ranker=ranker)

    def _search(self, query: str, *, at: date | None, top: int, law: str, ranker: Ranker | None) -> Hits | Diagnostic:
        catalogue = self._current()
        exact, query, cited = self._exact(catalogue, query, at, top)
        head, _, tail = query.partition(" ")
        if not law and tail.strip() and isinstance(catalogue.names.meant(head), Meant):
            law, query = head, tail.strip()
        only = catalogue.names.meant(law) if law else None
        if isinstance(only, Diagnostic):
            return only
        hits, changed = self._by_words(catalogue, query, at=at, count=max(top, POOL if ranker else 0), only=only)
        problems = list(cited)
        if ranker is not None:
            try:
                hits = ranked(ranker, query, hits, [found.article.text for _, found in hits])
            except RankingFailed as failed:
                problems.append(failed.problem)
        first = {(hit.found.law.name, hit.found.article.number) for hit in exact}
        others = [Hit(found, score) for score, found in hits if (found.law.name, found.article.number) not in first]
        return Hits((*exact, *others)[:top], tuple(problems), changed)

    def _exact(
        self, catalogue: Catalogue, query: str, at: date | None, top: int
    ) -> tuple[list[Hit], str, tuple[Diagnostic, ...]]:
        """The article that a query begins with, what else it says, and why a citation finds nothing."""
        cited = pattern("articles", "cited").match(query[:LONGEST])
        number = cited and ArticleNumber(ordinal(cited["main"]) or 0, ordinal(cited["sub"] or cited["dash"] or "") or 0)
        if cited is None or not number or not number.main:
            return [], query, ()
        rest = cited["rest"].strip()
        if not cited["law"].strip():
            if not cited["mark"]:  # a bare number is no article
                return [], query, ()
            names = dict.fromkeys(filter(None, map(catalogue.holders.get, self._store.holders(number))))  # none since
            every = (self._article(catalogue, Meant(name), number, at) for name in names)
            return [Hit(answer, exact=True) for answer in every if isinstance(answer, FoundArticle)][:top], rest, ()
        meant = catalogue.names.meant(cited["law"])
        if isinstance(meant, Diagnostic):
            return [], query, ()
        answer = self._article(catalogue, meant, number, at)
        if isinstance(answer, Diagnostic):
            return [], rest, (answer,)
        return [Hit(answer, exact=True)], rest, ()

    def _by_words(
        self, catalogue: Catalogue, query: str, *, at: date | None, count: int, only: Meant | None
    ) -> tuple[list[tuple[float, FoundArticle]], int]:
        """Hits whose words are those of the day, and how many others were passed over."""
        names = (only.name,) if only is not None else tuple(catalogue.lines)
        picks = {name: catalogue.line(name).pick(None, at) for name in names}
        groups = [pick.text.id for pick in picks.values() if isinstance(pick, PickedText)]
        hits = self._articles.search(self._store, query, count + 20, groups) if query else []
        rows = self._store.articles(row for _, row in hits)
        kept: list[tuple[float, FoundArticle]] = []
        changed = 0
        for score, row in hits:
            if row not in rows or len(kept) == count:
                continue
            version, article = rows[row]
            hit = self._still(catalogue, version, article, at)
            if hit is None:
                changed += 1
            elif not article.deleted:
                kept.append((score, hit))
        return kept, changed

    def _still(self, catalogue: Catalogue, version: int, article: Article, at: date | None) -> FoundArticle | None:
        """The article as found, if its words are those of the day."""
        if version not in catalogue.holders:
            return None
        law = catalogue.laws[catalogue.holders[version]]
        picked = catalogue.lines[law.name].pick(article.number, at)
        if isinstance(picked, Blocked) or picked.text.id != version:
            return None
        held = next(candidate for candidate in law.versions if candidate.id == version)
        return FoundArticle(law, held, article, picked.since, picked.until)

    @_or_problem
    def search_cases(
        self, query: str, *, top: int = 10, without: Collection[str] = (), ranker: Ranker | None = None
    ) -> CaseHits:
        """The most similar cases. `without`: case numbers (案号) or digests that must not be found, such as the case
        that is being heard: its outcome would be told."""
        search = partial(search_cases, self._cases, self._store, clean(query[:MAX_QUERY]), top=top, without=without)
        with self._searching:
            try:
                return CaseHits(tuple(search(ranker=ranker)))
            except RankingFailed as failed:
                return CaseHits(tuple(search(ranker=None)), (failed.problem,))

    # ---- adding ------------------------------------------------------------------------------------------------------

    @_or_problem
    def add_laws(self, path: Path, *, in_force: date | None = None, alias: str = "") -> Added:
        """Adds a file or the files of a folder. What is wrong with one does not keep the others out.

        `in_force`, `alias`: the first day in force and another name, of a file whose own words do not tell.
        """
        acts, problems = statutes(path)
        new, more = self._store.add_laws(acts, in_force, alias)
        catalogue = self._current()
        with self._searching:
            if new:
                self._articles.refresh(self._store)
        problems += more + _assumed(catalogue, new)
        return Added(tuple(new), len(acts) - len(new) - len(more), tuple(problems))

    @_or_problem
    def add_cases(self, path: Path) -> AddedCases:
        """Adds the cases of a file or of the files of a folder."""
        new = same = 0
        problems: list[Diagnostic] = []
        for file in files(path, SUFFIXES):
            if isinstance(file, Diagnostic):
                problems.append(file)
                continue
            counts = self._add_case_file(file, problems)
            new, same = new + counts[0], same + counts[1]
        with self._searching:
            if new:
                self._cases.refresh(self._store)
        return AddedCases(new, same, tuple(problems))

    def _add_case_file(self, file: Path, problems: list[Diagnostic]) -> tuple[int, int]:
        """How many cases are new, how many were there; what is wrong goes to `problems`."""
        source = remembered(file, self.folder)
        try:
            large = file.suffix.lower() in (".json", ".jsonl") and CASE_CAP < file.stat().st_size <= CASES_CAP
            if large:
                return self._store.add_cases(source, digest(file), without_problems(stream_cases(file), problems))
        except CasesBroken:
            return 0, 0
        except UnicodeDecodeError:
            problems.append(diagnose.invalid_utf8(str(file)))
            return 0, 0
        except OSError as error:
            problems.append(unreadable(str(file), error))
            return 0, 0
        gathered = read(file, CASE_CAP)
        if isinstance(gathered, Diagnostic):
            problems.append(gathered)
            return 0, 0
        records, wrong = read_cases(gathered.name, gathered.text)
        problems += (*gathered.problems, *wrong)
        return self._store.add_cases(source, gathered.digest, records) if records else (0, 0)

    # ---- what is held ------------------------------------------------------------------------------------------------

    def _current(self) -> Catalogue:
        stamp = self._store.stamp()
        if self._catalogue is None or self._catalogue.stamp != stamp:
            self._catalogue = _catalogue_of(stamp, self._store.shelf())
        return self._catalogue


@cache
def without_texts() -> Catalogue:
    """What is known of laws where no text of any is held: names, days in force, repeals."""
    return _catalogue_of((0, 0), Shelf({}, (), (), {}, ()))


def _catalogue_of(stamp: tuple[int, int], shelf: Shelf) -> Catalogue:
    names = LawNames(shelf.names.values(), shelf.aliases)
    repeals: dict[str, list[Repeal]] = {}
    for repeal in shelf.repeals:
        name = names.full(repeal.law)
        if name is not None and name_key(name) != name_key(repeal.by):  # a law ends its own version before as any does
            repeals.setdefault(name, []).append(repeal)
    texts: dict[int, list[LawText]] = {}
    for version in shelf.versions:
        texts.setdefault(version.law, []).append(version)
    rows = {name: row for row, name in shelf.names.items()}
    laws, lines = dict[str, Law](), dict[str, Timeline]()
    for name in names.short:
        row, facts = rows.get(name, 0), known().get(name_key(name))
        events = [*(facts.events if facts else ()), *shelf.events.get(row, ())]
        ends = [*repeals.get(name, ()), *([facts.repealed] if facts and facts.repealed else ())]
        lines[name] = line = Timeline(events, texts.get(row, ()), ends)
        versions = tuple(
            Version(text.id, text.adopted, line.since(text), line.until(text), line.basis(text), text.articles)
            for text in line.texts
        )
        laws[name] = Law(name, names.short[name], versions, line.events, line.repeal)
    holders = {version.id: shelf.names[version.law] for version in shelf.versions}
    return Catalogue(stamp, names, laws, lines, holders)


# ---- importing -------------------------------------------------------------------------------------------------------


def _assumed(catalogue: Catalogue, new: Iterable[Statute | Amendment]) -> list[Diagnostic]:
    """Versions of which nobody says when they came into force."""
    problems = {}
    for act in new:
        if not isinstance(act, Statute):
            continue
        law = catalogue.laws.get(catalogue.names.full(act.name) or "")
        for version in law.versions if law is not None else ():
            if version.adopted == act.adopted and version.basis == "assumed":
                problems[version.id] = diagnose.assumed_effective_date(
                    Span(act.source, 1, 1), law=act.name, date=version.since
                )
    return list(problems.values())
