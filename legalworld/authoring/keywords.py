"""Keys of a spec file rewritten in one language, and its yes and no, proved to say the same; else refused.

Sentences stay as they are: they are read in either language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final, Literal

from ..language import diagnose
from ..language.schema import PersonaSurface, SkillSurface, SpecSurface
from ..language.schema_of_tests import TestFileSurface
from ..language.sentences.keywords import YES_NO, YES_NO_WORDS, truth
from ..language.surfaces import Surface, WrittenKey, canonical, load, written_keys
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..language.yaml.reader import read
from ..language.yaml_keys import YAML_KEYS
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from .format import formatted

Language = Literal["zh", "en"]
_MODELS: Final[tuple[type[Surface], ...]] = (SpecSurface, PersonaSurface, SkillSurface, TestFileSurface)
# Attributes that are read as yes or no and as nothing else. One that lacks here keeps its word.
YES_OR_NO: Final = frozenset(
    {"many", "unique", "partial", "hooks", "evaluation_only", "required", "assigned", "alongside", "party", "rolls"}
)
_EN: Final = {canonical(key): key for key in YAML_KEYS.values()}
_ZH: Final = {canonical(en): zh for zh, en in YAML_KEYS.items()}


@immutable
class Rewritten:
    """A file in the keywords of one language. `keys`: how many the language knows; `changed`: how many words were
    rewritten; `free`: lines with keys of the other language below `changes`, which stay."""

    text: str
    keys: int = 0
    changed: int = 0
    free: tuple[int, ...] = ()


def rewritten(path: str, text: str, language: Language) -> Rewritten | Diagnostic:
    """The file laid out in the keywords of one language, or why it is not."""
    neat = formatted(path, text)
    if isinstance(neat, Diagnostic):
        return neat
    node, _ = read(path, neat)
    kind = next((model for model in _MODELS if node is not None and not _wrong(model, node)), None)
    if node is None or kind is None:
        return diagnose.keywords_not_known(Span(path, 1, 1))
    keys = tuple(written_keys(kind, node))
    words = [word for key in keys for word in _words(key, language)]
    made = formatted(path, _replaced(neat, words))
    if isinstance(made, Diagnostic):
        return diagnose.keywords_change_meaning(Span(path, 1, 1))
    again, _ = read(path, made)
    if again is None or _wrong(kind, again) or _meaning(load(kind, node)[0]) != _meaning(load(kind, again)[0]):
        return diagnose.keywords_change_meaning(Span(path, 1, 1))
    kept = (key.value for key in written_keys(kind, again) if key.attribute == "changes")
    free = tuple(line for value in kept for line in _other_lines(value, language))
    return Rewritten(made, len(keys), len(words), free)


def _wrong(model: type[Surface], node: Node) -> bool:
    return any(problem.severity == "error" for problem in load(model, node)[1])


def _words(written: WrittenKey, language: Language) -> Iterator[tuple[Scalar, str]]:
    """What is written of a key, and of a yes or no behind it, with what shall stand there, where that differs."""
    key, value = written.key, written.value
    name = canonical(key.text)
    wanted = (_ZH if language == "zh" else _EN).get(name, key.text)
    if wanted != key.text:
        yield key, wanted
    if written.attribute in YES_OR_NO and isinstance(value, Scalar) and (said := truth(value.text)) is not None:
        word = YES_NO_WORDS.get(language, YES_NO)[not said]
        if word != value.text:
            yield value, word


def _replaced(text: str, words: list[tuple[Scalar, str]]) -> str:
    """The text with some words in the place of others; one that does not stand there as it is read stays."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix("\ufeff").split("\n")
    for old, new in sorted(words, key=lambda each: (each[0].span.line, -each[0].span.column)):
        at, start = old.span.line - 1, old.span.column - 1
        end = start + len(old.text)
        if lines[at][start:end] == old.text:
            lines[at] = lines[at][:start] + new + lines[at][end:]
    return mark + "\n".join(lines)


def _other_lines(node: Node, language: Language) -> Iterator[int]:
    """Lines of keys that the language may know, in the other language, below the sentences of `changes`."""
    match node:
        case MapNode():
            for entry in node.entries:
                key = entry.key.text
                if canonical(key) in _ZH and (key in YAML_KEYS) is (language == "en"):
                    yield entry.key.span.line
                yield from _other_lines(entry.value, language)
        case ListNode():
            for item in node.items:
                yield from _other_lines(item, language)


def _meaning(value: object, name: str = "") -> object:
    """What a surface says, without places and spellings of keys; what it says beyond them is compared word by word."""
    match value:
        case Scalar() if name in YES_OR_NO and (said := truth(value.text)) is not None:
            return said
        case Scalar():
            return value.text, value.style
        case MapNode():
            return [(entry.key.text, _meaning(entry.value)) for entry in value.entries]
        case ListNode():
            return [_meaning(item) for item in value.items]
        case Surface():
            names = (each.name for each in fields(value) if each.name != "span")
            return type(value), [(each, _meaning(getattr(value, each), each)) for each in names]
        case tuple():
            return [_meaning(each) for each in value]
        case Mapping():
            return [(key, _meaning(each)) for key, each in value.items()]
    return value
