"""A procedure as a protocol that people sign who never open its file: numbered, in plain sentences.

protocol(procedure, "en", sentences("protocol", "en")).lines       # `protocol_page` makes headings and tables of it
"""

from __future__ import annotations

from ..model.immutable import immutable
from ..model.procedure import Procedure
from .protocol_course import Course, ProtocolLine
from .protocol_matrix import SeenMatrix, matrix
from .protocol_words import Phrases, Word, stages_of


@immutable
class Protocol:
    """`course`: the numbers of its steps, and their lines; `matrix`: every open cell, with its footnotes."""

    procedure: Procedure
    phrases: Phrases
    course: Course
    matrix: SeenMatrix

    @property
    def lines(self) -> tuple[ProtocolLine, ...]:
        """Every step of the procedure, once."""
        return self.course.lines


def protocol(procedure: Procedure, language: str, word: Word) -> Protocol:
    """The protocol of a linked procedure in a language (`zh` or `en`), whose phrases `word` says; labels stay as their
    author wrote them."""
    phrases = Phrases(procedure, language, word, stages_of(procedure))
    return Protocol(procedure, phrases, Course(procedure, phrases), matrix(procedure, phrases))
