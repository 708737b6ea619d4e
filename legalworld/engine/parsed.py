"""What a reply comes to once it is taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ..model.immutable import immutable, replace

Faults = tuple[tuple[str, str], ...]
"""What is wrong with a reply: (rule, detail), in the order in which it was found."""


@immutable
class Parsed:
    """`text`: what others hear. `leading`/`ending`: the token that counted ("" = none). `value`: None = none given.

    `within`: tokens that count anywhere, in order; `values`: the numbers it ends with, by name. `raised`: the token of
    an event; `unmet`: it raises one in place of what was expected. `struck`: an objection to it was sustained.
    `given`: the words of the value as they were written.
    `draft`: a document that it offers, where that is not simply its text. `formatted`: the words with their markdown,
    where there was any.
    `faults`: (rule, detail) in the order they were found.
    """

    text: str
    leading: str = ""
    ending: str = ""
    value: str | tuple[str, ...] | None = None
    faults: Faults = ()
    within: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    raised: str = ""
    unmet: bool = False
    struck: bool = False
    draft: str = ""
    formatted: str = ""
    given: str = ""

    @property
    def counts(self) -> bool:
        """Whether anything in it counts, be it words or a token."""
        return bool(self.text or self.leading or self.ending or self.within or self.values or self.value is not None)

    @property
    def broken_off(self) -> bool:
        """Whether it ends where a limit of tokens was reached."""
        return any(rule in ("cut", "unfinished", "repeats") for rule, _ in self.faults)

    @property
    def document(self) -> str:
        """What it hands in, where it hands in a document."""
        return self.draft or self.text

    def faulty(self, rule: str, detail: str) -> Parsed:
        """The same with one fault more."""
        return replace(self, faults=(*self.faults, (rule, detail)))
