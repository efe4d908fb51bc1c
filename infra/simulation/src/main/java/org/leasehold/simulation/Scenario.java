package org.leasehold.simulation;

import org.leasehold.inventory.OutageExtent;
import org.leasehold.resource.simulator.Misbehaviour;
import org.leasehold.simulation.Step.Alter;
import org.leasehold.simulation.Step.Ask;
import org.leasehold.simulation.Step.Boot;
import org.leasehold.simulation.Step.Delete;
import org.leasehold.simulation.Step.Describe;
import org.leasehold.simulation.Step.Disable;
import org.leasehold.simulation.Step.Enable;
import org.leasehold.simulation.Step.EndEarly;
import org.leasehold.simulation.Step.ForceEnd;
import org.leasehold.simulation.Step.Kill;
import org.leasehold.simulation.Step.Look;
import org.leasehold.simulation.Step.Misbehave;
import org.leasehold.simulation.Step.Pause;
import org.leasehold.simulation.Step.Relabel;
import org.leasehold.simulation.Step.Renew;
import org.leasehold.simulation.Step.Report;
import org.leasehold.simulation.Step.Retry;
import org.leasehold.simulation.Step.Stall;
import org.leasehold.simulation.Step.Wish;

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
record Scenario(long seed, Duration cleaning, List<Step> steps) {

    static final int HOSTS = 20;
    static final int PROJECTS = 4;
    static final int NODES = 2;
    static final int LEASES_A_DAY = 50;

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

    Scenario {
        steps = List.copyOf(steps);
    }

    static Scenario of(long seed, int days) {
        return new Drawing(seed, days).scenario();
    }

    Scenario with(List<Step> others) {
        return new Scenario(seed, cleaning, others);
    }

    private static final class Drawing {

        private final long seed;
        private final Chance chance;
        private final int days;
        private final List<Step> steps = new ArrayList<>();

        Drawing(long seed, int days) {
            this.seed = seed;
            this.chance = Chance.of(seed);
            this.days = days;
        }

        Scenario scenario() {
            Duration cleaning = chance.onceIn(2) ? Duration.ofMinutes(10) : Duration.ZERO;
            for (int lease = 0; lease < days * LEASES_A_DAY; lease++) {
                life(lease);
            }
            for (int n = 0; n < days * 4; n++) {
                operate();
            }
            // The rate of faults varies by scenario.
            int faults = days * chance.below(12);
            for (int n = 0; n < faults; n++) {
                steps.add(fault());
            }
            for (int n = 0; n < days; n++) {
                steps.add(new Describe(sometime(), chance.below(HOSTS), chance.onceIn(2)));
            }
            for (int n = 0; n < days * 2; n++) {
                outage();
            }
            steps.sort(Comparator.comparing(Step::at));
            return new Scenario(seed, cleaning, steps);
        }

        private Duration sometime() {
            return chance.upTo(Duration.ofDays(days));
        }

        private void life(int lease) {
            int project = chance.below(PROJECTS);
            // Some requests arrive at the same moment.
            Duration asked = chance.onceIn(2) ? Duration.ofHours(sometime().toHours()) : sometime();
            // Full hours, so that windows touch.
            Duration start =
                    chance.onceIn(3)
                            ? Duration.ZERO
                            : Duration.ofHours(asked.toHours() + chance.between(1, 36));
            Duration length = Duration.ofHours(chance.between(1, 12));
            steps.add(
                    new Ask(
                            asked,
                            project,
                            lease,
                            start,
                            length,
                            chance.onceIn(3) ? Duration.ofMinutes(chance.between(1, 60)) : null,
                            wishes(),
                            chance.onceIn(10)));
            if (chance.onceIn(3)) {
                steps.add(
                        new Alter(
                                soonAfter(asked),
                                project,
                                lease,
                                chance.of(List.of(Step.Alteration.values())),
                                chance.between(1, 3)));
            }
            if (chance.onceIn(8)) {
                steps.add(new EndEarly(soonAfter(asked), project, lease));
            }
            if (chance.onceIn(6)) {
                steps.add(new Delete(soonAfter(asked), project, lease));
            }
            if (chance.onceIn(3)) {
                steps.add(new Look(soonAfter(asked), chance.below(PROJECTS), lease));
            }
            if (chance.onceIn(3)) {
                steps.add(new Boot(soonAfter(asked), chance.below(PROJECTS), lease));
            }
        }

        private Duration soonAfter(Duration asked) {
            return asked.plus(chance.upTo(Duration.ofHours(24)));
        }

        private List<Wish> wishes() {
            List<Wish> wishes = new ArrayList<>();
            int count = chance.onceIn(4) ? 2 : 1;
            for (int n = 0; n < count; n++) {
                int minimum = chance.between(1, 3);
                wishes.add(
                        new Wish(
                                minimum,
                                minimum + chance.below(3),
                                chance.onceIn(4),
                                chance.onceIn(5)));
            }
            return wishes;
        }

        private void operate() {
            int host = chance.below(HOSTS);
            Duration at = sometime();
            int lease = (int) (at.toMinutes() * LEASES_A_DAY / Duration.ofDays(1).toMinutes());
            switch (chance.below(6)) {
                case 0, 1 -> {
                    steps.add(new Disable(at, host));
                    steps.add(new Enable(at.plus(chance.upTo(Duration.ofHours(12))), host));
                }
                case 2 -> steps.add(new Relabel(at, host, chance.onceIn(2)));
                case 3 -> steps.add(new Renew(at, host));
                case 4 -> steps.add(new Retry(at, lease));
                default -> steps.add(new ForceEnd(at, lease));
            }
        }

        /** Adds an outage; the host is mostly down. Some end before the engine notices them. */
        private void outage() {
            int host = chance.below(HOSTS);
            Duration from = sometime();
            steps.add(
                    new Report(
                            from,
                            host,
                            chance.onceIn(4) ? OutageExtent.CLOSED : OutageExtent.DOWN));
            if (chance.onceIn(3)) {
                steps.add(new Report(from.plus(shortly()), host, OutageExtent.CLOSED));
            }
            steps.add(new Report(from.plus(shortly()), host, null));
        }

        private Duration shortly() {
            return chance.upTo(chance.onceIn(4) ? Duration.ofSeconds(1) : Duration.ofHours(6));
        }

        private Step fault() {
            return switch (chance.below(4)) {
                case 0 ->
                        new Kill(
                                sometime(),
                                chance.below(NODES),
                                chance.below(12),
                                chance.upTo(Duration.ofHours(1)));
                case 1 ->
                        new Pause(
                                sometime(),
                                chance.below(NODES),
                                chance.below(30),
                                chance.upTo(
                                        chance.onceIn(2)
                                                ? Duration.ofMinutes(1)
                                                : Duration.ofHours(8)));
                case 2 ->
                        new Misbehave(
                                sometime(),
                                chance.of(OPERATIONS),
                                chance.of(List.of(Misbehaviour.values())),
                                chance.between(1, 6));
                default ->
                        new Stall(
                                sometime(),
                                chance.of(List.of(Step.Part.values())),
                                chance.upTo(Duration.ofHours(1)));
            };
        }
    }
}
