package org.leasehold.saga.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Comparison;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.saga.fakes.Samples;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Tests the differences between the cloud and the reservations of leases. */
class ReconciliationTest extends ReconciliationFixture {

    @Test
    void the_resources_of_an_active_reservation_are_not_drift() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> RESERVED_THINGS);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
    }

    @Test
    void objects_of_a_reservation_that_holds_nothing_are_reported() {
        cloud.surveys(() -> RESERVED_THINGS);

        assertThat(drift.compare().leftovers())
                .containsExactly(new Drift.Leftover(HOSTS, RESERVATION, THINGS));
    }

    @Test
    void objects_that_two_kinds_report_are_reported_once() {
        cloud.surveys(() -> RESERVED_THINGS);

        assertThat(reconciliation(new Twice(cloud)).compare().leftovers())
                .containsExactly(new Drift.Leftover(HOSTS, RESERVATION, THINGS));
    }

    /** Plug-ins that lease the same objects of the cloud in two ways. */
    private record Twice(Plugins plugins) implements Plugins {

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return plugins.find(HOSTS);
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(List.of(HOSTS.value(), "physical:same"));
        }
    }

    @Test
    void objects_of_a_reservation_that_starts_or_ends_meanwhile_are_ignored() {
        cloud.surveys(
                () -> {
                    world.holds(RESERVATION, LEASE);
                    return RESERVED_THINGS;
                });
        assertThat(drift.compare().leftovers()).isEmpty();

        cloud.surveys(
                () -> {
                    world.holdsNothing(RESERVATION);
                    return RESERVED_THINGS;
                });
        assertThat(drift.compare().leftovers()).isEmpty();
    }

    @Test
    void an_active_reservation_without_objects_is_reported_as_missing() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> NOTHING);

        assertThat(drift.compare().missing())
                .containsExactly(new Drift.Missing(HOSTS, LEASE, RESERVATION));
    }

    @Test
    void a_reservation_that_is_not_active_is_not_reported_as_missing() {
        world.holds(Samples.reservation(12), Samples.lease(2));
        cloud.surveys(() -> NOTHING);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
    }

    @Test
    void a_start_that_completes_during_the_comparison_is_not_missing() {
        world.holds(RESERVATION, LEASE);
        AtomicInteger looks = new AtomicInteger();
        cloud.surveys(() -> looks.getAndIncrement() == 0 ? NOTHING : RESERVED_THINGS);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
        assertThat(looks).hasValue(2);
    }

    @Test
    void missing_reservations_are_confirmed_by_one_more_survey() {
        world.put(Samples.view(Samples.lease(2), PERIOD, Samples.reservation(12)));
        world.holds(RESERVATION, LEASE);
        world.holds(Samples.reservation(12), Samples.lease(2));
        AtomicInteger looks = new AtomicInteger();
        cloud.surveys(
                () -> {
                    looks.incrementAndGet();
                    return NOTHING;
                });

        assertThat(drift.compare().missing()).hasSize(2);
        assertThat(looks).hasValue(2);
    }

    @Test
    void a_failed_second_survey_reports_nothing_as_missing() {
        world.holds(RESERVATION, LEASE);
        AtomicInteger looks = new AtomicInteger();
        cloud.surveys(
                () ->
                        looks.getAndIncrement() == 0
                                ? NOTHING
                                : new Survey.Unseen(new Fault(Fault.Kind.RETRYABLE, "no answer")));

        Comparison comparison = drift.compare();

        assertThat(comparison.missing()).isEmpty();
        assertThat(comparison.unseen()).containsExactly(new Drift.Unseen(HOSTS, "no answer"));
    }

    @Test
    void a_failed_survey_reports_only_the_unseen_kind() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> new Survey.Unseen(new Fault(Fault.Kind.RETRYABLE, "no answer")));

        assertThat(drift.compare())
                .isEqualTo(
                        new Comparison(
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(new Drift.Unseen(HOSTS, "no answer"))));
    }

    @Test
    void an_enrolled_resource_missing_in_the_cloud_is_reported_with_the_holder() {
        world.enrol(new ResourceId(1), "node1");
        world.enrol(new ResourceId(2), "node2");
        world.enrol(new ResourceId(3), "node3");
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> RESERVED_THINGS);
        cloud.says(
                new InventoryResult.Known(
                        Map.of(), Map.of(), new TreeSet<>(List.of("node1", "node2"))));

        assertThat(drift.compare().strays())
                .containsExactlyInAnyOrder(
                        new Drift.Stray(HOSTS, new ResourceId(1), "node1", RESERVATION),
                        new Drift.Stray(HOSTS, new ResourceId(2), "node2", null));
    }
}
