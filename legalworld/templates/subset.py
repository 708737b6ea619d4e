"""What a template may say: a walk over its syntax tree against a closed list of forms, filters, tests and names.

Anything not on the list is a problem. The walk also finds every path that the template reads, for the checker to
compare with the visibility matrix, and every template that it includes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from jinja2 import nodes

from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from .reads import Findings, Included, KnownValue, Path, PathRead, TableRead
from .shapes import Entries, Parts, Shape
from .syntax import MAX_DEPTH, NO_CONSTANT, Page, constant, start_of
from .words import FILTERS, LOOP, NAMESPACE, OPERAND, READINGS, TESTS, WHOLES, Filter

MAX_LOOPS: Final = 3
MAX_READINGS: Final = 64  # what one value may be: `a or b` is one of two, and names could double that at will

_ANYTHING: Final = KnownValue("any")
_CONSTANTS: Final[Mapping[type, Shape]] = {str: "text", int: "number", float: "number"}
_REFUSED_TAGS: Final[Mapping[type[nodes.Node], diagnose.AnyKind]] = {
    nodes.With: diagnose.forbidden_assignment,
    nodes.Macro: diagnose.forbidden_call,
    nodes.CallBlock: diagnose.forbidden_call,
}


def examine(page: Page, tree: nodes.Template) -> Findings:
    walk = SubsetWalk(page)
    walk.block(tree.body, {}, 0)
    return Findings(tuple(walk.problems), tuple(walk.uses.values()))


class SubsetWalk:
    """One pass. `scope` of every method: the names that loops and `set` gave, on top of `NAMESPACE`.

    A block has a scope of its own, to which `set` adds: a name is known from there to the end of the block, and behind
    an `if` where every branch gave it.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[Diagnostic] = []
        self.uses: dict[Path | int, PathRead | Included | TableRead] = {}
        self.forgiven: set[str] = set()  # names that a refused tag would have given
        self.depth = 0
        self.too_deep = False

    def report(
        self, kind: diagnose.Kind[diagnose.P], place: tuple[int, int], *told: diagnose.P.args, **more: diagnose.P.kwargs
    ) -> KnownValue:
        self.problems.append(self.page.problem(kind, place, *told, **more))
        return _ANYTHING

    def deeper(self, offset: int) -> bool:
        """One level down; False, reported once, when that is too deep."""
        self.depth += 1
        if self.depth > MAX_DEPTH and not self.too_deep:
            self.too_deep = True
            self.report(diagnose.template_too_complex, (offset, 1), what="( )", limit=MAX_DEPTH)
        return self.depth <= MAX_DEPTH

    # ---- tags

    def block(self, body: Sequence[nodes.Node], scope: dict[str, KnownValue], loops: int) -> None:
        for node in body:
            if self.deeper(node.lineno or 0):
                self.tag(node, scope, loops)
            self.depth -= 1

    def tag(self, node: nodes.Node, scope: dict[str, KnownValue], loops: int) -> None:
        match node:
            case nodes.Output():
                for child in node.nodes:
                    if isinstance(child, nodes.TemplateData):
                        self.text(child)
                    else:
                        self.value(child, scope, printed=True)
            case nodes.If():
                self.branches(node, scope, loops)
            case nodes.For():
                self.loop(node, scope, loops + 1)
            case nodes.Include():
                self.include(node)
            case nodes.Assign(target=nodes.Name() as target):
                known = self.bounded(self.value(node.node, scope), self.place(node.node))
                if self.free(target, scope):
                    scope[target.name] = known
            case _:
                start = next((inner.lineno for inner in (node, *node.iter_child_nodes()) if inner.lineno), 0)
                word = self.page.word(start)
                self.report(_REFUSED_TAGS.get(type(node), diagnose.unknown_tag), (start, len(word)), tag=word)
                self.forgiven.update(name.name for name in node.find_all(nodes.Name) if name.ctx != "load")

    def text(self, node: nodes.TemplateData) -> None:
        """Text outside tags. A tag in full-width braces is only text, which its author did not mean."""
        for sign in ("\uff5b\uff5b", "\uff5b%", "{\uff5b", "\uff5b{", "\uff5b\uff05", "{\uff05"):
            found = node.data.find(sign)
            if found >= 0:
                start = self.page.text.find(sign, node.lineno)
                meant = "{%" if sign[1] in "%\uff05" else "{{"
                kind = diagnose.unexpected_template_sign
                self.report(kind, (start, 2), character=sign, nearest=meant, severity="warning")

    def branches(self, node: nodes.If, scope: dict[str, KnownValue], loops: int) -> None:
        ends: list[dict[str, KnownValue]] = []
        for branch in (node, *node.elif_):
            self.value(branch.test, scope)
            ends.append(dict(scope))
            self.block(branch.body, ends[-1], loops)
        ends.append(dict(scope))
        self.block(node.else_, ends[-1], loops)
        for name in ends[0]:
            if name not in scope and all(name in end for end in ends):
                scope[name] = self.either(*(end[name] for end in ends), place=(node.lineno, len("if")))

    def free(self, node: nodes.Name, scope: Mapping[str, object]) -> bool:
        """Whether a name means nothing yet. Python takes a full-width letter of a name for the plain one."""
        name, place = node.name, (node.lineno, len(node.name))
        plain = unicodedata.normalize("NFKC", name)
        if plain != name:
            self.report(diagnose.unexpected_template_sign, place, character=name, nearest=plain)
            self.forgiven.add(name)
            return False
        taken = name in NAMESPACE or name in scope or name == "loop" or name.startswith("__")
        if taken:
            self.report(diagnose.shadowed_name, place, name=name)
        return not taken

    def either(self, *values: KnownValue, place: tuple[int, int]) -> KnownValue:
        """One of these."""
        return self.bounded(reduce(KnownValue.__or__, values), place)

    def bounded(self, known: KnownValue, place: tuple[int, int]) -> KnownValue:
        """The same; refused where names given to parts of parts make it too deep, or one of too many things."""
        for paths in (known.paths, known.of.paths if known.of else ()):
            if len(paths) > MAX_READINGS:
                return self.report(diagnose.template_too_complex, place, what="or", limit=MAX_READINGS)
            if any(len(path) > 2 * MAX_DEPTH for path in paths):
                return self.report(diagnose.template_too_complex, place, what=".", limit=2 * MAX_DEPTH)
        return known

    def loop(self, node: nodes.For, scope: dict[str, KnownValue], loops: int) -> None:
        if loops == MAX_LOOPS + 1:
            self.report(diagnose.template_too_complex, (node.lineno, 3), what="for", limit=MAX_LOOPS)
        if node.recursive:
            start = self.page.text.find("recursive", node.lineno)
            self.report(diagnose.unsupported_syntax, (start, 9), what="recursive")
        entries = self.listed(self.value(node.iter, scope), node.iter)
        inner = dict(scope)
        if not isinstance(node.target, nodes.Name):
            self.report(diagnose.unsupported_syntax, (start_of(node.target), 1), what=",")
            self.forgiven.update(name.name for name in node.target.find_all(nodes.Name))
        else:
            self.free(node.target, scope)
            inner[node.target.name] = entries.entry()
        if node.test is not None:
            self.value(node.test, {name: known for name, known in inner.items() if name != "loop"})
        self.block(node.body, {**inner, "loop": KnownValue(LOOP)}, loops)
        self.block(node.else_, {name: known for name, known in scope.items() if name != "loop"}, loops)

    def include(self, node: nodes.Include) -> None:
        start = start_of(node.template)
        name = constant(node.template)
        if not isinstance(name, str):
            self.report(diagnose.computed_name, (start, len(self.page.word(start))), what=self.page.rest(start))
            return
        self.uses[start] = Included(name, self.page.span(start, len(name) + 2))
        for refused, words in ((node.ignore_missing, "ignore missing"), (not node.with_context, "without context")):
            if refused:
                word = words.split()[0]
                place = self.page.text.find(word, start + len(name)), len(word)
                self.report(diagnose.unsupported_syntax, place, what=words)

    # ---- expressions

    def value(self, node: nodes.Node, scope: dict[str, KnownValue], printed: bool = False) -> KnownValue:
        """What an expression is; its reads are noted. `printed`: it must be a text."""
        known = self.expression(node, scope, printed) if self.deeper(node.lineno or 0) else _ANYTHING
        self.depth -= 1
        if printed and (known.shape == "flag" or isinstance(known.shape, (Entries, Parts))):
            return self.report(diagnose.unprintable_value, self.place(node), path=self.called(node))
        return known

    def expression(self, node: nodes.Node, scope: dict[str, KnownValue], printed: bool) -> KnownValue:
        match node:
            case nodes.Name() | nodes.Getattr() | nodes.Getitem():
                return self.path(node, scope, printed)
            case nodes.Const():
                return KnownValue(_CONSTANTS.get(type(node.value), "flag"))
            case nodes.List() if constant(node) is not NO_CONSTANT:
                return KnownValue(Entries("text"))
            case nodes.And() | nodes.Or():
                both = (self.value(node.left, scope, printed), self.value(node.right, scope, printed))
                return self.either(*both, place=self.place(node))
            case nodes.CondExpr():
                self.value(node.test, scope)
                known = self.value(node.expr1, scope, printed)
                if node.expr2 is None:
                    return known
                return self.either(known, self.value(node.expr2, scope, printed), place=self.place(node))
            case nodes.Not():
                self.value(node.node, scope)
                return KnownValue("flag")
            case nodes.Compare():
                for part in (node.expr, *(operand.expr for operand in node.ops)):
                    self.value(part, scope)
                return KnownValue("flag")
            case nodes.Concat():
                for part in node.nodes:
                    self.value(part, scope, printed=True)
                return KnownValue("text")
            case nodes.Filter(node=nodes.Expr() as source):
                return self.filter(node, source, scope, printed)
            case nodes.Test():
                return self.test(node, scope)
            case _:
                return self.refused(node, scope)

    def path(self, node: nodes.Expr, scope: dict[str, KnownValue], printed: bool) -> KnownValue:
        """A name and what follows it: `own.facts`, `step["item"]`, `(heard|last).text`."""
        steps: list[nodes.Getattr | nodes.Getitem] = []
        base: nodes.Expr = node
        while isinstance(base, (nodes.Getattr, nodes.Getitem)):
            steps.append(base)
            base = base.node
        if len(steps) > MAX_DEPTH:
            return self.report(diagnose.template_too_complex, (start_of(node), 1), what=".", limit=MAX_DEPTH)
        known = self.name(base, scope) if isinstance(base, nodes.Name) else self.value(base, scope)
        if not steps and isinstance(base, nodes.Name) and base.name in WHOLES and base.name not in scope:
            return self.report(diagnose.unprintable_value, (base.lineno, len(base.name)), path=base.name)
        for step in reversed(steps):
            known = self.step(known, step)
        self.read(known, self.place(node), printed)
        return known

    def name(self, node: nodes.Name, scope: dict[str, KnownValue]) -> KnownValue:
        if node.name in scope:
            return scope[node.name]
        if node.name in NAMESPACE:
            return KnownValue(NAMESPACE[node.name], ((node.name,),))
        if node.name in self.forgiven:
            return _ANYTHING
        return self.report(
            diagnose.unknown_template_name, (node.lineno, len(node.name)), name=node.name, among=[*scope, *NAMESPACE]
        )

    def step(self, known: KnownValue, step: nodes.Getattr | nodes.Getitem) -> KnownValue:
        if known is _ANYTHING:  # reported already
            return known
        key: object = step.attr if isinstance(step, nodes.Getattr) else constant(step.arg)
        start = self.page.skip(step.lineno + 1)
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            what = self.page.text[start : self.page.text.find("]", start)]
            return self.report(diagnose.computed_name, (start, len(what)), what=what)
        length = self.end(step) - start - (self.page.text[step.lineno] == "[")
        return self.under(known, key, (start, length), step.node)

    def under(self, known: KnownValue, key: str | int, place: tuple[int, int], owner: nodes.Node) -> KnownValue:
        found = known.part(key)
        if found is not None:
            return found
        names = known.shape.named if isinstance(known.shape, Parts) else ()
        near = nearest(str(key), names)
        return self.report(diagnose.unknown_template_key, place, owner=self.called(owner), key=key, nearest=near)

    def read(self, known: KnownValue, place: tuple[int, int], printed: bool) -> None:
        for path in known.paths:
            old = self.uses.get(path)
            if old is None:
                self.uses[path] = PathRead(path, self.page.span(*place), printed)
            elif printed and isinstance(old, PathRead) and not old.printed:
                self.uses[path] = replace(old, printed=True)

    def listed(self, known: KnownValue, node: nodes.Node) -> KnownValue:
        """The same, when it may be a list."""
        if isinstance(known.shape, Entries) or known.shape == "any":
            return known
        return self.report(diagnose.expected_template_list, self.place(node), path=self.called(node))

    def unknown(self, name: str, place: tuple[int, int], known: Mapping[str, object]) -> KnownValue:
        """A filter or test that there is none of."""
        return self.report(diagnose.unknown_filter_or_test, place, name=name, allowed=tuple(known), among=known)

    def filter(self, node: nodes.Filter, source: nodes.Expr, scope: dict[str, KnownValue], printed: bool) -> KnownValue:
        """`source|name(...)`."""
        rule, place = FILTERS.get(node.name), (node.lineno, len(node.name))
        if rule is None:
            self.value(source, scope)
            return self.unknown(node.name, place, FILTERS)
        known = self.value(source, scope, rule.takes == "text" or (printed and node.name == "default"))
        if rule.takes == "list":
            known = self.listed(known, source)
        arguments = self.arguments(node, rule, scope)
        if arguments is None:
            return self.report(diagnose.misused_filter_or_test, place, name=node.name, usage=rule.usage)
        positional, named = arguments
        if rule.table:
            table = positional[0] if rule.table == "first" else named.get(rule.table)
            says = rule.gives == "flag"
            self.table(table or (READINGS if says else None), positional[0] if says else "", node)
        if node.name == "money":
            self.written_in(known, positional)
        entry = known.entry()
        attribute = named.get("attribute") or (positional[0] if node.name in ("selectattr", "rejectattr") else None)
        if attribute is not None:
            for key in str(attribute).split("."):
                entry = self.under(entry, key, place, source)
            self.read(entry, place, printed=node.name == "join")
        elif node.name == "join":
            self.read(entry, place, printed=True)
        if node.name == "join" and isinstance(entry.shape, (Entries, Parts)):
            return self.report(diagnose.unprintable_value, place, path=self.called(source))
        match rule.gives:
            case "same":
                return known
            case "one":
                if printed:
                    self.read(entry, place, printed=True)
                return entry
            case "mapped":
                return KnownValue(Entries(entry.shape), (), entry)
            case "flat":
                inner = entry.entry()
                return KnownValue(Entries(inner.shape), (), inner)
            case "text" | "number" | "flag":
                return KnownValue(rule.gives)
            case shape:
                return KnownValue(shape)

    def written_in(self, known: KnownValue, signs: list[Any]) -> None:
        """Note by which sign of a currency a sum is written, where one is said."""
        for path in known.paths if signs and isinstance(signs[0], str) else ():
            if isinstance(read := self.uses.get(path), PathRead):
                self.uses[path] = replace(read, written_in=signs[0])

    def table(self, name: Any, entry: Any, node: nodes.Filter) -> None:
        """A table that a filter names, and which of its lists; the same one is noted once."""
        if isinstance(name, str) and name:
            at = self.page.span(node.lineno, len(node.name))
            self.uses.setdefault(("", name, str(entry)), TableRead(name, at, str(entry)))

    def arguments(
        self, node: nodes.Filter, rule: Filter, scope: dict[str, KnownValue]
    ) -> tuple[list[Any], dict[str, Any]] | None:
        """The arguments, when the filter takes them: constants, and any values at all where it reckons with them."""
        positional = [self.argument(argument, rule, "", scope) for argument in node.args]
        named = {str(one.key): self.argument(one.value, rule, str(one.key), scope) for one in node.kwargs}
        if NO_CONSTANT in (*positional, *named.values()) or node.dyn_args or node.dyn_kwargs:
            return None
        try:
            return (positional, named) if rule.accepts(*positional, **named) else None
        except TypeError:  # too many, too few, or a name it does not have
            return None

    def argument(self, node: nodes.Expr, rule: Filter, name: str, scope: dict[str, KnownValue]) -> object:
        """A constant; for one that is found out by a run, `OPERAND`, where the filter has such an argument."""
        found = constant(node)
        if found is not NO_CONSTANT or name not in rule.operands:
            return found
        self.value(node, scope)
        return OPERAND

    def test(self, node: nodes.Test, scope: dict[str, KnownValue]) -> KnownValue:
        start = self.page.text.find(node.name, node.lineno)
        place = (start, len(node.name))
        for part in (node.node, *node.args):
            self.value(part, scope)
        if node.name not in TESTS:
            return self.unknown(node.name, place, TESTS)
        if len(node.args) != TESTS[node.name] or node.kwargs or node.dyn_args or node.dyn_kwargs:
            usage = f"is {node.name}" + " VALUE" * TESTS[node.name]
            return self.report(diagnose.misused_filter_or_test, place, name=node.name, usage=usage)
        return KnownValue("flag")

    def refused(self, node: nodes.Node, scope: dict[str, KnownValue]) -> KnownValue:
        """A form that templates do not have."""
        start = start_of(node)
        match node:
            case nodes.Call():
                for argument in node.args:
                    self.value(argument, scope)
                if not isinstance(node.node, nodes.Name):
                    start = node.node.lineno + (1 if isinstance(node.node, nodes.Getattr) else 0)
                word = self.page.word(start)
                return self.report(diagnose.forbidden_call, (start, len(word)), tag=word)
            case nodes.BinExpr():
                self.value(node.left, scope)
                self.value(node.right, scope)
                start = self.page.text.rfind(node.operator, start, start_of(node.right))
                return self.report(diagnose.unsupported_syntax, (start, len(node.operator)), what=node.operator)
            case _:
                return self.report(diagnose.unsupported_syntax, (start, 1), what=self.page.text[start : start + 1])

    # ---- places

    def place(self, node: nodes.Node) -> tuple[int, int]:
        """Offset and length of a path; of any other expression, to the end of its tag."""
        start = start_of(node)
        match node:
            case nodes.Getattr() | nodes.Getitem():
                return start, self.end(node) - start
            case nodes.Name():
                return start, len(node.name)
            case _:
                return start, len(self.page.rest(start))

    def end(self, step: nodes.Getattr | nodes.Getitem) -> int:
        """Where `.name` or `["name"]` ends."""
        start = self.page.skip(step.lineno + 1)
        if self.page.text[step.lineno] != "[":
            return start + len(self.page.word(start))
        inner = start_of(step.arg) + len(str(constant(step.arg))) if isinstance(step, nodes.Getitem) else start
        return self.page.text.find("]", inner) + 1

    def called(self, node: nodes.Node) -> str:
        """What the author calls a value."""
        start, length = self.place(node)
        return self.page.text[start : start + length]
