package org.leasehold.resource.openstack.compute;

import org.leasehold.lease.ReservationId;

import java.util.Map;
import java.util.Optional;

/**
 * A server, and what it may use its host for.
 *
 * @param extraSpecs of its flavor, as they were when it got it
 */
public record Guest(Server server, Map<String, String> extraSpecs) {

    /** In which a flavor says whose slots its servers take; the reservation service's. */
    public static final String RESERVATION = "aggregate_instance_extra_specs:reservation";

    private static final String PREEMPTIBLE = "blazar:preemptible";

    public Guest {
        extraSpecs = Map.copyOf(extraSpecs);
    }

    /** Whose slot it takes; empty if it is an ordinary server. */
    public Optional<ReservationId> reservation() {
        return Optional.ofNullable(extraSpecs.get(RESERVATION)).flatMap(ReservationId::find);
    }

    /** Whether it gives way to whoever leases its host. */
    public boolean isPreemptible() {
        return "true".equalsIgnoreCase(extraSpecs.get(PREEMPTIBLE));
    }
}
