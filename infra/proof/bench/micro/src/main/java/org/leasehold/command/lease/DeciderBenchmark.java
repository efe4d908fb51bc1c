package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A benchmark of the decision on a new lease, with a grant of the calendar. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DeciderBenchmark {

    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private final LeaseDecider decider = new LeaseDecider(new Hosts(), LeaseSettings.defaults());
    private final CreateLease command = command();
    private final Grant grant =
            new Grant.Held(
                    Map.of(
                            command.reservations().getFirst().id(),
                            List.of(
                                    new Allocation(
                                            new ResourceId(1),
                                            "compute-1",
                                            Map.of("vcpus", "16", "gpu", "V100")))),
                    Duration.ZERO,
                    List.of());

    private static CreateLease command() {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("min", 1);
        parameters.put("max", 1);
        parameters.put("hypervisor_properties", "");
        parameters.put("resource_properties", "[\"==\", \"$gpu\", \"V100\"]");
        return new CreateLease(
                new LeaseId(new UUID(1, 1)),
                new ProjectId("p"),
                new UserId("u"),
                "micro",
                NOW.plus(Duration.ofDays(1)),
                NOW.plus(Duration.ofDays(2)),
                null,
                List.of(
                        new ReservationWish(
                                new ReservationId(new UUID(1, 2)),
                                ResourceKind.PHYSICAL_HOST,
                                parameters)),
                null,
                null);
    }

    @Benchmark
    public Object create() {
        return decider.propose(command, new Lease.Absent(), NOW).decide().apply(grant);
    }

    /** The only plug-in; it plans hosts and never acts. */
    private static final class Hosts implements Plugins, ResourcePlugin {

        private final Planning planning = new HostPlanning();

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.of(this);
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(List.of(kind().value()));
        }

        @Override
        public ResourceKind kind() {
            return ResourceKind.PHYSICAL_HOST;
        }

        @Override
        public Planning planning() {
            return planning;
        }

        @Override
        public Acting acting() {
            throw new IllegalStateException("deciding touches no cloud");
        }
    }
}
