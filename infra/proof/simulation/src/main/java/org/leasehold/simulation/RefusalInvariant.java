package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.RefusalCheck;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The invariant of refusals: at the position that it names, a refusal was justified, and that
 * position includes all commits before the request. Other nodes may commit between that position
 * and the refusal's own; its own transaction stores only refusals before it.
 */
final class RefusalInvariant {

    private final DurableState engine;
    private final ExpectedState present;

    /** The times at which the events were committed, in the order of their positions. */
    private final List<Instant> commits = new ArrayList<>();

    /** The last position before the present transaction. */
    private long head;

    /** True if the present transaction has stored an event that is no refusal. */
    private boolean accepted;

    /**
     * Creates the invariant.
     *
     * @param present the state of all events up to the one that is checked
     */
    RefusalInvariant(DurableState engine, ExpectedState present) {
        this.engine = engine;
        this.present = present;
    }

    /** Records that the events of another transaction follow. */
    void beginTransaction() {
        head = commits.size();
        accepted = false;
    }

    /** Returns the violation by the next event; empty if it is none. */
    Optional<String> check(LeaseEvent event, Instant decided) {
        return switch (event) {
            case LeaseRefused refused when present.isRepeated(refused, decided) -> Optional.empty();
            case LeaseRetryScheduled refused ->
                    check(
                            refused,
                            refused.period(),
                            refused.reservations(),
                            refused.asOf(),
                            decided);
            case LeaseRefused refused ->
                    check(
                            refused,
                            refused.period(),
                            refused.reservations(),
                            refused.asOf(),
                            decided);
            case LeaseChangeRefused refused ->
                    check(
                            refused,
                            refused.period(),
                            refused.reservations(),
                            refused.asOf(),
                            decided);
            case LeaseEvent _ -> Optional.empty();
        };
    }

    /** Records the event that was checked last. */
    void recordEvent(Object event, Instant committed) {
        commits.add(committed);
        accepted |=
                !(event instanceof LeaseRefused
                        || event instanceof LeaseRetryScheduled
                        || event instanceof LeaseChangeRefused);
    }

    private Optional<String> check(
            LeaseEvent refusal,
            LeasePeriod period,
            List<ReservationWish> wishes,
            long asOf,
            Instant decided) {
        if (accepted || asOf > head || asOf < countCommittedBefore(decided)) {
            return Optional.of("%s was not the state of things at %s".formatted(refusal, head));
        }
        ExpectedState state = asOf == head ? present : stateAt(asOf);
        return new RefusalCheck(state, engine.scenario().cleaning())
                        .isJustified(refusal.leaseId(), period, wishes, decided)
                ? Optional.empty()
                : Optional.of("refused without need: " + refusal);
    }

    private int countCommittedBefore(Instant decided) {
        int count = commits.size();
        while (count > 0 && !commits.get(count - 1).isBefore(decided)) {
            count--;
        }
        return count;
    }

    private ExpectedState stateAt(long position) {
        List<DomainEventMessage<?>> log = engine.eventLog().after(0);
        // The present state has reported the violations of these events.
        ExpectedState state = new ExpectedState(_ -> {});
        for (int i = 0; i < position; i++) {
            switch (log.get(i).getPayload()) {
                case LeaseEvent event ->
                        state.apply(event, log.get(i).getTimestamp(), commits.get(i));
                case ResourceEvent event -> state.apply(event);
                case Object _ -> {}
            }
        }
        return state;
    }
}
