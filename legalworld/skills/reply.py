"""The reply of somebody who reflects, taken apart by its sections: nothing in it is trusted.

read = read_reply(text, labels, stages)          # a CardText, None (the card is to stay as it is), or faults
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from ..model.immutable import immutable
from ..model.text import clean, folded
from .card import LONGEST, MOST_LINES, CardText

LONGEST_REPLY: Final = 20_000  # characters; what is longer is not looked at
NEAR: Final = 16  # characters between the two words of an order
SECTIONS: Final = ("title", "trigger", "stages", "task", "checklist", "output")
_HEAD: Final = "#*-[\u3010 \t"
_TAIL: Final = "*]\u3011 \t"
_COLONS: Final = (":", "\uff1a")
_SEPARATORS: Final = re.compile("[,;/\u3001\uff0c\uff1b\\s]+")
_NUMBER: Final = re.compile("(?:[-*\u2022]|\\(?\\d{1,2}[.)\u3001\uff0e\uff09])[ \t]*")
_LINK: Final = re.compile("https?:|ftp:|www\\.|\\]\\(|data:|javascript:", re.IGNORECASE)
_HARMLESS: Final = str.maketrans(
    {"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\u3010": "\u3014", "\u3011": "\u3015"}
    | {"\u3008": "\u2039", "\u3009": "\u203a", "`": "'", "|": "/", "\u00ab": "\u2039", "\u00bb": "\u203a"}
)
"""What opens markup, a template, a token of a procedure or a call of a tool, and what stands for it in a card."""

Kind = Literal[
    "empty",
    "oversized",
    "absent",
    "twice",
    "long",
    "many",
    "stage",
    "defiance",
    "link",
    "name",
    "figure",
    "passage",
    "overlap",
]
"""What is wrong; each has its sentence in `prompts/LOCALE/reflect/again.j2` and in the words of the command."""


@immutable
class CardFault:
    """Why a card is not kept. `section`: a key of `SECTIONS`; `words`: of the reply itself, and of nothing else."""

    kind: Kind
    section: str = ""
    words: str = ""
    most: int = 0


def read_reply(
    text: str, labels: Mapping[str, str], stages: Sequence[tuple[str, str]]
) -> CardText | tuple[CardFault, ...] | None:
    """A reply as a card. `labels`: of each section, and the word `unchanged`; `stages`: (id, title) of those there are.

    The text is cleaned and disarmed: what could be obeyed by a machine is a harmless sign afterwards.
    """
    if len(text) > LONGEST_REPLY:
        return (CardFault("oversized", most=LONGEST_REPLY),)
    text = clean(text).translate(_HARMLESS).strip()
    if not text:
        return (CardFault("empty"),)
    if folded(text).strip("\u3002.!# *") == folded(labels["unchanged"]):
        return None
    found, faults = _sections(text, labels)
    faults += [CardFault("absent", name) for name in SECTIONS if not found.get(name, "").strip()]
    lines = _lines(found.get("checklist", ""))
    if len(lines) > MOST_LINES:
        faults.append(CardFault("many", "checklist", most=MOST_LINES))
    chosen, unknown = _stages(found.get("stages", ""), stages)
    faults += [CardFault("stage", "stages", word) for word in unknown]
    flat = {name: " ".join(found.get(name, "").split()) for name in SECTIONS}
    for name, most in LONGEST.items():
        longest = max(map(len, lines), default=0) if name == "checklist" else len(flat[name])
        faults += [CardFault("long", name, most=most)] if longest > most else []
    if faults:
        return tuple(faults)
    return CardText(flat["title"], flat["trigger"], chosen, flat["task"], lines, flat["output"])


def _sections(text: str, labels: Mapping[str, str]) -> tuple[dict[str, str], list[CardFault]]:
    """What stands under each label; what stands above the first is dropped. A label twice is a fault."""
    found: dict[str, str] = {}
    faults = []
    here = ""
    for line in text.split("\n"):
        name, rest = _labelled(line, labels)
        if name in found:
            faults.append(CardFault("twice", name))
        elif name:
            found[name] = rest
        elif here:
            found[here] += f"\n{line}"
        here = name or here
    return found, faults


def _labelled(line: str, labels: Mapping[str, str]) -> tuple[str, str]:
    """The section whose label a line begins with, and the rest of the line."""
    bare = line.lstrip(_HEAD + "\u3014")
    for name in SECTIONS:
        if bare[: len(labels[name])].casefold() == labels[name].casefold():
            rest = bare[len(labels[name]) :].lstrip(_TAIL + "\u3015")
            if not rest or rest.startswith(_COLONS):
                return name, rest.lstrip(":\uff1a* ")
    return "", ""


def _lines(text: str) -> tuple[str, ...]:
    """The lines of a list, without their numbers; a line that has none goes on with the one before."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        number = _NUMBER.match(line)
        rest = " ".join((line[number.end() :] if number else line).split()).strip("* ")
        if number or not lines:
            lines.append(rest)
        else:
            lines[-1] += f" {rest}"
    return tuple(filter(None, lines))


def _stages(text: str, known: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], list[str]]:
    """The stages that are named, by id or title, in the order of the procedure; and the words that name none."""
    by_word = {word.casefold(): name for name, title in known for word in (name, title)}
    chosen, unknown = set(), []
    for word in filter(None, _SEPARATORS.split(text.strip("\u3002. \n*"))):
        name = by_word.get(re.split("[(\uff08]", word, maxsplit=1)[0].strip("-*").casefold())
        if name is None:
            unknown.append(word[:40])
        else:
            chosen.add(name)
    return tuple(name for name, _ in known if name in chosen), unknown[:3]


def orders(said: CardText, verbs: Sequence[str], things: Sequence[str]) -> tuple[CardFault, ...]:
    """Texts that would have their reader put the rules aside, or that lead out of the card: a verb, and close behind it
    what is to be put aside. The list is short: the sentence above each card tells its reader what goes before it."""
    faults = []
    for text in said.sayings:
        plain = folded(text)
        places = [(plain.find(verb), verb) for verb in verbs if verb in plain]
        near = (plain[at + len(verb) : at + len(verb) + NEAR] for at, verb in places)
        if any(thing in words for words in near for thing in things):
            faults.append(CardFault("defiance", words=text[:80]))
        if _LINK.search(text):
            faults.append(CardFault("link", words=text[:80]))
    return tuple(faults)
