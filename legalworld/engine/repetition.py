"""Words that go round in a circle until a limit of length ends them, as those of small models do."""

from __future__ import annotations

from ..language.sentences.quantities import NUMERALS, TENS

_LOOKED_AT = 4_000  # characters at the end of a reply
_ROUNDS = 4  # times that a stretch stands there, one behind the other
_SHORTEST = 160  # characters of all rounds together
_LETTERS = 4  # different letters in a round: a row of dots or a form's blank line says nothing
_FIGURES = str.maketrans(dict.fromkeys(f"0123456789{NUMERALS}{''.join(TENS)}", "0"))


def circle(text: str) -> tuple[int, str]:
    """(where a text begins to repeat itself up to its end, the stretch that it repeats); the length and "" if it does
    not. Figures do not tell one round from another: a list that counts on is one, too."""
    tail = text.rstrip()[-_LOOKED_AT:].translate(_FIGURES)[::-1]
    same = [0] * len(tail)  # of the text read backwards up to a place, how much stands at its beginning again
    found = (0, 0)
    for at in range(1, len(tail)):
        length = same[at - 1]
        while length and tail[at] != tail[length]:
            length = same[length - 1]
        same[at] = length + (tail[at] == tail[length])
        period = at + 1 - same[at]
        if at + 1 >= max(_SHORTEST, _ROUNDS * period):
            found = (at + 1, period)
    rounds, period = found
    start = len(text.rstrip()) - rounds
    stretch = text[start : start + period]
    if not rounds or len({sign for sign in stretch if sign.isalpha()}) < _LETTERS:
        return len(text), ""
    return start + period, stretch.strip()
