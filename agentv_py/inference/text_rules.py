"""Texts → their comparator: exact for codes and choices, name for people and companies, fuzzy for the rest."""

from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion, build_suggestion, count_values, describe_reach
from agentv_py.inference.values import (
    are_codes,
    are_contacts,
    are_identifiers,
    are_phones,
    count_words,
    find_median_words,
    have_joined_words,
    have_letters,
)
from agentv_py.inference.words import (
    ADDRESSES,
    CATEGORIES,
    CONTACTS,
    FUNCTIONS,
    GIVEN_NAMES,
    IDENTIFIERS,
    PARTIES,
    PHONES,
    PROSE,
    THINGS,
    describe_code_name,
    is_called,
    last_word,
    singular_words,
    split_name,
)

_FEW_VALUES = 12
_TIMES_EACH = 5
_CHOICE_WORDS = 2
_PARTY_WORDS = 8
_PROSE_WORDS = 6
_LINKS = ("e-mail or web address", "e-mail or web addresses")
_MARKS_OF_PHONES = ["+", " ", "-", "(", ")", "/", "."]


def phone(place: Profile) -> Suggestion | None:
    """Telephone numbers, under such a name: the digits count, the marks between them do not."""
    if not place.is_of("text") or last_word(place.name) not in PHONES or (place.texts and not are_phones(place.texts)):
        return None
    reason = "telephone numbers: their digits count"
    return build_suggestion("phone", reason, match="numeric", strip=list(_MARKS_OF_PHONES))


def contact(place: Profile) -> Suggestion | None:
    """E-mail and web addresses, perhaps among telephone numbers; or the value of something like telecom."""
    if not place.is_of("text"):
        return None
    if not place.texts and last_word(place.name) == "value" and is_called(place.parent, CONTACTS):
        return build_suggestion("contact", f"a number or an address of {place.parent!r}", match="exact")
    if place.texts and (are_contacts(place.texts) or _are_values_of_contact(place)):
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
    distinct = (
        f", all different{describe_reach(place)}" if place.has_all_texts and 1 < place.count == len(place.texts) else ""
    )
    return build_suggestion("code", (describe_code_name(place.name) if is_named else looks) + distinct, match="exact")


def identifier(place: Profile) -> Suggestion | None:
    """Words as in code, or without values the steps, tools and actions of a list."""
    if not place.is_of("text") or last_word(place.name) in PROSE:
        return None
    is_named = place.is_row and last_word(place.name) in FUNCTIONS
    if place.texts and are_identifiers(place.texts) and (is_named or have_joined_words(place.texts)):
        return build_suggestion("identifier", "words without spaces, as in code", match="exact")
    if not place.texts and is_named:
        return build_suggestion("identifier", f"{place.name!r} are words as in code", match="exact")
    return None


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
    """Texts of 6 words or more; without values, under the name of prose, such as description."""
    if not place.is_of("text"):
        return None
    words = find_median_words(place.texts)
    if words < _PROSE_WORDS and (place.texts or last_word(place.name) not in PROSE):
        return None
    what = f"texts of {words:.0f} words" if place.texts else f"{place.name!r} is prose"
    reason = f"{what}; order and left-out words do not count"
    return build_suggestion("prose", reason, match="fuzzy", algorithm="token_set")


def short_text(place: Profile) -> Suggestion | None:
    """Any other text."""
    if not place.is_of("text"):
        return None
    what = count_values(place, "short text" if place.count else "text")
    return build_suggestion("short_text", f"{what}; small misspellings pass", match="fuzzy")


def _are_values_of_contact(place: Profile) -> bool:
    is_named = last_word(place.name) == "value" and is_called(place.parent, CONTACTS)
    return is_named and are_phones(place.texts)


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
