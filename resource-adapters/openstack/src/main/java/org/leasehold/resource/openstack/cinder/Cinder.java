package org.leasehold.resource.openstack.cinder;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.openstack.PagedQuery;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Queries to Cinder about volumes, their types, and the pools of these. */
public final class Cinder {

    static final String BLOCK_STORAGE = "block-storage";
    static final String TYPES = "/types?is_public=None";
    static final String POOLS = "/scheduler-stats/get_pools?detail=true";
    static final String VOLUMES = "/volumes";
    static final String SNAPSHOTS = "/snapshots";
    static final String ATTACHMENTS = "/attachments";

    /** The first microversion with attachments. */
    static final String ATTACHMENTS_MICROVERSION = "3.27";

    /** The first microversion that extends attached volumes; plug-ins need no newer one. */
    public static final String EXTEND_ATTACHED_MICROVERSION = "3.42";

    /** The metadata key of the reservation that a volume belongs to, set at its creation. */
    static final String RESERVATION_KEY = "leasehold:reservation";

    /** The states of a volume that exists and is not being deleted. */
    private static final Set<String> LEASABLE_STATUSES = Set.of("available", "in-use");

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public Cinder(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Returns the same Cinder as the user of a trust. */
    public Cinder withTrust(TrustId trust) {
        return new Cinder(cloud.as(trust));
    }

    /** Returns the changes of the same Cinder, while the fence holds. */
    public CinderChanges fencedBy(Fence fence) {
        return new CinderChanges(new FencedCloud(cloud, fence));
    }

    /**
     * Returns the pools that fit volumes of a type; empty if there is no such type. A type without
     * a backend fits any pool.
     */
    public Optional<List<StoragePool>> poolsOf(String type) {
        return get(TYPES)
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

    /** Returns the name of a type, by its id or its name; empty if there is no such type. */
    public Optional<String> findTypeName(String idOrName) {
        return get(TYPES)
                .path("volume_types")
                .valueStream()
                .filter(
                        found ->
                                text(found, "id").equals(idOrName)
                                        || text(found, "name").equals(idOrName))
                .findFirst()
                .map(found -> text(found, "name"));
    }

    /** Returns the name of the default type of volumes; empty if there is none. */
    public Optional<String> defaultType() {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(BLOCK_STORAGE, "/types/default")
                                        .expecting(NOT_FOUND));
        return Optional.of(text(answer.body().path("volume_type"), "name"))
                .filter(name -> !name.isEmpty());
    }

    private List<StoragePool> pools() {
        return get(POOLS).path("pools").valueStream().map(StoragePool::of).toList();
    }

    public Optional<ExistingVolume> volume(String id) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(BLOCK_STORAGE, VOLUMES + "/" + encoded(id))
                                        .expecting(NOT_FOUND));
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(volume(answer.body().path("volume")));
    }

    /** Returns the volumes of all projects that carry a reservation's id. */
    public List<ExistingVolume> volumesOf(ReservationId reservation) {
        // Python's notation, because Cinder parses it.
        String wanted = "{'%s': '%s'}".formatted(RESERVATION_KEY, reservation);
        return volumes("&metadata=" + encoded(wanted)).stream()
                .filter(volume -> volume.isOf(reservation))
                .toList();
    }

    /** Returns the volumes of all projects. */
    public List<ExistingVolume> volumes() {
        return volumes("");
    }

    private List<ExistingVolume> volumes(String query) {
        return fetchVolumes(query).map(Cinder::volume).toList();
    }

    private Stream<JsonNode> fetchVolumes(String query) {
        CloudRequest first =
                CloudRequest.get(BLOCK_STORAGE, VOLUMES + "/detail?all_tenants=1" + query);
        return new PagedQuery(cloud, first, "volumes", NOT_FOUND).readAll().stream();
    }

    /** Returns the volumes of all projects with a lease tag. */
    public List<LeaseTaggedObject> taggedVolumes() {
        return fetchVolumes("")
                .filter(found -> LeaseTaggedObject.hasLeaseTag(metadata(found)))
                .filter(found -> LEASABLE_STATUSES.contains(text(found, "status")))
                .map(Cinder::taggedVolume)
                .toList();
    }

    private static LeaseTaggedObject taggedVolume(JsonNode found) {
        String id = text(found, "id");
        return new LeaseTaggedObject(
                id,
                new ProjectId(text(found, "os-vol-tenant-attr:tenant_id")),
                new UserId(text(found, "user_id")),
                text(found, "name"),
                Map.of(VolumePlanning.VOLUME_ID, id),
                metadata(found));
    }

    private static Map<String, String> metadata(JsonNode found) {
        Map<String, String> metadata = new TreeMap<>();
        found.path("metadata")
                .propertyStream()
                .forEach(each -> metadata.put(each.getKey(), each.getValue().asString("")));
        return metadata;
    }

    /** Returns the attachments, also those to a shelved server, which the volume does not show. */
    public List<VolumeAttachment> attachmentsOf(ExistingVolume volume) {
        String path = ATTACHMENTS + "?all_tenants=1&volume_id=" + encoded(volume.id());
        return cloud.rest()
                .send(versioned(CloudRequest.get(BLOCK_STORAGE, path), ATTACHMENTS_MICROVERSION))
                .body()
                .path("attachments")
                .valueStream()
                .map(found -> new VolumeAttachment(text(found, "id"), text(found, "instance")))
                .toList();
    }

    public List<ExistingSnapshot> snapshotsOf(ExistingVolume volume) {
        return get(SNAPSHOTS + "/detail?all_tenants=1&volume_id=" + encoded(volume.id()))
                .path("snapshots")
                .valueStream()
                .map(Cinder::snapshot)
                .toList();
    }

    private JsonNode get(String path) {
        return cloud.rest().send(CloudRequest.get(BLOCK_STORAGE, path)).body();
    }

    /** Sets a microversion. For that, Cinder has one name, whatever the catalog calls it. */
    static CloudRequest versioned(CloudRequest request, String microversion) {
        return request.header("OpenStack-API-Version", "volume " + microversion);
    }

    static ExistingVolume volume(JsonNode found) {
        return new ExistingVolume(
                text(found, "id"),
                text(found, "volume_type"),
                found.path("size").asInt(0),
                text(found, "status"),
                text(found, "os-vol-tenant-attr:tenant_id"),
                text(found.path("metadata"), RESERVATION_KEY));
    }

    private static ExistingSnapshot snapshot(JsonNode found) {
        return new ExistingSnapshot(
                text(found, "id"),
                text(found, "status"),
                text(found.path("metadata"), RESERVATION_KEY));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
