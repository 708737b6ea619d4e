"""Zip files that others made, read: bounded in number, size and growth, with no name that leads elsewhere.

What a zip says of its own sizes is checked before anything is unpacked, and again while it is. Files of Word and Excel
are zips of XML: they are checked here before their libraries see them.
"""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final, cast

from ..model.immutable import immutable
from ..wording import say
from . import regular

BLOCK: Final = 1 << 20
MOST_TIMES: Final = 300  # so many times smaller than its content no text of ours becomes
_SMALL: Final = 1 << 20  # what is smaller is no bomb
_DOCTYPE: Final = b"<!DOCTYPE"  # with it a document declares entities that grow; Office writes none
FAULTS: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What a zip that is damaged raises while it is read."""


class UnsafePackage(ValueError):
    """The zip is not one of ours, or means harm: why, by its name among the sentences, and where."""

    def __init__(self, reason: str, name: str) -> None:
        super().__init__(say(f"archive.unsafe_{reason}", name=name))
        self.large = reason == "large"


@immutable
class Bounds:
    """Files, bytes of all of them together and of one, unpacked."""

    files: int
    together: int
    one: int


OFFICE: Final = Bounds(10_000, 200 << 20, 48 << 20)


class Package:
    """A zip that is open to be read. Raises UnsafePackage, one of `FAULTS`, or OSError."""

    def __init__(self, file: IO[bytes], bounds: Bounds) -> None:
        self._zip = zipfile.ZipFile(file)
        self.entries = _checked(self._zip.infolist(), bounds)

    def blocks(self, name: str) -> Iterator[bytes]:
        """The content of an entry, no more than it says it has."""
        entry, size = self.entries[name], 0
        with self._zip.open(entry) as source:
            while block := source.read(BLOCK):
                size += len(block)
                if size > entry.file_size:
                    raise UnsafePackage("size", name)
                yield block

    def read(self, name: str) -> bytes:
        """All of an entry."""
        return b"".join(self.blocks(name))


def _checked(listed: list[zipfile.ZipInfo], bounds: Bounds) -> Mapping[str, zipfile.ZipInfo]:
    """Name -> entry, none of which leads elsewhere or grows too large; folders are left out."""
    from .project_files import canonical

    found: dict[str, zipfile.ZipInfo] = {}
    folded: set[str] = set()
    total = 0
    for entry in listed:
        name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
        if entry.is_dir() and not entry.file_size and canonical(name.removesuffix("/")):
            continue
        total += entry.file_size
        if not canonical(name) or name.casefold() in folded:
            raise UnsafePackage("name", name)
        if kind not in (0, stat.S_IFREG):
            raise UnsafePackage("link", name)
        if entry.flag_bits & 1:
            raise UnsafePackage("encrypted", name)
        grown = entry.file_size > _SMALL and entry.file_size > MOST_TIMES * max(1, entry.compress_size)
        if len(found) >= bounds.files or entry.file_size > bounds.one or total > bounds.together or grown:
            raise UnsafePackage("large", name)
        folded.add(name.casefold())
        found[name] = entry
    return found


def office_file(data: bytes, bounds: Bounds = OFFICE) -> io.BytesIO:
    """A file of Word or Excel for its library, when it holds nothing that grows. Raises ValueError for any other."""
    try:
        package = Package(io.BytesIO(data), bounds)
        for name in package.entries:
            if _declares(package, name):
                raise UnsafePackage("entities", name)
    except FAULTS as error:
        raise ValueError(str(error)[:200]) from None
    return io.BytesIO(data)


def _declares(package: Package, name: str) -> bool:
    """Whether an entry declares a type of document, in whatever encoding; all of it is unpacked once."""
    before = b""
    for block in package.blocks(name):
        plain = block.replace(b"\0", b"")
        if _DOCTYPE in before + plain:
            return True
        before = plain[-len(_DOCTYPE) :]
    return False


# ---- gzip ------------------------------------------------------------------------------------------------------------


def stream(path: str | Path) -> IO[bytes]:
    """A regular file, open to be read; unpacked as it is read where its name ends in `.gz`. Raises OSError."""
    raw = regular.opened(path)
    if not str(path).lower().endswith(".gz"):
        return io.BufferedReader(raw)
    return cast(IO[bytes], _Unpacked(io.BufferedReader(raw)))


class _Unpacked(gzip.GzipFile):
    """A packed file that is closed with what it is read from."""

    def __init__(self, raw: io.BufferedReader) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._raw = raw

    def close(self) -> None:
        super().close()
        self._raw.close()


def text_content(path: str | Path, most: int) -> bytes:
    """A text file as a whole, packed or not; of one that holds zeros, which no text does, as far as they tell.

    Raises OSError, Irregular where there is more of it.
    """
    parts, size = [], 0
    with stream(path) as file:
        while block := file.read(BLOCK):
            parts.append(block)
            size += len(block)
            if size > most:
                raise regular.Irregular(path, "large", most=most >> 20)
            if b"\0" in block:
                break
    return b"".join(parts)
