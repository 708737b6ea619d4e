"""What an option switches off is offered nowhere: no field, no tool, no word of a template, no step. Proved over every
request that a played case sends; and what is on is in at least one of them, or the proof would be void."""

from __future__ import annotations

from functools import cache

import pytest
from playing import play, project

from legalworld.model.events import Asked, Remembered

# option -> what must not be read anywhere when it is off: names of fields and tools, as words of a request.
CRIMINAL = {
    "memory": ("summary", "庭审纪要", "expand_memory"),
    "strategy": ("strategy", "指控和答辩的策略", "辩护和反驳的策略", "待查明的问题", "revise_memory", "form_strategy"),
}
CIVIL = {"memory": ("read_memory", "revise_memory", "expand_memory")}
MODULES = [("criminal", "kuaijian", option) for option in CRIMINAL] + [("civil", "jiedai", option) for option in CIVIL]


@cache
def requests(spec: str, case: str, off: str, native: bool) -> tuple[str, ...]:
    """Every request: its messages, and the tools that it offers with their schemas."""
    options = {off: "no"} if off else {}
    procedure = project(spec).procedure
    assert procedure is not None
    game = play(case, spec=spec, options=options, native=tuple(procedure.roles) if native else ())
    return tuple("\n".join((*(m.content for m in one.messages), repr(one.tools))) for one in game.requests)


@pytest.mark.parametrize(("spec", "case", "option"), MODULES)
@pytest.mark.parametrize("native", [False, True])
def test_what_is_off_is_offered_nowhere(spec: str, case: str, option: str, native: bool) -> None:
    words = (CRIMINAL if spec == "criminal" else CIVIL)[option]
    there = requests(spec, case, "", native)
    assert all(any(word in one for one in there) for word in words if word != "form_strategy")
    off = requests(spec, case, option, native)
    found = {word: [one[:200] for one in off if word in one][:1] for word in words}
    assert not {word: one for word, one in found.items() if one}


@pytest.mark.parametrize(("spec", "case", "option"), MODULES)
def test_nobody_writes_what_is_off(spec: str, case: str, option: str) -> None:
    words = (CRIMINAL if spec == "criminal" else CIVIL)[option]
    events = play(case, spec=spec, options={option: "no"}).events
    assert not [one for one in events if isinstance(one, Remembered) and (spec == "civil" or one.field in words)]
    assert any(isinstance(one, Asked) for one in events)
