"""Requests: what one person is sent for one turn, made from what he may see. Renders; records nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..language.amounts import in_full
from ..model.case import MISSING, Person, texts
from ..model.equipment import Skill, Tool
from ..model.events import Offer, Request
from ..model.immutable import immutable, replace
from ..model.procedure import Procedure
from ..model.punctuation import joined
from ..model.reply_form import ReplyForm
from ..model.step_facts import value_token
from ..model.votes import Voted
from ..templates import lookups
from . import conditions, disclosure, memory, prompt, titles, tool_offers, tools
from .named import words_for
from .nearest import plain
from .parsed import Faults
from .polls import counts_of, votes_of
from .prompt import EVENTS, offers
from .scene import Scene
from .state import CaseState, Heard, Thread, roles_of
from .tools import ToolResult, ToolSession
from .turn import TurnSpec, as_read
from .view import View, ViewBuilder, as_known

LEADING = frozenset({"announce", "moderate"})  # acts of who gives others the word
LIMIT = 60_000  # characters of one reply; a judgment of twenty pages has some 15,000


_NO_PARTICULARS = frozenset({"id", "name", "persona"})  # told in other words


@immutable
class Prepared:
    """A request, and what its thread has been shown by it: key of a known field or skill -> version."""

    request: Request
    shown: Mapping[str, int]


class _Self(NamedTuple):
    """`me`, as templates read it, and what others are called, with one's own label."""

    me: Mapping[str, Any]
    labels: frozenset[str]


class _Equipment(NamedTuple):
    """What a person has to work with in a stage; `told`: tool -> as templates read it, `offered`: as models are offered
    it natively, from when it first was."""

    tools: tuple[Tool, ...]
    skills: tuple[Skill, ...]
    told: Mapping[str, Mapping[str, Any]]
    offered: dict[str, Offer]


class RequestBuilder:
    """Builds views and requests for the persons of one scene."""

    def __init__(self, scene: Scene, prompter: prompt.Prompter, views: ViewBuilder) -> None:
        self.scene = scene
        self.prompter = prompter
        self.views = views
        self._requests: dict[str, int] = {}
        self._hearing: dict[str, tuple[tuple[Heard, ...], tuple[Mapping[str, Any], ...]]] = {}
        answers = [name for answer in scene.procedure.answers.values() for name in answer.names]
        self._tokens = frozenset((*scene.procedure.tokens, *map(value_token, answers)))
        self._equipment: dict[tuple[str, str], _Equipment] = {}
        self._selves: dict[str, _Self] = {}
        self._selves_of: tuple[object, object] = (None, None)

    # ---- what a person works with and sees ---------------------------------------------------------------------------
    def session(self, person: Person) -> ToolSession:
        """The tools and skills of a person in this stage, none of them used yet."""
        equipment, now = self._equipped(person), self.scene.now
        there = tuple(tool for tool in equipment.tools if conditions.holds(tool.when, now))
        if not self._keeps(person):
            there = tuple(tool for tool in there if tool.operation not in tools.REMEMBERING)
        return ToolSession(there, equipment.skills)

    def _keeps(self, person: Person) -> bool:
        """Whether a person keeps a memory in this case."""
        kept = self.scene.procedure.memory.get(person.kind)
        return kept is not None and conditions.holds(kept.when, self.scene.now)

    def _equipped(self, person: Person) -> _Equipment:
        """The tools of which a person may ever make use in this stage, and his skills."""
        scene, key = self.scene, (person.id, self.scene.state.stage)
        if key not in self._equipment:
            session = tools.session_of(scene.procedure, person, scene.state.stage)
            kept, without = scene.procedure.memory.get(person.kind), scene.settings.without
            stint = tool_offers.stint_of(person, scene.procedure, scene.state)
            usable = (tool for tool in session.tools if tool_offers.usable(tool, session, kept))
            of_use = (tool for tool in usable if tool_offers.of_use(tool, stint, scene.procedure))
            session.tools = tuple(tool for tool in of_use if tool.operation not in without)
            told = tool_offers.described(scene.procedure, session, person)
            self._equipment[key] = _Equipment(session.tools, session.skills, {tool["name"]: tool for tool in told}, {})
        return self._equipment[key]

    def view(self, person: Person, spec: TurnSpec, session: ToolSession | None = None) -> View:
        """All that a person may see when it is his turn; `session`: what he has called in it."""
        scene = self.scene
        procedure, state = scene.procedure, scene.state
        knowledge = self.views.knowledge(scene.now_for(person.id), person)
        thread_name = scene.thread_of(person.id)
        heard = self._heard_by(person.id)
        unsent = heard[state.threads.get(thread_name, Thread()).heard :]
        if disclosure.recalled(scene.phase, thread_name) is not None:
            unsent = tuple(h for h in unsent if scene.phase is not None and h["phase"] == scene.phase.id)
        session = session or self.session(person)
        kept = procedure.memory.get(person.kind)
        remembered = memory.named(kept, state.memory, person.id)
        moment = tool_offers.Moment(spec.act, spec.document, knowledge)
        variables = {
            "me": self._self(person).me,
            "scene": self._place(),
            "step": as_read(spec, person, knowledge, scene),
            "own": knowledge.own,
            "other": knowledge.other,
            "known": knowledge.known,
            "minutes": knowledge.minutes,
            "heard": heard,
            "new": tuple(h for h in unsent if h["thread"] != thread_name),
            "last": heard[-1] if heard else MISSING,
            "memory": remembered,
            "notes": memory.noted(kept if self._keeps(person) else None, remembered),
            "tools": tuple(
                self._equipped(person).told[tool.name]
                for tool in session.tools
                if tool_offers.serves(tool, procedure, session, moment)
            ),
            "results": _as_read(spec.results),
        }
        skills = tuple(tools.shown(card) for card in session.skills if spec.act in card.acts)
        return View(
            person.id, state.stage, state.phase, knowledge, variables, skills, self._offered(spec), state.amended
        )

    def _offered(self, spec: TurnSpec) -> int | None:
        """Which events somebody may raise, and means to, as the bits of a number."""
        if spec.events is None:
            return None
        order = [event.id for event in self.scene.procedure.interruptions]
        return sum((3 if one.intended else 1) << 2 * order.index(one.event.id) for one in spec.events)

    def _heard_by(self, person: str) -> tuple[Mapping[str, Any], ...]:
        """What the person heard in this scenario, as templates read it; extended, not rebuilt, turn by turn."""
        heard = self.scene.state.heard.get(person, ())
        known, entries = self._hearing.get(person, ((), ()))
        if heard[: len(known)] != known:  # another stage, or talk that was withheld
            entries = ()
        added = tuple(
            {
                "speaker": h.speaker,
                "text": h.text,
                "mine": h.person == person,
                "act": h.act,
                "phase": h.phase.rpartition("/")[2],
                "to": h.to,
                "thread": h.thread,
                "vote": _as_heard(h.vote, self.scene.procedure) if h.vote is not None else MISSING,
                "title": h.title,
                "lines": tuple(
                    {"speaker": speaker, "text": text, "struck": number in h.struck_lines}
                    for number, (speaker, text) in enumerate(h.lines)
                ),
                "omitted": h.omitted,
                "struck": h.struck,
            }
            for h in heard[len(entries) :]
        )
        entries = entries + added
        self._hearing[person] = (heard, entries)
        return entries

    def _place(self) -> Mapping[str, Any]:
        """`scene`, as templates read it."""
        stage, phase = self.scene.stage, self.scene.phase
        return {
            "procedure": self.scene.procedure.title,
            "stage": stage.id if stage else "",
            "title": stage.title if stage else "",
            "phase": phase.id if phase else "",
            "phase_title": phase.title if phase else "",
            "basis": phase.basis if phase else (stage.basis if stage else ()),
            "options": self.scene.settings.options,
            "today": self.scene.calendar.as_read(self.scene.state.today),
            "amended": tuple(self.scene.procedure.fields[name].amends for name in self.scene.state.amended),
        }

    # ---- requests ----------------------------------------------------------------------------------------------------
    def first(
        self, person: Person, spec: TurnSpec, lacking: Faults = (), session: ToolSession | None = None
    ) -> Prepared:
        """The request that opens a turn; `lacking`: what the reply before did not have, when it is asked again, and
        `session` what was called for it."""
        scene, procedure = self.scene, self.scene.procedure
        view = self.view(person, spec, session)
        speaker = prompt.speaker_of(scene.state, person)
        name = scene.thread_of(person.id)
        thread = scene.state.threads.get(name, Thread())
        offers = self._offers(person, view)
        if lacking:
            added = self.prompter.again(view, lacking)
        else:
            homes = lookups.act("act", spec.act, spec.info.prompt, speaker)
            recalls = disclosure.recalled(scene.phase, name)
            added = self.prompter.added(scene.state, thread, view, speaker, homes, tools=not offers, recalls=recalls)
        request = Request(
            id=self._next_id(person.id),
            person=person.id,
            role=person.role,
            speaker=scene.label(person.id),
            act=spec.act,
            thread=name,
            messages=(*thread.messages, *added),
            added=added,
            view=view,
            form=replace(self.form(person, spec), sent=(*thread.messages, *added)),
            offline=lookups.act("offline", spec.act, spec.info.prompt, speaker),
            model=procedure.model.doing(spec.act, spec.document),
            tools=offers,
            last_try=bool(lacking),
            halts=spec.halts,
            named=words_for(scene, person) if spec.answer is not None else frozenset(),
        )
        newly = {} if lacking else _newly_shown(view, thread)
        if not (lacking or offers):
            newly = {**newly, **{f"tool {tool['name']}": 1 for tool in prompt.tools_untold(thread.shown, view)}}
        return Prepared(request, newly)

    def ahead(self, person: Person, spec: TurnSpec) -> Request:
        """The request that will open a turn, made before it is there; it does not count as made."""
        made = dict(self._requests)
        request = self.first(person, spec).request
        self._requests = made
        return request

    def going_on(self, person: Person, spec: TurnSpec, before: Request) -> Prepared:
        """The request that goes on with a document where a limit of tokens cut it."""
        view = self.view(person, spec)
        added = self.prompter.again(view, (("unfinished", ""),))
        messages = (*self.scene.state.threads[before.thread].messages, *added)
        form = replace(before.form, sent=messages)
        request = replace(before, id=self._next_id(person.id), messages=messages, added=added, view=view, form=form)
        return Prepared(request, {})

    def after_tools(self, person: Person, spec: TurnSpec, before: Request, session: ToolSession) -> Prepared:
        """The request that goes on after tools were called: nothing is new in it but their results."""
        view = self.view(person, spec, session)
        in_words = tuple(result for result in spec.results if not result.id)
        variables = {**view.variables, "results": _as_read(in_words)}
        part = self.prompter.part(("results",), variables) if in_words else None
        added = tools.answered(spec.results, part)
        last_try = before.last_try or session.marked
        messages = (*self.scene.state.threads[before.thread].messages, *added)
        form = replace(before.form, sent=messages)
        # A template that writes what is to be kept would write it again; the neutral one has nothing more to say.
        offline = before.offline[-1:] if spec.wordless and session.wrote else before.offline
        request = replace(before, id=self._next_id(person.id), messages=messages, added=added, view=view, form=form)
        request = replace(request, last_try=last_try, offline=offline, tools=self._offers(person, view))
        return Prepared(request, session.loaded)

    def form(self, person: Person, spec: TurnSpec) -> ReplyForm:
        """The form that a reply to this turn must have."""
        label = self.scene.label(person.id)
        reviewing = spec.act == "review"
        raising = tuple(one.token for one in spec.events or ())
        asked_for = set(map(value_token, spec.answer.names)) if spec.answer else set()
        return ReplyForm(
            kind="text" if spec.document is None else "document" if spec.doing == "draft" else "either",
            answer=spec.answer,
            leading=spec.leading,
            spellings=self._spellings(spec.calls),
            ending=spec.ending,
            tokens=self._tokens - {*spec.leading, *spec.ending, *spec.within, *raising} - asked_for,
            own=label,
            called=frozenset(self._called(person)),
            labels=frozenset() if reviewing else self._self(person).labels,  # a review may quote
            limit=LIMIT,
            within=spec.within,
            values=tuple(score.name for score in spec.scores) if reviewing else (),
            lowest=min((score.lowest for score in spec.scores), default=0.0),
            highest=max((score.highest for score in spec.scores), default=0.0),
            raising=raising,
            sections=spec.document.sections if spec.document is not None else (),
            calls=tuple(spec.calls),
            heard=spec.aloud,
            calling=bool(self.scene.procedure.tools),
            addressed=self._addressed(person, spec) if spec.aloud else frozenset(),
        )

    def _self(self, person: Person) -> _Self:
        """What a person is told of himself, and how all are called; kept until somebody comes or roles change hands."""
        state, names = self.scene.state, self.scene.names()
        if self._selves_of[0] is not state.persons or self._selves_of[1] is not state.role_holders:
            self._selves_of, self._selves = (state.persons, state.role_holders), {}
        if person.id not in self._selves:
            others = {word for words in names.values() for word in words} - {*names[person.id]}
            labels = frozenset({*others, names[person.id][0]})
            self._selves[person.id] = _Self(_me(self.scene.procedure, state, person), labels)
        return self._selves[person.id]

    def _addressed(self, person: Person, spec: TurnSpec) -> frozenset[str]:
        """What those are called whom somebody may greet: to whom he speaks, who spoke last, and who leads the talk."""
        heard = self.scene.state.heard.get(person.id, ())
        leading = (one.person for one in heard if one.act in LEADING)
        meant = {*spec.to, *spec.calls.values(), *leading, *(one.person for one in heard[-1:])} - {person.id, ""}
        return frozenset(word for other in meant for word in self._called(self.scene.state.persons[other]))

    def _called(self, person: Person) -> set[str]:
        """What somebody is called beside his label: his titles, his name, and both together."""
        called = self.scene.names()[person.id]
        return {*called, *(joined(title, person.name) for title in called), person.name} - {""}

    def _spellings(self, calls: Mapping[str, str]) -> dict[str, str]:
        """Other ways to call the same persons -> the token of each: by title, full title, name, or title and name.

        A way that could mean two of them means neither.
        """
        meant: dict[str, set[str]] = {}
        for token, person in calls.items():
            label, *_ = called = self.scene.names()[person]
            name = self.scene.state.persons[person].name
            named = [joined(title, name) for title in called if name and name not in title]
            for word in (*called, *named, *([name] if name else [])):
                meant.setdefault(plain(token.replace(label, word)), set()).add(token)
        return {spelling: tokens.pop() for spelling, tokens in meant.items() if len(tokens) == 1}

    def _offers(self, person: Person, view: View) -> tuple[Offer, ...]:
        """The tools that a model is offered natively: all of the stage, worded when it first has them."""
        if person.role not in self.scene.native:
            return ()
        procedure, session = self.scene.procedure, self.session(person)
        equipment = self._equipped(person)
        for tool in session.tools:
            if tool.name not in equipment.offered:
                part = self.prompter.part(("offer",), {**view.variables, "tools": (equipment.told[tool.name],)})
                says = part[1] if part is not None else tool.does
                equipment.offered[tool.name] = tool_offers.offer(tool, procedure, session, person, says=says)
        return tuple(equipment.offered[tool.name] for tool in session.tools)

    def _next_id(self, person: str) -> str:
        key = f"{self.scene.state.place}/{person}"
        self._requests[key] = self._requests.get(key, 0) + 1
        return f"{key}/{self._requests[key]}"


def _me(procedure: Procedure, state: CaseState, person: Person) -> Mapping[str, Any]:
    """The variables about the reader himself."""
    framework = procedure.personas.get(procedure.roles[person.role].persona)
    persona = [
        {"title": dimension.title, "level": person.persona[name], "text": dimension.levels[person.persona[name]]}
        for name, dimension in (framework.dimensions.items() if framework else ())
        if person.persona.get(name) in dimension.levels
    ]
    clients = [
        {
            "title": titles.full_title(procedure, state, client),
            "name": state.persons[client].name,
            "party": as_known(state.persons[client].record),
        }
        for client in person.represents
    ]
    return {
        "title": titles.title(procedure, state, person.id),
        "label": titles.label(procedure, state, person.id),
        "name": person.name,
        "role": person.role,
        "kind": person.kind,
        "side": person.side,
        "roles": roles_of(state, person.id),
        "party": person.record or MISSING,
        "particulars": _particulars(procedure, person),
        "clients": clients,
        "persona": persona,
    }


def _particulars(procedure: Procedure, person: Person) -> tuple[Mapping[str, Any], ...]:
    """What the case says of a person besides his name, key by key under the titles that the procedure gives."""
    role = procedure.roles[person.role]
    declared = procedure.fields.get(role.each or ("" if role.named_key else role.named))
    titles_ = declared.titles if declared is not None else {}
    said = (
        (key, tuple(in_full(one, procedure.locale) for one in texts(person.record[key])))
        for key in person.record
        if key not in _NO_PARTICULARS
    )
    return tuple({"title": titles_.get(key, key), "values": values} for key, values in said if values)


def _as_heard(voted: Voted, procedure: Procedure) -> Mapping[str, Any]:
    """How a vote came out, as those hear it who are present."""
    said, title = procedure.answers[voted.name].said, voted.title
    if voted.aside:  # two rounds of a loop must not be told alike
        marks = procedure.marks
        title = marks.bracketed(title or procedure.answers[voted.name].called, marks.listed.join(voted.aside))
    told = {"title": title, "result": said(voted.result), "by": voted.by}
    counts = tuple({**one, "value": said(str(one["value"]))} for one in counts_of(voted))
    return {
        **told,
        "counts": counts,
        "votes": tuple({**one, "value": said(str(one["value"]))} for one in votes_of(voted)),
    }


def _newly_shown(view: View, thread: Thread) -> Mapping[str, int]:
    """What a thread has not been shown yet: fields that opened or grew, and skills."""
    fields = {s.key: s.version for s in view.knowledge.shown if thread.shown.get(s.key) != s.version}
    skills = {f"skill {card['name']}": 1 for card in view.skills if f"skill {card['name']}" not in thread.shown}
    return fields | skills | ({EVENTS: view.offered or 0} if offers(thread.shown, view) else {})


def _as_read(results: tuple[ToolResult, ...]) -> tuple[Mapping[str, Any], ...]:
    return tuple({"tool": result.tool, "ok": result.ok, "text": result.text} for result in results)
