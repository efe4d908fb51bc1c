package org.leasehold.command.calendar.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class FreeResourceTimelineTest {

    private static final List<ResourceId> TWO = List.of(new ResourceId(1), new ResourceId(2));

    @Test
    void the_timeline_finds_the_scarcest_part_of_a_window() {
        FreeResourceTimeline time =
                FreeResourceTimeline.of(TWO, List.of(claim(1, hours(0, 2)), claim(2, hours(1, 3))));
        assertThat(countFreeThroughout(time, hours(0, 3))).isZero();
        assertThat(time.scarcestPart(hours(0, 3)))
                .isEqualTo(new FreeResourceTimeline.Part(hours(1, 2), 0));
        assertThat(time.scarcestPart(hours(2, 5)))
                .isEqualTo(new FreeResourceTimeline.Part(hours(2, 3), 1));
        assertThat(time.scarcestPart(hours(4, 5)))
                .isEqualTo(new FreeResourceTimeline.Part(hours(4, 5), 2));
    }

    private static int countFreeThroughout(FreeResourceTimeline time, LeasePeriod window) {
        return time.countFree(window, Integer.MAX_VALUE).freeThroughout();
    }

    @Test
    void beyond_the_claim_limit_the_whole_window_is_the_scarcest_part() {
        FreeResourceTimeline time =
                FreeResourceTimeline.of(
                        List.of(new ResourceId(1), new ResourceId(2), new ResourceId(3)),
                        List.of(
                                claim(1, hours(0, 1)),
                                claim(1, hours(2, 3)),
                                claim(2, hours(1, 2)),
                                claim(3, hours(5, 6))));
        LeasePeriod window = hours(0, 3);
        assertThat(time.countFree(window, 3))
                .isEqualTo(
                        new FreeResourceTimeline.FreeCounts(
                                1, new FreeResourceTimeline.Part(hours(0, 1), 2), 3));
        for (int limit : new int[] {0, 1, 2}) {
            assertThat(time.countFree(window, limit))
                    .as("limit %s", limit)
                    .isEqualTo(
                            new FreeResourceTimeline.FreeCounts(
                                    1, new FreeResourceTimeline.Part(window, 1), limit + 1));
        }
    }

    @Test
    void a_gap_that_fits_exactly_is_an_opening_for_one_instant() {
        FreeResourceTimeline time =
                FreeResourceTimeline.of(
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
    void an_opening_requires_enough_resources() {
        assertThat(
                        FreeResourceTimeline.of(TWO, List.of())
                                .openings(3, Duration.ofHours(1), NOON, hours(0, 1).end(), 9))
                .isEmpty();
    }

    @Test
    void a_duration_of_thousands_of_years_has_an_opening() {
        FreeResourceTimeline time =
                FreeResourceTimeline.of(List.of(new ResourceId(1)), List.of(claim(1, hours(0, 1))));
        assertThat(time.openings(1, Duration.ofDays(365 * 7_000), NOON, hours(0, 9).end(), 1))
                .singleElement()
                .extracting(opening -> opening.starts().start())
                .isEqualTo(hours(0, 1).end());
    }

    @Test
    void the_timeline_agrees_with_an_hourly_count() {
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

    /** The claimed hours of each resource, and the timeline of the same claims. */
    private record Model(List<BitSet> claimed, FreeResourceTimeline time) {

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
                    FreeResourceTimeline.of(
                            IntStream.rangeClosed(1, RESOURCES).mapToObj(ResourceId::new).toList(),
                            claims));
        }

        int free(int from, int to) {
            return (int) claimed.stream().filter(busy -> busy.get(from, to).isEmpty()).count();
        }

        void compareWindow(int from, int to) {
            assertThat(countFreeThroughout(time, hours(from, to))).isEqualTo(free(from, to));
            int fewest = IntStream.range(from, to).map(h -> free(h, h + 1)).min().orElseThrow();
            int first =
                    IntStream.range(from, to)
                            .filter(h -> free(h, h + 1) == fewest)
                            .findFirst()
                            .orElseThrow();
            FreeResourceTimeline.Part part = time.scarcestPart(hours(from, to));
            assertThat(part.free()).isEqualTo(fewest);
            assertThat(part.period().start()).isEqualTo(hours(first, first + 1).start());
            int last = (int) Duration.between(NOON, part.period().end()).toHours();
            assertThat(free(first, last)).isEqualTo(fewest);
        }

        /**
         * Compares the openings. All bounds are whole hours, so a start between two hours
         * represents all of them.
         */
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
