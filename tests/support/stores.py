"""A store in memory that does as a test says, and remembers what it was asked: `trial://bucket/batch`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import fsspec
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
        return super()._strip_protocol(path.replace("trial://", "memory://"))

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


fsspec.register_implementation("trial", TrialStore, clobber=True)
