"""Names, addresses and numbers of people, masked alike over a whole case.

Who has a mask already keeps it. A case in which a name of a party is left after all does not go on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final

from ..law.text.judgment_head import kind_of
from .mentions import firms, people
from .own_words import layout, own_words, value_at
from .records import Dropped, Outcome, Row
from .short_forms import form_of_person, forms_of_body, own_part, places_in

NEAR: Final = 4  # characters from the front of a name in which what it is known by begins
_GAP: Final = "\n"  # between texts: stands in none without its blanks


def names_of(case: Row) -> Iterator[tuple[str, bool]]:
    """The names that a case declares, and whether each is a person's."""
    for party in _parties(case):
        name = party.get("name", "")
        yield name, _is_person(name, party.get("type", ""))
        if party.get("representative"):
            yield party["representative"], True
    for counsel in _counsel(case):
        yield counsel.get("name", ""), True


def _is_person(name: str, kind: str) -> bool:
    """Whether a name is a person's: as the case says, else by how it ends."""
    return kind == own_words("mask")["kinds"]["person"] if kind else kind_of(name) == "person"


class _Masks:
    """Gives every name its mask, in the order in which names are met."""

    def __init__(self, taken: Iterable[str], places: frozenset[str]) -> None:
        self._taken = set(taken)
        self.places = places
        self.of: dict[str, str] = {}
        self._people: dict[str, list[str]] = {}
        self._bodies: list[str] = []
        self.words = own_words("mask")

    def add_people(self, names: Iterable[str]) -> None:
        """People, those of one surname told apart."""
        for name in names:
            surname = name[:2] if name[:2] in self.words["compound"] else name[:1]
            self._people.setdefault(surname, []).append(name)
        for surname, bearers in self._people.items():
            plain = surname + self.words["some"]
            alone = len(bearers) == 1 and not any(one.startswith(plain) for one in self._taken)
            for name in bearers:
                self.of[name] = plain if alone else self._free(lambda stem, plain=plain: plain + stem)  # type: ignore[misc]

    def add_trader(self, name: str) -> None:
        """A firm that is no party, by its name and trade."""
        trade = next(one for one in own_words("mention")["trades"] if name.endswith(one))
        self.of[name] = self._free(lambda stem: f"{self.words['some']}{stem}{trade}")

    def add_body(self, name: str, shorts: Iterable[str], text: str, *, party: bool = True) -> None:
        """A company or another body, and what it is called for short, where that is said and where it is not. What is
        left of the name of one that is no party may be any word."""
        ending = next((one for one in self.words["endings"] if name.endswith(one)), self.words["short_company"])
        mask = self._free(lambda stem: f"{self.words['some']}{stem}{ending}")
        self.of[name] = mask
        stem = mask[: len(mask) - len(ending)]
        for short in shorts:
            last = next((one for one in self.words["endings"] if short.endswith(one)), "")
            self.of[short] = stem + (last or self.words["short_company"])
        bare = name[: len(name) - len(ending)] if name.endswith(ending) else name
        bare = bare[len(_region(bare)) :]
        own = own_part(name, self.places) if party else ""
        for called in filter(_is_name, (bare if party else "", own)):
            self.of.setdefault(called, stem)
        for short, last in _undeclared(bare, ending, text):
            self.of.setdefault(short, stem + last)

    def _free(self, made: Callable[[str], str]) -> str:
        stems = self.words["stems"]
        for number in range(len(stems) ** 2):
            more, last = divmod(number, len(stems))
            mask = made((stems[more - 1] if more else "") + stems[last])
            if mask not in self._taken:
                self._taken.add(mask)
                return mask
        raise AssertionError("more parties than a case can have")


def _is_name(text: str) -> bool:
    return len(text) > 1 and text not in own_words("mask")["everyday"]


def masked(row: Row) -> Outcome:
    """A case with its people masked. `shorts` of the record: name -> what it is called for short."""
    case, shorts = row["case"], row.get("shorts", {})
    told = [(name, person) for name, person in names_of(case) if name]
    text = "\n".join(_texts(case))
    beside = {
        found["name"] for pattern in ("beside", "outsiders", "relatives") for found in _people(pattern).finditer(text)
    }
    masks = _Masks((name for name, person in told if is_masked(name, person)), places_in(text))
    open_names = dict.fromkeys((name, person) for name, person in told if not is_masked(name, person) and len(name) > 1)
    hidden = own_words("mask")["some"]
    parties = [name for name, person in open_names if person]
    declared = {*(name for name, _ in told), *(one for known in shorts.values() for one in known), *beside}
    others = sorted({*(one for one in beside if hidden not in one), *people(text, declared)})
    masks.add_people(dict.fromkeys(parties + others))
    for name, person in open_names:
        if not person:
            masks.add_body(name, sorted(set(shorts.get(name, ())) - {name}), text)
    found = set(firms(text, declared | set(masks.of)))
    ends = {name: {name[cut:] for cut in range(1, len(name))} & found for name in found}
    for name in sorted(found - set().union(*ends.values())):
        if name.endswith(tuple(own_words("mention")["trades"])):
            masks.add_trader(name)
        else:
            masks.add_body(name, sorted(ends[name]), text, party=False)
    addresses = {address: shortened(address) for address in _addresses(case)}
    replace = _replacing({**masks.of, **addresses})
    changed = _walk(case, lambda said: _numbers(replace(said)))
    known_by = (form for name, person in open_names for form in _short_forms(name, person, masks.places))
    if left := _left((*(name for name, _ in open_names), *masks.of, *known_by), set(masks.of.values()), changed):
        return Dropped(row["id"], "name_left", left)
    for party in _parties(changed):
        if "birth" in party:
            party["birth"] = party["birth"][:5]
    for counsel in _counsel(changed):
        if "firm" in counsel:
            counsel["firm"] = own_words("mask")["firm"]
    kept = {key: value for key, value in row.items() if key not in ("shorts", "places")}
    return kept | {"case": changed, "masked": len(masks.of)}


def is_masked(name: str, person: bool) -> bool:
    """Whether a name tells nobody apart any more: a person's with the word for somebody in it, a body's that is nothing
    but the place, words for somebody and for what kind of body it is."""
    words = own_words("mask")
    if words["some"] not in name:
        return False
    return person or not own_part(name, ()).strip(words["some"] + words["stems"] + words["beside_mask"])


def _short_forms(name: str, person: bool, places: frozenset[str]) -> tuple[str, ...]:
    """What may be left of a name where the whole of it was masked."""
    if person:
        return tuple(filter(None, (form_of_person(name),)))
    return tuple(dict.fromkeys(forms_of_body(name, places)))


def _left(names: Iterable[str], masks: set[str], case: Row) -> str:
    """A name of the record that stands in the case after all, in whatever entry, width and spacing; "" for none. What
    is part of a mask is none."""
    everything = _GAP.join(map(_plain, _every_text(case)))
    for mask in sorted(masks, key=len, reverse=True):
        everything = everything.replace(_plain(mask), _GAP)
    return next((name for name in names if name and name not in masks and _plain(name) in everything), "")


def _plain(text: str) -> str:
    """A text in signs of one width, without blanks."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def _every_text(value: Any) -> Iterator[str]:
    """All texts of a case, also those that are not walked because no name should stand there."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _every_text(one)
    elif isinstance(value, list):
        for one in value:
            yield from _every_text(one)
    elif isinstance(value, str):
        yield value


def _parties(case: Row) -> Iterator[Row]:
    for side in layout().sides:
        found = value_at(case, layout().parties.format(side=side)) or []
        yield from found if isinstance(found, list) else (found,)


def _counsel(case: Row) -> Iterator[Row]:
    found = (value_at(case, layout().counsel.format(side=side)) for side in layout().sides)
    return (one for one in found if isinstance(one, dict))


def _addresses(case: Row) -> Iterator[str]:
    yield from (party["address"] for party in _parties(case) if party.get("address"))


@cache
def _levels() -> re.Pattern[str]:
    return re.compile(own_words("mask")["levels"])


@cache
def _people(key: str) -> re.Pattern[str]:
    """People who are no parties: by the word that stands beside their name, or the one before it."""
    words = own_words("mask")
    return re.compile(words[key].format(**{name: words[name] for name in ("surnames", "plain", "behind")}))


@cache
def _place() -> re.Pattern[str]:
    return re.compile(own_words("mask")["region"])


def _region(name: str) -> str:
    """The places that a name begins with."""
    found = _place().match(name)
    return found.group() if found is not None else ""


def _undeclared(bare: str, ending: str, text: str) -> set[tuple[str, str]]:
    """What a text calls a body for short without saying so: a part of its name that begins near the front, and the end
    of the name or the word for a company."""
    found = set()
    for last in {ending, str(own_words("mask")["short_company"])}:
        at = text.find(last)
        while at >= 0:
            before = (text[at - n : at] for n in range(2 * NEAR, 1, -1))
            said = next((one for one in before if 0 <= bare.find(one) < NEAR), "")
            if said and at >= len(said):
                found.add((said + last, last))
            at = text.find(last, at + len(last))
    return found


@cache
def _figures() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in own_words("mask")["patterns"].values()))


def shortened(address: str) -> str:
    """An address down to its district; what stands behind is hidden."""
    found = _levels().match(address)
    end = found.end() if found is not None else 0
    hidden = str(own_words("mask")["hidden"])
    return address if address.endswith(hidden) or end == len(address) else address[:end] + hidden


def _numbers(text: str) -> str:
    """Numbers that lead to a person: identity, telephone, account, plate, mail."""
    return _figures().sub(str(own_words("mask")["hidden"]), text)


def _replacing(masks: dict[str, str]) -> Callable[[str], str]:
    """Puts masks for names, the longest first, in one pass."""
    if not masks:
        return lambda said: said
    names = sorted(masks, key=lambda one: (-len(one), one))
    pattern = re.compile("|".join(map(re.escape, names)))
    return lambda said: pattern.sub(lambda found: masks[found.group()], said)


def _texts(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, key)
    elif isinstance(value, str) and key not in layout().bare:
        yield value


def _walk(value: Any, change: Callable[[str], str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _walk(one, change, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_walk(one, change, key) for one in value]
    return change(value) if isinstance(value, str) and key not in layout().bare else value
