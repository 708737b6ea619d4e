"""What rules do not find in a judgment, asked of a model: only words that stand there, each found again at its place.

A reply is kept under all that it depends on, so that a build which goes on asks nothing twice.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from ..files import regular
from ..files.regular import write_whole
from ..law.text.judgment_head import Quote
from ..model.events import Message
from ..model.immutable import immutable
from ..model.json_values import json_in
from ..model.procedure import ModelDefaults
from ..models.failures import ModelFailed
from ..models.litellm_client import Models
from ..models.named.profile import ModelProfile
from .case_file import CaseMaker
from .own_words import AskedPlace, layout, own_words, value_at
from .records import Row

FOLDER: Final = "model"
ATTEMPTS: Final = 3  # as the paper's extraction
AT_ONCE: Final = 8
MOST: Final = 60_000  # characters of a judgment that are shown
TOKENS: Final = 8_192
SHORTEST: Final = 2  # characters of a value
TELLING: Final = 12  # characters that, where a court wrote them, are its words
_NAMES: Final = ("first", "second")
Found = TypeVar("Found")


@dataclass(slots=True)
class UnfinishedCase:
    """A case in the making, the record of its pair, and the values that it lacks."""

    row: Row
    made: CaseMaker
    lacking: tuple[str, ...]
    refused: int = 0


@immutable
class ModelReader:
    """`profile`: the model. `folder`: where replies are kept."""

    profile: ModelProfile
    folder: Path
    deadline: float

    def complete(self, cases: Iterable[UnfinishedCase]) -> Iterator[UnfinishedCase]:
        """The cases in their order, with what the model found of what they lack. Raises ModelFailed, OSError."""
        waiting = iter(cases)
        while some := list(islice(waiting, AT_ONCE)):
            asyncio.run(self._several(some))
            yield from some

    async def _several(self, cases: Sequence[UnfinishedCase]) -> None:
        async with Models() as models:
            await asyncio.gather(*(self._one(models, case) for case in cases))

    async def _one(self, models: Models, case: UnfinishedCase) -> None:
        for number, name in enumerate(_NAMES, 1):
            paths = sorted((path for path in layout().asks if path in case.lacking), key=_is_open)
            asked = {path: layout().asks[path] for path in paths if layout().asks[path].of == number}
            if not asked:
                continue
            text = case.row[name]["text"]
            found = await self._found(models, text, asked)
            for path, ask in asked.items():
                said = found.get(path, [])
                quotes = [quote for one in said if (quote := _placed(case.made, text, one.strip(), number, path))]
                _put(case.made, path, ask, quotes, number)
                case.refused += len(said) - len(quotes)

    async def _found(self, models: Models, text: str, asked: dict[str, AskedPlace]) -> dict[str, list[str]]:
        """The words for each place; nothing where no reply can be read."""
        wanted = "\n".join(f"- {path}: {ask.what}" for path, ask in asked.items())
        content = own_words("ask")["extract"].format(wanted=wanted, text=text[:MOST])
        return await self._asked(models, content, _schema(asked), lambda reply: _read(reply, asked)) or {}

    def ask(self, content: str, schema: Row, read: Callable[[str], Found | None]) -> Found | None:
        """What a reply says, None where none could be read. Raises ModelFailed, OSError."""
        return asyncio.run(self._alone(content, schema, read))

    async def _alone(self, content: str, schema: Row, read: Callable[[str], Found | None]) -> Found | None:
        async with Models() as models:
            return await self._asked(models, content, schema, read)

    async def _asked(
        self, models: Models, content: str, schema: Row, read: Callable[[str], Found | None]
    ) -> Found | None:
        messages = (Message(role="system", content=own_words("ask")["who"]), Message(role="user", content=content))
        for attempt in range(ATTEMPTS):
            found = read(await self._reply(models, messages, schema, attempt))
            if found is not None:
                return found
        return None

    async def _reply(self, models: Models, messages: tuple[Message, ...], schema: Row, attempt: int) -> str:
        name: Any = self.profile.model if self.profile.plain else self.profile.recorded
        said = json.dumps([name, attempt, schema, [one.content for one in messages]], ensure_ascii=False)
        file = self.folder / f"{blake2b(said.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}.txt"
        try:
            return regular.text(file)
        except (OSError, ValueError):
            pass
        endpoint = self.profile.endpoint(self.deadline)
        try:
            reply = await models.complete(
                endpoint, messages, ModelDefaults(temperature=0.0, max_tokens=TOKENS), seed=attempt, schema=schema
            )
        except ModelFailed as failed:
            if failed.kind != "silent":
                raise
            return ""
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, reply.text.encode("utf-8", "replace"))
        return reply.text


def _placed(made: CaseMaker, text: str, said: str, of: int, path: str) -> Quote | None:
    """Where some words stand; None where they do not, or where what a party says would be the court's words."""
    start = text.find(said)
    if len(said) < SHORTEST or start < 0:
        return None
    end = start + len(said)
    if _is_open(path):
        sealed = [place for place in made.places if not _is_open(place["path"])]
        if any(place["of"] == of and place["at"][0] < end and start < place["at"][1] for place in sealed):
            return None
        if len(said) >= TELLING and any(said in told for told in texts_of(value_at(made.case, layout().sealed_root))):
            return None
    return Quote(start, end, said)


def texts_of(value: Any) -> Iterator[str]:
    """The texts in a value, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from texts_of(one)
    if isinstance(value, str):
        yield value


def _is_open(path: str) -> bool:
    """Whether somebody may see what stands there; False comes first in order."""
    return not path.startswith(f"{layout().sealed_root}.")


def _schema(asked: Iterable[str]) -> Row:
    listed = {"type": "array", "items": {"type": "string"}}
    names = list(asked)
    return {
        "type": "object",
        "properties": dict.fromkeys(names, listed),
        "required": names,
        "additionalProperties": False,
    }


def _read(reply: str, asked: Iterable[str]) -> dict[str, list[str]] | None:
    """The words of a reply; None where it is none that was asked for."""
    told = json_in(reply).only()
    if told is None or set(told) - set(asked):
        return None
    if not all(isinstance(value, list) and all(isinstance(one, str) for one in value) for value in told.values()):
        return None
    return {path: list(value) for path, value in told.items()}


def _put(made: CaseMaker, path: str, ask: AskedPlace, quotes: Sequence[Quote], of: int) -> None:
    """The words at their place of the case."""
    if ask.form == "records":
        more = ({ask.numbered: ask.label.format(n=n)} for n in range(1, len(quotes) + 1))
        made.records(path, ask.key, zip(quotes, more, strict=True), of, "model")
    elif ask.form == "list":
        made.add(path, quotes, of, "model")
    else:
        made.join(path, quotes, of, "model")
