package org.leasehold.gateway.api.usage;

import org.leasehold.lease.LeaseEvent;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Returns the charges of a test, one lease a page, and records queries. It fails for project {@code
 * broken}.
 */
public final class FakeCharges implements Charges {

    private final List<LeaseCharges> leases = new CopyOnWriteArrayList<>();
    private final List<ListCharges> questions = new CopyOnWriteArrayList<>();
    private volatile boolean hasPlans = true;

    void add(LeaseCharges lease) {
        leases.add(lease);
    }

    void has(boolean plans) {
        hasPlans = plans;
    }

    void clear() {
        leases.clear();
    }

    List<ListCharges> questions() {
        return questions;
    }

    @Override
    public boolean hasPlans() {
        return hasPlans;
    }

    @Override
    public List<ApplicablePlan> plansFrom(Instant instant) {
        return hasPlans
                ? List.of(
                        new ApplicablePlan(
                                "2026",
                                Currency.getInstance("EUR"),
                                Instant.parse("2026-01-01T00:00:00Z")))
                : List.of();
    }

    @Override
    public Page<LeaseCharges> page(ListCharges question) {
        String marker = question.marker();
        LeaseId last = marker == null ? null : Page.parseMarker(marker, LeaseId::of);
        if (new ProjectId("broken").equals(question.project())) {
            throw new IllegalArgumentException("something in here is no argument");
        }
        questions.add(question);
        int at =
                last == null
                        ? 0
                        : 1 + leases.stream().map(LeaseCharges::lease).toList().indexOf(last);
        return Page.of(
                leases.stream().skip(at).limit(2).toList(), 1, lease -> lease.lease().toString());
    }

    @Override
    public List<Charge> quote(List<? extends LeaseEvent> promise, Instant now) {
        return leases.isEmpty() ? List.of() : leases.getFirst().charges();
    }
}
