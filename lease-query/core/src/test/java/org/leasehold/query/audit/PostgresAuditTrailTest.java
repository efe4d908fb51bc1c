package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.RequestOrigin;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.vocabulary.LeaseId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

class PostgresAuditTrailTest {

    private static final LeaseId A = LeaseId.of("00000000-0000-0000-0000-00000000000a");
    private static final LeaseId B = LeaseId.of("00000000-0000-0000-0000-00000000000b");
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    private static EventDatabase database;

    private final PostgresAuditTrail trail =
            new PostgresAuditTrail(database.client(), new RecordedTimes());

    private static final Path RESOURCES =
            Path.of("../../lease-command/core/src/main/resources/db/migration/V2__calendar.sql");

    @BeforeAll
    static void start() throws IOException {
        database = new EventDatabase();
        database.jdbc().execute(Files.readString(RESOURCES));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    /** Appends positions 1 to 8; each is stored a second after the last, the first at 00:00:01. */
    @BeforeEach
    void live() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE audit_subject, request_origin, booking;
                        TRUNCATE resource CASCADE;
                        UPDATE projection SET position = 0;
                        """);
        happened("Resource", "7", "ResourceEnrolled", "{'resourceId': 7, 'kind': 'physical:host'}");
        requested(A, "astronomy", "ada", "physical:host");
        requested(B, "biology", "ada", "virtual:network");
        lease(A, "ReservationGranted", "{'allocations': [{'resource': 7}]}", "req-2");
        lease(B, "LeaseStarting", "{}", "req-3");
        lease(A, "LeaseStarting", "{}", "req-2");
        database.append(
                "Lease",
                B.toString(),
                "LeaseEnding",
                "{}",
                """
                {"user": "eve", "project": "operators", "roles": ["admin", "reader"],
                 "authentication": "basic", "requestId": "req-7", "causation": "c",
                 "reason": "it is broken"}
                """);
        happened("Resource", "7", "ResourceRetired", "{'resourceId': 7}");
        follow();
        database.jdbc()
                .update(
                        "UPDATE domain_event SET recorded_at = '2030-01-01T00:00:00Z'::timestamptz"
                                + " + position * interval '1 s'");
    }

    @Test
    void an_empty_filter_finds_all_events_newest_first() {
        assertThat(found(filter())).containsExactly(8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
    }

    @Test
    void each_condition_finds_the_matching_events() {
        assertThat(found(new Filter(A, null, null, null, null, null, null, null)))
                .containsExactly(6L, 4L, 2L);
        assertThat(found(new Filter(null, "biology", null, null, null, null, null, null)))
                .containsExactly(7L, 5L, 3L);
        assertThat(found(new Filter(null, "-", null, null, null, null, null, null)))
                .containsExactly(8L, 1L);
        assertThat(found(new Filter(null, null, "ada", null, null, null, null, null)))
                .containsExactly(3L, 2L);
        assertThat(
                        found(
                                new Filter(
                                        null,
                                        null,
                                        null,
                                        Set.of(new ResourceId(7)),
                                        null,
                                        null,
                                        null,
                                        null)))
                .containsExactly(8L, 4L, 1L);
        assertThat(found(kind(ResourceKind.PHYSICAL_HOST))).containsExactly(8L, 6L, 4L, 2L, 1L);
        assertThat(found(type("LeaseStarting"))).containsExactly(6L, 5L);
        assertThat(found(new Filter(null, null, null, null, null, null, "req-2", null)))
                .containsExactly(6L, 4L);
        assertThat(found(new Filter(null, null, "nobody", null, null, null, null, null))).isEmpty();
    }

    @Test
    void conditions_are_combined_by_and() {
        assertThat(found(new Filter(null, "astronomy", "ada", null, null, null, null, null)))
                .containsExactly(2L);
        assertThat(found(new Filter(A, null, null, null, null, "LeaseStarting", null, null)))
                .containsExactly(6L);
        assertThat(
                        found(
                                new Filter(
                                        null,
                                        "astronomy",
                                        null,
                                        Set.of(new ResourceId(7)),
                                        ResourceKind.PHYSICAL_HOST,
                                        "ReservationGranted",
                                        "req-2",
                                        null)))
                .containsExactly(4L);
        assertThat(found(new Filter(A, "biology", null, null, null, null, null, null))).isEmpty();
    }

    @Test
    void a_window_includes_the_start_and_excludes_the_end() {
        assertThat(found(filter(), 3, 6)).containsExactly(5L, 4L, 3L);
        assertThat(found(new Filter(A, null, null, null, null, null, null, null), 3, 6))
                .containsExactly(4L);
        assertThat(found(kind(ResourceKind.PHYSICAL_HOST), 4, 8)).containsExactly(6L, 4L);
        assertThat(found(filter(), 9, 20)).isEmpty();
    }

    @Test
    void consecutive_pages_contain_each_event_once() {
        assertThat(paged(filter())).containsExactly(8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(paged(kind(ResourceKind.PHYSICAL_HOST))).containsExactly(8L, 6L, 4L, 2L, 1L);
        assertThat(paged(new Filter(A, null, null, null, null, null, null, null)))
                .containsExactly(6L, 4L, 2L);
        assertThat(paged(new Filter(null, "biology", "ada", null, null, null, null, null)))
                .containsExactly(3L);
    }

    @Test
    void observed_use_is_found_among_the_events_of_the_lease() {
        seen(A);
        lease(A, "LeaseActivated", "{}", "req-2");
        seen(B);
        seen(A);
        follow();
        Filter ofA = new Filter(A, null, null, null, null, null, null, null);

        assertThat(found(ofA)).containsExactly(12L, 10L, 9L, 6L, 4L, 2L);
        assertThat(paged(ofA)).containsExactly(12L, 10L, 9L, 6L, 4L, 2L);
        assertThat(found(new Filter(A, null, null, null, null, "UseObserved", null, null)))
                .containsExactly(12L, 9L);
    }

    private static void seen(LeaseId lease) {
        UUID reservation = new UUID(7, lease.value().getLeastSignificantBits());
        database.jdbc()
                .update(
                        """
                        INSERT INTO booking VALUES (?, ?, 'physics', 7, 'physical:host', 'ACTIVE',
                            1, NULL, '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z', 1, NULL)
                        ON CONFLICT DO NOTHING
                        """,
                        lease.value(),
                        reservation);
        happened("Use", reservation + "/7", "UseObserved", "{'projectId': 'physics'}");
    }

    @Test
    void a_name_finds_enrolled_and_retired_resources() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO resource (resource_id, kind, name, state, attributes,
                            capabilities, created_at)
                        SELECT id, kind, name, state, '{}', '{}', now()
                        FROM (VALUES (7, 'physical:host', 'compute-5', 'RETIRED'),
                            (8, 'physical:host', 'compute-5', 'ENROLLED'),
                            (9, 'virtual:network', 'compute-5', 'ENROLLED'),
                            (10, 'physical:host', 'compute-50', 'ENROLLED'))
                            AS enrolled (id, kind, name, state)
                        """);

        assertThat(trail.findResourcesNamed(ResourceKind.PHYSICAL_HOST, "compute-5"))
                .containsExactlyInAnyOrder(new ResourceId(7), new ResourceId(8));
        assertThat(trail.findResourcesNamed(null, "compute-5")).hasSize(3);
        assertThat(trail.findResourcesNamed(null, "compute-6")).isEmpty();
    }

    @Test
    void an_event_about_several_resources_is_found_once() {
        happened("Resource", "8", "ResourceEnrolled", "{'resourceId': 8, 'kind': 'physical:host'}");
        lease(A, "ReservationReallocated", "{'replaced': 7, 'replacement': {'resource': 8}}", "r");
        follow();
        Filter both = resources(new ResourceId(7), new ResourceId(8));

        assertThat(found(both)).containsExactly(10L, 9L, 8L, 4L, 1L);
        assertThat(paged(both)).containsExactly(10L, 9L, 8L, 4L, 1L);
        assertThat(
                        found(
                                new Filter(
                                        A,
                                        null,
                                        null,
                                        Set.of(new ResourceId(7), new ResourceId(8)),
                                        null,
                                        null,
                                        null,
                                        null)))
                .containsExactly(10L, 4L);
        assertThat(found(resources(new ResourceId(99)))).isEmpty();
        assertThat(found(resources())).isEmpty();
    }

    @Test
    void events_are_found_by_the_address_of_the_request() {
        came("req-2", "192.0.2.7");
        came("req-3", "192.0.3.7");
        came("req-7", "2001:db8::7");

        assertThat(found(from("192.0.2.7"))).containsExactly(6L, 4L);
        assertThat(found(from("192.0.2.0/24"))).containsExactly(6L, 4L);
        assertThat(found(from("192.0.2.0/23"))).containsExactly(6L, 5L, 4L);
        assertThat(found(from("0.0.0.0/0"))).containsExactly(6L, 5L, 4L);
        assertThat(found(from("192.0.2.8"))).isEmpty();
        assertThat(found(from("2001:db8::/32"))).containsExactly(7L);
        assertThat(paged(from("192.0.2.0/23"))).containsExactly(6L, 5L, 4L);
        assertThat(found(about(A, "LeaseStarting", "192.0.2.0/23"))).containsExactly(6L);
        assertThat(found(about(null, "LeaseStarting", "192.0.2.0/23"))).containsExactly(6L, 5L);
        assertThat(found(about(null, "LeaseStarting", "2001:db8::7"))).isEmpty();
    }

    /** The requests of an address are not scanned if all requests come from it. */
    @Test
    void an_address_with_many_requests_finds_the_same_events() {
        came("req-2", "192.0.2.7");
        came("req-7", "192.0.3.7");
        assertThat(found(from("192.0.2.7"))).containsExactly(6L, 4L);
        database.jdbc()
                .update(
                        """
                        INSERT INTO request_origin (request_id, user_id, address, at)
                        SELECT 'req-x' || n, 'ada', '192.0.2.7', '2030-01-01T00:00:00Z'
                        FROM generate_series(0, %s) n
                        """
                                .formatted(PostgresAuditTrail.MAX_REQUESTS));

        assertThat(found(from("192.0.2.7"))).containsExactly(6L, 4L);
        assertThat(found(about(A, null, "192.0.2.7"))).containsExactly(6L, 4L);
        assertThat(found(about(null, "LeaseStarting", "192.0.2.7"))).containsExactly(6L);
        assertThat(paged(from("192.0.2.7"))).containsExactly(6L, 4L);
    }

    @Test
    void a_search_by_address_allows_clock_differences_below_a_minute() {
        assertThat(found(from("192.0.2.7"))).isEmpty();
        database.jdbc()
                .update(
                        """
                        INSERT INTO request_origin (request_id, user_id, address, at)
                        VALUES ('req-2', 'ada', '192.0.2.7', '2030-01-01T00:01:05Z'),
                            ('req-3', 'ada', '192.0.2.7', '2030-01-01T00:01:05Z')
                        """);

        // A clock may have been put back by a minute, and by no more.
        assertThat(found(from("192.0.2.7"))).containsExactly(6L);
    }

    /** The subject of one condition is common, that of another too, and both together are rare. */
    @Test
    void a_search_for_rare_events_continues_after_an_empty_page() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO audit_subject
                        SELECT 'user', 'common', n FROM generate_series(1000, 24000, 2) n
                        UNION ALL
                        SELECT 'type', 'Common', n FROM generate_series(1001, 24001, 2) n
                        UNION ALL VALUES ('user', 'common', 1), ('type', 'Common', 1)
                        """);
        database.jdbc().update("UPDATE projection SET position = 24001 WHERE name = 'audit'");
        Filter rare = new Filter(null, null, "common", null, null, "Common", null, null);

        Page<Entry> first = trail.search(new Search(rare, null, null, null, 10));
        assertThat(first.items()).isEmpty();
        List<Long> found = new ArrayList<>();
        int pages = 1;
        for (String next = first.next(); next != null; pages++) {
            Page<Entry> page = trail.search(new Search(rare, null, null, next, 10));
            page.items().forEach(entry -> found.add(entry.position()));
            next = page.next();
        }

        assertThat(found).containsExactly(1L);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void a_search_for_one_rare_and_one_common_subject_takes_one_page() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO audit_subject
                        SELECT 'user', 'common', n FROM generate_series(1000, 12000) n
                        UNION ALL VALUES ('user', 'common', 1), ('type', 'Rare', 1)
                        """);
        database.jdbc().update("UPDATE projection SET position = 12000 WHERE name = 'audit'");

        Page<Entry> page =
                trail.search(
                        new Search(
                                new Filter(null, null, "common", null, null, "Rare", null, null),
                                null,
                                null,
                                null,
                                10));

        assertThat(page.items()).extracting(Entry::position).containsExactly(1L);
        assertThat(page.next()).isNull();
    }

    @Test
    void a_search_finds_no_event_beyond_the_offset_of_the_projection() {
        requested(LeaseId.of("00000000-0000-0000-0000-00000000000c"), "astronomy", "ada", "x");
        lease(A, "LeaseActivated", "{}", "req-2");

        assertThat(found(filter())).startsWith(8L);
        assertThat(found(new Filter(A, null, null, null, null, null, null, null))).startsWith(6L);
        assertThat(trail.findCausedBy("req-2", 10)).hasSize(2);
    }

    @Test
    void an_entry_contains_the_stream_and_the_metadata_of_the_event() {
        Entry entry = trail.find(7).orElseThrow();

        assertThat(entry.project()).isEqualTo("biology");
        assertThat(entry.streamType()).isEqualTo("Lease");
        assertThat(entry.stream()).isEqualTo(B.toString());
        assertThat(entry.sequence()).isEqualTo(2);
        assertThat(entry.type()).isEqualTo("LeaseEnding");
        assertThat(entry.user()).isEqualTo("eve");
        assertThat(entry.actingFor()).isEqualTo("operators");
        assertThat(entry.roles()).containsExactly("admin", "reader");
        assertThat(entry.authentication()).isEqualTo("basic");
        assertThat(entry.requestId()).isEqualTo("req-7");
        assertThat(entry.causation()).isEqualTo("c");
        assertThat(entry.reason()).isEqualTo("it is broken");
        assertThat(entry.recordedAt()).isEqualTo(BEGIN.plusSeconds(7));
        assertThat(entry.data()).isEqualTo("{}");
        assertThat(entry.origin()).isNull();
        assertThat(trail.find(9)).isEmpty();
    }

    @Test
    void an_event_has_the_origin_of_the_request() {
        came("req-2", "192.0.2.7");

        RequestOrigin origin = RequestOrigin.of("192.0.2.7", "curl/8");
        assertThat(trail.find(4).orElseThrow().origin()).isEqualTo(origin);
        assertThat(trail.findCausedBy("req-2", 10)).extracting(Entry::origin).containsOnly(origin);
    }

    @Test
    void an_event_of_the_engine_has_no_user() {
        Entry entry = trail.find(8).orElseThrow();

        assertThat(entry.project()).isEqualTo("-");
        assertThat(entry.user()).isNull();
        assertThat(entry.actingFor()).isNull();
        assertThat(entry.roles()).isEmpty();
        assertThat(entry.causation()).isNull();
        assertThat(entry.reason()).isNull();
    }

    @Test
    void the_events_of_a_request_are_listed_oldest_first() {
        assertThat(trail.findCausedBy("req-2", 10))
                .extracting(Entry::position)
                .containsExactly(4L, 6L);
        assertThat(trail.findCausedBy("req-2", 1)).extracting(Entry::position).containsExactly(4L);
        assertThat(trail.findCausedBy("req-99", 10)).isEmpty();
    }

    @Test
    void an_unknown_marker_is_rejected() {
        for (String marker : List.of("x", "-1", "", "9999999999999999999")) {
            assertThatThrownBy(() -> trail.search(new Search(filter(), null, null, marker, 1)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    private static Filter filter() {
        return new Filter(null, null, null, null, null, null, null, null);
    }

    private static Filter resources(ResourceId... ids) {
        return new Filter(null, null, null, Set.of(ids), null, null, null, null);
    }

    private static Filter from(String addresses) {
        return about(null, null, addresses);
    }

    private static Filter about(@Nullable LeaseId lease, @Nullable String type, String addresses) {
        return new Filter(lease, null, null, null, null, type, null, AddressRange.of(addresses));
    }

    private static void came(String request, String address) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO request_origin (request_id, user_id, address, agent, at)
                        VALUES (?, 'ada', ?::inet, 'curl/8', '2030-01-01T00:00:00Z')
                        """,
                        request,
                        address);
    }

    private static Filter kind(ResourceKind kind) {
        return new Filter(null, null, null, null, kind, null, null, null);
    }

    private static Filter type(String type) {
        return new Filter(null, null, null, null, null, type, null, null);
    }

    private List<Long> found(Filter filter) {
        return found(new Search(filter, null, null, null, 100));
    }

    private List<Long> found(Filter filter, long from, long to) {
        return found(new Search(filter, BEGIN.plusSeconds(from), BEGIN.plusSeconds(to), null, 100));
    }

    private List<Long> found(Search search) {
        Page<Entry> page = trail.search(search);
        assertThat(page.next()).isNull();
        return page.items().stream().map(Entry::position).toList();
    }

    private List<Long> paged(Filter filter) {
        List<Long> found = new ArrayList<>();
        @Nullable String marker = null;
        do {
            Page<Entry> page = trail.search(new Search(filter, null, null, marker, 2));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
            page.items().forEach(entry -> found.add(entry.position()));
            marker = page.next();
        } while (marker != null);
        return found;
    }

    private static void requested(LeaseId lease, String project, String user, String kind) {
        database.append(
                "Lease",
                lease.toString(),
                "LeaseRequested",
                """
                {"projectId": "%s", "reservations": [{"id": "r", "kind": "%s"}]}
                """
                        .formatted(project, kind),
                "{\"user\": \"%s\"}".formatted(user));
    }

    private static void lease(LeaseId lease, String type, String payload, String request) {
        database.append(
                "Lease",
                lease.toString(),
                type,
                payload.replace('\'', '"'),
                "{\"requestId\": \"%s\"}".formatted(request));
    }

    private static void happened(String streamType, String stream, String type, String payload) {
        database.append(streamType, stream, type, payload.replace('\'', '"'), "{}");
    }

    private static void follow() {
        database.follow(new AuditSubjectProjection(database.jdbc()));
    }

    /** Positions by the events' times of recording. */
    private static final class RecordedTimes implements EventLogPositions {

        @Override
        public long last() {
            return database.head();
        }

        @Override
        public long at(Instant instant) {
            return database.client()
                    .sql(
                            "SELECT coalesce(max(position), 0) FROM domain_event"
                                    + " WHERE recorded_at <= ?::timestamptz")
                    .param(instant.truncatedTo(ChronoUnit.MICROS).toString())
                    .query(Long.class)
                    .single();
        }
    }
}
