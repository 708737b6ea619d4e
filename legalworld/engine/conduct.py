"""Rules of conduct that a machine can check: what a spec's `conduct` says, held against words that were said."""

from __future__ import annotations

import re
from typing import assert_never

from ..language.sentences.keywords import DATES, WRITTEN_DAY
from ..model.ast import ConductCheck
from ..model.immutable import immutable
from ..model.procedure import Conduct, Document
from .handing_in import without_afterword
from .markup import Literals, first_markup
from .nearest import plain

_LIST = re.compile(
    r"^[^\S\n]*+(?:[-*•·]\s|\d++[.、)）]|[（(][一二三四五六七八九十\d]++[)）]|[一二三四五六七八九十]++、)", re.MULTILINE
)
_TABLE_OR_QUOTATION = re.compile(r"^[^\S\n]*+(?:#{1,6}\s|```|\|.*\|[^\S\n]*$|>\s)", re.MULTILINE)
_STAGE_DIRECTION = re.compile(r"(?:^|(?<=[。！？!?]))\s{0,8}[（(][^（()）\d]{1,20}[)）]", re.MULTILINE)
_SENTENCE_MARK = re.compile(r"[。！？!?]|(?<!\.)\.++(?=[\"'”’)\]]*(?:\s|\Z))")
_WORD_BEFORE = re.compile(r"(?:^|(?<=[^A-Za-z0-9.]))[A-Za-z0-9.]{1,12}\Z")
_IDEOGRAPHS = r"\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+(?:['’.,:/-][^\W_{_IDEOGRAPHS}]+)*")
_SHORT = re.compile(r"mr|mrs|ms|mx|dr|prof|rev|hon|st|messrs|vs?|e\.g|i\.e|cf|viz", re.IGNORECASE)
_SHORT_BEFORE_NUMBERS = re.compile(r"nos?|paras?|arts?|ss?|rr?|regs?|cl|pp?|ch|fig|vol|sch|pt", re.IGNORECASE)
_CLOSING = "\"'”’)] \t\n\r\u3000"
_WINDOW = 16  # characters looked at on either side of a full stop
_DAY = re.compile(WRITTEN_DAY)
_END = 400  # characters in which a document is signed and dated
_LINES_BEFORE_TITLE = 3  # a judgment names its court first


@immutable
class Utterance:
    """Words, who said them (his kind), and as what; `document` is set when they are one. `literals`: the asterisks
    that are words in what he was sent."""

    text: str
    kind: str
    act: str
    stage: str
    document: Document | None = None
    literals: Literals = frozenset()


def broken(rules: tuple[Conduct, ...], said: Utterance) -> tuple[tuple[str, str], ...]:
    """(rule, what was found) for every rule that these words break."""
    faults = []
    for rule in rules:
        if _applies(rule, said) and (detail := against(rule.check, said)) is not None:
            faults.append((rule.id, detail))
    return tuple(faults)


def _applies(rule: Conduct, said: Utterance) -> bool:
    document = said.document.name if said.document is not None else ""
    return all(
        not wanted or given in wanted
        for wanted, given in (
            ((rule.kind,) if rule.kind else (), said.kind),
            (rule.stages, said.stage),
            (rule.acts, said.act),
            (rule.documents, document),
        )
    )


def against(check: ConductCheck, said: Utterance) -> str | None:
    """What in the words breaks the rule (a few of them, or a count); None when nothing does."""
    text = said.text
    match check.kind:
        case "no lists":
            return _found(_LIST, text)
        case "no markdown":
            return first_markup(text, said.literals) or _found(_TABLE_OR_QUOTATION, text)
        case "no stage directions":
            return _found(_STAGE_DIRECTION, text)
        case "once":
            count = text.count(check.text)
            return None if count == 1 else str(count)
        case "begins with":
            return None if text.startswith(check.text) else text[:12]
        case "at most":
            count = measure(text, check.unit)
            return str(count) if count > check.number else None
        case "at least":
            count = measure(text, check.unit)
            return str(count) if count < check.number else None
        case "document alone":
            opening = "".join([line for line in text.splitlines() if line.strip()][:_LINES_BEFORE_TITLE])
            title = said.document.title if said.document is not None else ""
            behind = without_afterword(text, said.document.sections if said.document is not None else ())[1]
            return behind[:24] or (None if plain(title) in plain(opening) else opening[:24])
        case "never":
            return check.text if check.text in text else None
        case _:
            assert_never(check.kind)


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match[0].strip()[:24] if match else None


def measure(text: str, unit: str) -> int:
    """How many sentences, paragraphs, words or characters.

    Words after the last full stop are one more sentence. A Chinese character is a word, as word processors count.
    """
    match unit:
        case "sentences":
            marks = [mark for mark in _SENTENCE_MARK.finditer(text) if _ends_sentence(text, mark)]
            starts, ends = (0, *(mark.end() for mark in marks)), (*(mark.start() for mark in marks), len(text))
            pieces = (text[start:end] for start, end in zip(starts, ends, strict=True))
            return len([piece for piece in pieces if piece.strip(_CLOSING)])
        case "words":
            return sum(1 for _ in _WORD.finditer(text))
        case "paragraphs":
            return len([line for line in text.splitlines() if line.strip()])
        case _:
            return len(text)


def _ends_sentence(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark ends a sentence. All but the full stop always do.

    A full stop must have a letter, figure, bracket or quotation mark before it and a blank behind; it ends none where a
    small letter follows, and behind the number of a list, an initial and a usual short form: Mr. Smith, J. Doe, Smith
    v. Jones, No. 5, s. 12.
    """
    if not mark[0].startswith("."):
        return True
    before, after = text[max(0, mark.start() - _WINDOW) : mark.start()], text[mark.end() : mark.end() + _WINDOW]
    following = after.lstrip(_CLOSING)[:1]
    if not before or not (before[-1].isascii() and (before[-1].isalnum() or before[-1] in "\"')]%")):
        return before[-1:] in ("”", "’")
    if following.islower() or (following and not following.isascii() and following.isalnum()):
        return False
    found = _WORD_BEFORE.search(before)
    word = found[0] if found is not None else ""
    if not following or len(mark[0]) > 1:
        return True
    if word.isdigit():
        line = before[: -len(word)].rstrip(" \t")
        return not (line.endswith("\n") or (not line and mark.start() <= _WINDOW))
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if _SHORT.fullmatch(word):
        return False
    return not (following.isdigit() and _SHORT_BEFORE_NUMBERS.fullmatch(word))


def sections_missing(sections: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Sections that do not stand in the text after the ones before them."""
    missing, position = [], 0
    for section in sections:
        at = text.find(section, position)
        if at < 0:
            missing.append(section)
        else:
            position = at + len(section)
    return tuple(missing)


def lacking(document: Document, text: str) -> tuple[str, ...]:
    """What the official form of a document wants and the text has not: sections in order, then required words.

    Where a date is wanted, a day written near the end is one.
    """
    dated = _DAY.search(text[-_END:]) is not None
    wanted = tuple(
        words[0]
        for words in document.required
        if words and not any(word in text or (dated and word in DATES) for word in words)
    )
    return (*sections_missing(document.sections, text), *wanted)
