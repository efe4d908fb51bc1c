"""The lanes of the check, as lanes.toml declares them."""

import dataclasses
import os
import tomllib

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(FOLDER)
TABLE = os.path.join(FOLDER, "lanes.toml")

ALL = "all"


class BadTable(Exception):
    """lanes.toml contradicts itself; the message names the place."""


@dataclasses.dataclass(frozen=True)
class Lane:
    """One part of the check: a command that ends with 0 if its part of the product works.

    minutes  the budget on two idle cores, beside the other lanes
    after    lanes that must have passed before, because this one needs what they leave
    uses     resources of the machine that no other running lane may use: a port, the build folders, the testbed
    slots    how many of the check's slots the lane takes; a lane that keeps both cores busy takes all
    nice     how much the lane gives way to others: the lanes that decide how long the check takes come first
    cleanup  a command that runs when no lane needs this one any more, whatever happened
    module   the Maven module that the lane runs, if it is not the engine
    every_case  the command with all cases, for --every-case, if the usual one has fewer
    """

    name: str
    run: str
    minutes: float
    after: tuple = ()
    uses: tuple = ()
    slots: int = 1
    nice: int = 0
    cleanup: str = ""
    module: str = ""
    every_case: str = ""


@dataclasses.dataclass(frozen=True)
class Table:
    """All lanes in the order in which they start, the limits, and what a change selects."""

    lanes: tuple
    slots: int
    target_minutes: float
    limit_minutes: float
    every_case_limit_minutes: float
    modules: dict
    paths: dict

    def lane(self, name):
        for lane in self.lanes:
            if lane.name == name:
                return lane
        raise BadTable("there is no lane %s, only: %s" % (name, ", ".join(self.names())))

    def names(self):
        return [lane.name for lane in self.lanes]

    def with_needed(self, names):
        """Returns these lanes and all lanes that they need, in the table's order."""
        wanted = set()
        rest = list(names)
        while rest:
            name = rest.pop()
            if name not in wanted:
                wanted.add(name)
                rest.extend(self.lane(name).after)
        return [lane for lane in self.lanes if lane.name in wanted]


def load(path=TABLE):
    with open(path, "rb") as file:
        return parse(tomllib.load(file))


def parse(content):
    lanes = []
    for name, fields in content["lanes"].items():
        unknown = set(fields) - {field.name for field in dataclasses.fields(Lane)}
        if unknown:
            raise BadTable("lane %s has unknown fields: %s" % (name, ", ".join(sorted(unknown))))
        lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        lanes.append(Lane(name, **{**fields, **lists}))
    table = Table(tuple(lanes), content["slots"], content["target_minutes"], content["limit_minutes"],
                  content["every_case_limit_minutes"], content["modules"], content["paths"])
    check(table)
    return table


def check(table):
    """Checks that everything that a lane or a row names exists, and that a lane comes after the lanes it needs."""
    earlier = set()
    for lane in table.lanes:
        if not set(lane.after) <= earlier:
            raise BadTable("lane %s needs %s, which must stand above it" % (
                lane.name, ", ".join(sorted(set(lane.after) - earlier))))
        if not 1 <= lane.slots <= table.slots:
            raise BadTable("lane %s takes %d of %d slots" % (lane.name, lane.slots, table.slots))
        earlier.add(lane.name)
    for rows in table.modules, table.paths:
        for key, row in rows.items():
            if row != ALL and set(row) - earlier:
                raise BadTable("%s selects unknown lanes: %s" % (key, ", ".join(sorted(set(row) - earlier))))
