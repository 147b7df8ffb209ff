"""agentv-py: structured answers of AI systems, scored against ground truth.

A suite file becomes cases; an evaluator turns a case into a score; scores become results (JSONL); results become a
report; a report becomes text. The README's map lists the modules in that order.
"""

__version__ = "0.1.0"
