package org.leasehold.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.UseObserved;
import org.leasehold.runtime.health.WriteOutcomes;
import org.leasehold.vocabulary.LeaseId;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

class MeteredCommandsTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));

    private static final CommandContext USER =
            new CommandContext(
                    Instant.parse("2030-01-01T00:00:00Z"),
                    "req-1",
                    "ada",
                    "astronomy",
                    List.of("member"),
                    "password",
                    null);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MeteredCommands commands =
            new MeteredCommands(
                    new RejectingCommands(),
                    new DenialCounters((_, _, _, _) -> {}, registry),
                    WriteOutcomes.none(),
                    new EngineCommandActivity(() -> 0),
                    registry);

    @Test
    void every_counter_exists_from_the_start_under_a_fixed_name() throws IOException {
        assertThat(registry.getMeters().stream().map(MeteredCommandsTest::name).sorted().toList())
                .isEqualTo(golden());
    }

    @Test
    void a_rejected_command_counts_under_the_names_of_command_and_rejection() {
        commands.send(new StartLease(LEASE), USER);

        assertThat(
                        registry.get("leasehold.commands")
                                .tags("command", "StartLease", "outcome", "rejected")
                                .counter()
                                .count())
                .isEqualTo(1);
        assertThat(registry.get("leasehold.denied").tag("why", "LeaseNotFound").counter().count())
                .isEqualTo(1);
    }

    private static String name(Meter meter) {
        return StreamSupport.stream(meter.getId().getTagsAsIterable().spliterator(), false)
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(" ", meter.getId().getName() + " ", ""));
    }

    private static List<String> golden() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(
                        MeteredCommandsTest.class.getResourceAsStream("counters.txt"))) {
            return new String(file.readAllBytes(), UTF_8).lines().toList();
        }
    }

    /** Rejects all commands. */
    private static final class RejectingCommands implements Commands {

        @Override
        public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
            return new Outcome.Rejected<>(new LeaseNotFound(command.leaseId()));
        }

        @Override
        public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
            return new Outcome.Rejected<>(new ResourceNotFound(command.resourceId()));
        }

        @Override
        public void send(PropertyVisibility command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send(UseObserved command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResourceId nextResourceId() {
            throw new UnsupportedOperationException();
        }
    }
}
