package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Capacities;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class CapacityGaugesTest {

    private static final Instant NOW = Instant.parse("2026-11-23T10:20:00Z");
    private static final Instant NEXT_HOUR = Instant.parse("2026-11-23T11:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Paper paper = new Paper();
    private final CapacityGauges gauges =
            new CapacityGauges(paper, Clock.fixed(NOW, ZoneOffset.UTC), registry);

    @Test
    void what_there_is_now_and_ahead_is_told_of_each_kind() {
        gauges.look();

        assertThat(told())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("enrolled physical:host", 10.0),
                                Map.entry("reservable physical:host", 9.0),
                                Map.entry("reserved physical:host", 2.5),
                                Map.entry("active physical:host", 1.5),
                                Map.entry("reserved.max physical:host 1d", 5.0),
                                Map.entry("reserved.max physical:host 7d", 5.0),
                                Map.entry("reserved.max physical:host 30d", 5.0),
                                Map.entry("headroom.min physical:host 1d", 4.0),
                                Map.entry("headroom.min physical:host 7d", 4.0),
                                Map.entry("headroom.min physical:host 30d", 4.0),
                                Map.entry("refused.hours physical:host 1d", 12.0),
                                Map.entry("refused.hours physical:host 7d", 84.0),
                                Map.entry("refused.hours physical:host 30d", 360.0)));
    }

    @Test
    void a_shortage_is_told_as_long_as_it_lies_ahead() {
        paper.shortage = NEXT_HOUR.plus(Duration.ofHours(2));
        gauges.look();
        assertThat(told())
                .containsEntry(
                        "shortage.at physical:host", (double) NEXT_HOUR.getEpochSecond() + 7200);

        paper.shortage = null;
        gauges.look();
        assertThat(told()).doesNotContainKey("shortage.at physical:host");
    }

    @Test
    void what_is_now_is_ahead_as_well() {
        paper.reserved = new BigDecimal("8.5");
        gauges.look();

        assertThat(told())
                .containsEntry("reserved.max physical:host 1d", 8.5)
                .containsEntry("headroom.min physical:host 30d", 0.5)
                .containsEntry("shortage.at physical:host", (double) NOW.getEpochSecond());
    }

    @Test
    void what_there_is_nothing_of_is_not_scarce() {
        paper.enrolled = BigDecimal.ZERO;
        paper.shortage = NEXT_HOUR;
        gauges.look();

        assertThat(told()).doesNotContainKey("shortage.at physical:host");
    }

    @Test
    void what_cannot_be_looked_up_is_not_told() {
        gauges.look();
        paper.isThere = false;

        assertThatThrownBy(gauges::look).isInstanceOf(IllegalStateException.class);

        assertThat(told()).isEmpty();
    }

    /** Returns the values by name and tags. */
    private Map<String, Double> told() {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            String within = id.getTag("within");
            values.put(
                    id.getName().substring("leasehold.capacity.".length())
                            + " "
                            + id.getTag("kind")
                            + (within == null ? "" : " " + within),
                    meter.measure().iterator().next().getValue());
        }
        return values;
    }

    private static final class Paper implements Capacities {

        private @Nullable Instant shortage;
        private BigDecimal enrolled = new BigDecimal("10");
        private BigDecimal reserved = new BigDecimal("2.5");
        private boolean isThere = true;

        @Override
        public List<Standing> standing(Instant at) {
            if (!isThere) {
                throw new IllegalStateException("there is no database");
            }
            assertThat(at).isEqualTo(NOW);
            return List.of(
                    new Standing(
                            ResourceKind.PHYSICAL_HOST,
                            enrolled,
                            new BigDecimal("9"),
                            reserved,
                            new BigDecimal("1.5")));
        }

        @Override
        public List<Series> tell(AskCapacity question) {
            assertThat(question.from()).isEqualTo(NEXT_HOUR);
            return List.of(
                    new Series(
                            null,
                            List.of(
                                    new Bucket(
                                            question.from(),
                                            question.to(),
                                            BigDecimal.TEN,
                                            BigDecimal.TEN,
                                            BigDecimal.ONE,
                                            BigDecimal.ONE,
                                            BigDecimal.ZERO,
                                            new BigDecimal("0.5"))),
                            new Extreme(NEXT_HOUR, new BigDecimal("5")),
                            new Extreme(NEXT_HOUR, new BigDecimal("4")),
                            shortage == null ? null : new Extreme(shortage, BigDecimal.ZERO)));
        }
    }
}
