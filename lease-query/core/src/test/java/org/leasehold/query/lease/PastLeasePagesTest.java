package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;

/** Tests the pages of lists of past leases. */
class PastLeasePagesTest extends PastLeasesFixture {

    @Test
    void a_page_skips_thousands_of_leases_of_another_status() {
        requestedOften(2100);
        LeaseId last = LeaseFixtures.lease(2);
        journal.append(
                second(2),
                LeaseFixtures.requested(last, ASTRONOMY, "day"),
                new LeaseStarting(last, List.of()),
                new LeaseActivated(last));
        enter();
        ListLeases question = question(ASTRONOMY, SortDirection.ASCENDING, 10, LeaseStatus.ACTIVE);

        Page<LeaseView> first = leases.list(question, positions.last());
        assertThat(first.items()).extracting(LeaseView::id).containsExactly(last);
        assertThat(first.next()).isNull();
    }

    @Test
    void a_page_skips_hundreds_of_deleted_leases() {
        for (int i = 1; i <= 300; i++) {
            LeaseId gone = LeaseFixtures.lease(i);
            journal.append(
                    second(i),
                    LeaseFixtures.requested(gone, ASTRONOMY, "night"),
                    new LeaseEnded(gone, EndCause.DELETED),
                    new LeaseDeleted(gone));
        }
        LeaseId last = LeaseFixtures.lease(301);
        journal.append(second(301), LeaseFixtures.requested(last, ASTRONOMY, "day"));
        enter();

        Page<LeaseView> first =
                leases.list(question(null, SortDirection.ASCENDING, 1), positions.last());
        assertThat(first.items()).extracting(LeaseView::id).containsExactly(last);
        assertThat(first.next()).isNull();
    }

    @Test
    void pages_continue_beyond_the_row_limit_of_one_statement() {
        LeaseId first = LeaseFixtures.lease(2);
        activate(1, first);
        requestedOften(20_100);
        LeaseId last = LeaseFixtures.lease(3);
        activate(2, last);
        enter();

        for (SortDirection direction : SortDirection.values()) {
            assertThat(asOf(question(null, direction, 1, LeaseStatus.ACTIVE), positions.last()))
                    .extracting(LeaseView::id)
                    .containsExactlyInAnyOrder(first, last);
        }
    }

    @Test
    void an_unknown_marker_is_rejected() {
        ListLeases question = question(null, SortDirection.ASCENDING, 10).after("nonsense");

        assertThatThrownBy(() -> leases.list(question, 1)).isInstanceOf(UnknownMarker.class);
    }
}
