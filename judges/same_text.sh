#!/usr/bin/env bash
# Compares two texts without regard to (ASCII) capitals and white space. A judge needs only stdin and stdout.
# Both texts arrive as JSON strings with the same escapes, so equal texts are equal here.
payload=$(cat)
text() { grep -o "\"$1\":\"\([^\"\\\\]\|\\\\.\)*\"" <<<"$payload" | head -n 1 | cut -d: -f2- | sed 's/\\[nrt]/ /g' | tr -d ' "' | tr '[:upper:]' '[:lower:]'; }
if [ "$(text reference_answer)" = "$(text candidate_answer)" ]; then
    echo '{"score": 1, "hits": ["$"]}'
else
    echo '{"score": 0, "misses": ["$"], "reasoning": "the texts differ"}'
fi
