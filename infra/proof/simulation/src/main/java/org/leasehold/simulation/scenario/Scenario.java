package org.leasehold.simulation.scenario;

import org.leasehold.inventory.OutageExtent;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.simulation.scenario.Step.Alter;
import org.leasehold.simulation.scenario.Step.Ask;
import org.leasehold.simulation.scenario.Step.Boot;
import org.leasehold.simulation.scenario.Step.Delete;
import org.leasehold.simulation.scenario.Step.Describe;
import org.leasehold.simulation.scenario.Step.Disable;
import org.leasehold.simulation.scenario.Step.Enable;
import org.leasehold.simulation.scenario.Step.EndEarly;
import org.leasehold.simulation.scenario.Step.ForceEnd;
import org.leasehold.simulation.scenario.Step.Kill;
import org.leasehold.simulation.scenario.Step.Look;
import org.leasehold.simulation.scenario.Step.Misbehave;
import org.leasehold.simulation.scenario.Step.Pause;
import org.leasehold.simulation.scenario.Step.Relabel;
import org.leasehold.simulation.scenario.Step.Remove;
import org.leasehold.simulation.scenario.Step.Renew;
import org.leasehold.simulation.scenario.Step.Report;
import org.leasehold.simulation.scenario.Step.Retry;
import org.leasehold.simulation.scenario.Step.Stall;
import org.leasehold.simulation.scenario.Step.Wish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The steps that happen to an engine, all drawn from the seed before the engine starts. A subset of
 * the steps is another scenario of the same seed.
 *
 * @param cleaning the cleaning time of a host after a lease
 * @param steps the steps, ordered by time
 */
public record Scenario(long seed, Duration cleaning, List<Step> steps) {

    public static final int HOSTS = 20;
    public static final int PROJECTS = 4;
    public static final int NODES = 2;
    private static final int LEASES_PER_DAY = 50;

    private static final List<String> OPERATIONS =
            List.of(
                    "start",
                    "start.create_aggregate",
                    "start.add_host",
                    "start.leave_freepool",
                    "start.delete_server",
                    "adjust",
                    "adjust.add_host",
                    "adjust.remove_host",
                    "prepare",
                    "before_end",
                    "end",
                    "end.enter_freepool",
                    "end.remove_host",
                    "end.delete_aggregate",
                    "enrol",
                    "retire");

    public Scenario {
        steps = List.copyOf(steps);
    }

    /** Draws a scenario from a seed. */
    public static Scenario of(long seed, int days) {
        return new Drawing(seed, days).scenario();
    }

    /** Returns whether a lease of one reservation has hosts that start after others. */
    public static boolean hasLaterHosts(int lease) {
        return lease % 4 == 3;
    }

    /** Returns a scenario of the same seed with other steps. */
    public Scenario with(List<Step> others) {
        return new Scenario(seed, cleaning, others);
    }

    private static final class Drawing {

        private final long seed;
        private final SeededRandom random;
        private final int days;
        private final List<Step> steps = new ArrayList<>();

        Drawing(long seed, int days) {
            this.seed = seed;
            this.random = SeededRandom.of(seed);
            this.days = days;
        }

        Scenario scenario() {
            Duration cleaning = random.onceIn(2) ? Duration.ofMinutes(10) : Duration.ZERO;
            for (int lease = 0; lease < days * LEASES_PER_DAY; lease++) {
                addLease(lease);
            }
            for (int n = 0; n < days * 4; n++) {
                addOperatorSteps();
            }
            // The rate of faults varies by scenario.
            int faults = days * random.below(12);
            for (int n = 0; n < faults; n++) {
                steps.add(randomFault());
            }
            for (int n = 0; n < days; n++) {
                steps.add(new Describe(randomTime(), random.below(HOSTS), random.onceIn(2)));
            }
            for (int n = 0; n < days * 2; n++) {
                addOutage();
            }
            steps.sort(Comparator.comparing(Step::at));
            return new Scenario(seed, cleaning, steps);
        }

        private Duration randomTime() {
            return random.upTo(Duration.ofDays(days));
        }

        private void addLease(int lease) {
            int project = random.below(PROJECTS);
            // Some requests arrive at the same moment.
            Duration asked =
                    random.onceIn(2) ? Duration.ofHours(randomTime().toHours()) : randomTime();
            // Full hours, so that windows touch.
            Duration start =
                    random.onceIn(3)
                            ? Duration.ZERO
                            : Duration.ofHours(asked.toHours() + random.between(1, 36));
            Duration length = Duration.ofHours(random.between(1, 12));
            steps.add(
                    new Ask(
                            asked,
                            project,
                            lease,
                            start,
                            length,
                            random.onceIn(3) ? Duration.ofMinutes(random.between(1, 60)) : null,
                            randomRequests(),
                            // By the number of the lease: all else stays as it is drawn.
                            lease % 3 == 0 ? 1 + lease % 5 : 0,
                            random.onceIn(10)));
            if (hasLaterHosts(lease)) {
                // In the middle of the window, when it runs: such hosts are freed by confirmation.
                Duration begin = start.compareTo(asked) > 0 ? start : asked;
                steps.add(
                        new Alter(
                                begin.plus(length.dividedBy(2)),
                                project,
                                lease,
                                Step.Alteration.SHRINK,
                                1 + lease % 3));
            }
            if (random.onceIn(3)) {
                steps.add(
                        new Alter(
                                randomTimeAfter(asked),
                                project,
                                lease,
                                random.of(List.of(Step.Alteration.values())),
                                random.between(1, 3)));
            }
            addRemovals(asked, start.isZero() ? asked : start, project, lease);
            if (random.onceIn(8)) {
                steps.add(new EndEarly(randomTimeAfter(asked), project, lease));
            }
            if (random.onceIn(6)) {
                steps.add(new Delete(randomTimeAfter(asked), project, lease));
            }
            if (random.onceIn(3)) {
                steps.add(new Look(randomTimeAfter(asked), random.below(PROJECTS), lease));
            }
            if (random.onceIn(3)) {
                steps.add(new Boot(randomTimeAfter(asked), random.below(PROJECTS), lease));
            }
        }

        /** Adds removals by the number of the lease: all else stays as it is drawn. */
        private void addRemovals(Duration asked, Duration start, int project, int lease) {
            Duration later = asked.plus(Duration.ofMinutes(90L * (lease % 11)));
            switch (lease % 5) {
                // When the lease starts, waits, or has failed.
                case 1 ->
                        steps.add(
                                new Remove(
                                        start.plusMinutes(lease % 7),
                                        project,
                                        lease,
                                        lease % 2,
                                        0));
                case 2 -> {
                    steps.add(
                            new Alter(later, project, lease, Step.Alteration.JOIN, 1 + lease % 3));
                    steps.add(new Remove(later.plusMinutes(40), project, lease, lease / 5 % 2, 0));
                }
                case 3 -> {
                    steps.add(new Remove(later, project, lease, 0, 1 + lease % 3));
                    steps.add(new Remove(later.plusMinutes(40), project, lease, lease % 2, 2));
                }
                default -> {}
            }
        }

        private Duration randomTimeAfter(Duration asked) {
            return asked.plus(random.upTo(Duration.ofHours(24)));
        }

        private List<Wish> randomRequests() {
            List<Wish> wishes = new ArrayList<>();
            int count = random.onceIn(4) ? 2 : 1;
            for (int n = 0; n < count; n++) {
                int minimum = random.between(1, 3);
                wishes.add(
                        new Wish(
                                minimum,
                                minimum + random.below(3),
                                random.onceIn(4),
                                random.onceIn(5)));
            }
            return wishes;
        }

        private void addOperatorSteps() {
            int host = random.below(HOSTS);
            Duration at = randomTime();
            int lease = (int) (at.toMinutes() * LEASES_PER_DAY / Duration.ofDays(1).toMinutes());
            switch (random.below(6)) {
                case 0, 1 -> {
                    steps.add(new Disable(at, host));
                    steps.add(new Enable(at.plus(random.upTo(Duration.ofHours(12))), host));
                }
                case 2 -> steps.add(new Relabel(at, host, random.onceIn(2)));
                case 3 -> steps.add(new Renew(at, host));
                case 4 -> steps.add(new Retry(at, lease));
                default -> steps.add(new ForceEnd(at, lease));
            }
        }

        /** Adds an outage; the host is mostly down. Some end before the engine notices them. */
        private void addOutage() {
            int host = random.below(HOSTS);
            Duration from = randomTime();
            steps.add(
                    new Report(
                            from,
                            host,
                            random.onceIn(4) ? OutageExtent.CLOSED : OutageExtent.DOWN));
            if (random.onceIn(3)) {
                steps.add(new Report(from.plus(randomDelay()), host, OutageExtent.CLOSED));
            }
            steps.add(new Report(from.plus(randomDelay()), host, null));
        }

        private Duration randomDelay() {
            return random.upTo(random.onceIn(4) ? Duration.ofSeconds(1) : Duration.ofHours(6));
        }

        private Step randomFault() {
            return switch (random.below(4)) {
                case 0 ->
                        new Kill(
                                randomTime(),
                                random.below(NODES),
                                random.below(12),
                                random.upTo(Duration.ofHours(1)));
                case 1 ->
                        new Pause(
                                randomTime(),
                                random.below(NODES),
                                random.below(30),
                                random.upTo(
                                        random.onceIn(2)
                                                ? Duration.ofMinutes(1)
                                                : Duration.ofHours(8)));
                case 2 ->
                        new Misbehave(
                                randomTime(),
                                random.of(OPERATIONS),
                                random.of(List.of(InjectedFault.values())),
                                random.between(1, 6));
                default ->
                        new Stall(
                                randomTime(),
                                random.of(List.of(Step.Part.values())),
                                random.upTo(Duration.ofHours(1)));
            };
        }
    }
}
