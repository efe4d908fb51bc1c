package org.leasehold.command.whatif;

import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Found;
import org.leasehold.whatif.Comparison.Outcome;

import java.util.ArrayList;
import java.util.List;

/** The decisions that came out differently. */
final class DecisionDifferences {

    private final int maxListed;
    private final List<Difference> first = new ArrayList<>();
    private long count;

    DecisionDifferences(int listed) {
        this.maxListed = listed;
    }

    void add(CommandEvents turn, LeaseId lease, Outcome recorded, Outcome changed) {
        count++;
        if (first.size() < maxListed) {
            first.add(new Difference(turn.position(), lease, turn.at(), recorded, changed));
        }
    }

    Found<Difference> found() {
        return new Found<>(count, first);
    }

    Found<Long> positions() {
        return new Found<>(count, first.stream().map(Difference::position).toList());
    }

    /** Returns the outcome of a request or a change. */
    static Outcome outcome(List<? extends LeaseEvent> events) {
        if (events.isEmpty()) {
            return Outcome.NOT_ASKED;
        }
        return events.stream()
                        .anyMatch(
                                event ->
                                        event instanceof LeaseRefused
                                                || event instanceof LeaseRetryScheduled
                                                || event instanceof LeaseChangeRefused)
                ? Outcome.REFUSED
                : Outcome.ACCEPTED;
    }
}
