package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The rules for reservations with several demands for shares, in every calendar. */
abstract class SeveralDemandsContract extends ShareFixture {

    @Test
    void a_reservation_gets_slots_for_all_demands_or_for_none() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        held(lease(hours(0, 1), where(40, having("zone", "b"))));

        assertThat(settle(several(SEVERAL, List.of(), false, inZone("a", 30), inZone("b", 30))))
                .isInstanceOfSatisfying(
                        Grant.HoldRefused.class,
                        refused -> assertThat(refused.shortages()).hasSize(1));
        assertThat(world.claims(SEVERAL.reservation())).isEmpty();
        assertThat(
                        slotsOf(
                                settle(
                                        several(
                                                SEVERAL,
                                                List.of(),
                                                false,
                                                inZone("a", 30),
                                                inZone("b", 20)))))
                .isEqualTo(Map.of(1L, 1, 2L, 1));
    }

    @Test
    void one_tenure_covers_all_demands_and_a_replacement_meets_the_same_demand() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        world.enrol(3, Map.of("zone", "a"));
        Grant.Held held =
                (Grant.Held)
                        settle(
                                several(
                                        SEVERAL,
                                        List.of(),
                                        false,
                                        inZone("a", 30),
                                        inZone("b", 20)));
        world.disable(1, "broken");

        Grant.TakenUp takenUp =
                (Grant.TakenUp)
                        settle(
                                new CalendarRequest.TakeUp(
                                        SEVERAL.id(),
                                        SampleRequests.PROJECT,
                                        List.of(
                                                new CalendarRequest.Granted(
                                                        SEVERAL.reservation(),
                                                        List.of(inZone("a", 30), inZone("b", 20)),
                                                        hours(0, 1),
                                                        held.allocations()
                                                                .get(SEVERAL.reservation()))),
                                        false));

        assertThat(takenUp.tenures()).hasSize(1);
        assertThat(takenUp.replacements())
                .extracting(r -> r.by().resource().value())
                .containsExactly(3L);
        assertThat(world.claims(SEVERAL.reservation()))
                .extracting(claim -> claim.resource().value())
                .containsExactlyInAnyOrder(2L, 3L);
    }

    @Test
    void a_running_slot_grows_on_the_same_host_up_to_the_free_capacity() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        world.enrol(3, Map.of("zone", "b"));
        SampleRequests.SampleLease other = lease(hours(0, 1), where(20, having("zone", "a")));
        held(other);
        Grant held = settle(several(SEVERAL, List.of(), false, inZone("a", 30)));
        settle(
                new CalendarRequest.TakeUp(
                        SEVERAL.id(),
                        SampleRequests.PROJECT,
                        List.of(
                                new CalendarRequest.Granted(
                                        SEVERAL.reservation(),
                                        List.of(inZone("a", 30)),
                                        hours(0, 1),
                                        ((Grant.Held) held)
                                                .allocations()
                                                .get(SEVERAL.reservation()))),
                        false));

        assertThat(settle(several(SEVERAL, List.of(1L), true, inZone("a", 45), inZone("b", 1))))
                .isInstanceOf(Grant.HoldRefused.class);
        Grant grown = settle(several(SEVERAL, List.of(1L), true, inZone("a", 44), inZone("b", 1)));
        assertThat(slotsOf(grown)).isEqualTo(Map.of(1L, 1, 2L, 1));
        assertThat(((Grant.Held) grown).tenures()).hasSize(1);
        assertThat(settle(lease(hours(0, 1), where(1, having("zone", "a"))).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_running_slot_grows_beside_the_slots_that_the_lease_keeps() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 20), slots(1, 20));
        settle(lease.takeUp(settle(lease.hold())));
        held(lease(hours(0, 1), slots(1, 22)));

        assertThat(settle(grown(lease, 23))).isInstanceOf(Grant.HoldRefused.class);
        assertThat(settle(grown(lease, 22))).isInstanceOf(Grant.Held.class);
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_joining_reservation_with_several_demands_gets_one_tenure() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 30));
        settle(lease.takeUp(settle(lease.hold())));

        Grant joined = settle(lease.join(List.of(1L), inZone("a", 30), inZone("b", 20)));

        ReservationId joiner = lease.joiner();
        assertThat(slots(((Grant.Held) joined).allocations().get(joiner)))
                .isEqualTo(Map.of(1L, 1, 2L, 1));
        assertThat(((Grant.Held) joined).tenures())
                .extracting(Tenure::reservation)
                .containsExactly(joiner);
        assertThat(world.holders()).containsOnly(1L, 2L);
    }

    private static final SampleRequests.SampleLease SEVERAL = lease(hours(0, 1), slots(1, 1));

    private static CalendarRequest<?> several(
            SampleRequests.SampleLease lease,
            List<Long> current,
            boolean running,
            Demand... demands) {
        return new CalendarRequest.Hold(
                lease.id(),
                SampleRequests.PROJECT,
                Arrays.stream(demands)
                        .map(
                                demand ->
                                        new CalendarRequest.Wanted(
                                                lease.reservation(),
                                                demand,
                                                lease.period(),
                                                current.stream().map(ResourceId::new).toList(),
                                                running))
                        .toList());
    }

    private static Map<Long, Integer> slotsOf(Grant grant) {
        return slots(((Grant.Held) grant).allocations().get(SEVERAL.reservation()));
    }

    private static Demand inZone(String zone, long cores) {
        return where(cores, having("zone", zone));
    }
}
