"""What was sent in a run: the prompt of a call; pairs of drafts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...model.events import Asked, Message, Offer, Reviewed
from ...models import tool_calls
from ...templates.template_set import TemplateSet
from ...wording import say
from ..open_run import OpenRun
from .views import RunView, calls_of


def messages_of(opened: OpenRun, call: Asked) -> list[Message]:
    """All messages that were sent with a call: the increments of its thread up to it, each followed by its reply as the
    thread keeps it."""
    kept = opened.kept
    sent: list[Message] = []
    for asked in calls_of(opened):
        if asked.thread != call.thread:
            continue
        sent += asked.added
        if asked.id == call.id:
            break
        if asked.id in kept:
            sent.append(kept[asked.id])
    return sent


def messages_text(messages: Iterable[Message], templates: TemplateSet, offered: Sequence[Offer] = ()) -> str:
    """Messages as a person reads them, above each part the file that it comes from; behind them the files that these
    include, and the tools that were offered natively."""
    messages = tuple(messages)
    lines = []
    for message in messages:
        lines.append(f"--- {message.role}")
        if message.parts:
            lines += [f"[{home}]\n{text}\n" for home, text in message.parts]
        else:
            lines += [message.content + "\n"] if message.content or not message.calls else []
        lines += [f"→ {call.name} {call.arguments}\n" for call in message.calls]
    homes = dict.fromkeys(home.partition("#")[0] for message in messages for home, _ in message.parts)
    included = {home: templates.included(home) for home in homes}
    if any(included.values()):
        lines += ["--- " + say("run.prompt_included")]
        lines += [f"{home} ← {', '.join(inner)}" for home, inner in included.items() if inner]
    if offered:
        lines += ["", "--- " + say("run.prompt_tools")]
        lines += [json.dumps(tool_calls.offered(tool), ensure_ascii=False) for tool in offered]
    return "\n".join(lines)


# ---- pairs of drafts -------------------------------------------------------------------------------------------------


def pairs_of(opened: OpenRun) -> Iterator[dict[str, Any]]:
    """Of each speech that was drafted several times with scores, the best draft and the worst (ASP2LJ, section 2.1).

    `prompt`: the messages that asked for the first draft. Drafts without scores, or all with the same, make no pair.
    """
    calls = {call.id: call for call in calls_of(opened)}
    for request, drafts in _drafts(opened).items():
        scored = [draft for draft in drafts.values() if draft.scores]
        best, worst = max(scored, key=_total, default=None), min(scored, key=_total, default=None)
        if best is not None and worst is not None and _total(best) > _total(worst):
            sent = messages_of(opened, calls[request])
            yield {
                "request": request,
                "speaker": best.speaker,
                "prompt": [message.model_dump(mode="json", include={"role", "content"}) for message in sent],
                "chosen": {"text": best.text, "scores": best.scores},
                "rejected": {"text": worst.text, "scores": worst.scores},
            }


def _drafts(opened: OpenRun) -> dict[str, dict[int, Reviewed]]:
    """Request -> the reviewed drafts of the speech that it asked for, each with what all reviewers scored it."""
    asked: dict[str, str] = {}
    drafts: dict[str, dict[int, Reviewed]] = {}
    for event in opened.events:
        if isinstance(event, Asked) and event.act not in ("review", "revise"):
            asked[event.person] = event.id
        elif isinstance(event, Reviewed) and event.person in asked:
            known = drafts.setdefault(asked[event.person], {})
            before = known[event.number].scores if event.number in known else {}
            scores = {name: before.get(name, 0.0) + event.scores.get(name, 0.0) for name in {**before, **event.scores}}
            known[event.number] = event.model_copy(update={"scores": scores})
    return drafts


def _total(draft: Reviewed) -> float:
    return sum(draft.scores.values())


PAIRS = RunView(("pairs",), lambda opened, _: (list(pairs_of(opened)), ()), lambda pairs: pairs, None)
