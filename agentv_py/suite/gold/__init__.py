"""Cases → what is wrong with their ground truth: each finding once, with a count and the first place."""
