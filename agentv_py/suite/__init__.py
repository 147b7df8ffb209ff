"""Suite file → cases."""
