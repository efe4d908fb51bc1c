package org.leasehold.bench.create;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadGenerator.Answer;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.measurement.Report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

class MixedLoadBenchmarkTest {

    private static final List<MixedLoadBenchmark.Kind> KINDS =
            List.of(
                    new MixedLoadBenchmark.Kind("create", 1, _ -> answer(201)),
                    new MixedLoadBenchmark.Kind("delete", 1, _ -> answer(503)));

    private static Answer answer(int status) {
        return new Answer(status, "{}".getBytes(UTF_8));
    }

    /** Returns the figures after three requests of each kind. */
    private static Map<String, BenchmarkMetric> figures(long warmUpFailures)
            throws InterruptedException {
        List<LoadGenerator.Outcome> outcomes =
                List.of(
                        LoadGenerator.run(LoadProfile.closed(1, 3), KINDS.getFirst().question()),
                        LoadGenerator.run(LoadProfile.closed(1, 3), KINDS.getLast().question()));
        return MixedLoadBenchmark.figures(KINDS, outcomes, warmUpFailures).stream()
                .collect(Collectors.toMap(BenchmarkMetric::name, Function.identity()));
    }

    @Test
    void each_kind_of_request_has_a_throughput() throws InterruptedException {
        Map<String, BenchmarkMetric> figures = figures(0);

        assertThat(figures.get("create").median()).isPositive();
        assertThat(figures.get("create").unit()).isEqualTo("/s");
        assertThat(figures.get("delete").median()).isZero();
        assertThat(figures.get("answered as expected").median())
                .isEqualTo(figures.get("create").median());
    }

    @Test
    void failures_of_the_warm_up_are_counted() throws InterruptedException {
        assertThat(figures(0).get("failures of the warm-up").met()).isTrue();
        assertThat(figures(2).get("failures of the warm-up").median()).isEqualTo(2);
        assertThat(figures(2).get("failures of the warm-up").met()).isFalse();
        assertThat(figures(0).get("failures").median()).isEqualTo(3);
    }

    @Test
    void a_kind_without_success_has_no_latency_and_misses_the_goal() throws InterruptedException {
        BenchmarkMetric latency = figures(0).get("delete, p99");

        assertThat(latency.met()).isFalse();
        assertThat(printed(latency)).contains("none").contains("not met").doesNotContain("NaN");
        assertThat(figures(0).get("create, p99").met()).isTrue();
    }

    @Test
    void one_round_without_a_latency_leaves_the_merged_latency_undefined() {
        BenchmarkMetric merged =
                BenchmarkMetric.merge(
                                List.of(
                                        List.of(BenchmarkMetric.of("b", "f", 3, "ms").below(5)),
                                        List.of(
                                                BenchmarkMetric.of("b", "f", Double.NaN, "ms")
                                                        .below(5)),
                                        List.of(BenchmarkMetric.of("b", "f", 3, "ms").below(5))))
                        .getFirst();

        assertThat(merged.met()).isFalse();
        assertThat(printed(merged)).contains("none").contains("not met");
    }

    private static String printed(BenchmarkMetric figure) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Report.print(new PrintStream(bytes, true, UTF_8), List.of(figure));
        return bytes.toString(UTF_8);
    }
}
