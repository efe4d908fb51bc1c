package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.StartOrder;
import org.leasehold.saga.fakes.FakePlanning;
import org.leasehold.saga.fakes.Samples;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Tests from which time on a reservation is late. */
class ReadyLatenessTest {

    private static final ResourceKind LATER = new ResourceKind("later:host");
    private static final Instant START = PERIOD.start();
    private static final Instant TURN = START.plusSeconds(90);

    private final StartOrder order = StartOrder.of(new StartingLater());

    @Test
    void a_reservation_that_waited_for_others_is_late_from_the_turn_on() {
        ReservationView later = of(LATER);
        assertThat(TaskRunner.earliestStart(lease(of(host()), later), later, order, TURN))
                .isEqualTo(TURN);
    }

    @Test
    void a_reservation_that_waits_for_none_is_late_from_the_start_of_the_lease_on() {
        ReservationView host = of(host());
        ReservationView later = of(LATER);
        assertThat(TaskRunner.earliestStart(lease(host, later), host, order, TURN))
                .isEqualTo(START);
        assertThat(TaskRunner.earliestStart(lease(later), later, order, TURN)).isEqualTo(START);
    }

    private static ResourceKind host() {
        return ResourceKind.PHYSICAL_HOST;
    }

    private static ReservationView of(ResourceKind kind) {
        return new ReservationView(
                reservation(1),
                kind,
                ReservationView.Status.PENDING,
                Map.of(),
                List.of(),
                null,
                false,
                false,
                null,
                START.minusSeconds(60),
                null);
    }

    private static LeaseView lease(ReservationView... reservations) {
        LeaseView sample = Samples.view(LEASE, PERIOD);
        return new LeaseView(
                sample.id(),
                sample.projectId(),
                sample.userId(),
                sample.name(),
                sample.status(),
                sample.period(),
                null,
                null,
                List.of(reservations),
                List.of(),
                sample.createdAt(),
                null,
                1,
                null,
                null);
    }

    /** The plug-in for hosts that start after the other hosts of their lease. */
    private static final class StartingLater implements Plugins {

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return kind.equals(LATER) ? Optional.of(new LaterPlugin()) : Optional.empty();
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(Set.of(LATER.value()));
        }
    }

    private static final class LaterPlugin implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return LATER;
        }

        @Override
        public Planning planning() {
            return new FakePlanning(/* actsAsUser= */ false, Set.of(host()));
        }

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }
    }
}
