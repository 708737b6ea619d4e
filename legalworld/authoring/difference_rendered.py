"""Which prompts of two procedures read differently in one case, played alike: what has changed in them, for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ..model.immutable import immutable
from ..model.source import Sources, Span
from ..runs.case_file import open_case
from ..runs.plan import chosen_options
from ..runs.project import Problems, Project
from ..templates.template_set import TemplateError
from ..templates.traced import TracedTemplates
from .difference import Delta, Kind
from .impact import TouchedPrompt
from .kept_prompts import MARKS, ON, KeptPrompt, Matter, prompts_of
from .protocol_words import Phrases
from .snapshots import PromptChange, Taken, Ways, changes, kept_ways, root_of

_KINDS: Final[Mapping[str, Kind]] = {"changed": "changed", "new": "added", "gone": "removed"}
_LONGEST: Final = 160
"""Characters of the changed words that are shown."""
_AROUND: Final = 12
"""Characters around them."""


@immutable
class RenderedPrompts:
    """The prompts that differ, `count` of `total`, in the ways of a case; `names`: name -> how it differs."""

    case: str
    total: int
    deltas: tuple[Delta, ...]
    names: Mapping[str, str]

    @property
    def count(self) -> int:
        return len(self.names)


def rendered(old: Project, new: Project, phrases: tuple[Phrases, Phrases], cwd: Path) -> RenderedPrompts | Problems:
    """How the prompts differ in the ways of a case that are kept under snapshots, else in the plainest way of the
    example; or why they cannot be made. Both procedures are played in the case as it is now."""
    assert new.procedure is not None
    ways = _ways(new, cwd)
    if ways is None:
        return ()
    made = []
    for project in (old, new):
        found = _prompts(project, ways, cwd)
        if isinstance(found, tuple):
            return found
        made.append(found)
    texts = {name: prompt.text for name, prompt in made[0].items()}
    differing = tuple(changes(texts, Taken(ways, new, made[1])))
    names = {change.name: change.kind for change in differing}
    deltas = tuple(_deltas(differing, phrases, (old.sources, new.sources)))
    return RenderedPrompts(ways.case, len({*made[0], *made[1]}), deltas, names)


def _ways(project: Project, cwd: Path) -> Ways | None:
    procedure = project.procedure
    assert procedure is not None
    kept = (ways for ways in kept_ways(root_of(cwd)) if isinstance(ways, Ways))
    if (found := next((ways for ways in kept if ways.spec == procedure.name), None)) is not None:
        return found
    by_target = tuple((target, ((),)) for target in procedure.targets or ("",))
    return Ways(procedure.name, project.example, by_target=by_target) if project.example else None


def _prompts(project: Project, ways: Ways, cwd: Path) -> dict[str, KeptPrompt] | Problems:
    procedure = project.procedure
    assert procedure is not None
    options, wrong = chosen_options(procedure, {k: v for k, v in ways.options if k in procedure.options})
    case = open_case(project, ways.case, "", dict(ways.fields), cwd)
    if wrong or isinstance(case, tuple):
        return wrong or case  # type: ignore[return-value]
    targets = {target: found for target, found in ways.by_target if target in (procedure.targets or ("",))}
    try:
        matter = Matter(procedure, TracedTemplates.of(project.sources, procedure), case.case, options)
        return prompts_of(matter, targets)
    except TemplateError as error:
        return error.problems


def _deltas(
    differing: Sequence[PromptChange], phrases: tuple[Phrases, Phrases], sources: tuple[Sources, Sources]
) -> Iterator[Delta]:
    """Prompts in which the same words have become others are one change."""
    alike: dict[tuple[str, str, str], list[PromptChange]] = {}
    for change in differing:
        alike.setdefault((change.kind, *_told(change)), []).append(change)
    for (_, was, now), several in alike.items():
        first = several[0]
        spoken = phrases[0 if first.kind == "gone" else 1]
        label = spoken.word(f"prompts_{first.kind}", count=len(several))
        where = tuple(_places([change.name for change in several], spoken))
        yield Delta("prompts", _KINDS[first.kind], label, where, "", was, now, _place(first.cause, *sources))


def _place(cause: Span | None, old: Sources, new: Sources) -> Span:
    """The line that the words come of, if it is another line than before; else none is told."""
    if cause is not None:
        before, after = ((one.read(cause.file) or "").split("\n") for one in (old, new))
        if 0 < cause.line <= len(after) and after[cause.line - 1] not in before:
            return cause
    return Span("", 0, 0)


def _places(names: Sequence[str], phrases: Phrases) -> Iterator[str]:
    """ROLE STAGE/PHASE, with the number of prompts where there are several."""
    prompts = [TouchedPrompt(name, "changed") for name in names]
    for (role, place), count in Counter((one.role, one.place) for one in prompts).items():
        told = f"{phrases.role(role)} {place}".rstrip()
        yield told if count == 1 else f"{told} ×{count}"


def _told(change: PromptChange) -> tuple[str, str]:
    """The words of the first stretch that went and that came, with a little of what stands around them; cut where they
    are long."""
    old, new = (_words(change.lines, sign) for sign in "-+")
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    start = max(head - _AROUND, 0)
    return _cut(old, start, len(old) - tail), _cut(new, start, len(new) - tail)


def _cut(text: str, start: int, end: int) -> str:
    """A text from a place on, to a little behind another."""
    end = min(end + _AROUND, start + _LONGEST)
    return "…" * (start > 0) + text[start:end] + "…" * (end < len(text))


def _words(lines: Sequence[str], sign: str) -> str:
    """What went, or came, in the first stretch of lines that differ, without the names of the files."""
    heads = [at for at, line in enumerate(lines) if line.startswith("@@")]
    first = lines[heads[0] + 1 : heads[1] if len(heads) > 1 else len(lines)] if heads else ()
    said = [line[1:] for line in first if line.startswith(sign) and not line[1:].startswith(MARKS)]
    return "".join(line.removesuffix(ON) if line.endswith(ON) else f"{line} " for line in said).strip()
