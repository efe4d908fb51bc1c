package org.leasehold.gateway.v1;

import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;
import org.leasehold.query.ReservationView;
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
final class IdsOfStart {

    /** The most requests that wait, so that a slow cloud does not use up the threads. */
    static final int MOST_WAITING = 16;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(160);

    private static final Set<LeaseStatus> BEFORE_ACTIVE =
            Set.of(LeaseStatus.PENDING, LeaseStatus.DELAYED, LeaseStatus.STARTING);

    private final Leases leases;
    private final Plugins plugins;
    private final Duration longest;
    private final Semaphore places = new Semaphore(MOST_WAITING);

    /**
     * @param longest how long a response waits; zero for not at all
     */
    IdsOfStart(Leases leases, Plugins plugins, Duration longest) {
        this.leases = leases;
        this.plugins = plugins;
        this.longest = longest;
    }

    /**
     * Returns a new lease with its ids. It returns the lease without ids if it starts later, has
     * none, or does not get them in time.
     */
    LeaseView await(LeaseView created, Instant now) {
        if (longest.isZero()
                || created.period().start().isAfter(now)
                || !isOnItsWay(created)
                || !places.tryAcquire()) {
            return created;
        }
        try {
            return awaitIds(created);
        } finally {
            places.release();
        }
    }

    private LeaseView awaitIds(LeaseView created) {
        long deadline = System.nanoTime() + longest.toNanos();
        Duration pause = FIRST_PAUSE;
        LeaseView lease = created;
        while (isOnItsWay(lease) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(pause.toNanos());
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
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

    private boolean isOnItsWay(LeaseView lease) {
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
