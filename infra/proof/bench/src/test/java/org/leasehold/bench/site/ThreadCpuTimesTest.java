package org.leasehold.bench.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.bench.site.ThreadCpuTimes.Share;

import java.io.IOException;
import java.util.Map;

class ThreadCpuTimesTest {

    private static final ThreadCpuTimes BEFORE =
            new ThreadCpuTimes(
                    10, Map.of(1L, new Share("worker-*", 4), 2L, new Share("worker-*", 5)));

    @Test
    void the_cpu_times_of_threads_with_one_name_are_added() {
        ThreadCpuTimes after =
                new ThreadCpuTimes(
                        13, Map.of(1L, new Share("worker-*", 6), 2L, new Share("worker-*", 6)));

        assertThat(after.since(BEFORE)).isEqualTo(Map.of("worker-*", 3.0));
    }

    @Test
    void the_cpu_time_of_an_ended_thread_is_reported_separately() {
        ThreadCpuTimes after = new ThreadCpuTimes(13, Map.of(1L, new Share("worker-*", 5)));

        assertThat(after.since(BEFORE))
                .isEqualTo(Map.of("worker-*", 1.0, ThreadCpuTimes.ENDED_THREADS, 2.0));
    }

    @Test
    void a_reused_thread_id_starts_a_new_count() {
        ThreadCpuTimes after =
                new ThreadCpuTimes(
                        11, Map.of(1L, new Share("worker-*", 4), 2L, new Share("new", 1)));

        assertThat(after.since(BEFORE)).isEqualTo(Map.of("worker-*", 0.0, "new", 1.0));
    }

    @Test
    void the_threads_use_no_more_cpu_time_than_the_process() throws IOException {
        ThreadCpuTimes now = ThreadCpuTimes.of(ProcessHandle.current().pid());

        assertThat(now.living()).isNotEmpty();
        double living = now.living().values().stream().mapToDouble(Share::seconds).sum();
        assertThat(living).isPositive().isLessThanOrEqualTo(now.whole() + 0.5);
    }
}
