"""Calls from Python → the comparisons and rows that the command line yields."""
