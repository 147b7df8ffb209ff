"""Case → candidate: the stage before scoring. A Python function is the only target so far."""
