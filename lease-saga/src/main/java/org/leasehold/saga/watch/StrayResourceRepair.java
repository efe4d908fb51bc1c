package org.leasehold.saga.watch;

import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.saga.Cause;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.reconciliation.HeldResources.Holder;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.task.TaskQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The repair of enrolled resources that were removed in the cloud. A free one is enrolled again.
 * One of an active reservation is out of service until an operator retries the lease, even if it is
 * back in the pool already.
 */
final class StrayResourceRepair {

    private static final Logger LOG = LoggerFactory.getLogger(StrayResourceRepair.class);

    static final Outage REMOVED_OUTAGE =
            Outage.down("In the cloud it was removed from the lease that has it");

    /**
     * The time since the last change of a reservation after which it is settled, if it has no task.
     * A change of it becomes a task within this time.
     */
    static final Duration SETTLING_TIME = Duration.ofMinutes(1);

    private final HeldResources heldResources;
    private final TaskQueue tasks;
    private final Clock clock;

    StrayResourceRepair(HeldResources held, TaskQueue tasks, Clock clock) {
        this.heldResources = held;
        this.tasks = tasks;
        this.clock = clock;
    }

    /**
     * Restores all of them.
     *
     * @return the resources that active reservations lack because of that, by name
     */
    Map<String, Outage> repair(List<ResourceView> strays) {
        Map<String, Outage> outages = new TreeMap<>();
        if (strays.isEmpty()) {
            return outages;
        }
        Map<ResourceId, Holder> holders = heldResources.currentHolders();
        for (ResourceView stray : strays) {
            Holder holder = holders.get(stray.id());
            if (holder == null || holder.isStarting()) {
                enrol(stray);
            } else if (holder.isActive()) {
                // An operator decides whether it is restored: others may use it by now.
                outages.put(stray.name(), REMOVED_OUTAGE);
            }
            // An end finds what is missing, and a lease in error waits for an operator.
        }
        return outages;
    }

    /**
     * Finds resources that active reservations lack because they are in the pool.
     *
     * @param pooled the resources that a poll found in the pool, and in no reservation
     * @param asked the start of that poll
     * @return the reason of each outage, by name
     */
    Map<String, Outage> findLost(List<ResourceView> pooled, Instant asked) {
        Map<String, Outage> outages = new TreeMap<>();
        if (pooled.isEmpty()) {
            return outages;
        }
        Map<ResourceId, Holder> holders = heldResources.currentHolders();
        for (ResourceView resource : pooled) {
            Holder holder = holders.get(resource.id());
            if (holder != null
                    && holder.isActive()
                    && (isKnown(resource) || isSettled(holder.reservation(), asked))) {
                outages.put(resource.name(), REMOVED_OUTAGE);
            }
        }
        return outages;
    }

    /** Returns whether it was lost already; that report has changed the reservation. */
    private static boolean isKnown(ResourceView resource) {
        return !new ReportOutage(resource.id(), REMOVED_OUTAGE).changes(resource.disabledReason());
    }

    /** Returns whether the cloud had given a reservation all its resources before the poll. */
    private boolean isSettled(ReservationView reservation, Instant asked) {
        Instant changed = reservation.updatedAt();
        Instant last = changed == null ? reservation.createdAt() : changed;
        return !last.plus(SETTLING_TIME).isAfter(asked) && !tasks.isBusy(reservation.id());
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

    private static String request() {
        return "req-" + UUID.randomUUID();
    }
}
