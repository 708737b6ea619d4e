"""What somebody has just written himself is not told him again; a few words that stand in a reply by chance are."""

from __future__ import annotations

import pytest

from legalworld.engine.disclosure import SHORT, _said


@pytest.mark.parametrize("length", range(SHORT - 3, SHORT + 4))
@pytest.mark.parametrize("parts", [1, 2, 3])
def test_only_what_is_long_enough_is_known_by_its_words_alone(length: int, parts: int) -> None:
    """A text, or the items of a list together; a short one counts where an answer ends with it."""
    texts = ["甲乙丙"[number] * (length // parts + (number < length % parts)) for number in range(parts)]
    value = texts[0] if parts == 1 else tuple(texts)
    assert _said(f"我认为，{'；'.join(texts)}，就是这样。", value) == (length >= SHORT)
    assert _said(f"【意见：{'；'.join(texts)}】", value)
    assert not _said(f"【意见：{'；'.join(texts[:-1])}】", value)
