"""What is shown of a reply while it comes: no more than is certain to be spoken."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.foreign_marks import certain
from ..model.events import Request
from ..model.text import clean

Overhear = Callable[[Request, str | None], None]
"""Called with each piece of the words that a model streams; with None where they begin once more."""


class Preview:
    """The words of one reply on their way to who overhears them.

    `whole`: they are shown when all of them have come, as of a model that may leave out where its thoughts begin.
    """

    def __init__(self, request: Request, overhear: Overhear, whole: bool) -> None:
        self._request = request
        self._overhear = overhear
        self._whole = whole
        self._words = self._shown = ""
        self._heard = False
        self.taken_back = False

    def hear(self, piece: str | None) -> None:
        """A piece of the words; None where they begin once more."""
        self._heard = True
        if piece is None:
            self.taken_back = True
            self._withdraw()
            self._words = ""
            return
        self._words += piece
        if not self._whole:
            self._show(self._words[: certain(self._words, self._request.form, len(self._shown))])

    def done(self, text: str, spoken: bool) -> None:
        """The reply is there; `spoken`: its words are, and hold no call."""
        if not self._heard:
            return
        if not spoken:
            self._withdraw()
        elif clean(text).lstrip().startswith(clean(self._shown).lstrip()):
            begun = len(clean(self._shown).lstrip())
            self._show(self._shown + clean(text).lstrip()[begun:])
        else:
            self._withdraw()
            self._show(text)

    def _show(self, words: str) -> None:
        if len(words) > len(self._shown):
            self._overhear(self._request, words[len(self._shown) :])
            self._shown = words

    def _withdraw(self) -> None:
        if self._shown:
            self._overhear(self._request, None)
        self._shown = ""
