"""Which prompts of two procedures may read differently because a template has changed: by role and place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..checking.template_readers import CheckContext, Occasion
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Sources, Span
from ..templates.template_set import TemplateSet
from .difference import Delta
from .protocol_words import Phrases

FORMS: Final = "documents/"
SCRIPTED: Final = "offline"
"""The folder of what offline actors say, which no model is sent."""


@immutable
class Prompts:
    """A procedure with all that its prompts are made of."""

    phrases: Phrases
    templates: TemplateSet
    sources: Sources

    @property
    def procedure(self) -> Procedure:
        return self.phrases.procedure


def prompt_changes(old: Prompts, new: Prompts) -> Iterator[Delta]:
    """One change for each template that reads differently: the roles and places that may be given it.

    Prompts of steps that one procedure has alone come and go with these. What an `if` in a template hides at a place is
    not found out here: nothing is rendered (see `difference_rendered`).
    """
    was, now = _texts(old), _texts(new)
    differing = [name for name in now if name in was and was[name] != now[name]]
    differing += [name for name in now if name not in was] + [name for name in was if name not in now]
    if not differing:
        return
    places = _places(old), _places(new)
    for name in differing:
        told = sorted({*places[0].get(name, ()), *places[1].get(name, ())})
        if not told:
            continue
        where = tuple(dict.fromkeys(f"{new.phrases.role(role)} {place}" for place, role in told))
        kind = "changed" if name in was and name in now else "added" if name in now else "removed"
        group = "papers" if name.startswith(FORMS) else "unrendered"
        lines = _changed_line(was.get(name, ""), now.get(name, ""))
        yield Delta(group, kind, name, where, "", *lines[:2], Span(name, lines[2], 1))  # type: ignore[arg-type]


def _texts(prompts: Prompts) -> Mapping[str, str]:
    """Home of a template -> its text."""
    homes = (home for home in prompts.templates.homes if SCRIPTED not in home.split("/"))
    return {home: text for home in homes if (text := prompts.sources.read(home)) is not None}


def _places(prompts: Prompts) -> Mapping[str, set[tuple[str, str]]]:
    """Home of a template -> (place, role) of all who may be given it, included ones too."""
    found: dict[str, set[tuple[str, str]]] = {}
    for use in CheckContext(prompts.procedure, prompts.templates).uses:
        for home in _closure(use.home, prompts.templates):
            found.setdefault(home, set()).add((_place(use.at), use.at.role))
    return found


def _closure(home: str, templates: TemplateSet) -> tuple[str, ...]:
    found, left = {home: None}, [home]
    while left:
        for one in templates.included(left.pop()):
            if one not in found:
                found[one] = None
                left.append(one)
    return tuple(found)


def _place(at: Occasion) -> str:
    return "/".join(filter(None, (at.stage, at.phase)))


def _changed_line(was: str, now: str) -> tuple[str, str, int]:
    """The first line that differs, before and after, and its number in the new text."""
    before, after = was.splitlines(), now.splitlines()
    at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    return "".join(before[at : at + 1]).strip(), "".join(after[at : at + 1]).strip(), at + 1
