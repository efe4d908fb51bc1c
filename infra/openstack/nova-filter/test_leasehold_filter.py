"""Tests the rules of the filter, on stubs of Nova's hosts and requests: python3 -m unittest"""

import sys
import types
import unittest
from types import SimpleNamespace


class Settings(dict):
    """The part of oslo.config that the filter uses."""

    def register_opts(self, options, group):
        self[group] = SimpleNamespace(**dict(options))


def module(name, **contents):
    made = types.ModuleType(name)
    vars(made).update(contents)
    sys.modules[name] = made
    return made


def option(name, default, help):
    return name, default


CONF = Settings()
filters = module("nova.scheduler.filters", BaseHostFilter=object)
module("nova")
module("nova.scheduler", filters=filters)
module("oslo_config", cfg=module("oslo_config.cfg", CONF=CONF, StrOpt=option, BoolOpt=option))

from leasehold_filter import GROUP, LeaseholdFilter  # noqa: E402

HOLDER, STRANGER = "project-of-the-holder", "project-of-a-stranger"


def aggregate(name, **metadata):
    return SimpleNamespace(name=name, metadata={name.replace("__", ":"): value for name, value in metadata.items()})


def reservation(name, **metadata):
    """Returns the aggregate of a reservation of hosts."""
    return aggregate(name, availability_zone="blazar_" + name, blazar__owner=HOLDER, **metadata)


def request(project=HOLDER, hint=None, **extra_specs):
    extra_specs = {name.replace("__", ":"): value for name, value in extra_specs.items()}
    return SimpleNamespace(
        project_id=project, flavor=SimpleNamespace(extra_specs=extra_specs),
        get_scheduler_hint=lambda name, default=None: hint if name == "reservation" else default)


ORDINARY = []
FREEPOOL = [aggregate("freepool")]
LEASED = [reservation("one")]
PREEMPTIBLE = {"blazar__preemptible": "true"}
INSTANCE = {"aggregate_instance_extra_specs__reservation": "one"}


class LeaseholdFilterTest(unittest.TestCase):
    def setUp(self):
        self.options = CONF[GROUP]
        self.addCleanup(vars(self.options).update, dict(vars(self.options)))

    def passes(self, aggregates, spec):
        return LeaseholdFilter().host_passes(SimpleNamespace(aggregates=aggregates), spec)

    def test_an_ordinary_server_runs_on_ordinary_hosts(self):
        self.assertTrue(self.passes(ORDINARY, request()))

    def test_an_ordinary_server_runs_in_zones_and_aggregates_of_the_operator(self):
        self.assertTrue(self.passes([aggregate("ssd", ssd="true"), aggregate("east", availability_zone="east")],
                                    request()))

    def test_an_ordinary_server_does_not_run_on_a_host_that_may_be_leased(self):
        self.assertFalse(self.passes(FREEPOOL, request()))
        self.assertFalse(self.passes([aggregate("ssd", ssd="true"), *FREEPOOL], request()))

    def test_an_ordinary_server_does_not_run_on_a_leased_host_not_even_its_holders(self):
        self.assertFalse(self.passes(LEASED, request()))

    def test_an_ordinary_server_does_not_run_in_zones_that_old_releases_have_made(self):
        self.assertFalse(self.passes([aggregate("one", availability_zone="blazar:one")], request()))

    def test_the_holder_uses_the_reservation(self):
        self.assertTrue(self.passes(LEASED, request(hint="one")))

    def test_the_holder_may_name_several_reservations(self):
        self.assertTrue(self.passes(LEASED, request(hint=["two", "one"])))
        self.assertFalse(self.passes(LEASED, request(hint=["two", "three"])))

    def test_a_stranger_does_not_use_the_reservation(self):
        self.assertFalse(self.passes(LEASED, request(STRANGER, hint="one")))

    def test_a_stranger_whom_the_operator_lets_in_does(self):
        shared = [reservation("one", **{STRANGER: "member"})]
        self.assertTrue(self.passes(shared, request(STRANGER, hint="one")))
        self.assertFalse(self.passes([reservation("one", **{STRANGER: ""})], request(STRANGER, hint="one")))

    def test_another_reservation_of_the_holder_does_not_open_the_host(self):
        self.assertFalse(self.passes(LEASED, request(hint="two")))

    def test_a_reservation_does_not_open_a_host_before_it_has_it(self):
        self.assertFalse(self.passes(FREEPOOL, request(hint="one")))
        self.assertFalse(self.passes(ORDINARY, request(hint="one")))

    def test_an_aggregate_without_a_zone_of_ours_is_no_reservation(self):
        self.assertFalse(self.passes([aggregate("one", blazar__owner=HOLDER)], request(hint="one")))

    def test_nobody_gets_into_the_freepool_by_naming_it(self):
        self.assertFalse(self.passes(FREEPOOL, request(hint="freepool")))

    def test_a_reserved_instance_is_left_to_novas_own_filters(self):
        for aggregates in ORDINARY, FREEPOOL, LEASED:
            self.assertTrue(self.passes(aggregates, request(**INSTANCE)))

    def test_a_hint_says_more_than_a_flavor(self):
        self.assertFalse(self.passes(LEASED, request(hint="two", **INSTANCE)))

    def test_a_preemptible_server_is_an_ordinary_one_unless_the_operator_allows_it(self):
        self.assertFalse(self.passes(FREEPOOL, request(**PREEMPTIBLE)))
        self.assertTrue(self.passes(ORDINARY, request(**PREEMPTIBLE)))

    def test_a_preemptible_server_runs_on_hosts_that_nobody_leases_now_and_on_no_others(self):
        self.options.allow_preemptibles = True
        self.assertTrue(self.passes(FREEPOOL, request(**PREEMPTIBLE)))
        self.assertTrue(self.passes([aggregate("ssd", ssd="true"), *FREEPOOL], request(**PREEMPTIBLE)))
        for aggregates in ORDINARY, LEASED, FREEPOOL + LEASED:
            self.assertFalse(self.passes(aggregates, request(**PREEMPTIBLE)))
        self.assertFalse(self.passes(FREEPOOL, request(blazar__preemptible="false")))

    def test_the_aggregate_of_preemptible_servers_can_be_another_one(self):
        self.options.allow_preemptibles = True
        self.options.preemptible_aggregate = "spot"
        self.assertTrue(self.passes([aggregate("spot")], request(**PREEMPTIBLE)))
        self.assertFalse(self.passes(FREEPOOL, request(**PREEMPTIBLE)))
        self.assertFalse(self.passes([aggregate("spot")], request()))

    def test_names_are_those_of_the_configuration(self):
        self.options.aggregate_freepool_name = self.options.preemptible_aggregate = "pool"
        self.options.blazar_az_prefix = "lease-"
        self.options.blazar_owner = "owner"
        self.assertTrue(self.passes(FREEPOOL, request()))
        self.assertFalse(self.passes([aggregate("pool")], request()))
        leased = [aggregate("one", availability_zone="lease-one", owner=HOLDER)]
        self.assertTrue(self.passes(leased, request(hint="one")))
        self.assertFalse(self.passes(leased, request(STRANGER, hint="one")))


if __name__ == "__main__":
    unittest.main()
