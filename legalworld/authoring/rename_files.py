"""Where a name stands in expert files beside a procedure: tests, rubrics, bindings, interventions, studies, ways.

What a word means is said by the place in the file's schema where it stands. A place that is not known here is not
guessed at: the word is told as one that nobody can be sure of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ..binding.file import BindingSurface
from ..evaluation.rubric.surfaces import RubricSurface
from ..language.schema import SkillSurface
from ..language.schema_of_tests import TEST_FILES, ProcedureTestSurface, TestFileSurface
from ..language.surface_reader import read_node
from ..language.surfaces import Shape, canonical, known_keys
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.source import Sources, Span
from ..studies.surfaces import StudySurface
from ..study.surfaces import InterventionsSurface
from .edits import Edit, Region
from .rename_templates import STAGE, TOLD, Elsewhere, NewName
from .ways import WaysSurface

_ROLE: Final = frozenset({"roles"})
_PEOPLE: Final = frozenset({"roles", "kinds"})
_CASE: Final = frozenset({"case"})
_DOCUMENT: Final = frozenset({"documents"})
_ANSWER: Final = frozenset({"answers"})
_OPTION: Final = frozenset({"options"})
_PLACE: Final = frozenset({"stages", "phases"})
_LEFT_OUT: Final = _PLACE | _OPTION

Said = Callable[[str, NewName], str | None]
"""What a text becomes by a change: itself where the name does not stand in it, None where nobody can tell."""


def _whole(sections: frozenset[str]) -> Said:
    """A text that is a name."""

    def said(text: str, wanted: NewName) -> str | None:
        if text != wanted.old or wanted.section not in sections:
            return text
        return None if wanted.is_kind and "kinds" in sections else wanted.new

    return said


def _place(text: str, wanted: NewName) -> str | None:
    """A place: `FIT/opening/identity`. A step's own name is none of those that are renamed."""
    words = text.split("/")
    slots = (frozenset({"stages"}), frozenset({"phases"}))
    made = [
        wanted.new if word == wanted.old and wanted.section in slot else word
        for word, slot in zip(words, slots, strict=False)
    ]
    return "/".join((*made, *words[2:]))


def _led(sections: frozenset[str], mark: str) -> Said:
    """A name with something behind a mark: `complaint@plaintiff`, `claims.text`."""

    def said(text: str, wanted: NewName) -> str | None:
        name, found, rest = text.partition(mark)
        return f"{wanted.new}{found}{rest}" if name == wanted.old and wanted.section in sections else text

    return said


def _label(text: str, wanted: NewName) -> str | None:
    """A row of the matrix: `claims`, `evidence other`, `minutes of FIT`."""
    words = text.split()
    if wanted.old in words[1:]:
        return None
    return text.replace(wanted.old, wanted.new, 1) if words[:1] == [wanted.old] and wanted.section in TOLD else text


def _ways(text: str, wanted: NewName) -> str | None:
    """Answers of a way: `agreed=yes; willing=yes`."""
    if wanted.section not in _ANSWER:
        return text
    return re.sub(rf"(^|;)(\s*){re.escape(wanted.old)}(?=\s*=)", rf"\1\2{wanted.new}", text)


def _without(text: str, wanted: NewName) -> str | None:
    """What a condition of a study is without: `full minus memory`."""
    whole, sign, less = text.partition(" minus ")
    if not sign or wanted.section not in _LEFT_OUT:
        return text
    return whole + sign + wanted.word.sub(wanted.new, less)


# What stands behind such a word of a rubric's sentence.
_BEHIND: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("field", "records", "topics"), _CASE),
    "document": _DOCUMENT,
    "answer": _ANSWER,
    "phases": frozenset({"phases"}),
    **dict.fromkeys(("in", "stages"), _PLACE),
    **dict.fromkeys(("by", "roles"), _PEOPLE),
    **dict.fromkeys(("section", "called", "windows", "items"), frozenset[str]()),
}
_WORD: Final = re.compile(r"[^\W\d]\w*|\S")


def _selection(text: str, wanted: NewName) -> str | None:
    """A sentence of a rubric: `turns by target in LC`, `field claims.text`, `records of questions of target`."""
    meant: frozenset[str] | None = None
    made, at, before = "", 0, ""
    for match in _WORD.finditer(text):
        word = match[0]
        if word == wanted.old and before not in (".", "'", '"'):
            if meant is None or (wanted.is_kind and meant is _PEOPLE):
                return None
            word = wanted.new if wanted.section in meant else word
        elif word in _BEHIND:
            meant = _BEHIND[word]
        elif word == "of":
            meant = _PEOPLE if before not in ("records", "topics") else _CASE
        made, at, before = made + text[at : match.start()] + word, match.end(), match[0]
    return made + text[at:]


def _prose(text: str, _: NewName) -> str | None:
    """Words for people, or names of the file's own."""
    return text


def _unknown(text: str, wanted: NewName) -> str | None:
    return None if wanted.stands_in(text) else text


# Surface, attribute, and whether it is the key of a mapping -> what stands there.
_SAID: Final[Mapping[tuple[str, str, bool], Said]] = {
    **{("ProcedureTestSurface", one, False): _prose for one in ("test", "case", "model", "seed")},
    **{("TestFileSurface", one, False): _prose for one in ("lw", "tests_of", "case")},
    **{(one, "target", False): _whole(_ROLE) for one in ("TestFileSurface", "ProcedureTestSurface")},
    **{(one, "options", True): _whole(_OPTION) for one in ("TestFileSurface", "ProcedureTestSurface")},
    **{(one, "options", False): _prose for one in ("TestFileSurface", "ProcedureTestSurface")},
    **{(one, "set", False): _prose for one in ("TestFileSurface", "ProcedureTestSurface")},
    ("ProcedureTestSurface", "without", False): _whole(_CASE),
    ("ProcedureTestSurface", "until", False): _place,
    ("ScriptedReplySurface", "who", False): _whole(_ROLE),
    ("ScriptedReplySurface", "at", False): _place,
    ("ScriptedReplySurface", "reply", False): _prose,
    ("ScriptedReplySurface", "answers", True): _whole(_ANSWER),
    ("ScriptedReplySurface", "answers", False): _prose,
    ("SightSurface", "who", False): _whole(_ROLE),
    ("SightSurface", "field", False): _label,
    ("SightSurface", "text", False): _prose,
    **{("SightSurface", one, False): _place for one in ("at", "since")},
    **{("ExpectSurface", one, False): _place for one in ("steps", "never_steps")},
    **{("ExpectSurface", one, False): _led(_DOCUMENT, "@") for one in ("documents", "no_documents")},
    **{("ExpectSurface", one, True): _led(_DOCUMENT, "@") for one in ("contains", "lacks")},
    **{("ExpectSurface", one, False): _prose for one in ("contains", "lacks", "answers", "outcome", "at_most")},
    **{("ExpectSurface", one, False): _prose for one in ("breaks", "keeps")},
    ("ExpectSurface", "answers", True): _whole(_ANSWER),
    **{("WaysSurface", one, False): _prose for one in ("lw", "snapshots", "case", "options", "set")},
    ("WaysSurface", "options", True): _whole(_OPTION),
    ("WaysSurface", "ways", True): _whole(_ROLE),
    ("WaysSurface", "ways", False): _ways,
    ("WaysSurface", "unexplored", False): _whole(_ROLE),
    **{("BindingSurface", one, False): _prose for one in ("lw", "binding", "title", "procedure", "records", "id")},
    **{("BindingSurface", one, False): _prose for one in ("called", "detect", "missing", "tell", "shapes", "refuse")},
    ("BindingSurface", "may_lack", False): _led(_CASE, "."),
    ("BindingSurface", "fields", True): _whole(_CASE),
    ("BindingSurface", "begun_at", True): _whole(STAGE),
    ("BindingSurface", "merge", False): _prose,
    **{("RubricSurface", one, False): _prose for one in ("lw", "rubric", "title", "source", "for_", "pairs", "notes")},
    **{("RubricSurface", one, False): _prose for one in ("grader", "groups", "passes", "needs", "themes")},
    **{("RubricSurface", one, True): _prose for one in ("grader", "scales", "asks", "measures", "groups", "formulas")},
    **{("RubricSurface", one, True): _prose for one in ("passes", "themes")},
    **{("ScaleSurface", one, key): _prose for one in ("range", "choices", "anchors") for key in (True, False)},
    **{("MetricSurface", one, False): _prose for one in ("title", "scale", "asks")},
    **{
        (surface, one, False): said
        for surface in ("AskSurface", "MeasureSurface")
        for one, said in {
            **dict.fromkeys(("title", "missing", "prompt", "together", "rule", "only"), _prose),
            **dict.fromkeys(("each", "from_", "against", "beside"), _selection),
            "stages": _whole(STAGE),
        }.items()
    },
    **{(surface, "only", True): _prose for surface in ("AskSurface", "MeasureSurface")},
    ("AskSurface", "metrics", True): _prose,
    ("DeedSurface", "stage", False): _whole(STAGE),
    **{("DeedSurface", one, False): _prose for one in ("item", "says", "naming", "after")},
    ("DeedSurface", "answered_by", False): _whole(_PEOPLE),
    **{("CapSurface", one, False): _prose for one in ("metric", "at_most", "when")},
    **{
        (surface, one, False): _prose
        for surface in ("FormulaSurface", "ColumnSurface", "ScoreTableSurface")
        for one in ("title", "is_", "range", "better", "shown", "group", "spread", "formulas", "heads", "table")
    },
    **{
        ("InterventionsSurface", one, False): _prose
        for one in ("lw", "interventions", "title", "source", "for_", "notes", "against")
    },
    ("InterventionsSurface", "qualities", True): _prose,
    ("InterventionsSurface", "documents", True): _whole(_DOCUMENT),
    ("ReplacedSurface", "stages", False): _whole(STAGE),
    ("ReplacedSurface", "qualities", True): _prose,
    **{("QualitySurface", one, False): _prose for one in ("title", "on_demand")},
    ("MakingSurface", "template", False): _prose,
    **{("ChangeSurface", one, False): _prose for one in ("delete", "write", "with_", "swap")},
    ("SkillSurface", "who", False): _whole(_PEOPLE),
    ("SkillSurface", "stages", False): _whole(STAGE),
    **{
        ("SkillSurface", one, False): _prose
        for one in ("lw", "skill", "title", "trigger", "acts", "task", "checklist", "output", "tools", "body")
    },
    **{("StudySurface", one, False): _prose for one in ("lw", "study", "title", "source", "models")},
    **{("StudySurface", one, True): _prose for one in ("models", "cases", "conditions", "scoring", "tables")},
    **{
        ("StudyConditionSurface", one, False): _prose
        for one in (
            *("title", "extends", "procedure", "cases", "model", "models", "others", "options", "parameters"),
            *("profile", "quality", "seeds", "each", "needs"),
        )
    },
    **{("StudyConditionSurface", one, True): _prose for one in ("parameters", "each")},
    **{("StudyConditionSurface", one, False): _whole(_ROLE) for one in ("target", "replaces")},
    ("StudyConditionSurface", "models", True): _whole(_ROLE),
    ("StudyConditionSurface", "options", True): _whole(_OPTION),
    ("StudyConditionSurface", "document", False): _whole(_DOCUMENT),
    ("StudyConditionSurface", "minus", False): _whole(_LEFT_OUT),
    ("StudyConditionSurface", "as_", False): _without,
    **{
        (surface, one, False): _prose
        for surface in ("CaseSetSurface", "StudyScoringSurface", "StudyRowSurface", "PrintedSurface")
        for one in (
            *("from_", "binding", "part_of", "without", "only", "sample", "join", "cluster", "expect", "needs"),
            *("rubric", "grader", "repeats", "sheets", "of", "row", "group", "each", "unit", "value", "label"),
            *("labels", "source", "columns", "values", "doubtful"),
        )
    },
    **{
        (surface, one, False): _prose
        for surface in ("StudyTableSurface", "StudyColumnSurface")
        for one in (
            *("title", "like", "replacing", "of", "of_cases", "only", "base", "average_over", "rows", "best"),
            *("compare", "family", "draw", "needs", "column", "value", "mean_of", "from_table", "line"),
            *("statistic", "share_of", "digits"),
        )
    },
    ("StudyColumnSurface", "stages", False): _whole(STAGE),
}

# The folder of a kind of file -> its schema, and the key that names its procedures ("" where it is said otherwise).
_KINDS: Final[Mapping[str, tuple[type, str]]] = {
    "bindings": (BindingSurface, "procedure"),
    "rubrics": (RubricSurface, "for"),
    "interventions": (InterventionsSurface, "for"),
    "snapshots": (WaysSurface, "snapshots"),
    "studies": (StudySurface, ""),
    "skills": (SkillSurface, ""),
}
FOLDERS: Final = ("bindings", "rubrics", "interventions", "snapshots", "studies", "skills")
MODELS: Final = "models.yaml"
_TESTS: Final = (TestFileSurface, "tests of")
_YAML: Final = (".yaml", ".yml")


def in_file(sources: Sources, path: str, wanted: NewName) -> Elsewhere:
    """The name in an expert file of another kind than procedures and templates."""
    model = _of(path)[0]
    node, problems = read_node(sources, path)[:2]
    if node is None or any(problem.severity == "error" for problem in problems):
        return Elsewhere(unsure=(Span(path, 1, 1),))
    placed = _placed(model, node) if model is not None else ((scalar, _unknown) for scalar in _scalars(node))
    return _found(placed, wanted)


def _of(path: str) -> tuple[type | None, str]:
    """The schema of a file, and the key that names its procedures. Sets of models are for procedures of any name."""
    return _TESTS if path.endswith(TEST_FILES) else _KINDS.get(path.split("/")[0], (None, ""))


def in_tests_of(sources: Sources, path: str, wanted: NewName) -> Elsewhere:
    """The name in the tests that stand in a spec."""
    node = read_node(sources, path)[0] if path.endswith(_YAML) else None
    entries = node.entries if isinstance(node, MapNode) else ()
    lists = (entry.value for entry in entries if canonical(entry.key.text) == "tests")
    tests = [item for found in lists if isinstance(found, ListNode) for item in found.items]
    return _found((one for test in tests for one in _placed(ProcedureTestSurface, test)), wanted)


def _found(placed: Iterable[tuple[Scalar, Said]], wanted: NewName) -> Elsewhere:
    edits, unsure = dict[Region, Edit](), []
    for scalar, said in placed:
        new = said(scalar.text, wanted)
        plain = scalar.span.length == len(scalar.text)  # no escapes, on one line
        if new is None or (new != scalar.text and not plain):
            unsure.append(scalar.span)
        elif new != scalar.text:
            edits[Region.of(scalar.span)] = Edit(Region.of(scalar.span), new)
    return Elsewhere(tuple(edits.values()), "", tuple(unsure))


def procedures_of(sources: Sources, path: str) -> tuple[str, ...] | None:
    """The names of the procedures that a file says it is for; None where it says none."""
    key = _of(path)[1]
    node = read_node(sources, path)[0]
    if path.endswith(TEST_FILES):
        beside = path.rpartition("/")[2].partition(".test.")[0]
        return _named(node, key) or (beside,)
    if path.startswith("studies/"):
        return tuple(_below(node, "procedure")) or None
    return _named(node, key) or None


def _named(node: Node | None, key: str) -> tuple[str, ...]:
    for entry in node.entries if isinstance(node, MapNode) else ():
        if key and canonical(entry.key.text) == key:
            items = entry.value.items if isinstance(entry.value, ListNode) else (entry.value,)
            return tuple(item.text for item in items if isinstance(item, Scalar))
    return ()


def _below(node: Node | None, key: str) -> Iterator[str]:
    for entry in node.entries if isinstance(node, MapNode) else ():
        if canonical(entry.key.text) == key:
            yield from (one.text for one in _scalars(entry.value))
        yield from _below(entry.value, key)


# ---- the words of a file, each with what stands there ----------------------------------------------------------------


def _placed(model: type, node: Node) -> Iterator[tuple[Scalar, Said]]:
    """The keys and values of a mapping that is read as a surface."""
    known, name = known_keys(model), model.__name__
    if not isinstance(node, MapNode):
        short = model.SHORT  # type: ignore[attr-defined]
        yield from ((scalar, _SAID.get((name, short, False), _unknown)) for scalar in _scalars(node))
        return
    for entry in node.entries:
        attribute = known.writable.get(canonical(entry.key.text).replace(" ", "_"))
        if attribute is None:
            yield from ((scalar, _unknown) for scalar in (entry.key, *_scalars(entry.value)))
            continue
        yield from _shaped(known.shapes[attribute], entry.value, (name, attribute))


def _shaped(shape: Shape, node: Node, at: tuple[str, str]) -> Iterator[tuple[Scalar, Said]]:
    said, key = _SAID.get((*at, False), _unknown), _SAID.get((*at, True), _unknown)
    if shape.kind == "surface":
        yield from _placed(shape.model, node)
    elif shape.kind == "list" and shape.of is not None:
        for item in node.items if isinstance(node, ListNode) else (node,):
            yield from _shaped(shape.of, item, at)
    elif shape.kind in ("mapping", "names") and isinstance(node, MapNode):
        for entry in node.entries:
            yield entry.key, key
            yield from _shaped(shape.of or Shape("text"), entry.value, at)
    elif shape.kind == "node":
        yield from _free(node, at, key)
    else:
        yield from ((scalar, said) for scalar in _scalars(node))


def _free(node: Node, at: tuple[str, str], key: Said) -> Iterator[tuple[Scalar, Said]]:
    """What has a shape of its own: the rules of a binding by field, and by stage and field."""
    if at == ("BindingSurface", "begun_at") and isinstance(node, MapNode):
        for entry in node.entries:
            yield entry.key, key
            yield from _free(entry.value, ("BindingSurface", "fields"), _SAID["BindingSurface", "fields", True])
    elif at == ("BindingSurface", "fields") and isinstance(node, MapNode):
        for entry in node.entries:
            yield entry.key, key
    else:
        said = _SAID.get((*at, False), _unknown)
        yield from ((scalar, said) for scalar in _scalars(node))


def _scalars(node: Node) -> Iterator[Scalar]:
    """All keys and values below a node."""
    match node:
        case Scalar():
            yield node
        case ListNode(items):
            for item in items:
                yield from _scalars(item)
        case MapNode(entries):
            for entry in entries:
                yield entry.key
                yield from _scalars(entry.value)
