#!/usr/bin/env bash
# Runs the suites, compares them with the base, and writes results, reports and the exit code.
set -uo pipefail
out=.evalctl/action
mkdir -p "$out"
read -r -d '' -a suites <<<"$EVALCTL_SUITES" || true
read -r -d '' -a options <<<"${EVALCTL_OPTIONS:-}" || true
read -r -d '' -a gates <<<"${EVALCTL_FAIL_ON:-}" || true

against=()
if [ -n "${EVALCTL_BASE:-}" ]; then
  against=(--against "$EVALCTL_BASE" --diff "$out/diff.md")
  for gate in "${gates[@]}"; do against+=(--fail-on "$gate"); done
fi
evalctl run "${suites[@]}" --output "$out/results.jsonl" --label "${GITHUB_HEAD_REF:-${GITHUB_REF_NAME:-run}}" \
  --report "$out/summary.md" --report "$out/report.html" --report "$out/junit.xml" --annotations github \
  "${against[@]}" "${options[@]}" 2> >(tee "$out/log.txt" >&2)
code=$?
wait
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
