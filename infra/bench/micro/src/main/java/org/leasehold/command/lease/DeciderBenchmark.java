package org.leasehold.command.lease;

import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.Tenure;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Deciding a request for a host, and the state that a running lease's events make. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DeciderBenchmark {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));

    private final LeaseDecider decider = new LeaseDecider(new HostsOnPaper());
    private final CreateLease command =
            new CreateLease(
                    LEASE,
                    new ProjectId("p1"),
                    new UserId("u1"),
                    "night",
                    NOON.plusSeconds(60),
                    NOON.plusSeconds(3600),
                    null,
                    List.of(
                            new ReservationWish(
                                    RESERVATION,
                                    ResourceKind.PHYSICAL_HOST,
                                    Map.of(
                                            "min",
                                            1,
                                            "max",
                                            1,
                                            "hypervisor_properties",
                                            "",
                                            "resource_properties",
                                            "[\"==\", \"$gpu\", \"V100\"]"))));
    private final Grant grant =
            new Grant.Held(
                    Map.of(
                            RESERVATION,
                            List.of(
                                    new Allocation(
                                            new ResourceId(1),
                                            "compute-1",
                                            Map.of("gpu", "V100", "vcpus", "8")))),
                    Duration.ZERO,
                    List.of());
    private final List<LeaseEvent> life = life();

    private List<LeaseEvent> life() {
        Tenure tenure = new Tenure(RESERVATION, 1);
        List<LeaseEvent> events = new ArrayList<>();
        if (create() instanceof Decision.Accepted accepted) {
            events.addAll(accepted.events());
        }
        events.add(new LeaseStarting(LEASE, List.of(tenure)));
        events.add(new ReservationActivated(LEASE, RESERVATION));
        events.add(new LeaseActivated(LEASE));
        return events;
    }

    @Benchmark
    public Decision create() {
        return decider.propose(command, new Lease.Absent(), NOON).decide().apply(grant);
    }

    @Benchmark
    public Object evolve() {
        Lease lease = new Lease.Absent();
        for (LeaseEvent event : life) {
            lease = Lease.evolve(lease, event);
        }
        return lease;
    }

    /** Plans hosts, and is never asked to act. */
    private static final class HostsOnPaper implements Plugins, ResourcePlugin {

        private final Planning planning = new HostPlanning();

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.of(this);
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(List.of(ResourceKind.PHYSICAL_HOST.value()));
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
            throw new UnsupportedOperationException("deciding touches no cloud");
        }
    }
}
