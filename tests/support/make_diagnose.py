"""Names and types of all problems, worked out from `wording/diagnostics/*.toml` into `diagnose.py` and its stub.

    python tests/support/make_diagnose.py      writes what has changed (`make bless` does the same)

A message is named once, by its `name`. Its function takes the place and every hole of its sentences; that a hole is
missing, or misspelt, is for mypy to find, which reads the stub.
"""

from __future__ import annotations

import re
import string
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from legalworld.language import diagnose

MODULE = Path(diagnose.__file__)
STUB = MODULE.with_suffix(".pyi")
MESSAGES = next(path for path in (above / "wording" / "diagnostics" for above in MODULE.parents) if path.is_dir())
WIDEST = 120

_TABLE = re.compile(r'(_NAMES: Final = """\n).*?(""")', re.DOTALL)
_HEAD = '''\
"""A function for each message, with the holes of its sentences. Made by tests/support/make_diagnose.py; do not edit."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Concatenate, Literal, ParamSpec, Protocol, TypeAlias, TypedDict, Unpack

from ..model.diagnostics import Diagnostic
from ..model.source import Span

P = ParamSpec("P")
Kind: TypeAlias = Callable[Concatenate[Span, P], Diagnostic]
AnyKind: TypeAlias = Callable[..., Diagnostic]
Where: TypeAlias = Span | str
Said: TypeAlias = str | float | date | Collection[object]

class More(TypedDict, total=False):
    among: Iterable[str]
    nearest: str | None
    also: tuple[Span, ...]
    severity: Literal["error", "warning"]

class OfName(Protocol):
    def __call__(self, span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...

class OfKey(Protocol):
    def __call__(self, span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...

def code_of(kind: AnyKind) -> str: ...
def codes_of(*kinds: AnyKind) -> frozenset[str]: ...
'''


@cache
def tables() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """File -> code -> its entry, for every file of messages, in the order of their first codes."""
    found = {}
    for path in MESSAGES.glob("*.toml"):
        table = tomllib.loads(path.read_text("utf-8"))
        codes = {code: table[code] for code in sorted(table) if re.fullmatch(r"LW\d{3}", code)}
        if codes:
            found[path.name] = codes
    return dict(sorted(found.items(), key=lambda each: min(each[1])))


def holes(entry: Mapping[str, str]) -> tuple[str, ...]:
    """What the sentences of a message have to be told, in the order in which they name it."""
    sentences = (entry[key] for key in ("en", "zh", "help_en", "help_zh"))
    parts = (part for sentence in sentences for part in string.Formatter().parse(sentence))
    return tuple(dict.fromkeys(name for _, name, _, _ in parts if name))


def stub() -> str:
    """The stub of `diagnose`."""
    parts = [_HEAD]
    for file, codes in tables().items():
        parts.append(f"\n# {file}\n")
        parts += [_function(code, entry) for code, entry in codes.items()]
    return "".join(parts)


def _function(code: str, entry: Mapping[str, str]) -> str:
    """One signature, wrapped as the formatter would."""
    told = [f"{hole}: Said" for hole in holes(entry)]
    taken = ["span: Where", *(["*"] if told else []), *told, "**more: Unpack[More]"]
    start, end = f"def {entry['name']}(", f") -> Diagnostic: ...  # {code}\n"
    line = f"{start}{', '.join(taken)}{end}"
    if len(line) <= WIDEST + 1:
        return line
    inner = f"    {', '.join(taken)}\n"
    if len(inner) > WIDEST + 1:
        inner = "".join(f"    {one},\n" for one in taken)
    return f"{start}\n{inner}{end}"


def _mark(entry: Mapping[str, str]) -> str:
    return "~" if entry.get("severity") == "warning" else "="


def module() -> str:
    """`diagnose.py` with its table of names worked out anew."""
    rows = (
        textwrap.fill(" ".join(f"{code}{_mark(entry)}{entry['name']}" for code, entry in codes.items()), WIDEST)
        for codes in tables().values()
    )
    table = "".join(f"{row}\n" for row in rows)
    return _TABLE.sub(lambda match: f"{match[1]}{table}{match[2]}", MODULE.read_text("utf-8"))


def outdated() -> Iterator[tuple[Path, str]]:
    """The files that are not as they should be, with the text they should have."""
    for path, text in ((MODULE, module()), (STUB, stub())):
        if not path.exists() or path.read_text("utf-8") != text:
            yield path, text


def main() -> None:
    for path, text in outdated():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
