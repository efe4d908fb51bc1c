"""The order of the lanes: which may start now, and the time that all of them take by their budgets."""


class Schedule:
    """Lanes that wait, run or have ended. The first lane of the table that may start is the next."""

    def __init__(self, lanes, slots):
        self.slots = slots
        self.waiting = list(lanes)
        self.running = []
        self.passed = set()
        self.failed = set()
        self.not_run = {}
        self._names = {lane.name for lane in lanes}

    def take_next(self):
        """Returns the next lane that may start, or None. The lane counts as running from now on."""
        free = self.slots - sum(lane.slots for lane in self.running)
        used = {resource for lane in self.running for resource in lane.uses}
        for lane in self.waiting:
            if self._is_ready(lane) and lane.slots <= free and used.isdisjoint(lane.uses):
                self.waiting.remove(lane)
                self.running.append(lane)
                return lane
        return None

    def _is_ready(self, lane):
        return all(needed in self.passed or needed not in self._names for needed in lane.after)

    def end(self, lane, passed):
        """Records the end of a lane. Lanes that need a failed lane do not run."""
        self.running.remove(lane)
        if passed:
            self.passed.add(lane.name)
        else:
            self.failed.add(lane.name)
            self._drop_what_needs(lane.name)

    def _drop_what_needs(self, name):
        for lane in [each for each in self.waiting if name in each.after]:
            if lane in self.waiting:
                self.waiting.remove(lane)
                self.not_run[lane.name] = "it needs %s" % name
                self._drop_what_needs(lane.name)

    def needs(self, name):
        """Returns true if the lane runs, or a lane that needs it waits or runs."""
        return any(name == lane.name or name in lane.after for lane in (*self.waiting, *self.running))

    def stop(self, reason):
        """Prevents further lanes from starting."""
        for lane in self.waiting:
            self.not_run[lane.name] = reason
        self.waiting = []


def planned_minutes(lanes, slots):
    """Returns the minutes that the lanes take if each uses its whole budget."""
    schedule = Schedule(lanes, slots)
    ends = {}
    now = 0.0
    while schedule.waiting or schedule.running:
        while lane := schedule.take_next():
            ends[lane.name] = now + lane.minutes
        if not schedule.running:
            raise ValueError("no lane can start: %s" % ", ".join(lane.name for lane in schedule.waiting))
        first = min(schedule.running, key=lambda lane: ends[lane.name])
        now = ends[first.name]
        schedule.end(first, True)
    return now
