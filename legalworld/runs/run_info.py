"""`run.yaml`: who played what, written once and summed; read like any YAML, and strictly.

It holds the sums of the bound case and of what is sealed, so that whoever changes one of these files leaves a run that
is told to be damaged. `sealed_sum` is empty where nothing sealed lies beside the run, as in an archive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import ConfigDict, Field, TypeAdapter

from ..language import diagnose
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..language.yaml.reader import read
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..model.text import clean_json
from ..models.named.profile import ModelProfile, from_record

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

FORMAT: Final = "4"
"""Of the run folder; another one is not read."""

NATIVE, TEXT = PROTOCOLS = ("native", "text")
"""How a model calls tools: by itself, or by words in its reply."""

_SUM_LENGTH: Final = 16
_OTHERWISE: Final = re.compile(
    r"(?i)true|false|null|[\d_]+(\.[\d_]*)?(e[+-]?\d+)?|0[xob][\da-f_]+|\d+(:\d+)+(\.\d*)?|\d{4}-\d\d?-\d\d?.*"
)
"""Plain words that a reader of YAML may take for a number, a day, a truth value, or nothing."""
_PLAIN: Final = re.compile(r"\w(?:[\w ./@+-]|:(?=\w))*(?<! )")


@immutable
class RunInfo:
    """`run.yaml`. `spec` is a path in `spec.zip`, `digest` that of all copies there, `case_file` a bare file name.

    `models`: role -> backbone; `tools`: role -> `native`, for those whose models call tools by themselves; `skip`:
    stages and phases that are left out; `without`: operations of tools for which the library holds nothing;
    `endpoints`: name of a backbone -> what it stood for in the models file when the run was begun;
    `answers`: those given to the offline actors, `NAME[@WHOM][#N]` -> value; `parts`: what other packages had a hand in
    the run with, `GROUP NAME` -> package and version;
    `parent`: for a fork, what tells the run it was forked from, `at` where. `case_sum`, `sealed_sum`: `sum_of` what was
    bound; they are set when the folder is made.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    procedure: str
    spec: str
    digest: str
    version: str
    case: str
    case_file: str
    target: str
    seed: int
    models: Mapping[str, str]
    options: Mapping[str, str]
    binding: str = ""
    until: str = ""
    parent: str = ""
    at: str = ""
    tools: Mapping[str, Annotated[str, Field(pattern=f"^({NATIVE}|{TEXT})$")]] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    endpoints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    case_sum: str = ""
    sealed_sum: str = ""

    @property
    def profiles(self) -> dict[str, ModelProfile]:
        """What names of backbones and of their fallbacks stood for, of those that were names of the models file."""
        return {name: from_record(name, told) for name, told in self.endpoints.items()}

    def model_of(self, name: str) -> str:
        """The model that a backbone's name stood for, as litellm names it."""
        return self.endpoints.get(name, {}).get("model", name)


def sum_of(text: str) -> str:
    """The first 16 hex digits of a text's SHA-256."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SUM_LENGTH]


# ---- writing ---------------------------------------------------------------------------------------------------------


def run_yaml(info: RunInfo) -> str:
    """The text of `run.yaml`; what may be left out is, where it is empty."""
    lines = [f"lw: {FORMAT}", *_block(_values(info), ""), f"sum: {_sum(info)}"]
    return "\n".join(lines) + "\n"


def _block(values: Mapping[str, Any], margin: str) -> Iterator[str]:
    """The lines of a mapping: two blanks deeper at each level, a list two blanks below its key."""
    for name, value in values.items():
        match value:
            case dict() if value:
                yield f"{margin}{_scalar(name)}:"
                yield from _block(value, margin + "  ")
            case list() if value:
                yield f"{margin}{_scalar(name)}:"
                yield from (f"{margin}  - {_scalar(item)}" for item in value)
            case _:
                yield f"{margin}{_scalar(name)}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    """A value in one line; a text within quotation marks where a reader might take it for anything else."""
    if not isinstance(value, str):
        return "{}" if value == {} else "[]" if value == [] else json.dumps(value)
    if not value:
        return "''"
    if _PLAIN.fullmatch(value) and not _OTHERWISE.fullmatch(value):
        return value
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    """A character within double quotation marks: nothing stands there that is not seen."""
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _sum(info: RunInfo) -> str:
    """What its values amount to: whoever changes one of them by hand leaves another sum behind."""
    return sum_of(json.dumps(_values(info), ensure_ascii=False, sort_keys=True))


def _values(info: RunInfo) -> dict[str, Any]:
    """Key -> value, as JSON has them, without those that may be left out and are empty: a key that a later version adds
    changes no sum."""
    required = {key.name for key in fields(info) if key.default is key.default_factory is MISSING}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(info).items()}
    return {name: clean_json(value) for name, value in plain.items() if value or name in required}


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_run_yaml(text: str, file: str) -> RunInfo | tuple[Diagnostic, ...]:
    """What a `run.yaml` says: the keys it must have and no others, every scalar as text. All that is wrong is told."""
    from pydantic import ValidationError

    root, found = read(file, text)
    hidden = diagnose.code_of(diagnose.invisible_character)  # as an escape it is what was meant, else the sum tells
    problems = _unreadable([problem for problem in found if problem.severity == "error" and problem.code != hidden])
    if problems or not isinstance(root, MapNode):
        return problems or (diagnose.unreadable_run_yaml(root.span if root is not None else Span(file, 1, 1)),)
    plain = _PlainValues()
    values = plain.of(root, ())
    written, summed = values.pop("lw", None), values.pop("sum", None)
    if written != FORMAT:
        told = written if isinstance(written, str) else "?"
        return (diagnose.unsupported_run_format(Span(file, 1, 1), format=told, known=FORMAT),)
    try:
        info = _run_info().validate_python(values)
    except ValidationError as invalid:
        return tuple(_translated(error, plain.spans, file) for error in invalid.errors())
    if wrong := [name for name, told in info.endpoints.items() if not _is_endpoint(name, told)]:
        return tuple(diagnose.invalid_run_key(plain.spans[("endpoints", name)], key=name) for name in wrong)
    if missing := [name for name, value in (("case_sum", info.case_sum), ("sum", summed)) if not value]:
        return tuple(diagnose.missing_run_key(Span(file, 1, 1), key=name) for name in missing)
    return info if summed == _sum(info) else (diagnose.altered_run_yaml(plain.spans[("sum",)]),)


def _is_endpoint(name: str, told: Mapping[str, str]) -> bool:
    try:
        return bool(from_record(name, told))
    except ValueError:
        return False


@cache
def _run_info() -> TypeAdapter[RunInfo]:
    return TypeAdapter(RunInfo)


def _unreadable(problems: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What a reader of specs finds wrong, in the words of one who wrote none."""
    twice = diagnose.code_of(diagnose.duplicate_key)
    return tuple(
        diagnose.invalid_run_key(problem.span, key=str(problem.values["key"]))
        if problem.code == twice
        else diagnose.unreadable_run_yaml(problem.span)
        for problem in problems
    )


def _translated(error: ErrorDetails, spans: Mapping[tuple[str, ...], Span], file: str) -> Diagnostic:
    names = [name for name in error["loc"] if isinstance(name, str)]
    if error["type"] == "missing":
        return diagnose.missing_run_key(Span(file, 1, 1), key=names[0])
    if error["type"] in ("mapping_type", "dict_type"):
        return diagnose.unreadable_run_yaml(spans[(names[0],)])
    return diagnose.invalid_run_key(spans[(names[0],)], key=names[-1])


@dataclass(slots=True)
class _PlainValues:
    """Nodes as dicts, lists and texts. `spans`: where the value of each key begins, by the keys above."""

    spans: dict[tuple[str, ...], Span] = field(default_factory=dict)

    def of(self, node: Node, keys: tuple[str, ...]) -> Any:
        self.spans.setdefault(keys, node.span)  # that of a list is not that of its items
        match node:
            case Scalar():
                return node.text
            case ListNode():
                return [self.of(item, keys) for item in node.items]
            case MapNode():
                return {entry.key.text: self.of(entry.value, (*keys, entry.key.text)) for entry in node.entries}
