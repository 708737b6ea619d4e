"""Files laid out as nobody would, and files that nobody wrote: for the layout of specs.

python -m drawn_layouts [COUNT]: so many of them, each laid out and held against what it said.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from places import ROOT

from legalworld.authoring.format import formatted
from legalworld.language.link.linker import link
from legalworld.language.yaml.nodes import ListNode, MapNode, Node, Scalar
from legalworld.language.yaml.reader import read
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources, Span

WORDS = (
    "审判长",
    "原告",
    "asks",
    "a: b",
    "民诉法第一条",
    "x",
    "yes",
    "1",
    "- 甲",
    "#x",
    "",
    "说：好",
    "長い名前",
    "🙂",
    "it's",
)
KEYS = ("lw", "title", "标题", "roles", "steps", "judge asks x", "x y", "甲", "k-1", "visibility")


def shipped() -> dict[str, str]:
    """Every spec that is shipped, with the files beside them that it may name."""
    folders = ("specs", "personas", "skills", "rubrics", "bindings", "checks")
    files = (file for folder in folders for file in sorted((ROOT / folder).rglob("*.yaml")))
    return {file.relative_to(ROOT).as_posix(): file.read_bytes().decode() for file in files}


def rearranged(text: str, draw: random.Random) -> str:
    """A file with the same content, its blanks drawn anew: indentation, cells of tables, remarks, line ends.

    Lines of a bracket that is still open move along with the line where it begins, as the layout has them.
    """
    factor = draw.choice((1, 2, 3))
    lines, head, open_ = [], 0, 0
    for line in text.split("\n"):
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        within = open_ > 0 and indent > head
        head, open_ = (head, open_) if within else (indent, 0)
        open_ += sum(bare.count(mark) for mark in "[{") - sum(bare.count(mark) for mark in "]}")
        blanks = " " * (factor * head + indent - head)
        while bare.startswith("- "):
            blanks, bare = blanks + "-" + " " * (2 * factor - 1), bare[2:]
        if bare.startswith("|") and bare.endswith("|") and draw.random() < 0.7:
            cells = (
                " " * draw.randrange(3) + cell.strip() + " " * draw.randrange(1, 4) for cell in bare[1:-1].split("|")
            )
            bare = "|" + "|".join(cells) + "|"
        lines.append(blanks + bare + (" " * draw.randrange(3) if bare and not bare.startswith("|") else ""))
    end = draw.choice(("\n", "\r\n"))
    return draw.choice(("", "\ufeff")) + end.join(lines) + draw.choice(("", end, end * 3))


def written(draw: random.Random, depth: int = 0, indent: int = 0) -> list[str]:
    """Lines of a file of nested keys, lists, brackets, quotations, blocks and remarks."""
    lines: list[str] = []
    keys = draw.sample(KEYS, draw.randrange(1, 5))
    listed = depth > 0 and draw.random() < 0.4
    for key in keys:
        if draw.random() < 0.2:
            lines.append(" " * draw.choice((indent, 0, indent + 1)) + "# " + draw.choice(WORDS))
        lead = " " * indent + ("-" + " " * draw.randrange(1, 4) if listed else "")
        kind = draw.choice(("scalar", "flow", "quoted", "block", "map", "empty"))
        if kind == "map" and depth < 4:
            inner = len(lead) + draw.randrange(1, 5)
            lines += [f"{lead}{key}:", *written(draw, depth + 1, inner)]
            continue
        lines += _value(draw, lead + key + ":" + " " * draw.randrange(1, 4), kind, len(lead) + draw.randrange(1, 5))
        if draw.random() < 0.1:
            lines.append("")
    return lines


def _value(draw: random.Random, lead: str, kind: str, indent: int) -> Iterator[str]:
    plain = draw.choice([word for word in WORDS if word and word[0] not in "-#" and ": " not in word])
    match kind:
        case "flow":
            items = [
                draw.choice(("甲乙丙丁", "ab", '"q, r"', "{k: v, 标题: 很长的标题}", "[1, 2]"))
                for _ in range(draw.randrange(1, 30))
            ]
            yield f"{lead}{{{', '.join(f'k{n}: {item}' for n, item in enumerate(items))}}}"
        case "quoted":
            yield lead + '"' + draw.choice(WORDS) + '"'
        case "block":
            yield lead + draw.choice(("|", "|-", ">", "|+"))
            yield from (
                " " * indent + draw.choice(WORDS) + draw.choice(("", "  ")) for _ in range(draw.randrange(1, 4))
            )
        case "scalar":
            yield lead + plain + draw.choice(("", "", "  # 说明"))
        case _:
            yield lead.rstrip()


def said(node: Node | None) -> object:
    """What a file says; of tables, their cells."""
    match node:
        case Scalar() if node.style == "block" and all(line.strip()[:1] in ("|", "") for line in node.text.split("\n")):
            rows = [[cell.strip().strip("-") for cell in line.split("|")] for line in node.text.split("\n")]
            return rows
        case Scalar():
            return node.text, node.style
        case MapNode():
            return [(entry.key.text, said(entry.value)) for entry in node.entries]
        case ListNode():
            return [said(item) for item in node.items]
    return None


def fault(path: str, text: str) -> str:
    """What is wrong with the layout of a file; "" for nothing. A file that cannot be read has none."""
    made = formatted(path, text)
    if isinstance(made, Diagnostic):
        node, problems = read(path, text)
        broken = node is None or any(problem.severity == "error" for problem in problems)
        return "" if broken else f"refused: {made.code} line {made.span.line}"
    if formatted(path, made) != made:
        return "another layout the second time"
    if said(read(path, text)[0]) != said(read(path, made)[0]):
        return "says something else"
    old, new = text.count("#"), made.count("#")
    return "" if old == new else "remarks lost"


def same_procedure(path: str, texts: dict[str, str]) -> bool:
    """Whether a spec makes the same procedure laid out and as it was, but for places."""
    made = {name: one if isinstance(one := formatted(name, text), str) else text for name, text in texts.items()}
    before, after = (link(MemorySources(these), path) for these in (texts, made))
    return _plain(before.procedure) == _plain(after.procedure)


def _plain(value: object) -> object:
    """A value without places."""
    match value:
        case Span():
            return None
        case tuple() | list() | frozenset() | set():
            return [_plain(each) for each in value]
        case Mapping():
            return [(key, _plain(each)) for key, each in value.items()]
    if is_dataclass(value):
        return type(value), [_plain(getattr(value, each.name)) for each in fields(value) if each.name != "lines"]
    return value


def drawn(count: int, seed: int = 40) -> Iterator[tuple[str, str]]:
    """Half of them shipped files rearranged, half of them written anew."""
    files = shipped()
    for number in range(count):
        draw = random.Random(f"{seed} {number}")
        if number % 2:
            path = draw.choice(sorted(files))
            yield path, rearranged(files[path], draw)
        else:
            yield f"specs/{number}.yaml", "\n".join(written(draw)) + "\n"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    read_well = refused = 0
    for path, text in drawn(count):
        refused += isinstance(formatted(path, text), Diagnostic)
        read_well += 1
        if wrong := fault(path, text):
            print(f"{path}: {wrong}\n{text[:2000]}")
            sys.exit(1)
    print(f"{read_well} files laid out, of them {refused} refused because they cannot be read")


if __name__ == "__main__":
    main()
