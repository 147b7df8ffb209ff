#!/usr/bin/env bash
# A judge needs nothing but stdin and stdout: the share of the expected answer's words that the candidate has.
payload=$(cat)
words() { grep -o "\"$1\":\"\([^\"\\\\]\|\\\\.\)*\"" <<<"$payload" | head -n 1 | cut -d: -f2- | tr -cs '[:alnum:]' '\n' | sort -u; }
all=$(words reference_answer | grep -c .)
both=$(comm -12 <(words reference_answer) <(words candidate_answer) | grep -c .)
if [ "$all" -eq 0 ]; then
    echo '{"score": 1.0, "reasoning": "nothing was expected"}'
else
    awk -v both="$both" -v all="$all" 'BEGIN { printf "{\"score\": %.4f, \"reasoning\": \"%d of %d words\"}\n", both / all, both, all }'
fi
