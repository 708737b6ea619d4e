"""What a body or a person may be called for short, also where nobody says so: parts of what the name alone has.

A case in which one of them is left does not go on; so a form too many costs a case, one too few a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Final

from .mentions import PLACE, TaggedWord, in_dictionary, tagged
from .own_words import own_words

_TWO: Final = 2  # signs: fewer are no name
_FIRST: Final = 2  # signs of a name's own part with which an abbreviation may begin


def forms_of_body(name: str, places: Iterable[str]) -> Iterator[str]:
    """Parts of a body's own name, two signs each, and two of its signs that are put together (建行). `places`: those
    that the record names elsewhere; they and the words for kinds of bodies tell nobody apart."""
    own = own_part(name, places)
    yield from (one for one in map("".join, pairwise(own)) if _tells(one) and not _is_left_open(one, own))
    whole = _without_place(_without_endings(name), places)
    own = own or whole
    behind = whole[whole.find(own[0]) :] if own and own[0] in whole else own
    for one, other in combinations(range(len(behind)), 2):
        form = behind[one] + behind[other]
        if one < _FIRST and other > one + 1 and _tells(form) and not in_dictionary(form):
            yield form


def form_of_person(name: str) -> str:
    """A given name of two signs or more, by which alone somebody may be called; "" for none."""
    compound = own_words("mask")["compound"]
    given = name[2:] if name[:2] in compound else name[1:]
    return given if len(given) >= _TWO and _tells(given) else ""


def own_part(name: str, places: Iterable[str]) -> str:
    """What is left of a body's name without its place and the words for what kind of body it is. Whatever the
    dictionary has as a place is one only where something else is left."""
    left = _without_place(name, places)
    own = _without_kinds(left)
    while (place := _place_before(left)) != "":
        left = left[len(place) :]
        further = _without_kinds(left)
        if len(further) < _TWO:
            break
        own = further
    return own


def _without_kinds(name: str) -> str:
    """A name without the words for what kind of body it is: those at its end, and what stands behind a whole name."""
    words = own_words("mask")
    left = re.split("|".join(map(re.escape, words["whole_bodies"])), name)[0] or name
    while (word := next((one for one in _kinds() if left.endswith(one)), "")) != "":
        left = left.removesuffix(word)
    hides = words["some"] in name or any(one in name for one in words["hidden"])
    if hides:
        left = _anywhere(left)
    return left.strip(words["some"] + words["beside_mask"] if hides else words["brackets"])


def _anywhere(name: str) -> str:
    """A name that is masked in part without the words for kinds of bodies, wherever they stand."""
    for word in _kinds():
        name = name.replace(word, "")
    return name


def places_in(text: str) -> frozenset[str]:
    """The names of places in a text without the word for what kind of place it is (江澜 of 江澜市)."""
    return frozenset(place for found in _places().finditer(text) for place in _endings_of(found["place"]))


def _endings_of(place: str) -> Iterator[str]:
    """A name of a place; as it cannot be told where it begins, all its endings of two signs and more."""
    return (place[start:] for start in range(len(place) - 1))


def _without_place(name: str, places: Iterable[str]) -> str:
    """A name without the places that it begins with, and without those in its brackets."""
    known = sorted(places, key=len, reverse=True)
    found = _region().match(name)
    left = name[found.end() :] if found is not None else name
    while (place := next((one for one in known if left.startswith(one) and len(left) > len(one) + 1), "")) != "":
        left = left[len(place) :]
    for place in known:
        left = re.sub(own_words("mask")["bracketed"].format(place=re.escape(place)), "", left)
    return left


def _place_before(name: str) -> str:
    """A place of the dictionary that a name begins with, where something is left behind it."""
    first = next(iter(tagged(name)), None)
    known = first is not None and _is_place(first) and len(first.text) < len(name) - 1
    return first.text if first is not None and known else ""


def _is_place(word: TaggedWord) -> bool:
    return word.tag == PLACE and in_dictionary(word.text)


def _without_endings(name: str) -> str:
    return next((name[: -len(one)] for one in _endings() if name.endswith(one) and len(name) > len(one)), name)


def _tells(form: str) -> bool:
    """Whether two signs tell somebody apart: not numbers, masks, or what every body may have in its name."""
    words = own_words("mask")
    counts = words["some"] + words["beside_mask"] + words["ordinals"]
    return bool(form.strip(counts)) and words["ordinals"][0] not in form and form not in words["everyday"]


def _is_left_open(form: str, own: str) -> bool:
    """Whether two signs of a name may be anybody's: a word of the dictionary behind the front, or a place of it. What
    the front is may be a place that nobody knows; then the two signs behind it are the front too."""
    if not in_dictionary(form):
        return False
    if own.startswith(form):
        return len(own) > len(form) and all(map(_is_place, tagged(form)))
    return not own.startswith(form, _TWO) or in_dictionary(own[:_TWO])


@cache
def _kinds() -> tuple[str, ...]:
    words = own_words("mask")
    kinds = {*words["endings"], *own_words("mention")["trades"], *words["kinds_of_body"], *words["business"]}
    return tuple(sorted(kinds, key=lambda one: (-len(one), one)))


@cache
def _endings() -> tuple[str, ...]:
    return tuple(sorted(own_words("mask")["endings"], key=len, reverse=True))


@cache
def _region() -> re.Pattern[str]:
    return re.compile(own_words("mask")["region"])


@cache
def _places() -> re.Pattern[str]:
    return re.compile(own_words("mask")["named_places"])
