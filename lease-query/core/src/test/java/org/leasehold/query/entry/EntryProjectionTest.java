package org.leasehold.query.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.history.Invariant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuild;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;

class EntryProjectionTest {

    private static final List<String> PROJECTS = List.of("astronomy", "biology", "chemistry");

    private static EventDatabase database;

    private final EntryProjection entries = new EntryProjection(database.jdbc());

    @BeforeAll
    static void start() {
        database = new EventDatabase();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE event_entry, event_resource;
                        UPDATE projection SET position = 0;
                        """);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_events_of_each_project_are_numbered_without_a_gap(long seed) {
        Map<String, Integer> events = live(new SplittableRandom(seed), 150);

        for (String project : List.of("astronomy", "biology", "chemistry", "-")) {
            assertThat(
                            database.jdbc()
                                    .queryForList(
                                            "SELECT number FROM event_entry WHERE project_id = ?"
                                                    + " ORDER BY position",
                                            Long.class,
                                            project))
                    .isEqualTo(
                            LongStream.rangeClosed(1, events.getOrDefault(project, 0))
                                    .boxed()
                                    .toList());
        }
        assertThat(differences()).isEmpty();
    }

    @Test
    void a_rebuild_restores_the_number_of_each_event() {
        live(new SplittableRandom(4), 120);
        List<Map<String, Object>> before = rows("event_entry");
        List<Map<String, Object>> named = rows("event_resource");
        List<String> indexes = indexes();
        database.jdbc()
                .execute(
                        "DELETE FROM event_entry WHERE number % 2 = 0; DELETE FROM event_resource");

        new Rebuild(database.dataSource(), database.transactionManager(), database)
                .run(List.of(new RebuildableProjection(database.jdbc(), entries)), _ -> {});

        assertThat(rows("event_entry")).isEqualTo(before);
        assertThat(rows("event_resource")).isEqualTo(named).isNotEmpty();
        assertThat(indexes()).isEqualTo(indexes).hasSize(8);
    }

    @Test
    void an_event_belongs_to_the_project_of_the_lease() {
        String lease = request("astronomy", "astronomy");
        database.append("Lease", lease, "LeaseEnding", "{}", by("root", "operators"));

        database.follow(entries);

        assertThat(rows("event_entry"))
                .extracting(row -> row.get("project_id") + " " + row.get("user_id"))
                .containsExactly("astronomy ada", "astronomy root");
    }

    @Test
    void an_event_of_an_unknown_lease_stops_the_projection() {
        request("astronomy", "astronomy");
        database.append("Lease", "unknown", "LeaseEnding", "{}", by("root", "operators"));

        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> database.follow(entries));

        assertThat(rows("event_entry")).isEmpty();
    }

    @Test
    void an_event_without_a_lease_belongs_to_no_project() {
        database.append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        database.append("Property", "physical:host/gpu", "PropertyVisibility", "{}", "{}");

        database.follow(entries);

        assertThat(rows("event_entry"))
                .extracting(row -> row.get("project_id") + " " + row.get("number"))
                .containsExactly("- 1", "- 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ReservationGranted | {'allocations': [{'resource': 3}, {'resource': 4}]}",
                "ResourceReplaced | {'replaced': 3, 'replacement': {'resource': 4}}",
                "ReservationAdjusting | {'joining': [3], 'leaving': [{'resource': 4}]}",
                "ReservationAdjusted | {'left': [3, 4, 3]}"
            })
    void an_event_is_found_by_each_resource_that_it_names(String type, String payload) {
        String lease = request("astronomy", "astronomy");
        database.append("Lease", lease, type, payload.replace('\'', '"'), "{}");

        database.follow(entries);

        assertThat(rows("event_resource"))
                .extracting(row -> row.get("resource_id"))
                .containsExactly(3L, 4L);
        assertThat(differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ResourceFailed", "ResourceRecovered"})
    void an_outage_or_a_recovery_is_found_by_the_resource(String type) {
        String lease = request("astronomy", "astronomy");
        database.append("Lease", lease, type, "{\"resourceId\": 3}", "{}");

        database.follow(entries);

        assertThat(rows("event_resource"))
                .extracting(row -> row.get("resource_id"))
                .containsExactly(3L);
        assertThat(differences()).isEmpty();
    }

    /** The author of such an event must add its paths of resources. */
    @Test
    void every_lease_event_that_names_resources_is_indexed_by_resource() {
        assertThat(LeaseEvent.class.getPermittedSubclasses())
                .filteredOn(
                        type ->
                                Arrays.stream(type.getRecordComponents())
                                        .map(component -> component.getGenericType().getTypeName())
                                        .anyMatch(
                                                name ->
                                                        name.contains(ResourceId.class.getName())
                                                                || name.contains(
                                                                        Allocation.class
                                                                                .getName())))
                .extracting(Class::getSimpleName)
                .allMatch(
                        name ->
                                EntryProjection.EVENT_TYPES_WITH_RESOURCES.contains(
                                        "'" + name + "'"))
                .hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM event_entry WHERE position = 10",
                "DELETE FROM event_entry WHERE position = (SELECT max(position) FROM event_entry)",
                "UPDATE event_entry SET number = 100000 WHERE position = 10",
                "UPDATE event_entry SET project_id = 'physics' WHERE position = 10",
                "UPDATE event_entry SET recorded_at = recorded_at + interval '1 s'",
                "DELETE FROM event_resource",
                "INSERT INTO event_resource VALUES (99, 1)"
            })
    void a_manipulation_is_reported(String mischief) {
        live(new SplittableRandom(5), 50);
        assertThat(differences()).isEmpty();

        database.jdbc().execute(mischief);

        assertThat(differences()).isNotEmpty();
    }

    @Test
    void an_unprojected_event_is_no_difference() {
        live(new SplittableRandom(6), 20);
        request("astronomy", "astronomy");

        assertThat(differences()).isEmpty();
    }

    /** Appends random events of leases and resources; returns their number by project. */
    private Map<String, Integer> live(SplittableRandom chance, int events) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> leases = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            String actor = PROJECTS.get(chance.nextInt(3));
            String owner;
            switch (chance.nextInt(4)) {
                case 0 -> {
                    owner = actor;
                    leases.add(request(owner, actor));
                    owners.add(owner);
                }
                case 1 -> {
                    owner = "-";
                    int resource = chance.nextInt(9);
                    database.append(
                            "Resource",
                            Integer.toString(resource),
                            "ResourceEnabled",
                            "{\"resourceId\": %s}".formatted(resource),
                            by("root", actor));
                }
                default -> {
                    if (leases.isEmpty()) {
                        continue;
                    }
                    int lease = chance.nextInt(leases.size());
                    owner = owners.get(lease);
                    database.append(
                            "Lease",
                            leases.get(lease),
                            "LeaseRenamed",
                            "{\"projectId\": \"%s\"}".formatted(actor),
                            by("root", actor));
                }
            }
            counts.merge(owner, 1, Integer::sum);
            if (chance.nextInt(7) == 0) {
                database.follow(entries);
            }
        }
        database.follow(entries);
        return counts;
    }

    private static String request(String owner, String actor) {
        String lease = UUID.randomUUID().toString();
        database.append(
                "Lease",
                lease,
                "LeaseRequested",
                "{\"projectId\": \"%s\"}".formatted(owner),
                by("ada", actor));
        return lease;
    }

    private static String by(String user, String project) {
        return "{\"user\": \"%s\", \"project\": \"%s\", \"requestId\": \"req-1\"}"
                .formatted(user, project);
    }

    private static List<Map<String, Object>> differences() {
        List<Map<String, Object>> differences = new ArrayList<>();
        for (Invariant invariant :
                List.of(EntryRows.ENTRIES_MATCH_EVENTS, EntryRows.RESOURCES_MATCH_EVENTS)) {
            differences.addAll(database.jdbc().queryForList(invariant.violations()));
        }
        return differences;
    }

    private static List<Map<String, Object>> rows(String table) {
        return database.jdbc().queryForList("SELECT * FROM " + table + " ORDER BY position, 1");
    }

    private static List<String> indexes() {
        return database.jdbc()
                .queryForList(
                        "SELECT indexname FROM pg_indexes WHERE tablename LIKE 'event\\_%'"
                                + " ORDER BY 1",
                        String.class);
    }
}
