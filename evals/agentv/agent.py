#!/usr/bin/env python3
"""A prompt and the path of an answer → an answer of a pretended agent in AgentV's form: messages, tools and figures."""

import json
import sys
from pathlib import Path

prompt, answer = sys.argv[1], Path(sys.argv[2])
calls = [{"tool": "search", "input": {"query": prompt}}, {"tool": "analyze", "input": {"depth": 2}}]
messages = [
    {"role": "assistant", "content": "", "tool_calls": calls},
    {"role": "assistant", "content": json.dumps({"status": "ok", "city": "Paris"})},
]
figures = {"token_usage": {"input": 120, "output": 30}, "cost_usd": 0.002, "duration_ms": 800}
answer.write_text(json.dumps({"output": messages} | figures), encoding="utf-8")
