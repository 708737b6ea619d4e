"""LegalWorld: a Chinese legal life cycle, from consultation to final judgment, run from a spec a lawyer can read.

    import legalworld as lw

    civil = lw.open_project(".").procedure("civil")
    run = civil.play(actors={"judge": my_function})
    run.turns().to_pandas()

What stands in `__init__.pyi` is the public door; each name is imported when it is first asked for.
"""

from .model.version import __version__ as __version__

# Public name -> the module below this package that defines it.
_DOOR = {
    "Actor": "runs.callables",
    "Evaluated": "api.evaluation",
    "Evaluation": "evaluation.results",
    "Diagnostic": "model.diagnostics",
    "Event": "model.events",
    "LegalWorldError": "api.errors",
    "Procedure": "api.project",
    "Project": "api.project",
    "Reply": "model.events",
    "Request": "model.events",
    "Run": "api.run",
    "RunInterrupted": "api.run",
    "RunStopped": "api.run",
    "Runs": "api.run",
    "Stream": "api.run",
    "Table": "api.tables",
    "open_project": "api.project",
    "worded": "api.errors",
}


def __getattr__(name: str) -> object:
    if name not in _DOOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=None)
    from importlib import import_module

    found = getattr(import_module(f".{_DOOR[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_DOOR])
