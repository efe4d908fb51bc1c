package org.leasehold.resource.openstack.compute;

import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.Optional;

/**
 * A server on a host, with its flavor's extra specs.
 *
 * @param extraSpecs of its flavor, at the time of its creation
 * @param isBusy whether Nova has yet to finish an earlier request
 */
public record Guest(NovaServer server, Map<String, String> extraSpecs, boolean isBusy) {

    /** The reservation service's extra spec with the reservation whose slots the servers take. */
    public static final String RESERVATION_SPEC = "aggregate_instance_extra_specs:reservation";

    private static final String PREEMPTIBLE = "blazar:preemptible";

    public Guest {
        extraSpecs = Map.copyOf(extraSpecs);
    }

    /** Returns the reservation whose slot it takes; empty for an ordinary server. */
    public Optional<ReservationId> reservation() {
        return Optional.ofNullable(extraSpecs.get(RESERVATION_SPEC)).flatMap(ReservationId::find);
    }

    /** Returns whether it must make way for a lease of its host. */
    public boolean isPreemptible() {
        return "true".equalsIgnoreCase(extraSpecs.get(PREEMPTIBLE));
    }
}
