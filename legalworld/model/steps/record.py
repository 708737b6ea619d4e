"""`record ANSWER: ...`: an answer that nobody gives is put down."""

from __future__ import annotations

from ..actors import Actor, FieldRef, LoopPerson
from ..immutable import immutable
from ..plan import Answer, Step


@immutable
class RecordAnswer(Step):
    """`value` is kept as the answer: about the record that `where` names, or as that of the persons it names.

    `whose`: the person in hand whose answer it is, where a loop over persons is named or is the innermost around.
    """

    where: FieldRef
    answer: Answer
    value: str | tuple[str, ...]
    whose: LoopPerson | None = None

    @property
    def answer_names(self) -> tuple[str, ...]:
        return (self.answer.name,)

    @property
    def answerers(self) -> tuple[Actor, ...]:
        meant = self.where.of or self.whose
        return (meant,) if meant is not None else ()

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return self.answerers

    @property
    def loop_variable(self) -> str:
        return self.where.about
