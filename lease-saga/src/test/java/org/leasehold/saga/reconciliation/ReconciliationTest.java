package org.leasehold.saga.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
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
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

class ReconciliationTest {

    private static final ResourceKind HOSTS = ResourceKind.PHYSICAL_HOST;
    private static final List<String> THINGS = List.of("aggregate/1", "host/node1");
    private static final Survey NOTHING = new Survey.Seen(Map.of());
    private static final Survey ITS_THINGS = new Survey.Seen(Map.of(RESERVATION, THINGS));
    private static final Comparison NO_DIFFERENCE =
            new Comparison(
                    List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins cloud = new FakePlugins();
    private Given trusts = new Given.Known(List.of());
    private Search standing = new Search.Known(Standing.ENABLED);
    private final Drift drift = reconciliation(cloud);

    private Drift reconciliation(Plugins plugins) {
        HeldResources held = new HeldResources(world, world);
        return new Reconciliation(
                world,
                world,
                plugins,
                () -> trusts,
                new StrayResourceFinder(world, held, plugins),
                new AbandonedLeases(world, _ -> standing));
    }

    @BeforeEach
    void an_active_lease() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    @Test
    void the_resources_of_an_active_reservation_are_not_drift() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> ITS_THINGS);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
    }

    @Test
    void objects_of_a_reservation_that_holds_nothing_are_reported() {
        cloud.surveys(() -> ITS_THINGS);

        assertThat(drift.compare().leftovers())
                .containsExactly(new Drift.Leftover(HOSTS, RESERVATION, THINGS));
    }

    @Test
    void objects_that_two_kinds_report_are_reported_once() {
        cloud.surveys(() -> ITS_THINGS);

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
                    return ITS_THINGS;
                });
        assertThat(drift.compare().leftovers()).isEmpty();

        cloud.surveys(
                () -> {
                    world.holdsNothing(RESERVATION);
                    return ITS_THINGS;
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
        cloud.surveys(() -> looks.getAndIncrement() == 0 ? NOTHING : ITS_THINGS);

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
    void a_server_on_a_host_without_a_lease_is_reported() {
        cloud.surveys(() -> squatting(null));

        assertThat(drift.compare().squatters())
                .containsExactly(
                        new Drift.Squatter(HOSTS, "42", "web", "node2", new ProjectId("p1"), null));
    }

    @Test
    void a_server_in_a_slot_of_an_ended_reservation_is_reported() {
        cloud.surveys(() -> squatting(RESERVATION));
        world.holds(RESERVATION, LEASE);
        assertThat(drift.compare().squatters()).isEmpty();

        world.holdsNothing(RESERVATION);
        assertThat(drift.compare().squatters())
                .extracting(Drift.Squatter::reservation)
                .containsExactly(RESERVATION);
    }

    @Test
    void a_server_of_a_reservation_that_starts_or_ends_meanwhile_is_ignored() {
        cloud.surveys(
                () -> {
                    world.holds(RESERVATION, LEASE);
                    return squatting(RESERVATION);
                });
        assertThat(drift.compare().squatters()).isEmpty();

        cloud.surveys(
                () -> {
                    world.holdsNothing(RESERVATION);
                    return squatting(RESERVATION);
                });
        assertThat(drift.compare().squatters()).isEmpty();
    }

    @Test
    void a_trust_without_a_lease_is_reported() {
        TrustId id = new TrustId("trust-1");
        trusts = new Given.Known(List.of(new Trust(id, new UserId("ada"), new ProjectId("p1"))));

        assertThat(drift.compare().orphans())
                .containsExactly(new Drift.Orphan(id, new UserId("ada"), new ProjectId("p1")));
    }

    @Test
    void a_failed_trust_query_reports_no_orphaned_trusts() {
        trusts = new Given.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        Comparison found = drift.compare();

        assertThat(found.orphans()).isEmpty();
        assertThat(found.unseen())
                .containsExactly(new Drift.Unseen(new ResourceKind("trust"), "away"));
    }

    @Test
    void an_enrolled_resource_missing_in_the_cloud_is_reported_with_the_holder() {
        world.enrol(new ResourceId(1), "node1");
        world.enrol(new ResourceId(2), "node2");
        world.enrol(new ResourceId(3), "node3");
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> ITS_THINGS);
        cloud.says(
                new InventoryResult.Known(
                        Map.of(), Map.of(), new TreeSet<>(List.of("node1", "node2"))));

        assertThat(drift.compare().strays())
                .containsExactlyInAnyOrder(
                        new Drift.Stray(HOSTS, new ResourceId(1), "node1", RESERVATION),
                        new Drift.Stray(HOSTS, new ResourceId(2), "node2", null));
    }

    @Test
    void a_lease_of_a_deleted_or_disabled_project_is_reported() {
        ProjectId project = Samples.view(LEASE, PERIOD).projectId();
        standing = new Search.Known(Standing.DELETED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, true));

        standing = new Search.Known(Standing.DISABLED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, false));
    }

    @Test
    void a_failed_project_query_reports_no_abandoned_leases() {
        standing = new Search.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        Comparison found = drift.compare();

        assertThat(found.abandoned()).isEmpty();
        assertThat(found.unseen())
                .containsExactly(new Drift.Unseen(new ResourceKind("project"), "away"));
    }

    private static Survey squatting(@Nullable ReservationId reservation) {
        return new Survey.Seen(
                Map.of(),
                List.of(
                        new Survey.Squatter(
                                "42", "web", "node2", new ProjectId("p1"), reservation)));
    }
}
