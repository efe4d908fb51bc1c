package org.leasehold.simulation;

import org.leasehold.simulation.scenario.Scenario;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs scenarios until the time is over or one fails: {@code --seconds N} from a new seed on, or
 * from {@code --from S} on. {@code --seed S} runs only that one, {@code --trace} prints all steps.
 * The exit code is 1 if a scenario fails.
 */
public final class Simulate {

    /** Long enough for leases to conflict, short enough to be shrunk. */
    static final int DAYS = 5;

    private Simulate() {}

    public static void main(String[] arguments) {
        Arguments asked = Arguments.of(arguments);
        long seed = asked.seed();
        long begun = System.nanoTime();
        long runs = 0;
        Optional<String> complaint;
        do {
            complaint = findFailure(seed, asked.seconds() == 0, asked.trace());
            runs++;
            seed++;
        } while (complaint.isEmpty()
                && System.nanoTime() - begun < Duration.ofSeconds(asked.seconds()).toNanos());
        report(runs, Duration.ofNanos(System.nanoTime() - begun));
        System.exit(complaint.isPresent() ? 1 : 0);
    }

    private static Optional<String> findFailure(long seed, boolean one, boolean trace) {
        Scenario scenario = Scenario.of(seed, DAYS);
        SimulationOutcome outcome =
                Simulation.run(scenario, new EngineParts(), line -> printIf(line, trace));
        String complaint = outcome.complaint();
        if (complaint == null) {
            printIf(() -> describeOutcome(seed, outcome), one);
            return Optional.empty();
        }
        System.out.printf("Seed %d fails: %s%n", seed, complaint);
        Scenario smallest = ScenarioShrinker.shrink(scenario, EngineParts::new);
        System.out.printf("So do these %d steps of it:%n", smallest.steps().size());
        smallest.steps().forEach(step -> System.out.println("    " + step));
        SimulationOutcome again =
                Simulation.run(smallest, new EngineParts(), line -> printIf(line, true));
        System.out.println(again.complaint());
        return Optional.of(complaint);
    }

    /** Returns the summary, which is the same in every process that runs the seed. */
    static String describeOutcome(long seed, SimulationOutcome outcome) {
        return String.format(
                Locale.ROOT,
                "Seed %d holds: %d events, %d actions until %s, digest %08x",
                seed,
                outcome.events(),
                outcome.actions(),
                outcome.ended(),
                outcome.digest());
    }

    private static void printIf(Supplier<String> line, boolean wanted) {
        if (wanted) {
            System.out.println(line.get());
        }
    }

    private static void report(long runs, Duration took) {
        double seconds = took.toMillis() / 1e3;
        double cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%d scenarios of %d days in %.1f s: %.0f simulated days a minute"
                        + " (%.1f s of its processor, %.0f days a minute of that)%n",
                runs,
                DAYS,
                seconds,
                runs * DAYS / seconds * 60,
                cpu,
                runs * DAYS / cpu * 60);
    }

    /**
     * The arguments of the command line.
     *
     * @param seed the first seed
     * @param seconds the time in seconds after which no further seed starts
     */
    private record Arguments(long seed, long seconds, boolean trace) {

        static Arguments of(String[] arguments) {
            long seed = Math.floorMod(System.nanoTime(), 1_000_000_000L);
            long seconds = 0;
            boolean trace = false;
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seconds" -> seconds = number(arguments, ++i);
                    case "--seed", "--from" -> seed = number(arguments, ++i);
                    case "--trace" -> trace = true;
                    default -> throw usage();
                }
            }
            return new Arguments(seed, seconds, trace);
        }

        private static long number(String[] arguments, int index) {
            if (index == arguments.length) {
                throw usage();
            }
            return Long.parseLong(arguments[index]);
        }

        private static IllegalArgumentException usage() {
            return new IllegalArgumentException(
                    "usage: simulate --seconds N [--from SEED] | --seed SEED [--trace]");
        }
    }
}
