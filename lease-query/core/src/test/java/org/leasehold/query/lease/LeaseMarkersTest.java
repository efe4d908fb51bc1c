package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tests the markers of pages of lists with filters and orders. */
class LeaseMarkersTest extends LeaseFiltersFixture {

    @Test
    void a_marker_of_another_order_or_filter_is_rejected() {
        for (int i = 0; i < 3; i++) {
            request(i, Wish.of(i, i + 1));
        }
        List<ListLeases> lists = new ArrayList<>();
        for (LeaseOrder order : orders()) {
            lists.add(new ListLeases(ALL, order, null, 1));
            lists.add(new ListLeases(beginning("x"), order, null, 1));
            lists.add(new ListLeases(during(hour(9), null), order, null, 1));
            lists.add(new ListLeases(LeaseFilter.of(ASTRONOMY, Set.of(), null), order, null, 1));
        }
        for (ListLeases list : lists) {
            String marker = leases.list(list).next();
            for (ListLeases other : lists) {
                ListLeases question = other.after(marker);
                if (other.equals(list)) {
                    assertThat(leases.list(question).items()).hasSize(1);
                } else {
                    assertThatThrownBy(() -> leases.list(question))
                            .isInstanceOf(UnknownMarker.class);
                }
            }
        }
    }

    @Test
    void a_forged_marker_is_rejected() {
        ListLeases list = new ListLeases(ALL, LeaseOrder.OLDEST_FIRST, null, 1);
        String name = LeaseMarker.nameOf(list);
        String id = LeaseFixtures.lease(1).toString();
        for (List<String> keys :
                List.of(
                        List.<String>of(),
                        List.of(id),
                        List.of("yesterday", id),
                        List.of("+100000-01-01T00:00:00Z", id),
                        List.of("-1000000000-01-01T00:00:00Z", id),
                        List.of(NOON.toString(), "x"),
                        List.of(NOON.toString(), NOON.toString(), id))) {
            ListLeases question = list.after(new LeaseMarker(name, keys).text());
            assertThatThrownBy(() -> leases.list(question)).isInstanceOf(UnknownMarker.class);
        }
        ListLeases past = list.after(new LeaseMarker("past:" + name, List.of()).text());
        assertThatThrownBy(() -> leases.list(past, 1)).isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_lease_id_is_a_marker_of_orders_by_creation_only() {
        String first = request(1, Wish.of(1, 2)).toString();
        LeaseId second = request(9, Wish.of(1, 2));

        assertThat(leases.list(new ListLeases(ALL, LeaseOrder.OLDEST_FIRST, first, 5)).items())
                .extracting(LeaseView::id)
                .containsExactly(second);
        LeaseOrder byStart = new LeaseOrder(LeaseOrder.Key.START, SortDirection.ASCENDING);
        assertThatThrownBy(() -> leases.list(new ListLeases(ALL, byStart, first, 5)))
                .isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_list_of_the_past_rejects_filters_without_an_index() {
        LeaseOrder byStart = new LeaseOrder(LeaseOrder.Key.START, SortDirection.ASCENDING);
        for (ListLeases question :
                List.of(
                        new ListLeases(beginning("x"), LeaseOrder.OLDEST_FIRST, null, 1),
                        new ListLeases(ALL, byStart, null, 1))) {
            assertThatThrownBy(() -> leases.list(question, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
