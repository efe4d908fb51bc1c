package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.NovaServer;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The images of a reservation's servers, one for each. */
record ServerSnapshots(Nova nova, ParallelCalls sideBySide, PollingWait patience) {

    private static final String PREFIX = "reserved_";
    private static final int MAX_NAME_LENGTH = 255;

    /** A property that identifies the image: another server may have the same name. */
    private static final String SERVER = "leasehold_server";

    private static final String RESERVATION_PROPERTY = "leasehold_reservation";

    /** The states in which Nova can create images. */
    private static final Set<String> SNAPSHOT_STATUSES =
            Set.of("ACTIVE", "SHUTOFF", "PAUSED", "SUSPENDED");

    void createImages(
            NovaChanges changes, ReservationId reservation, Collection<NovaServer> servers) {
        List<NovaServer> able =
                servers.stream()
                        .filter(server -> SNAPSHOT_STATUSES.contains(server.status()))
                        .toList();
        sideBySide.forEach(able, server -> createImages(changes, reservation, server));
    }

    private void createImages(NovaChanges changes, ReservationId reservation, NovaServer server) {
        if (!nova.hasImage(SERVER, server.id())) {
            String name = PREFIX + server.name();
            changes.createImage(
                    server.id(),
                    name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH)),
                    Map.of(SERVER, server.id(), RESERVATION_PROPERTY, reservation.toString()));
        }
        // Nova deletes an unfinished image together with its server.
        patience.await(
                () ->
                        nova.hasCompleteImage(SERVER, server.id())
                                ? Optional.empty()
                                : Optional.of(
                                        "There is no image yet of the server " + server.name()));
    }
}
