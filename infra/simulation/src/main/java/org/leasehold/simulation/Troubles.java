package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.Misbehaviour;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The present misbehaviours of the cloud. */
final class Troubles {

    private final List<Trouble> troubles = new ArrayList<>();

    private static final class Trouble {

        private final Step.Misbehave step;
        private int left;

        Trouble(Step.Misbehave step) {
            this.step = step;
            this.left = step.times();
        }

        Optional<Misbehaviour> meet(String operation) {
            if (left == 0 || !operation.equals(step.operation())) {
                return Optional.empty();
            }
            left--;
            return Optional.of(step.how());
        }
    }

    void add(Step.Misbehave step) {
        troubles.add(new Trouble(step));
    }

    void end() {
        troubles.clear();
    }

    Optional<Misbehaviour> meet(String operation, @Nullable String host) {
        return troubles.stream().flatMap(t -> t.meet(operation).stream()).findFirst();
    }
}
