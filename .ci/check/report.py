"""What the check prints last: the lanes, their times and budgets, what did not run, and why lanes failed."""

import re

# Lines that are likely to name the reason of a failure, and how many of them are printed for each lane.
TELLING = re.compile(r"FAIL|ERROR|Error|Exception|Expecting|expected|Traceback|refused|timed out")
REASONS = 8
LAST_LINES = 4
LONGEST = 200


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


def reasons(results):
    """Lines of each lane that failed: the first that may name the reason, and its last ones."""
    for result in results:
        if not result.passed:
            kept = result.lines[:-LAST_LINES]
            telling = [line for line in kept if TELLING.search(line) and "Assumption failed" not in line][:REASONS]
            for line in telling + list(result.lines[-LAST_LINES:]):
                yield "%s | %s" % (result.lane.name, line.strip()[:LONGEST])


def slowest(results):
    """The lane that took most beyond its budget."""
    worst = max(results, key=lambda result: result.seconds - 60 * result.lane.minutes, default=None)
    return "" if worst is None else "the slowest by its budget: %s, %s instead of %s" % (
        worst.lane.name, clock(worst.seconds), clock(60 * worst.lane.minutes))


def clock(seconds):
    return "%d:%02d" % divmod(round(seconds), 60)
