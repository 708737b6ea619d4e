"""The floor: one person is given the word, and what he says becomes events.

Everything that is said in a procedure passes here: view, messages, request, reply, faults, one more try, events.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..model import events
from ..model.case import MISSING, Case, Person
from ..model.events import Event, Reply, ReplyForm, Request, Turn
from ..model.plan import StepInfo, value_token
from ..model.procedure import Document, Procedure, Stage
from ..model.source import Span
from ..templates import lookups
from . import conditions, conduct, memory, prompt, replies, review, titles, tools
from .conditions import EvalContext, LoopItem
from .state import CaseState, Heard, Thread, apply
from .tools import ToolSession
from .turn import TurnSpec, as_read
from .view import View, ViewBuilder, me

LIMIT = 60_000  # characters of one reply; a judgment of twenty pages has some 15,000
Signal = Literal["", "stage", "case", "pause"]
"""What a step leaves behind: go on, or the stage or the case is over, or the run stops here."""

Play = Generator[Turn, tuple[Reply, ...], Signal]


@dataclass(frozen=True, slots=True)
class Intervention:
    """A document replaced just before a place (`fork`)."""

    place: str
    document: str
    side: str
    text: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run chose: who is under test, the seed, the options, where to stop, what to replace, what to leave out.

    `skip`: stages and phases (STAGE, STAGE/PHASE).
    `native`: the roles whose models call tools natively; the others are told of tools in words.
    """

    target: str
    seed: int
    options: Mapping[str, str]
    until: str = ""
    interventions: tuple[Intervention, ...] = ()
    native: frozenset[str] = frozenset()
    skip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Formulated:
    """Words that were formulated: the request, the reply taken apart, what its speaker worked with.

    `last`: he has formulated nothing since.
    """

    request: Request
    parsed: replies.Parsed
    bench: ToolSession
    last: bool = True


@dataclass(slots=True)
class Floor:
    """The state, the events not yet handed out, and who is present now.

    `round`: of the innermost `repeat`; `presented`: the records (FIELD/SIDE/INDEX) that were presented so far.
    """

    procedure: Procedure
    case: Case
    settings: Settings
    prompter: prompt.Prompter
    state: CaseState
    looking: ViewBuilder
    stage: Stage | None = None
    present: tuple[str, ...] = ()
    shielded: frozenset[str] = frozenset()
    hands: tuple[LoopItem, ...] = ()
    round: int = 1
    presented: frozenset[str] = frozenset()
    pending: list[Event] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    hearing: dict[str, tuple[tuple[Heard, ...], tuple[dict[str, Any], ...]]] = field(default_factory=dict)
    called: tuple[object, Mapping[str, tuple[str, ...]]] = (None, {})
    entering: events.Entered | None = None

    def tell(self, event: Event) -> None:
        """An event happened: it changes the state and waits to be handed out."""
        self.state = apply(self.state, event)
        self.pending.append(event)

    def flush(self) -> tuple[Event, ...]:
        told = tuple(self.pending)
        self.pending.clear()
        return told

    @property
    def now(self) -> EvalContext:
        return EvalContext(self.state, self.case, self.settings.options, self.hands, self.presented)

    def label(self, person: str) -> str:
        """How a person is called now."""
        return self.names()[person][0]

    def names(self) -> Mapping[str, tuple[str, ...]]:
        """By what each person is called: first his label. Reckoned once for each casting of roles."""
        if self.called[0] is not self.state.worn:
            named = (titles.label, titles.title, titles.full_title)
            found = {p: tuple(each(self.procedure, self.state, p) for each in named) for p in self.state.persons}
            self.called = (self.state.worn, found)
        return self.called[1]

    # ---- seeing ------------------------------------------------------------------------------------------------------
    def thread_of(self, person: str) -> str:
        """A person's thread in this scenario; talk that will be withheld from him has one of its own."""
        place = self.state.phase if person in self.shielded else self.state.stage
        return f"{person}@{place}"

    def look(self, person: Person, cue: TurnSpec) -> View:
        """The person's view for this turn."""
        knowledge = self.looking.knowledge(self.now, person)
        thread = self.state.threads.get(self.thread_of(person.id), Thread())
        heard = self._hearing(person.id)
        name = self.thread_of(person.id)
        new = tuple(h for h in heard[thread.heard :] if h["thread"] != name)
        bench = self.bench(person)
        kept = self.procedure.memory.get(person.kind)
        remembered = memory.named(kept, self.state.memory, person.id)
        variables = {
            "me": me(self.procedure, self.state, person),
            "scene": self._scene(),
            "step": as_read(cue, person, knowledge, self),
            "own": knowledge.own,
            "other": knowledge.other,
            "known": knowledge.known,
            "heard": heard,
            "new": new,
            "last": heard[-1] if heard else MISSING,
            "memory": remembered,
            "notes": memory.noted(kept, remembered),
            "tools": tools.described(self.procedure, bench, person),
            "results": tuple({"tool": one.tool, "ok": one.ok, "text": one.text} for one in cue.results),
        }
        skills = tuple(tools.shown(card) for card in bench.skills if cue.act in card.acts)
        return View(person.id, self.state.stage, self.state.phase, knowledge, variables, skills)

    def bench(self, person: Person) -> ToolSession:
        """What a person has to work with in this stage, nothing of it used yet."""
        bench = tools.bench_of(self.procedure, person, self.state.stage)
        bench.tools = tuple(tool for tool in bench.tools if conditions.holds(tool.when, self.now))
        return bench

    def sight(self, person: str) -> View:
        """The view of a person where the run stopped: in the place that it was about to enter."""
        if self.entering is not None:
            self.state = apply(self.state, self.entering)
            self.entering = None
        nothing = StepInfo("", "", "", (), None, Span("", 0, 0))
        return self.look(self.state.persons[person], TurnSpec("", nothing))

    def _hearing(self, person: str) -> tuple[dict[str, Any], ...]:
        """What the person heard in this scenario, as templates read it; extended, not rebuilt, turn by turn."""
        heard = self.state.heard.get(person, ())
        known, kept = self.hearing.get(person, ((), ()))
        if heard[: len(known)] != known:  # another stage, or talk that was withheld
            kept = ()
        added = tuple(
            {
                "speaker": h.speaker,
                "text": h.text,
                "mine": h.person == person,
                "act": h.act,
                "phase": h.phase.rpartition("/")[2],
                "to": h.to,
                "thread": h.thread,
            }
            for h in heard[len(kept) :]
        )
        kept = kept + added
        self.hearing[person] = (heard, kept)
        return kept

    def _scene(self) -> Mapping[str, Any]:
        stage = self.stage
        phase = (
            next((p for p in stage.phases if p.id and self.state.phase == f"{stage.id}/{p.id}"), None)
            if stage
            else None
        )
        return {
            "procedure": self.procedure.title,
            "stage": stage.id if stage else "",
            "title": stage.title if stage else "",
            "phase": phase.id if phase else "",
            "phase_title": phase.title if phase else "",
            "basis": phase.basis if phase else (stage.basis if stage else ()),
            "options": self.settings.options,
        }

    # ---- speaking ----------------------------------------------------------------------------------------------------
    def give(self, person_id: str, cue: TurnSpec) -> Generator[Turn, tuple[Reply, ...], replies.Parsed]:
        """Give a person the word; tell all that follows."""
        said = yield from self.formulate(person_id, cue)
        if cue.info.review is not None:
            said = yield from review.reviewed(self, said, cue, cue.info.review)
        self.utter(said, cue)
        return said.parsed

    def formulate(self, person_id: str, cue: TurnSpec) -> Generator[Turn, tuple[Reply, ...], Formulated]:
        """What a person would say: asked once, and once more when the reply lacks what it needs."""
        person = self.state.persons[person_id]
        form, bench = self._form(person, cue), self.bench(person)
        request, parsed = yield from self._attempt(person, cue, form, bench)
        lacking = () if cue.wordless else _lacking(parsed)
        if lacking:
            request, second = yield from self._attempt(person, cue, form, bench, lacking)
            parsed = second if _passed(second, cue) else replies.amended(parsed, second)
        return Formulated(request, parsed, bench)

    def utter(self, said: Formulated, cue: TurnSpec) -> None:
        """What was formulated is said: aloud where that is how it is meant, and with all that it decides."""
        request, parsed = said.request, said.parsed
        person = self.state.persons[request.person]
        self._tell_conduct(person, cue, request, parsed)
        if cue.aloud and parsed.text:
            to = (cue.calls[parsed.leading],) if parsed.leading in cue.calls else cue.to
            self.tell(
                events.Spoke(
                    request=request.id,
                    place=self.state.place,
                    thread=request.thread if said.last else "",
                    person=person.id,
                    speaker=request.speaker,
                    act=cue.act,
                    text=parsed.text,
                    to=tuple(self.label(other) for other in to),
                    heard_by=tuple(dict.fromkeys((*self.present, person.id, *to))),
                )
            )
        if cue.answer is not None and not _passed(parsed, cue):
            self._tell_answer(person, cue, request, parsed)
        self._tell_export(request, said.bench, parsed)

    def _attempt(
        self, person: Person, cue: TurnSpec, form: ReplyForm, bench: ToolSession, lacking: tuple[str, ...] = ()
    ) -> Generator[Turn, tuple[Reply, ...], tuple[Request, replies.Parsed]]:
        """One request and its reply, taken apart; its faults are told. Tools that it calls are served on the way."""
        request = self._ask(person, cue, form, lacking)
        while True:
            (reply,) = yield Turn(self.flush(), (request,))
            calls, words = tools.calls_of(reply) if self.procedure.tools else ((), reply.text)
            self._fold(request, reply)
            if not calls or bench.in_vain >= tools.MOST_ROUNDS:
                break
            caller = tools.Caller(person, cue, request, request.view, bench)
            served = yield from tools.serve(self, caller, calls)
            cue = replace(cue, results=bench.results)
            if cue.wordless and served:
                break
            request = self._ask_on(person, cue, request, bench)
        parsed = replies.parse(words, form)
        if cue.wordless and bench.made:
            parsed = replace(parsed, faults=tuple(fault for fault in parsed.faults if fault[0] != "empty"))
        if "leading" in cue.needs and not parsed.leading and not parsed.ending and parsed.text:
            parsed = replace(parsed, faults=(*parsed.faults, ("no_token", "")))
        for rule, detail in parsed.faults:
            self._violated(request, rule, detail)
        return request, parsed

    def _ask(self, person: Person, cue: TurnSpec, form: ReplyForm, lacking: tuple[str, ...]) -> Request:
        """A request made, and told; `lacking`: of the reply before, when it is asked again."""
        view = self.look(person, cue)
        speaker = prompt.speaker_of(self.state, person)
        name = self.thread_of(person.id)
        thread = self.state.threads.get(name, Thread())
        homes = lookups.act("act", cue.act, cue.info.prompt, speaker)
        added = (
            self.prompter.again(view, lacking)
            if lacking
            else self.prompter.added(self.state, thread, view, speaker, homes, tools=not self._offers(person))
        )
        fresh = {s.key: s.version for s in view.knowledge.shown if thread.shown.get(s.key) != s.version}
        fresh |= {f"skill {card['name']}": 1 for card in view.skills if f"skill {card['name']}" not in thread.shown}
        request = Request(
            id=self._next_id(person.id),
            person=person.id,
            role=person.role,
            speaker=self.label(person.id),
            act=cue.act,
            thread=name,
            messages=(*thread.messages, *added),
            added=added,
            view=view,
            form=form,
            offline=lookups.act("offline", cue.act, cue.info.prompt, speaker),
            model=self.procedure.model,
            tools=self._offers(person),
        )
        self.tell(_asked(request, self.state.place, {} if lacking else fresh))
        return request

    def _ask_on(self, person: Person, cue: TurnSpec, before: Request, bench: ToolSession) -> Request:
        """The request that goes on after tools were called: nothing is new in it but their results."""
        view = self.look(person, cue)
        written = any(not one.id for one in cue.results)
        said = self.prompter.part(("results",), _unanswered(view.variables, cue.results)) if written else None
        added = tools.answered(cue.results, said)
        request = replace(
            before,
            id=self._next_id(person.id),
            messages=(*self.state.threads[before.thread].messages, *added),
            added=added,
            view=view,
        )
        self.tell(_asked(request, self.state.place, bench.loaded))
        return request

    def _offers(self, person: Person) -> tuple[events.Offer, ...]:
        """The tools that a model is offered natively: all of the stage, so that what it was sent before stays."""
        if person.role not in self.settings.native:
            return ()
        return tools.offers(self.procedure, self.bench(person), person)

    def _fold(self, request: Request, reply: Reply) -> None:
        """A reply reaches its thread."""
        calls = reply.calls[: tools.MOST_CALLS] if self.procedure.tools else ()
        text = reply.text[:LIMIT].strip() or ("" if calls else "…")
        self.state = apply(self.state, events.Replied(request.thread, text, calls))

    def _next_id(self, person: str) -> str:
        key = f"{self.state.place}/{person}"
        self.asked[key] = self.asked.get(key, 0) + 1
        return f"{key}/{self.asked[key]}"

    def _form(self, person: Person, cue: TurnSpec) -> ReplyForm:
        names = self.names()
        others = {word for words in names.values() for word in words} - {*names[person.id]}
        asked_for = {value_token(cue.answer.name)} if cue.answer else set()
        return ReplyForm(
            kind="text" if cue.document is None else "document" if cue.doing == "draft" else "either",
            answer=cue.answer,
            leading=cue.leading,
            ending=cue.ending,
            tokens=self._tokens() - {*cue.leading, *cue.ending, *cue.within} - asked_for,
            own=self.label(person.id),
            labels=frozenset({*others, self.label(person.id)} if cue.act != "review" else ()),  # a review may quote
            limit=LIMIT,
            within=cue.within,
            values=tuple(one.name for one in cue.scores) if cue.act == "review" else (),
            lowest=min((one.lowest for one in cue.scores), default=0.0),
            highest=max((one.highest for one in cue.scores), default=0.0),
        )

    def _tokens(self) -> frozenset[str]:
        """All tokens of the procedure; a `{…}` hole in one stands for any words."""
        return frozenset((*self.procedure.tokens, *map(value_token, self.procedure.answers)))

    def _tell_conduct(self, person: Person, cue: TurnSpec, request: Request, parsed: replies.Parsed) -> None:
        document = cue.document if cue.act == "draft" or parsed.ending else None
        act = "draft" if document is not None else cue.act
        said = conduct.Utterance(parsed.text, person.kind, act, self.state.stage, document)
        for rule, detail in conduct.broken(self.procedure.conduct, said) if parsed.text else ():
            self._violated(request, rule, detail)

    def _violated(self, request: Request, rule: str, detail: str) -> None:
        self.tell(
            events.Violated(
                request=request.id, place=self.state.place, person=request.person, rule=rule, detail=detail[:80]
            )
        )

    def _tell_export(self, request: Request, bench: ToolSession, parsed: replies.Parsed) -> None:
        """What a drafting tool was given must be what the reply says."""
        for name, text in bench.exported.items():
            if "".join(text.split()) != "".join(parsed.text.split()):
                self._violated(request, "export_differs", name)

    def _tell_answer(self, person: Person, cue: TurnSpec, request: Request, parsed: replies.Parsed) -> None:
        """The captured value, or the spec's default when two attempts gave none."""
        assert cue.answer is not None
        value = parsed.value
        if value is None:
            value = () if cue.answer.form == "list" else cue.answer.default
        self.tell(
            events.Captured(
                request=request.id,
                place=self.state.place,
                person=person.id,
                speaker=request.speaker,
                name=cue.answer.name,
                value=value,
                about=cue.hand.about if cue.hand else "",
                source="reply" if parsed.value is not None else "default",
            )
        )

    def draft(self, person_id: str, document: Document, text: str, source: Any) -> None:
        """A document came to be; what its official form lacks is told."""
        person = self.state.persons[person_id]
        missing = conduct.lacking(document, text)
        self.tell(
            events.Drafted(
                place=self.state.place,
                document=document.name,
                side=person.side if document.sided else "",
                person=person.id,
                speaker=self.label(person.id),
                text=text,
                source=source,
                missing=missing,
            )
        )


def _asked(request: Request, place: str, shown: dict[str, int]) -> events.Asked:
    """What the record says of a request."""
    return events.Asked(
        id=request.id,
        place=place,
        person=request.person,
        role=request.role,
        speaker=request.speaker,
        act=request.act,
        thread=request.thread,
        added=request.added,
        shown=shown,
    )


def _unanswered(variables: Mapping[str, Any], results: tuple[tools.ToolResult, ...]) -> Mapping[str, Any]:
    """The variables with those results alone that are told in words."""
    told = tuple({"tool": one.tool, "ok": one.ok, "text": one.text} for one in results if not one.id)
    return {**variables, "results": told}


def _lacking(parsed: replies.Parsed) -> tuple[str, ...]:
    """What the reply needs and has not: reasons to ask once more."""
    return tuple(rule for rule, _ in parsed.faults if rule in ("empty", "no_answer", "no_token", "no_score"))


def _passed(parsed: replies.Parsed, cue: TurnSpec) -> bool:
    return bool(cue.passing) and parsed.leading == cue.passing
