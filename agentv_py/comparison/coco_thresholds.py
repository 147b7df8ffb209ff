"""COCO's criteria: each of ten overlaps with each of four sizes is one bit of a number."""

OVERLAPS = tuple(0.5 + step * ((0.95 - 0.5) / 9) for step in range(10))
"""The least IoU of a match. These floats are bit by bit those of COCO."""
SIZES = {"all": (0.0, 1e10), "small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
"""The least and the greatest area."""
MOST_DETECTIONS = 100
"""The most detections of one label in one image that COCO counts."""

OVERLAP_COUNT = len(OVERLAPS)
EACH_OVERLAP = (1 << OVERLAP_COUNT) - 1
"""Every overlap of the first size."""
EACH_SIZE = sum(1 << OVERLAP_COUNT * number for number in range(len(SIZES)))
"""The first overlap of every size."""
ALL_CRITERIA = EACH_OVERLAP * EACH_SIZE
"""Every criterion."""
CASE_CRITERION = ALL_CRITERIA + 1
"""One more bit: the overlap that a match in a case needs."""
