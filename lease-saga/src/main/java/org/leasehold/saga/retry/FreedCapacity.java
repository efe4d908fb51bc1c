package org.leasehold.saga.retry;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.List;

/**
 * Capacity that retried requests may get.
 *
 * @param kind the kind of the resources
 * @param window the window in which more of them are free than before
 * @param heldBefore whether they are held until the window begins, at least for cleaning; an
 *     attempt for an earlier start cannot get them before
 */
record FreedCapacity(ResourceKind kind, LeasePeriod window, boolean heldBefore) {

    /**
     * Returns a resource that came or changed: free from now on, unless it is out of service.
     *
     * @param life its events, from the first one on
     */
    static List<FreedCapacity> ofResource(List<RecordedEvent> life, Instant now) {
        @Nullable ResourceKind kind = null;
        boolean inService = false;
        for (RecordedEvent recorded : life) {
            switch ((ResourceEvent) recorded.event()) {
                case ResourceEnrolled enrolled -> {
                    kind = enrolled.kind();
                    inService = true;
                }
                case ResourceEnabled _ -> inService = true;
                case ResourceDisabled _, ResourceRetired _ -> inService = false;
                case ResourceChanged _, ResourceDescribed _ -> {}
            }
        }
        return kind != null && inService ? List.of(from(kind, now)) : List.of();
    }

    private static FreedCapacity from(ResourceKind kind, Instant now) {
        return new FreedCapacity(kind, new LeasePeriod(now, LeasePeriod.MAX_TIME), false);
    }
}
