"""Calls that read or write the disk, or parse a format, found in the syntax trees of the package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

NAMES = frozenset({"open", "FileIO", "ZipFile", "GzipFile", "YAML", "CParser", "load_workbook", "JSONDecoder"})
"""Functions and classes that no module may call by name, whatever it imported them from."""

DOTTED = frozenset(
    {
        *("json.load", "json.loads", "json.JSONDecoder", "io.open", "io.FileIO", "os.open", "os.fdopen", "codecs.open"),
        *("csv.reader", "csv.DictReader", "zipfile.ZipFile", "tarfile.open", "gzip.open", "gzip.GzipFile"),
        *("sqlite3.connect", "docx.Document", "openpyxl.load_workbook", "pickle.load", "pickle.loads", "shelve.open"),
        *("tomllib.load", "yaml.load", "yaml.safe_load", "parquet.ParquetFile", "parquet.read_table", "marshal.loads"),
        *("shutil.copy", "shutil.copyfile", "shutil.copytree", "shutil.move", "tempfile.NamedTemporaryFile"),
    }
)
METHODS = frozenset(
    {
        *("read_text", "read_bytes", "write_text", "write_bytes", "model_validate_json", "validate_json"),
        *("raw_decode", "ParquetFile"),
    }
)
"""Methods of whatever object; a path's `open` is told apart by what it is called on."""

PACKAGED = ("files(", "resources.files(", "(files(", "(resources.files(", "_HERE")
"""On these, what comes with the package is read."""


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and function of each call that only a guarded reader may make."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        written = ast.unparse(node.func)
        if isinstance(node.func, ast.Name) and written in NAMES:
            yield node.lineno, written
        elif isinstance(node.func, ast.Attribute):
            on, method = ast.unparse(node.func.value), node.func.attr
            packaged = on.startswith(PACKAGED)
            if (
                (written in DOTTED and (node.args or method != "Document"))
                or (method in METHODS and not packaged)
                or (method == "open" and not packaged and _is_path(node))
            ):
                yield node.lineno, written


def _is_path(node: ast.Call) -> bool:
    """Whether `x.open(...)` opens a file: it names a mode or an encoding. Ours name what is to be opened."""
    modes = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return any(set(mode) <= set("rwxabt+") and mode for mode in modes) or any(
        word.arg in ("encoding", "mode", "errors") for word in node.keywords
    )


def found_in(package: Path) -> dict[str, list[tuple[int, str]]]:
    """Module -> its calls."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        lines = list(calls(ast.parse(file.read_text("utf-8"))))
        if lines:
            found[file.relative_to(package).with_suffix("").as_posix()] = lines
    return found
