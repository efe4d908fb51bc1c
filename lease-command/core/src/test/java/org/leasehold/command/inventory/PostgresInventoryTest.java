package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.vocabulary.LeaseId;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

class PostgresInventoryTest {

    private static final Instant NOW = Instant.parse("2026-11-21T00:33:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final UUID NIGHTLY = new UUID(0, 1);
    private static final UUID WEEKLY = new UUID(0, 2);

    private static InventoryDatabase database;

    private final Map<ResourceId, Resource> resources = new HashMap<>();

    @BeforeAll
    static void start() {
        database = new InventoryDatabase();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc.sql("TRUNCATE claim, holder, resource, resource_property").update();
    }

    @Test
    void an_enrolled_resource_is_stored_with_attributes_and_capabilities() {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("vcpus", 8);
        attributes.put("cpu_info", null);
        send(
                new EnrolResource(
                        new ResourceId(7),
                        ResourceKind.PHYSICAL_HOST,
                        "compute-7",
                        "RegionOne",
                        null,
                        attributes,
                        Map.of("gpu", "V100")));

        assertThat(row(7))
                .containsEntry("kind", "physical:host")
                .containsEntry("name", "compute-7")
                .containsEntry("region", "RegionOne")
                .containsEntry("zone", null)
                .containsEntry("state", "ENROLLED")
                .containsEntry("attributes", "{\"vcpus\": 8, \"cpu_info\": null}")
                .containsEntry("capabilities", "{\"gpu\": \"V100\"}")
                .containsEntry("created", NOW)
                .containsEntry("updated", null);
    }

    @Test
    void an_explicit_resource_id_is_never_generated_later() {
        long next = nextNumber();
        enrol(next + 1, "compute-1", Map.of());
        assertThat(nextNumber()).isEqualTo(next + 2);
        enrol(next + 40, "compute-2", Map.of());
        assertThat(nextNumber()).isEqualTo(next + 41);
    }

    @Test
    void the_first_resource_id_may_be_explicit() {
        database.jdbc.sql("ALTER SEQUENCE resource_number RESTART").update();
        enrol(1, "compute-1", Map.of());
        assertThat(nextNumber()).isEqualTo(2);
    }

    private static long nextNumber() {
        return database.jdbc.sql("SELECT nextval('resource_number')").query(Long.class).single();
    }

    @Test
    void a_change_keeps_the_capabilities_that_it_does_not_name() {
        enrol(7, Map.of("gpu", "V100", "rack", "a", "old", "x"));
        send(
                new ChangeResource(
                        new ResourceId(7), Map.of("rack", "b", "ssd", "yes"), Set.of("old")),
                LATER);

        assertThat(row(7))
                .containsEntry(
                        "capabilities", "{\"gpu\": \"V100\", \"ssd\": \"yes\", \"rack\": \"b\"}")
                .containsEntry("updated", LATER);
        assertThat(properties()).containsOnlyKeys("gpu", "old", "rack", "ssd");
    }

    @Test
    void reported_attributes_replace_old_attributes_and_keep_capabilities() {
        enrol(1, Map.of("gpu", "V100"));

        send(
                new ReportAttributes(
                        new ResourceId(1), "RegionTwo", null, Map.of("memory_mb", 2048)),
                LATER);

        assertThat(row(1))
                .containsEntry("attributes", "{\"memory_mb\": 2048}")
                .containsEntry("capabilities", "{\"gpu\": \"V100\"}")
                .containsEntry("region", "RegionTwo")
                .containsEntry("zone", null)
                .containsEntry("updated", LATER);
    }

    @Test
    void a_disabled_resource_has_a_reason_until_it_is_enabled() {
        enrol(7, Map.of());
        send(new DisableResource(new ResourceId(7), "broken fan"), LATER);

        assertThat(row(7))
                .containsEntry("state", "DISABLED")
                .containsEntry("disabled_reason", "broken fan")
                .containsEntry("updated", LATER);

        send(new EnableResource(new ResourceId(7)), LATER);

        assertThat(row(7))
                .containsEntry("state", "ENROLLED")
                .containsEntry("disabled_reason", null);
    }

    @Test
    void a_name_is_free_again_after_the_retirement() {
        enrol(7, Map.of());
        assertThat(enrol(8, "compute-7", Map.of())).isInstanceOf(Rejected.class);
        send(new RetireResource(new ResourceId(7)));
        assertThat(row(7)).containsEntry("state", "RETIRED");
        assertThat(enrol(8, "compute-7", Map.of())).isInstanceOf(Accepted.class);
    }

    @Test
    void resources_of_different_kinds_may_share_a_name() {
        enrol(7, "shared", Map.of());

        assertThat(
                        send(
                                new EnrolResource(
                                        new ResourceId(8),
                                        new ResourceKind("sample:desk"),
                                        "shared",
                                        null,
                                        null,
                                        Map.of(),
                                        Map.of())))
                .isInstanceOf(Accepted.class);
    }

    @Test
    void only_holders_and_unexpired_claims_rely_on_a_resource() {
        enrol(7, Map.of());
        enrol(8, Map.of());
        UUID past = new UUID(0, 3);
        UUID overdue = new UUID(0, 4);
        UUID elsewhere = new UUID(0, 5);
        ResourceId seven = new ResourceId(7);
        database.claim(seven, past, NOW.minusSeconds(3600), NOW, "gpu");
        database.claim(seven, WEEKLY, NOW.plusSeconds(7200), NOW.plusSeconds(9000));
        database.claim(seven, NIGHTLY, NOW, NOW.plusSeconds(7200), "gpu", "vcpus");
        database.claim(new ResourceId(8), elsewhere, NOW, NOW.plusSeconds(7200), "gpu");
        hold(7, overdue, NOW.minusSeconds(1800));

        ResourceConstraints standing =
                database.inTransaction(
                        () -> database.inventory.readConstraints(new RetireResource(seven), NOW));

        assertThat(standing.reliances())
                .containsExactly(
                        new Reliance(new LeaseId(overdue), Set.of()),
                        new Reliance(new LeaseId(NIGHTLY), Set.of("gpu", "vcpus")),
                        new Reliance(new LeaseId(WEEKLY), Set.of()));
    }

    @Test
    void one_of_several_concurrent_enrolments_of_a_name_is_accepted() throws Exception {
        List<ResourceDecision> decisions =
                atOnce(
                        IntStream.rangeClosed(1, 16)
                                .mapToObj(
                                        id ->
                                                (Callable<ResourceDecision>)
                                                        () -> enrol(id, "compute-7", Map.of()))
                                .toList());

        assertThat(decisions).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(decisions)
                .filteredOn(Rejected.class::isInstance)
                .hasSize(15)
                .containsOnly(
                        new Rejected(new AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "compute-7")));
    }

    @Test
    void concurrent_enrolments_may_add_the_same_properties() throws Exception {
        List<String> names = IntStream.range(0, 12).mapToObj(i -> "property-" + i).toList();
        List<Callable<ResourceDecision>> enrolments = new ArrayList<>();
        for (int id = 1; id <= 16; id++) {
            ResourceId resource = new ResourceId(id);
            Map<String, String> capabilities = new HashMap<>();
            names.forEach(name -> capabilities.put(name, "x"));
            enrolments.add(() -> enrol(resource.value(), capabilities));
        }

        assertThat(atOnce(enrolments)).allMatch(Accepted.class::isInstance);
        assertThat(properties()).containsOnlyKeys(names);
    }

    @Test
    void a_retirement_waits_for_a_concurrent_grant_and_is_then_rejected() throws Exception {
        enrol(7, Map.of());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<ResourceDecision> retirement =
                    database.inTransaction(
                            () -> {
                                database.jdbc
                                        .sql("SELECT name FROM resource FOR KEY SHARE")
                                        .query(String.class)
                                        .single();
                                database.claim(
                                        new ResourceId(7),
                                        NIGHTLY,
                                        NOW.plusSeconds(60),
                                        NOW.plusSeconds(120));
                                Future<ResourceDecision> waiting =
                                        threads.submit(
                                                () -> send(new RetireResource(new ResourceId(7))));
                                awaitTransactionBlockedByThis();
                                return waiting;
                            });

            assertThat(retirement.get())
                    .isEqualTo(
                            new Rejected(
                                    new ResourceReserved(
                                            new ResourceId(7), List.of(new LeaseId(NIGHTLY)))));
        }
    }

    @Test
    void a_property_is_visible_by_default_and_keeps_the_id_when_hidden() {
        enrol(7, Map.of("gpu", "V100"));
        Map<String, Object> before = properties().get("gpu");
        assertThat(before).containsEntry("hidden", false).containsEntry("updated", null);

        show("gpu", true);

        assertThat(properties().get("gpu"))
                .containsEntry("hidden", true)
                .containsEntry("updated", LATER)
                .containsEntry("property_id", before.get("property_id"))
                .containsEntry("created", before.get("created"));
    }

    @Test
    void a_property_can_be_hidden_before_any_resource_has_it() {
        show("capabilities:gpu", true);
        enrol(7, Map.of("gpu", "V100"));

        assertThat(properties().get("gpu")).containsEntry("hidden", true);
    }

    private void show(String property, boolean hidden) {
        database.inTransaction(
                () -> {
                    database.inventory.record(
                            new PropertyVisibility(ResourceKind.PHYSICAL_HOST, property, hidden),
                            LATER);
                    return property;
                });
    }

    private ResourceDecision enrol(long id, Map<String, String> capabilities) {
        return enrol(id, "compute-" + id, capabilities);
    }

    private ResourceDecision enrol(long id, String name, Map<String, String> capabilities) {
        return send(
                new EnrolResource(
                        new ResourceId(id),
                        ResourceKind.PHYSICAL_HOST,
                        name,
                        null,
                        "nova",
                        Map.of("vcpus", 8),
                        capabilities));
    }

    private ResourceDecision send(ResourceCommand command) {
        return send(command, NOW);
    }

    private ResourceDecision send(ResourceCommand command, Instant now) {
        Resource resource;
        synchronized (resources) {
            resource = resources.getOrDefault(command.resourceId(), new Resource.Absent());
        }
        ResourceDecision decision = database.send(command, resource, now);
        if (decision instanceof Accepted(List<ResourceEvent> events)) {
            for (ResourceEvent event : events) {
                resource = resource.evolve(event);
            }
            synchronized (resources) {
                resources.put(command.resourceId(), resource);
            }
        }
        return decision;
    }

    private static <T> List<T> atOnce(List<Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> task : tasks) {
                running.add(
                        threads.submit(
                                () -> {
                                    ready.countDown();
                                    ready.await();
                                    return task.call();
                                }));
            }
            for (Future<T> task : running) {
                results.add(task.get());
            }
        }
        return results;
    }

    private static void hold(long resource, UUID lease, Instant since) {
        database.jdbc
                .sql("INSERT INTO holder VALUES (?, ?, ?, 1, ?)")
                .param(resource)
                .param(UUID.randomUUID())
                .param(lease)
                .param(since.atOffset(ZoneOffset.UTC))
                .update();
    }

    private static void awaitTransactionBlockedByThis() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!database.jdbc
                .sql(
                        """
                        SELECT EXISTS (SELECT FROM pg_locks
                                       WHERE NOT granted
                                         AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))
                        """)
                .query(Boolean.class)
                .single()) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }

    private static Map<String, Object> row(long id) {
        return database.jdbc
                .sql(
                        """
                        SELECT kind, name, region, zone, state, disabled_reason,
                               attributes::text AS attributes, capabilities::text AS capabilities,
                               created_at, updated_at
                          FROM resource WHERE resource_id = ?
                        """)
                .param(id)
                .query(
                        (row, number) -> {
                            Map<String, Object> values = new HashMap<>();
                            for (String column :
                                    List.of(
                                            "kind",
                                            "name",
                                            "region",
                                            "zone",
                                            "state",
                                            "disabled_reason",
                                            "attributes",
                                            "capabilities")) {
                                values.put(column, row.getString(column));
                            }
                            values.put("created", row.getTimestamp("created_at").toInstant());
                            var updated = row.getTimestamp("updated_at");
                            values.put("updated", updated == null ? null : updated.toInstant());
                            return values;
                        })
                .single();
    }

    private static Map<String, Map<String, Object>> properties() {
        Map<String, Map<String, Object>> properties = new HashMap<>();
        database.jdbc
                .sql("SELECT * FROM resource_property")
                .query(
                        row -> {
                            Map<String, Object> values = new HashMap<>();
                            values.put("property_id", row.getString("property_id"));
                            values.put("hidden", row.getBoolean("hidden"));
                            values.put("created", row.getTimestamp("created_at").toInstant());
                            var updated = row.getTimestamp("updated_at");
                            values.put("updated", updated == null ? null : updated.toInstant());
                            properties.put(row.getString("name"), values);
                        });
        return properties;
    }
}
