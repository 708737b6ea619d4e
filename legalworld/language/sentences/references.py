"""How texts refer to things by number, and by names in quotation marks: 原证1至3、5, 第九号证据, C1 and C4.

What things are called is given; what stands here are the signs around numbers, in Chinese and English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from .quantities import numeral

_COUNTED: Final = "份项组件张页个种条套性者方类大点款次名人年月日元万亿分%％"
"""What stands behind a number that counts, and is no exhibit's: two pieces of evidence, the three properties of it."""
_DIGITS: Final = "[0-9０-９]{1,3}"
_NUMERAL_SIGN: Final = "[一二三四五六七八九十百〇零两]"
_NUMERAL: Final = _NUMERAL_SIGN + "{1,4}"
_NUMBER: Final = f"(?:{_DIGITS}|{_NUMERAL})"
_RANGE: Final = r"\s*(?:[-–—~～－至到]|to\b|through\b)\s*"
_AND: Final = r"\s*(?:[、和及与&]|,(?=\s*\d)|and\b)\s*"
_ONE: Final = rf"(?:[（(【\[]{_NUMBER}[）)】\]]|{_NUMBER}号?)"
_BEHIND: Final = rf"(?![0-9０-９{_COUNTED}]|[一二三四五六七八九十百〇零两])"
ENUMERATOR: Final = re.compile(rf"^[\s#*>•·\-–—]*(?:[（(]?{_NUMBER}[)）.．、:：]|[①-⑳])?\s*")
QUOTED: Final = re.compile(r"《[^《》\n]{2,60}》|“[^“”\n]{2,60}”|「[^「」\n]{2,60}」|\"[^\"\n]{2,60}\"")
IN_A_ROW: Final = re.compile(r"\s*(?:[、,，和及与&]|and\b)?\s*")
HEAD: Final = re.compile(r"[（(：:，,。；;]")
ARTICLE: Final = "第"
"""What stands behind the name of a law of which an article is named."""


def value_of(number: str) -> int:
    bare = number.strip("（(【[）)】]号 ")
    return int(bare) if bare.isdecimal() else numeral(bare) or 0


def numbered(name: str) -> tuple[str, int]:
    """(what an id begins with, the number that it ends with); 0 where it ends with none."""
    found = re.fullmatch(rf"(.*?)({_NUMBER})", name.strip())
    return (found[1].strip(), value_of(found[2])) if found else (name, 0)


def spread(said: str) -> list[int]:
    """The numbers that an expression of them means: 1、3 or 1至3, and what stands beside them."""
    numbers: list[int] = []
    for part in re.split(_AND, said):
        ends = [value_of(one) for one in re.findall(_NUMBER, part)]
        if len(ends) == 2 and re.search(_RANGE, part) and ends[0] < ends[1]:
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers


def references_by(beginning: str) -> re.Pattern[str]:
    """References by a beginning and numbers behind it: one, several, from one to another."""
    ahead = r"(?<![A-Za-z])" if beginning[:1].isascii() else ""
    more = rf"(?:(?:{_RANGE}|{_AND})(?:{re.escape(beginning)})?\s*{_ONE}{_BEHIND})*"
    return re.compile(rf"{ahead}{re.escape(beginning)}\s*({_ONE}{_BEHIND}{more})")


def references_called(word: str) -> re.Pattern[str]:
    """References by what exhibits are called: behind it, in front of it, one or many."""
    called = re.escape(word.removesuffix("s")) + ("s?" if word.isascii() else "")
    words_of_one = rf"{_NUMERAL}(?![^\s，。；：、,.;:）)《“\"证])"  # 一 begins many words: it must end there
    several = rf"(?:[二三四五六七八九]|{_NUMERAL_SIGN}{{2,4}}){_BEHIND}"
    bare = rf"[（(【\[]{_NUMBER}[）)】\]]|{_DIGITS}号?{_BEHIND}|{several}|{words_of_one}"
    more = rf"(?:(?:{_RANGE}|{_AND})(?:{called})?\s*{_ONE}{_BEHIND})*"
    return re.compile(rf"(?i)(?<![A-Za-z]){called}\s*((?:{bare}){more})|(第{_NUMBER}[号份项]|{_DIGITS}号){called}")


def short_for(reference: str) -> str:
    """The number in a reference that stands in front of what it is a number of: 第九号 -> 九号."""
    return re.sub("[第份项]", "", reference)


def called(word: str, before: str, behind: str) -> bool:
    """Whether what stands between two texts is called by a word: 《…》作为证据, 证据有《…》."""
    return bool(
        re.match(rf"[^\s，。；、第规]{{0,2}}{re.escape(word)}", behind)
        or re.search(rf"{re.escape(word)}[有为是：:]\s*$", before[-12:])
    )


# ---- names of persons, one behind the other --------------------------------------------------------------------------
CHOSEN: Final[Mapping[str, Literal["choice", "rest"]]] = {
    **{"choice": "choice", "选中者": "choice", "当选者": "choice"},
    **{"rest": "rest", "未选中者": "rest", "落选者": "rest"},
}
"""Behind an answer that chooses persons: those it has chosen, and the others who could have been."""
BETWEEN_NAMES: Final = re.compile(r"[，,、]+\s*(?:and\s)?|\sand\s|[和与]")
NOBODY: Final = ("nobody", "无人")
"""What is said where nobody is named: in English, in Chinese."""
NO_ONE: Final = frozenset({*NOBODY, "none", "noone", "无", "没有"})
