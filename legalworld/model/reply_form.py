"""What a reply to one request must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from .immutable import immutable
from .plan import Answer


@immutable
class ReplyForm:
    """What a reply must look like.

    `kind`: text, document, or either (a document when it holds an ending token). `answer`: the value it must hold.
    `leading` tokens count at its very start (`calls`: those that call one person), `ending` ones at its start or end,
    those `within` wherever they stand, those of `raising` among the tokens that it starts or ends with; every other one
    of `tokens` is forged here; `spellings`: how else a leading one may be written. `values`: names of the numbers it
    must end with, each from `lowest` to `highest`. `own` is the speaker's label, `called` what else he alone is called;
    what is `heard` must not speak for another of `labels`, but may begin with one of those `addressed`. `limit`:
    characters at most. `sections`: of the document it may hold. `literals`: asterisks that are words in what he was
    sent; `sent`: the messages of his thread; `calling`: what is written as a call is one, not words.
    """

    kind: Literal["text", "document", "either"]
    answer: Answer | None
    leading: tuple[str, ...]
    ending: tuple[str, ...]
    tokens: frozenset[str]
    own: str
    labels: frozenset[str]
    limit: int
    called: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 0.0
    raising: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    heard: bool = True
    addressed: frozenset[str] = frozenset()
    calling: bool = False
    literals: frozenset[Any] = frozenset()
    sent: tuple[Any, ...] = ()
