package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.simulation.scenario.Scenario;

import java.util.function.Supplier;

/** Simulates scenarios with a deliberately broken part until one of them shows the bug. */
abstract class InjectedBugsFixture {

    static final int DAYS = 3;
    static final int SEEDS = 100;

    static String complaint(Supplier<EngineParts> broken) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String complaint = complaint(Scenario.of(seed, DAYS), broken.get());
            if (complaint != null) {
                return complaint;
            }
        }
        throw new AssertionError("not found out in " + SEEDS + " seeds");
    }

    static @Nullable String complaint(Scenario scenario, EngineParts broken) {
        return Simulation.run(scenario, broken, _ -> {}).complaint();
    }
}
