package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuild;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

class AuditSubjectProjectionTest {

    private static final String LEASE = "00000000-0000-0000-0000-000000000001";

    private static EventDatabase database;

    private final AuditSubjectProjection subjects = new AuditSubjectProjection(database.jdbc());

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
                        TRUNCATE audit_subject;
                        UPDATE projection SET position = 0;
                        """);
    }

    @Test
    void an_event_is_found_by_type_project_user_and_request() {
        request(LEASE, "astronomy", "ada");
        happened("Lease", LEASE, "LeaseEnding", "{}", by("root", "req-2"));
        happened("Lease", LEASE, "LeaseEnded", "{}", "{'requestId': 'req-2', 'roles': []}");

        database.follow(subjects);

        assertThat(about(1)).contains("type LeaseRequested", "project astronomy", "user ada");
        assertThat(about(2))
                .contains("type LeaseEnding", "project astronomy", "user root", "request req-2");
        assertThat(about(3))
                .contains("type LeaseEnded", "project astronomy", "request req-2")
                .noneMatch(subject -> subject.startsWith("user "));
    }

    @Test
    void an_event_without_a_lease_has_no_project_but_a_kind() {
        enrol(7, "network:floating_ip");
        happened("Resource", "7", "ResourceEnabled", "{'resourceId': 7}", "{}");
        happened(
                "Property",
                "physical:host/gpu",
                "PropertyVisibility",
                "{'kind': 'physical:host', 'property': 'gpu'}",
                "{}");

        database.follow(subjects);

        assertThat(about(2))
                .containsExactlyInAnyOrder(
                        "type ResourceEnabled",
                        "project -",
                        "resource 7",
                        "kind network:floating_ip");
        assertThat(about(3))
                .containsExactlyInAnyOrder(
                        "type PropertyVisibility", "project -", "kind physical:host");
    }

    /** The lease has a host and a network; the granted host has the number 3. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "LeaseStarting | {'tenures': []} | physical:host virtual:network",
                "ReservationActivated | {'reservationId': 'b'} | virtual:network",
                "ReservationAdjusting | {'tenure': {'reservation': 'a'}} | physical:host",
                "ReservationAdded | {'reservation': {'id': 'c', 'kind': 'virtual:volume'}}"
                        + "| virtual:volume",
                "LeaseChangeRefused | {'reservations': [{'id': 'd', 'kind': 'virtual:server'}]}"
                        + "| physical:host virtual:network virtual:server",
                // A stack, which contains this reservation, has resources of other kinds.
                "ReservationGranted | {'reservationId': 'b', 'allocations': [{'resource': 3}]}"
                        + "| physical:host virtual:network",
            })
    void an_event_of_a_lease_is_found_by_the_affected_kinds(
            String type, String payload, String kinds) {
        enrol(3, "physical:host");
        request(LEASE, "astronomy", "ada");
        happened("Lease", LEASE, type, payload, "{}");
        database.follow(subjects);
        // An event alone in a batch, and one with its predecessors, give the same rows.
        happened("Lease", LEASE, type, payload, "{}");
        database.follow(subjects);

        assertThat(kinds(3)).containsExactly(kinds.split(" "));
        assertThat(kinds(4)).containsExactly(kinds.split(" "));
        assertThat(differences()).isEmpty();
    }

    @Test
    void a_refused_change_does_not_add_a_kind_to_the_lease() {
        request(LEASE, "astronomy", "ada");
        happened(
                "Lease",
                LEASE,
                "LeaseChangeRefused",
                "{'reservations': [{'id': 'd', 'kind': 'virtual:server'}]}",
                "{}");
        happened(
                "Lease",
                LEASE,
                "ReservationAdded",
                "{'reservation': {'id': 'c', 'kind': 'virtual:volume'}}",
                "{}");
        happened("Lease", LEASE, "LeaseEnding", "{}", "{}");

        database.follow(subjects);

        assertThat(kinds(4)).containsExactly("physical:host", "virtual:network", "virtual:volume");
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
        request(LEASE, "astronomy", "ada");
        happened("Lease", LEASE, type, payload, "{}");

        database.follow(subjects);

        assertThat(about(2)).contains("resource 3", "resource 4");
        assertThat(differences()).isEmpty();
    }

    @Test
    void a_rebuild_restores_the_same_rows() {
        live(new SplittableRandom(4), 150);
        List<Map<String, Object>> before = rows();
        database.jdbc().execute("DELETE FROM audit_subject WHERE position % 2 = 0");

        new Rebuild(database.dataSource(), database.transactionManager(), database)
                .run(List.of(new RebuildableProjection(database.jdbc(), subjects)), _ -> {});

        assertThat(rows()).isEqualTo(before).isNotEmpty();
        assertThat(
                        database.jdbc()
                                .queryForList(
                                        "SELECT indexname FROM pg_indexes"
                                                + " WHERE tablename = 'audit_subject'",
                                        String.class))
                .containsExactly("audit_subject_pkey");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM audit_subject WHERE position = 10 AND sort = 'type'",
                "DELETE FROM audit_subject WHERE position = (SELECT max(position) FROM"
                        + " domain_event)",
                "UPDATE audit_subject SET subject = 'physics' WHERE sort = 'project'",
                "UPDATE audit_subject SET subject = 'eve' WHERE sort = 'user' AND position = 1",
                "DELETE FROM audit_subject WHERE sort = 'kind'",
                "DELETE FROM audit_subject WHERE sort = 'request'",
                "INSERT INTO audit_subject VALUES ('resource', '99', 1)"
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
        request(UUID.randomUUID().toString(), "astronomy", "ada");

        assertThat(differences()).isEmpty();
    }

    /** Appends random events of leases and resources, and projects a few at a time. */
    private void live(SplittableRandom chance, int events) {
        String lease = LEASE;
        request(lease, "astronomy", "ada");
        for (int i = 0; i < events; i++) {
            switch (chance.nextInt(5)) {
                case 0 -> {
                    lease = new UUID(chance.nextLong(), 1).toString();
                    request(lease, chance.nextBoolean() ? "astronomy" : "biology", "ada");
                }
                case 1 ->
                        enrol(100 + i, chance.nextBoolean() ? "physical:host" : "virtual:network");
                case 2 ->
                        happened(
                                "Lease",
                                lease,
                                "ReservationAdded",
                                "{'reservation': {'id': 'r%s', 'kind': 'virtual:volume'}}"
                                        .formatted(i),
                                by("bob", "req-" + i));
                case 3 ->
                        happened(
                                "Lease",
                                lease,
                                "ReservationGranted",
                                "{'reservationId': 'a', 'allocations': [{'resource': %s}]}"
                                        .formatted(100 + chance.nextInt(i + 1)),
                                "{'requestId': 'req-%s'}".formatted(i));
                default -> happened("Lease", lease, "LeaseEnding", "{}", by("root", "req-" + i));
            }
            if (chance.nextInt(7) == 0) {
                database.follow(subjects);
            }
        }
        database.follow(subjects);
    }

    private static void request(String lease, String project, String user) {
        happened(
                "Lease",
                lease,
                "LeaseRequested",
                """
                {'projectId': '%s', 'reservations': [{'id': 'a', 'kind': 'physical:host'},
                    {'id': 'b', 'kind': 'virtual:network'}]}
                """
                        .formatted(project),
                by(user, "req-1"));
    }

    private static void enrol(long resource, String kind) {
        happened(
                "Resource",
                Long.toString(resource),
                "ResourceEnrolled",
                "{'resourceId': %s, 'kind': '%s'}".formatted(resource, kind),
                "{}");
    }

    private static String by(String user, String request) {
        return "{'user': '%s', 'requestId': '%s'}".formatted(user, request);
    }

    private static void happened(
            String streamType, String stream, String type, String payload, String metadata) {
        database.append(
                streamType, stream, type, payload.replace('\'', '"'), metadata.replace('\'', '"'));
    }

    private static List<String> about(long position) {
        return database.jdbc()
                .queryForList(
                        "SELECT sort || ' ' || subject FROM audit_subject WHERE position = ?",
                        String.class,
                        position);
    }

    private static List<String> kinds(long position) {
        return database.jdbc()
                .queryForList(
                        "SELECT subject FROM audit_subject WHERE position = ? AND sort = 'kind'"
                                + " ORDER BY 1",
                        String.class,
                        position);
    }

    private static List<Map<String, Object>> differences() {
        return database.jdbc()
                .queryForList(
                        AuditSubjectRows.EVERY_EVENT_IS_FOUND_BY_WHAT_IT_IS_ABOUT.violations());
    }

    private static List<Map<String, Object>> rows() {
        return database.jdbc().queryForList("SELECT * FROM audit_subject ORDER BY 3, 1, 2");
    }
}
