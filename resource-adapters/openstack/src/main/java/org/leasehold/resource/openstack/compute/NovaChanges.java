package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;
import org.openstack4j.api.compute.HostAggregateService;

import tools.jackson.databind.node.NullNode;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/**
 * The requests that change Nova. Before each the fence is asked; each may come again after it took
 * effect, and then finds that there is nothing to do.
 */
public final class NovaChanges {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The first that takes volumes from shelved servers. */
    private static final String SHELVED_TOO = "2.20";

    /** The first that unshelves a server to a zone. */
    private static final String TO_ZONE = "2.77";

    /** The first that can keep a volume from going with its server. */
    private static final String KEEPING = "2.85";

    private final Nova nova;
    private final Fenced fenced;
    private final Lock telling;

    NovaChanges(Nova nova, Fenced fenced, Lock telling) {
        this.nova = nova;
        this.fenced = fenced;
        this.telling = telling;
    }

    /**
     * Makes an aggregate. Not by openstack4j, with which each is an availability zone.
     *
     * @param zone the availability zone that its hosts are to be; null for none
     */
    public Aggregate createAggregate(String name, @Nullable String zone) {
        Map<String, String> fields = new TreeMap<>(Map.of("name", name));
        if (zone != null) {
            fields.put("availability_zone", zone);
        }
        Answer answer =
                fenced.send(
                        Request.post(Nova.COMPUTE, "/os-aggregates", Map.of("aggregate", fields))
                                .expecting(CONFLICT));
        return answer.status() == CONFLICT
                ? nova.aggregates().named(name).orElseThrow(() -> isGone(name))
                : Nova.aggregate(answer.body().path("aggregate"));
    }

    public void setMetadata(Aggregate aggregate, Map<String, String> metadata) {
        if (change(aggregates -> aggregates.setMetadata(aggregate.id(), metadata)) == null) {
            throw isGone(aggregate.name());
        }
    }

    /** Adds a host; false if Nova has no such host. */
    public boolean add(Aggregate aggregate, String host) {
        try {
            return change(aggregates -> aggregates.addHost(aggregate.id(), host)) != null;
        } catch (CloudFailure failure) {
            // It is there already, or Nova has reasons not to let it in: only a look can tell.
            if (failure.status() == CONFLICT && isIn(aggregate, host)) {
                return true;
            }
            throw failure;
        }
    }

    /** Removes a host; that there is no such host, or that it is not in it, is as good. */
    public void remove(Aggregate aggregate, String host) {
        change(aggregates -> aggregates.removeHost(aggregate.id(), host));
    }

    /**
     * Has Nova's schedulers learn which hosts an aggregate has, once hosts have come or gone side
     * by side. Each such request sends them the aggregate as it has read it, so that of two at once
     * either may send it without the other's host, and be the last. They would never look again.
     * Saying nothing new of the aggregate sends it as it is.
     */
    public void tell(Aggregate aggregate) {
        telling.lock();
        try {
            setMetadata(aggregate, Map.of());
        } finally {
            telling.unlock();
        }
    }

    public void delete(Aggregate aggregate) {
        try {
            change(aggregates -> aggregates.delete(aggregate.id()));
        } catch (CloudFailure failure) {
            if (failure.status() != NOT_FOUND) {
                throw failure;
            }
        }
    }

    /**
     * Has a server deleted at once. A plain deletion would leave it on its host for as long as the
     * cloud gives its owner to think it over.
     */
    public void deleteServer(String id) {
        fenced.send(action(id, "forceDelete", NullNode.getInstance()).expecting(NOT_FOUND));
    }

    /**
     * Has a server give a volume up, which it does later; not while it is doing so already. One
     * that is shelved can, one that is suspended cannot.
     */
    public void detach(AttachedVolume volume) {
        fenced.send(
                Request.delete(Nova.COMPUTE, path(volume))
                        .microversion(SHELVED_TOO)
                        .expecting(BAD_REQUEST, NOT_FOUND));
    }

    /** Has Nova not delete a volume with its server. */
    public void keep(AttachedVolume volume) {
        Map<String, ?> kept = Map.of("volumeId", volume.volume(), "delete_on_termination", false);
        fenced.send(
                Request.put(Nova.COMPUTE, path(volume), Map.of("volumeAttachment", kept))
                        .microversion(KEEPING)
                        .expecting(NOT_FOUND));
    }

    private static String path(AttachedVolume volume) {
        return "/servers/%s/os-volume_attachments/%s".formatted(volume.server(), volume.volume());
    }

    /** Has a suspended server go on; one that is not suspended any more is left as it is. */
    public void resume(String server) {
        fenced.send(
                action(server, "resume", NullNode.getInstance()).expecting(NOT_FOUND, CONFLICT));
    }

    /**
     * Has something done with a server, which takes its time.
     *
     * @param action one that needs nothing but its name, such as {@code shelve}
     */
    public void ask(ExistingServer server, String action) {
        fenced.send(action(server.id(), action, NullNode.getInstance()).expecting(NOT_FOUND));
    }

    /**
     * Has a server that is on no host run in an availability zone, where it is bound to stay; which
     * takes its time.
     */
    public void unshelve(ExistingServer server, String zone) {
        fenced.send(
                action(server.id(), "unshelve", Map.of("availability_zone", zone))
                        .microversion(TO_ZONE)
                        .expecting(NOT_FOUND));
    }

    /** Says that a server is a reservation's; only of one that is settled. */
    public void mark(ExistingServer server, ReservationId reservation) {
        fenced.send(
                Request.post(
                        Nova.COMPUTE,
                        metadata(server),
                        Map.of("metadata", Map.of(Nova.MARK, reservation.toString()))));
    }

    /** Says that a server is no reservation's any more; only of one that is settled. */
    public void release(ExistingServer server) {
        fenced.send(
                Request.delete(Nova.COMPUTE, metadata(server) + "/" + Nova.MARK)
                        .expecting(NOT_FOUND));
    }

    private static String metadata(ExistingServer server) {
        return metadata(server.id());
    }

    private static String metadata(String server) {
        return "/servers/" + server + "/metadata";
    }

    /**
     * Writes something on a server for its owner to read, or takes it away.
     *
     * @param text at most 255 characters; null for nothing
     */
    public void tell(String server, String key, @Nullable String text) {
        Request request =
                text == null
                        ? Request.delete(Nova.COMPUTE, metadata(server) + "/" + key)
                        : Request.post(
                                Nova.COMPUTE,
                                metadata(server),
                                Map.of("metadata", Map.of(key, text)));
        fenced.send(request.expecting(NOT_FOUND));
    }

    /**
     * Has an image made of a server; Nova shares it with the server's project.
     *
     * @param properties of the image
     */
    public void createImage(String server, String name, Map<String, String> properties) {
        Map<String, ?> image = Map.of("name", name, "metadata", properties);
        fenced.send(action(server, "createImage", image).expecting(NOT_FOUND));
    }

    private static Request action(String server, String action, Object details) {
        return Request.post(
                Nova.COMPUTE, "/servers/" + server + "/action", Map.of(action, details));
    }

    private boolean isIn(Aggregate aggregate, String host) {
        return nova.aggregates()
                .named(aggregate.name())
                .filter(found -> found.hosts().contains(host))
                .isPresent();
    }

    /** Null is openstack4j's answer to a 404. */
    private <T> @Nullable T change(Function<HostAggregateService, @Nullable T> change) {
        return fenced.call(Nova.COMPUTE, client -> change.apply(client.compute().hostAggregates()));
    }

    private static CloudFailure isGone(String aggregate) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE, NOT_FOUND, "The aggregate " + aggregate + " is gone");
    }
}
