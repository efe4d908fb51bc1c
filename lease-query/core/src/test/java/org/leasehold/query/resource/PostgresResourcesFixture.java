package org.leasehold.query.resource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A PostgreSQL with the tables of the inventory; each test begins with empty tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresResourcesFixture {

    static final String HOST = "physical:host";
    static final String DESK = "sample:desk";
    private static final Instant NOW = Instant.parse("2026-11-21T00:33:00Z");
    static final UUID NIGHTLY = new UUID(1, 1);
    static final UUID WEEKLY = new UUID(1, 2);
    static final UUID FIRST = new UUID(2, 1);
    static final UUID SECOND = new UUID(2, 2);
    static final UUID THIRD = new UUID(2, 3);

    final InventoryTables tables = new InventoryTables();
    final PostgresResources resources = new PostgresResources(tables.jdbc);

    @AfterAll
    void stop() throws IOException {
        tables.close();
    }

    @BeforeEach
    void empty() {
        tables.empty();
    }

    List<ResourceCalendar> allocations(
            ResourceId resource, LeaseId lease, ReservationId reservation) {
        return resources.allocations(ResourceKind.PHYSICAL_HOST, resource, lease, reservation, NOW);
    }

    static ResourceCalendar calendar(long id, Holding... holdings) {
        return new ResourceCalendar(new ResourceId(id), "compute-" + id, List.of(holdings));
    }

    Holding holding(UUID lease, UUID reservation, long start, long end) {
        return new Holding(
                new ReservationId(reservation),
                new LeaseId(lease),
                new ProjectId("p1"),
                new LeasePeriod(at(start), at(end)));
    }

    static ResourceProperty property(UUID id, String name, boolean hidden, List<String> values) {
        return new ResourceProperty(
                id,
                ResourceKind.PHYSICAL_HOST,
                name,
                hidden,
                values,
                Instant.parse("2026-11-21T00:00:00Z"),
                Instant.parse("2026-11-22T00:00:00Z"));
    }

    static Instant at(long minutes) {
        return NOW.plusSeconds(60 * minutes);
    }
}
