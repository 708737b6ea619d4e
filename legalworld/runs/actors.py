"""Who answers a request: the offline actors, a model through litellm, or a recorded run - chosen per role."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engine.foreign_marks import foreign_mark, foreign_mark_in
from ..engine.tools import calls_of
from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Reply, Request
from ..model.procedure import Procedure
from ..model.text import parse_json
from ..models import scripted
from ..models.added_marks import adds_calls
from ..models.answers import with_calls_as_told
from ..models.calls_in_words import in_words
from ..models.endpoint import ATTEMPTS, DEADLINE, Endpoint
from ..models.failures import ModelFailed
from ..models.given_answers import GivenAnswer
from ..models.limits import UNLIMITED, Gate
from ..models.litellm_client import Models, native, refusal
from ..models.named.profile import ModelProfile, bounded, profile_of
from ..models.schemes import ADAPTED, OFFLINE, PYTHON, UNPAID, is_model, scheme_of
from ..templates.template_set import TemplateSet
from .callables import NO_CALLABLES, Callables
from .changes import LineUp
from .folder import RunFolder
from .journal import answers_in, load
from .preview import Overhear, Preview
from .run_info import NATIVE, TEXT

Listen = Callable[[str, Reply], None]
"""Called with a model's name and each of its replies as they come: the events do not say what a reply cost."""


def deaf(_: str, __: Reply) -> None:
    """Listen to nothing."""


class Unanswered(Exception):
    """A recorded run has no answer to this request."""

    def __init__(self, name: str, request: str) -> None:
        super().__init__(f"{name}: {request}")
        self.name = name
        self.request = request


class Backbones:
    """`models`: role -> name. `offline`, `offline:noisy`, `offline:silent`, `replay:RUN`, `python:NAME` (one of
    `callables`), a name of `profiles`, `NAME:MODEL` of an installed adapter, or what litellm knows.

    Answers are asked for within the context of `live`, which closes the connections; who wants to `overhear` models has
    them stream. `gate`: the limits that all runs of a batch share. `begun`: with whom a run was begun, where others go
    on with it: their replies say whose they are. `in_words`: the roles that call tools in words, and may have called
    them otherwise before.
    """

    def __init__(
        self,
        models: Mapping[str, str],
        templates: TemplateSet,
        seed: int,
        deadline: float = DEADLINE,
        *,
        listen: Listen = deaf,
        overhear: Overhear | None = None,
        gate: Gate | None = None,
        profiles: Mapping[str, ModelProfile] | None = None,
        begun: LineUp | None = None,
        in_words: Collection[str] = (),
        decide: scripted.Decide | None = None,
        given: Sequence[GivenAnswer] = (),
        callables: Callables = NO_CALLABLES,
    ) -> None:
        self._models = models
        self._begun = begun.models if begun is not None else models
        self._in_words = in_words
        self._profiles = profiles or {}
        self._listen = listen
        self._overhear = overhear
        self._callables = callables
        self._seed = seed
        self._deadline = deadline
        self._offline = {
            name: scripted.Offline(templates, seed, manner, decide=decide, given=given)
            for name, manner in scripted.NAMES.items()
            if name in models.values()
        }
        self._shown_whole: dict[str, bool] = {}
        self._recorded: dict[str, Mapping[str, Reply]] = {}
        self._unreached: set[str] = set()
        self._called = set(filter(is_model, models.values()))
        self._attempts = gate.attempts if gate is not None else ATTEMPTS
        self.live = Models(gate=gate or Gate(bounded(UNLIMITED, self._profiles)))

    def open(self) -> tuple[Diagnostic, ...]:
        """Read the recorded runs that are named; what is wrong with them, and with names that nobody answers to."""
        problems = []
        for name in dict.fromkeys(self._models.values()):
            if name in scripted.NAMES:
                continue
            if name.startswith("replay:"):
                loaded = load(Path(name.removeprefix("replay:")) / "journal.jsonl")
                problems += [loaded.problem] if loaded.problem is not None else []
                self._recorded[name] = answers_in(loaded.lines)
            elif scheme_of(name) == ADAPTED:
                problems += self._callables.unready(name)
            elif scheme_of(name) == PYTHON:
                problems += [] if self._callables.of(name) else [diagnose.missing_actor("--model", name=name)]
            elif scheme_of(name) == OFFLINE:
                problems.append(diagnose.unknown_offline_actor("--model", name=name, known=tuple(scripted.NAMES)))
            elif (failed := refusal(self._endpoint(name))) is not None:
                problems.append(replace(failed.at("--model"), nearest=nearest(name, scripted.NAMES)))
        return tuple(problems)

    def _endpoint(self, name: str) -> Endpoint:
        return profile_of(name, self._profiles).endpoint(self._deadline, self._attempts)

    def asks_a_model(self, request: Request) -> bool:
        """Whether a model answers, and not a script or a record."""
        return self._models[request.role] in self._called

    @property
    def asks_models(self) -> bool:
        return bool(self._called)

    async def answer(self, request: Request) -> Reply:
        """The reply of the backbone of the request's role. Raises ModelFailed, Unanswered, TemplateError."""
        reply, name = await self._answer(request), self._models[request.role]
        by = reply.by or name
        return reply if by == (reply.by or self._begun.get(request.role)) else reply.model_copy(update={"by": by})

    async def _answer(self, request: Request) -> Reply:
        name = self._models[request.role]
        await self._callables.pace()
        if name in self._offline:
            return self._offline[name].answer(request)
        if name in self._recorded:
            reply = self._recorded[name].get(request.id)
            if reply is None:
                raise Unanswered(name, request.id)
            return reply
        if self._callables.of(name) is not None:
            reply = await self._callables.reply(name, request)
            _refuse_marks(name, request, foreign_mark_of(reply, request))
            return reply
        return await self._of_a_model(name, request)

    async def _of_a_model(self, name: str, request: Request) -> Reply:
        """The reply of a model, or of the first of its fallbacks that can be reached. Who could not be is not tried
        again by these backbones: a run is to change hands once, not at every call. Raises ModelFailed, the first."""
        first: ModelFailed | None = None
        for called in self._in_line(name):
            endpoint, preview = self._endpoint(called), self._preview(called, request)
            hear = preview.hear if preview is not None else None
            how: Any = {"seed": self._seed, "tools": request.tools, "hear": hear}
            worded = request.role in self._in_words or not request.tools  # servers refuse calls of what is not offered
            messages = in_words(request.messages) if worded else request.messages
            try:
                reply = await self.live.complete(endpoint, messages, request.model, **how)
            except ModelFailed as failed:
                first = first or failed
                if not _unreached(failed):
                    raise first from None
                self._unreached.add(called)
                continue
            self._listen(called, reply)
            reply = self._looked_at(called, request, reply, preview)
            return reply if called == name else reply.model_copy(update={"by": called})
        self._unreached.clear()
        assert first is not None
        raise first

    def _looked_at(self, called: str, request: Request, reply: Reply, preview: Preview | None) -> Reply:
        """A model's reply as it is recorded. Raises ModelFailed where it holds marks that nobody declared and is not to
        be asked for once more: then it is not recorded, and whoever goes on with the run asks anew."""
        if request.form.calling:
            reply = with_calls_as_told(reply, self._endpoint(called).marks)
        mark = foreign_mark_of(reply, request)
        if preview is not None:
            preview.done(reply.text, spoken=not mark and not calls_of(reply)[0])
            self._shown_whole[called] = preview.taken_back or self._shown_whole.get(called, False)
        _refuse_marks(called, request, mark)
        return reply

    def _in_line(self, name: str) -> Iterator[str]:
        """A name and its fallbacks, each once, but for those that could not be reached."""
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            called = waiting.pop(0)
            if called not in seen:
                seen.add(called)
                waiting += profile_of(called, self._profiles).fallbacks
                if called not in self._unreached:
                    yield called

    def _preview(self, name: str, request: Request) -> Preview | None:
        """What shows the words as they come. A model's first reply is shown when it is whole: only then is it known
        whether it leaves out where its thoughts begin; if one reply did, all that follow are, and so is what may be a
        call in a notation of its own."""
        if self._overhear is None:
            return None
        forms = profile_of(name, self._profiles).call_forms or adds_calls()
        whole = self._shown_whole.get(name, True) or bool(forms)
        return Preview(request, self._overhear, whole)


def _refuse_marks(called: str, request: Request, mark: str) -> None:
    """Raise ModelFailed where a last try holds a mark that nobody declared."""
    if mark and request.last_try:
        raise ModelFailed("malformed", diagnose.undeclared_marks(called, model=called, mark=mark))


def foreign_mark_of(reply: Reply, request: Request) -> str:
    """The first mark in a reply, or in what it gives a tool, that nobody declared or sent ("" = there is none)."""
    calls, words = calls_of(reply)
    given = (_value(call.arguments) for call in calls if call.name)
    spoken = words if request.form.calling else reply.text
    return foreign_mark(spoken, request.form) or next(
        (mark for value in given if (mark := foreign_mark_in(value, request.form))), ""
    )


def _value(arguments: str) -> Any:
    try:
        return parse_json(arguments)
    except ValueError:
        return arguments


def _unreached(failed: ModelFailed) -> bool:
    """Whether nobody answered, for whom somebody else may: no connection, no service, no time, no credit."""
    out_of_credit = diagnose.code_of(diagnose.exhausted_quota)
    return failed.kind in ("transient", "deadline") or failed.problem.code == out_of_credit


def protocols(
    procedure: Procedure,
    models: Mapping[str, str],
    chosen: Mapping[str, str],
    profiles: Mapping[str, ModelProfile] | None = None,
) -> Mapping[str, str]:
    """Role -> `native`, for the roles whose models call tools by themselves; all others call them in words.

    As chosen; else as the models file has it, or as was found when the model was tried; else a model that is known to
    be able does. A recorded run is played in the protocol of its replies.
    """
    if not procedure.tools:
        return {}
    known = {
        name: _protocol(profile_of(name, profiles or {}))
        for name in set(models.values())
        if not name.startswith("replay:")
    }
    ways = {role: chosen.get(role) or known.get(name) or _recorded(name, role) for role, name in models.items()}
    return {role: protocol for role, protocol in ways.items() if protocol == NATIVE}


def unsearchable(procedure: Procedure, models: Mapping[str, str], cwd: Path) -> tuple[str, ...]:
    """The operations of tools that would find nothing whatever they are asked: the library holds none of it.

    A run of offline actors alone is the same wherever it is played; a recorded one as it was recorded.
    """
    named = set(models.values())
    recorded = [RunFolder.open(Path(name.removeprefix("replay:"))) for name in named if name.startswith("replay:")]
    vain = {word for folder in recorded if isinstance(folder, RunFolder) for word in folder.info.without}
    wanted = {tool.operation: tool.what.searches for tool in procedure.tools.values() if tool.what.searches}
    if wanted and any(scheme_of(name) not in UNPAID for name in named):
        from ..law.library.library import Library, library_folder  # SQLite, which offline actors do not pay for

        library = Library.open(library_folder(cwd))
        if isinstance(library, Library):
            vain |= {word for word, kind in wanted.items() if not library.holds(kind)}
            library.close()
        elif library.code == diagnose.code_of(diagnose.missing_library):
            vain |= set(wanted)
    return tuple(sorted(vain))


def _protocol(profile: ModelProfile) -> str:
    return profile.tools or (NATIVE if is_model(profile.model) and native(profile.model) else TEXT)


def _recorded(name: str, role: str) -> str:
    folder = RunFolder.open(Path(name.removeprefix("replay:")))
    return folder.info.tools.get(role, TEXT) if isinstance(folder, RunFolder) else TEXT
