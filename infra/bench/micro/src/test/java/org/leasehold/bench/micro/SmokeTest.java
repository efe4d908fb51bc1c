package org.leasehold.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;

class SmokeTest {

    @Test
    void every_benchmark_runs() throws RunnerException {
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .forks(0)
                                        .warmupIterations(0)
                                        .measurementIterations(1)
                                        .measurementTime(TimeValue.milliseconds(1))
                                        .param("hosts", "1000")
                                        .shouldFailOnError(true)
                                        .verbosity(VerboseMode.SILENT)
                                        .build())
                        .run();

        assertThat(results)
                .extracting(result -> result.getParams().getBenchmark())
                .extracting(name -> name.replaceAll(".*\\.", ""))
                .containsExactlyInAnyOrder(
                        "earliestStart",
                        "freeInOneWindow",
                        "create",
                        "evolve",
                        "parse",
                        "isMet",
                        "readGrant",
                        "readRequest",
                        "writeGrant",
                        "writeRequest");
    }
}
