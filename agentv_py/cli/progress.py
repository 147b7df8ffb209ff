"""Finished cases → a progress bar on stderr, if stderr is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function; call it with the number of newly finished cases. The bar appears only on a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _cases: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from agentv_py.formats.console import sane_environment

    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True, _environ=sane_environment())
    # The caller's thread draws the bar: a fork must not happen while another thread is at work.
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as bar:
        task = bar.add_task("scoring", total=total)

        def advance(cases: int) -> None:
            bar.update(task, advance=cases, refresh=True)

        yield advance
