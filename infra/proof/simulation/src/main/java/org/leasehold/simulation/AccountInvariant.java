package org.leasehold.simulation;

import org.leasehold.invariants.ExpectedLeaseState;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.UsageDurations;
import org.leasehold.inventory.ResourceId;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The invariant of accounts: accounts and charges agree with the events of the leases. */
final class AccountInvariant {

    private final DurableState engine;
    private final ExpectedState expectedState;
    private final Consumer<String> violations;

    AccountInvariant(
            DurableState engine, ExpectedState expectedState, Consumer<String> violations) {
        this.engine = engine;
        this.expectedState = expectedState;
        this.violations = violations;
    }

    /** Compares the account of a lease with the promised, given and held time of its events. */
    Map<ResourceId, UsageDurations> compare(LeaseId id, Instant now) {
        ExpectedLeaseState lease = expectedState.leases().get(id);
        if (lease == null) {
            return Map.of();
        }
        Map<ResourceId, UsageDurations> due = expectedState.usage().ofLease(lease, now);
        Map<ResourceId, UsageDurations> accounted = new TreeMap<>();
        engine.parts()
                .account(engine.eventLog().stream(id.toString()), now)
                .forEach(
                        entry ->
                                accounted.merge(
                                        entry.resource(), usageOf(entry), UsageDurations::plus));
        if (!accounted.equals(due)) {
            violations.accept(
                    "lease %s had %s and is accounted for %s".formatted(id, due, accounted));
        }
        compareCharges(id, due, now);
        return accounted;
    }

    /** Compares charges, at one a second: promised seconds cost, lost ones are credited. */
    private void compareCharges(LeaseId id, Map<ResourceId, UsageDurations> had, Instant now) {
        Map<ResourceId, Paid> due = new TreeMap<>();
        had.forEach(
                (resource, usage) ->
                        due.put(resource, new Paid(usage.active(), usage.lost(), usage.lost())));
        Map<ResourceId, Paid> charged = new TreeMap<>();
        for (Charge charge : engine.parts().charges(engine.eventLog().stream(id.toString()), now)) {
            Use use = Objects.requireNonNull(charge.use());
            charged.merge(use.resource(), Paid.of(charge, use), Paid::plus);
        }
        due.values().removeIf(Paid.NOTHING::equals);
        charged.values().removeIf(Paid.NOTHING::equals);
        if (!charged.equals(due)) {
            violations.accept("lease %s had %s and is charged for %s".formatted(id, due, charged));
        }
    }

    private static UsageDurations usageOf(AccountEntry entry) {
        Duration time = entry.time();
        return switch (entry.what()) {
            case ACTIVE -> new UsageDurations(time, Duration.ZERO, Duration.ZERO);
            case LOST -> new UsageDurations(Duration.ZERO, time, Duration.ZERO);
            case OVERRUN -> new UsageDurations(Duration.ZERO, Duration.ZERO, time);
        };
    }

    /** Checks the sums of all leases, by project and by resource. */
    void checkSums() {
        Instant now = engine.clock().instant();
        Map<ProjectId, UsageDurations> ofProjects = new LinkedHashMap<>();
        Map<ResourceId, UsageDurations> ofResources = new TreeMap<>();
        expectedState
                .leases()
                .forEach(
                        (id, lease) ->
                                compare(id, now)
                                        .forEach(
                                                (resource, had) -> {
                                                    ofProjects.merge(
                                                            lease.project(),
                                                            had,
                                                            UsageDurations::plus);
                                                    ofResources.merge(
                                                            resource, had, UsageDurations::plus);
                                                }));
        if (!ofProjects.equals(
                expectedState.usage().byProject(expectedState.leases().values(), now))) {
            violations.accept("by project the accounts come to " + ofProjects);
        }
        if (!ofResources.equals(expectedState.usage().byResource(now))) {
            violations.accept("by resource the accounts come to " + ofResources);
        }
    }

    /** The price of a resource, at one a second. */
    private record Paid(Duration active, Duration lost, Duration credited) {

        static final Paid NOTHING = new Paid(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        private static final BigDecimal HOUR = BigDecimal.valueOf(3600);

        static Paid of(Charge charge, Use use) {
            Duration paid =
                    Duration.of(
                            charge.unroundedAmount()
                                    .divide(HOUR, 0, RoundingMode.HALF_EVEN)
                                    .longValue(),
                            ChronoUnit.MICROS);
            return switch (charge.what()) {
                case CREDIT -> new Paid(Duration.ZERO, Duration.ZERO, paid.negated());
                case USAGE, PREMIUM, FEE, RESERVATION_FEE ->
                        use.time() == Time.ACTIVE
                                ? new Paid(paid, Duration.ZERO, Duration.ZERO)
                                : new Paid(Duration.ZERO, paid, Duration.ZERO);
            };
        }

        Paid plus(Paid other) {
            return new Paid(
                    active.plus(other.active),
                    lost.plus(other.lost),
                    credited.plus(other.credited));
        }
    }
}
