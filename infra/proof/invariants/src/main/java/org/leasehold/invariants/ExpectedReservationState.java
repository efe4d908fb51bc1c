package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The state that a reservation must have at this point of the history. */
public final class ExpectedReservationState {

    private static final Planning HOSTS = new HostPlanning();

    final ReservationId id;
    final ExpectedLeaseState lease;
    private final ResourceKind kind;
    final Set<ResourceId> resources = new LinkedHashSet<>();
    final Set<ResourceId> running = new LinkedHashSet<>();

    /** Its resources that are down. */
    final Set<ResourceId> downResources = new LinkedHashSet<>();

    /** Its failed resources that others replace, until the cloud has taken them back. */
    final Set<ResourceId> replacedResources = new LinkedHashSet<>();

    Map<String, @Nullable Object> parameters;
    Duration cleaning = Duration.ZERO;

    /** Whether the cloud has provided its resources; not after a failed start. */
    boolean activated;

    /** Whether it was removed from the lease. */
    boolean removed;

    /** The time of the removal; {@code Instant.MAX} before. */
    Instant removedAt = Instant.MAX;

    ExpectedReservationState(ReservationWish wish, ExpectedLeaseState lease) {
        this.id = wish.id();
        this.lease = lease;
        this.kind = wish.kind();
        this.parameters = wish.parameters();
    }

    public ReservationId id() {
        return id;
    }

    public ResourceKind kind() {
        return kind;
    }

    /** Returns true if the cloud has provided its resources, and no start has failed since. */
    public boolean wasActivated() {
        return activated;
    }

    /** Returns true while it runs in a lease that had no failure, and that does not end yet. */
    public boolean runsWithoutFailure() {
        return activated && !lease.delayedOrFailed && !lease.ending && !lease.ended;
    }

    /** Returns true until the cloud has taken back a failed resource that another one replaces. */
    public boolean hasReplaced(ResourceId resource) {
        return replacedResources.contains(resource);
    }

    public ProjectId project() {
        return lease.project();
    }

    Demand demand() {
        return demand(parameters);
    }

    static Demand demand(Map<String, @Nullable Object> parameters) {
        return switch (HOSTS.plan(parameters)) {
            case Planning.Plan.Planned planned -> planned.demand();
            case Planning.Plan.Invalid invalid ->
                    throw new IllegalStateException("a stored wish makes no sense: " + invalid);
        };
    }
}
