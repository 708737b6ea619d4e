"""How a prompt is put together: which file is the home of each part, and which messages a call adds to its thread.

Order: who you are, where we are, what you know - then, call by call, what is new and the instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..model.case import Person
from ..model.events import Message
from ..model.procedure import Procedure
from ..templates.lookups import Speaker, phase_brief, shown_part, stage_brief, today, who
from ..templates.shown import told
from ..templates.template_set import TemplateSet
from . import disclosure, titles
from .parsed import Faults
from .state import CaseState, Thread
from .view import Shown, View

EVENTS: Final = "events"
"""By which name a thread keeps what somebody was told that he may raise."""


class Prompter:
    """Renders the parts of messages from a view; keeps nothing."""

    def __init__(self, templates: TemplateSet, procedure: Procedure) -> None:
        self.templates = templates
        self.procedure = procedure

    def part(self, candidates: Iterable[str], variables: Mapping[str, Any]) -> tuple[str, str] | None:
        """(home, text) of the first template there is; None where there is none, or it says nothing."""
        home = self.templates.find(tuple(candidates))
        if home is None:
            return None
        text = self.templates.render(home, variables).strip()
        return (home, text) if text else None

    def added(
        self,
        state: CaseState,
        thread: Thread,
        view: View,
        speaker: Speaker,
        instruction: tuple[str, ...],
        *,
        tools: bool = True,
        recalls: tuple[str, ...] | None = None,
    ) -> tuple[Message, ...]:
        """The messages that this call adds to its thread; `tools`: they are told of in words; `recalls`: with what the
        thread is begun, None for everything."""
        variables = view.variables
        if thread.messages:
            return (self._user(state, thread, view, speaker, instruction, tools=tools),)
        parts = [self.part(who(speaker), variables)]
        first = disclosure.at_first(self.procedure, state, view, recalls)
        parts += [self._known(shown, view, state) for shown in first]
        if any(note["filled"] for note in variables["notes"]):
            parts.append(self.part(("memory",), variables))
        if tools:
            parts.append(self._tools(thread, view))
        parts.append(self.part(stage_brief(speaker), variables))
        parts += self._skills(thread, view)
        return (_message("system", parts), self._user(state, thread, view, speaker, instruction, tools=False))

    def again(self, view: View, faults: Faults) -> tuple[Message, ...]:
        """The message that asks once more, saying what was wrong."""
        rules = tuple(dict.fromkeys(rule for rule, _ in faults))
        open_ = tuple(said.partition("/") for rule, said in faults if rule == "order_incomplete")
        lacking = tuple({"item": item, "what": what} for item, _, what in open_)
        faulty = next((said for _, said in faults if said), "")
        variables = {**view.variables, "problem": rules, "faulty": faulty, "lacking": lacking}
        return (_message("user", [self.part(("again",), variables)]),)

    def _user(
        self,
        state: CaseState,
        thread: Thread,
        view: View,
        speaker: Speaker,
        instruction: tuple[str, ...],
        tools: bool,
    ) -> Message:
        variables = view.variables
        parts: list[tuple[str, str] | None] = []
        if speaker.phase and thread.phase != state.phase:
            parts.append(self.part(phase_brief(speaker), variables))
        if thread.today != state.today:
            parts.append(self.part(today(), variables))
        if thread.messages:
            parts += [self._known(shown, view, state) for shown in disclosure.since(self.procedure, thread, view)]
            parts += self._skills(thread, view)
        if tools:
            parts.append(self._tools(thread, view))
        if offers(thread.shown, view):
            parts.append(self.part(("events",), variables))
        if variables["new"]:
            parts.append(self.part(("heard",), variables))
        parts.append(self.part(instruction, variables))
        return _message("user", parts)

    def _tools(self, thread: Thread, view: View) -> tuple[str, str] | None:
        """The tools that can be used now and that the thread has not been told of."""
        new = tools_untold(thread.shown, view)
        return self.part(("tools",), {**view.variables, "tools": new}) if new else None

    def _skills(self, thread: Thread, view: View) -> list[tuple[str, str] | None]:
        """The cards that this turn calls for and the thread does not hold yet."""
        new = [card for card in view.skills if f"skill {card['name']}" not in thread.shown]
        return [self.part(("skill",), {**view.variables, "skill": card}) for card in new]

    def _known(self, shown: Shown, view: View, state: CaseState) -> tuple[str, str] | None:
        """What is told of a field; of an answer also who gave none, and what his silence counts as; of a document also
        what it names that the case does not list."""
        strange = any(entry.get("unlisted") for entry in shown.entries)
        silent = any(entry.get("silent") for entry in shown.entries)
        about = {
            "name": shown.name,
            "whose": shown.whose,
            "title": shown.title,
            "people": shown.people,
            "several": shown.whose == "other" and titles.other_sides(self.procedure, state, view.person) > 1,
            "vote": "counts" in shown.entries[0],
            "entries": tuple(told(entry, shown.titles, self.procedure.locale) for entry in shown.entries),
        }
        variables = {**view.variables, "shown": about}
        said = not silent or any(entry["value"] for entry in shown.entries)
        part = self.part(shown_part(shown.whose, shown.name, view.stage), variables) if said else None
        noted = self.part(("unanswered",) if silent else ("unlisted",), variables) if silent or strange else None
        home = next((one[0] for one in (part, noted) if one is not None), "")
        return (f"{home}#{shown.key}", "\n".join(one[1] for one in (part, noted) if one is not None)) if home else None


def tools_untold(shown: Mapping[str, int], view: View) -> tuple[Mapping[str, Any], ...]:
    """The tools of this turn of which a thread has not been told."""
    return tuple(tool for tool in view.variables["tools"] if f"tool {tool['name']}" not in shown)


def offers(shown: Mapping[str, int], view: View) -> bool:
    """Whether somebody is to be told what he may raise: it is not what his thread was told last."""
    return view.offered is not None and view.offered != shown.get(EVENTS, 0)


def _message(role: Any, parts: Iterable[tuple[str, str] | None]) -> Message:
    kept = tuple(part for part in parts if part is not None)
    return Message(role=role, content="\n\n".join(text for _, text in kept), parts=kept)


def speaker_of(state: CaseState, person: Person) -> Speaker:
    return Speaker(person.role, person.kind, state.stage, state.phase.rpartition("/")[2] if state.phase else "")
