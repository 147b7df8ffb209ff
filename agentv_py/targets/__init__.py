"""Case → candidate."""
