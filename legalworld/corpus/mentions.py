"""People and firms that a text names and no list declares, found by how words are cut and tagged.

Rather a name is missed than a word masked: a name counts that no dictionary has, and that stands twice, has the
surname of a party, stands beside another name, or alone between marks and words that go with names. Time grows with
the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from ..model.immutable import immutable
from .own_words import own_words

_PERSON: Final = "nr"  # what the dictionary's tags for names of people begin with
PLACE: Final = "ns"
_VERB: Final = "v"
_FULL: Final = 3  # characters of a name that is told by its word alone
_STEM: Final = 24  # characters of the name of a firm before its ending


@immutable
class TaggedWord:
    text: str
    tag: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=1)
def tagged(text: str) -> list[TaggedWord]:
    import rjieba  # loads its dictionary

    words: list[TaggedWord] = []
    at = 0
    for word, tag in rjieba.tag(text):
        words.append(TaggedWord(word, tag, at))
        at += len(word)
    return words


@lru_cache(maxsize=4096)
def in_dictionary(word: str) -> bool:
    import rjieba

    return bool(rjieba.has_word(word))


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u4e00-\u9fff]+")


# ---- people ----------------------------------------------------------------------------------------------------------


def people(text: str, declared: Collection[str]) -> tuple[str, ...]:
    """Names of people in the order in which they are met. `declared`: the names of those who take part."""
    words = tagged(text)
    families = {name[0] for name in declared if name}
    known = [name for name in declared if len(name) > 1]
    stand = Counter(text[at : at + n] for n in (_FULL, _FULL + 1) for at in range(len(text) - n + 1))
    found: dict[str, bool] = {}
    beside: list[tuple[str, str]] = []
    last = TaggedWord("", "", -1)  # the name before, where only a mark of a list stands between
    for index, word in enumerate(words):
        name = _name_at(words, index, families, stand)
        if not name or _body().match(text, word.start + len(name)):
            continue
        if name not in found and any(name.startswith(one) or name in one for one in known):
            continue
        sure = stand[name] > 1 or name[0] in families or _alone(words, index, text)
        found[name] = sure or found.get(name, False)
        if text[last.end : word.start] == own_words("mask")["listed"]:
            beside.append((last.text, name))
        last = TaggedWord(name, word.tag, word.start)
    for one, other in beside:
        found[one] = found[other] = found[one] or found[other]
    return tuple(name for name, sure in found.items() if sure)


def _name_at(words: list[TaggedWord], index: int, families: Collection[str], stand: Mapping[str, int]) -> str:
    """The name at this word: itself, itself without a verb that was taken along, or with a last character that was cut
    off, where that stands twice. "" where it is none."""
    word, told = words[index], own_words("mention")
    if not word.tag.startswith(_PERSON) or own_words("mask")["some"] in word.text:
        return ""
    name = word.text
    if len(name) == _FULL + 1 and name[-1] in told["after"]:
        name = name[:-1]
    following = words[index + 1].text if index + 1 < len(words) else ""
    if len(name) == _FULL - 1 and len(following) == 1 and not in_dictionary(name) and stand[name + following] > 1:
        name += following
    compound = name[:2] in own_words("mask")["compound"]
    if len(name) not in (_FULL, _FULL + compound) or not _han().fullmatch(name):
        return ""
    surname = compound or name[0] in own_words("mask")["surnames"] or name[0] in told["rare"] or name[0] in families
    sound = name[-1] not in told["after"] and not any(one in told["never"] for one in name[1:])
    return name if surname and sound and not in_dictionary(name) else ""


def _alone(words: list[TaggedWord], index: int, text: str) -> bool:
    """Whether a name stands behind a mark or a word that goes with names, and before a verb, a mark or a particle."""
    word, told = words[index], own_words("mention")
    before = text[word.start - 1 : word.start] if word.start else ""
    if _han().fullmatch(before) and before not in told["before"]:
        return False
    following = words[index + 1].tag if index + 1 < len(words) else "x"
    return len(word.text) > _FULL or following[:1] in told["tags"]


@cache
def _body() -> re.Pattern[str]:
    """What stands behind the front of a body's name."""
    return re.compile(r"[\u4e00-\u9fff]{0,6}?(?:" + "|".join(map(re.escape, own_words("mention")["bodies"])) + ")")


# ---- firms -----------------------------------------------------------------------------------------------------------


def firms(text: str, declared: Collection[str]) -> tuple[str, ...]:
    """Firms by their whole name, which begins with a place; and traders by name and trade, where one stands twice."""
    words = tagged(text)
    ends = {word.end: index for index, word in enumerate(words)}
    known = [name for name in declared if len(name) > 1]
    found: Counter[str] = Counter()
    for match in _endings().finditer(text):
        stem = list(_stem(words, ends.get(match.start(), -1)))
        trader = match.lastgroup == "trade"
        name = (_trader(stem) if trader else _whole(stem)) + match.group()
        if len(name) > len(match.group()) and _begins(stem, name, text[: match.end() - len(name)][-1:]):
            found[name] += 1 if trader else 2
    return tuple(
        name for name, times in found.items() if times > 1 and not any(name in one or one in name for one in known)
    )


def _stem(words: list[TaggedWord], index: int) -> Iterator[TaggedWord]:
    """The words before an ending that may belong to the name, the last one first."""
    length, end = 0, words[index].end if index >= 0 else 0
    told = own_words("mention")
    while index >= 0 and words[index].end == end:
        word = words[index]
        if word.tag[:1] in told["breaks"] or word.text in told["others"] or not _han().fullmatch(word.text):
            return
        length += len(word.text)
        if length > _STEM or own_words("mask")["some"] in word.text:
            return
        yield word
        end, index = word.start, index - 1


def _whole(stem: list[TaggedWord]) -> str:
    """From the place that a name begins with. "" without a place, or with nothing behind it."""
    places = [number for number, word in enumerate(stem) if word.tag == PLACE]
    if not places or places[-1] == 0 or stem[places[-1]].text in own_words("mention")["countries"]:
        return ""
    return "".join(word.text for word in reversed(stem[: places[-1] + 1]))


def _trader(stem: list[TaggedWord]) -> str:
    """One word that is no common noun."""
    fits = stem and len(stem[0].text) > 1 and stem[0].tag.startswith(tuple(own_words("mention")["names"]))
    return stem[0].text if fits else ""


def _begins(stem: list[TaggedWord], name: str, before: str) -> bool:
    """Whether a name begins where it was cut: behind a mark, a word that goes with names, or a long verb."""
    told = own_words("mention")["before"]
    if name[0] in told:
        return False
    first = max((number for number, word in enumerate(stem) if name.startswith(word.text)), default=len(stem))
    verb = first + 1 < len(stem) and len(stem[first + 1].text) > 1 and stem[first + 1].tag.startswith(_VERB)
    return verb or before in told or not _han().fullmatch(before)


@cache
def _endings() -> re.Pattern[str]:
    told = own_words("mention")
    forms = {"whole": told["whole"], "trade": told["trades"]}
    named = "|".join(f"(?P<{key}>{'|'.join(map(re.escape, words))})" for key, words in forms.items())
    return re.compile(f"(?:{named})(?!{told['further']})")
