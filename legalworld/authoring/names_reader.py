"""A reader of procedures that notes which sentences it reads, and which values must be declared names."""

from __future__ import annotations

from collections.abc import Collection

from ..language import diagnose
from ..language.sentences.parser import OverheardParser, Parser, SentenceText
from ..language.surface_reader import SurfaceReader
from ..language.yaml.nodes import Scalar
from ..model.source import Span


class NamesReader(SurfaceReader):
    """Notes each sentence that is read, each value that must be a name, and what is declared."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: dict[SentenceText, OverheardParser] = {}
        self.values: dict[Span, tuple[Scalar, Collection[str]]] = {}

    def parser(self, names: frozenset[str]) -> Parser:
        return OverheardParser(super().parser(names), self.sentences)

    def known(self, word: Scalar | None, names: Collection[str], kind: diagnose.AnyKind, **values: object) -> str:
        if word is not None:
            self.values[word.span] = (word, names)
        return super().known(word, names, kind, **values)
