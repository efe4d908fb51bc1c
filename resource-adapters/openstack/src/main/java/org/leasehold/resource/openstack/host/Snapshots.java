package org.leasehold.resource.openstack.host;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.Server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The images of a reservation's servers, one for each. */
record Snapshots(Nova nova, SideBySide sideBySide, Patience patience) {

    private static final String PREFIX = "reserved_";
    private static final int LONGEST_NAME = 255;

    /** A property that identifies the image: another server may have the same name. */
    private static final String SERVER = "leasehold_server";

    private static final String RESERVATION = "leasehold_reservation";

    /** The states in which Nova can create images. */
    private static final Set<String> STATUSES = Set.of("ACTIVE", "SHUTOFF", "PAUSED", "SUSPENDED");

    void take(NovaChanges changes, ReservationId reservation, Collection<Server> servers) {
        List<Server> able =
                servers.stream().filter(server -> STATUSES.contains(server.status())).toList();
        sideBySide.each(able, server -> take(changes, reservation, server));
    }

    private void take(NovaChanges changes, ReservationId reservation, Server server) {
        if (!nova.hasImage(SERVER, server.id())) {
            String name = PREFIX + server.name();
            changes.createImage(
                    server.id(),
                    name.substring(0, Math.min(name.length(), LONGEST_NAME)),
                    Map.of(SERVER, server.id(), RESERVATION, reservation.toString()));
        }
        // Nova deletes an unfinished image together with its server.
        patience.await(
                () ->
                        nova.hasWholeImage(SERVER, server.id())
                                ? Optional.empty()
                                : Optional.of(
                                        "There is no image yet of the server " + server.name()));
    }
}
