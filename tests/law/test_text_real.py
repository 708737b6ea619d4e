"""The parsers on real records, where they are: what `bench/text.py` measures does not get worse."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from places import ROOT

DATA = ROOT.parent / "shared" / "data"
WITHOUT = "the records (../shared/data) are not on this machine; nothing of them is in the project"
ASK = """
import json
from bench.text import measures
print(json.dumps({one.what: [one.recall, one.precision, one.there] for one in measures()}))
"""

# The fields that say something else than the judgment are listed in legalworld/law/text/README.md.
LEAST = {"SimCourt fine": 0.75, "SimCourt charge": 0.65}


@pytest.mark.skipif(not DATA.is_dir(), reason=WITHOUT)
def test_the_parsers_agree_with_the_fields_of_real_records() -> None:
    done = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 13
    worse = {what: row for what, row in found.items() if min(row[:2]) < LEAST.get(what, 0.98) or not row[2]}
    assert worse == {}


def test_without_records_the_bench_says_so() -> None:
    code = "import bench.text as text\nfrom pathlib import Path\ntext.DATA = Path('nowhere')\ntext.main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "skipped" in done.stdout
    assert WITHOUT in done.stderr
