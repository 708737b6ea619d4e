"""Which step of one procedure is which of another: by name and content, also moved and renamed; the same both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

from ..model.immutable import immutable
from ..model.plan import Step, StepInfo
from ..model.procedure import EVENT_MARK, Procedure
from ..model.source import Span

BEHIND: Final = "~"
"""Before the name of a phase: the steps behind it that stand in none."""


@immutable
class StepNode:
    """A step and where it stands. `name`: by which its author knows it, "" for one that has a number alone; `own`:
    all that it says itself, without spans and without the steps inside it; `parent`: the place of the step around it,
    "" for none, and in which of its blocks; `around`: all steps around it, by name and content;
    `whole`: what it says with all that is inside it."""

    place: str
    stage: str
    phase: str
    name: str
    own: Hashable
    parent: tuple[str, int]
    around: Hashable
    whole: Hashable
    step: Step

    @property
    def verb(self) -> str:
        return type(self.step).__name__


@immutable
class StepMatch:
    """The steps that both procedures have, and those that one has alone; `moved`: the pairs that stand elsewhere."""

    pairs: tuple[tuple[StepNode, StepNode], ...]
    gone: tuple[StepNode, ...]
    come: tuple[StepNode, ...]
    moved: frozenset[str]


# ---- content ---------------------------------------------------------------------------------------------------------


def content(value: Any, leave_out: Callable[[Any, str], bool] = lambda _, __: False) -> Hashable:
    """A value without the places where it is written, to be compared and sorted by."""
    if isinstance(value, Span):
        return ()
    if is_dataclass(value) and not isinstance(value, type):
        kept = (
            (one.name, content(getattr(value, one.name), leave_out))
            for one in fields(value)
            if one.compare and not isinstance(getattr(value, one.name), Span) and not leave_out(value, one.name)
        )
        return (type(value).__name__, *kept)
    if isinstance(value, Mapping):
        return tuple((key, content(one, leave_out)) for key, one in value.items())
    if isinstance(value, frozenset):
        return tuple(sorted(map(repr, value)))
    if isinstance(value, tuple | list):
        return tuple(content(one, leave_out) for one in value)
    return repr(value) if isinstance(value, set) else value


def own(step: Step) -> Hashable:
    """What a step says itself: not its name, and not the steps inside it."""

    def left_out(value: Any, name: str) -> bool:
        held = getattr(value, name)
        return (value is step.info and name == "id") or (value is step and any(held is one for one in step.blocks))

    return content(step, left_out)


# ---- nodes -----------------------------------------------------------------------------------------------------------


def nodes(procedure: Procedure, renamed: Mapping[str, str]) -> tuple[StepNode, ...]:
    """Every step of a procedure in order. `renamed`: stage, or STAGE/PHASE, -> what the other procedure calls it."""
    found: list[StepNode] = []
    for stage in procedure.stages:
        name, last = renamed.get(stage.id, stage.id), ""
        for phase in stage.phases:
            base = f"{stage.id}/{phase.id}" if phase.id else stage.id
            inside = renamed.get(f"{stage.id}/{phase.id}", phase.id) or last
            last = f"{BEHIND}{inside}" if phase.id else last
            found += _block(phase.steps, base, (name, inside), ("", 0))
            found += _block(phase.closing, base, (name, inside), ("", 1))
        found += _block(stage.closing, stage.id, (name, ""), ("", 2))
    for event in procedure.interruptions:
        found += _block(event.steps, "", (EVENT_MARK, event.id), ("", 0))
    return tuple(found)


def _nameless(value: Any, name: str) -> bool:
    return isinstance(value, StepInfo) and name == "id"


def _block(
    steps: Sequence[Step], base: str, place: tuple[str, str], parent: tuple[str, int], around: Hashable = ()
) -> Iterator[StepNode]:
    for step in steps:
        id_ = step.info.id
        here = id_ if id_.startswith(EVENT_MARK) else f"{base}/{id_}"
        name = id_.rpartition(".")[2]
        name = "" if name.isdecimal() else name
        said = own(step)
        whole = (
            content(step, lambda value, key: isinstance(value, StepInfo) and key == "id") if any(step.blocks) else said
        )
        yield StepNode(here, *place, name, said, parent, around, whole, step)
        for number, block in enumerate(step.blocks):
            yield from _block(block, base, place, (here, number), (around, name, said))


# ---- matching --------------------------------------------------------------------------------------------------------

_KEYS: tuple[Callable[[StepNode], Hashable | None], ...] = (
    lambda node: (node.stage, node.phase, node.around, node.name, node.whole),
    lambda node: (node.stage, node.phase, node.around, node.name, node.own),
    lambda node: (node.stage, node.phase, node.name, node.own),
    lambda node: (node.stage, node.phase, node.around, node.name) if node.name else None,
    lambda node: (node.stage, node.phase, node.name) if node.name else None,
    lambda node: (node.name, node.own) if node.name else None,
    lambda node: (node.stage, node.phase, node.own),
    lambda node: node.own,
    lambda node: (node.stage, node.phase, node.verb, node.place) if not node.name else None,
    lambda node: (node.stage, node.phase, node.verb) if not node.name else None,
)
"""What makes two steps one, from the surest to the least; None for a step of which it is not asked."""


def match(old: Sequence[StepNode], new: Sequence[StepNode]) -> StepMatch:
    """Pair the steps of two procedures; what is left stands in one alone."""
    left, right, pairs = list(old), list(new), []
    for key in _KEYS:
        held: dict[Hashable, list[StepNode]] = defaultdict(list)
        for node in right:
            if (wanted := key(node)) is not None:
                held[wanted].append(node)
        found = []
        for node in left:
            among = held.get(wanted, []) if (wanted := key(node)) is not None else []
            same = next((one for one in among if node.own == one.own or node.name or alike(node.step, one.step)), None)
            if same is not None:
                among.remove(same)
                found.append((node, same))
        taken = {id(one) for pair in found for one in pair}
        left, right = [one for one in left if id(one) not in taken], [one for one in right if id(one) not in taken]
        pairs += found
    order = {id(node): at for at, node in enumerate(new)}
    pairs.sort(key=lambda pair: order[id(pair[1])])
    return StepMatch(tuple(pairs), tuple(left), tuple(right), _moved(old, pairs))


def alike(one: Step, other: Step) -> bool:
    """Whether one step may be what became of another of the same verb: both have the same words or something else."""
    if any(one.blocks) or (one.info.cue and one.info.cue == other.info.cue):
        return True
    held = [each.name for each in fields(one) if each.name != "info"]
    said = [(content(getattr(one, name)), content(getattr(other, name))) for name in held]
    return not said or any(mine == its and mine not in ((), "", None, 0) for mine, its in said)


def _moved(old: Sequence[StepNode], pairs: Sequence[tuple[StepNode, StepNode]]) -> frozenset[str]:
    """The places (of the new procedure) of steps that stand elsewhere: in another block, or out of the order in which
    the most of a block have stayed."""
    became = {before.place: after.place for before, after in pairs}
    before_at = {node.place: at for at, node in enumerate(old)}
    blocks: dict[Hashable, list[tuple[StepNode, StepNode]]] = defaultdict(list)
    found = set()
    for before, after in pairs:
        inside = (became.get(before.parent[0], ""), before.parent[1]) if before.parent[0] else before.parent
        if (before.stage, before.phase, inside) != (after.stage, after.phase, after.parent):
            found.add(after.place)
        else:
            blocks[(after.stage, after.phase, after.parent)].append((before, after))
    for block in blocks.values():
        keys = [tuple(sorted((before.place, after.place))) for before, after in block]
        stayed = kept_in_order([before_at[before.place] for before, _ in block], keys)
        found |= {after.place for at, (_, after) in enumerate(block) if at not in stayed}
    return frozenset(found)


def kept_in_order(numbers: Sequence[int], keys: Sequence[Any]) -> frozenset[int]:
    """Which elements of a sequence make its longest rising part; of several such, the one with the lowest keys, so that
    it is the same whichever of two orders is the old one."""
    weights = {key: 1 << at for at, key in enumerate(sorted(keys, reverse=True))}
    best: list[tuple[int, int, tuple[int, ...]]] = []
    for at, number in enumerate(numbers):
        before = max((best[one] for one in range(at) if numbers[one] < number), default=(0, 0, ()))
        best.append((before[0] + 1, before[1] + weights[keys[at]], (*before[2], at)))
    return frozenset(max(best, default=(0, 0, ()))[2])
