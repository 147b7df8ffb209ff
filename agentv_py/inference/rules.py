"""What is known about a place → the comparator that fits it: one list of rules for data, schemas and models.

A rule looks at what is declared first (type, format, enum, const), then at the values, then at the name. The first rule
that fits decides; the name of its function is its id.
"""

from collections.abc import Callable, Sequence

from agentv_py.inference import date_rules, declared_rules, number_rules, text_rules
from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion

Rule = Callable[[Profile], Suggestion | None]

RULES: Sequence[Rule] = (
    declared_rules.setting,
    declared_rules.enum,
    declared_rules.boolean,
    declared_rules.date_format,
    declared_rules.code_format,
    declared_rules.empty,
    number_rules.number_code,
    number_rules.whole_number,
    number_rules.number,
    number_rules.number_format,
    text_rules.phone,
    text_rules.contact,
    date_rules.time,
    date_rules.date,
    date_rules.partial_date,
    number_rules.number_text,
    text_rules.category,
    text_rules.party,
    text_rules.few_values,
    text_rules.code,
    text_rules.name,
    text_rules.identifier,
    text_rules.address,
    text_rules.prose,
    text_rules.short_text,
    declared_rules.other,
)


def suggest_value(place: Profile) -> Suggestion:
    """Return the suggestion of the first rule that fits, with the options that a schema adds to it."""
    suggestion = next(suggestion for rule in RULES if (suggestion := rule(place)) is not None)
    settings, origin = place.declared.settings, place.declared.origin
    if settings and "match" not in settings:
        suggestion.options.update(settings)
        suggestion.reason += f"; {', '.join(settings)} by {origin}"
    return suggestion
