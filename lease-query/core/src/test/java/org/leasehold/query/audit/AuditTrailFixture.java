package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
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

/** An event log with eight events, and the audit trail over it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AuditTrailFixture {

    static final LeaseId A = LeaseId.of("00000000-0000-0000-0000-00000000000a");
    static final LeaseId B = LeaseId.of("00000000-0000-0000-0000-00000000000b");
    static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Path RESOURCES =
            Path.of("../../lease-command/core/src/main/resources/db/migration/V2__calendar.sql");

    final EventDatabase database = new EventDatabase();
    final PostgresAuditTrail trail = new PostgresAuditTrail(database.client(), new RecordedTimes());

    @BeforeAll
    void start() throws IOException {
        database.jdbc().execute(Files.readString(RESOURCES));
    }

    @AfterAll
    void stop() {
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

    static Filter filter() {
        return new Filter(null, null, null, null, null, null, null, null);
    }

    Filter from(String addresses) {
        return about(null, null, addresses);
    }

    Filter about(@Nullable LeaseId lease, @Nullable String type, String addresses) {
        return new Filter(lease, null, null, null, null, type, null, AddressRange.of(addresses));
    }

    void came(String request, String address) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO request_origin (request_id, user_id, address, agent, at)
                        VALUES (?, 'ada', ?::inet, 'curl/8', '2030-01-01T00:00:00Z')
                        """,
                        request,
                        address);
    }

    static Filter kind(ResourceKind kind) {
        return new Filter(null, null, null, null, kind, null, null, null);
    }

    static Filter type(String type) {
        return new Filter(null, null, null, null, null, type, null, null);
    }

    List<Long> found(Filter filter) {
        return found(new Search(filter, null, null, null, 100));
    }

    List<Long> found(Filter filter, long from, long to) {
        return found(new Search(filter, BEGIN.plusSeconds(from), BEGIN.plusSeconds(to), null, 100));
    }

    List<Long> found(Search search) {
        Page<Entry> page = trail.search(search);
        assertThat(page.next()).isNull();
        return page.items().stream().map(Entry::position).toList();
    }

    List<Long> paged(Filter filter) {
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

    void requested(LeaseId lease, String project, String user, String kind) {
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

    void lease(LeaseId lease, String type, String payload, String request) {
        database.append(
                "Lease",
                lease.toString(),
                type,
                payload.replace('\'', '"'),
                "{\"requestId\": \"%s\"}".formatted(request));
    }

    void happened(String streamType, String stream, String type, String payload) {
        database.append(streamType, stream, type, payload.replace('\'', '"'), "{}");
    }

    void follow() {
        database.follow(new AuditSubjectProjection(database.jdbc()));
    }

    /** Positions by the events' times of recording. */
    private final class RecordedTimes implements EventLogPositions {

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
