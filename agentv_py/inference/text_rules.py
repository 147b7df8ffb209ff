"""Texts → their comparator: exact for codes and choices, name for people and companies, fuzzy for the rest."""

from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion, build_suggestion, count_values
from agentv_py.inference.values import are_codes, are_contacts, are_phones, count_words, have_letters
from agentv_py.inference.words import (
    ADDRESSES,
    CATEGORIES,
    GIVEN_NAMES,
    IDENTIFIERS,
    PARTIES,
    PHONES,
    PROSE,
    THINGS,
    describe_code_name,
    last_word,
    singular_words,
    split_name,
)

_FEW_VALUES = 12
_TIMES_EACH = 5
_CHOICE_WORDS = 2
_PARTY_WORDS = 8
_PROSE_WORDS = 4
_LINKS = ("e-mail or web address", "e-mail or web addresses")
_MARKS_OF_PHONES = ["+", " ", "-", "(", ")", "/", "."]


def phone(place: Profile) -> Suggestion | None:
    """Telephone numbers, under such a name: the digits count, the marks between them do not."""
    if not place.is_of("text") or last_word(place.name) not in PHONES or (place.texts and not are_phones(place.texts)):
        return None
    reason = "telephone numbers: their digits count"
    return build_suggestion("phone", reason, match="numeric", strip=list(_MARKS_OF_PHONES))


def contact(place: Profile) -> Suggestion | None:
    """E-mail and web addresses, perhaps among telephone numbers."""
    if place.texts and place.is_of("text") and are_contacts(place.texts):
        nouns = ("contact", "contacts") if any(map(are_phones, ([text] for text in place.texts))) else _LINKS
        return build_suggestion("contact", count_values(place, *nouns), match="exact")
    return None


def category(place: Profile) -> Suggestion | None:
    """Short texts under the name of a choice, such as status or gender."""
    if not place.is_of("text") or last_word(place.name) not in CATEGORIES or count_words(place.texts) > _CHOICE_WORDS:
        return None
    return build_suggestion("category", f"{place.name!r} is a choice", match="exact")


def party(place: Profile) -> Suggestion | None:
    """Texts under the word for a person or a company, such as vendor."""
    if (
        place.is_of("text")
        and not PARTIES.isdisjoint(singular_words(place.name)[-1:])
        and count_words(place.texts) <= _PARTY_WORDS
    ):
        return build_suggestion("party", f"{place.name!r} is a person or a company", match="name")
    return None


def few_values(place: Profile) -> Suggestion | None:
    """At most 12 different short texts, each seen 5 times on average."""
    values = place.texts
    if not place.is_of("text") or not place.has_all_texts or not 1 < len(values) <= _FEW_VALUES:
        return None
    if place.count < _TIMES_EACH * len(values) or count_words(values) > _CHOICE_WORDS:
        return None
    return build_suggestion("few_values", f"{len(values)} different values in {place.count:,}", match="exact")


def code(place: Profile) -> Suggestion | None:
    """Texts that look like codes, or whose name ends like that of a code."""
    if not place.is_of("text", "integer"):
        return None
    is_named = last_word(place.name) in IDENTIFIERS
    if place.texts and not are_codes(place.texts):
        is_named = is_named and count_words(place.texts) <= _CHOICE_WORDS  # "see the attached invoice" is no number
        if not is_named:
            return None
    elif not place.texts and not is_named:
        return None
    looks = "looks like a code" if have_letters(place.texts) else "digits and marks"
    distinct = ", all different" if place.has_all_texts and 1 < place.count == len(place.texts) else ""
    return build_suggestion("code", (describe_code_name(place.name) if is_named else looks) + distinct, match="exact")


def name(place: Profile) -> Suggestion | None:
    """Names of people and companies; the name of a product, a file or a test is another text."""
    if not place.is_of("text"):
        return None
    words = split_name(place.name)
    if words[-1:] == ("name",) and _is_name_of_party(place):
        return build_suggestion("name", "the name of a person or a company", match="name")
    if words and words[-1] in GIVEN_NAMES:
        return build_suggestion("name", f"{place.name!r} is part of a person's name", match="name")
    return None


def address(place: Profile) -> Suggestion | None:
    """Texts under the word for an address: each digit and each word counts, so no words may be left out."""
    if place.is_of("text") and last_word(place.name) in ADDRESSES:
        return build_suggestion("address", "an address, where every word counts", match="fuzzy")
    return None


def prose(place: Profile) -> Suggestion | None:
    """Texts of 4 words or more, or under the name of prose, such as description."""
    if not place.is_of("text"):
        return None
    words = count_words(place.texts)
    if words < _PROSE_WORDS and last_word(place.name) not in PROSE:
        return None
    reason = f"texts of {words:.0f} words" if words >= _PROSE_WORDS else f"{place.name!r} is prose"
    return build_suggestion("prose", reason, match="fuzzy", algorithm="token_set")


def short_text(place: Profile) -> Suggestion | None:
    """Any other text."""
    return (
        build_suggestion("short_text", count_values(place, "short text" if place.count else "text"), match="fuzzy")
        if place.is_of("text")
        else None
    )


def _is_name_of_party(place: Profile) -> bool:
    words = singular_words(place.name)[:-1]
    if words and words[-1] in _PARTS_OF_NAME:
        return True
    before = [word for word in words if word not in _KINDS_OF_NAME]
    owner = before or singular_words(place.parent)
    if not PARTIES.isdisjoint(owner):
        return True
    if not owner:
        return not place.in_row
    return not before and not place.in_row and THINGS.isdisjoint(owner)


_PARTS_OF_NAME = frozenset({"full", "first", "last", "middle", "given", "family", "legal"})
"""What only a person's or a company's name has."""
_KINDS_OF_NAME = frozenset({"trade", "business", "display", "common"})
