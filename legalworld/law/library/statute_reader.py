"""Reads a statute file into articles: the layout of LawRefBook or close to it. The patterns are in `statutes.toml`.

A file is a header (title, dates of adoption) up to `<!-- INFO END -->` and a body in which an article begins with its
number and every line is a paragraph, an item or a point. A line that only mentions an article is told from one that
begins it by the order of the numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from itertools import zip_longest

from ...binding.casefile import clean
from ...language import diagnose
from ...language.yaml.characters import whole
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ..text.law_names import official
from ..text.lexicon import pattern, table
from ..text.numerals import ordinal
from .law import Amendment, Article, ArticleItem, ArticleNumber, LawEvent, Paragraph, Repeal, Statute

MAX_NAME = 200  # characters of a law's name; the longest in force has about 90
_LAST = 3  # articles at the end in which a law says when it comes into force, and what it repeals
_TITLE_LINES = 4  # of a title over a line of signs
_LONGEST = 5000  # characters of a header line or closing article that are looked through for dates and titles


@immutable
class _Line:
    number: int
    text: str


@immutable
class _Start:
    """A line that may begin an article. `sure`: spaced as a heading is."""

    line: _Line
    number: ArticleNumber
    title: str
    text: str
    sure: bool


def read_statute(file: str, text: str, digest: str = "") -> tuple[Statute | Amendment | None, tuple[Diagnostic, ...]]:
    """The law in a file and what is wrong with it; no law with any error. `file`: its name, for its date and places.

    `text` may hold undecodable bytes as lone surrogates.
    """
    unreadable = whole(file, text)
    if unreadable is not None:
        return None, (unreadable,)
    digest = digest or sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    header, body = _halves(text)
    header, titles = _marked_titles(header)
    named = pattern("statutes", "name").match(file.rpartition("/")[2])
    own = titles[0] if titles else _plain_title(header)
    name = _joined(_unquoted(own) or (named["name"] if named else ""))[:MAX_NAME]
    dated = _iso(named["date"] or named["day"]) if named is not None else None
    events = _events(header, dated)
    if not name or not events:
        return None, (diagnose.unrecognized_law(Span(file, 1, 1), file=file),)
    amending = pattern("statutes", "amending_act").match(name)
    if amending is not None:
        return Amendment(name, amending["law"], _amended(name, events[-1], body), digest, file), ()
    part = _joined(titles[1]) if len(titles) > 1 else ""
    articles, problems = _articles(file, body, part)
    if not articles:
        return None, (diagnose.unrecognized_law(Span(file, body[0].number if body else 1, 1), file=file), *problems)
    events = _in_force(header, articles[-_LAST:], events)
    last = events[-1]
    repeals = tuple(_repeals(name, articles[-_LAST:], events))
    return Statute(name, part, last.adopted, last.in_force, articles, events, repeals, digest, file), problems


def _halves(text: str) -> tuple[list[_Line], list[_Line]]:
    """Lines of the header and of the body; blank lines, comments and invisible characters are left out."""
    header, body, ended = list[_Line](), list[_Line](), False
    for number, raw in enumerate(clean(text.removeprefix("\ufeff")).split("\n"), 1):
        line = pattern("statutes", "invisible").sub("", raw).strip()
        if not line:
            continue
        if pattern("statutes", "header_end").match(line):
            ended = True
        elif pattern("statutes", "comment").match(line) and not pattern("statutes", "break").match(line):
            continue
        else:
            (body if ended else header).append(_Line(number, line))
    if not ended:  # without the mark the header ends where the first article or chapter begins
        cut = next((at for at, line in enumerate(header) if line.text.startswith("##") or _start(line)), len(header))
        while cut and _is(header[cut - 1], "plain_heading", "counted_heading"):
            cut -= 1  # the headings above the first article; of a table of contents, which is before them, too
        header, body = header[:cut], header[cut:]
    return header, body


def _marked_titles(header: list[_Line]) -> tuple[list[_Line], list[str]]:
    """The lines of a header without its front matter, and the titles that are marked: in front matter, by a sign before
    them, or by a line of signs below them."""
    kept, titles = list(header), list[str]()
    if header and _is(header[0], "front_matter"):
        end = next((at for at, line in enumerate(header[1:], 1) if _is(line, "front_matter")), 0)
        fields = (pattern("statutes", "front_title").match(line.text) for line in header[1:end])
        titles += [one["title"] for one in fields if one is not None]
        kept = header[end + 1 :] if end else header
    for at, line in enumerate(kept):
        if (heading := pattern("statutes", "title").match(line.text)) is not None:
            titles.append(heading["title"])
        elif _is(line, "underline"):
            titles += filter(None, [_above(kept[:at], line.number)])
    return kept, list(dict.fromkeys(map(_joined, titles)))


def _above(lines: list[_Line], number: int) -> str:
    """The lines that stand right above a line, as one; "" where there are none, or where they are a whole text."""
    words = ""
    for line in reversed(lines[-_TITLE_LINES:]):
        if line.number != number - 1 or _is(line, "ends_sentence"):
            break
        words, number = line.text + words, line.number
    return words.strip("* ")


def _plain_title(header: list[_Line]) -> str:
    """The title of a law that no sign marks as one: a line, or several from the issuer on; "" where none looks so."""
    found = []
    for at, line in enumerate(header):
        words = "".join(_unquoted(line.text.strip("*# ")).split())
        for other in header[at + 1 : at + 3]:
            if pattern("statutes", "plain_title").match(words) or not official(words):
                break
            further = "".join(other.text.strip("*# ").split())
            if pattern("statutes", "title_goes_on").match(further) or (
                line.text == header[0].text and pattern("statutes", "plain_title").match(words + further)
            ):
                words += further
        if pattern("statutes", "plain_title").match(words):
            found.append(words)
    return next((title for title in found if official(title)), found[0] if found else "")


def _unquoted(title: str) -> str:
    """A title without the marks around the whole of it."""
    quoted = pattern("statutes", "quoted_title").match(title.strip("* "))
    return quoted["title"] if quoted is not None else title


def _joined(title: str) -> str:
    """A title without the spaces that stretch it: 第四章 肖像权."""
    words = "".join(title.split())
    numbered = pattern("statutes", "numbered_heading").match(words)
    return f"{numbered[1]} {numbered[2]}".strip() if numbered is not None else words


# ---- dates -----------------------------------------------------------------------------------------------------------


def _iso(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _date(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def _dates(text: str) -> list[date]:
    return [day for match in pattern("statutes", "date").finditer(text) if (day := _date(match)) is not None]


def _events(header: list[_Line], named: date | None) -> tuple[LawEvent, ...]:
    """When the law was made and changed, oldest first, as its header and the name of its file say."""
    adopted, published = set[date](), named
    for line in header:
        text = pattern("statutes", "titles").sub("", line.text[:_LONGEST])
        text = pattern("statutes", "in_force_from").sub("", text)
        dates = _dates(text)
        if not dates or pattern("statutes", "in_force").match(text):
            continue
        if pattern("statutes", "published").search(text) and not pattern("statutes", "adopted").search(text):
            published = max(dates)
        else:
            adopted.add(max(dates))  # of two bodies that adopted it together, the later
    if not adopted:
        return (LawEvent(published, published=published),) if published is not None else ()
    days = sorted(adopted)
    last = LawEvent(days[-1], published=published if published is not None and published >= days[-1] else None)
    return (*map(LawEvent, days[:-1]), last)


def _in_force(header: list[_Line], closing: tuple[Article, ...], events: tuple[LawEvent, ...]) -> tuple[LawEvent, ...]:
    """The events with the days on which they took effect, where the header or the closing articles say."""
    stated: dict[int, date] = {}
    text = "\n".join(article.text[:_LONGEST] for article in closing)
    for stated_day in pattern("statutes", "from_date").finditer(text):
        day = _date(stated_day)
        # A consolidated text still says when the law first came into force: the day belongs to the act before it.
        before = [at for at, event in enumerate(events) if day is not None and event.adopted <= day]
        if day is not None and before:
            stated[before[-1]] = day
    if pattern("statutes", "from_publication").search(text):
        stated.setdefault(0, events[0].published or events[0].adopted)
    for line in header:
        text = line.text[:_LONGEST]
        named = pattern("statutes", "in_force").match(text) or pattern("statutes", "in_force_from").search(text)
        if named is not None and (day := _date(named)) is not None:
            stated[len(events) - 1] = day
    return tuple(replace(event, in_force=stated.get(at)) for at, event in enumerate(events))


def _repeals(name: str, closing: tuple[Article, ...], events: tuple[LawEvent, ...]) -> Iterator[Repeal]:
    """The laws that this one says it ends, as it names them; among them may be its own earlier version."""
    for article in closing:
        text = article.text[:_LONGEST]
        for sentence in pattern("statutes", "repeals").finditer(text):
            titles = list(pattern("statutes", "repealed_title").finditer(sentence["titles"]))
            between = pattern("statutes", "repealed_title").split(sentence["titles"])[::2]
            if not all(pattern("statutes", "between_titles").match(words) for words in between):
                continue
            stated = pattern("statutes", "from_date").search(text)
            day = (_date(stated) if stated is not None else None) or events[0].since
            for title in titles:
                yield Repeal(title[1].strip()[:MAX_NAME], day, name)


# ---- articles --------------------------------------------------------------------------------------------------------


def _articles(file: str, body: list[_Line], part: str) -> tuple[tuple[Article, ...], tuple[Diagnostic, ...]]:
    starts = {start.line.number: start for line in body if (start := _start(line)) is not None}
    if not starts:
        starts = {start.line.number: start for start in _blocks(body)}
    begun, problems = _in_order(file, list(starts.values()))
    path: list[tuple[int, str]] = [(0, part)]
    articles: list[Article] = []
    current: tuple[_Start, tuple[str, ...], list[str]] | None = None
    closed = False  # after a heading nothing belongs to an article until the next begins
    for line, following in zip_longest(body, body[1:]):
        start = begun.get(line.number)
        counted = following is not None and following.number in begun and _is(line, "counted_heading")
        if start is not None:
            articles += _ended(current)
            current, closed = (start, tuple(title for _, title in path if title), [start.text]), False
        elif counted or _is(line, "heading", "plain_heading", "break"):
            closed = True
            path = _below(path, line)
        elif _is(line, "note", "annex"):
            closed = True
        elif current is not None and not closed:
            current[2].append(line.text)
    return (*articles, *_ended(current)), tuple(problems)


def _start(line: _Line) -> _Start | None:
    match = pattern("statutes", "article").match(line.text)
    if match is None:
        return None
    main, sub = ordinal(match["main"]), ordinal(match["sub"]) if match["sub"] else 0
    if not main or sub is None:
        return None
    spaced = bool(match["before"] or match["after"] or match["title"] or not match["text"])
    if not spaced and pattern("statutes", "mention").match(match["text"]):
        return None
    return _Start(line, ArticleNumber(main, sub), match["title"] or "", match["text"], spaced)


def _blocks(body: list[_Line]) -> Iterator[_Start]:
    """The numbered paragraphs of a reply or decision that has no articles."""
    expected = 1
    for line in body:
        match = pattern("statutes", "block").match(line.text)
        if match is not None and ordinal(match["main"]) == expected:
            yield _Start(line, ArticleNumber(expected), "", line.text, True)
            expected += 1


def _in_order(file: str, starts: list[_Start]) -> tuple[Mapping[int, _Start], list[Diagnostic]]:
    """The starts that are articles, by line. One out of order is a sentence that begins with a reference."""
    begun: dict[int, _Start] = {}
    problems: list[Diagnostic] = []
    last_seen = {start.number: at for at, start in enumerate(starts)}
    last: ArticleNumber | None = None
    for at, start in enumerate(starts):
        follows = _follows(last, start.number)
        if not follows and last is not None:
            awaited = (ArticleNumber(last.main + 1), ArticleNumber(last.main, last.sub + 1))
            comes_later = any(last_seen.get(number, -1) > at for number in awaited)
            if start.number <= last or comes_later or not start.sure:
                if start.sure:
                    problems.append(_misplaced(file, start, last))
                continue
            problems.append(_misplaced(file, start, last))
        elif not follows and not start.sure:
            continue
        begun[start.line.number] = start
        last = start.number
    return begun, problems


def _follows(last: ArticleNumber | None, number: ArticleNumber) -> bool:
    if last is None:
        return number == ArticleNumber(1)
    return number in (ArticleNumber(last.main + 1), ArticleNumber(last.main, last.sub + 1))


def _misplaced(file: str, start: _Start, last: ArticleNumber) -> Diagnostic:
    return diagnose.discontinuous_articles(
        Span(file, start.line.number, 1, 1), article=str(start.number), last=str(last)
    )


def _is(line: _Line, *keys: str) -> bool:
    """Whether the line begins as one of these patterns says."""
    return any(pattern("statutes", key).match(line.text) for key in keys)


def _below(path: list[tuple[int, str]], line: _Line) -> list[tuple[int, str]]:
    """The headings above what follows."""
    level = len(line.text) - len(line.text.lstrip("#"))
    if not level and not _is(line, "break"):
        plain = pattern("statutes", "plain_heading").match(line.text)
        level = table("statutes")["levels"][(plain["level"] if plain is not None else "") or ""]
    title = _joined(line.text.lstrip("#"))[:MAX_NAME]
    return [*(heading for heading in path if heading[0] < level), (level, title)] if level else path


def _ended(current: tuple[_Start, tuple[str, ...], list[str]] | None) -> Iterator[Article]:
    if current is not None:
        start, path, lines = current
        deleted = len(lines) == 1 and pattern("statutes", "deleted").match(lines[0]) is not None
        yield Article(start.number, _paragraphs(lines), path, start.title, deleted)


# ---- paragraphs and items --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    """A paragraph, item or point being gathered."""

    n: int
    text: str
    parts: list[_Part]


def _paragraphs(lines: list[str]) -> tuple[Paragraph, ...]:
    """Lines of an article as paragraphs; marked lines are items of the paragraph before, counted ones points."""
    parts: list[_Part] = []
    for line in _split(lines if lines[0] else lines[1:]):  # the number may stand on a line of its own
        item, point = _marked(line, "item"), _marked(line, "point")
        if item is not None and parts:
            _rejoin(parts, item.n)
            parts[-1].parts.append(item)
        elif point is not None and parts:
            above = parts[-1]
            (above.parts[-1].parts if above.parts and not _is_point(above) else above.parts).append(point)
        else:
            parts.append(_Part(len(parts) + 1, line, []))
    return tuple(Paragraph(part.n, part.text, _items(part.parts)) for part in parts)


def _rejoin(parts: list[_Part], n: int) -> None:
    """Lines between two items of one list belong to the item before; they become points without a number."""
    last = next((at for at in reversed(range(len(parts))) if parts[at].parts), None)
    if n > 1 and last is not None and last < len(parts) - 1 and parts[last].parts[-1].n == n - 1:
        parts[last].parts[-1].parts += (_Part(0, part.text, []) for part in parts[last + 1 :])
        del parts[last + 1 :]


def _items(parts: Iterable[_Part]) -> tuple[ArticleItem, ...]:
    return tuple(ArticleItem(part.n, part.text, _items(part.parts)) for part in parts)


def _is_point(paragraph: _Part) -> bool:
    """Whether what hangs on the paragraph are points, not items: 1. 2. 3. right below it."""
    return _marked(paragraph.parts[0].text, "item") is None


def _marked(line: str, kind: str) -> _Part | None:
    """The item or point that a line is, by the mark that it begins with."""
    head = unicodedata.normalize("NFKC", line[:8])  # ⒈ and ⑴ are marks too
    mark = pattern("statutes", kind).match(head)
    number = ordinal(mark["n"]) if mark is not None else None
    return _Part(number, line, []) if number else None


def _split(lines: list[str]) -> Iterator[str]:
    """Items that stand within a line, taken apart: 有下列情形之一的：（一）……；（二）……"""
    for line in lines:
        pieces = pattern("statutes", "inner_item").split(line)
        marks = [part.n for piece in pieces if (part := _marked(piece, "item")) is not None]
        yield from pieces if len(marks) > 1 and marks == list(range(1, len(marks) + 1)) else [line]


# ---- amendments ------------------------------------------------------------------------------------------------------


def _amended(name: str, event: LawEvent, body: list[_Line]) -> LawEvent:
    """What an amending act touches, and from when on."""
    text = "\n".join(line.text for line in body)
    stated = pattern("statutes", "from_date").search(text)
    in_force = _date(stated) if stated is not None else None
    if in_force is None and pattern("statutes", "from_publication").search(text):
        in_force = event.published or event.adopted
    return replace(event, in_force=in_force, articles=frozenset(_touched(body)) or None, name=name)


def _touched(body: list[_Line]) -> Iterator[ArticleNumber]:
    """The articles that the instructions name. The quotations are the new words of the law, not instructions."""
    for line in body:
        if pattern("statutes", "quotation").match(line.text):
            continue
        start = _start(line)
        instruction = pattern("statutes", "quote_begins").split(
            start.text if start is not None and start.sure else line.text, 1
        )[0]
        instruction = pattern("statutes", "anchor").sub("", instruction)
        if pattern("statutes", "instruction").search(instruction):
            for match in pattern("statutes", "amended_article").finditer(instruction):
                main, sub = ordinal(match["main"]), ordinal(match["sub"] or "")
                if main:
                    yield ArticleNumber(main, sub or 0)
