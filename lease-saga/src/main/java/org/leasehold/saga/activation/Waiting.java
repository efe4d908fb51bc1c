package org.leasehold.saga.activation;

import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseId;
import org.leasehold.saga.reaction.Reaction;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is known of a lease that waits for others to release resources.
 *
 * @param awaited the reservations that it waits for
 */
record Waiting(Set<String> awaited) {

    Waiting {
        awaited = Set.copyOf(awaited);
    }

    static Waiting forNobody() {
        return new Waiting(Set.of());
    }

    Waiting after(LeaseDelayed event) {
        return new Waiting(
                event.awaited().stream().map(Object::toString).collect(Collectors.toSet()));
    }

    /** The awaited reservations, in order. */
    Set<String> inOrder() {
        return new TreeSet<>(awaited);
    }

    /**
     * Whom the lease began to wait for may have released its resources just before: that event is
     * behind us and will wake nobody. So the lease tries again, once for each new name: what is
     * released from now on is heard of.
     */
    List<Reaction> react(LeaseDelayed event, Instant at) {
        return awaited.containsAll(after(event).awaited())
                ? List.of()
                : List.of(Reaction.start(event.leaseId(), at));
    }

    /** Somebody released what was awaited. */
    static List<Reaction> wake(LeaseId lease, Instant at) {
        return List.of(Reaction.start(lease, at));
    }
}
