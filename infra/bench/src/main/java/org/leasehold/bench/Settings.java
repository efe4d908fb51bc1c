package org.leasehold.bench;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is measured, and how large.
 *
 * @param seconds how long each closed loop runs
 * @param warmUp how many seconds leases are created before it counts: the engine's machine code is
 *     compiled meanwhile
 * @param hosts how many hosts are enrolled
 * @param leases how many live leases there are before anything is measured
 * @param storm how many leases start in the same second
 * @param events how long the past is that is replayed
 */
record Settings(
        List<String> names,
        int seconds,
        int warmUp,
        int clients,
        int hosts,
        int leases,
        int storm,
        int events,
        int port,
        Path jar,
        @Nullable Path classPathFile,
        @Nullable Path recording,
        Path results) {

    Settings {
        names = List.copyOf(names);
    }

    static Settings parse(List<String> known, String[] arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> names = new java.util.ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].startsWith("--")) {
                names.add(arguments[i]);
            } else if (i + 1 < arguments.length) {
                options.put(arguments[i], arguments[++i]);
            } else {
                throw new IllegalArgumentException(arguments[i] + " needs a value");
            }
        }
        if (!known.containsAll(names)) {
            throw new IllegalArgumentException("The benchmarks are " + known + ", not " + names);
        }
        Settings settings =
                new Settings(
                        names.isEmpty() ? known : names,
                        number(options, "--seconds", 60),
                        number(options, "--warm-up", 45),
                        number(options, "--clients", 32),
                        number(options, "--hosts", 1_000),
                        number(options, "--leases", 5_000),
                        number(options, "--storm", 1_000),
                        number(options, "--events", 1_000_000),
                        number(options, "--port", 12_399),
                        path(options, "--jar", "infra/runtime/target/leasehold.jar"),
                        optionalPath(options, "--classpath-file"),
                        optionalPath(options, "--recording"),
                        path(options, "--results", "infra/bench/results"));
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("Unknown: " + options.keySet());
        }
        return settings;
    }

    private static int number(Map<String, String> options, String name, int otherwise) {
        String value = options.remove(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    private static Path path(Map<String, String> options, String name, String otherwise) {
        String value = options.remove(name);
        return Path.of(value == null ? otherwise : value).toAbsolutePath();
    }

    private static @Nullable Path optionalPath(Map<String, String> options, String name) {
        String value = options.remove(name);
        return value == null ? null : Path.of(value).toAbsolutePath();
    }
}
