package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A plug-in of stacks: each reserved one has the same servers. */
final class FakeStacks implements ResourcePlugin, ContainedServerSource {

    private final Set<String> servers = new HashSet<>();
    private boolean away;

    void put(String server) {
        servers.add(server);
    }

    /** Sets whether the cloud does not respond. */
    void setAway(boolean isAway) {
        away = isAway;
    }

    @Override
    public Listing findServers(
            ReservationId reservation,
            ProjectId project,
            Map<String, @Nullable Object> parameters) {
        return away
                ? new Listing.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"))
                : new Listing.All(servers);
    }

    @Override
    public ResourceKind kind() {
        return ResourceKind.STACK;
    }

    @Override
    public Planning planning() {
        return new StackPlanning();
    }

    @Override
    public Optional<ContainedServerSource> containedServerSource() {
        return Optional.of(this);
    }

    @Override
    public Acting acting() {
        throw new UnsupportedOperationException();
    }
}
