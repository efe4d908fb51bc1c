package org.leasehold.command.calendar.stored;

import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.having;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Random demands for hosts. */
final class RandomDemands {

    private final SplittableRandom random;

    RandomDemands(SplittableRandom random) {
        this.random = random;
    }

    /** Returns a demand for whole resources or for shares. */
    Demand demand() {
        return random.nextBoolean() ? whole() : shared();
    }

    private Demand shared() {
        Demand.Spread[] spreads = Demand.Spread.values();
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                random.nextInt(1, 5),
                Map.of("VCPU", random.nextLong(1, 40), "MEMORY_MB", random.nextLong(1, 30_000)),
                random.nextInt(3) == 0 ? having("gpu", "yes") : Requirement.none(),
                spreads[random.nextInt(spreads.length)]);
    }

    private Demand whole() {
        int minimum = random.nextInt(1, 3);
        return new Demand.Whole(
                ResourceKind.PHYSICAL_HOST,
                minimum,
                minimum + random.nextInt(3),
                random.nextInt(3) == 0 ? having("gpu", "yes") : Requirement.none(),
                random.nextInt(4) == 0 ? Demand.Selection.SPREAD : Demand.Selection.FIRST_FIT);
    }

    /** Returns a window of some hours. */
    LeasePeriod period() {
        int start = random.nextInt(48);
        return new LeasePeriod(
                NOON.plus(Duration.ofHours(start)),
                NOON.plus(Duration.ofHours(start + random.nextInt(1, 12))));
    }

    /** Returns a demand for as much or more. */
    Demand more(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole ->
                    new Demand.Whole(
                            whole.kind(),
                            whole.minimum(),
                            whole.maximum() + random.nextInt(2),
                            whole.requirement(),
                            whole.selection());
            case Demand.Shared shared ->
                    new Demand.Shared(
                            shared.kind(),
                            shared.slots() + random.nextInt(2),
                            shared.needs(),
                            shared.requirement(),
                            shared.spread());
        };
    }

    /** Returns a demand for a number of slots with smaller needs. */
    Demand.Shared less(Demand.Shared shared, int slots) {
        Map<String, Long> needs = new HashMap<>(shared.needs());
        needs.replaceAll((_, need) -> random.nextLong(need + 1));
        return new Demand.Shared(
                shared.kind(), slots, needs, shared.requirement(), shared.spread());
    }
}
