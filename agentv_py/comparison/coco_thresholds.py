"""What COCO asks about: ten overlaps at each of four sizes → forty questions, each of them a bit."""

OVERLAPS = tuple(0.5 + step * ((0.95 - 0.5) / 9) for step in range(10))
"""The least IoU of a match, to the last bit as COCO has them."""
SIZES = {"all": (0.0, 1e10), "small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
"""The least and the greatest area."""
MOST_FOUND = 100
"""Of each label in each image; COCO looks at no more."""

STEPS = len(OVERLAPS)
EACH_STEP = (1 << STEPS) - 1
EACH_SIZE = sum(1 << STEPS * number for number in range(len(SIZES)))
QUESTIONS = EACH_STEP * EACH_SIZE
IN_CASE = QUESTIONS + 1
"""One more bit, for the overlap that a case asks about."""
