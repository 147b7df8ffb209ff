"""Results → report."""
