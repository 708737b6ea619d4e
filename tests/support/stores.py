"""Stores in memory that do as a test says, and remember what they were asked: `trial://bucket/batch`, which has folders
as a disk has; `objects://bucket/batch`, which has none and is asked several things at once, as object stores are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import fsspec
from fsspec.asyn import AsyncFileSystem
from fsspec.implementations.memory import MemoryFileSystem


class TrialStore(MemoryFileSystem):
    """`before`: called with what is asked for and its path before it is done; what it raises, the store raises."""

    protocol = "trial"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    asked: ClassVar[list[tuple[str, str]]] = []
    before: ClassVar[Callable[[str, str], object]] = staticmethod(lambda what, path: None)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return super()._strip_protocol(path.replace("trial://", "memory://").replace("objects://", "memory://"))

    @classmethod
    def reset(cls) -> None:
        cls.store.clear()
        cls.pseudo_dirs[:] = [""]
        cls.asked.clear()
        cls.before = staticmethod(lambda what, path: None)

    @classmethod
    def files(cls) -> dict[str, bytes]:
        return {path: file.getvalue() for path, file in cls.store.items()}

    def _asked(self, what: str, path: str) -> None:
        type(self).asked.append((what, path))
        type(self).before(what, path)

    def put_file(self, lpath: str, rpath: str, **how: Any) -> None:
        self._asked("put", rpath)
        super().put_file(lpath, rpath, **how)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **how: Any) -> None:
        self._asked("write", path)
        super().pipe_file(path, value, mode=mode, **how)

    def cat_file(self, path: str, *rest: Any, **how: Any) -> bytes:
        self._asked("read", path)
        return super().cat_file(path, *rest, **how)

    def get_file(self, rpath: str, lpath: str, **how: Any) -> None:
        self._asked("get", rpath)
        super().get_file(rpath, lpath, **how)

    def find(self, path: str, **how: Any) -> Any:
        self._asked("list", path)
        return super().find(path, **how)


class ObjectStore(AsyncFileSystem):
    """The same files, asked for as s3fs is. To make a folder would make a bucket there."""

    protocol = "objects"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return TrialStore._strip_protocol(path)

    async def _put_file(self, lpath: str, rpath: str, **how: Any) -> None:
        TrialStore().put_file(lpath, rpath)

    async def _get_file(self, rpath: str, lpath: str, **how: Any) -> None:
        TrialStore().get_file(rpath, lpath)

    async def _cat_file(self, path: str, start: Any = None, end: Any = None, **how: Any) -> bytes:
        return TrialStore().cat_file(path)

    async def _pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **how: Any) -> None:
        TrialStore().pipe_file(path, value, mode=mode)

    async def _rm_file(self, path: str, **how: Any) -> None:
        TrialStore().rm_file(path)

    async def _find(self, path: str, *rest: Any, **how: Any) -> Any:
        return TrialStore().find(path)

    async def _makedirs(self, path: str, exist_ok: bool = False) -> None:
        raise AssertionError(f"a bucket would be made: {path}")


fsspec.register_implementation("trial", TrialStore, clobber=True)
fsspec.register_implementation("objects", ObjectStore, clobber=True)
