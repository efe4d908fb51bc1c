package org.leasehold.saga.watch;

import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.query.ResourceView;
import org.leasehold.saga.Cause;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.reconciliation.HeldResources.Holder;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.task.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Puts back enrolled resources that were removed in the cloud. A free one is enrolled again. One
 * that an active reservation has is out of order until an operator has the lease retried.
 */
final class StrayResources {

    private static final Logger LOG = LoggerFactory.getLogger(StrayResources.class);

    static final Outage REMOVED =
            Outage.down("In the cloud it was removed from the lease that has it");

    private final HeldResources held;
    private final Tasks tasks;
    private final Clock clock;

    StrayResources(HeldResources held, Tasks tasks, Clock clock) {
        this.held = held;
        this.tasks = tasks;
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
        for (ResourceView stray : strays) {
            Holder holder = holders.get(stray.id());
            if (holder == null || holder.isStarting()) {
                enrol(stray);
            } else if (holder.isActive()) {
                // Whether it is restored is an operator's to say: others may use it by now.
                outages.put(stray.name(), REMOVED);
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

    private static String request() {
        return "req-" + UUID.randomUUID();
    }
}
