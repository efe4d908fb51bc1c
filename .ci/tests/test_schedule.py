"""Tests of the order of lanes."""

import unittest

from check.lanes import Lane
from check.schedule import Schedule, planned_minutes


def lane(name, minutes=1, **fields):
    return Lane(name, "true", minutes, **fields)


class TheSchedule(unittest.TestCase):
    def test_lanes_share_no_resource_at_a_time(self):
        schedule = Schedule([lane("a", uses=("cloud",)), lane("b", uses=("cloud",)), lane("c")], 3)
        first = schedule.take_next()
        self.assertEqual(first.name, "a")
        self.assertEqual(schedule.take_next().name, "c")
        self.assertIsNone(schedule.take_next())
        schedule.end(first, True)
        self.assertEqual(schedule.take_next().name, "b")

    def test_a_lane_that_takes_all_slots_runs_alone(self):
        schedule = Schedule([lane("a", slots=2), lane("b")], 2)
        first = schedule.take_next()
        self.assertIsNone(schedule.take_next())
        schedule.end(first, True)
        self.assertEqual(schedule.take_next().name, "b")

    def test_a_lane_waits_until_what_it_needs_has_passed(self):
        schedule = Schedule([lane("a"), lane("b", after=("a",))], 2)
        first = schedule.take_next()
        self.assertIsNone(schedule.take_next())
        schedule.end(first, True)
        self.assertEqual(schedule.take_next().name, "b")

    def test_lanes_that_need_a_failed_lane_do_not_run(self):
        schedule = Schedule([lane("a"), lane("b", after=("a",)), lane("c", after=("b",)), lane("d")], 1)
        schedule.end(schedule.take_next(), False)
        self.assertEqual(schedule.take_next().name, "d")
        self.assertEqual(set(schedule.not_run), {"b", "c"})

    def test_a_lane_that_is_chosen_alone_does_not_wait_for_what_is_left_out(self):
        self.assertEqual(Schedule([lane("b", after=("a",))], 1).take_next().name, "b")

    def test_no_lane_starts_after_the_stop(self):
        schedule = Schedule([lane("a"), lane("b")], 1)
        schedule.take_next()
        schedule.stop("the limit was over")
        self.assertEqual(schedule.not_run, {"b": "the limit was over"})


class ThePlan(unittest.TestCase):
    def test_lanes_side_by_side_take_as_long_as_the_longest(self):
        self.assertEqual(planned_minutes([lane("a", 2), lane("b", 5)], 2), 5)

    def test_lanes_that_share_a_resource_take_the_sum(self):
        self.assertEqual(planned_minutes([lane("a", 2, uses=("x",)), lane("b", 5, uses=("x",))], 2), 7)

    def test_lanes_that_need_each_other_take_the_sum(self):
        self.assertEqual(planned_minutes([lane("a", 2), lane("b", 5, after=("a",))], 2), 7)

    def test_more_lanes_than_slots_wait(self):
        self.assertEqual(planned_minutes([lane("a", 2), lane("b", 2), lane("c", 2)], 2), 4)


if __name__ == "__main__":
    unittest.main()
