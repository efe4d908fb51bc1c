package org.leasehold.resource.openstack.host;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Nova;

import java.util.List;
import java.util.function.Predicate;

/** Servers on a host that was open to all projects for a while. */
final class ForeignServers {

    private ForeignServers() {}

    /** Returns the servers that neither a reservation nor the freepool's mode admits. */
    static List<Guest> findOn(Nova nova, HostIsolation isolation, String host) {
        return nova.guestsOn(host).stream()
                .filter(guest -> guest.reservation().isEmpty())
                .filter(guest -> !isolation.admits(guest))
                .toList();
    }

    /**
     * Checks that there are no such servers.
     *
     * @throws CloudFailure if there are any: the engine must not delete them, and they may end
     */
    static void requireNoForeignServers(Nova nova, HostIsolation isolation, String host) {
        requireNone(nova, isolation, host, _ -> true);
    }

    /** Checks the same for servers of all projects but one. */
    static void requireNoForeignServers(
            Nova nova, HostIsolation isolation, String host, String project) {
        requireNone(nova, isolation, host, guest -> !guest.server().project().equals(project));
    }

    private static void requireNone(
            Nova nova, HostIsolation isolation, String host, Predicate<Guest> unwanted) {
        long count = findOn(nova, isolation, host).stream().filter(unwanted).count();
        if (count > 0) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    CloudFailure.NO_ANSWER,
                    "Servers of others run on the host %s: %s"
                            .formatted(host, Long.toString(count)));
        }
    }
}
