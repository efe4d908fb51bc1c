package org.leasehold.resource.openstack.cinder;

import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.cinder.ExistingVolume.Attachment;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Cinder says of volumes, of their types, and of where these are put. */
public final class Cinder {

    static final String BLOCK_STORAGE = "block-storage";
    static final String VOLUMES = "/volumes";
    static final String SNAPSHOTS = "/snapshots";

    /** By this a volume tells whose it is. It is there from the beginning. */
    static final String MARK = "leasehold:reservation";

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public Cinder(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The same Cinder, as the user who has given a trust. */
    public Cinder as(TrustId trust) {
        return new Cinder(cloud.as(trust));
    }

    /** The same Cinder, to be changed as long as the fence holds. */
    public CinderChanges fencedBy(Fence fence) {
        return new CinderChanges(new Fenced(cloud, fence));
    }

    /**
     * The pools that volumes of a type may be put into; empty if there is no such type. A type that
     * does not say where goes anywhere.
     */
    public Optional<List<Pool>> poolsOf(String type) {
        return ask("/types?is_public=None")
                .path("volume_types")
                .valueStream()
                .filter(found -> text(found, "name").equals(type))
                .findFirst()
                .map(found -> text(found.path("extra_specs"), "volume_backend_name"))
                .map(
                        backend ->
                                pools().stream()
                                        .filter(
                                                pool ->
                                                        backend.isEmpty()
                                                                || pool.backend().equals(backend))
                                        .toList());
    }

    private List<Pool> pools() {
        return ask("/scheduler-stats/get_pools?detail=true")
                .path("pools")
                .valueStream()
                .map(Pool::of)
                .toList();
    }

    public Optional<ExistingVolume> volume(String id) {
        Answer answer =
                cloud.rest()
                        .send(
                                Request.get(BLOCK_STORAGE, VOLUMES + "/" + encoded(id))
                                        .expecting(NOT_FOUND));
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(volume(answer.body().path("volume")));
    }

    /** Those that bear a reservation's name, of all projects. */
    public List<ExistingVolume> volumesOf(ReservationId reservation) {
        // Python's way to write it, which is how Cinder reads it.
        String wanted = "{'%s': '%s'}".formatted(MARK, reservation);
        return volumes("&metadata=" + encoded(wanted)).stream()
                .filter(volume -> volume.isOf(reservation))
                .toList();
    }

    /** All that there are, of all projects. */
    public List<ExistingVolume> volumes() {
        return volumes("");
    }

    /** Page by page: Cinder tells no more at a time than its operator lets it. */
    private List<ExistingVolume> volumes(String query) {
        Request first = Request.get(BLOCK_STORAGE, VOLUMES + "/detail?all_tenants=1" + query);
        List<ExistingVolume> all = new ArrayList<>();
        Request next = first;
        while (true) {
            Answer page = cloud.rest().send(next);
            if (page.status() == NOT_FOUND) {
                // The last one of the page before is deleted, and with it the place to go on from.
                all.clear();
                next = first;
                continue;
            }
            page.body().path("volumes").valueStream().map(Cinder::volume).forEach(all::add);
            if (page.body().path("volumes_links").isEmpty()) {
                return all;
            }
            next =
                    Request.get(BLOCK_STORAGE, first.path() + "&marker=" + all.getLast().id())
                            .expecting(NOT_FOUND);
        }
    }

    public List<ExistingSnapshot> snapshotsOf(ExistingVolume volume) {
        return ask(SNAPSHOTS + "/detail?all_tenants=1&volume_id=" + encoded(volume.id()))
                .path("snapshots")
                .valueStream()
                .map(Cinder::snapshot)
                .toList();
    }

    private JsonNode ask(String path) {
        return cloud.rest().send(Request.get(BLOCK_STORAGE, path)).body();
    }

    static ExistingVolume volume(JsonNode found) {
        return new ExistingVolume(
                text(found, "id"),
                text(found, "volume_type"),
                found.path("size").asInt(0),
                text(found, "status"),
                text(found, "os-vol-tenant-attr:tenant_id"),
                text(found.path("metadata"), MARK),
                found.path("attachments").valueStream().map(Cinder::attachment).toList());
    }

    private static Attachment attachment(JsonNode found) {
        return new Attachment(
                text(found, "attachment_id"), text(found, "server_id"), text(found, "device"));
    }

    private static ExistingSnapshot snapshot(JsonNode found) {
        return new ExistingSnapshot(
                text(found, "id"), text(found, "status"), text(found.path("metadata"), MARK));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
