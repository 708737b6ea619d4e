"""`ways.yaml` beside kept prompts as it is written: which ways of a case are played."""

from __future__ import annotations

from ..language.surfaces import Surface, Text, Texts


class WaysSurface(Surface):
    lw: Text
    snapshots: Text
    case: Text
    options: dict[str, Text] | None = None
    set: dict[str, Text] | None = None
    ways: dict[str, Texts]
    unexplored: Texts = ()
