"""Where things lie: the checkout, its tests, data that some tests read where it is there; and the rooms."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DATA = ROOT.parent / "shared" / "data"
FAILING = ROOT.parent / "shared" / "failing"

# The rooms of the package from the top down: each imports from itself and from those after it.
ROOMS = (
    *(
        "cli",
        "studio",
        "lsp",
        "api",
        "index",
        "authoring",
        "studies",
        "ratings",
        "skills",
        "study",
        "evaluation",
        "publication",
        "export",
        "corpus",
        "batch",
        "runs",
    ),
    "law",
    *("models", "files", "wording"),
    *("checking", "engine", "templates", "norms", "figures", "binding", "language", "model"),
)

HANG = 600  # seconds after which something hangs, on the busiest machine
SPEC_FILES = tuple(file for file in sorted((ROOT / "specs").rglob("*.yaml")) if not file.name.endswith(".test.yaml"))
TOP_SPECS = tuple(file for file in SPEC_FILES if file.parent == ROOT / "specs")
