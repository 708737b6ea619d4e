"""The documents: every example in them is held against the language, every worked-out part is as it should be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from legalworld import keywords, schema
from legalworld.checker import check
from legalworld.diagnostics import catalogue
from legalworld.files import Disk
from legalworld.parser import Parser
from legalworld.procedure import Procedure, steps_of
from legalworld.reader import read
from legalworld.schema import PersonaSurface, load
from legalworld.source import MemorySources, Span
from legalworld.templates import TemplateSet

import make_docs as make  # isort: skip

BLOCKS = make.blocks(make.LANGUAGE)
SHELF = make.Shelf.of(BLOCKS)
PAGES = sorted([*make.ROOT.glob("*.md"), *make.DOCS.glob("*.md"), make.ROOT / "prompts" / "README.md"])
KINDS = {
    "yaml": {"spec", "piece", "steps", "case", "broken", "persona"},
    "lw": set(),
    "text": {"record"},
    "jinja": {"form"},
    "replies": set(),
}


def of_kind(*kinds: str) -> list[object]:
    found = [block for block in BLOCKS if block.info[:1] == ("yaml",) and block.info[1] in kinds]
    return [pytest.param(block, id=f"{block.line}") for block in found]


# ---- docs/language.md ------------------------------------------------------------------------------------------------


def test_every_block_is_one_that_is_checked() -> None:
    for block in BLOCKS:
        assert block.info and block.info[0] in KINDS, f"{block.place}: what is ```{' '.join(block.info)}?"
        known = KINDS[block.info[0]]
        assert block.info[0] in ("lw", "replies") or block.info[1] in known, f"{block.place}: {block.info}"


@pytest.mark.parametrize("block", of_kind("spec", "piece", "steps"))
def test_specs_link(block: make.Block) -> None:
    found = make.linked(SHELF.framed(block))
    assert [make.complaint(problem) for problem in found.problems] == [], block.place


@pytest.mark.parametrize("block", of_kind("spec"))
def test_whole_specs_pass_the_check(block: make.Block) -> None:
    """With the prompts that the project comes with, and nothing to remark."""
    procedure = linked(block.body)
    templates = TemplateSet(Shared({make.SPEC: block.body}), procedure=procedure.name)
    assert [make.complaint(problem) for problem in check(procedure, templates)] == [], block.place


class Shared(MemorySources):
    """Texts of one's own before the files of the project."""

    def read(self, path: str) -> str | None:
        own = super().read(path)
        return PROJECT.read(path) if own is None else own

    def names(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted({*super().names(folder), *PROJECT.names(folder)}))


PROJECT = Disk(make.ROOT)


def linked(text: str) -> Procedure:
    procedure = make.linked(text).procedure
    assert procedure is not None
    return procedure


@pytest.mark.parametrize("block", of_kind("broken"))
def test_mistakes_are_the_ones_named(block: make.Block) -> None:
    found = make.linked(SHELF.framed(block))
    assert [problem.code for problem in found.problems] == [block.info[2]], block.place


def test_personas() -> None:
    for block in (block for block in BLOCKS if block.info == ("yaml", "persona")):
        node, problems = read("personas/lcpf.yaml", block.body)
        assert node is not None and not problems, block.place
        assert load(PersonaSurface, node)[1] == (), block.place


def names_of(procedure: Procedure) -> list[str]:
    """All names a spec declares, in the order of its sections."""
    roles = [role.id for role in procedure.roles.values()]
    choices = [choice for option in procedure.options.values() for choice in option.choices]
    phases = [phase.id for stage in procedure.stages for phase in stage.phases if phase.id]
    stages = [stage.id for stage in procedure.stages]
    answers = list(procedure.answers)
    return [
        *(*procedure.fields, *procedure.kinds, *roles, *procedure.options, *choices, *procedure.documents),
        *(*stages, *phases, *answers),
    ]


def chinese_names() -> dict[str, str]:
    """Chinese name -> English name, from the two whole examples, and of what only the frame names."""
    english, chinese = linked(SHELF.spec("english")), linked(SHELF.spec("chinese"))
    pairs = dict(zip(names_of(chinese), names_of(english), strict=True))
    return {**pairs, "庭审": "hearing", "价款": "price", "争点": "disputes", "理由": "reason"}


def test_the_two_whole_examples_are_one_procedure() -> None:
    names = chinese_names()
    english, chinese = linked(SHELF.spec("english")), linked(SHELF.spec("chinese"))
    for part in ("title", "law", "kinds", "roles", "targets", "fields", "documents", "answers", "options", "grants"):
        assert make.shape(getattr(chinese, part), names) == make.shape(getattr(english, part), names), part
    assert make.shape(chinese.stages, names) == make.shape(english.stages, names)
    assert chinese.tokens == english.tokens


LINES = [
    pytest.param(block.info[1], line, id=f"{block.line + number}")
    for block in BLOCKS
    if block.info[:1] == ("lw",)
    for number, line in enumerate(block.body.splitlines())
]


@pytest.mark.parametrize(("kind", "line"), LINES)
def test_both_languages_say_the_same(kind: str, line: str) -> None:
    english, bar, chinese = line.partition("|")
    assert bar, line
    names = chinese_names()
    declared = {*names, *names.values(), "item", "claim", "party", "target", "opponent", "price", "reason"}
    parser = Parser(declared)
    trees = []
    for words in (english.strip(), chinese.strip()):
        node, problems = getattr(parser, kind)(words, Span("doc", 1, 1))
        assert problems == (), f"{words}: {[make.complaint(problem) for problem in problems]}"
        trees.append(make.shape(node, names))
    assert trees[0] == trees[1], line


def test_every_key_and_keyword_is_explained() -> None:
    """In the text itself, not only in the tables at the end."""
    text = make.LANGUAGE.read_text("utf-8").partition("## 附录一")[0]
    keys = {key.replace("_", " ") for _, model in make._LEVELS for key in schema.attributes(model)}
    keys -= {"head", "cue", "body", "arguments", "top p", "max tokens"}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", text)] == []
    first = {words.en[0] for kind, words in keywords.KEYWORDS.items() if words.en and kind in keywords.VERBS}
    assert [word for word in sorted(first) if word not in text] == []


def test_steps_of_the_example_use_every_verb() -> None:
    kinds = {type(step).__name__ for block in BLOCKS if block.info[:2] in (("yaml", "spec"), ("yaml", "steps"))
             for stage in linked(SHELF.framed(block)).stages for step in steps_of(stage)}
    assert {"Speak", "Moderate", "Converse", "Draft", "Assign", "ForEach", "If", "End"} <= kinds


# ---- what is worked out ----------------------------------------------------------------------------------------------


def test_worked_out_parts_are_up_to_date() -> None:
    if make.BLESS:
        make.main()
    stale = {path.name: text for path, text in make.outdated()}
    for path, made in make.FILES:
        if path.name in stale:
            assert path.read_text("utf-8") == made(), f"{path.name}: run python -m tests.make_docs (or make bless)"


def test_every_code_has_its_page() -> None:
    text = make.ERRORS.read_text("utf-8")
    assert [code for code in sorted(catalogue()) if f"\n### {code}\n" not in text] == []


# ---- links -----------------------------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith(("http:", "https:")):
            continue
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page.name}: {target}"
