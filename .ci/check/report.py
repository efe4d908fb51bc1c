"""The final report of the check: the lanes, their times and budgets, what did not run, and why lanes failed."""

import re

# Lines that name a failed test; the line after one often has the exception.
FAILED_TEST = re.compile(r"<<< (FAILURE|ERROR)!|:: FAILED|^FAIL(ED)?\b")
# Lines that may name the reason, and how many lines are printed for each lane.
TELLING = re.compile(r"FAIL|ERROR|Error|Exception|Expecting|expected|Traceback|refused|timed out")
HARMLESS = re.compile(r"Failures: 0, Errors: 0|Assumption failed|^\[ERROR\]\s*$|^\[ERROR\] (To see|Re-run|For more|After)")
REASONS = 12
LAST_LINES = 4
LONGEST = 200


def table(results, skipped):
    """Returns rows of text. `results` are in the order in which the lanes ended."""
    yield "%-14s %-8s %9s %9s %9s" % ("lane", "result", "wall", "CPU", "budget")
    for result in results:
        yield "%-14s %-8s %9s %9s %9s%s" % (
            result.lane.name, "passed" if result.passed else "FAILED", clock(result.seconds), clock(result.cpu),
            clock(60 * result.lane.minutes), "  over its budget" if result.seconds > 60 * result.lane.minutes else "")
    for name, reason in skipped.items():
        yield "%-14s %-8s %s" % (name, "not run", reason)


def closing(results, not_run, seconds):
    """Returns the last lines. A lane that should have run and did not counts as failed."""
    failed = [result.lane.name for result in results if not result.passed] + list(not_run)
    if failed:
        yield "FAILED: %s" % ", ".join(failed)
    yield "the check took %s" % clock(seconds)
    yield "lanes: %d passed, %d failed" % (sum(result.passed for result in results), len(failed))


def reasons(results):
    """Returns lines of each failed lane: those that name failed tests or else a likely reason, and its last lines."""
    for result in results:
        if not result.passed:
            for line in likely(result.lines[:-LAST_LINES]) + list(result.lines[-LAST_LINES:]):
                yield "%s | %s" % (result.lane.name, line.strip()[:LONGEST])


def likely(lines):
    """Returns likely reasons; failed tests, each with the next line, first, so that noise does not fill the limit."""
    lines = [line for line in lines if not HARMLESS.search(line)]
    tests = [at for at, line in enumerate(lines) if FAILED_TEST.search(line)]
    first = sorted({near for at in tests for near in (at, at + 1) if near < len(lines)})
    other = [at for at, line in enumerate(lines) if TELLING.search(line) and at not in first]
    return [lines[at] for at in (first + other)[:REASONS]]


def slowest(results):
    """Returns the lane that exceeded its budget most."""
    worst = max(results, key=lambda result: result.seconds - 60 * result.lane.minutes, default=None)
    return "" if worst is None else "the slowest by its budget: %s, %s instead of %s" % (
        worst.lane.name, clock(worst.seconds), clock(60 * worst.lane.minutes))


def clock(seconds):
    return "%d:%02d" % divmod(round(seconds), 60)
