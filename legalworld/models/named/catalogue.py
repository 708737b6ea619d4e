"""The models that a person has names for: `models.yaml` of the project and of the user, with what was tried of them.

    catalogue = open_catalogue(Path.cwd())
    catalogue.profile("judge")          # the project's entry before the user's; else litellm's model of that name

Opening it takes the keys of the project's `.env` into the environment, too (see `env_file`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Final

from ...files.project_files import Disk, find_root
from ...files.regular import write_whole
from ...language import diagnose
from ...language.spelling import nearest
from ...language.yaml.nodes import Scalar
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable, replace
from ..endpoint import Endpoint
from ..prices import route_of
from ..schemes import is_model
from ..scripted import NAMES as SCRIPTED
from ..wire import quiet_litellm
from . import tried_habits
from .env_file import take_keys
from .profile import ModelProfile, profile_of
from .reader import ModelsFile, read_models_file
from .tried_habits import TriedHabits, habits_text, read_habits, with_habits

FILE: Final = "models.yaml"
USER_FOLDER: Final = "legalworld"
OTHERS: Final = "others"
_read_file = lru_cache(maxsize=16)(read_models_file)


@immutable
class ModelCatalogue:
    """Names and what they stand for. `homes`: name -> the folder in which its file of habits lies; `home`: of others.

    `problems`: errors of the files, with which no model is to be called; `warnings`: what is odd beside.
    """

    home: Path
    profiles: Mapping[str, ModelProfile] = field(default_factory=dict)
    sets: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    habits: Mapping[str, TriedHabits] = field(default_factory=dict)
    homes: Mapping[str, Path] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    def profile(self, word: str) -> ModelProfile:
        """What a word stands for, with the habits that were found; a word of litellm's for itself."""
        profile = self.profiles.get(word) or ModelProfile(word, word)
        return with_habits(profile, self.habits.get(word))

    def called(self, words: Iterable[str]) -> dict[str, ModelProfile]:
        """The profiles of words, with those of their fallbacks, by name; what stands for itself alone is left out."""
        found: dict[str, ModelProfile] = {}
        waiting = [word for word in words if is_called(word)]
        while waiting:
            word = waiting.pop(0)
            if word not in found:
                found[word] = self.profile(word)
                waiting += found[word].fallbacks
        return {word: profile for word, profile in found.items() if not profile.plain}

    def named(self, words: Iterable[str]) -> dict[str, ModelProfile]:
        """The profiles of those words that are names of the files; none of a file with errors."""
        return {word: self.profiles[word] for word in words if word in self.profiles and not self.problems}

    def lacking(self, words: Iterable[str], option: str) -> tuple[Diagnostic, ...]:
        """Why some words cannot be called: errors of the files, names that mean something else already."""
        words = [word for word in dict.fromkeys(words) if is_called(word)]
        if not words:
            return ()
        if self.problems:
            return self.problems
        if not self.profiles:
            return ()
        known = tuple(self.profiles)
        bare = [word for word in words if word not in known and "/" not in word and not _is_route(word)]
        unknown = (
            diagnose.unnamed_model(option, name=word, known=known, nearest=nearest(word, (*known, *SCRIPTED)))
            for word in bare
        )
        ours = [self.profiles[name] for name in self.called(words) if name in self.profiles]
        taken = (diagnose.model_name_is_route(one.span, name=one.name) for one in ours if _is_route(one.name))
        return (*unknown, *taken)

    def words_of_set(self, name: str) -> tuple[str, ...] | Diagnostic:
        """A set as `--model` says it: the others first, then each role."""
        if name not in self.sets:
            return diagnose.unknown_model_set("--models", name=name, known=tuple(self.sets))
        chosen = {role: word.text for role, word in self.sets[name].items()}
        others = chosen.pop(OTHERS, "")
        return (*([others] if others else []), *(f"{role}={word}" for role, word in chosen.items()))

    def keep_habits(self, name: str, habits: TriedHabits) -> Path:
        """Write what was found of a name beside its file. Raises OSError."""
        folder = self.homes.get(name, self.home)
        file = folder / tried_habits.FILE
        kept = _habits_in(folder, str(file))[0]
        write_whole(file, habits_text({**kept, name: habits}).encode("utf-8"))
        return file


@immutable
class CalledModels:
    """The models that a command calls, by what it names them. `warnings`: what is odd about them."""

    profiles: Mapping[str, ModelProfile] = field(default_factory=dict)
    warnings: tuple[Diagnostic, ...] = ()

    def endpoint(self, name: str, deadline: float) -> Endpoint:
        """A model as it is to be called."""
        return profile_of(name, self.profiles).endpoint(deadline)


NOBODY: Final = CalledModels()


def called_models(words: Iterable[str], cwd: Path, option: str) -> CalledModels | tuple[Diagnostic, ...]:
    """Return the models that some words of an option stand for, or why one of them cannot be called.

    Where nobody is called no file is read.
    """
    names = [word for word in dict.fromkeys(words) if is_called(word)]
    if not names:
        return NOBODY
    catalogue = open_catalogue(cwd)
    if problems := catalogue.lacking(names, option):
        return problems
    profiles = catalogue.called(names)
    odd = [one for one in catalogue.warnings if one.values.get("name", "") in ("", *profiles)]
    return CalledModels(profiles, tuple(odd))


def is_called(word: str) -> bool:
    """Return whether a word of `--model` stands for a model that is called."""
    return is_model(word)


def _is_route(name: str) -> bool:
    """Whether litellm knows a name already, as a provider or as a model."""
    providers = {str(getattr(each, "value", each)) for each in quiet_litellm().provider_list}
    return name in providers or route_of(name) is not None


# ---- the files -------------------------------------------------------------------------------------------------------


def user_folder() -> Path | None:
    """The folder of the user's own settings, by the XDG Base Directory Specification; None where nobody has a home."""
    told = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        base = Path(told) if os.path.isabs(told) else Path.home() / ".config"
    except RuntimeError:
        return None
    return base / USER_FOLDER


def open_catalogue(cwd: Path) -> ModelCatalogue:
    """The catalogue of a working folder. Keys of the project's `.env` are in the environment when this returns."""
    root = find_root(cwd) or cwd
    folders = [folder for folder in (user_folder(), root) if folder is not None]
    profiles: dict[str, ModelProfile] = {}
    sets: dict[str, Mapping[str, Scalar]] = {}
    habits: dict[str, TriedHabits] = {}
    homes: dict[str, Path] = {}
    problems: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    for folder in dict.fromkeys(folders):  # the project's comes last and wins
        file, more = _models_in(folder, cwd)
        for problem in (*more, *file.problems):
            (problems if problem.severity == "error" else warnings).append(problem)
        profiles |= file.profiles
        sets |= file.sets
        homes |= dict.fromkeys(file.profiles, folder)
    for folder in dict.fromkeys(folders):
        found, odd = _habits_in(folder, _shown(folder, tried_habits.FILE, cwd))
        warnings += odd
        for name, one in found.items():
            if homes.get(name, root) == folder:
                habits[name] = one
            elif name not in homes:
                warnings.append(diagnose.habits_of_no_model(_shown(folder, tried_habits.FILE, cwd), name=name))
    warnings += [*_unfit(habits, profiles, homes, cwd), *take_keys(root, _variables(profiles), cwd)]
    made = ModelCatalogue(root, profiles, sets, habits, homes, tuple(problems), tuple(warnings))
    return replace(made, problems=(*made.problems, *_crossed(made)))


def _shown(folder: Path, name: str, cwd: Path) -> str:
    return Disk(folder).shown(name, cwd)


def _models_in(folder: Path, cwd: Path) -> tuple[ModelsFile, tuple[Diagnostic, ...]]:
    disk = Disk(folder)
    text = disk.read(FILE)
    if text is None:
        return ModelsFile(), disk.problems
    return _read_file(disk.shown(FILE, cwd), text), ()


def _habits_in(folder: Path, shown: str) -> tuple[dict[str, TriedHabits], tuple[Diagnostic, ...]]:
    disk = Disk(folder)
    text = disk.read(tried_habits.FILE)
    return read_habits(shown, text) if text is not None else ({}, disk.problems)


def _variables(profiles: Mapping[str, ModelProfile]) -> frozenset[str]:
    return frozenset(one.key_variable for one in profiles.values() if one.key_variable)


def _unfit(
    habits: Mapping[str, TriedHabits], profiles: Mapping[str, ModelProfile], homes: Mapping[str, Path], cwd: Path
) -> Iterator[Diagnostic]:
    """TriedHabits of names that are gone, or stand for another model now; a word of litellm's needs no entry."""
    for name, one in habits.items():
        profile = profiles.get(name) or (ModelProfile(name, name) if name == one.model else None)
        problem = tried_habits.misfit(name, tried_habits.FILE, one, profile)
        if problem is not None:
            yield problem


def _crossed(catalogue: ModelCatalogue) -> Iterator[Diagnostic]:
    """What only shows when all files are read: names that nobody has, fallbacks that lead back."""
    for one in catalogue.profiles.values():
        for word in one.fallbacks:
            yield from _unnamed(catalogue, Scalar(word, one.span))
        if path := _circle(catalogue, one.name):
            yield diagnose.circular_fallbacks(one.span, name=one.name, path=" → ".join(path))
    for chosen in catalogue.sets.values():
        for scalar in chosen.values():
            yield from _unnamed(catalogue, scalar)


def _unnamed(catalogue: ModelCatalogue, word: Scalar) -> Iterator[Diagnostic]:
    """A word that is no name of ours, and names no provider; a bare word may be a model that litellm knows."""
    text = word.text
    if text in catalogue.profiles or not is_called(text) or "/" in text or _is_route(text):
        return
    known = tuple(catalogue.profiles)
    yield diagnose.unnamed_model(word.span, name=text, known=known, nearest=nearest(text, known))


def _circle(catalogue: ModelCatalogue, name: str) -> list[str]:
    """The names by which the fallbacks of a name come back to it; none where they do not."""
    paths = [[name]]
    seen: set[str] = set()
    while paths:
        path = paths.pop()
        for word in catalogue.profiles[path[-1]].fallbacks:
            if word == name:
                return [*path, name]
            if word in catalogue.profiles and word not in seen:
                seen.add(word)
                paths.append([*path, word])
    return []
