"""A file of checks as it is written: the keys of its YAML."""

from __future__ import annotations

from ...language.surfaces import Surface, Text, Texts


class TierSurface(Surface):
    words: Texts = ()
    least: Text
    most: Text | None = None
    fine: Text


class OffenceSurface(Surface):
    charge: Text
    law: Text
    article: Text
    takes: Text | None = None
    tiers: tuple[TierSurface, ...]


class TableUseSurface(Surface):
    use: Text
    table: Text
    since: Text | None = None


class LawSpanSurface(Surface):
    law: Text
    since: Text | None = None
    until: Text | None = None


class CheckSurface(Surface):
    check: Text
    title: Text
    for_each: Text | None = None
    when: Text | None = None
    must: Text
    severity: Text
    basis: Text | None = None
    right: Text | None = None
    wrong: Text | None = None


class CheckFileSurface(Surface):
    lw: Text
    check_set: Text
    title: Text
    locale: Text
    tables: tuple[TableUseSurface, ...] = ()
    laws: tuple[LawSpanSurface, ...] = ()
    offences: tuple[OffenceSurface, ...] = ()
    checks: tuple[CheckSurface, ...]
