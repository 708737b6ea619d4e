"""Interventions: which versions of which documents a study of dependence puts in place of what was drafted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from ..model.immutable import immutable
from ..model.source import Span

STUDY: Final = "study"
"""The name under which a template finds the reference, the draft and the section that it writes."""


@immutable
class Quality:
    """A condition of the study. `on_demand`: only when it is named, such as a control."""

    name: str
    title: str
    on_demand: bool = False


@immutable
class SectionChange:
    """Sections taken out, one written anew by a template, or two that take each other's place."""

    kind: Literal["delete", "write", "swap"]
    sections: tuple[str, ...]
    template: str
    span: Span


@immutable
class Making:
    """How a version comes about: the text of a template ("" = the draft itself), then changes, in order."""

    template: str
    changes: tuple[SectionChange, ...]
    span: Span

    @property
    def control(self) -> bool:
        """Whether the draft is replaced by itself."""
        return not self.template and not self.changes


@immutable
class Replaced:
    """A document with its versions by quality. `stages`: those downstream whose scores are compared."""

    document: str
    stages: tuple[str, ...]
    makings: Mapping[str, Making]
    span: Span


@immutable
class Interventions:
    """`as_drafted`: scores are compared with the documents as they were drafted, else with those put in their place.

    `digest` is that of the file.
    """

    name: str
    title: str
    source: str
    procedures: tuple[str, ...]
    notes: tuple[str, ...]
    qualities: Mapping[str, Quality]
    documents: Mapping[str, Replaced]
    as_drafted: bool
    digest: str
    file: str
    span: Span
