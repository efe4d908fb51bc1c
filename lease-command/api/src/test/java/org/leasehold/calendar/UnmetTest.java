package org.leasehold.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Unmet.Kept;
import org.leasehold.lease.LeasePeriod;

import java.time.Instant;
import java.util.List;
import java.util.Random;

class UnmetTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static Instant hour(int hour) {
        return NOON.plusSeconds(hour * 3600L);
    }

    private static LeasePeriod hours(int start, int end) {
        return new LeasePeriod(hour(start), hour(end));
    }

    private static Kept kept(int amount, int start, int end) {
        return new Kept(amount, hour(start), hour(end));
    }

    @Test
    void of_what_is_new_nothing_is_kept() {
        assertThat(Unmet.of(3, hours(2, 5), hour(0), List.of()))
                .containsExactly(new Unmet(3, hours(2, 5)));
    }

    @Test
    void an_hour_more_is_an_hour() {
        assertThat(Unmet.of(2, hours(0, 10), hour(4), List.of(kept(1, 0, 9), kept(1, 0, 9))))
                .containsExactly(new Unmet(2, hours(9, 10)));
    }

    @Test
    void two_more_are_two() {
        assertThat(Unmet.of(10, hours(2, 5), hour(0), List.of(kept(8, 2, 5))))
                .containsExactly(new Unmet(2, hours(2, 5)));
    }

    @Test
    void another_window_is_unmet_on_both_sides_of_the_one_that_is_kept() {
        assertThat(Unmet.of(2, hours(1, 9), hour(0), List.of(kept(2, 3, 5), kept(1, 5, 7))))
                .containsExactly(
                        new Unmet(2, hours(1, 3)),
                        new Unmet(1, hours(5, 7)),
                        new Unmet(2, hours(7, 9)));
    }

    @Test
    void what_follows_on_one_another_is_one() {
        assertThat(Unmet.of(3, hours(1, 9), hour(0), List.of(kept(1, 1, 4), kept(1, 4, 9))))
                .containsExactly(new Unmet(2, hours(1, 9)));
    }

    @Test
    void nothing_is_unmet_of_what_was_over() {
        assertThat(Unmet.of(1, hours(0, 4), hour(3), List.of()))
                .containsExactly(new Unmet(1, hours(3, 4)));
        assertThat(Unmet.of(1, hours(0, 4), hour(4), List.of())).isEmpty();
    }

    @Test
    void whoever_has_all_of_it_lacks_nothing() {
        assertThat(Unmet.of(2, hours(1, 4), hour(0), List.of(kept(3, 0, 9)))).isEmpty();
    }

    @Test
    void it_is_what_counting_hour_by_hour_comes_to() {
        Random random = new Random(7);
        for (int round = 0; round < 1000; round++) {
            int start = random.nextInt(10);
            LeasePeriod period = hours(start, start + 1 + random.nextInt(10));
            int wanted = 1 + random.nextInt(4);
            int decided = random.nextInt(12);
            List<Kept> kept =
                    random.ints(random.nextInt(5), 0, 20)
                            .mapToObj(
                                    from ->
                                            kept(
                                                    1 + random.nextInt(2),
                                                    from,
                                                    from + random.nextInt(8)))
                            .toList();

            List<Unmet> unmet = Unmet.of(wanted, period, hour(decided), kept);

            for (int hour = 0; hour < 30; hour++) {
                Instant at = hour(hour);
                int has =
                        kept.stream()
                                .filter(each -> !at.isBefore(each.starts()))
                                .filter(each -> at.isBefore(each.ends()))
                                .mapToInt(Kept::amount)
                                .sum();
                boolean counts = period.contains(at) && hour >= decided;
                assertThat(
                                unmet.stream()
                                        .filter(each -> each.period().contains(at))
                                        .mapToInt(Unmet::amount)
                                        .sum())
                        .isEqualTo(counts ? Math.max(0, wanted - has) : 0);
            }
        }
    }
}
