package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.TaskRetries;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.LatestEnds;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A calendar in which all is free; a test sets the latest end of leases, stuck actions and the
 * drift of the cloud.
 */
public final class FakeAvailability
        implements Availability, LatestEnds, StuckActionQuery, TaskRetries, Drift {

    private static final Comparison NO_DRIFT =
            new Comparison(
                    List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    private final List<StuckAction> stuck = new ArrayList<>();
    private final List<FindAvailability> questions = new ArrayList<>();
    private Comparison comparison = NO_DRIFT;

    private LatestEnd latestEnd = LatestEnd.UNLIMITED;

    public void limitEnds(LatestEnd limit) {
        latestEnd = limit;
    }

    @Override
    public LatestEnd find(LeaseId lease, Set<ReservationId> reservations, Instant end) {
        return latestEnd;
    }

    public FindAvailability lastQuestion() {
        return questions.getLast();
    }

    public void drifts(Comparison newComparison) {
        comparison = newComparison;
    }

    @Override
    public Comparison compare() {
        return comparison;
    }

    /** Removes stuck actions, drift and the latest end of other tests. */
    public void reset() {
        stuck.clear();
        comparison = NO_DRIFT;
        latestEnd = LatestEnd.UNLIMITED;
    }

    public void isStuck(StuckAction action) {
        stuck.add(action);
    }

    @Override
    public List<Opening> find(FindAvailability question) {
        questions.add(question);
        return List.of(
                new Opening(
                        new LeasePeriod(question.earliest(), question.horizon().plusSeconds(1)),
                        4));
    }

    @Override
    public boolean retry(ResourceId resource, CommandContext context) {
        return stuck.removeIf(
                action ->
                        action.target() instanceof Target.Resource target
                                && target.resource().equals(resource));
    }

    @Override
    public boolean retry(LeaseId lease, CommandContext context) {
        return stuck.removeIf(
                action ->
                        action.nextAttempt() != null
                                && action.target() instanceof Target.Reservation target
                                && target.lease().equals(lease));
    }

    @Override
    public List<StuckAction> retryingActions(Collection<LeaseId> leases) {
        return stuck.stream()
                .filter(action -> action.nextAttempt() != null)
                .filter(
                        action ->
                                action.target() instanceof Target.Reservation target
                                        && leases.contains(target.lease()))
                .toList();
    }

    @Override
    public Page<StuckAction> actions(@Nullable String marker, int limit) {
        return Page.ofAll(stuck, action -> action.since() + " " + action.target(), marker, limit);
    }
}
