package org.leasehold.command.journal;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UserId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Writing and reading the two events that every lease begins with. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EventJsonBenchmark {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final LeasePeriod PERIOD = new LeasePeriod(NOON, NOON.plusSeconds(3600));
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));

    private final JsonMapper json = EventJson.mapper();
    private final LeaseRequested requested =
            new LeaseRequested(
                    LEASE,
                    new ProjectId("p1"),
                    new UserId("u1"),
                    "night",
                    PERIOD,
                    null,
                    List.of(
                            new ReservationWish(
                                    RESERVATION,
                                    ResourceKind.PHYSICAL_HOST,
                                    Map.of("min", 1, "max", 1))));
    private final ReservationGranted granted =
            new ReservationGranted(
                    LEASE,
                    RESERVATION,
                    PERIOD,
                    Duration.ZERO,
                    List.of(
                            new Allocation(
                                    new ResourceId(1),
                                    "compute-1",
                                    Map.of("gpu", "V100", "vcpus", "8", "memory_mb", "65536"))));
    private final String storedRequest = json.writeValueAsString(requested);
    private final String storedGrant = json.writeValueAsString(granted);

    @Benchmark
    public String writeRequest() {
        return json.writeValueAsString(requested);
    }

    @Benchmark
    public String writeGrant() {
        return json.writeValueAsString(granted);
    }

    @Benchmark
    public LeaseRequested readRequest() {
        return json.readValue(storedRequest, LeaseRequested.class);
    }

    @Benchmark
    public ReservationGranted readGrant() {
        return json.readValue(storedGrant, ReservationGranted.class);
    }
}
