package org.leasehold.bench.site;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of each thread of a process, from the operating system, in seconds.
 *
 * @param whole the time of the process, including ended threads
 * @param living the times by thread id
 */
record ThreadCpuTimes(double whole, Map<Long, Share> living) {

    /** The name for threads that ended between two observations. */
    static final String ENDED_THREADS = "(ended)";

    /** The share of one thread; threads whose names differ only in a number share one name. */
    record Share(String name, double seconds) {

        /** Returns the time since an observation with the same id, perhaps of another thread. */
        private double since(@Nullable Share before) {
            return before == null || !before.name.equals(name) || before.seconds > seconds
                    ? seconds
                    : seconds - before.seconds;
        }
    }

    ThreadCpuTimes {
        living = Map.copyOf(living);
    }

    static ThreadCpuTimes of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Map<Long, Share> living = new HashMap<>();
        try (var tasks = Files.list(process.resolve("task"))) {
            for (Path task : tasks.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    living.put(
                            Long.valueOf(task.getFileName().toString()),
                            new Share(
                                    name.replaceAll("[0-9.]+", "*"),
                                    CpuTime.of(task.resolve("stat"), 2)));
                } catch (NoSuchFileException _) {
                    // The thread has just ended.
                }
            }
        }
        return new ThreadCpuTimes(CpuTime.of(process.resolve("stat"), 2), living);
    }

    /** Returns seconds by name. Ended threads have one common entry. */
    Map<String, Double> since(ThreadCpuTimes before) {
        Map<String, Double> seconds = new HashMap<>();
        living.forEach(
                (id, thread) ->
                        seconds.merge(
                                thread.name(), thread.since(before.living.get(id)), Double::sum));
        double known = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        // The clocks of the process and of its threads are read at different moments.
        double ended = whole - before.whole - known;
        if (ended > 0) {
            seconds.put(ENDED_THREADS, ended);
        }
        return seconds;
    }
}
