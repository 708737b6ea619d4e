"""The offline backbone: rule-based actors, written as templates over the view. No model, no key, no network.

`offline` is deterministic by the run's seed; `offline:noisy` misbehaves, as deterministically, for tests;
`offline:silent` says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from ..engine.sampling import dice
from ..model.events import Reply, Request
from ..model.immutable import immutable
from ..templates.decided_words import DECIDED, NOTHING_DECIDED
from ..templates.template_set import Rendered, TemplateSet
from ..templates.values import PICK
from .given_answers import GIVEN, GivenAnswer, worded


@immutable
class DecidedByNorms:
    """What a court that goes by norms decides: `names`, as templates read it; `record`, what of a `Decision` the
    reply then rests on, as JSON without what is empty."""

    names: Mapping[str, Any]
    record: Mapping[str, Any]


Decide = Callable[[Request], DecidedByNorms]
"""Makes of what a request shows the decision of a court that goes by norms."""

Manner = Literal["plain", "noisy", "silent"]
_BLANKS: Final = re.compile("\\n{3,}")  # a template leaves them where a condition of it does not hold
_TOOL_NOISE = (
    '<tool_call>{"name": "fly", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "read_memory", "arguments": {"field"',
    '<tool_call>{"name": "read_memory", "arguments": {"field": 7, "more": []}}</tool_call>\n' * 50,
)
NAMES: dict[str, Manner] = {"offline": "plain", "offline:noisy": "noisy", "offline:silent": "silent"}


def _raising(request: Request) -> str:
    """What somebody says who means to raise an event now: what his material holds, and its token."""
    events = request.view.variables["step"]["events"] if request.form.raising else ()
    return next((f"{event['intended']}{event['token']}" for event in events if event["intended"]), "")


class _WhenRead(Mapping[str, Any]):
    """A record that is made when it is first looked into."""

    def __init__(self, make: Callable[[], DecidedByNorms]) -> None:
        self._make = make
        self._made: DecidedByNorms | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The record of it; empty where it was never looked into."""
        return dict(self._made.record) if self._made is not None else {}

    def _found(self) -> Mapping[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made.names

    def __getitem__(self, key: str) -> Any:
        return self._found()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())


class Offline:
    """Answers every request by the most special template that there is for it; knows only the request's view.

    `decide`: makes of the view what a court decides by norms, `decided` for templates; asked where one reads it.
    `given`: the answers that a command or the case gives, in place of those that templates would.
    """

    def __init__(
        self,
        templates: TemplateSet,
        seed: int,
        manner: Manner = "plain",
        *,
        decide: Decide | None = None,
        given: Sequence[GivenAnswer] = (),
    ) -> None:
        self.templates = templates
        self.decide = decide
        self.given = given
        self.seed = seed
        self.manner = manner

    def answer(self, request: Request) -> Reply:
        """The reply to a request. Token counts are left out: nothing was sent to a model."""
        home = self.templates.find(request.offline)
        said, reckoned = Rendered("", ()), dict[str, Any]()
        if self.manner != "silent" and (raised := _raising(request)):
            said = Rendered(raised, ())
        elif self.manner != "silent" and home is not None:
            decided = self._decided(request)
            own = {PICK: dice(self.seed, request.id), DECIDED: decided}
            said = self.templates.rendered(home, {**request.view.variables, **own})
            reckoned = decided.record
        text, files = _BLANKS.sub("\n\n", said.text.strip()), said.files
        if self.manner != "silent" and (given := worded(self.given, request, text, self.templates.marks)):
            text, files, reckoned = given.text, (*files, f"{GIVEN}{given.word}"), {}
        if self.manner == "noisy":
            text = self._misbehave(request, text)
        model = f"offline:{self.manner}" if self.manner != "plain" else "offline"
        return Reply(text=text, model=model, spoken_from=files, reckoned=reckoned)

    def _decided(self, request: Request) -> _WhenRead:
        """What norms decide, made when a template first reads it."""
        decide = self.decide
        return _WhenRead(lambda: decide(request) if decide is not None else DecidedByNorms(NOTHING_DECIDED, {}))

    def _misbehave(self, request: Request, text: str) -> str:
        """One in three replies is broken in one of the ways that models break them."""
        throw = dice(self.seed, request.id, "noise")
        if throw(3):
            return text
        others = sorted(request.form.labels - {request.form.own})
        forged = sorted(request.form.tokens)
        marks = self.templates.marks
        ways: tuple[str, ...] = (
            "",
            text + "\n" + f"{others[0]}{marks.colon}{text}" if others else text,
            text + marks.token(forged[0].replace("：", marks.colon)) if forged else text,
            "# " + text + "\n- 1\n- 2",
            "{{ own }}{% for x in heard %}" + text,
            text.rsplit(marks.opening, 1)[0],
            text + "\n" + marks.token("？" if marks.opening == "【" else "?"),
            *(_TOOL_NOISE if request.view.variables.get("tools") else ()),
        )
        return ways[dice(self.seed, request.id, "way")(len(ways))]
