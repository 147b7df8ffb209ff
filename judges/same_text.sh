#!/usr/bin/env bash
# A judge needs nothing but stdin and stdout: is it the same text, whatever its (ASCII) capitals and white space?
# Both answers arrive as JSON strings with the same escapes, so equal texts are equal here.
payload=$(cat)
text() { grep -o "\"$1\":\"\([^\"\\\\]\|\\\\.\)*\"" <<<"$payload" | head -n 1 | cut -d: -f2- | sed 's/\\[nrt]/ /g' | tr -d ' "' | tr '[:upper:]' '[:lower:]'; }
if [ "$(text reference_answer)" = "$(text candidate_answer)" ]; then
    echo '{"score": 1, "hits": ["$"]}'
else
    echo '{"score": 0, "misses": ["$"], "reasoning": "the texts differ"}'
fi
