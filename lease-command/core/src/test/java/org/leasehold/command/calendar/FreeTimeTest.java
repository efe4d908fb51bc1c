package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.Wishes.NOON;
import static org.leasehold.command.calendar.Wishes.hours;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class FreeTimeTest {

    private static final List<ResourceId> TWO = List.of(new ResourceId(1), new ResourceId(2));

    @Test
    void a_window_is_as_scarce_as_its_scarcest_part() {
        FreeTime time = FreeTime.of(TWO, List.of(claim(1, hours(0, 2)), claim(2, hours(1, 3))));
        assertThat(time.throughout(hours(0, 3))).isZero();
        assertThat(time.scarcest(hours(0, 3))).isEqualTo(new FreeTime.Part(hours(1, 2), 0));
        assertThat(time.scarcest(hours(2, 5))).isEqualTo(new FreeTime.Part(hours(2, 3), 1));
        assertThat(time.scarcest(hours(4, 5))).isEqualTo(new FreeTime.Part(hours(4, 5), 2));
    }

    @Test
    void a_gap_that_fits_exactly_is_an_opening_for_one_instant() {
        FreeTime time =
                FreeTime.of(
                        List.of(new ResourceId(1)),
                        List.of(claim(1, hours(0, 1)), claim(1, hours(2, 3))));
        assertThat(time.openings(1, Duration.ofHours(1), NOON, hours(0, 9).end(), 2))
                .containsExactly(
                        new Opening(
                                new LeasePeriod(
                                        hours(0, 1).end(),
                                        hours(0, 1).end().plus(1, ChronoUnit.MICROS)),
                                1),
                        new Opening(
                                new LeasePeriod(
                                        hours(0, 3).end(),
                                        hours(0, 9).end().plus(1, ChronoUnit.MICROS)),
                                1));
    }

    @Test
    void without_enough_resources_there_is_no_opening() {
        assertThat(
                        FreeTime.of(TWO, List.of())
                                .openings(3, Duration.ofHours(1), NOON, hours(0, 1).end(), 9))
                .isEmpty();
    }

    @Test
    void what_lasts_for_thousands_of_years_finds_its_start() {
        FreeTime time = FreeTime.of(List.of(new ResourceId(1)), List.of(claim(1, hours(0, 1))));
        assertThat(time.openings(1, Duration.ofDays(365 * 7_000), NOON, hours(0, 9).end(), 1))
                .singleElement()
                .extracting(opening -> opening.starts().start())
                .isEqualTo(hours(0, 1).end());
    }

    @Test
    void it_agrees_with_counting_hour_by_hour() {
        SplittableRandom random = new SplittableRandom(20300101);
        for (int round = 0; round < 2_000; round++) {
            Model model = Model.random(random);
            int from = random.nextInt(Model.HOURS - 1);
            int to = from + 1 + random.nextInt(Model.HOURS - from - 1 + 1);
            model.compareWindow(from, Math.min(to, Model.HOURS));
            model.compareOpenings(1 + random.nextInt(Model.RESOURCES), 1 + random.nextInt(5));
        }
    }

    private static Claim claim(long resource, LeasePeriod during) {
        return new Claim(new ResourceId(resource), during);
    }

    /** Which hour is claimed on which resource. */
    private record Model(List<BitSet> claimed, FreeTime time) {

        static final int RESOURCES = 4;
        static final int HOURS = 24;

        static Model random(SplittableRandom random) {
            List<BitSet> claimed = new ArrayList<>();
            List<Claim> claims = new ArrayList<>();
            for (int resource = 0; resource < RESOURCES; resource++) {
                claimed.add(new BitSet());
                int hour = random.nextInt(6);
                while (hour < HOURS) {
                    int end = Math.min(HOURS, hour + 1 + random.nextInt(5));
                    claims.add(claim(resource + 1, hours(hour, end)));
                    claimed.getLast().set(hour, end);
                    hour = end + random.nextInt(4);
                }
            }
            claims.add(claim(99, hours(0, HOURS)));
            return new Model(
                    claimed,
                    FreeTime.of(
                            IntStream.rangeClosed(1, RESOURCES).mapToObj(ResourceId::new).toList(),
                            claims));
        }

        int free(int from, int to) {
            return (int) claimed.stream().filter(busy -> busy.get(from, to).isEmpty()).count();
        }

        void compareWindow(int from, int to) {
            assertThat(time.throughout(hours(from, to))).isEqualTo(free(from, to));
            int fewest = IntStream.range(from, to).map(h -> free(h, h + 1)).min().orElseThrow();
            int first =
                    IntStream.range(from, to)
                            .filter(h -> free(h, h + 1) == fewest)
                            .findFirst()
                            .orElseThrow();
            FreeTime.Part part = time.scarcest(hours(from, to));
            assertThat(part.free()).isEqualTo(fewest);
            assertThat(part.period().start()).isEqualTo(hours(first, first + 1).start());
            int last = (int) Duration.between(NOON, part.period().end()).toHours();
            assertThat(free(first, last)).isEqualTo(fewest);
        }

        /** All bounds are whole hours, so a start between two hours stands for all of them. */
        void compareOpenings(int wanted, int length) {
            List<Opening> openings =
                    time.openings(
                            wanted,
                            Duration.ofHours(length),
                            NOON,
                            NOON.plus(Duration.ofHours(HOURS)),
                            100);
            for (int half = 0; half <= 2 * HOURS; half++) {
                Instant start = NOON.plus(Duration.ofMinutes(30L * half));
                int free = free(half / 2, (half + 1) / 2 + length);
                List<Opening> here =
                        openings.stream().filter(o -> o.starts().contains(start)).toList();
                assertThat(here).hasSize(free >= wanted ? 1 : 0);
                if (!here.isEmpty() && here.getFirst().starts().start().equals(start)) {
                    assertThat(here.getFirst().free()).isEqualTo(free);
                }
            }
        }
    }
}
