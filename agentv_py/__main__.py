"""`python -m agentv_py` → the command line."""

from agentv_py.cli import program

program()
