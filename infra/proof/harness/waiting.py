"""Timeouts and waits that a slow machine can meet."""

import time

# Seconds. Long enough for every machine: a wait that passes ends as soon as its condition holds.
PATIENCE = 180


def await_that(condition, what, seconds=PATIENCE):
    deadline = time.time() + seconds
    while not condition():
        if time.time() > deadline:
            raise AssertionError(what)
        time.sleep(0.2)
