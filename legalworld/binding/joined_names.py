"""A list of persons and organisations written as one text, cut into their names: `split: ["{names}"]`.

Enumeration marks cut outside brackets and quotation marks. A word such as "and" cuts only where a whole name stands on
either side: it is a character of many names. Where a person may go on as an organisation, nobody can say; such a text
stays whole and is told as odd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any, Final

JOINED_NAMES: Final = "{names}"
_PAIRS: Final = {"\uff08": "\uff09", "(": ")", "\u201c": "\u201d", "\u300a": "\u300b", "\u3010": "\u3011", "[": "]"}
_LONGEST_PAIR: Final = 80  # a bracket that closes further on was never meant to be closed there
_BRACKETED: Final = re.compile(r"[\uff08(][^\uff08\uff09()]{0,80}[\uff09)]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_SHORT: Final = re.compile(r"[\u3400-\u9fff]{2,4}")
_DOTTED: Final = re.compile(r"[\u3400-\u9fff]{1,12}(?:\u00b7[\u3400-\u9fff]{1,12}){1,4}")
_LONGEST_PLACE: Final = 9
_LATIN_LIST: Final = re.compile(r"[A-Za-z.]\s*(?:,|\band\b|&)\s*[A-Za-z]")
_LATIN_BESIDE: Final = re.compile(r"[A-Za-z.&]\s*\Z")
_SHORT_NAME, _LONG_NAME = 2, 4


def cut_names(text: str) -> list[str]:
    """Return the names of a text, each with whatever stands beside it."""
    pieces = [text[start:end] for start, end in _by_marks(text)]
    return [name for piece in pieces for name in _by_joints(piece)]


def is_no_name(text: str) -> str | None:
    """Return the first of the names of a text that is called neither as a person nor as an organisation; None for none.

    What was struck out of a name, and the number that tells two of one name apart, may stand behind it.
    """
    return next((name for name in cut_names(text) if not (_is_name(name) or _is_masked_person(name))), None)


def _is_masked_person(name: str) -> bool:
    stem = _bare(name).rstrip(_table()["masks_behind"])
    if stem == _bare(name) or not _HAN.fullmatch(stem):
        return False
    return _is_person(stem) or (len(stem) < _SHORT_NAME and stem in _table()["surnames"])


def may_be_several(name: str) -> bool:
    """Return whether a word that joins names stands in one where it can be said neither that it does nor that not."""
    if _LATIN_LIST.search(name) and not any(word in name for word in _table()["firm"]):
        return True
    return any(
        _is_person(left) and _bare(left) not in _table()["places"] and _is_organisation(right)
        if not _is_person(right)
        else bool(_SHORT.fullmatch(_bare(left))) and len(_bare(name)) > _LONG_NAME
        for left, right in _halves(name)
    )


def _by_marks(text: str) -> Iterator[tuple[int, int]]:
    marks, shut = _table()["marks"], _inside(text)
    cuts = [at for at, sign in enumerate(text) if sign in marks and not shut[at] and not _is_latin(text, at)]
    start = 0
    for at, end in zip(cuts, [*cuts, len(text)][1:], strict=True):
        if not _is_one_firm(text[start:at].strip(), text[at + 1 : end].strip()):
            yield start, at
            start = at + 1
    yield start, len(text)


def _is_one_firm(left: str, right: str) -> bool:
    """Return whether an enumeration mark stands inside the name of a firm: the place it is at begins it, or what the
    brackets behind the second person say holds for a firm alone."""
    first, ends = _by_joints(right)[0], [left, *(behind for _, behind in _halves(left))]
    if _ends_as_firm(_bare(first)):
        return any(_is_person_of_a_place(_bare(last)) for last in ends)
    return _says_firm(first) and _is_person(first) and any(map(_is_person, ends))


def _is_person_of_a_place(text: str) -> bool:
    areas = _table()["areas"]
    end = next((at for at, sign in enumerate(text[:_LONGEST_PLACE]) if at and sign in areas), 0)
    return bool(end) and _is_person(text[end + 1 :]) and not _ends_as_firm(text)


def _inside(text: str) -> bytearray:
    """For each character whether it stands inside brackets or quotation marks that are closed soon."""
    flags = bytearray(len(text))
    for place, sign in enumerate(text):
        closing = _PAIRS.get(sign)
        end = text.find(closing, place, place + _LONGEST_PAIR) if closing else -1
        if end > place:
            flags[place + 1 : end] = b"\1" * (end - place - 1)
    return flags


def _is_latin(text: str, place: int) -> bool:
    """Return whether a comma stands between Latin words: of `Smith, Jones & Co., Ltd.` nobody can cut the name."""
    behind = text[place + 1 :].lstrip()[:1]
    return text[place] == "," and behind.isascii() and behind.isalpha() and bool(_LATIN_BESIDE.search(text[:place]))


def _by_joints(piece: str) -> list[str]:
    """Return the names that the joining words of a piece part; the piece itself where these are part of a name."""
    cuts = [(left, right) for left, right in _halves(piece) if _is_name(left) and _parts_surely(left, right)]
    if not cuts:
        return [piece]
    left, right = cuts[0]
    return [left, *_by_joints(right)]


def _parts_surely(left: str, right: str) -> bool:
    """Return whether what stands behind a joining word begins another name: whatever follows an organisation, a person
    behind a person."""
    first = _by_joints(right)[0] if right else ""
    return _is_name(first) if _is_organisation(left) else _is_person(first)


def _halves(piece: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind each joining word outside brackets and of no word that holds it."""
    table, shut = _table(), _inside(piece)
    held = {at for word in table["whole"] for found in re.finditer(word, piece) for at in range(*found.span())}
    place = 0
    while place < len(piece):
        joint = next((word for word in table["joints"] if piece.startswith(word, place)), "")
        if joint and not shut[place] and place not in held and 0 < place < len(piece) - len(joint):
            yield piece[:place].strip(), piece[place + len(joint) :].strip()
        place += len(joint) or 1


def _bare(name: str) -> str:
    """A name without what says in brackets, or before it, who it is."""
    bare = _BRACKETED.sub("", name).strip()
    for _ in range(len(_table()["before"])):
        bare = next((bare[len(word) :].strip() for word in _table()["before"] if bare.startswith(word)), bare)
    return bare


def _is_name(text: str) -> bool:
    return _is_person(text) or _is_organisation(text)


def _is_person(text: str) -> bool:
    bare, table = _bare(text), _table()
    if _DOTTED.fullmatch(bare):
        return True
    if not _HAN.fullmatch(bare):
        return False
    first = 2 if bare[:2] in table["compound"] else 1
    if bare[-1] in _table()["areas"] and len(bare) > _SHORT_NAME:
        return False
    known = first == 2 or bare[0] in table["surnames"] or table["mask"] in bare
    return known and max(_SHORT_NAME, first + 1) <= len(bare) <= _LONG_NAME


def _is_organisation(text: str) -> bool:
    return _says_firm(text) or _ends_as_firm(_bare(text))


def _ends_as_firm(bare: str) -> bool:
    end = next((word for word in _table()["ends"] if bare.endswith(word)), "")
    return bool(end) and len(bare) > (_LONG_NAME if len(end) == 1 else len(end))


def _says_firm(text: str) -> bool:
    """Return whether brackets behind a name say what holds for a firm alone."""
    said = [one for one in _BRACKETED.finditer(text) if text[: one.start()].strip()]
    return any(word in one[0] for one in said for word in _table()["firm"])


@cache
def _table() -> Mapping[str, Any]:
    return loads((files(__package__) / "shapes.toml").read_text("utf-8"))["names"]  # type: ignore[no-any-return]
