package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What transactions of this node have chosen and not yet committed. Nobody is refused because of
 * it: who can choose something else is spared the wait for a commit that takes the resource away.
 */
final class InFlight {

    // Not a record: two equal choices are two entries.
    private static final class Chosen {
        private final LeasePeriod window;
        private final List<ResourceId> resources;

        Chosen(LeasePeriod window, Collection<ResourceId> resources) {
            this.window = window;
            this.resources = List.copyOf(resources);
        }
    }

    private final Set<Chosen> chosen = new HashSet<>();

    /** Adds those resources that are chosen in a window that overlaps this one. */
    synchronized void collect(LeasePeriod window, Set<ResourceId> resources) {
        for (Chosen each : chosen) {
            if (each.window.overlaps(window)) {
                resources.addAll(each.resources);
            }
        }
    }

    /** Remembers a choice until the transaction ends. */
    synchronized void add(LeasePeriod window, Collection<ResourceId> resources) {
        Chosen added = new Chosen(window, resources);
        chosen.add(added);
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        remove(added);
                    }
                });
    }

    private synchronized void remove(Chosen over) {
        chosen.remove(over);
    }
}
