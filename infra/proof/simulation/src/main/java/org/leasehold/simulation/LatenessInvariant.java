package org.leasehold.simulation;

import org.leasehold.invariants.ExpectedLeaseState;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.Window;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.simulation.memory.VirtualClock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The invariant of lateness: what is due happens in time, unless a fault excuses it. */
final class LatenessInvariant {

    /** The greatest lateness without a reason. */
    private static final Duration MAX_LATENESS = Duration.ofMinutes(5);

    private final DurableState engine;
    private final ExpectedState expectedState;
    private final Consumer<String> violations;
    private final Map<ResourceId, Instant> unreportedOutages = new TreeMap<>();
    private Instant excusedUntil = VirtualClock.BEGINNING;

    LatenessInvariant(
            DurableState engine, ExpectedState expectedState, Consumer<String> violations) {
        this.engine = engine;
        this.expectedState = expectedState;
        this.violations = violations;
    }

    /** Excuses lateness until an instant and a little longer. */
    void excuseUntil(Instant until) {
        if (until.isAfter(excusedUntil)) {
            excusedUntil = until;
        }
    }

    private boolean wasUndisturbedSince(Instant since) {
        return excusedUntil.plus(MAX_LATENESS).isBefore(since);
    }

    /** Checks that a lease gets notice of an outage of its resource, and of its end, in time. */
    void checkOutages(Instant now) {
        Set<ResourceId> present = expectedState.findOutageMismatches();
        unreportedOutages.keySet().retainAll(present);
        for (ResourceId resource : present) {
            Instant since = unreportedOutages.computeIfAbsent(resource, _ -> now);
            if (now.isAfter(since.plus(MAX_LATENESS)) && wasUndisturbedSince(since)) {
                violations.accept(
                        "who has %s has not heard of it since %s".formatted(resource, since));
            }
        }
    }

    /** Checks that an event does not come late; call it before the event is applied. */
    void checkBefore(LeaseEvent event, Instant now) {
        switch (event) {
            case LeaseStarting _ -> checkStart(event, now);
            case LeaseEnding ending
                    when ending.cause() == EndCause.WINDOW_OVER && !lease(event).isEnding() ->
                    checkNotLate(event, window(event).end(), now);
            case LeaseEnded ended when ended.cause() == EndCause.MISSED -> checkMissed(event);
            case LeaseRequested _, LeaseRefused _, LeaseRetryScheduled _ ->
                    expectedState
                            .nextAttempt(event.leaseId())
                            .ifPresent(due -> checkNotLate(event, due, now));
            case LeaseEvent _ -> {}
        }
    }

    private Window window(LeaseEvent event) {
        return lease(event).period();
    }

    private ExpectedLeaseState lease(LeaseEvent event) {
        return Objects.requireNonNull(expectedState.leases().get(event.leaseId()));
    }

    private void checkStart(LeaseEvent event, Instant now) {
        ExpectedLeaseState lease = lease(event);
        if (!lease.wasDelayedOrFailed() && !lease.hasStarted()) {
            Instant asked =
                    engine.eventLog().stream(event.leaseId().toString()).stream()
                            .filter(each -> each.getPayload() instanceof LeaseRequested)
                            .findFirst()
                            .orElseThrow()
                            .getTimestamp();
            Instant start = lease.period().start();
            checkNotLate(event, start.isAfter(asked) ? start : asked, now);
        }
    }

    private void checkNotLate(LeaseEvent event, Instant due, Instant now) {
        if (now.isAfter(due.plus(MAX_LATENESS)) && wasUndisturbedSince(due)) {
            violations.accept("%s was due at %s and came at %s".formatted(event, due, now));
        }
    }

    private void checkMissed(LeaseEvent event) {
        ExpectedLeaseState lease = lease(event);
        Duration length = Duration.between(lease.period().start(), lease.period().end());
        if (!lease.wasDelayedOrFailed()
                && length.compareTo(MAX_LATENESS) > 0
                && wasUndisturbedSince(lease.period().start())) {
            violations.accept("%s although nothing was in its way".formatted(event));
        }
    }
}
