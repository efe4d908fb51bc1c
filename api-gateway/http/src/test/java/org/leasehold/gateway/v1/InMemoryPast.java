package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The past states of the engine in memory, one for each position. */
public final class InMemoryPast implements PastInventory, EventLogPositions {

    private final Clock clock;
    private final NavigableMap<Long, State> states = new TreeMap<>();
    private long position;

    /** The state since a position. */
    record State(
            Instant at,
            long position,
            Map<LeaseId, LeaseView> leases,
            Map<ResourceId, ResourceView> resources,
            Map<String, ResourceProperty> properties) {}

    InMemoryPast(Clock clock) {
        this.clock = clock;
    }

    /** Forgets the states, but not the position. */
    synchronized void reset() {
        states.clear();
    }

    /** Stores a state, and returns its position. */
    synchronized long store(
            Map<LeaseId, LeaseView> leases,
            Map<ResourceId, ResourceView> resources,
            Map<String, ResourceProperty> properties) {
        position++;
        states.put(
                position,
                new State(
                        storedAt(position),
                        position,
                        Map.copyOf(leases),
                        Map.copyOf(resources),
                        Map.copyOf(properties)));
        return position;
    }

    /** Returns the time of a position: a second for each, from a day before the fixed clock. */
    Instant storedAt(long stored) {
        return clock.instant().minus(Duration.ofDays(1)).plusSeconds(stored);
    }

    @Override
    public synchronized long last() {
        return position;
    }

    @Override
    public synchronized long at(Instant instant) {
        return states.values().stream()
                .filter(state -> !state.at().isAfter(instant))
                .mapToLong(State::position)
                .max()
                .orElse(0);
    }

    /** Returns the state at a position. */
    synchronized Optional<State> find(long asOf) {
        return Optional.ofNullable(states.floorEntry(asOf)).map(Map.Entry::getValue);
    }

    /** Returns the position of the first state with a lease; 1 if none has it. */
    synchronized long firstOf(LeaseId id) {
        return states.values().stream()
                .filter(state -> state.leases().containsKey(id))
                .mapToLong(State::position)
                .min()
                .orElse(1);
    }

    @Override
    public Optional<ResourceView> resource(ResourceId id, long asOf) {
        return find(asOf).map(state -> state.resources().get(id));
    }

    @Override
    public Visibility visibility(ResourceKind kind, String property, long asOf) {
        return find(asOf)
                .map(state -> state.properties().get(property))
                .map(found -> new Visibility(found.hidden(), found.updatedAt()))
                .orElse(new Visibility(false, null));
    }
}
