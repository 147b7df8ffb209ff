"""The stories of cases → an object with stable keys."""

from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.partners import Partner
from agentv_py.formats.json.explanation import convert_rule
from agentv_py.report.explanation.case_model import (
    CaseExplanation,
    CaseStory,
    Finding,
    Judgement,
    Repair,
    SharedPartners,
)


def convert_stories(explanation: CaseExplanation) -> dict[str, Any]:
    return {"kind": "case_explanation", "cases": [_convert_story(story) for story in explanation.stories]}


def _convert_story(story: CaseStory) -> dict[str, Any]:
    thresholds = story.thresholds
    return {
        "suite": story.suite,
        "case_id": story.case_id,
        "target": story.target or None,
        "where": story.where,
        "status": story.status,
        "score": story.score,
        "verdict": story.verdict,
        "error": story.error or None,
        "verdicts": None if thresholds is None else {"pass": thresholds.pass_at, "partial": thresholds.partial_at},
        "rules_from": story.rules_from or None,
        "rules_missing": story.rules_missing or None,
        "other_suites": list(story.other_suites),
        **story.values,
        "parsed": story.parsed or "whole",
        "repeats": list(story.repeats),
        "worst_repeat": story.worst_repeat,
        "evaluators": [
            {
                "name": evaluator.name,
                "type": evaluator.type,
                "weight": evaluator.weight,
                "score": evaluator.score,
                "verdict": evaluator.verdict,
                "reasoning": evaluator.reasoning,
                "error": evaluator.error or None,
                "mismatches_omitted": evaluator.omitted,
            }
            for evaluator in story.evaluators
        ],
        "skipped": list(story.skipped),
        "findings": [_convert_finding(finding) for finding in story.findings],
        "alignment": [_convert_partners(shared) for shared in story.partners],
        "unscored": list(story.unscored),
        "to_pass": next(map(_convert_repair, story.repairs), None),
    }


def _convert_finding(finding: Finding) -> dict[str, Any]:
    sides = {"expected": finding.expected, "actual": finding.actual}
    return {
        "path": finding.path,
        "outcome": finding.outcome,
        "note": finding.note,
        **{side: value for side, value in sides.items() if value is not ABSENT},
        "similarity": finding.similarity,
        "evaluators": [_convert_judgement(judgement) for judgement in finding.judgements],
        "if_right": None if finding.repair is None else _convert_repair(finding.repair),
    }


def _convert_judgement(judgement: Judgement) -> dict[str, Any]:
    gap = judgement.gap
    return {
        "name": judgement.evaluator,
        "rule": None if judgement.rule is None else convert_rule(judgement.rule),
        "gap": None if gap is None else gap.words,
        "passes_with": None if gap is None or not gap.option else {
            "option": gap.option, "at_least" if gap.is_least else "at_most": gap.limit
        },
    }  # fmt: skip


def _convert_repair(repair: Repair) -> dict[str, Any]:
    return {"paths": list(repair.paths), "score": repair.score, "verdict": repair.verdict}


def _convert_partners(shared: SharedPartners) -> dict[str, Any]:
    partners = shared.partners
    return {
        "path": partners.path,
        "evaluators": list(shared.evaluators),
        "pairing": partners.pairing,
        "matched_fully": partners.alike,
        "rows": [
            {
                "expected": row.row,
                "partner": _convert_partner(row.partner),
                "next_best": _convert_partner(row.next_best),
                "next_best_is_partner_of": row.rival,
            }
            for row in partners.rows
        ],
        "surplus": list(partners.surplus),
    }


def _convert_partner(partner: Partner | None) -> dict[str, Any] | None:
    return None if partner is None else {"actual": partner.row, "similarity": round(partner.similarity, 6)}
