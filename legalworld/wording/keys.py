"""What the keys of spec files mean, in both languages: from the tables of the language reference, by `make bless`."""

from __future__ import annotations

from ..language.surfaces import canonical
from . import read_toml


def explained(key: str, language: str = "") -> str:
    """What a key means, in a language or in both; "" where it means several things, and its table has to say."""
    entry = read_toml("keys.toml").get(canonical(key).replace("_", " "), {})
    wanted = (language,) if language else ("zh", "en")
    return "\n".join(entry[each] for each in wanted if each in entry)
