"""From files to surfaces, and from scalars to values, with a problem for what does not fit.

A file of any kind (spec, skill card, binding, rubric, layout, interventions) is read by `read_surface`. A
`SurfaceReader` then gathers what is wrong with what it says; a default stands in for it, so that the rest is read too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from math import isfinite
from typing import Final, TypeVar

from ..model.diagnostics import Diagnostic
from ..model.source import Sources, Span
from . import diagnose
from .cascades import folded
from .sentences.keywords import truth, unset
from .sentences.parser import Parser, parser_of
from .spelling import nearest
from .surfaces import Model, Surface, load
from .yaml.nodes import Node, Scalar
from .yaml.reader import read

VERSION: Final = "1"
"""The version of the language, as every file says it after `lw`."""
_KEPT: Final = 64
_LARGE: Final = 100_000  # characters; what is longer is parsed each time, and not kept

Parsed = TypeVar("Parsed")


class SurfaceReader:
    """The problems of one file, or of several that belong together.

    `declared`: each name and where it was declared. `unread`: lines that declare an answer and could not be read.
    """

    def __init__(self, problems: Iterable[Diagnostic] = ()) -> None:
        self.problems = list(problems)
        self.declared: dict[str, Span] = {}
        self.unread: dict[str, Span] = {}

    @property
    def failed(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def kept(self, result: tuple[Parsed, tuple[Diagnostic, ...]]) -> Parsed:
        """What a parser made of a text; its problems are added to the others."""
        node, problems = result
        self.problems += problems
        return node

    def declare(self, name: str, span: Span) -> None:
        """A name that may be declared once."""
        if name in self.declared:
            self.problems.append(diagnose.duplicate_name(span, name=name, also=(self.declared[name],)))
        self.declared.setdefault(name, span)

    def parser(self, names: frozenset[str]) -> Parser:
        """What reads the sentences of files that declare these names."""
        return parser_of(names)

    def version(self, word: Scalar) -> None:
        """The version of the language that a file is written in must be this one."""
        if word.text != VERSION:
            self.report(diagnose.unsupported_version(word.span, found=word.text, known=VERSION))

    def known(self, word: Scalar | None, names: Collection[str], kind: diagnose.AnyKind, **values: object) -> str:
        """The text of a scalar that must be one of `names` ("" where there is no scalar)."""
        if word is None:
            return ""
        if word.text not in names:
            self.report(kind(word.span, name=word.text, among=names, **values))
        return word.text

    def all_known(
        self, words: tuple[Scalar, ...], names: Collection[str], kind: diagnose.AnyKind, **values: object
    ) -> tuple[str, ...]:
        """The texts of scalars each of which must be one of `names`."""
        return tuple(self.known(word, names, kind, **values) for word in words)

    def truth(self, word: Scalar | None, default: bool = False) -> bool:
        """A yes or a no."""
        if word is None:
            return default
        value = truth(word.text)
        if value is None:
            self.report(diagnose.expected_yes_or_no(word.span, found=word.text))
        return bool(value)

    def number(self, word: Scalar | None, default: float = 0.0) -> float:
        if word is None:
            return default
        value = _finite(word.text)
        if value is None:
            self.report(diagnose.expected_number(word.span, found=word.text))
            return default
        return value

    def number_or_none(self, word: Scalar | None) -> float | None:
        """A number; None where there is none, or where the text says that there is to be none."""
        return None if word is None or unset(word.text) else self.number(word)

    def whole_number(self, word: Scalar | None, default: int) -> int:
        """A whole number of at least one; a unit may stand behind it."""
        if word is None:
            return default
        digits = next(iter(word.text.split()), "")
        if not (digits.isdecimal() and len(digits) < 10 and int(digits)):
            self.report(diagnose.expected_number(word.span, found=word.text))
            return default
        return int(digits)


def _finite(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def read_surface(
    model: type[Model], sources: Sources, path: str, asked: Span | None = None, partial: bool = False
) -> tuple[Model | None, tuple[Diagnostic, ...], str | None]:
    """The file at a path as a surface, if it is one, every problem on the way, and its text (None: no file).

    A missing file is a problem where it was `asked` for, or at its own beginning. `partial`: as `load` has it.
    """
    node, problems, source = read_node(sources, path, asked)
    if node is None:
        return None, problems, source
    surface, more = load(model, node, partial)
    return surface, folded((*problems, *more)), source


def read_node(
    sources: Sources, path: str, asked: Span | None = None
) -> tuple[Node | None, tuple[Diagnostic, ...], str | None]:
    """The same, before anything is made of what the file says."""
    source = sources.read(path)
    if source is None:
        return None, (missing(sources, path, asked),), None
    node, problems = (_node if len(source) <= _LARGE else _node.__wrapped__)(path, source)
    return node, problems, source


@lru_cache(maxsize=_KEPT)
def _node(path: str, source: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """What a text says, parsed once in a process: each command, and each case of a batch, reads the same files."""
    node, problems = read(path, source)
    return node, tuple(problems)


def missing(sources: Sources, path: str, asked: Span | None) -> Diagnostic:
    """That there is no such file; one that another file asked for may have been misspelt."""
    if asked is None:
        return diagnose.missing_file(Span(path, 1, 1), path=path)
    folder = path.rpartition("/")[0]
    near = nearest(path, sources.names(folder)) if folder else None
    return diagnose.missing_file(asked, path=path, nearest=near)


def text_of(word: Scalar | None) -> str:
    """What a scalar says; "" where there is none."""
    return word.text if word is not None else ""


def places_of(surface: Surface) -> Mapping[str, tuple[Span, ...]]:
    """Key of a surface -> where what its author wrote below it stands."""
    written = {name: getattr(surface, name) for name in sorted(surface.given)}
    words = {name: value if isinstance(value, tuple) else (value,) for name, value in written.items()}
    return {name: tuple(word.span for word in found if isinstance(word, Scalar)) for name, found in words.items()}


def texts_of(words: Iterable[Scalar]) -> tuple[str, ...]:
    return tuple(word.text for word in words)
