package org.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.bench.CpuOfThreads.Share;

import java.io.IOException;
import java.util.Map;

class CpuOfThreadsTest {

    private static final CpuOfThreads BEFORE =
            new CpuOfThreads(
                    10, Map.of(1L, new Share("worker-*", 4), 2L, new Share("worker-*", 5)));

    @Test
    void threads_of_one_name_are_charged_together() {
        CpuOfThreads after =
                new CpuOfThreads(
                        13, Map.of(1L, new Share("worker-*", 6), 2L, new Share("worker-*", 6)));

        assertThat(after.since(BEFORE)).isEqualTo(Map.of("worker-*", 3.0));
    }

    @Test
    void a_thread_that_ends_takes_nothing_from_the_others() {
        CpuOfThreads after = new CpuOfThreads(13, Map.of(1L, new Share("worker-*", 5)));

        assertThat(after.since(BEFORE)).isEqualTo(Map.of("worker-*", 1.0, CpuOfThreads.ENDED, 2.0));
    }

    @Test
    void a_thread_is_not_charged_for_another_one_that_had_its_id() {
        CpuOfThreads after =
                new CpuOfThreads(11, Map.of(1L, new Share("worker-*", 4), 2L, new Share("new", 1)));

        assertThat(after.since(BEFORE)).isEqualTo(Map.of("worker-*", 0.0, "new", 1.0));
    }

    @Test
    void what_threads_use_is_what_their_process_uses() throws IOException {
        CpuOfThreads now = CpuOfThreads.of(ProcessHandle.current().pid());

        assertThat(now.living()).isNotEmpty();
        double living = now.living().values().stream().mapToDouble(Share::seconds).sum();
        assertThat(living).isPositive().isLessThanOrEqualTo(now.whole() + 0.5);
    }
}
