"""One line of the mini-language into words: keywords, names, tokens, numbers, marks.

A Chinese run of characters without spaces is cut by the longest match over keywords and declared names; what matches
nothing is a name that nobody declared, up to the next match. English words end where their letters end. Where a run
could be cut otherwise, `readings` gives the other ways, for the parser to try.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, product
from typing import Final, cast

from lark import Token

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .keywords import (
    BRACKETS,
    COLONS,
    KEYWORDS,
    MARKS,
    NUMBER_HOLE,
    OPERATORS,
    QUOTES,
    ROLE_HOLE,
    SOFT,
    WRONG_BRACKETS,
    YIELDING,
)
from .norm_words import FORMULA_STARTS
from .quantities import amount, numeral

MOST_READINGS: Final = 32
MOST_TURNS: Final = 100_000
MOST_DIGITS: Final = 15  # more would lose digits on the way


class Word(Token):
    """A terminal of the grammar, for Lark. `declared`: a keyword, or a name that the file declares."""

    __slots__ = ("declared", "span")

    declared: bool
    span: Span

    def __new__(cls, kind: str, text: str, span: Span, declared: bool = True) -> Word:
        word = cast(Word, super().__new__(cls, kind, text))
        word.span = span
        word.declared = declared
        return word


Piece = tuple[str, int, int]  # kind ("" = a name nobody declared), start, end
Run = tuple[int, int, int, int]  # characters [start, end) without spaces, which are pieces [first, last)

_SIGNS = "|".join(re.escape(sign) for sign in sorted(OPERATORS, key=len, reverse=True))
_QUOTED = "|".join(rf"{a}[^{a}{b}\n]*{b}" for a, b in zip(QUOTES[::2], QUOTES[1::2], strict=True))
_TOKEN = "|".join(f"{left}[^{left[0]}{right[0]}]*{right}" for left, right in BRACKETS)
_NOT_IN_TOKENS: Final = "{}\n" + "".join(left[0] + right[0] for left, right in BRACKETS)
_SCAN: Final = re.compile(
    rf"""[^\S\n]*(?:(?P<latin>[A-Za-z_][A-Za-z0-9_]*)|(?P<run>[^\W\dA-Za-z_]+)|(?P<number>\d+(?:\.\d+)?)
    |(?P<token>{_TOKEN})|(?P<quoted>{_QUOTED})|(?P<brace>\$?{{{{|}}}}|\$\{{)|(?P<sign>{_SIGNS})
    |(?P<owner>(?<=[^\s'\u2019])['\u2019]s(?![A-Za-z0-9_])|(?<=s)['\u2019](?![^\W_]))
    |(?P<mark>[{re.escape("".join(MARKS))}])|(?P<other>.))""",
    re.VERBOSE | re.DOTALL,
)
_LATIN: Final = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_RUN: Final = re.compile(r"[^\W\dA-Za-z_]+")
_PLACE: Final = re.compile(r"[^\S\n]*([^\s/]+(?:/[^\s/]+)+)")  # of a step, as in `FIT/debate/5.present`
_DAY: Final = re.compile(r"[^\S\n]*(\d{4}-\d\d-\d\d)(?!\d)")
_FREE: Final = frozenset({"ONCE", "BEGINS", "NEVER", "ONBEHALF"})
_NUMBERS: Final = (frozenset({"NUMBER"}), frozenset({"NUMBER", "NAME"}))
_ARTICLES: Final = frozenset({"the", "a", "an"})
_NAMING_WITH_ARTICLES: Final = frozenset(
    {"head", "condition", "actor", "actors", "field", "assignees", "off_the_record"}
)
_COUNTED: Final = frozenset(
    {"REPEAT", "SAMPLE", "DRAWN", "ATLEAST", "ATMOST", "AFTERWARDS", "STARTING", "BEFOREHAND", "WITHIN"}
)


class Vocabulary:
    """The words that one kind of field may hold: its keywords and the declared names.

    `first`: first character of a Chinese word -> lengths of such words, longest first. `phrases`: first English word or
    first Chinese character -> phrases, longest first. `odd`: names that are neither one English word nor one run.
    """

    def __init__(self, start: str, terminals: frozenset[str], names: Collection[str]) -> None:
        keywords, lengths, self.phrases = _keywords(terminals)
        self.words: dict[str, str] = {**dict.fromkeys(names, "NAME"), **keywords}
        for word in YIELDING.intersection(names):
            self.words[word] = "NAME"
        yielding = {word.split()[0] for word in YIELDING if " " in word}.intersection(names)
        self.phrases = {first: found for first, found in self.phrases.items() if first not in yielding}
        self.names = names
        self.counted = start == "limit"
        self.free = start == "check"
        self.places = start == "change"
        self.days = start in FORMULA_STARTS
        self.possessive = "POSSESSIVE" in terminals
        self.articles = _ARTICLES if start in _NAMING_WITH_ARTICLES else frozenset[str]()
        self.soft: Mapping[str, frozenset[str]] = {} if start in FORMULA_STARTS else SOFT
        odd = []
        found: dict[str, set[int]] = {first: set(known) for first, known in lengths.items()}
        for name in names:
            if _RUN.fullmatch(name):
                found.setdefault(name[0], set()).add(len(name))
            elif name and not _LATIN.fullmatch(name):
                odd.append(name)
        self.first = {first: tuple(sorted(known, reverse=True)) for first, known in found.items()}
        self.odd = tuple(sorted(odd, key=lambda name: (-len(name), name)))

    def longest(self, text: str, at: int, end: int) -> int:
        """Length of the longest word of a run that begins at `at`; 0 for none."""
        for length in self.first.get(text[at], ()):
            if at + length <= end and text[at : at + length] in self.words:
                return length
        return 0

    def lengths(self, text: str, at: int, end: int) -> Iterator[int]:
        """Lengths of all words of a run that begin at `at`, longest first."""
        for length in self.first.get(text[at], ()):
            if at + length <= end and text[at : at + length] in self.words:
                yield length


Phrases = Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]


@cache
def _keywords(terminals: frozenset[str]) -> tuple[dict[str, str], dict[str, frozenset[int]], Phrases]:
    """The keywords among some terminals: spelling -> terminal, lengths by first character, phrases."""
    words: dict[str, str] = {}
    lengths: dict[str, set[int]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind in sorted(terminals & KEYWORDS.keys()):
        for spelling in (*KEYWORDS[kind].en, *KEYWORDS[kind].zh):
            parts = tuple(spelling.split())
            if len(parts) > 1:
                phrases.setdefault(parts[0] if spelling.isascii() else spelling[0], []).append((parts, kind))
            if not spelling.isascii():
                words["".join(parts)] = kind
                lengths.setdefault(spelling[0], set()).add(len("".join(parts)))
            elif len(parts) == 1:
                words[spelling] = kind
    longest = {
        first: tuple(sorted(found, key=lambda entry: -len("".join(entry[0])))) for first, found in phrases.items()
    }
    return words, {first: frozenset(found) for first, found in lengths.items()}, longest


class Line:
    """The words of one line: `words` by longest match, `readings` cut otherwise, `problems` that stand in the way."""

    def __init__(self, text: str, origin: Span, vocabulary: Vocabulary) -> None:
        self.text = text
        self.origin = origin
        self.vocabulary = vocabulary
        self.problems: list[Diagnostic] = []
        self.pieces: list[Piece] = []
        self.runs: list[Run] = []
        self._scan()

    def words(self) -> list[Word]:
        return self._settled(self.pieces)

    def freed(self) -> list[Word] | None:
        """With declared names as names even where keywords of the same spelling could stand; None if there are none."""
        words = self.words()
        names = [
            word.type != "NAME" and word in self.vocabulary.soft and word in self.vocabulary.names for word in words
        ]
        changed = [
            Word("NAME", str(word), word.span) if free else word for word, free in zip(words, names, strict=True)
        ]
        return changed if any(names) else None

    def readings(self) -> Iterator[list[Word]]:
        """Other ways to cut runs into declared names and keywords, at most MOST_READINGS."""
        open_runs = [run for run in self.runs if self._divisible(run)]
        cuts = [tuple(islice(self._cuts(start, end), MOST_READINGS)) for start, end, _, _ in open_runs]
        mine = tuple(tuple(self.pieces[first:last]) for _, _, first, last in open_runs)
        for chosen in islice(product(*((own, *cut) for own, cut in zip(mine, cuts, strict=True))), 4 * MOST_READINGS):
            if chosen != mine:
                yield self._settled(self._replaced(open_runs, chosen))

    def joined(self) -> Iterator[list[Word]]:
        """With unknown pieces read as parts of longer unknown names: with the names beside them, then whole runs."""
        unknown = [run for run in self.runs if any(not kind for kind, _, _ in self.pieces[run[2] : run[3]])]
        soft = [run for run in self.runs if any(map(self._may_be_part, self.pieces[run[2] : run[3]]))]
        for runs in ([unknown] if unknown else []) + ([soft] if soft != unknown else []):
            yield self._settled(self._replaced(runs, [self._merged(run) for run in runs]))
            yield self._settled(self._replaced(runs, [(("", start, end),) for start, end, _, _ in runs]))

    # ---- from characters to pieces -----------------------------------------------------------------------------------
    def _scan(self) -> None:
        text, scan, known = self.text, _SCAN.match, self.vocabulary.words
        add, at, end = self.pieces.append, 0, len(self.text)
        while at < end:
            if self.vocabulary.odd and (name := self._odd(at)):
                add(name)
                at = name[2]
                continue
            if self.vocabulary.places and (place := _PLACE.match(text, at)):
                add(("NAME", place.start(1), place.end()))
                at = place.end()
                continue
            if self.vocabulary.days and (day := _DAY.match(text, at)):
                add(("DAY", day.start(1), day.end()))
                at = day.end()
                continue
            found = scan(text, at)
            if found is None:  # trailing spaces
                return
            group = found.lastgroup or ""
            start, at = found.span(group)
            if group == "latin":
                at, kind = self._phrase(text[start:at], start, at)
                add((kind or known.get(text[start:at], ""), start, at))
            elif group == "run":
                at = self._run(start, at)
            elif group == "number" and at - start <= MOST_DIGITS:
                add(("NUMBER", start, at))
            elif group == "owner" and self.vocabulary.possessive:
                add(("POSSESSIVE", start, at))
            elif group == "mark":
                add((MARKS[text[start]], start, at))
            else:
                self._special(group, start, at)
            if self.vocabulary.free and self.pieces and self.pieces[0][0] in _FREE:
                return self._rest()

    def _odd(self, at: int) -> Piece | None:
        """The declared name of several words or mixed characters that comes next, if one does."""
        text = self.text
        while at < len(text) and text[at].isspace():
            at += 1
        for name in self.vocabulary.odd:
            if text.startswith(name, at):
                after = text[at + len(name) : at + len(name) + 1]
                if not (_is_latin(name[-1]) and _is_latin(after)):
                    return "NAME", at, at + len(name)
        return None

    def _phrase(self, key: str, start: int, end: int) -> tuple[int, str]:
        """Where a phrase of several words that begins at `start` ends, and its terminal; (`end`, "") without one."""
        text = self.text
        for parts, kind in self.vocabulary.phrases.get(key, ()):
            at = start
            for part in parts:
                while at > start and at < len(text) and text[at] in " \t\u3000":
                    at += 1
                if not text.startswith(part, at):
                    break
                at += len(part)
            else:
                if at > end and not (_is_latin(parts[-1][-1]) and _is_latin(text[at : at + 1])):
                    return at, kind
        return end, ""

    def _run(self, start: int, end: int) -> int:
        """Add the pieces of a Chinese run; where the reading goes on."""
        at, kind = self._phrase(self.text[start], start, end)
        if not kind:
            kind = self.vocabulary.words.get(self.text[start:end], "")
        if kind:
            self.pieces.append((kind, start, at))
            return at
        first, unknown, at = len(self.pieces), start, start
        while at < end:
            length = self.vocabulary.longest(self.text, at, end)
            if length and not self._ends_a_name(unknown, at, length):
                if unknown < at:
                    self.pieces.append(("", unknown, at))
                self.pieces.append((self.vocabulary.words[self.text[at : at + length]], at, at + length))
                at += length
                unknown = at
            else:
                at += 1
        if unknown < end:
            self.pieces.append(("", unknown, end))
        if len(self.pieces) - first > 1:
            self.runs.append((start, end, first, len(self.pieces)))
        return end

    def _ends_a_name(self, unknown: int, at: int, length: int) -> bool:
        """Whether a word that counts things (15 *days*) stands behind what is no number: then it is part of a name."""
        before = self.vocabulary.soft.get(self.text[at : at + length])
        return before in _NUMBERS and unknown < at and numeral(self.text[unknown:at]) is None

    def _special(self, group: str, start: int, end: int) -> None:
        """Tokens and quoted names, and every sign that has no place in a sentence."""
        text, word = self.text, self.text[start:end]
        place = self.origin.shifted(start, end - start)
        if group == "token":
            problem = token_problem(word, place)
            self.pieces.append(("TOKEN", start, end))
            self.problems += [problem] if problem else []
        elif group == "quoted" and word[1:-1].strip():
            self.pieces.append(("QUOTED", start, end))
        elif group == "number":
            self.problems.append(diagnose.number_out_of_range(place, found=word, most=10**MOST_DIGITS - 1))
        elif group == "sign":
            en, zh = OPERATORS[word]
            self.problems.append(diagnose.program_operator(place, sign=word, en=en[0], zh=zh[0]))
        elif group == "brace":
            self.problems.append(diagnose.braces_in_sentence(place, sign=word))
        elif word in WRONG_BRACKETS or any(word in pair for pair in BRACKETS):
            self.problems.append(diagnose.invalid_token(place))
        elif word not in COLONS:
            self.problems.append(diagnose.unexpected_sign(place, sign=word))
        elif text[end:].strip():  # a colon at the very end says no more than that a cue follows
            self.problems.append(diagnose.colon_in_sentence(place, sign=word, rest=text[end:].strip()))

    def _rest(self) -> None:
        """What follows `once`, `never`, `begins with` is text, whatever it holds; `以 … 开头` ends with a word."""
        del self.pieces[1:]
        self.runs.clear()
        self.problems.clear()
        kind, _, start = self.pieces[0]
        rest = self.text[start:].rstrip()
        last = next((word for word in KEYWORDS["OPENS"].zh if rest.endswith(word)), "") if kind == "ONBEHALF" else ""
        body = rest[: len(rest) - len(last)].rstrip()
        start += len(body) - len(body.lstrip())
        body = body.strip()
        if len(body) > 2 and QUOTES.find(body[0]) % 2 == 0 and body[-1] == QUOTES[QUOTES.find(body[0]) + 1]:
            start, body = start + 1, body[1:-1]
        if body:
            self.pieces.append(("TEXT", start, start + len(body)))
        if last:
            end = self.pieces[0][2] + len(rest)
            self.pieces.append(("OPENS", end - len(last), end))

    # ---- other ways to cut -------------------------------------------------------------------------------------------
    def _divisible(self, run: Run) -> bool:
        """Whether a word of the run begins with a shorter word: else the longest match is the only one."""
        words, text = self.vocabulary.words, self.text
        return any(
            text[start : start + length] in words
            for kind, start, end in self.pieces[run[2] : run[3]]
            if kind
            for length in range(1, end - start)
        )

    def _cuts(self, start: int, end: int) -> Iterator[tuple[Piece, ...]]:
        """Every way to cut a run into declared names and keywords alone."""
        dead: set[int] = set()

        def cut(at: int) -> Iterator[tuple[Piece, ...]]:
            if at == end:
                yield ()
                return
            if at in dead:
                return
            alive = False
            for length in self.vocabulary.lengths(self.text, at, end):
                piece = (self.vocabulary.words[self.text[at : at + length]], at, at + length)
                for rest in cut(at + length):
                    alive = True
                    yield (piece, *rest)
            if not alive:
                dead.add(at)

        return cut(start)

    def _may_be_part(self, piece: Piece) -> bool:
        """Whether a piece can be part of a longer name that nobody declared."""
        kind, start, end = piece
        return not kind or self.text[start:end] in self.vocabulary.soft

    def _merged(self, run: Run) -> tuple[Piece, ...]:
        """The pieces of a run with each unknown one joined to the names that touch it."""
        merged: list[Piece] = []
        for kind, start, end in self.pieces[run[2] : run[3]]:
            kind = "" if self.text[start:end] in self.vocabulary.soft else kind
            if merged and kind in ("", "NAME") and merged[-1][0] in ("", "NAME") and "" in (kind, merged[-1][0]):
                merged[-1] = ("", merged[-1][1], end)
            else:
                merged.append((kind, start, end))
        return tuple(merged)

    def _replaced(self, runs: list[Run], cuts: Iterable[tuple[Piece, ...]]) -> list[Piece]:
        pieces, done = [], 0
        for (_, _, first, last), cut in zip(runs, cuts, strict=True):
            pieces += [*self.pieces[done:first], *cut]
            done = last
        return pieces + self.pieces[done:]

    def _names(self, *following: Piece) -> bool:
        """Whether what follows an article is a name: a word of the language is none, unless it is declared as one."""
        for kind, start, end in following:
            word = self.text[start:end]
            return kind in ("", "NAME", "QUOTED") or (word in self.vocabulary.soft and word in self.vocabulary.names)
        return False

    # ---- from pieces to words ----------------------------------------------------------------------------------------
    def _settled(self, pieces: list[Piece]) -> list[Word]:
        """Words whose kind depends on the word before: soft keywords, names below a field, Chinese numerals."""
        words: list[Word] = []
        text, origin, before = self.text, self.origin, ""
        soft = self.vocabulary.soft
        for number, (kind, start, end) in enumerate(pieces):
            word, declared = text[start:end], bool(kind)
            if (
                kind in ("", "NAME")
                and word.lower() in self.vocabulary.articles
                and self._names(*pieces[number + 1 : number + 2])
            ):
                continue
            if kind == "QUOTED":
                kind, word, declared = "NAME", word[1:-1].strip(), word[1:-1].strip() in self.vocabulary.names
            elif kind in KEYWORDS and (before == "DOT" or (word in soft and before not in soft[word])):
                kind, declared = "NAME", word in self.vocabulary.names
            elif kind == "" and before == "NUMBER" and amount(words[-1] + word) is not None:  # 5 万, 50 万元
                start = words.pop().span.column - origin.column
                kind, word = "NUMBER", text[start:end]
            elif kind == "":
                counted = before in _COUNTED or (self.vocabulary.counted and not words)
                kind = "NUMBER" if counted and amount(word) is not None else "NAME"
            words.append(Word(kind, word, origin.shifted(start, end - start), declared))
            before = kind
        return words


def token_problem(text: str, place: Span) -> Diagnostic | None:
    """What is wrong with a token as written, brackets included; None if nothing."""
    inside = token_words(text)
    hole = ROLE_HOLE if ROLE_HOLE in inside else NUMBER_HOLE
    plain = inside.replace(hole, "", 1)
    if inside and not any(character in plain for character in _NOT_IN_TOKENS):
        return None
    return diagnose.invalid_token(place)


def token_words(text: str) -> str:
    """What stands between the brackets of a token; "" where it has none around it."""
    for left, right in BRACKETS:
        if text.startswith(left) and text.endswith(right) and len(text) > len(left + right):
            return text[len(left) : -len(right)].strip()
    return ""


def _is_latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")
