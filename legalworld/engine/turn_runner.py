"""One person's turn: he is asked, his tools are served, his reply is taken apart, and what he said is recorded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Final

from ..model import events
from ..model.captured import kept
from ..model.case import Person
from ..model.events import Reply, Request, Turn
from ..model.immutable import immutable, replace
from ..model.reply_form import ReplyForm
from . import conduct, replies, tools
from .answers import silence, typed, unfit
from .candidates import chosen
from .conditions import about_of, within_of
from .foreign_marks import mark_name
from .handing_in import absent, fullest, holds, put_together, refers_back, without_afterword, without_preamble
from .kept_words import NOTHING_LEFT, kept_call, kept_piece, kept_words
from .markup import Literals, literals, without_markup
from .open_questions import deciding
from .parsed import Faults, Parsed
from .prompt import Prompter
from .repetition import circle
from .request_builder import LIMIT, Prepared, RequestBuilder
from .scene import Scene
from .tools import ToolSession
from .turn import TurnSpec
from .view import ViewBuilder

MOST_HALTS: Final = 3  # times that a run stops for an answer on which something hangs
MOST_CONTINUED: Final = 3  # times that a document is gone on with where a limit of tokens cut it
MARKS: Final = "unknown_marks"
_NEEDED: Final = frozenset(
    {"empty", "no_answer", "no_token", "no_score", "no_document", "no_record", "cut", "second_call", "repeats"}
    | {"order_incomplete", MARKS}
)
_SHOWN: Final = 40  # characters of what is repeated
NOTHING: Final = 60  # characters in which somebody says that he has nothing to write down
Ahead = Callable[[], tuple[Request, ...]]
Attempt = Generator[Turn, tuple[Reply, ...], tuple[Request, Parsed]]


@immutable
class Formulated:
    """Words that were formulated and not said yet: the request, the reply taken apart, the tools that were used.

    `last`: he has formulated nothing since; `rest`: what of the words is still to be said, None for all of them.
    """

    request: Request
    parsed: Parsed
    session: ToolSession
    last: bool = True
    rest: str | None = None


class TurnRunner:
    """Asks the persons of a scene, and records what they say."""

    def __init__(self, scene: Scene, prompter: Prompter, views: ViewBuilder) -> None:
        self.scene = scene
        self.prompter = prompter
        self.requests = RequestBuilder(scene, prompter, views)
        self.deciding = deciding(scene.procedure)

    def formulate(
        self, person_id: str, spec: TurnSpec, then: Sequence[tuple[str, TurnSpec]] = ()
    ) -> Generator[Turn, tuple[Reply, ...], Formulated]:
        """What a person would say: asked once, and once more when the reply lacks what it needs.

        `then`: the turns that come next, whatever he says; none of those persons hears or reads it.
        """
        person = self.scene.state.persons[person_id]
        session = self.requests.session(person)
        ahead = partial(self._ahead, then)
        request, parsed = yield from self._attempt(person, spec, session, ahead)
        lacking = _lacking(parsed, spec)
        if lacking:
            sections = spec.document.sections if spec.document is not None else ()
            missing = absent(sections, parsed.document) if "no_document" in dict(lacking) else ()
            once_more = replace(spec, missing=missing)
            request, second = yield from self._attempt(person, once_more, session, ahead, lacking)
            parsed = second if _passed(second, spec) else _handed_in_at_last(parsed, second, spec)
        for _ in range(MOST_HALTS):
            if not self._undecided(parsed, spec):
                break
            halted = replace(spec, halts=True)
            request, further = yield from self._attempt(person, halted, session, ahead, _lacking(parsed, spec))
            parsed = further if _passed(further, spec) else replies.amended(parsed, further)
        return Formulated(request, parsed, session)

    def _undecided(self, parsed: Parsed, spec: TurnSpec) -> bool:
        """Whether what happens next hangs on an answer that was not given, and for which silence cannot stand."""
        asked = spec.answer
        if asked is None or asked.default is not None or asked.name not in self.deciding:
            return False
        return parsed.value is None and not parsed.unmet and not _passed(parsed, spec)

    def utter(self, words: Formulated, spec: TurnSpec) -> None:
        """What was formulated is said: aloud where that is how it is meant, and with all that it decides."""
        request, parsed = words.request, words.parsed
        person = self.scene.state.persons[request.person]
        self._check_conduct(person, spec, request, parsed)
        aloud = parsed.text if words.rest is None else words.rest
        aloud += self.scene.procedure.marks.broken_off if parsed.broken_off and not spec.hands_in(parsed) else ""
        if spec.aloud and aloud:
            self.say(words, spec, aloud)
        if spec.answer is not None and not _passed(parsed, spec) and not parsed.unmet:
            self._capture(person, spec, request, parsed)
        for name, text in words.session.exported.items():  # what a drafting tool was given is what is handed in
            if _letters(without_markup(text, _literals(request, text))) != _letters(parsed.document):
                self.scene.recorder.violated(request, "export_differs", name)

    # ---- asking ------------------------------------------------------------------------------------------------------
    def _ahead(self, then: Sequence[tuple[str, TurnSpec]]) -> tuple[Request, ...]:
        return tuple(self.requests.ahead(self.scene.state.persons[person], spec) for person, spec in then)

    def _attempt(
        self, person: Person, spec: TurnSpec, session: ToolSession, ahead: Ahead, lacking: Faults = ()
    ) -> Attempt:
        """One request and its reply, taken apart; its faults are recorded. Tools that it calls are served; a document
        that a limit of tokens has cut is gone on with."""
        scene, procedure = self.scene, self.scene.procedure
        pieces: list[str] = []
        request = self._asked(self.requests.first(person, spec, lacking, session))
        while True:
            (reply,) = yield Turn(scene.recorder.flush(), (request,), ahead)
            calls, words = tools.calls_of(reply) if procedure.tools else ((), reply.text)
            self._receive(request, reply)
            served = bool(calls) and session.in_vain < tools.MOST_ROUNDS
            if not served:
                once, again = circle(words) if reply.cut else (len(words), "")
                pieces.append(words[:once])
                if again or not _broken_off(reply, pieces, request) or len(pieces) > MOST_CONTINUED:
                    break
                scene.recorder.cleaned(request, kept_piece(pieces[-1], _literal_form(request, pieces[-1])))
                request = self._asked(self.requests.going_on(person, spec, request))
                continue
            form = _literal_form(request, reply.text)
            scene.recorder.cleaned(request, kept_call(reply.text, form, native=bool(reply.calls)))
            caller = tools.Caller(person, spec.act, spec.document, request, session)
            wrote = yield from tools.serve(scene, self.prompter, caller, calls)
            spec = replace(spec, results=session.results)
            if spec.wordless and wrote and tools.all_written(procedure, person, session, len(calls)):
                break
            request = self._asked(self.requests.after_tools(person, spec, request, session))
        return request, self._taken_apart(request, reply, () if served else pieces, spec=spec, session=session)

    def _taken_apart(
        self, request: Request, reply: Reply, pieces: Sequence[str], *, spec: TurnSpec, session: ToolSession
    ) -> Parsed:
        """What the words of a turn come to; the faults are recorded, and what his thread keeps of the last reply.

        `pieces`: those that the words came in; none where the last reply called tools and was kept with its calls."""
        words, recorder = put_together(pieces), self.scene.recorder
        form = _literal_form(request, words)
        read = replies.parse(words, form)
        found = _found(read, form, spec, session)
        bare = _bare(found, spec)
        parsed = replies.unformatted(_whole(_judged(bare, spec, session), reply, form), form)
        if len(pieces) == 1:
            own = read.document if bare is found else bare.document
            recorder.cleaned(request, kept_words(words, own, parsed, form, marks=self.scene.procedure.marks))
        elif pieces:
            recorder.cleaned(request, kept_piece(pieces[-1], form) or NOTHING_LEFT)
        for rule, detail in parsed.faults:
            recorder.violated(request, rule, detail)
        return parsed

    def _asked(self, prepared: Prepared) -> Request:
        """A request is recorded just before it goes out."""
        request = prepared.request
        self.scene.recorder.tell(
            events.Asked(
                id=request.id,
                place=self.scene.state.place,
                person=request.person,
                role=request.role,
                speaker=request.speaker,
                act=request.act,
                thread=request.thread,
                added=request.added,
                shown=dict(prepared.shown),
            )
        )
        return request

    def _receive(self, request: Request, reply: Reply) -> None:
        most_calls = tools.MOST_CALLS if self.scene.procedure.tools else 0
        text = reply.text[:LIMIT].strip() or ("" if reply.calls[:most_calls] else "…")
        self.scene.recorder.replied(request, text, reply, most_calls)

    # ---- telling -----------------------------------------------------------------------------------------------------
    def _check_conduct(self, person: Person, spec: TurnSpec, request: Request, parsed: Parsed) -> None:
        document = spec.document if spec.act == "draft" or parsed.ending else None
        act = "draft" if document is not None else spec.act
        words = parsed.formatted or spec.offered(parsed)
        literal = _literals(request, words)
        utterance = conduct.Utterance(words, person.kind, act, self.scene.state.stage, document, literal)
        for rule, detail in conduct.broken(self.scene.procedure.conduct, utterance) if parsed.text else ():
            self.scene.recorder.violated(request, rule, detail)

    def say(self, words: Formulated, spec: TurnSpec, text: str) -> None:
        """Words are said aloud, as far as `text`."""
        scene, request, parsed = self.scene, words.request, words.parsed
        to = spec.spoken_to(parsed)
        hearers = scene.hearers(request.person, to or spec.to)
        scene.recorder.tell(
            events.Spoke(
                request=request.id,
                place=scene.state.place,
                thread=request.thread if words.last else "",
                person=request.person,
                speaker=request.speaker,
                act=spec.act,
                text=text,
                to=tuple(scene.label(other) for other in to),
                heard_by=hearers,
                confined=scene.confined is not None,
                closed_to=tuple(one for one in scene.state.persons if one in scene.barred.difference(hearers)),
            )
        )

    def _capture(self, person: Person, spec: TurnSpec, request: Request, parsed: Parsed) -> None:
        """The value that was asked for; where none was given, what the procedure says that silence counts as."""
        assert spec.answer is not None
        value, source = parsed.value, "reply"
        if value is None:
            source = "unanswered" if spec.answer.default is None else "default"
            value = silence(spec.answer)
        keep = self.scene.recorder.tell if spec.doing == "vote" else self.scene.captured
        about = about_of(spec.loop_item, person.id, self.scene.loop_items)
        keep(
            events.Captured(
                request=request.id,
                place=self.scene.state.place,
                person=person.id,
                speaker=request.speaker,
                name=spec.answer.name,
                **kept(value),
                about=about,
                within=within_of(about, person.id, self.scene.loop_items),
                source=source,
                rounds=self.scene.rounds,
                chosen=chosen(self.scene, spec.answer, value, about),
            )
        )


def _literals(request: Request, words: str) -> Literals:
    """The asterisks that are words in what somebody was sent, where his reply has any; his own words prove nothing."""
    sent = (one.content for one in request.messages if one.role != "assistant")
    return literals(sent) if "*" in words else frozenset()


def _literal_form(request: Request, words: str) -> ReplyForm:
    """The form of a reply that knows the asterisks which are words in it."""
    return replace(request.form, literals=_literals(request, words))


def _letters(text: str) -> str:
    return "".join(text.split())


def _broken_off(reply: Reply, pieces: list[str], request: Request) -> bool:
    """Whether a document, or what may become one, broke off where a limit of tokens was reached."""
    if not reply.cut or request.form.kind == "text":
        return False
    parsed = replies.parse("".join(pieces), request.form)
    return not parsed.ending and MARKS not in dict(parsed.faults)


def _whole(parsed: Parsed, reply: Reply, form: ReplyForm) -> Parsed:
    """The reply with the fault that it broke off, unless it ends with all that it was to end with."""
    asked_for = bool(form.values) or form.answer is not None
    ended = parsed.ending or parsed.raised or (asked_for and not _NEEDED & {rule for rule, _ in parsed.faults})
    if not reply.cut or ended:
        return parsed
    again = circle(reply.text)[1]
    if again:
        return parsed.faulty("repeats", again[:_SHOWN])
    return parsed.faulty("cut" if form.kind == "text" else "unfinished", "")


def _found(parsed: Parsed, form: ReplyForm, spec: TurnSpec, session: ToolSession) -> Parsed:
    """The reply with its document: its own words, what it gave a tool, or the draft that it points back to."""
    document = spec.document
    if document is None:
        return parsed
    sections, exported = document.sections, session.exported.get(document.name, "")
    if exported and not (holds(sections, parsed.document) if sections else parsed.text):
        given = replies.parse(exported, replace(form, kind="document", answer=None)).text
        if holds(sections, given) or not sections:
            empty = ("empty", "") if spec.doing == "draft" else ()
            parsed = replace(parsed, draft=given, faults=tuple(fault for fault in parsed.faults if fault != empty))
    if not spec.hands_in(parsed) or not sections or holds(sections, parsed.document):
        return parsed
    if spec.earlier and (refers_back(parsed.text) or not parsed.text):
        return replace(parsed, draft=spec.earlier, faults=(*parsed.faults, ("earlier_draft", "")))
    if not parsed.text:
        return parsed
    return replace(parsed, faults=(*parsed.faults, ("no_document", "；".join(absent(sections, parsed.document)))))


def _bare(parsed: Parsed, spec: TurnSpec) -> Parsed:
    """The reply with its document alone, without what was said above the title and behind the end."""
    if spec.document is None or not spec.hands_in(parsed):
        return parsed
    sections = spec.document.sections
    document, before = without_preamble(spec.document.title, parsed.document, sections)
    document, behind = without_afterword(document, sections)
    said = (("words_before_title", before), ("words_after_end", behind))
    faults = tuple(fault for fault in said if fault[1])
    return replace(parsed, draft=document, faults=(*parsed.faults, *faults)) if faults else parsed


def _handed_in_at_last(first: Parsed, second: Parsed, spec: TurnSpec) -> Parsed:
    """What two attempts come to. A document that still lacks most is his last draft, or the fuller of the two."""
    parsed = replies.amended(first, second)
    sections = spec.document.sections if spec.document is not None else ()
    if not sections or not spec.hands_in(parsed) or holds(sections, parsed.document):
        return parsed
    before = (first.document,) if spec.hands_in(first) else ()
    return replace(parsed, draft=spec.earlier or fullest(sections, parsed.document, *before))


def _judged(parsed: Parsed, spec: TurnSpec, session: ToolSession) -> Parsed:
    """The reply with the faults that this turn makes of it: tools may stand for words, a call may be demanded."""
    faults = (*parsed.faults, *(spec.lacks(parsed) if spec.lacks is not None else ()))
    if spec.wordless and session.made:
        faults = tuple(fault for fault in faults if fault[0] != "empty")
    if spec.wordless and not session.wrote and len(parsed.text) > NOTHING:
        faults = (*faults, ("no_record", ""))
    if spec.must_lead and not parsed.leading and not parsed.ending and parsed.text:
        faults = (*faults, ("no_token", ""))
    parsed = replace(parsed, faults=faults)
    if not parsed.raised or not _lacking(parsed, spec):
        return parsed
    return replace(parsed, faults=tuple(fault for fault in faults if fault[0] not in _NEEDED), unmet=True)


def _lacking(parsed: Parsed, spec: TurnSpec) -> Faults:
    """What the reply needs and has not: reasons to ask once more. Where tools alone will do, words are not needed."""
    needed = {"no_record", MARKS} if spec.wordless else _NEEDED
    faults = ((rule, mark_name(detail) if rule == MARKS else detail) for rule, detail in parsed.faults)
    return tuple(_told(rule, detail, spec) for rule, detail in faults if rule in needed)


def _told(rule: str, detail: str, spec: TurnSpec) -> tuple[str, str]:
    """What was wrong, as who is asked again is told, and with which words: that an answer could not be read, stood too
    soon, or is a number that can be read in two ways."""
    if rule != "no_answer" or spec.answer is None or detail == spec.answer.name:
        return rule, detail
    _, _, word = detail.replace("：", ":").partition(":")
    if typed(word, spec.answer) is not None:
        return "answer_early", detail
    return unfit(word.strip(), spec.answer) or ("answer_unclear", detail)


def _passed(parsed: Parsed, spec: TurnSpec) -> bool:
    return bool(spec.passing) and parsed.leading == spec.passing
