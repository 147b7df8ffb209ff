"""What a server says, and what of it may be written down."""

from typing import Any

import pytest

from agentv_py.models.redaction import redact_key, redact_keys, redact_message

_PROMPT = "The password is swordfish, the other one p@$$!\nThe PIN is 4711. Müller wrote of a limit, a length, a model."


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("invalid value: swordfish", "invalid value: [redacted]"),
        ("Invalid value: 'SWORDFISH'.", "Invalid value: '[redacted]'."),
        ("you sent pin=4711;", "you sent [redacted];"),
        ("bad word p@$$!", "bad word [redacted]"),
        ("bad word (swordf…)", "bad word ([redacted]…)"),
        ("user müller is unknown", "user [redacted] is unknown"),
        ("swordfish, 4711 and swordfish", "[redacted] and [redacted]"),
        ("The model's length limit is 4096 tokens", "The model's length limit is 4096 tokens"),
        ("no such model: swordfish-2", "no such model: swordfish-2"),
    ],
)
def test_no_word_of_the_prompt_is_repeated_but_those_that_errors_are_made_of(said: str, written: str) -> None:
    model = "swordfish-2" if "swordfish-2" in said else "tester"
    assert redact_message(said, None, _PROMPT, model) == written


@pytest.mark.parametrize(
    ("key", "said", "written"),
    [
        ("abc", "wrong key abc", "wrong key [redacted]"),
        ("abc", "the abcissa", "the abcissa"),
        ("k-1.x", "Bearer k-1.x is wrong", "[redacted] is wrong"),
        ("sk-0123456789", "key sk-01234…6789 is wrong", "key [redacted]…6789 is wrong"),
        ("x", "x is wrong", "x is wrong"),
    ],
)
def test_a_key_is_never_repeated_be_it_short_or_masked(key: str, said: str, written: str) -> None:
    assert redact_message(said, key, "") == written


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"reasoning": "it is abc", "score": 1.0}, {"reasoning": "it is [redacted]", "score": 1.0}),
        ({"items": {"abc": {"met": True, "reasoning": "abc"}}}, {"items": {"abc": {"met": True, "reasoning": "[redacted]"}}}),
    ],
)  # fmt: skip
def test_a_model_s_answer_keeps_its_names_and_loses_the_key(said: Any, kept: Any) -> None:
    assert redact_key(said, "abc") == kept


@pytest.mark.parametrize(
    "said",
    [
        'a b/ü&"',
        "a%20b%2F%C3%BC%26%22",
        "a%20b/%C3%BC%26%22",
        "a+b%2F%C3%BC%26%22",
        "a%20b/%C3%BC&%22",
        'a b/\\u00fc&\\"',
        'a b/ü&\\"',
    ],
)
def test_a_key_is_redacted_in_every_spelling(said: str) -> None:
    assert redact_keys({said: [f"x {said} y"]}, ['a b/ü&"', "other"]) == {"[redacted]": ["x [redacted] y"]}
