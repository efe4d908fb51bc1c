package org.leasehold.bench;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is measured, and how large.
 *
 * @param command what was asked for, literally
 * @param rounds how often each benchmark is repeated; a storm and a soak happen once
 * @param seconds how long leases are created in a round
 * @param warmUp how many seconds leases are created before it counts
 * @param clients how many clients create leases, one number after the other
 * @param rate leases a second, whether or not the engine keeps up; 0 for as fast as it can
 * @param hosts how many hosts the small engine has
 * @param leases how many live leases the small engine has before anything is measured
 * @param manyHosts how many hosts the large engine has
 * @param manyLeases how many live leases the large engine has
 * @param pastLeases how many leases of the large engine are over, when growth is measured
 * @param events how long the past is that is replayed, or searched
 * @param storm how many leases start in the same second
 * @param minutes how long the soak takes
 * @param tiny whether to run each benchmark at the smallest size: to see that it runs
 * @param folder where sites are kept, for whoever measures what takes long to make more than once;
 *     null for nowhere
 * @param installed where the jar is installed, for engines that start sooner; null for the jar
 * @param profile whether to record what the engine does while it is measured
 * @param markdown where to write the table in Markdown
 */
record Settings(
        String command,
        List<String> names,
        int rounds,
        int seconds,
        int warmUp,
        List<Integer> clients,
        int rate,
        int hosts,
        int leases,
        int manyHosts,
        int manyLeases,
        int pastLeases,
        int events,
        int storm,
        int minutes,
        boolean tiny,
        boolean profile,
        int port,
        @Nullable Path folder,
        Path jar,
        @Nullable Path classPathFile,
        @Nullable Path installed,
        Path results,
        @Nullable Path markdown) {

    static final String ALL = "all";

    private static final String PROFILE = "--profile";
    private static final String TINY = "--tiny";
    private static final Set<String> FLAGS = Set.of(PROFILE, TINY);
    private static final Duration SHORTEST_SOAK = Duration.ofSeconds(5);

    Settings {
        names = List.copyOf(names);
        clients = List.copyOf(clients);
    }

    /**
     * @param usual what is measured when everything is
     * @param others what is measured only if it is named
     */
    static Settings parse(List<String> usual, List<String> others, String[] arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].startsWith("--")) {
                names.add(arguments[i]);
            } else if (FLAGS.contains(arguments[i])) {
                options.put(arguments[i], "");
            } else if (i + 1 < arguments.length) {
                options.put(arguments[i], arguments[++i]);
            } else {
                throw new IllegalArgumentException(arguments[i] + " needs a value");
            }
        }
        boolean tiny = options.remove(TINY) != null;
        boolean all = names.isEmpty() || names.contains(ALL);
        if (!all && names.stream().anyMatch(n -> !usual.contains(n) && !others.contains(n))) {
            throw new IllegalArgumentException(
                    "The benchmarks are %s, %s, not %s".formatted(usual, others, names));
        }
        Settings settings =
                new Settings(
                        command(arguments),
                        all ? usual : names,
                        number(options, "--rounds", tiny ? 1 : 5),
                        // A look at everything shall take a quarter of an hour.
                        number(options, "--seconds", tiny ? 1 : all ? 15 : 60),
                        number(options, "--warm-up", tiny ? 1 : 30),
                        numbers(options, "--clients", "32,64"),
                        number(options, "--rate", 0),
                        number(options, "--hosts", tiny ? 20 : 1_000),
                        number(options, "--leases", tiny ? 40 : 5_000),
                        number(options, "--many-hosts", tiny ? 60 : 10_000),
                        number(options, "--many-leases", tiny ? 60 : 100_000),
                        number(options, "--past-leases", tiny ? 60 : 1_000_000),
                        number(options, "--events", tiny ? 2_000 : 1_000_000),
                        number(options, "--storm", tiny ? 60 : 10_000),
                        number(options, "--minutes", 30),
                        tiny,
                        options.remove(PROFILE) != null,
                        number(options, "--port", 12_399),
                        path(options, "--folder").orElse(null),
                        path(options, "--jar")
                                .orElse(absolute("infra/runtime/target/leasehold.jar")),
                        path(options, "--classpath-file").orElse(null),
                        path(options, "--installed").orElse(null),
                        path(options, "--results").orElse(absolute("infra/bench/results")),
                        path(options, "--markdown").orElse(null));
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("Unknown: " + options.keySet());
        }
        return settings;
    }

    /** Where files are differs from machine to machine, and changes no figure. */
    private static String command(String[] arguments) {
        List<String> told = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.contains("/") || argument.contains(".")) {
                told.removeLast();
            } else {
                told.add(argument);
            }
        }
        return String.join(" ", told);
    }

    int mostClients() {
        return clients.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** The size of something that has no option of its own. */
    int sized(int usual, int smallest) {
        return tiny ? smallest : usual;
    }

    /** How long leases come and go. */
    Duration soak() {
        return tiny ? SHORTEST_SOAK : Duration.ofMinutes(minutes);
    }

    /** How leases are created while it counts. */
    Pace pace(int withClients) {
        Duration time = Duration.ofSeconds(seconds);
        return rate == 0 ? Pace.closed(withClients, time) : Pace.open(withClients, time, rate);
    }

    private static int number(Map<String, String> options, String name, int otherwise) {
        String value = options.remove(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    private static List<Integer> numbers(
            Map<String, String> options, String name, String otherwise) {
        String value = options.remove(name);
        return Arrays.stream((value == null ? otherwise : value).split(",", -1))
                .map(Integer::valueOf)
                .toList();
    }

    private static Optional<Path> path(Map<String, String> options, String name) {
        return Optional.ofNullable(options.remove(name)).map(Settings::absolute);
    }

    private static Path absolute(String path) {
        return Path.of(path).toAbsolutePath();
    }
}
