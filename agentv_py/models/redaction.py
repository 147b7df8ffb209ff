"""Text from a server or a judge → the same text without secrets: keys, and the words of the prompt."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus

REDACTED = "[redacted]"

# A real key is longer than two letters; a placeholder such as `x` may be part of any text.
_SHORTEST_KEY = 3
# A shorter key may be part of any word, so it is redacted as a whole word only.
_SHORTEST_UNMISTAKABLE_KEY = 6
# A run of this many letters that also occurs in the key or the prompt was copied from there.
_SHORTEST_COPY_OF_KEY = 5
_SHORTEST_COPY_OF_PROMPT = 16
_LONGEST_MESSAGE = 300
# What clients leave as it is in an address: nothing, paths, reserved letters, all that a path or a query may hold.
_LEFT_IN_ADDRESSES = (
    "",
    "/",
    "!#$%&'()*+,/:;=?@[]~",
    "!$%&'()*+,-./:;=@[\\]^_|~",
    "!$%&'()*+,-./:;=?@[\\]^_`{|}~",
)
_SHORTEST_WORD = 3

_WORDS = (r"[^\s\"'`(){}\[\],;:.]+", r"\w+")
_REPEATED = rf"{re.escape(REDACTED)}(?:\W*{re.escape(REDACTED)})+"

# The vocabulary of error messages. Any other word that also occurs in the prompt may be a password.
_COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    access account again allowed and answer any api are argument authentication authorization available bad been between
    billing body but can cannot character characters chat check client code completion completions connect connection
    contact content context could current data default deployment deprecated detail details did does docs embedding
    embeddings empty end endpoint engine error exceed exceeded exceeds exist expected expired failed false field
    forbidden for format found free from gateway got greater had has have header help high host however http https
    incorrect input instead internal invalid its json json_schema key keys large least length less limit limits list
    long longer malformed many max max_tokens maximum message messages method minimum minute missing model models more
    must name not null number object one only organization other out over overloaded parameter parse payment per
    permission plan please prompt property provide provided quota rate reached reason reduce refused rejected request
    requested requests required reset resource response response_format retry role schema second seconds see sent server
    service should size slow status string such support supported system temperature text than that the them then there
    this time timed timeout token tokens too total true try two type unable unauthorized unavailable unexpected unknown
    unsupported upstream url usage use used user valid validation value values was were while will with word you your
    """,
    )
)


def redact_key(value: Any, key: str | None, *, in_names: bool = False) -> Any:
    """Redact the key from every text of a JSON value; from names of objects only if no schema gives them."""
    if key is None or len(key) < _SHORTEST_KEY:
        return value
    if isinstance(value, str):
        if len(key) >= _SHORTEST_UNMISTAKABLE_KEY:
            return value.replace(key, REDACTED)
        return re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", REDACTED, value)
    if isinstance(value, dict):
        return {
            redact_key(name, key) if in_names else name: redact_key(item, key, in_names=in_names)
            for name, item in value.items()
        }
    return [redact_key(item, key, in_names=in_names) for item in value] if isinstance(value, list) else value


def redact_keys(value: Any, keys: Sequence[str]) -> Any:
    """Redact several keys, also from the names of objects. One key may be a part of another."""
    for key in _list_spellings(tuple(keys)):
        value = redact_key(value, key, in_names=True)
    return value


@lru_cache(maxsize=256)
def _list_spellings(keys: tuple[str, ...]) -> list[str]:
    """Return each key as it is, as a part of an address and as a part of JSON; the longest spelling first."""
    spellings = set(keys)
    for key in keys:
        spellings.update(quote(key, safe=letters) for letters in _LEFT_IN_ADDRESSES)
        spellings.update((quote_plus(key), json.dumps(key)[1:-1], json.dumps(key, ensure_ascii=False)[1:-1]))
    return sorted(spellings, key=len, reverse=True)


def redact_cut_key(text: str, keys: Sequence[str]) -> str:
    """Redact a text whose beginning was cut off: it may begin with the end of a key."""
    text = text.lstrip("\ufffd")  # the rest of a letter that was cut
    ends = (length for key in keys for length in range(len(key) - 1, 0, -1) if text.startswith(key[-length:]))
    return text[max(ends, default=0) :]


def redact_message(message: str, key: str | None, prompt: str, model: str = "") -> str:
    """Shorten a server's error message to one line, and redact the key and the words of the prompt in it.

    The name of a model is no secret, and often the cause of the error.
    """
    public = _COMMON_WORDS.union(*(re.findall(words, model.casefold()) for words in _WORDS))
    text = " ".join(message[: 10 * _LONGEST_MESSAGE].split())
    text = redact_key(text, f"Bearer {key}" if key else None)
    text = _redact_copies(redact_key(text, key), key or "", _SHORTEST_COPY_OF_KEY)
    text = _redact_copies(text, " ".join(prompt.split()), _SHORTEST_COPY_OF_PROMPT)
    for words in _WORDS:
        text = _redact_words(text, words, prompt.casefold(), public)
    text = re.sub(_REPEATED, REDACTED, text)
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"


def _redact_words(text: str, words: str, prompt: str, public: frozenset[str]) -> str:
    """Redact the words that also occur in the prompt, even as a part of a longer word."""

    def redact(match: "re.Match[str]") -> str:
        word = match[0].casefold()
        is_private = len(word) >= _SHORTEST_WORD and word not in public and word in prompt
        return REDACTED if is_private else match[0]

    return REDACTED.join(re.sub(words, redact, part) for part in text.split(REDACTED))


def _redact_copies(text: str, original: str, shortest: int) -> str:
    parts, start = list[str](), 0
    while start < len(text):
        length = shortest
        while start + length <= len(text) and text[start : start + length] in original:
            length += 1
        if length > shortest:
            parts.append(REDACTED)
            start += length - 1
        else:
            parts.append(text[start])
            start += 1
    return "".join(parts)
