"""`lw parse`: citations, amounts and verdicts in a text; one JSON value for each line that is read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from ..wording import say
from . import options
from .help import Command
from .output import leave, wants_json, warn, write_json

KINDS = ("citations", "amounts", "verdict", "english")


def _reader(what: str) -> Callable[[str], Any]:
    """From a line to what it holds, as plain data."""
    from ..law.text import records

    match what:
        case "citations":
            from ..law.text.citations import citations

            return lambda line: [records.citation_record(record, line) for record in citations(line)]
        case "english":
            return _english
        case "amounts":
            from ..law.text.amounts import amounts

            return lambda line: [records.amount_record(record, line) for record in amounts(line)]
        case _:
            from ..law.text.verdicts import verdict

            return lambda line: records.verdict_record(verdict(line), line)


def _english(line: str) -> list[dict[str, Any]]:
    """Citations of the United Kingdom, and of the United States where the extra is installed."""
    from ..law.text import records
    from ..law.text.american_citations import american_citations, reads_american
    from ..law.text.english_citations import english_citations

    found = [*english_citations(line), *(american_citations(line) if reads_american() else ())]
    return [records.english_record(one, line) for one in sorted(found, key=lambda one: one.start)]


def _tell_of_america() -> None:
    from ..language import diagnose
    from ..law.text.american_citations import reads_american

    if not reads_american():
        warn((diagnose.unread_american_citations("english"),))


def _lines(text: str) -> Iterable[str]:
    if text != "-":
        return text.splitlines() or [""]
    stream = sys.stdin.buffer
    return map(_line, stream)


def _line(data: bytes) -> str:
    """A line as text; the command ends here where it is none: a sum with a hole in it would be another sum."""
    from ..language.charset import decoded
    from ..language.yaml.characters import unreadable_text

    read = decoded(data.rstrip(b"\r\n"))
    if not read.encoding and (problem := unreadable_text("-", read.text)) is not None:
        leave((problem,))
    return read.text


@click.command(cls=Command)
@click.argument("what", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.argument("text", default="-", metavar="[TEXT|-]")
@options.as_json
def parse(what: str, text: str) -> None:
    read = _reader(what)
    if what == "english":
        _tell_of_america()
    for line in _lines(text):
        value = read(line)
        if wants_json():
            write_json(value)
        else:
            click.echo("\n".join(_words(record) for record in _each(value)) or say("run.parse_nothing"))
    sys.stdout.flush()


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [*value["defendants"], *([value["other"]] if value["other"] else [])]


def _words(record: dict[str, Any]) -> str:
    """A record on one line: what the text has, then what it says."""
    plain = {key: value for key, value in record.items() if key not in ("text", "start", "end") and value is not None}
    head = f"{record['text']}  " if "text" in record else ""
    return head + "  ".join(f"{key}={_value(value)}" for key, value in plain.items())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
