"""One answer has one result, whoever gives it: a vote, a single judge, an admission, or the procedure itself.

Neighbours: every sequence of up to three sources, each with every value; what conditions, the matrix and the minority
see is the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from neighbours import opened, played

from legalworld.model import events as e
from legalworld.model.votes import Voted

SPEC = """\
lw: 1
procedure: one
title: One
locale: {locale}
kinds: {{P: party, J: judge}}
roles:
  debtor: {{title: Debtor, kind: party, side: debtor}}
  judge:  {{title: Judge, kind: judge}}
  jurat:  {{title: Jurat, kind: judge, persons: 3}}
visibility: |
  | field | court |
  |-------|-------|
  | owing | J     |
stages:
  - stage: court
    title: Court
    steps:
{steps}
      - judge announces: how it stands
      - if owing:
          - judge announces: owing
      - else:
          - judge announces: not owing
      - if owing is no:
          - judge announces: denied
      - majority of owing states: why
"""
SOURCES = {
    "ask": "      - judge asks debtor: is it owed\n        answer: owing is yes or no\n",
    "note": "      - judge notes: is it owed\n        answer: owing is yes or no\n",
    "lone": "      - judge votes: is it owed\n        answer: owing is yes or no\n",
    "vote": "      - judge, jurat vote: is it owed\n        answer: owing is yes or no\n",
    "yes": "      - record owing: yes\n",
    "no": "      - record owing: no\n",
}
GIVERS = {
    "ask": {"debtor"},
    "note": {"judge"},
    "lone": {"judge"},
    "vote": {"judge", "jurat-1", "jurat-2", "jurat-3"},
    "yes": set(),
    "no": set(),
}


def sequences() -> Iterator[tuple[tuple[str, str], ...]]:
    """Sources with what each says; a vote must be among them, or it is no answer that is voted on."""
    for count in (1, 2, 3):
        for sources in product(SOURCES, repeat=count):
            if {"vote", "lone"} & set(sources) and (count < 3 or sources[0] != sources[1]):
                values = [(one,) if one in ("yes", "no") else ("yes", "no") for one in sources]
                yield from (tuple(zip(sources, said, strict=True)) for said in product(*values))


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_last_source_is_what_counts(locale: str) -> None:
    found = list(sequences())
    assert len(found) > 200
    for sequence in found[:: 1 if locale == "en" else 7]:
        spec = SPEC.format(locale=locale, steps="".join(SOURCES[source] for source, _ in sequence))
        assert opened(spec).procedure is not None
        asked = [(source, said) for source, said in sequence if source not in ("yes", "no")]
        waiting = [said for source, said in asked for _ in GIVERS[source]]
        seen: list[object] = []
        at = f"court/{len(sequence) + 1}/"

        def say(request: e.Request, waiting: list[str] = waiting, seen: list[object] = seen, at: str = at) -> str:
            if request.form.answer is None:
                seen += [request.view.variables["known"]["owing"]["result"]] if request.id.startswith(at) else []
                return "words"
            return f"<<owing: {waiting.pop(0)}>>"

        game = played(spec, "lw: 1\ncase: c\n", say)
        assert not waiting
        (last, value) = sequence[-1]
        results = [one for one in game.events if isinstance(one, Voted)]
        assert len(results) == len(sequence) and results[-1].result == value, sequence
        places = [one.place for one in game.events if isinstance(one, e.Spoke)]
        steps = len(sequence)
        assert any(f"court/{steps + 2}.1" in place for place in places) == (value == "yes"), sequence
        assert any(f"court/{steps + 4}.1" in place for place in places) == (value == "no"), sequence
        majority = {one.person for one in game.events if isinstance(one, e.Spoke) and one.place == f"court/{steps + 5}"}
        assert majority == GIVERS[last], sequence
        assert seen == [value], sequence
