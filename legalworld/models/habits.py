"""What was found out about a model's server while it was called: what it does not take, what it wants.

A refusal that names something which was sent is met by sending it otherwise, each way once for a call; what led to an
answer is kept for all later calls of the model. So no table need know every relay, and nothing is tried for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from ..model.immutable import immutable
from .complaint import Complaint
from .providers import ranges, refusing_words

SYSTEM: Final = "system"
ROOM_TO_SPEAK: Final = 256  # tokens; where a context leaves less beside the prompt, it is too short
THOUGHT_FIELDS: Final = ("reasoning_content", "thinking_blocks", "reasoning_details")
_TOKENS: Final = ("max_tokens", "max_completion_tokens")
_SECOND: Final = ("top_p", "top_k")  # left out first, where several are named that do the same
_REFUSING: Final = (400, 404, 406, 413, 415, 422)  # as which a server may say that it does not take something
Action = Literal["left_out", "renamed", "at_most", "at_least", "merged", "called_publicly"]
Thoughts = Literal["calls", "every", "none"]
"""With which messages of an assistant thoughts go back: those that call tools, every one, none."""


@immutable
class Adjustment:
    """A parameter that a model's server did not take as it was set. `action`: what was done, with `value`: the other
    name, or the number. `words`: why, as the server put it. The `system` message is `merged` with the user's first.
    `called_publicly`: a version of litellm that only its public function can be asked by, for the error in `words`."""

    model: str
    parameter: str
    action: Action
    value: str | float = ""
    words: str = ""


@dataclass(slots=True)
class Habits:
    """What a server takes. `form`: a JSON Schema of the reply; `stream`: whether it must (True) or cannot stream;
    `short_ids`: it wants ids of tool calls of nine letters and digits; `room`: tokens that are left for this call."""

    adjusted: dict[str, Adjustment] = field(default_factory=dict)
    form: bool = True
    stream: bool | None = None
    thoughts: Thoughts = "calls"
    short_ids: bool = False
    room: int | None = None

    @property
    def merged(self) -> bool:
        """Whether what a system message says goes at the head of the first message of a user."""
        return SYSTEM in self.adjusted and self.adjusted[SYSTEM].action == "merged"

    def tried(self) -> Habits:
        """A copy to try something with."""
        return replace(self, adjusted=dict(self.adjusted))

    def applied(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as this server takes them."""
        given = dict(parameters)
        for name, adjustment in self.adjusted.items():
            if name not in given:
                continue
            value = given.pop(name)
            match adjustment.action:
                case "renamed":
                    given[str(adjustment.value)] = value
                case "at_most":
                    given[name] = min(value, adjustment.value)
                case "at_least":
                    given[name] = max(value, adjustment.value)
        if self.room is not None:
            given |= {name: min(given[name], self.room) for name in _TOKENS if name in given}
        return given


@dataclass(slots=True)
class Trial:
    """The ways in which one call is tried, until there is an answer or no other way is left.

    `set_`: parameters that were set, by our names; `system`: whether there is a system message. `lacking`: whether an
    assistant's message goes without thoughts; `ids`: of tool calls, as they are sent.
    """

    model: str
    habits: Habits
    set_: Mapping[str, Any]
    system: bool = False
    thoughts: bool = False
    lacking: bool = False
    ids: frozenset[str] = frozenset()
    tried: set[tuple[str, str]] = field(default_factory=set)
    before: Habits = field(default_factory=Habits)
    last: str = ""

    def otherwise(self, said: Complaint, kind: str | None, streaming: bool) -> bool:
        """Whether there is another way to ask, which is then taken."""
        if kind in ("quota", "content", "passing") or not (said.status in _REFUSING or said.status >= 500):
            return False
        if kind == "overflow":
            return self._with_less_room(said)
        if said.text == self.last:
            self.habits = self.before  # what was done last was of no use
        self.before, self.last = self.habits.tried(), said.text
        named = [name for name in self.set_ if said.names(name)]
        ways: tuple[Callable[[], bool], ...] = (
            lambda: self._other_ids(said),
            lambda: self._other_thoughts(said),
            lambda: self._without_form(said, kind),
            lambda: self._other_parameters(said, named),
            lambda: kind == "stream" and self._once("stream", str(not streaming)) and self._streamed(not streaming),
            lambda: kind != "tools" and self._other_parameters(said, self._mentioned(said)),
            lambda: kind is None and self._without_system(said),
        )
        return any(way() for way in ways)

    def _once(self, what: str, how: str) -> bool:
        if (what, how) in self.tried:
            return False
        self.tried.add((what, how))
        return True

    def _streamed(self, stream: bool) -> bool:
        self.habits.stream = stream
        return True

    def _without_system(self, said: Complaint) -> bool:
        """What the system message says put before the user's words, where the error speaks of that role."""
        if not self.system or said.status not in _REFUSING or not (said.mentions(SYSTEM) or said.names(SYSTEM)):
            return False
        if not self._once(SYSTEM, "merged"):
            return False
        self.habits.adjusted[SYSTEM] = Adjustment(self.model, SYSTEM, "merged", "user", said.text[:300])
        return True

    def _other_ids(self, said: Complaint) -> bool:
        if not any(one in said.text for one in self.ids) or not self._once("ids", "short"):
            return False
        self.habits.short_ids = True
        return True

    def _other_thoughts(self, said: Complaint) -> bool:
        """With thoughts where they lacked, without them where they were."""
        if not self.thoughts or not any(said.mentions(name) or said.names(name) for name in THOUGHT_FIELDS):
            return False
        wanted: tuple[Thoughts, ...] = ("every", "none") if self.lacking else ("none", "every")
        for way in wanted:
            if way != self.habits.thoughts and self._once("thoughts", way):
                self.habits.thoughts = way
                return True
        return False

    def _without_form(self, said: Complaint, kind: str | None) -> bool:
        if not self.habits.form or not (kind == "form" or said.names("response_format")):
            return False
        self.habits.form = False  # the request itself says which JSON is wanted
        return self._once("form", "")

    def _mentioned(self, said: Complaint) -> list[str]:
        """Parameters whose names stand in the words of the error, where these are words of a refusal."""
        if (said.status >= 500 or said.status == 404) and not refusing_words().search(said.text):
            return []
        return [name for name in self.set_ if said.mentions(name)]

    def _other_parameters(self, said: Complaint, named: Iterable[str]) -> bool:
        """One of the parameters sent otherwise, or left out; the same is tried once."""
        for name in sorted(named, key=lambda name: name not in _SECOND):
            for action, value in (*_conversions(name, self.set_[name], said), ("left_out", "")):
                if self._once(name, f"{action} {value}"):
                    self.habits.adjusted[name] = Adjustment(self.model, name, action, value, said.text[:300])
                    return True
        return False

    def _with_less_room(self, said: Complaint) -> bool:
        """Where the prompt fits and the words wanted beside it do not, as many as do."""
        wanted = max((value for name in _TOKENS if isinstance(value := self.set_.get(name), int)), default=0)
        if wanted not in said.numbers or not self._once("room", ""):
            return False
        limits = [number for number in said.numbers if number >= wanted]
        rooms = [
            limit - prompt
            for limit in limits
            for prompt in said.numbers
            if prompt < limit < prompt + wanted and prompt != wanted
        ]
        room = min(rooms, default=0)
        if room < ROOM_TO_SPEAK:
            return False
        self.habits.room = room
        return True


def _conversions(name: str, value: Any, said: Complaint) -> list[tuple[Action, str | float]]:
    """How a parameter may be sent instead of leaving it out: by another name, or as a number that is allowed."""
    found: list[tuple[Action, str | float]] = []
    if name in _TOKENS:
        found += [("renamed", other) for other in _TOKENS if other != name and other in said.text]
    if isinstance(value, int | float) and not isinstance(value, bool):
        for low, high in _allowed(said.text):
            if high is not None and value > high:
                found.append(("at_most", type(value)(high)))
            elif low is not None and value < low:
                found.append(("at_least", type(value)(low)))
    return found[:2]


def _allowed(text: str) -> list[tuple[float | None, float | None]]:
    found: list[tuple[float | None, float | None]] = []
    for pattern in ranges():
        for match in pattern.finditer(text):
            told = match.groupdict()
            found.append((_number(told.get("low")), _number(told.get("high"))))
    return found


def _number(text: str | None) -> float | None:
    try:
        return float(text.replace(",", "")) if text else None
    except ValueError:
        return None
