package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.vocabulary.ReservationId;
import org.openstack4j.api.compute.HostAggregateService;

import tools.jackson.databind.node.NullNode;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/**
 * The requests that change Nova, each behind the fence. Each is idempotent: a repetition finds
 * nothing to do.
 */
public final class NovaChanges {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The first microversion that detaches volumes from shelved servers. */
    private static final String DETACH_SHELVED_MICROVERSION = "2.20";

    /** The first microversion that unshelves a server to a zone. */
    public static final String UNSHELVE_TO_ZONE_MICROVERSION = "2.77";

    /** The first microversion that can keep a volume when its server is deleted. */
    private static final String KEEP_VOLUME_MICROVERSION = "2.85";

    private final Nova nova;
    private final FencedCloud fenced;
    private final Lock announcementLock;

    NovaChanges(Nova nova, FencedCloud fenced, Lock announcementLock) {
        this.nova = nova;
        this.fenced = fenced;
        this.announcementLock = announcementLock;
    }

    /**
     * Creates an aggregate. It does not use openstack4j, which makes each an availability zone.
     *
     * @param zone the availability zone of its hosts; null for none
     */
    public NovaAggregate createAggregate(String name, @Nullable String zone) {
        Map<String, String> fields = new TreeMap<>(Map.of("name", name));
        if (zone != null) {
            fields.put("availability_zone", zone);
        }
        CloudResponse answer =
                fenced.send(
                        CloudRequest.post(
                                        Nova.COMPUTE, "/os-aggregates", Map.of("aggregate", fields))
                                .expecting(CONFLICT));
        return answer.status() == CONFLICT
                ? nova.aggregates().findByName(name).orElseThrow(() -> missingAggregate(name))
                : NovaResponses.aggregate(answer.body().path("aggregate"));
    }

    public void setMetadata(NovaAggregate aggregate, Map<String, String> metadata) {
        if (change(aggregates -> aggregates.setMetadata(aggregate.id(), metadata)) == null) {
            throw missingAggregate(aggregate.name());
        }
    }

    /** Adds a host; returns false if Nova has no such host. */
    public boolean add(NovaAggregate aggregate, String host) {
        try {
            return change(aggregates -> aggregates.addHost(aggregate.id(), host)) != null;
        } catch (CloudFailure failure) {
            // It is there already, or Nova rejects it for another reason: only a query shows which.
            if (failure.status() == CONFLICT && isIn(aggregate, host)) {
                return true;
            }
            throw failure;
        }
    }

    /** Removes a host; does nothing if it does not exist or is not in the aggregate. */
    public void remove(NovaAggregate aggregate, String host) {
        change(aggregates -> aggregates.removeHost(aggregate.id(), host));
    }

    /**
     * Makes Nova's schedulers update an aggregate after parallel changes of its hosts. Each change
     * sends them the aggregate as it has read it. So one of two at once may send it without the
     * other's host, and be the last. They would never correct that. An empty change of metadata
     * sends the present state.
     */
    public void announce(NovaAggregate aggregate) {
        announcementLock.lock();
        try {
            setMetadata(aggregate, Map.of());
        } finally {
            announcementLock.unlock();
        }
    }

    public void delete(NovaAggregate aggregate) {
        try {
            change(aggregates -> aggregates.delete(aggregate.id()));
        } catch (CloudFailure failure) {
            if (failure.status() != NOT_FOUND) {
                throw failure;
            }
        }
    }

    /**
     * Deletes a server at once. An ordinary deletion would leave it on its host for the time in
     * which the cloud lets its owner restore it.
     */
    public void deleteServer(String id) {
        fenced.send(action(id, "forceDelete", NullNode.getInstance()).expecting(NOT_FOUND));
    }

    /**
     * Requests to detach a volume, which Nova does later; has no effect during a detachment. Works
     * for a shelved server, but not for a suspended one.
     */
    public void detach(AttachedVolume volume) {
        fenced.send(
                CloudRequest.delete(Nova.COMPUTE, path(volume))
                        .microversion(DETACH_SHELVED_MICROVERSION)
                        .expecting(BAD_REQUEST, NOT_FOUND));
    }

    /** Makes Nova keep a volume when it deletes the server. */
    public void keepVolume(AttachedVolume volume) {
        Map<String, ?> kept = Map.of("volumeId", volume.volume(), "delete_on_termination", false);
        fenced.send(
                CloudRequest.put(Nova.COMPUTE, path(volume), Map.of("volumeAttachment", kept))
                        .microversion(KEEP_VOLUME_MICROVERSION)
                        .expecting(NOT_FOUND));
    }

    private static String path(AttachedVolume volume) {
        return "/servers/%s/os-volume_attachments/%s".formatted(volume.server(), volume.volume());
    }

    /** Resumes a server; leaves one alone that is not suspended any more. */
    public void resume(String server) {
        fenced.send(
                action(server, "resume", NullNode.getInstance()).expecting(NOT_FOUND, CONFLICT));
    }

    /**
     * Requests an asynchronous action on a server.
     *
     * @param action one without arguments, such as {@code shelve}
     */
    public void requestAction(ExistingServer server, String action) {
        fenced.send(action(server.id(), action, NullNode.getInstance()).expecting(NOT_FOUND));
    }

    /**
     * Requests to unshelve a server to an availability zone, to which it is then bound.
     * Asynchronous; the server must be on no host.
     */
    public void unshelve(ExistingServer server, String zone) {
        fenced.send(
                action(server.id(), "unshelve", Map.of("availability_zone", zone))
                        .microversion(UNSHELVE_TO_ZONE_MICROVERSION)
                        .expecting(NOT_FOUND));
    }

    /** Marks a settled server as a reservation's. */
    public void mark(ExistingServer server, ReservationId reservation) {
        fenced.send(
                CloudRequest.post(
                        Nova.COMPUTE,
                        metadata(server),
                        Map.of("metadata", Map.of(Nova.RESERVATION_KEY, reservation.toString()))));
    }

    /** Removes the reservation's mark from a settled server. */
    public void release(ExistingServer server) {
        fenced.send(
                CloudRequest.delete(Nova.COMPUTE, metadata(server) + "/" + Nova.RESERVATION_KEY)
                        .expecting(NOT_FOUND));
    }

    private static String metadata(ExistingServer server) {
        return metadata(server.id());
    }

    private static String metadata(String server) {
        return "/servers/" + server + "/metadata";
    }

    /**
     * Writes a text on a server for its owner, or removes it.
     *
     * @param text at most 255 characters; null to remove it
     */
    public void writeMetadata(String server, String key, @Nullable String text) {
        CloudRequest request =
                text == null
                        ? CloudRequest.delete(Nova.COMPUTE, metadata(server) + "/" + key)
                        : CloudRequest.post(
                                Nova.COMPUTE,
                                metadata(server),
                                Map.of("metadata", Map.of(key, text)));
        fenced.send(request.expecting(NOT_FOUND));
    }

    /**
     * Creates an image of a server; Nova shares it with the server's project.
     *
     * @param properties of the image
     */
    public void createImage(String server, String name, Map<String, String> properties) {
        Map<String, ?> image = Map.of("name", name, "metadata", properties);
        fenced.send(action(server, "createImage", image).expecting(NOT_FOUND));
    }

    /** Returns the requests that move servers between hosts, behind the same fence. */
    NovaMigrations migrations() {
        return new NovaMigrations(fenced);
    }

    static CloudRequest action(String server, String action, Object details) {
        return CloudRequest.post(
                Nova.COMPUTE, "/servers/" + server + "/action", Map.of(action, details));
    }

    private boolean isIn(NovaAggregate aggregate, String host) {
        return nova.aggregates()
                .findByName(aggregate.name())
                .filter(found -> found.hosts().contains(host))
                .isPresent();
    }

    /** Changes an aggregate; returns null, as openstack4j does, for a 404. */
    private <T> @Nullable T change(Function<HostAggregateService, @Nullable T> change) {
        return fenced.call(Nova.COMPUTE, client -> change.apply(client.compute().hostAggregates()));
    }

    private static CloudFailure missingAggregate(String aggregate) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE, NOT_FOUND, "The aggregate " + aggregate + " is gone");
    }
}
