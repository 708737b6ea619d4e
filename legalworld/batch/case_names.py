"""What cases are called that have no id of their own: after their files, by as much of a path as tells them apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

PACKED: Final = ".gz"


def distinct_names(paths: Iterable[Path]) -> Mapping[Path, str]:
    """Path -> the shortest end of it that no other file of the set has, without regard to letter case.

    `1/data.json` and `2/data.json` become `1-data` and `2-data`; a file whose name is its own keeps it. Files that
    differ in their endings alone keep these.
    """
    parts = {path: _parts(path) for path in dict.fromkeys(paths)}
    whole = Counter(tuple(map(str.casefold, one)) for one in parts.values())
    for path, one in parts.items():
        if whole[tuple(map(str.casefold, one))] > 1:
            parts[path] = (*one[:-1], path.name)
    chosen: dict[Path, tuple[str, ...]] = {}
    waiting, length = list(parts), 1
    while waiting:
        groups: dict[tuple[str, ...], list[Path]] = defaultdict(list)
        for path in waiting:
            groups[tuple(map(str.casefold, parts[path][-length:]))].append(path)
        waiting = []
        for group in groups.values():
            if len(group) == 1 or all(len(parts[path]) <= length for path in group):
                chosen |= {path: parts[path][-length:] for path in group}
            else:
                waiting += group
        length += 1
    return _joined(chosen)


def _parts(path: Path) -> tuple[str, ...]:
    """The folders and the bare name of a file."""
    name = path.name[: -len(PACKED)] if path.name.lower().endswith(PACKED) else path.name
    folders = [part for part in path.parts[:-1] if part not in (path.anchor, "..")]
    return (*folders, Path(name).stem or name)


def _joined(chosen: Mapping[Path, tuple[str, ...]]) -> dict[Path, str]:
    """The parts with hyphens between them; with slashes where hyphens would make two names one."""
    counts = Counter("-".join(parts).casefold() for parts in chosen.values())
    return {
        path: "-".join(parts) if counts["-".join(parts).casefold()] == 1 else "/".join(parts)
        for path, parts in chosen.items()
    }
