package org.leasehold.saga.reconciliation;

import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Comparison;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.Survey;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;

/** A cloud and leases that a comparison finds to differ. */
abstract class ReconciliationFixture {

    static final ResourceKind HOSTS = ResourceKind.PHYSICAL_HOST;
    static final List<String> THINGS = List.of("aggregate/1", "host/node1");
    static final Survey NOTHING = new Survey.Seen(Map.of());
    static final Survey RESERVED_THINGS = new Survey.Seen(Map.of(RESERVATION, THINGS));
    static final Comparison NO_DIFFERENCE =
            new Comparison(
                    List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    final FakeReadModel world = new FakeReadModel();
    final FakePlugins cloud = new FakePlugins();
    Given trusts = new Given.Known(List.of());
    Search standing = new Search.Known(Standing.ENABLED);
    final Drift drift = reconciliation(cloud);

    Drift reconciliation(Plugins plugins) {
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

    static Survey squatting(@Nullable ReservationId reservation) {
        return new Survey.Seen(
                Map.of(),
                List.of(
                        new Survey.Squatter(
                                "42", "web", "node2", new ProjectId("p1"), reservation)));
    }
}
