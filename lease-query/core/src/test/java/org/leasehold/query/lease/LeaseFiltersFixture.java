package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Leases with names, windows and kinds, and the filters that find them. */
abstract class LeaseFiltersFixture extends PostgresLeasesFixture {

    static final LeaseFilter ALL = LeaseFilter.of(null, Set.of(), null);

    static Instant hour(long hour) {
        return NOON.plus(Duration.ofHours(hour));
    }

    /** A lease to request; its window is in hours. */
    record Wish(
            ProjectId project,
            String user,
            String name,
            long from,
            long to,
            List<ResourceKind> kinds) {

        static Wish named(String name) {
            return new Wish(ASTRONOMY, "ada", name, 1, 2, List.of(ResourceKind.PHYSICAL_HOST));
        }

        static Wish of(long from, long to) {
            return new Wish(ASTRONOMY, "ada", "x", from, to, List.of(ResourceKind.PHYSICAL_HOST));
        }

        static Wish ofKinds(ResourceKind... kinds) {
            return new Wish(ASTRONOMY, "ada", "x", 1, 2, List.of(kinds));
        }
    }

    LeaseId request(int number, Wish wish) {
        LeaseId id = LeaseFixtures.lease(number);
        List<ReservationWish> reservations = new ArrayList<>();
        for (ResourceKind kind : wish.kinds()) {
            reservations.add(
                    new ReservationWish(
                            new ReservationId(new UUID(number, reservations.size())),
                            kind,
                            Map.of()));
        }
        journal.append(
                NOON.plusSeconds(number / 3),
                new LeaseRequested(
                        id,
                        wish.project(),
                        new UserId(wish.user()),
                        wish.name(),
                        new LeasePeriod(hour(wish.from()), hour(wish.to())),
                        null,
                        reservations,
                        null));
        return id;
    }

    static LeaseFilter beginning(String prefix) {
        return new LeaseFilter(null, Set.of(), null, prefix, null, null, null, null, null);
    }

    static LeaseFilter during(@Nullable Instant startBefore, @Nullable Instant endAfter) {
        return new LeaseFilter(null, Set.of(), null, null, null, null, null, startBefore, endAfter);
    }

    static List<LeaseOrder> orders() {
        List<LeaseOrder> orders = new ArrayList<>();
        for (LeaseOrder.Key key : LeaseOrder.Key.values()) {
            for (SortDirection direction : SortDirection.values()) {
                orders.add(new LeaseOrder(key, direction));
            }
        }
        return orders;
    }

    List<LeaseId> ids(LeaseFilter filter) {
        return ids(filter, LeaseOrder.OLDEST_FIRST, 2);
    }

    /** Returns the leases of all pages. */
    List<LeaseId> ids(LeaseFilter filter, LeaseOrder order, int limit) {
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

    void book(LeaseId lease, long resource, @Nullable Long knownTo) {
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
}
