"""Project files on disk as `Sources`: a project folder first, the folders that come with the package behind it.

No path leads out of its layer: absolute paths and `..` are no paths here, and a link is followed only to a file inside.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, Literal, get_args

from ..language import diagnose
from ..language.charset import GBK, decoded
from ..language.schema_of_tests import TEST_FILES
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources
from ..model.version import __version__
from . import regular

EXPERT_FOLDERS = (
    "specs",
    "prompts",
    "personas",
    "rubrics",
    "checks",
    "norms",
    "interventions",
    "studies",
    "cases",
    "bindings",
    "skills",
    "documents",
)

FILE_CAP = 4 << 20
"""Largest file that is read, in bytes."""

CASE_CAP = 256 << 20
"""The same for case files: a published data set is one file."""

_HERE = Path(__file__).resolve().parent.parent
# In a wheel the experts' folders lie in the package, in a checkout beside it.
PACKAGE = _HERE if (_HERE / "specs").is_dir() else _HERE.parent

# A file of the package -> where `lw init` puts it.
EXAMPLES: Final = {
    _HERE / "models" / "named" / "models.example.yaml": "models.example.yaml",
    _HERE / "files" / "starter" / "legalworld.toml": "legalworld.toml",
    _HERE / "files" / "starter" / "gitignore": ".gitignore",
    _HERE / "files" / "starter" / "check.yml": ".github/workflows/check.yml",
    _HERE / "files" / "starter" / "settings.json": ".vscode/settings.json",
}
_VERSION_HOLE: Final = b"@VERSION@"

_OUTLANDISH: Final = re.compile(r"[\\\0\ud800-\udfff]")  # no path of a project has such a character
LITTER = frozenset({"__pycache__", ".DS_Store"})

# The file does not exist, or its name (too long, with forbidden characters, a loop of links) can be no file's.
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP)

Kind = Literal["specs", "cases", "bindings", "rubrics", "interventions", "studies"]
_SUFFIXES: Final[dict[Kind, tuple[str, ...]]] = dict.fromkeys(get_args(Kind), (".yaml", ".yml"))
_SUFFIXES["cases"] += (".json", ".jsonl")
_READ: Final = (".yaml", ".yml", ".j2", ".md")
"""How files end that are looked for by what lies in a folder."""
_NOT_FOUND: Final = {
    "specs": diagnose.unknown_procedure,
    "cases": diagnose.unknown_case,
    "bindings": diagnose.unknown_binding,
    "rubrics": diagnose.unknown_rubric,
    "interventions": diagnose.unknown_interventions,
    "studies": diagnose.unknown_study,
}


def unreadable(path: str, error: OSError) -> Diagnostic:
    """A file or folder that the system does not let us read or write, or that is none."""
    if isinstance(error, regular.Irregular):
        return diagnose.irregular_file(path, path=path, reason=str(error.strerror))
    return diagnose.inaccessible_path(path, path=path, reason=error.strerror or type(error).__name__)


def canonical(path: str) -> bool:
    """Whether this is a relative POSIX path in its only spelling: no empty, `.` or `..` part, no drive, no NUL."""
    if _OUTLANDISH.search(path) or os.path.splitdrive(path)[0]:
        return False
    return not {"", ".", ".."}.intersection(path.split("/"))


class _Layer:
    """One folder, read-only. `only`: the folders of it that count (None: all)."""

    def __init__(self, root: Path, only: tuple[str, ...] | None = None) -> None:
        self._root = os.path.realpath(root)
        self._inside = os.path.join(self._root, "")
        self._only = only
        self._folders: dict[str, bool] = {}  # whether a folder really lies inside; links are rare, checks are many

    def locate(self, path: str) -> tuple[str, int] | Diagnostic | None:
        """File name and size in bytes; None where no such file is, a problem where it may not be read or is none."""
        if not canonical(path) or (self._only is not None and path.split("/", 1)[0] not in self._only):
            return None
        file = os.path.join(self._root, *path.split("/"))
        try:
            status = os.lstat(file)
        except OSError as error:
            return None if error.errno in _ABSENT else unreadable(path, error)
        try:
            if not self._contains(file, stat.S_ISLNK(status.st_mode)):
                return diagnose.link_outside_project(path, path=path)
            if stat.S_ISLNK(status.st_mode):
                status = os.stat(file)
            if stat.S_ISDIR(status.st_mode):
                return None
            regular.demand(status.st_mode, path)
        except OSError as error:
            dangling = error.errno in _ABSENT and not isinstance(error, regular.Irregular)
            return unreadable(path, regular.Irregular(path, "dangling") if dangling else error)
        return file, status.st_size

    def _contains(self, file: str, link: bool) -> bool:
        if link:
            return os.path.realpath(file).startswith(self._inside)
        folder = os.path.dirname(file)
        if folder not in self._folders:
            self._folders[folder] = os.path.join(os.path.realpath(folder), "").startswith(self._inside)
        return self._folders[folder]

    def walk(self, folder: str, faults: dict[str, Diagnostic]) -> Iterator[str]:
        """Paths of the files below a folder, in no order. Hidden files and links to folders are passed over; what bears
        the name of a file that somebody would read, and is none, goes to `faults`."""
        if self._only is not None and folder.split("/", 1)[0] not in self._only:
            return
        folders = [folder]
        while folders:
            folder = folders.pop()
            start = f"{self._inside}{folder}"
            if not canonical(folder) or not self._contains(f"{start}/.", link=False):
                continue
            with suppress(OSError), os.scandir(start) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.name in LITTER:
                        continue
                    path = f"{folder}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name.endswith(_READ):
                            faults[path] = unreadable(path, regular.Irregular(path, "folder"))
                        folders.append(path)
                        if os.name == "posix":  # elsewhere it may be a junction, which leads anywhere
                            self._folders[f"{self._inside}{path}"] = True
                    elif entry.is_file(follow_symlinks=False):
                        yield path
                    else:
                        place = self.locate(path)
                        if isinstance(place, tuple):
                            yield path
                        elif isinstance(place, Diagnostic) and entry.name.endswith(_READ):
                            faults[path] = place


class Disk:
    """A project's files, behind them the package's: `Sources`. Undecodable bytes are kept as surrogate escapes.

    `problems` tells why a file that exists was not read: a link out of the folder, its size, no permission; and which
    encoding was assumed.
    """

    def __init__(self, root: Path | None, *, cap: int = FILE_CAP) -> None:
        self.root = root
        self._cap = cap
        layers = [_Layer(root)] if root else []
        if root is None or os.path.realpath(root) != os.path.realpath(PACKAGE):  # in a checkout they are one
            layers.append(_Layer(PACKAGE, EXPERT_FOLDERS))
        self._layers = tuple(layers)
        self._problems: dict[str, Diagnostic] = {}

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        return tuple(self._problems.values())

    def find(self, path: str, *, own: bool = False) -> str | Diagnostic | None:
        """The file that `read` would read, None where there is none; `own`: of the project alone."""
        for layer in self._layers if not own else self._layers[: self.root is not None]:
            place = layer.locate(path)
            if isinstance(place, Diagnostic):
                return place
            if place is not None:
                file, size = place
                if size <= self._cap:
                    return file
                return diagnose.oversized_file(path, path=path, size=f"{size / (1 << 20):.1f}", cap=self._cap >> 20)
        return None

    def read(self, path: str) -> str | None:
        """The text of one file; None where there is none, or (see `problems`) it may not be read."""
        place = self.find(path)
        if place is None and path.endswith(_READ) and self.root is not None and os.path.isdir(self.root / path):
            place = unreadable(path, regular.Irregular(path, "folder"))
        if isinstance(place, str):
            try:
                read = decoded(regular.content(place, most=self._cap))
                if read.encoding == GBK:
                    self._problems[path] = diagnose.assumed_gbk_encoding(path)
                return read.text
            except OSError as error:
                place = unreadable(path, error)
        if isinstance(place, Diagnostic):
            self._problems[path] = place
        return None

    def built_in(self, path: str) -> bool:
        """Whether a file is one that came with the package, and not the project's own."""
        return self.find(path, own=True) is None and self.find(path) is not None

    def shown(self, path: str, cwd: Path) -> str:
        """The file as a person in `cwd` names it: from there, or in full; what came with the package by its path."""
        file = self.find(path)
        if not isinstance(file, str):
            return path
        base = os.path.join(os.path.realpath(cwd), "")
        if os.path.realpath(file).startswith(base):
            return os.path.relpath(os.path.realpath(file), base).replace(os.sep, "/")
        return path if file.startswith(os.path.join(os.path.realpath(PACKAGE), "")) else file

    def names(self, folder: str) -> tuple[str, ...]:
        """Paths of all files below a folder, of both layers, sorted."""
        faults: dict[str, Diagnostic] = {}
        found = {path for layer in self._layers for path in layer.walk(folder.rstrip("/"), faults)}
        self._problems |= faults
        return tuple(sorted(found))


class Snapshot:
    """Sources in which a text stays as it was when it was first read, and a folder as it was first listed, whatever
    becomes of the files."""

    def __init__(self, inner: Sources) -> None:
        self._inner = inner
        self._texts: dict[str, str | None] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def read(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._inner.read(path)
        return self._texts[path]

    def names(self, folder: str) -> tuple[str, ...]:
        if folder not in self._names:
            self._names[folder] = self._inner.names(folder)
        return self._names[folder]


# ---- finding what a person named -------------------------------------------------------------------------------------


def find_root(start: Path) -> Path | None:
    """The project of a file or folder: the nearest ancestor (or itself) that holds `specs/`."""
    start = Path(os.path.abspath(start))
    return next((folder for folder in (start, *start.parents) if os.path.isdir(folder / "specs")), None)


def find(kind: Kind, word: str, cwd: Path) -> tuple[Disk, str] | Diagnostic:
    """The file that a person means by `specs/civil.yaml`, `spec/civil.yaml`, `civil`, or a path to any project.

    A path names the file that is there and no other: from the working folder, or from the project that it lies in. A
    name means the project's own file, else the one that came with the package.
    """
    cap = CASE_CAP if kind == "cases" else FILE_CAP
    file = Path(os.path.abspath(cwd / word.replace("\0", "\ufffd")))
    root = find_root(file.parent)
    if os.path.lexists(file) and not os.path.isdir(file):
        root = root or file.parent
    disk = Disk(root, cap=cap)
    meant = [(path, True) for path in _candidates(kind, word, file, root)]
    if not _is_path(kind, word):
        meant += [(path, False) for path in _named(kind, word)]
    for path, own in meant:
        match disk.find(path, own=own):
            case str():
                return disk, path
            case Diagnostic() as problem:
                return problem
    if word.endswith(_SUFFIXES[kind]) and os.path.isdir(file):
        return unreadable(word, regular.Irregular(word, "folder"))
    return _not_found(kind, word, disk)


def _not_found(kind: Kind, word: str, disk: Disk) -> Diagnostic:
    ending = _SUFFIXES[kind]
    known = [_short(kind, path) for path in disk.names(kind) if path.endswith(ending) and not path.endswith(TEST_FILES)]
    name = _short(kind, PurePath(word).as_posix())
    for said in (name, PurePath(name).name):  # `proj/specs/civil.yaml`: the name of the file alone
        said = next((said.removesuffix(suffix) for suffix in _SUFFIXES[kind] if said.endswith(suffix)), said)
        if _is_path(kind, word) and said in known:
            return diagnose.missing_named_file(word, path=word, name=said)
    near = nearest(name, known) or nearest(name.rsplit("/", 1)[-1], known)
    listed = tuple(name for name in known if "/" not in name)[:12]  # what lies deeper is a part of another file
    return _NOT_FOUND[kind](word, name=word, known=listed, nearest=near)


def _is_path(kind: Kind, word: str) -> bool:
    """Whether a word is written as the path of a file, and not as a name: `./x`, `specs/x`, `x.yaml`."""
    path = PurePath(word)
    first = path.parts[0] if len(path.parts) > 1 else ""
    return path.is_absolute() or word.endswith(_SUFFIXES[kind]) or first in {"..", kind, kind[:-1]} or word[:1] == "."


def _candidates(kind: Kind, word: str, file: Path, root: Path | None) -> Iterator[str]:
    """Paths in the project that the word may mean, the likeliest first."""
    words = []
    if root is not None and file.is_relative_to(root):
        words.append(file.relative_to(root).as_posix())
    if not PurePath(word).is_absolute():
        words.append(os.path.normpath(word).replace(os.sep, "/"))
    for written in words:
        for suffix in ("", *_SUFFIXES[kind]):
            yield written + suffix
            if written.startswith(f"{kind[:-1]}/"):  # `spec/civil.yaml`: the folder's name in the singular
                yield f"{kind}/{written.removeprefix(kind[:-1] + '/')}{suffix}"
            yield f"{kind}/{written}{suffix}"


def _named(kind: Kind, word: str) -> Iterator[str]:
    """Paths of the files that go by a name."""
    written = os.path.normpath(word).replace(os.sep, "/")
    return (f"{kind}/{written}{suffix}" for suffix in ("", *_SUFFIXES[kind]))


def name_of(kind: Kind, path: str) -> str:
    """What a command calls a file of a project: `cases/jiedai.yaml` is `jiedai`; other paths stay."""
    return _short(kind, path) if path.startswith(f"{kind}/") else path


def _short(kind: Kind, path: str) -> str:
    """`specs/civil.yaml` -> `civil`."""
    path = path.removeprefix(f"{kind}/").removeprefix(f"{kind[:-1]}/")
    return next((path.removesuffix(suffix) for suffix in _SUFFIXES[kind] if path.endswith(suffix)), path)


# ---- lw init ---------------------------------------------------------------------------------------------------------


@immutable
class Copied:
    """What `init` did, as paths: `written` anew, `same` as it was, `kept` because the person's file differs."""

    written: tuple[str, ...]
    same: tuple[str, ...]
    kept: tuple[str, ...]


def init(target: Path) -> Copied | Diagnostic:
    """Copy the experts' folders out of the package for editing; a file that is there and differs is left alone."""
    done: dict[str, list[str]] = {"written": [], "same": [], "kept": []}
    if os.path.lexists(target) and not os.path.isdir(target):
        return diagnose.not_a_folder(str(target), path=str(target))
    try:
        for source in _package_files():
            path = source.relative_to(PACKAGE).as_posix()
            done[_copy(regular.content(source), target / path)].append(path)
        for source, path in EXAMPLES.items():
            data = regular.content(source).replace(_VERSION_HOLE, __version__.encode())
            done[_copy(data, target / path)].append(path)
    except OSError as error:
        return unreadable(str(error.filename or target), error)
    return Copied(tuple(done["written"]), tuple(done["same"]), tuple(done["kept"]))


def _package_files() -> Iterator[Path]:
    for folder in EXPERT_FOLDERS:
        for file in sorted((PACKAGE / folder).rglob("*")):
            if file.is_file() and not LITTER.intersection(file.parts):
                yield file


def _copy(data: bytes, file: Path) -> Literal["written", "same", "kept"]:
    if os.path.lexists(file):
        return "same" if regular.is_file(file) and regular.content(file) == data else "kept"
    file.parent.mkdir(parents=True, exist_ok=True)
    regular.write_whole(file, data)
    return "written"
