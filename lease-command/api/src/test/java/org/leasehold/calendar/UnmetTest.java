package org.leasehold.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.RefusedDemand.Kept;
import org.leasehold.vocabulary.LeasePeriod;

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
    void a_new_demand_is_refused_in_full() {
        assertThat(RefusedDemand.of(3, hours(2, 5), hour(0), List.of()))
                .containsExactly(new RefusedDemand(3, hours(2, 5)));
    }

    @Test
    void an_extension_by_an_hour_counts_only_that_hour() {
        assertThat(
                        RefusedDemand.of(
                                2, hours(0, 10), hour(4), List.of(kept(1, 0, 9), kept(1, 0, 9))))
                .containsExactly(new RefusedDemand(2, hours(9, 10)));
    }

    @Test
    void the_refused_amount_excludes_the_kept_resources() {
        assertThat(RefusedDemand.of(10, hours(2, 5), hour(0), List.of(kept(8, 2, 5))))
                .containsExactly(new RefusedDemand(2, hours(2, 5)));
    }

    @Test
    void kept_resources_split_the_refused_demand_into_parts() {
        assertThat(RefusedDemand.of(2, hours(1, 9), hour(0), List.of(kept(2, 3, 5), kept(1, 5, 7))))
                .containsExactly(
                        new RefusedDemand(2, hours(1, 3)),
                        new RefusedDemand(1, hours(5, 7)),
                        new RefusedDemand(2, hours(7, 9)));
    }

    @Test
    void adjacent_parts_of_equal_amount_are_merged() {
        assertThat(RefusedDemand.of(3, hours(1, 9), hour(0), List.of(kept(1, 1, 4), kept(1, 4, 9))))
                .containsExactly(new RefusedDemand(2, hours(1, 9)));
    }

    @Test
    void a_refused_demand_excludes_the_past() {
        assertThat(RefusedDemand.of(1, hours(0, 4), hour(3), List.of()))
                .containsExactly(new RefusedDemand(1, hours(3, 4)));
        assertThat(RefusedDemand.of(1, hours(0, 4), hour(4), List.of())).isEmpty();
    }

    @Test
    void a_fully_kept_demand_has_no_refused_part() {
        assertThat(RefusedDemand.of(2, hours(1, 4), hour(0), List.of(kept(3, 0, 9)))).isEmpty();
    }

    @Test
    void the_refused_demand_equals_an_hourly_count() {
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

            List<RefusedDemand> unmet = RefusedDemand.of(wanted, period, hour(decided), kept);

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
                                        .mapToInt(RefusedDemand::amount)
                                        .sum())
                        .isEqualTo(counts ? Math.max(0, wanted - has) : 0);
            }
        }
    }
}
