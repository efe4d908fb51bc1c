package org.leasehold.resource.requirement;

import org.leasehold.inventory.Requirement;
import org.leasehold.resource.requirement.RequirementParser.Reading;
import org.leasehold.resource.requirement.RequirementParser.Reading.Understood;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Benchmarks of the filter language: parsing a filter, and matching a host. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RequirementBenchmark {

    private static final String FILTER =
            """
            ["and", ["==", "$gpu", "V100"], [">=", "$vcpus", "8"]]\
            """;

    private final Map<String, String> host =
            Map.of("gpu", "V100", "vcpus", "16", "memory_mb", "65536", "local_gb", "1000");
    private final Requirement requirement =
            ((Understood) RequirementParser.parse(FILTER)).requirement();

    @Benchmark
    public Reading parse() {
        return RequirementParser.parse(FILTER);
    }

    @Benchmark
    public boolean match() {
        return requirement.isMetBy(host);
    }
}
