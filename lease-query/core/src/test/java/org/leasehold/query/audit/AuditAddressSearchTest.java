package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The search by the address of requests. */
class AuditAddressSearchTest extends AuditTrailFixture {

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
}
