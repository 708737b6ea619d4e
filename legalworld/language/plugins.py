"""What other packages add to the program, found by their entry points; what ships is found in the same way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final, Generic, TypeVar

from ..model.diagnostics import Diagnostic
from . import diagnose

OWN: Final = "legalworld"
PartT = TypeVar("PartT", covariant=True)


@dataclass(frozen=True)
class Plugged(Generic[PartT]):
    """The parts of one group by their names. `foreign`: name -> the package that adds it; `problems`: what was left
    out and why, each naming its package."""

    parts: Mapping[str, PartT]
    foreign: Mapping[str, str]
    problems: tuple[Diagnostic, ...] = ()

    def origin(self, name: str) -> str:
        """The package that adds a part, and its version."""
        package = self.foreign[name]
        return f"{package} {metadata.version(package)}"


def plugged(
    group: str, shipped: Mapping[str, PartT], fits: Callable[[Any], bool], *, taken: Collection[str] = ()
) -> Plugged[PartT]:
    """The parts of a group: those that ship, then those of other packages, in the order of their names.

    A package that cannot be loaded, adds what is no such part (`fits`), or takes a name that another one has, or one of
    `taken`, loses that part and no other. Where the installed program registers nothing of the group, as a source tree
    that nobody installed, what ships counts as registered.
    """
    entries = tuple(_entries(group))
    others = [(package, entry) for package, entry in entries if package != OWN]
    registered = {entry.name for package, entry in entries if package == OWN} or set(shipped)
    parts = {name: part for name, part in shipped.items() if name in registered}
    problems = [diagnose.unregistered_part(OWN, group=group, name=name) for name in shipped if name not in registered]
    foreign: dict[str, str] = {}
    for package, entry in others:
        if entry.name in {*shipped, *foreign, *taken}:
            of = foreign.get(entry.name, OWN)
            problems.append(diagnose.shadowing_plugin(package, group=group, name=entry.name, package=package, of=of))
            continue
        part, reason = _loaded(entry, fits)
        if reason:
            how: Any = {"group": group, "name": entry.name, "package": package, "reason": reason}
            problems.append(diagnose.broken_plugin(package, **how))
        else:
            parts[entry.name], foreign[entry.name] = part, package
    return Plugged(parts, foreign, tuple(problems))


def _entries(group: str) -> Iterator[tuple[str, metadata.EntryPoint]]:
    """Package and entry, each once, though a package may be found twice on the path."""
    found = {
        (entry.dist.name.lower() if entry.dist is not None else "", entry.name, entry.value): entry
        for entry in metadata.entry_points(group=group)
    }
    for package, name, value in sorted(found):
        yield package, found[package, name, value]


def _loaded(entry: metadata.EntryPoint, fits: Callable[[Any], bool]) -> tuple[Any, str]:
    """The part, or why there is none. Whatever another package raises is its own."""
    try:
        part = entry.load()
    except (Exception, SystemExit) as error:
        return None, f"{type(error).__name__}: {error}"
    return (part, "") if fits(part) else (None, type(part).__name__)
