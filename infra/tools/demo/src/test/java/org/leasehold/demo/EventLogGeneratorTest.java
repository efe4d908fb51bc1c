package org.leasehold.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.LeaseId;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tests that a generated event log is a valid history without open work. */
class EventLogGeneratorTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");
    private static final int DAYS = 10;
    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;

    private static Workload demand;
    private static List<DomainEventMessage<?>> history;

    @BeforeAll
    static void live() {
        demand = Workload.of(1, UNTIL, DAYS);
        history = EventLogGenerator.of(demand, 1);
    }

    @Test
    void a_seed_gives_the_same_event_log_in_another_process() throws Exception {
        Workload day = Workload.of(3, UNTIL, 1);
        String here = Totals.digest(EventLogGenerator.of(day, 3));
        assertThat(elsewhere("--seed", "3", "--days", "1", "--until", UNTIL.toString()))
                .contains("SHA-256 " + here);
        assertThat(Totals.digest(EventLogGenerator.of(Workload.of(4, UNTIL, 1), 4)))
                .isNotEqualTo(here);
    }

    private static String elsewhere(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Daxoniq.update-checker.disabled=true", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Demo.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(output).isZero();
        return output;
    }

    @Test
    void the_events_are_in_order_and_every_lease_ends() {
        assertThat(history)
                .extracting(EventMessage::getTimestamp)
                .isSorted()
                .allMatch(at -> !at.isBefore(demand.from()) && at.isBefore(UNTIL));
        Set<LeaseId> asked = new HashSet<>();
        Set<LeaseId> ended = new HashSet<>();
        for (DomainEventMessage<?> event : history) {
            switch (event.getPayload()) {
                case LeaseRequested requested -> asked.add(requested.leaseId());
                case LeaseEnded end -> ended.add(end.leaseId());
                case Object _ -> {}
            }
        }
        assertThat(ended).isNotEmpty().isEqualTo(asked);
    }

    /** The expected state supports only whole hosts. */
    @Test
    void no_host_is_granted_or_held_twice() {
        List<String> complaints = new ArrayList<>();
        ExpectedState book = new ExpectedState(complaints::add);
        Set<LeaseId> others = new HashSet<>();
        for (DomainEventMessage<?> message : history) {
            Instant at = message.getTimestamp();
            switch (message.getPayload()) {
                case LeaseRequested requested
                        when requested.reservations().stream()
                                .anyMatch(wish -> !wish.kind().equals(HOST)) ->
                        others.add(requested.leaseId());
                case LeaseEvent event when others.contains(event.leaseId()) -> {}
                case LeaseEvent event -> book.apply(event, at, at);
                case ResourceEvent event -> book.apply(event);
                case UseObserved _ -> {}
                case Object other -> throw new AssertionError("nobody knows " + other);
            }
            book.checkPromises();
        }
        assertThat(complaints).isEmpty();
        Duration used = book.usedTime().values().stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(used).isPositive();
        // The total includes the leases that the expected state leaves out.
        assertThat(Totals.of(history).reserved(HOST)).isGreaterThan(used);
    }

    @Test
    void the_event_log_covers_the_outcomes_of_leases_and_resources() {
        Set<String> types = new HashSet<>();
        history.forEach(event -> types.add(event.getPayloadType().getSimpleName()));
        assertThat(types)
                .contains(
                        "LeaseRefused",
                        "LeaseRescheduled",
                        "LeaseChangeRefused",
                        "ResourceReplaced",
                        "ReservationFailed",
                        "ResourceFailed",
                        "ResourceRecovered",
                        "UseObserved",
                        "LeaseEndAnnounced",
                        "LeaseDeleted",
                        "ResourceDisabled",
                        "ResourceEnabled");
        Totals totals = Totals.of(history);
        assertThat(totals.reserved(ResourceKind.VIRTUAL_INSTANCE)).isPositive();
        assertThat(totals.reserved(ResourceKind.FLOATING_IP)).isPositive();
        assertThat(totals.reserved(ResourceKind.VOLUME)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void the_share_of_refused_host_hours_is_small_but_positive(long seed) {
        Totals totals = Totals.of(EventLogGenerator.of(Workload.of(seed, UNTIL, DAYS), seed));
        assertThat(totals.refusedShare()).isBetween(0.001, 0.15);
    }
}
