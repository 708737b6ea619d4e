"""The marks that prompts, titles, transcripts and documents are put together with, by the language of a procedure.

A token stands in `<<` and `>>` where texts are not Chinese: nobody says them, YAML takes them without quotes, and
unlike square brackets they are no part of a citation ([2024] UKSC 1) or of a quotation ("[the Defendant] agreed").
"""

from __future__ import annotations

from typing import Final

from .immutable import immutable


@immutable
class Punctuation:
    """`opening`, `closing`: around a token. The others hold the blanks that belong to them."""

    opening: str
    closing: str
    colon: str
    comma: str
    listed: str
    semicolon: str
    parenthesis: str
    possessive: str
    broken_off: str

    def token(self, words: str) -> str:
        """A token as it is to be written; "" for none."""
        return f"{self.opening}{words}{self.closing}" if words else ""

    def value_token(self, name: str) -> str:
        """The token of a value that is still to be filled in."""
        return self.token(f"{name}{self.colon}…")

    def of(self, whose: str, title: str) -> str:
        """The title of somebody who stands for somebody else: Claimant's lay representative."""
        return joined(whose + self.possessive, title)

    def bracketed(self, words: str, aside: str) -> str:
        """Words with others in brackets behind them."""
        return words + self.parenthesis.format(aside)


_CHINESE: Final = Punctuation("【", "】", "：", "，", "、", "；", "（{}）", "", "……")
_OTHER: Final = Punctuation("<<", ">>", ": ", ", ", ", ", "; ", " ({})", "'s", "…")


def joined(first: str, second: str) -> str:
    """Two words as one: Chinese is written together, other languages apart."""
    apart = first and second and first[-1].isascii() and second[0].isascii()
    return f"{first} {second}" if apart else first + second


def punctuation(locale: str) -> Punctuation:
    """The marks of a language."""
    return _CHINESE if locale == "zh" else _OTHER
