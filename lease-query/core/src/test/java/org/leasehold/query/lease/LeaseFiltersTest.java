package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.Set;

/** Tests the filters of lists of leases. */
class LeaseFiltersTest extends LeaseFiltersFixture {

    private static LeaseFilter ofKind(ResourceKind kind) {
        return new LeaseFilter(null, Set.of(), null, null, kind, null, null, null, null);
    }

    @Test
    void a_name_filter_takes_the_beginning_literally() {
        LeaseId percent = request(1, Wish.named("50% of it"));
        LeaseId other = request(2, Wish.named("50 of it"));
        LeaseId underscore = request(3, Wish.named("a_b"));
        LeaseId letter = request(4, Wish.named("axb"));
        LeaseId upper = request(5, Wish.named("Axb"));
        LeaseId backslash = request(6, Wish.named("a\\b"));

        assertThat(ids(beginning("50"))).containsExactly(percent, other);
        assertThat(ids(beginning("50%"))).containsExactly(percent);
        assertThat(ids(beginning("a_"))).containsExactly(underscore);
        assertThat(ids(beginning("a\\"))).containsExactly(backslash);
        assertThat(ids(beginning("a"))).containsExactly(underscore, letter, backslash);
        assertThat(ids(beginning("A"))).containsExactly(upper);
        assertThat(ids(beginning("50% of it "))).isEmpty();
    }

    @Test
    void a_name_filter_ends_with_any_character() {
        String last = Character.toString(Character.MAX_CODE_POINT);
        LeaseId first = request(1, Wish.named("\uD7FF1"));
        LeaseId second = request(2, Wish.named("\uE0002"));
        LeaseId third = request(3, Wish.named("\uD83D\uDE003"));
        LeaseId fourth = request(4, Wish.named(last + "4"));

        assertThat(ids(beginning("\uD7FF"))).containsExactly(first);
        assertThat(ids(beginning("\uE000"))).containsExactly(second);
        assertThat(ids(beginning("\uD83D\uDE00"))).containsExactly(third);
        assertThat(ids(beginning(last))).containsExactly(fourth);
    }

    @Test
    void a_renamed_and_moved_lease_is_found_by_the_new_values() {
        LeaseId lease = request(1, Wish.named("night"));
        journal.append(
                NOON.plusSeconds(60),
                new LeaseRenamed(lease, "day"),
                new LeaseRescheduled(lease, new LeasePeriod(hour(8), hour(9)), null));

        assertThat(ids(beginning("night"))).isEmpty();
        assertThat(ids(beginning("day"))).containsExactly(lease);
        assertThat(ids(during(hour(8), null))).isEmpty();
        assertThat(ids(during(null, hour(8)))).containsExactly(lease);
    }

    @Test
    void a_kind_filter_finds_leases_of_several_kinds() {
        LeaseId host = request(1, Wish.ofKinds(ResourceKind.PHYSICAL_HOST));
        LeaseId both =
                request(2, Wish.ofKinds(ResourceKind.PHYSICAL_HOST, ResourceKind.FLOATING_IP));
        LeaseId hosts =
                request(3, Wish.ofKinds(ResourceKind.PHYSICAL_HOST, ResourceKind.PHYSICAL_HOST));
        request(4, Wish.ofKinds());

        assertThat(ids(ofKind(ResourceKind.PHYSICAL_HOST))).containsExactly(host, both, hosts);
        assertThat(ids(ofKind(ResourceKind.FLOATING_IP))).containsExactly(both);
        assertThat(ids(ofKind(ResourceKind.VOLUME))).isEmpty();
    }

    @Test
    void a_window_is_half_open() {
        LeaseId before = request(1, Wish.of(0, 10));
        LeaseId across = request(2, Wish.of(5, 15));
        LeaseId within = request(3, Wish.of(12, 13));
        LeaseId around = request(4, Wish.of(0, 500));
        LeaseId after = request(5, Wish.of(20, 30));

        assertThat(ids(during(hour(20), hour(10)))).containsExactly(across, within, around);
        assertThat(ids(during(hour(20), null))).containsExactly(before, across, within, around);
        assertThat(ids(during(null, hour(10)))).containsExactly(across, within, around, after);
    }

    @Test
    void a_window_finds_leases_that_end_long_after_or_start_long_before_their_creation() {
        LeaseId usual = request(0, Wish.of(-24, 14 * 24));
        LeaseId late = request(1, Wish.of(-24, 14 * 24 + 1));
        LeaseId imported = request(2, Wish.of(-25, 14 * 24));

        Instant last = hour(14 * 24 - 1);
        assertThat(ids(during(null, last))).containsExactly(usual, late, imported);
        assertThat(ids(during(hour(-23), last))).containsExactly(usual, late, imported);
        assertThat(ids(during(null, hour(14 * 24)))).containsExactly(late);
        assertThat(ids(during(hour(-24), null))).containsExactly(imported);
    }

    @Test
    void a_resource_filter_finds_leases_that_have_or_had_the_resource() {
        LeaseId had = request(1, Wish.of(1, 2));
        LeaseId has = request(2, Wish.of(3, 4));
        LeaseId replaced = request(3, Wish.of(5, 6));
        request(4, Wish.of(7, 8));
        book(had, 7, null);
        book(has, 7, null);
        book(has, 8, null);
        book(replaced, 7, 99L);

        LeaseFilter filter =
                new LeaseFilter(
                        ASTRONOMY, Set.of(), null, null, null, null, new ResourceId(7), null, null);
        assertThat(ids(filter, LeaseOrder.OLDEST_FIRST, 1)).containsExactly(had, has);
        assertThat(ids(filter, new LeaseOrder(LeaseOrder.Key.START, SortDirection.DESCENDING), 1))
                .containsExactly(has, had);
    }
}
