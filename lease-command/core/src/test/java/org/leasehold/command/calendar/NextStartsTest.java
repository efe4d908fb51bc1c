package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.Wishes.having;
import static org.leasehold.command.calendar.Wishes.hosts;
import static org.leasehold.command.calendar.Wishes.hours;
import static org.leasehold.command.calendar.Wishes.lease;
import static org.leasehold.command.calendar.Wishes.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;

/** A refusal is decided by its own windows and resources; the next start is searched afterwards. */
class NextStartsTest {

    private final CalendarDatabase database = new CalendarDatabase();
    private final List<Look> surveys = new ArrayList<>();
    private final Claims claims = recorded(new PostgresClaims(database.jdbc, Duration.ZERO));

    /** One survey of the claims. */
    private record Look(LeasePeriod span, Set<ResourceId> resources, boolean deciding) {}

    private Claims recorded(Claims real) {
        InvocationHandler recording =
                (_, method, arguments) -> {
                    if (method.getName().equals("survey")) {
                        Set<ResourceId> resources = new HashSet<>();
                        ((Collection<?>) arguments[1])
                                .forEach(id -> resources.add((ResourceId) id));
                        surveys.add(
                                new Look(
                                        (LeasePeriod) arguments[0],
                                        resources,
                                        TransactionSynchronizationManager
                                                .isActualTransactionActive()));
                    }
                    return method.invoke(real, arguments);
                };
        return (Claims)
                Proxy.newProxyInstance(
                        Claims.class.getClassLoader(), new Class<?>[] {Claims.class}, recording);
    }

    private Grant.TooFew decide(NextStarts nextStarts, Wishes.Some lease) {
        return decide(nextStarts, lease.hold());
    }

    private Grant.TooFew decide(NextStarts nextStarts, Hold hold) {
        Calendar calendar = database.calendar(claims, nextStarts);
        return (Grant.TooFew)
                database.command(() -> calendar.settle(hold, grant -> grant, _ -> true));
    }

    private static List<Instant> starts(NextStarts nextStarts, Grant.TooFew refused) {
        return nextStarts.take().apply(refused.shortages()).stream()
                .map(Shortage::nextStart)
                .toList();
    }

    private static Set<ResourceId> ids(long... ids) {
        Set<ResourceId> all = new HashSet<>();
        for (long id : ids) {
            all.add(new ResourceId(id));
        }
        return all;
    }

    private void full(int from, int to, int count) {
        assertThat(
                        database.settle(
                                database.calendar(),
                                lease(hours(from, to), hosts(count, count)).hold()))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_refusal_is_decided_without_a_look_beyond_its_windows_and_candidates() {
        database.enrol(1, Map.of("gpu", "yes"));
        database.enrol(2, Map.of());
        database.enrol(3, Map.of("gpu", "yes"));
        full(0, 2, 3);
        NextStarts nextStarts = new NextStarts(claims, NextStarts.Memory.NONE);

        Grant.TooFew refused =
                decide(nextStarts, lease(hours(1, 2), hosts(1, 1, having("gpu", "yes"))));

        assertThat(surveys).containsExactly(new Look(hours(1, 2), ids(1, 3), true));
        assertThat(refused.shortages()).extracting(Shortage::nextStart).containsOnlyNulls();
        surveys.clear();
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
        LeasePeriod month =
                new LeasePeriod(hours(1, 2).start(), hours(1, 2).end().plus(StartSearch.HORIZON));
        assertThat(surveys).containsExactly(new Look(month, ids(1, 3), false));
    }

    @Test
    void shares_are_decided_without_a_look_beyond_their_windows_and_candidates() {
        database.withHosts(2);
        full(0, 2, 2);
        NextStarts nextStarts = new NextStarts(claims, NextStarts.Memory.NONE);

        Grant.TooFew refused = decide(nextStarts, lease(hours(1, 2), slots(1, 1)));

        // The first look finds that the inventory, of which nothing is known yet, has changed.
        assertThat(surveys).extracting(Look::span).containsOnly(hours(1, 2));
        assertThat(surveys.getLast()).isEqualTo(new Look(hours(1, 2), ids(1, 2), true));
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
    }

    @Test
    void memory_that_has_taken_in_the_refusals_position_is_searched_in_place_of_the_tables() {
        database.withHosts(1);
        full(0, 2, 1);
        NextStarts nextStarts = new NextStarts(claims, remembering());

        Grant.TooFew refused = decide(nextStarts, lease(hours(1, 2), hosts(1, 1)));

        surveys.clear();
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
        assertThat(surveys).isEmpty();
    }

    @Test
    void what_a_lease_has_itself_is_free_for_its_change() {
        database.withHosts(1);
        Wishes.Some moved = lease(hours(4, 6), hosts(1, 1));
        database.settle(database.calendar(), moved.hold());
        full(2, 4, 1);
        NextStarts nextStarts = new NextStarts(claims, remembering());

        Grant.TooFew refused =
                decide(nextStarts, moved.change(hours(3, 5), hosts(1, 1), List.of(1L), false));

        assertThat(starts(nextStarts, refused)).containsExactly(hours(4, 6).start());
    }

    @Test
    void a_search_is_left_out_while_too_many_others_read_the_tables() {
        database.withHosts(1);
        full(0, 2, 1);
        NextStarts nextStarts =
                new NextStarts(claims, NextStarts.Memory.NONE, new Semaphore(0), Duration.ZERO);

        Grant.TooFew refused = decide(nextStarts, lease(hours(1, 2), hosts(1, 1)));

        surveys.clear();
        assertThat(nextStarts.take().apply(refused.shortages())).isEqualTo(refused.shortages());
        assertThat(surveys).isEmpty();
    }

    private NextStarts.Memory remembering() {
        ClaimIndex index = new ClaimIndex();
        new ClaimFollower(
                        new PostgresClaims(database.jdbc, Duration.ZERO),
                        new PostgresHolders(database.jdbc),
                        index,
                        Clock.fixed(Wishes.NOON, ZoneOffset.UTC))
                .begin();
        index.complete();
        return new NextStarts.Memory() {
            @Override
            public boolean reaches(long position, Duration patience) {
                return true;
            }

            @Override
            public ClaimIndex index() {
                return index;
            }
        };
    }
}
