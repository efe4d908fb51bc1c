package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.CalendarFeeds.Places;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Tests the planned leases in a feed, and the version of the feed. */
class PlannedLeasesTest extends CalendarFeedsFixture {

    private LeaseId lease(int number) {
        return new LeaseId(new UUID(1, number));
    }

    private static Instant hour(int hour) {
        return NOON.plus(Duration.ofHours(hour));
    }

    private void lease(int number, ProjectId project) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO lease (lease_id, project_id, status, created_at, view,
                            name, user_id, starts, ends, kinds, unfinished)
                        VALUES (?, ?, 'ACTIVE', ?, ?::json, ?, 'ada', ?, ?, '{}', true)
                        """,
                        lease(number).value(),
                        project.value(),
                        Timestamp.from(NOON),
                        """
                        {"name": "lease %s", "createdAt": "%s", "updatedAt": "%s", "version": %s}
                        """
                                .formatted(number, NOON, hour(1), 10 + number),
                        "lease " + number,
                        Timestamp.from(NOON),
                        Timestamp.from(hour(1)));
    }

    private void booking(int lease, ProjectId project, long resource, int from, int to) {
        booking(lease, project, resource, from, to, "physical:host", null);
    }

    private void booking(
            int lease,
            ProjectId project,
            long resource,
            int from,
            int to,
            String kind,
            Long knownTo) {
        database.jdbc()
                .update(
                        "INSERT INTO booking VALUES (?, ?, ?, ?, ?, 'PROMISED', 1, NULL, ?, ?, 1,"
                                + " ?)",
                        lease(lease).value(),
                        new UUID(2, lease),
                        project.value(),
                        resource,
                        kind,
                        Timestamp.from(hour(from)),
                        Timestamp.from(hour(to)),
                        knownTo);
    }

    private List<PlannedLease> planned(int from, int to) {
        return feeds.planned(ASTRONOMY, hour(from), hour(to), 10);
    }

    @Test
    void a_planned_lease_spans_from_the_first_to_the_last_booking() {
        lease(1, ASTRONOMY);
        // A host that was replaced before the window, and a network.
        booking(1, ASTRONOMY, 7, 0, 2);
        booking(1, ASTRONOMY, 8, 2, 9);
        booking(1, ASTRONOMY, 5, 1, 4, "virtual:network", null);

        assertThat(planned(5, 10))
                .containsExactly(
                        new PlannedLease(
                                lease(1),
                                "lease 1",
                                LeaseStatus.ACTIVE,
                                hour(0),
                                hour(9),
                                NOON,
                                hour(1),
                                11,
                                List.of(
                                        new Places(ResourceKind.PHYSICAL_HOST, 2, List.of(7L, 8L)),
                                        new Places(
                                                new ResourceKind("virtual:network"),
                                                1,
                                                List.of(5L)))));
    }

    @Test
    void a_plan_contains_only_current_bookings_of_the_project_in_the_window() {
        lease(1, BIOLOGY);
        booking(1, BIOLOGY, 1, 0, 2);
        booking(2, ASTRONOMY, 1, 0, 2);
        lease(3, ASTRONOMY);
        booking(3, ASTRONOMY, 1, 0, 2, "physical:host", 5L);
        lease(4, ASTRONOMY);
        booking(4, ASTRONOMY, 1, -2, 0);
        lease(5, ASTRONOMY);
        booking(5, ASTRONOMY, 1, 4, 5);

        assertThat(planned(0, 4)).isEmpty();
        assertThat(planned(-1, 5)).extracting(PlannedLease::id).containsExactly(lease(4), lease(5));
    }

    @Test
    void a_plan_is_limited_to_the_first_leases_and_the_first_resources() {
        for (int i = 1; i <= 3; i++) {
            lease(i, ASTRONOMY);
            for (int host = 1; host <= 25; host++) {
                booking(i, ASTRONOMY, host, 10 - i, 11);
            }
        }

        List<PlannedLease> first = feeds.planned(ASTRONOMY, hour(0), hour(20), 2);
        assertThat(first).extracting(PlannedLease::id).containsExactly(lease(3), lease(2));
        Places hosts = first.getFirst().places().getFirst();
        assertThat(hosts.count()).isEqualTo(25);
        assertThat(hosts.resources())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, Places.MAX_LISTED_RESOURCES)
                                .mapToObj(Long::valueOf)
                                .toList());
    }

    @Test
    void a_feed_version_counts_the_projected_events_of_the_project() {
        for (int i = 1; i <= 4; i++) {
            database.jdbc()
                    .update(
                            "INSERT INTO event_entry VALUES (?, gen_random_uuid(), ?, ?, 'Lease',"
                                    + " '1', ?, 'LeaseRenamed', NULL, NULL, NULL, now())",
                            i,
                            i == 3 ? "biology" : "astronomy",
                            i == 3 ? 1 : Math.min(i, 3),
                            i);
        }

        assertThat(version(0)).isZero();
        assertThat(version(2)).isEqualTo(2);
        assertThat(version(3)).isEqualTo(2);
        assertThat(version(4)).isEqualTo(3);
    }

    private long version(long calendar) {
        database.jdbc()
                .update("UPDATE projection SET position = ? WHERE name = 'bookings'", calendar);
        return feeds.version(ASTRONOMY);
    }
}
