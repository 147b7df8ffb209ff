"""The story of a case → the words that several formats show."""

from collections.abc import Iterator

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.partners import ListPartners, Partner, RowPartner
from agentv_py.errors import make_printable
from agentv_py.formats.rule_words import describe_reason
from agentv_py.formats.text import format_count
from agentv_py.report.explanation.case_model import CaseStory, EvaluatorStory, Finding, Judgement

_PARSED = {"fenced": "the JSON is in a fenced block of the answer", "found": "the JSON is between other words"}
VALUE_WORDS = {"input": "input", "expected": "expected", "candidate": "answer", "candidates": "answers"}


def describe_verdict(story: CaseStory) -> str:
    word = "error" if story.status == "error" else story.verdict
    limit = "" if story.thresholds is None else f", passes from {story.thresholds.pass_at:.10g}"
    return f"{word} {story.score:.3f}{limit}"


def describe_evaluator(evaluator: EvaluatorStory) -> str:
    """Return type, weight, verdict and reasoning."""
    words = [] if evaluator.name == evaluator.type else [evaluator.type]
    if evaluator.weight is not None and evaluator.weight != 1.0:
        words.append(f"weight {evaluator.weight:.10g}")
    if evaluator.error:
        words.append(f"error: {evaluator.error}")
    else:
        words += [f"{evaluator.verdict} {evaluator.score:.3f}", *filter(None, [evaluator.reasoning])]
    return " · ".join(words)


def list_remarks(story: CaseStory) -> Iterator[str]:
    """Yield what a reader must know before the findings."""
    if story.error:
        yield f"error: {story.error}"
    if "expected" not in story.values and "candidate" not in story.values and story.status != "error":
        yield "the row holds no values of the case: it was written with --no-data"
    if story.parsed:
        yield _PARSED.get(story.parsed, story.parsed)
    if story.repeats:
        scores = ", ".join(f"{score:.3f}" for score in story.repeats)
        yield f"{len(story.repeats)} answers scored {scores}; the findings are those of answer {story.worst_repeat}"
    if story.other_suites:
        others = " and ".join(story.other_suites)
        yield f"the rules are those of {story.rules_from}; {others} scores alike, and --suite FILE names one of them"
    elif story.rules_from.endswith((".yaml", ".yml")):
        yield f"the rules are those of {story.rules_from}"
    if story.rules_missing and story.findings:
        yield f"the rules are not known: {story.rules_missing}"


def list_judgements(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield each rule that said no and where it is from; the evaluator's name first if evaluators differ."""
    texts: dict[tuple[str, str], list[str]] = {}
    for judgement in finding.judgements:
        if judgement.rule is not None:
            texts.setdefault(_describe_rule(judgement), []).append(judgement.evaluator)
    for (rule, reason), names in texts.items():
        yield f"{' and '.join(names)}: {rule}" if len(texts) > 1 else rule, reason


def _describe_rule(judgement: Judgement) -> tuple[str, str]:
    assert judgement.rule is not None  # noqa: S101  the caller checks it
    rule = judgement.rule.rule
    return f"{rule.comparator}: {rule.passes}", describe_reason(judgement.rule)


def list_gaps(finding: Finding) -> list[str]:
    """Return by how much the answer misses each rule, and the option that would let it pass."""
    gaps = []
    for judgement in finding.judgements:
        gap = judgement.gap
        if gap is not None:
            gaps.append(f"{gap.words}; {gap.remedy} would let it pass" if gap.remedy else gap.words)
    if not gaps and finding.similarity and not any(judgement.rule for judgement in finding.judgements):
        gaps.append(f"similarity {finding.similarity:.4g}")
    return list(dict.fromkeys(gaps))


def describe_gain(finding: Finding, story: CaseStory) -> str:
    """Say what the case would score if the answer were right here; empty if that is not known."""
    if finding.repair is None:
        return ""
    return (
        f"if right, the case scores {finding.repair.score:.3f}: {_describe_new_verdict(finding.repair.verdict, story)}"
    )


def describe_way(story: CaseStory) -> str:
    """Say which findings must be right for the case to pass; empty if that is not known."""
    for repair in story.repairs:
        paths, rest = list(repair.paths[:5]), len(repair.paths) - 5
        names = ", ".join(paths) + (f" and {rest} more" if rest > 0 else "")
        return f"it passes with {repair.score:.3f} if the answer is right at {names}"
    return ""


def _describe_new_verdict(verdict: str, story: CaseStory) -> str:
    return verdict if verdict != story.verdict else f"still {verdict}"


def describe_note(finding: Finding, story: CaseStory) -> str:
    """Return the note, and the names of the evaluators if the case has several."""
    names = f"by {' and '.join(finding.evaluators)}" if len(story.evaluators) > 1 else ""
    return ", ".join(filter(None, (finding.note, names)))


def list_values(finding: Finding) -> Iterator[tuple[str, str]]:
    for word, value in (("expected", finding.expected), ("answer", finding.actual)):
        if value is not ABSENT:
            yield word, jsontext.dumps(value).decode()


def list_misses(story: CaseStory) -> Iterator[str]:
    """Yield each finding as lines of plain text: the values, then the rule and the gap."""
    if story.error:
        yield make_printable(story.error)
    for finding in story.findings:
        values = ", ".join(f"{word} {value}" for word, value in list_values(finding))
        note = describe_note(finding, story)
        yield make_printable(f"{finding.path}{f': {values}' if values else ''}{f' ({note})' if note else ''}")
        for rule, reason in list_judgements(finding):
            yield make_printable(f"    {rule}{f' ({reason})' if reason else ''}")
        yield from (f"    {make_printable(gap)}" for gap in list_gaps(finding))


def write_value(value: object) -> str:
    """Write a value of the case; a text in one line."""
    return " ".join(value.split()) if isinstance(value, str) else jsontext.dumps(value).decode()


def count_findings(story: CaseStory) -> str:
    omitted = sum(evaluator.omitted for evaluator in story.evaluators)
    more = f", {omitted:,} of them without values" if omitted else ""
    return format_count(len(story.findings), "finding") + more


def count_pairs(partners: ListPartners) -> str:
    """Say how rows are paired, and how many of them match fully."""
    words = [partners.pairing, f"{format_count(partners.alike, 'row')} matched fully" if partners.alike else ""]
    if not partners.is_measured:
        words.append("too long to look for the next best partners")
    return "; ".join(filter(None, words))


def list_pairs(partners: ListPartners) -> Iterator[tuple[str, str, str]]:
    """Yield each expected row that did not match fully: the row, its partner, and the next best partner."""
    for row in partners.rows:
        pair = "no partner" if row.partner is None else _describe_partner(row.partner)
        yield f"expected[{row.row}]", pair, _describe_next(row, partners)
    for index in partners.surplus:
        yield f"answer[{index}]", "no partner", ""


def _describe_partner(partner: Partner) -> str:
    return f"answer[{partner.row}] {partner.similarity:.3f}"


def _describe_next(row: RowPartner, partners: ListPartners) -> str:
    if row.next_best is None:
        return "no other row is similar" if partners.is_measured else ""
    owner = "free" if row.rival is None else f"partner of expected[{row.rival}]"
    return f"{_describe_partner(row.next_best)}, {owner}"
