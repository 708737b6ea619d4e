"""No regular expression takes more than linear time, whatever text it is given: steps are counted, not seconds."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from regex_steps import signs_of, steps

import legalworld

METHODS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"})
SIGNS = frozenset(" \n\ta1中。：*#-_（\u3000一.,【】")
SHORT, LONG = 40, 80
LINEAR = 2.9  # times the steps for twice the text: 2 where they grow with it, 4 with its square
FEW = 1_500  # steps that tell nothing
MOST = 200_000


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, tuple | list) else (value,)


def _used(module: ModuleType) -> dict[str, set[str]]:
    """Name -> the methods that are called on it in its module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            of = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(of, ast.Name):
                found.setdefault(of.id, set()).add(node.attr)
    return found


def _patterns() -> Iterator[Any]:
    for info in pkgutil.walk_packages(legalworld.__path__, "legalworld."):
        module = importlib.import_module(info.name)
        used: dict[str, set[str]] | None = None
        for name, value in vars(module).items():
            found = [one for one in _values(value) if isinstance(one, re.Pattern) and isinstance(one.pattern, str)]
            if found:
                used = _used(module) if used is None else used
                methods = tuple(sorted(METHODS & used.get(name, set()))) or ("finditer",)
                for number, pattern in enumerate(found):
                    room = info.name.removeprefix("legalworld.")
                    yield pytest.param(pattern, methods, id=f"{room}.{name}" + (f"[{number}]" if number else ""))


def _growth(pattern: re.Pattern[str], methods: tuple[str, ...], sign: str) -> float:
    long = steps(pattern, sign * LONG, methods, MOST)
    return long / steps(pattern, sign * SHORT, methods, MOST) if long > FEW else 0.0


@pytest.mark.parametrize(("pattern", "methods"), tuple(_patterns()))
def test_steps_grow_with_the_text(pattern: re.Pattern[str], methods: tuple[str, ...]) -> None:
    slow = {sign: _growth(pattern, methods, sign) for sign in sorted(signs_of(pattern) | SIGNS)}
    assert not {sign: times for sign, times in slow.items() if times > LINEAR}


SQUARE = {
    "blanks before what is not there": r"\s*x",
    "any words up to a stop": r"[^。]*。",
    "brackets that never close": r"《[^》]*》",
    "two rows of one sign": r"a*a*b",
}


@pytest.mark.parametrize("pattern", SQUARE.values(), ids=SQUARE)
def test_a_square_is_seen(pattern: str) -> None:
    compiled = re.compile(pattern)
    assert max(_growth(compiled, ("finditer",), sign) for sign in signs_of(compiled) | SIGNS) > LINEAR


def test_an_exponential_is_cut_off() -> None:
    assert steps(re.compile(r"(?:a|aa)+$"), "a" * SHORT + "!", ("match",), 10 * FEW) == 10 * FEW


def test_a_match_is_what_re_finds() -> None:
    """The steps are those of the same search: their matches agree."""
    from regex_steps import Counter

    for pattern, text in (
        (r"(?P<m>\*{1,3})【(\w+)】(?P=m)", "**【结束】**"),
        (r"^[ \t]*+(?:[-*]\s|\d++[.、])", " 12、好"),
        (r"(?i)a(?=b)|(?<=c)d\b", "AB"),
        (r"[^\W\d_]{2,4}?x??", "ab1"),
    ):
        compiled = re.compile(pattern)
        found = compiled.match(text)
        assert Counter(compiled, text, MOST).match_at(0) == (found.end() if found else -1)
