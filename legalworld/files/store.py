"""Files on a store elsewhere, named by an address that fsspec understands: `s3://bucket/x`, `file:///share/x`.

    store = open_store("s3://bucket/x", "--out")          # a RemoteStore, or what is to be installed
    store.write("batch.json", b"{}")                      # tried again where it fails; raises StoreFailed

What such libraries say of a failure may hold keys: no sentence leaves this module before they are taken out.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from . import regular
from .project_files import canonical

ValueT = TypeVar("ValueT")

GAPS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before an attempt that failed is made again; after the last of them it has failed for good."""
AT_ONCE: Final = 64
"""Files that a library which can have several under way is handed at a time."""

LONGEST: Final = 4000
"""Characters of an error that are looked through; more is left out."""

_IN_VAIN = (
    *(FileNotFoundError, FileExistsError, PermissionError, NotADirectoryError, IsADirectoryError),
    *(NotImplementedError, ImportError, TypeError),
)
# Names of people's own in an address: of those of Azure's address a container.
_CONTAINERS = ("abfs", "abfss")
_SECRET_NAMES = re.compile(r"(?i)key|secret|token|passw|cred|sig|auth|account|user|conn")
_SECRET_WORDS = re.compile(r"(?i)secret|token|passw|credential|signature|authorization|\bsig\b|\bkey\b|[_-]key|keyid")
_ASSIGNED = re.compile(
    r"""(?ix) (?<![\w-]) ([\w-]++) (["']?\s?[=:]\s?(?:bearer\s|basic\s)?)
        ("[^"]{0,200}"|'[^']{0,200}'|[^\s"'&,;)}\]]++)"""
)
_USER = re.compile(r"(?<=://)[^/\s]+@")
_QUERY = re.compile(r"((?<![\w+.-])[a-z][a-z0-9+.-]*+://[^\s?#'\"]*+)[?#][^\s'\"]*+")
_HIDDEN: Final = "***"


class StoreFailed(Exception):
    """What a store could not do. `reason`: in its library's words, without keys; `missing`: a file is not there."""

    def __init__(self, reason: str, *, missing: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.missing = reason, missing


def shown(address: str) -> str:
    """An address as it may be shown and kept: without user, password and query."""
    bare = _QUERY.sub(r"\1", address)
    if bare.partition("://")[0] in _CONTAINERS:
        return re.sub(r"(?<=://)([^/@:\s]+):[^/\s]*@", r"\1@", bare).rstrip("/")
    return _USER.sub("", bare).rstrip("/") if not bare.endswith("://") else bare


@immutable
class RemoteStore:
    """A folder on a store. `stop`: set, nothing that failed is tried again."""

    address: str = field(repr=False)  # with whatever stands in it
    protocol: str
    stop: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteStore, (self.address, self.protocol)

    @property
    def shown(self) -> str:
        return shown(self.address)

    @property
    def of_one_process(self) -> bool:
        """Whether nobody but this process sees what is put there."""
        return self.protocol == "memory"

    def below(self, name: str) -> str:
        """The address of a file as it may be shown."""
        return f"{self.shown}/{name}"

    # ---- files -------------------------------------------------------------------------------------------------------

    def names(self, folder: str = "") -> tuple[str, ...]:
        """The files below a folder, however deep, by one listing; none where there is no such folder."""

        def found(system: Any, root: str) -> tuple[str, ...]:
            start = f"{root}/{folder}".rstrip("/")
            system.invalidate_cache()
            try:
                paths = system.find(start)
            except (FileNotFoundError, NotADirectoryError):
                return ()
            inside = (str(path).removeprefix(root).lstrip("/") for path in paths)
            return tuple(name for name in inside if canonical(name))

        return self._tried(found)

    def read(self, name: str) -> bytes | None:
        """A file, None where there is none."""

        def whole(system: Any, root: str) -> bytes | None:
            try:
                return bytes(system.cat_file(f"{root}/{name}"))
            except (FileNotFoundError, NotADirectoryError):
                return None

        return self._tried(whole)

    def write(self, name: str, data: bytes) -> None:
        """Write a small file. It is there whole or as it was: where a store does not see to that, it is renamed."""

        def written(system: Any, root: str) -> None:
            _folders(system, (f"{root}/{name}",))
            if system.async_impl:
                system.pipe_file(f"{root}/{name}", data)
                return
            folder, _, last = f"{root}/{name}".rpartition("/")
            part = f"{folder}/.{last}.{os.urandom(4).hex()}.part"
            system.pipe_file(part, data)
            system.mv(part, f"{root}/{name}")

        self._tried(written)

    def create(self, name: str, data: bytes) -> bool:
        """Write a file that is not there; whether it was not."""

        def created(system: Any, root: str) -> bool:
            _folders(system, (f"{root}/{name}",))
            try:
                system.pipe_file(f"{root}/{name}", data, mode="create")
            except FileExistsError:
                return False
            return True

        return self._tried(created)

    def put(self, files: Mapping[str, Path]) -> None:
        """Copy files of this machine, by the names that they are to have."""
        for names in _handfuls(sorted(files), self):

            def copied(system: Any, root: str, names: Sequence[str] = names) -> None:
                there = [f"{root}/{name}" for name in names]
                _folders(system, there)
                system.put([str(files[name]) for name in names], there)

            self._tried(copied)

    def get(self, files: Mapping[str, Path]) -> None:
        """Copy files to this machine, where their folders are."""
        for names in _handfuls(sorted(files), self):

            def copied(system: Any, root: str, names: Sequence[str] = names) -> None:
                system.get([f"{root}/{name}" for name in names], [str(files[name]) for name in names])

            self._tried(copied)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; one that is gone already is no failure."""
        for name in names:

            def removed(system: Any, root: str, name: str = name) -> None:
                with suppress(FileNotFoundError, NotADirectoryError):
                    system.rm_file(f"{root}/{name}")

            self._tried(removed)

    # ---- attempts ----------------------------------------------------------------------------------------------------

    def _tried(self, act: Callable[[Any, str], ValueT]) -> ValueT:
        """What comes of an act, tried again with growing gaps. Raises StoreFailed."""
        for gap in (*GAPS, None):
            try:
                system, root = self._system()
                return act(system, str(root).rstrip("/"))
            except Exception as error:  # each library has errors of its own
                if gap is None or isinstance(error, _IN_VAIN) or self.stop.wait(gap):
                    raise StoreFailed(self._said(error), missing=isinstance(error, FileNotFoundError)) from None
        raise AssertionError

    def _system(self) -> tuple[Any, str]:
        """fsspec's own: one for each thread, which it keeps."""
        system, root = import_module("fsspec.core").url_to_fs(self.address)
        return system, root

    def _said(self, error: Exception) -> str:
        """What an error says, in a line and without anything secret."""
        told = " ".join(str(error).split())
        for secret in sorted(self._secrets(), key=len, reverse=True):
            told = told.replace(secret, _HIDDEN)
        told = _ASSIGNED.sub(_hidden, _USER.sub("", _QUERY.sub(r"\1", told[:LONGEST])))[:300]
        return f"{type(error).__name__}: {told}" if told else type(error).__name__

    def _secrets(self) -> Iterator[str]:
        """What stands in the address or in fsspec's settings, and is nobody's business."""
        parts = urlsplit(self.address)
        found = [*re.split(r"[:@]", parts.netloc.rpartition("@")[0]), parts.query, parts.fragment]
        found += [value for _, _, value in (pair.partition("=") for pair in parts.query.split("&"))]
        with suppress(Exception):
            found += _strings(getattr(self._system()[0], "storage_options", {}))
        for secret in (*found, *map(unquote, found)):
            if len(secret) > 3:
                yield secret


def _hidden(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}{_HIDDEN}" if _SECRET_WORDS.search(found[1]) else found[0]


def _strings(options: Any, named: bool = False) -> list[str]:
    """Texts of settings whose names say that they are secret, however deep."""
    if isinstance(options, str):
        return [options] if named else []
    if not isinstance(options, Mapping):
        return []
    each = (_strings(value, named or bool(_SECRET_NAMES.search(str(name)))) for name, value in options.items())
    return [text for texts in each for text in texts]


def _handfuls(names: Sequence[str], store: RemoteStore) -> Iterator[Sequence[str]]:
    """Names as they are handed to a library: one by one where it copies one by one, so that an attempt is short."""
    several = AT_ONCE if store._tried(lambda system, _: bool(system.async_impl)) else 1
    for start in range(0, len(names), several):
        yield names[start : start + several]


def _folders(system: Any, files: Iterable[str]) -> None:
    """Make the folders of files where a store has folders; object stores, which have none, would make a bucket."""
    if not system.async_impl:
        for folder in sorted({file.rpartition("/")[0] for file in files}):
            with suppress(FileExistsError):
                system.makedirs(folder, exist_ok=True)


def size_and_digest(file: Path) -> tuple[int, str]:
    """Bytes of a file and their SHA-256 (hex). Raises OSError."""
    total, size = sha256(), 0
    with regular.opened(file) as data:
        while block := data.read(1 << 20):
            total.update(block)
            size += len(block)
    return size, total.hexdigest()


def open_store(address: str, option: str) -> RemoteStore | Diagnostic:
    """The store of an address; else what is wrong with it, or what is to be installed. Nothing is asked yet."""
    told = shown(address)
    protocol = address.partition("://")[0]
    if not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9+.-]*", protocol) or "::" in address or address.endswith("://"):
        return diagnose.unusable_address(option, path=told, reason="PROTOCOL://PLACE?")
    try:
        fsspec = import_module("fsspec")
    except ImportError:
        return diagnose.missing_optional_library(option, library="fsspec", extra="fsspec")
    known = import_module("fsspec.registry").known_implementations
    try:
        fsspec.get_filesystem_class(protocol)
    except ImportError as error:
        library = str(known.get(protocol, {}).get("class", "fsspec.")).partition(".")[0]
        library = library if library != "fsspec" else error.name or str(error)
        return diagnose.missing_store_library(option, path=told, library=library)
    except ValueError:
        return diagnose.unusable_address(option, path=told, reason=f"{protocol}://?")
    store = RemoteStore(address, protocol)
    try:
        store._system()
    except Exception as error:  # an address without a place, an option that its library does not know
        return diagnose.unusable_address(option, path=told, reason=store._said(error))
    return store
