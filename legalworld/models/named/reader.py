"""`models.yaml` read: names and what they stand for, sets of them, everything that is wrong with them; pure.

    file = read_models_file("models.yaml", text)

What looks like a key is refused before anything else is told, so that no other message can quote its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from ...engine.call_forms import readable_form
from ...language import diagnose
from ...language.secrets import keys_in, looks_like_key
from ...language.sentences.keywords import unset
from ...language.surface_reader import SurfaceReader, text_of, texts_of
from ...language.surfaces import attribute, canonical, load
from ...language.yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from ...language.yaml.reader import read
from ...language.yaml_keys import OF_MODELS, SECRET_WORDS
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.json_text import read_json
from ...model.source import Span
from ..limits import RateLimit
from ..prices import Price
from ..providers import any_of
from ..schemes import is_model
from . import surfaces as written
from .profile import MILLION, ModelProfile

PROTOCOLS: Final = ("native", "text")
CASES: Final = ("exact", "any")
WHERES: Final = ("start", "anywhere")
RESERVED_NAMES: Final = frozenset({"offline", "replay", "target", "others"})
# What the program puts into a request, or a person under another key.
_OF_A_CHAT: Final = ("model", "messages", "tools", "tool_choice", "functions", "function_call", "prompt")
RESERVED_EXTRA: Final = frozenset((*_OF_A_CHAT, "stream", "stream_options", "n"))
_NAME: Final = re.compile(r"[^\W_][\w.-]{0,59}")
_LEFT_OUT: Final = ("\u2026", "...", "***")  # how people write down that a key is to stand there
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z_]{0,40}")
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,90}(?:KEY|TOKEN|SECRET|PASSWORD)")
_VARIABLE_NAME: Final = "key_variable"
_VARIABLE_KEYS: Final = ("key[ _]variable", *(zh for zh, en in OF_MODELS.items() if canonical(en) == _VARIABLE_NAME))
_SECRET: Final = (
    r"[\w-]*(?:api[ _-]?key|secret|passwo?r?d|authorization|bearer|access[ _-]?token|auth[ _-]?token|"
    + "|".join(SECRET_WORDS)
    + ")|key|token"
)
_SECRET_NAME: Final = re.compile(rf"(?i)(?:{_SECRET})")
_SECRET_LINE: Final = re.compile(
    rf"(?i)(?<![\w-])(?P<key>{_SECRET}|{'|'.join(_VARIABLE_KEYS)})[\"']?[ \t]*[:\uff1a=]"
    r"[ \t]*(?P<value>[^\s,}#][^,}#]*)"
)
_NUMBERS: Final = ("temperature", "top_p", "presence_penalty", "frequency_penalty")
_WHOLE: Final = ("max_tokens", "thought_tokens", "seed")
PARAMETERS: Final = (*_NUMBERS, *_WHOLE, "reasoning_effort", "stop")
_SEED_LIMIT: Final = 2**63


@immutable
class ModelsFile:
    """What one file says. `sets`: name -> role (also `target`, `others`) -> word, each with its place."""

    profiles: Mapping[str, ModelProfile] = field(default_factory=dict)
    sets: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()


def read_models_file(path: str, text: str) -> ModelsFile:
    """Return what a file says; nothing where there is an error in it."""
    if secret := tuple(_secrets_in_lines(path, text)):
        return ModelsFile(problems=secret)
    node, problems = read(path, text)
    if node is None:
        return ModelsFile(problems=problems)
    if secret := tuple(_secrets_in(node)):
        return ModelsFile(problems=secret)
    surface, more = load(written.ModelsSurface, node)
    unknown = {problem.span: problem for problem in _unknown_parameters(node)}
    reader = _ModelsReader((*problems, *(unknown.pop(problem.span, problem) for problem in more)))
    if surface is None:
        return ModelsFile(problems=tuple(reader.problems))
    keys = _keys_under(node, "models")
    reader.version(surface.lw)
    profiles = {name: reader.entry(keys[name], entry) for name, entry in surface.models.items()}
    for key in _keys_under(node, "sets").values():
        reader.name(key)
    if reader.failed:
        return ModelsFile(problems=tuple(reader.problems))
    return ModelsFile(profiles, surface.sets, tuple(reader.problems))


def _keys_under(node: Node, section: str) -> dict[str, Scalar]:
    """The keys of a section, by their texts."""
    return {entry.key.text: entry.key for entry in _section(node, section)}


def _unknown_parameters(node: Node) -> Iterator[Diagnostic]:
    """Keys under `parameters` that are none of ours: most are a provider's own, which have their place."""
    known = tuple(sorted(name if name == "top_p" else name.replace("_", " ") for name in PARAMETERS))
    for entry in _section(node, "models"):
        for one in _section(entry.value, "parameters"):
            if attribute(written.ParametersSurface, one.key.text) is None:
                yield diagnose.unknown_parameter(one.key.span, key=one.key.text, known=known)


def _section(node: Node, name: str) -> tuple[MapEntry, ...]:
    """The entries below a key."""
    entries = node.entries if isinstance(node, MapNode) else ()
    below = next((entry.value for entry in entries if canonical(entry.key.text) == name), None)
    return below.entries if isinstance(below, MapNode) else ()


# ---- keys that stand in the file -------------------------------------------------------------------------------------


def _secrets_in_lines(path: str, text: str) -> Iterator[Diagnostic]:
    """What looks like a key in any line, comments too; each line is told once."""
    for number, line in enumerate(text.splitlines(), 1):
        found = next(iter(sorted(keys_in(line))), None)
        if found is not None:
            yield diagnose.key_in_file(Span(path, number, found[0] + 1))
        elif (told := _SECRET_LINE.search(line)) and not _names_variable(told["value"]):
            place = Span(path, number, told.start("value") + 1)
            yield _misplaced(told["key"], told["value"], place)


def _secrets_in(node: Node) -> Iterator[Diagnostic]:
    """Values of keys that are called as secrets are, and what a text of several lines hides."""
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _secrets_in(item)
    elif isinstance(node, MapNode):
        for entry in node.entries:
            named = canonical(entry.key.text) == _VARIABLE_NAME or _SECRET_NAME.fullmatch(entry.key.text.strip())
            if named and isinstance(entry.value, Scalar) and not _names_variable(entry.value.text):
                yield _misplaced(entry.key.text, entry.value.text, entry.value.span)
            else:
                yield from _secrets_in(entry.value)
    elif looks_like_key(node.text):
        yield diagnose.key_in_file(node.span)


def _misplaced(key: str, value: str, place: Span) -> Diagnostic:
    """What is wrong with the value of a key that is called as secrets are. It may be one: no message says it."""
    wanted = canonical(key.lower()) == _VARIABLE_NAME and _IDENTIFIER.fullmatch(value.strip().strip("\"'"))
    return diagnose.invalid_key_variable(place) if wanted else diagnose.key_in_file(place)


def _names_variable(value: str) -> bool:
    """Whether a value can be the name of an environment variable that is known to hold a key, or says nothing."""
    value = value.strip().strip("\"'")
    return not value or unset(value) or value.startswith(_LEFT_OUT) or _VARIABLE.fullmatch(value) is not None


# ---- entries ---------------------------------------------------------------------------------------------------------


class _ModelsReader(SurfaceReader):
    def name(self, key: Scalar) -> None:
        """A name must not be taken for anything else that stands after `--model`."""
        if not _NAME.fullmatch(key.text) or key.text.lower() in RESERVED_NAMES:
            self.report(diagnose.invalid_model_name(key.span, name=key.text))

    def entry(self, key: Scalar, surface: written.ModelEntrySurface) -> ModelProfile:
        self.name(key)
        return ModelProfile(
            key.text,
            self.model(surface.model),
            parameters=self.parameters(surface.parameters),
            extra=self.extra(surface.extra),
            thoughts=tuple(map(self.thought, surface.thoughts)) if surface.thoughts is not None else None,
            call_forms=tuple(map(self.call_form, surface.call_forms)) if surface.call_forms is not None else None,
            refusals=self.refusals(surface.refusals) if surface.refusals is not None else {},
            tools=self.choice(surface.tools, PROTOCOLS, diagnose.unknown_tool_mode),
            stream=None if surface.stream is None else self.truth(surface.stream),
            address=self.address(surface.address),
            key_variable=text_of(surface.key_variable).strip(),
            price=self.price(surface.price),
            rate=self.rate(surface.limits),
            fallbacks=texts_of(surface.fallbacks),
            cutoff=self.day(surface.cutoff),
            span=key.span,
        )

    def model(self, word: Scalar) -> str:
        """A model as litellm names it: rules and records stand for themselves."""
        text = word.text.strip()
        if not text or any(sign.isspace() for sign in text) or not is_model(text):
            self.report(diagnose.unnamed_model(word.span, name=text, known=()))
        return text

    def choice(self, word: Scalar | None, known: tuple[str, ...], kind: diagnose.AnyKind) -> str:
        """One of a few words, or "" where there is none."""
        if word is None:
            return ""
        if word.text not in known:
            self.report(kind(word.span, name=word.text, known=known))
        return word.text

    def parameters(self, surface: written.ParametersSurface | None) -> dict[str, Any]:
        """The parameters that are given; None for one that is to be left out."""
        if surface is None:
            return {}
        found: dict[str, Any] = {}
        for name in surface.given:
            said = getattr(surface, name)
            if name == "stop":
                found[name] = list(texts_of(said)) or None
            elif said.empty or (unset(said.text) and said.style == "plain"):
                found[name] = None
            elif name in _NUMBERS:
                found[name] = self.number(said)
            elif name in _WHOLE:
                found[name] = self._whole(said, least=int(name == "max_tokens"))
            else:
                found[name] = said.text
        return dict(sorted(found.items()))

    def _whole(self, word: Scalar, least: int) -> int:
        digits = word.text.strip()
        if not (digits.isascii() and digits.isdecimal() and least <= int(digits[:25]) < _SEED_LIMIT):
            self.report(diagnose.expected_number(word.span, found=word.text))
            return least
        return int(digits)

    def extra(self, node: Node | None) -> dict[str, Any]:
        """What goes into the body as it is, as JSON has it; what the program fills in itself is refused."""
        if node is None or (isinstance(node, Scalar) and node.empty):
            return {}
        if not isinstance(node, MapNode):
            self.report(diagnose.wrong_value_shape(node.span, key="extra"))
            return {}
        taken = {*RESERVED_EXTRA, *(name for name in _NUMBERS + _WHOLE if name != "thought_tokens")}
        for entry in node.entries:
            if entry.key.text in taken:
                self.report(diagnose.reserved_extra(entry.key.span, key=entry.key.text))
        return {entry.key.text: as_json(entry.value) for entry in node.entries}

    def thought(self, surface: written.ThoughtSurface) -> dict[str, str]:
        """A pair of marks as plain data."""
        told = {"opening": surface.opening.text, "closing": surface.closing.text}
        for mark in (surface.opening, surface.closing):
            if not mark.text.strip():
                self.report(diagnose.wrong_value_shape(mark.span, key="thoughts"))
        case = self.choice(surface.letter_case, CASES, diagnose.unknown_choice)
        where = self.choice(surface.where, WHERES, diagnose.unknown_choice)
        return told | ({"case": case} if case else {}) | ({"where": where} if where else {})

    def call_form(self, surface: written.CallSurface) -> dict[str, str]:
        """A notation of calls as plain data."""
        form, parameter = surface.form.text.strip(), text_of(surface.parameter).strip()
        if not readable_form(form, parameter):
            self.report(diagnose.unreadable_call_form(surface.form.span, form=form))
        return {"form": form} | ({"parameter": parameter} if parameter else {})

    def refusals(self, surface: written.RefusalsSurface) -> dict[str, tuple[str, ...]]:
        """Kind -> patterns; one that finds itself in every text would make every refusal one of its kind."""
        for kind in surface.given:
            for word in getattr(surface, kind):
                if not word.text.strip() or ((found := any_of((word.text,))) is not None and found.search("")):
                    self.report(diagnose.wrong_value_shape(word.span, key=kind))
        return {kind: texts_of(getattr(surface, kind)) for kind in sorted(surface.given)}

    def address(self, word: Scalar | None) -> str:
        """An address without anything secret in it."""
        if word is None or word.empty:
            return ""
        text = word.text.strip()
        if not is_address(text):
            self.report(diagnose.invalid_model_address(word.span))
        return text

    def price(self, surface: written.PriceSurface | None) -> Price | None:
        if surface is None:
            return None
        prompt, completion = self._at_least_0(surface.in_), self._at_least_0(surface.out)
        cached = self._at_least_0(surface.cached) if surface.cached is not None else prompt
        return Price(prompt / MILLION, cached / MILLION, completion / MILLION)

    def _at_least_0(self, word: Scalar) -> float:
        value = self.number(word)
        if not 0 <= value < 1e9:
            self.report(diagnose.expected_number(word.span, found=word.text))
            return 0.0
        return value

    def rate(self, surface: written.LimitsSurface | None) -> RateLimit | None:
        if surface is None:
            return None
        numbers = (surface.requests, surface.tokens, surface.calls)
        return RateLimit(*(self.whole_number(word, 1) if word is not None else 0 for word in numbers))

    def day(self, word: Scalar | None) -> str:
        """A whole day, as 2025-07-31."""
        if word is None:
            return ""
        try:
            return date.fromisoformat(word.text.strip()).isoformat()
        except ValueError:
            self.report(diagnose.unreadable_cutoff(word.span, word=word.text))
            return ""


def is_address(text: str) -> bool:
    """Return whether requests can be sent to a base address, and nothing in it can be a secret."""
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return (
        sound and not {"@", "?", "#"}.intersection(text) and text.isascii() and text.isprintable() and " " not in text
    )


def as_json(node: Node) -> Any:
    """Return a node as JSON has it: what is quoted is a text, what is not may be a number, true, false or null."""
    if isinstance(node, MapNode):
        return {entry.key.text: as_json(entry.value) for entry in node.entries}
    if isinstance(node, ListNode):
        return [as_json(item) for item in node.items]
    if node.style != "plain":
        return node.text
    try:
        return read_json(node.text, constant=str) if node.text else None
    except ValueError:
        return node.text
