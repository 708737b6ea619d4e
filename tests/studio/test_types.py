"""The types of the pages in TypeScript are those of the responses in Python."""

from __future__ import annotations

import pytest
from make_studio_types import FILE, models, typed, written

from legalworld.model.frozen import FrozenModel
from legalworld.studio import responses, responses_assessed, responses_procedure, responses_run

MODULES = (responses, responses_run, responses_assessed, responses_procedure)


def test_the_file_is_what_the_script_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "run tests/support/make_studio_types.py"


def test_every_response_is_closed() -> None:
    found = [model for module in MODULES for model in models(module)]
    assert len(found) > 60
    for model in found:
        assert issubclass(model, FrozenModel) and model.model_config.get("extra") == "forbid"
        assert all(field.is_required() for field in model.model_fields.values()), f"{model.__name__}: every key is set"


@pytest.mark.parametrize("annotation", [set[str], object, dict[int, str], tuple[str, str]])
def test_a_type_that_javascript_has_not_is_refused(annotation: object) -> None:
    with pytest.raises(TypeError):
        typed(annotation)
