"""What a person kept in a run, and what each stage changed in it; which tools were used."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...engine.memory import Kept
from ...language import diagnose
from ...language.spelling import nearest
from ...model.attendance import Attended
from ...model.case import Person
from ...model.diagnostics import Diagnostic
from ...model.equipment import MemoryField
from ...model.events import Called, Entered, Remembered
from ...model.immutable import immutable
from ...model.procedure import Procedure
from ...model.punctuation import joined
from ...wording import say
from ...wording.columns import table
from .. import lifecycle
from ..open_run import OpenRun
from ..project import Problems
from .views import RunView, ShowRequest, event_data


@dataclass(slots=True)
class Chapter:
    """A stage: what a person's fields held when it began, and what was written in it."""

    stage: str
    title: str
    before: Mapping[str, Kept]
    writings: list[Remembered] = field(default_factory=list)

    @property
    def after(self) -> Mapping[str, Kept]:
        return {**self.before, **{note.field: note.value for note in self.writings}}


@immutable
class PersonMemory:
    """A person's memory. `word`: as he was named; `kept`: field -> value at the end, or when stage `at` began.

    `fields`: those of his kind, None where it keeps no memory; `chapters`: the stages until then.
    """

    word: str
    person: str
    at: str
    fields: Mapping[str, MemoryField] | None
    kept: Mapping[str, Kept]
    chapters: list[Chapter]


def chapters_of(opened: OpenRun, person: str) -> list[Chapter]:
    """The stages of a run, with what one person wrote in each."""
    chapters: list[Chapter] = []
    for event in opened.events:
        match event:
            case Entered(level="stage", place=place, title=title):
                chapters.append(Chapter(place, title, chapters[-1].after if chapters else {}))
            case Remembered() if event.person == person and chapters:
                chapters[-1].writings.append(event)
            case _:
                continue
    return chapters


def person_in_run(opened: OpenRun, word: str, option: str) -> Person | Diagnostic:
    """Who is meant by an id, a role, a title, a name, or by what the record of a run calls somebody.

    Who alone is called so in the record comes first; a title that several share means none of them.
    """
    labels: dict[str, set[str]] = {}
    for event in opened.events:
        called = [(getattr(event, "speaker", ""), getattr(event, "person", ""))]
        called += zip(event.speakers, event.persons, strict=True) if isinstance(event, Attended) else ()
        for label, person in called:
            if label and person:
                labels.setdefault(_folded(label), set()).add(person)
    meant = labels.get(_folded(word), set())
    return person_named(opened.procedure, opened.case, next(iter(meant)) if len(meant) == 1 else word, option)


def _folded(label: str) -> str:
    """What somebody is called without blanks and capital letters."""
    return "".join(label.split()).casefold()


def person_named(procedure: Procedure, case: Any, word: str, option: str) -> Person | Diagnostic:
    """Who is meant by an id, a role, a title or a name."""
    from ...engine.casting import cast

    persons = cast(procedure, case)
    present = {who.id: who for who in lifecycle.people(procedure, case)}
    called = {who.id: (who.role, present[who.id].title, joined(present[who.id].title, who.name)) for who in persons}
    words = [(name, who) for who in persons for name in (who.id, *called[who.id], who.name) if name]
    by_id = next((who for who in persons if who.id == word), None)
    meant = {who.id: who for name, who in words if name == word}
    if by_id is not None or len(meant) == 1:
        return by_id or next(iter(meant.values()))
    if meant:
        return diagnose.ambiguous_person(option, name=word, known=tuple(meant))
    known = tuple(dict.fromkeys(name for name, who in words if not who.name or name != called[who.id][-1]))
    return diagnose.unknown_person(option, name=word, known=known)


def _read(opened: OpenRun, asked: ShowRequest) -> tuple[PersonMemory | None, Problems]:
    word, at = asked.memory, asked.at
    person = person_in_run(opened, word, "--memory")
    if isinstance(person, Diagnostic):
        return None, (person,)
    declared = opened.procedure.memory.get(person.kind)
    chapters = chapters_of(opened, person.id)
    kept = chapters[-1].after if chapters else {}
    if at:
        stages = tuple(chapter.stage for chapter in chapters)
        if at not in stages:
            return None, (diagnose.unreached_place("--at", place=at, nearest=nearest(at, stages)),)
        kept = chapters[stages.index(at)].before
        chapters = chapters[: stages.index(at)]
    return PersonMemory(word, person.id, at, declared.fields if declared is not None else None, kept, chapters), ()


def _data(memory: PersonMemory) -> dict[str, Any]:
    """Its fields, and each writing with its place and request."""
    writings = [note.model_dump(exclude={"kind"}) for chapter in memory.chapters for note in chapter.writings]
    return {"person": memory.person, "at": memory.at or None, "fields": dict(memory.kept), "writings": writings}


def _text(memory: PersonMemory, _: OpenRun) -> str:
    """Field by field, then what each stage changed."""
    if memory.fields is None:
        return say("run.memory_none", who=memory.word)
    heading = "run.memory_heading_at" if memory.at else "run.memory_heading"
    lines = [say(heading, who=memory.word, stage=memory.at), ""]
    for kind in memory.fields.values():
        lines += _field(kind, memory.kept.get(kind.name, ""))
    changed = [line for chapter in memory.chapters for line in _changes(chapter, memory.fields)]
    if changed:
        lines += ["", say("run.memory_changes"), *changed]
    return "\n".join(lines)


def _field(kind: MemoryField, kept: Kept) -> Iterator[str]:
    yield f"{kind.title} ({kind.name})"
    if not kept:
        yield "  " + say("run.memory_empty")
    elif isinstance(kept, str):
        yield from (f"  {line}" for line in kept.splitlines())
    else:
        rows = [[record.get(key, "") for key in kind.keys] for record in kept]
        yield from (f"  {line}" for line in table([kind.keys, *rows]))


def _changes(chapter: Chapter, fields: Mapping[str, MemoryField]) -> Iterator[str]:
    """What a stage changed, field by field: lines that came and went."""
    names = dict.fromkeys(note.field for note in chapter.writings)
    if not names:
        return
    yield ""
    yield f"{chapter.title} ({chapter.stage})"
    for name in names:
        dropped = any(note.how == "drop" for note in chapter.writings if note.field == name)
        yield f"  {fields[name].title if name in fields else name}" + (" ✗" if dropped else "")
        before, after = chapter.before.get(name, ""), chapter.after.get(name, "")
        yield from (f"    {line}" for line in difference_lines(before, after))


def difference_lines(before: Kept, after: Kept) -> Iterator[str]:
    """Lines of a text that came and went; of records, the values that changed."""
    if isinstance(before, str) and isinstance(after, str):
        yield from (line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:2] in ("+ ", "- "))
        return
    old, new = _by_name(before), _by_name(after)
    for name, record in new.items():
        if name not in old:
            yield f"+ {_cells(record)}"
        for key in record if name in old else ():
            was = old[name].get(key, "")
            if was != record[key]:
                yield f"~ {name} {key}: {was or '-'} → {record[key]}"
    yield from (f"- {_cells(record)}" for name, record in old.items() if name not in new)


def _by_name(kept: Kept) -> Mapping[str, Mapping[str, str]]:
    """Records by what their first key holds."""
    return {next(iter(record.values()), ""): record for record in kept} if not isinstance(kept, str) else {}


def _cells(record: Mapping[str, str]) -> str:
    return "；".join(filter(None, record.values()))


MEMORY = RunView(("memory",), _read, _data, _text)


# ---- tools -----------------------------------------------------------------------------------------------------------


def _tool_data(calls: list[Called]) -> dict[str, Any]:
    return {"calls": [event_data(call) for call in calls], "refused": _refused(calls)}


def _tool_text(calls: list[Called], _: OpenRun) -> str:
    """One line each, and how many were refused."""
    if not calls:
        return say("run.no_tools")
    rows = [
        (
            call.place,
            call.person,
            call.tool or "?",
            say(f"refused.{call.refused}") if call.refused else "✓",
            " ".join(call.result.split())[:60],
        )
        for call in calls
    ]
    return "\n".join([*table(rows), "", say("run.tools_count", count=len(calls), refused=_refused(calls))])


def _refused(calls: list[Called]) -> int:
    return sum(bool(call.refused) for call in calls)


TOOLS = RunView(
    ("tools",),
    lambda opened, _: ([event for event in opened.events if isinstance(event, Called)], ()),
    _tool_data,
    _tool_text,
)
