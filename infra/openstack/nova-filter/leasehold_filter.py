"""Reserves hosts that are leased, or may be, for the holders of their leases.

Reads the same options as the filter of OpenStack's reservation service, in the same group of nova.conf, and
decides in the same way: replacing that filter changes two lines there, and no server, aggregate or flavor.
"""

from nova.scheduler import filters
from oslo_config import cfg

GROUP = "blazar:physical:host"

OPTIONS = (
    cfg.StrOpt("aggregate_freepool_name", default="freepool", help="The aggregate of hosts that may be leased."),
    cfg.StrOpt("blazar_owner", default="blazar:owner",
               help="The key of the project in the metadata of a reservation's aggregate."),
    cfg.StrOpt("blazar_az_prefix", default="blazar_", help="What the zones of reservations begin with."),
    cfg.BoolOpt("allow_preemptibles", default=False,
                help="Whether servers that may be deleted at any time run on hosts that nobody leases now."),
    cfg.StrOpt("preemptible_aggregate", default="freepool", help="The aggregate on which those run."),
)
cfg.CONF.register_opts(OPTIONS, group=GROUP)

# The prefix of zones of reservations that very old releases have made.
OLD_ZONES = "blazar:"

INSTANCE_RESERVATION = "aggregate_instance_extra_specs:reservation"
PREEMPTIBLE = "blazar:preemptible"


class LeaseholdFilter(filters.BaseHostFilter):
    """Filters four kinds of requests: for a reserved host, a reserved instance, a preemptible server, anything else."""

    # A server that is rebuilt stays on its host.
    RUN_ON_REBUILD = False

    def host_passes(self, host_state, spec_obj):
        pools = [aggregate for aggregate in host_state.aggregates if is_pool(aggregate)]
        reservations = spec_obj.get_scheduler_hint("reservation")
        if reservations:
            wanted = [reservations] if isinstance(reservations, str) else reservations
            return any(pool.name in wanted and is_owned(pool, spec_obj.project_id) for pool in pools)
        extra_specs = spec_obj.flavor.extra_specs or {}
        if INSTANCE_RESERVATION in extra_specs:
            # Shares hosts with other reservations; Nova's own filter of extra specs finds the hosts of this one.
            return True
        if options().allow_preemptibles and extra_specs.get(PREEMPTIBLE, "").lower() == "true":
            return [pool.name for pool in pools] == [options().preemptible_aggregate]
        return not pools


def is_pool(aggregate):
    """Returns true for an aggregate of hosts that may be leased, or are."""
    zone = aggregate.metadata.get("availability_zone") or ""
    return aggregate.name in (options().aggregate_freepool_name, options().preemptible_aggregate) or (
        zone.startswith((options().blazar_az_prefix, OLD_ZONES)))


def is_owned(pool, project):
    """Returns true if the project may use the pool; operators admit others by a key that is the project's id."""
    return bool(pool.metadata.get(project)) or pool.metadata.get(options().blazar_owner) == project


def options():
    return cfg.CONF[GROUP]
