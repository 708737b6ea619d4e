"""What a run chose before it began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ..model.immutable import immutable


@immutable
class ReadAnswer:
    """A part of a decision as it is read in a document: what the answer of its name is from then on.

    `about`: the record that it is about, as FIELD/SIDE/INDEX ("" for none).
    """

    name: str
    about: str
    value: str | tuple[str, ...]


@immutable
class Intervention:
    """A document replaced just before a place (`fork`). `read`: what it says of the decision that it states."""

    place: str
    document: str
    side: str
    text: str
    read: tuple[ReadAnswer, ...] = ()


@immutable
class Settings:
    """Who is under test, the seed, the options, where to stop, what to replace, what to leave out.

    `skip`: stages and phases (STAGE, STAGE/PHASE).
    `without`: operations that nothing here could carry out; their tools are offered to nobody.
    `native`: the roles whose models call tools natively; the others are told of tools in words. `natively`: id of a
    request -> those who do from its answer on ("": from the beginning), where that changed.
    """

    target: str
    seed: int
    options: Mapping[str, str]
    until: str = ""
    interventions: tuple[Intervention, ...] = ()
    native: frozenset[str] = frozenset()
    skip: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    natively: Mapping[str, frozenset[str]] = field(default_factory=dict)
