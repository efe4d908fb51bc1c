package org.leasehold.command.journal;

import org.axonframework.serialization.SerializedObject;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Benchmarks of writing and reading the largest event of a typical lease. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EventBenchmark {

    private static final Instant START = Instant.parse("2030-01-01T12:00:00Z");

    private final CatalogSerializer serializer =
            new CatalogSerializer(new EventCatalog(), EventJson.mapper());
    private final ReservationGranted event =
            new ReservationGranted(
                    new LeaseId(new UUID(1, 1)),
                    new ReservationId(new UUID(1, 2)),
                    new LeasePeriod(START, START.plus(Duration.ofHours(2))),
                    Duration.ZERO,
                    List.of(
                            new Allocation(
                                    new ResourceId(1),
                                    "compute-1",
                                    Map.of(
                                            "vcpus", "16",
                                            "gpu", "V100",
                                            "local_gb", "1000",
                                            "memory_mb", "65536",
                                            "hypervisor_type", "QEMU",
                                            "hypervisor_hostname", "compute-1"))));
    private final SerializedObject<String> stored = write();

    @Benchmark
    public final SerializedObject<String> write() {
        return serializer.serialize(event, String.class);
    }

    @Benchmark
    public Object read() {
        return serializer.<String, ReservationGranted>deserialize(stored);
    }
}
