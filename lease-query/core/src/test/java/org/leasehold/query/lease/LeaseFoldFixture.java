package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The events of a lease with two reservations, and the state after any of them. */
abstract class LeaseFoldFixture {

    static final LeaseId LEASE = LeaseFixtures.lease(1);
    static final ReservationId FIRST = LeaseFixtures.reservation(1);
    static final ReservationId SECOND = LeaseFixtures.reservation(2);
    static final Fault BROKEN = new Fault(Fault.Kind.PERMANENT, "host compute-1 is broken");
    static final Fault SHORTAGE =
            new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, "host compute-1 is in maintenance");

    static final LeaseEvent REQUESTED =
            LeaseFixtures.requested(
                    LEASE, ASTRONOMY, "night", hosts(FIRST, 1, 2), hosts(SECOND, 1, 1));
    static final LeaseEvent FIRST_GRANTED = LeaseFixtures.granted(LEASE, FIRST, host(1), host(2));
    private static final LeaseEvent SECOND_GRANTED = LeaseFixtures.granted(LEASE, SECOND, host(3));
    static final LeaseEvent STARTING =
            new LeaseStarting(LEASE, List.of(new Tenure(FIRST, 1), new Tenure(SECOND, 2)));
    static final LeaseEvent FIRST_ACTIVE = new ReservationActivated(LEASE, FIRST);
    static final LeaseEvent SECOND_ACTIVE = new ReservationActivated(LEASE, SECOND);
    static final LeaseEvent ACTIVATED = new LeaseActivated(LEASE);
    static final LeaseEvent FIRST_RELEASED = new ReservationReleased(LEASE, FIRST);
    static final LeaseEvent SECOND_RELEASED = new ReservationReleased(LEASE, SECOND);

    static final LeaseEvent[] ACCEPTED = {REQUESTED, FIRST_GRANTED, SECOND_GRANTED};
    static final LeaseEvent[] RUNNING = {
        REQUESTED, FIRST_GRANTED, SECOND_GRANTED, STARTING, FIRST_ACTIVE, SECOND_ACTIVE, ACTIVATED
    };

    static final Set<Class<?>> SEEN = new HashSet<>();

    static LeaseEvent failed(long resource) {
        return new ResourceFailed(LEASE, FIRST, new ResourceId(resource), "it is down");
    }

    static LeaseEvent failed(Action action, Fault fault) {
        return new ReservationFailed(LEASE, FIRST, action, fault);
    }

    static LeaseEvent ending(EndCause cause) {
        return new LeaseEnding(LEASE, cause, List.of(new Tenure(FIRST, 5), new Tenure(SECOND, 6)));
    }

    static LeaseEvent[] join(LeaseEvent[] given, LeaseEvent... more) {
        return Stream.concat(Arrays.stream(given), Arrays.stream(more)).toArray(LeaseEvent[]::new);
    }

    static LeaseView after(LeaseEvent... events) {
        LeaseView lease = fold(events);
        assertThat(lease).isNotNull();
        return lease;
    }

    /** Returns the view after events; the first is at noon, each later one a minute after. */
    static LeaseView fold(LeaseEvent... events) {
        LeaseView lease = null;
        for (int i = 0; i < events.length; i++) {
            SEEN.add(events[i].getClass());
            lease = LeaseFold.apply(lease, events[i], minute(i));
        }
        return lease;
    }

    static Instant minute(int number) {
        return NOON.plus(Duration.ofMinutes(number));
    }

    static ReservationView reservation(LeaseView lease, ReservationId id) {
        return lease.reservations().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static ScheduledEventView scheduled(LeaseView lease, ScheduledEventView.Type type) {
        return lease.scheduledEvents().stream()
                .filter(event -> event.type() == type)
                .findFirst()
                .orElseThrow();
    }

    static ScheduledEventView.Status status(LeaseView lease, ScheduledEventView.Type type) {
        return scheduled(lease, type).status();
    }
}
