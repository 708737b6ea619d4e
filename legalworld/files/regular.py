"""The one door to the disk: regular files are read and written, and whatever else stands in their place is told.

A pipe or a device may never end, a link may lead anywhere. What a person names may be reached through links, and what
he wants written may go to a device; below a folder that came from others (`root`: that of a run) no link is followed.
All functions but `lines` raise OSError, whose `strerror` is a reason for people.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import Final

from ..model.immutable import immutable
from ..wording import say

MOST: Final = 64 << 20
"""Bytes of a file that is read as a whole, where its reader knows no smaller bound."""

LONGEST: Final = 16 << 20
"""Bytes of a line; of longer ones none is written here."""

_SETTLED: Final = 2_000_000_000  # nanoseconds
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)
_STREAM: Final = re.compile(r"/(?:dev|proc/self)/(?:fd/(\d{1,9})|(stdin|stdout|stderr))")
_STREAMS: Final = {"stdin": 0, "stdout": 1, "stderr": 2}
_KINDS: Final = (
    (stat.S_ISLNK, "link"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


class Irregular(OSError):
    """Something else than a regular file stands where one should, or one of a size that nothing here has."""

    def __init__(self, path: str | Path, reason: str, **values: object) -> None:
        super().__init__(errno.EINVAL, say(f"file.{reason}", **values), str(path))


@immutable
class Stamp:
    """By what a file is known to be the one that was read: where it lies, bytes, nanoseconds; zeros for no file."""

    inode: int = 0
    size: int = 0
    mtime: int = 0
    ctime: int = 0

    @classmethod
    def of(cls, path: str | Path) -> Stamp:
        try:
            found = os.stat(path, follow_symlinks=False)
        except (OSError, ValueError):
            return cls()
        return cls(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    @property
    def settled(self) -> bool:
        """Whether another change would show: one in the same tick of a coarse clock would not."""
        return time.time_ns() - max(self.mtime, self.ctime) > _SETTLED


# ---- what stands there -----------------------------------------------------------------------------------------------


def demand(mode: int, path: str | Path) -> None:
    """Raise Irregular for what is no regular file, by its mode."""
    if not stat.S_ISREG(mode):
        raise Irregular(path, next((kind for fits, kind in _KINDS if fits(mode)), "device"))


def _within(path: str | Path, root: str | Path) -> None:
    """Raise Irregular for a link among the folders between `root` and a file, or a path that is not below it."""
    below = os.path.relpath(path, root)
    parts = below.split(os.sep)
    if os.pardir in parts or os.path.isabs(below):
        raise Irregular(path, "outside")
    place = os.fspath(root)
    for part in parts[:-1]:
        place = os.path.join(place, part)
        try:
            mode = os.lstat(place).st_mode
        except FileNotFoundError:
            return
        if stat.S_ISLNK(mode):
            raise Irregular(place, "link")


def is_file(path: str | Path, root: str | Path | None = None) -> bool:
    """Whether a regular file is there; `root`: no link counts below it."""
    try:
        status(path, root)
    except (OSError, ValueError):
        return False
    return True


def status(path: str | Path, root: str | Path | None = None) -> os.stat_result:
    """What the system says of a regular file."""
    if root is not None:
        _within(path, root)
    found = os.stat(path, follow_symlinks=root is None)
    demand(found.st_mode, path)
    return found


# ---- reading ---------------------------------------------------------------------------------------------------------


def opened(path: str | Path, root: str | Path | None = None) -> FileIO:
    """A regular file, open to be read from its beginning."""
    status(path, root)
    return _held(path, os.O_RDONLY | (_NO_LINK if root is not None else 0), "rb")


def _held(path: str | Path, flags: int, mode: str) -> FileIO:
    """The file of a path that was looked at before, which may have become another meanwhile."""

    def open_(name: str, _: int) -> int:
        handle = os.open(name, flags | _NO_WAIT | _BINARY, 0o666)
        try:
            demand(os.fstat(handle).st_mode, path)
        except BaseException:
            os.close(handle)
            raise
        return handle

    return FileIO(os.fspath(path), mode, opener=open_)


def content(path: str | Path, root: str | Path | None = None, *, most: int = MOST) -> bytes:
    """All of a regular file of at most so many bytes."""
    with opened(path, root) as file:
        if os.fstat(file.fileno()).st_size <= most and len(data := _read(file, most + 1)) <= most:
            return data
    raise Irregular(path, "large", most=f"{most / (1 << 20):.4g}")


def start(path: str | Path, root: str | Path | None = None, *, most: int) -> bytes:
    """The first bytes of a regular file, at most so many."""
    with opened(path, root) as file:
        return _read(file, most)


def _read(file: FileIO, most: int) -> bytes:
    """As many bytes as there are, at most so many: a single call may bring fewer."""
    first = file.read(most) or b""
    parts = [first]
    size = len(first)
    while first and size < most and (more := file.read(most - size)):
        parts.append(more)
        size += len(more)
    return first if len(parts) == 1 else b"".join(parts)


def text(path: str | Path, root: str | Path | None = None, *, most: int = MOST, errors: str = "strict") -> str:
    """The text of a regular file; UnicodeDecodeError, which is a ValueError, where it is not UTF-8."""
    return content(path, root, most=most).decode("utf-8", errors)


def lines(path: str | Path, root: str | Path | None = None, *, longest: int = LONGEST) -> Iterator[bytes]:
    """The lines of a regular file without their ends, one at a time; nothing for what cannot be read, and without
    those that are longer."""
    try:
        with opened(path, root) as raw, BufferedReader(raw) as file:
            while line := file.readline(longest):
                if len(line) < longest or line.endswith(b"\n"):
                    yield line.removesuffix(b"\n")
                    continue
                while line and not line.endswith(b"\n"):
                    line = file.readline(longest)
    except OSError:
        return


def below(folder: str | Path, root: str | Path | None = None) -> Iterator[tuple[str, Path]]:
    """The regular files below a folder, with their paths from it, in order; hidden ones too.

    Links and whatever else is none raise Irregular where `root` is given, the folder itself too; elsewhere they are
    passed over. Nobody is led out of the folder, nor in circles.
    """
    if root is not None:
        _within(os.path.join(folder, "."), root)
    yield from _below(os.fspath(folder), "", root is not None)


def _below(folder: str, name: str, strict: bool) -> Iterator[tuple[str, Path]]:
    with os.scandir(os.path.join(folder, name) if name else folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        path = f"{name}/{entry.name}" if name else entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from _below(folder, path, strict)
        elif entry.is_file(follow_symlinks=False):
            yield path, Path(entry.path)
        elif strict:
            demand(os.lstat(entry.path).st_mode, entry.path)


# ---- writing ---------------------------------------------------------------------------------------------------------


def make_folder(folder: Path, root: Path | None = None) -> None:
    """Make a folder with those above it; `root`: none of them may be a link below it."""
    if root is not None:
        _within(folder / ".", root)
    folder.mkdir(parents=True, exist_ok=True)


def settle(folder: str | Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def created(path: str | Path, root: str | Path | None = None) -> FileIO:
    """A new file, open to be written; what is left of an earlier one is gone, and a link is not followed."""
    if root is not None:
        _within(path, root)
    try:
        demand(os.lstat(path).st_mode, path)
        os.unlink(path)
    except FileNotFoundError:
        pass
    return _held(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, "wb")


def appended(path: str | Path, root: str | Path | None = None, *, readable: bool = False) -> FileIO:
    """A regular file, made where there is none, open to be written at its end, and read where that is asked for."""
    vacant(path, root)
    access = os.O_RDWR if readable else os.O_WRONLY
    return _held(path, access | os.O_APPEND | os.O_CREAT | _NO_LINK, "ab+" if readable else "ab")


def text_writer(path: str | Path) -> TextIOWrapper:
    """A new file to which text is written, with line feeds at the ends of lines."""
    return TextIOWrapper(BufferedWriter(created(path)), encoding="utf-8", newline="\n")


def text_reader(path: str | Path, encoding: str = "utf-8", errors: str = "strict") -> TextIOWrapper:
    """A regular file, open to be read as text."""
    return TextIOWrapper(BufferedReader(opened(path)), encoding=encoding, errors=errors)


def vacant(path: str | Path, root: str | Path | None = None) -> None:
    """Raise Irregular where something else than a regular file stands in the place of one that is to be written."""
    if root is not None:
        _within(path, root)
    try:
        demand(os.lstat(path).st_mode, path)
    except FileNotFoundError:
        return


def write_whole(file: Path, data: bytes | Iterable[bytes], root: Path | None = None) -> None:
    """Write a file, piece by piece, so that it is there whole or as it was, whenever the process dies."""
    vacant(file, root)
    part = file.with_name(f".{file.name}.part")
    try:
        with created(part) as out:
            write_all(out, _pieces(data))
        put(part, file)
    except BaseException:
        if is_file(part, part.parent):
            part.unlink(missing_ok=True)
        raise


def _pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def put(part: Path, file: Path) -> None:
    """Give a file that is complete its name. Raises Irregular where something else than a file has that name."""
    vacant(file)
    os.replace(part, file)


def write_all(file: FileIO, parts: Iterable[bytes]) -> None:
    """Write all of it: a single call may take less, and a full disk says so at the next. Raises OSError that names
    the file."""
    try:
        for data in parts:
            rest = memoryview(data)
            while len(rest):
                rest = rest[file.write(rest) or 0 :]
    except OSError as error:
        error.filename = error.filename or (file.name if isinstance(file.name, str) else None)
        raise


def write_named(file: Path, data: bytes | Iterable[bytes]) -> None:
    """Write what a person named: a file, whole or not at all, behind a link too; a device or a pipe is written to.

    A pipe that nobody reads is refused, as is a disk.
    """
    if (handle := stream_of(file)) is not None:
        with FileIO(os.dup(handle), "wb") as out:
            return write_all(out, _pieces(data))
    place = Path(os.path.realpath(file)) if os.path.islink(file) else file
    try:
        mode = os.stat(place).st_mode
    except FileNotFoundError:
        return write_whole(place, data)
    if not (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        return write_whole(place, data)
    try:
        descriptor = os.open(place, os.O_WRONLY | _NO_WAIT)
    except OSError as error:
        raise Irregular(place, "unread_pipe") if error.errno == errno.ENXIO else error from None
    os.set_blocking(descriptor, True)
    with FileIO(descriptor, "wb") as out:
        return write_all(out, _pieces(data))


def stream_of(path: str | Path) -> int | None:
    """The open file of this process that a path such as `/dev/stdout` names; None where it names none."""
    found = _STREAM.fullmatch(os.path.abspath(path)) if os.name == "posix" else None
    if found is None:
        return None
    handle = int(found[1]) if found[1] else _STREAMS[found[2]]
    if handle == 1:
        sys.stdout.flush()  # what was said before stands before
    return handle
