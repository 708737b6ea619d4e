"""Versions of a document that a run has: what its author could see when it was written, and the text made of that.

point = drafted_in(opened, "complaint", "plaintiff_lawyer")          # None: nobody wrote it in this run
text = version(Sight(opened, point), making, templates, "better")    # or why there is none

A version may hold evaluation-only values, which reach the document and nothing else: no view, no prompt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..engine.casting import cast
from ..engine.interpreter import interpret
from ..evaluation.sections import body
from ..language import diagnose
from ..model.case import MISSING, Case, Record, Sided, Value
from ..model.events import Drafted, Entered, Message
from ..model.immutable import immutable
from ..model.procedure import ModelDefaults
from ..model.source import Span
from ..model.text import clean
from ..models.failures import ModelFailed
from ..models.litellm_client import complete, refusal
from ..models.named.catalogue import CalledModels, called_models
from ..runs.journal import EventLine
from ..runs.loop import Finished, ReplayLog, replayed
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.read_parts import part_reader
from ..templates.template_set import TemplateError, TemplateSet
from .edit import Absent, revised, tidy
from .file import Declared
from .interventions import STUDY, Making

_ASKING = "rewrite"


@immutable
class Point:
    """A document as somebody wrote it, and the place just behind it, where a fork begins."""

    document: str
    side: str
    person: str
    text: str
    place: str
    at: int


def drafted_in(opened: OpenRun, document: str, target: str) -> Point | None:
    """Where a run's target wrote a document last; None where he did not, or where nothing came after."""
    authors = {person.id for person in cast(opened.procedure, opened.case) if person.role == target}
    point: Point | None = None
    draft: Drafted | None = None
    for index, line in enumerate(opened.loaded.lines):
        event = line.event if isinstance(line, EventLine) else None
        match event:
            case Drafted(source="reply") if event.document == document and event.person in authors:
                draft = event
            case Entered() if draft is not None:
                point = Point(document, draft.side, draft.person, draft.text, event.place, index)
                draft = None
            case _:
                pass
    return point


class Sight:
    """What the author of a document can name when another version of it is made: his view there, and the reference."""

    def __init__(self, opened: OpenRun, point: Point) -> None:
        self.opened = opened
        self.point = point

    @cached_property
    def view(self) -> Mapping[str, Any]:
        """The author's view just before the run went on; nothing is asked for that."""
        opened = self.opened
        settings = replace(opened.settings, until=self.point.place)
        reader = part_reader(opened.procedure, opened.case)
        game = interpret(opened.procedure, opened.case, settings, opened.project.templates, reader=reader)
        finished = replayed(game, ReplayLog(opened.loaded.lines[: self.point.at]))
        assert isinstance(finished, Finished)  # the journal came by here
        variables: Mapping[str, Any] = finished.look(self.point.person).variables
        return variables

    @cached_property
    def reference(self) -> Mapping[str, Value]:
        """The evaluation-only values of the case: of one that each side has, that of the author's side."""
        case = self.opened.folder.case(self.opened.procedure, sealed=True)
        values = case.sealed if isinstance(case, Case) else {}
        return {name: _open(_of_side(value, self.point.side)) for name, value in values.items()}

    def variables(self, **words: str) -> Mapping[str, Any]:
        """What a template of a version can name; `words` are the quality and, for a section, what stands there now."""
        study = {"quality": "", "draft": self.point.text, "section": "", **words, "reference": self.reference}
        return {**self.view, STUDY: study}


def _of_side(value: Value | Sided, side: str) -> Value:
    return value.values.get(side, MISSING) if isinstance(value, Sided) else value


class _Open(Record):
    """A record in which a key that is not there is a missing value: cases differ in how much reference they hold."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Value:
        return self._values.get(key, MISSING)


def _open(value: Value) -> Value:
    match value:
        case Record():
            return _Open({key: _open(value[key]) for key in value})
        case tuple():
            return tuple(_open(member) for member in value)
        case _:
            return value


def version(sight: Sight, making: Making, templates: TemplateSet, quality: str) -> str | Problems:
    """The text of a version, made by a template and changes; or what stands in the way."""
    point, opened = sight.point, sight.opened
    document = opened.procedure.documents[point.document]
    labels = document.sections
    text = point.text
    try:
        if making.template:
            text = _rendered(templates, making.template, sight.variables(quality=quality))
        for change in making.changes:
            written = ""
            if change.template:
                section = body(text, change.sections[0], labels)
                written = _rendered(templates, change.template, sight.variables(quality=quality, section=section))
            after = revised(text, change, labels, written)
            if isinstance(after, Absent):
                at = Span(opened.folder.path.as_posix(), 0, 0)
                return (
                    diagnose.inapplicable_intervention(
                        at, document=document.title, sections=after.sections, quality=quality
                    ),
                )
            text = after
    except TemplateError as error:
        return error.problems
    return tidy(clean(text))


def _rendered(templates: TemplateSet, name: str, variables: Mapping[str, Any]) -> str:
    home = templates.find((name,))
    assert home is not None  # checked before
    return templates.render(home, variables).strip() + "\n"


def reads_reference(making: Making, templates: TemplateSet) -> bool:
    """Whether evaluation-only values go into a version."""
    names = (making.template, *(change.template for change in making.changes))
    homes = [home for name in names if name and (home := templates.find((name,))) is not None]
    return any(read.path[:2] == (STUDY, "reference") for home in homes for read in templates.reads(home))


# ---- a model that rewrites a version ---------------------------------------------------------------------------------


@immutable
class Writer:
    """A model that puts a version into its own words. `model` "" = nobody does."""

    model: str
    deadline: float

    def problems(self, declared: Declared) -> Problems:
        """Why nothing can be rewritten: the model cannot be asked, or its prompt is not there or wrong."""
        if not self.model:
            return ()
        called, home = self._called, declared.templates.find((_ASKING,))
        failed = None if isinstance(called, tuple) else refusal(called.endpoint(self.model, self.deadline))
        problems = called if isinstance(called, tuple) else () if failed is None else (failed.at("--writer"),)
        if home is None:
            return (*problems, diagnose.missing_template(Span(declared.interventions.file, 1, 1), name=_ASKING))
        return (*problems, *declared.templates.check(home))

    @property
    def _called(self) -> CalledModels | Problems:
        return called_models((self.model,), Path.cwd(), "--writer")

    def rewritten(self, text: str, sight: Sight, templates: TemplateSet, quality: str) -> str | Problems:
        """The version in the model's words; what must be in it and what must not is said in the prompt."""
        if not self.model:
            return text
        asked = _rendered(templates, _ASKING, sight.variables(quality=quality, section=text))
        defaults = sight.opened.procedure.model
        once = ModelDefaults(temperature=0.0, max_tokens=defaults.max_tokens)
        called = self._called
        if isinstance(called, tuple):
            return called
        endpoint = called.endpoint(self.model, self.deadline)
        try:
            reply = asyncio.run(complete(endpoint, (Message(role="user", content=asked),), once, seed=0))
        except ModelFailed as error:
            return (error.at("--writer"),)
        words = clean(reply.text).strip()
        return words + "\n" if words else (diagnose.empty_writer_reply("--writer", name=self.model),)
