package org.leasehold.bench;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the operating system has charged each thread of a process, in seconds.
 *
 * @param whole of the process, threads that have ended included
 * @param living by thread id
 */
record CpuOfThreads(double whole, Map<Long, Share> living) {

    /** Those that ended before anybody looked again. */
    static final String ENDED = "(ended)";

    /** What one thread had of it; those that differ in a number only have one name. */
    record Share(String name, double seconds) {

        /** The other one had the same id; it was another thread's, perhaps. */
        private double since(@Nullable Share before) {
            return before == null || !before.name.equals(name) || before.seconds > seconds
                    ? seconds
                    : seconds - before.seconds;
        }
    }

    CpuOfThreads {
        living = Map.copyOf(living);
    }

    static CpuOfThreads of(long pid) throws IOException {
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
                    // It has just ended.
                }
            }
        }
        return new CpuOfThreads(CpuTime.of(process.resolve("stat"), 2), living);
    }

    /** Seconds by name. What threads had used when they ended is known of all of them together. */
    Map<String, Double> since(CpuOfThreads before) {
        Map<String, Double> seconds = new HashMap<>();
        living.forEach(
                (id, thread) ->
                        seconds.merge(
                                thread.name(), thread.since(before.living.get(id)), Double::sum));
        double known = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        // The clocks of the process and of its threads are not read in the same moment.
        double ended = whole - before.whole - known;
        if (ended > 0) {
            seconds.put(ENDED, ended);
        }
        return seconds;
    }
}
