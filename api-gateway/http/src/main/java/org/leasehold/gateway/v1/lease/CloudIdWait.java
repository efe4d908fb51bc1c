package org.leasehold.gateway.v1.lease;

import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Plugins;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits a moment for the ids that the cloud gives to a new lease. Blazar creates them with the
 * lease, and its clients use them from that response on; here the start creates them.
 */
public final class CloudIdWait {

    /** The most requests that wait, so that a slow cloud does not use up the threads. */
    static final int MAX_WAITING = 16;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration MAX_PAUSE = Duration.ofMillis(160);

    private static final Set<LeaseStatus> BEFORE_ACTIVE =
            Set.of(LeaseStatus.PENDING, LeaseStatus.DELAYED, LeaseStatus.STARTING);

    private final Leases leases;
    private final Plugins plugins;
    private final Duration maxWait;
    private final Semaphore waitingSlots = new Semaphore(MAX_WAITING);

    /**
     * @param longest how long a response waits; zero for not at all
     */
    public CloudIdWait(Leases leases, Plugins plugins, Duration longest) {
        this.leases = leases;
        this.plugins = plugins;
        this.maxWait = longest;
    }

    /**
     * Returns a new lease with its ids. It returns the lease without ids if it starts later, has
     * none, or does not get them in time.
     */
    LeaseView awaitCloudIds(LeaseView created, Instant now) {
        if (maxWait.isZero()
                || created.period().start().isAfter(now)
                || !awaitsIds(created)
                || !waitingSlots.tryAcquire()) {
            return created;
        }
        try {
            return pollForIds(created);
        } finally {
            waitingSlots.release();
        }
    }

    private LeaseView pollForIds(LeaseView created) {
        long deadline = System.nanoTime() + maxWait.toNanos();
        Duration pause = FIRST_PAUSE;
        LeaseView lease = created;
        while (awaitsIds(lease) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(pause.toNanos());
            pause = shorter(pause.multipliedBy(2), MAX_PAUSE);
            // Another caller may delete it meanwhile; it was created all the same.
            lease = leases.findWritten(lease.id(), lease.projectId()).orElse(lease);
            if (Thread.currentThread().isInterrupted()) {
                return lease;
            }
        }
        return lease;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean awaitsIds(LeaseView lease) {
        return BEFORE_ACTIVE.contains(lease.status())
                && lease.reservations().stream().anyMatch(this::lacksIds);
    }

    private boolean lacksIds(ReservationView reservation) {
        return reservation.status() == ReservationView.Status.PENDING
                && plugins.find(reservation.kind())
                        .filter(
                                plugin ->
                                        plugin.planning()
                                                .showsIdsFromStart(reservation.parameters()))
                        .isPresent();
    }
}
