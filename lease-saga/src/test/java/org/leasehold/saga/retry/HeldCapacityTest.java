package org.leasehold.saga.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tests what the events of a lease free. */
class HeldCapacityTest {

    private static final Duration CLEANING = Duration.ofMinutes(10);
    private static final Instant START = NOON.plusSeconds(3600);
    private static final Instant END = NOON.plusSeconds(7200);
    private static final LeasePeriod PERIOD = new LeasePeriod(START, END);
    private static final Instant CLEAN = END.plus(CLEANING);
    private static final Allocation NODE_2 = new Allocation(new ResourceId(2), "node2", Map.of());

    private final List<RecordedEvent> life = new ArrayList<>();

    HeldCapacityTest() {
        happen(
                NOON,
                new LeaseRequested(
                        LEASE,
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        "telescope",
                        PERIOD,
                        null,
                        List.of(
                                new ReservationWish(
                                        RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of())),
                        null));
        happen(NOON, granted(PERIOD, NODE_1, NODE_2));
    }

    private static LeaseEvent granted(LeasePeriod period, Allocation... allocations) {
        return new ReservationGranted(LEASE, RESERVATION, period, CLEANING, List.of(allocations));
    }

    private void happen(Instant at, LeaseEvent event) {
        life.add(new RecordedEvent(life.size() + 1, LEASE.toString(), life.size(), event, at));
    }

    /** Returns the windows that the last event has freed. */
    private Set<FreedCapacity> freed(Instant at, LeaseEvent last) {
        List<RecordedEvent> before = List.copyOf(life);
        happen(at, last);
        return HeldCapacity.of(before)
                .freedUntil(HeldCapacity.of(life), at, wish -> Set.of(wish.kind()));
    }

    private static FreedCapacity hosts(Instant start, Instant end) {
        return new FreedCapacity(ResourceKind.PHYSICAL_HOST, new LeasePeriod(start, end), false);
    }

    private static FreedCapacity afterUse(Instant start, Instant end) {
        return new FreedCapacity(ResourceKind.PHYSICAL_HOST, new LeasePeriod(start, end), true);
    }

    @Test
    void a_deletion_before_the_start_frees_the_whole_window() {
        assertThat(freed(NOON, new LeaseEnding(LEASE, EndCause.DELETED, List.of())))
                .containsExactly(hosts(START, CLEAN));
    }

    @Test
    void an_early_end_frees_the_rest_after_the_cleaning() {
        Instant half = START.plusSeconds(1800);
        assertThat(freed(half, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE))))
                .containsExactly(afterUse(half.plus(CLEANING), CLEAN));
        assertThat(freed(half.plusSeconds(1), new LeaseEnded(LEASE, EndCause.DELETED))).isEmpty();
    }

    @Test
    void a_removal_frees_as_an_early_end_does() {
        assertThat(freed(NOON, new ReservationRemoved(LEASE, RESERVATION, null)))
                .containsExactly(hosts(START, CLEAN));
    }

    @Test
    void a_removal_during_the_use_frees_the_rest_after_the_cleaning() {
        Instant half = START.plusSeconds(1800);
        assertThat(freed(half, new ReservationRemoved(LEASE, RESERVATION, TENURE)))
                .containsExactly(afterUse(half.plus(CLEANING), CLEAN));
        assertThat(freed(half.plusSeconds(1), new ReservationRemoved(LEASE, RESERVATION, TENURE)))
                .isEmpty();
    }

    @Test
    void an_end_on_time_frees_nothing() {
        assertThat(freed(END, new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE))))
                .isEmpty();
    }

    @Test
    void a_forced_end_frees_the_rest_after_the_cleaning() {
        Instant half = START.plusSeconds(1800);
        assertThat(freed(half, new LeaseEnded(LEASE, EndCause.FORCED)))
                .containsExactly(afterUse(half.plus(CLEANING), CLEAN));
    }

    @Test
    void a_moved_window_frees_what_it_leaves() {
        assertThat(
                        freed(
                                NOON,
                                granted(
                                        new LeasePeriod(
                                                START.plusSeconds(60), END.minusSeconds(60)),
                                        NODE_1,
                                        NODE_2)))
                .containsExactly(
                        hosts(START, START.plusSeconds(60)),
                        afterUse(CLEAN.minusSeconds(60), CLEAN));
        assertThat(
                        freed(
                                NOON,
                                granted(
                                        new LeasePeriod(
                                                END.plusSeconds(7200), END.plusSeconds(7300)),
                                        NODE_1,
                                        NODE_2)))
                .containsExactly(hosts(START.plusSeconds(60), CLEAN.minusSeconds(60)));
    }

    @Test
    void a_longer_window_and_more_resources_free_nothing() {
        assertThat(freed(NOON, granted(new LeasePeriod(NOON, CLEAN), NODE_1, NODE_2))).isEmpty();
    }

    @Test
    void fewer_resources_free_the_whole_window() {
        assertThat(freed(NOON, granted(PERIOD, NODE_1))).containsExactly(hosts(START, CLEAN));
    }

    @Test
    void smaller_needs_of_the_same_slots_free_the_whole_window() {
        happen(NOON, granted(PERIOD, NODE_1.shared(needing(20, 8)), NODE_2.shared(needing(1, 1))));
        Instant half = START.plusSeconds(1800);
        LeasePeriod rest = new LeasePeriod(half, END);

        assertThat(
                        freed(
                                half,
                                granted(
                                        rest,
                                        NODE_1.shared(needing(20, 7)),
                                        NODE_2.shared(needing(1, 1)))))
                .containsExactly(hosts(half, CLEAN));
        assertThat(
                        freed(
                                half,
                                granted(
                                        rest,
                                        NODE_1.shared(needing(20, 7)),
                                        NODE_2.shared(needing(2, 1)))))
                .isEmpty();
    }

    private static Share needing(long cores, long disk) {
        return new Share(1, Map.of("VCPU", cores, "DISK_GB", disk));
    }
}
