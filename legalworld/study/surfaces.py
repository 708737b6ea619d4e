"""Interventions as they are written: the keys of their YAML."""

from __future__ import annotations

from ..language.surfaces import Surface, Text, Texts


class QualitySurface(Surface):
    title: Text
    on_demand: Text | None = None


class ChangeSurface(Surface):
    delete: Texts = ()
    write: Text | None = None
    with_: Text | None = None
    swap: Texts = ()


class MakingSurface(Surface):
    template: Text | None = None
    change: tuple[ChangeSurface, ...] = ()


class ReplacedSurface(Surface):
    stages: Texts
    qualities: dict[str, MakingSurface]


class InterventionsSurface(Surface):
    lw: Text
    interventions: Text
    title: Text
    source: Text | None = None
    for_: Texts
    notes: Texts = ()
    against: Text | None = None
    qualities: dict[str, QualitySurface]
    documents: dict[str, ReplacedSurface]
