"""Names of laws: what is written to the canonical short name of `tables/laws.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from ...model.immutable import immutable
from .lexicon import Endings, pattern, table, words

_MARKS: Final = str.maketrans("", "", "\u300a\u300b\u3008\u3009\u201c\u201d\u2018\u2019\"' \n")  # 《》〈〉“”‘’


@immutable
class LawName:
    """`short`: the canonical name, or the name as written without the state's where the table has none.

    `title` is the full title without issuer and state. `kind` is law, regulation, rule, interpretation, or None where
    the name does not tell. `repealed` is the first day (ISO) on which it is no longer in force.
    """

    short: str
    title: str
    kind: str | None
    known: bool
    repealed: str | None = None


def lookup(name: str) -> LawName:
    """The law of a title as written between title marks, or as it stands bare in the text."""
    return known(name) or _unknown(name)


@lru_cache(maxsize=4096)
def known(name: str) -> LawName | None:
    """The law of the table that has this name; None where there is none."""
    return _laws().get(_key(name))


@lru_cache(maxsize=1024)
def version(name: str) -> tuple[str, str | None]:
    """A title without the version that stands behind it in brackets (2021修正), and that version."""
    match = pattern("citation", "version_behind").search(name)
    return (name[: match.start()], match["version"]) if match else (name, None)


def document(name: str) -> bool:
    """Whether a title is one of a contract, a certificate and the like: its clauses are not the law's."""
    norm = pattern("citation", "norm").search(name)
    other = pattern("citation", "document").search(name)
    return other is not None and (norm is None or other.start() <= norm.start())


def official(name: str) -> bool:
    """Whether an unlisted title names its issuer or the state, as only laws do."""
    return pattern("citation", "official").match(name) is not None


def before(text: str, end: int) -> tuple[int, LawName] | None:
    """The longest listed name that ends at `end`: (where it begins, the law)."""
    name = _bare().find(text, end)
    return None if name is None else (end - len(name), _laws()[name])


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    return pattern("citation", "issuers").sub("", _stateless(name.translate(_MARKS)), count=1)


def _stateless(name: str) -> str:
    for word in table("citation")["words"]["state"]:
        name = name.replace(word, "")
    return name


def _unknown(name: str) -> LawName:
    short = _stateless(name.strip())
    kinds = words("citation", "kinds")
    kind = next((kinds[end] for end in sorted(kinds, key=len, reverse=True) if short.endswith(end)), None)
    if pattern("citation", "courts").match(short):
        kind = "interpretation"
    return LawName(short, short, kind, False)


@cache
def _laws() -> Mapping[str, LawName]:
    """Every spelling, as a key, to its law."""
    laws = table("laws")
    repealed = {name: str(day) for name, day in laws["repealed"].items()}
    names: dict[str, LawName] = {}
    for kind in ("law", "regulation", "rule"):
        for name in laws[kind]:
            names[_key(name)] = LawName(name, name, kind, True, repealed.get(name))
    for title, short in laws["interpretation"].items():
        law = LawName(short, title, "interpretation", True, repealed.get(short))
        for name in (title, short):
            for spelling in _spellings(name):
                names.setdefault(_key(spelling), law)
    for name, short in laws["alias"].items():
        for spelling in _spellings(name):
            names.setdefault(_key(spelling), names[_key(short)])
    return names


def _spellings(name: str) -> Iterator[str]:
    """The name, and how its number and its kind are written too."""
    yield name
    for key in ("numbered", "unnumbered"):
        if parts := pattern("citation", key).fullmatch(name):
            forms = table("citation")["words"][key]
            yield from (form.format(**parts.groupdict()) for form in forms)


@cache
def _bare() -> Endings:
    """Names that are found without title marks: two characters at least."""
    return Endings(key for key in _laws() if len(key) > 1)
