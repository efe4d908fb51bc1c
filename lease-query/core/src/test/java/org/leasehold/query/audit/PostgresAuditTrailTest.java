package org.leasehold.query.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The conditions and the pages of a search. */
class PostgresAuditTrailTest extends AuditTrailFixture {

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

    private void seen(LeaseId lease) {
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

    private static Filter resources(ResourceId... ids) {
        return new Filter(null, null, null, Set.of(ids), null, null, null, null);
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
    void an_unknown_marker_is_rejected() {
        for (String marker : List.of("x", "-1", "", "9999999999999999999")) {
            assertThatThrownBy(() -> trail.search(new Search(filter(), null, null, marker, 1)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }
}
