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
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.query.Drift;
import org.leasehold.query.Drift.Comparison;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Look;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.fakes.Samples;

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

    private final FakeWorld world = new FakeWorld();
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
                new StrayComparison(world, held, plugins),
                new AbandonedLeases(world, _ -> standing));
    }

    @BeforeEach
    void an_active_lease() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    @Test
    void what_an_active_reservation_has_is_no_difference() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> ITS_THINGS);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
    }

    @Test
    void what_bears_the_name_of_a_reservation_that_holds_nothing_is_left_over() {
        cloud.surveys(() -> ITS_THINGS);

        assertThat(drift.compare().leftovers())
                .containsExactly(new Drift.Leftover(HOSTS, RESERVATION, THINGS));
    }

    @Test
    void what_two_kinds_see_is_left_over_once() {
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
    void what_starts_or_ends_during_the_look_is_not_left_over() {
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
    void an_active_reservation_of_which_there_is_nothing_is_missing() {
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> NOTHING);

        assertThat(drift.compare().missing())
                .containsExactly(new Drift.Missing(HOSTS, LEASE, RESERVATION));
    }

    @Test
    void a_reservation_that_is_on_its_way_is_not_missing() {
        world.holds(Samples.reservation(12), Samples.lease(2));
        cloud.surveys(() -> NOTHING);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
    }

    @Test
    void a_start_that_ends_during_the_look_is_not_missing() {
        world.holds(RESERVATION, LEASE);
        AtomicInteger looks = new AtomicInteger();
        cloud.surveys(() -> looks.getAndIncrement() == 0 ? NOTHING : ITS_THINGS);

        assertThat(drift.compare()).isEqualTo(NO_DIFFERENCE);
        assertThat(looks).hasValue(2);
    }

    @Test
    void however_many_are_missing_the_cloud_is_looked_at_once_more() {
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
    void of_a_cloud_that_answers_only_once_nothing_is_said_to_be_missing() {
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
    void of_a_cloud_that_does_not_answer_nothing_is_said_to_be_missing() {
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
    void whoever_is_where_nobody_has_a_lease_is_named() {
        cloud.surveys(() -> squatting(null));

        assertThat(drift.compare().squatters())
                .containsExactly(
                        new Drift.Squatter(HOSTS, "42", "web", "node2", new ProjectId("p1"), null));
    }

    @Test
    void whoever_has_a_slot_of_a_reservation_is_named_once_that_holds_none_any_more() {
        cloud.surveys(() -> squatting(RESERVATION));
        world.holds(RESERVATION, LEASE);
        assertThat(drift.compare().squatters()).isEmpty();

        world.holdsNothing(RESERVATION);
        assertThat(drift.compare().squatters())
                .extracting(Drift.Squatter::reservation)
                .containsExactly(RESERVATION);
    }

    @Test
    void whoever_has_a_slot_of_a_reservation_that_begins_or_ends_meanwhile_is_not_named() {
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
    void a_trust_of_nobody_is_named() {
        TrustId id = new TrustId("trust-1");
        trusts = new Given.Known(List.of(new Trust(id, new UserId("ada"), new ProjectId("p1"))));

        assertThat(drift.compare().orphans())
                .containsExactly(new Drift.Orphan(id, new UserId("ada"), new ProjectId("p1")));
    }

    @Test
    void of_a_keystone_that_does_not_answer_no_trust_is_named() {
        trusts = new Given.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        Comparison found = drift.compare();

        assertThat(found.orphans()).isEmpty();
        assertThat(found.unseen())
                .containsExactly(new Drift.Unseen(new ResourceKind("trust"), "away"));
    }

    @Test
    void an_enrolled_resource_that_is_nowhere_is_named_with_who_holds_it() {
        world.enrol(new ResourceId(1), "node1");
        world.enrol(new ResourceId(2), "node2");
        world.enrol(new ResourceId(3), "node3");
        world.holds(RESERVATION, LEASE);
        cloud.surveys(() -> ITS_THINGS);
        cloud.says(new Look.Known(Map.of(), Map.of(), new TreeSet<>(List.of("node1", "node2"))));

        assertThat(drift.compare().strays())
                .containsExactlyInAnyOrder(
                        new Drift.Stray(HOSTS, new ResourceId(1), "node1", RESERVATION),
                        new Drift.Stray(HOSTS, new ResourceId(2), "node2", null));
    }

    @Test
    void a_lease_of_a_project_that_nobody_can_use_is_named() {
        ProjectId project = Samples.view(LEASE, PERIOD).projectId();
        standing = new Search.Known(Standing.DELETED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, true));

        standing = new Search.Known(Standing.DISABLED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, false));
    }

    @Test
    void of_a_keystone_that_does_not_answer_no_lease_is_said_to_be_abandoned() {
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
                        new Acting.Squatter(
                                "42", "web", "node2", new ProjectId("p1"), reservation)));
    }
}
