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
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** Tests that filters and orders together find the same leases as a scan. */
class LeaseFilterCombinationsTest extends LeaseFiltersFixture {

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
