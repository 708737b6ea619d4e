"""Which bindings of a project fit a record that was read by none of them, or by another one."""

from __future__ import annotations

from collections.abc import Iterator

from ..binding.bind import bind, knows
from ..binding.casefile import Data
from ..binding.file import detection, load_binding, procedures_of
from ..language.link.linker import link
from ..model.source import Sources
from .totals import written_total


def fitting(sources: Sources, data: Data, record: int, besides: str) -> Iterator[tuple[str, str]]:
    """Bindings, each with the spec it is for, as commands take it, that know a record and find all that is needed.

    `record`: its number from 1; `besides`: the binding that was tried already.
    """
    for path in sources.names("bindings"):
        known = detection(sources, path) if path.endswith((".yaml", ".yml")) else None
        name = path.rpartition("/")[2].rpartition(".")[0]
        if known is None or name == besides or not knows(*known, data.value, record):
            continue
        for procedure in procedures_of(sources, path)[:1]:
            if spec := _spec(sources, path, procedure, data, record):
                yield name, spec


def _spec(sources: Sources, path: str, name: str, data: Data, record: int) -> str:
    """The spec of a binding's procedure, in the file of its name, where a record is a case of it; else ""."""
    for spec in dict.fromkeys((name, name.replace("_", "-"))):
        file = f"specs/{spec}.yaml"
        procedure = link(sources, file).procedure if sources.read(file) is not None else None
        binding = load_binding(sources, path, procedure)[0] if procedure is not None else None
        if procedure is not None and binding is not None:
            case, _ = bind(procedure, data, record=record, binding=binding, settings={}, total=written_total)
            return spec if case is not None else ""
    return ""
