"""`legalworld.toml` of a project: the version that its files come from, and who plays where a command names nobody."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..language.charset import decoded
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.version import __version__
from . import regular
from .project_files import unreadable

FILE: Final = "legalworld.toml"
FORM: Final = 1
MOST: Final = 64 << 10
"""Bytes of the file, at most."""
KEYS: Final = ("lw", "package", "models")


@immutable
class ProjectSettings:
    """`package`: the version of the files, "" where the project does not say; `models`: a set of the models file."""

    package: str = ""
    models: str = ""
    problems: tuple[Diagnostic, ...] = ()


def read_settings(root: Path | None) -> ProjectSettings:
    """Return what the file in a project's folder says; without a file, nothing. Another version is a warning."""
    if root is None:
        return ProjectSettings()
    file = root / FILE
    try:
        text = decoded(regular.content(file, root, most=MOST)).text
        said = tomllib.loads(text)
    except FileNotFoundError:
        return ProjectSettings()
    except OSError as error:
        return ProjectSettings(problems=(unreadable(FILE, error),))
    except (ValueError, RecursionError) as error:
        return ProjectSettings(problems=(diagnose.unreadable_project_file(FILE, reason=str(error)[:200]),))
    return _settings(said)


def _settings(said: dict[str, Any]) -> ProjectSettings:
    problems: list[Diagnostic] = []
    form = said.get("lw")
    if form != FORM or isinstance(form, bool):
        problems.append(diagnose.other_project_form(FILE, form=str(form), known=str(FORM)))
    for key in said:
        if key not in KEYS:
            problems.append(diagnose.unknown_project_key(FILE, key=key, known=KEYS, nearest=nearest(key, KEYS)))
    texts = {key: said.get(key, "") for key in ("package", "models")}
    for key, value in texts.items():
        if not isinstance(value, str):
            problems.append(diagnose.project_key_no_text(FILE, key=key))
    package, models = (value.strip() if isinstance(value, str) else "" for value in texts.values())
    if package and package != __version__:
        problems.append(diagnose.project_of_another_version(FILE, package=package, version=__version__))
    return ProjectSettings(package, models, tuple(problems))
