package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.command.whatif.TwoHostEvents.START;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;
import static org.leasehold.command.whatif.TwoHostEvents.lease;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.lease.StackOnlyPlugins;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.More;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Replays a stack on a volume type of 10 GiB. Lease 1 has all of them from hour 1 to hour 11. At
 * hour 3, its project reduces it to 4 GiB. The cloud confirms that at hour 5.
 */
class ReductionReplayTest {

    private static final Instant END = hour(24);
    private static final ResourceId GOLD = new ResourceId(1);
    private static final LeasePeriod PERIOD = hours(1, 11);
    private static final Tenure FIRST = new Tenure(reservation(1), 100);
    private static final Tenure SECOND = new Tenure(reservation(1), 101);
    private static final Tenure THIRD = new Tenure(reservation(1), 102);

    private static final Map<String, @Nullable Object> LARGE = volume(10);
    private static final Map<String, @Nullable Object> BOTH =
            StackOnlyPlugins.changed(LARGE, Map.of("gold", 4));
    private static final Map<String, @Nullable Object> SMALL =
            new StackPlanning().planConfirmed(BOTH).orElseThrow().parameters();

    private final List<RecordedEvent> recorded = new ArrayList<>();

    ReductionReplayTest() {
        happen(
                "resource",
                START.minus(Duration.ofHours(1)),
                new ResourceEnrolled(
                        GOLD,
                        ResourceKind.VOLUME,
                        "gold",
                        null,
                        null,
                        Map.of("volume_type", "gold", "VOLUME_GB", 10),
                        Map.of()));
        granted(1, 0, PERIOD, LARGE, 10);
        happen(1, 1, new LeaseStarting(lease(1), List.of(FIRST)));
        happen(
                1,
                1.1,
                new ReservationActivated(lease(1), reservation(1)),
                new LeaseActivated(lease(1)));
        happen(
                1,
                3,
                new ReservationChanged(lease(1), reservation(1), BOTH),
                grant(1, hours(3, 11), 10),
                new ReservationAdjusting(lease(1), SECOND, List.of(), List.of()));
    }

    private static ReservationId reservation(int number) {
        return new ReservationId(new UUID(2, number));
    }

    private static Map<String, @Nullable Object> volume(int gib) {
        return StackOnlyPlugins.volumes(Map.of("gold", gib));
    }

    private void happen(int number, double at, LeaseEvent... events) {
        happen(lease(number).toString(), hour(at), (Object[]) events);
    }

    private void happen(String stream, Instant at, Object... events) {
        for (Object event : events) {
            recorded.add(new RecordedEvent(recorded.size() + 1L, stream, 0, event, at));
        }
    }

    private static List<ReservationWish> wishes(int number, Map<String, @Nullable Object> wish) {
        return List.of(new ReservationWish(reservation(number), ResourceKind.STACK, wish));
    }

    private static ReservationGranted grant(int number, LeasePeriod period, long gib) {
        return new ReservationGranted(
                lease(number),
                reservation(number),
                period,
                Duration.ZERO,
                List.of(
                        new Allocation(GOLD, "gold", Map.of())
                                .shared(new Share(1, Map.of("VOLUME_GB", gib)))));
    }

    private void granted(
            int number,
            double at,
            LeasePeriod period,
            Map<String, @Nullable Object> wish,
            long gib) {
        happen(
                number,
                at,
                new LeaseRequested(
                        lease(number),
                        new ProjectId("p"),
                        new UserId("u"),
                        "stack",
                        period,
                        null,
                        wishes(number, wish),
                        null),
                grant(number, period, gib));
    }

    private void refused(int number, double at, LeasePeriod period, int gib) {
        happen(
                number,
                at,
                new LeaseRefused(
                        lease(number),
                        new ProjectId("p"),
                        new UserId("u"),
                        "stack",
                        period,
                        null,
                        wishes(number, volume(gib)),
                        List.of(
                                new Shortage(
                                        reservation(number),
                                        ResourceKind.VOLUME,
                                        1,
                                        1,
                                        0,
                                        period,
                                        0,
                                        null)),
                        Long.MAX_VALUE,
                        null));
    }

    private void confirm(double at) {
        happen(
                1,
                at,
                new ReservationChanged(lease(1), reservation(1), SMALL),
                grant(1, new LeasePeriod(hour(at), hour(11)), 4),
                new ReservationAdjusted(lease(1), reservation(1), List.of()));
    }

    private void end() {
        happen(1, 11, new LeaseEnding(lease(1), EndCause.WINDOW_OVER, List.of(SECOND)));
        happen(
                1,
                11.1,
                new ReservationReleased(lease(1), reservation(1)),
                new LeaseEnded(lease(1), EndCause.WINDOW_OVER));
    }

    private Comparison compare(WhatIfScenario scenario) {
        ScenarioComparison worlds = new ScenarioComparison(scenario, new StackOnlyPlugins());
        InMemoryEventReplay.replay(recorded, worlds);
        return worlds.finish();
    }

    @Test
    void a_replay_frees_capacity_when_the_cloud_confirmed_it() {
        refused(2, 4, hours(8, 9), 6);
        confirm(5);
        granted(3, 5.5, hours(8, 9), volume(6), 6);
        refused(4, 6, hours(8, 9), 1);
        end();

        Comparison same = compare(WhatIfScenario.ofUnchanged(START, END, 10));

        assertThat(same.notReproduced().first()).isEmpty();
        assertThat(same.otherwise().first()).isEmpty();
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(same.recorded().changes()).isEqualTo(new Requests(1, 0, 0));
    }

    @Test
    void a_duplicated_lease_frees_capacity_when_it_changes() {
        refused(2, 4, hours(8, 9), 6);
        confirm(5);
        end();
        More more = new More(1, ResourceKind.VOLUME, GOLD, null, Map.of(), START);

        Comparison twice =
                compare(new WhatIfScenario(START, END, List.of(more), List.of(), null, 200, 10));

        assertThat(twice.otherwise().first())
                .extracting(Difference::lease, Difference::changed)
                .containsExactly(tuple(lease(2), Outcome.ACCEPTED));
    }

    /** A request for another template describes its parts, which may be the same. */
    @Test
    void a_replay_repeats_a_change_with_equal_parts() {
        confirm(5);
        Map<String, @Nullable Object> renamed = new HashMap<>(SMALL);
        renamed.put("template", Map.of("resources", Map.of(), "description", "renamed"));
        happen(
                1,
                6,
                new ReservationChanged(lease(1), reservation(1), renamed),
                grant(1, hours(6, 11), 4),
                new ReservationAdjusting(lease(1), THIRD, List.of(), List.of()));
        granted(2, 7, hours(8, 9), volume(6), 6);
        end();

        Comparison same = compare(WhatIfScenario.ofUnchanged(START, END, 10));

        assertThat(same.notReproduced().first()).isEmpty();
        assertThat(same.otherwise().first()).isEmpty();
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(same.recorded().changes()).isEqualTo(new Requests(2, 0, 0));
    }
}
