"""What comes with this room as data: words of pages and masks, and where the values of a judgment go in a case."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter

from ..model.immutable import immutable


@cache
def own_words(section: str) -> Mapping[str, Any]:
    """A section of `words.toml`."""
    told: Mapping[str, Any] = _read("words.toml")[section]
    return told


@immutable
class FirstPlaces:
    """Where the values of the first judgment go. `{side}`, `{key}`: to be filled."""

    court: str
    number: str
    cause: str
    docket: str
    claims: str
    facts: str
    defence: str
    evidence: str


@immutable
class SecondPlaces:
    """Where the values of the second judgment go."""

    by: str
    court: str
    number: str
    filed: str
    requests: str
    reasons: str
    response: str
    evidence: str


@immutable
class SealedPlaces:
    """Where what the courts found and decided goes. `{instance}`: first or second."""

    date: str
    findings: str
    opinion: str
    disposition: str
    articles: str
    fees: str


@immutable
class LackedPlaces:
    """`needed`: what no case can be without; `wanted`: what is told where it lacks."""

    needed: list[str]
    wanted: list[str]


@immutable
class AskedPlace:
    """What a model is asked for: out of which judgment (1, 2), and how it is kept (text, list, records)."""

    of: int
    form: str
    what: str
    key: str = ""
    numbered: str = ""
    label: str = ""


@immutable
class CaseLayout:
    """`layout.toml`. `answering`: the side that answers where nobody is named; `letters`: of the parties' numbers,
    `labels`: of exhibits;
    `told`: what is taken of a party; `bare`: keys whose values name nobody; `points`: what makes a case hard."""

    procedure: str
    sides: list[str]
    answering: str
    letters: dict[str, str]
    labels: dict[str, str]
    late_label: str
    parties: str
    counsel: str
    told: list[str]
    bare: list[str]
    disposition: str
    sealed_root: str
    consultation: str
    question: str
    answer: str
    questioned: list[str]
    cited: list[str]
    first: FirstPlaces
    second: SecondPlaces
    sealed: SealedPlaces
    lacks: LackedPlaces
    asks: dict[str, AskedPlace]
    points: list[dict[str, Any]]


@cache
def layout() -> CaseLayout:
    """Where values go in a case."""
    return TypeAdapter(CaseLayout).validate_python(_read("layout.toml"))


def value_at(case: Any, path: str) -> Any:
    """The value at `a.b.c`; None where there is none."""
    for key in path.split("."):
        case = case.get(key) if isinstance(case, dict) else None
    return case


@cache
def _read(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text("utf-8"))
