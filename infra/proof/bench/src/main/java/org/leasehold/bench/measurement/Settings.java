package org.leasehold.bench.measurement;

import org.jspecify.annotations.Nullable;
import org.leasehold.bench.load.LoadProfile;

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
 * The selected benchmarks, and their sizes.
 *
 * @param command the arguments, literally
 * @param rounds the repetitions of each benchmark; a storm and a soak run once
 * @param seconds the duration of creates in a round
 * @param warmUp the seconds of creates before the measurement
 * @param clients the numbers of clients that create leases, one after the other
 * @param rate leases per second, whether or not the engine keeps up; 0 for the highest rate
 * @param hosts the hosts of the small engine
 * @param leases the live leases of the small engine before a measurement
 * @param manyHosts the hosts of the large engine
 * @param manyLeases the live leases of the large engine
 * @param pastLeases the ended leases of the large engine, to measure growth; all leases of the
 *     engine that lists them
 * @param events the length of the history to replay or search
 * @param storm the leases that start in the same second
 * @param minutes the duration of the soak
 * @param tiny true to run each benchmark at the smallest size, as a check that it runs
 * @param folder the folder that stores sites, to reuse those that take long to create; null for
 *     none
 * @param installed the folder of the installed jar, for faster starts; null for the jar itself
 * @param profile true to record a profile of the engine during measurements
 * @param markdown the file for the table in Markdown
 */
public record Settings(
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

    public Settings {
        names = List.copyOf(names);
        clients = List.copyOf(clients);
    }

    /**
     * Parses the options of the command line.
     *
     * @param usual benchmarks that run by default
     * @param others benchmarks that run only by name
     */
    public static Settings parse(List<String> usual, List<String> others, String[] arguments) {
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
                        // A run of all benchmarks must take about a quarter of an hour.
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
                        path(options, "--results").orElse(absolute("infra/proof/bench/results")),
                        path(options, "--markdown").orElse(null));
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("Unknown: " + options.keySet());
        }
        return settings;
    }

    /** Omits paths, which differ between machines and affect no figure. */
    private static String command(String[] arguments) {
        List<String> kept = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.contains("/") || argument.contains(".")) {
                kept.removeLast();
            } else {
                kept.add(argument);
            }
        }
        return String.join(" ", kept);
    }

    public int maxClients() {
        return clients.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** Returns the size of something without an option. */
    public int sized(int usual, int smallest) {
        return tiny ? smallest : usual;
    }

    /** Returns the duration of the soak. */
    public Duration soak() {
        return tiny ? SHORTEST_SOAK : Duration.ofMinutes(minutes);
    }

    /** Returns the pace of creates during the measurement. */
    public LoadProfile pace(int withClients) {
        Duration time = Duration.ofSeconds(seconds);
        return rate == 0
                ? LoadProfile.closed(withClients, time)
                : LoadProfile.open(withClients, time, rate);
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
