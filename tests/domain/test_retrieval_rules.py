"""Rules of retrieval from a configuration."""

from __future__ import annotations

import pytest

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, rules_from


def test_what_is_not_named_keeps_its_default() -> None:
    assert rules_from({}, "a.toml") == DEFAULT_RULES
    assert rules_from({"candidates": 7}, "a.toml").looked_at == DEFAULT_RULES.looked_at


def test_nothing_needs_to_be_looked_at_closely() -> None:
    assert rules_from({"looked_at": 0, "late_share": 0.0}, "a.toml").looked_at == 0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"colour": 1}, "“colour”"),
        ({"candidates": 0}, "whole number"),
        ({"candidates": True}, "whole number"),
        ({"dense_share": 1.5}, "from 0 to 1"),
        ({"late_share": -0.1}, "from 0 to 1"),
        ({"looked_at": 501}, "from 0 to 500"),
        ({"rrf_k": "many"}, "whole number"),
        ({"score_weight": float("nan")}, "from 0"),
    ],
)
def test_what_makes_no_sense_is_named(values: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        rules_from(values, "a.toml")
    assert "a.toml" in caught.value.message
