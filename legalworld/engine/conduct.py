"""Rules of conduct that a machine can check: what a spec's `conduct` says, held against words that were said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from ..model.ast import ConductCheck
from ..model.procedure import Conduct, Document

_LIST = re.compile(
    r"^[^\S\n]*+(?:[-*•·]\s|\d++[.、)）]|[（(][一二三四五六七八九十\d]++[)）]|[一二三四五六七八九十]++、)", re.MULTILINE
)
_MARKDOWN = re.compile(r"^[^\S\n]*+(?:#{1,6}\s|```|\|.*\|[^\S\n]*$|>\s)|\*\*", re.MULTILINE)
_STAGE_DIRECTION = re.compile(r"(?:^|(?<=[。！？!?]))\s{0,8}[（(][^（()）\d]{1,20}[)）]", re.MULTILINE)
_FULL_STOP = re.compile("[。！？!?]")
_LINES_BEFORE_TITLE = 3  # a judgment names its court first


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words, who said them (his kind), and as what; `document` is set when they are one."""

    text: str
    kind: str
    act: str
    stage: str
    document: Document | None = None


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
            return _found(_MARKDOWN, text)
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
            return None if title in "".join(opening.split()) else opening[:24]
        case "never":
            return check.text if check.text in text else None
        case _:
            assert_never(check.kind)


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match[0].strip()[:24] if match else None


def measure(text: str, unit: str) -> int:
    """How many sentences, paragraphs or characters; words after the last full stop are one more sentence."""
    match unit:
        case "sentences":
            return len([sentence for sentence in _FULL_STOP.split(text) if sentence.strip()])
        case "paragraphs":
            return len([line for line in text.splitlines() if line.strip()])
        case _:
            return len(text)


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
    """What the official form of a document wants and the text has not: sections in order, then required words."""
    wanted = tuple(words[0] for words in document.required if words and not any(word in text for word in words))
    return (*sections_missing(document.sections, text), *wanted)
