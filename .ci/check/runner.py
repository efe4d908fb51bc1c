"""Runs lanes as processes, side by side, and stops all of them at the limit."""

import collections
import dataclasses
import os
import queue
import signal
import subprocess
import sys
import threading
import time

from check.lanes import ROOT
from check.schedule import Schedule

# The longest time in which a lane may stop what it has started.
GRACE_SECONDS = 30

# The number of a lane's last lines that the report keeps.
KEPT_LINES = 2_000

# The longest time for printing a lane's last lines, where a daemon keeps its output open.
LAST_LINES_SECONDS = 0.5


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a lane. CPU seconds are those of processes that ended before it did; `lines` are its last ones."""

    lane: object
    passed: bool
    seconds: float
    cpu: float
    lines: tuple = ()


class Runner:
    """Starts each lane in a session of its own, and prints its output line by line behind its name."""

    def __init__(self, lanes, slots, limit_seconds, environment, out=sys.stdout):
        self.schedule = Schedule(lanes, slots)
        self.limit = limit_seconds
        self.environment = environment
        self.out = out
        self.width = max((len(lane.name) for lane in lanes), default=0)
        self.results = []
        self.processes = {}
        self.lines = {lane.name: collections.deque(maxlen=KEPT_LINES) for lane in lanes}
        self.ended = queue.Queue()
        self.cleanups = []
        self.began = time.monotonic()

    def run(self):
        """Runs all lanes; returns their results. Lanes that the limit stopped have failed."""
        try:
            while self.schedule.waiting or self.schedule.running:
                while lane := self.schedule.take_next():
                    self._start(lane)
                for lane in [each for each in self.cleanups if not self.schedule.needs(each.name)]:
                    self.cleanups.remove(lane)
                    self._cleanup(lane)
                try:
                    self._finish(*self.ended.get(timeout=max(0.0, self.began + self.limit - time.monotonic())))
                except queue.Empty:
                    self.say("THE LIMIT of %d minutes is over" % (self.limit / 60))
                    self.schedule.stop("the limit was over")
                    self._stop_running()
        finally:
            self._stop_running()
            for lane in reversed(self.cleanups):
                self._cleanup(lane)
        return self.results

    def say(self, text):
        self.out.write("== %s\n" % text)
        self.out.flush()

    def _start(self, lane):
        self.say("%s: %s" % (lane.name, lane.run))
        process = subprocess.Popen(
            ["nice", "-n", str(lane.nice), "bash", "-euo", "pipefail", "-c", lane.run], cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        give_way(process.pid, lane.nice)
        self.processes[lane.name] = process
        if lane.cleanup:
            self.cleanups.append(lane)
        # Daemons of a lane keep its output open: the end of the process counts, not that of the output.
        printer = threading.Thread(target=self._print, args=(lane, process), daemon=True)
        printer.start()
        threading.Thread(target=self._await, args=(lane, process, printer, time.monotonic()), daemon=True).start()

    def _print(self, lane, process):
        for line in process.stdout:
            self.lines[lane.name].append(line.rstrip("\n"))
            self.out.write("%-*s %s\n" % (self.width, lane.name, line.rstrip("\n")))
            self.out.flush()

    def _await(self, lane, process, printer, began):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        printer.join(LAST_LINES_SECONDS)
        self.ended.put((lane, process, seconds, usage.ru_utime + usage.ru_stime))

    def _finish(self, lane, process, seconds, cpu):
        # Kills the processes that it left in its session; daemons have sessions of their own.
        signal_group(process, signal.SIGKILL)
        passed = process.returncode == 0
        del self.processes[lane.name]
        self.results.append(Result(lane, passed, seconds, cpu, tuple(self.lines[lane.name])))
        self.schedule.end(lane, passed)
        self.say("%s %s after %d s, %d s of CPU" % (
            lane.name, "passed" if passed else "FAILED with %d" % process.returncode, seconds, cpu))

    def _stop_running(self):
        for sign in signal.SIGTERM, signal.SIGKILL:
            for process in self.processes.values():
                signal_group(process, sign)
            deadline = time.monotonic() + GRACE_SECONDS
            while self.processes and time.monotonic() < deadline:
                try:
                    self._finish(*self.ended.get(timeout=1))
                except queue.Empty:
                    pass

    def _cleanup(self, lane):
        done = subprocess.run(["bash", "-c", lane.cleanup], cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False)
        if done.returncode != 0:
            self.say("the cleanup of %s failed:\n%s" % (lane.name, done.stdout))


def give_way(pid, nice):
    """Lowers the CPU share of a session. If Linux groups processes by session, their own niceness does not do so."""
    try:
        with open("/proc/%d/autogroup" % pid, "w", encoding="ascii") as group:
            group.write(str(nice))
    except OSError:
        pass  # A kernel without such groups, or a lane that has ended already.


def signal_group(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
