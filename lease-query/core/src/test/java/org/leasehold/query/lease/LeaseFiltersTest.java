package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** A test of the filters and orders of lists of leases. */
class LeaseFiltersTest extends LeaseFiltersFixture {

    private List<LeaseId> ids(LeaseFilter filter) {
        return ids(filter, LeaseOrder.OLDEST_FIRST, 2);
    }

    /** Returns the leases of all pages. */
    private List<LeaseId> ids(LeaseFilter filter, LeaseOrder order, int limit) {
        ListLeases question = new ListLeases(filter, order, null, limit);
        List<LeaseId> ids = new ArrayList<>();
        Page<LeaseView> page = leases.list(question);
        page.items().forEach(lease -> ids.add(lease.id()));
        for (String next = page.next(); next != null; next = page.next()) {
            page = leases.list(question.after(next));
            assertThat(page.items()).hasSizeBetween(1, limit);
            page.items().forEach(lease -> ids.add(lease.id()));
        }
        return ids;
    }

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

    private void book(LeaseId lease, long resource, @Nullable Long knownTo) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO booking (lease_id, reservation_id, project_id, resource_id, kind,
                            what, slots, starts, ends, known_from, known_to)
                        VALUES (?, ?, 'astronomy', ?, 'physical:host', 'PROMISED', 1,
                            '2030-01-01', '2030-01-02', 1, ?)
                        """,
                        lease.value(),
                        lease.value(),
                        resource,
                        knownTo);
    }

    @Test
    void each_combination_of_filters_and_order_equals_a_scan() {
        SplittableRandom random = new SplittableRandom(28);
        Map<LeaseId, ResourceId> resources = new HashMap<>();
        for (int i = 0; i < 80; i++) {
            LeaseId lease = live(i, random);
            long resource = 1L + random.nextInt(2);
            book(lease, resource, null);
            resources.put(lease, new ResourceId(resource));
        }
        List<LeaseView> all =
                leases.list(new ListLeases(ALL, LeaseOrder.OLDEST_FIRST, null, 1000)).items();
        assertThat(all).hasSize(80);

        int found = 0;
        for (int i = 0; i < 600; i++) {
            LeaseFilter filter = filter(random);
            LeaseOrder order = any(random, orders());
            List<LeaseId> expected =
                    all.stream()
                            .filter(filter::matches)
                            .filter(
                                    lease ->
                                            filter.resource() == null
                                                    || filter.resource()
                                                            .equals(resources.get(lease.id())))
                            .sorted(order.comparator())
                            .map(LeaseView::id)
                            .toList();
            assertThat(ids(filter, order, 1 + random.nextInt(9)))
                    .as(filter + " " + order)
                    .isEqualTo(expected);
            found += expected.size();
        }
        // Otherwise the filters were too narrow to prove anything.
        assertThat(found).isGreaterThan(2000);
    }

    private LeaseId live(int number, SplittableRandom random) {
        // Some are far ahead of their creation, and some were imported after they had started.
        long from = any(random, List.of(0L, 0L, 0L, 0L, 480L, -60L)) + random.nextInt(30);
        LeaseId lease =
                request(
                        number,
                        new Wish(
                                random.nextBoolean() ? ASTRONOMY : BIOLOGY,
                                any(random, List.of("ada", "bob")),
                                any(random, List.of("a", "ab", "abc", "b")),
                                from,
                                from + 1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 5),
                                kinds(random)));
        switch (random.nextInt(6)) {
            case 0 ->
                    journal.append(
                            NOON.plusSeconds(60),
                            new LeaseStarting(lease, List.of()),
                            new LeaseActivated(lease));
            case 1 ->
                    journal.append(
                            NOON.plusSeconds(60), new LeaseEnded(lease, EndCause.WINDOW_OVER));
            case 2 ->
                    journal.append(
                            NOON.plusSeconds(60),
                            new LeaseEnding(lease, EndCause.DELETED, List.of()));
            case 3 ->
                    journal.append(
                            NOON.plusSeconds(60),
                            new ReservationFailed(
                                    lease,
                                    new ReservationId(new UUID(number, 0)),
                                    Action.START,
                                    new Fault(Fault.Kind.PERMANENT, "no such image")));
            default -> {}
        }
        return lease;
    }

    private static List<ResourceKind> kinds(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(ResourceKind.VOLUME);
            case 1 -> List.of(ResourceKind.VOLUME, ResourceKind.PHYSICAL_HOST);
            default -> List.of(ResourceKind.PHYSICAL_HOST);
        };
    }

    private static LeaseFilter filter(SplittableRandom random) {
        return new LeaseFilter(
                maybe(random, ASTRONOMY),
                random.nextBoolean()
                        ? Set.of()
                        : any(
                                random,
                                List.of(
                                        Set.of(LeaseStatus.PENDING, LeaseStatus.ACTIVE),
                                        Set.of(LeaseStatus.ENDED, LeaseStatus.ACTIVE),
                                        Set.of(LeaseStatus.ENDED),
                                        Set.of(LeaseStatus.ERROR),
                                        Set.of(LeaseStatus.ERROR, LeaseStatus.DELETING),
                                        Set.of(LeaseStatus.ERROR, LeaseStatus.PENDING))),
                random.nextInt(9) == 0 ? "ab" : null,
                maybe(random, any(random, List.of("a", "ab", "abc"))),
                maybe(
                        random,
                        any(random, List.of(ResourceKind.VOLUME, ResourceKind.PHYSICAL_HOST))),
                maybe(random, new UserId("ada")),
                random.nextInt(6) == 0 ? new ResourceId(1) : null,
                maybe(random, hour(10 + random.nextInt(30))),
                maybe(random, hour(random.nextInt(20))));
    }

    private static <T> @Nullable T maybe(SplittableRandom random, T value) {
        return random.nextInt(3) == 0 ? value : null;
    }

    private static <T> T any(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
