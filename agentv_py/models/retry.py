"""A failed attempt → how long to wait before the next one."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 60.0


def compute_wait(attempt: int, backoff: float, retry_after: str | None) -> float:
    """Return the seconds that the server asks for; else a time that doubles with each attempt, with jitter."""
    requested = read_retry_after(retry_after)
    if requested is not None:
        return requested
    longest = min(backoff * 2.0 ** min(attempt, 30), LONGEST_WAIT)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  it is no secret


def read_retry_after(retry_after: str | None) -> float | None:
    """Read a number or an HTTP date as seconds from now; None for anything else."""
    if retry_after is None:
        return None
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
