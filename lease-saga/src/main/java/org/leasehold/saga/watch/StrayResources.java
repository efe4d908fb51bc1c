package org.leasehold.saga.watch;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseId;
import org.leasehold.query.ResourceView;
import org.leasehold.saga.Cause;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.reconciliation.HeldResources.Holder;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.task.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Puts back enrolled resources that were removed in the cloud. A free one is enrolled again. One
 * that an active reservation has is out of order until an adjustment restores it.
 */
final class StrayResources {

    private static final Logger LOG = LoggerFactory.getLogger(StrayResources.class);

    static final Outage REMOVED =
            Outage.down("In the cloud it was removed from the lease that has it");

    private final HeldResources held;
    private final Tasks tasks;
    private final Commands commands;
    private final Clock clock;

    StrayResources(HeldResources held, Tasks tasks, Commands commands, Clock clock) {
        this.held = held;
        this.tasks = tasks;
        this.commands = commands;
        this.clock = clock;
    }

    /**
     * Has all of them put back.
     *
     * @return what active reservations lack because of that, by name
     */
    Map<String, Outage> putBack(List<ResourceView> strays) {
        Map<String, Outage> outages = new TreeMap<>();
        if (strays.isEmpty()) {
            return outages;
        }
        Map<ResourceId, Holder> holders = held.now();
        Set<ResourceId> ids = strays.stream().map(ResourceView::id).collect(Collectors.toSet());
        Set<LeaseId> retried = new HashSet<>();
        for (ResourceView stray : strays) {
            Holder holder = holders.get(stray.id());
            if (holder == null || holder.isStarting()) {
                enrol(stray);
            } else if (holder.isActive()) {
                outages.put(stray.name(), REMOVED);
                // Its lease hears of the outage first. What is down for another reason would have
                // the adjustment fail, and the lease in error.
                if (holder.lacksOnly(ids) && retried.add(holder.lease())) {
                    adjust(holder.lease());
                }
            }
            // An end looks for what is missing, and a lease in error waits for an operator.
        }
        return outages;
    }

    private void enrol(ResourceView stray) {
        LOG.atWarn()
                .addKeyValue("resource_id", stray.id())
                .addKeyValue("name", stray.name())
                .log("A resource is in no pool of the cloud, and is put back");
        String request = request();
        tasks.submit(
                new PluginTask.Enrol(stray.id(), stray.kind(), stray.name()),
                new Cause(request, request, clock.instant()));
    }

    private void adjust(LeaseId lease) {
        LOG.atWarn()
                .addKeyValue("lease_id", lease)
                .log("A lease lacks resources in the cloud: an adjustment restores them");
        commands.send(
                new RetryLease(lease), CommandContext.engine(clock.instant(), request(), null));
    }

    private static String request() {
        return "req-" + UUID.randomUUID();
    }
}
