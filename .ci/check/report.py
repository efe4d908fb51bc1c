"""What the check prints last: the lanes, their times and budgets, what did not run and why."""


def table(results, skipped):
    """Rows of text. `results` are in the order in which the lanes ended."""
    yield "%-14s %-8s %9s %9s %9s" % ("lane", "result", "wall", "CPU", "budget")
    for result in results:
        yield "%-14s %-8s %9s %9s %9s%s" % (
            result.lane.name, "passed" if result.passed else "FAILED", clock(result.seconds), clock(result.cpu),
            clock(60 * result.lane.minutes), "  over its budget" if result.seconds > 60 * result.lane.minutes else "")
    for name, reason in skipped.items():
        yield "%-14s %-8s %s" % (name, "not run", reason)


def closing(results, not_run, seconds):
    """The last lines. A lane that ought to run and did not counts as failed."""
    failed = [result.lane.name for result in results if not result.passed] + list(not_run)
    if failed:
        yield "FAILED: %s" % ", ".join(failed)
    yield "the check took %s" % clock(seconds)
    yield "lanes: %d passed, %d failed" % (sum(result.passed for result in results), len(failed))


def slowest(results):
    """The lane that took most beyond its budget."""
    worst = max(results, key=lambda result: result.seconds - 60 * result.lane.minutes, default=None)
    return "" if worst is None else "the slowest by its budget: %s, %s instead of %s" % (
        worst.lane.name, clock(worst.seconds), clock(60 * worst.lane.minutes))


def clock(seconds):
    return "%d:%02d" % divmod(round(seconds), 60)
