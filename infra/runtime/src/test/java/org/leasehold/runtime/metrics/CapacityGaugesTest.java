package org.leasehold.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Capacities;

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
    void the_gauges_show_current_and_future_capacity_by_kind() {
        gauges.updateGauges();

        assertThat(gaugeValues())
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
    void the_shortage_gauge_exists_only_while_a_shortage_is_ahead() {
        paper.shortage = NEXT_HOUR.plus(Duration.ofHours(2));
        gauges.updateGauges();
        assertThat(gaugeValues())
                .containsEntry(
                        "shortage.at physical:host", (double) NEXT_HOUR.getEpochSecond() + 7200);

        paper.shortage = null;
        gauges.updateGauges();
        assertThat(gaugeValues()).doesNotContainKey("shortage.at physical:host");
    }

    @Test
    void the_current_reserved_capacity_counts_in_the_future_gauges() {
        paper.reserved = new BigDecimal("8.5");
        gauges.updateGauges();

        assertThat(gaugeValues())
                .containsEntry("reserved.max physical:host 1d", 8.5)
                .containsEntry("headroom.min physical:host 30d", 0.5)
                .containsEntry("shortage.at physical:host", (double) NOW.getEpochSecond());
    }

    @Test
    void a_kind_without_resources_has_no_shortage_gauge() {
        paper.enrolled = BigDecimal.ZERO;
        paper.shortage = NEXT_HOUR;
        gauges.updateGauges();

        assertThat(gaugeValues()).doesNotContainKey("shortage.at physical:host");
    }

    @Test
    void a_failed_lookup_removes_all_gauges() {
        gauges.updateGauges();
        paper.isThere = false;

        assertThatThrownBy(gauges::updateGauges).isInstanceOf(IllegalStateException.class);

        assertThat(gaugeValues()).isEmpty();
    }

    /** Returns the values by name and tags. */
    private Map<String, Double> gaugeValues() {
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
        public List<Standing> capacityAt(Instant at) {
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
        public List<Series> findSeries(AskCapacity question) {
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
