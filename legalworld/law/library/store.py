"""The library on disk: one SQLite file below the project, from which the search index can be rebuilt.

Every write is one transaction, so a library is never half changed and several processes may use it at once.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from ...files import regular
from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.json_text import read_json
from .law import Amendment, Article, ArticleItem, ArticleNumber, Basis, LawEvent, Paragraph, Repeal, Statute
from .law_facts import name_key
from .timeline import LawText

FILE = "library.sqlite3"
IGNORED = ".gitignore"
FORMAT = 1
PATIENCE = 30.0  # seconds that a process waits for another one's transaction

_TABLES = """
CREATE TABLE law (id INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE);
CREATE TABLE alias (alias TEXT NOT NULL, law INTEGER NOT NULL REFERENCES law, PRIMARY KEY (alias, law));
CREATE TABLE version (
  id INTEGER PRIMARY KEY, law INTEGER NOT NULL REFERENCES law, adopted TEXT NOT NULL, given TEXT,
  UNIQUE (law, adopted));
CREATE TABLE part (
  id INTEGER PRIMARY KEY, version INTEGER NOT NULL REFERENCES version, name TEXT NOT NULL, digest TEXT NOT NULL,
  source TEXT NOT NULL, in_force TEXT, events TEXT NOT NULL, repeals TEXT NOT NULL, UNIQUE (version, name));
CREATE TABLE article (
  id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL REFERENCES version,
  part INTEGER NOT NULL REFERENCES part, main INTEGER NOT NULL, sub INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE (version, main, sub));
CREATE INDEX article_part ON article (part);
CREATE INDEX article_number ON article (main, sub);
CREATE TABLE amendment (
  id INTEGER PRIMARY KEY, law INTEGER NOT NULL REFERENCES law, name TEXT NOT NULL, digest TEXT NOT NULL,
  source TEXT NOT NULL, event TEXT NOT NULL, UNIQUE (law, name));
CREATE TABLE casefile (id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, digest TEXT NOT NULL);
CREATE TABLE "case" (
  id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL REFERENCES casefile, digest TEXT NOT NULL,
  title TEXT NOT NULL, cause TEXT NOT NULL, number TEXT NOT NULL, court TEXT NOT NULL, date TEXT NOT NULL,
  text BLOB NOT NULL, UNIQUE (digest));
CREATE INDEX case_file ON "case" (file);
CREATE TABLE gone (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id INTEGER NOT NULL);
"""

Kind = Literal["article", "case"]


class StoreError(Exception):
    """The library cannot be used; `problem` says why."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.code)
        self.problem = problem


@immutable
class Shelf:
    """All that is held but the words: laws by id, versions, events by law, repeals as their texts name the laws."""

    names: dict[int, str]
    aliases: tuple[tuple[str, str], ...]
    versions: tuple[LawText, ...]
    events: dict[int, list[LawEvent]]
    repeals: tuple[Repeal, ...]


@immutable
class CaseRecord:
    """A case to be found again: texts, "" where the source does not say. `id` is 0 before it is stored."""

    title: str
    text: str
    cause: str = ""
    number: str = ""
    court: str = ""
    date: str = ""
    digest: str = ""
    id: int = 0


class Store:
    """An open library file. Safe to use from several threads."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.path = folder / FILE
        self._lock = threading.RLock()
        with self._guarded():
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                _ignored(folder)
            regular.vacant(self.path)
            mode = "rwc" if create else "rw"
            address = f"{self.path.resolve().as_uri()}?mode={mode}"
            self._db = sqlite3.connect(
                address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare(create)

    def close(self) -> None:
        self._db.close()

    def _prepare(self, create: bool) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0 and create:
            with self._writing():
                if self._db.execute("PRAGMA user_version").fetchone()[0] == 0:
                    for statement in _TABLES.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version = {FORMAT}")
        elif version != FORMAT:
            path, reason = str(self.path), f"format {version}, not {FORMAT}"
            raise StoreError(diagnose.unusable_library(path, path=path, reason=reason))

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """SQLite's own failures, and those of the disk, as problems."""
        try:
            with self._lock:
                yield
        except (sqlite3.Error, OSError, zlib.error, ValueError, TypeError, KeyError) as error:
            busy = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
            kind = diagnose.busy_library if busy else diagnose.unusable_library
            path = str(self.path)
            raise StoreError(kind(path, path=path, reason=str(error)[:200])) from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Several queries of one state of the library, whatever another process adds between them."""
        with self._guarded():
            within = self._db.in_transaction
            if not within:
                self._db.execute("BEGIN")
            try:
                yield
            finally:
                if not within and self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    # ---- what is held ------------------------------------------------------------------------------------------------

    def stamp(self) -> tuple[int, int]:
        """Changes whenever this or another process has changed the library."""
        with self._guarded():
            (others,) = self._db.execute("PRAGMA data_version").fetchone()
            return others, self._db.total_changes

    def shelf(self) -> Shelf:
        with self._reading():
            names = dict(self._db.execute("SELECT id, name FROM law"))
            aliases = tuple(self._db.execute("SELECT alias, name FROM alias JOIN law ON law.id = law"))
            counts = dict(self._db.execute("SELECT version, count(*) FROM article GROUP BY version"))
            versions, events = self._versions(counts), dict[int, list[LawEvent]]()
            repeals: list[Repeal] = []
            query = "SELECT law, events, repeals FROM part JOIN version ON version.id = version ORDER BY part.id"
            for law, written, ended in self._db.execute(query):
                events.setdefault(law, []).extend(map(_event, read_json(written)))
                repeals += (Repeal(name, date.fromisoformat(on), by) for name, on, by in read_json(ended))
            for law, written in self._db.execute("SELECT law, event FROM amendment ORDER BY id"):
                events.setdefault(law, []).append(_event(read_json(written)))
            return Shelf(names, aliases, versions, events, tuple(dict.fromkeys(repeals)))

    def _versions(self, counts: dict[int, int]) -> tuple[LawText, ...]:
        versions = []
        query = """SELECT version.id, law, adopted, given, max(in_force)
                   FROM version JOIN part ON part.version = version.id GROUP BY version.id ORDER BY law, adopted"""
        for row, law, adopted, given, stated in self._db.execute(query):
            in_force = _day(given or stated)
            basis: Basis = "given" if given else "stated" if stated else "assumed"
            versions.append(LawText(row, date.fromisoformat(adopted), in_force, basis, law, counts.get(row, 0)))
        return tuple(versions)

    def digest(self) -> str:
        """SHA-256 (hex) over all that lookups go by, in an order that does not depend on when it was added."""
        queries = (
            """SELECT law.folded, adopted, coalesce(given, ''), part.name, digest FROM part
               JOIN version ON version.id = version JOIN law ON law.id = law ORDER BY 1, 2, 4""",
            """SELECT law.folded, amendment.name, digest FROM amendment JOIN law ON law.id = law ORDER BY 1, 2""",
            """SELECT law.folded, alias FROM alias JOIN law ON law.id = law ORDER BY 1, 2""",
        )
        with self._reading():
            rows = [self._db.execute(query).fetchall() for query in queries]
            return sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()

    def article(self, version: int, number: ArticleNumber) -> Article | None:
        with self._guarded():
            query = "SELECT body FROM article WHERE version = ? AND main = ? AND sub = ?"
            row = self._db.execute(query, (version, *number)).fetchone()
            return _article(number, row[0]) if row is not None else None

    def articles(self, ids: Iterable[int]) -> dict[int, tuple[int, Article]]:
        """Row -> version and article, of the rows that are still there."""
        query = "SELECT id, version, main, sub, body FROM article WHERE id = ?"
        with self._reading():
            rows = [held for row in ids for held in self._db.execute(query, (row,))]
            return {row: (version, _article(ArticleNumber(*number), body)) for row, version, *number, body in rows}

    def holders(self, number: ArticleNumber) -> tuple[int, ...]:
        """The versions that have an article of that number."""
        with self._guarded():
            query = "SELECT version FROM article WHERE main = ? AND sub = ? ORDER BY version"
            return tuple(version for (version,) in self._db.execute(query, number))

    def numbers(self, version: int) -> tuple[ArticleNumber, ...]:
        with self._guarded():
            query = "SELECT main, sub FROM article WHERE version = ? ORDER BY main, sub"
            return tuple(ArticleNumber(*row) for row in self._db.execute(query, (version,)))

    def cases(self, ids: Iterable[int]) -> dict[int, CaseRecord]:
        query = 'SELECT title, text, cause, number, court, date, digest, id FROM "case" WHERE id = ?'
        with self._reading():
            rows = [held for row in ids for held in self._db.execute(query, (row,))]
            cases = (CaseRecord(title, zlib.decompress(text).decode("utf-8"), *rest) for title, text, *rest in rows)
            return {case.id: case for case in cases}

    # ---- what the index needs ----------------------------------------------------------------------------------------

    def extent(self, kind: Kind) -> tuple[int, int]:
        """The highest row and the last removal: an index that knows both is up to date."""
        with self._reading():
            (last,) = self._db.execute(f'SELECT max(id) FROM "{kind}"').fetchone()
            (gone,) = self._db.execute("SELECT max(seq) FROM gone WHERE kind = ?", (kind,)).fetchone()
            return last or 0, gone or 0

    def removed(self, kind: Kind, after: int) -> tuple[int, ...]:
        with self._guarded():
            query = "SELECT id FROM gone WHERE kind = ? AND seq > ?"
            return tuple(row for (row,) in self._db.execute(query, (kind, after)))

    def articles_after(self, row: int, count: int) -> list[tuple[int, int, str, Article]]:
        """Row, version, name of the law and article, `count` at most."""
        with self._guarded():
            query = """SELECT article.id, version.id, law.name, main, sub, body FROM article
                       JOIN version ON version.id = article.version JOIN law ON law.id = version.law
                       WHERE article.id > ? ORDER BY article.id LIMIT ?"""
            rows = self._db.execute(query, (row, count))
            return [
                (at, held, law, _article(ArticleNumber(main, sub), body)) for at, held, law, main, sub, body in rows
            ]

    def cases_after(self, row: int, count: int) -> list[CaseRecord]:
        with self._reading():
            query = 'SELECT id FROM "case" WHERE id > ? ORDER BY id LIMIT ?'
            ids = [case for (case,) in self._db.execute(query, (row, count)).fetchall()]
            return list(self.cases(ids).values())

    # ---- adding ------------------------------------------------------------------------------------------------------

    def add_laws(
        self, acts: Sequence[Statute | Amendment], given: date | None = None, alias: str = ""
    ) -> tuple[list[Statute | Amendment], list[Diagnostic]]:
        """Adds what is new, in one transaction; tells what that was. A file of the same part replaces the former."""
        added: list[Statute | Amendment] = []
        problems: list[Diagnostic] = []
        with self._guarded(), self._writing():
            for act in acts:
                if isinstance(act, Statute):
                    law, new = self._law(act.name), self._add_statute(act, given, problems)
                else:
                    law, new = self._law(act.law), self._add_amendment(act)
                if alias:
                    self._db.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (alias, law))
                if new:
                    added.append(act)
        return added, problems

    def _law(self, name: str) -> int:
        """The row of a law. A name is written in full where any file does."""
        key = name_key(name)
        self._db.execute("INSERT OR IGNORE INTO law (name, folded) VALUES (?, ?)", (name, key))
        row, written = self._db.execute("SELECT id, name FROM law WHERE folded = ?", (key,)).fetchone()
        if len(name) > len(written):
            self._db.execute("UPDATE law SET name = ? WHERE id = ?", (name, row))
        return int(row)

    def _add_statute(self, statute: Statute, given: date | None, problems: list[Diagnostic]) -> bool:
        adopted, law = statute.adopted.isoformat(), self._law(statute.name)
        self._db.execute("INSERT OR IGNORE INTO version (law, adopted) VALUES (?, ?)", (law, adopted))
        query = "SELECT id, given FROM version WHERE law = ? AND adopted = ?"
        version, before = self._db.execute(query, (law, adopted)).fetchone()
        changed = given is not None and given.isoformat() != before
        if changed and given is not None:
            self._db.execute("UPDATE version SET given = ? WHERE id = ?", (given.isoformat(), version))
        query = "SELECT id, digest FROM part WHERE version = ? AND name = ?"
        part = self._db.execute(query, (version, statute.part)).fetchone()
        if part is not None and part[1] == statute.digest:
            return changed
        others = self._elsewhere(version, part[0] if part else 0, statute)
        if others:
            problems.append(_conflict(statute, others))
            return changed
        if part is not None:
            self._remove_articles(part[0])
        self._insert_part(version, statute)
        return True

    def _elsewhere(self, version: int, part: int, statute: Statute) -> list[tuple[ArticleNumber, str]]:
        """Articles of the file that another part of the same version has already, and from which file."""
        query = """SELECT main, sub, source FROM article JOIN part ON part.id = article.part
                   WHERE article.version = ? AND article.part != ?"""
        held = {ArticleNumber(main, sub): source for main, sub, source in self._db.execute(query, (version, part))}
        return [(article.number, held[article.number]) for article in statute.articles if article.number in held]

    def _remove_articles(self, part: int) -> None:
        self._db.execute("INSERT INTO gone (kind, id) SELECT 'article', id FROM article WHERE part = ?", (part,))
        self._db.execute("DELETE FROM article WHERE part = ?", (part,))
        self._db.execute("DELETE FROM part WHERE id = ?", (part,))

    def _insert_part(self, version: int, statute: Statute) -> None:
        in_force = statute.in_force.isoformat() if statute.in_force else None
        events = json.dumps([_event_row(event) for event in statute.events])
        ended = [(repeal.law, repeal.on.isoformat(), repeal.by) for repeal in statute.repeals]
        repeals = json.dumps(ended, ensure_ascii=False)
        values = (version, statute.part, statute.digest, statute.source, in_force, events, repeals)
        query = "INSERT INTO part (version, name, digest, source, in_force, events, repeals) VALUES (?,?,?,?,?,?,?)"
        part = self._db.execute(query, values).lastrowid
        rows = ((version, part, *article.number, _body(article)) for article in statute.articles)
        self._db.executemany("INSERT INTO article (version, part, main, sub, body) VALUES (?,?,?,?,?)", rows)

    def _add_amendment(self, act: Amendment) -> bool:
        law = self._law(act.law)
        query = "SELECT digest FROM amendment WHERE law = ? AND name = ?"
        held = self._db.execute(query, (law, act.name)).fetchone()
        if held is not None and held[0] == act.digest:
            return False
        values = (law, act.name, act.digest, act.source, json.dumps(_event_row(act.event), ensure_ascii=False))
        self._db.execute(
            "INSERT OR REPLACE INTO amendment (law, name, digest, source, event) VALUES (?,?,?,?,?)", values
        )
        return True

    def add_cases(self, source: str, digest: str, records: Iterable[CaseRecord]) -> tuple[int, int]:
        """Adds the cases of one file, in one transaction: how many are new, how many were there already.

        What the same file held before and holds no longer is removed.
        """
        with self._guarded(), self._writing():
            row = self._db.execute("SELECT id, digest FROM casefile WHERE source = ?", (source,)).fetchone()
            if row is not None and row[1] == digest:
                (count,) = self._db.execute('SELECT count(*) FROM "case" WHERE file = ?', (row[0],)).fetchone()
                return 0, count
            if row is None:
                query = "INSERT INTO casefile (source, digest) VALUES (?, ?)"
                file = self._db.execute(query, (source, digest)).lastrowid
            else:
                file = row[0]
                self._db.execute("UPDATE casefile SET digest = ? WHERE id = ?", (digest, file))
            return self._replace_cases(file or 0, records)

    def _replace_cases(self, file: int, records: Iterable[CaseRecord]) -> tuple[int, int]:
        before = dict(self._db.execute('SELECT digest, id FROM "case" WHERE file = ?', (file,)))
        new = same = 0
        query = """INSERT OR IGNORE INTO "case" (file, digest, title, cause, number, court, date, text)
                   VALUES (?,?,?,?,?,?,?,?)"""
        for record in records:
            text = zlib.compress(record.text.encode("utf-8"), 1)
            values = (file, record.digest, record.title, record.cause, record.number, record.court, record.date, text)
            known = before.pop(record.digest, None) is not None
            if not known and self._db.execute(query, values).rowcount:
                new += 1
            else:
                same += 1
        for row in before.values():
            self._db.execute("INSERT INTO gone (kind, id) VALUES ('case', ?)", (row,))
            self._db.execute('DELETE FROM "case" WHERE id = ?', (row,))
        return new, same


def _ignored(folder: Path) -> None:
    """Git passes the folder by: it holds texts that are not the project's."""
    file = folder / IGNORED
    if not file.exists():
        regular.write_whole(file, b"*\n")


def _conflict(statute: Statute, others: list[tuple[ArticleNumber, str]]) -> Diagnostic:
    number, source = others[0]
    return diagnose.conflicting_law_files(
        statute.source, article=str(number), count=len(others), other=source, adopted=statute.adopted.isoformat()
    )


# ---- values as rows --------------------------------------------------------------------------------------------------


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _event_row(event: LawEvent) -> list[Any]:
    days = [day.isoformat() if day else None for day in (event.adopted, event.in_force, event.published)]
    return [*days, sorted(event.articles) if event.articles is not None else None, event.name]


def _event(row: list[Any]) -> LawEvent:
    adopted, in_force, published, articles, name = row
    touched = frozenset(ArticleNumber(*number) for number in articles) if articles is not None else None
    return LawEvent(date.fromisoformat(adopted), _day(in_force), touched, name, _day(published))


def _body(article: Article) -> str:
    paragraphs = [[paragraph.text, [_item_row(item) for item in paragraph.items]] for paragraph in article.paragraphs]
    return json.dumps([article.path, article.title, article.deleted, paragraphs], ensure_ascii=False)


def _item_row(item: ArticleItem) -> list[Any]:
    return [item.n, item.text, [_item_row(point) for point in item.points]]


def _article(number: ArticleNumber, body: str) -> Article:
    path, title, deleted, paragraphs = read_json(body)
    parts = tuple(Paragraph(n, text, tuple(map(_item, items))) for n, (text, items) in enumerate(paragraphs, 1))
    return Article(number, parts, tuple(path), title, deleted)


def _item(row: list[Any]) -> ArticleItem:
    n, text, points = row
    return ArticleItem(n, text, tuple(map(_item, points)))
