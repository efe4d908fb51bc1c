package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.whatif.InMemoryEventReplay;
import org.leasehold.command.whatif.ScenarioComparison;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIfScenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Tests that replays of histories with faults, races and crashes give the same result. */
class SimulatedReplayTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void an_unchanged_scenario_reproduces_the_recorded_outcomes(long seed) {
        List<ResourcePlugin> plugins = new ArrayList<>();
        List<RecordedEvent> recorded = recorded(seed, plugins);
        Instant end = recorded.getLast().decidedAt().plus(Duration.ofDays(1));

        comesOutAsItDid(VirtualClock.BEGINNING, end, recorded, plugins.getFirst());
        Duration half = Duration.between(VirtualClock.BEGINNING, end).dividedBy(2);
        comesOutAsItDid(VirtualClock.BEGINNING.plus(half), end, recorded, plugins.getFirst());
    }

    private static List<RecordedEvent> recorded(long seed, List<ResourcePlugin> plugins) {
        EngineParts parts =
                new EngineParts() {
                    @Override
                    ResourcePlugin plugin(ResourcePlugin plugin) {
                        plugins.add(plugin);
                        return plugin;
                    }
                };
        List<RecordedEvent> recorded = new ArrayList<>();
        for (DomainEventMessage<?> message :
                Simulation.allEvents(Scenario.of(seed, Simulate.DAYS), parts)) {
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

    private static void comesOutAsItDid(
            Instant from, Instant to, List<RecordedEvent> recorded, ResourcePlugin plugin) {
        ScenarioComparison worlds =
                new ScenarioComparison(
                        WhatIfScenario.ofUnchanged(from, to, 10), new HostPlugins(plugin));
        InMemoryEventReplay.replay(recorded, worlds);
        Comparison same = worlds.finish();

        assertThat(same.notReproduced().first())
                .map(position -> recorded.get(position.intValue() - 1))
                .allMatch(event -> isOvertakenReplacement(event, recorded));
        assertThat(same.changed()).isEqualTo(same.recorded());
    }

    /**
     * Returns whether another node released the replaced resource during the decision. The replay
     * decides after the release, and keeps the resource.
     */
    private static boolean isOvertakenReplacement(
            RecordedEvent event, List<RecordedEvent> recorded) {
        return event.event() instanceof ResourceReplaced replaced
                && recorded.subList(0, (int) event.position()).stream()
                        .filter(earlier -> earlier.decidedAt().isAfter(event.decidedAt()))
                        .map(RecordedEvent::event)
                        .anyMatch(
                                earlier ->
                                        earlier instanceof ReservationReleased released
                                                && replaced.reason()
                                                        .contains(
                                                                released.reservationId()
                                                                        .toString()));
    }
}
