"""Where a line stops making sense: what should have stood there, as a problem in plain words.

The parser says what could have come next; which sentence says so depends on the word before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypedDict

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from ..spelling import nearest
from .grammar import END
from .keywords import ANY_NAME, COUNTS, KEYWORDS, NOUNS, ONWARD, SHOWN, VERBS
from .lexer import Line, Word
from .norm_words import FORMULA_STARTS

_OPENERS: Final = (
    "IF",
    "ELSE",
    "REPEAT",
    "FOREACH",
    "PERFORM",
    "ASSIGN",
    "TAKE",
    "SAMPLE",
    "REOPEN",
    "ENDSTAGE",
    "ENDCASE",
)
_BEFORE_ACTOR: Final = frozenset(
    {"ASKS", "TOWARD", "TO", "MODERATES", "DRIVES", "OF", "AS", "ONBEHALF", "OPPOSINGOF", "COMMA", "AND"}
)
_BEFORE_VALUE: Final = frozenset({"IS", "ISNOT", "NOT"})
_PLACES: Final = frozenset({"cell", "change"})  # where `after` and `before` mean a place, and elsewhere a day
_AMONG_DAYS: Final = {
    **dict.fromkeys(("AFTER", "BEFORE", "SINCE"), "LATER"),
    **dict.fromkeys(("AFTERWARDS", "BEFOREHAND"), "STARTING"),
}
_FORMS: Final = ("YESNO", "ONEOF", "ANUMBER", "ALIST", "ATEXT")
_LINKS: Final = frozenset({"OF", "DE", "DOT", "COMMA", "AND", "OR", "ONBEHALF", END})


MOST_LISTED: Final = 9  # words named as possible in one message


class Listing(TypedDict):
    words_en: str
    words_zh: str


def listing(kinds: Iterable[str]) -> Listing:
    """The preferred spellings of some terminals, quoted, as one text for each language."""
    shown = [SHOWN[kind] for kind in kinds]
    en = [words.en[0] for words in shown if words.en] or [words.zh[0] for words in shown]
    zh = [words.zh[0].replace(" ", "") for words in shown if words.zh] or en
    return {
        "words_en": ", ".join(f"“{word}”" for word in en[:MOST_LISTED]),
        "words_zh": "、".join(f"“{word}”" for word in zh[:MOST_LISTED]),
    }


class Stuck(NamedTuple):
    """A line of a start symbol that makes no sense from word `at` on (the number of words: it ends too early)."""

    start: str
    at: int


class _Gap(NamedTuple):
    """Where a line is stuck: the words on both sides, what could stand here, and the rest of the line from here on."""

    start: str
    before: Word | None
    found: Word | None
    wanted: frozenset[str]
    place: Span
    rest: str

    @property
    def after(self) -> str:
        return str(self.before) if self.before else ""

    @property
    def word(self) -> str:
        return str(self.found) if self.found else ""

    def two_names(self) -> bool:
        """Two names with nothing between them, the second one declared."""
        if self.before is None or self.found is None:
            return False
        return self.before.type == self.found.type == "NAME" and self.found.declared


def explain(stuck: Stuck, words: list[Word], line: Line, wanted: frozenset[str]) -> Diagnostic:
    """Why the words of a line do not parse, at the word where they stop. `wanted`: what could stand there."""
    if stuck.start == "head" and (problem := _opener(words[0])):
        return problem
    if [word.type for word in words] == ["SAMPLE", "NAME"]:  # `sample evidence`: how many is lacking, not of what
        stuck = stuck._replace(at=1)
    if stuck.start == "answer" and _is_form(words[0]):
        form = line.text.strip()
        return diagnose.unnamed_answer(
            words[0].span, form=form if words[0].type != "IS" else form.split(maxsplit=1)[-1]
        )
    before = words[stuck.at - 1] if stuck.at else None
    found = words[stuck.at] if stuck.at < len(words) else None
    last = words[-1].span
    place = found.span if found else last.shifted(last.length, 0)
    gap = _Gap(stuck.start, before, found, wanted, place, line.text[place.column - line.origin.column :])
    return _at_start(stuck.start, gap) if before is None else _after(before, gap)


def meant_onward(words: list[Word], line: Line) -> Diagnostic | None:
    """A sentence that begins with `continue` or the like and a place: how going on is written. None for any other."""
    first, rest = words[0], [word for word in words[1:] if word.type not in ("TO", "WITH", "TOWARD")]
    if first.type != "NAME" or first.declared or first not in ONWARD or not rest:
        return None
    place = line.text[rest[0].span.column - line.origin.column :].strip()
    return diagnose.meant_onward(first.span, word=str(first), place=place)


def _is_form(word: Word) -> bool:
    """Whether a word says what an answer may be, and is no name."""
    spelling = " ".join(str(word).split())
    return word.type in ("IS", *_FORMS) or (not word.declared and spelling in _spellings(_FORMS))


# ---- which sentence --------------------------------------------------------------------------------------------------
def _at_start(start: str, gap: _Gap) -> Diagnostic:
    if start in FORMULA_STARTS and "LPAR" in gap.wanted:
        return diagnose.expected_formula(gap.place)
    match start:
        case "head":
            return diagnose.expected_actor(gap.place, found=gap.word)
        case "condition":
            return diagnose.expected_condition(gap.place)
        case "actor" | "actors" | "assignees" | "off_the_record":
            return diagnose.expected_role(gap.place)
    if start == "share":
        return _noun("BALLOTS", gap)
    if start in ("limit", "range"):
        return _noun("REPEAT" if start == "limit" else "UPTO", gap)
    return _noun("", gap) if "NAME" in gap.wanted else _keyword(gap)


def _after(before: Word, gap: _Gap) -> Diagnostic:
    """The sentence for what may follow `before`."""
    wanted = gap.wanted
    both = frozenset({"AND", "OR"})
    if gap.found is not None and gap.found.type in both and wanted & (both - {gap.found.type}):
        return diagnose.mixed_and_or(gap.place)
    if wanted == {"TOKEN"}:
        return diagnose.invalid_token(gap.place)
    if wanted & set(VERBS):
        return _verb(gap)
    if "LPAR" in wanted and gap.start in FORMULA_STARTS:
        return diagnose.expected_formula(gap.place)
    if "LPAR" in wanted:
        return diagnose.expected_condition(gap.place)
    if before.type in _BEFORE_VALUE and "EMPTY" in wanted:
        return diagnose.expected_value(gap.place, after=gap.after)
    if before.type in _BEFORE_ACTOR and "NAME" in wanted and wanted <= {"NAME", "AND"}:
        return diagnose.expected_role(gap.place)
    if (
        before.type in NOUNS
        or (before.type in _AMONG_DAYS and "NUMBER" in wanted)
        or ("NAME" in wanted and "ALIST" not in wanted)
    ):
        return _noun(before.type, gap)
    return _beyond(gap)


def _noun(before: str, gap: _Gap) -> Diagnostic:
    """What should be named or counted behind a word of this kind."""
    noun = NOUNS.get(_AMONG_DAYS.get(before, before) if gap.start not in _PLACES else before, ANY_NAME)
    kind = diagnose.expected_count if before in COUNTS else diagnose.expected_term
    return kind(gap.place, what_en=noun.en[0], what_zh=noun.zh[0])


def _verb(gap: _Gap) -> Diagnostic:
    """A verb is missing: misspelt, forgotten between two names, or not there yet."""
    if gap.two_names():
        return diagnose.missing_word(gap.place, after=gap.after, found=gap.word)
    verbs = [kind for kind in VERBS if kind in gap.wanted]
    near = _near(gap.found, [*verbs, "MAY"])
    return diagnose.expected_verb(gap.place, after=gap.after, **listing(verbs), nearest=near)


def _beyond(gap: _Gap) -> Diagnostic:
    """What was read so far may be complete, or lacks a keyword."""
    near = _near(gap.found, gap.wanted)
    if gap.found is None or near is not None or END not in gap.wanted:
        return _keyword(gap)
    if gap.two_names():
        return diagnose.missing_word(gap.place, after=gap.after, found=gap.word)
    if gap.found.type == "NAME" and "IS" in gap.wanted:
        return _keyword(gap)
    whole = gap.place.shifted(0, len(gap.rest))
    return diagnose.trailing_words(whole, after=gap.after, found=gap.rest)


def _keyword(gap: _Gap) -> Diagnostic:
    shown = gap.wanted - _LINKS or gap.wanted - {"COMMA", END}
    if gap.found is None and "RPAR" in gap.wanted:
        shown = frozenset({"RPAR"})
    near = _near(gap.found, gap.wanted) or (nearest(gap.rest, _spellings(gap.wanted)) if gap.found else None)
    words = listing(kind for kind in SHOWN if kind in shown)
    only = near in words.values()  # it is all that is listed: asking whether it was meant says nothing more
    return diagnose.expected_keyword(gap.place, **words, nearest=None if only else near)


def _opener(first: Word) -> Diagnostic | None:
    """A misspelt first word of a sentence that does not begin with an actor (`repaet 3 rounds`)."""
    if first.type != "NAME" or first.declared:
        return None
    spellings = {spelling.split()[0]: spelling for kind in _OPENERS for column in KEYWORDS[kind] for spelling in column}
    near = nearest(first, sorted(spellings))
    if near is None:
        return None
    return diagnose.expected_keyword(first.span, **listing(_OPENERS), nearest=spellings[near])


# ---- parts of sentences ----------------------------------------------------------------------------------------------
def _near(found: Word | None, kinds: Collection[str]) -> str | None:
    """The spelling of one of these terminals that an unknown word may have meant."""
    if found is None or found.type != "NAME" or found.declared:
        return None
    words = _spellings(kinds)
    return nearest(found, words) or next((word for word in words if _half_alike(word, found)), None)


def _spellings(kinds: Collection[str]) -> list[str]:
    return [word for kind, spellings in KEYWORDS.items() if kind in kinds for column in spellings for word in column]


def _half_alike(word: str, other: str) -> bool:
    """Two Chinese words of two characters, one the same: too far apart for names, not for a handful of verbs."""
    return len(word) == len(other) == 2 and not word.isascii() and (word[0] == other[0]) != (word[1] == other[1])
