package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tests the pages, orders and filters of lists of leases. */
class LeaseListsTest extends PostgresLeasesFixture {

    @Test
    void pages_contain_every_lease_once_in_order() {
        // Three leases a second: the marker must distinguish leases of the same instant.
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(LeaseFixtures.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "n" + i));
        }

        List<LeaseId> seen = new ArrayList<>();
        String marker = null;
        int pages = 0;
        do {
            Page<LeaseView> page = leases.list(listed(ASTRONOMY, marker, 2));
            page.items().forEach(lease -> seen.add(lease.id()));
            marker = page.next();
            pages++;
        } while (marker != null);

        assertThat(seen).isEqualTo(all);
        assertThat(pages).isEqualTo(5);
    }

    @Test
    void a_lease_that_is_made_between_two_pages_comes_last() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        Page<LeaseView> first = leases.list(listed(null, null, 1));

        append(2, ASTRONOMY);

        assertThat(leases.list(listed(null, first.next(), 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1), LeaseFixtures.lease(2));
    }

    @Test
    void a_list_holds_the_leases_of_one_project_or_of_all() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(leases.list(listed(ASTRONOMY, null, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(0), LeaseFixtures.lease(2));
        assertThat(leases.list(listed(null, null, 10)).items()).hasSize(3);
    }

    @Test
    void a_list_holds_the_leases_of_one_status() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(
                NOON.plusSeconds(60),
                new LeaseStarting(LeaseFixtures.lease(1), List.of()),
                new LeaseActivated(LeaseFixtures.lease(1)));

        assertThat(leases.list(listed(LeaseStatus.ACTIVE)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1));
        assertThat(leases.list(listed(LeaseStatus.PENDING)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(0));
    }

    @Test
    void a_malformed_marker_is_rejected() {
        for (String marker : List.of("", "x", "!", "MjAzMA", "MjAzMCAx")) {
            assertThatThrownBy(() -> leases.list(listed(null, marker, 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void paging_returns_every_lease_in_creation_order() {
        append(1, ASTRONOMY);
        append(0, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(all(null))
                .extracting(LeaseView::id)
                .containsExactly(
                        LeaseFixtures.lease(0), LeaseFixtures.lease(1), LeaseFixtures.lease(2));
        assertThat(all(ASTRONOMY))
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1), LeaseFixtures.lease(2));
    }

    @Test
    void a_descending_list_pages_from_newest_to_oldest() {
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.addFirst(LeaseFixtures.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "n" + i));
        }
        assertThat(
                        everyPage(
                                new ListLeases(
                                        ASTRONOMY,
                                        Set.of(),
                                        null,
                                        SortDirection.DESCENDING,
                                        null,
                                        2)))
                .extracting(LeaseView::id)
                .isEqualTo(all);
    }

    @Test
    void a_lease_id_is_a_valid_marker_even_after_the_deletion() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);
        String last = LeaseFixtures.lease(0).toString();
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(2));

        journal.append(
                NOON.plusSeconds(60),
                new LeaseEnding(LeaseFixtures.lease(0), EndCause.DELETED, List.of()),
                new LeaseEnded(LeaseFixtures.lease(0), EndCause.DELETED),
                new LeaseDeleted(LeaseFixtures.lease(0)));
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(2));
    }

    @Test
    void a_foreign_or_unknown_lease_id_is_rejected_as_a_marker() {
        append(0, BIOLOGY);
        for (LeaseId id : List.of(LeaseFixtures.lease(0), LeaseFixtures.lease(9))) {
            assertThatThrownBy(() -> leases.list(listed(ASTRONOMY, id.toString(), 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void a_list_filters_by_one_name_and_several_statuses() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(NOON.plusSeconds(60), new LeaseStarting(LeaseFixtures.lease(1), List.of()));
        assertThat(
                        everyPage(
                                new ListLeases(
                                        null,
                                        Set.of(LeaseStatus.PENDING, LeaseStatus.STARTING),
                                        "n1",
                                        SortDirection.ASCENDING,
                                        null,
                                        1)))
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1));
    }

    private static ListLeases listed(LeaseStatus status) {
        return new ListLeases(null, Set.of(status), null, SortDirection.ASCENDING, null, 10);
    }
}
