"""A failed attempt → how long to wait before the next one."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 60.0


def wait_after(attempt: int, backoff: float, retry_after: str | None) -> float:
    """Seconds: what the server asks for, else twice as long each time, with jitter so that many do not come at once."""
    asked = None if retry_after is None else _seconds(retry_after)
    if asked is not None:
        return min(asked, LONGEST_WAIT)
    longest = min(backoff * 2.0 ** min(attempt, 30), LONGEST_WAIT)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  nobody gains by guessing it


def _seconds(retry_after: str) -> float | None:
    """Seconds from now, of a number or an HTTP date; None of anything else."""
    try:
        number = float(retry_after)
    except ValueError:
        pass
    else:
        return number if number >= 0 else None  # NaN is not
    try:
        when = parsedate_to_datetime(retry_after)
    except (ValueError, TypeError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
