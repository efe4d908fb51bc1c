package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ReservationView.Status;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** A reservation while an event is applied to it. */
final class ReservationViewBuilder {

    private final ReservationView before;
    private Status status;
    private Map<String, @Nullable Object> parameters;
    private List<Allocation> allocations;
    private @Nullable Map<String, Object> cloudIds;
    private boolean missingResources;
    private boolean resourcesChanged;
    private final SortedSet<ResourceId> down = new TreeSet<>();

    ReservationViewBuilder(ReservationView before) {
        this.before = before;
        this.status = before.status();
        this.parameters = before.parameters();
        this.allocations = before.allocations();
        this.cloudIds = before.cloudIds();
        this.missingResources = before.missingResources();
        this.resourcesChanged = before.resourcesChanged();
        this.down.addAll(Objects.requireNonNullElse(before.down(), List.of()));
    }

    // javac leaves the type annotations of a compact constructor's parameters out of the class
    // file: NullAway takes the parameters of a reservation for a map without nulls.
    @SuppressWarnings("NullAway")
    static ReservationView ofRequest(ReservationWish wish, Instant at) {
        return new ReservationView(
                wish.id(),
                wish.kind(),
                Status.PENDING,
                wish.parameters(),
                List.of(),
                null,
                false,
                false,
                List.of(),
                at,
                null);
    }

    void parameters(Map<String, @Nullable Object> wished) {
        parameters = wished;
    }

    /** Applies a grant, after which nothing is missing, and nothing differs from the grant. */
    void grant(List<Allocation> granted) {
        allocations = granted;
        down.removeIf(resource -> !hasResource(resource));
        missingResources = false;
        resourcesChanged = false;
    }

    void replace(ResourceId replaced, Allocation replacement) {
        if (!hasResource(replaced)) {
            throw new IllegalStateException(
                    "reservation " + before.id() + " does not hold resource " + replaced);
        }
        allocations =
                allocations.stream()
                        .map(held -> held.resource().equals(replaced) ? replacement : held)
                        .toList();
        resourcesChanged = true;
        down.remove(replaced);
    }

    private boolean hasResource(ResourceId resource) {
        return allocations.stream().anyMatch(held -> held.resource().equals(resource));
    }

    void markDown(ResourceId resource) {
        down.add(resource);
    }

    void markUp(ResourceId resource) {
        down.remove(resource);
    }

    void retry() {
        if (status == Status.ERROR) {
            status = Status.PENDING;
        }
    }

    void activate() {
        status = Status.ACTIVE;
    }

    void setCloudIds(@Nullable Map<String, Object> ids) {
        cloudIds = ids;
    }

    /** Completes the reservation: the cloud has given all granted resources. */
    void complete() {
        status = Status.ACTIVE;
        missingResources = false;
    }

    void fail(boolean incomplete) {
        status = status.isRemoved() ? Status.REMOVAL_FAILED : Status.ERROR;
        missingResources = missingResources || incomplete;
    }

    /** Removes the reservation; the lease no longer lacks what it lacked. */
    void remove() {
        status = Status.REMOVING;
        missingResources = false;
        resourcesChanged = false;
        down.clear();
    }

    void release() {
        status = Status.RELEASED;
        allocations = List.of();
        missingResources = false;
        down.clear();
    }

    List<Allocation> allocations() {
        return allocations;
    }

    @SuppressWarnings("NullAway") // as above
    ReservationView view(@Nullable Instant updatedAt) {
        return new ReservationView(
                before.id(),
                before.kind(),
                status,
                parameters,
                allocations,
                cloudIds,
                missingResources,
                resourcesChanged,
                List.copyOf(down),
                before.createdAt(),
                updatedAt);
    }
}
