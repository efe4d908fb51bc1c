package org.leasehold.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.whatif.ScenarioComparison;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Hours;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tests that a replay of a history gives the same result, and another one in another scenario. */
class WhatIfTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");
    private static final int DAYS = 10;
    private static final Instant FROM = UNTIL.minus(Duration.ofDays(DAYS));

    private static List<RecordedEvent> recorded(long seed) {
        return recorded(EventLogGenerator.of(Workload.of(seed, UNTIL, DAYS), seed));
    }

    /** Returns events as they are read from the database. */
    static List<RecordedEvent> recorded(List<DomainEventMessage<?>> history) {
        List<RecordedEvent> recorded = new ArrayList<>();
        for (DomainEventMessage<?> message : history) {
            recorded.add(
                    new RecordedEvent(
                            recorded.size() + 1L,
                            message.getAggregateIdentifier(),
                            message.getSequenceNumber(),
                            message.getPayload(),
                            message.getTimestamp()));
        }
        return recorded;
    }

    private static Comparison compare(List<RecordedEvent> recorded, WhatIfScenario world) {
        ScenarioComparison worlds = new ScenarioComparison(world, new StatelessCloud());
        worlds.replay(recorded);
        return worlds.finish();
    }

    private static WhatIfScenario world(List<More> more, List<Lost> lost, int demand) {
        return new WhatIfScenario(FROM, UNTIL, more, lost, null, demand, 10);
    }

    private static Hours hosts(Comparison.Figures figures) {
        return Objects.requireNonNull(figures.kinds().get(ResourceKind.PHYSICAL_HOST));
    }

    private static ResourceId host(List<RecordedEvent> recorded) {
        return recorded.stream()
                .map(RecordedEvent::event)
                .filter(ResourceEnrolled.class::isInstance)
                .map(ResourceEnrolled.class::cast)
                .filter(enrolled -> enrolled.kind().equals(ResourceKind.PHYSICAL_HOST))
                .map(ResourceEnrolled::resourceId)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void an_unchanged_scenario_reproduces_the_recorded_outcomes(long seed) {
        Comparison same = compare(recorded(seed), world(List.of(), List.of(), 100));

        assertThat(same.notReproduced().first()).isEmpty();
        assertThat(same.notReproduced().count()).isZero();
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(same.recorded().requests().refused()).isPositive();
        assertThat(hosts(same.recorded()).refused()).isPositive();
    }

    @Test
    void ten_more_hosts_reduce_refused_hours_and_a_lost_zone_increases_them() {
        List<RecordedEvent> recorded = recorded(1);
        More ten =
                new More(
                        10,
                        ResourceKind.PHYSICAL_HOST,
                        host(recorded),
                        null,
                        Map.of(),
                        FROM.plus(Duration.ofDays(1)));
        Comparison more = compare(recorded, world(List.of(ten), List.of(), 100));
        Lost zone =
                new Lost(
                        ResourceKind.PHYSICAL_HOST,
                        "az1",
                        Requirement.none(),
                        FROM.plus(Duration.ofDays(1)));
        Comparison fewer = compare(recorded, world(List.of(), List.of(zone), 100));
        Comparison busier = compare(recorded, world(List.of(), List.of(), 120));

        assertThat(hosts(more.changed()).refused()).isLessThan(hosts(more.recorded()).refused());
        assertThat(hosts(fewer.changed()).refused())
                .isGreaterThan(hosts(fewer.recorded()).refused());
        assertThat(hosts(fewer.changed()).lost()).isPositive();
        assertThat(busier.changed().requests().all())
                .isGreaterThan(busier.recorded().requests().all());
    }
}
