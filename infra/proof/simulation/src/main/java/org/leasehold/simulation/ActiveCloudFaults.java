package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.simulation.scenario.Step;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The present misbehaviours of the cloud. */
final class ActiveCloudFaults {

    private final List<Trouble> activeFaults = new ArrayList<>();

    private static final class Trouble {

        private final Step.Misbehave step;
        private int remaining;

        Trouble(Step.Misbehave step) {
            this.step = step;
            this.remaining = step.times();
        }

        Optional<InjectedFault> nextFault(String operation) {
            if (remaining == 0 || !operation.equals(step.operation())) {
                return Optional.empty();
            }
            remaining--;
            return Optional.of(step.how());
        }
    }

    void add(Step.Misbehave step) {
        activeFaults.add(new Trouble(step));
    }

    void clear() {
        activeFaults.clear();
    }

    Optional<InjectedFault> nextFault(String operation, @Nullable String host) {
        return activeFaults.stream().flatMap(t -> t.nextFault(operation).stream()).findFirst();
    }
}
