"""A fault put into a module of the program for as long as a check runs: what other modules hold of it has it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from inspect import getsource
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions and methods that a module declares, by which their code is reached."""
    for value in vars(module).values():
        owned = getattr(value, "__module__", "") == module.__name__
        for one in vars(value).values() if isinstance(value, type) and owned else (value,):
            one = one.fget if isinstance(one, property) else one.func if isinstance(one, cached_property) else one
            one = getattr(one, "__wrapped__", one)
            if isinstance(one, FunctionType) and one.__module__ == module.__name__:
                yield one


@contextmanager
def fault(module: ModuleType, old: str, new: str) -> Iterator[None]:
    """Run the block with a text of a module's source replaced, which must lie in a function."""
    source = getsource(module)
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module.__name__}"
    changed = {one.co_qualname: one for one in _codes(compile(source.replace(old, new), str(module.__file__), "exec"))}
    before: list[tuple[FunctionType, CodeType]] = []
    for function in _functions(module):
        code = changed.get(function.__qualname__)
        if code is not None and code.co_freevars == function.__code__.co_freevars:
            before.append((function, function.__code__))
            function.__code__ = code
    assert any(ours != function.__code__ for function, ours in before), f"{old!r} lies in no function"
    try:
        yield
    finally:
        for function, code in before:
            function.__code__ = code


def notices(check: Callable[[], Any], module: ModuleType, old: str, new: str) -> None:
    """A check that holds, and does not with a fault put into a module."""
    check()
    with fault(module, old, new), pytest.raises((AssertionError, KeyError, ValueError, IndexError)):
        check()
