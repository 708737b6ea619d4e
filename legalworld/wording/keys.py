"""What the keys of spec files mean, in both languages: from the tables of the language reference, by `make bless`."""

from __future__ import annotations

from . import read_toml


def explained(key: str) -> str:
    """What a key means, in Chinese and English; "" where it means several things, and its table has to say."""
    entry = read_toml("keys.toml").get(key, {})
    return "\n".join(entry[language] for language in ("zh", "en") if language in entry)
