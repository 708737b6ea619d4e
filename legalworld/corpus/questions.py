"""What the parties would ask a lawyer, with reference answers: written by a model, checked by rules (LegalWorld, 2.1).

A question may tell nothing that only the courts said. An answer may cite only what the judgments cite. What does not
hold is refused. Without a model there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..law.text.citations import citations
from ..model.json_values import json_in
from .model_reader import TELLING, ModelReader, texts_of
from .own_words import layout, own_words, value_at
from .records import Outcome, Records, Row, StepNotes

MOST: Final = 6  # questions of a side
SHORTEST, LONGEST = 6, 2_000  # characters of a question and of its answer


def with_questions(records: Records, reader: ModelReader | None, notes: StepNotes) -> Iterator[Outcome]:
    """The cases, with the questions of each side. Raises ModelFailed, OSError."""
    asked = kept = refused = 0
    for row in records():
        if reader is None or value_at(row["case"], layout().consultation) is not None:
            yield row
            continue
        asked += 1
        told = reader.ask(_wanted(row["case"]), _schema(), _read) or {}
        found = {
            side: [one for one in told.get(side, ()) if _holds(row["case"], one)][:MOST] for side in layout().sides
        }
        kept += sum(map(len, found.values()))
        refused += sum(map(len, told.values())) - sum(map(len, found.values()))
        for side, listed in found.items():
            if listed:
                row["case"].setdefault(layout().consultation, {})[side] = listed
        yield row
    notes.values = {"asked": asked, "kept": kept, "refused": refused} if reader is not None else {}


def _wanted(case: Row) -> str:
    """What a model is asked: what the parties say, and the articles; nothing that the courts found or decided."""
    told = {path: value_at(case, path) for path in layout().questioned if value_at(case, path)}
    articles = [text for path in layout().cited for text in texts_of(value_at(case, path))]
    sides = "\n".join(layout().sides)
    lines = "\n".join(f"{path}: {'; '.join(texts_of(value))}" for path, value in told.items())
    return str(own_words("ask")["consult"].format(sides, lines, "\n".join(articles)))


def _schema() -> Row:
    said = {"type": "string"}
    one = {
        "type": "object",
        "properties": {layout().question: said, layout().answer: said},
        "required": [layout().question, layout().answer],
        "additionalProperties": False,
    }
    listed = {"type": "array", "items": one}
    sides = list(layout().sides)
    return {
        "type": "object",
        "properties": dict.fromkeys(sides, listed),
        "required": sides,
        "additionalProperties": False,
    }


def _read(reply: str) -> dict[str, list[dict[str, str]]] | None:
    """The questions of each side; None where a reply is none that was asked for."""
    told = json_in(reply).only()
    keys = {layout().question, layout().answer}
    if told is None or set(told) - set(layout().sides):
        return None
    for listed in told.values():
        if not isinstance(listed, list) or not all(isinstance(one, dict) and set(one) == keys for one in listed):
            return None
        if not all(isinstance(said, str) for one in listed for said in one.values()):
            return None
    return told


def _holds(case: Row, one: dict[str, str]) -> bool:
    """Whether a question tells nothing sealed, and its answer cites what the judgments cite."""
    question, answer = one[layout().question].strip(), one[layout().answer].strip()
    if not all(SHORTEST <= len(said) <= LONGEST for said in (question, answer)):
        return False
    sealed = "\n".join(texts_of(value_at(case, layout().sealed_root)))
    if any(question[at : at + TELLING] in sealed for at in range(len(question) - TELLING + 1)):
        return False
    cited = {
        _article(one) for path in layout().cited for text in texts_of(value_at(case, path)) for one in citations(text)
    }
    said = {_article(one) for one in citations(answer)}
    return bool(said) and said <= cited


def _article(one: Any) -> tuple[str | None, str | None]:
    return one.law, one.article
