package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The leases that this node has just written, for their commands' callers, so that no read is
 * needed. Each is returned once. Later callers read the table, which other nodes may have written
 * since.
 */
final class ReadYourWritesCache {

    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(1);
    private static final int MAX_ENTRIES = 1_000;

    private final Map<LeaseId, Fresh> leases =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<LeaseId, Fresh> eldest) {
                    return size() > MAX_ENTRIES;
                }
            };

    private record Fresh(LeaseView view, long at) {}

    /** Stores leases once the thread's transaction is committed. */
    void storeAfterCommit(LeaseProjection.Written written) {
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        put(written);
                    }
                });
    }

    private synchronized void put(LeaseProjection.Written written) {
        written.removed().forEach(leases::remove);
        for (LeaseView view : written.stored()) {
            // At the end, because the oldest is removed first.
            leases.remove(view.id());
            leases.put(view.id(), new Fresh(view, System.nanoTime()));
        }
    }

    /** Returns a lease; empty if not just written, taken already, or another project's. */
    synchronized Optional<LeaseView> take(LeaseId id, @Nullable ProjectId project) {
        return Optional.ofNullable(leases.remove(id))
                .filter(fresh -> System.nanoTime() - fresh.at() < TIME_TO_LIVE.toNanos())
                .map(Fresh::view)
                .filter(view -> project == null || project.equals(view.projectId()));
    }
}
