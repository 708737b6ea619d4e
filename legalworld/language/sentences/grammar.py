"""A grammar file in Lark's notation, ready to parse: sentences to nodes, and what could have stood where one stops.

Lark needs 50 ms to make its tables from a grammar. They are kept beside it (`grammar.lark.json`), with a digest of what
they were made from: where that is no longer so, they are made anew, and a test asks for them to be kept again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Final, Literal

import lark
from lark import Lark, Transformer
from lark import Token as LarkToken
from lark.common import LexerConf
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

END: Final = "$END"


class ReadyTokens(Lexer):
    """Hands Lark tokens that are ready: a line that can be cut in several ways is cut before it is parsed."""

    def __init__(self, conf: LexerConf) -> None:
        del conf

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[LarkToken]:
        return iter(lexer_state)


class Grammar:
    """An LALR parser with several start symbols. Its input is a text, or a list of tokens for `ReadyTokens`.

    `builder` makes the nodes as the parser goes; without one it makes Lark's trees. `kept`: the file of its tables,
    where one grammar has several, each for some of its starts and loaded when one of those is read.
    """

    def __init__(
        self,
        package: str,
        file: str,
        starts: Sequence[str],
        builder: Transformer[Any, Any] | None = None,
        lexer: type[Lexer] | Literal["contextual"] = "contextual",
        *,
        kept: str = "",
    ) -> None:
        text = (files(package) / file).read_text(encoding="utf-8")
        self.digest = hashlib.sha256("\n".join((lark.__version__, *starts, text)).encode()).hexdigest()
        held = files(package) / (kept or f"{file}.json")
        tables = json.loads(held.read_text(encoding="utf-8"), object_hook=_numbered) if held.is_file() else {}
        if tables.get("digest") == self.digest:
            self._lark = _loaded(tables, lexer=lexer, transformer=builder)
        else:
            self._lark = Lark(text, parser="lalr", lexer=lexer, start=list(starts), transformer=builder)

    def parse(self, start: str, sentence: Any) -> Any:
        """What a sentence makes. Raises Lark's UnexpectedInput at the first that cannot stand where it does."""
        return self._lark.parse(sentence, start)

    def accepted(self, start: str, tokens: Sequence[LarkToken]) -> frozenset[str]:
        """The terminals that can follow these tokens; END if the sentence may stop here."""
        parser = self._lark.parse_interactive(start=start)
        for token in tokens:
            parser.feed_token(token)
        return frozenset(parser.accepts())  # type: ignore[no-untyped-call]

    def terminals(self, start: str) -> frozenset[str]:
        """All terminals in what a start symbol can become."""
        expansions: dict[str, set[str]] = {}
        for rule in self._lark.rules:
            expansions.setdefault(rule.origin.name, set()).update(symbol.name for symbol in rule.expansion)
        symbols = [start]
        for symbol in symbols:
            symbols += expansions.get(symbol, set()) - {*symbols}
        return frozenset(symbol for symbol in symbols if symbol not in expansions)

    def tables(self) -> str:
        """What is kept beside the grammar, as JSON."""
        data, memo = self._lark.memo_serialize([TerminalDef, Rule])
        data["options"] |= {"lexer": None, "transformer": None}
        data["parser"]["lexer_conf"]["lexer_type"] = None
        return json.dumps({"digest": self.digest, "data": data, "memo": memo}) + "\n"


def _numbered(entry: dict[str, Any]) -> dict[Any, Any]:
    """Numbers as keys again: JSON makes texts of them."""
    return {int(key) if key.isdecimal() else key: value for key, value in entry.items()}


def _loaded(tables: Any, **options: Any) -> Lark:
    """A parser from `Grammar.tables`, and what cannot be kept in them."""
    data = tables["data"]
    data["options"] |= options
    data["parser"]["lexer_conf"]["lexer_type"] = options["lexer"]
    return Lark.load({"data": data, "memo": tables["memo"]})
