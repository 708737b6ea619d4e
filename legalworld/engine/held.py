"""Whether a document that is declared to hold a value does: by how much of the value's words stand in it.

Documents word what they hold in their own way, so words are counted and not sought one behind the other. What has no
words of its own, such as a yes, cannot be looked for: it is taken to stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ..language.sentences.keywords import truth
from ..model.case import Value, texts

SHORT: Final = 40  # characters; of so short a value all numbers must stand there, and half of the words
_SHARE, _SHARE_OF_SHORT = 0.25, 0.5
_IDEOGRAPHS: Final = r"\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_IDEOGRAPHS}]+|[^\W_{_IDEOGRAPHS}]+")
_SEPARATOR: Final = re.compile(r"(?<=\d)[,，](?=\d{3})")


def stands_in(value: Value, text: str) -> bool:
    """Whether a text says what a value says, as far as words tell."""
    told = " ".join(one for one in texts(value) if truth(one) is None)
    wanted = set(_words(told))
    if not wanted or told in text:
        return True
    there = set(_words(text))
    said = sum(word in there for word in wanted) / len(wanted)
    if len(told) > SHORT:
        return said >= _SHARE
    return said >= _SHARE_OF_SHORT and all(word in there for word in wanted if word[0].isdigit())


def _words(text: str) -> Iterator[str]:
    """The words of a text without the shortest; of Chinese, which parts no words, each pair of characters."""
    for found in _WORD.findall(_SEPARATOR.sub("", text).casefold()):
        if found[0].isdigit():
            yield found.lstrip("0") or found
        elif not found.isascii() and len(found) > 1:
            yield from ("".join(pair) for pair in pairwise(found))
        elif not found.isascii() or len(found) > 2:
            yield found
