"""A case as a procedure sees it: declared fields with their values, and the persons who take part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from .immutable import immutable


class Missing:
    """The value of a declared field or key that the case does not give: falsy, prints as nothing, holds nothing."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return ""

    def __iter__(self) -> Iterator[Value]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Missing)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class Record(Mapping[str, "Value"]):
    """A record with declared keys. A declared key without value is `MISSING`; an undeclared one is a KeyError.

    With no declared keys (`keys` empty) it holds exactly what it was given.
    """

    __slots__ = ("_keys", "_values")

    def __init__(self, values: Mapping[str, Value], keys: tuple[str, ...] = ()) -> None:
        self._keys = keys or tuple(values)
        self._values = {key: values[key] for key in self._keys if key in values}

    def __getitem__(self, key: str) -> Value:
        if key in self._values:
            return self._values[key]
        if key in self._keys:
            return MISSING
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"Record({self._values!r})"

    def __hash__(self) -> int:
        return hash(tuple(self._values))


class Typed(str):
    """A value of a declared type: the text is the value in plain form; `written` is how the case has it.

    100万元 in a field of yuan is the text 1000000. `unit`: the declared currency or unit, "" where there is none; `no`:
    it is the no of a yes or no.
    """

    __slots__ = ("no", "unit", "written")
    written: str
    unit: str
    no: bool

    def __new__(cls, value: str, written: str, unit: str = "", no: bool = False) -> Typed:
        made = super().__new__(cls, value)
        made.written, made.unit, made.no = written, unit, no
        return made

    def __getnewargs__(self) -> tuple[str, str, str, bool]:  # type: ignore[override]
        return (str(self), self.written, self.unit, self.no)


class TitledChoice(Typed):
    """A value of an answer that has a title: the text is the value, `written` its title."""

    __slots__ = ()


def as_written(text: str) -> str:
    """The text as the case has it; the title of a choice that has one."""
    return text.written if isinstance(text, Typed) else text


Value = str | Record | tuple["Value", ...] | Missing


@immutable
class Sided:
    """One value per side."""

    values: Mapping[str, Value]


def texts(value: Value | Sided | None, key: str = "") -> Iterator[str]:
    """The texts of a field, of every side and every record: those of one key, or all."""
    match value:
        case str():
            yield value
        case Sided(values=values):
            for one in values.values():
                yield from texts(one, key)
        case Record():
            for name in value:
                if key in ("", name):
                    yield from texts(value[name])
        case tuple():
            for one in value:
                yield from texts(one, key)
        case _:
            return


def called(record: Value) -> str:
    """What a record is called: its `id` and `name` where it has them, else the first thing it says.

    A mere number tells nobody what is meant: the first words of the record come behind it.
    """
    if not isinstance(record, Record):
        return str(record)
    words = [str(record.get(key, "")) for key in ("id", "name")]
    told = " ".join(filter(None, words)) or next((str(record[key]) for key in record if record[key]), "")
    if not told or _says_something(told):
        return told
    values = (record[key] for key in record)
    return " ".join((told, *[text for text in values if isinstance(text, str) and _says_something(text)][:1]))


def _says_something(text: str) -> bool:
    """Whether a text has letters that are no numerals."""
    return any(sign.isalpha() and not sign.isnumeric() for sign in text)


@immutable
class Case:
    """`id` names the case in a run; `fields` holds every declared field, evaluation-only ones apart in `sealed`."""

    id: str
    title: str
    fields: Mapping[str, Value | Sided]
    sealed: Mapping[str, Value | Sided]


@immutable
class Person:
    """Somebody who keeps memory, documents and persona for the whole case, whatever roles he holds.

    `role` is the role of the first stage, `record` his entry in the field that the role's `each` names,
    `represents` the ids of the persons he speaks for; `persona`: dimension -> level.
    """

    id: str
    name: str
    role: str
    kind: str
    side: str
    record: Record
    persona: Mapping[str, str]
    represents: tuple[str, ...]
