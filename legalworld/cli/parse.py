"""`lw parse`: citations, amounts and verdicts in a text; one JSON value for each line that is read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from typing import Any, Final, cast

import click

from ..wording import say
from . import options
from .help import Command
from .output import got, leave, wants_json, warn, write_json

KINDS = ("citations", "amounts", "verdict", "english")
_NAME: Final = "-"
"""What standard input is called, as an argument and in messages."""


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
    """The lines of an argument, or of standard input: UTF-8 as it comes, all else read whole, as files are."""
    from ..language.charset import UTF_8, encoding_of, is_html

    if text != _NAME:
        return text.splitlines() or [""]
    stream = cast(BufferedReader, sys.stdin.buffer)
    head = stream.peek()
    begun = head[: head.rfind(b"\n") + 1]
    if begun and encoding_of(begun) == UTF_8 and not is_html(begun.decode("utf-8")):
        return _as_it_comes(stream)
    return _whole(stream)


def _as_it_comes(stream: BufferedReader) -> Iterator[str]:
    """Yield lines of UTF-8; the command ends where one is none: a sum with a hole in it would be another sum."""
    from ..language import diagnose
    from ..language.yaml.characters import unreadable_text

    plain = True
    for data in stream:
        try:
            line = data.decode("utf-8").removeprefix("\ufeff").rstrip("\r\n")
        except UnicodeDecodeError:
            if plain:  # what came before is the same in every encoding
                yield from _whole(stream, data)
                return
            leave((unreadable_text(_NAME, data.decode("utf-8", "surrogateescape")) or diagnose.invalid_utf8(_NAME),))
        plain = plain and data.isascii()
        yield line


def _whole(stream: BufferedReader, begun: bytes = b"") -> Iterator[str]:
    """Yield the lines of a document of any format that commands read, of which `begun` was taken from the stream."""
    from ..files.document_text import MOST, text_of
    from ..files.project_files import unreadable
    from ..files.regular import Irregular

    data = begun + stream.read(MOST + 1)
    if len(data) > MOST:
        leave((unreadable(_NAME, Irregular(_NAME, "large", most=f"{MOST / (1 << 20):.4g}")),))
    read = got(text_of(_NAME, data))
    warn(read.problems)
    yield from read.text.splitlines()


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
