"""Rows → their figures by tag or metadata value, and which slice is worse than the rest."""
