package org.leasehold.saga.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.lease;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.Cause;
import org.leasehold.saga.retry.RetriedRequests.Waiting;
import org.leasehold.saga.retry.RetriedRequests.Woken;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The contract of every table of waiting requests. */
abstract class RetriedRequestsContract {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final LeasePeriod WINDOW = new LeasePeriod(hour(4), hour(6));
    private static final Instant NEXT = hour(3);
    private static final FreedCapacity FREED = hosts(hour(4), hour(6));

    abstract RetriedRequests requests();

    private static Instant hour(int number) {
        return NOON.plus(HOUR.multipliedBy(number));
    }

    private static FreedCapacity hosts(Instant start, Instant end) {
        return new FreedCapacity(ResourceKind.PHYSICAL_HOST, new LeasePeriod(start, end), false);
    }

    private static Waiting waiting(int lease, Instant since, @Nullable Instant earlyFrom) {
        return new Waiting(
                lease(lease),
                List.of("physical:host"),
                WINDOW,
                NEXT,
                earlyFrom,
                cause(lease, since));
    }

    private static Cause cause(int lease, Instant at) {
        return new Cause("event-" + lease, "req-" + lease, at);
    }

    private static Waiting waiting(int lease) {
        return waiting(lease, NOON.plusSeconds(lease), null);
    }

    private List<Woken> wake(FreedCapacity freed, Instant now, int limit) {
        return requests().wake(freed, now, limit);
    }

    private static Woken woken(int lease, Instant due) {
        return woken(lease, due, NOON.plusSeconds(lease));
    }

    private static Woken woken(int lease, Instant due, Instant refused) {
        return new Woken(lease(lease), due, cause(lease, refused));
    }

    @Test
    void a_woken_request_has_the_cause_of_the_last_refusal() {
        requests().await(List.of(waiting(1), waiting(2)));
        Cause last = new Cause("event-7", "req-7", hour(1));
        requests()
                .await(
                        List.of(
                                new Waiting(
                                        lease(1),
                                        List.of("physical:host"),
                                        WINDOW,
                                        NEXT,
                                        null,
                                        last)));

        assertThat(wake(FREED, hour(1), 10))
                .containsExactly(
                        new Woken(lease(1), hour(1), last),
                        new Woken(lease(2), hour(1), cause(2, NOON.plusSeconds(2))));
    }

    @Test
    void a_request_is_woken_once_until_the_next_refusal() {
        requests().await(List.of(waiting(1)));
        assertThat(requests().isAny(NOON)).isTrue();

        assertThat(wake(FREED, NOON, 10)).containsExactly(woken(1, NOON));
        assertThat(wake(FREED, NOON, 10)).isEmpty();

        requests().await(List.of(waiting(1)));
        assertThat(wake(FREED, hour(1), 10)).containsExactly(woken(1, hour(1)));
    }

    @Test
    void capacity_of_another_kind_or_window_wakes_no_request() {
        requests().await(List.of(waiting(1)));

        assertThat(wake(hosts(hour(6), hour(7)), NOON, 10)).isEmpty();
        assertThat(wake(hosts(hour(3), hour(4)), NOON, 10)).isEmpty();
        assertThat(wake(new FreedCapacity(ResourceKind.FLOATING_IP, WINDOW, false), NOON, 10))
                .isEmpty();
        assertThat(wake(hosts(hour(5), hour(9)), NOON, 10)).hasSize(1);
    }

    @Test
    void the_oldest_requests_are_woken_up_to_the_limit() {
        requests()
                .await(
                        IntStream.rangeClosed(1, 9)
                                .mapToObj(i -> waiting(i, NOON.minusSeconds(i), null))
                                .toList());

        assertThat(wake(FREED, NOON, 2)).containsExactly(oldWoken(9), oldWoken(8));
        assertThat(wake(FREED, NOON, 1)).containsExactly(oldWoken(7));
    }

    @Test
    void old_requests_that_cannot_be_met_do_not_hold_up_a_newer_one() {
        requests().await(IntStream.rangeClosed(1, 41).mapToObj(i -> waiting(i)).toList());
        List<Woken> first = wake(FREED, hour(1), 32);
        requests()
                .await(
                        IntStream.rangeClosed(1, 32)
                                .mapToObj(i -> waiting(i, hour(1), hour(1).plusSeconds(30)))
                                .toList());
        List<Woken> second = wake(FREED, hour(2), 32);

        assertThat(first).doesNotContain(woken(41, hour(1))).hasSize(32);
        assertThat(second).contains(woken(41, hour(2)), woken(1, hour(2), hour(1))).hasSize(32);
    }

    @Test
    void requests_that_were_tried_early_longer_ago_come_first() {
        Instant earlier = hour(1);
        requests().await(List.of(waiting(1, NOON, earlier.plusSeconds(1))));
        requests().await(List.of(waiting(2, NOON, earlier), waiting(3, NOON, null)));

        assertThat(wake(FREED, hour(2), 2))
                .containsExactly(woken(3, hour(2), NOON), woken(2, hour(2), NOON));
    }

    private static Woken oldWoken(int lease) {
        return woken(lease, NOON, NOON.minusSeconds(lease));
    }

    @Test
    void another_refusal_keeps_the_order_of_requests() {
        requests().await(List.of(waiting(1), waiting(2)));
        requests().await(List.of(waiting(1, hour(1), null)));

        assertThat(wake(FREED, hour(1), 1)).containsExactly(woken(1, hour(1), hour(1)));
    }

    @Test
    void a_request_that_was_tried_lately_comes_last_and_later() {
        requests().await(List.of(waiting(1, NOON, hour(1)), waiting(2, NOON, null)));

        assertThat(wake(FREED, NOON, 1)).containsExactly(woken(2, NOON, NOON));
        assertThat(wake(FREED, NOON, 1)).containsExactly(woken(1, hour(1), NOON));
    }

    @Test
    void a_request_with_an_earlier_planned_attempt_is_not_woken() {
        requests().await(List.of(waiting(1, NOON, NEXT), waiting(2)));

        assertThat(wake(FREED, NEXT, 10)).isEmpty();
        assertThat(wake(FREED, NEXT.minusSeconds(1), 10))
                .containsExactly(woken(2, NEXT.minusSeconds(1)));
    }

    @Test
    void a_request_from_an_earlier_start_waits_for_the_end_of_the_cleaning() {
        Waiting now =
                new Waiting(
                        lease(1),
                        List.of("physical:host", "virtual:floatingip"),
                        new LeasePeriod(NOON.minusSeconds(60), hour(2)),
                        hour(1),
                        null,
                        cause(1, NOON));
        requests().await(List.of(now));

        FreedCapacity cleaned =
                new FreedCapacity(
                        ResourceKind.PHYSICAL_HOST,
                        new LeasePeriod(NOON.plusSeconds(300), hour(5)),
                        true);
        assertThat(wake(cleaned, NOON, 10)).containsExactly(woken(1, NOON.plusSeconds(300), NOON));
    }

    @Test
    void a_request_that_is_woken_for_a_later_time_is_woken_for_an_earlier_one() {
        requests()
                .await(
                        List.of(
                                new Waiting(
                                        lease(1),
                                        List.of("physical:host"),
                                        new LeasePeriod(NOON, hour(2)),
                                        NEXT,
                                        null,
                                        cause(1, NOON))));
        LeasePeriod rest = new LeasePeriod(hour(1), hour(5));
        FreedCapacity cleaned = new FreedCapacity(ResourceKind.PHYSICAL_HOST, rest, true);
        FreedCapacity free = new FreedCapacity(ResourceKind.PHYSICAL_HOST, rest, false);

        assertThat(wake(cleaned, NOON, 10)).containsExactly(woken(1, hour(1), NOON));
        assertThat(wake(cleaned, NOON, 10)).isEmpty();
        Instant later = NOON.plusSeconds(60);
        assertThat(wake(free, later, 10)).containsExactly(woken(1, later, NOON));
        assertThat(wake(free, later.plusSeconds(1), 10)).isEmpty();
    }

    @Test
    void a_later_window_can_complete_an_earlier_one() {
        requests().await(List.of(waiting(1)));

        assertThat(wake(hosts(hour(5), hour(9)), NOON, 10)).containsExactly(woken(1, NOON));
    }

    @Test
    void deleted_and_expired_requests_are_removed() {
        requests().await(List.of(waiting(1), waiting(2)));

        requests().remove(List.of(lease(1)), NEXT);
        assertThat(wake(FREED, NOON, 10)).containsExactly(woken(2, NOON));

        requests().await(List.of(waiting(2)));
        requests().remove(List.of(), NEXT.plusSeconds(1));
        assertThat(requests().isAny(NOON)).isFalse();
        assertThat(wake(FREED, NOON, 10)).isEmpty();
    }

    @Test
    void only_requests_that_may_be_woken_now_count() {
        assertThat(requests().isAny(NOON)).isFalse();
        requests().await(List.of(waiting(1, NOON, hour(1))));
        assertThat(requests().isAny(NEXT.minusSeconds(1))).isTrue();
        assertThat(requests().isAny(NEXT)).isFalse();

        wake(FREED, NOON, 1);
        assertThat(requests().isAny(hour(1).minusSeconds(1))).isTrue();
        assertThat(requests().isAny(hour(1))).isFalse();

        requests().await(List.of(waiting(1, hour(1), hour(2))));
        assertThat(requests().isAny(hour(1))).isTrue();
    }
}
