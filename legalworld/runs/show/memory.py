"""What persons kept and which tools they used in a run: read from its events, stage by stage."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...engine.memory import Kept
from ...language import diagnose
from ...language.diagnostics import nearest
from ...model.case import Person
from ...model.diagnostics import Diagnostic
from ...model.equipment import MemoryField
from ...model.events import Called, Entered, Event, Remembered
from ...model.procedure import Procedure
from ...wording import say
from ...wording.columns import table
from .. import lifecycle
from ..journal import EventLine
from ..lifecycle import OpenRun


@dataclass(slots=True)
class Chapter:
    """A stage: what a person's fields held when it began, and what was written in it."""

    stage: str
    title: str
    before: Mapping[str, Kept]
    writings: list[Remembered] = field(default_factory=list)

    @property
    def after(self) -> Mapping[str, Kept]:
        return {**self.before, **{one.field: one.value for one in self.writings}}


def _events(opened: OpenRun) -> Iterator[Event]:
    return (line.event for line in opened.loaded.lines if isinstance(line, EventLine))


def chapters(opened: OpenRun, person: str) -> list[Chapter]:
    """The stages of a run, with what one person wrote in each."""
    found: list[Chapter] = []
    for event in _events(opened):
        match event:
            case Entered(level="stage", place=place, title=title):
                found.append(Chapter(place, title, found[-1].after if found else {}))
            case Remembered() if event.person == person and found:
                found[-1].writings.append(event)
            case _:
                continue
    return found


def person_named(procedure: Procedure, case: Any, word: str, option: str) -> Person | Diagnostic:
    """Who is meant by an id, a role, a title or a name."""
    from ...engine.casting import cast

    persons = cast(procedure, case)
    present = {one.id: one for one in lifecycle.people(procedure, case)}
    words = [(name, one) for one in persons for name in (one.id, one.role, present[one.id].title, one.name) if name]
    for name, one in words:
        if name == word:
            return one
    known = tuple(dict.fromkeys(name for name, _ in words))
    return diagnose.unknown_person(option, name=word, known=known)


def memory(opened: OpenRun, word: str, at: str, locale: str) -> str | Diagnostic:
    """A person's memory: as it stands (or stood when stage `at` began), and what each stage changed."""
    person = person_named(opened.procedure, opened.case, word, "--memory")
    if isinstance(person, Diagnostic):
        return person
    declared = opened.procedure.memory.get(person.kind)
    if declared is None:
        return say(locale, "run", "memory_none", who=word)
    told = chapters(opened, person.id)
    if at:
        stages = tuple(one.stage for one in told)
        if at not in stages:
            return diagnose.unreached_place("--at", place=at, nearest=nearest(at, stages))
        told = told[: stages.index(at) + 1]
        kept = told[-1].before
        told = told[:-1]
    else:
        kept = told[-1].after if told else {}
    lines = [say(locale, "run", "memory_heading" if not at else "memory_heading_at", who=word, stage=at), ""]
    for one in declared.fields.values():
        lines += _field(one, kept.get(one.name, ""), locale)
    changed = [line for chapter in told for line in _changes(chapter, declared.fields)]
    if changed:
        lines += ["", say(locale, "run", "memory_changes"), *changed]
    return "\n".join(lines)


def _field(one: MemoryField, kept: Kept, locale: str) -> Iterator[str]:
    yield f"{one.title} ({one.name})"
    if not kept:
        yield "  " + say(locale, "run", "memory_empty")
    elif isinstance(kept, str):
        yield from (f"  {line}" for line in kept.splitlines())
    else:
        yield from (f"  {line}" for line in table([one.keys, *([r.get(key, "") for key in one.keys] for r in kept)]))


def _changes(chapter: Chapter, fields: Mapping[str, MemoryField]) -> Iterator[str]:
    """What a stage changed, field by field: lines that came and went."""
    names = dict.fromkeys(one.field for one in chapter.writings)
    if not names:
        return
    yield ""
    yield f"{chapter.title} ({chapter.stage})"
    for name in names:
        dropped = any(one.how == "drop" for one in chapter.writings if one.field == name)
        yield f"  {fields[name].title if name in fields else name}" + (" ✗" if dropped else "")
        before, after = chapter.before.get(name, ""), chapter.after.get(name, "")
        yield from (f"    {line}" for line in _difference(before, after))


def _difference(before: Kept, after: Kept) -> Iterator[str]:
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


def as_json(opened: OpenRun, word: str, at: str) -> dict[str, Any] | Diagnostic:
    """The same as data: fields now, and each writing with its place and request."""
    person = person_named(opened.procedure, opened.case, word, "--memory")
    if isinstance(person, Diagnostic):
        return person
    told = chapters(opened, person.id)
    stages = tuple(one.stage for one in told)
    if at and at not in stages:
        return diagnose.unreached_place("--at", place=at, nearest=nearest(at, stages))
    cut = stages.index(at) if at else len(told)
    kept = told[cut].before if at else (told[-1].after if told else {})
    writings = [one.model_dump(exclude={"kind"}) for chapter in told[:cut] for one in chapter.writings]
    return {"person": person.id, "at": at or None, "fields": dict(kept), "writings": writings}


def tools(opened: OpenRun, locale: str) -> str:
    """Every tool call of a run, one line each, and how many were refused and why."""
    calls = [event for event in _events(opened) if isinstance(event, Called)]
    if not calls:
        return say(locale, "run", "no_tools")
    rows = [
        (one.place, one.person, one.tool or "?", _outcome(one, locale), " ".join(one.result.split())[:60])
        for one in calls
    ]
    refused = sum(bool(one.refused) for one in calls)
    return "\n".join([*table(rows), "", say(locale, "run", "tools_count", count=len(calls), refused=refused)])


def _outcome(one: Called, locale: str) -> str:
    return say(locale, "refused", one.refused) if one.refused else "✓"
