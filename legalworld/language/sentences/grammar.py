"""A grammar file in Lark's notation, ready to parse: sentences to nodes, and what could have stood where one stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Final, Literal

from lark import Lark, Transformer
from lark import Token as LarkToken
from lark.common import LexerConf
from lark.lexer import Lexer

END: Final = "$END"


class ReadyTokens(Lexer):
    """Hands Lark tokens that are ready: a line that can be cut in several ways is cut before it is parsed."""

    def __init__(self, conf: LexerConf) -> None:
        del conf

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[LarkToken]:
        return iter(lexer_state)


class Grammar:
    """An LALR parser with several start symbols. Its input is a text, or a list of tokens for `ReadyTokens`.

    `builder` makes the nodes as the parser goes; without one it makes Lark's trees.
    """

    def __init__(
        self,
        package: str,
        file: str,
        starts: Sequence[str],
        builder: Transformer[Any, Any] | None = None,
        lexer: type[Lexer] | Literal["contextual"] = "contextual",
    ) -> None:
        text = (files(package) / file).read_text(encoding="utf-8")
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
