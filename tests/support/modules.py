"""The modules of a package as they are written: what each of them imports, defines, calls and says. Parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

PACKAGE = "legalworld"
INITIAL = "__init__"

N = TypeVar("N", bound=ast.AST)


@dataclass(frozen=True)
class Import:
    """`name`: what is taken out of the module, "" for the module itself.

    `hidden`: only type checkers see it. `deferred`: a function does it when it is called.
    """

    module: str
    name: str
    ours: bool
    hidden: bool
    deferred: bool


@dataclass(frozen=True)
class Function:
    """`lines`: from the first to the last; `parameters`: those that may be given by position."""

    name: str
    lines: int
    parameters: int


@dataclass(frozen=True)
class Module:
    """A file of the package. `path`: below the package, without ".py"; a package's own is `room/__init__`.

    `defined`: names that the module's own statements bind, imports apart; `listed`: what `__all__` names; `called`:
    the functions that are called by name alone; `literals`: line and text of every string that is no docstring.
    """

    path: str
    lines: int
    docstring: str
    imports: tuple[Import, ...]
    defined: frozenset[str]
    listed: frozenset[str]
    classes: tuple[str, ...]
    functions: tuple[Function, ...]
    called: frozenset[str]
    literals: tuple[tuple[int, str], ...]

    @property
    def room(self) -> str:
        return self.path.partition("/")[0]


def read_modules(package: Path) -> dict[str, Module]:
    """All of a package, by their paths. The trees are not kept: they are 70 MB."""
    files = {file.relative_to(package).with_suffix("").as_posix(): file for file in sorted(package.rglob("*.py"))}
    return {path: _module(path, file.read_text("utf-8"), files.keys()) for path, file in files.items()}


def _module(path: str, text: str, known: Set[str]) -> Module:
    tree = ast.parse(text)
    nodes = _Nodes(tree)
    return Module(
        path,
        len(text.splitlines()),
        ast.get_docstring(tree) or "",
        tuple(_Imports(path, known).below(tree, hidden=False, deferred=False)),
        frozenset(name for node in tree.body for name in _bound(node)),
        frozenset(_listed(tree)),
        tuple(node.name for node in nodes.of(ast.ClassDef)),
        tuple(map(_function, (*nodes.of(ast.FunctionDef), *nodes.of(ast.AsyncFunctionDef)))),
        frozenset(node.func.id for node in nodes.of(ast.Call) if isinstance(node.func, ast.Name)),
        tuple(_literals(nodes)),
    )


class _Nodes:
    """All nodes of a tree by their kinds."""

    def __init__(self, tree: ast.Module) -> None:
        self._kinds: dict[type[ast.AST], list[Any]] = {}
        for node in ast.walk(tree):
            self._kinds.setdefault(type(node), []).append(node)

    def of(self, kind: type[N]) -> list[N]:
        return self._kinds.get(kind, [])


def _literals(nodes: _Nodes) -> Iterator[tuple[int, str]]:
    alone = {id(node.value) for node in nodes.of(ast.Expr)}
    for node in nodes.of(ast.Constant):
        if isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    parameters = (*node.args.posonlyargs, *node.args.args)
    by_position = sum(parameter.arg not in ("self", "cls") for parameter in parameters)
    return Function(node.name, (node.end_lineno or 0) - node.lineno + 1, by_position)


def _listed(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.If(body=body, orelse=other) | ast.Try(body=body, orelse=other):
            yield from (name for inner in (*body, *other) for name in _bound(inner))


@dataclass(frozen=True)
class _Imports:
    """The imports of the module at a path. `known`: the paths of all modules."""

    path: str
    known: Set[str]

    def below(self, tree: ast.AST, *, hidden: bool, deferred: bool) -> Iterator[Import]:
        """Statements stand in statements, in what handles exceptions and in cases; expressions are not looked into."""
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for module, name, ours in self._taken(node):
                    yield Import(module, name, ours, hidden, deferred)
            elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                yield from self.below(
                    node,
                    hidden=hidden or (isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING"),
                    deferred=deferred or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef),
                )

    def _taken(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, bool]]:
        """(module, name in it, whether it is ours)."""
        if isinstance(node, ast.Import):
            yield from ((name.name, "", name.name.startswith(PACKAGE)) for name in node.names)
            return
        parts = node.module.split(".") if node.module else []
        if not node.level and parts[0] != PACKAGE:
            yield from ((str(node.module), name.name, False) for name in node.names)
            return
        within = "/".join([*self.path.split("/")[: -node.level], *parts] if node.level else parts[1:])
        yield from ((*self._place(within, name.name), True) for name in node.names)

    def _place(self, within: str, name: str) -> tuple[str, str]:
        """(module, name in it) of what stands below a package or module of ours."""
        below = f"{within}/{name}".lstrip("/")
        for path in (below, f"{below}/{INITIAL}"):
            if path in self.known:
                return path, ""
        package = f"{within}/{INITIAL}".lstrip("/")
        return (package if package in self.known else within), name


def _name(test: ast.expr) -> str:
    """The name that a condition is: `TYPE_CHECKING`, also as that of a module."""
    return test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")


def circles(imports: Mapping[str, set[str]]) -> list[set[str]]:
    """The groups of modules each of which imports, by whatever way, every other of its group."""
    reached = {module: {module} for module in imports}
    grown = True
    while grown:
        grown = False
        for module, there in reached.items():
            more = set().union(*(reached[other] for other in imports[module])) | there
            grown |= len(more) > len(there)
            reached[module] = more
    groups = {frozenset(other for other in there if module in reached[other]) for module, there in reached.items()}
    return sorted((set(group) for group in groups if len(group) > 1), key=sorted)
